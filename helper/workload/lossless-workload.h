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
#include <vector>

namespace ns3::lossless
{

/// First random stream of flows in the programs of this module; those below are the switches'.
inline constexpr int64_t WORKLOAD_STREAM = 1000000;

/**
 * When flows, or fan-in events, arrive: a Poisson process of a given load.
 *
 * The load is a fraction of what the receivers' downlinks carry together, C = the sum of the rates
 * of the working links of all destinations:
 *
 *     arrivals per second = load * C / (8 * mean bytes of an arrival * overheadFactor)
 *
 * With an overheadFactor of 1 the load counts payload bytes only, so that headers and
 * acknowledgments come on top; a factor of wire bytes per payload byte (1500 B of frame and 24 B
 * of preamble, FCS and gap for 1452 B: 1.0496) makes it the load of the wire.
 */
struct ArrivalOptions
{
    double load{0.3};               ///< fraction of the receivers' capacity, above 0, at most 2
    double overheadFactor{1.0};     ///< wire bytes per payload byte, at least 1
    double rate{0};                 ///< arrivals per second in place of the load; 0: by the load
    Time start;                     ///< the process begins here
    Time duration{MilliSeconds(1)}; ///< last arrival before start + duration; 0 means no end
    uint64_t maxArrivals{0};        ///< arrivals after which the process ends; 0 means no limit

    /// @return what is wrong with the options, if anything
    std::optional<std::string> Check() const;
};

/**
 * One-to-one flows between random pairs of hosts.
 *
 * The source is drawn uniformly from the sources, the destination from the hosts among the
 * destinations that are eligible for it.
 */
struct PoissonOptions : public ArrivalOptions
{
    FlowSizeTable sizes{FlowSizeTable::Get("websearch")}; ///< flow sizes
    std::vector<uint32_t> sources;                        ///< host indices, empty for all hosts
    std::vector<uint32_t> destinations;                   ///< host indices, empty for all hosts
    bool otherRacks{false};             ///< the destination is in another rack than the source
    std::vector<uint8_t> priorities{0}; ///< each flow draws one of these uniformly
    std::string group{"background"};    ///< label of the flows

    /// Checks the options for a network. @param topology the network @return what is wrong with the
    /// options, if anything
    std::optional<std::string> Check(const Topology& topology) const;
};

/**
 * Events in which several senders start a flow to one receiver at the same instant.
 *
 * An event draws its receiver, its number of senders and then that many distinct senders, all
 * uniformly. For the load an event counts (minSenders + maxSenders) / 2 flows of mean size. The
 * defaults are the fan-in of DSH, Fig. 14.
 */
struct FanInOptions : public ArrivalOptions
{
    std::vector<Time> times; ///< instants of the events; if any, the arrival options are unused
    uint32_t minSenders{16}; ///< fewest senders of an event, at least 1
    uint32_t maxSenders{16}; ///< most senders of an event
    FlowSizeTable sizes{FlowSizeTable::Fixed(65536)}; ///< flow sizes, drawn for each sender
    std::vector<uint32_t> senders;                    ///< host indices, empty for all hosts
    std::vector<uint32_t> receivers;                  ///< host indices, empty for all hosts
    bool otherRacks{false};             ///< the senders are in other racks than the receiver
    std::vector<uint8_t> priorities{0}; ///< each event draws one of these uniformly
    std::string group{"fan-in"};        ///< label of the flows

    /// Checks the options for a network. @param topology the network @return what is wrong with the
    /// options, if anything
    std::optional<std::string> Check(const Topology& topology) const;
};

/**
 * Each host sends one flow and receives one, never from itself.
 */
struct PermutationOptions
{
    FlowSizeTable sizes{FlowSizeTable::Fixed(2000000)}; ///< flow sizes
    std::vector<uint32_t> hosts;        ///< host indices that take part, empty for all hosts
    Time start;                         ///< no flow starts before
    Time jitter;                        ///< each flow starts up to this much later, uniformly
    std::vector<uint8_t> priorities{0}; ///< each flow draws one of these uniformly
    std::string group{"permutation"};   ///< label of the flows

    /// Checks the options for a network. @param topology the network @return what is wrong with the
    /// options, if anything
    std::optional<std::string> Check(const Topology& topology) const;
};

/**
 * The random variables of a workload.
 *
 * One variable for each question: a run with other classes, or with other sizes at the same rate of
 * arrivals, has the same pairs of hosts at the same instants. With a load the rate follows from
 * the mean size.
 */
class WorkloadRandom
{
  public:
    WorkloadRandom();

    /// Gives the variables fixed streams. @param stream number of the first stream @return how many
    /// streams are used
    int64_t AssignStreams(int64_t stream);

    /// Draws the gap between two arrivals. @param rate arrivals per second @return the gap in
    /// seconds
    double DrawGap(double rate);

    /// Draws a delay. @param longest upper end of the range @return a uniformly drawn time from 0
    /// to longest
    Time DrawJitter(Time longest);

    /// Draws a position in a list of hosts. @param size length of the list, at least 1 @return a
    /// number from 0 to size - 1
    uint32_t DrawHost(size_t size);

    /**
     * Draws a whole number.
     * @param min lower end of the range
     * @param max upper end of the range, included
     * @return the number
     */
    uint32_t DrawCount(uint32_t min, uint32_t max);

    /// Draws a flow size. @param sizes the distribution @return the size in bytes
    uint64_t DrawBytes(const FlowSizeTable& sizes);

    /// Draws a priority. @param priorities to choose from, at least one @return one of them
    uint8_t DrawPriority(const std::vector<uint8_t>& priorities);

  private:
    Ptr<ExponentialRandomVariable> m_gap;  ///< time between arrivals
    Ptr<UniformRandomVariable> m_jitter;   ///< start within a range
    Ptr<UniformRandomVariable> m_host;     ///< senders and receivers
    Ptr<UniformRandomVariable> m_count;    ///< number of senders
    Ptr<UniformRandomVariable> m_bytes;    ///< flow sizes
    Ptr<UniformRandomVariable> m_priority; ///< traffic classes
};

/**
 * Generates flows.
 */
class Workload
{
  public:
    virtual ~Workload() = default;

    /// Gives the random variables fixed streams. @param stream number of the first stream @return
    /// how many streams are used
    int64_t AssignStreams(int64_t stream);

    /// Generates flows; a second call goes on with the random streams. @return the flows, numbered
    /// from 0
    virtual FlowList Generate() = 0;

  protected:
    WorkloadRandom m_random; ///< the random variables
};

/**
 * Generates one-to-one flows with Poisson arrivals.
 */
class PoissonWorkload : public Workload
{
  public:
    /// Wrong options abort. @param topology the network, which must outlive the generator
    /// @param options what to generate
    PoissonWorkload(const Topology& topology, const PoissonOptions& options);

    /// @return flows per second, see ArrivalOptions
    double GetArrivalRate() const;

    FlowList Generate() override;

  private:
    const Topology& m_topology;           ///< the network
    PoissonOptions m_options;             ///< what to generate
    std::vector<uint32_t> m_sources;      ///< never empty
    std::vector<uint32_t> m_destinations; ///< never empty
};

/**
 * Generates fan-in events.
 */
class FanInWorkload : public Workload
{
  public:
    /// Wrong options abort. @param topology the network, which must outlive the generator
    /// @param options what to generate
    FanInWorkload(const Topology& topology, const FanInOptions& options);

    /// @return events per second, see ArrivalOptions
    double GetArrivalRate() const;

    FlowList Generate() override;

  private:
    /// Appends the flows of one event. @param flows where to append @param start instant of the
    /// event
    void AppendEvent(FlowList& flows, Time start);

    const Topology& m_topology;        ///< the network
    FanInOptions m_options;            ///< what to generate
    std::vector<uint32_t> m_senders;   ///< never empty
    std::vector<uint32_t> m_receivers; ///< never empty
};

/**
 * Generates one flow from each host to another one, each host receiving one.
 */
class PermutationWorkload : public Workload
{
  public:
    /// Wrong options abort. @param topology the network @param options what to generate
    PermutationWorkload(const Topology& topology, const PermutationOptions& options);

    FlowList Generate() override;

  private:
    PermutationOptions m_options;  ///< what to generate
    std::vector<uint32_t> m_hosts; ///< at least two
};

/**
 * Gets the share of the hosts' downlink capacity that flows ask for.
 * @param flows the flows
 * @param topology the network
 * @param duration the time they arrive in, above 0
 * @return payload bits divided by the capacity of all hosts in that time
 */
double GetOfferedLoad(const FlowList& flows, const Topology& topology, Time duration);

} // namespace ns3::lossless

#endif // LOSSLESS_WORKLOAD_H
