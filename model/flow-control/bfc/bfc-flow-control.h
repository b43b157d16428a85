// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BFC_FLOW_CONTROL_H
#define LOSSLESS_BFC_FLOW_CONTROL_H

#include "bfc-egress-queue.h"
#include "bfc-filter.h"
#include "bfc-gate.h"

#include "ns3/pfc-flow-control.h"
#include "ns3/sih-buffer-policy.h"
#include "ns3/switch-node.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Backpressure flow control (BFC): each hop stops individual flows whose queue is longer than
 * needed to keep the wire busy.
 *
 * This class follows Goyal et al., Backpressure Flow Control (arXiv 1909.09923), with constants
 * from summaries of the paper, because the paper's full text was not available (see
 * doc/schemes.rst).
 *
 * Each flow is assigned to a physical queue of its egress queue (BfcFlowTable). If a frame makes
 * the physical queue longer than
 *
 *     (HRTT + T) C / N
 *
 * the neighbour must stop the flow. HRTT is the round-trip time of the ingress link, T is the
 * period of the filters sent on this link, and C is the rate of the egress port. N is the number of
 * the class's physical queues at this port whose first frame can be sent. Once the queue length is
 * no longer above this threshold, stopped flows resume in the order in which they were stopped. At
 * most "ResumesPerHopRtt" flows of a queue resume per HRTT, because each resumed flow can add
 * frames before it is stopped again.
 *
 * A Bloom filter informs the neighbour of the flows to stop. Filters are sent at multiples of T
 * while any flow is stopped. Afterwards, a few more filters are sent in case one of them is lost.
 * If the link rate drops during the run, filters are at least half an HRTT (at the current rate)
 * apart, so that they do not fill the link.
 *
 * PFC with the thresholds of the buffer policy prevents the loss of frames that arrive before a
 * flow stops, regardless of the number of flows. The trace source "FlowState" reports a virtual
 * flow once for each ingress queue, even if several egress queues stop it.
 */
class BfcFlowControl : public PfcFlowControl
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    BfcFlowControl();

    /// Returns the gate of a port; valid after Configure().
    Ptr<BfcGate> GetGate(PortId port) const
    {
        return m_gates[Index(port)];
    }

    /// Returns an egress queue as a BfcEgressQueue; valid after Configure().
    Ptr<BfcEgressQueue> GetQueue(QueueId queue) const
    {
        return m_queues[Index(queue)];
    }

    /// Returns the HRTT of a port's link; valid after Configure().
    Time GetHopRtt(PortId port) const
    {
        return m_hops[Index(port)].rtt;
    }

    /// Returns the threshold, in bytes, of a flow's physical queue. If the queue is longer, the
    /// flow is stopped.
    /// @param active the number of physical queues whose first frame can be sent; see
    /// BfcEgressQueue::CountActive()
    uint64_t GetThreshold(PortId ingress, PortId egress, uint32_t active) const;

    /// Returns the flows that the neighbour must stop; valid after Configure().
    const BfcCountingFilter& GetStoppedFlows(PortId port) const
    {
        return m_hops[Index(port)].stopped;
    }

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    Ptr<TransmitGate> CreateGate(PortId port, const LosslessNetDevice& device) override;
    Ptr<TransmitGate> CreateHostGate(const LosslessNetDevice& device) const override;
    Ptr<EgressQueue> CreateEgressQueue(QueueId queue) override;
    void OnEnqueue(const SwitchItem& item) override;
    void OnRelease(const SwitchItem& item, Ticks when) override;
    void OnRefusal(const SwitchItem& item) override;
    void OnLinkUp(PortId port) override;
    /// Returns the virtual flow of a frame.
    uint64_t GetFlowOf(const Frame& frame) const override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;

  private:
    /// The state of a port (in its role as an ingress port) and of its link.
    struct Hop
    {
        Time rtt;                      ///< the HRTT of the link
        Time period;                   ///< T, the period of the filters
        BfcCountingFilter stopped;     ///< the flows that the neighbour must stop
        EventId timer{};               ///< the pending event that calls SendFilter()
        uint32_t repeats{0};           ///< the number of empty filters still to be sent
        bool isDue{false};             ///< whether to send a filter as soon as the wire is free
        std::optional<Ticks> latest{}; ///< the time at which the latest filter was created

        /// Returns whether more filters must be sent.
        bool HasNews() const
        {
            return repeats > 0 || stopped.GetSize() > 0;
        }
    };

    Ptr<Packet> DoMakeControl(PortId port) override;

    /// Computes the HRTT of a link. Used if "HopRtt" is 0.
    Time ComputeHopRtt(const PortLink& link) const;
    /// Returns the minimum time between filters that is enforced in addition to their period.
    Time FindSpacing(PortId port) const;
    /// Returns an error message if a filter exceeds the MTU of a port's link or if the filters
    /// exceed the capacity of the link.
    std::optional<std::string> CheckFilter(std::size_t port,
                                           const PortLink& link,
                                           Time rtt,
                                           Time period) const;

    /// Returns the queue length, in bytes, above which a flow is stopped.
    /// @param coming a frame about to join the queue, or null
    uint64_t FindThreshold(QueueId queue, PortId ingress, const SwitchItem* coming) const;
    void Stop(QueueId egress, BfcFlow& flow);
    void Resume(QueueId egress, BfcFlow& flow);
    /// If a physical queue is short enough, resumes its first stopped flow as soon as this is due,
    /// and schedules the next attempt if flows remain stopped.
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
    BfcHashing m_hashing;                      ///< the hashing, which maps flows to filter bits
    Ptr<UniformRandomVariable> m_random;       ///< the random variable that selects physical queues
    std::vector<Hop> m_hops;                   ///< the state of each port, indexed by port
    std::vector<Ptr<BfcGate>> m_gates;         ///< the gates, indexed by port
    std::vector<Ptr<BfcEgressQueue>> m_queues; ///< the egress queues, indexed by QueueId
    /// For each ingress queue and virtual flow, the number of egress queues that stop the flow.
    std::vector<std::map<uint32_t, uint32_t>> m_for;
};

/// @ingroup lossless
/// A BFC switch. It combines BfcFlowControl, dynamic thresholds (SihBufferPolicy by default) and
/// physical queues. The gates at the switch and at its hosts distinguish flows.
class BfcSwitchNode : public SwitchOf<SihBufferPolicy, BfcFlowControl>
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BFC_FLOW_CONTROL_H */
