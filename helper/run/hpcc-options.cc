// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-options.h"

#include "ns3/double.h"
#include "ns3/hpcc-settings.h"
#include "ns3/uinteger.h"

#include <filesystem>
#include <system_error>

namespace ns3::lossless
{

namespace
{

/// @param folder the source folder of the file
/// @return the path of a sample file, in the installation or in the source folder
std::string
FindSample(const std::filesystem::path& folder, const std::string& name)
{
    namespace fs = std::filesystem;
    // Errors are ignored, because the source folder is used if no installed sample is found.
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path installed =
        program.parent_path().parent_path() / "share/lossless/examples" / name;
    return fs::exists(installed, error) ? installed : folder / name;
}

} // namespace

HpccOptions::HpccOptions(const std::string& program)
{
    const auto folder = std::filesystem::path(program).parent_path();
    topologyFile = FindSample(folder, "hpcc-topology.txt");
    flowFile = FindSample(folder, "hpcc-flows.txt");
}

void
HpccOptions::AddFiles(Experiment& experiment)
{
    experiment.AddValue("topology", "File of the network, in the forks' format.", topologyFile);
    experiment.AddValue("flows", "File of the flows, in the forks' format.", flowFile);
}

void
HpccOptions::AddSettings(Experiment& experiment)
{
    experiment.OfferForeignSettings(
        "config",
        "Settings in the forks' format (config.txt); other options "
        "take precedence. Settings without a counterpart are listed.",
        [this, &experiment](const std::string& path) {
            const HpccSettings settings =
                ReadHpccSettings(path, experiment.FindTyped("congestion-control"));
            missing = settings.missing;
            settingsFile = path;
            for (const auto& warning : settings.GetWarnings(path))
            {
                experiment.Warn(warning);
            }
            return settings.options;
        });
}

void
HpccOptions::AddMarking(Experiment& experiment)
{
    experiment.AddValues({
        {"ecn-min",
         "Queue length above which switches mark frames, in bytes.",
         ecnMin,
         ByteRange{}},
        {"ecn-max",
         "Queue length above which switches mark every frame, in bytes; 0: as the congestion "
         "control needs it.",
         ecnMax,
         ByteRange{}},
        {"ecn-probability", "RedMarker::MaxProbability", Range{0, 1}, DoubleValue(0.2)},
    });
    experiment.SetsAttribute("ecn-min", "RedMarker::MinBytes");
    experiment.SetsAttribute("ecn-max", "RedMarker::MaxBytes");
}

void
HpccOptions::Check(const Experiment& experiment) const
{
    for (const std::string& file : {topologyFile, flowFile})
    {
        const auto error = missing.find(file);
        if (error != missing.end())
        {
            experiment.RequireFit(error->second);
        }
    }
    experiment.RequireUnread({topologyFile, flowFile});
    const bool hasTopology = experiment.IsGiven("topology");
    const bool hasFlows = experiment.IsGiven("flows");
    experiment.Require(settingsFile.empty() || hasTopology || hasFlows,
                       settingsFile +
                           " has no TOPOLOGY_FILE and FLOW_FILE (keys are written in capitals); "
                           "name them there, or by --topology and --flows");
    experiment.Require(
        hasTopology == hasFlows,
        "--topology and --flows belong together; name both, or neither for the example");
    experiment.RequireUse({"ecn-min", "ecn-probability"}, ecnMax > 0, "--ecn-max above 0");
    experiment.Require(ecnMin <= ecnMax, "--ecn-min must be at most --ecn-max");
}

void
HpccOptions::SetMarking(SwitchHelper& switches) const
{
    if (ecnMax > 0)
    {
        switches.SetMarker("ns3::lossless::RedMarker",
                           "MinBytes",
                           UintegerValue(ecnMin),
                           "MaxBytes",
                           UintegerValue(ecnMax));
    }
}

} // namespace ns3::lossless
