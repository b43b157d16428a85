// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-workload.h"

#include "flow-graph.h"

#include "ns3/abort.h"
#include "ns3/lossless-types.h"
#include "ns3/quantity-text.h"
#include "ns3/reachability.h"
#include "ns3/topology-checks.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <sstream>
#include <utility>

namespace ns3::lossless
{

namespace
{

/// Checks a list of host indices.
/// @param what a description of the hosts, for the message
/// @param count the number of hosts in the network
/// @return an error message about the first error, or nothing
std::optional<std::string>
CheckHosts(const std::string& what, const std::vector<uint32_t>& hosts, size_t count)
{
    std::set<uint32_t> seen;
    for (const uint32_t host : hosts)
    {
        if (host >= count)
        {
            return "host " + std::to_string(host) + " among the " + what +
                   " does not exist; the network has " + std::to_string(count) +
                   " hosts, counted from 0";
        }
        if (!seen.insert(host).second)
        {
            return "host " + std::to_string(host) + " appears twice among the " + what;
        }
    }
    return std::nullopt;
}

std::optional<std::string>
CheckPriorities(const std::vector<uint8_t>& priorities)
{
    if (priorities.empty())
    {
        return "the list of priorities is empty; at least one from 0 to 7 is needed";
    }
    for (const uint8_t priority : priorities)
    {
        if (priority >= NUM_PRIORITIES)
        {
            return "priority " + std::to_string(priority) + " is not from 0 to 7";
        }
    }
    return std::nullopt;
}

/// @return the hosts, or all hosts of the network if the list is empty
std::vector<uint32_t>
SelectHosts(const std::vector<uint32_t>& hosts, const Topology& topology)
{
    if (!hosts.empty())
    {
        return hosts;
    }
    std::vector<uint32_t> all(topology.GetHosts().size());
    std::iota(all.begin(), all.end(), 0);
    return all;
}

bool
IsEligible(const Topology& topology, uint32_t a, uint32_t b, bool otherRacks)
{
    return a != b && (!otherRacks || topology.GetRack(a) != topology.GetRack(b));
}

/// @return the total rate at which the hosts can receive, in bit/s
double
GetCapacity(const Topology& topology, const std::vector<uint32_t>& hosts)
{
    return std::accumulate(hosts.begin(), hosts.end(), 0.0, [&topology](double sum, uint32_t host) {
        return sum + static_cast<double>(topology.GetHostRate(host).GetBitRate());
    });
}

/// @return true if there are arrivals at random times
bool
HasArrivals(const ArrivalOptions& options)
{
    return options.load > 0 || options.rate > 0;
}

/// @return the number of arrivals per second, according to the formula in ArrivalOptions
double
ComputeRate(const ArrivalOptions& options, double capacity, double meanBytes)
{
    return options.rate > 0 ? options.rate
                            : options.load * capacity / (8 * meanBytes * options.overheadFactor);
}

std::optional<std::string>
CheckCapacity(const Topology& topology, const std::vector<uint32_t>& hosts)
{
    if (GetCapacity(topology, hosts) > 0)
    {
        return std::nullopt;
    }
    return "the receivers have no working link, so that a load has no meaning";
}

/// @param rate the number of flows per second
std::optional<std::string>
CheckArrivals(const ArrivalOptions& options, double rate)
{
    constexpr double most = FlowGraph::MAX_STEPS;
    const double flows = rate * options.duration.GetSeconds();
    if (options.maxArrivals > 0 || flows <= most)
    {
        return std::nullopt;
    }
    std::ostringstream text;
    text << "about " << flows << " flows start within " << FormatTime(options.duration)
         << "; they must be at most " << FlowGraph::MAX_STEPS;
    return text.str();
}

/// @return the options; aborts if they are invalid
/// @param name the class of the options, for the message
template <typename Options>
const Options&
RequireValid(const Options& options, const Topology& topology, const std::string& name)
{
    const auto error = options.Check(topology);
    NS_ABORT_MSG_IF(error, (options.origin.empty() ? name : options.origin) << ": " << *error);
    return options;
}

/// Returns the instants of a Poisson process one by one.
class ArrivalTimes
{
  public:
    /// @param options the options, which have been checked
    /// @param rate the number of arrivals per second
    ArrivalTimes(const ArrivalOptions& options, double rate)
        : m_options(options),
          m_rate(rate)
    {
    }

    /// @return the next instant, or nothing at the end of the process
    std::optional<Time> Next(WorkloadRandom& random)
    {
        const double limit = m_options.duration.IsZero() ? std::numeric_limits<double>::infinity()
                                                         : m_options.duration.GetSeconds();
        m_isOver |= m_count > 0 && m_count == m_options.maxArrivals;
        if (!m_isOver)
        {
            // The sum is a floating-point number, because gaps rounded to whole nanoseconds would
            // distort the high arrival rate of short flows.
            m_now += random.DrawGap(m_rate);
            m_isOver = m_now >= limit;
        }
        if (m_isOver)
        {
            return std::nullopt;
        }
        ++m_count;
        return m_options.start + Seconds(m_now);
    }

  private:
    ArrivalOptions m_options;
    double m_rate;       ///< number of arrivals per second
    double m_now{0};     ///< time from the start to the latest arrival, in seconds
    uint64_t m_count{0}; ///< number of arrivals so far
    bool m_isOver{false};
};

/// Draws one-to-one flows with Poisson arrivals.
class PoissonReader : public FlowReader
{
  public:
    PoissonReader(const Topology& topology, const PoissonOptions& options, int64_t stream)
        : m_topology(topology),
          m_options(RequireValid(options, topology, "PoissonOptions")),
          m_sources(SelectHosts(options.sources, topology)),
          m_destinations(SelectHosts(options.destinations, topology)),
          m_arrivals(options, GetArrivalRate(topology, options))
    {
        m_random.AssignStreams(stream);
    }

    std::optional<FlowSpec> Next() override
    {
        const auto start = m_arrivals.Next(m_random);
        if (!start)
        {
            return std::nullopt;
        }
        // The flow is constructed in place, because ns-3 registers each copy of a Time before the
        // run.
        std::optional<FlowSpec> flow(std::in_place);
        flow->id = m_next++;
        flow->source = m_sources[m_random.DrawHost(m_sources.size())];
        do
        {
            flow->destination = m_destinations[m_random.DrawHost(m_destinations.size())];
        } while (!IsEligible(m_topology, flow->source, flow->destination, m_options.otherRacks));
        flow->priority = m_random.DrawPriority(m_options.priorities);
        flow->bytes = m_random.DrawBytes(m_options.sizes);
        flow->start = *start;
        flow->group = m_options.group;
        return flow;
    }

  private:
    const Topology& m_topology;
    PoissonOptions m_options;
    std::vector<uint32_t> m_sources;      ///< host indices; never empty
    std::vector<uint32_t> m_destinations; ///< host indices; never empty
    ArrivalTimes m_arrivals;              ///< starts of the flows
    WorkloadRandom m_random;
    uint64_t m_next{0}; ///< ID of the next flow
};

/// Draws the flows of fan-in events.
class FanInReader : public FlowReader
{
  public:
    FanInReader(const Topology& topology, const FanInOptions& options, int64_t stream)
        : m_topology(topology),
          m_options(RequireValid(options, topology, "FanInOptions")),
          m_senders(SelectHosts(options.senders, topology)),
          m_receivers(SelectHosts(options.receivers, topology)),
          m_arrivals(options, GetArrivalRate(topology, options))
    {
        std::sort(m_options.times.begin(), m_options.times.end());
        m_random.AssignStreams(stream);
    }

    std::optional<FlowSpec> Next() override
    {
        if (m_taken == m_event.size())
        {
            const auto start = NextEvent();
            if (!start)
            {
                return std::nullopt;
            }
            DrawEvent(*start);
        }
        return std::move(m_event[m_taken++]);
    }

  private:
    /// @return the time of the next event, or nothing after the last one
    std::optional<Time> NextEvent()
    {
        const std::vector<Time>& times = m_options.times;
        return times.empty()            ? m_arrivals.Next(m_random)
               : m_given < times.size() ? std::optional(times[m_given++])
                                        : std::nullopt;
    }

    /// Draws the flows of an event into m_event.
    void DrawEvent(Time start)
    {
        const uint32_t receiver = m_receivers[m_random.DrawHost(m_receivers.size())];
        std::vector<uint32_t> eligible;
        std::copy_if(m_senders.begin(),
                     m_senders.end(),
                     std::back_inserter(eligible),
                     [this, receiver](uint32_t sender) {
                         return IsEligible(m_topology, sender, receiver, m_options.otherRacks);
                     });
        const uint8_t priority = m_random.DrawPriority(m_options.priorities);
        const uint32_t count = m_random.DrawCount(m_options.minSenders, m_options.maxSenders);
        m_event.clear();
        m_taken = 0;
        for (uint32_t i = 0; i < count; i++)
        {
            // The first steps of a Fisher-Yates shuffle draw hosts without replacement.
            std::swap(eligible[i], eligible[i + m_random.DrawHost(eligible.size() - i)]);
            m_event.push_back({m_next++,
                               eligible[i],
                               receiver,
                               priority,
                               m_random.DrawBytes(m_options.sizes),
                               start,
                               m_options.group});
        }
    }

    const Topology& m_topology;
    FanInOptions m_options;
    std::vector<uint32_t> m_senders;   ///< host indices; never empty
    std::vector<uint32_t> m_receivers; ///< host indices; never empty
    ArrivalTimes m_arrivals;           ///< times of the events, if they are drawn
    WorkloadRandom m_random;
    std::size_t m_given{0}; ///< number of given times that have been used
    FlowList m_event;       ///< flows of the latest event
    std::size_t m_taken{0}; ///< number of flows of m_event that Next() has returned
    uint64_t m_next{0};     ///< ID of the next flow
};

/// @return a reader of the flows, or null if there are none; aborts if the options are invalid
std::unique_ptr<FlowReader>
MakeReader(const Topology& topology, const PoissonOptions& options, int64_t stream)
{
    return HasArrivals(options) ? std::make_unique<PoissonReader>(topology, options, stream)
                                : nullptr;
}

/// @return a reader of the flows, or null if there are none; aborts if the options are invalid
std::unique_ptr<FlowReader>
MakeReader(const Topology& topology, const FanInOptions& options, int64_t stream)
{
    return HasArrivals(options) || !options.times.empty()
               ? std::make_unique<FanInReader>(topology, options, stream)
               : nullptr;
}

/// Merges the flows of several readers by start. Flows with the same start are in the order of the
/// readers, as in MergeFlows().
class MergedReader : public FlowReader
{
  public:
    explicit MergedReader(std::vector<std::unique_ptr<FlowReader>> readers)
    {
        for (auto& reader : readers)
        {
            auto first = reader->Next();
            m_inputs.push_back({std::move(reader), std::move(first)});
        }
    }

    std::optional<FlowSpec> Next() override
    {
        const auto isEarlier = [](const Input& a, const Input& b) {
            return a.next && (!b.next || a.next->start < b.next->start);
        };
        const auto first = std::min_element(m_inputs.begin(), m_inputs.end(), isEarlier);
        if (first == m_inputs.end() || !first->next)
        {
            return std::nullopt;
        }
        std::optional<FlowSpec> flow = std::exchange(first->next, first->reader->Next());
        flow->id = m_count++;
        return flow;
    }

  private:
    struct Input
    {
        std::unique_ptr<FlowReader> reader;
        std::optional<FlowSpec> next; ///< next flow of the reader, if any
    };

    std::vector<Input> m_inputs;
    uint64_t m_count{0}; ///< number of flows so far
};

} // namespace

std::optional<std::string>
ArrivalOptions::Check() const
{
    // The upper limit catches a load given in percent.
    if (!(load > 0 && load <= 2))
    {
        return "load " + std::to_string(load) + " is not a fraction above 0 and at most 2";
    }
    if (!(rate >= 0 && rate <= 1e9))
    {
        std::ostringstream text;
        text << "rate " << rate
             << " is not a number of arrivals per second, at most one a nanosecond; 0 means by the "
                "load";
        return text.str();
    }
    if (!(overheadFactor >= 1))
    {
        return "overhead factor " + std::to_string(overheadFactor) + " is below 1";
    }
    if (start.IsStrictlyNegative() || duration.IsStrictlyNegative())
    {
        return "start or duration is negative; both must be at least 0";
    }
    if (duration.IsZero() && maxArrivals == 0)
    {
        return "duration and the number of arrivals are both 0; one of them must end the process";
    }
    return std::nullopt;
}

std::optional<std::string>
PoissonOptions::Check(const Topology& topology) const
{
    const size_t count = topology.GetHosts().size();
    if (const auto complaint = FirstComplaint({ArrivalOptions::Check(),
                                               CheckHosts("sources", sources, count),
                                               CheckHosts("destinations", destinations, count),
                                               CheckPriorities(priorities),
                                               CheckGroup(group)}))
    {
        return complaint;
    }
    const auto receivers = SelectHosts(destinations, topology);
    for (const uint32_t source : SelectHosts(sources, topology))
    {
        if (std::none_of(receivers.begin(), receivers.end(), [&](uint32_t destination) {
                return IsEligible(topology, source, destination, otherRacks);
            }))
        {
            return "host " + std::to_string(source) + " has no destination" +
                   (otherRacks ? " in another rack" : " other than itself");
        }
    }
    return FirstComplaint(
        {CheckCapacity(topology, receivers),
         CheckArrivals(*this, GetArrivalRate(topology, *this)),
         Reachability(topology).Check(SelectHosts(sources, topology), receivers)});
}

std::optional<std::string>
FanInOptions::Check(const Topology& topology) const
{
    const size_t count = topology.GetHosts().size();
    if (const auto complaint =
            FirstComplaint({times.empty() ? ArrivalOptions::Check() : std::nullopt,
                            CheckHosts("senders", senders, count),
                            CheckHosts("receivers", receivers, count),
                            CheckPriorities(priorities),
                            CheckGroup(group)}))
    {
        return complaint;
    }
    if (minSenders == 0 || minSenders > maxSenders)
    {
        return "minSenders is " + std::to_string(minSenders) + " and maxSenders is " +
               std::to_string(maxSenders) + "; 1 <= minSenders <= maxSenders is needed";
    }
    if (std::any_of(times.begin(), times.end(), [](Time time) {
            return time.IsStrictlyNegative();
        }))
    {
        return "the time of an event is negative; it must be at least 0";
    }
    const auto candidates = SelectHosts(senders, topology);
    for (const uint32_t receiver : SelectHosts(receivers, topology))
    {
        const auto eligible =
            std::count_if(candidates.begin(), candidates.end(), [&](uint32_t sender) {
                return IsEligible(topology, sender, receiver, otherRacks);
            });
        if (eligible < static_cast<int64_t>(maxSenders))
        {
            return "a fan-in of " + std::to_string(maxSenders) + " to host " +
                   std::to_string(receiver) + " has only " + std::to_string(eligible) +
                   " eligible senders";
        }
    }
    const auto destinations = SelectHosts(receivers, topology);
    const double flowsPerEvent = (minSenders + maxSenders) / 2.0;
    return FirstComplaint({CheckCapacity(topology, destinations),
                           CheckArrivals(*this, flowsPerEvent * GetArrivalRate(topology, *this)),
                           Reachability(topology).Check(candidates, destinations)});
}

std::optional<std::string>
PermutationOptions::Check(const Topology& topology) const
{
    if (const auto complaint =
            FirstComplaint({CheckHosts("hosts", hosts, topology.GetHosts().size()),
                            CheckPriorities(priorities),
                            CheckGroup(group)}))
    {
        return complaint;
    }
    if (SelectHosts(hosts, topology).size() < 2)
    {
        return "a permutation needs at least 2 hosts";
    }
    if (start.IsStrictlyNegative() || jitter.IsStrictlyNegative())
    {
        return "start or jitter is negative; both must be at least 0";
    }
    return std::nullopt;
}

WorkloadRandom::WorkloadRandom()
    : m_gap(CreateObject<ExponentialRandomVariable>()),
      m_jitter(CreateObject<UniformRandomVariable>()),
      m_host(CreateObject<UniformRandomVariable>()),
      m_count(CreateObject<UniformRandomVariable>()),
      m_bytes(CreateObject<UniformRandomVariable>()),
      m_priority(CreateObject<UniformRandomVariable>())
{
}

int64_t
WorkloadRandom::AssignStreams(int64_t stream)
{
    const std::vector<Ptr<RandomVariableStream>> variables{m_gap,
                                                           m_jitter,
                                                           m_host,
                                                           m_count,
                                                           m_bytes,
                                                           m_priority};
    for (size_t i = 0; i < variables.size(); i++)
    {
        variables[i]->SetStream(stream + static_cast<int64_t>(i));
    }
    return static_cast<int64_t>(variables.size());
}

double
WorkloadRandom::DrawGap(double rate)
{
    return m_gap->GetValue(1 / rate, 0);
}

Time
WorkloadRandom::DrawJitter(Time longest)
{
    return Seconds(m_jitter->GetValue(0, longest.GetSeconds()));
}

uint32_t
WorkloadRandom::DrawHost(size_t size)
{
    return m_host->GetInteger(0, static_cast<uint32_t>(size - 1));
}

uint32_t
WorkloadRandom::DrawCount(uint32_t min, uint32_t max)
{
    return m_count->GetInteger(min, max);
}

uint64_t
WorkloadRandom::DrawBytes(const FlowSizeTable& sizes)
{
    return sizes.Sample(m_bytes);
}

uint8_t
WorkloadRandom::DrawPriority(const std::vector<uint8_t>& priorities)
{
    return priorities[m_priority->GetInteger(0, static_cast<uint32_t>(priorities.size() - 1))];
}

RandomFlowSource::RandomFlowSource(const Topology& topology,
                                   std::vector<RandomFlows> kinds,
                                   int64_t stream)
    : m_topology(topology),
      m_kinds(std::move(kinds)),
      m_stream(stream)
{
}

std::unique_ptr<FlowReader>
RandomFlowSource::Open() const
{
    int64_t stream = m_stream;
    std::vector<std::unique_ptr<FlowReader>> readers;
    for (const RandomFlows& kind : m_kinds)
    {
        auto reader =
            std::visit([&](const auto& options) { return MakeReader(m_topology, options, stream); },
                       kind);
        if (reader)
        {
            readers.push_back(std::move(reader));
        }
        stream += WorkloadRandom().AssignStreams(stream);
    }
    if (readers.size() == 1)
    {
        return std::move(readers.front());
    }
    return std::make_unique<MergedReader>(std::move(readers));
}

FlowList
DrawFlows(const Topology& topology, const std::vector<RandomFlows>& kinds, int64_t stream)
{
    return RandomFlowSource(topology, kinds, stream).MakeList();
}

FlowList
DrawPermutation(const Topology& topology, const PermutationOptions& options, int64_t stream)
{
    const auto error = options.Check(topology);
    NS_ABORT_MSG_IF(error, "PermutationOptions: " << *error);
    WorkloadRandom random;
    random.AssignStreams(stream);
    const std::vector<uint32_t> hosts = SelectHosts(options.hosts, topology);
    std::vector<uint32_t> destinations = hosts;
    const auto hasFixedPoint = [&]() {
        return std::inner_product(hosts.begin(),
                                  hosts.end(),
                                  destinations.begin(),
                                  false,
                                  std::logical_or<>(),
                                  std::equal_to<>());
    };
    // About 1/e of all shuffles have no fixed point, almost regardless of the number of hosts.
    do
    {
        for (size_t i = destinations.size() - 1; i > 0; i--)
        {
            std::swap(destinations[i], destinations[random.DrawHost(i + 1)]);
        }
    } while (hasFixedPoint());

    FlowList flows;
    for (size_t i = 0; i < hosts.size(); i++)
    {
        flows.push_back({i,
                         hosts[i],
                         destinations[i],
                         random.DrawPriority(options.priorities),
                         random.DrawBytes(options.sizes),
                         options.start + random.DrawJitter(options.jitter),
                         options.group});
    }
    return MergeFlows({flows});
}

double
GetArrivalRate(const Topology& topology, const PoissonOptions& options)
{
    return ComputeRate(options,
                       GetCapacity(topology, SelectHosts(options.destinations, topology)),
                       options.sizes.GetMean());
}

double
GetArrivalRate(const Topology& topology, const FanInOptions& options)
{
    const double meanSenders = (options.minSenders + options.maxSenders) / 2.0;
    return ComputeRate(options,
                       GetCapacity(topology, SelectHosts(options.receivers, topology)),
                       meanSenders * options.sizes.GetMean());
}

double
GetOfferedLoad(uint64_t bytes, const Topology& topology, Time duration)
{
    NS_ABORT_MSG_IF(!duration.IsStrictlyPositive(),
                    "GetOfferedLoad: the duration is " << duration << "; it must be above 0");
    return 8.0 * static_cast<double>(bytes) /
           (GetCapacity(topology, SelectHosts({}, topology)) * duration.GetSeconds());
}

} // namespace ns3::lossless
