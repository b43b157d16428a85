// SPDX-License-Identifier: GPL-2.0-only
#include "recorder.h"

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

std::vector<Recorder::NamedTable>
Recorder::GetTables() const
{
    return {};
}

std::map<std::string, ResultCell>
Recorder::GetFacts() const
{
    return {};
}

std::vector<std::string>
Recorder::FindProblems() const
{
    return {};
}

std::vector<std::string>
Recorder::GetHints() const
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

} // namespace ns3::lossless
