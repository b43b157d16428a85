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

class FlowSource;
class GraphRunner;
class RawSink;
class RawSource;
class SourceProgress;
class TcpFlows;

/**
 * @ingroup lossless
 * A network of ns-3 nodes built from a Topology. Switches have routes to all hosts, and hosts have
 * one RoCE NIC per port.
 *
 * Port n of a node is its device n. A RoutePlan assigns the addresses of the NICs, usually
 * 10.0.0.1, 10.0.0.2, ..., in order of host and port. Each address has its own routes, which lead
 * only to that NIC, not to other NICs of the host. A link that the topology marks as failed exists
 * but is down.
 *
 * The node names are also registered in ns3::Names, so that captures and configuration paths
 * ("/Names/leaf0/...") can use them. A name that is already in use or that contains a slash is not
 * registered. Simulator::Destroy() clears ns3::Names, including names from other sources, so that
 * it is empty for the next simulation.
 */
class Fabric
{
  public:
    /// Builds the network. Aborts if the topology is invalid, or if the default of
    /// LosslessNetDevice::DataRate or LosslessChannel::Delay has been changed, because the topology
    /// would override it.
    /// @param nics the factory for the RoCE NICs, which can also set their attributes
    /// @param plan the plan that assigns NIC addresses and fills switch tables
    Fabric(const Topology& topology,
           const SwitchHelper& switches,
           const ObjectFactory& nics = ObjectFactory("ns3::lossless::RoceNic"),
           const RoutePlan& plan = ShortestPathRoutes());

    ~Fabric();
    Fabric(const Fabric&) = delete;
    Fabric& operator=(const Fabric&) = delete;

    /// @return the topology from which this network was built
    const Topology& GetTopology() const
    {
        return m_topology;
    }

    /// @return the number of hosts
    uint32_t GetNHosts() const;
    /// @return the number of switches
    uint32_t GetNSwitches() const;
    /// @return the node of a host
    /// @param host the host index
    Ptr<Node> GetHost(uint32_t host) const;
    /// @param index the index in Topology::GetSwitches()
    /// @return the switch
    Ptr<SwitchNode> GetSwitch(uint32_t index) const;
    /// @return the switch with this name; aborts if there is no such switch
    Ptr<SwitchNode> GetSwitch(const std::string& name) const;
    /// @return the device of a host port
    Ptr<LosslessNetDevice> GetHostDevice(uint32_t host, uint32_t port = 0) const;
    /// @return the cable of a link
    /// @param link the link index in the topology
    Ptr<LosslessChannel> GetCable(uint32_t link) const;
    /// Installs link-layer retry on all links (LinkRetry). Call this before AssignStreams(), which
    /// initializes the switches, because their headroom must allow for replays.
    void InstallRetry() const;
    /// @return the address of a host port
    Ipv4Address GetAddress(uint32_t host, uint32_t port = 0) const;
    /// @return the NIC of a host port
    Ptr<RoceNic> GetNic(uint32_t host, uint32_t port = 0) const;
    /// Calls a function with each NIC, in order of host and port.
    void VisitNics(const std::function<void(RoceNic&)>& visit) const;

    /// Removes an acknowledged flow from the memory of its receiving NIC, unless a packet of the
    /// flow was retransmitted.
    /// @param host the host index of the receiver, which may belong to another rank
    void ForgetFlow(uint32_t host, const FlowRecord& record) const;

    /// Replaces the routes in all switches with the shortest paths that avoid certain links, as a
    /// routing protocol would after convergence. The Fabric must use ShortestPathRoutes.
    /// Unreachable destinations then have no route, and frames to them are lost (`no-route`).
    /// @param down the indices of the links to avoid, in addition to those that the topology marks
    /// as failed
    void Reroute(const std::set<uint32_t>& down) const;

    /// Installs the ns-3 Internet stack on all hosts, with the addresses of their NICs in the
    /// single subnet 10.0.0.0/8. ARP resolves addresses through the switches. In ns-3, this takes
    /// up to 20 ms. Until an address is resolved, all packets to it wait; see ResolveAddresses().
    void InstallInternetStack();

    /// Gives every host permanent ARP entries for all other hosts, so that no packet waits for ARP.
    /// The ns-3 Internet stack must be installed. The entries need about 300 B per pair of NICs.
    void ResolveAddresses();

    /// Assigns fixed random variable streams to the switches, cables and receive error models.
    /// @param stream the first stream index to use
    /// @return the number of streams used
    int64_t AssignStreams(int64_t stream);

    /// @return true if any node has several ports on shortest paths to a NIC, or if the routes are
    /// not ShortestPathRoutes
    bool HasParallelPaths() const;

    /// Estimates the work of a run. The result counts each transmission of the flows' data frames
    /// and acknowledgements over a link, assuming that there are no losses or retransmissions.
    /// @param end the end of the run, or 0 if it is not fixed; packets that cannot be sent by then
    /// are not counted
    /// @return the number of hops
    uint64_t CountPacketHops(Time end = Time(0)) const;

    /// @return the index of the host to which one byte from the source takes longest on the idle
    /// network or, if the source has no path to any host, the index of the source
    uint32_t FindFarthestHost(uint32_t source = 0) const;

    /// @return the indices of the first host that has a path to another host and of the host
    /// farthest from it; the indices are equal if there are no paths
    std::pair<uint32_t, uint32_t> FindLongestPath() const;

    /// Sets the base RTT of the NICs' congestion control, if the algorithm needs it. The base RTT
    /// is the round-trip time of a full packet and its acknowledgement on the idle network, with
    /// store-and-forward switches. A "BaseRtt" attribute that differs from its default is not
    /// changed. Call this before flows start.
    /// @param source the host index of the source of one of the longest paths
    /// @param destination the host index of the destination of this path
    void SetBaseRtt(uint32_t source, uint32_t destination);

    /**
     * Starts each flow at its start time, or now if that time has passed. Call this at most once,
     * before the simulation starts. Aborts if a flow is invalid; see CheckFlows().
     *
     * If a host has several NICs, its flows take turns among the NICs that have the shortest path
     * to the host at the other end of the flow.
     *
     * @param flows the flows in any order; flows with equal start times start in list order
     */
    void StartFlows(FlowList flows);

    /// Starts the flows of a source instead of a list. Only flows under way are kept in memory.
    /// Call this at most once, before the simulation starts. The receiving NICs forget acknowledged
    /// flows; see ForgetFlow(). A source requires a single rank. Hosts must have a single NIC,
    /// because the choice among several NICs depends on the earlier flows of the host. The program
    /// aborts before an invalid flow starts; the existence of paths is not checked.
    void StartSource(std::shared_ptr<const FlowSource> source);

    /// @return the progress of the source passed to StartSource(), or null if there is none
    const SourceProgress* GetSourceProgress() const
    {
        return m_progress.get();
    }

    /// Runs a flow graph instead of a flow list. Call this at most once, before the simulation
    /// starts. Aborts if the graph is invalid; see FlowGraph::Check(). GetFlows() then returns the
    /// flows of the graph with their earliest start times.
    /// @param graph the graph; see GraphRunner for how hosts are notified of each other's progress
    void StartGraph(FlowGraph graph);

    /// @return the runner of the graph passed to StartGraph(), or null if there is none
    const GraphRunner* GetGraphRunner() const
    {
        return m_runner.get();
    }

    /// The event that ends a flow.
    enum class FlowEnd : uint8_t
    {
        RECEIVED,     ///< the last byte has arrived
        ACKNOWLEDGED, ///< the sender has received all acknowledgements
    };

    /**
     * Stops the simulation when all flows passed to this object have completed. Call this after
     * passing the flows. Without flows, the simulation stops after the grace period. The function
     * does not wait for other flows, such as those of TcpFlows; a run with such flows must end with
     * Simulator::Stop().
     *
     * The start of the last flow of a graph is not known in advance. A run with StartGraph()
     * therefore ends when all steps have completed or when there is no progress.
     *
     * @param grace the time after which the simulation stops in any case, counted from the start of
     * the last flow or from now, whichever is later; at most GetLatestStart(). For a graph, see
     * GraphRunner::StopWhenDone().
     * @param end the event that ends a flow
     */
    void StopWhenFlowsAreDone(Time grace, FlowEnd end = FlowEnd::RECEIVED);

    /// Adds a source of raw frames to a host. The frames travel from the first NIC of this host to
    /// the first NIC of another host.
    /// @param from the index of the sending host
    /// @param to the index of the receiving host
    void InstallSource(const Ptr<RawSource>& source, uint32_t from, uint32_t to) const;

    /// Installs a RawSink at the first NIC of a host unless the NIC already has one.
    /// @return the sink, which counts the raw frames that arrive there
    Ptr<RawSink> InstallSink(uint32_t host) const;

    /// Makes a switch forward all frames for a host's first NIC to one neighbour of the switch. A
    /// later Reroute() replaces this route. Aborts if there is no link to the neighbour.
    /// @param node the name of the switch
    /// @param host the host index of the destination
    /// @param next the name of the neighbour
    void PinRoute(const std::string& node, uint32_t host, const std::string& next) const;

    /// Starts flows over ns-3 TCP between hosts that have the ns-3 Internet stack. The flows use
    /// the addresses of the hosts' first NICs. Aborts if a flow is invalid; see CheckFlows().
    /// @param tcp the sender; see TcpFlows::Start()
    /// @param flows the flows in any order
    void StartTcpFlows(const Ptr<TcpFlows>& tcp, const FlowList& flows) const;

    /// @return the flows, sorted by start time; the list for a graph or a source is created on
    /// demand
    const FlowList& GetFlows() const;
    /// @return the number of flows. This call allocates no memory.
    std::size_t CountFlows() const;
    /// @return the start time of the last flow of a list or a source, or 0 if there is none
    Time GetLastStart() const;
    /// Visits all flows without creating a list of those that a source or a graph's rules generate.
    void VisitFlows(const std::function<void(const FlowSpec&)>& visit) const;

    /**
     * Returns the flow completion time on the idle network, that is, the time from the first bit
     * sent to the last bit received. Switches are store-and-forward and have no processing delay.
     * The result applies to the NICs that the flow uses. A flow that was not passed to this object
     * is assumed to use the first pair of NICs with the shortest path.
     *
     * Consider a flow of several frames, the last of which may be shorter. The full frames leave
     * each link at the rate of the slowest link so far, and the last frame follows them. FrameTrain
     * computes these times link by link. If all links are identical, the result is the sum of the
     * delays of all links, the transmission time of all frames on the first link, and that of the
     * last frame on each further link. Gaps ("GapBytes") are counted between frames, but not after
     * the last frame.
     *
     * Devices round down to nanoseconds, so a simulated flow can be up to 1 ns per link faster than
     * this result.
     */
    Time GetIdealFct(const FlowSpec& flow) const;

    /// @return the transit time of an acknowledgement on the idle network, from the first bit sent
    /// by the flow's receiving NIC to the last bit received by its sending NIC
    Time GetIdealAcknowledgementTime(const FlowSpec& flow) const;

    /// The two ends of a flow.
    struct FlowEnds
    {
        Ptr<RoceNic> sender;       ///< NIC of the source
        Ptr<RoceNic> receiver;     ///< NIC of the destination
        RoceConnection connection; ///< parameters that both ends share
    };

    /// @return the two ends of a flow, not yet open
    FlowEnds Connect(const FlowSpec& flow) const;

    /// @return the transit time of a packet with one byte of payload between two hosts on the idle
    /// network
    Time GetNoticeTime(uint32_t from, uint32_t to) const;

  private:
    /// The NICs of a flow, as port numbers of their hosts.
    struct NicPair
    {
        uint32_t sender{0};
        uint32_t receiver{0};
    };

    /// The ID, source and destination of a flow.
    using FlowIdentity = std::tuple<uint64_t, uint32_t, uint32_t>;

    /// Adds the addresses of all other hosts to an ARP cache.
    /// @param owner the index of the host that owns the cache
    void FillArpCache(Ptr<ArpCache> cache, uint32_t owner) const;
    /// Aborts if the port does not exist.
    void RequirePort(uint32_t host, uint32_t port) const;
    /// Registers the nodes in ns3::Names where possible.
    void EnterNames();
    void CreateLinks();
    /// @param nics the factory for the NICs
    /// @param addresses the addresses of the NICs, in order of host and port
    void CreateNics(const ObjectFactory& nics, const std::vector<Ipv4Address>& addresses);
    void InstallRoutes(const RoutePlan& plan);
    /// Chooses the NICs for all flows.
    void ChooseNics();
    /// @param turn the number of earlier flows from the same source
    /// @return the next pair of NICs in turn, among the pairs with the shortest path
    NicPair FindNics(const FlowSpec& flow, uint32_t turn) const;
    NicPair GetNics(const FlowSpec& flow) const;
    /// @return a shortest path between the NICs, as a path in m_topology
    std::vector<PathStep> GetNicPath(const FlowSpec& flow, const NicPair& nics) const;
    /// @return the ideal flow completion time; see GetIdealFct()
    Time GetIdealTime(const FlowSpec& flow, const NicPair& nics) const;
    /// Sets the system ID of each node to its rank.
    void PlaceOnRanks();
    /// Stops the simulation if all flows have completed.
    /// @param counts the arrivals since the last call
    void NoteArrivals(const NetworkTally::Counts& counts);
    /// Aborts if flows have already been passed.
    /// @param caller the name of the calling function
    void RequireNoFlows(const std::string& caller) const;
    /// @return the next flow to hand over, or null after the last one
    const FlowSpec* GetNextFlow() const;
    /// Starts the flows that are due soon, and schedules the next call.
    void StartDueFlows();
    /// Schedules the opening of both ends of a flow. Each end opens in an event of its host.
    void HandOver(const FlowSpec& spec, Time delay) const;

    Topology m_topology;
    Topology m_nicTopology;                     ///< m_topology with each NIC as a separate host
    std::vector<uint32_t> m_nodeOfNicNode;      ///< node index in m_topology of each node of
                                                ///< m_nicTopology
    RouteTables m_routes;                       ///< routes of m_nicTopology
    NodeContainer m_nodes;                      ///< nodes, by node index of the topology
    std::vector<Ptr<LosslessChannel>> m_cables; ///< cables, by link index of the topology
    std::vector<uint32_t> m_firstNic;           ///< index in m_nicTopology of each host's first NIC
    std::vector<std::vector<Ipv4Address>> m_addresses; ///< by host and port
    std::vector<std::vector<Ptr<RoceNic>>> m_nics;     ///< by host and port
    mutable FlowList m_flows;                          ///< see GetFlows()
    bool m_isShortest{false};                      ///< true if the routes are ShortestPathRoutes
    std::map<FlowIdentity, NicPair> m_nicsOfFlows; ///< chosen NICs of those flows that have several
                                                   ///< possible pairs
    std::size_t m_nextFlow{0};                     ///< index of the first flow that has not been
                                                   ///< handed over
    EventId m_flowStart;                           ///< event of the next call to StartDueFlows()
    NetworkTally m_arrivals;                       ///< counts completed flows
    /// True for the listeners of the latest call to StopWhenFlowsAreDone(), false for those of
    /// earlier calls.
    std::shared_ptr<bool> m_isCounting{std::make_shared<bool>(true)};
    uint64_t m_arrived{0};
    uint64_t m_lastArrival{0};                                     ///< tick of the last arrival
    std::unique_ptr<GraphRunner> m_runner;                         ///< null if there is no graph
    std::unique_ptr<SourceProgress> m_progress;                    ///< null if there is no source
    std::shared_ptr<bool> m_isAlive{std::make_shared<bool>(true)}; ///< false once destroyed
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FABRIC_H */
