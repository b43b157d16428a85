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
 * the previous hop of its path, which forwards it again; nobody is told to stop.
 *
 * Each egress queue is a normal sub-queue and a bounce sub-queue with strict priority for frames
 * that have been sent back before. Whether a frame goes back is drawn with GetBounceProbability()
 * from the fill of the sub-queue that it would enter; the frame on the wire is in neither. When the
 * way back is closed (bounce sub-queue full, link down), the frame goes forward if there is room,
 * and is lost and counted if there is none.
 *
 * The previous hop is learned: a switch sees the first frame of a flow on its way forward, and
 * remembers by which port it came. Later frames teach the same way unless they were sent back
 * before. So all frames of a flow must take one path, which EcmpForwarding and TwoLevelForwarding
 * see to. An entry costs some 40 bytes per flow and switch, and stays. With "BackByRoute" nothing
 * is learned, and a frame goes back by the switch's route to its source, as in the authors'
 * simulator: with routes that are not symmetric, by another way than that by which it came.
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

    /**
     * @param queue an egress queue
     * @param bounced which of its sub-queues
     * @return fill of the sub-queue, 0 to 1
     */
    double GetUtilization(QueueId queue, bool bounced) const;

    /**
     * Signature of the trace source "Bounce".
     * @param item a frame which is sent back by its egress port, the bounce counted
     * @param congested the port which it should have taken
     */
    typedef void (*BounceTracedCallback)(const SwitchItem& item, PortId congested);

    /**
     * Signature of the trace source "Utilization".
     * @param queue an egress queue
     * @param bounced which of its sub-queues
     * @param utilization its fill, which has just changed
     */
    typedef void (*UtilizationTracedCallback)(QueueId queue, bool bounced, double utilization);

  protected:
    void DoDispose() override;

  private:
    /// What waits in one sub-queue.
    struct Fill
    {
        uint32_t frames{0}; ///< number of frames
        uint64_t bytes{0};  ///< their bytes
    };

    /// @param queue an egress queue @param bounced which sub-queue @return its index in m_fill
    static std::size_t GetIndex(QueueId queue, bool bounced);
    /// @param bounced which sub-queues @return their capacity
    const QueueSize& GetLimit(bool bounced) const;
    /// @param queue an egress queue @param bounced which sub-queue @param bytes size of a frame
    /// @return whether the frame fits
    bool HasRoom(QueueId queue, bool bounced, uint32_t bytes) const;
    /// @param item a routed frame @param counters its counters @return whether it is sent back
    bool ShouldBounce(const SwitchItem& item, const PaboCounters& counters);
    /// @param item a frame @return whether it is in a class that PABO keeps from being lost
    bool IsProtected(const SwitchItem& item) const;
    /// @param item a frame @param upstream its previous hop @return whether that way has room
    bool MayGoBack(const SwitchItem& item, PortId upstream) const;
    /// @param item a frame @param counters its counters @return the port by which it may go back
    PortId FindUpstream(const SwitchItem& item, const PaboCounters& counters);
    /// @param item a frame @param counters its counters @return the port of its previous hop
    PortId LearnUpstream(const SwitchItem& item, const PaboCounters& counters);
    /// A frame comes or goes. @param item the frame @param frames 1 or -1
    void Count(const SwitchItem& item, int frames);

    bool m_backByRoute{false};                       ///< rather than by the previous hop
    double m_theta{0};                               ///< threshold of the utilization
    double m_lambda{0};                              ///< decay constant
    QueueSize m_normalLimit;                         ///< of each normal sub-queue
    QueueSize m_bounceLimit;                         ///< of each bounce sub-queue
    bool m_countersOnWire{false};                    ///< a trailer carries the counters
    Ptr<UniformRandomVariable> m_random;             ///< draws who is sent back
    std::vector<Fill> m_fill;                        ///< by GetIndex()
    std::unordered_map<uint64_t, PortId> m_upstream; ///< port of the previous hop, by flow hash

    TracedCallback<const SwitchItem&, PortId> m_bounceTrace;  ///< sent back
    TracedCallback<QueueId, bool, double> m_utilizationTrace; ///< a sub-queue changed
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PABO_FLOW_CONTROL_H */
