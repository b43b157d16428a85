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
#include <functional>
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
 * A network of ns-3 nodes built from a Topology: switches that know all routes, and hosts with one
 * RoCE NIC per port.
 *
 * Port n of a node is its device n. NICs get the addresses of a RoutePlan, usually 10.0.0.1,
 * 10.0.0.2, ... in the order of hosts and their ports. Each address has its own routes, which lead
 * only to its NIC, not to the others of the host. A failed link exists, but is down.
 *
 * ns3::Names also has the names of the topology, so that captures and configuration paths
 * ("/Names/leaf0/...") can use them. A name that is already taken, or that contains a slash, is not
 * entered. Simulator::Destroy() clears ns3::Names, including the names of others, so that the next
 * simulation finds it empty.
 */
class Fabric
{
  public:
    /// Builds the network; an invalid topology stops the program, and so do defaults of
    /// LosslessNetDevice::DataRate and LosslessChannel::Delay, which the topology would override.
    /// @param nics makes the RoCE NICs, whose attributes may be set
    /// @param plan addresses of the NICs and tables of the switches
    Fabric(const Topology& topology,
           const SwitchHelper& switches,
           const ObjectFactory& nics = ObjectFactory("ns3::lossless::RoceNic"),
           const RoutePlan& plan = ShortestPathRoutes());

    ~Fabric();
    Fabric(const Fabric&) = delete;
    Fabric& operator=(const Fabric&) = delete;

    /// @return the topology it was built from
    const Topology& GetTopology() const
    {
        return m_topology;
    }

    /// @return number of hosts
    uint32_t GetNHosts() const;
    /// @return number of switches
    uint32_t GetNSwitches() const;
    /// @return node of a host, by host index
    Ptr<Node> GetHost(uint32_t host) const;
    /// @param index in the order of Topology::GetSwitches()
    /// @return the switch
    Ptr<SwitchNode> GetSwitch(uint32_t index) const;
    /// @return the switch of a name; an unknown name stops the program
    Ptr<SwitchNode> GetSwitch(const std::string& name) const;
    /// @return device of a host port
    Ptr<LosslessNetDevice> GetHostDevice(uint32_t host, uint32_t port = 0) const;
    /// @return cable of a link, by its index in the topology
    Ptr<LosslessChannel> GetCable(uint32_t link) const;
    /// @return address of a host port
    Ipv4Address GetAddress(uint32_t host, uint32_t port = 0) const;
    /// @return NIC of a host port
    Ptr<RoceNic> GetNic(uint32_t host, uint32_t port = 0) const;
    /// @return NIC of a host with an address, which it must have
    const Ptr<RoceNic>& FindNic(uint32_t host, Ipv4Address address) const;

    /// Gives all switches the shortest paths without some links, as a routing protocol does after
    /// convergence. Only for a Fabric with ShortestPathRoutes. Unreachable destinations then have
    /// no route (`no-route`).
    /// @param down link indices, in addition to the links that have failed from the start
    void Reroute(const std::set<uint32_t>& down) const;

    /// Installs ns-3's Internet stack on all hosts, with the addresses of their NICs in one subnet
    /// 10.0.0.0/8. Addresses are resolved by ARP through the switches; until then, up to 20 ms in
    /// ns-3, all packets to an address wait; see ResolveAddresses().
    void InstallInternetStack();

    /// Gives all hosts permanent ARP entries for all others, so that no packet waits for ARP.
    /// ns-3's Internet stack must be installed. Takes some 300 B for each pair of NICs.
    void ResolveAddresses();

    /// Fixes all random numbers of the switches and cables, starting at `stream`.
    /// @return number of streams used
    int64_t AssignStreams(int64_t stream);

    /// Work ahead: transmissions of all frames of the flows and their acknowledgements if none is
    /// lost or retransmitted.
    /// @param end packets that cannot be sent by then are not counted; 0: no end
    /// @return number of hops
    uint64_t CountPacketHops(Time end = Time(0)) const;

    /// @return index of the host with the longest idle transit time of a byte from the source; the
    /// source itself if it has no path
    uint32_t FindFarthestHost(uint32_t source = 0) const;

    /// @return indices of the first host with a path and the host farthest from it; the same index
    /// twice if no host has a path
    std::pair<uint32_t, uint32_t> FindLongestPath() const;

    /// Sets the idle round-trip time of the NICs' congestion control, if it needs it: that of a
    /// full packet and its acknowledgement through store-and-forward switches. An attribute
    /// "BaseRtt" that differs from its default is kept. To be called before flows start.
    /// @param source host index
    /// @param destination index of the host at the other end of a longest path
    void SetBaseRtt(uint32_t source, uint32_t destination);

    /**
     * Starts flows at their times, or now if these have passed; may be called once, before the
     * simulation runs. Invalid flows (see CheckFlows()) stop the program.
     *
     * Of the NICs of a host, those with the shortest path to the other host take turns, at sender
     * and receiver.
     *
     * @param flows in any order; flows with the same start begin in the order of the list
     */
    void StartFlows(FlowList flows);

    /// Runs a flow graph instead of StartFlows(); may be called once, before the simulation runs.
    /// An invalid graph (see FlowGraph::Check()) stops the program. GetFlows() has its flows, with
    /// their earliest starts. @param graph see GraphRunner for what hosts know of each other
    void StartGraph(FlowGraph graph);

    /// @return runner of the graph of StartGraph(); null without one
    const GraphRunner* GetGraphRunner() const
    {
        return m_runner.get();
    }

    /// End of a flow.
    enum class FlowEnd : uint8_t
    {
        RECEIVED,     ///< last byte has arrived
        ACKNOWLEDGED, ///< sender has all acknowledgements
    };

    /**
     * Ends the simulation when as many flows are done as were given to StartFlows(), which is
     * called first. Without flows it ends after the grace. Other flows, such as those of TcpFlows,
     * are not waited for: a run with them ends by Simulator::Stop().
     *
     * A graph of StartGraph() ends when all its steps have, or when it makes no progress, because
     * the start of its last flow is not known in advance.
     *
     * @param grace maximum time after the start of the last flow, or after now if that is later; at
     * most GetLatestStart(). For a graph, see GraphRunner::StopWhenDone()
     * @param end of a flow
     */
    void StopWhenFlowsAreDone(Time grace, FlowEnd end = FlowEnd::RECEIVED);

    /// Starts flows over ns-3's TCP between hosts of this network with its Internet stack, by the
    /// addresses of their first NICs. Invalid flows (see CheckFlows()) stop the program.
    /// @param tcp sender, see TcpFlows::Start()
    /// @param flows in any order
    void StartTcpFlows(const Ptr<TcpFlows>& tcp, const FlowList& flows) const;

    /// @return the flows given to StartFlows(), sorted by start; the list of a graph is made on
    /// demand
    const FlowList& GetFlows() const;
    /// @return number of flows; allocates no memory
    std::size_t CountFlows() const;
    /// Visits all flows, without making a list of those that a graph has by rules.
    void VisitFlows(const std::function<void(const FlowSpec&)>& visit) const;

    /**
     * Flow completion time on the idle network: first bit out to last bit in, through
     * store-and-forward switches without processing delay, between the NICs that the flow uses; for
     * a flow not given to StartFlows(), between the first NICs with a path.
     *
     * With n frames, of which the last may be shorter, over links i with delay d(i) and
     * transmission times t(i) of a full frame: the full frames leave link i back to back at the
     * pace of the slowest link so far, and the last one follows behind them; see the code for the
     * recursion. For equal links it is sum of d(i), plus all frames on the first link, plus the
     * last frame on each further link. Gaps ("GapBytes") count between frames, but not after the
     * last one.
     *
     * Devices round down to nanoseconds, so a flow may take up to 1 ns per link less.
     */
    Time GetIdealFct(const FlowSpec& flow) const;

    /// @return time of an acknowledgement on the idle network, from first bit out to last bit in,
    /// from the NIC that receives the flow to the one that sends it
    Time GetIdealAcknowledgementTime(const FlowSpec& flow) const;

    /// Both ends of a flow.
    struct FlowEnds
    {
        Ptr<RoceNic> sender;       ///< NIC of the source
        Ptr<RoceNic> receiver;     ///< NIC of the destination
        RoceConnection connection; ///< agreed between both
    };

    /// @return the ends of a flow, not yet opened
    FlowEnds Connect(const FlowSpec& flow) const;

    /// @return propagation delay of a shortest path between the NICs of a flow
    Time GetPathDelay(const FlowSpec& flow) const;

    /// @return transit time of a packet with one byte of payload on the idle network
    Time GetNoticeTime(uint32_t from, uint32_t to) const;

  private:
    /// NICs of a flow, as ports of their hosts.
    struct NicPair
    {
        uint32_t sender{0};
        uint32_t receiver{0};
    };

    /// Id, source and destination of a flow.
    using FlowIdentity = std::tuple<uint64_t, uint32_t, uint32_t>;

    /// Adds the addresses of all other hosts. @param owner host index
    void FillArpCache(Ptr<ArpCache> cache, uint32_t owner) const;
    /// Stops the program if the port does not exist.
    void RequirePort(uint32_t host, uint32_t port) const;
    /// Enters the nodes into ns3::Names, as far as possible.
    void EnterNames();
    void CreateLinks();
    /// @param nics makes the NICs
    /// @param addresses by number of the NIC
    void CreateNics(const ObjectFactory& nics, const std::vector<Ipv4Address>& addresses);
    void InstallRoutes(const RoutePlan& plan);
    /// Chooses the NICs of all flows.
    void ChooseNics();
    /// @param turn number of earlier flows of the source
    /// @return the pair, among the NICs with the shortest path, whose turn it is
    NicPair FindNics(const FlowSpec& flow, uint32_t turn) const;
    NicPair GetNics(const FlowSpec& flow) const;
    /// @return a shortest path between the NICs, in m_topology
    std::vector<PathStep> GetNicPath(const FlowSpec& flow, const NicPair& nics) const;
    /// @return see GetIdealFct()
    Time GetIdealTime(const FlowSpec& flow, const NicPair& nics) const;
    /// Sets the system ids of all nodes to their ranks.
    void PlaceOnRanks();
    void CountArrival(const FlowRecord& record);
    /// Ends the simulation if all flows have arrived. @param counts arrivals since the last call
    void NoteArrivals(const NetworkTally::Counts& counts);
    /// Stops counting arrivals.
    void StopCounting();
    /// Hands over the flows that are due soon, and schedules the next call.
    void StartDueFlows();
    /// Opens both ends of a flow, each in an event of its host.
    void HandOver(const FlowSpec& spec, Time delay) const;

    Topology m_topology;
    Topology m_nicTopology;                            ///< as m_topology, with each NIC as a host
                                                       ///< of its own
    std::vector<uint32_t> m_nodeOfNicNode;             ///< by node of m_nicTopology: node of
                                                       ///< m_topology
    RouteTables m_routes;                              ///< of m_nicTopology
    NodeContainer m_nodes;                             ///< by node of the topology
    std::vector<Ptr<LosslessChannel>> m_cables;        ///< by link of the topology
    std::vector<uint32_t> m_firstNic;                  ///< by host: index of its first NIC in
                                                       ///< m_nicTopology
    std::vector<std::vector<Ipv4Address>> m_addresses; ///< by host and port
    std::vector<std::vector<Ptr<RoceNic>>> m_nics;     ///< by host and port
    mutable FlowList m_flows;                          ///< see GetFlows()
    bool m_isShortest{false};                          ///< routes are ShortestPathRoutes
    std::map<FlowIdentity, NicPair> m_nicsOfFlows;     ///< for flows with a choice of NICs
    std::size_t m_nextFlow{0};                         ///< first flow not handed over
    EventId m_flowStart;                               ///< next StartDueFlows()
    NetworkTally m_arrivals;                           ///< arriving flows
    uint64_t m_arrived{0};
    uint64_t m_lastArrival{0};                                     ///< tick of the last arrival
    std::unique_ptr<GraphRunner> m_runner;                         ///< null without a graph
    std::shared_ptr<bool> m_isAlive{std::make_shared<bool>(true)}; ///< false: this object is gone
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FABRIC_H */
