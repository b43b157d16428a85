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
 * Backpressure flow control (BFC): each hop stops individual flows whose queue is longer than the
 * hop needs to keep the wire busy.
 *
 * After Goyal et al., Backpressure Flow Control (arXiv 1909.09923), with constants from summaries
 * of the paper: its text was not available, see doc/schemes.rst.
 *
 * A flow has a physical queue in its egress queue (BfcFlowTable). If a frame makes it longer than
 *
 *     (HRTT + T) C / N
 *
 * the neighbour must stop the flow. HRTT is the round trip of the ingress link, T the period of its
 * filters, C the rate of the egress port, and N the number of physical queues there whose first
 * frame may leave. Stopped flows resume in order once their queue is no longer than that; at most
 * "ResumesPerHopRtt" flows of a queue in an HRTT, since each brings more until the next stop.
 *
 * A Bloom filter tells the neighbour which flows to stop. Filters are sent at multiples of T as
 * long as a flow is stopped, and a few times more in case one is lost. On a link that has become
 * slower they are half an HRTT at its present rate apart, lest they take up the whole link.
 *
 * PFC runs underneath, with the thresholds of the buffer policy, to absorb what arrives before a
 * flow has stopped: nothing is lost, however many flows there are. The trace "FlowState" carries
 * the virtual flow instead of the hash of a flow's key, and fires once for each ingress queue.
 */
class BfcFlowControl : public PfcFlowControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    BfcFlowControl();

    /// Returns the gate of a port; valid after Configure().
    Ptr<BfcGate> GetGate(PortId port) const;
    /// Returns the structure of an egress queue; valid after Configure().
    Ptr<BfcEgressQueue> GetQueue(QueueId queue) const;

    /// Returns HRTT of a port's link; valid after Configure().
    Time GetHopRtt(PortId port) const;

    /// Returns the length of a flow's physical queue above which it is stopped, bytes.
    /// @param active physical queues of the egress port whose first frame may leave
    uint64_t GetThreshold(PortId ingress, PortId egress, uint32_t active) const;

    /// Returns the flows that the neighbour must stop; valid after Configure().
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
        BfcCountingFilter stopped;     ///< flows that the neighbour must stop
        EventId timer{};               ///< pending: SendFilter()
        uint32_t repeats{0};           ///< filters without flows still to be sent
        bool isDue{false};             ///< send a filter as soon as the wire is free
        std::optional<Ticks> latest{}; ///< when the latest filter was made

        /// Whether more filters must be sent.
        bool HasNews() const
        {
            return repeats > 0 || stopped.GetSize() > 0;
        }
    };

    Ptr<Packet> DoMakeControl(PortId port) override;

    /// Computes HRTT of a link, for "HopRtt" = 0.
    Time ComputeHopRtt(const PortLink& link) const;
    /// Minimum time between filters, apart from their period.
    Time FindSpacing(PortId port) const;
    /// Returns an error message if the filters of a port do not fit on its link.
    std::optional<std::string> CheckFilter(std::size_t port,
                                           const PortLink& link,
                                           Time rtt,
                                           Time period) const;

    /// Returns the length above which a flow is stopped, bytes.
    /// @param coming a frame about to join the queue; null: none
    uint64_t FindThreshold(QueueId queue, PortId ingress, const SwitchItem* coming) const;
    void Stop(QueueId egress, BfcFlow& flow);
    void Resume(QueueId egress, BfcFlow& flow);
    /// Resumes the first stopped flow of a physical queue if allowed, and schedules the next.
    void TryResume(QueueId egress, std::size_t index);
    void SendFilter(PortId port);
    /// Schedules a filter for the next multiple of the period.
    void AwaitFilter(PortId port);

    uint32_t m_numQueues{0};                   ///< see "PhysicalQueues"
    uint32_t m_virtualFlows{0};                ///< see "VirtualFlows"
    uint32_t m_filterBytes{0};                 ///< see "FilterBytes"
    uint32_t m_hashes{0};                      ///< see "FilterHashes"
    uint32_t m_tableEntries{0};                ///< see "TableEntries"
    uint32_t m_stickyHops{0};                  ///< see "StickyHopRtts"
    uint32_t m_resumes{0};                     ///< see "ResumesPerHopRtt"
    Time m_hopRtt;                             ///< see "HopRtt"
    Time m_filterPeriod;                       ///< see "FilterPeriod"
    BfcHashing m_hashing;                      ///< of flows into filters
    Ptr<UniformRandomVariable> m_random;       ///< chooses among queues
    std::vector<Hop> m_hops;                   ///< by port
    std::vector<Ptr<BfcGate>> m_gates;         ///< by port
    std::vector<Ptr<BfcEgressQueue>> m_queues; ///< by egress queue
    std::vector<std::map<uint32_t, uint32_t>>
        m_for; ///< by ingress queue: stopped virtual flows, and how many egress queues stop each
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BFC_FLOW_CONTROL_H */
