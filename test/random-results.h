// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOSSLESS_RANDOM_RESULTS_H
#define LOSSLESS_RANDOM_RESULTS_H

#include "ns3/lossless-fabric.h"
#include "ns3/lossless-topology.h"
#include "ns3/lossless-workload.h"
#include "ns3/object-factory.h"
#include "ns3/switch-helper.h"

#include <cstdint>
#include <random>
#include <string>

namespace ns3::lossless::tests
{

/// A random network with random flows, of which all results are written.
class RandomResults
{
  public:
    /// @param seed of everything random, and number of the scheme: as many seeds in turn have all
    explicit RandomResults(uint32_t seed);

    /// @return the network
    const Topology& GetTopology() const
    {
        return m_topology;
    }

    /// Simulates. @param folder for the results
    void Run(const std::string& folder);

  private:
    /// @param least smallest @param most largest @return a random number between them
    uint32_t Draw(uint32_t least, uint32_t most);

    /// @return a small network with unequal delays
    Topology DrawTopology();

    /// @param tree a topology @param a a node of it @param b another one, to which it gets a link
    void Link(Topology& tree, uint32_t a, uint32_t b);

    /// @return switches of a scheme over one of its policies
    SwitchHelper DrawSwitches();

    /// @return NICs with a congestion control
    ObjectFactory DrawNics();

    /// @param topology the network @return flows among all hosts, and several to one at once
    FlowList DrawFlows(const Topology& topology);

    /// @param flows some flows @return the first of them, in a class of their own
    static FlowList DrawFew(FlowList flows);

    /// Cuts and mends links at random times. @param fabric the network
    void DrawFlaps(const Fabric& fabric);

    uint32_t m_seed;       ///< of everything
    std::mt19937 m_random; ///< with that seed
    Topology m_topology;   ///< see GetTopology()
};

/// @param folder a result folder @return the tables of it, name after name
std::string ReadTables(const std::string& folder);

} // namespace ns3::lossless::tests

#endif /* LOSSLESS_RANDOM_RESULTS_H */
