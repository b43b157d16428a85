// SPDX-License-Identifier: GPL-2.0-only
//
// Long flows and an incast in a dumbbell (FAFC, Sec. IV-A and IV-B, Tables III and IV, Figs. 3 and
// 4).
//
//   HA1, HA2, ... - SW1 (s0) - SW2 (s1) - HB1, HB2, ..., HC1, HC2
//
// HA1 sends a long flow to HC1, and HA2 sends one to HC2. A little later, all other hosts except
// HC1 and HC2 send a burst to HC2 simultaneously. Which flows do the bursts obstruct, and how do
// they affect the flow to HC1?
//
//   fafc-dumbbell --scheme=FAFC
//   fafc-dumbbell --scheme=PFC --buffer-policy=Static
//   fafc-dumbbell --scheme=Infinite --egress-queue=Fair
//   fafc-dumbbell --left=9 --messages=1000 --congestion-control=DCQCN --trigger=1000000
//
// With --messages, HA1 and HC1 instead exchange short messages, each of which is sent when the
// previous one has arrived, and HA2 also sends a burst (Table IV). flows.csv contains the
// completion times by group, and pauses.csv the pauses of each port (at s1, the ports to hosts come
// first, and the last port leads to s0). With --sample, queues.csv contains the buffer use over
// time. The run ends when all flows have arrived.

#include "ns3/core-module.h"
#include "ns3/fafc-parameters.h"
#include "ns3/flow-graph.h"
#include "ns3/graph-results.h"
#include "ns3/lossless-fabric.h"
#include "ns3/queue-sampler.h"

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Parameters, with the paper's values where stated.
struct Options
{
    FafcParameters network;
    FafcIncast incast;
    DumbbellOptions net{5, 18};
    Time sampleUntil{MilliSeconds(4)};
};

void
AddOptions(Experiment& experiment, Options& o)
{
    o.network.AddOptions(experiment);
    experiment.AddValues({
        {"left", "Hosts of the first switch.", o.net.left, Range{2, 60}},
        {"right", "Hosts of the second switch, with the receivers.", o.net.right, Range{2, 60}},
    });
    o.incast.AddOptions(experiment);
    experiment.AddValue("sample-until", "Time of the last sample.", o.sampleUntil, Range::Above(0));
    experiment.SetsAttribute("sample-until", "QueueSampler::StopTime");
}

/// @param flows the messages and then the bursts
/// @return the flows; each message waits for the previous one, as in perftest's ib_write_lat
FlowGraph
MakeGraph(const FlowList& flows, uint32_t messages)
{
    FlowGraph graph;
    for (const FlowSpec& flow : flows)
    {
        const FlowGraph::Step step = graph.Add({flow, Time(0), {}});
        if (step > 0 && step < messages)
        {
            graph.AddPredecessor(step, step - 1, FlowGraph::Until::RECEIVED);
        }
    }
    return graph;
}

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(
        __FILE__,
        "Long flows beside an incast, in a dumbbell (FAFC, Tables III and IV, Figs. 3 and 4).",
        "FAFC");
    experiment.OfferCongestionControl("DCTCP");
    experiment.OfferRanks();
    Options options;
    AddOptions(experiment, options);
    experiment.Parse(argc, argv);
    experiment.RequireUse({"message-bytes"}, options.incast.messages > 0, "--messages above 0");
    experiment.RequireUse({"long-bytes"}, options.incast.messages == 0, "--messages=0");

    options.net.hostRate = options.net.bottleneckRate = options.network.rate;
    options.net.hostDelay = options.net.bottleneckDelay = options.network.delay;
    Fabric fabric(Topology::Dumbbell(options.net),
                  options.network.MakeSwitches(experiment),
                  experiment.MakeNicFactory());
    fabric.AssignStreams(1);
    fabric.SetBaseRtt(0, fabric.GetNHosts() - 1);
    ResultsWriter& results = experiment.GetResults();
    results.AddFabric(fabric);
    results.Get<QueueSampler>()->SetAttribute("StopTime", TimeValue(options.sampleUntil));
    const FlowList flows = options.incast.MakeFlows(fabric.GetNHosts());
    if (options.incast.messages > 0)
    {
        fabric.StartGraph(MakeGraph(flows, options.incast.messages));
        results.AddRecorder(CreateObject<GraphResults>(*fabric.GetGraphRunner()), "graph");
    }
    else
    {
        fabric.StartFlows(flows);
    }
    fabric.StopWhenFlowsAreDone(Seconds(1));

    experiment.Run();
    return experiment.Finish();
}
