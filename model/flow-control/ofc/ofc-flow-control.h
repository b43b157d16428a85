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
 * OFC: stops only the flows that cause a congestion (OFC, Sec. III).
 *
 * When a frame joins an egress queue of at least XOFFc bytes from an ingress queue of at least as
 * many, the neighbour of that ingress queue must stop flows: if the next switch has stopped
 * individual flows at that egress, the same ones (the congestion is farther downstream); otherwise
 * all that have frames in that egress queue; if the next switch has stopped all flows, both. From
 * the XOFF of the buffer policy on, it must stop all flows of the class, including new ones; with a
 * policy that has thresholds for whole ports (DSH), these stop all classes of the port. Stop
 * requests to a neighbour add up, and all end at once when frames have left, the headroom is empty
 * and the ingress queue has at most XON.
 *
 * XON < XOFFc < XOFF (Sec. III-C) holds at any time, even if XOFF moves: XOFFc is the share
 * "CongestionShare" of XOFF (alpha of the paper), unless "CongestionXoff" sets bytes, which
 * requires thresholds that leave room for them; and where the policy's XON is not below XOFFc,
 * flows resume at the share "ResumeShare" of XOFF instead.
 *
 * A control frame carries the difference between the last report and the state when the wire is
 * free: first a stop of the port or all flows, then flows that resume, then further flows to stop,
 * as many in a frame as the MTU allows, and last a resume of the port.
 *
 * The tables have no limit, unlike the hash tables of a switch. An egress queue has at most as many
 * flows in it as frames. The tables of stopped flows can grow to the flows of the network, since
 * lists of the next switch are relayed even if their flows do not pass here; see GetTableSizes().
 */
class OfcFlowControl : public ThresholdFlowControl
{
  public:
    /// Entries of the three tables of a port, all classes together (OFC, Table II).
    struct TableSizes
    {
        std::size_t inPort{0};    ///< flows with frames in its egress queues (flow_in_port_tab)
        std::size_t congested{0}; ///< flows that its neighbour has stopped (congested_flow_tab)
        std::size_t asked{0};     ///< flows that its neighbour must stop (pause_frame_tab)
    };

    /// Levels of an ingress queue, bytes.
    struct Levels
    {
        uint64_t xoff{0};          ///< from which all flows are stopped
        uint64_t congestion{0};    ///< XOFFc, from which individual flows are
        uint64_t xon{0};           ///< down to which none resumes
        bool headroomInUse{false}; ///< all flows are stopped, whatever the length
    };

    /// @return the type
    static TypeId GetTypeId();

    /// Returns the gate of a port; valid after Configure().
    Ptr<OfcGate> GetGate(PortId port) const;

    /// Returns the present sizes of a port's tables.
    TableSizes GetTableSizes(PortId port) const;

    /// Returns the present levels of a lossless ingress queue.
    Levels GetLevels(QueueId queue) const;

    /// Counts congestions that a list of the next switch hides (O11 in doc/schemes/ofc.rst).
    /// @return arrivals above the threshold at an egress where none of its flows was listed
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
    /// Hashes of flows' keys, in an order that is the same on all platforms.
    using Flows = std::set<uint64_t>;

    /// What the neighbour of a port was asked to stop, apart from individual flows.
    struct Told
    {
        bool port{false};       ///< all classes at once
        PrioritySet classes{0}; ///< all flows of these
    };

    Ptr<Packet> DoMakeControl(PortId port) override;
    Demand Assess(QueueId queue) const override;
    void Restart(std::optional<QueueId> released) override;

    /// What the neighbour of an ingress queue should do.
    /// @param length of the queue, bytes
    static Demand Judge(uint64_t length, const Levels& levels);

    /// Returns an error message if a control frame has no room for a flow.
    static std::optional<std::string> CheckMtu(const SwitchShape& shape);
    /// Returns an error message if the levels of the empty switch are out of order.
    std::optional<std::string> CheckLevels() const;

    /// Length of an ingress queue by "WholeEgressQueues", bytes.
    uint64_t GetLength(QueueId ingress) const;
    /// A frame has made an egress queue long: asks its neighbour to stop the flows that cause this.
    void StopCulprits(QueueId ingress, QueueId egress);
    Flows FindCulprits(QueueId egress) const;

    /// Makes the frame that stops or resumes all flows of some classes.
    Ptr<Packet> MakeAll(PortId port, PrioritySet classes, bool stop);
    /// Makes the frame that stops or resumes a port as a whole.
    Ptr<Packet> MakePort(PortId port, bool stop);
    /// Makes a frame about changes of individual flows of an ingress queue; null: none.
    Ptr<Packet> MakeNews(QueueId queue);
    /// Makes a frame for the flows in `from` but not in `without`, or all that fit; null: none.
    Ptr<Packet> MakeList(QueueId queue, const Flows& from, const Flows& without, bool stop);

    uint64_t m_congestionXoff{0};      ///< XOFFc, bytes; 0: by the share
    double m_congestionShare{0};       ///< XOFFc / XOFF
    double m_resumeShare{0};           ///< XON / XOFF, where the policy's XON is too high
    bool m_wholeEgressQueues{false};   ///< see GetLength()
    std::vector<Ptr<OfcGate>> m_gates; ///< by port
    std::vector<std::unordered_map<uint64_t, uint32_t>> m_in; ///< frames of flows, by egress queue
    std::vector<std::map<PortId, uint32_t>> m_places; ///< by ingress queue: frames by egress port
    std::vector<Flows> m_asked;                       ///< flows to stop, by ingress queue
    std::vector<QueueId> m_listing;                   ///< ingress queues with flows to stop
    std::vector<Flows> m_toldFlows;                   ///< those reported, by ingress queue
    std::vector<Told> m_told;                         ///< other reports, by port
    uint64_t m_hidden{0};                             ///< see CountHiddenCongestions()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OFC_FLOW_CONTROL_H */
