// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-experiment.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/deadlock-detector.h"
#include "ns3/flow-plan.h"
#include "ns3/global-value.h"
#include "ns3/huge-pages.h"
#include "ns3/lossless-fabric.h"
#include "ns3/lossless-net-device.h"
#include "ns3/lossless-version.h"
#include "ns3/measured-network.h"
#include "ns3/named-choices.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/pause-recorder.h"
#include "ns3/place-pattern.h"
#include "ns3/quantity-text.h"
#include "ns3/queue-sampler.h"
#include "ns3/quiet-ranks.h"
#include "ns3/rank-plan.h"
#include "ns3/ranked-record.h"
#include "ns3/ranks.h"
#include "ns3/roce-nic.h"
#include "ns3/run-control.h"
#include "ns3/run-forecast.h"
#include "ns3/run-statistics.h"
#include "ns3/series-plan.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/text-lines.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <set>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace ns3::lossless
{

namespace
{

/// @return the names of the sets of constants of each congestion control algorithm that has
/// several, for `--help`
std::string
DescribeConstants()
{
    std::string text;
    for (const CongestionControlInfo& control : GetParts<CongestionControlInfo>())
    {
        if (control.constants.size() > 1)
        {
            text += (text.empty() ? "" : "; ") + control.name + ": " + ListNames(control.constants);
        }
    }
    return text;
}

} // namespace

bool
IsSimulatorChosen(int argc, const char* const* argv)
{
    return std::any_of(argv + 1, argv + argc, [](const std::string& argument) {
        return argument.find("SchedulerType=") != std::string::npos ||
               argument.find("SimulatorImplementationType=") != std::string::npos;
    });
}

void
UseFastSimulator(int argc, const char* const* argv)
{
    if (!IsSimulatorChosen(argc, argv))
    {
        GlobalValue::Bind("SimulatorImplementationType",
                          StringValue("ns3::lossless::WheelSimulatorImpl"));
    }
    UseHugePages();
}

Experiment::Experiment(const std::string& file,
                       const std::string& usage,
                       const std::string& scheme,
                       const std::string& routing)
    : OutputCommandLine(file, usage),
      m_switchOptions(scheme, routing)
{
    BeginGroup("Switches", "--scheme=DSH --routing=Adaptive");
    m_switchOptions.AddTo(*this);
    EndGroup();
    BeginGroup("Results", "--output=my-run --strict");
    AddValue("output",
             "Result folder; empty: no results are written. Recorders: " +
                 ListNames(GetParts<RecorderInfo>()) + ".",
             m_output);
    AddOutput("json", "File for the content of run.json");
    AddValue(
        "strict",
        "Exit with status 1 if there was a deadlock, a frame was lost, a flow is unfinished or "
        "nothing was measured.",
        m_strict);
    EndGroup();
    BeginGroup("The run", "--settings=run.ini --progress=off");
    AddValue("stop-on-deadlock",
             "End the run when a deadlock is found that cannot dissolve.",
             m_stopOnDeadlock);
    AddValue("progress",
             "Show the progress of the run about once a second: on (or nothing), off, or auto, on "
             "if standard error is a terminal.",
             m_progress);
    AddValue("ranks-plan",
             "Show how N processes (mpirun -n N) would share the network, and do not run; 0: run.",
             m_ranksPlan);
    AddValue("dry-run",
             "Check all options and files, set up and initialize the network, and write nothing; "
             "with cost, also run for one second to estimate the cost of the run: cost (or "
             "nothing), options or off.",
             m_dryRun);
    OfferSettings();
    EndGroup();
    AddSeriesOptions();
}

Experiment::~Experiment()
{
    const bool isForResults = m_strict || !m_output.empty();
    Require(!m_results || m_isFinished || !isForResults || std::uncaught_exceptions() > 0,
            "the program ends without Experiment::Finish(), which writes and judges the results");
}

void
Experiment::AddSeriesOptions()
{
    BeginGroup("Series over time", "--sample=10us --sample-queues=*:*:3 --pause-events");
    AddValue("sample",
             "Time between samples of the switches' buffers and of what --sample-queues, "
             "--sample-throughput and --sample-flows name; 0: no samples.",
             m_sample,
             Range{0});
    SetsAttribute("sample", "QueueSampler::Period");
    AddValue("sample-from",
             "Time of the first sample; without this option, 0 or, in programs that know all flows "
             "beforehand, the start of the first flow.",
             m_sampleFrom,
             Range{0});
    SetsAttribute("sample-from", "QueueSampler::StartTime");
    AddValue("sample-queues",
             "Queues to sample, ingress and egress: SWITCH:PORT:CLASS, such as leaf0:3:*; several, "
             "separated by commas (queues.csv).",
             m_sampleQueues);
    AddValue("sample-throughput",
             "Ports of switches and hosts whose throughput is measured: NODE:PORT, such as leaf0:* "
             "or h*:0; several, separated by commas (port-throughput.csv).",
             m_sampleThroughput);
    AddValue("sample-flows",
             "RoCE flows whose acknowledged bytes are recorded over time: ids, separated by "
             "commas, or * (flow-throughput.csv).",
             m_sampleFlows);
    AddValue("pause-events",
             "Record the start, end and cause of each pause (pause-events.csv).",
             m_pauseEvents);
    EndGroup();
    BeginGroup("Statistics", "--measure-from=1ms --measure-until=5ms");
    AddValue("measure-from",
             "Statistics count flows that start, and pauses and buffers, from this time on.",
             m_measureFrom,
             Range{0});
    AddValue("measure-until",
             "Statistics omit everything from this time on; 0: no end.",
             m_measureUntil,
             Range{0});
    EndGroup();
}

void
Experiment::AddOutput(const std::string& name,
                      const std::string& content,
                      const std::vector<std::string>& dependents)
{
    OutputCommandLine::AddOutput(name, content);
    m_dependents[name] = dependents;
}

void
Experiment::OfferCongestionControl(const std::string& name)
{
    m_controlName = name;
    BeginGroup("Congestion control", "--congestion-control=DCQCN");
    AddChoice<CongestionControlInfo>("congestion-control",
                                     "Congestion control of the RoCE flows (" +
                                         DescribeParts<CongestionControlInfo>() + ").",
                                     m_controlName,
                                     "RoceNic::CongestionControl");
    AddValue("congestion-control-constants",
             "Published set of constants of the congestion control and its marker (" +
                 DescribeConstants() + "); attributes on the command line take precedence.",
             m_constantsName);
    SetsAttribute("congestion-control", "SwitchNode::Marker");
    EndGroup();
    BeginGroup("Paths of flows", "--path-selection=Oblivious --entropy-values=128");
    m_pathOptions.AddTo(*this);
    EndGroup();
}

void
Experiment::ReadCongestionControl()
{
    m_control =
        RequireChoice("congestion-control", GetParts<CongestionControlInfo>(), m_controlName);
    const auto constants = FindByName(m_control.constants, m_constantsName);
    Require(constants.has_value(),
            "--congestion-control-constants is \"" + m_constantsName + "\"; with " +
                m_control.name + " it must be one of " + ListNames(m_control.constants));
    ApplyConstants(constants->values);
    if (m_switchOptions.IsTrimming())
    {
        // The constants of all algorithms are set, because a program may use several algorithms.
        for (const CongestionControlInfo& choice : GetParts<CongestionControlInfo>())
        {
            ApplyConstants(choice.whereTrimmed);
        }
    }
    m_pathOptions.Apply(*this, GetScheme());
    if (ObjectFactory(m_control.type).Create<CongestionControl>()->GetFeedback().telemetry)
    {
        WarnOfPaths("take different paths, whose telemetry " + m_control.name +
                    " cannot compare: it hardly ever changes its rate.");
    }
}

void
Experiment::ApplyConstants(const std::vector<CongestionConstants::Value>& values) const
{
    for (const CongestionConstants::Value& value : values)
    {
        if (!IsGiven(value.attribute))
        {
            Config::SetDefault(value.attribute, StringValue(value.value));
        }
    }
}

void
Experiment::OfferReliability()
{
    m_offersReliability = true;
    BeginGroup("Repair of loss", "--reliability=SelectiveRepeat --bdp-cap=auto");
    AddChoice<ReliabilityInfo>("reliability",
                               "How RoCE flows repair loss (" + DescribeParts<ReliabilityInfo>() +
                                   ").",
                               m_reliabilityName,
                               "RoceNic::Reliability");
    AddValue("bdp-cap",
             "Payload that a flow may have unacknowledged, for SelectiveRepeat and Unordered; 0: "
             "no limit; auto: one bandwidth-delay product of the longest path from the first host, "
             "as in IRN: the full packets that a host's link sends in that path's round-trip time "
             "without queues, rounded up.",
             m_bdpCap);
    SetsAttribute("bdp-cap", "SelectiveReliability::BdpCap");
    EndGroup();
}

void
Experiment::ReadReliability()
{
    m_reliability = RequireChoice("reliability", GetParts<ReliabilityInfo>(), m_reliabilityName);
    const bool isGoBackN = m_reliability.type == "ns3::lossless::GoBackN";
    const auto bdpCap = HasAutomaticBdpCap() ? std::nullopt : ParseBytes(m_bdpCap);
    Require(bdpCap || HasAutomaticBdpCap(),
            "--bdp-cap is \"" + m_bdpCap + "\"; it must be auto or a size in bytes, as 128kB");
    Require(!isGoBackN || bdpCap == uint64_t{0},
            "--bdp-cap is for --reliability=SelectiveRepeat and Unordered; with GoBackN, "
            "--ns3::lossless::RoceNic::Window bounds a flow");
    if (bdpCap && *bdpCap > 0)
    {
        Config::SetDefault("ns3::lossless::SelectiveReliability::BdpCap", UintegerValue(*bdpCap));
    }
    if (ObjectFactory(m_reliability.type).Create<Reliability>()->GetTraits().needsOrder)
    {
        WarnOfPaths("overtake each other, which " + m_reliability.name +
                    " takes for loss; --reliability=Unordered with --bdp-cap=auto does not.");
    }
}

bool
Experiment::HasAutomaticBdpCap() const
{
    return m_bdpCap == "auto";
}

void
Experiment::WarnOfPaths(const std::string& consequence)
{
    const std::string bySwitches = m_switchOptions.GetReordering();
    const std::string reordering = bySwitches.empty() ? m_pathOptions.GetReordering() : bySwitches;
    if (!reordering.empty())
    {
        m_pathWarnings.push_back("With " + reordering + " packets of a flow " + consequence);
    }
}

void
Experiment::CheckPaths()
{
    const Fabric* fabric = GetResults().Get<FlowPlan>()->GetFabric();
    if (!fabric || fabric->HasParallelPaths())
    {
        m_warnings.insert(m_warnings.end(), m_pathWarnings.begin(), m_pathWarnings.end());
        return;
    }
    for (const auto& [option, isDefault] :
         {std::pair("routing", m_switchOptions.HasDefaultRouting()),
          std::pair("path-selection", m_pathOptions.IsDefault())})
    {
        if (IsGiven(option) && !isDefault)
        {
            Warn(std::string("--") + option +
                 " changes nothing, since no pair of hosts has several shortest paths.");
        }
    }
}

void
Experiment::Warn(const std::optional<std::string>& sentence)
{
    if (sentence)
    {
        m_warnings.push_back(*sentence);
    }
}

void
Experiment::TellWarnings()
{
    for (const std::string& sentence : std::exchange(m_warnings, {}))
    {
        if (Ranks::IsFirst())
        {
            std::cerr << EscapeControls(sentence) << std::endl;
        }
    }
}

void
Experiment::OfferFlowsCsv()
{
    BeginGroup("Results", "");
    AddValue("flows-csv",
             "What results contain of single flows: all (flows.csv, steps.csv and victims.csv), "
             "groups (sums in flow-groups.csv, whose quantiles are within 0.5 %), stream (sums, "
             "and flows.csv, whose rows are written as flows end and need no memory), none, or "
             "auto (all up to a million flows).",
             m_flowsCsv);
    EndGroup();
}

bool
Experiment::MayGroupFlows() const
{
    return m_flowsCsv != "all" && !Ranks::AreSeveral();
}

FlowDetail
Experiment::ChooseFlowDetail(uint64_t flows, const std::string& reader)
{
    constexpr uint64_t most = 1000000;
    static const std::map<std::string, FlowDetail> details{{"all", FlowDetail::ALL},
                                                           {"groups", FlowDetail::GROUPS},
                                                           {"stream", FlowDetail::STREAM},
                                                           {"none", FlowDetail::NONE},
                                                           {"auto", FlowDetail::ALL}};
    const auto given = details.find(m_flowsCsv);
    Require(given != details.end(),
            "--flows-csv is \"" + m_flowsCsv + "\"; it must be all, groups, stream, none or auto");
    const std::string needy = m_sampleFlows.empty() ? reader : "sample-flows";
    const bool isWanted = given->second != FlowDetail::ALL;
    Require(!isWanted || needy.empty(),
            "--" + needy + " reads each flow, which --flows-csv=" + m_flowsCsv + " leaves out");
    Require(!isWanted || !Ranks::AreSeveral(),
            "--flows-csv=" + m_flowsCsv +
                " is for one rank; several have each flow, as with --flows-csv=all");
    const bool isMany = m_flowsCsv == "auto" && flows > most && needy.empty() && MayGroupFlows();
    if (isMany)
    {
        Warn("There are " + std::to_string(flows) +
             " flows: results have sums of them (flow-groups.csv) instead of rows; "
             "--flows-csv=stream writes each.");
    }
    const FlowDetail detail = isMany ? FlowDetail::GROUPS : given->second;
    m_results->Get<FlowPlan>()->SetDetail(detail);
    return detail;
}

void
Experiment::OfferPayload(uint32_t& payload, uint32_t least)
{
    constexpr uint32_t leastMtu = 68; // minimum MTU of IPv4
    const uint32_t headers = RoceNic::GetFrameBytes(0) - ETHERNET_BYTES;
    m_mtu = CreateObject<LosslessNetDevice>()->GetMtu();
    m_payload = &payload;
    BeginGroup("Packets", "--payload=4096 --mtu=9000");
    AddValue("payload",
             "Payload of a full packet; --mtu must hold it and " + std::to_string(headers) +
                 "B of headers; with telemetry, " +
                 std::to_string(headers + TelemetryHeader::BYTES) + "B.",
             payload,
             ByteRange{least, MAX_MTU - headers});
    AddValue("mtu",
             "Largest payload of an Ethernet frame on all devices; headroom and the refresh of "
             "PAUSEs depend on it.",
             m_mtu,
             ByteRange{leastMtu, MAX_MTU});
    SetsAttribute("payload", "RoceNic::PayloadBytes");
    SetsAttribute("mtu", "LosslessNetDevice::Mtu");
    EndGroup();
}

void
Experiment::ApplyPayload()
{
    if (!m_payload)
    {
        return;
    }
    if (IsGiven("mtu"))
    {
        Config::SetDefault("ns3::lossless::LosslessNetDevice::Mtu", UintegerValue(m_mtu));
    }
    const uint32_t mtu = CreateObject<LosslessNetDevice>()->GetMtu();
    const uint32_t options = MakeNicFactory().Create<RoceNic>()->GetOptionBytes();
    const uint32_t packet = RoceNic::GetFrameBytes(*m_payload, options) - ETHERNET_BYTES;
    const std::string what = options == 0                        ? ""
                             : options == TelemetryHeader::BYTES ? "telemetry and "
                                                                 : "optional and other ";
    Require(packet <= mtu,
            "--payload is " + std::to_string(*m_payload) + " B, which makes packets of " +
                std::to_string(packet) + " B with " + what + "headers, but --mtu is " +
                std::to_string(mtu) + " B; it may be up to " + std::to_string(MAX_MTU) + "B");
    if (IsGiven("mtu") && !IsGiven("payload") && 2 * packet < mtu)
    {
        Warn("--payload is " + std::to_string(*m_payload) +
             " B by default, which fills packets of " + std::to_string(packet) + " B of the " +
             std::to_string(mtu) + " B of --mtu; write --payload=" +
             std::to_string(mtu - (packet - *m_payload)) + " to fill them.");
    }
}

void
Experiment::OfferRanks()
{
    m_offersRanks = true;
}

void
Experiment::WithdrawRunOptions(bool areSeveral)
{
    const std::string reason = areSeveral ? "the results of this program are not of a single run"
                                          : "this program runs no network";
    Withdraw({"ranks-plan", "strict", "stop-on-deadlock"}, reason);
    WithdrawGroup("Series over time", reason);
    WithdrawGroup("Statistics", reason);
    if (!areSeveral)
    {
        Withdraw({"dry-run", "progress"}, reason);
        WithdrawGroup("Switches", reason);
    }
}

void
Experiment::JoinRanks(int argc, char* argv[])
{
    RequireFit(Ranks::Join());
    QuietRanks::Begin();
    if (Ranks::AreSeveral())
    {
        std::string options =
            MODULE_VERSION + (' ' + std::filesystem::path(argv[0]).filename().string());
        std::for_each(argv + 1, argv + argc, [&](const char* argument) {
            options += std::string("\n") + argument;
        });
        const auto other = Ranks::FindOther(options);
        Require(!other,
                "rank " + std::to_string(other.value_or(0)) +
                    " was started with other options than rank 0, or is another version; all need "
                    "the same command");
        Require(m_offersRanks,
                "this program does not run on several ranks, which mpirun has started; start it "
                "alone");
    }
}

void
Experiment::ShowRanksPlan() const
{
    const Fabric* fabric = m_results->Get<FlowPlan>()->GetFabric();
    Require(fabric, "--ranks-plan: the program's network is not made of a topology");
    std::cout << PlanRanks(fabric->GetTopology(), m_ranksPlan).Describe();
    std::exit(0);
}

void
Experiment::Parse(int argc, char* argv[])
{
    JoinRanks(argc, argv);
    StrictCommandLine::Parse(argc, argv);
    const std::vector<const char*> arguments = GetArguments();
    const auto count = static_cast<int>(arguments.size());
    Require(!Ranks::AreSeveral() || !IsSimulatorChosen(count, arguments.data()),
            "several ranks use a simulator of their own; --SimulatorImplementationType and "
            "--SchedulerType can be set for one rank only");
    UseFastSimulator(count, arguments.data());
    m_switchOptions.Check(*this);
    OpenOutputs(m_output);
    RequireUnread(GetSettingsFiles());
    CheckDependents();
    ReadCongestionControl();
    if (m_offersReliability)
    {
        ReadReliability();
    }
    ApplyPayload();
    m_dryRun = m_dryRun.empty() || m_dryRun == "true" ? "cost" : m_dryRun;
    m_dryRun = m_dryRun == "false" ? "off" : m_dryRun;
    Require(m_dryRun == "cost" || m_dryRun == "options" || m_dryRun == "off",
            "--dry-run is \"" + m_dryRun + "\"; it must be cost, options or off");
    Require(m_progress == "auto" || m_progress == "on" || m_progress == "off" || m_progress.empty(),
            "--progress is \"" + m_progress + "\"; it must be auto, on or off");
    PrepareResults();
    RequestSeries();
    Require(m_measureUntil.IsZero() || m_measureFrom < m_measureUntil,
            "--measure-from is " + FormatTime(m_measureFrom) +
                "; it must be before --measure-until, which is " + FormatTime(m_measureUntil));
    m_results->Get<WindowStatistics>()->SetWindow(GetWindow());
    if (m_progress != "off")
    {
        RunControl::WatchSetup();
    }
}

void
Experiment::CheckDependents() const
{
    for (const auto& [output, dependents] : m_dependents)
    {
        const bool isGiven = output == "output" || !GetOutput(output).empty();
        RequireUse(dependents, isGiven, "--" + output);
    }
}

void
Experiment::PrepareResults()
{
    m_results = std::make_unique<ResultsWriter>(m_output, [this](const std::string& sentence) {
        Require(false, "--output: " + sentence);
    });
    std::set<std::string> ofThisRun{"progress"};
    for (const auto& [output, dependents] : m_dependents)
    {
        ofThisRun.insert(output);
        if (output != "output") // a run that is repeated writes a folder, too
        {
            ofThisRun.insert(dependents.begin(), dependents.end());
        }
    }
    const std::vector<const char*> arguments = GetArguments();
    const auto notes = m_results->Get<RunNotes>();
    notes->SetCommandLine(static_cast<int>(arguments.size()),
                          arguments.data(),
                          MakeSpec(ofThisRun));
    notes->SetScheme(GetScheme().name);
    if (m_stopOnDeadlock)
    {
        m_results->Get<DeadlockDetector>()->SetAttribute("StopOnDeadlock", BooleanValue(true));
    }
}

MeasureWindow
Experiment::GetWindow() const
{
    return {m_measureFrom, m_measureUntil.IsZero() ? std::nullopt : std::optional(m_measureUntil)};
}

bool
Experiment::NeedsOneRun() const
{
    return m_strict || m_stopOnDeadlock || m_measureFrom.IsStrictlyPositive() ||
           m_measureUntil.IsStrictlyPositive() || m_sample.IsStrictlyPositive() || m_pauseEvents;
}

void
Experiment::CheckRun(Time end)
{
    const ResultsWriter& results = GetResults();
    RequireFit(results.Get<SeriesPlan>()->Check());
    Require(!NeedsOneRun() || !results.Get<MeasuredNetwork>()->IsEmpty(),
            "--strict, --stop-on-deadlock, --measure-from, --measure-until, --sample and "
            "--pause-events are for programs whose results are of one run");
    RequireUse(m_dependents.at("output"),
               !m_output.empty() || HasSpec(), // a run can be repeated without files
               "files of results; write --output=FOLDER");
    const auto requireInRun = [&](bool isWithin, const std::string& what, Time time) {
        Require(end.IsZero() || isWithin,
                what + FormatTime(time) + ", but the run ends at " + FormatTime(end));
    };
    const Time first = results.Get<WindowStatistics>()->GetFirstFlow();
    requireInRun(m_measureFrom < end, "--measure-from is ", m_measureFrom);
    requireInRun(m_measureUntil <= end, "--measure-until is ", m_measureUntil);
    requireInRun(m_sampleFrom < end, "--sample-from is ", m_sampleFrom);
    requireInRun(first < end, "the first flow starts at ", first);
    CheckPaths();
    RequireEffect([&results](AttributeSurvey& survey) { results.Get<RunNotes>()->AddTo(survey); });
}

void
Experiment::RequestSeries()
{
    for (const auto& [name, text, example] :
         {std::tuple("sample-queues", &m_sampleQueues, "SWITCH:PORT:CLASS, as *:*:*"),
          std::tuple("sample-throughput", &m_sampleThroughput, "NODE:PORT, as *:*"),
          std::tuple("sample-flows", &m_sampleFlows, "ids of flows, or *")})
    {
        Require(!IsGiven(name) || !text->empty(),
                std::string("--") + name + " is empty; it must be " + example);
    }
    const bool isSampled = m_sample.IsStrictlyPositive();
    Require(isSampled ||
                (m_sampleQueues.empty() && m_sampleThroughput.empty() && m_sampleFlows.empty()),
            "--sample-queues, --sample-throughput and --sample-flows need a time between samples, "
            "as --sample=10us");
    Require(isSampled || !IsGiven("sample-from"),
            "--sample-from needs a time between samples, as --sample=10us");
    if (isSampled)
    {
        m_results->Get<QueueSampler>()->SetAttribute("Period", TimeValue(m_sample));
    }
    const auto series = m_results->Get<SeriesPlan>();
    if (!m_sampleQueues.empty())
    {
        series->AddQueues(PlacePattern::ReadList(m_sampleQueues));
    }
    if (!m_sampleThroughput.empty())
    {
        series->AddPorts(PlacePattern::ReadList(m_sampleThroughput), m_sample);
    }
    if (!m_sampleFlows.empty())
    {
        series->AddFlows(PlacePattern::ReadList(m_sampleFlows), m_sample);
    }
    if (m_pauseEvents)
    {
        m_results->Get<PauseRecorder>()->KeepEvents();
    }
    series->SetStart(m_sampleFrom);
}

void
Experiment::NoteFlows(const FlowList& flows)
{
    if (!flows.empty())
    {
        const auto isInWindow = [window = GetWindow()](const FlowSpec& flow) {
            return window.Has(flow.start);
        };
        NoteStarts(flows.front().start,
                   flows.back().start,
                   std::any_of(flows.begin(), flows.end(), isInWindow));
    }
}

void
Experiment::NoteFlows(const FlowSource& source)
{
    const FlowTotals& totals = source.GetTotals();
    if (totals.flows > 0)
    {
        const auto reader = source.Open();
        auto flow = reader->Next();
        while (flow && !GetWindow().Has(flow->start))
        {
            flow = reader->Next();
        }
        NoteStarts(totals.first, totals.last, flow.has_value());
    }
}

void
Experiment::NoteStarts(Time first, Time last, bool isAny)
{
    m_results->Get<WindowStatistics>()->SetFirstFlow(first);
    if (!IsGiven("sample-from"))
    {
        m_results->Get<SeriesPlan>()->SetStart(first);
    }
    Require(isAny,
            "no flow starts in the time of --measure-from and --measure-until; the first does at " +
                FormatTime(first) + ", the last at " + FormatTime(last));
}

SwitchHelper
Experiment::MakeSwitchHelper() const
{
    return MakeSwitchHelper(m_control);
}

SwitchHelper
Experiment::MakeSwitchHelper(const CongestionControlInfo& control) const
{
    NS_ABORT_MSG_IF(!m_results, "Experiment: Parse() must come before MakeSwitchHelper().");
    SwitchHelper switches = m_switchOptions.MakeSwitchHelper();
    if (!control.marker.empty())
    {
        switches.SetMarker(control.marker);
    }
    return switches;
}

bool
Experiment::NeedsMarker() const
{
    return !m_control.marker.empty();
}

ObjectFactory
Experiment::MakeNicFactory() const
{
    ObjectFactory nics = MakeNicFactory(m_control);
    if (m_offersReliability && m_reliability.type != GetParts<ReliabilityInfo>().front().type)
    {
        nics.Set("Reliability", ObjectFactoryValue(ObjectFactory(m_reliability.type)));
    }
    if (m_payload)
    {
        nics.Set("PayloadBytes", UintegerValue(*m_payload));
    }
    return nics;
}

ObjectFactory
Experiment::MakeNicFactory(const CongestionControlInfo& control)
{
    ObjectFactory nics("ns3::lossless::RoceNic");
    if (control.type != "ns3::lossless::NoCongestionControl")
    {
        nics.Set("CongestionControl", ObjectFactoryValue(ObjectFactory(control.type)));
    }
    return nics;
}

ResultsWriter&
Experiment::GetResults()
{
    NS_ABORT_MSG_IF(!m_results, "Experiment: Parse() must come before GetResults() and Finish().");
    return *m_results;
}

void
Experiment::Run(Time end, const std::function<void()>& whenAccepted)
{
    if (IsInterrupted())
    {
        return; // after a signal, further runs do nothing
    }
    RunControl::EndSetup();
    if (m_ranksPlan > 0)
    {
        ShowRanksPlan();
    }
    CheckRun(end);
    const bool isShown = m_progress == "auto" ? isatty(STDERR_FILENO) == 1 : m_progress != "off";
    const auto countFlows = [plan = GetResults().Get<FlowPlan>()](RunProgress& progress) {
        plan->CountProgress(progress);
    };
    m_hasRun = true;
    // This function must be called after the initialization of the nodes, which may reject the run.
    const auto accept = [this, whenAccepted] {
        TellWarnings();
        if (whenAccepted)
        {
            whenAccepted();
        }
    };
    if (IsDryRun())
    {
        EndDryRun(accept, end);
    }
    if (whenAccepted || !m_warnings.empty())
    {
        Simulator::ScheduleNow(accept);
    }
    QuietRanks::End();
    m_endedBy = RunControl::Run(end, isShown ? countFlows : RunControl::CountFlows());
    QuietRanks::Begin();
    RankedRecord::GatherAll();
    if (IsInterrupted())
    {
        m_results->Get<RunNotes>()->SetInterruption(RunControl::GetName(m_endedBy));
    }
}

void
Experiment::EndDryRun(const std::function<void()>& accept, Time end) const
{
    for (auto node = NodeList::Begin(); node != NodeList::End(); ++node)
    {
        if (Ranks::IsOwn(**node))
        {
            (*node)->Initialize();
        }
    }
    m_results->Get<QueueSampler>()->Initialize();
    accept();
    std::cout << "All options are valid; no results were written." << std::endl;
    if (m_dryRun != "options" && !Ranks::AreSeveral())
    {
        RunForecast forecast(*m_results, end);
        forecast.Try();
        std::cout << forecast.Describe() << std::endl;
    }
    std::exit(0);
}

bool
Experiment::IsDryRun() const
{
    return m_dryRun != "off";
}

void
Experiment::WriteJson() const
{
    WriteOutput("json", [this](std::ostream& os) { m_results->Get<RunNotes>()->WriteJson(os); });
}

void
Experiment::RequireRun() const
{
    Require(m_hasRun || !(IsDryRun() || m_ranksPlan > 0 || NeedsOneRun()),
            "--dry-run, --ranks-plan, --strict, --stop-on-deadlock, --sample, --pause-events and "
            "--measure-from are for programs that run a network, which this one does not");
}

bool
Experiment::IsInterrupted() const
{
    return m_endedBy != 0;
}

int
Experiment::GetStatus(bool hasFailed) const
{
    constexpr int endedBySignal = 128; // shell convention
    Ranks::SetDone();
    if (!Ranks::IsFirst())
    {
        return 0; // mpirun returns the status of the first rank
    }
    return IsInterrupted() ? endedBySignal + m_endedBy : (hasFailed ? 1 : 0);
}

int
Experiment::Finish()
{
    m_isFinished = true;
    RequireRun();
    const RunVerdict verdict = GetResults().Finish();
    WriteJson();
    Simulator::Destroy();
    return GetStatus(m_strict && !verdict.problems.empty());
}

int
Experiment::FinishUnjudged()
{
    m_isFinished = true;
    RequireRun();
    const auto error = GetResults().Write();
    WriteJson();
    RequireFit(error, "--output: ");
    if (IsInterrupted() && Ranks::IsFirst())
    {
        std::cerr << "interrupted; results are up to that time" << std::endl;
    }
    return GetStatus(false);
}

} // namespace ns3::lossless
