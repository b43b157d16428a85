// SPDX-License-Identifier: GPL-2.0-only
//
// Long flows cross a line of switches, and half of them meet bursts at the last switch (OFC, Sec.
// IV, Figs. 2, 4 and 5, Tables I and II).
//
// The flows that meet no congestion are delayed only if the second-to-last switch is stopped
// because of the congested flows. OfcLine describes the flows and numbers the hosts. --rounds
// repeats this traffic.
//
//   ofc-line --scheme=OFC
//   ofc-line --scheme=PFC --buffer-policy=Static
//   ofc-line --switches=2 --rack=32 --long-flows=2 --bursts=8 --burst-window=30us --rounds=100
//
// flows.csv contains the completion times by group, queue-means.csv the mean lengths of egress
// queues over the whole run, rounds.csv the start and the length of each round, and tables.csv the
// mean numbers of entries in OFC's tables. The run ends when all flows have arrived.

#include "ns3/core-module.h"
#include "ns3/lossless-experiment.h"
#include "ns3/lossless-fabric.h"
#include "ns3/ofc-parameters.h"
#include "ns3/ofc-table-recorder.h"
#include "ns3/queue-length-recorder.h"

using namespace ns3;
using namespace ns3::lossless;

namespace
{

void
ReadOptions(Experiment& experiment, OfcLine& o, int argc, char* argv[])
{
    o.AddOptions(experiment);
    experiment.AddValues({
        {"long-bytes", "Size of each long flow on the wire, in bytes.", o.longBytes, ByteRange{1}},
        {"burst-bytes", "Size of each burst on the wire, in bytes.", o.burstBytes, ByteRange{1}},
        {"switches", "Switches in the line.", o.switches, Range{2, 64}},
        {"rack",
         "Minimum number of hosts at the first and the last switch.",
         o.rack,
         Range{0, 1000}},
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
    experiment.RequireUse({"burst-class", "burst-bytes", "burst-window"},
                          o.bursts > 0,
                          "--bursts above 0");
    experiment.RequireUse({"round-time"}, o.rounds > 1, "--rounds above 1");
    experiment.Require(o.rounds == 1 || o.burstWindow < o.roundTime,
                       "--burst-window must be less than --round-time");
}

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(__FILE__,
                          "Flows that share a line of switches with congested ones (OFC, Figs. 2, "
                          "4 and 5, Tables I and II).",
                          "OFC");
    OfcLine line;
    ReadOptions(experiment, line, argc, argv);

    const FlowList flows = line.MakeFlows();
    Fabric fabric(line.MakeTopology(),
                  line.MakeSwitches(experiment, GetClasses(flows)),
                  line.MakeNics());
    fabric.AssignStreams(1);
    ResultsWriter& results = experiment.GetResults();
    results.AddRecorder(CreateObject<QueueLengthRecorder>(), "queue-means");
    results.AddRecorder(CreateObject<OfcTableRecorder>(), "tables");
    results.AddFabric(fabric);
    fabric.StartFlows(flows);
    fabric.StopWhenFlowsAreDone(Seconds(1));

    experiment.Run();
    const ResultTable rounds = line.MakeRoundTable(experiment);
    results.AddTable("rounds", [&] { return rounds; });
    return experiment.Finish();
}
