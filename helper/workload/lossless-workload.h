// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOSSLESS_WORKLOAD_H
#define LOSSLESS_WORKLOAD_H

#include "flow-csv.h"
#include "flow-list.h"
#include "flow-size-table.h"

#include "ns3/lossless-topology.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ns3::lossless
{

/// First random stream of flows in the programs of this module; switches use those below.
inline constexpr int64_t WORKLOAD_STREAM = 1000000;

/**
 * Arrivals of flows, or fan-in events: a Poisson process of a given load.
 *
 * The load is a fraction of the receivers' total downlink capacity C, the sum of the rates of the
 * working links of all destinations:
 *
 *     arrivals per second = load * C / (8 * mean bytes of an arrival * overheadFactor)
 *
 * With an overheadFactor of 1 the load counts only payload bytes, to which headers and
 * acknowledgments add; a factor of wire bytes per payload byte (1500 B of frame and 24 B of
 * preamble, FCS and gap for 1452 B: 1.0496) makes it the load of the wire.
 */
struct ArrivalOptions
{
    double load{0.3};               ///< fraction of the receivers' capacity, above 0, at most 2
    double overheadFactor{1.0};     ///< wire bytes per payload byte, at least 1
    double rate{0};                 ///< arrivals per second instead of the load; 0: by the load
    Time start;                     ///< of the process
    Time duration{MilliSeconds(1)}; ///< last arrival before start + duration; 0: no end
    uint64_t maxArrivals{0};        ///< maximum number of arrivals; 0: no limit

    /// @return the first error, if any
    std::optional<std::string> Check() const;
};

/// One-to-one flows between random pairs of hosts. The source is drawn uniformly from the sources,
/// the destination from the hosts among the destinations that are eligible for it.
struct PoissonOptions : public ArrivalOptions
{
    FlowSizeTable sizes{FlowSizeTable::Get("websearch")}; ///< flow sizes
    std::vector<uint32_t> sources;                        ///< host indices; empty: all hosts
    std::vector<uint32_t> destinations;                   ///< host indices; empty: all hosts
    bool otherRacks{false};             ///< source and destination are in different racks
    std::vector<uint8_t> priorities{0}; ///< each flow draws one of these uniformly
    std::string group{"background"};    ///< label of the flows

    /// @return the first error, if any
    std::optional<std::string> Check(const Topology& topology) const;
};

/**
 * Events in which several senders start a flow to one receiver at the same instant.
 *
 * An event draws its receiver, its number of senders and then that many distinct senders, all
 * uniformly. For the load an event counts as (minSenders + maxSenders) / 2 flows of mean size. The
 * defaults are the fan-in of DSH, Fig. 14.
 */
struct FanInOptions : public ArrivalOptions
{
    std::vector<Time> times; ///< of the events; if any, the arrival options are unused
    uint32_t minSenders{16}; ///< per event, at least 1
    uint32_t maxSenders{16}; ///< per event
    FlowSizeTable sizes{FlowSizeTable::Fixed(65536)}; ///< drawn for each sender
    std::vector<uint32_t> senders;                    ///< host indices; empty: all hosts
    std::vector<uint32_t> receivers;                  ///< host indices; empty: all hosts
    bool otherRacks{false};             ///< senders are in other racks than the receiver
    std::vector<uint8_t> priorities{0}; ///< each event draws one of these uniformly
    std::string group{"fan-in"};        ///< label of the flows

    /// @return the first error, if any
    std::optional<std::string> Check(const Topology& topology) const;
};

/// Each host sends one flow and receives one, never from itself.
struct PermutationOptions
{
    FlowSizeTable sizes{FlowSizeTable::Fixed(2000000)}; ///< flow sizes
    std::vector<uint32_t> hosts;        ///< indices of participating hosts; empty: all hosts
    Time start;                         ///< earliest start
    Time jitter;                        ///< each flow starts up to this much later, uniformly
    std::vector<uint8_t> priorities{0}; ///< each flow draws one of these uniformly
    std::string group{"permutation"};   ///< label of the flows

    /// @return the first error, if any
    std::optional<std::string> Check(const Topology& topology) const;
};

/// The random variables of a workload, one for each purpose: a run with other classes, or with
/// other sizes at the same arrival rate, has the same pairs of hosts at the same instants. With a
/// load, the rate depends on the mean size.
class WorkloadRandom
{
  public:
    WorkloadRandom();

    /// Fixes the random streams, starting at `stream`. @return number of streams used
    int64_t AssignStreams(int64_t stream);

    /// @param rate arrivals per second
    /// @return a gap between two arrivals, in seconds
    double DrawGap(double rate);

    /// @return a time from 0 to `longest`, uniformly
    Time DrawJitter(Time longest);

    /// @param size length of a list of hosts, at least 1
    /// @return a position from 0 to size - 1
    uint32_t DrawHost(size_t size);

    /// @return a number from min to max, both included
    uint32_t DrawCount(uint32_t min, uint32_t max);

    /// @return a size in bytes from the distribution
    uint64_t DrawBytes(const FlowSizeTable& sizes);

    /// @param priorities at least one
    /// @return one of the priorities
    uint8_t DrawPriority(const std::vector<uint8_t>& priorities);

  private:
    Ptr<ExponentialRandomVariable> m_gap; ///< between arrivals
    Ptr<UniformRandomVariable> m_jitter;  ///< start within a range
    Ptr<UniformRandomVariable> m_host;    ///< senders and receivers
    Ptr<UniformRandomVariable> m_count;   ///< number of senders
    Ptr<UniformRandomVariable> m_bytes;
    Ptr<UniformRandomVariable> m_priority;
};

/// Generates flows.
class Workload
{
  public:
    virtual ~Workload() = default;

    /// Fixes the random streams, starting at `stream`. @return number of streams used
    int64_t AssignStreams(int64_t stream);

    /// Generates flows; a second call continues the random streams.
    /// @return the flows, numbered from 0
    virtual FlowList Generate() = 0;

  protected:
    WorkloadRandom m_random; ///< random variables of the workload
};

/// Generates one-to-one flows with Poisson arrivals.
class PoissonWorkload : public Workload
{
  public:
    /// @param topology must outlive the generator
    /// @param options invalid ones abort
    PoissonWorkload(const Topology& topology, const PoissonOptions& options);

    /// @return flows per second, see ArrivalOptions
    double GetArrivalRate() const;

    FlowList Generate() override;

  private:
    const Topology& m_topology;
    PoissonOptions m_options;
    std::vector<uint32_t> m_sources;      ///< never empty
    std::vector<uint32_t> m_destinations; ///< never empty
};

/// Generates fan-in events.
class FanInWorkload : public Workload
{
  public:
    /// @param topology must outlive the generator
    /// @param options invalid ones abort
    FanInWorkload(const Topology& topology, const FanInOptions& options);

    /// @return events per second, see ArrivalOptions
    double GetArrivalRate() const;

    FlowList Generate() override;

  private:
    /// Appends the flows of one event.
    void AppendEvent(FlowList& flows, Time start);

    const Topology& m_topology;
    FanInOptions m_options;
    std::vector<uint32_t> m_senders;   ///< never empty
    std::vector<uint32_t> m_receivers; ///< never empty
};

/// Generates one flow from each host to another one, so that each host receives one.
class PermutationWorkload : public Workload
{
  public:
    /// @param options invalid ones abort
    PermutationWorkload(const Topology& topology, const PermutationOptions& options);

    FlowList Generate() override;

  private:
    PermutationOptions m_options;
    std::vector<uint32_t> m_hosts; ///< at least two
};

/// Random flows of one kind.
using RandomFlows = std::variant<PoissonOptions, FanInOptions>;

/// Draws flows of several kinds, each with random streams of its own, whether or not it has flows.
/// @param kinds one without a load, rate and times has no flows
/// @param stream first random stream
/// @return the flows, see MergeFlows()
FlowList DrawFlows(const Topology& topology,
                   const std::vector<RandomFlows>& kinds,
                   int64_t stream = WORKLOAD_STREAM);

/// @param duration of the arrivals, above 0
/// @return payload bits divided by the downlink capacity of all hosts in that time
double GetOfferedLoad(const FlowList& flows, const Topology& topology, Time duration);

} // namespace ns3::lossless

#endif // LOSSLESS_WORKLOAD_H
