// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OFC_FLOW_CONTROL_H
#define LOSSLESS_OFC_FLOW_CONTROL_H

#include "ofc-gate.h"

#include "ns3/static-buffer-policy.h"
#include "ns3/switch-node.h"
#include "ns3/threshold-flow-control.h"

#include <map>
#include <set>
#include <unordered_map>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * OFC, which stops only the flows that cause congestion (OFC, Sec. III).
 *
 * When a frame joins an egress queue and both this queue and the frame's ingress queue have at
 * least XOFFc bytes, the neighbour of the ingress queue must stop flows. If the next switch has
 * stopped individual flows at that egress port, the congestion is farther downstream, and those
 * flows are stopped. Otherwise, all flows with frames in the egress queue are stopped. If the next
 * switch has stopped all flows, both sets of flows are stopped. When the length of the ingress
 * queue reaches the XOFF of the buffer policy, the neighbour must stop all flows of the class,
 * including new ones. If the policy has thresholds for ports (DSH), a port above its threshold
 * stops all classes. Stop requests to a neighbour accumulate. They all end together when frames
 * leave, provided that the headroom is empty and the ingress queue has at most XON bytes.
 *
 * XOFFc is the fraction "CongestionShare" (alpha in the paper) of XOFF, so XON < XOFFc < XOFF (Sec.
 * III-C) holds even if XOFF changes. If "CongestionXoff" sets XOFFc in bytes instead, this order is
 * required in an empty switch. If the XON of the policy is not below XOFFc, flows resume at the
 * fraction "ResumeShare" of XOFF instead.
 *
 * When the wire is free, a control frame reports the changes since the last report in this order: a
 * stop of the port or of all flows, flows that resume, additional flows to stop (as many per frame
 * as the MTU allows), and finally a resume of the port.
 *
 * Unlike the hash tables of a real switch, the tables have no size limit. An egress queue never has
 * more flows than frames. The tables of stopped flows can grow to the number of flows in the
 * network, because the lists from the next switch are relayed even if their flows do not pass this
 * switch; see GetTableSizes().
 */
class OfcFlowControl : public ThresholdFlowControl
{
  public:
    /// The numbers of entries in the three tables of a port, over all classes (OFC, Table II).
    struct TableSizes
    {
        std::size_t inPort{0};    ///< the number of flows with frames in the port's egress queues
                                  ///< (flow_in_port_tab)
        std::size_t congested{0}; ///< the number of flows that the port's neighbour has stopped
                                  ///< (congested_flow_tab)
        std::size_t asked{0};     ///< the number of flows that the port's neighbour must stop
                                  ///< (pause_frame_tab)
    };

    /// The thresholds of an ingress queue, in bytes.
    struct Levels
    {
        uint64_t xoff{0};          ///< the length at which all flows are stopped
        uint64_t congestion{0};    ///< XOFFc, the length at which individual flows are stopped
        uint64_t xon{0};           ///< the length above which no flow resumes
        bool headroomInUse{false}; ///< whether all flows are stopped regardless of the length
    };

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Returns the gate of a port; valid after Configure().
    Ptr<OfcGate> GetGate(PortId port) const
    {
        return m_gates[Index(port)];
    }

    /// Returns the current sizes of a port's tables.
    TableSizes GetTableSizes(PortId port) const;

    /// Returns the current thresholds of a lossless ingress queue.
    Levels GetLevels(QueueId queue) const;

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    Ptr<TransmitGate> CreateGate(PortId port, const LosslessNetDevice& device) override;
    Ptr<TransmitGate> CreateHostGate(const LosslessNetDevice& device) const override;
    bool ObeysPfc() const override;
    Ptr<EgressQueue> CreateEgressQueue(QueueId queue) override;
    void OnEnqueue(const SwitchItem& item) override;
    void OnRelease(const SwitchItem& item, Ticks when) override;
    void OnRefusal(const SwitchItem& item) override;
    void OnLinkUp(PortId port) override;

  private:
    /// The hashes of flow keys, in an order that is the same on all platforms.
    using Flows = std::set<uint64_t>;

    /// The stop requests to a port's neighbour, except those for individual flows.
    struct Told
    {
        bool port{false};       ///< whether all classes are stopped together
        PrioritySet classes{0}; ///< the classes whose flows are all stopped
    };

    Ptr<Packet> DoMakeControl(PortId port) override;
    Demand Assess(QueueId queue) const override;
    void Restart(std::optional<QueueId> released) override;

    /// Returns the action that an ingress queue requires of its neighbour.
    /// @param length the length of the queue, in bytes
    /// @param levels the thresholds of the queue
    static Demand Judge(uint64_t length, const Levels& levels);

    /// Returns an error message if a control frame does not even have room for a single flow.
    static std::optional<std::string> CheckMtu(const SwitchShape& shape);
    /// Returns an error message if the shares, or the thresholds of the empty switch, are not in
    /// ascending order.
    std::optional<std::string> CheckLevels() const;

    /// Returns the length of an ingress queue in bytes, including private memory and headroom.
    uint64_t GetLength(QueueId ingress) const;
    /// Requests that the neighbour stop the flows responsible for a long egress queue.
    void StopCulprits(QueueId ingress, QueueId egress);
    Flows FindCulprits(QueueId egress) const;

    /// Creates the frame that stops or resumes all flows of some classes.
    Ptr<Packet> MakeAll(PortId port, PrioritySet classes, bool stop);
    /// Creates the frame that stops or resumes the whole port.
    Ptr<Packet> MakePort(PortId port, bool stop);
    /// Creates a frame that reports changes in the set of flows to stop for an ingress queue.
    /// Returns null if there are no changes.
    Ptr<Packet> MakeNews(QueueId queue);
    /// Creates a frame for the flows that are in `from` but not in `without`, up to the capacity of
    /// a frame. Returns null if there are no such flows.
    Ptr<Packet> MakeList(QueueId queue, const Flows& from, const Flows& without, bool stop);

    uint64_t m_congestionXoff{0};      ///< XOFFc in bytes; if 0, the ratio is used
    double m_congestionShare{0};       ///< the ratio XOFFc / XOFF
    double m_resumeShare{0};           ///< the ratio XON / XOFF to use if the policy's XON is too
                                       ///< high
    std::vector<Ptr<OfcGate>> m_gates; ///< the gates, indexed by port
    /// For each egress queue, the number of frames of each flow.
    std::vector<std::unordered_map<uint64_t, uint32_t>> m_in;
    std::vector<Flows> m_asked;     ///< the flows to stop, indexed by ingress
                                    ///< queue
    std::vector<QueueId> m_listing; ///< the ingress queues with flows to stop
    std::vector<Flows> m_toldFlows; ///< the flows reported as stopped, indexed by ingress queue
    std::vector<Told> m_told;       ///< the reports on classes and ports, indexed by port
};

/// @ingroup lossless
/// An OFC switch, which stops individual flows. It combines OfcFlowControl, static thresholds
/// (StaticBufferPolicy by default) and egress queues in which frames can overtake stopped ones. The
/// gates at the switch and at its hosts distinguish flows.
class OfcSwitchNode : public SwitchOf<StaticBufferPolicy, OfcFlowControl>
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OFC_FLOW_CONTROL_H */
