// SPDX-License-Identifier: GPL-2.0-only
//
// Long flows cross a line of switches, and half of them meet bursts at the last switch (OFC, Sec.
// IV, Figs. 2, 4 and 5, Tables I and II).
//
// Half of the flows from s0 to the last switch go to one host, to which hosts at the last switch
// also send bursts. The other flows each go to a different host and meet no congestion; they are
// delayed only if the second-to-last switch is stopped because of the congested flows. --rounds
// repeats this traffic.
//
//   ofc-line --scheme=OFC
//   ofc-line --scheme=PFC --buffer-policy=Static
//   ofc-line --switches=2 --rack=32 --long-flows=2 --bursts=8 --burst-window=30us --rounds=100
//
// Hosts are numbered in this order: senders of uncongested flows (from h0), senders of congested
// flows, senders of bursts, receivers of uncongested flows, and the receiver of all other flows.
// flows.csv contains the completion times by group, queue-means.csv the mean lengths of egress
// queues over the whole run, rounds.csv the start and the length of each round, and tables.csv the
// mean numbers of entries in OFC's tables. The run ends when all flows have arrived.

#include "parts/ofc-network.h"
#include "parts/ofc-table-recorder.h"

#include "ns3/core-module.h"
#include "ns3/flow-recorder.h"
#include "ns3/lossless-fabric.h"
#include "ns3/queue-length-recorder.h"

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Class of long flows, which is the less important one for G-PFC.
constexpr uint8_t LONG_CLASS = 0;

/// Parameters, with the paper's values where stated.
struct Options
{
    OfcParameters network;
    uint64_t longBytes{4150000}; ///< calibrated, not stated in the paper
    uint64_t burstBytes{320000}; ///< calibrated, not stated in the paper
    uint32_t switches{3};
    uint32_t rack{0};
    uint32_t longFlows{1};
    uint32_t bursts{6};
    uint32_t rounds{1};
    Time roundTime{MilliSeconds(10)};
    uint8_t burstClass{LONG_CLASS}; ///< class of bursts; differs from that of long flows for G-PFC
    Time burstWindow; ///< interval in which bursts start; the paper may also mean 30 us
};

void
ReadOptions(Experiment& experiment, Options& o, int argc, char* argv[])
{
    o.network.AddOptions(experiment);
    experiment.AddValues({
        {"long-bytes", "Size of each long flow on the wire, in bytes.", o.longBytes, ByteRange{1}},
        {"burst-bytes", "Size of each burst on the wire, in bytes.", o.burstBytes, ByteRange{1}},
        {"switches", "Switches in the line.", o.switches, Range{2, 64}},
        {"rack", "Minimum number of hosts at the first and the last switch.", o.rack},
        {"long-flows",
         "Number of congested long flows, and of uncongested ones.",
         o.longFlows,
         Range{1, 64}},
        {"bursts", "Hosts that send a burst.", o.bursts, Range{0, 64}},
        {"rounds", "Number of times that all flows are sent.", o.rounds, Range{1, 100000}},
        {"round-time",
         "Time between the starts of rounds; longer than a round.",
         o.roundTime,
         Range::Above(0)},
        {"burst-class", "Class of the bursts; long flows have class 0.", o.burstClass, Range{0, 6}},
        {"burst-window", "Period in which bursts start at random.", o.burstWindow, Range{0}},
    });
    experiment.Parse(argc, argv);
    o.network.Check(experiment);
    experiment.RequireUse({"burst-class", "burst-bytes", "burst-window"},
                          o.bursts > 0,
                          "--bursts above 0");
    experiment.RequireUse({"round-time"}, o.rounds > 1, "--rounds above 1");
    experiment.Require(o.rounds == 1 || o.burstWindow < o.roundTime,
                       "--burst-window must be less than --round-time");
}

/// Index of the first host of each role.
struct Roles
{
    explicit Roles(const Options& o)
        : congestedSender(o.longFlows),
          burstSender(std::max(2 * o.longFlows, o.rack)),
          receiver(burstSender + o.bursts),
          hotReceiver(receiver + o.longFlows),
          hosts(std::max(hotReceiver + 1, burstSender + o.rack))
    {
    }

    uint32_t congestedSender; ///< first sender of congested flows
    uint32_t burstSender;     ///< first host at the last switch
    uint32_t receiver;        ///< first receiver of uncongested flows
    uint32_t hotReceiver;     ///< receiver of all other flows
    uint32_t hosts;           ///< total number of hosts
};

Topology
MakeTopology(const Options& o, const Roles& roles)
{
    LineOptions line;
    line.hostsPerSwitch.assign(o.switches, 0);
    line.hostsPerSwitch.front() = roles.burstSender;
    line.hostsPerSwitch.back() = roles.hosts - roles.burstSender;
    return Topology::Line(WithLinks(line, o.network.rate, o.network.delay));
}

FlowList
MakeFlows(const Options& o, const Roles& roles)
{
    WorkloadRandom random;
    random.AssignStreams(WORKLOAD_STREAM);
    FlowList flows;
    const auto add = [&](uint32_t from, uint32_t to, uint64_t wireBytes, Time start) {
        const uint8_t priority = from < roles.burstSender ? LONG_CLASS : o.burstClass;
        const char* group = to == roles.hotReceiver ? "congested" : "uncongested";
        const uint64_t bytes = OfcParameters::GetPayload(wireBytes);
        flows.push_back({flows.size(), from, to, priority, bytes, start, group});
    };
    for (uint32_t round = 0; round < o.rounds; ++round)
    {
        const Time start = round * o.roundTime;
        for (uint32_t i = 0; i < o.longFlows; ++i)
        {
            add(i, roles.receiver + i, o.longBytes, start);
            add(roles.congestedSender + i, roles.hotReceiver, o.longBytes, start);
        }
        for (uint32_t i = roles.burstSender; i < roles.receiver; ++i)
        {
            add(i, roles.hotReceiver, o.burstBytes, start + random.DrawJitter(o.burstWindow));
        }
    }
    SortByStart(flows);
    return flows;
}

/// Stops the program if a round had not ended when the next one began.
/// @return rounds.csv; the length is empty if no flow of the round has arrived
ResultTable
MakeRoundTable(const Experiment& experiment, const FlowRecorder& recorder, const Options& o)
{
    std::vector<Time> ends(o.rounds);
    for (const auto& [id, flow] : recorder.GetFlows())
    {
        const uint64_t round = flow.start.GetTimeStep() / o.roundTime.GetTimeStep();
        Time& end = ends[std::min<uint64_t>(round, o.rounds - 1)]; // the last round is open-ended
        end = Max(end, flow.received);
    }
    auto table = ResultTable::WithHeader("round,start_ns,length_ns");
    for (uint32_t round = 0; round < o.rounds; ++round)
    {
        const Time start = round * o.roundTime;
        experiment.Require(experiment.IsInterrupted() || round + 1 == o.rounds ||
                               ends[round] <= start + o.roundTime,
                           "--round-time is too short: a round had not ended when the next one "
                           "began");
        ResultTable::Row& row = table.rows.emplace_back();
        row.emplace_back(round);
        row.emplace_back(start);
        ResultCell& length = row.emplace_back();
        if (!ends[round].IsZero())
        {
            length = ends[round] - start;
        }
    }
    return table;
}

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(__FILE__,
                          "Flows that share a line of switches with congested ones (OFC, Figs. 2, "
                          "4 and 5, Tables I and II).",
                          "OFC");
    Options options;
    ReadOptions(experiment, options, argc, argv);

    const Roles roles(options);
    const PrioritySet classes = SetOf(Priority{LONG_CLASS}) | SetOf(Priority{options.burstClass});
    Fabric fabric(MakeTopology(options, roles),
                  options.network.MakeSwitches(experiment, classes),
                  options.network.MakeNics());
    fabric.AssignStreams(1);
    ResultsWriter& results = experiment.GetResults();
    results.AddRecorder(CreateObject<QueueLengthRecorder>(), "queue-means");
    results.AddRecorder(CreateObject<OfcTableRecorder>(), "tables");
    results.AddFabric(fabric);
    fabric.StartFlows(MakeFlows(options, roles));
    fabric.StopWhenFlowsAreDone(Seconds(1));

    experiment.Run();
    const auto rounds = MakeRoundTable(experiment, *results.Get<FlowRecorder>(), options);
    results.AddTable("rounds", [&] { return rounds; });
    return experiment.Finish();
}
