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

/// A storm of PAUSEs as seen by a PfcWatchdog, and the frames dropped in it.
struct StormRecord
{
    std::string node;             ///< name of the switch
    PortId port{0};               ///< egress port
    Priority priority{0};         ///< class
    WatchdogAction action{};      ///< what the watchdog did
    Time detected;                ///< begin
    std::optional<Time> restored; ///< end; nothing: it has not ended
    uint64_t egressFrames{0};     ///< dropped of those in the queue, or on their way to it
    uint64_t ingressFrames{0};    ///< dropped of those that the port received in the class

    /// @return the members, for record-archive.h
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
 * Records the storms that PfcWatchdogs of switches detect.
 */
class WatchdogRecorder : public Recorder
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;

    /// @return all storms in the order of their detection, then of the switches
    std::vector<StormRecord> GetStorms() const;

    /// @return GetStorms() as watchdog.csv shows it
    ResultTable GetTable() const;

    std::vector<NamedTable> GetTables() const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// Storms of one switch, which keeps this alive.
    struct NodeLog : public SimpleRefCount<NodeLog>
    {
        void NoteStorm(const WatchdogEvent& event);
        void NoteDrop(const SwitchItem& item, DropReason reason);

        /// @return the members, for record-archive.h
        auto Tie()
        {
            return std::tie(m_storms);
        }

        std::string m_name;                ///< of the switch
        uint32_t m_rank{0};                ///< of the switch
        std::vector<StormRecord> m_storms; ///< in the order of their detection
    };

    std::vector<Ptr<NodeLog>> m_logs; ///< one per switch
};

} // namespace ns3::lossless

#endif /* LOSSLESS_WATCHDOG_RECORDER_H */
