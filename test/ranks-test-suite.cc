// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @ingroup lossless
 * Several ranks give the results of one. Started by mpirun the suite compares them; started alone
 * it has mpirun start it, if that is there.
 */

#include "lossless-test.h"
#include "own-simulator.h"
#include "random-results.h"

#include "ns3/rank-plan.h"
#include "ns3/ranks.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace ns3::lossless::tests
{

namespace
{

Suite g_suite("lossless-ranks", SYSTEM);

constexpr uint32_t QUICK_SEEDS = 12;
constexpr uint32_t LAST_SEED = 300;

/// @param seed of a random network @param folder for its results @return the results
std::string
RunRandom(uint32_t seed, const std::string& folder)
{
    std::filesystem::remove_all(folder);
    const OwnSimulator own;
    RandomResults(seed).Run(folder);
    return Ranks::GetRank() == 0 ? ReadTables(folder) : "";
}

/// @param seed of a random network @param folder for its results @return those of a single rank
std::string
RunRandomAlone(uint32_t seed, const std::string& folder)
{
    const AssumedRank only(0, 1);
    return RunRandom(seed, folder);
}

/// Compares the results of one rank with those of all, where there are as many racks.
/// @param seed of a random network
void
CheckSeed(uint32_t seed)
{
    NS_TEST_EXPECT_MSG_EQ(Ranks::Join().value_or(""), "", "there are ranks");
    const std::string folder = CreateTempDirFilename("rank" + std::to_string(Ranks::GetRank()));
    if (CountRacks(RandomResults(seed).GetTopology()) < Ranks::GetSize())
    {
        return;
    }
    const std::string expected = RunRandomAlone(seed, folder);
    const std::string found = RunRandom(seed, folder);
    // All know of a failure, so that they end the suite together.
    const std::string difference = FirstDifference(found, expected);
    NS_TEST_EXPECT_MSG_GT(expected.size(), 1000, "there are results");
    NS_TEST_EXPECT_MSG_EQ(Ranks::Gather(difference).front(),
                          "",
                          Ranks::GetSize() << " ranks, random network " << seed);
}

/// @param command a command of the shell @return what it writes, if it fails
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
    return pclose(pipe) == 0 ? "" : output;
}

/// Has mpirun start this suite. @param ranks how many times @param fullness QUICK or EXTENSIVE
void
RunRanks(uint32_t ranks, const std::string& fullness)
{
    if (!RunCommand("command -v mpirun").empty())
    {
        return; // without it a run has one rank
    }
    const std::string self = std::filesystem::read_symlink("/proc/self/exe");
    const std::string failure =
        RunCommand("OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                   "mpirun --oversubscribe -n " +
                   std::to_string(ranks) + " '" + self +
                   "' --suite=lossless-ranks --verbose --fullness=" + fullness);
    NS_TEST_EXPECT_MSG_EQ(failure, "", "mpirun's ranks");
}

LOSSLESS_TESTS(g_suite)
{
    if (Ranks::AreStarted())
    {
        for (uint32_t seed = 1; seed <= LAST_SEED; ++seed)
        {
            g_suite.Add(
                "random network " + std::to_string(seed),
                [seed] { CheckSeed(seed); },
                seed <= QUICK_SEEDS ? QUICK : EXTENSIVE);
        }
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

} // namespace

} // namespace ns3::lossless::tests
