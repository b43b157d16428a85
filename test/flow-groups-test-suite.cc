// SPDX-License-Identifier: GPL-2.0-only
//
// Compares approximate quantiles of flow results with exact ones, and sums with rows of flows.csv.

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/flow-groups.h"
#include "ns3/flow-plan.h"
#include "ns3/graph-results.h"
#include "ns3/run-notes.h"
#include "ns3/run-statistics.h"

#include <nlohmann/json.hpp>
#include <random>

namespace ns3::lossless::tests
{

namespace THIS_FILE
{

Suite g_suite("lossless-flow-groups", SYSTEM);

/// @return the quantile of sorted numbers, by linear interpolation
double
GetExact(const std::vector<double>& sorted, double share)
{
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

LOSSLESS_TEST(g_suite, "quantiles of a sketch are within its error, whatever the numbers and order")
{
    std::mt19937_64 random(1);
    std::lognormal_distribution<double> longTail(8, 3);
    for (const std::size_t count : {1, 2, 3, 10, 1000, 30000})
    {
        std::vector<double> numbers(count);
        std::generate(numbers.begin(), numbers.end(), [&] { return longTail(random); });
        QuantileSketch first;
        QuantileSketch second;
        for (std::size_t i = 0; i < count; ++i)
        {
            (i % 3 == 0 ? first : second).Add(numbers[i]);
        }
        first.Add(second);
        std::sort(numbers.begin(), numbers.end());
        NS_TEST_EXPECT_MSG_EQ(first.GetCount(), count, "all");
        NS_TEST_EXPECT_MSG_EQ(first.GetMax(), numbers.back(), "exactly");
        for (const double share : {0.0, 0.01, 0.25, 0.5, 0.9, 0.99, 1.0})
        {
            const double exact = GetExact(numbers, share);
            NS_TEST_EXPECT_MSG_EQ_TOL(first.GetQuantile(share),
                                      exact,
                                      exact * QuantileSketch::ERROR * (1 + 1e-9),
                                      share << " of " << count);
        }
    }
}

LOSSLESS_TEST(g_suite, "equal numbers have exact quantiles, and 0 is one")
{
    QuantileSketch sketch;
    for (int i = 0; i < 5; ++i)
    {
        sketch.Add(4179);
    }
    NS_TEST_EXPECT_MSG_EQ(sketch.GetQuantile(0.5), 4179, "median");
    NS_TEST_EXPECT_MSG_EQ(sketch.GetQuantile(0.99), 4179, "tail");
    QuantileSketch zeros;
    zeros.Add(0);
    NS_TEST_EXPECT_MSG_EQ(zeros.GetQuantile(0.5), 0, "a flow may take less than a tick");
}

/// The files and the verdict of a run.
struct RunResult
{
    nlohmann::json json;            ///< run.json
    std::vector<std::string> files; ///< names of the files
    ResultTable flows;              ///< flows.csv, if any
    std::string groups;             ///< text of flow-groups.csv, if any
    RunVerdict verdict;             ///< verdict on the run
};

/// Runs flows of two groups and classes on a star of eight hosts. One flow does not end in time.
RunResult
RunFlows(FlowDetail detail,
         const MeasureWindow& window,
         const std::string& scheme = "SIH",
         const std::string& folder = "")
{
    constexpr uint32_t hosts = 8;
    FlowList flows;
    std::mt19937_64 random(2);
    for (uint64_t id = 0; id < 200; ++id)
    {
        FlowSpec flow;
        flow.id = id + 7;
        flow.source = static_cast<uint32_t>(random() % hosts);
        flow.destination =
            static_cast<uint32_t>((flow.source + 1 + random() % (hosts - 1)) % hosts);
        flow.priority = id % 5 == 0 ? 4 : 3;
        flow.bytes = 1 + random() % 30000;
        flow.start = NanoSeconds(static_cast<int64_t>(random() % 100000));
        flow.group = id % 3 == 0 ? "b" : "a";
        flows.push_back(flow);
    }
    flows.back().bytes = 1000000000; // does not end during the run
    ResultsWriter results(folder);
    results.Get<WindowStatistics>()->SetWindow(window);
    results.Get<FlowPlan>()->SetDetail(detail);
    Fabric fabric(Topology::Star({hosts, DataRate("10Gbps"), MicroSeconds(1)}),
                  SwitchHelper(*FindPart<SchemeInfo>(scheme)));
    fabric.AssignStreams(1);
    results.AddFabric(fabric);
    fabric.StartFlows(flows);
    Simulator::Stop(MilliSeconds(20));
    Simulator::Run();
    RunResult result;
    NS_TEST_EXPECT_MSG_EQ(results.Write().value_or(""), "", "the folder can be written");
    result.verdict = results.GetVerdict();
    std::ostringstream json;
    results.Get<RunNotes>()->WriteJson(json);
    result.json = nlohmann::json::parse(json.str());
    for (const Ptr<lossless::Recorder>& recorder :
         std::vector<Ptr<lossless::Recorder>>{results.Get<FlowPlan>(), results.Get<FlowGroups>()})
    {
        for (const lossless::Recorder::NamedTable& table : recorder->GetTables())
        {
            result.files.push_back(table.name);
            if (table.name == "flows")
            {
                result.flows = table.make();
            }
            if (table.name == "flow-groups")
            {
                result.groups = ToCsv(table.make());
            }
        }
    }
    Simulator::Destroy();
    return result;
}

/// Compares the object "measured" of run.json as computed from sums and from rows.
void
CompareMeasured(const nlohmann::json& groups, const nlohmann::json& all, const std::string& what)
{
    for (const std::string name : {"flows", "unfinished_flows"})
    {
        NS_TEST_EXPECT_MSG_EQ(groups["measured"][name].get<uint64_t>(),
                              all["measured"][name].get<uint64_t>(),
                              name << ", " << what);
    }
    for (const std::string name : {"fct_ns", "slowdown"})
    {
        for (const auto& [kind, error] :
             {std::pair("mean_", 1e-9), {"median_", 0.005}, {"p99_", 0.005}})
        {
            const auto exact = all["measured"][kind + name].get<double>();
            NS_TEST_EXPECT_MSG_EQ_TOL(groups["measured"][kind + name].get<double>(),
                                      exact,
                                      exact * error * (1 + 1e-9),
                                      kind << name << ", " << what);
        }
    }
}

LOSSLESS_TEST(g_suite, "sums say what rows do, of the whole run and of a window")
{
    const RunResult all = RunFlows(FlowDetail::ALL, {});
    const RunResult groups = RunFlows(FlowDetail::GROUPS, {});
    CompareMeasured(groups.json, all.json, "whole run");
    const MeasureWindow window{MicroSeconds(20), MicroSeconds(80)};
    CompareMeasured(RunFlows(FlowDetail::GROUPS, window).json,
                    RunFlows(FlowDetail::ALL, window).json,
                    "window");
    NS_TEST_EXPECT_MSG_EQ(groups.verdict.flows, all.verdict.flows, "all of them");
    NS_TEST_EXPECT_MSG_EQ(groups.verdict.unfinishedFlows, 1, "the long one");
    NS_TEST_EXPECT_MSG_EQ(groups.verdict.problems.at(0),
                          "1 of 200 flows unfinished after 20ms.",
                          "without its name");
    for (const std::string name :
         {"packet_hops", "data_packets", "retransmitted_packets", "events", "hints"})
    {
        NS_TEST_EXPECT_MSG_EQ(groups.json[name].dump(), all.json[name].dump(), name);
    }
    NS_TEST_EXPECT_MSG_EQ(groups.json["victim_flows"].is_null(), true, "rows of no file");
}

LOSSLESS_TEST(g_suite, "flow-groups.csv has a row for each label and class, with exact counts")
{
    const RunResult all = RunFlows(FlowDetail::ALL, {});
    const RunResult groups = RunFlows(FlowDetail::GROUPS, {});
    std::istringstream lines(groups.groups);
    std::string line;
    std::getline(lines, line);
    NS_TEST_EXPECT_MSG_EQ(line,
                          "group,priority,flows,unfinished,bytes,mean_fct_ns,median_fct_ns,"
                          "p99_fct_ns,max_fct_ns,mean_slowdown,median_slowdown,p99_slowdown,"
                          "max_slowdown,retransmitted,marked,cnps,naks",
                          "header");
    for (const auto& [group, priority] :
         {std::pair("a", 3), std::pair("a", 4), std::pair("b", 3), std::pair("b", 4)})
    {
        uint64_t flows = 0;
        uint64_t unfinished = 0;
        uint64_t bytes = 0;
        for (const ResultTable::Row& row : all.flows.rows)
        {
            const bool isOfIt = std::get<std::string>(row[9].Get()) == group &&
                                std::get<uint64_t>(row[3].Get()) == static_cast<uint64_t>(priority);
            const bool isDone = std::holds_alternative<int64_t>(row[6].Get());
            flows += isOfIt ? 1 : 0;
            unfinished += isOfIt && !isDone ? 1 : 0;
            bytes += isOfIt && isDone ? std::get<uint64_t>(row[4].Get()) : 0;
        }
        std::ostringstream begin;
        begin << group << "," << priority << "," << flows << "," << unfinished << "," << bytes
              << ",";
        std::getline(lines, line);
        NS_TEST_EXPECT_MSG_EQ(line.substr(0, begin.str().size()), begin.str(), line);
    }
    NS_TEST_EXPECT_MSG_EQ((groups.files == std::vector<std::string>{"topology", "flow-groups"}),
                          true,
                          "in place of flows.csv and victims.csv");
    NS_TEST_EXPECT_MSG_EQ(
        (RunFlows(FlowDetail::NONE, {}).files == std::vector<std::string>{"topology"}),
        true,
        "none of them");
}

/// @return the lines of flows.csv from a DropTail network whose buffers are too small
std::vector<std::string>
ReadFlows(FlowDetail detail)
{
    Config::SetDefault("ns3::lossless::SharedBuffer::Size", UintegerValue(30000));
    const std::string folder = CreateTempDirFilename("results");
    RunFlows(detail, {}, "DropTail", folder);
    std::ifstream file(folder + "/flows.csv");
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
    {
        lines.push_back(line);
    }
    return lines;
}

LOSSLESS_TEST(g_suite, "rows that are written while the run goes on are those that are kept")
{
    std::vector<std::string> stream = ReadFlows(FlowDetail::STREAM);
    std::vector<std::string> all = ReadFlows(FlowDetail::ALL);
    NS_TEST_ASSERT_MSG_EQ(all.size(), 201, "all flows");
    NS_TEST_EXPECT_MSG_EQ(all.front(), stream.at(0), "header");
    const auto has = [](const char* part) {
        return [part](const std::string& line) { return line.find(part) != std::string::npos; };
    };
    all.erase(std::remove_if(all.begin(), all.end(), has(",,")),
              all.end()); // removes flows without a completion time
    NS_TEST_EXPECT_MSG_LT(all.size(), 201, "flows that have not arrived have no row");
    NS_TEST_EXPECT_MSG_EQ(std::any_of(stream.begin(), stream.end(), has(",b,2,0,0,1")),
                          true,
                          "two packets sent again after a negative acknowledgement");
    NS_TEST_EXPECT_MSG_EQ((stream != all), true, "the order is that of the ends of the flows");
    std::sort(stream.begin(), stream.end());
    std::sort(all.begin(), all.end());
    NS_TEST_EXPECT_MSG_EQ((stream == all), true, "the same rows");
}

} // namespace THIS_FILE

} // namespace ns3::lossless::tests
