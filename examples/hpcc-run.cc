// SPDX-License-Identifier: GPL-2.0-only
//
// Runs a network and flows defined for the HPCC simulator or one of its forks, and writes flow
// completion times in the format of these simulators. doc/migration.rst covers the other settings
// of these simulators.
//
//   hpcc-run --topology=topology.txt --flows=flow.txt --fct-file=fct.txt
//   hpcc-run --topology=topology.txt --flows=flow.txt --scheme=DSH --output=results/dsh
//   hpcc-run --topology=topology.txt --flows=flow.txt --congestion-control=HPCC
//   hpcc-run --config=config.txt            with the settings of those simulators
//
// By default, the program runs a small example. Two hosts and, slightly later, a third one send to
// the same host. A short flow goes in the opposite direction, and another flow shares part of the
// path of the first two.

#include "ns3/core-module.h"
#include "ns3/fct-file.h"
#include "ns3/host-forwarding.h"
#include "ns3/hpcc-format.h"
#include "ns3/hpcc-monitors.h"
#include "ns3/hpcc-options.h"
#include "ns3/link-failures.h"
#include "ns3/lossless-classes.h"
#include "ns3/lossless-experiment.h"
#include "ns3/lossless-fabric.h"

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Parameters. doc/migration.rst lists the names of the corresponding settings.
struct Options
{
    HpccOptions hpcc{__FILE__};
    HostForwarding forwarding;
    FctFile fctFile;
    HpccMonitors monitors;
    LinkFailures failures;
    Time stop{Seconds(4)};  ///< end of the simulation
    uint32_t payload{1000}; ///< payload of a full packet, in bytes
    LosslessClasses lossless;
};

void
ReadOptions(Experiment& experiment, Options& o, int argc, char* argv[])
{
    o.hpcc.AddFiles(experiment);
    o.forwarding.AddOption(experiment);
    o.fctFile.AddOption(experiment);
    o.monitors.AddOptions(experiment);
    o.failures.AddOptions(experiment);
    o.hpcc.AddSettings(experiment);
    experiment.AddValues({
        {"stop", "End of the simulation unless all flows end earlier.", o.stop, Range::Above(0)},
        {"buffer", "SharedBuffer::Size", ByteRange{1}, UintegerValue(32 << 20)},
    });
    o.lossless.AddOption(experiment);
    experiment.OfferPayload(o.payload);
    experiment.AddAttribute("window", "RoceNic::Window", ByteRange{});
    o.hpcc.AddMarking(experiment);
    experiment.Parse(argc, argv);
    o.lossless.Check(experiment);
    o.monitors.Check();
    o.hpcc.Check(experiment);
}

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(__FILE__,
                          "Runs the topology and flow files of the HPCC simulator's family.");
    experiment.OfferCongestionControl();
    experiment.OfferRanks();
    Options options;
    ReadOptions(experiment, options, argc, argv);
    FileTopology read = ReadHpccTopology(options.hpcc.topologyFile);
    Topology& topology = read.topology;
    read.AbortIfInvalid(options.hpcc.topologyFile);
    experiment.Warn(read.note);
    options.forwarding.ApplyTo(experiment, topology);
    options.failures.ApplyTo(experiment, topology);
    options.failures.RequireBefore(experiment, options.stop);
    const HpccFlows flows = ReadHpccFlows(options.hpcc.flowFile, topology);
    experiment.Warn(flows.note);
    SwitchHelper switches = experiment.MakeSwitchHelper();
    options.hpcc.SetMarking(switches);
    Fabric fabric(topology, switches, experiment.MakeNicFactory());
    options.lossless.Apply(experiment, fabric, GetClasses(flows.flows));
    options.failures.ProtectLinks(fabric);
    options.failures.Install(fabric);
    options.failures.AssignStreams(1 + fabric.AssignStreams(1));
    options.monitors.Install(fabric);
    const auto [source, farthest] = fabric.FindLongestPath();
    if (source != farthest)
    {
        fabric.SetBaseRtt(source, farthest);
    }
    experiment.GetResults().AddFabric(fabric);
    fabric.StartFlows(flows.flows);
    experiment.NoteFlows(fabric.GetFlows());
    fabric.StopWhenFlowsAreDone(options.stop, options.fctFile.GetFlowEnd());

    experiment.Run(options.stop);
    options.failures.TellEffect(experiment, fabric);
    options.fctFile.Write(experiment, flows, fabric);
    options.monitors.Write(experiment);
    return experiment.Finish();
}
