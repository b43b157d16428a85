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

/// Layer of switches within a server of GPUs.
inline constexpr const char* NVSWITCH_LAYER = "nvswitch";

/**
 * A plain description of a network: names, links and port numbers, without ns-3 nodes.
 *
 * Nodes have an index in the order of creation; hosts have a second number, the host index, which
 * counts only hosts and is used by flows and route tables. The n-th link added to a node is the
 * node's port n, counted from 0; a failed link keeps its port numbers and carries nothing.
 *
 * The builders create the hosts first, so the node index of a host equals its host index, and
 * attach the hosts of a switch before its other links, so they have its lowest ports. Names are h0,
 * h1, ... for hosts and s0.., leaf0.., spine0.., edge0.., agg0.., core0.. for switches; edge and
 * aggregation switches are numbered pod by pod. Aggregation switch j of every pod is connected to
 * the cores j*k/2 to j*k/2 + k/2 - 1; core switches have pod p on port p.
 */
class Topology
{
  public:
    /// Kind of node.
    enum class NodeKind : uint8_t
    {
        HOST,
        SWITCH
    };

    /// A node of the network.
    struct NodeInfo
    {
        std::string name;  ///< unique
        NodeKind kind;     ///< host or switch
        std::string layer; ///< "host", "leaf", "spine", "edge", "aggregation", "core", "switch"...
    };

    /// A full-duplex link.
    struct LinkInfo
    {
        uint32_t nodeA;      ///< node index of one end
        uint32_t nodeB;      ///< node index of the other end
        DataRate rate;       ///< per direction
        Time delay;          ///< propagation delay
        double errorRate{0}; ///< share of frames that arrive corrupted, 0 to 1
        bool failed{false};  ///< carries nothing
    };

    /// One end of a link, seen from the node that owns the port.
    struct PortInfo
    {
        uint32_t link; ///< link index
        uint32_t peer; ///< node index of the other end
    };

    /// @param name unique
    /// @return the node index of a new host
    uint32_t AddHost(const std::string& name);

    /// Adds a switch.
    /// @param name unique
    /// @param layer for example "leaf"
    /// @return the node index
    uint32_t AddSwitch(const std::string& name, const std::string& layer = "switch");

    /// Connects two nodes, each by its next free port.
    /// @param rate per direction
    /// @param delay of propagation
    /// @param errorRate share of frames that arrive corrupted, 0 to 1
    /// @return the link index
    uint32_t AddLink(uint32_t nodeA,
                     uint32_t nodeB,
                     DataRate rate,
                     Time delay,
                     double errorRate = 0);

    /// As above, with names of nodes; an unknown name aborts.
    uint32_t AddLink(const std::string& nodeA,
                     const std::string& nodeB,
                     DataRate rate,
                     Time delay,
                     double errorRate = 0);

    /// Fails every link between two nodes; aborts if there is none.
    void FailLink(const std::string& nodeA, const std::string& nodeB);

    /// Fails one link, by its index.
    void FailLink(uint32_t link);

    /// @return why FailLink() would reject a pair of names, or nothing if there is such a link
    std::optional<std::string> CheckLink(const std::string& nodeA, const std::string& nodeB) const;

    /// @return the nodes by node index
    const std::vector<NodeInfo>& GetNodes() const
    {
        return m_nodes;
    }

    /// @return the links by link index
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

    /// @return the ports of a node, by port number
    const std::vector<PortInfo>& GetPorts(uint32_t node) const;

    /// @return the node index of a name, or nothing
    std::optional<uint32_t> FindNode(const std::string& name) const;

    /// @return the host index of a node, or nothing for a switch
    std::optional<uint32_t> FindHostIndex(uint32_t node) const;

    /// @return indices of the links between two nodes, failed ones included, in order of creation
    std::vector<uint32_t> FindLinks(uint32_t nodeA, uint32_t nodeB) const;

    /// @return the rate at which a host can receive from others: the sum over its working links,
    /// without those to NVSwitches unless it has no others
    DataRate GetHostRate(uint32_t host) const;

    /// Identifies the rack of a host: all hosts at the same switch.
    /// @return the node index of the switch at the host's first port, failed or not; the host's own
    /// node index if that port leads to another host or does not exist
    uint32_t GetRack(uint32_t host) const;

    /// Checks for: no host, a name used twice or unfit for a CSV file, a host without a working
    /// link, a link from a node to itself, a rate of zero, a negative delay, and an error rate
    /// outside 0 to 1. For paths between hosts, see Reachability.
    /// @return one sentence about the first problem found, or nothing
    std::optional<std::string> Validate() const;

    /// Aborts if Validate() finds a problem.
    /// @param origin start of the message: a file, or an option that names the network
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
     * Reads a list of links; a malformed file aborts with file, line and what is allowed.
     *
     * The header names the columns `node_a,node_b,rate,delay` and optionally `error_rate` (0 to 1),
     * `failed` (0 or 1), `kind_a` and `kind_b` ("host" or "switch"), in any order. Rates need a
     * unit (bps, kbps, Mbps, Gbps, Tbps), and so do delays (s, ms, us, ns, ps). Empty lines and
     * lines that start with # are skipped.
     *
     * Without a kind, a name of the letter h and a number (h12, H3) is a host and any other a
     * switch. Hosts are ordered by that number; other hosts follow in order of appearance, and so
     * do the switches. The layer of a switch is its name without the final digits, where "agg"
     * means "aggregation", and "s" and a name of digits only mean "switch".
     *
     * The network as a whole is not checked, see Validate().
     */
    static Topology FromCsv(const std::string& path);

    /// As FromCsv(), but returns the error.
    /// @param [out] topology unchanged after an error
    /// @return one sentence with file and line, or nothing
    static std::optional<std::string> ParseCsv(std::istream& input,
                                               const std::string& fileName,
                                               Topology& topology);

    /// Writes the links, with all columns that FromCsv() knows.
    void ToCsv(std::ostream& output) const;

  private:
    /// @return the node index of a new node
    uint32_t AddNode(NodeInfo node);

    /// @return the node index of a name; an unknown name aborts
    uint32_t RequireNode(const std::string& name) const;

    /// @return the first error in a node, if any
    std::optional<std::string> ValidateNodes() const;

    /// @return the first error in a link, if any
    std::optional<std::string> ValidateLinks() const;

    std::vector<NodeInfo> m_nodes;
    std::vector<LinkInfo> m_links;
    std::vector<std::vector<PortInfo>> m_ports;              ///< by node index and port number
    std::vector<uint32_t> m_hosts;                           ///< node index by host index
    std::vector<uint32_t> m_switches;                        ///< node indices
    std::vector<uint32_t> m_hostIndex;                       ///< by node index; unused for switches
    std::unordered_map<std::string, uint32_t> m_indexByName; ///< first node of each name
};

} // namespace ns3::lossless

#endif // LOSSLESS_TOPOLOGY_H
