// SPDX-License-Identifier: GPL-2.0-only
//
// The tree of the PABO paper (Fig. 4): three senders, each behind two switches, and one receiver.
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

#include "ns3/core-module.h"
#include "ns3/pabo-parameters.h"
#include "ns3/pabo-recorder.h"

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Parameters, with the paper's values (Sec. V-A, V-B); a capacity of 0 means the paper's value.
struct Options
{
    std::string traffic{"raw"};
    RawBursts bursts;
    RequestTraffic requests;
    Time duration{Seconds(1)};
    Time sample;
    PaboParameters pabo{0, 0.8};
};

void
ReadOptions(Experiment& experiment, Options& o, int argc, char* argv[])
{
    experiment.AddValue("traffic", "Traffic.", o.traffic, OneOf{{"raw", "tcp"}});
    o.bursts.AddOptions(experiment);
    experiment.AddValues({
        {"stop", "Raw: length of the run.", o.duration, Range::Above(0)},
        {"host-capacity",
         "Capacity of a host's bounce queue, in frames; 0: 1500 raw, 100 tcp.",
         o.pabo.hostCapacity,
         Range{0, PaboParameters::MOST_FRAMES}},
        {"sample-period", "PABO: sampling period of samples.csv; 0: none.", o.sample, Range{0}},
    });
    o.pabo.AddOptions(experiment);
    o.requests.AddOptions(experiment);
    experiment.SetsOnlyAttribute("host-capacity", "PaboHost::BounceLimit");
    experiment.Parse(argc, argv);

    const bool isRaw = o.traffic == "raw"; // values depend on it (Sec. IV-B, V-A)
    o.pabo.capacity = o.pabo.capacity ? o.pabo.capacity : (isRaw ? 500 : 100);
    o.pabo.hostCapacity = o.pabo.hostCapacity ? o.pabo.hostCapacity : (isRaw ? 1500 : 100);
    o.duration = isRaw ? o.duration : Seconds(1000); // ends earlier, with the last reply
    experiment.Require(o.bursts.pause >= o.bursts.interval, "--pause must be at least --interval");
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
    for (const std::string name :
         {"h1", "h2", "h3", "h4", "s1", "s2", "s3", "s4", "s5", "s6", "s7"})
    {
        name[0] == 'h' ? tree.AddHost(name) : tree.AddSwitch(name);
    }
    for (const std::string link :
         {"h1-s1", "s1-s4", "s4-s7", "h2-s2", "s2-s5", "s5-s7", "h3-s3", "s3-s6", "s6-s7", "s7-h4"})
    {
        tree.AddLink(link.substr(0, 2), link.substr(3), DataRate("1Gbps"), delay);
    }
    return tree;
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

    Fabric fabric(MakeTree(options.pabo.delay), options.pabo.MakeSwitches(experiment));
    fabric.AssignStreams(1);
    options.pabo.SetHosts(experiment, fabric);
    const uint32_t receiver = 3; // h4
    if (options.traffic == "raw")
    {
        options.bursts.Install(fabric, receiver, receiver, options.duration);
    }
    else
    {
        options.requests.Install(fabric, {{receiver, 0}, {receiver, 1}, {receiver, 2}});
    }
    const auto recorder = CreateObject<PaboRecorder>();
    recorder->SampleQueues(
        {{"s4", PortId{1}}, {"s5", PortId{1}}, {"s6", PortId{1}}, {"s7", PortId{3}}},
        options.sample,
        options.duration);
    experiment.GetResults().AddRecorder(recorder, "pabo");
    experiment.GetResults().AddFabric(fabric);

    experiment.Run(options.duration);
    return experiment.Finish();
}
