// SPDX-License-Identifier: GPL-2.0-only
#include "recorder-list.h"

#include "ns3/object-factory.h"

#include <algorithm>
#include <sstream>

namespace ns3::lossless
{

RecorderList::RecorderList()
{
    for (const RecorderInfo& kind : GetParts<RecorderInfo>())
    {
        const auto recorder = ObjectFactory(kind.type).Create<Recorder>();
        RequireOwnClass(*recorder);
        Add(recorder, kind.name, kind.position);
    }
}

RecorderList::~RecorderList()
{
    for (const Entry& entry : m_entries)
    {
        entry.recorder->m_run = nullptr; // traces can still hold references to the recorder
    }
}

void
RecorderList::Add(Ptr<Recorder> recorder, const std::string& name, uint32_t position)
{
    const auto isBefore = [](const Entry& a, const Entry& b) { return a.position < b.position; };
    const Entry entry{name, position, recorder};
    m_entries.insert(std::upper_bound(m_entries.begin(), m_entries.end(), entry, isBefore), entry);
    recorder->m_run = this;
}

void
RecorderList::WatchNode(const std::string& name, Ptr<Node> node)
{
    NS_ABORT_MSG_IF(!node, "ResultsWriter: the node " << name << " is null.");
    NS_ABORT_MSG_IF(name.empty() || name.find_first_of(",\"\r\n") != std::string::npos,
                    "ResultsWriter: a node is called \""
                        << name << "\"; a name must not be empty and holds no comma, quote or "
                        << "line break.");
    NS_ABORT_MSG_IF(!m_nodes.emplace(name, node).second,
                    "ResultsWriter: two nodes are called \"" << name << "\".");
    m_names.emplace(PeekPointer(node), name);
    const auto switchNode = DynamicCast<SwitchNode>(node);
    for (const Entry& entry : m_entries)
    {
        if (switchNode)
        {
            entry.recorder->WatchSwitch(name, switchNode);
        }
        else
        {
            entry.recorder->WatchHost(name, node);
        }
    }
}

void
RecorderList::WatchNic(Ptr<Object> nic) const
{
    WatchedNic watched{"", nic, DynamicCast<RoceNic>(nic), nic->GetObject<LosslessNetDevice>()};
    if (watched.roce && watched.device)
    {
        std::ostringstream address;
        address << watched.roce->GetAddress();
        const auto known = m_names.find(PeekPointer(watched.device->GetNode()));
        watched.host = known == m_names.end() ? address.str() : known->second;
    }
    else
    {
        watched.roce = nullptr;
        watched.device = nullptr;
    }
    for (const Entry& entry : m_entries)
    {
        entry.recorder->WatchNic(watched);
    }
}

void
RecorderList::Conclude() const
{
    for (const Entry& entry : m_entries)
    {
        entry.recorder->Conclude();
    }
}

std::vector<Recorder::NamedTable>
RecorderList::GetTables() const
{
    std::vector<Recorder::NamedTable> tables;
    for (const Entry& entry : m_entries)
    {
        for (Recorder::NamedTable& table : entry.recorder->GetTables())
        {
            table.position = table.position == 0 ? entry.position : table.position;
            tables.push_back(std::move(table));
        }
    }
    std::stable_sort(tables.begin(), tables.end(), [](const auto& a, const auto& b) {
        return a.position < b.position;
    });
    return tables;
}

std::vector<std::string>
RecorderList::Collect(std::vector<std::string> (Recorder::*get)() const) const
{
    std::vector<std::string> all;
    for (const Entry& entry : m_entries)
    {
        const std::vector<std::string> some = ((*entry.recorder).*get)();
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

} // namespace ns3::lossless
