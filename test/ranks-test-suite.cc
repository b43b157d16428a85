// SPDX-License-Identifier: GPL-2.0-only
//
// Checks that runs with several ranks have the same results as runs with one rank. If mpirun has
// started the suite, the suite compares the results. Otherwise, it starts itself with mpirun, if
// available.

#include "lossless-test.h"
#include "own-simulator.h"
#include "pause-scenes.h"
#include "random-network.h"

#include "ns3/rank-plan.h"
#include "ns3/ranks.h"

#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-ranks", SYSTEM);

constexpr uint32_t QUICK_SEEDS = 12;
constexpr uint32_t LAST_SEED = 300;
constexpr uint32_t LAST_SCENE = 100;

/// Compares the results of several ranks with the results of a single rank.
void
Compare(const std::function<std::string()>& simulate)
{
    const auto run = [&simulate] {
        const OwnSimulator own;
        return simulate();
    };
    const auto runAlone = [&run] {
        const AssumedRank only(0, 1);
        return run();
    };
    NS_TEST_EXPECT_MSG_EQ(Ranks::Join().value_or(""), "", "there are ranks");
    const std::string expected = runAlone();
    const std::string found = run();
    // All ranks must fail together, so that they leave the suite at the same point.
    const std::string difference = FirstDifference(found, expected);
    NS_TEST_EXPECT_MSG_EQ(Ranks::Gather(difference).front(), "", Ranks::GetSize() << " ranks");
}

RandomNetwork
MakeNetwork(const SwitchKind& kind, uint32_t seed)
{
    return {kind, Trouble::SOME_CUTS, seed, RandomNetwork::Traffic::FLOWS};
}

bool
HasRacks(uint32_t seed)
{
    NS_TEST_EXPECT_MSG_EQ(Ranks::Join().value_or(""), "", "there are ranks");
    const SwitchKind kind = GetRandomKind(seed);
    return CountRacks(MakeNetwork(kind, seed).m_topology) >= Ranks::GetSize();
}

std::string
RunRandom(uint32_t seed)
{
    // The name includes the process ID, because test runners that start at the same time would
    // otherwise use the same folder.
    const auto folder =
        std::filesystem::temp_directory_path() / ("lossless-ranks-" + std::to_string(getpid()));
    const SwitchKind kind = GetRandomKind(seed);
    MakeNetwork(kind, seed).Write(folder);
    const std::string results = Ranks::IsFirst() ? ReadTables(folder) : "";
    std::filesystem::remove_all(folder);
    return results;
}

/// @return the output and exit status of a failure, or an empty string
std::string
RunCommand(const std::string& command)
{
    std::string output;
    std::array<char, 4096> part{};
    std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    while (std::fgets(part.data(), part.size(), pipe))
    {
        output += part.data();
    }
    const int status = pclose(pipe);
    return status == 0 ? "" : output + "status " + std::to_string(status);
}

/// Starts this suite with mpirun.
void
RunRanks(uint32_t ranks, const std::string& fullness)
{
    if (!Ranks::HasMpi() || !RunCommand("command -v mpirun").empty())
    {
        return; // without MPI or mpirun, a run has only one rank
    }
    const std::string self = std::filesystem::read_symlink("/proc/self/exe");
    const std::string failure =
        RunCommand("OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                   "mpirun --oversubscribe -n " +
                   std::to_string(ranks) + " '" + self +
                   "' --suite=lossless-ranks --verbose --fullness=" + fullness);
    NS_TEST_EXPECT_MSG_EQ(failure, "", "mpirun's ranks");
}

LOSSLESS_TEST(g_suite, "Of a foreign switch only a shell is made, which takes the same streams")
{
    const auto assign = [](uint32_t ranks) {
        const OwnSimulator own;
        const AssumedRank first(0, ranks);
        SwitchHelper switches("ns3::lossless::SwitchNode");
        switches.SetMarker("ns3::lossless::RedMarker");
        Fabric fabric(Topology::LeafSpine({}), switches);
        const int64_t streams = fabric.AssignStreams(1);
        uint32_t initialized = 0;
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            const Ptr<SwitchNode> node = fabric.GetSwitch(i);
            NS_TEST_EXPECT_MSG_EQ(node->IsInitialized(), Ranks::IsOwn(*node), "switch " << i);
            initialized += node->IsInitialized() ? 1 : 0;
        }
        return std::pair(streams, initialized);
    };
    const auto [streams, all] = assign(1);
    const auto [sameStreams, own] = assign(2);
    NS_TEST_EXPECT_MSG_GT(streams, 0, "each marker has a stream");
    NS_TEST_EXPECT_MSG_EQ(sameStreams, streams, "streams");
    NS_TEST_EXPECT_MSG_EQ(2 * own, all, "half of the switches are this rank's");
}

LOSSLESS_TESTS(g_suite)
{
    if (Ranks::AreStarted())
    {
        const auto add = [](const std::string& what, uint32_t seed, uint32_t quick, auto compare) {
            g_suite.Add(what + std::to_string(seed), compare, seed <= quick ? QUICK : EXTENSIVE);
        };
        for (uint32_t seed = 1; seed <= LAST_SEED; ++seed)
        {
            add("random network ", seed, QUICK_SEEDS, [seed] {
                if (HasRacks(seed))
                {
                    Compare([seed] { return RunRandom(seed); });
                }
            });
        }
        for (uint32_t seed = 1; seed <= LAST_SCENE; ++seed)
        {
            add("pauses at random ", seed, 0, [seed] {
                Compare([seed] { return Play(DrawPauseScene(seed)); });
            });
        }
        g_suite.Add("deadlocks, pauses and their victims", [] {
            for (const auto& entry : GetPauseScenes())
            {
                Compare([&entry] { return Play(entry.second); });
            }
        });
        return;
    }
    for (const uint32_t ranks : {2U, 3U})
    {
        const std::string name = std::to_string(ranks) + " ranks give the results of one, ";
        g_suite.Add(name + "random networks", [ranks] { RunRanks(ranks, "QUICK"); });
        g_suite.Add(
            name + "hundreds of random networks",
            [ranks] { RunRanks(ranks, "EXTENSIVE"); },
            EXTENSIVE);
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
