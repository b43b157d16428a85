// SPDX-License-Identifier: GPL-2.0-only
#include "run-notes.h"

#include "measured-network.h"
#include "run-summary.h"

#include "ns3/make-type-id.h"
#include "ns3/recorder-list.h"
#include "ns3/short-text.h"
#include "ns3/simulator.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(RunNotes);

const RegisterRecorder<RunNotes> g_notes("run", 2);

void
JudgeInterruption(const std::string& signal, RunVerdict& verdict)
{
    if (!signal.empty())
    {
        verdict.interruption = signal;
        verdict.AddProblem("Interrupted by " + signal + " at " + DescribeTime(Simulator::Now()) +
                               ": results are up to that time.",
                           RunVerdict::Severity::INTERRUPTION);
    }
}

TypeId
RunNotes::GetTypeId()
{
    static TypeId tid = MakeTypeId<RunNotes, Recorder>("RunNotes");
    return tid;
}

void
RunNotes::SetCommandLine(int argc, const char* const* argv, const std::string& spec)
{
    m_description.commandLine.assign(argv, argv + argc);
    m_description.spec = spec;
}

void
RunNotes::SetScheme(const std::string& label)
{
    m_description.scheme = label;
}

void
RunNotes::AddParameter(const std::string& name, const std::string& value)
{
    m_description.parameters[name] = value;
}

void
RunNotes::AddParameter(const std::string& name, double value)
{
    m_description.parameters[name] = value;
}

void
RunNotes::AddPart(Ptr<Object> part)
{
    m_parts.push_back(part);
}

void
RunNotes::SetInterruption(const std::string& signal)
{
    m_interruption = signal;
}

void
RunNotes::SetFolder(const std::string& name)
{
    m_folder = name;
}

const std::string&
RunNotes::GetFolder() const
{
    return m_folder;
}

void
RunNotes::AddTo(AttributeSurvey& survey) const
{
    GetRun().Get<MeasuredNetwork>()->AddTo(survey);
    for (const Ptr<Object>& part : m_parts)
    {
        survey.AddPart(part);
    }
    for (const RecorderList::Entry& entry : GetRun().GetAll())
    {
        survey.AddObject(entry.recorder);
    }
}

void
RunNotes::WriteJson(std::ostream& os) const
{
    RunReport report{m_description, {}, JudgeRun(GetRun()), GetRun().Collect(&Recorder::GetHints)};
    report.description.scheme =
        GetRun().Get<MeasuredNetwork>()->DescribeSchemes(m_description.scheme);
    if (!m_folder.empty())
    {
        report.files.push_back(RUN_FILE);
        for (const NamedTable& table : GetRun().GetTables())
        {
            report.files.push_back(table.name + TABLE_ENDING);
        }
    }
    for (const RecorderList::Entry& entry : GetRun().GetAll())
    {
        report.facts.emplace_back(entry.name, entry.recorder->GetFacts());
    }
    AttributeSurvey survey;
    survey.AddDefaults();
    AddTo(survey);
    report.attributes = survey.GetDifferences();
    WriteRunJson(os, report);
}

void
RunNotes::Judge(RunVerdict& verdict) const
{
    JudgeInterruption(m_interruption, verdict);
}

} // namespace ns3::lossless
