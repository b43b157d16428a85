// SPDX-License-Identifier: GPL-2.0-only
#include "recorder-list.h"

#include "ns3/object-factory.h"

#include <algorithm>

namespace ns3::lossless
{

RecorderList::RecorderList()
{
    for (const RecorderInfo& kind : GetParts<RecorderInfo>())
    {
        if (!kind.isOnRequest)
        {
            Request(kind.name);
        }
    }
}

void
RecorderList::Request(const std::string& name)
{
    const RecorderInfo kind = FindPart<RecorderInfo>(name).value();
    const auto recorder = ObjectFactory(kind.type).Create<Recorder>();
    RequireOwnClass(*recorder);
    Add(recorder, kind.name, kind.position);
}

void
RecorderList::Add(Ptr<Recorder> recorder, const std::string& name, uint32_t position)
{
    const auto isBefore = [](const Entry& a, const Entry& b) { return a.position < b.position; };
    const Entry entry{name, position, recorder};
    m_entries.insert(std::upper_bound(m_entries.begin(), m_entries.end(), entry, isBefore), entry);
}

void
RecorderList::WatchSwitch(const std::string& name, Ptr<SwitchNode> node) const
{
    for (const Entry& entry : m_entries)
    {
        entry.recorder->WatchSwitch(name, node);
    }
}

void
RecorderList::WatchHost(const std::string& name, Ptr<Node> node) const
{
    for (const Entry& entry : m_entries)
    {
        entry.recorder->WatchHost(name, node);
    }
}

void
RecorderList::WatchNic(const WatchedNic& nic) const
{
    for (const Entry& entry : m_entries)
    {
        entry.recorder->WatchNic(nic);
    }
}

} // namespace ns3::lossless
