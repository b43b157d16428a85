// SPDX-License-Identifier: GPL-2.0-only
//
// Compares the flows of collectives, their dependencies and their durations on a star with values
// computed by hand.

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/gpu-pods-topology.h"
#include "ns3/graph-results.h"
#include "ns3/graph-runner.h"
#include "ns3/training-job.h"

#include <random>

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-collectives", SYSTEM);

using Kind = CollectiveKind;
using Algorithm = CollectiveAlgorithm;
using Step = FlowGraph::Step;

// Links have a rate of 8 Gb/s (1 ns per byte) and a delay of 1 us. A frame has a payload of 1000 B
// and 82 B for Ethernet (14), IPv4 (20), UDP (8), BTH (12), ICRC (4), FCS (4), preamble (8) and gap
// (12). An acknowledgement has an AETH of 4 B instead of the payload.
constexpr int64_t HEADERS = 14 + 20 + 8 + 12 + 4 + 4 + 8 + 12;
constexpr int64_t FRAME = HEADERS + 1000; ///< transmission time, in ns
constexpr int64_t ACK = HEADERS + 4;      ///< transmission time, in ns
constexpr int64_t DELAYS = 2 * 1000;      ///< total delay of both links, in ns

/// @return a job with a single collective, which starts at once on a star
TrainingJob
MakeJob(Kind kind, Algorithm algorithm, uint32_t ranks, uint64_t bytes, uint32_t chunks = 1)
{
    TrainingJob job;
    job.name = "job";
    job.hosts.resize(ranks);
    std::iota(job.hosts.begin(), job.hosts.end(), 0);
    JobCollective collective;
    collective.options.kind = kind;
    collective.options.algorithm = algorithm;
    collective.options.bytes = bytes;
    collective.options.chunks = chunks;
    job.collectives.push_back(collective);
    return job;
}

struct JobResult
{
    FlowGraph graph;                         ///< steps of the job
    std::vector<CollectiveRun> runs;         ///< collectives of the job
    std::vector<CollectiveOutcome> outcomes; ///< outcomes of the collectives
    ResultTable flows;                       ///< steps.csv
    ResultTable collectives;                 ///< collectives.csv
    ResultTable steps;                       ///< collective-steps.csv
    GraphFacts facts;                        ///< contribution to run.json
    std::set<std::string> arrivals;          ///< ID, hosts, bytes, start and end of each flow
    std::size_t mostLive{0};                 ///< maximum number of rule-based flows in memory
    std::size_t remembered{0};               ///< number of flows that receivers remember
};

/// @param ackInterval the number of packets of a flow per acknowledgement
/// @param cut the time at which the run ends before the job is done, or 0 to let the job finish
JobResult
RunJob(const TrainingJob& job,
       uint32_t ackInterval = 1000,
       Time cut = Time(0),
       FlowMaking making = FlowMaking::LISTED)
{
    Config::SetDefault("ns3::lossless::RoceNic::AckInterval", UintegerValue(ackInterval));
    Config::SetDefault("ns3::lossless::RoceNic::PayloadBytes", UintegerValue(1000));
    JobResult result;
    FlowGraph graph;
    result.runs = AddJob(graph, job, making);
    const auto hosts = static_cast<uint32_t>(job.hosts.size());
    Fabric fabric(Topology::Star({hosts, DataRate("8Gbps"), MicroSeconds(1)}),
                  SwitchHelper(*FindPart<SchemeInfo>("SIH")));
    fabric.AssignStreams(1);
    fabric.StartGraph(std::move(graph));
    fabric.StopWhenFlowsAreDone(MilliSeconds(50));
    for (uint32_t host = 0; host < hosts; ++host)
    {
        ListenTo(*fabric.GetNic(host), "FlowReceived", [&result](const FlowRecord& record) {
            std::ostringstream text;
            text << record.flow.id << " " << record.source << " " << record.flow.destination << " "
                 << record.flow.bytes << " " << record.start << " " << record.received;
            result.arrivals.insert(text.str());
        });
    }
    if (cut.IsStrictlyPositive())
    {
        Simulator::Stop(cut);
    }
    Simulator::Run();
    const GraphResults results(*fabric.GetGraphRunner(), result.runs);
    for (const CollectiveRun& run : result.runs)
    {
        result.outcomes.push_back(results.GetOutcome(run));
    }
    for (const CollectiveRun& run : result.runs)
    {
        result.mostLive =
            std::max(result.mostLive,
                     run.rule ? fabric.GetGraphRunner()->GetProgress(*run.rule).GetMostLive() : 0);
    }
    for (uint32_t host = 0; host < hosts; ++host)
    {
        result.remembered += fabric.GetNic(host)->GetRememberedFlows();
    }
    result.flows = making == FlowMaking::LISTED ? results.GetStepTable() : ResultTable();
    result.collectives = results.GetCollectiveTable();
    result.steps = results.GetCollectiveStepTable();
    result.facts = results.Summarize();
    RunVerdict verdict;
    results.Judge(verdict);
    NS_TEST_EXPECT_MSG_EQ(verdict.problems.size(), (cut.IsStrictlyPositive() ? 1 : 0), "problems");
    result.graph = fabric.GetGraphRunner()->GetGraph();
    Simulator::Destroy();
    return result;
}

/// @return the duration of the only collective of a job, in nanoseconds
int64_t
GetDuration(const TrainingJob& job)
{
    return RunJob(job).outcomes.at(0).GetDuration().value_or(Time(-1)).GetNanoSeconds();
}

/// @return the time in ns that a message takes over both links of the star. The second link sends
/// the last frame after the first link has sent all frames.
constexpr int64_t
GetMessageTime(int64_t frames)
{
    return frames * FRAME + FRAME + DELAYS;
}

LOSSLESS_TEST(g_suite, "a ring takes 2 (N - 1) blocks and as many latencies, to the nanosecond")
{
    for (const int64_t ranks : {2, 3, 4, 7})
    {
        for (const int64_t frames : {1, 2, 10})
        {
            const auto bytes = static_cast<uint64_t>(1000 * frames * ranks);
            const auto hosts = static_cast<uint32_t>(ranks);
            const int64_t steps = 2 * (ranks - 1);
            // Before each step except the first, hosts acknowledge the previous message.
            const int64_t expected = steps * GetMessageTime(frames) + (steps - 1) * ACK;
            NS_TEST_EXPECT_MSG_EQ(
                GetDuration(MakeJob(Kind::ALL_REDUCE, Algorithm::RING, hosts, bytes)),
                expected,
                ranks << " ranks, " << frames << " frames");
            const int64_t half = (ranks - 1) * GetMessageTime(frames) + (ranks - 2) * ACK;
            for (const Kind kind : {Kind::REDUCE_SCATTER, Kind::ALL_GATHER})
            {
                NS_TEST_EXPECT_MSG_EQ(GetDuration(MakeJob(kind, Algorithm::RING, hosts, bytes)),
                                      half,
                                      "half of it");
            }
        }
    }
}

LOSSLESS_TEST(g_suite, "halving and doubling sends a half, a quarter and so on, and the same again")
{
    constexpr int64_t unit = 3; // frames per block
    int64_t expected = 0;
    for (const int64_t frames : {4 * unit, 2 * unit, unit, unit, 2 * unit, 4 * unit})
    {
        expected += (expected > 0 ? ACK : 0) + GetMessageTime(frames);
    }
    NS_TEST_EXPECT_MSG_EQ(
        GetDuration(MakeJob(Kind::ALL_REDUCE, Algorithm::HALVING_DOUBLING, 8, 8000 * unit)),
        expected,
        "six steps");
}

LOSSLESS_TEST(g_suite, "all-to-all takes the time of N - 1 blocks")
{
    constexpr int64_t frames = 5;
    NS_TEST_EXPECT_MSG_EQ(
        GetDuration(MakeJob(Kind::ALL_TO_ALL, Algorithm::DIRECT, 3, 3000 * frames)),
        2 * GetMessageTime(frames) - FRAME - DELAYS,
        "all frames of a host one after the other");
    // A host's flows take turns, except that the first flow begins before the others are ready. The
    // fifth frame of that flow is the 11th of the 15 frames, so the receiver sends the
    // acknowledgement before the last two frames of its own flows.
    NS_TEST_EXPECT_MSG_EQ(
        GetDuration(MakeJob(Kind::ALL_TO_ALL, Algorithm::DIRECT, 4, 4000 * frames)),
        3 * frames * FRAME + FRAME + DELAYS + ACK,
        "and an acknowledgement");
    // Each stage ends when its message is acknowledged, except that the last stage ends when its
    // message is received.
    NS_TEST_EXPECT_MSG_EQ(
        GetDuration(MakeJob(Kind::ALL_TO_ALL, Algorithm::STAGED, 4, 4000 * frames)),
        3 * GetMessageTime(frames) + 2 * (2 * ACK + DELAYS),
        "three stages");
}

LOSSLESS_TEST(g_suite, "a chain passes all on, and chunks overlap")
{
    NS_TEST_EXPECT_MSG_EQ(GetDuration(MakeJob(Kind::BROADCAST, Algorithm::CHAIN, 4, 60000)),
                          3 * GetMessageTime(60) + 2 * ACK,
                          "one after the other");
    const int64_t cut = GetDuration(MakeJob(Kind::BROADCAST, Algorithm::CHAIN, 4, 60000, 6));
    NS_TEST_EXPECT_MSG_EQ((cut < 110 * FRAME), true, cut << " ns, of 60 frames that all pass");
    NS_TEST_EXPECT_MSG_EQ((cut > 60 * FRAME), true, cut << " ns");
    TrainingJob pipeline = MakeJob(Kind::PIPELINE, Algorithm::CHAIN, 3, 4000, 4);
    pipeline.collectives[0].options.stepCompute = MicroSeconds(100);
    // Rank 0 computes four parts. Rank 1 then receives and computes the last part.
    NS_TEST_EXPECT_MSG_EQ(GetDuration(pipeline),
                          500000 + 2 * GetMessageTime(1),
                          "computing is what takes the time");
}

LOSSLESS_TEST(g_suite, "collectives with a root, and a barrier, to the nanosecond")
{
    NS_TEST_EXPECT_MSG_EQ(GetDuration(MakeJob(Kind::SCATTER, Algorithm::DIRECT, 4, 4000)),
                          2 * FRAME + GetMessageTime(1) + 2 * ACK + DELAYS,
                          "three frames one after the other, and the answer to the last");
    NS_TEST_EXPECT_MSG_EQ(GetDuration(MakeJob(Kind::REDUCE, Algorithm::TREE, 2, 5000)),
                          GetMessageTime(5) + 2 * ACK + DELAYS,
                          "the sender hears that it has arrived");
    constexpr int64_t small = HEADERS + 4; // one byte is padded to four
    NS_TEST_EXPECT_MSG_EQ(GetDuration(MakeJob(Kind::BARRIER, Algorithm::TREE, 2, 1)),
                          2 * (2 * small + DELAYS) + ACK,
                          "up, and down behind the acknowledgement");
}

LOSSLESS_TEST(g_suite, "the bandwidths are those of nccl-tests")
{
    const auto getFactor = [](Kind kind, uint32_t ranks) {
        CollectiveRun run;
        run.options.kind = kind;
        run.hosts.resize(ranks);
        return run.GetBusFactor();
    };
    NS_TEST_EXPECT_MSG_EQ(getFactor(Kind::ALL_REDUCE, 8), 1.75, "2 (n - 1) / n");
    for (const Kind kind : {Kind::REDUCE_SCATTER, Kind::ALL_GATHER, Kind::ALL_TO_ALL})
    {
        NS_TEST_EXPECT_MSG_EQ(getFactor(kind, 8), 0.875, "(n - 1) / n");
    }
    for (const Kind kind : {Kind::BROADCAST, Kind::REDUCE})
    {
        NS_TEST_EXPECT_MSG_EQ(getFactor(kind, 8), 1, "all of it");
    }
    const JobResult result = RunJob(MakeJob(Kind::ALL_REDUCE, Algorithm::RING, 2, 20000));
    const int64_t time = 2 * GetMessageTime(10) + ACK;
    NS_TEST_EXPECT_MSG_EQ_TOL(result.outcomes[0].GetAlgorithmGbps(result.runs[0]).value_or(0),
                              160000.0 / static_cast<double>(time),
                              1e-9,
                              "bits by time");
}

LOSSLESS_TEST(g_suite, "a late rank is the straggler, and the others wait for it")
{
    TrainingJob job = MakeJob(Kind::ALL_REDUCE, Algorithm::RING, 4, 4000);
    job.stragglers[2] = MicroSeconds(100);
    const JobResult result = RunJob(job);
    const CollectiveOutcome& outcome = result.outcomes[0];
    NS_TEST_EXPECT_MSG_EQ(outcome.straggler, "h2", "by name");
    NS_TEST_EXPECT_MSG_EQ(outcome.firstEntry.value_or(Time(-1)), Time(0), "the others");
    NS_TEST_EXPECT_MSG_EQ(outcome.lastEntry.value_or(Time(-1)), MicroSeconds(100), "the late one");
    // By 100 us, rank 2 has received the other ranks' data, but its own data still needs all six
    // steps.
    NS_TEST_EXPECT_MSG_EQ((*outcome.end > MicroSeconds(100) + NanoSeconds(6 * GetMessageTime(1))),
                          true,
                          "what it sends goes round");
    NS_TEST_EXPECT_MSG_EQ((*outcome.waitingShare > 0.5), true, *outcome.waitingShare << " of it");
    NS_TEST_EXPECT_MSG_EQ(
        RunJob(MakeJob(Kind::ALL_REDUCE, Algorithm::RING, 4, 4000)).outcomes[0].straggler,
        "",
        "nobody is late");
}

LOSSLESS_TEST(g_suite, "waiting is the time in which nothing of a rank is under way")
{
    // Rank 1 has nothing in flight until rank 0 has computed for 100 us; then the message follows.
    TrainingJob job = MakeJob(Kind::BROADCAST, Algorithm::CHAIN, 2, 1000);
    job.collectives[0].options.stepCompute = MicroSeconds(100);
    const JobResult result = RunJob(job);
    const double message = GetMessageTime(1);
    NS_TEST_EXPECT_MSG_EQ_TOL(result.outcomes[0].waitingShare.value_or(-1),
                              (100000.0 / (100000.0 + message)) / 2,
                              1e-9,
                              "mean of rank 0, which does not wait, and rank 1");
}

const std::string COLLECTIVES =
    "job,group,iteration,place,collective,algorithm,ranks,bytes,start_ns,last_start_ns,end_ns,"
    "duration_ns,algorithm_gbps,bus_gbps,waiting_share,straggler\n";

const std::string STEPS =
    "job,group,iteration,place,collective,step,flows,bytes,start_ns,end_ns,duration_ns\n";

/// Two ranks run an all-reduce, and one of them arrives 500 ns late.
TrainingJob
MakeLateJob(uint32_t late)
{
    TrainingJob job = MakeJob(Kind::ALL_REDUCE, Algorithm::RING, 2, 2000);
    job.stragglers[late] = NanoSeconds(500);
    return job;
}

/// A message of one frame takes 2 x 1082 + 2000 = 4164 ns and its acknowledgement 2 x 86 + 2000 =
/// 2172 ns. A message triggered by a reception leaves directly after the acknowledgement, 86 ns
/// after the reception:
///
/// - flow 2, h0 to h1: starts at 0, received at 4164, acknowledged at 4164 + 2172 = 6336
/// - flow 3, h1 to h0: starts at 500, received at 4664, acknowledged at 6836
/// - flow 5, h1 to h0, after the reception of flow 2: starts at 4164, received at 4164 + 86 + 4164
///   = 8414
/// - flow 4, h0 to h1, after the reception of flow 3: starts at 4664, received at 8914, which is
///   the end of the collective; the last two acknowledgements arrive later
///
/// Each rank always has a flow in progress. Transferring 16 000 bits in 8914 ns corresponds to
/// 1.79493 Gb/s, and the bus factor is 2 (2 - 1) / 2 = 1.
LOSSLESS_TEST(g_suite, "the tables of a ring of two ranks, byte for byte")
{
    const JobResult result = RunJob(MakeLateJob(1));
    NS_TEST_EXPECT_MSG_EQ(ToCsv(result.flows),
                          "id,source,destination,bytes,compute_ns,job,group,started_ns,sent_ns,"
                          "received_ns,waited_for\n"
                          "0,h0,h0,0,0,job,,0,0,0,\n"
                          "1,h1,h1,0,500,job,,0,500,500,\n"
                          "2,h0,h1,1000,0,job,all,0,6336,4164,0\n"
                          "3,h1,h0,1000,0,job,all,500,6836,4664,1\n"
                          "4,h0,h1,1000,0,job,all,4664,,8914,3\n"
                          "5,h1,h0,1000,0,job,all,4164,,8414,2\n"
                          "6,h0,h0,0,0,job,all,8414,8414,8414,5\n"
                          "7,h1,h1,0,0,job,all,8914,8914,8914,4\n",
                          "steps.csv");
    NS_TEST_EXPECT_MSG_EQ(
        ToCsv(result.collectives),
        COLLECTIVES + "job,all,0,0,allreduce,ring,2,2000,0,500,8914,8914,1.79493,1.79493,0,h1\n",
        "collectives.csv");
    NS_TEST_EXPECT_MSG_EQ(ToCsv(result.steps),
                          STEPS + "job,all,0,0,allreduce,0,2,2000,0,4664,4664\n"
                                  "job,all,0,0,allreduce,1,2,2000,4164,8914,4750\n",
                          "collective-steps.csv");
}

/// At 8600 ns, one flow of the second step has arrived, and the rank that was on time has finished.
LOSSLESS_TEST(g_suite, "a step and a collective have no end before all of it is done")
{
    for (const auto& [late, making] : {std::pair(0, FlowMaking::LISTED),
                                       {1, FlowMaking::LISTED},
                                       {0, FlowMaking::BY_RULE},
                                       {1, FlowMaking::BY_RULE}})
    {
        const JobResult result = RunJob(MakeLateJob(late), 1000, NanoSeconds(8600), making);
        NS_TEST_EXPECT_MSG_EQ(ToCsv(result.collectives),
                              COLLECTIVES + "job,all,0,0,allreduce,ring,2,2000,0,500,,,,,,\n",
                              "collectives.csv, rank " << late << " is late");
        NS_TEST_EXPECT_MSG_EQ(ToCsv(result.steps),
                              STEPS + "job,all,0,0,allreduce,0,2,2000,0,4664,4664\n"
                                      "job,all,0,0,allreduce,1,2,2000,4164,,\n",
                              "collective-steps.csv, rank " << late << " is late");
        NS_TEST_EXPECT_MSG_EQ(result.facts.steps, 8, "steps");
        NS_TEST_EXPECT_MSG_EQ(result.facts.done, 6, "all but a flow and the rank that it is for");
        NS_TEST_EXPECT_MSG_EQ(result.facts.stalledSince.has_value(), false, "it was under way");
        NS_TEST_ASSERT_MSG_EQ(result.facts.collectives.size(), 1, "a kind");
        NS_TEST_EXPECT_MSG_EQ(result.facts.collectives[0].count, 1, "one of it");
        NS_TEST_EXPECT_MSG_EQ(result.facts.collectives[0].done, 0, "not done");
        NS_TEST_ASSERT_MSG_GT(result.facts.standstill.size(), 0, "a sentence");
        ExpectPart(result.facts.standstill[0], " is under way");
    }
}

// Each of two iterations is a reduce-scatter with one message in each direction, and rank 1 is
// 20 us late in each iteration. In nanoseconds:
//
// - The first iteration begins at 0. Rank 0 has no flow in progress from 6336, when its message is
//   acknowledged, to 20 000, when rank 1 starts its own message, which arrives at 24 164. Rank 0
//   thus waits for 13 664 of 24 164. Rank 1 has already received everything when it joins.
// - Rank 0 begins the second iteration at 24 164. It first acknowledges rank 1's message, so its
//   own message arrives at 24 164 + 86 + 4164 = 28 414 and is acknowledged at 30 586. Rank 1 joins
//   at 40 000; its message arrives at 44 164. Rank 0 waits for 40 000 - 30 586 = 9414 of 20 000.
//
// Only one of the two ranks waits, so the mean waiting shares are half as large. In the two
// iterations, the transfer of 16 000 bits takes 24 164 and 20 000 ns, and the bus factor is
// (2 - 1) / 2.
LOSSLESS_TEST(g_suite, "bandwidths, shares of waiting and their means, of collectives that differ")
{
    TrainingJob job = MakeJob(Kind::REDUCE_SCATTER, Algorithm::RING, 2, 2000);
    job.stragglers[1] = MicroSeconds(20);
    job.iterations = 2;
    const JobResult result = RunJob(job);
    NS_TEST_EXPECT_MSG_EQ(ToCsv(result.collectives),
                          COLLECTIVES +
                              "job,all,0,0,reducescatter,ring,2,2000,0,20000,24164,24164,0.662142,"
                              "0.331071,0.283,h1\n"
                              "job,all,1,0,reducescatter,ring,2,2000,24164,40000,44164,20000,0.8,"
                              "0.4,0.235,h1\n",
                          "collectives.csv");
    NS_TEST_EXPECT_MSG_EQ(result.facts.steps, 12, "steps");
    NS_TEST_EXPECT_MSG_EQ(result.facts.done, 12, "all");
    NS_TEST_ASSERT_MSG_EQ(result.facts.collectives.size(), 1, "of one kind");
    const CollectiveSummary& kind = result.facts.collectives[0];
    NS_TEST_EXPECT_MSG_EQ(kind.name, "reducescatter", "what");
    NS_TEST_EXPECT_MSG_EQ(kind.algorithm, "ring", "how");
    NS_TEST_EXPECT_MSG_EQ(kind.count, 2, "iterations");
    NS_TEST_EXPECT_MSG_EQ(kind.done, 2, "both");
    NS_TEST_EXPECT_MSG_EQ(kind.meanDurationNs, 22082, "of 24 164 and 20 000");
    NS_TEST_EXPECT_MSG_EQ(kind.maxDurationNs, 24164, "the first");
    NS_TEST_EXPECT_MSG_EQ_TOL(kind.meanBusGbps, (8000.0 / 24164 + 0.4) / 2, 1e-9, "mean");
    NS_TEST_EXPECT_MSG_EQ_TOL(kind.meanWaitingShare,
                              (6832.0 / 24164 + 4707.0 / 20000) / 2,
                              1e-9,
                              "mean of means");
}

/// Compares a job whose flows follow a rule with the same job whose flows are listed.
void
CompareMakings(const TrainingJob& job, uint32_t ackInterval, const std::string& what)
{
    const JobResult listed = RunJob(job, ackInterval);
    const JobResult ruled = RunJob(job, ackInterval, Time(0), FlowMaking::BY_RULE);
    NS_TEST_EXPECT_MSG_EQ((ruled.arrivals == listed.arrivals), true, "arrivals, " << what);
    NS_TEST_EXPECT_MSG_EQ(ToCsv(ruled.collectives), ToCsv(listed.collectives), what);
    NS_TEST_EXPECT_MSG_EQ(ToCsv(ruled.steps), ToCsv(listed.steps), what);
    NS_TEST_EXPECT_MSG_EQ(ruled.facts.steps, listed.facts.steps, what);
    NS_TEST_EXPECT_MSG_EQ(ruled.facts.done, listed.facts.done, what);
    NS_TEST_EXPECT_MSG_EQ((ruled.mostLive > 0), true, "by rules, " << what);
}

LOSSLESS_TEST(g_suite, "flows by rules begin and arrive as those of a list do, in all algorithms")
{
    for (const auto& [kind, algorithm] : {std::pair(Kind::ALL_REDUCE, Algorithm::RING),
                                          {Kind::ALL_REDUCE, Algorithm::BIDIRECTIONAL_RING},
                                          {Kind::REDUCE_SCATTER, Algorithm::RING},
                                          {Kind::REDUCE_SCATTER, Algorithm::BIDIRECTIONAL_RING},
                                          {Kind::ALL_GATHER, Algorithm::RING},
                                          {Kind::ALL_GATHER, Algorithm::BIDIRECTIONAL_RING},
                                          {Kind::ALL_TO_ALL, Algorithm::DIRECT},
                                          {Kind::ALL_TO_ALL, Algorithm::STAGED},
                                          {Kind::ALL_TO_ALL_V, Algorithm::DIRECT},
                                          {Kind::ALL_TO_ALL_V, Algorithm::STAGED}})
    {
        for (const uint32_t ranks : {2, 3, 6})
        {
            for (const uint32_t chunks : {1, 2, 4})
            {
                TrainingJob job = MakeJob(kind, algorithm, ranks, 4003 * ranks * chunks, chunks);
                job.stragglers[1] = MicroSeconds(7);
                job.iterations = 2;
                job.collectives[0].options.stepCompute = MicroSeconds(chunks - 1);
                CompareMakings(job,
                               chunks == 4 ? 1000 : 1,
                               ToString(kind) + ", " + ToString(algorithm) + ", " +
                                   std::to_string(ranks) + " ranks, " + std::to_string(chunks) +
                                   " chunks");
            }
        }
    }
}

LOSSLESS_TEST(g_suite, "flows by rules come behind listed ones, and groups of a mesh are apart")
{
    TrainingJob job = MakeJob(Kind::ALL_REDUCE, Algorithm::RING, 8, 64000);
    job.collectives.push_back(job.collectives.front());
    job.collectives.push_back(job.collectives.front());
    job.collectives[1].options.algorithm = Algorithm::HALVING_DOUBLING;
    job.collectives[2].options.kind = Kind::ALL_TO_ALL;
    job.collectives[2].options.algorithm = Algorithm::STAGED;
    job.mesh.sizes = {2, 4};
    job.mesh.names = {"TP", "DP"};
    job.collectives[0].axis = "DP";
    job.collectives[1].axis = "TP";
    job.stragglers[5] = MicroSeconds(3);
    job.iterations = 2;
    CompareMakings(job, 1, "three collectives, of which one is listed");
}

/// Each rank has up to three flows in memory: one in progress, one unacknowledged and one waiting.
LOSSLESS_TEST(g_suite, "memory has the frontier of a collective by rules, and forgets the rest")
{
    constexpr uint32_t ranks = 20;
    for (const auto& [kind, algorithm] :
         {std::pair(Kind::ALL_REDUCE, Algorithm::RING), {Kind::ALL_TO_ALL, Algorithm::STAGED}})
    {
        const TrainingJob job = MakeJob(kind, algorithm, ranks, 1000 * ranks);
        const JobResult result = RunJob(job, 1, Time(0), FlowMaking::BY_RULE);
        NS_TEST_EXPECT_MSG_EQ((result.arrivals.size() >= ranks * (ranks - 1)), true, "all flows");
        NS_TEST_EXPECT_MSG_EQ((result.mostLive <= 3 * ranks), true, result.mostLive << " at once");
        NS_TEST_EXPECT_MSG_EQ((result.remembered <= ranks), true, result.remembered << " known");
    }
}

LOSSLESS_TEST(g_suite, "a binary tree has odd ranks as leaves, and at most two children a rank")
{
    for (uint32_t ranks = 2; ranks < 40; ++ranks)
    {
        const std::vector<uint32_t> parents = MakeBinaryTree(ranks);
        std::vector<uint32_t> children(ranks);
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            NS_TEST_ASSERT_MSG_EQ((parents[rank] < ranks), true, "a rank");
            children[parents[rank]] += parents[rank] == rank ? 0 : 1;
        }
        NS_TEST_EXPECT_MSG_EQ(std::count(children.begin(), children.end(), 0),
                              ranks / 2,
                              "odd ranks are leaves, of " << ranks);
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            NS_TEST_EXPECT_MSG_EQ((children[rank] <= 2), true, "binary");
            NS_TEST_EXPECT_MSG_EQ((children[rank] == 0), (rank % 2 == 1), "leaves");
        }
    }
}

/// The number of bytes, by source and destination rank.
using Traffic = std::map<std::pair<uint32_t, uint32_t>, uint64_t>;

Traffic
GetTraffic(const TrainingJob& job)
{
    FlowGraph graph;
    const CollectiveRun run = AddJob(graph, job).at(0);
    Traffic traffic;
    for (Step step = run.stages.front(); step < run.endOfFlows; ++step)
    {
        traffic[{graph.GetSource(step), graph.GetDestination(step)}] += graph.GetBytes(step);
    }
    return traffic;
}

/// Each edge of a tree carries one message in each direction. In one tree, a rank has three edges
/// (to its parent and two children), and in the other tree, it is a leaf. It thus has four edges in
/// total, each with half of the buffer. A root has one child and no parent, so it has two edges in
/// total. If the number of ranks is odd, the last rank of the first tree has only one child,
/// because there are no further ranks. It has three edges in total, as does rank 0, which takes its
/// place in the second tree, where the ranks are shifted by one.
uint32_t
CountEdges(uint32_t rank, uint32_t ranks)
{
    const bool isEnd = rank == 0 || rank + 1 == ranks;
    if (ranks % 2 == 0)
    {
        return isEnd ? 2 : 4; // The roots are rank 0 and its mirror image.
    }
    return rank == 1 ? 2 : (isEnd ? 3 : 4); // The root of the second tree is rank 1.
}

LOSSLESS_TEST(g_suite, "two binary trees load all ranks alike, but for the roots and the last")
{
    for (uint32_t ranks = 2; ranks < 40; ++ranks)
    {
        std::vector<uint64_t> sent(ranks);
        std::vector<uint64_t> received(ranks);
        for (const auto& [ends, bytes] :
             GetTraffic(MakeJob(Kind::ALL_REDUCE, Algorithm::TREE, ranks, 2000)))
        {
            sent[ends.first] += bytes;
            received[ends.second] += bytes;
        }
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            const uint64_t bytes = 1000ULL * CountEdges(rank, ranks);
            NS_TEST_EXPECT_MSG_EQ(sent[rank], bytes, "sent by rank " << rank << " of " << ranks);
            NS_TEST_EXPECT_MSG_EQ(received[rank], bytes, "received by it");
        }
    }
}

/// Each direction carries 500 of the 1000 B in five blocks of 100 B, and a link carries one block
/// per step.
LOSSLESS_TEST(g_suite, "a bidirectional ring sends half of it in each direction")
{
    constexpr uint32_t ranks = 5;
    for (const auto& [kind, steps] :
         {std::pair(Kind::ALL_REDUCE, 8), {Kind::REDUCE_SCATTER, 4}, {Kind::ALL_GATHER, 4}})
    {
        Traffic traffic = GetTraffic(MakeJob(kind, Algorithm::BIDIRECTIONAL_RING, ranks, 1000));
        NS_TEST_EXPECT_MSG_EQ(traffic.size(), 2 * ranks, "neighbours alone send to each other");
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            const uint32_t next = (rank + 1) % ranks;
            const auto bytes = static_cast<uint64_t>(100 * steps);
            NS_TEST_EXPECT_MSG_EQ((traffic[{rank, next}]), bytes, rank << " to " << next);
            NS_TEST_EXPECT_MSG_EQ((traffic[{next, rank}]), bytes, next << " to " << rank);
        }
    }
}

/// @param blocks the sizes of the blocks of three receivers
void
CheckBlocks(Kind kind, double skew, uint64_t bytes, const std::vector<uint64_t>& blocks)
{
    for (const Algorithm algorithm : {Algorithm::DIRECT, Algorithm::STAGED})
    {
        TrainingJob job = MakeJob(kind, algorithm, 3, bytes);
        job.collectives[0].options.skew = skew;
        const Traffic traffic = GetTraffic(job);
        NS_TEST_EXPECT_MSG_EQ(traffic.size(), 6, "each to both others");
        for (const auto& [ends, sent] : traffic)
        {
            NS_TEST_EXPECT_MSG_EQ(sent,
                                  blocks[ends.second],
                                  ends.first << " to " << ends.second << ", skew " << skew);
        }
    }
}

/// Block sizes are rounded down, and each of the first receivers gets one of the remaining bytes.
LOSSLESS_TEST(g_suite, "what receivers get is in proportion to (r + 1) to the power of -skew")
{
    // With weights 1, 1/2 and 1/3, the receivers' blocks are 6/11, 3/11 and 2/11 of 1103 B, or
    // 601.6, 300.8 and 200.5 B.
    CheckBlocks(Kind::ALL_TO_ALL_V, 1, 1103, {602, 301, 200});
    // With weights 1, 1/4 and 1/9, the blocks are 36/49, 9/49 and 4/49 of 1000 B, or 734.7, 183.7
    // and 81.6 B.
    CheckBlocks(Kind::ALL_TO_ALL_V, 2, 1000, {735, 184, 81});
    // Three equal blocks have 367.7 B each. All-to-all ignores the skew and has the same blocks.
    CheckBlocks(Kind::ALL_TO_ALL_V, 0, 1103, {368, 368, 367});
    CheckBlocks(Kind::ALL_TO_ALL, 1, 1103, {368, 368, 367});
}

/// @return for each step, the ranks on whose entry into the collective it depends
std::vector<std::set<std::size_t>>
FindSources(const FlowGraph& graph, const CollectiveRun& run)
{
    std::vector<std::set<std::size_t>> sources(graph.GetNSteps());
    for (std::size_t rank = 0; rank < run.entries.size(); ++rank)
    {
        sources[run.entries[rank]] = {rank};
    }
    for (Step step = run.stages.front(); step < graph.GetNSteps(); ++step)
    {
        for (const FlowGraph::Link& link : graph.GetPredecessors(step))
        {
            NS_TEST_EXPECT_MSG_EQ((link.step < step), true, "those before it are numbered so");
            sources[step].insert(sources[link.step].begin(), sources[link.step].end());
        }
    }
    return sources;
}

/// @return the total number of bytes that all ranks send per byte of the buffer, according to the
/// definition of the collective
double
GetTotal(Kind kind, double ranks)
{
    switch (kind)
    {
    case Kind::ALL_REDUCE:
    case Kind::BARRIER:
        return 2 * (ranks - 1);
    case Kind::GATHER:
    case Kind::SCATTER:
        return (ranks - 1) / ranks;
    default:
        return ranks - 1;
    }
}

LOSSLESS_TESTS(g_suite)
{
    for (uint32_t seed = 1; seed <= 12; ++seed)
    {
        g_suite.Add("random collectives " + std::to_string(seed) + " reach all ranks", [seed] {
            std::mt19937 random(seed);
            const auto draw = [&random](uint32_t least, uint32_t most) {
                return std::uniform_int_distribution<uint32_t>(least, most)(random);
            };
            for (const CollectiveChoice& choice : GetCollectives())
            {
                for (const auto& [name, algorithm] : choice.algorithms)
                {
                    const bool isBinary = algorithm == Algorithm::HALVING_DOUBLING;
                    const uint32_t ranks = isBinary ? 1U << draw(1, 4) : draw(2, 13);
                    const uint32_t chunks = draw(1, 4);
                    const uint64_t bytes = draw(2 * ranks * chunks, 30000);
                    TrainingJob job = MakeJob(choice.kind, algorithm, ranks, bytes, chunks);
                    for (uint32_t rank = 0; rank < ranks; ++rank)
                    {
                        // The last server may have fewer ranks.
                        job.seats.push_back({rank / 3, rank % 3});
                    }
                    const JobResult result = RunJob(job, draw(1, 8));
                    const CollectiveRun& run = result.runs[0];
                    const std::string what = choice.name + " by " + name;
                    const auto sources = FindSources(result.graph, run);
                    const bool isOneWay = choice.kind == Kind::BROADCAST ||
                                          choice.kind == Kind::PIPELINE ||
                                          choice.kind == Kind::SCATTER;
                    const bool isToRoot =
                        choice.kind == Kind::REDUCE || choice.kind == Kind::GATHER;
                    for (std::size_t rank = 0; rank < ranks; ++rank)
                    {
                        NS_TEST_EXPECT_MSG_EQ(
                            ((isToRoot && rank > 0) || sources[run.exits[rank]].count(0) > 0),
                            true,
                            what << ": rank 0 reaches " << rank);
                        NS_TEST_EXPECT_MSG_EQ((isOneWay || (isToRoot && rank > 0) ||
                                               sources[run.exits[rank]].size() == ranks),
                                              true,
                                              what << ": all reach " << rank << " of " << ranks);
                    }
                    uint64_t sent = 0; // without the bytes that PXN forwards
                    const bool forwards = algorithm == Algorithm::PXN && run.stages.size() > 1;
                    const Step end = forwards ? run.stages[1] : run.endOfFlows;
                    for (Step step = run.stages.front(); step < end; ++step)
                    {
                        sent += result.graph.GetBytes(step);
                    }
                    const auto total = static_cast<double>(bytes) * GetTotal(choice.kind, ranks);
                    const bool isExact =
                        choice.kind == Kind::ALL_TO_ALL || choice.kind == Kind::ALL_TO_ALL_V;
                    const double tolerance = isExact ? 0.5 : 2.0 * ranks * ranks * chunks;
                    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(sent),
                                              total,
                                              tolerance,
                                              what << ": bytes of " << ranks << " ranks");
                    NS_TEST_EXPECT_MSG_EQ(result.steps.rows.size(), run.stages.size(), what);
                    NS_TEST_EXPECT_MSG_EQ(result.outcomes[0].end.has_value(), true, what);
                }
            }
        });
    }
}

LOSSLESS_TEST(g_suite, "meshes have groups along their axes, and hosts are taken as it is said")
{
    Mesh mesh;
    NS_TEST_ASSERT_MSG_EQ(Mesh::Parse("2x3x2", "TP,DP,PP", mesh).value_or(""), "", "it is right");
    const auto toText = [](const std::vector<std::vector<uint32_t>>& groups) {
        std::string text;
        for (const auto& group : groups)
        {
            text += (text.empty() ? "" : "; ") + ToText(group);
        }
        return text;
    };
    NS_TEST_EXPECT_MSG_EQ(toText(mesh.GetGroups(0)), "0 1; 2 3; 4 5; 6 7; 8 9; 10 11", "pairs");
    NS_TEST_EXPECT_MSG_EQ(toText(mesh.GetGroups(1)), "0 2 4; 1 3 5; 6 8 10; 7 9 11", "two apart");
    NS_TEST_EXPECT_MSG_EQ(toText(mesh.GetGroups(2)), "0 6; 1 7; 2 8; 3 9; 4 10; 5 11", "six apart");
    const Topology topology = Topology::LeafSpine({3, 1, 2});
    const auto order = [&topology](Placement placement) {
        return ToText(OrderHosts(topology, placement, 1));
    };
    NS_TEST_EXPECT_MSG_EQ(order(Placement::LINEAR), "0 1 2 3 4 5", "as they are");
    NS_TEST_EXPECT_MSG_EQ(order(Placement::RACK), "0 2 4 1 3 5", "rack after rack");
    std::vector<uint32_t> drawn = OrderHosts(topology, Placement::RANDOM, 1);
    NS_TEST_EXPECT_MSG_EQ((ToText(drawn) != "0 1 2 3 4 5"), true, "at random");
    std::sort(drawn.begin(), drawn.end());
    NS_TEST_EXPECT_MSG_EQ(ToText(drawn), "0 1 2 3 4 5", "each once");
}

/// @return two servers with two GPUs each, on two rails that are not joined; all links have a rate
/// of 100 Gb/s
Topology
MakeTwoServers()
{
    auto part = CreateObject<GpuPodsTopology>();
    part->SetAttribute("Servers", UintegerValue(2));
    part->SetAttribute("GpusPerServer", UintegerValue(2));
    part->SetAttribute("NvlinkRate", DataRateValue(DataRate("100Gbps")));
    part->SetAttribute("Spines", UintegerValue(0));
    part->SetAttribute("Delay", TimeValue(MicroSeconds(1)));
    return part->Make();
}

/// @return an all-to-all over NVLinks and rails
TrainingJob
MakePxnJob(const Topology& topology, const std::vector<uint32_t>& hosts, uint64_t bytes)
{
    const auto ranks = static_cast<uint32_t>(hosts.size());
    TrainingJob job = MakeJob(Kind::ALL_TO_ALL, Algorithm::PXN, ranks, bytes);
    job.hosts = hosts;
    const std::vector<GpuSeat> seats = FindGpuSeats(topology);
    for (const uint32_t host : hosts)
    {
        job.seats.push_back(seats.at(host));
    }
    return job;
}

/// @return the flows of a job's only collective, as "source>destination" with host indices, in the
/// order of the algorithm's steps
std::string
GetRoutes(const TrainingJob& job)
{
    FlowGraph graph;
    const CollectiveRun run = AddJob(graph, job).at(0);
    std::string text;
    for (FlowGraph::Step step = run.stages.at(0); step < run.endOfFlows; ++step)
    {
        const bool isNext = run.stages.size() > 1 && step == run.stages[1];
        const FlowSpec& flow = graph.GetFlow(step);
        text += (isNext ? "; " : " ") + std::to_string(flow.source) + ">" +
                std::to_string(flow.destination);
    }
    return text;
}

LOSSLESS_TEST(g_suite, "PXN changes rails within the sender's server, if a rank sits there")
{
    const Topology two = MakeTwoServers();
    NS_TEST_EXPECT_MSG_EQ(GetRoutes(MakePxnJob(two, {0, 1, 2, 3}, 4000)),
                          " 0>1 1>0 2>3 3>2 0>2 1>3 2>0 3>1 0>1 1>0 2>3 3>2; 0>2 2>0 1>3 3>1",
                          "h0 to h3 by h1, and h1 to h2 by h0");
    NS_TEST_EXPECT_MSG_EQ(GetRoutes(MakePxnJob(two, {3, 0, 1}, 3000)),
                          " 3>0 0>1 1>3 3>1 0>1 1>0; 1>3",
                          "there is no rank at h2");
    NS_TEST_EXPECT_MSG_EQ(GetRoutes(MakePxnJob(two, {0, 1}, 2000)), " 0>1 1>0", "one server");
    // GPUs 0 and 2 of a server are on one rail, and GPUs 1 and 3 are on the other.
    auto part = CreateObject<GpuPodsTopology>();
    part->SetAttribute("Servers", UintegerValue(4));
    part->SetAttribute("ServersPerPod", UintegerValue(2));
    part->SetAttribute("GpusPerServer", UintegerValue(4));
    part->SetAttribute("Rails", UintegerValue(2));
    part->SetAttribute("TorsPerRail", UintegerValue(2));
    const Topology pods = part->Make();
    NS_TEST_EXPECT_MSG_EQ(
        GetRoutes(MakePxnJob(pods, {0, 1, 12, 15}, 4000)),
        " 0>1 1>0 12>15 15>12 0>12 1>15 12>0 15>1 0>1 1>0 12>15 15>12; 0>12 12>0 1>15 15>1",
        "each on its rail, across pods, although the places in the servers differ");
    NS_TEST_EXPECT_MSG_EQ(FindGpuSeats(Topology::Star({2, DataRate("8Gbps"), Time(0)})).size(),
                          0,
                          "no servers of GPUs");
}

LOSSLESS_TEST(g_suite, "PXN forwards a message over the rail once all of it is there")
{
    // A message has 10 frames of 1082 B, 86.56 ns each. A GPU sends two messages over its NVLink
    // and alternates between them frame by frame. The last of 20 frames belongs to the message to
    // be forwarded, which is at the relay after 20 frame times, one more frame time from the
    // NVSwitch and 2 x 25 ns, at 1867.76 ns. The relay's NIC has been idle since 865.6 ns. It sends
    // 10 frames, and the last one takes another 2 us and a frame time from the ToR switch, so it
    // arrives at 4819.92 ns.
    Config::SetDefault("ns3::lossless::RoceNic::AckInterval", UintegerValue(1000));
    Config::SetDefault("ns3::lossless::RoceNic::PayloadBytes", UintegerValue(1000));
    const Topology topology = MakeTwoServers();
    FlowGraph graph;
    const CollectiveRun run = AddJob(graph, MakePxnJob(topology, {0, 1, 2, 3}, 40000)).at(0);
    Fabric fabric(topology, SwitchHelper(*FindPart<SchemeInfo>("SIH")));
    fabric.StartGraph(std::move(graph));
    fabric.StopWhenFlowsAreDone(MilliSeconds(50));
    Simulator::Run();
    const CollectiveOutcome outcome = GraphResults(*fabric.GetGraphRunner(), {run}).GetOutcome(run);
    NS_TEST_ASSERT_MSG_EQ(outcome.end.has_value(), true, "all arrive, although no spine joins any");
    NS_TEST_EXPECT_MSG_EQ(outcome.end->GetNanoSeconds(), 4819, "by hand");
}

LOSSLESS_TEST(g_suite, "iterations follow each other, and collectives in an iteration")
{
    TrainingJob job = MakeJob(Kind::ALL_REDUCE, Algorithm::RING, 4, 4000);
    job.collectives.push_back(job.collectives.front());
    job.collectives[1].axis = "TP";
    NS_TEST_ASSERT_MSG_EQ(Mesh::Parse("2x2", "TP,DP", job.mesh).value_or(""), "", "it is right");
    job.iterations = 3;
    job.compute = MicroSeconds(50);
    const JobResult result = RunJob(job);
    NS_TEST_ASSERT_MSG_EQ(result.runs.size(), 9, "one and two in each iteration");
    const int64_t first = 6 * GetMessageTime(1) + 5 * ACK;
    // In a group of two ranks, a block takes two frames. The first message follows the last
    // acknowledgement of the previous collective.
    const int64_t second = 2 * GetMessageTime(2) + 2 * ACK;
    const Time start = *result.outcomes[0].firstEntry;
    NS_TEST_EXPECT_MSG_EQ(start, MicroSeconds(50), "it computes first");
    NS_TEST_EXPECT_MSG_EQ(*result.outcomes[0].end, start + NanoSeconds(first), "the ring of all");
    NS_TEST_EXPECT_MSG_EQ(*result.outcomes[1].firstEntry, *result.outcomes[0].end, "then groups");
    NS_TEST_EXPECT_MSG_EQ(*result.outcomes[2].end, start + NanoSeconds(first + second), "at once");
    NS_TEST_EXPECT_MSG_EQ(*result.outcomes[3].firstEntry,
                          *result.outcomes[2].end + MicroSeconds(50),
                          "the next iteration computes first");
    NS_TEST_EXPECT_MSG_EQ(*result.outcomes[8].end,
                          NanoSeconds(3 * (50000 + first + second)),
                          "three of them");
}

/// test/bad-inputs.py lists other invalid jobs.
LOSSLESS_TEST(g_suite, "an algorithm of another collective is refused")
{
    NS_TEST_EXPECT_MSG_EQ(MakeJob(Kind::ALL_TO_ALL, Algorithm::RING, 6, 6000).Check().value_or(""),
                          "job job: the algorithm ring is not one of alltoall",
                          "the sentence");
}

} // namespace ns3::lossless::tests::THIS_FILE
