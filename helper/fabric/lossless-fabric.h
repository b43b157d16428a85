// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_H
#define LOSSLESS_FABRIC_H

#include "lossless-helper.h"
#include "switch-helper.h"

#include "ns3/event-id.h"
#include "ns3/flow-graph.h"
#include "ns3/ipv4-address.h"
#include "ns3/lossless-channel.h"
#include "ns3/lossless-topology.h"
#include "ns3/lossless-workload.h"
#include "ns3/network-tally.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/roce-nic.h"
#include "ns3/route-computation.h"
#include "ns3/route-plan.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{
class ArpCache;
} // namespace ns3

namespace ns3::lossless
{

class GraphRunner;
class TcpFlows;

/**
 * @ingroup lossless
 * A network of ns-3 nodes built from a Topology: switches that know all routes, and hosts with
 * one RoCE NIC per port.
 *
 * Port n of a node is its device n. NICs get the addresses of a RoutePlan, usually 10.0.0.1,
 * 10.0.0.2, ... in the order of hosts and their ports. Each address has routes of its own, which
 * lead to its NIC and to no other one of the host. A failed link is there, but down.
 *
 * Nodes have the names of the topology in ns3::Names, too, by which captures are named and
 * configuration paths may begin ("/Names/leaf0/..."). A name which something has already stays
 * there, and the node has none; so has one with a slash in its name. Simulator::Destroy() clears
 * ns3::Names, those of others included, so that the next simulation finds it empty.
 */
class Fabric
{
  public:
    /**
     * Builds the network; a topology that cannot work stops the program, and so do defaults of
     * LosslessNetDevice::DataRate and LosslessChannel::Delay, which the topology would override.
     * @param topology nodes and links
     * @param switches makes the switches
     * @param nics makes the RoCE NICs: attributes of RoceNic may be set
     * @param plan addresses of the NICs and tables of the switches
     */
    Fabric(const Topology& topology,
           const SwitchHelper& switches,
           const ObjectFactory& nics = ObjectFactory("ns3::lossless::RoceNic"),
           const RoutePlan& plan = ShortestPathRoutes());

    ~Fabric();
    Fabric(const Fabric&) = delete;
    Fabric& operator=(const Fabric&) = delete;

    /// @return what it was built from
    const Topology& GetTopology() const
    {
        return m_topology;
    }

    /// @return number of hosts
    uint32_t GetNHosts() const;
    /// @return number of switches
    uint32_t GetNSwitches() const;
    /// @param host a host index @return its node
    Ptr<Node> GetHost(uint32_t host) const;
    /// @param index a switch, in the order of Topology::GetSwitches() @return the switch
    Ptr<SwitchNode> GetSwitch(uint32_t index) const;
    /// @param name name of a switch @return the switch; an unknown name stops the program
    Ptr<SwitchNode> GetSwitch(const std::string& name) const;
    /// @param host a host index @param port one of its ports @return its device
    Ptr<LosslessNetDevice> GetHostDevice(uint32_t host, uint32_t port = 0) const;
    /// @param link a link index of the topology @return its cable
    Ptr<LosslessChannel> GetCable(uint32_t link) const;
    /// @param host a host index @param port one of its ports @return the address of the device
    Ipv4Address GetAddress(uint32_t host, uint32_t port = 0) const;
    /// @param host a host index @param port one of its ports @return its NIC
    Ptr<RoceNic> GetNic(uint32_t host, uint32_t port = 0) const;

    /**
     * Gives all switches the shortest paths that there are without some links, as a routing
     * protocol does when it has heard of them. Only for a Fabric with ShortestPathRoutes.
     * Destinations that cannot be reached have no route then (`no-route`).
     * @param down link indices, besides those that have failed from the start
     */
    void Reroute(const std::set<uint32_t>& down) const;

    /**
     * Installs ns-3's Internet stack on all hosts, with the addresses of their NICs in one subnet
     * 10.0.0.0/8. Addresses are resolved by ARP through the switches; all packets to an address
     * wait until it is, up to 20 ms in ns-3; see ResolveAddresses().
     */
    void InstallInternetStack();

    /**
     * Tells all hosts the addresses of all others for good, so that no packet waits for ARP. ns-3's
     * Internet stack must be installed. Takes some 300 B for each pair of NICs.
     */
    void ResolveAddresses();

    /**
     * Fixes all random numbers of the switches and cables.
     * @param stream first stream to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * How much there is to do: how often frames of its flows and of their acknowledgements are
     * transmitted if none is lost or sent again.
     * @param end packets that cannot have been sent by then are left out; 0: none
     * @return number of hops
     */
    uint64_t CountPacketHops(Time end = Time(0)) const;

    /// @param source host index @return index of the host to which a byte from there takes longest
    /// without queues; the source itself if no path leads from it
    uint32_t FindFarthestHost(uint32_t source = 0) const;

    /// @return host indices of the first host from which a path leads and of the host farthest from
    /// it; twice the same if there is none
    std::pair<uint32_t, uint32_t> FindLongestPath() const;

    /**
     * Tells the NICs' congestion control, if it needs to know, the round-trip time without queues:
     * of a full packet there and an acknowledgement back, through store-and-forward switches. An
     * attribute "BaseRtt" that differs from its own default stays. Called before flows start.
     * @param source host index
     * @param destination index of the host at the other end of a longest path
     */
    void SetBaseRtt(uint32_t source, uint32_t destination);

    /**
     * Starts flows at their times, or now if that has passed; may be called once, before the
     * simulation runs. Flows that cannot be (see CheckFlows()) stop the program.
     *
     * Of the NICs of a host those with the shortest path to the other host take turns, at the
     * sender and at the receiver.
     *
     * @param flows the flows in any order; those of the same start begin in the order of the list
     */
    void StartFlows(FlowList flows);

    /**
     * Runs a flow graph, in place of StartFlows(), which is not called then; may be called once,
     * before the simulation runs. A graph that cannot be (see FlowGraph::Check()) stops the
     * program. GetFlows() has its flows, with their earliest starts.
     * @param graph flows that wait for flows; see GraphRunner for what hosts know of each other
     */
    void StartGraph(FlowGraph graph);

    /// @return what runs the graph of StartGraph(); null: there is none
    const GraphRunner* GetGraphRunner() const
    {
        return m_runner.get();
    }

    /// When a flow is done.
    enum class FlowEnd : uint8_t
    {
        RECEIVED,     ///< its last byte has arrived
        ACKNOWLEDGED, ///< its sender knows
    };

    /**
     * Ends the simulation when as many flows are done as were given to StartFlows(), which is
     * called first. Without flows it ends after the grace. Other flows, of TcpFlows for
     * example, are not waited for: a run with such ends by Simulator::Stop().
     *
     * A graph of StartGraph() has ended when all its steps have; and when it stands still, since
     * nobody knows before when its last flow starts.
     *
     * @param grace ends it this long after the start of the last flow, or after now if that is
     * later, in any case; at most GetLatestStart(). Of a graph: GraphRunner::StopWhenDone()
     * @param end when a flow is done
     */
    void StopWhenFlowsAreDone(Time grace, FlowEnd end = FlowEnd::RECEIVED);

    /**
     * Starts flows over ns-3's TCP between hosts of this network, on which its Internet stack is
     * installed, by their first NICs' addresses. Flows that cannot be (see CheckFlows()) stop the
     * program.
     * @param tcp sends them, see TcpFlows::Start() @param flows the flows, in any order
     */
    void StartTcpFlows(const Ptr<TcpFlows>& tcp, const FlowList& flows) const;

    /// @return the flows given to StartFlows(), sorted by start; those of a graph are listed when
    /// they are asked for
    const FlowList& GetFlows() const;
    /// @return number of them; takes no memory
    std::size_t CountFlows() const;

    /**
     * The flow completion time on the idle network: first bit out to last bit in, through
     * store-and-forward switches without processing delay, between the NICs that the flow uses;
     * of a flow that StartFlows() was not given, between the first NICs with a path.
     *
     * With n frames of which the last may be shorter, over links i with delay d(i) and
     * transmission times t(i) for a full frame: the full ones leave link i back to back at the
     * pace of the slowest link so far, and the last one follows behind them; see the code for the
     * recursion. For equal links it is sum of d(i), plus all frames on the first link, plus the
     * last frame on each further link. Gaps ("GapBytes") count between frames, and not behind the
     * last one.
     *
     * Devices round to the nanosecond below, so that a flow may take up to 1 ns per link less.
     *
     * @param flow a flow
     * @return that time
     */
    Time GetIdealFct(const FlowSpec& flow) const;

    /**
     * The way of an acknowledgement back on the idle network, from the NIC that receives the flow
     * to the one that sends it.
     * @param flow a flow
     * @return time from its first bit out to its last bit in
     */
    Time GetIdealAcknowledgementTime(const FlowSpec& flow) const;

    /// The two ends of a flow.
    struct FlowEnds
    {
        Ptr<RoceNic> sender;       ///< NIC of the source
        Ptr<RoceNic> receiver;     ///< NIC of the destination
        RoceConnection connection; ///< what they agree on
    };

    /// @param flow a flow @return its ends, which are not opened
    FlowEnds Connect(const FlowSpec& flow) const;

    /// @param flow a flow @return propagation delay of a shortest path between its NICs
    Time GetPathDelay(const FlowSpec& flow) const;

    /// @param from a host index @param to another @return time that a packet with one byte of
    /// payload takes from one to the other on the idle network
    Time GetNoticeTime(uint32_t from, uint32_t to) const;

  private:
    /// The NICs of a flow, as ports of their hosts.
    struct NicPair
    {
        uint32_t sender{0};   ///< port of the source
        uint32_t receiver{0}; ///< port of the destination
    };

    /// Id, source and destination of a flow.
    using FlowIdentity = std::tuple<uint64_t, uint32_t, uint32_t>;

    /// @param cache of a host @param owner its index; the addresses of all others are added
    void FillArpCache(Ptr<ArpCache> cache, uint32_t owner) const;
    /// Stops the program if a port does not exist. @param host a host index @param port of it
    void RequirePort(uint32_t host, uint32_t port) const;
    /// Enters all nodes into ns3::Names that may be.
    void EnterNames();
    /// Connects all nodes.
    void CreateLinks();
    /// Gives every host its addresses and NICs. @param nics makes the NICs
    /// @param addresses by number of the NIC
    void CreateNics(const ObjectFactory& nics, const std::vector<Ipv4Address>& addresses);
    /// Tells the switches all routes. @param plan knows them
    void InstallRoutes(const RoutePlan& plan);
    /// Chooses the NICs of all flows.
    void ChooseNics();
    /// @param flow a flow @param turn number of flows that the source has sent before
    /// @return of the NICs with the shortest path, those whose turn it is
    NicPair FindNics(const FlowSpec& flow, uint32_t turn) const;
    /// @param flow a flow @return its NICs
    NicPair GetNics(const FlowSpec& flow) const;
    /// @param flow a flow @param nics its NICs @return a shortest path between them, in m_topology
    std::vector<PathStep> GetNicPath(const FlowSpec& flow, const NicPair& nics) const;
    /// @param flow a flow @param nics its NICs @return see GetIdealFct()
    Time GetIdealTime(const FlowSpec& flow, const NicPair& nics) const;
    /// Gives all nodes the system ids of their ranks.
    void PlaceOnRanks();
    /// A flow has arrived. @param record the flow
    void CountArrival(const FlowRecord& record);
    /// Ends the simulation if all flows have arrived. @param counts arrivals since the last time
    void NoteArrivals(const NetworkTally::Counts& counts);
    /// Does not count arrivals any more.
    void StopCounting();
    /// Hands over the flows that are due soon, and waits for the next.
    void StartDueFlows();
    /// Has the ends of a flow opened, each by an event of its host. @param spec the flow
    /// @param delay until then
    void HandOver(const FlowSpec& spec, Time delay) const;

    Topology m_topology;                               ///< nodes and links
    Topology m_nicTopology;                            ///< the same, each NIC a host of its own
    std::vector<uint32_t> m_nodeOfNicNode;             ///< by node of that: node of m_topology
    RouteTables m_routes;                              ///< of m_nicTopology
    NodeContainer m_nodes;                             ///< by node of the topology
    std::vector<Ptr<LosslessChannel>> m_cables;        ///< by link of the topology
    std::vector<uint32_t> m_firstNic;                  ///< by host: its first one there
    std::vector<std::vector<Ipv4Address>> m_addresses; ///< by host and port
    std::vector<std::vector<Ptr<RoceNic>>> m_nics;     ///< by host and port
    mutable FlowList m_flows;                          ///< see GetFlows()
    bool m_isShortest{false};                          ///< routes are ShortestPathRoutes
    std::map<FlowIdentity, NicPair> m_nicsOfFlows;     ///< of flows with a choice of NICs
    std::size_t m_nextFlow{0};                         ///< first that was not handed over
    EventId m_flowStart;                               ///< when that is due
    NetworkTally m_arrivals;                           ///< counts flows that arrive
    uint64_t m_arrived{0};                             ///< how many have
    uint64_t m_lastArrival{0};                         ///< tick of the last one so far
    std::unique_ptr<GraphRunner> m_runner;             ///< null: there is no graph
    std::shared_ptr<bool> m_isAlive{std::make_shared<bool>(true)}; ///< false: it is gone
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FABRIC_H */
