// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RANDOM_TREE_H
#define LOSSLESS_RANDOM_TREE_H

#include "test-network.h"

#include "ns3/lossless-fabric.h"
#include "ns3/lossless-topology.h"
#include "ns3/random-variable-stream.h"
#include "ns3/switch-node.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::lossless::tests
{

/**
 * A random network without circles under random traffic, for attacks on one scheme: what such
 * attacks have in common. All that is random comes from one stream, so that a seed tells a run.
 */
class RandomTree
{
  protected:
    /// @param seed of everything random
    explicit RandomTree(int64_t seed);

    /// @param least smallest @param most largest @return a random number between them
    uint32_t Draw(uint32_t least, uint32_t most);
    /// @param text values @return one of them
    std::string DrawOf(const std::vector<std::string>& text);
    /// @return up to four switches, three to seven hosts
    Topology DrawTopology();
    /// @param node a switch of the network @return its ports, with a memory without end: a policy
    /// then tells what it sets aside
    SwitchShape MakeShape(const SwitchNode& node) const;
    /// Makes the hosts, and has them send.
    void DrawTraffic();
    /// @param device where frames arrive that may be corrupt
    void DrawErrors(LosslessNetDevice& device);
    /// @param device at an end of a cable that may be cut and mended
    void DrawFlap(LosslessNetDevice& device);
    /// Notes when the last frame of flow control leaves. @param node a switch
    void WatchControl(const SwitchNode& node);
    /// @return what is wrong with the hosts and with flow control at the end; empty: nothing
    std::string DescribeEnd() const;

    /// Runs the network to its end. @param latest of the checks @param check called at 200 random
    /// times
    template <typename Check>
    void RunWith(Time latest, Check check)
    {
        for (uint32_t i = 0; i < 200; ++i)
        {
            Simulator::Schedule(NanoSeconds(Draw(0, latest.GetNanoSeconds())), check);
        }
        Simulator::Stop(MilliSeconds(500));
        Simulator::Run();
    }

    Ptr<UniformRandomVariable> m_random;            ///< of everything
    uint32_t m_mtu{1500};                           ///< of all devices, bytes
    std::unique_ptr<Fabric> m_fabric;               ///< the network
    std::vector<std::unique_ptr<TestHost>> m_hosts; ///< its hosts
    Time m_latest; ///< when the latest frame of flow control left, or what else a test notes

  private:
    /// A frame of flow control leaves a switch.
    void NotifyControl(PortId /* port */, Ptr<const Packet> /* frame */);
};

} // namespace ns3::lossless::tests

#endif /* LOSSLESS_RANDOM_TREE_H */
