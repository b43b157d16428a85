// SPDX-License-Identifier: GPL-2.0-only
//
// How fast is the simulator? A fat-tree in which every host sends one flow to another: PFC over
// dynamic thresholds (SIH), ECN marking, ECMP and one acknowledgement per packet, interleaved with
// a bare event loop which moves the same packets over the same links (see reference-loop.h).
//
//   fabric-benchmark --k=8 --bytes=2000000 --rounds=3

#include "reference-loop.h"

#include "ns3/core-module.h"
#include "ns3/lossless-experiment.h"

#include <ctime>
#include <iomanip>
#include <iostream>
#include <string>
#include <sys/resource.h>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// What the command line says.
struct Options
{
    FatTreeOptions tree;           ///< the network
    uint64_t bytes{2000000};       ///< size of each flow
    uint32_t rounds{3};            ///< runs of each kind
    std::string scheme{"SIH"};     ///< flow control
    std::string control{"None"};   ///< congestion control
    bool reference{true};          ///< run the bare event loop, too
    bool isSchedulerChosen{false}; ///< the event list of all runs is given
};

/// Reads the command line; a bad option stops the program.
/// @param argc number of arguments @param argv program and arguments @return the options
Options
ReadOptions(int argc, char* argv[])
{
    Options options;
    options.tree.delay = MicroSeconds(1);
    StrictCommandLine cmd(
        __FILE__,
        "Measures packet-hops per CPU second of a fat-tree under a permutation of flows, next to a "
        "bare event loop that moves the same packets. The module runs with its WheelScheduler and "
        "the event loop with a PriorityQueueScheduler, unless --SchedulerType names one for both.");
    cmd.AddValue("k", "Ports of a switch; the fat-tree has k^3/4 hosts.", options.tree.k);
    cmd.AddValue("bytes", "Size of each flow, in bytes.", options.bytes);
    cmd.AddValue("rounds", "Interleaved runs of the module and of the reference.", options.rounds);
    cmd.AddValue("scheme", "Flow control scheme: " + ListSchemes() + ".", options.scheme);
    cmd.AddValue("congestion-control",
                 "Congestion control of the flows (" + DescribeCongestionControls() + ").",
                 options.control);
    cmd.AddValue("reference", "Also run the bare event loop.", options.reference);
    cmd.Parse(argc, argv);
    cmd.Require(FindScheme(options.scheme).has_value(),
                "--scheme is \"" + options.scheme + "\"; it must be one of " + ListSchemes());
    cmd.Require(options.rounds > 0, "--rounds is 0; it must be at least 1");
    cmd.Require(options.bytes > 0, "--bytes is 0; it must be at least 1");
    cmd.Require(FindCongestionControl(options.control).has_value(),
                "--congestion-control is \"" + options.control + "\"; it must be one of " +
                    ListCongestionControls());
    options.isSchedulerChosen = IsSchedulerChosen(argc, argv);
    return options;
}

/// What one run took.
struct Measurement
{
    uint64_t hops{0};     ///< frames that crossed a link
    uint64_t events{0};   ///< simulator events
    double cpuSeconds{0}; ///< of Simulator::Run()

    /// @param other another run, whose figures are added
    void operator+=(const Measurement& other)
    {
        hops += other.hops;
        events += other.events;
        cpuSeconds += other.cpuSeconds;
    }

    /// @return frames that crossed a link per CPU second
    double GetRate() const
    {
        return static_cast<double>(hops) / cpuSeconds;
    }
};

/// @return CPU seconds of this process so far
double
GetCpuSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// @return largest resident memory of this process so far, in MB
double
GetPeakMegabytes()
{
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

/// Runs the simulator until nothing is left to do. @return events and time
Measurement
Run()
{
    Measurement m;
    const double begin = GetCpuSeconds();
    Simulator::Run();
    m.cpuSeconds = GetCpuSeconds() - begin;
    m.events = Simulator::GetEventCount();
    return m;
}

/// @param options which may name another event list @param type TypeId of that of the next run
void
UseScheduler(const Options& options, const std::string& type)
{
    if (!options.isSchedulerChosen)
    {
        GlobalValue::Bind("SchedulerType", StringValue(type));
    }
}

/// @param options size of the flows @param topology the network @return one flow from each host
FlowList
MakeFlows(const Options& options, const Topology& topology)
{
    PermutationOptions permutation;
    permutation.sizes = FlowSizeTable::Fixed(options.bytes);
    PermutationWorkload workload(topology, permutation);
    workload.AssignStreams(1000000);
    return workload.Generate();
}

/// @param options the kind of switch @param topology the network @param flows the traffic
/// @return the figures of the module
Measurement
RunModule(const Options& options, const Topology& topology, const FlowList& flows)
{
    SwitchHelper switches(FindScheme(options.scheme)->switchType);
    const CongestionControlChoice control = *FindCongestionControl(options.control);
    switches.SetMarker(control.marker.empty() ? "ns3::lossless::RedMarker" : control.marker);
    ObjectFactory nics("ns3::lossless::RoceNic");
    nics.Set("CongestionControl", ObjectFactoryValue(ObjectFactory(control.type)));
    UseScheduler(options, "ns3::lossless::WheelScheduler");
    Fabric fabric(topology, switches, nics);
    fabric.AssignStreams(1);
    fabric.StartFlows(flows);
    Measurement m = Run();
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        m.hops += fabric.GetSwitch(i)->GetCounts().sent;
    }
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        const RoceNic::Counts& counts = fabric.GetNic(host)->GetCounts();
        m.hops += counts.dataSent + counts.acksSent + counts.naksSent + counts.cnpsSent;
    }
    Simulator::Destroy();
    return m;
}

/// @param options the event list @param topology the network @param flows the traffic
/// @return the figures of the bare loop
Measurement
RunReference(const Options& options, const Topology& topology, const FlowList& flows)
{
    UseScheduler(options, "ns3::PriorityQueueScheduler");
    ReferenceLoop loop(topology, flows, 1000);
    loop.Start();
    Measurement m = Run();
    m.hops = loop.GetPacketHops();
    Simulator::Destroy();
    return m;
}

/// @param name of the run @param m its figures
void
Print(const std::string& name, const Measurement& m)
{
    std::cout << std::left << std::setw(10) << name << std::right << std::setw(12) << m.hops
              << std::setw(12) << m.events << std::fixed << std::setprecision(3) << std::setw(14)
              << static_cast<double>(m.events) / static_cast<double>(m.hops) << std::setw(10)
              << m.cpuSeconds << std::setprecision(0) << std::setw(18) << m.GetRate() << std::endl;
}

} // namespace

int
main(int argc, char* argv[])
{
    const Options options = ReadOptions(argc, argv);
    const Topology topology = Topology::FatTree(options.tree);
    const FlowList flows = MakeFlows(options, topology);

    Measurement module;
    Measurement bare;
    double peak = 0;
    for (uint32_t round = 0; round < options.rounds; ++round)
    {
        module += RunModule(options, topology, flows);
        peak = round == 0 ? GetPeakMegabytes() : peak;
        if (options.reference)
        {
            bare += RunReference(options, topology, flows);
        }
    }
    std::cout << "           packet-hops      events    events/hop    CPU s  packet-hops/CPU s\n";
    Print("module", module);
    if (options.reference)
    {
        Print("reference", bare);
        std::cout << "ratio module / reference: " << std::setprecision(3)
                  << module.GetRate() / bare.GetRate() << '\n';
    }
    std::cout << "peak memory of a module run: " << std::setprecision(1) << peak << " MB"
              << std::endl;
    return 0;
}
