// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TOPOLOGY_OPTIONS_H
#define LOSSLESS_TOPOLOGY_OPTIONS_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// One switch with hosts around it; host i is on port i (DSH, Fig. 11 uses 32 ports).
struct StarOptions
{
    uint32_t hosts{32};          ///< at least 1
    DataRate rate{"100Gbps"};    ///< of every link
    Time delay{MicroSeconds(2)}; ///< propagation delay of every link

    /// @return the first error, if any
    std::optional<std::string> Check() const;
};

/// Two switches connected by a bottleneck; hosts h0.. on the left (s0), the rest on the right.
struct DumbbellOptions
{
    uint32_t left{2};                      ///< hosts at switch s0, at least 1
    uint32_t right{2};                     ///< hosts at switch s1, at least 1
    DataRate hostRate{"100Gbps"};          ///< of host links
    DataRate bottleneckRate{"100Gbps"};    ///< of the link s0-s1
    Time hostDelay{MicroSeconds(2)};       ///< of host links
    Time bottleneckDelay{MicroSeconds(2)}; ///< of the link s0-s1

    /// @return the first error, if any
    std::optional<std::string> Check() const;
};

/// A chain of switches s0-s1-..., each with its own number of hosts. The default is the network of
/// DSH, Fig. 13: two senders at s0, two receivers and 24 further hosts at s1.
struct LineOptions
{
    std::vector<uint32_t> hostsPerSwitch{2, 26}; ///< one entry per switch; may be 0
    DataRate hostRate{"100Gbps"};                ///< of host links
    DataRate fabricRate{"100Gbps"};              ///< of links between switches
    Time delay{MicroSeconds(2)};                 ///< propagation delay of every link

    /// @return the first error, if any
    std::optional<std::string> Check() const;
};

/// Every leaf connected to every spine once; the defaults are DSH's large network (Fig. 14).
struct LeafSpineOptions
{
    uint32_t leaves{16};            ///< at least 1
    uint32_t spines{16};            ///< at least 1
    uint32_t hostsPerLeaf{16};      ///< at least 1
    DataRate hostRate{"100Gbps"};   ///< of host links
    DataRate fabricRate{"100Gbps"}; ///< of links between leaf and spine
    Time delay{MicroSeconds(2)};    ///< propagation delay of every link

    /// @return the first error, if any
    std::optional<std::string> Check() const;
};

/**
 * The k-ary fat-tree of Al-Fares et al. (SIGCOMM 2008).
 *
 * k pods of k/2 edge and k/2 aggregation switches, (k/2)^2 core switches. An oversubscription above
 * 1 adds hosts to the edge switches: oversubscription * k/2 each, so that k = 8 and 2:1 give the 80
 * switches and 256 hosts of OFC (Fig. 6).
 *
 * With fewer pods, core switches have unused ports and all else is the same: k = 8, five pods, 4:1
 * in hosts, and links of 400 Gb/s above hosts of 100 Gb/s are the 56 switches and 320 hosts of HPCC
 * (Li et al., SIGCOMM 2019, Sec. 5.1), without oversubscription in bandwidth.
 */
struct FatTreeOptions
{
    uint32_t k{8};                  ///< ports of a switch without oversubscription; even, 2 to 128
    double oversubscription{1.0};   ///< hosts of an edge switch divided by its uplinks
    DataRate hostRate{"100Gbps"};   ///< of host links
    DataRate fabricRate{"100Gbps"}; ///< of links between switches
    Time delay{MicroSeconds(2)};    ///< propagation delay of every link
    DataRate coreRate{0};           ///< of links to the core; 0: fabricRate
    uint32_t pods{0};               ///< 1 to k; 0: k

    /// @return the first error, if any
    std::optional<std::string> Check() const;
    /// @return the number of pods
    uint32_t GetPods() const;
    /// @return rate of the links between aggregation and core switches
    DataRate GetCoreRate() const;
};

/// @tparam OPTIONS of a line, leaf-spine network or fat-tree
/// @param rate of every link
/// @param delay of every link
/// @return the options with these links
template <typename OPTIONS>
OPTIONS
WithLinks(OPTIONS options, DataRate rate, Time delay)
{
    options.hostRate = options.fabricRate = rate;
    options.delay = delay;
    return options;
}

} // namespace ns3::lossless

#endif /* LOSSLESS_TOPOLOGY_OPTIONS_H */
