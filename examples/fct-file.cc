// SPDX-License-Identifier: GPL-2.0-only
#include "fct-file.h"

#include "ns3/output-file.h"
#include "ns3/ranks.h"

#include <algorithm>

namespace ns3::lossless
{

void
FctFile::AddOption(Experiment& experiment)
{
    experiment.AddValue("fct-file",
                        "Where to write flow completion times in the forks' format; -: to "
                        "standard output; empty: nowhere.",
                        m_path);
}

void
FctFile::Check(const Experiment& experiment, const std::vector<std::string>& inputs) const
{
    const bool isRead = std::find(inputs.begin(), inputs.end(), m_path) != inputs.end();
    experiment.Require(!IsWanted() || !isRead,
                       "--fct-file is \"" + m_path + "\", which is read; it must be another file");
    const auto allowed = OutputFile(m_path).Check();
    experiment.Require(!IsWanted() || !allowed,
                       "--fct-file is \"" + m_path + "\"; it must be " + allowed.value_or(""));
}

bool
FctFile::IsWanted() const
{
    return !m_path.empty();
}

Fabric::FlowEnd
FctFile::GetFlowEnd() const
{
    return IsWanted() ? Fabric::FlowEnd::ACKNOWLEDGED : Fabric::FlowEnd::RECEIVED;
}

void
FctFile::Write(Experiment& experiment, const HpccFlows& flows, const Fabric& fabric) const
{
    if (!IsWanted() || !Ranks::IsFirst() || experiment.IsInterrupted()) // nothing in it would tell
    {
        return;
    }
    const auto& records = experiment.GetResults().GetFlows().GetFlows();
    const bool isWritten = OutputFile(m_path).Write(
        [&](std::ostream& os) { WriteHpccFct(os, flows, fabric, records); });
    experiment.Require(isWritten, "--fct-file is \"" + m_path + "\", which cannot be written");
}

} // namespace ns3::lossless
