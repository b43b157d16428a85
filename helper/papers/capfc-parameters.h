// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CAPFC_PARAMETERS_H
#define LOSSLESS_CAPFC_PARAMETERS_H

#include "ns3/data-rate.h"
#include "ns3/lossless-experiment.h"
#include "ns3/lossless-workload.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The networks and the traffic of the CaPFC paper (Sec. IV), with the paper's values where stated.
 *
 * There are three kinds of traffic, each in its own class: long flows and short flows between
 * random pairs of hosts, and queries, each answered by several random hosts simultaneously. All
 * interarrival times are exponential. The flows' groups are "long", "short" and "query". The six
 * scenarios differ in flow sizes, the class with strict priority, and the speed of the packet
 * processors.
 */
struct CapfcParameters
{
    uint32_t scenario{1};            ///< row of Table I, from 1 to 6
    std::string memory{"dedicated"}; ///< "dedicated" as in Table II, or "shared" (Sec. IV-C7)
    /// network without oversubscription, of 128 hosts
    FatTreeOptions fatTree = WithLinks(FatTreeOptions{}, DataRate("1Gbps"), MicroSeconds(1));
    double oversubscription{1};  ///< ratio of host to core capacity
    Time arrivals{Seconds(1)};   ///< period in which flows start
    double longRate{5000};       ///< long flows per second
    double shortRate{5000};      ///< short flows per second
    double queryRate{100};       ///< queries per second
    uint32_t fanIn{40};          ///< number of hosts that answer a query
    uint64_t longBytes{1000000}; ///< payload of a long flow

    /// Adds the command-line options of the network.
    void AddNetworkOptions(Experiment& experiment);
    /// Adds the command-line options of the traffic.
    void AddTrafficOptions(Experiment& experiment);
    /// Stops the program if the options are inconsistent.
    void Check(const Experiment& experiment) const;
    /// @return the network, with slower links between switches if it is oversubscribed
    Topology MakeTopology() const;
    /// @return a helper for switches of the chosen scheme, which must be one for CaPFC's switch
    SwitchHelper MakeSwitches(const Experiment& experiment) const;
    /// @return the flows
    FlowList MakeFlows(const Topology& topology) const;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CAPFC_PARAMETERS_H */
