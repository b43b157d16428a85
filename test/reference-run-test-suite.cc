// SPDX-License-Identifier: GPL-2.0-only
//
// Compares complete runs with stored results. The results must be identical, byte by byte, with
// every compiler, optimization level and build of ns-3. (The stand-alone build and the build in an
// ns-3 tree differ in the last two.) If results change intentionally, rewrite the references:
//
//   LOSSLESS_WRITE_REFERENCE=1 scripts/test lossless-reference-run

#include "chosen-simulator.h"
#include "lossless-test.h"
#include "test-network.h"

#include "ns3/core-module.h"
#include "ns3/queue-sampler.h"

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-reference-run", SYSTEM);

std::string
FindDifference(const std::string& result, const std::string& stored)
{
    if (result == stored)
    {
        return "";
    }
    std::istringstream lines(result);
    std::istringstream references(stored);
    for (int number = 1; lines && references; ++number)
    {
        std::string line;
        std::string reference;
        std::getline(lines, line);
        std::getline(references, reference);
        if (line != reference)
        {
            return "line " + std::to_string(number) + " is \"" + line + "\" instead of \"" +
                   reference + "\"";
        }
    }
    return "one of them does not end with a line break";
}

/// @return the hosts, size and start time of each flow, and whether it arrives; these do not depend
/// on the order of simultaneous events
std::string
GetFates(const std::string& flows)
{
    std::istringstream lines(flows);
    std::ostringstream fates;
    for (std::string line; std::getline(lines, line);)
    {
        std::size_t end = 0; // end of column 6, the start time
        for (int column = 0; column < 6; ++column)
        {
            end = line.find(',', end) + 1;
        }
        fates << line.substr(0, end) << (line[end] == ',' ? "unfinished" : "arrives") << '\n';
    }
    return fates.str();
}

FlowList
MakeFlows(const Topology& topology)
{
    PoissonOptions background;
    background.load = 0.5;
    background.duration = MicroSeconds(300);
    background.priorities = {1, 2, 3};
    FanInOptions burst;
    burst.times = {MicroSeconds(50), MicroSeconds(150)};
    burst.minSenders = 6;
    burst.maxSenders = 6;
    burst.sizes = FlowSizeTable::Fixed(400000); // large enough to make each scheme pause neighbours
    burst.priorities = {4};
    return MergeFlows({DrawFlows(topology, {background}, 100), DrawFlows(topology, {burst}, 200)});
}

void
Simulate(const std::string& scheme, bool isWatched, const std::string& folder)
{
    const Topology topology = Topology::LeafSpine({2, 2, 4});
    SwitchHelper switches(*FindPart<SchemeInfo>(scheme));
    switches.SetMarker("ns3::lossless::RedMarker", "MinBytes", UintegerValue(20000));
    switches.SetBufferAttribute("Size", UintegerValue(3000000));
    switches.SetPolicyAttributeIfPresent("WorstCaseHeadroom", BooleanValue(false));
    // CaPFC's memories are designed for 1 Gb/s, but at 100 Gb/s, 58.5 kB arrive after a PAUSE.
    switches.SetPolicyAttributeIfPresent("IngressMax", UintegerValue(120000));
    switches.SetPolicyAttributeIfPresent("EgressMax", UintegerValue(120000));
    switches.SetPolicyAttributeIfPresent("QueueLimit", QueueSizeValue(QueueSize("100p")));
    // The buffer has room for this number of credits.
    switches.SetFlowControlAttributeIfPresent("ChannelCredits", UintegerValue(150));
    switches.SetFlowControlAttributeIfPresent("NormalLimit", QueueSizeValue(QueueSize("20p")));
    switches.SetFlowControlAttributeIfPresent("PauseThreshold", UintegerValue(40000));
    Fabric fabric(topology, switches);
    fabric.AssignStreams(1);
    ResultsWriter results(folder);
    results.AddFabric(fabric);
    results.Get<QueueSampler>()->SetAttribute("Period", TimeValue(MicroSeconds(20)));
    // After 1 ms, flows only wait for their timeouts, so all further samples would be zero.
    results.Get<QueueSampler>()->SetAttribute("StopTime", TimeValue(MilliSeconds(1)));
    fabric.StartFlows(MakeFlows(topology));
    fabric.StopWhenFlowsAreDone(MilliSeconds(200));
    if (isWatched)
    {
        LookAtAllFrames();
    }
    Simulator::Run();
    results.Finish();
    Simulator::Destroy();
}

/// Adds a run of a small leaf-spine network with load, fan-in and marking under one scheme.
/// @param stored the name of the scheme under which its results are stored
/// @param isWatched true if a trace reads all packets, so that all of them are built
void
AddRun(const std::string& scheme,
       const std::string& stored,
       const std::string& simulator,
       bool isWatched)
{
    g_suite.Add(
        "Leaf-spine with web search and fan-in under " + scheme + " in " + simulator +
            (isWatched ? ", watched" : ""),
        [=] {
            const std::string folder = CreateTempDirFilename(scheme);
            const ChosenSimulator chosen(simulator);
            Simulate(scheme, isWatched, folder);
            const bool isWriting = std::getenv("LOSSLESS_WRITE_REFERENCE") != nullptr;
            for (const std::string name : {"flows", "pauses", "queues", "drops"})
            {
                const std::string result = ReadFile(folder + "/" + name + ".csv");
                const std::string path =
                    std::string(NS_TEST_SOURCEDIR) + "/reference/" + stored + "-" + name + ".csv";
                const bool isOwn =
                    // The stored results depend on this simulator's order of simultaneous events.
                    simulator == OWN_SIMULATOR;
                if (isOwn && isWriting)
                {
                    std::ofstream(path) << result;
                }
                const std::string reference = ReadFile(path);
                NS_TEST_EXPECT_MSG_NE(result, "", "a run has results");
                if (isOwn)
                {
                    NS_TEST_EXPECT_MSG_EQ(FindDifference(result, reference), "", path);
                }
                else if (name == "flows" && !isWriting)
                {
                    // This check is omitted while references are written, because they may not
                    // exist yet.
                    NS_TEST_EXPECT_MSG_EQ(FindDifference(GetFates(result), GetFates(reference)),
                                          "",
                                          path);
                }
            }
        });
}

LOSSLESS_TEST(g_suite, "No two schemes have the same flows.csv")
{
    std::map<std::string, std::string> schemes; // schemes, indexed by result
    for (const SchemeInfo& scheme : GetModuleSchemes())
    {
        const std::string path =
            std::string(NS_TEST_SOURCEDIR) + "/reference/" + scheme.name + "-flows.csv";
        if (scheme.name == "PFC")
        {
            continue; // with its default policy, PFC is SIH
        }
        const auto [same, isNew] = schemes.emplace(ReadFile(path), scheme.name);
        NS_TEST_EXPECT_MSG_EQ(isNew, true, scheme.name << " and " << same->second);
    }
}

LOSSLESS_TESTS(g_suite)
{
    for (const SchemeInfo& scheme : GetModuleSchemes())
    {
        // With its default policy, PFC is SIH.
        const std::string stored = scheme.name == "PFC" ? "SIH" : scheme.name;
        for (const std::string simulator : {NS3_SIMULATOR, OWN_SIMULATOR})
        {
            AddRun(scheme.name, stored, simulator, false);
        }
        AddRun(scheme.name, stored, OWN_SIMULATOR, true);
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
