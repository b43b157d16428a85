// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OFC_FLOW_CONTROL_H
#define LOSSLESS_OFC_FLOW_CONTROL_H

#include "ofc-gate.h"

#include "ns3/threshold-flow-control.h"

#include <map>
#include <set>
#include <unordered_map>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * OFC: single flows are stopped, those that cause a congestion (OFC, Sec. III).
 *
 * When a frame joins an egress queue of at least XOFFc bytes from an ingress queue of at least as
 * many, the neighbour of that ingress queue is to stop flows: if the next switch has stopped single
 * flows at that egress, the same ones (the congestion lies farther on), else all that have frames
 * in that egress queue; where the next switch has stopped all flows, both. From the XOFF of the
 * buffer policy on, it is to stop all flows of the class, those to come included; a policy with
 * thresholds for whole ports (DSH) has all classes of the port stopped by these. What a neighbour
 * has been asked to stop adds up, and goes on all at once when frames have left, the headroom is
 * empty and the ingress queue has at most XON.
 *
 * XON < XOFFc < XOFF (Sec. III-C) holds at any time, also where XOFF moves: XOFFc is the share
 * "CongestionShare" of XOFF (alpha of the paper), unless "CongestionXoff" sets bytes, which only
 * goes with thresholds that leave room for them; and where the policy's XON is not below XOFFc,
 * flows go on at the share "ResumeShare" of XOFF instead.
 *
 * What a neighbour is told is the difference between what it was told last and what holds when the
 * wire is free: first that the port or all flows stop, then that flows go on, then that further
 * flows stop, in frames of as many flows as the MTU allows, and last that the port goes on.
 *
 * The tables have no limit, where those of a switch are of the size of its hash tables. An egress
 * queue has at most as many flows in it as frames. The tables of stopped flows can grow to the
 * flows of the network, since lists of the next switch are relayed, whether their flows pass here
 * or not; GetTableSizes() tells how long they are.
 */
class OfcFlowControl : public ThresholdFlowControl
{
  public:
    /// Entries of the three tables of a port, all classes together (OFC, Table II).
    struct TableSizes
    {
        std::size_t inPort{0};    ///< flows with frames in its egress queues (flow_in_port_tab)
        std::size_t congested{0}; ///< flows that its neighbour has stopped (congested_flow_tab)
        std::size_t asked{0};     ///< flows that its neighbour is asked to stop (pause_frame_tab)
    };

    /// Levels of an ingress queue, bytes.
    struct Levels
    {
        uint64_t xoff{0};          ///< from which on all flows are stopped
        uint64_t congestion{0};    ///< XOFFc, from which on single flows are
        uint64_t xon{0};           ///< down to which none goes on
        bool headroomInUse{false}; ///< all flows are stopped, whatever its length is
    };

    /// @return the type
    static TypeId GetTypeId();

    /// @param port a port, after Configure() @return the gate by which it sends
    Ptr<OfcGate> GetGate(PortId port) const;

    /// @param port a port @return what its tables hold now
    TableSizes GetTableSizes(PortId port) const;

    /// @param queue a lossless ingress queue @return its levels now
    Levels GetLevels(QueueId queue) const;

    /**
     * A list of the next switch hides a congestion of this one from the neighbours (O11 in
     * doc/schemes.rst).
     * @return arrivals above the threshold at an egress where none of the flows in it was listed
     */
    uint64_t CountHiddenCongestions() const
    {
        return m_hidden;
    }

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    Ptr<TransmitGate> CreateGate(PortId port, const LosslessNetDevice& device) override;
    Ptr<TransmitGate> CreateHostGate(const LosslessNetDevice& device) const override;
    bool ObeysPfc() const override;
    Ptr<EgressQueue> CreateEgressQueue(QueueId queue) override;
    void OnEnqueue(const SwitchItem& item) override;
    void OnRelease(const SwitchItem& item, Ticks when) override;
    void OnRefusal(const SwitchItem& item) override;
    void OnLinkUp(PortId port) override;

  protected:
    void DoDispose() override;

  private:
    /// Hashes of flows' keys, in an order that is the same everywhere.
    using Flows = std::set<uint64_t>;

    /// What the neighbour of a port was told to stop, beside single flows.
    struct Told
    {
        bool port{false};       ///< all classes at once
        PrioritySet classes{0}; ///< all flows of these
    };

    Ptr<Packet> DoMakeControl(PortId port) override;
    Demand Assess(QueueId queue) const override;
    void Restart(std::optional<QueueId> released) override;

    /// @param length of an ingress queue @param levels of it @return what its neighbour should do
    static Demand Judge(uint64_t length, const Levels& levels);

    /// @param shape what the switch is like @return a sentence if its frames have no room for a
    /// flow
    static std::optional<std::string> CheckMtu(const SwitchShape& shape);
    /// @return a sentence if the levels of the empty switch are not in order
    std::optional<std::string> CheckLevels() const;

    /// @param ingress an ingress queue @return its length by "WholeEgressQueues", bytes
    uint64_t GetLength(QueueId ingress) const;
    /// A frame has made an egress queue long: asks its neighbour to stop those who cause that.
    /// @param ingress queue of the frame @param egress queue of the frame
    void StopCulprits(QueueId ingress, QueueId egress);
    /// @param egress an egress queue @return the flows that make it long
    Flows FindCulprits(QueueId egress) const;

    /// @param port a port @param classes some of its classes @param stop whether all their flows
    /// are to stop, or to go on @return the frame that says so
    Ptr<Packet> MakeAll(PortId port, PrioritySet classes, bool stop);
    /// @param port a port @param stop whether it is to stop as a whole, or to go on
    /// @return the frame that says so
    Ptr<Packet> MakePort(PortId port, bool stop);
    /// @param queue an ingress queue @return a frame that tells what has changed about single flows
    /// of it; null: nothing
    Ptr<Packet> MakeNews(QueueId queue);
    /// @param queue an ingress queue @param from flows @param without others
    /// @param stop whether those of the first that are not among the others stop, or go on
    /// @return a frame that tells as many of them as it can; null: there are none
    Ptr<Packet> MakeList(QueueId queue, const Flows& from, const Flows& without, bool stop);

    uint64_t m_congestionXoff{0};                             ///< XOFFc, bytes; 0: by the share
    double m_congestionShare{0};                              ///< XOFFc by XOFF
    double m_resumeShare{0};                                  ///< XON by XOFF, if need be
    bool m_wholeEgressQueues{false};                          ///< see GetLength()
    std::vector<Ptr<OfcGate>> m_gates;                        ///< by port
    std::vector<std::unordered_map<uint64_t, uint32_t>> m_in; ///< frames of flows, by egress queue
    std::vector<std::map<PortId, uint32_t>> m_places; ///< by ingress queue: frames by egress
    std::vector<Flows> m_asked;                       ///< to stop, by ingress queue
    std::vector<QueueId> m_listing;                   ///< ingress queues that have any
    std::vector<Flows> m_toldFlows;                   ///< of those asked, what was told
    std::vector<Told> m_told;                         ///< what else was told, by port
    uint64_t m_hidden{0};                             ///< see CountHiddenCongestions()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OFC_FLOW_CONTROL_H */
