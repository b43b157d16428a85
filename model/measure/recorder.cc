// SPDX-License-Identifier: GPL-2.0-only
#include "recorder.h"

#include "ns3/abort.h"
#include "ns3/make-type-id.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(Recorder);

TypeId
Recorder::GetTypeId()
{
    static TypeId tid = MakeTypeId<Recorder, Object>("Recorder");
    return tid;
}

void
Recorder::WatchSwitch(const std::string& /* name */, Ptr<SwitchNode> /* node */)
{
}

void
Recorder::WatchHost(const std::string& /* name */, Ptr<Node> /* node */)
{
}

void
Recorder::WatchNic(const WatchedNic& /* nic */)
{
}

void
Recorder::Conclude()
{
}

std::vector<Recorder::NamedTable>
Recorder::GetTables() const
{
    return {};
}

ResultFacts
Recorder::GetFacts() const
{
    return {};
}

void
Recorder::Judge(RunVerdict& /* verdict */) const
{
}

std::vector<std::string>
Recorder::GetHints() const
{
    return {};
}

std::vector<std::string>
Recorder::GetRemarks() const
{
    return {};
}

void
Recorder::Save(std::ostream& /* os */) const
{
}

void
Recorder::Merge(std::istream& /* is */, uint32_t /* rank */)
{
}

const RecorderList&
Recorder::GetRun() const
{
    NS_ABORT_MSG_IF(!m_run,
                    GetInstanceTypeId().GetName()
                        << ": it needs other recorders, and is in no RecorderList.");
    return *m_run;
}

} // namespace ns3::lossless
