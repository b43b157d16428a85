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

#include "parts/fafc-network.h"

#include "ns3/core-module.h"
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
    DumbbellOptions dumbbell{5, 18};
    uint64_t longBytes{60000000};
    uint64_t burstBytes{1750000};     ///< burst per host; calibrated, see doc/notebook/fafc.rst
    Time burstStart{MilliSeconds(1)}; ///< start of the bursts; not stated in the paper
    Time burstJitter{0};
    uint32_t messages{0};
    uint64_t messageBytes{65536};
    Time sampleUntil{MilliSeconds(4)};
};

void
AddOptions(Experiment& experiment, Options& o)
{
    o.network.AddOptions(experiment);
    experiment.AddValues({
        {"left", "Hosts of the first switch.", o.dumbbell.left, Range{2, 60}},
        {"right",
         "Hosts of the second switch, with the receivers.",
         o.dumbbell.right,
         Range{2, 60}},
        {"long-bytes", "Payload of each long flow, in bytes.", o.longBytes, ByteRange{1}},
        {"burst-bytes", "Payload of each burst, in bytes.", o.burstBytes, ByteRange{1}},
        {"burst-start", "Start of the bursts.", o.burstStart, Range{0}},
        {"burst-jitter", "Maximum random delay of each burst.", o.burstJitter, Range{0}},
        {"messages",
         "Messages back and forth between the first host and a receiver, in place of long flows; "
         "each starts when the previous one has arrived.",
         o.messages,
         Range{0, 1000000}},
        {"message-bytes", "Payload of each message, in bytes.", o.messageBytes, ByteRange{1}},
        {"sample-until", "Time of the last sample.", o.sampleUntil, Range::Above(0)},
    });
    experiment.SetsAttribute("sample-until", "QueueSampler::StopTime");
}

FlowList
MakeFlows(const Options& o)
{
    const uint32_t hotReceiver = o.dumbbell.left + o.dumbbell.right - 1; // HC2
    const uint32_t receiver = hotReceiver - 1;                           // HC1
    WorkloadRandom random;
    random.AssignStreams(WORKLOAD_STREAM);
    FlowList flows;
    const auto add = [&](uint32_t from, uint32_t to, uint64_t bytes, Time at, const char* group) {
        flows.push_back({flows.size(), from, to, 0, bytes, at, group});
    };
    if (o.messages == 0)
    {
        add(0, receiver, o.longBytes, Time(0), "large");
        add(1, hotReceiver, o.longBytes, Time(0), "large");
    }
    for (uint32_t i = 0; i < o.messages; ++i)
    {
        const bool isBack = i % 2 == 1;
        add(isBack ? receiver : 0, isBack ? 0 : receiver, o.messageBytes, o.burstStart, "message");
    }
    for (uint32_t host = o.messages == 0 ? 2 : 1; host < receiver; ++host)
    {
        const Time start = o.burstStart + random.DrawJitter(o.burstJitter);
        add(host, hotReceiver, o.burstBytes, start, "incast");
    }
    SortByStart(flows);
    return flows;
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
    options.network.Check(experiment);
    experiment.RequireUse({"message-bytes"}, options.messages > 0, "--messages above 0");
    experiment.RequireUse({"long-bytes"}, options.messages == 0, "--messages=0");

    options.dumbbell.hostRate = options.dumbbell.bottleneckRate = options.network.rate;
    options.dumbbell.hostDelay = options.dumbbell.bottleneckDelay = options.network.delay;
    Fabric fabric(Topology::Dumbbell(options.dumbbell),
                  options.network.MakeSwitches(experiment),
                  experiment.MakeNicFactory());
    fabric.AssignStreams(1);
    fabric.SetBaseRtt(0, fabric.GetNHosts() - 1);
    ResultsWriter& results = experiment.GetResults();
    results.AddFabric(fabric);
    results.Get<QueueSampler>()->SetAttribute("StopTime", TimeValue(options.sampleUntil));
    const FlowList flows = MakeFlows(options);
    if (options.messages > 0)
    {
        fabric.StartGraph(MakeGraph(flows, options.messages));
        const std::vector<CollectiveRun> none;
        results.AddRecorder(CreateObject<GraphResults>(*fabric.GetGraphRunner(), none), "graph");
    }
    else
    {
        fabric.StartFlows(flows);
    }
    fabric.StopWhenFlowsAreDone(Seconds(1));

    experiment.Run();
    return experiment.Finish();
}
