// SPDX-License-Identifier: GPL-2.0-only
//
// How fast is the simulator? In a fat-tree, every host sends one flow to another host. The network
// uses PFC with dynamic thresholds (SIH), ECN marking, ECMP and one acknowledgement per packet.
// These runs alternate with runs of a bare event loop that moves the same packets over the same
// links (see reference-loop.h), once in ns-3's simulator with a PriorityQueueScheduler and once in
// the module's. The program prints the median, minimum and maximum.
//
// How much memory does a port use? Stars of 8, 64 and 512 hosts are created and initialized.
//
//   fabric-benchmark --k=8 --bytes=2000000 --rounds=3
//   mpirun -n 4 fabric-benchmark --k=16
//
// With several ranks (see Ranks), only the module is measured. The elapsed time of the slowest rank
// counts.

#include "reference-loop.h"

#include "ns3/core-module.h"
#include "ns3/huge-pages.h"
#include "ns3/lossless-experiment.h"
#include "ns3/ranks.h"
#include "ns3/run-statistics.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <string>
#include <sys/resource.h>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Maximum ratio of the memory per port between the largest and the second-largest star.
constexpr double MEMORY_GROWTH_LIMIT = 1.5;

/// Options of the command line.
struct Options
{
    FatTreeOptions tree;
    uint64_t bytes{2000000}; ///< number of bytes per flow
    uint32_t rounds{3};      ///< number of runs of each kind
    SwitchOptions switches;
    CongestionControlInfo control;
    bool reference{true};          ///< whether to run the bare event loop as well
    bool memory{true};             ///< whether to measure the memory of ports as well
    bool strict{false};            ///< whether to fail if the memory per port grows
    bool isSimulatorChosen{false}; ///< whether the user has specified a simulator or event list
    const StrictCommandLine* commandLine{nullptr}; ///< source of the options
};

/// Reads the command line; exits if an option is invalid.
/// @param cmd the command line, which must outlive the options
Options
ReadOptions(StrictCommandLine& cmd, int argc, char* argv[])
{
    Options options;
    options.commandLine = &cmd;
    std::string control = "None";
    options.tree.delay = MicroSeconds(1);
    cmd.AddValue("k",
                 "Ports of a switch; the fat-tree has k^3/4 hosts.",
                 options.tree.k,
                 FatTreeOptions::PORTS);
    cmd.AddValue("bytes", "Size of each flow, in bytes.", options.bytes, ByteRange{1});
    cmd.AddValue("rounds",
                 "Interleaved runs of the module and of the reference.",
                 options.rounds,
                 Range{1, 1000});
    options.switches.AddTo(cmd);
    cmd.AddValue("congestion-control",
                 "Congestion control of the flows (" + DescribeParts<CongestionControlInfo>() +
                     ").",
                 control);
    cmd.AddValue("reference", "Also run the bare event loop.", options.reference);
    cmd.AddValue("memory",
                 "Also measure the memory of switch ports in stars of 8, 64 and 512 hosts.",
                 options.memory);
    cmd.AddValue("strict",
                 "Exit with status 1 if a port of the switch of 512 ports takes more than 1.5 "
                 "times the memory of one of 64.",
                 options.strict);
    cmd.SetsAttribute("congestion-control", "RoceNic::CongestionControl");
    cmd.SetsAttribute("congestion-control", "SwitchNode::Marker");
    const auto error = Ranks::Join();
    cmd.RequireFit(error);
    cmd.Parse(argc, argv);
    options.switches.Check(cmd);
    cmd.RequireUse({"strict"}, options.memory, "--memory, which it judges");
    options.control =
        cmd.RequireChoice("congestion-control", GetParts<CongestionControlInfo>(), control);
    options.isSimulatorChosen = IsSimulatorChosen(argc, argv);
    options.reference = options.reference && !Ranks::AreSeveral();
    options.memory = options.memory && !Ranks::AreSeveral();
    return options;
}

/// Cost of a run.
struct Measurement
{
    uint64_t hops{0};    ///< number of times that a frame crossed a link
    uint64_t events{0};  ///< number of simulator events
    double seconds{0};   ///< duration of Simulator::Run(); see GetSeconds()
    double megabytes{0}; ///< maximum resident memory so far

    double GetRate() const
    {
        return static_cast<double>(hops) / seconds;
    }

    /// Combines the results of all ranks; every rank must call this function.
    /// @return the sums, and the time of the slowest rank
    Measurement Gather() const
    {
        Measurement all;
        const std::string bytes(reinterpret_cast<const char*>(this), sizeof(*this));
        for (const std::string& told : Ranks::Gather(bytes))
        {
            Measurement one;
            std::memcpy(&one, told.data(), sizeof(one));
            all.hops += one.hops;
            all.events += one.events;
            all.seconds = std::max(all.seconds, one.seconds);
            all.megabytes += one.megabytes;
        }
        return all;
    }
};

/// Results of several rounds.
using Rounds = std::vector<double>;

/// @return "median (minimum to maximum)"
std::string
Describe(const Rounds& rounds, const std::string& format)
{
    const auto [least, most] = std::minmax_element(rounds.begin(), rounds.end());
    const double median = GetDistribution(rounds)->median;
    std::array<char, 100> text{};
    const std::string all = format + " (" + format + " to " + format + ")";
    std::snprintf(text.data(), text.size(), all.c_str(), median, *least, *most);
    return text.data();
}

/// Results of all runs of one kind.
struct Series
{
    Measurement first; ///< result of the first run; the other runs move the same packets
    Rounds rates;      ///< packet-hops per CPU second

    void Add(const Measurement& m)
    {
        first = first.hops == 0 ? m : first;
        rates.push_back(m.GetRate());
    }
};

/// @return the CPU time of this process so far, in seconds; with several ranks, the elapsed time
/// instead, because ranks wait for each other
double
GetSeconds()
{
    const std::chrono::duration<double> time = std::chrono::steady_clock::now().time_since_epoch();
    return Ranks::AreSeveral() ? time.count() : static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// @return the maximum resident memory of this process so far, in MB
double
GetPeakMegabytes()
{
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

/// @return the number of bytes allocated and not freed; 0 if the C library does not report it
uint64_t
GetHeapBytes()
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    const auto info = mallinfo2();
    return info.uordblks + info.hblkhd; // heap blocks and separately mapped blocks
#else
    return 0;
#endif
}

/// Runs the simulator until there are no more events.
Measurement
Run()
{
    Measurement m;
    const double begin = GetSeconds();
    Simulator::Run();
    m.seconds = GetSeconds() - begin;
    m.events = Simulator::GetEventCount();
    return m;
}

struct SimulatorKind
{
    std::string type; ///< TypeId of the SimulatorImpl
    std::string list; ///< TypeId of the event list
};

/// The module's simulator, which has an event list of its own and ignores ns-3's default.
const SimulatorKind OWN_SIMULATOR{"ns3::lossless::WheelSimulatorImpl", "ns3::MapScheduler"};

/// Selects the simulator of the next run.
/// @param options the options, which can name another simulator
/// @param kind the default simulator
void
UseSimulator(const Options& options, const SimulatorKind& kind)
{
    if (!options.isSimulatorChosen)
    {
        GlobalValue::Bind("SimulatorImplementationType", StringValue(kind.type));
        GlobalValue::Bind("SchedulerType", StringValue(kind.list));
    }
}

FlowList
MakeFlows(const Options& options, const Topology& topology)
{
    PermutationOptions permutation;
    permutation.sizes = FlowSizeTable::Fixed(options.bytes);
    return DrawPermutation(topology, permutation);
}

SwitchHelper
MakeSwitches(const Options& options)
{
    SwitchHelper switches = options.switches.MakeSwitchHelper();
    const std::string& marker = options.control.marker;
    switches.SetMarker(marker.empty() ? "ns3::lossless::RedMarker" : marker);
    return switches;
}

Measurement
RunModule(const Options& options, const Topology& topology, const FlowList& flows)
{
    UseSimulator(options, OWN_SIMULATOR);
    Fabric fabric(topology, MakeSwitches(options), Experiment::MakeNicFactory(options.control));
    fabric.AssignStreams(1);
    fabric.StartFlows(flows);
    options.commandLine->RequireEffect();
    Measurement m = Run();
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        const Ptr<SwitchNode> node = fabric.GetSwitch(i);
        m.hops += Ranks::IsOwn(*node) ? node->GetCounts().sent : 0;
    }
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        const RoceNic::Counts& counts = fabric.GetNic(host)->GetCounts();
        m.hops += counts.dataSent + counts.acksSent + counts.naksSent + counts.cnpsSent;
    }
    Simulator::Destroy();
    m.megabytes = GetPeakMegabytes();
    return m.Gather();
}

Measurement
RunReference(const Topology& topology, const FlowList& flows)
{
    ReferenceLoop loop(topology, flows, 1000);
    loop.Start();
    Measurement m = Run();
    m.hops = loop.GetPacketHops();
    Simulator::Destroy();
    return m;
}

/// One kind of run of the bare event loop.
struct Reference
{
    SimulatorKind simulator; ///< unused if the command line selects a simulator
    std::string name;        ///< name in the results
    Series series;
    Rounds ratios; ///< ratios of the module's rates to those of the bare event loop
};

std::vector<Reference>
MakeReferences(const Options& options)
{
    if (!options.reference)
    {
        return {};
    }
    if (options.isSimulatorChosen)
    {
        return {{{}, "reference", {}, {}}};
    }
    return {{{"ns3::DefaultSimulatorImpl", "ns3::PriorityQueueScheduler"},
             "reference, PriorityQueueScheduler",
             {},
             {}},
            {OWN_SIMULATOR, "reference, WheelSimulatorImpl", {}, {}}};
}

void
Print(const std::string& name, const Series& series)
{
    const auto [hops, events, seconds, megabytes] = series.first;
    std::cout << std::left << std::setw(34) << name << std::right << std::setw(12) << hops
              << std::setw(12) << events << std::fixed << std::setprecision(3) << std::setw(12)
              << static_cast<double>(events) / static_cast<double>(hops) << "   "
              << Describe(series.rates, "%.0f") << std::endl;
}

/// Measures the module and the bare event loops in turn.
void
MeasureSpeed(const Options& options)
{
    const Topology topology = Topology::FatTree(options.tree);
    const FlowList flows = MakeFlows(options, topology);
    std::vector<Reference> references = MakeReferences(options);
    Series module;
    double peak = 0;
    for (uint32_t round = 0; round < options.rounds; ++round)
    {
        const Measurement run = RunModule(options, topology, flows);
        module.Add(run);
        peak = round == 0 ? run.megabytes : peak;
        for (Reference& reference : references)
        {
            UseSimulator(options, reference.simulator);
            const Measurement bare = RunReference(topology, flows);
            reference.series.Add(bare);
            reference.ratios.push_back(run.GetRate() / bare.GetRate());
        }
    }
    if (!Ranks::IsFirst())
    {
        return;
    }
    std::cout << "k = " << options.tree.k << ", " << topology.GetHosts().size() << " hosts, "
              << options.rounds << (options.rounds == 1 ? " round\n" : " rounds\n") << std::setw(46)
              << "packet-hops"
              << "      events  events/hop   packet-hops/" << (Ranks::AreSeveral() ? "s" : "CPU s")
              << ": median (least to greatest)\n";
    Print("module", module);
    for (const Reference& reference : references)
    {
        Print(reference.name, reference.series);
    }
    for (const Reference& reference : references)
    {
        std::cout << "ratio module / " << reference.name << ": "
                  << Describe(reference.ratios, "%.2f") << '\n';
    }
    std::cout << "peak memory of a module run: " << std::setprecision(1) << peak << " MB"
              << std::endl;
}

/// Memory of a star, in bytes per port of its switch.
struct PortMemory
{
    double all{0};   ///< memory of the switch with its routes, links, hosts and NICs
    double start{0}; ///< part of `all` that is allocated when the switch is initialized
};

/// Allocates the small blocks (up to 7 of each size) that the C library caches and counts as used.
/// Otherwise, a small star would seem to need less memory per port than a large one.
std::vector<std::vector<char>>
TakeCachedBlocks()
{
    std::vector<std::vector<char>> blocks;
    for (std::size_t bytes = 24; bytes <= 1032; bytes += 16)
    {
        for (int i = 0; i < 7; ++i)
        {
            blocks.emplace_back(bytes);
        }
    }
    return blocks;
}

PortMemory
MeasureStar(const Options& options, uint32_t ports)
{
    StarOptions star;
    star.hosts = ports;
    const Topology topology = Topology::Star(star);
    SwitchHelper switches = MakeSwitches(options);
    // The buffer is large enough for the headroom of all ports.
    switches.SetBufferAttribute("Size", UintegerValue(4000000000));
    Simulator::GetEventCount(); // creates the simulator
    const auto cached = TakeCachedBlocks();
    const uint64_t before = GetHeapBytes();
    Fabric fabric(topology, switches, Experiment::MakeNicFactory(options.control));
    const uint64_t made = GetHeapBytes();
    fabric.GetSwitch(0)->Initialize();
    const uint64_t started = GetHeapBytes();
    Simulator::Run(); // initializes the hosts
    const uint64_t after = GetHeapBytes();
    Simulator::Destroy();
    return {static_cast<double>(after - before) / ports,
            static_cast<double>(started - made) / ports};
}

/// Measures how the memory per port depends on the number of ports. This memory would grow with the
/// switch if the size of any structure were proportional to the number of port pairs.
/// @return whether the memory per port is approximately constant
bool
MeasureMemory(const Options& options)
{
    UseSimulator(options, OWN_SIMULATOR);
    const PortMemory first = MeasureStar(options, 2); // this one includes one-time allocations
    if (first.all == 0 || first.start == 0)
    {
        std::cout << "memory of a port: not available with this C library" << std::endl;
        return true;
    }
    std::cout << "memory of a star with a switch of so many ports, bytes/port; of these, when the "
                 "switch starts\n"
              << std::setprecision(0);
    std::vector<PortMemory> stars;
    for (const uint32_t ports : {8, 64, 512})
    {
        stars.push_back(MeasureStar(options, ports));
        std::cout << std::setw(9) << ports << std::setw(12) << stars.back().all << std::setw(12)
                  << stars.back().start << std::endl;
    }
    const double growth = stars[2].all / stars[1].all;
    const double startGrowth = stars[2].start / stars[1].start;
    std::cout << "ratio of bytes/port, 512 ports / 64 ports: " << std::setprecision(2) << growth
              << "; when the switch starts: " << startGrowth << std::endl;
    return growth <= MEMORY_GROWTH_LIMIT && startGrowth <= MEMORY_GROWTH_LIMIT;
}

} // namespace

int
main(int argc, char* argv[])
{
    StrictCommandLine cmd(
        __FILE__,
        "Measures packet-hops per CPU second of a fat-tree under a permutation of flows, next to a "
        "bare event loop that moves the same packets, and the memory of a switch port. The module "
        "runs in its own simulator (WheelSimulatorImpl), and the event loop once in ns-3's with a "
        "PriorityQueueScheduler and once in the module's, unless --SimulatorImplementationType or "
        "--SchedulerType names one for all.");
    const Options options = ReadOptions(cmd, argc, argv);
    UseHugePages();
    MeasureSpeed(options);
    const bool isGrowing = options.memory && !MeasureMemory(options);
    return options.strict && isGrowing ? 1 : 0;
}
