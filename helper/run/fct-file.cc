// SPDX-License-Identifier: GPL-2.0-only
#include "fct-file.h"

#include "ns3/flow-recorder.h"

#include <string>

namespace ns3::lossless
{

namespace
{

const std::string FCT_OPTION = "fct-file";

} // namespace

void
FctFile::AddOption(Experiment& experiment)
{
    m_experiment = &experiment;
    experiment.AddOutput(FCT_OPTION, "File for flow completion times in the forks' format");
}

bool
FctFile::IsWanted() const
{
    return !m_experiment->GetOutput(FCT_OPTION).empty();
}

Fabric::FlowEnd
FctFile::GetFlowEnd() const
{
    return IsWanted() ? Fabric::FlowEnd::ACKNOWLEDGED : Fabric::FlowEnd::RECEIVED;
}

void
FctFile::Write(Experiment& experiment, const HpccFlows& flows, const Fabric& fabric) const
{
    if (!experiment.IsInterrupted()) // the file of an interrupted run would not show that it is
                                     // incomplete
    {
        const auto& records = experiment.GetResults().Get<FlowRecorder>()->GetFlows();
        experiment.WriteOutput(FCT_OPTION,
                               [&](std::ostream& os) { WriteHpccFct(os, flows, fabric, records); });
    }
}

} // namespace ns3::lossless
