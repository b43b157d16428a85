// SPDX-License-Identifier: GPL-2.0-only
#include "run-summary.h"

#include "ns3/deadlock-detector.h"
#include "ns3/drop-recorder.h"
#include "ns3/flow-recorder.h"
#include "ns3/pause-recorder.h"
#include "ns3/quantity-text.h"
#include "ns3/queue-sampler.h"
#include "ns3/signal-recorder.h"
#include "ns3/simulator.h"

#include <set>

namespace ns3::lossless
{

double
MeasuredRun::GetWallSeconds() const
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - created).count();
}

void
MeasuredRun::AddTo(AttributeSurvey& survey) const
{
    network.AddTo(survey);
    for (const Ptr<Object>& part : parts)
    {
        survey.AddPart(part);
    }
    for (const RecorderList::Entry& entry : recorders.GetAll())
    {
        survey.AddObject(entry.recorder);
    }
}

RunSummary::RunSummary(const MeasuredRun& run)
    : m_run(run)
{
    run.network.RequireSimulation();
    m_rows = run.plan.Join(run.recorders.Get<FlowRecorder>()->GetFlows(),
                           run.recorders.Get<SignalRecorder>()->GetFlows());
}

const std::vector<VictimRecord>&
RunSummary::GetVictims() const
{
    if (!m_victims)
    {
        const auto& flows = m_run.recorders.Get<FlowRecorder>()->GetFlows();
        m_victims = m_run.recorders.Get<PausePropagation>()->GetVictims(flows);
    }
    return *m_victims;
}

RunVerdict
RunSummary::Judge() const
{
    const auto detector = m_run.recorders.Get<DeadlockDetector>();
    detector->Update();
    RunVerdict verdict = JudgeRun({detector->GetDeadlocks(),
                                   m_run.recorders.Get<DropRecorder>()->GetDrops(),
                                   m_run.recorders.Get<SignalRecorder>()->CountTrims(),
                                   m_rows,
                                   !m_run.network.IsEmpty(),
                                   m_run.network.CountPacketHops(),
                                   m_run.interruption,
                                   m_run.graph ? m_run.graph->DescribeProblem() : std::nullopt});
    for (const RecorderList::Entry& entry : m_run.recorders.GetAll())
    {
        const std::vector<std::string> found = entry.recorder->FindProblems();
        verdict.problems.insert(verdict.problems.end(), found.begin(), found.end());
    }
    return verdict;
}

std::vector<std::string>
RunSummary::GetHints() const
{
    std::vector<std::string> hints = ExplainSlowness(GetSymptoms());
    for (const RecorderList::Entry& entry : m_run.recorders.GetAll())
    {
        const std::vector<std::string> found = entry.recorder->GetHints();
        hints.insert(hints.end(), found.begin(), found.end());
    }
    return hints;
}

RunSymptoms
RunSummary::GetSymptoms() const
{
    const auto signals = m_run.recorders.Get<SignalRecorder>();
    const MeasuredNetwork& network = m_run.network;
    RunSymptoms symptoms;
    symptoms.signals = signals->GetTotal();
    symptoms.markedFrames = signals->CountMarks();
    symptoms.trimmedFrames = signals->CountTrims();
    symptoms.isAdaptive = network.IsAdaptive();
    symptoms.livesOnMarks = network.FindControlByMarks();
    symptoms.hasMarker = network.HasMarker();
    symptoms.isEcnCapable = network.IsEcnCapable();
    symptoms.livesOnTelemetry = network.FindControlByTelemetry();
    symptoms.hasTelemetry = network.HasTelemetry();
    symptoms.ackInterval = network.FindAckInterval();
    symptoms.reliability = network.FindReliability();
    std::set<Priority> classes; // of RoCE flows, of which the signals are, and of their answers
    PrioritySet used = 0;
    for (const FlowRow& row : m_rows)
    {
        used |= SetOf(Priority{static_cast<uint8_t>(row.priority)});
        if (row.signals)
        {
            classes.insert({Priority{static_cast<uint8_t>(row.priority)}, CONTROL_PRIORITY});
        }
    }
    symptoms.idle = used == 0 ? IdleHeadroom() : network.FindIdleHeadroom(used);
    for (const DropRecord& drop : m_run.recorders.Get<DropRecorder>()->GetDrops())
    {
        const bool isOfThem = !drop.priority || classes.count(*drop.priority) > 0;
        symptoms.lostFrames += drop.isControl || !isOfThem ? 0 : drop.frames;
    }
    for (const PauseDepthRecord& record : m_run.recorders.Get<PausePropagation>()->GetDepths())
    {
        symptoms.pauses += record.pauses;
    }
    return symptoms;
}

std::optional<std::string>
RunSummary::DescribeEmptyWindow() const
{
    if (m_run.window.from.IsZero() || m_run.window.from < Simulator::Now())
    {
        return std::nullopt;
    }
    return "Nothing was measured from " + FormatTime(m_run.window.from) + " on: the run ended at " +
           FormatTime(Simulator::Now()) + ".";
}

RunFacts
RunSummary::GetFacts(const std::vector<std::string>& files) const
{
    const auto signals = m_run.recorders.Get<SignalRecorder>();
    const auto propagation = m_run.recorders.Get<PausePropagation>();
    const auto pauses = m_run.recorders.Get<PauseRecorder>();
    RunFacts facts;
    facts.description = m_run.description;
    facts.description.scheme = m_run.network.DescribeSchemes(m_run.description.scheme);
    facts.congestionControl = m_run.network.DescribeCongestionControl();
    facts.files = files;
    facts.wallSeconds = m_run.GetWallSeconds();
    facts.cpuSeconds = m_run.cost.GetCpuSeconds();
    facts.events = m_run.cost.GetEvents();
    facts.packetHops = m_run.network.CountPacketHops();
    facts.retransmitted = m_run.recorders.Get<FlowRecorder>()->CountRetransmissions();
    facts.signals = signals->GetTotal();
    facts.markedFrames = signals->CountMarks();
    facts.trimmedFrames = signals->CountTrims();
    facts.hints = GetHints();
    facts.graph = m_run.graph ? std::optional(m_run.graph->GetFacts()) : std::nullopt;
    for (const RecorderList::Entry& entry : m_run.recorders.GetAll())
    {
        if (const auto measures = entry.recorder->GetFacts(); !measures.empty())
        {
            facts.measures[entry.name] = measures;
        }
    }
    facts.verdict = Judge();
    facts.window = m_run.window;
    facts.statistics = GetStatistics(m_run.window,
                                     Simulator::Now(),
                                     m_rows,
                                     pauses->GetPauses(),
                                     m_run.recorders.Get<QueueSampler>()->GetSamples());
    facts.drops = m_run.recorders.Get<DropRecorder>()->GetDrops();
    facts.depths = propagation->GetDepths();
    facts.pausedHosts = propagation->CountStoppedHosts();
    facts.victimFlows = GetVictims().size();
    facts.pfcFrames = pauses->GetFrames();
    AttributeSurvey survey;
    survey.AddDefaults();
    m_run.AddTo(survey);
    facts.attributes = survey.GetDifferences();
    return facts;
}

} // namespace ns3::lossless
