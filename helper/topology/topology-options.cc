// SPDX-License-Identifier: GPL-2.0-only
#include "topology-options.h"

#include "topology-checks.h"

#include <cmath>
#include <numeric>
#include <sstream>

namespace ns3::lossless
{

namespace
{

/// @return a complaint if a number for each leaf makes more than a network can have
std::optional<std::string>
CheckProduct(const std::string& what, uint64_t leaves, uint64_t perLeaf, uint64_t most)
{
    const uint64_t product = leaves * perLeaf;
    return product <= most
               ? std::nullopt
               : std::optional("leaves times " + what + " are " + std::to_string(product) +
                               "; they must be at most " + std::to_string(most));
}

} // namespace

std::optional<std::string>
StarOptions::Check() const
{
    return FirstComplaint(
        {CheckCount("hosts", hosts), CheckRate("rate", rate), CheckDelay("delay", delay)});
}

std::optional<std::string>
DumbbellOptions::Check() const
{
    return FirstComplaint({CheckCount("hosts on the left", left),
                           CheckCount("hosts on the right", right),
                           CheckRate("host rate", hostRate),
                           CheckRate("bottleneck rate", bottleneckRate),
                           CheckDelay("host delay", hostDelay),
                           CheckDelay("bottleneck delay", bottleneckDelay)});
}

std::optional<std::string>
LineOptions::Check() const
{
    const auto hosts = std::accumulate(hostsPerSwitch.begin(), hostsPerSwitch.end(), uint64_t{0});
    return FirstComplaint({CheckCount("switches", hostsPerSwitch.size()),
                           CheckCount("hosts", hosts),
                           CheckRate("host rate", hostRate),
                           CheckRate("fabric rate", fabricRate),
                           CheckDelay("delay", delay)});
}

std::optional<std::string>
LeafSpineOptions::Check() const
{
    return FirstComplaint({CheckProduct("hosts per leaf", leaves, hostsPerLeaf, 1 << 20),
                           CheckProduct("spines", leaves, spines, 1 << 22),
                           CheckCount("leaves", leaves),
                           CheckCount("spines", spines),
                           CheckCount("hosts per leaf", hostsPerLeaf),
                           CheckRate("host rate", hostRate),
                           CheckRate("fabric rate", fabricRate),
                           CheckDelay("delay", delay)});
}

std::optional<std::string>
FatTreeOptions::Check() const
{
    if (!PORTS.Has(k))
    {
        return "k is " + std::to_string(k) + "; it must be " + PORTS.Describe();
    }
    if (GetPods() > k)
    {
        return "pods is " + std::to_string(pods) + "; it must be at most k, which is " +
               std::to_string(k);
    }
    const double hosts = oversubscription * k / 2;
    // With at most 1024 hosts, an edge switch has far fewer ports than the limit of 65535.
    if (!(hosts >= 1 && hosts <= 1024) || std::abs(hosts - std::round(hosts)) > 1e-9)
    {
        std::ostringstream text;
        text << "oversubscription " << oversubscription << " with k = " << k << " means " << hosts
             << " hosts at each edge switch; that must be a whole number from 1 to 1024";
        return text.str();
    }
    return FirstComplaint({CheckRate("host rate", hostRate),
                           CheckRate("fabric rate", fabricRate),
                           CheckRate("core rate", GetCoreRate()),
                           CheckDelay("delay", delay)});
}

uint32_t
FatTreeOptions::GetPods() const
{
    return pods > 0 ? pods : k;
}

DataRate
FatTreeOptions::GetCoreRate() const
{
    return coreRate.GetBitRate() > 0 ? coreRate : fabricRate;
}

} // namespace ns3::lossless
