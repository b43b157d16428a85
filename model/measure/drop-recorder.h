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

/// The frames of one kind lost at one place for one reason.
struct DropRecord
{
    std::string node;                           ///< name of the switch or host
    PortId port{0};                             ///< port, see DropRecorder
    std::optional<Priority> priority;           ///< class; nothing: lost by a device
    DropReason reason{DropReason::BUFFER_FULL}; ///< why
    bool lossless{false};                       ///< the class is under flow control there
    bool isControl{false};                      ///< they are MAC control frames, as PAUSEs
    uint64_t frames{0};                         ///< number of frames
    uint64_t bytes{0};                          ///< their bytes, without FCS
    Time first;                                 ///< when the first was lost
    Time last;                                  ///< when the last was lost

    /// @return whether flow control has failed here: a loss for want of buffer in a class under it
    bool IsViolation() const
    {
        return lossless && IsCongestionLoss(reason);
    }

    /// @return what is told to other ranks, see record-archive.h
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

/**
 * @ingroup lossless
 * Counts lost frames by place and reason, MAC control frames apart from all others.
 *
 * A switch loses a frame at its ingress queue, or at its egress queue when that is the reason (see
 * IsEgressLoss()); the class is that of the switch's map. A device (corrupt
 * frames, cut cables, frames for nobody) does not know classes.
 */
class DropRecorder : public Recorder
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /**
     * Follows a switch or host and all LosslessNetDevices that it has by now.
     * @param name name of the node
     * @param node the node
     */
    void Watch(const std::string& name, Ptr<Node> node);
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;
    void WatchHost(const std::string& name, Ptr<Node> node) override;

    /// @return one record per place, reason and kind: nodes in the order in which they were given,
    /// then by port, class (none behind all others), reason, and control frames behind all others
    std::vector<DropRecord> GetDrops() const;

    /// @return GetDrops() as drops.csv shows it
    ResultTable GetTable() const;

    std::vector<NamedTable> GetTables() const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    /// Port, Index(priority) or NUM_PRIORITIES for none, reason, and DropRecord::isControl.
    using Place = std::tuple<PortId, std::size_t, DropReason, bool>;

    /// What one node has lost; kept alive by the node, so that a recorder may go first.
    struct NodeLog : public SimpleRefCount<NodeLog>
    {
        /// @param node the node @param item a frame that it has lost @param reason why
        void CountAtSwitch(const SwitchNode& node, const SwitchItem& item, DropReason reason);
        /// @param port of a device @param packet a frame that it has lost @param reason why
        void CountAtDevice(PortId port, const Packet& packet, DropReason reason);

        /// @param place where and why @param bytes size of the frame @return its record
        DropRecord& Count(const Place& place, uint32_t bytes);

        /// @return what is told to other ranks, see record-archive.h
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
