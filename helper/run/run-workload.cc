// SPDX-License-Identifier: GPL-2.0-only
#include "run-workload.h"

#include "ns3/flow-csv.h"
#include "ns3/hpcc-format.h"
#include "ns3/text-lines.h"

#include <cmath>
#include <filesystem>
#include <iomanip>
#include <sstream>
#include <utility>

namespace ns3::lossless
{

namespace
{

/// If the mean of the flow sizes is below this number of bytes, the sizes are probably numbers of
/// packets.
constexpr double LEAST_MEAN = 500;

} // namespace

void
RunWorkload::AddOptions(Experiment& experiment)
{
    experiment.AddValue("flows",
                        "File of flows: " + m_format.Describe() + "; empty: random flows.",
                        m_file);
    m_format.AddOption(experiment, "flows-format");
    experiment.AddValue("load",
                        "Load of random flows between pairs of hosts, in full data frames on the "
                        "wire, as a share of the hosts' links; 0: none. Messages smaller than a "
                        "packet load them more, because each has headers.",
                        m_load,
                        Range{0, 2});
    experiment.AddValue("sizes",
                        "Flow-size table of the flows of --load, by name or file.",
                        m_sizes);
    experiment.AddValue("classes",
                        "Classes of the flows of --load, separated by commas; each flow draws one. "
                        "For files of --flows with ranks, the class of all flows.",
                        m_classesText);
    experiment.AddValue("incast-load",
                        "Load of random incasts, measured as for --load; 0: none.",
                        m_incastLoad,
                        Range{0, 2});
    experiment.AddValue("incast-senders", "Senders of an incast.", m_incastSenders, Range{1});
    experiment.AddValue("incast-bytes",
                        "Payload that each sender of an incast sends, in bytes.",
                        m_incastBytes,
                        ByteRange{1});
    experiment.AddValue("incast-classes",
                        "Classes of incasts, as for --classes; empty: those of --classes.",
                        m_incastClassesText);
    experiment.AddValue("arrivals",
                        "Period in which random flows start.",
                        m_arrivals,
                        Range::Above(0));
}

void
RunWorkload::Check(const Experiment& experiment, const RunNetwork& network)
{
    for (const std::string& option : RANDOM_FLOW_OPTIONS)
    {
        const bool isOfTrace = HasRanks() && option == "classes";
        experiment.RequireUse({option},
                              m_file.empty() || isOfTrace,
                              "random flows; leave it out with --flows");
    }
    CheckLoads(experiment);
    m_format.Check(experiment);
    experiment.RequireUse({"flows-format"}, !m_file.empty(), "a file of --flows");
    if (IsOfForks() && !network.IsOfForks() && std::filesystem::exists(m_file))
    {
        experiment.RequireFit(CheckText(m_file)); // the file may have arbitrary content
    }
    experiment.Require(!IsOfForks() || network.IsOfForks(),
                       "--flows is \"" + m_file +
                           "\", a file in the format of the HPCC simulator's family" +
                           m_format.ExplainChoice() +
                           "; --topology must be one, too, whose numbers of nodes it has");
    experiment.Require(!m_file.empty() || m_load > 0 || m_incastLoad > 0,
                       "there is no flow; write --load, --incast-load or --flows");
    const auto unknown = FlowSizeTable::CheckName(m_sizes);
    experiment.Require(!unknown || std::filesystem::exists(m_sizes),
                       "--sizes: " + unknown.value_or("") + ", and there is no such file");
    m_classes = ReadClasses(experiment, m_classesText, "classes");
    experiment.Require(!HasRanks() || m_classes.size() == 1,
                       "--classes is \"" + m_classesText +
                           "\"; it must be one class for the "
                           "flows of " +
                           m_file);
    m_incastClasses = m_incastClassesText.empty()
                          ? m_classes
                          : ReadClasses(experiment, m_incastClassesText, "incast-classes");
}

void
RunWorkload::CheckLoads(const Experiment& experiment) const
{
    experiment.RequireUse({"classes"},
                          !m_file.empty() || m_load > 0 || m_incastClassesText.empty(),
                          "flows of --load, which is 0");
    experiment.RequireUse({"sizes"}, !m_file.empty() || m_load > 0, "flows of --load, which is 0");
    experiment.RequireUse({"incast-senders", "incast-bytes", "incast-classes"},
                          m_incastLoad > 0,
                          "flows of --incast-load, which is 0");
}

const std::string&
RunWorkload::GetFile() const
{
    return m_file;
}

std::string
RunWorkload::GetSizesFile() const
{
    return FlowSizeTable::CheckName(m_sizes) ? m_sizes : "";
}

std::string
RunWorkload::GetFormat() const
{
    return m_file.empty() ? "" : m_format.Get(m_file);
}

bool
RunWorkload::HasRanks() const
{
    const auto format = FindPart<FlowFormat>(GetFormat());
    return format && format->read != nullptr;
}

bool
RunWorkload::IsOfForks() const
{
    return GetFormat() == HPCC_FORMAT;
}

bool
RunWorkload::IsCsv() const
{
    return GetFormat() == CSV_FORMAT;
}

void
RunWorkload::ReadTrace(const Experiment& experiment)
{
    if (HasRanks())
    {
        m_traceFiles = {m_file};
        experiment.RequireFit(CatchComplaint(
            [&] { m_trace = FindPart<FlowFormat>(GetFormat())->read(m_file, m_traceFiles); }));
    }
}

void
RunWorkload::FailLinks(const Experiment& experiment, Topology& topology) const
{
    if (m_trace)
    {
        experiment.RequireFit(CatchComplaint([&] { m_trace->FailLinks(topology); }));
    }
}

FlowGraph
RunWorkload::MakeTraceGraph(const Experiment& experiment,
                            const Topology& topology,
                            const std::vector<uint32_t>& hosts,
                            std::vector<CollectiveRun>& runs) const
{
    const uint32_t ranks = m_trace->GetNRanks();
    experiment.Require(ranks <= hosts.size(),
                       m_file + " has " + std::to_string(ranks) + " ranks; the network has " +
                           std::to_string(hosts.size()) + " hosts");
    const RankPlacement placement{hosts, m_classes.front(), GetFormat(), ""};
    FlowGraph graph;
    experiment.RequireFit(CatchComplaint([&] { m_trace->AddTo(graph, placement, runs); }));
    const auto error = graph.Check(topology, [&](FlowGraph::Step step) {
        return m_trace->DescribeStep(step, placement);
    });
    experiment.RequireFit(error, m_file + ": ");
    return graph;
}

PrioritySet
RunWorkload::GetRandomClasses() const
{
    PrioritySet classes = 0;
    for (const auto& [load, priorities] :
         {std::pair(m_load, m_classes), std::pair(m_incastLoad, m_incastClasses)})
    {
        for (const uint8_t priority : priorities)
        {
            classes |= m_file.empty() && load > 0 ? SetOf(Priority{priority}) : PrioritySet(0);
        }
    }
    return classes;
}

std::vector<std::string>
RunWorkload::GetFiles() const
{
    std::vector<std::string> files = m_traceFiles;
    files.insert(files.end(), {m_file, GetSizesFile()});
    return files;
}

FlowSizeTable
RunWorkload::GetSizes() const
{
    return FlowSizeTable::CheckName(m_sizes) ? FlowSizeTable::FromFile(m_sizes)
                                             : FlowSizeTable::Get(m_sizes);
}

void
RunWorkload::SetArrivals(ArrivalOptions& options, double load, const RunNetwork& network) const
{
    options.load = load;
    options.overheadFactor = network.GetOverheadFactor();
    options.duration = m_arrivals;
}

PoissonOptions
RunWorkload::GetBackground(const RunNetwork& network) const
{
    PoissonOptions background;
    SetArrivals(background, m_load, network);
    background.sizes = GetSizes();
    background.priorities = m_classes;
    return background;
}

FanInOptions
RunWorkload::GetIncast(const RunNetwork& network) const
{
    FanInOptions incast;
    SetArrivals(incast, m_incastLoad, network);
    incast.minSenders = incast.maxSenders = m_incastSenders;
    incast.sizes = FlowSizeTable::Fixed(m_incastBytes);
    incast.priorities = m_incastClasses;
    incast.group = "incast";
    return incast;
}

void
RunWorkload::NoteLoad(Experiment& experiment,
                      const std::string& option,
                      const ArrivalOptions& wanted,
                      const std::string& group,
                      const FlowTotals& totals,
                      const Topology& topology) const
{
    FlowTotals::Sums drawn;
    for (const auto& [key, sums] : totals.groups)
    {
        drawn.flows += key.first == group ? sums.flows : 0;
        drawn.bytes += key.first == group ? sums.bytes : 0;
    }
    const double load = GetOfferedLoad(drawn.bytes, topology, m_arrivals) * wanted.overheadFactor;
    constexpr double far = 0.25;
    if (std::abs(load / wanted.load - 1) > far)
    {
        std::ostringstream note;
        note << "--" << option << "=" << wanted.load << ": ";
        if (drawn.flows == 0)
        {
            note << "no flow was drawn; a longer --arrivals draws some.";
        }
        else
        {
            note << "the " << drawn.flows << " flows drawn have " << std::setprecision(2) << load
                 << "; a longer --arrivals, or a mean over --RngRun, comes nearer.";
        }
        experiment.Warn(note.str());
    }
}

std::shared_ptr<const FlowSource>
RunWorkload::MakeRandomFlows(Experiment& experiment,
                             const RunNetwork& network,
                             const Topology& topology)
{
    std::vector<RandomFlows> kinds;
    const PoissonOptions background = GetBackground(network);
    const FanInOptions incast = GetIncast(network);
    if (m_load > 0)
    {
        experiment.RequireFit(background.Check(topology), "--load: ");
        if (!GetSizesFile().empty() && background.sizes.GetMean() < LEAST_MEAN)
        {
            std::ostringstream note;
            note << m_sizes << ": the mean size is " << std::setprecision(3)
                 << background.sizes.GetMean()
                 << " B, less than a packet; are the sizes in kB or packets? They are read as "
                    "bytes.";
            experiment.Warn(note.str());
            experiment.TellWarnings(); // so many small flows take long to draw
        }
        kinds.emplace_back(background);
    }
    if (m_incastLoad > 0)
    {
        experiment.RequireFit(incast.Check(topology), "--incast-load and --incast-senders: ");
        kinds.emplace_back(incast);
    }
    const auto source = std::make_shared<RandomFlowSource>(topology, kinds);
    const FlowTotals& totals = source->GetTotals();
    if (m_load > 0)
    {
        NoteLoad(experiment, "load", background, background.group, totals, topology);
    }
    if (m_incastLoad > 0)
    {
        NoteLoad(experiment, "incast-load", incast, incast.group, totals, topology);
    }
    return source;
}

} // namespace ns3::lossless
