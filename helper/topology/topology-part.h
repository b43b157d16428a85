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
 * A kind of network, for `--topology`. Its size and links are attributes.
 */
class TopologyPart : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @return what is wrong with the attributes; nothing: Make() succeeds
    virtual std::optional<std::string> Check() const;

    /// @return the network
    virtual Topology Make() const = 0;
};

/// A registered kind of network, for `--topology`.
struct TopologyInfo : public PartOf<TopologyPart>
{
    /// Options that are other names of its attributes, see StrictCommandLine::AddAttribute().
    std::vector<std::pair<std::string, std::string>> options;
};

/// Registers a kind of network.
template <typename TOPOLOGY>
using RegisterTopology = RegisterPart<TOPOLOGY, TopologyInfo>;

/// A network with identical links to hosts and identical other links.
class RegularTopology : public TopologyPart
{
  public:
    /// @return the type
    static TypeId GetTypeId();

  protected:
    /// @return rate of host links
    DataRate GetHostRate() const;
    /// @return rate of the links between switches
    DataRate GetFabricRate() const;
    /// @return propagation delay of every link
    Time GetDelay() const;

  private:
    DataRate m_hostRate;   ///< of host links
    DataRate m_fabricRate; ///< of other links; 0: that of host links
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
    /// @return attributes, as options of the builder
    StarOptions GetOptions() const;

    uint32_t m_hosts{0};
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
    /// @return attributes, as options of the builder
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
    /// @return attributes, as options of the builder
    LeafSpineOptions GetOptions() const;

    uint32_t m_leaves{0};
    uint32_t m_spines{0};
    uint32_t m_hostsPerLeaf{0};
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
    /// @return attributes, as options of the builder
    FatTreeOptions GetOptions() const;

    uint32_t m_k{0};              ///< ports of a switch
    uint32_t m_pods{0};           ///< 0: k
    double m_oversubscription{0}; ///< hosts of an edge switch divided by its uplinks
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TOPOLOGY_PART_H */
