// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DSH_PARAMETERS_H
#define LOSSLESS_DSH_PARAMETERS_H

#include "ns3/data-rate.h"
#include "ns3/lossless-experiment.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Common parameters of the networks in the DSH paper (Shan et al., Sec. V-A), with its values.
 */
struct DshParameters
{
    /// Number of ports of the switch chip (a Tomahawk) in all experiments. The memory reserved for
    /// headroom does not depend on how many of these ports are connected.
    static constexpr uint32_t CHIP_PORTS = 32;

    uint32_t queues{7};            ///< number of lossless classes
    uint32_t referencePorts{0};    ///< number of ports with headroom; 0 means the connected ports
    bool worstCaseHeadroom{false}; ///< see HeadroomBufferPolicy; the paper uses only Eq. 1
    DataRate rate{"100Gbps"};      ///< rate of the hosts' links
    Time delay{MicroSeconds(2)};   ///< delay of each link
    uint32_t payload{1000};        ///< payload of a full packet, in bytes; not stated in the paper

    /// Adds the command-line options.
    void AddOptions(Experiment& experiment);
    /// @return a helper for switches of the chosen scheme
    SwitchHelper MakeSwitches(const Experiment& experiment) const;
    /// @return the lossless classes, beginning with `first`
    std::vector<uint8_t> GetClasses(uint8_t first = 0) const;

  private:
    /// @return the headroom, in bytes, of an ingress queue (under DSH, of a port) on a host's link
    uint64_t GetHostHeadroom() const;
};

/**
 * @ingroup lossless
 * The burst in the DSH paper (Sec. V-A, Fig. 11, and Theorems 1 and 2 in Sec. IV-C), with its
 * values. Host i is at port i of a switch; the first hosts send the background, and the next ones
 * the burst.
 */
struct DshBurst
{
    uint32_t ports{32};            ///< number of ports of the switch
    double share{40};              ///< size of the whole burst, in per cent of the buffer
    uint32_t senders{16};          ///< number of hosts that send the burst
    uint32_t backgroundSenders{2}; ///< number of hosts reserved for the background
    bool background{true};         ///< true if these hosts send
    double load{0};                ///< rate of a sender's link divided by that of its own receiver;
                                   ///< 0 for common receivers
    Time start{Seconds(0.1)};      ///< start of the burst

    /// Adds the command-line options.
    void AddOptions(Experiment& experiment);
    /// Stops the program if the switch has too few ports.
    void Check(const Experiment& experiment) const;
    /// @return the star
    Topology MakeTopology(const DshParameters& network) const;
    /// @return the host that receives from this sender
    uint32_t GetReceiver(uint32_t sender) const;
};

/**
 * @ingroup lossless
 * The traffic of the large networks in the DSH paper (Sec. V-B), with its values. Loads are
 * fractions of the hosts' link capacity and count data frames on the wire.
 */
struct DshTraffic
{
    double load{0.9};               ///< load of all flows
    double backgroundLoad{0.8};     ///< load of flows between random pairs of hosts
    std::string sizes{"websearch"}; ///< flow-size table of these flows
    uint32_t fanIn{16};           ///< number of hosts of other racks that send to one host at once
    uint64_t fanInBytes{65536};   ///< payload that each of them sends, in bytes
    std::string classes{"apart"}; ///< "one": all flows are in class 0; "apart": only fan-in
    Time arrivals{MilliSeconds(10)}; ///< period in which flows start; not stated in the paper

    /// Stops the program if the background exceeds the load, or if options of fan-in have no
    /// effect.
    void Check(const Experiment& experiment) const;
    /// @return the flows, in the groups "background" and "fan-in", with Poisson arrivals
    FlowList MakeFlows(const Topology& topology, const DshParameters& network) const;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DSH_PARAMETERS_H */
