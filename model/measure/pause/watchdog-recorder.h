// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WATCHDOG_RECORDER_H
#define LOSSLESS_WATCHDOG_RECORDER_H

#include "ns3/lossless-types.h"
#include "ns3/nstime.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/recorder.h"
#include "ns3/result-table.h"
#include "ns3/simple-ref-count.h"
#include "ns3/switch-node.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::lossless
{

/// A PAUSE storm that a PfcWatchdog has detected, and the frames dropped during the storm.
struct StormRecord
{
    std::string node;             ///< the name of the switch
    PortId port{0};               ///< the egress port
    Priority priority{0};         ///< the class
    WatchdogAction action{};      ///< the action of the watchdog
    Time detected;                ///< the time at which the storm was detected
    std::optional<Time> restored; ///< the time at which the queue was restored; unset if the storm
                                  ///< has not ended
    uint64_t egressFrames{0};     ///< the number of frames dropped in the queue or on their way to
                                  ///< it
    uint64_t ingressFrames{0};    ///< the number of frames of the class that were dropped on
                                  ///< arrival at the port

    /// @return references to all members; see record-archive.h
    auto Tie()
    {
        return std::tie(node,
                        port,
                        priority,
                        action,
                        detected,
                        restored,
                        egressFrames,
                        ingressFrames);
    }
};

/**
 * @ingroup lossless
 * Records the storms that the PfcWatchdogs of switches detect.
 */
class WatchdogRecorder : public Recorder
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;

    /// @return all storms, sorted by time of detection and then by switch
    std::vector<StormRecord> GetStorms() const;

    /// @return the contents of watchdog.csv
    ResultTable GetTable() const;

    /// @return a hint if no storm was detected and the settings of a watchdog may be the reason
    std::vector<std::string> GetHints() const override;

    std::vector<NamedTable> GetTables() const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// The storms of one switch. The switch's traces hold a reference to this object.
    struct NodeLog : public SimpleRefCount<NodeLog>
    {
        void NoteStorm(const WatchdogEvent& event);
        void NoteDrop(const SwitchItem& item, DropReason reason);

        /// @return references to all members; see record-archive.h
        auto Tie()
        {
            return std::tie(m_storms);
        }

        std::string m_name;                ///< the name of the switch
        uint32_t m_rank{0};                ///< the rank of the switch
        std::vector<StormRecord> m_storms; ///< the storms in order of detection
    };

    std::vector<Ptr<NodeLog>> m_logs;          ///< one log per switch
    std::vector<Ptr<PfcWatchdog>> m_watchdogs; ///< all watchdogs
};

} // namespace ns3::lossless

#endif /* LOSSLESS_WATCHDOG_RECORDER_H */
