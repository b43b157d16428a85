// SPDX-License-Identifier: GPL-2.0-only
//
// Compares random flows that are drawn one by one with lists of the same flows, and compares runs
// that receive their flows from a source with runs that receive a list.

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/flow-groups.h"
#include "ns3/flow-plan.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/run-notes.h"
#include "ns3/source-progress.h"

#include <nlohmann/json.hpp>
#include <random>

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-flow-source", SYSTEM);

constexpr uint64_t SEEDS = 12; ///< number of seeds for each comparison
constexpr uint32_t LEAVES = 4;
constexpr uint32_t HOSTS = 4 * LEAVES;

Topology
MakeNetwork()
{
    LeafSpineOptions options;
    options.leaves = LEAVES;
    options.spines = 2;
    options.hostsPerLeaf = HOSTS / LEAVES;
    return Topology::LeafSpine(options);
}

// Unlike the flows of a source, the expected lists are drawn in two passes: all start times first,
// then the other properties of each flow.

std::vector<Time>
DrawInstants(const ArrivalOptions& options, double rate, WorkloadRandom& random)
{
    const double limit = options.duration.IsZero() ? std::numeric_limits<double>::infinity()
                                                   : options.duration.GetSeconds();
    std::vector<Time> instants;
    for (double now = random.DrawGap(rate); now < limit; now += random.DrawGap(rate))
    {
        instants.push_back(options.start + Seconds(now));
        if (instants.size() == options.maxArrivals)
        {
            break;
        }
    }
    return instants;
}

std::vector<uint32_t>
GetHostsOf(const std::vector<uint32_t>& hosts)
{
    std::vector<uint32_t> all(HOSTS);
    std::iota(all.begin(), all.end(), 0);
    return hosts.empty() ? all : hosts;
}

bool
IsPair(uint32_t a, uint32_t b, bool otherRacks)
{
    return otherRacks ? a * LEAVES / HOSTS != b * LEAVES / HOSTS : a != b;
}

FlowList
DrawExpected(const Topology& topology, const PoissonOptions& options, WorkloadRandom& random)
{
    const std::vector<uint32_t> sources = GetHostsOf(options.sources);
    const std::vector<uint32_t> destinations = GetHostsOf(options.destinations);
    const double rate = GetArrivalRate(topology, options);
    FlowList flows;
    for (const Time& start : DrawInstants(options, rate, random))
    {
        FlowSpec flow;
        flow.source = sources[random.DrawHost(sources.size())];
        do
        {
            flow.destination = destinations[random.DrawHost(destinations.size())];
        } while (!IsPair(flow.source, flow.destination, options.otherRacks));
        flow.priority = random.DrawPriority(options.priorities);
        flow.bytes = random.DrawBytes(options.sizes);
        flow.start = start;
        flow.group = options.group;
        flows.push_back(flow);
    }
    return flows;
}

FlowList
DrawExpected(const Topology& topology, const FanInOptions& options, WorkloadRandom& random)
{
    const std::vector<uint32_t> receivers = GetHostsOf(options.receivers);
    const double rate = GetArrivalRate(topology, options);
    std::vector<Time> instants = options.times;
    std::sort(instants.begin(), instants.end());
    FlowList flows;
    for (const Time& start : instants.empty() ? DrawInstants(options, rate, random) : instants)
    {
        FlowSpec flow;
        flow.destination = receivers[random.DrawHost(receivers.size())];
        std::vector<uint32_t> senders;
        for (const uint32_t sender : GetHostsOf(options.senders))
        {
            if (IsPair(sender, flow.destination, options.otherRacks))
            {
                senders.push_back(sender);
            }
        }
        flow.priority = random.DrawPriority(options.priorities);
        flow.start = start;
        flow.group = options.group;
        const uint32_t count = random.DrawCount(options.minSenders, options.maxSenders);
        for (uint32_t i = 0; i < count; ++i)
        {
            std::swap(senders[i], senders[i + random.DrawHost(senders.size() - i)]);
            flow.source = senders[i];
            flow.bytes = random.DrawBytes(options.sizes);
            flows.push_back(flow);
        }
    }
    return flows;
}

FlowList
DrawExpected(const Topology& topology, const std::vector<RandomFlows>& kinds, int64_t stream)
{
    std::vector<FlowList> lists;
    for (const RandomFlows& kind : kinds)
    {
        WorkloadRandom random;
        const int64_t used = random.AssignStreams(stream);
        std::visit(
            [&](const auto& options) {
                if (options.load > 0)
                {
                    lists.push_back(DrawExpected(topology, options, random));
                }
            },
            kind);
        stream += used;
    }
    return MergeFlows(lists);
}

class Settings
{
  public:
    explicit Settings(uint64_t seed)
        : m_random(seed)
    {
    }

    /// @return one to four kinds of flows, some of which can be empty
    std::vector<RandomFlows> DrawKinds()
    {
        std::vector<RandomFlows> kinds(1 + Draw(4));
        std::generate(kinds.begin(), kinds.end(), [this] {
            return Draw(2) == 0 ? RandomFlows(DrawPoisson()) : RandomFlows(DrawFanIn());
        });
        return kinds;
    }

  private:
    uint64_t Draw(uint64_t count)
    {
        return m_random() % count;
    }

    /// @return an empty list, which represents all hosts, or at least the first nine hosts, which
    /// are in three or more racks
    std::vector<uint32_t> DrawHosts()
    {
        std::vector<uint32_t> hosts;
        for (uint32_t host = 0; host < HOSTS && m_random() % 2 == 0; ++host)
        {
            hosts.push_back(host);
        }
        return hosts.size() > HOSTS / 2 ? hosts : std::vector<uint32_t>();
    }

    void DrawArrivals(ArrivalOptions& options)
    {
        options.load = Draw(8) == 0 ? 0 : 0.1 * static_cast<double>(1 + Draw(10));
        options.overheadFactor = 1 + 0.1 * static_cast<double>(Draw(3));
        options.rate = Draw(4) == 0 ? 1e7 : 0;
        options.start = MicroSeconds(static_cast<int64_t>(Draw(20)));
        options.maxArrivals = Draw(2) * (1 + Draw(100));
        const bool isLimited = options.maxArrivals > 0 && Draw(2) == 0;
        options.duration = isLimited ? Time(0) : MicroSeconds(static_cast<int64_t>(1 + Draw(30)));
        if (options.load == 0)
        {
            options.rate = 0;
        }
    }

    template <typename Options>
    void DrawCommon(Options& options)
    {
        DrawArrivals(options);
        options.sizes = Draw(2) == 0 ? FlowSizeTable::Fixed(1 + Draw(9000))
                                     : FlowSizeTable("wide", "test", {{1, 0}, {20000, 1}});
        options.otherRacks = Draw(2) == 0;
        options.priorities = Draw(2) == 0 ? std::vector<uint8_t>{3} : std::vector<uint8_t>{2, 4, 5};
        options.group = std::string(1 + Draw(2), 'g');
    }

    PoissonOptions DrawPoisson()
    {
        PoissonOptions options;
        DrawCommon(options);
        options.sources = DrawHosts();
        options.destinations = DrawHosts();
        return options;
    }

    FanInOptions DrawFanIn()
    {
        FanInOptions options;
        DrawCommon(options);
        options.senders = DrawHosts();
        options.receivers = DrawHosts();
        options.minSenders = 1 + static_cast<uint32_t>(Draw(2));
        options.maxSenders = options.minSenders + static_cast<uint32_t>(Draw(2));
        for (uint64_t i = options.load > 0 ? 3 * Draw(3) : 0; i > 0; --i)
        {
            // The range is so small that events often have equal times.
            options.times.push_back(MicroSeconds(static_cast<int64_t>(Draw(5))));
        }
        return options;
    }

    std::mt19937_64 m_random;
};

LOSSLESS_TEST(g_suite, "a source has the flows of lists drawn in full, for random settings")
{
    const Topology topology = MakeNetwork();
    const uint64_t run = RngSeedManager::GetRun();
    std::size_t most = 0;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed)
    {
        RngSeedManager::SetRun(seed);
        Settings settings(seed);
        for (int round = 0; round < 8; ++round)
        {
            const std::vector<RandomFlows> kinds = settings.DrawKinds();
            const int64_t stream = 100 + round;
            const FlowList expected = DrawExpected(topology, kinds, stream);
            const RandomFlowSource source(topology, kinds, stream);
            const std::string text = ToText(expected);
            most = std::max(most, expected.size());
            NS_TEST_EXPECT_MSG_EQ((ToText(source.MakeList()) == text), true, "seed " << seed);
            std::string visited;
            source.Visit([&visited](const FlowSpec& flow) { visited += ToText(FlowList{flow}); });
            NS_TEST_EXPECT_MSG_EQ((visited == text), true, "again, seed " << seed);
            NS_TEST_EXPECT_MSG_EQ((ToText(DrawFlows(topology, kinds, stream)) == text),
                                  true,
                                  "DrawFlows, seed " << seed);
        }
    }
    RngSeedManager::SetRun(run);
    NS_TEST_EXPECT_MSG_GT(most, 1000, "some lists are long");
}

LOSSLESS_TEST(g_suite, "totals of a source are sums over its flows")
{
    const Topology topology = MakeNetwork();
    for (uint64_t seed = 1; seed <= SEEDS; ++seed)
    {
        const RandomFlowSource source(topology, Settings(seed).DrawKinds());
        const FlowList flows = source.MakeList();
        const FlowTotals& totals = source.GetTotals();
        NS_TEST_EXPECT_MSG_EQ(totals.flows, flows.size(), "flows");
        NS_TEST_EXPECT_MSG_EQ(totals.first, (flows.empty() ? Time(0) : flows.front().start), "");
        NS_TEST_EXPECT_MSG_EQ(totals.last, (flows.empty() ? Time(0) : flows.back().start), "");
        std::map<std::pair<std::string, uint8_t>, std::pair<uint64_t, uint64_t>> expected;
        for (const FlowSpec& flow : flows)
        {
            auto& [count, bytes] = expected[{flow.group, flow.priority}];
            ++count;
            bytes += flow.bytes;
        }
        NS_TEST_ASSERT_MSG_EQ(totals.groups.size(), expected.size(), "groups");
        for (const auto& [key, sums] : totals.groups)
        {
            NS_TEST_EXPECT_MSG_EQ(sums.flows, expected[key].first, key.first << " " << +key.second);
            NS_TEST_EXPECT_MSG_EQ(sums.bytes, expected[key].second, key.first);
        }
    }
}

class ListSource : public FlowSource
{
  public:
    explicit ListSource(FlowList flows)
        : m_flows(std::move(flows))
    {
    }

    std::unique_ptr<FlowReader> Open() const override
    {
        class Reader : public FlowReader
        {
          public:
            explicit Reader(const FlowList& flows)
                : m_flows(flows)
            {
            }

            std::optional<FlowSpec> Next() override
            {
                return m_next < m_flows.size() ? std::optional(m_flows[m_next++]) : std::nullopt;
            }

          private:
            const FlowList& m_flows;
            std::size_t m_next{0};
        };

        return std::make_unique<Reader>(m_flows);
    }

  private:
    FlowList m_flows;
};

/// The results of a run and the number of flows that it had in memory.
struct Outcome
{
    std::string groups;        ///< text of flow-groups.csv
    std::string json;          ///< run.json without the values that differ from run to run
    std::size_t mostLive{0};   ///< maximum number of flows in progress in memory
    std::size_t live{0};       ///< number of flows in progress in memory at the end
    std::size_t remembered{0}; ///< number of flows that receivers remember at the end
};

enum class Form
{
    LIST,
    SOURCE,
};

Outcome
RunFlows(const FlowList& flows, Form form, const std::string& scheme, Fabric::FlowEnd end)
{
    ResultsWriter results("");
    results.Get<FlowPlan>()->SetDetail(FlowDetail::GROUPS);
    SwitchHelper switches(*FindPart<SchemeInfo>(scheme));
    if (scheme == "DropTail")
    {
        switches.SetBufferAttribute("Size", UintegerValue(60000));
    }
    Fabric fabric(Topology::Star({HOSTS, DataRate("100Gbps"), NanoSeconds(500)}), switches);
    fabric.AssignStreams(1);
    results.AddFabric(fabric);
    if (form == Form::LIST)
    {
        fabric.StartFlows(flows);
    }
    else
    {
        fabric.StartSource(std::make_shared<ListSource>(flows));
    }
    fabric.StopWhenFlowsAreDone(MilliSeconds(100), end);
    Simulator::Run();
    Outcome outcome;
    std::ostringstream json;
    results.Get<RunNotes>()->WriteJson(json);
    auto notes = nlohmann::json::parse(json.str());
    for (const char* name : {"cpu_s", "wall_s", "max_rss_bytes"})
    {
        notes.erase(name);
    }
    outcome.json = notes.dump();
    outcome.groups = ToCsv(results.Get<FlowGroups>()->GetTables().at(0).make());
    for (uint32_t host = 0; host < HOSTS; ++host)
    {
        outcome.remembered += fabric.GetNic(host)->GetRememberedFlows();
    }
    NS_TEST_EXPECT_MSG_EQ(fabric.CountFlows(), flows.size(), "their number");
    NS_TEST_EXPECT_MSG_EQ(fabric.GetLastStart(), flows.back().start, "the last one");
    if (const SourceProgress* progress = fabric.GetSourceProgress())
    {
        outcome.mostLive = progress->GetMostLive();
        outcome.live = progress->CountLive();
    }
    NS_TEST_EXPECT_MSG_EQ((ToText(fabric.GetFlows()) == ToText(flows)), true, "a list on demand");
    Simulator::Destroy();
    return outcome;
}

/// @return Poisson flows and fan-ins
FlowList
DrawTraffic(uint64_t seed, Time end)
{
    const Topology topology = Topology::Star({HOSTS, DataRate("100Gbps"), NanoSeconds(500)});
    PoissonOptions background;
    background.load = 0.4;
    background.sizes = FlowSizeTable("wide", "test", {{1, 0}, {10000, 1}});
    background.duration = end;
    background.priorities = {3, 4};
    FanInOptions fanIn;
    fanIn.load = 0.1;
    fanIn.sizes = FlowSizeTable::Fixed(4000);
    fanIn.minSenders = fanIn.maxSenders = 8;
    fanIn.duration = end;
    fanIn.priorities = {3};
    RngSeedManager::SetRun(seed);
    FlowList flows = DrawFlows(topology, {background, fanIn}, 1000);
    RngSeedManager::SetRun(1);
    return flows;
}

LOSSLESS_TEST(g_suite, "runs of a source have the results of runs of a list, with and without loss")
{
    std::size_t repeated = 0;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed)
    {
        const FlowList flows = DrawTraffic(seed, MicroSeconds(50));
        const std::string scheme = seed % 2 == 0 ? "SIH" : "DropTail";
        const auto end = seed % 3 == 0 ? Fabric::FlowEnd::ACKNOWLEDGED : Fabric::FlowEnd::RECEIVED;
        const Outcome list = RunFlows(flows, Form::LIST, scheme, end);
        const Outcome source = RunFlows(flows, Form::SOURCE, scheme, end);
        NS_TEST_EXPECT_MSG_EQ(source.groups, list.groups, "seed " << seed);
        NS_TEST_EXPECT_MSG_EQ(source.json, list.json, "seed " << seed);
        repeated += source.remembered;
    }
    NS_TEST_EXPECT_MSG_GT(repeated, 0, "flows with loss are remembered in case of late packets");
}

LOSSLESS_TEST(g_suite, "memory has the flows under way, however many there are")
{
    const FlowList few = DrawTraffic(1, MicroSeconds(100));
    const FlowList many = DrawTraffic(1, MicroSeconds(1000));
    NS_TEST_EXPECT_MSG_GT(many.size(), 9 * few.size(), "ten times as many");
    const Outcome first = RunFlows(few, Form::SOURCE, "Infinite", Fabric::FlowEnd::ACKNOWLEDGED);
    const Outcome second = RunFlows(many, Form::SOURCE, "Infinite", Fabric::FlowEnd::ACKNOWLEDGED);
    // Flows are handed over up to 50 us before their start.
    NS_TEST_EXPECT_MSG_LT(second.mostLive, 1.3 * static_cast<double>(first.mostLive), "at once");
    NS_TEST_EXPECT_MSG_EQ(second.live, 0, "acknowledged flows are forgotten");
    NS_TEST_EXPECT_MSG_EQ(second.remembered, 0, "also by their receivers");
}

/// Expects an error message when the flows of a source are started.
void
RefuseSource(const FlowList& flows, const std::string& sentence, const Topology& topology)
{
    const std::string message = GetAbortMessage([&]() {
        Fabric fabric(topology, SwitchHelper());
        fabric.StartSource(std::make_shared<ListSource>(flows));
        Simulator::Run();
    });
    ExpectPart(message, sentence);
}

LOSSLESS_TEST(g_suite, "flows of a source that cannot start are refused")
{
    const Topology star = Topology::Star({3, DataRate("100Gbps"), NanoSeconds(500)});
    RefuseSource({{0, 0, 3, 3, 1000, Time(0), ""}}, "flow 0: host 3 does not exist", star);
    RefuseSource({{0, 0, 1, 3, 1000, MicroSeconds(2), ""}, {1, 0, 1, 3, 1000, Time(0), ""}},
                 "flow 1 starts before the previous one",
                 star);
    const Topology twice = MakeTopology("h0,s0,100Gbps,500ns\n"
                                        "h0,s0,100Gbps,500ns\n"
                                        "h1,s0,100Gbps,500ns\n");
    RefuseSource({{0, 0, 1, 3, 1000, Time(0), ""}}, "for hosts with one NIC; list them", twice);
}

} // namespace ns3::lossless::tests::THIS_FILE
