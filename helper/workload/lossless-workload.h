// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOSSLESS_WORKLOAD_H
#define LOSSLESS_WORKLOAD_H

#include "flow-csv.h"
#include "flow-list.h"
#include "flow-size-table.h"
#include "flow-source.h"

#include "ns3/lossless-topology.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ns3::lossless
{

/// The first random stream for flows in the programs of this module. Switches use lower stream
/// numbers.
inline constexpr int64_t WORKLOAD_STREAM = 1000000;

/**
 * The options of a Poisson process whose arrivals are flows or fan-in events.
 *
 * The load is a fraction of C, the receivers' total downlink capacity, which is the sum of the
 * rates of all working links of all destinations:
 *
 *     arrivals per second = load * C / (8 * mean bytes of an arrival * overheadFactor)
 *
 * With an overheadFactor of 1, the load counts only payload bytes, and headers and acknowledgements
 * are additional load. If the overheadFactor is the number of wire bytes per payload byte, the load
 * counts all bytes on the wire. For example, the factor is 1.0496 for 1452 B of payload in a frame
 * of 1500 B and 24 B of preamble, FCS and gap.
 */
struct ArrivalOptions
{
    double load{0.3};           ///< fraction of the receivers' capacity, above 0 and at most 2
    double overheadFactor{1.0}; ///< wire bytes per payload byte, at least 1
    double rate{0};             ///< number of arrivals per second, or 0 to derive it from the load
    Time start;                 ///< start of the process
    Time duration{MilliSeconds(1)}; ///< maximum time from start to an arrival; 0 for no limit
    uint64_t maxArrivals{0};        ///< maximum number of arrivals; 0 for no limit
    /// The options of a program that describe the process, for error messages such as "--load:
    /// ...". If empty, messages name the class of the options.
    std::string origin;

    /// @return the first error, if any
    std::optional<std::string> Check() const;
};

/// The options of one-to-one flows between random pairs of hosts. The source is drawn uniformly
/// from the sources, and the destination from those destinations that are eligible for this source.
struct PoissonOptions : public ArrivalOptions
{
    FlowSizeTable sizes{FlowSizeTable::Get("websearch")}; ///< flow sizes
    std::vector<uint32_t> sources;                        ///< host indices; empty for all hosts
    std::vector<uint32_t> destinations;                   ///< host indices; empty for all hosts
    bool otherRacks{false};             ///< true if source and destination must be in different
                                        ///< racks
    std::vector<uint8_t> priorities{0}; ///< each flow draws one of these uniformly
    std::string group{"background"};    ///< label of the flows

    /// @return the first error, if any
    std::optional<std::string> Check(const Topology& topology) const;
};

/**
 * The options of fan-in events, in which several senders each start a flow to the same receiver at
 * the same instant.
 *
 * An event draws its receiver, its number of senders and then distinct senders, all uniformly. For
 * the load, an event counts as (minSenders + maxSenders) / 2 flows of mean size. The defaults are
 * those of the fan-in in the DSH paper (Fig. 14).
 */
struct FanInOptions : public ArrivalOptions
{
    /// The times of the events; if any are given, the arrival options are unused.
    std::vector<Time> times;
    uint32_t minSenders{16}; ///< minimum number of senders per event, at least 1
    uint32_t maxSenders{16}; ///< maximum number of senders per event
    FlowSizeTable sizes{FlowSizeTable::Fixed(65536)}; ///< flow sizes, drawn for each sender
    std::vector<uint32_t> senders;                    ///< host indices; empty for all hosts
    std::vector<uint32_t> receivers;                  ///< host indices; empty for all hosts
    bool otherRacks{false};             ///< true if senders must be outside the receiver's rack
    std::vector<uint8_t> priorities{0}; ///< each event draws one of these uniformly
    std::string group{"fan-in"};        ///< label of the flows

    /// @return the first error, if any
    std::optional<std::string> Check(const Topology& topology) const;
};

/// The options of a random permutation, in which each host sends one flow to another host and
/// receives one flow.
struct PermutationOptions
{
    FlowSizeTable sizes{FlowSizeTable::Fixed(2000000)}; ///< flow sizes
    std::vector<uint32_t> hosts; ///< host indices of participants; empty for all hosts
    Time start;                  ///< earliest start of the flows
    Time jitter;                 ///< maximum delay of a flow's start, drawn uniformly for each flow
    std::vector<uint8_t> priorities{0}; ///< each flow draws one of these uniformly
    std::string group{"permutation"};   ///< label of the flows

    /// @return the first error, if any
    std::optional<std::string> Check(const Topology& topology) const;
};

/// The random variables of a workload, one for each purpose. Runs with different classes, or with
/// different sizes at the same arrival rate, therefore have the same pairs of hosts at the same
/// instants. If a load is given instead of a rate, the arrival rate depends on the
/// mean size, so the instants differ.
class WorkloadRandom
{
  public:
    WorkloadRandom();

    /// Assigns fixed random streams, starting at `stream`.
    /// @return the number of streams used
    int64_t AssignStreams(int64_t stream);

    /// @param rate the number of arrivals per second
    /// @return a gap between two arrivals, in seconds
    double DrawGap(double rate);

    /// @return a time drawn uniformly from 0 to `longest`
    Time DrawJitter(Time longest);

    /// @param size the length of a list of hosts, at least 1
    /// @return a position from 0 to size - 1
    uint32_t DrawHost(size_t size);

    /// @return a number from min to max, inclusive
    uint32_t DrawCount(uint32_t min, uint32_t max);

    /// @return a size in bytes from the distribution
    uint64_t DrawBytes(const FlowSizeTable& sizes);

    /// @param priorities the priorities, at least one
    /// @return one of the priorities
    uint8_t DrawPriority(const std::vector<uint8_t>& priorities);

  private:
    Ptr<ExponentialRandomVariable> m_gap; ///< gaps between arrivals
    Ptr<UniformRandomVariable> m_jitter;  ///< starts within a range
    Ptr<UniformRandomVariable> m_host;    ///< senders and receivers
    Ptr<UniformRandomVariable> m_count;   ///< numbers of senders
    Ptr<UniformRandomVariable> m_bytes;
    Ptr<UniformRandomVariable> m_priority;
};

/// Random flows of one kind.
using RandomFlows = std::variant<PoissonOptions, FanInOptions>;

/// Random flows of several kinds, in the order and with the numbers that would result from
/// MergeFlows(). Each kind reserves its own random streams even if it has no flows.
class RandomFlowSource : public FlowSource
{
  public:
    /// @param topology the network, which must outlive this object and its readers
    /// @param kinds the kinds of flows; a kind with no load, rate or times has no flows; Open()
    /// aborts if options are invalid
    /// @param stream the first random stream
    RandomFlowSource(const Topology& topology,
                     std::vector<RandomFlows> kinds,
                     int64_t stream = WORKLOAD_STREAM);

    std::unique_ptr<FlowReader> Open() const override;

  private:
    const Topology& m_topology;
    std::vector<RandomFlows> m_kinds;
    int64_t m_stream; ///< first random stream
};

/// Draws the flows of a RandomFlowSource.
/// @param kinds the kinds of flows
/// @param stream the first random stream
/// @return the flows
FlowList DrawFlows(const Topology& topology,
                   const std::vector<RandomFlows>& kinds,
                   int64_t stream = WORKLOAD_STREAM);

/// Draws a random permutation.
/// @param options the options; aborts if they are invalid
/// @param stream the first random stream
/// @return the flows, sorted by start and numbered from 0
FlowList DrawPermutation(const Topology& topology,
                         const PermutationOptions& options,
                         int64_t stream = WORKLOAD_STREAM);

/// @return the number of flows per second; see ArrivalOptions
double GetArrivalRate(const Topology& topology, const PoissonOptions& options);

/// @return the number of fan-in events per second; see ArrivalOptions
double GetArrivalRate(const Topology& topology, const FanInOptions& options);

/// @param bytes the payload of all flows
/// @param duration the duration of the arrivals, above 0
/// @return the payload bits, divided by the number of bits that all hosts together can receive
/// during that time
double GetOfferedLoad(uint64_t bytes, const Topology& topology, Time duration);

} // namespace ns3::lossless

#endif // LOSSLESS_WORKLOAD_H
