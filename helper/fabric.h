// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FABRIC_H
#define LOSSLESS_FABRIC_H

#include "lossless-helper.h"
#include "route-computation.h"
#include "switch-helper.h"
#include "topology.h"
#include "workload.h"

#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/roce-nic.h"

#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A network of ns-3 nodes built from a Topology: switches that know all routes, and hosts with
 * one RoCE NIC per port.
 *
 * Port n of a node is its device n. NICs get the addresses 10.0.0.1, 10.0.0.2, ... in the order of
 * hosts and their ports. A failed link is there, but down.
 */
class Fabric
{
  public:
    /**
     * Builds the network; a topology that cannot work stops the program.
     * @param topology nodes and links
     * @param switches makes the switches
     * @param nics makes the RoCE NICs: attributes of RoceNic may be set
     */
    Fabric(const Topology& topology,
           const SwitchHelper& switches,
           const ObjectFactory& nics = ObjectFactory("ns3::lossless::RoceNic"));

    ~Fabric();
    Fabric(const Fabric&) = delete;
    Fabric& operator=(const Fabric&) = delete;

    /// @return what it was built from
    const Topology& GetTopology() const;
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
    /// @param host a host index @param port one of its ports @return the address of the device
    Ipv4Address GetAddress(uint32_t host, uint32_t port = 0) const;
    /// @param host a host index @param port one of its ports @return its NIC
    Ptr<RoceNic> GetNic(uint32_t host, uint32_t port = 0) const;

    /**
     * Installs ns-3's Internet stack on all hosts, with the addresses of their NICs in one subnet
     * 10.0.0.0/8. Addresses are resolved by ARP through the switches.
     */
    void InstallInternetStack();

    /**
     * Fixes all random numbers of the switches.
     * @param stream first stream to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Starts flows at their times, from now on; may be called once before the simulation runs.
     * The flow from a host uses the NIC whose turn it is among its ports.
     * @param flows the flows, sorted by start
     */
    void StartFlows(FlowList flows);

    /**
     * Ends the simulation when all flows given to StartFlows() have arrived in full.
     * @param grace ends it this long after the start of the last flow in any case
     */
    void StopWhenFlowsAreDone(Time grace);

    /// @return the flows given to StartFlows()
    const FlowList& GetFlows() const;

    /**
     * The flow completion time on the idle network: first bit out to last bit in, through
     * store-and-forward switches without processing delay.
     *
     * With n frames of which the last may be shorter, over links i with delay d(i) and
     * transmission times t(i) for a full frame: the full ones leave link i back to back at the
     * pace of the slowest link so far, and the last one follows behind them; see the code for the
     * recursion. For equal links it is sum of d(i), plus all frames on the first link, plus the
     * last frame on each further link.
     *
     * @param flow a flow
     * @return that time
     */
    Time GetIdealFct(const FlowSpec& flow) const;

  private:
    /// Connects all nodes.
    void CreateLinks();
    /// Gives every host its addresses and NICs. @param nics makes the NICs
    void CreateNics(const ObjectFactory& nics);
    /// Tells the switches all routes.
    void InstallRoutes();
    /// A flow has arrived. @param record the flow
    void CountArrival(const FlowRecord& record);
    /// Starts the flows that are due, and waits for the next.
    void StartDueFlows();

    Topology m_topology;                               ///< nodes and links
    RouteTables m_routes;                              ///< by node of the topology
    NodeContainer m_nodes;                             ///< by node of the topology
    std::vector<std::vector<Ipv4Address>> m_addresses; ///< by host and port
    std::vector<std::vector<Ptr<RoceNic>>> m_nics;     ///< by host and port
    std::vector<uint32_t> m_nicTurn;                   ///< by host: flows started
    FlowList m_flows;                                  ///< to start
    std::size_t m_nextFlow{0};                         ///< first that has not started
    EventId m_flowStart;                               ///< when that is due
    std::size_t m_arrived{0};                          ///< flows that have arrived
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FABRIC_H */
