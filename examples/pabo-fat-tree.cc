// SPDX-License-Identifier: GPL-2.0-only
//
// Partition/aggregate traffic in the fat-tree of the PABO paper (Sec. VI), with k = 4, 16 hosts,
// links of 1 Gb/s and two-level routing. Clients request 1 MiB from all of their servers
// simultaneously, four times over TCP.
//
//   pabo-fat-tree --scenario=6-to-1 --output=results/six
//   pabo-fat-tree --scenario=6-to-1 --scheme=DropTail       TCP Reno over drop-tail queues
//
// The hosts of the scenarios are numbered from h1 to h16 as in the paper. In result files, the
// paper's host i is h(i-1), its switches S1, S2, S3, S4, S5 ... are edge0, edge1, agg0, agg1, edge2
// ..., and C1 to C4 are core0 to core3.

#include "parts/pabo-measures.h"

#include "ns3/core-module.h"

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Client and server of each connection, with the host numbers used in the paper.
using Connections = std::vector<std::pair<uint32_t, uint32_t>>;

/// @param clients the clients and their servers
Connections
Connect(const std::vector<std::pair<uint32_t, std::vector<uint32_t>>>& clients)
{
    Connections connections;
    for (const auto& [client, servers] : clients)
    {
        for (const uint32_t server : servers)
        {
            connections.emplace_back(client, server);
        }
    }
    return connections;
}

/// @return the scenarios of Sec. VI-C and VI-D, by name
const std::map<std::string, Connections>&
GetScenarios()
{
    static const std::map<std::string, Connections> scenarios{
        {"3-to-1", Connect({{9, {1, 5, 13}}})},
        {"6-to-1", Connect({{9, {1, 5, 13, 3, 7, 15}}})},
        {"9-to-1", Connect({{9, {1, 5, 13, 3, 7, 15, 14, 2, 8}}})},
        {"12-to-1", Connect({{9, {1, 5, 13, 3, 7, 15, 14, 2, 8, 4, 6, 11}}})},
        {"many-to-many", Connect({{9, {1, 5, 13}}, {10, {4, 8, 16}}})},
    };
    return scenarios;
}

/// Parameters, with the paper's values (Sec. VI-B).
struct Options
{
    std::string scenario{"3-to-1"}; ///< name of one of GetScenarios()
    Time duration{Seconds(10)};     ///< maximum duration of the run
    PaboParameters pabo; ///< settings of PABO; the bounce queues of hosts have the same capacity
    RequestTraffic requests;
};

void
AddOptions(Experiment& experiment, Options& o)
{
    std::string names;
    for (const auto& [name, connections] : GetScenarios())
    {
        names += (names.empty() ? "" : ", ") + name;
    }
    experiment.AddValues({
        {"scenario", "Pattern of requests: " + names + ".", o.scenario},
        {"stop",
         "Length of the run, unless all replies arrive before.",
         o.duration,
         Range::Above(0)},
    });
    o.pabo.AddOptions(experiment);
    o.requests.AddOptions(experiment);
}

void
CheckOptions(const Experiment& experiment, const Options& o)
{
    o.pabo.Check(experiment);
    experiment.Require(GetScenarios().count(o.scenario) == 1,
                       "--scenario is \"" + o.scenario + "\"; see --help for those there are");
}

SwitchHelper
MakeTwoLevelSwitches(const Experiment& experiment, const Options& o)
{
    SwitchHelper switches = o.pabo.MakeSwitches(experiment);
    switches.SetForwarding("ns3::lossless::TwoLevelForwarding");
    return switches;
}

/// @return the network of Sec. VI-B
FatTreeOptions
MakeFatTree(const Options& o)
{
    return WithLinks(FatTreeOptions{4}, DataRate("1Gbps"), o.pabo.delay);
}

/// @return the connections of a scenario, with hosts numbered from 0
Connections
GetConnections(const std::string& scenario)
{
    Connections connections = GetScenarios().at(scenario);
    for (auto& [client, server] : connections)
    {
        --client; // The paper counts from 1.
        --server;
    }
    return connections;
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
    options.requests.windowBytes = 50000;
    // These settings follow the authors' simulation of this network (doc/notebook/pabo.rst), but
    // frames go back to their previous hop, as the paper prints it (Sec. II-C).
    options.requests.restartAfter = Seconds(1);
    options.requests.timestamps = true;
    AddOptions(experiment, options);
    experiment.Parse(argc, argv);
    CheckOptions(experiment, options);
    // At 1 Gb/s, this value determines whether an immediately bounced frame is sent one slot
    // earlier or later.
    Config::SetDefault("ns3::lossless::LosslessNetDevice::GapBytes", UintegerValue(12));

    const FatTreeOptions fatTree = MakeFatTree(options);
    Fabric fabric(Topology::FatTree(fatTree),
                  MakeTwoLevelSwitches(experiment, options),
                  ObjectFactory("ns3::lossless::RoceNic"),
                  TwoLevelRoutes(fatTree));
    fabric.AssignStreams(1);
    fabric.InstallInternetStack();
    experiment.GetResults().AddFabric(fabric);
    PaboMeasures measures(experiment, fabric, options.pabo.capacity);
    const Connections connections = GetConnections(options.scenario);
    std::set<uint32_t> clients;
    for (const auto& [client, server] : connections)
    {
        clients.insert(client);
    }
    for (const uint32_t client : clients)
    {
        measures.WatchReceiver(client);
    }
    measures.AddConnections(connections, options.requests);

    experiment.Run(options.duration);
    measures.AddTables();
    return experiment.Finish();
}
