// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DROP_RECORDER_H
#define LOSSLESS_DROP_RECORDER_H

#include "result-table.h"

#include "ns3/drop-reason.h"
#include "ns3/lossless-net-device.h"
#include "ns3/lossless-types.h"
#include "ns3/nstime.h"
#include "ns3/recorder.h"
#include "ns3/simple-ref-count.h"
#include "ns3/switch-node.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::lossless
{

/// Frames of one kind, lost at one place for one reason.
struct DropRecord
{
    std::string node;                           ///< name of the switch or host
    PortId port{0};                             ///< port, see DropRecorder
    std::optional<Priority> priority;           ///< class; nothing: lost by a device
    DropReason reason{DropReason::BUFFER_FULL}; ///< why
    bool lossless{false};                       ///< the class is under flow control there
    bool isControl{false};                      ///< MAC control frames, as PAUSEs
    uint64_t frames{0};                         ///< number of frames
    uint64_t bytes{0};                          ///< their bytes, without FCS
    Time first;                                 ///< when the first was lost
    Time last;                                  ///< when the last was lost

    /// @return whether flow control has failed: a loss for lack of buffer in a class under it
    bool IsViolation() const
    {
        return lossless && IsCongestionLoss(reason);
    }

    /// @return the members, for record-archive.h
    auto Tie()
    {
        return std::tie(node,
                        port,
                        priority,
                        reason,
                        lossless,
                        isControl,
                        frames,
                        bytes,
                        first,
                        last);
    }
};

/// Adds losses to the verdict, and a problem for each kind.
void JudgeDrops(const std::vector<DropRecord>& drops, RunVerdict& verdict);

/**
 * @ingroup lossless
 * Counts lost frames by place and reason, MAC control frames separately.
 *
 * A switch loses a frame at its ingress queue, or at its egress queue if that is the reason (see
 * IsEgressLoss()); the class is that of the switch's map. A device (corrupt frames, cut cables,
 * frames without a receiver) does not know classes.
 */
class DropRecorder : public Recorder
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Follows a switch or host and all LosslessNetDevices that it has by now.
    void Watch(const std::string& name, Ptr<Node> node);
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;
    void WatchHost(const std::string& name, Ptr<Node> node) override;

    /// @return one record per place, reason and kind: in the order of the nodes, then by port,
    /// class (none is last), reason, and control frames last
    std::vector<DropRecord> GetDrops() const;

    /// @return GetDrops() as drops.csv shows it
    ResultTable GetTable() const;

    std::vector<NamedTable> GetTables() const override;
    ResultFacts GetFacts() const override;
    void Judge(RunVerdict& verdict) const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// Port, Index(priority) or NUM_PRIORITIES for none, reason, and DropRecord::isControl.
    using Place = std::tuple<PortId, std::size_t, DropReason, bool>;

    /// Losses of one node, which keeps this alive.
    struct NodeLog : public SimpleRefCount<NodeLog>
    {
        void CountAtSwitch(const SwitchNode& node, const SwitchItem& item, DropReason reason);
        void CountAtDevice(PortId port, const Packet& packet, DropReason reason);

        /// Counts a frame. @return its record
        DropRecord& Count(const Place& place, uint32_t bytes);

        /// @return the members, for record-archive.h
        auto Tie()
        {
            return std::tie(m_drops);
        }

        std::string m_name;                  ///< of the node
        uint32_t m_rank{0};                  ///< of the node
        std::map<Place, DropRecord> m_drops; ///< by place, reason and kind
    };

    std::vector<Ptr<NodeLog>> m_logs; ///< one per node
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DROP_RECORDER_H */
