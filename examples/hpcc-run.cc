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
#include "ns3/hpcc-settings.h"
#include "ns3/link-failures.h"
#include "ns3/lossless-classes.h"
#include "ns3/lossless-experiment.h"
#include "ns3/lossless-fabric.h"

#include <filesystem>
#include <map>
#include <string>
#include <system_error>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// @return the path of a sample file, in the installation or in the source folder
std::string
FindSample(const std::string& name)
{
    namespace fs = std::filesystem;
    const fs::path source = fs::path(__FILE__).parent_path() / name;
    // Errors are ignored, because the source folder is used if no installed sample is found.
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path installed =
        program.parent_path().parent_path() / "share/lossless/examples" / name;
    return fs::exists(installed, error) ? installed : source;
}

/// Parameters. doc/migration.rst lists the names of the corresponding settings.
struct Options
{
    std::string topologyFile{FindSample("hpcc-topology.txt")};
    std::string flowFile{FindSample("hpcc-flows.txt")};
    HostForwarding forwarding;
    FctFile fctFile;
    HpccMonitors monitors;
    LinkFailures failures;
    Time stop{Seconds(4)};  ///< end of the simulation
    uint32_t payload{1000}; ///< payload of a full packet, in bytes
    LosslessClasses lossless;
    /// Error messages about files that the `--config` file names but that were not found, keyed by
    /// file.
    std::map<std::string, std::string> missing;
    std::string settings; ///< path of the `--config` file
    uint64_t ecnMin{0};   ///< Kmin, in bytes
    uint64_t ecnMax{0};   ///< Kmax, in bytes
};

void
ReadOptions(Experiment& experiment, Options& o, int argc, char* argv[])
{
    experiment.AddValue("topology", "File of the network, in the forks' format.", o.topologyFile);
    experiment.AddValue("flows", "File of the flows, in the forks' format.", o.flowFile);
    o.forwarding.AddOption(experiment);
    o.fctFile.AddOption(experiment);
    o.monitors.AddOptions(experiment);
    o.failures.AddOptions(experiment);
    experiment.OfferForeignSettings(
        "config",
        "Settings in the forks' format (config.txt); other options "
        "take precedence. Settings without a counterpart are listed.",
        [&experiment, &o](const std::string& path) {
            const HpccSettings settings =
                ReadHpccSettings(path, experiment.FindTyped("congestion-control"));
            o.missing = settings.missing;
            o.settings = path;
            for (const auto& warning : settings.GetWarnings(path))
            {
                experiment.Warn(warning);
            }
            return settings.options;
        });
    experiment.AddValues({
        {"stop", "End of the simulation unless all flows end earlier.", o.stop, Range::Above(0)},
        {"buffer", "SharedBuffer::Size", ByteRange{1}, UintegerValue(32 << 20)},
    });
    o.lossless.AddOption(experiment);
    experiment.OfferPayload(o.payload);
    experiment.AddValues({
        {"window", "RoceNic::Window", ByteRange{}},
        {"ecn-min",
         "Queue length above which switches mark frames, in bytes.",
         o.ecnMin,
         ByteRange{}},
        {"ecn-max",
         "Queue length above which switches mark every frame, in bytes; 0: as the congestion "
         "control needs it.",
         o.ecnMax,
         ByteRange{}},
        {"ecn-probability", "RedMarker::MaxProbability", Range{0, 1}, DoubleValue(0.2)},
    });
    experiment.SetsAttribute("ecn-min", "RedMarker::MinBytes");
    experiment.SetsAttribute("ecn-max", "RedMarker::MaxBytes");
    experiment.Parse(argc, argv);
}

/// Checks the options and reads the classes.
void
CheckOptions(const Experiment& experiment, Options& o)
{
    o.lossless.Check(experiment);
    o.monitors.Check();
    for (const std::string& file : {o.topologyFile, o.flowFile})
    {
        const auto missing = o.missing.find(file);
        if (missing != o.missing.end())
        {
            experiment.RequireFit(missing->second);
        }
    }
    experiment.RequireUnread({o.topologyFile, o.flowFile});
    experiment.Require(
        o.settings.empty() || experiment.IsGiven("topology") || experiment.IsGiven("flows"),
        o.settings + " has no TOPOLOGY_FILE and FLOW_FILE (keys are written in capitals); name "
                     "them there, or by --topology and --flows");
    experiment.Require(
        experiment.IsGiven("topology") == experiment.IsGiven("flows"),
        "--topology and --flows belong together; name both, or neither for the example");
    experiment.RequireUse({"ecn-min", "ecn-probability"}, o.ecnMax > 0, "--ecn-max above 0");
    experiment.Require(o.ecnMin <= o.ecnMax, "--ecn-min must be at most --ecn-max");
}

SwitchHelper
MakeSwitches(const Experiment& experiment, const Options& o)
{
    SwitchHelper switches = experiment.MakeSwitchHelper();
    if (o.ecnMax > 0)
    {
        switches.SetMarker("ns3::lossless::RedMarker",
                           "MinBytes",
                           UintegerValue(o.ecnMin),
                           "MaxBytes",
                           UintegerValue(o.ecnMax));
    }
    return switches;
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
    CheckOptions(experiment, options);
    FileTopology read = ReadHpccTopology(options.topologyFile);
    Topology& topology = read.topology;
    read.AbortIfInvalid(options.topologyFile);
    experiment.Warn(read.note);
    options.forwarding.ApplyTo(experiment, topology);
    options.failures.ApplyTo(experiment, topology);
    options.failures.RequireBefore(experiment, options.stop);
    const HpccFlows flows = ReadHpccFlows(options.flowFile, topology);
    experiment.Warn(flows.note);
    Fabric fabric(topology, MakeSwitches(experiment, options), experiment.MakeNicFactory());
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
    options.failures.TellMissed();
    options.fctFile.Write(experiment, flows, fabric);
    options.monitors.Write(experiment);
    return experiment.Finish();
}
