// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TOPOLOGY_PART_H
#define LOSSLESS_TOPOLOGY_PART_H

#include "lossless-topology.h"
#include "topology-options.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/part-registry.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A kind of network, which `--topology` names. Its size and its links are attributes.
 */
class TopologyPart : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @return what is wrong with the attributes; nothing: Make() gives a network
    virtual std::optional<std::string> Check() const;

    /// @return the network
    virtual Topology Make() const = 0;
};

/// Of a kind of network, for `--topology`.
struct TopologyInfo : public PartOf<TopologyPart>
{
    /// Options that are other names of its attributes, see StrictCommandLine::AddAttribute().
    std::vector<std::pair<std::string, std::string>> options;
};

/// Registers a kind of network. @tparam TOPOLOGY its class
template <typename TOPOLOGY>
using RegisterTopology = RegisterPart<TOPOLOGY, TopologyInfo>;

/// A network whose links to hosts are alike, and so are all others.
class RegularTopology : public TopologyPart
{
  public:
    /// @return the type
    static TypeId GetTypeId();

  protected:
    /// @return rate of the hosts' links
    DataRate GetHostRate() const;
    /// @return rate of the links between switches
    DataRate GetFabricRate() const;
    /// @return propagation delay of every link
    Time GetDelay() const;

  private:
    DataRate m_hostRate;   ///< of the hosts' links
    DataRate m_fabricRate; ///< of all others; 0: the same
    Time m_delay;          ///< of every link
};

/// Topology::Star().
class StarTopology : public RegularTopology
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    std::optional<std::string> Check() const override;
    Topology Make() const override;

  private:
    /// @return the attributes, as the builder takes them
    StarOptions GetOptions() const;

    uint32_t m_hosts{0}; ///< hosts
};

/// Topology::Dumbbell().
class DumbbellTopology : public RegularTopology
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    std::optional<std::string> Check() const override;
    Topology Make() const override;

  private:
    /// @return the attributes, as the builder takes them
    DumbbellOptions GetOptions() const;

    uint32_t m_left{0};  ///< hosts at the first switch
    uint32_t m_right{0}; ///< hosts at the second switch
};

/// Topology::LeafSpine().
class LeafSpineTopology : public RegularTopology
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    std::optional<std::string> Check() const override;
    Topology Make() const override;

  private:
    /// @return the attributes, as the builder takes them
    LeafSpineOptions GetOptions() const;

    uint32_t m_leaves{0};       ///< leaf switches
    uint32_t m_spines{0};       ///< spine switches
    uint32_t m_hostsPerLeaf{0}; ///< hosts at each leaf
};

/// Topology::FatTree().
class FatTreeTopology : public RegularTopology
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    std::optional<std::string> Check() const override;
    Topology Make() const override;

  private:
    /// @return the attributes, as the builder takes them
    FatTreeOptions GetOptions() const;

    uint32_t m_k{0};              ///< ports of a switch
    uint32_t m_pods{0};           ///< pods; 0: k
    double m_oversubscription{0}; ///< hosts of an edge switch divided by its uplinks
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TOPOLOGY_PART_H */
