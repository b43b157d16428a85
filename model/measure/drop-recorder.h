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
    PortId port{0};                             ///< the port; see DropRecorder for the place of a
                                                ///< loss
    std::optional<Priority> priority;           ///< the class; unset if a device lost the frames
    DropReason reason{DropReason::BUFFER_FULL}; ///< the reason
    bool lossless{false};                       ///< whether the class is under flow control at this
                                                ///< place
    bool isControl{false};                      ///< whether the frames are MAC control frames
    uint64_t frames{0};                         ///< the number of frames
    uint64_t bytes{0}; ///< the total size of the frames without FCS, in bytes
    Time first;        ///< the time of the first loss
    Time last;         ///< the time of the last loss

    /// @return whether flow control has failed, that is, whether frames of a class under flow
    /// control were lost due to a lack of buffer space
    bool IsViolation() const
    {
        return lossless && IsCongestionLoss(reason);
    }

    /// @return references to all members; see record-archive.h
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

/// Adds losses to the verdict. Reports a problem for each kind of loss.
void JudgeDrops(const std::vector<DropRecord>& drops, RunVerdict& verdict);

/**
 * @ingroup lossless
 * Counts lost frames by place and reason, with separate records for MAC control frames.
 *
 * If a switch loses a frame, the place is the frame's ingress queue or, if the loss is due to the
 * egress queue (see IsEgressLoss()), the egress queue. The record contains the class that the
 * switch assigned to the frame. Losses at a device (due to corruption, a cut cable or a missing
 * receiver) have no class.
 */
class DropRecorder : public Recorder
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Starts recording a switch or host and all of its current LosslessNetDevices.
    void Watch(const std::string& name, Ptr<Node> node);
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;
    void WatchHost(const std::string& name, Ptr<Node> node) override;

    /// @return one record per place, reason and kind, sorted by node (in the order of the Watch
    /// calls), port, class (records without a class last), reason and kind (control frames last)
    std::vector<DropRecord> GetDrops() const;

    /// @return the contents of drops.csv
    ResultTable GetTable() const;

    std::vector<NamedTable> GetTables() const override;
    ResultFacts GetFacts() const override;
    void Judge(RunVerdict& verdict) const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// The key of a record: the port, the class as Index(priority) (NUM_PRIORITIES if there is no
    /// class), the reason, and DropRecord::isControl.
    using Place = std::tuple<PortId, std::size_t, DropReason, bool>;

    /// The losses of one node. The node's traces hold a reference to this object.
    struct NodeLog : public SimpleRefCount<NodeLog>
    {
        void CountAtSwitch(const SwitchNode& node, const SwitchItem& item, DropReason reason);
        void CountAtDevice(PortId port, const Packet& packet, DropReason reason);

        /// Counts a frame.
        /// @return the frame's record
        DropRecord& Count(const Place& place, uint32_t bytes);

        /// @return references to all members; see record-archive.h
        auto Tie()
        {
            return std::tie(m_drops);
        }

        std::string m_name;                  ///< the name of the node
        uint32_t m_rank{0};                  ///< the rank of the node
        std::map<Place, DropRecord> m_drops; ///< the losses, keyed by place, reason and kind
    };

    std::vector<Ptr<NodeLog>> m_logs; ///< one log per node
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DROP_RECORDER_H */
