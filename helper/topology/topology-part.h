// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TOPOLOGY_PART_H
#define LOSSLESS_TOPOLOGY_PART_H

#include "lossless-topology.h"

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
 * A type of network for `--topology`. Its attributes determine the size and links of the network.
 */
class TopologyPart : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return a message about an error in the attributes, or nothing if Make() will succeed
    virtual std::optional<std::string> Check() const;

    /// @return the network
    virtual Topology Make() const = 0;
};

/// A registered type of network for `--topology`.
struct TopologyInfo : public PartOf<TopologyPart>
{
    /// The options that are aliases of attributes; see StrictCommandLine::AddAttribute().
    std::vector<std::pair<std::string, std::string>> options;
};

/// Registers a type of network.
template <typename TOPOLOGY>
using RegisterTopology = RegisterPart<TOPOLOGY, TopologyInfo>;

/// A network with one rate for host links, one rate for links between switches, and one delay.
/// Subclasses may add other links.
class RegularTopology : public TopologyPart
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  protected:
    /// @return the rate of host links
    DataRate GetHostRate() const;
    /// @return the rate of the links between switches
    DataRate GetFabricRate() const;
    /// @return the propagation delay of every link
    Time GetDelay() const;

  private:
    DataRate m_hostRate;   ///< rate of host links
    DataRate m_fabricRate; ///< rate of links between switches; 0 to use m_hostRate
    Time m_delay;          ///< delay of every link
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TOPOLOGY_PART_H */
