// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OFC_PARAMETERS_H
#define LOSSLESS_OFC_PARAMETERS_H

#include "ns3/data-rate.h"
#include "ns3/lossless-experiment.h"
#include "ns3/lossless-fabric.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/result-table.h"

#include <cstdint>

namespace ns3::lossless
{

/// @ingroup lossless
/// Common parameters of the OFC paper's networks (Sec. IV-A), with the paper's values.
struct OfcParameters
{
    DataRate rate{"40Gbps"};     ///< rate of each link
    Time delay{NanoSeconds(20)}; ///< delay of each link
    uint64_t xoff{75000};        ///< XOFF of ingress queues, in bytes
    uint64_t xon{45000};         ///< XON of ingress queues, in bytes

    /// Adds the command-line options.
    void AddOptions(Experiment& experiment);
    /// Makes a helper for switches. Stops the program if XON is above XOFF.
    /// @param experiment the experiment with the chosen scheme
    /// @param classes the classes of the flows
    /// @return the helper, for switches of the chosen scheme
    SwitchHelper MakeSwitches(const Experiment& experiment, PrioritySet classes) const;
    /// @return a factory for NICs whose full packets occupy 1500 bytes on the wire
    ObjectFactory MakeNics() const;

    /// @return the payload of a flow that occupies this number of bytes on the wire
    static uint64_t GetPayload(uint64_t wireBytes);
};

/**
 * @ingroup lossless
 * A line of switches s0, s1, ... and its flows (OFC, Sec. IV, Figs. 2, 4 and 5, Tables I and II),
 * with the paper's values where stated.
 *
 * Half of the long flows from s0 to the last switch go to one host, to which hosts at the last
 * switch also send bursts; the group of all these flows is "congested". The other long flows each
 * go to a different host and meet no congestion ("uncongested"). All flows can be sent repeatedly,
 * in rounds that start at fixed intervals.
 *
 * Hosts are numbered in this order: senders of uncongested flows (from h0), senders of congested
 * flows, senders of bursts, receivers of uncongested flows, and the receiver of all other flows.
 * Hosts that only fill a rack follow the others at their switch.
 */
struct OfcLine : public OfcParameters
{
    uint64_t longBytes{4150000}; ///< long flow on the wire; calibrated, not stated in the paper
    uint64_t burstBytes{320000}; ///< burst on the wire; calibrated, not stated in the paper
    uint32_t switches{3};        ///< number of switches, at least 2
    uint32_t rack{0};            ///< minimum number of hosts at the first and the last switch
    uint32_t longFlows{1};       ///< number of congested long flows, and of uncongested ones
    uint32_t bursts{6};          ///< number of hosts that send a burst
    uint32_t rounds{1};          ///< number of times that all flows are sent
    Time roundTime{MilliSeconds(10)}; ///< time between the starts of rounds
    uint8_t burstClass{0};            ///< class of bursts; long flows have class 0
    Time burstWindow; ///< interval in which bursts start at random; the paper may also mean 30 us

    /// @return the network
    Topology MakeTopology() const;
    /// @return the flows of all rounds
    FlowList MakeFlows() const;
    /// Stops the program if a round had not ended when the next one began.
    /// @param experiment the experiment after its run
    /// @return the contents of rounds.csv; the length is empty if no flow of the round has arrived
    ResultTable MakeRoundTable(Experiment& experiment) const;
};

/**
 * @ingroup lossless
 * Flows over four paths that form a cyclic dependency (OFC, Sec. IV-C3, Fig. 9), with the paper's
 * values where stated.
 *
 *      spine0      spine1         Links spine0-leaf3 and spine1-leaf0 have failed. Pinned paths:
 *      / |  \      /  |  \        f1 leaf0 spine0 leaf1 spine1 leaf3, f2 leaf1 spine1 leaf2,
 *   leaf0 leaf1 leaf2  leaf3      f3 leaf3 spine1 leaf2 spine0 leaf0, f4 leaf2 spine0 leaf1.
 *
 * The flows are distributed over the paths according to random weights, and the hosts of a leaf
 * send them in turn. Their groups are "f1" to "f4".
 */
struct OfcCircle : public OfcParameters
{
    uint32_t flows{400};       ///< number of flows
    uint64_t bytes{23000};     ///< bytes per flow on the wire; calibrated, not stated in the paper
    uint32_t hostsPerLeaf{16}; ///< number of hosts at each leaf
    uint32_t classes{1};       ///< number of classes that the flows use in turn; 2 for G-PFC
    Time window{MilliSeconds(1)}; ///< interval in which flows start

    /// @return the network with its two failed links
    Topology MakeTopology() const;
    /// Pins the paths in a network of this topology.
    void PinPaths(const Fabric& fabric) const;
    /// @param stream the random stream of the weights, the paths and the starts
    /// @return the flows
    FlowList MakeFlows(int64_t stream) const;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OFC_PARAMETERS_H */
