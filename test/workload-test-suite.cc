// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/flow-size-table.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/text-lines.h"

#include <numeric>

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-workload", UNIT);

/// @return the sum of (counted - expected)^2 / expected over the bins
double
ChiSquare(const std::vector<uint64_t>& counted, const std::vector<double>& expected)
{
    double sum = 0;
    for (size_t i = 0; i < counted.size(); i++)
    {
        const double error = static_cast<double>(counted[i]) - expected[i];
        sum += error * error / expected[i];
    }
    return sum;
}

bool
IsSortedAndNumbered(const FlowList& flows)
{
    for (size_t i = 0; i < flows.size(); i++)
    {
        if (flows[i].id != i || (i > 0 && flows[i].start < flows[i - 1].start))
        {
            return false;
        }
    }
    return true;
}

uint64_t
SumBytes(const FlowList& flows)
{
    return std::accumulate(flows.begin(),
                           flows.end(),
                           uint64_t{0},
                           [](uint64_t sum, const FlowSpec& flow) { return sum + flow.bytes; });
}

/// @return a leaf-spine network at 100 Gb/s; delays and spines have no effect in these tests
Topology
MakeFabric(uint32_t leaves, uint32_t hostsPerLeaf)
{
    return Topology::LeafSpine({leaves, 1, hostsPerLeaf});
}

LOSSLESS_TEST(g_suite, "means of the compiled-in tables")
{
    // These are the published means, rounded to whole bytes. The means of the synthetic tables are
    // computed by hand: EDU1 is .2*550 + .4*5500 + .3*55000 + .08*550000 + .02*5500000, and EDU2 is
    // .1*550 + .4*5500 + .3*15000 + .1*60000 + .075*550000 + .025*5500000.
    const std::map<std::string, double> means{{"websearch", 1711250},
                                              {"datamining", 12658199},
                                              {"datamining-opera", 5036535},
                                              {"hadoop", 120421},
                                              {"hadoop-interrack", 3423728},
                                              {"cache", 712574},
                                              {"webserver", 66121},
                                              {"grpc", 2920},
                                              {"alistorage", 40870},
                                              {"edu1", 437317},
                                              {"edu2", 1717931},
                                              {"edu1-synthetic", 172810},
                                              {"edu2-synthetic", 191505}};
    for (const auto& [name, mean] : means)
    {
        NS_TEST_ASSERT_MSG_EQ(Show(FlowSizeTable::CheckName(name)), "(no complaint)", name);
        const FlowSizeTable table = FlowSizeTable::Get(name);
        NS_TEST_EXPECT_MSG_EQ_TOL(table.GetMean(), mean, 0.5, "mean of " << name);
        NS_TEST_EXPECT_MSG_EQ(table.GetName(), name, "its name");
        NS_TEST_EXPECT_MSG_EQ(table.GetSource().empty(), false, "its source");
    }
    NS_TEST_EXPECT_MSG_EQ(FlowSizeTable::Get("webserver").Describe(),
                          "webserver (Roy et al., SIGCOMM 2015, web server), mean 66121 B",
                          "one line for a log");
    NS_TEST_EXPECT_MSG_EQ(
        Show(FlowSizeTable::CheckName("Web-Search")) + Show(FlowSizeTable::CheckName("websurf")),
        "(no complaint)there is no flow-size table named 'websurf'; the tables are websearch, "
        "datamining, "
        "datamining-opera, hadoop, hadoop-interrack, cache, webserver, grpc, alistorage, edu1, "
        "edu2, edu1-synthetic, edu2-synthetic",
        "a wrong name lists the right ones");
}

void
Expect(const FlowSizeTable& table, double u, uint64_t bytes)
{
    NS_TEST_EXPECT_MSG_EQ(table.GetQuantile(u), bytes, table.GetName() << " at " << u);
}

LOSSLESS_TEST(g_suite, "quantiles")
{
    const auto websearch = FlowSizeTable::Get("websearch");
    Expect(websearch, 0, 1); // the table begins at 0 bytes, but a flow has at least 1 byte
    Expect(websearch, 0.15, 10000);
    Expect(websearch, 0.075, 5000);
    Expect(websearch, 0.25, 25000); // halfway between 20 000 and 30 000
    Expect(websearch, 0.985, 20000000);
    Expect(websearch, 1, 30000000);

    // In "cache", 1 % of the flows have 70 bytes, and those from 1.5 % to 4 % have 150 bytes.
    const auto cache = FlowSizeTable::Get("cache");
    Expect(cache, 0, 70);
    Expect(cache, 0.01, 70);
    Expect(cache, 0.0125, 110);
    Expect(cache, 0.03, 150);
    // "webserver" has no flows between 300 and 600 bytes.
    const auto webserver = FlowSizeTable::Get("webserver");
    Expect(webserver, 0.2, 300);
    Expect(webserver, 0.2001, 600);
    Expect(webserver, 0.25, 800);
    // In EDU1, the flows from 35 % to 40 % have 367 bytes.
    Expect(FlowSizeTable::Get("edu1"), 0.375, 367);
    // The size is halfway between 100 and 1000 bytes, as stated in the OFC paper for both tables.
    Expect(FlowSizeTable::Get("edu1-synthetic"), 0.1, 550);
    Expect(FlowSizeTable::Get("edu1-synthetic"), 0.6, 10000);
    Expect(FlowSizeTable::Get("edu2-synthetic"), 0.8, 20000);

    const auto fixed = FlowSizeTable::Fixed(65536);
    Expect(fixed, 0, 65536);
    Expect(fixed, 1, 65536);
    NS_TEST_EXPECT_MSG_EQ(fixed.GetMean(), 65536, "mean of a single size");
    NS_TEST_EXPECT_MSG_EQ(fixed.GetName(), "fixed-65536", "its name");

    // The first probability is above 0, so half of the flows have 100 bytes, and the others have
    // 100 to 300 bytes.
    const FlowSizeTable half("half", "test", {{100, 0.5}, {300, 1}});
    Expect(half, 0.4, 100);
    Expect(half, 0.75, 200);
    NS_TEST_EXPECT_MSG_EQ_TOL(half.GetMean(), 150, 1e-9, ".5 * 100 + .5 * 200");
}

void
RefuseTable(const std::string& text, const std::string& sentence)
{
    std::istringstream input(text);
    ExpectError(CatchComplaint([&] { FlowSizeTable::Parse(input, "sizes.txt"); }), sentence);
}

LOSSLESS_TEST(g_suite, "reading tables")
{
    // The file has a step, a flat section, comments, and both kinds of line endings.
    const std::string path = CreateTempDirFilename("sizes.txt");
    std::ofstream(path) << "# bytes probability\r\n\r\n100 0\n 100\t.5 # step\n"
                           "200 5e-1\n300 1\n";
    const auto table = FlowSizeTable::FromFile(path);
    Expect(table, 0.25, 100);
    Expect(table, 0.75, 250);
    NS_TEST_EXPECT_MSG_EQ_TOL(table.GetMean(), 175, 1e-9, ".5 * 100 + .5 * 250");
    NS_TEST_EXPECT_MSG_EQ(table.GetName(), path, "named after the file");

    // Probabilities are in percent, as in the files of HPCC's simulator and its forks.
    std::istringstream input("0 0\n10000 15\n30000 100\n");
    const auto percent = FlowSizeTable::Parse(input, "percent.txt");
    NS_TEST_EXPECT_MSG_EQ(percent[1].probability, 0.15, "15 %");
    NS_TEST_EXPECT_MSG_EQ(percent[2].probability, 1, "100 %");

    // The last probabilities are typical results of floating-point sums.
    for (const std::string text : {"1000 0.1\n10000 0.9999999999999999\n",
                                   "1000 10.0\n2000 60.00000000000001\n9000 99.99999999999999\n"})
    {
        std::istringstream sum(text);
        const auto sums = FlowSizeTable::Parse(sum, "sum.txt");
        NS_TEST_EXPECT_MSG_EQ(sums.front().probability, 0.1, text);
        NS_TEST_EXPECT_MSG_EQ(sums.back().probability, 1, text);
    }
    RefuseTable("1 0\n2 .999999\n",
                "sizes.txt:2: the last probability is 0.999999; it must be 1, or 100 where all are "
                "percentages");
    RefuseTable("0 0\n1000 30\n2000 99.9\n",
                "sizes.txt:3: the last probability is 99.9; it must be 1, or 100 where all are");
    RefuseTable("", "sizes.txt: there are no points; each line must have a size in bytes");
    RefuseTable("# nothing\n", "sizes.txt: there are no points");
    RefuseTable("100 0\n50 1\n", "sizes.txt:2: size 50 is below the size before, 100; sizes must");
    RefuseTable("1 0\n2 .5\n\n3 .4\n", "sizes.txt:4: probability 0.4 is below the one before, 0.5");
    RefuseTable("1 0\n2 99\n3 1\n", "sizes.txt:2: probability 99 is not from 0 to 1");
    RefuseTable("1 0\n2 101\n3 100\n", "sizes.txt:2: probability 1.01 is not from 0 to 1");
    RefuseTable("1 -0.1\n2 1\n", "sizes.txt:1: probability -0.1 is not from 0 to 1");
    RefuseTable("-1 0\n2 1\n", "sizes.txt:1: size -1 is not a number from 0 to");
    RefuseTable("1 0\n2KB 1\n", "sizes.txt:2: '2KB 1' is not a size in bytes and a probability");
    RefuseTable("1 0\n2 nan\n", "sizes.txt:2: '2 nan' is not a size in bytes and a probability");
    RefuseTable("1 0\n2\n", "sizes.txt:2: '2' is not a size");
    RefuseTable("1 0\n2 1 3\n", "sizes.txt:2: '2 1 3' is not a size in bytes and a probability");
    RefuseTable("1 7 0\n2 1\n",
                "sizes.txt:2: '2 1' is not a size in bytes, a number that is passed over and a "
                "probability");
    RefuseTable("1 x 0\n2 x 1\n", "sizes.txt:1: '1 x 0' is not a size in bytes and a");
    RefuseTable("1 7 0 1\n", "sizes.txt:1: '1 7 0 1' is not a size in bytes and a probability");
    RefuseTable("1,0\n2,1\n", "sizes.txt:1: '1,0' is not a size");

    RefuseTable("0 1\n", "sizes.txt:1: the mean size is 0 B; it must be at least 1");
    RefuseTable("0 0.5\n1 1\n", "sizes.txt:2: the mean size is 0.25 B; it must be at least 1");
    RefuseTable("1e19 1\n", "sizes.txt:1: size 1e+19 is not a number from 0 to 1000000000000000");

    // The same rules apply to points that a program sets.
    ExpectError(FlowSizeTable::CheckPoints({{5, 0}, {4, 1}}), "size 4");
    ExpectError(FlowSizeTable::CheckPoints({}), "no points");
    ExpectError(FlowSizeTable::CheckPoints({{5, 0.5}}), "must be 1");
    ExpectError(FlowSizeTable::CheckPoints({{std::nan(""), 1}}), "nan");
}

/// The middle column of ns-2's three-column tables is ignored. One half of the flows has 1000 to
/// 3000 B (2000 B on average) and the other half has 3000 B, so the mean is (2000 + 3000) / 2 =
/// 2500 B.
LOSSLESS_TEST(g_suite, "tables of ns-2")
{
    std::istringstream text("# of ns-2\n1000 1 0\n3000 5 50\n3000 1 100\n");
    const FlowSizeTable table("ns-2", "test", FlowSizeTable::Parse(text, "f.cdf"));
    NS_TEST_EXPECT_MSG_EQ(table.GetMean(), 2500, "mean");
    NS_TEST_EXPECT_MSG_EQ(table.GetQuantile(0.25), 2000, "half way to the second point");
}

constexpr uint32_t SAMPLES = 20000; //!< sizes drawn

LOSSLESS_TEST(g_suite, "sampling")
{
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(4711);
    // The bounds of the random variable itself must have no effect.
    random->SetAttribute("Max", DoubleValue(0.25));
    // Each section of the web-search table is cut into two halves, which are equally likely.
    const std::vector<std::pair<double, double>> points{{0, 0},
                                                        {10000, .15},
                                                        {20000, .20},
                                                        {30000, .30},
                                                        {50000, .40},
                                                        {80000, .53},
                                                        {200000, .60},
                                                        {1000000, .70},
                                                        {2000000, .80},
                                                        {5000000, .90},
                                                        {10000000, .97},
                                                        {30000000, 1}};
    std::vector<double> edges;
    std::vector<double> expected;
    for (size_t i = 1; i < points.size(); i++)
    {
        const double share = (points[i].second - points[i - 1].second) / 2;
        edges.push_back((points[i - 1].first + points[i].first) / 2);
        edges.push_back(points[i].first);
        expected.insert(expected.end(), 2, share * SAMPLES);
    }
    std::vector<uint64_t> counted(edges.size(), 0);
    const auto websearch = FlowSizeTable::Get("websearch");
    for (uint32_t i = 0; i < SAMPLES; i++)
    {
        const auto bytes = static_cast<double>(websearch.Sample(random));
        const auto bin = std::lower_bound(edges.begin(), edges.end(), bytes);
        counted.at(bin - edges.begin())++;
    }
    // With 22 bins, there are 21 degrees of freedom, for which one seed in a thousand gives more
    // than 46.8.
    NS_TEST_EXPECT_MSG_LT(ChiSquare(counted, expected), 46.8, "chi-square of the sizes");
    // In "cache", 1 % of the flows have 70 bytes. The expected number is 200, with a standard
    // deviation of 14.
    const auto cache = FlowSizeTable::Get("cache");
    uint32_t smallest = 0;
    for (uint32_t i = 0; i < SAMPLES; i++)
    {
        smallest += cache.Sample(random) == 70 ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(smallest, 200.0, 56.0, "share of the vertical step");
}

void
CheckFanIn(const Topology& dsh, const std::vector<uint32_t>& oneLeaf)
{
    // In Fig. 12 of the DSH paper, fan-ins of 1 to 15 hosts (8 on average) load half of one leaf's
    // 1.6 Tb/s, which requires 800 Gb/s / (8 bit * 8 * 120 421 B) = 103.8 events/ms.
    FanInOptions deadlock;
    deadlock.load = 0.5;
    deadlock.minSenders = 1;
    deadlock.maxSenders = 15;
    deadlock.sizes = FlowSizeTable::Get("hadoop");
    deadlock.receivers = oneLeaf;
    NS_TEST_EXPECT_MSG_EQ_TOL(GetArrivalRate(dsh, deadlock),
                              103802,
                              1,
                              "fan-in of the deadlock scenario");

    // In the FAFC paper, the load of 288 hosts at 25 Gb/s is 2 %. An event comprises 60 * 500 kB,
    // so there is one event every 1.667 ms.
    const Topology fafc =
        Topology::LeafSpine({12, 6, 24, DataRate("25Gbps"), DataRate("100Gbps"), Time()});
    FanInOptions fanIn;
    fanIn.load = 0.02;
    fanIn.minSenders = 60;
    fanIn.maxSenders = 60;
    fanIn.sizes = FlowSizeTable::Fixed(500000);
    NS_TEST_EXPECT_MSG_EQ_TOL(GetArrivalRate(fafc, fanIn), 600, 1e-6, "fan-in of FAFC");
    fanIn.rate = 100;
    NS_TEST_EXPECT_MSG_EQ(GetArrivalRate(fafc, fanIn), 100, "queries of CaPFC");
}

LOSSLESS_TEST(g_suite, "arrival rates")
{
    // The rate in Fig. 14 of the DSH paper is 0.8 * 256 * 100 Gb/s / (8 * 1 711 250 B) =
    // 1496 flows/ms.
    const Topology dsh = MakeFabric(16, 16);
    PoissonOptions options;
    options.load = 0.8;
    NS_TEST_EXPECT_MSG_EQ_TOL(GetArrivalRate(dsh, options), 1495982, 1, "background of DSH");
    // At a load of 0.1, the rate of fan-ins is 2.56 Tb/s / (8 * 16 * 65536 B) = 305 events/ms.
    FanInOptions fanIn;
    fanIn.load = 0.1;
    NS_TEST_EXPECT_MSG_EQ_TOL(GetArrivalRate(dsh, fanIn), 305175.8, 0.1, "DSH");
    // With 1.25 wire bytes per payload byte, the rate of flows is divided by 1.25.
    options.overheadFactor = 1.25;
    NS_TEST_EXPECT_MSG_EQ_TOL(GetArrivalRate(dsh, options), 1196786, 1, "with overhead");
    // With only 16 of 256 receivers, the rate is a sixteenth of that with all receivers.
    options.overheadFactor = 1;
    options.destinations = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    NS_TEST_EXPECT_MSG_EQ_TOL(GetArrivalRate(dsh, options),
                              93498.9,
                              0.1,
                              "capacity of the destinations");

    CheckFanIn(dsh, options.destinations);
}

/// Checks that sources, destinations and classes are equally likely.
void
CheckHosts(const FlowList& flows, uint32_t hosts)
{
    std::vector<uint64_t> sources(hosts, 0);
    std::vector<uint64_t> destinations(hosts, 0);
    std::map<uint8_t, uint64_t> priorities;
    for (const auto& flow : flows)
    {
        sources.at(flow.source)++;
        destinations.at(flow.destination)++;
        priorities[flow.priority]++;
    }
    const std::vector<double> expected(hosts, static_cast<double>(flows.size()) / hosts);
    // With 31 degrees of freedom, one seed in a thousand gives more than 61.1.
    NS_TEST_EXPECT_MSG_LT(ChiSquare(sources, expected), 61.1, "uniform sources");
    NS_TEST_EXPECT_MSG_LT(ChiSquare(destinations, expected), 61.1, "uniform destinations");
    NS_TEST_EXPECT_MSG_EQ(priorities.size(), 2, "the two classes asked for");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(priorities[2]) / flows.size(),
                              0.5,
                              0.014,
                              "half of each");
}

LOSSLESS_TEST(g_suite, "Gaps of 0.4 ns: rounding each to whole nanoseconds would change the load")
{
    const Topology topology = Topology::Star({2, DataRate("100Gbps"), Time()});
    PoissonOptions options;
    options.load = 1;
    options.sizes = FlowSizeTable::Fixed(10);
    options.duration = MicroSeconds(8);
    // The rate is 200 Gb/s / 80 bit = 2.5 flows/ns, which results in 20 000 flows in 8 us.
    NS_TEST_EXPECT_MSG_EQ_TOL(DrawFlows(topology, {options}, 100).size(),
                              20000.0,
                              600.0,
                              "2.5 flows/ns");
}

/// Checks that generated flows respect restrictions to racks and hosts and the number of flows.
void
CheckRestrictions(const Topology& topology)
{
    PoissonOptions options;
    options.duration = Time();
    options.maxArrivals = 500;
    options.otherRacks = true;
    options.sources = {0, 1, 2, 3};
    options.destinations = {1, 9, 30};
    const FlowList flows = DrawFlows(topology, {options}, 100);
    NS_TEST_EXPECT_MSG_EQ(flows.size(), 500, "as many as asked for");
    std::set<uint32_t> sources;
    std::set<uint32_t> destinations;
    for (const auto& flow : flows)
    {
        sources.insert(flow.source);
        destinations.insert(flow.destination);
    }
    // All sources are in rack 0, as is destination 1, which is therefore never drawn.
    NS_TEST_EXPECT_MSG_EQ((sources == std::set<uint32_t>{0, 1, 2, 3}), true, "the sources");
    NS_TEST_EXPECT_MSG_EQ((destinations == std::set<uint32_t>{9, 30}), true, "other racks");
}

LOSSLESS_TEST(g_suite, "Poisson flows")
{
    // The rate is 0.5 * 3.2 Tb/s / 800 kbit = 2 flows/us, which results in 20 000 flows in 10 ms,
    // with a standard deviation of 0.7 %.
    const Topology topology = MakeFabric(8, 4);
    PoissonOptions options;
    options.load = 0.5;
    options.sizes = FlowSizeTable::Fixed(100000);
    options.start = MilliSeconds(3);
    options.duration = MilliSeconds(10);
    options.priorities = {2, 5};
    const FlowList flows = DrawFlows(topology, {options}, 100);
    NS_TEST_EXPECT_MSG_EQ_TOL(GetOfferedLoad(SumBytes(flows), topology, MilliSeconds(10)),
                              0.5,
                              0.015,
                              "load");
    NS_TEST_EXPECT_MSG_EQ(IsSortedAndNumbered(flows), true, "sorted, numbered from 0");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(flows.front().start, MilliSeconds(3), "from the start on");
    NS_TEST_EXPECT_MSG_LT(flows.back().start, MilliSeconds(13), "until the end");
    NS_TEST_EXPECT_MSG_EQ(flows.front().group, "background", "default label");
    NS_TEST_EXPECT_MSG_EQ(Show(CheckFlows(flows, topology)), "(no complaint)", "good flows");
    // The gaps are exponential with a mean of 500 ns, so a share of 1/e is longer than the mean.
    uint32_t longer = 0;
    for (size_t i = 1; i < flows.size(); i++)
    {
        longer += flows[i].start - flows[i - 1].start > NanoSeconds(500) ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(longer) / flows.size(),
                              std::exp(-1),
                              0.014,
                              "share of gaps above their mean");
    CheckHosts(flows, 32);

    // Sizes are heavy-tailed. There are 7480 flows from a distribution whose standard deviation is
    // 2.1 times its mean.
    PoissonOptions websearch;
    websearch.load = 0.8;
    websearch.duration = MilliSeconds(5);
    const Topology large = MakeFabric(16, 16);
    NS_TEST_EXPECT_MSG_EQ_TOL(
        GetOfferedLoad(SumBytes(DrawFlows(large, {websearch}, 100)), large, MilliSeconds(5)),
        0.8,
        0.06,
        "load of web search");

    CheckRestrictions(topology);
}

LOSSLESS_TEST(g_suite, "fan-in events: at given instants, by 12 senders outside the rack")
{
    const Topology topology = MakeFabric(4, 4);
    FanInOptions options;
    options.times = {MicroSeconds(30), MicroSeconds(10), MicroSeconds(20)};
    options.minSenders = 12;
    options.maxSenders = 12;
    options.otherRacks = true;
    options.priorities = {1, 3, 4};
    const FlowList flows = DrawFlows(topology, {options}, 7);
    NS_TEST_ASSERT_MSG_EQ(flows.size(), 36, "3 events of 12");
    NS_TEST_EXPECT_MSG_EQ(IsSortedAndNumbered(flows), true, "sorted, numbered from 0");
    for (size_t event = 0; event < 3; event++)
    {
        const FlowSpec& first = flows[12 * event];
        std::set<uint32_t> senders;
        for (size_t i = 12 * event; i < 12 * event + 12; i++)
        {
            senders.insert(flows[i].source);
            NS_TEST_EXPECT_MSG_EQ(flows[i].destination, first.destination, "one receiver");
            NS_TEST_EXPECT_MSG_EQ(flows[i].start, MicroSeconds(10 * event + 10), "together");
            NS_TEST_EXPECT_MSG_EQ(+flows[i].priority, +first.priority, "one class an event");
            NS_TEST_EXPECT_MSG_EQ(flows[i].bytes, 65536, "default size");
            NS_TEST_EXPECT_MSG_EQ(flows[i].group, "fan-in", "default label");
            NS_TEST_EXPECT_MSG_NE(topology.GetRack(flows[i].source),
                                  topology.GetRack(first.destination),
                                  "another rack");
        }
        // Twelve hosts are in other racks, and all of them are senders.
        NS_TEST_EXPECT_MSG_EQ(senders.size(), 12, "distinct senders");
    }
}

LOSSLESS_TEST(g_suite, "fan-in events: with the load alone, DSH's, here 2000 +- 45")
{
    const Topology topology = MakeFabric(8, 8);
    FanInOptions options;
    options.load = 0.5;
    // The rate is 0.5 * 6.4 Tb/s / (8 * 1 MiB) = 381.47 events/ms.
    options.duration = NanoSeconds(5242880);
    const FlowList flows = DrawFlows(topology, {options}, 7);
    NS_TEST_EXPECT_MSG_EQ_TOL(flows.size() / 16.0, 2000.0, 135.0, "events");
    NS_TEST_EXPECT_MSG_EQ_TOL(GetOfferedLoad(SumBytes(flows), topology, options.duration),
                              0.5,
                              0.034,
                              "load");
    std::vector<uint64_t> senders(64, 0);
    std::vector<uint64_t> receivers(64, 0);
    for (const auto& flow : flows)
    {
        senders.at(flow.source)++;
        receivers.at(flow.destination)++;
    }
    for (auto& count : receivers)
    {
        count /= 16;
    }
    // With 63 degrees of freedom, one seed in a thousand gives more than 103.4.
    const double events = flows.size() / 16.0;
    NS_TEST_EXPECT_MSG_LT(ChiSquare(receivers, std::vector<double>(64, events / 64)),
                          103.4,
                          "uniform receivers");
    NS_TEST_EXPECT_MSG_LT(ChiSquare(senders, std::vector<double>(64, events / 4)),
                          103.4,
                          "uniform senders");
}

LOSSLESS_TEST(g_suite, "fan-in events: DSH, Fig. 12: 1 to 15 senders of a leaf to another one")
{
    const Topology topology = MakeFabric(2, 16);
    FanInOptions options;
    options.minSenders = 1;
    options.maxSenders = 15;
    options.sizes = FlowSizeTable::Get("hadoop");
    options.duration = Time();
    options.maxArrivals = 1500;
    for (uint32_t i = 0; i < 16; i++)
    {
        options.senders.push_back(i);
        options.receivers.push_back(16 + i);
    }
    std::map<Time, std::set<uint32_t>> sendersByStart;
    std::set<uint64_t> sizes;
    for (const auto& flow : DrawFlows(topology, {options}, 7))
    {
        NS_TEST_EXPECT_MSG_LT(flow.source, 16, "sender of leaf 0");
        NS_TEST_EXPECT_MSG_GT(flow.destination, 15, "receiver of leaf 1");
        sendersByStart[flow.start].insert(flow.source);
        sizes.insert(flow.bytes);
    }
    NS_TEST_ASSERT_MSG_EQ(sendersByStart.size(), 1500, "events");
    std::vector<uint64_t> counted(15, 0);
    for (const auto& [start, senders] : sendersByStart)
    {
        counted.at(senders.size() - 1)++;
    }
    // With 14 degrees of freedom, one seed in a thousand gives more than 36.1.
    NS_TEST_EXPECT_MSG_LT(ChiSquare(counted, std::vector<double>(15, 100)),
                          36.1,
                          "1 to 15 senders, equally likely");
    NS_TEST_EXPECT_MSG_GT(sizes.size(), 1000, "each sender has a size of its own");
}

/// Two hosts can send only to each other. Without jitter, both flows begin at `options.start`.
void
CheckTwoHosts(const Topology& topology)
{
    PermutationOptions options;
    options.start = MicroSeconds(5);
    options.hosts = {3, 12};
    options.sizes = FlowSizeTable::Fixed(9);
    options.priorities = {6};
    NS_TEST_EXPECT_MSG_EQ(ToText(DrawPermutation(topology, options)),
                          "0 3 12 6 9 5000 permutation\n1 12 3 6 9 5000 permutation\n",
                          "the only derangement of two");
}

LOSSLESS_TEST(g_suite, "permutations")
{
    const Topology topology = MakeFabric(4, 4);
    PermutationOptions options;
    options.start = MicroSeconds(5);
    options.jitter = MicroSeconds(2);
    // A plain shuffle of 16 hosts has a fixed point in 63 % of all cases, so 20 rounds would almost
    // certainly reveal one.
    uint32_t swaps = 0;
    for (uint32_t round = 0; round < 20; round++)
    {
        const FlowList flows = DrawPermutation(topology, options, 9 + 10 * round);
        NS_TEST_ASSERT_MSG_EQ(flows.size(), 16, "one flow a host");
        NS_TEST_EXPECT_MSG_EQ(IsSortedAndNumbered(flows), true, "sorted, numbered from 0");
        std::set<uint32_t> sources;
        std::set<uint32_t> destinations;
        std::set<Time> starts;
        std::set<std::pair<uint32_t, uint32_t>> pairs;
        for (const auto& flow : flows)
        {
            pairs.emplace(flow.source, flow.destination);
            swaps += pairs.count({flow.destination, flow.source});
            sources.insert(flow.source);
            destinations.insert(flow.destination);
            starts.insert(flow.start);
            NS_TEST_EXPECT_MSG_NE(flow.source, flow.destination, "not to itself");
            NS_TEST_EXPECT_MSG_EQ(flow.bytes, 2000000, "default size");
            NS_TEST_EXPECT_MSG_EQ(flow.group, "permutation", "default label");
        }
        NS_TEST_EXPECT_MSG_EQ(sources.size(), 16, "each host sends");
        NS_TEST_EXPECT_MSG_EQ(destinations.size(), 16, "each host receives");
        NS_TEST_EXPECT_MSG_GT(starts.size(), 8, "starts differ");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(*starts.begin(), MicroSeconds(5), "not before the start");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(*starts.rbegin(), MicroSeconds(7), "within the jitter");
    }

    // Every derangement can occur. On average, a pair of hosts that send to each other occurs once
    // in two rounds.
    NS_TEST_EXPECT_MSG_GT(swaps, 2, "not only one long cycle");
    CheckTwoHosts(topology);
}

std::string
Run(const Topology& topology, int64_t stream)
{
    const FlowList flows = DrawFlows(topology, {PoissonOptions(), FanInOptions()}, stream);
    return ToText(MergeFlows({flows, DrawPermutation(topology, {}, stream + 20)}));
}

LOSSLESS_TEST(g_suite, "determinism: no two questions share a stream of random numbers")
{
    const FlowSizeTable sizes("0 to 8", "test", {{0, 0}, {8, 1}});
    WorkloadRandom random;
    random.AssignStreams(50);
    WorkloadRandom undisturbed;
    undisturbed.AssignStreams(50);
    std::vector<std::string> answers(6);
    std::string hosts;
    for (uint32_t i = 0; i < 40; i++)
    {
        // Each draw is from 0 to 7. If the draws shared a stream, all numbers would be equal.
        answers[0] += std::to_string(random.DrawHost(8));
        answers[1] += std::to_string(random.DrawCount(0, 7));
        answers[2] += std::to_string(random.DrawPriority({0, 1, 2, 3, 4, 5, 6, 7}));
        answers[3] += std::to_string(random.DrawJitter(NanoSeconds(8)).GetNanoSeconds());
        answers[4] += std::to_string(random.DrawBytes(sizes) - 1);
        answers[5] += std::to_string(static_cast<int>(8 * std::exp(-random.DrawGap(1))));
        hosts += std::to_string(undisturbed.DrawHost(8));
    }
    NS_TEST_EXPECT_MSG_EQ(answers[0], hosts, "hosts do not depend on the other draws");
    for (size_t i = 1; i < answers.size(); i++)
    {
        // By chance, an eighth of the 40 pairs are equal.
        const auto agree = std::inner_product(answers[i].begin(),
                                              answers[i].end(),
                                              answers[0].begin(),
                                              0,
                                              std::plus<>(),
                                              std::equal_to<>());
        NS_TEST_EXPECT_MSG_LT(agree, 16, "draws of kind " << i << " repeat those of hosts");
    }
}

LOSSLESS_TEST(g_suite, "determinism")
{
    const Topology topology = MakeFabric(4, 8);
    const uint64_t run = RngSeedManager::GetRun();
    RngSeedManager::SetRun(1);
    const std::string flows = Run(topology, 50);
    NS_TEST_EXPECT_MSG_EQ((Run(topology, 50) == flows), true, "same streams, same flows");
    NS_TEST_EXPECT_MSG_EQ((Run(topology, 51) == flows), false, "other streams, other flows");
    RngSeedManager::SetRun(2);
    NS_TEST_EXPECT_MSG_EQ((Run(topology, 50) == flows), false, "other run, other flows");
    RngSeedManager::SetRun(1);
    NS_TEST_EXPECT_MSG_EQ((Run(topology, 50) == flows), true, "first run again");
    RngSeedManager::SetRun(run);

    // The two lists have the same arrivals and differ only in sizes and classes.
    PoissonOptions options;
    options.sizes = FlowSizeTable::Fixed(1000);
    options.duration = Time();
    options.maxArrivals = 200;
    const FlowList a = DrawFlows(topology, {options}, 50);
    options.sizes = FlowSizeTable("wide", "test", {{1, 0}, {1999, 1}});
    options.priorities = {0, 1, 2};
    const FlowList b = DrawFlows(topology, {options}, 50);
    NS_TEST_ASSERT_MSG_EQ(a.size(), b.size(), "flows");
    std::set<uint64_t> sizes;
    for (size_t i = 0; i < a.size(); i++)
    {
        sizes.insert(b[i].bytes);
        NS_TEST_EXPECT_MSG_EQ(a[i].source, b[i].source, "same source");
        NS_TEST_EXPECT_MSG_EQ(a[i].destination, b[i].destination, "same destination");
        NS_TEST_EXPECT_MSG_EQ(a[i].start, b[i].start, "same start");
    }
    NS_TEST_EXPECT_MSG_GT(sizes.size(), 100, "the sizes do differ");
}

/// Expects an error message that contains `part` after a change to the default options.
template <typename Options>
void
RefuseOptions(const std::string& part,
              const std::function<void(Options&)>& change,
              const Topology& topology = MakeFabric(2, 16))
{
    Options options;
    change(options);
    const auto error = options.Check(topology);
    ExpectError(error, part);
}

void
RefusePoisson()
{
    using O = PoissonOptions;
    RefuseOptions<O>("host 32 among the sources does not exist; the network has 32 hosts",
                     [](O& o) { o.sources = {32}; });
    RefuseOptions<O>("host 4 appears twice among the destinations", [](O& o) {
        o.destinations = {4, 4};
    });
    RefuseOptions<O>("the list of priorities is empty", [](O& o) { o.priorities = {}; });
    RefuseOptions<O>("priority 8 is not from 0 to 7", [](O& o) { o.priorities = {0, 8}; });
    RefuseOptions<O>("group 'a,b' has a comma", [](O& o) { o.group = "a,b"; });
    RefuseOptions<O>("a blank at an end", [](O& o) { o.group = " a"; });
    RefuseOptions<O>("host 5 has no destination other than itself",
                     [](O& o) { o.sources = o.destinations = {5}; });
    RefuseOptions<O>(
        "host 0 has no destination in another rack",
        [](O& o) { o.otherRacks = true; },
        MakeFabric(1, 4));
    Topology cut = Topology::Star({2, DataRate("1Gbps"), Time()});
    cut.FailLink("h0", "s0");
    const auto sendToCut = [](O& o) {
        o.sources = {1};
        o.destinations = {0};
    };
    RefuseOptions<O>("the receivers have no working link", sendToCut, cut);
}

void
RefuseFanIn()
{
    using O = FanInOptions;
    RefuseOptions<O>("load -1.000000 is not a fraction", [](O& o) { o.load = -1; });
    RefuseOptions<O>("rate -1 is not a number", [](O& o) { o.rate = -1; });
    RefuseOptions<O>("rate inf is not a number",
                     [](O& o) { o.rate = std::numeric_limits<double>::infinity(); });
    RefuseOptions<O>("host 99 among the senders does not", [](O& o) { o.senders = {99}; });
    RefuseOptions<O>("twice among the receivers", [](O& o) { o.receivers = {1, 1}; });
    RefuseOptions<O>("priority 9 is not from 0 to 7", [](O& o) { o.priorities = {9}; });
    RefuseOptions<O>("control characters", [](O& o) { o.group = "a\nb"; });
    RefuseOptions<O>("minSenders is 0 and maxSenders is 16; 1 <= minSenders <= maxSenders",
                     [](O& o) { o.minSenders = 0; });
    RefuseOptions<O>("minSenders is 17 and maxSenders is 16", [](O& o) { o.minSenders = 17; });
    RefuseOptions<O>("the time of an event is negative", [](O& o) { o.times = {Seconds(-1)}; });
    // The 32 hosts provide 31 senders, 16 of which are in the other rack.
    RefuseOptions<O>("a fan-in of 32 to host 0 has only 31 eligible senders",
                     [](O& o) { o.maxSenders = 32; });
    RefuseOptions<O>("a fan-in of 17 to host 0 has only 16 eligible senders", [](O& o) {
        o.maxSenders = 17;
        o.otherRacks = true;
    });

    // With explicit times, the load is not checked.
    O given;
    given.times = {Seconds(1)};
    given.load = 0;
    NS_TEST_EXPECT_MSG_EQ(Show(given.Check(MakeFabric(2, 16))), "(no complaint)", "load is unused");
}

void
RefusePermutation()
{
    using O = PermutationOptions;
    RefuseOptions<O>("a permutation needs at least 2 hosts", [](O& o) { o.hosts = {3}; });
    RefuseOptions<O>("host 3 appears twice among the hosts", [](O& o) { o.hosts = {3, 3}; });
    RefuseOptions<O>("the list of priorities is empty", [](O& o) { o.priorities = {}; });
    RefuseOptions<O>("a quote", [](O& o) { o.group = "\""; });
    RefuseOptions<O>("start or jitter is negative", [](O& o) { o.start = Seconds(-1); });
    RefuseOptions<O>("start or jitter is negative", [](O& o) { o.jitter = Seconds(-1); });
}

LOSSLESS_TEST(g_suite, "options that are refused")
{
    const Topology topology = MakeFabric(2, 16);
    NS_TEST_EXPECT_MSG_EQ(Show(PoissonOptions().Check(topology)), "(no complaint)", "defaults");
    NS_TEST_EXPECT_MSG_EQ(Show(FanInOptions().Check(topology)), "(no complaint)", "defaults");
    NS_TEST_EXPECT_MSG_EQ(Show(PermutationOptions().Check(topology)), "(no complaint)", "defaults");
    using O = PoissonOptions;
    RefuseOptions<O>("load 0.000000 is not a fraction above 0", [](O& o) { o.load = 0; });
    RefuseOptions<O>("load 30.000000 is not a fraction", [](O& o) { o.load = 30; });
    RefuseOptions<O>("overhead factor 0.900000 is bel", [](O& o) { o.overheadFactor = 0.9; });
    RefuseOptions<O>("start or duration is negative", [](O& o) { o.start = Seconds(-1); });
    RefuseOptions<O>("start or duration is negative", [](O& o) { o.duration = Seconds(-1); });
    RefuseOptions<O>("one of them must end the process", [](O& o) { o.duration = Time(); });
    RefuseFanIn();
    RefusePermutation();
    RefusePoisson();
}

LOSSLESS_TEST(g_suite, "joining and checking lists")
{
    const Topology topology = Topology::Star({3, DataRate("8bps"), Time()});
    const FlowList first{{0, 0, 1, 0, 10, NanoSeconds(5), "a"},
                         {1, 1, 2, 3, 20, NanoSeconds(7), "a"}};
    const FlowList second{{0, 2, 0, 0, 30, NanoSeconds(1), "b"},
                          {1, 0, 2, 0, 40, NanoSeconds(5), ""}};
    // Of the two flows that start at 5 ns, the one from the first list comes first.
    const std::string merged = "0 2 0 0 30 1 b\n1 0 1 0 10 5 a\n2 0 2 0 40 5 \n3 1 2 3 20 7 a\n";
    NS_TEST_EXPECT_MSG_EQ(ToText(MergeFlows({first, second})), merged, "joined");
    NS_TEST_EXPECT_MSG_EQ(MergeFlows({}).size(), 0, "nothing joined");
    // Three hosts can receive 300 bytes in 100 s at 1 byte/s. The flows comprise 100 bytes in
    // total.
    NS_TEST_EXPECT_MSG_EQ_TOL(
        GetOfferedLoad(SumBytes(MergeFlows({first, second})), topology, Seconds(100)),
        1.0 / 3,
        1e-12,
        "offered load");
    // A list written by hand needs neither IDs nor an order.
    const FlowList byHand{{0, 0, 1, 0, 10, NanoSeconds(5), "a"},
                          {0, 2, 0, 0, 30, NanoSeconds(1), "b"}};
    NS_TEST_EXPECT_MSG_EQ(ToText(FixedFlows(byHand, topology)),
                          "0 2 0 0 30 1 b\n1 0 1 0 10 5 a\n",
                          "sorted and numbered");

    const auto refuse = [&](const std::string& sentence, const auto& change) {
        FlowSpec flow{4, 0, 1, 0, 10, Time(), "a"};
        NS_TEST_EXPECT_MSG_EQ(Show(CheckFlows({flow}, topology)), "(no complaint)", "fine");
        change(flow);
        NS_TEST_EXPECT_MSG_EQ(Show(CheckFlows({flow}, topology)), sentence, "the sentence");
    };
    refuse("flow 4: host 3 does not exist; the network has 3 hosts, counted from 0",
           [](FlowSpec& f) { f.source = 3; });
    refuse("flow 4: host 9 does not exist; the network has 3 hosts, counted from 0",
           [](FlowSpec& f) { f.destination = 9; });
    refuse("flow 4: source and destination are the same host; they must differ",
           [](FlowSpec& f) { f.source = 1; });
    refuse("flow 4: priority 8 is not from 0 to 7", [](FlowSpec& f) { f.priority = 8; });
    refuse("flow 4: the size is 0; a flow has at least 1 byte", [](FlowSpec& f) { f.bytes = 0; });
    refuse("flow 4: the size is 1000000000000001 B; a flow has at most 1000000000000000 B",
           [](FlowSpec& f) { f.bytes = MAX_FLOW_BYTES + 1; });
    refuse("flow 4: the start is negative; it must be at least 0",
           [](FlowSpec& f) { f.start = NanoSeconds(-1); });
    // The latest start is half of 2^63 - 1 ns, rounded down.
    NS_TEST_EXPECT_MSG_EQ(GetLatestStart(), NanoSeconds(4611686018427387903), "latest start");
    refuse("flow 4: the start is 4611686018427387904 ns; it must be at most 4611686018427387903 ns",
           [](FlowSpec& f) { f.start = GetLatestStart() + NanoSeconds(1); });
    NS_TEST_EXPECT_MSG_EQ(Show(CheckFlows({{4, 0, 1, 0, 10, GetLatestStart(), ""}}, topology)),
                          "(no complaint)",
                          "the latest start itself");
    refuse("flow 4: group 'a,b' has a comma, a quote or a blank at an end; none is allowed",
           [](FlowSpec& f) { f.group = "a,b"; });
    for (const std::string group : {"a\tb", "a\x1b", "a\x7f", "\xff\xfe", "a\n"})
    {
        refuse("flow 4: the group of a flow has control characters, or is not a text in UTF-8",
               [&group](FlowSpec& f) { f.group = group; });
    }
    NS_TEST_EXPECT_MSG_EQ(Show(CheckFlows({first[0], first[0]}, topology)),
                          "flow 0: the id is used twice; ids must differ",
                          "the sentence");
}

const std::string FLOW_HEADER = "id,source,destination,priority,bytes,start_ns,group\n";

Topology
MakeStar()
{
    return Topology::Star({12, DataRate("1Gbps"), Time()});
}

std::optional<std::string>
ParseFlows(const std::string& text, FlowList& flows)
{
    std::istringstream input(text);
    return CatchComplaint([&] { flows = ParseFlowCsv(input, "flows.csv", MakeStar()); });
}

void
RefuseRow(const std::string& row, const std::string& sentence)
{
    FlowList flows(5);
    const auto error = ParseFlows(FLOW_HEADER + "# comment\n" + row + "\n", flows);
    ExpectError(error, sentence);
    NS_TEST_EXPECT_MSG_EQ(flows.size(), 5, "the list is untouched");
}

LOSSLESS_TEST(g_suite,
              "Lines that a spreadsheet adds are skipped, and rows that lack a field are not")
{
    FlowList flows;
    const auto error =
        ParseFlows("sep=,\n" + FLOW_HEADER + "0,0,1,0,1000,0,\n,,,,,,\n , ,\n", flows);
    NS_TEST_EXPECT_MSG_EQ(error.value_or(""), "", "accepted");
    NS_TEST_EXPECT_MSG_EQ(flows.size(), 1, "the row with content");
    RefuseRow("0,0,1,,,,", "flows.csv:3: priority is ''; allowed is a whole number from 0 to 7");
}

LOSSLESS_TEST(g_suite, "A generated list survives the way through a file")
{
    const Topology topology = MakeStar();
    PoissonOptions options;
    options.duration = MilliSeconds(20);
    const FlowList flows = DrawFlows(topology, {options}, 3);
    NS_TEST_EXPECT_MSG_GT(flows.size(), 2, "some flows");
    const std::string path = CreateTempDirFilename("flows.csv");
    WriteFlowCsv(path, topology, flows);
    NS_TEST_EXPECT_MSG_EQ(ToText(ReadFlowCsv(path, topology)), ToText(flows), "same flows");

    std::ostringstream text;
    WriteFlowCsv(text, topology, {{4, 10, 1, 7, 99, MicroSeconds(3), "a b"}});
    NS_TEST_EXPECT_MSG_EQ(text.str(), FLOW_HEADER + "4,h10,h1,7,99,3000,a b\n", "hosts by name");
}

LOSSLESS_TEST(g_suite, "Flows of a run's results, which have columns of what became of them")
{
    FlowList flows;
    const auto error =
        ParseFlows("id,source,destination,priority,bytes,start_ns,fct_ns,ideal_ns,slowdown,group\n"
                   "4,h10,h1,7,99,3000,,50,,a\n5,h2,h1,3,10,3000,100,50,2.000000,\n",
                   flows);
    NS_TEST_EXPECT_MSG_EQ(Show(error), "(no complaint)", "taken");
    NS_TEST_ASSERT_MSG_EQ(flows.size(), 2, "flows");
    NS_TEST_EXPECT_MSG_EQ(flows[0].bytes, 99, "bytes of the first");
    NS_TEST_EXPECT_MSG_EQ(flows[0].group, "a", "its group");
}

LOSSLESS_TEST(g_suite, "flow files: errors")
{
    FlowList flows;
    ExpectError(ParseFlows("", flows), "flows.csv: the file has no header line");
    ExpectError(ParseFlows("id,source,destination,priority,bytes,start,group\n", flows),
                "flows.csv:1: unknown column 'start'; the header must name the columns "
                "id,source,destination,bytes,start_ns and may name priority,group,");
    // The file has numbers in other notations, no columns for class and group, and a flow without
    // payload.
    NS_TEST_ASSERT_MSG_EQ(
        Show(ParseFlows("id,source,destination,bytes,start_ns\n7.0,h0,h1,1e+03,0\n8,h1,h0,0,5\n",
                        flows)),
        "(no complaint)",
        "what there has to be");
    NS_TEST_ASSERT_MSG_EQ(flows.size(), 2, "flows");
    NS_TEST_EXPECT_MSG_EQ(flows[0].id * 10000 + flows[0].bytes, 71000, "whole numbers");
    NS_TEST_EXPECT_MSG_EQ(+flows[0].priority, 3, "the usual class");
    NS_TEST_EXPECT_MSG_EQ(flows[1].bytes, 1, "one byte");
    RefuseRow("0,h0,h1,0,1,0", "flows.csv:3: the line has 6 fields; the header names 7");
    RefuseRow("x,h0,h1,0,1,0,", "flows.csv:3: id is 'x'; allowed is a whole number");
    RefuseRow("-1,h0,h1,0,1,0,", "flows.csv:3: id is '-1'; allowed is a whole number");
    RefuseRow("0,h12,h1,0,1,0,",
              "flows.csv:3: source is 'h12'; allowed is the name of a host or an index below 12");
    RefuseRow("0,h0,12,0,1,0,", "flows.csv:3: destination is '12'; allowed is the name of a host");
    RefuseRow("0,h0,s0,0,1,0,", "flows.csv:3: destination is 's0'; allowed is the name of a host");
    RefuseRow("0,h0,0,0,1,0,", "flows.csv:3: source and destination are the same host");
    RefuseRow("0,h0,h1,8,1,0,", "flows.csv:3: priority is '8'; allowed is a whole number from 0");
    RefuseRow("0,h0,h1,,1,0,", "flows.csv:3: priority is ''; allowed is a whole number from 0");
    RefuseRow("0,h0,h1,0,-1,0,",
              "flows.csv:3: bytes is '-1'; allowed is a whole number from 0 to 1");
    RefuseRow("0,h0,h1,0,1.5,0,", "flows.csv:3: bytes is '1.5'; allowed is a whole number");
    RefuseRow("0,h0,h1,0,1,-5,", "flows.csv:3: start_ns is '-5'; allowed is a number of nanosec");
    RefuseRow("0,h0,h1,0,1,4611686018427387904,",
              "flows.csv:3: the start is 4611686018427387904 ns; it must be at most "
              "4611686018427387903 ns");
    RefuseRow("0,h0,h1,0,1,5e18,",
              "flows.csv:3: start_ns is '5e18'; allowed is a number of nanoseconds from 0 to "
              "4611686018427387903");
    RefuseRow("0,h0,h1,0,1,5us,", "flows.csv:3: start_ns is '5us'; allowed is a number");
    RefuseRow("0,h0,h1,0,1,0,\"a\"", "flows.csv:3: group '\"a\"' has a comma, a quote");
    RefuseRow("6,h0,h1,0,1,0,\n6,h1,h0,0,1,0,",
              "flows.csv:4: id is '6'; allowed is a number that no other flow has");
}

LOSSLESS_TEST(g_suite, "flow files")
{
    FlowList flows;
    // Hosts are given by name and by index. The flows keep their IDs and are sorted by start time.
    auto error = ParseFlows(FLOW_HEADER + "7,h0,11,3,1000,250,late\n\n3, 2 ,h1,0,1,100,\n", flows);
    NS_TEST_ASSERT_MSG_EQ(Show(error), "(no complaint)", "a good file");
    NS_TEST_EXPECT_MSG_EQ(ToText(flows), "3 2 1 0 1 100 \n7 0 11 3 1000 250 late\n", "flows");
    error = ParseFlows("group,start_ns,bytes,priority,destination,source,id\nx,2e3,5,1,h1,h0,0\n",
                       flows);
    NS_TEST_ASSERT_MSG_EQ(Show(error), "(no complaint)", "columns in another order");
    NS_TEST_EXPECT_MSG_EQ(ToText(flows), "0 0 1 1 5 2000 x\n", "the flow");
}

} // namespace ns3::lossless::tests::THIS_FILE
