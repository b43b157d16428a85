// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PABO_FLOW_CONTROL_H
#define LOSSLESS_PABO_FLOW_CONTROL_H

#include "pabo-counters.h"

#include "ns3/flow-control.h"
#include "ns3/queue-size.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <unordered_map>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Packet bounce (PABO, Sec. II): a frame whose egress queue is full, or nearly so, is sent back to
 * the previous hop of its path, which forwards it again; no neighbour is stopped.
 *
 * Each egress queue is a normal sub-queue and a bounce sub-queue with strict priority for frames
 * that have been sent back before. Whether a frame goes back is drawn with GetBounceProbability()
 * from the fill of the sub-queue that it would join, not counting the frame on the wire. When the
 * way back is closed (bounce sub-queue full, link down), the frame goes forward if there is room;
 * otherwise it is lost and counted.
 *
 * The previous hop is learned: a switch sees the first frame of a flow on its way forward and
 * remembers its ingress port. Later frames update it unless they were sent back before. So all
 * frames of a flow must take one path, as with EcmpForwarding and TwoLevelForwarding. An entry
 * takes some 40 bytes per flow and switch, and is never removed. With "BackByRoute" nothing is
 * learned, and a frame goes back by the switch's route to its source, as in the authors' simulator;
 * with asymmetric routes, that differs from the path it came by.
 *
 * Applies to the lossless classes of the switch; frames of the others are never sent back, and are
 * lost when their normal sub-queue is full.
 */
class PaboFlowControl : public FlowControl
{
  public:
    /// @return the type
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

    /// Fill of a sub-queue of an egress queue, 0 to 1.
    /// @param bounced whether it is the bounce sub-queue
    double GetUtilization(QueueId queue, bool bounced) const;

    /// Signature of the trace source "Bounce".
    /// @param item a frame sent back by its egress port, this bounce counted
    /// @param congested the port that it should have taken
    typedef void (*BounceTracedCallback)(const SwitchItem& item, PortId congested);

    /// Signature of the trace source "Utilization".
    /// @param bounced whether it is the bounce sub-queue
    /// @param utilization its fill, which has just changed
    typedef void (*UtilizationTracedCallback)(QueueId queue, bool bounced, double utilization);

  protected:
    void DoDispose() override;

  private:
    struct Fill
    {
        uint32_t frames{0}; ///< number of frames
        uint64_t bytes{0};  ///< their size
    };

    static std::size_t GetIndex(QueueId queue, bool bounced);
    /// Capacity of the bounce or the normal sub-queues.
    const QueueSize& GetLimit(bool bounced) const;
    /// Whether a frame of `bytes` fits into a sub-queue.
    bool HasRoom(QueueId queue, bool bounced, uint32_t bytes) const;
    bool ShouldBounce(const SwitchItem& item, const PaboCounters& counters);
    /// Whether a frame is in a class that PABO protects from loss.
    bool IsProtected(const SwitchItem& item) const;
    /// Whether there is room on the way to a frame's previous hop.
    bool MayGoBack(const SwitchItem& item, PortId upstream) const;
    /// Returns the port by which a frame may go back.
    PortId FindUpstream(const SwitchItem& item, const PaboCounters& counters);
    /// Returns the port of a frame's previous hop, learned from the frame if possible.
    PortId LearnUpstream(const SwitchItem& item, const PaboCounters& counters);
    /// Counts a frame that comes or goes.
    /// @param frames 1 or -1
    void Count(const SwitchItem& item, int frames);

    bool m_backByRoute{false};                       ///< instead of by the previous hop
    double m_theta{0};                               ///< threshold of the utilization
    double m_lambda{0};                              ///< decay constant
    QueueSize m_normalLimit;                         ///< of each normal sub-queue
    QueueSize m_bounceLimit;                         ///< of each bounce sub-queue
    bool m_countersOnWire{false};                    ///< a trailer carries the counters
    Ptr<UniformRandomVariable> m_random;             ///< draws which frames are sent back
    std::vector<Fill> m_fill;                        ///< by GetIndex()
    std::unordered_map<uint64_t, PortId> m_upstream; ///< port of the previous hop, by flow hash

    TracedCallback<const SwitchItem&, PortId> m_bounceTrace; ///< fires when a frame is sent back
    TracedCallback<QueueId, bool, double>
        m_utilizationTrace; ///< fires when a sub-queue has changed
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PABO_FLOW_CONTROL_H */
