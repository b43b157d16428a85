// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BFC_FLOW_CONTROL_H
#define LOSSLESS_BFC_FLOW_CONTROL_H

#include "bfc-egress-queue.h"
#include "bfc-filter.h"
#include "bfc-gate.h"

#include "ns3/pfc-flow-control.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Backpressure flow control (BFC): each hop stops single flows whose queue is longer than what the
 * hop needs to keep the wire busy.
 *
 * After Goyal et al., Backpressure Flow Control (arXiv 1909.09923), with the constants that
 * summaries of it state: the text was not at hand, see doc/schemes.rst.
 *
 * A flow has a physical queue of its egress queue (BfcFlowTable). When a frame of it makes that
 * queue longer than
 *
 *     (HRTT + T) C / N
 *
 * the neighbour is to stop the flow: HRTT is the round trip of the link by which the frame came, T
 * the period of its filters, C the rate of the egress port, and N the number of physical queues
 * there whose first frame may leave. A stopped flow goes on, the first first, when its queue is not
 * longer than that, and no more than "ResumesPerHopRtt" flows of a queue in an HRTT, since each
 * brings what its neighbour sends until the next stop.
 *
 * A neighbour is told in a Bloom filter which flows are to stop, at multiples of T as long as any
 * is, and a few times more in case such a frame is lost. On a link that has become slower they are
 * half an HRTT of its present rate apart, or they would take the wire from everything else.
 *
 * PFC is underneath, with the thresholds of the buffer policy, for what comes before a flow has
 * stopped: nothing is lost, however many flows there are. The trace "FlowState" has the virtual
 * flow in place of the hash of a flow's key, once for each ingress queue.
 */
class BfcFlowControl : public PfcFlowControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    BfcFlowControl();

    /// @param port a port, after Configure() @return the gate by which it sends
    Ptr<BfcGate> GetGate(PortId port) const;
    /// @param queue an egress queue, after Configure() @return its structure
    Ptr<BfcEgressQueue> GetQueue(QueueId queue) const;

    /// @param port a port, after Configure() @return HRTT of its link
    Time GetHopRtt(PortId port) const;

    /**
     * @param ingress port by which a flow comes
     * @param egress port by which it leaves
     * @param active physical queues there whose first frame may leave
     * @return length of its physical queue above which it is stopped, bytes
     */
    uint64_t GetThreshold(PortId ingress, PortId egress, uint32_t active) const;

    /// @param port a port, after Configure() @return the flows that its neighbour is to stop
    const BfcCountingFilter& GetStoppedFlows(PortId port) const;

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    Ptr<TransmitGate> CreateGate(PortId port, const LosslessNetDevice& device) override;
    Ptr<TransmitGate> CreateHostGate(const LosslessNetDevice& device) const override;
    Ptr<EgressQueue> CreateEgressQueue(QueueId queue) override;
    void OnEnqueue(const SwitchItem& item) override;
    void OnRelease(const SwitchItem& item, Ticks when) override;
    void OnRefusal(const SwitchItem& item) override;
    void OnLinkUp(PortId port) override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;

  private:
    /// A port as an ingress, and its link.
    struct Hop
    {
        Time rtt;                      ///< HRTT
        Time period;                   ///< T
        BfcCountingFilter stopped;     ///< flows that the neighbour is to stop
        EventId timer{};               ///< pending: SendFilter()
        uint32_t repeats{0};           ///< filters without flows that the neighbour is to get yet
        bool isDue{false};             ///< a filter is to be sent as soon as the wire is free
        std::optional<Ticks> latest{}; ///< when the latest filter was made

        /// @return whether filters go on
        bool HasNews() const
        {
            return repeats > 0 || stopped.GetSize() > 0;
        }
    };

    Ptr<Packet> DoMakeControl(PortId port) override;

    /// @param link of a port @return its HRTT, if "HopRtt" is 0
    Time ComputeHopRtt(const PortLink& link) const;
    /// @param port a port @return least time from one filter to the next, beside their period
    Time FindSpacing(PortId port) const;
    /// @param port index of a port @param link its link @param rtt its HRTT
    /// @param period of its filters @return a sentence if its filters have no room on it
    std::optional<std::string> CheckFilter(std::size_t port,
                                           const PortLink& link,
                                           Time rtt,
                                           Time period) const;

    /// @param queue an egress queue @param ingress port of a flow in it @param coming a frame that
    /// is about to join it; null: none @return the length above which the flow is stopped, bytes
    uint64_t FindThreshold(QueueId queue, PortId ingress, const SwitchItem* coming) const;
    /// A flow is to stop. @param egress queue in which it is @param flow it
    void Stop(QueueId egress, BfcFlow& flow);
    /// It is to go on. @param egress queue in which it is @param flow it
    void Resume(QueueId egress, BfcFlow& flow);
    /// Lets the first stopped flow of a physical queue go on, if it may, and sees to the next.
    /// @param egress queue @param index of the physical queue
    void TryResume(QueueId egress, std::size_t index);
    /// It is time for a filter. @param port by which it is to be sent
    void SendFilter(PortId port);
    /// Waits for the next multiple of its period. @param port by which a filter is to be sent then
    void AwaitFilter(PortId port);

    uint32_t m_numQueues{0};                         ///< see "PhysicalQueues"
    uint32_t m_virtualFlows{0};                      ///< see "VirtualFlows"
    uint32_t m_filterBytes{0};                       ///< see "FilterBytes"
    uint32_t m_hashes{0};                            ///< see "FilterHashes"
    uint32_t m_tableEntries{0};                      ///< see "TableEntries"
    uint32_t m_stickyHops{0};                        ///< see "StickyHopRtts"
    uint32_t m_resumes{0};                           ///< see "ResumesPerHopRtt"
    Time m_hopRtt;                                   ///< see "HopRtt"
    Time m_filterPeriod;                             ///< see "FilterPeriod"
    BfcHashing m_hashing;                            ///< what these three say
    Ptr<UniformRandomVariable> m_random;             ///< chooses among queues
    std::vector<Hop> m_hops;                         ///< by port
    std::vector<Ptr<BfcGate>> m_gates;               ///< by port
    std::vector<Ptr<BfcEgressQueue>> m_queues;       ///< by egress queue
    std::vector<std::map<uint32_t, uint32_t>> m_for; ///< by ingress queue: the virtual flows that
                                                     ///< are stopped, by so many egress queues
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BFC_FLOW_CONTROL_H */
