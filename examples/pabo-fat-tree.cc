// SPDX-License-Identifier: GPL-2.0-only
//
// Partition/aggregate traffic in the fat-tree of the PABO paper (Sec. VI), with k = 4, 16 hosts,
// links of 1 Gb/s and two-level routing. Each client simultaneously requests 1 MiB from each of its
// servers, four times, over TCP.
//
//   pabo-fat-tree --scenario=6-to-1 --output=results/six
//   pabo-fat-tree --scenario=6-to-1 --scheme=DropTail       TCP Reno over drop-tail queues
//
// The hosts of the scenarios are numbered from 1 to 16, as in the paper. In result files, the
// paper's host i is h(i-1), the switches S1, S2, S3, S4, S5 ... are edge0, edge1, agg0, agg1, edge2
// ..., and C1 to C4 are core0 to core3.

#include "ns3/core-module.h"
#include "ns3/pabo-parameters.h"
#include "ns3/pabo-recorder.h"

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Clients and their servers in Sec. VI-C and VI-D, with the paper's host numbers, which begin at
/// 1.
const std::map<std::string, std::map<uint32_t, std::vector<uint32_t>>> SCENARIOS{
    {"3-to-1", {{9, {1, 5, 13}}}},
    {"6-to-1", {{9, {1, 5, 13, 3, 7, 15}}}},
    {"9-to-1", {{9, {1, 5, 13, 3, 7, 15, 14, 2, 8}}}},
    {"12-to-1", {{9, {1, 5, 13, 3, 7, 15, 14, 2, 8, 4, 6, 11}}}},
    {"many-to-many", {{9, {1, 5, 13}}, {10, {4, 8, 16}}}},
};

/// Parameters, with the paper's values (Sec. VI-B).
struct Options
{
    std::string scenario{"3-to-1"};
    Time duration{Seconds(10)};
    PaboParameters pabo;
    RequestTraffic requests;
};

void
AddOptions(Experiment& experiment, Options& o)
{
    // These settings follow the authors' simulation of this network (doc/notebook/pabo.rst), but
    // frames go back to their previous hop, as stated in the paper (Sec. II-C).
    o.requests.windowBytes = 50000;
    o.requests.restartAfter = Seconds(1);
    o.requests.timestamps = true;
    OneOf scenarios;
    for (const auto& [name, connections] : SCENARIOS)
    {
        scenarios.names.push_back(name);
    }
    experiment.AddValues({
        {"scenario", "Pattern of requests.", o.scenario, scenarios},
        {"stop", "End of the run unless all replies arrive earlier.", o.duration, Range::Above(0)},
    });
    o.pabo.AddOptions(experiment);
    o.requests.AddOptions(experiment);
}

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(__FILE__,
                          "Partition/aggregate traffic in the fat-tree of the PABO paper "
                          "(Sec. VI).",
                          "PABO");
    Options options;
    AddOptions(experiment, options);
    experiment.Parse(argc, argv);

    const auto fatTree = WithLinks(FatTreeOptions{4}, DataRate("1Gbps"), options.pabo.delay);
    SwitchHelper switches = options.pabo.MakeSwitches(experiment);
    switches.SetForwarding("ns3::lossless::TwoLevelForwarding");
    Fabric fabric(Topology::FatTree(fatTree),
                  switches,
                  ObjectFactory("ns3::lossless::RoceNic"),
                  TwoLevelRoutes(fatTree));
    fabric.AssignStreams(1);
    options.pabo.SetHosts(experiment, fabric);
    std::vector<std::pair<uint32_t, uint32_t>> connections;
    for (const auto& [client, servers] : SCENARIOS.at(options.scenario))
    {
        for (const uint32_t server : servers)
        {
            connections.emplace_back(client - 1, server - 1);
        }
    }
    options.requests.Install(fabric, connections);
    experiment.GetResults().AddRecorder(CreateObject<PaboRecorder>(), "pabo");
    experiment.GetResults().AddFabric(fabric);

    experiment.Run(options.duration);
    return experiment.Finish();
}
