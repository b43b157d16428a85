// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOSSLESS_TOPOLOGY_H
#define LOSSLESS_TOPOLOGY_H

#include "topology-options.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3::lossless
{

/// The layer of the switches within a GPU server.
inline constexpr const char* NVSWITCH_LAYER = "nvswitch";

/**
 * A description of a network with names, links and port numbers. It contains no ns-3 nodes.
 *
 * Each node has a node index, in order of creation. Each host also has a host index, which counts
 * only hosts. Flows and route tables identify hosts by host index. A node's links use its ports in
 * the order in which they are added, starting at port 0. A failed link keeps its port numbers but
 * carries no traffic.
 *
 * The builders create the hosts first, so the node index of a host equals its host index. They
 * attach the hosts of a switch before its other links, so hosts are on the lowest-numbered ports.
 * Hosts are named h0, h1, ..., and switches are named s0, leaf0, spine0, edge0, agg0, core0 and so
 * on. Edge and aggregation switches are numbered pod by pod. Aggregation switch j of each pod
 * connects to core switches j*k/2 to j*k/2 + k/2 - 1. Port p of a core switch connects to pod p.
 */
class Topology
{
  public:
    /// The type of a node.
    enum class NodeKind : uint8_t
    {
        HOST,
        SWITCH
    };

    /// A node of the network.
    struct NodeInfo
    {
        std::string name;  ///< name, which must be unique
        NodeKind kind;     ///< type of the node
        std::string layer; ///< "host", "leaf", "spine", "edge", "aggregation", "core", "switch"...
    };

    /// A full-duplex link.
    struct LinkInfo
    {
        uint32_t nodeA;      ///< node index of one end
        uint32_t nodeB;      ///< node index of the other end
        DataRate rate;       ///< rate in each direction
        Time delay;          ///< propagation delay
        double errorRate{0}; ///< fraction of frames that arrive corrupted, from 0 to 1
        bool failed{false};  ///< true if the link carries no traffic
    };

    /// One end of a link, as seen from the node that has the port.
    struct PortInfo
    {
        uint32_t link; ///< index of the link
        uint32_t peer; ///< node index of the other end of the link
    };

    /// Adds a host.
    /// @param name the name, which must be unique
    /// @return the node index of the host
    uint32_t AddHost(const std::string& name);

    /// Adds a switch.
    /// @param name the name, which must be unique
    /// @param layer the layer, such as "leaf"
    /// @return the node index of the switch
    uint32_t AddSwitch(const std::string& name, const std::string& layer = "switch");

    /// Connects two nodes. Each node uses its next free port.
    /// @param rate the rate in each direction
    /// @param delay the propagation delay
    /// @param errorRate the fraction of frames that arrive corrupted, from 0 to 1
    /// @return the index of the link
    uint32_t AddLink(uint32_t nodeA,
                     uint32_t nodeB,
                     DataRate rate,
                     Time delay,
                     double errorRate = 0);

    /// Adds a link, which may be marked as failed. Each node uses its next free port.
    /// @return the index of the link
    uint32_t AddLink(const LinkInfo& link);

    /// Connects two nodes given by their names. Aborts if a name is unknown.
    uint32_t AddLink(const std::string& nodeA,
                     const std::string& nodeB,
                     DataRate rate,
                     Time delay,
                     double errorRate = 0);

    /// Marks all links between two nodes as failed. Aborts if there are no links.
    void FailLink(const std::string& nodeA, const std::string& nodeB);

    /// Marks a link as failed.
    void FailLink(uint32_t link);

    /// @return the reason why FailLink() would reject the names, or nothing if there is a link
    /// between the nodes
    std::optional<std::string> CheckLink(const std::string& nodeA, const std::string& nodeB) const;

    /// @return the nodes, by node index
    const std::vector<NodeInfo>& GetNodes() const
    {
        return m_nodes;
    }

    /// @return the links, by link index
    const std::vector<LinkInfo>& GetLinks() const
    {
        return m_links;
    }

    /// @return the node indices of the hosts, by host index
    const std::vector<uint32_t>& GetHosts() const
    {
        return m_hosts;
    }

    /// @return the node indices of the switches, in order of creation
    const std::vector<uint32_t>& GetSwitches() const
    {
        return m_switches;
    }

    /// @return the name of a host
    const std::string& GetHostName(uint32_t host) const;

    /// @return the ports of a node, by port number
    const std::vector<PortInfo>& GetPorts(uint32_t node) const;

    /// @return the index of the node with this name, or nothing if there is none
    std::optional<uint32_t> FindNode(const std::string& name) const;

    /// @return the host index of a node, or nothing if the node is a switch
    std::optional<uint32_t> FindHostIndex(uint32_t node) const;

    /// @return the indices of the links between two nodes, including failed links, in order of
    /// creation
    std::vector<uint32_t> FindLinks(uint32_t nodeA, uint32_t nodeB) const;

    /// @return the rate at which a host can receive from other hosts, which is the total rate of
    /// its working links. Links to NVSwitches count only if the host has no other working links.
    DataRate GetHostRate(uint32_t host) const;

    /// Identifies a host's rack. A rack consists of all hosts attached to the same switch.
    /// @return the node index of the switch at the host's first port, even if that link has failed,
    /// or the host's own node index if there is no switch at this port
    uint32_t GetRack(uint32_t host) const;

    /// Rejects networks without hosts, duplicate names, names that are not allowed in a CSV file,
    /// links from a node to itself, rates of zero, negative delays, and error rates outside the
    /// range 0 to 1. Links of hosts and paths between hosts are not checked here, since only flows
    /// need them; see Reachability.
    /// @return a description of the first problem found, if any
    std::optional<std::string> Validate() const;

    /// Aborts if Validate() finds a problem.
    /// @param origin the start of the message, usually the file or option that defines the network
    void AbortIfInvalid(const std::string& origin = "Topology") const;

    /// Builds a star.
    static Topology Star(const StarOptions& options = {});

    /// Builds a dumbbell.
    static Topology Dumbbell(const DumbbellOptions& options = {});

    /// Builds a chain of switches.
    static Topology Line(const LineOptions& options = {});

    /// Builds a leaf-spine network.
    static Topology LeafSpine(const LeafSpineOptions& options = {});

    /// Builds a fat-tree.
    static Topology FatTree(const FatTreeOptions& options = {});

    /**
     * Reads a list of links. Aborts if the file is malformed; the message contains the file name,
     * the line number and the allowed values.
     *
     * The header names the columns `node_a,node_b,rate,delay` and optionally `error_rate` (0 to 1),
     * `failed` (0 or 1), `kind_a` and `kind_b` ("host" or "switch"), in any order. Rates must have
     * a unit (bps, kbps, Mbps, Gbps or Tbps), as must delays (s, ms, us, ns or ps). Empty lines and
     * lines that start with # are skipped.
     *
     * Without a kind column, a node whose name is the letter h followed by a number (such as h12 or
     * H3) is a host, and any other node is a switch. Hosts with such names are ordered by number,
     * and other hosts follow in order of appearance. Switches are also in order of appearance. The
     * layer of a switch is its name without trailing digits, except that "agg" becomes
     * "aggregation". If the name consists of "s" and digits, or of digits only, the layer is
     * "switch".
     *
     * The network as a whole is not validated; see Validate().
     */
    static Topology FromCsv(const std::string& path);

    /// Reads a list of links as FromCsv() does, but reports errors by an exception.
    /// @throws FileComplaint with the file name and line number
    static Topology ParseCsv(std::istream& input, const std::string& fileName);

    /// Writes the links, with all columns that FromCsv() accepts.
    void ToCsv(std::ostream& output) const;

  private:
    /// Adds a node.
    /// @return the index of the node
    uint32_t AddNode(NodeInfo node);

    /// @return the index of the node with this name; aborts if there is no such node
    uint32_t RequireNode(const std::string& name) const;

    /// @return the first error in a node, if any
    std::optional<std::string> ValidateNodes() const;

    /// @return the first error in a link, if any
    std::optional<std::string> ValidateLinks() const;

    std::vector<NodeInfo> m_nodes;
    std::vector<LinkInfo> m_links;
    std::vector<std::vector<PortInfo>> m_ports; ///< ports, by node index and port number
    std::vector<uint32_t> m_hosts;              ///< node indices, by host index
    std::vector<uint32_t> m_switches;           ///< node indices of the switches
    std::vector<uint32_t> m_hostIndex;          ///< host indices, by node index; unused for
                                                ///< switches
    std::unordered_map<std::string, uint32_t> m_indexByName; ///< index of the first node with each
                                                             ///< name
};

} // namespace ns3::lossless

#endif // LOSSLESS_TOPOLOGY_H
