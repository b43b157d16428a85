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

/// The frames of one kind that were lost at one place for one reason.
struct DropRecord
{
    std::string node;                           ///< the name of the switch or host
    PortId port{0};                             ///< the port; see DropRecorder
    std::optional<Priority> priority;           ///< the class; nothing if lost by a device
    DropReason reason{DropReason::BUFFER_FULL}; ///< the reason
    bool lossless{false};                       ///< whether the class is under flow control there
    bool isControl{false};                      ///< whether they are MAC control frames
    uint64_t frames{0};                         ///< the number of frames
    uint64_t bytes{0};                          ///< their bytes, without FCS
    Time first;                                 ///< the time of the first loss
    Time last;                                  ///< the time of the last loss

    /// @return whether flow control has failed because a frame of a class under flow control was
    /// lost due to a lack of buffer
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

/// Adds losses to the verdict, and reports a problem for each kind.
void JudgeDrops(const std::vector<DropRecord>& drops, RunVerdict& verdict);

/**
 * @ingroup lossless
 * Counts lost frames by place and reason, with separate records for MAC control frames.
 *
 * A switch loses a frame at its ingress queue, or at its egress queue if this is the cause (see
 * IsEgressLoss()). The class is determined by the switch. Losses by a device (corrupt frames, cut
 * cables and frames without a receiver) have no class.
 */
class DropRecorder : public Recorder
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Starts recording a switch or host and all of its current LosslessNetDevices.
    void Watch(const std::string& name, Ptr<Node> node);
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;
    void WatchHost(const std::string& name, Ptr<Node> node) override;

    /// @return one record per place, reason and kind, sorted by node, port, class (none is last)
    /// and reason, with control frames last
    std::vector<DropRecord> GetDrops() const;

    /// @return the contents of drops.csv
    ResultTable GetTable() const;

    std::vector<NamedTable> GetTables() const override;
    ResultFacts GetFacts() const override;
    void Judge(RunVerdict& verdict) const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// The port, Index(priority) or NUM_PRIORITIES for none, the reason, and DropRecord::isControl.
    using Place = std::tuple<PortId, std::size_t, DropReason, bool>;

    /// The losses of one node. The node's traces hold a reference.
    struct NodeLog : public SimpleRefCount<NodeLog>
    {
        void CountAtSwitch(const SwitchNode& node, const SwitchItem& item, DropReason reason);
        void CountAtDevice(PortId port, const Packet& packet, DropReason reason);

        /// Counts a frame. @return the frame's record
        DropRecord& Count(const Place& place, uint32_t bytes);

        /// @return the members, for record-archive.h
        auto Tie()
        {
            return std::tie(m_drops);
        }

        std::string m_name;                  ///< the name of the node
        uint32_t m_rank{0};                  ///< the rank of the node
        std::map<Place, DropRecord> m_drops; ///< the losses by place, reason and kind
    };

    std::vector<Ptr<NodeLog>> m_logs; ///< one log per node
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DROP_RECORDER_H */
