// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PABO_FLOW_CONTROL_H
#define LOSSLESS_PABO_FLOW_CONTROL_H

#include "pabo-counters.h"

#include "ns3/flow-control.h"
#include "ns3/queue-size.h"
#include "ns3/random-variable-stream.h"
#include "ns3/switch-node.h"
#include "ns3/traced-callback.h"
#include "ns3/unlimited-buffer-policy.h"

#include <unordered_map>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Packet bounce (PABO, Sec. II): if the egress queue of a frame is full or almost full, the frame
 * is sent back to the previous hop of its path, which forwards it again. No neighbour is stopped.
 *
 * Each egress queue consists of a normal sub-queue and a bounce sub-queue. The bounce sub-queue has
 * strict priority and holds frames that have been sent back at least once. A frame is sent back
 * with the probability GetBounceProbability(), which depends on the utilization of the sub-queue
 * that the frame would join, excluding the frame on the wire. If the return path is blocked
 * (because the bounce sub-queue is full or the link is down), the frame is forwarded if there is
 * room; otherwise, it is lost and counted.
 *
 * The previous hop is learned from traffic: a switch records the ingress port of the first frame of
 * a flow. Later frames update this record unless they have been sent back before. All frames of a
 * flow must therefore take the same path, as with EcmpForwarding and TwoLevelForwarding. Each
 * switch has an entry of about 40 bytes for each flow, and entries are never removed. If
 * "BackByRoute" is set, ports are not learned, and frames are sent back along the switch's route to
 * the source, as in the authors' simulator. If routes are asymmetric, this route differs from the
 * path taken by the frame.
 *
 * PABO applies to the lossless classes of the switch. Frames of other classes are never sent back;
 * they are lost if their normal sub-queue is full.
 */
class PaboFlowControl : public FlowControl
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    PaboFlowControl();

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    void PrepareHost(Ptr<LosslessNetDevice> device) const override;
    Ptr<EgressQueue> CreateEgressQueue(QueueId queue) override;
    bool IsLossless() const override;
    std::optional<DropReason> Redirect(SwitchItem& item) override;
    void OnEnqueue(const SwitchItem& item) override;
    void OnDequeue(SwitchItem& item) override;
    void OnDiscard(const SwitchItem& item) override;
    int64_t AssignStreams(int64_t stream) override;

    /// Returns the utilization of an egress queue's sub-queue, 0 to 1.
    /// @param bounced true for the bounce sub-queue, false for the normal one
    double GetUtilization(QueueId queue, bool bounced) const;

    /// The signature of the trace source "Bounce".
    /// @param item the frame, whose egress port is the port through which it is sent back and whose
    /// counters include this bounce
    /// @param congested the port through which the frame would otherwise have left
    typedef void (*BounceTracedCallback)(const SwitchItem& item, PortId congested);

    /// The signature of the trace source "Utilization".
    /// @param bounced whether the sub-queue is the bounce sub-queue
    /// @param utilization the new utilization
    typedef void (*UtilizationTracedCallback)(QueueId queue, bool bounced, double utilization);

  private:
    struct Fill
    {
        uint32_t frames{0}; ///< the number of frames
        uint64_t bytes{0};  ///< the total size of the frames
    };

    static std::size_t GetIndex(QueueId queue, bool bounced);
    /// Returns the capacity of the bounce or the normal sub-queues.
    const QueueSize& GetLimit(bool bounced) const;
    /// Returns whether a frame of `bytes` bytes fits into a sub-queue.
    bool HasRoom(QueueId queue, bool bounced, uint32_t bytes) const;
    /// Returns whether the remaining room of a sub-queue is reserved, so that the sub-queue counts
    /// as full.
    bool IsReserved(QueueId queue, bool bounced) const;
    bool ShouldBounce(const SwitchItem& item, const PaboCounters& counters);
    /// Returns whether PABO protects the class of a frame from loss.
    bool IsProtected(const SwitchItem& item) const;
    /// Returns whether the link to the previous hop is up and there is room for a frame.
    bool MayGoBack(const SwitchItem& item, PortId upstream) const;
    /// Returns the port through which a frame can be sent back.
    PortId FindUpstream(const SwitchItem& item, const PaboCounters& counters);
    /// Returns the port towards the previous hop of a frame. The port is learned from the frame if
    /// possible.
    PortId LearnUpstream(const SwitchItem& item, const PaboCounters& counters);
    /// Counts a frame that has been added or removed.
    /// @param frames 1 for a frame that has been added, -1 for a frame that has been removed
    void Count(const SwitchItem& item, int frames);

    /// Whether frames are sent back along the route to their source instead of to the previous hop.
    bool m_backByRoute{false};
    double m_theta{0};                   ///< the utilization threshold
    double m_lambda{0};                  ///< the decay constant
    QueueSize m_normalLimit;             ///< the limit on each normal sub-queue
    QueueSize m_bounceLimit;             ///< the limit on each bounce sub-queue
    uint32_t m_reserve{0};               ///< the room, in packets, below which a sub-queue is
                                         ///< considered full
    Ptr<UniformRandomVariable> m_random; ///< the random variable that decides which frames are sent
                                         ///< back
    std::vector<Fill> m_fill;            ///< the sub-queues, indexed by GetIndex()
    std::unordered_map<uint64_t, PortId> m_upstream; ///< the port of the previous hop, keyed by
                                                     ///< flow hash

    TracedCallback<const SwitchItem&, PortId> m_bounceTrace; ///< fired when a frame is sent back
    /// Fired when the utilization of a sub-queue has changed.
    TracedCallback<QueueId, bool, double> m_utilizationTrace;
};

/// @ingroup lossless
/// A switch that sends frames back to their previous hop instead of dropping them (Shi et al.,
/// PABO). The memory is divided only by limits on the queues. Each egress queue has a sub-queue for
/// frames that have been sent back, and each host has a PaboHost.
class PaboSwitchNode : public SwitchOf<UnlimitedBufferPolicy, PaboFlowControl>
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PABO_FLOW_CONTROL_H */
