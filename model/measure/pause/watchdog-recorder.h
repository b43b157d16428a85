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

/// A storm of PAUSEs as a PfcWatchdog has seen it, and what it has dropped for it.
struct StormRecord
{
    std::string node;             ///< name of the switch
    PortId port{0};               ///< egress port
    Priority priority{0};         ///< class
    WatchdogAction action{};      ///< what is done in it
    Time detected;                ///< when it was seen
    std::optional<Time> restored; ///< when it was over; nothing: it was not
    uint64_t egressFrames{0};     ///< dropped of those that waited or came for the queue
    uint64_t ingressFrames{0};    ///< dropped of those that the port received in the class

    /// @return what is told to other ranks, see record-archive.h
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
 * Notes the storms that watchdogs of PAUSEs see, where switches have one (PfcWatchdog).
 */
class WatchdogRecorder : public Recorder
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;

    /// @return all storms in the order of their detection, and of switches, ports and classes
    std::vector<StormRecord> GetStorms() const;

    /// @return GetStorms() as watchdog.csv shows it
    ResultTable GetTable() const;

    std::vector<NamedTable> GetTables() const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// What one switch has seen; kept alive by the switch, so that a recorder may go first.
    struct NodeLog : public SimpleRefCount<NodeLog>
    {
        /// @param event of its watchdog
        void NoteStorm(const WatchdogEvent& event);
        /// @param item a frame that it has lost @param reason why
        void NoteDrop(const SwitchItem& item, DropReason reason);

        /// @return what is told to other ranks, see record-archive.h
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
