// SPDX-License-Identifier: GPL-2.0-only
//
// The tree of the PABO paper (Fig. 4) has three senders, each behind two switches, and one
// receiver.
//
//   h1 - s1 - s4 \.
//   h2 - s2 - s5 - s7 - h4          all links 1 Gb/s
//   h3 - s3 - s6 /
//
// With raw traffic (Sec. V), each sender emits N + 1 frames at intervals of 10 us and then pauses
// for 0.2 s; a link can carry only one frame every 12.3 us. With TCP traffic (Sec. IV), h4 requests
// 1 MiB from h1, h2 and h3 simultaneously, four times.
//
//   pabo-tree --packets=2500 --output=results/severe
//   pabo-tree --scheme=DropTail --packets=2500
//   pabo-tree --traffic=tcp --capacity=100 --theta=0.5

#include "parts/pabo-measures.h"

#include "ns3/core-module.h"
#include "ns3/raw-source.h"

#include <array>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Parameters, with the paper's values (Sec. V-A, V-B).
struct Options
{
    std::string traffic{"raw"};
    uint32_t packets{500}; ///< N; each burst has N + 1 frames
    Time interval{MicroSeconds(10)};
    Time pause{MilliSeconds(200)};
    Time duration{Seconds(1)};
    uint32_t hostCapacity{0}; ///< capacity of a host's bounce queue; 0 means the paper's value
    Time sample;
    PaboParameters pabo{0, 0.8}; ///< a capacity of 0 means the paper's value
    RequestTraffic requests;     ///< traffic if --traffic is "tcp"
};

constexpr uint32_t RECEIVER = 3;

void
ReadOptions(Experiment& experiment, Options& o, int argc, char* argv[])
{
    experiment.AddValues({
        {"traffic", "Traffic.", o.traffic, OneOf{{"raw", "tcp"}}},
        {"packets",
         "Raw: N; each sender emits N + 1 frames per generation.",
         o.packets,
         Range{1, PaboParameters::MOST_FRAMES}},
        {"interval", "Raw: time between the frames of a generation.", o.interval, Range::Above(0)},
        {"pause", "Raw: pause between generations.", o.pause},
        {"stop", "Raw: length of the run.", o.duration, Range::Above(0)},
        {"host-capacity",
         "Capacity of a host's bounce queue, in frames; 0: 1500 raw, 100 tcp.",
         o.hostCapacity},
        {"sample-period", "PABO: sampling period of samples.csv; 0: none.", o.sample, Range{0}},
    });
    o.pabo.AddOptions(experiment);
    o.requests.AddOptions(experiment);
    experiment.SetsAttribute("packets", "RawSource::BurstFrames");
    experiment.SetsAttribute("interval", "RawSource::Interval");
    experiment.SetsAttribute("pause", "RawSource::BurstPause");
    experiment.SetsOnlyAttribute("host-capacity", "PaboHost::BounceLimit");
    experiment.Parse(argc, argv);
}

/// Checks the options, and fills in the values that depend on the traffic (Sec. IV-B, V-A).
void
CompleteOptions(const Experiment& experiment, Options& o)
{
    const bool isRaw = o.traffic == "raw";
    o.pabo.capacity = o.pabo.capacity ? o.pabo.capacity : (isRaw ? 500 : 100);
    o.hostCapacity = o.hostCapacity ? o.hostCapacity : (isRaw ? 1500 : 100);
    o.duration = isRaw ? o.duration : Seconds(1000); // the run ends earlier, when all replies have
                                                     // arrived
    experiment.Require(o.pause >= o.interval, "--pause must be at least --interval");
    experiment.RequireUse({"packets", "interval", "pause"}, isRaw, "--traffic=raw");
    experiment.RequireUse({"stop"},
                          isRaw,
                          "--traffic=raw; with tcp a run ends with its last reply");
    o.requests.RequireUse(experiment, !isRaw, "--traffic=tcp");
    const bool isPabo = experiment.GetScheme().name == "PABO";
    experiment.RequireUse({"sample-period"}, isPabo, "--scheme=PABO");
}

Topology
MakeTree(Time delay)
{
    Topology tree;
    for (const char* host : {"h1", "h2", "h3", "h4"})
    {
        tree.AddHost(host);
    }
    for (const char* node : {"s1", "s2", "s3", "s4", "s5", "s6", "s7"})
    {
        tree.AddSwitch(node);
    }
    for (const std::string link :
         {"h1-s1", "s1-s4", "s4-s7", "h2-s2", "s2-s5", "s5-s7", "h3-s3", "s3-s6", "s6-s7", "s7-h4"})
    {
        tree.AddLink(link.substr(0, 2), link.substr(3), DataRate("1Gbps"), delay);
    }
    return tree;
}

/// Runs the simulation while h1, h2 and h3 send bursts to h4.
void
RunRaw(Experiment& experiment, const Fabric& fabric, const Options& o, PaboMeasures& measures)
{
    const Ptr<RawSink> sink = fabric.InstallSink(RECEIVER);
    std::array<Ptr<RawSource>, RECEIVER> sources;
    for (uint32_t i = 0; i < RECEIVER; ++i)
    {
        sources[i] = CreateObject<RawSource>();
        sources[i]->SetAttribute("FrameBytes", UintegerValue(1514));
        sources[i]->SetAttribute("Interval", TimeValue(o.interval));
        sources[i]->SetAttribute("BurstFrames", UintegerValue(o.packets + 1));
        sources[i]->SetAttribute("BurstPause", TimeValue(o.pause - o.interval));
        sources[i]->SetAttribute("StopTime", TimeValue(o.duration));
        fabric.InstallSource(sources[i], i, RECEIVER);
    }
    experiment.Run(o.duration);
    double sent = 0;
    for (const Ptr<RawSource>& source : sources)
    {
        sent += static_cast<double>(source->GetSent());
    }
    measures.AddSummary("raw_frames_sent", sent);
    measures.AddSummary("raw_frames_arrived", static_cast<double>(sink->GetTotal().frames));
}

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(__FILE__,
                          "The tree of the PABO paper: three senders, one receiver (Sec. IV, V).",
                          "PABO");
    Options options;
    ReadOptions(experiment, options, argc, argv);
    CompleteOptions(experiment, options);

    Fabric fabric(MakeTree(options.pabo.delay), options.pabo.MakeSwitches(experiment));
    fabric.AssignStreams(1);
    experiment.GetResults().AddFabric(fabric);
    PaboMeasures measures(experiment, fabric, options.hostCapacity);
    measures.WatchReceiver(RECEIVER);
    for (uint32_t i = 4; i <= 7 && options.sample.IsStrictlyPositive(); ++i)
    {
        const PortId towardsReceiver{static_cast<uint16_t>(i == 7 ? 3 : 1)};
        measures.Sample("s" + std::to_string(i), towardsReceiver, options.sample, options.duration);
    }
    if (options.traffic == "raw")
    {
        RunRaw(experiment, fabric, options, measures);
    }
    else
    {
        fabric.InstallInternetStack();
        measures.AddConnections({{RECEIVER, 0}, {RECEIVER, 1}, {RECEIVER, 2}}, options.requests);
        experiment.Run();
    }
    measures.AddTables();
    return experiment.Finish();
}
