// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OFC_FLOW_CONTROL_H
#define LOSSLESS_OFC_FLOW_CONTROL_H

#include "ofc-gate.h"

#include "ns3/flow-control.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * OFC: single flows are stopped, those that cause a congestion (OFC, Sec. III).
 *
 * When a frame joins an egress queue of at least "CongestionXoff" bytes from an ingress queue of at
 * least as many, the neighbour of that ingress queue is to stop flows: if the next switch has
 * stopped flows at that egress, the same ones (the congestion lies farther on), else all that have
 * frames in that egress queue. From the XOFF of the buffer policy on, it is to stop all flows of
 * the class, those to come included. What it has been asked to stop adds up, and goes on all at
 * once when frames have left, the headroom is empty and the ingress queue has at most the policy's
 * XON.
 *
 * What a neighbour is told is the difference between what it was told last and what holds when the
 * wire is free: first that all stop, then that flows go on, then that further flows stop, in frames
 * of as many flows as the MTU allows.
 */
class OfcFlowControl : public FlowControl
{
  public:
    /// Entries of the three tables of a port, all classes together (OFC, Table II).
    struct TableSizes
    {
        std::size_t inPort{0};    ///< flows with frames in its egress queues (flow_in_port_tab)
        std::size_t congested{0}; ///< flows that its neighbour has stopped (congested_flow_tab)
        std::size_t asked{0};     ///< flows that its neighbour is asked to stop (pause_frame_tab)
    };

    /// @return the type
    static TypeId GetTypeId();

    /// @param port a port of the switch @return the gate by which it sends, the same each time
    Ptr<OfcGate> GetGate(PortId port);

    /// @param port a port @return what its tables hold now
    TableSizes GetTableSizes(PortId port) const;

    /**
     * A list of the next switch hides a congestion of this one from the neighbours (O11 in
     * doc/schemes.rst).
     * @return arrivals above the threshold at an egress where none of the flows in it was listed
     */
    uint64_t CountHiddenCongestions() const;

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    bool IsLossless() const override;
    void OnArrival(const SwitchItem& item) override;
    void OnEnqueue(const SwitchItem& item) override;
    void OnRelease(const SwitchItem& item, Ticks when) override;
    void OnLinkUp(PortId port) override;

  protected:
    void DoDispose() override;

  private:
    using Flows = OfcGate::Flows;

    /// What a neighbour is asked to stop, or was told to, of one class.
    struct Asked
    {
        bool all{false}; ///< all flows
        Flows flows;     ///< these ones, besides

        /// @return whether nothing is stopped
        bool IsEmpty() const
        {
            return !all && flows.empty();
        }
    };

    Ptr<Packet> DoMakeControl(PortId port) override;

    /// @param queue a lossless ingress queue @return whether it is as long as XOFF
    bool IsFull(QueueId queue) const;
    /// Asks the neighbour to stop all flows. @param queue an ingress queue
    void AskForAll(QueueId queue);
    /// Asks the neighbour to stop flows. @param queue an ingress queue @param flow hash of a flow
    void AskFor(QueueId queue, uint64_t flow);
    /// Lets all flows of a neighbour go on. @param queue an ingress queue
    void LetGo(QueueId queue);
    /// A frame has made an egress queue long: asks its neighbour to stop those who cause that.
    /// @param ingress queue of the frame @param egress queue of the frame
    void StopCulprits(QueueId ingress, QueueId egress);

    /// @param queue an ingress queue of which its neighbour must be told something
    /// @return the frame that does; null: nothing
    Ptr<Packet> MakeNews(QueueId queue);
    /// @param queue an ingress queue @param from flows @param without others
    /// @param stop whether those of the first that are not among the others stop, or go on
    /// @return a frame that tells as many of them as it can; null: there are none
    Ptr<Packet> MakeList(QueueId queue, const Flows& from, const Flows& without, bool stop);

    uint64_t m_congestionXoff{0};                             ///< XOFFc, bytes
    std::vector<Ptr<OfcGate>> m_gates;                        ///< by port
    std::vector<std::unordered_map<uint64_t, uint32_t>> m_in; ///< frames of flows, by egress queue
    std::vector<Asked> m_asked;                               ///< by ingress queue
    std::vector<Asked> m_told;                                ///< of that, what was told
    uint64_t m_hidden{0};                                     ///< see CountHiddenCongestions()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OFC_FLOW_CONTROL_H */
