// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TOPOLOGY_OPTIONS_H
#define LOSSLESS_TOPOLOGY_OPTIONS_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/option-text.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// The valid numbers of hosts, or of switches of a kind, in a network. The maximum is slightly
/// below the maximum number of switch ports.
inline constexpr Range NODE_COUNTS{1, 65000};

/// The options of a star, in which one switch connects all hosts. Host i is on port i. The star in
/// the DSH paper (Fig. 11) has 32 ports.
struct StarOptions
{
    uint32_t hosts{32};          ///< number of hosts, at least 1
    DataRate rate{"100Gbps"};    ///< rate of every link
    Time delay{MicroSeconds(2)}; ///< propagation delay of every link

    /// @return the first error, if any
    std::optional<std::string> Check() const;
};

/// The options of a dumbbell, which has two switches connected by a bottleneck link. The first
/// hosts are on the left (s0), and the others are on the right (s1).
struct DumbbellOptions
{
    uint32_t left{2};                      ///< number of hosts at switch s0, at least 1
    uint32_t right{2};                     ///< number of hosts at switch s1, at least 1
    DataRate hostRate{"100Gbps"};          ///< rate of host links
    DataRate bottleneckRate{"100Gbps"};    ///< rate of the link s0-s1
    Time hostDelay{MicroSeconds(2)};       ///< delay of host links
    Time bottleneckDelay{MicroSeconds(2)}; ///< delay of the link s0-s1

    /// @return the first error, if any
    std::optional<std::string> Check() const;
};

/// The options of a chain of switches s0-s1-..., each with its own number of hosts. The default is
/// the network in Fig. 13 of the DSH paper, which has two senders at s0, and two receivers and 24
/// other hosts at s1.
struct LineOptions
{
    std::vector<uint32_t> hostsPerSwitch{2, 26}; ///< number of hosts at each switch; it may be 0
    DataRate hostRate{"100Gbps"};                ///< rate of host links
    DataRate fabricRate{"100Gbps"};              ///< rate of links between switches
    Time delay{MicroSeconds(2)};                 ///< propagation delay of every link

    /// @return the first error, if any
    std::optional<std::string> Check() const;
};

/// The options of a leaf-spine network with one link from every leaf to every spine. The default is
/// the large network in the DSH paper (Fig. 14).
struct LeafSpineOptions
{
    uint32_t leaves{16};            ///< number of leaves, at least 1
    uint32_t spines{16};            ///< number of spines, at least 1
    uint32_t hostsPerLeaf{16};      ///< number of hosts per leaf, at least 1
    DataRate hostRate{"100Gbps"};   ///< rate of host links
    DataRate fabricRate{"100Gbps"}; ///< rate of links between leaves and spines
    Time delay{MicroSeconds(2)};    ///< propagation delay of every link

    /// @return the first error, if any
    std::optional<std::string> Check() const;
};

/**
 * The options of a k-ary fat-tree (Al-Fares et al., SIGCOMM 2008).
 *
 * The network has (k/2)^2 core switches and k pods, each with k/2 edge and k/2 aggregation
 * switches. Each edge switch has oversubscription * k/2 hosts, so an oversubscription greater than
 * 1 adds hosts. With k = 8 and an oversubscription of 2, the network has 80 switches and 256 hosts,
 * as in the OFC paper (Fig. 6).
 *
 * If there are fewer than k pods, core switches have unused ports, but nothing else changes. For
 * the network in the HPCC paper (Li et al., SIGCOMM 2019, Sec. 5.1), which has 56 switches and 320
 * hosts, use k = 8, five pods, four hosts per uplink, 100 Gb/s host links and 400 Gb/s links
 * between switches. The bandwidth of that network is not oversubscribed.
 */
struct FatTreeOptions
{
    static constexpr Range PORTS{2, 128, false, true}; ///< valid values of `k`

    uint32_t k{8};                  ///< number of ports per switch without oversubscription
    double oversubscription{1.0};   ///< number of hosts per uplink of an edge switch
    DataRate hostRate{"100Gbps"};   ///< rate of host links
    DataRate fabricRate{"100Gbps"}; ///< rate of links between switches
    Time delay{MicroSeconds(2)};    ///< propagation delay of every link
    DataRate coreRate{0};           ///< rate of links to core switches; 0 to use fabricRate
    uint32_t pods{0};               ///< number of pods, from 1 to k; 0 to use k

    /// @return the first error, if any
    std::optional<std::string> Check() const;
    /// @return the number of pods
    uint32_t GetPods() const;
    /// @return the rate of the links between aggregation and core switches
    DataRate GetCoreRate() const;
};

/// @tparam OPTIONS the type of the options: LineOptions, LeafSpineOptions or FatTreeOptions
/// @param rate the rate of every link
/// @param delay the delay of every link
/// @return the options with these rates and delays
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
