// SPDX-License-Identifier: GPL-2.0-only
#include "drop-recorder.h"

#include "ns3/listen-to.h"
#include "ns3/make-type-id.h"
#include "ns3/ordered-set.h"
#include "ns3/record-archive.h"
#include "ns3/simulator.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(DropRecorder);

const RegisterRecorder<DropRecorder> g_drops("drops", 70);

TypeId
DropRecorder::GetTypeId()
{
    static TypeId tid = MakeTypeId<DropRecorder, Recorder>("DropRecorder");
    return tid;
}

void
DropRecorder::Watch(const std::string& name, Ptr<Node> node)
{
    auto log = Create<NodeLog>();
    log->m_name = name;
    log->m_rank = Ranks::GetRankOf(*node);
    m_logs.push_back(log);
    if (!Ranks::IsOwn(*node))
    {
        return;
    }
    if (auto switchNode = DynamicCast<SwitchNode>(node))
    {
        const auto count = [log, at = PeekPointer(switchNode)](const SwitchItem& item,
                                                               DropReason reason) {
            log->CountAtSwitch(*at, item, reason);
        };
        ListenTo(*node, "Drop", count);
    }
    for (uint16_t i = 0; i < node->GetNDevices(); ++i)
    {
        if (auto device = DynamicCast<LosslessNetDevice>(node->GetDevice(i)))
        {
            const auto count = [log, port = PortId{i}](Ptr<const Packet> packet,
                                                       DropReason reason) {
                log->CountAtDevice(port, *packet, reason);
            };
            ListenTo(*device, "Drop", count);
        }
    }
}

std::vector<DropRecord>
DropRecorder::GetDrops() const
{
    std::vector<DropRecord> records;
    for (const auto& log : m_logs)
    {
        for (const auto& entry : log->m_drops)
        {
            records.push_back(entry.second);
        }
    }
    return records;
}

ResultTable
DropRecorder::GetTable() const
{
    ResultTable table{
        {"node", "port", "priority", "reason", "frames", "bytes", "first_ns", "last_ns"},
        {}};
    for (const DropRecord& drop : GetDrops())
    {
        table.rows.push_back({drop.node,
                              drop.port,
                              drop.isControl ? ResultCell("control") : ResultCell(drop.priority),
                              ToString(drop.reason),
                              drop.frames,
                              drop.bytes,
                              drop.first,
                              drop.last});
    }
    return table;
}

void
DropRecorder::WatchSwitch(const std::string& name, Ptr<SwitchNode> node)
{
    Watch(name, node);
}

void
DropRecorder::WatchHost(const std::string& name, Ptr<Node> node)
{
    Watch(name, node);
}

std::vector<Recorder::NamedTable>
DropRecorder::GetTables() const
{
    return {{"drops", [this] { return GetTable(); }}};
}

void
DropRecorder::Save(std::ostream& os) const
{
    SaveOwn(os, m_logs);
}

void
DropRecorder::Merge(std::istream& is, uint32_t rank)
{
    LoadForeign(is, m_logs, rank);
}

void
DropRecorder::NodeLog::CountAtSwitch(const SwitchNode& node,
                                     const SwitchItem& item,
                                     DropReason reason)
{
    const QueueId queue = IsEgressLoss(reason) ? item.GetEgressQueue() : item.GetIngressQueue();
    DropRecord& record = Count({queue.port, Index(queue.priority), reason, false}, item.frame.size);
    record.priority = queue.priority;
    record.lossless = Contains(node.GetShape().lossless, queue.priority);
}

DropRecord&
DropRecorder::NodeLog::Count(const Place& place, uint32_t bytes)
{
    const Time now = Simulator::Now();
    DropRecord& record = m_drops[place];
    if (record.frames == 0)
    {
        record.node = m_name;
        record.port = std::get<PortId>(place);
        record.reason = std::get<DropReason>(place);
        record.isControl = std::get<bool>(place);
        record.first = now;
    }
    ++record.frames;
    record.bytes += bytes;
    record.last = now;
    return record;
}

void
DropRecorder::NodeLog::CountAtDevice(PortId port, const Packet& packet, DropReason reason)
{
    const bool isControl = IsLinkControl(packet);
    DropRecord& record = Count({port, NUM_PRIORITIES, reason, isControl}, packet.GetSize());
    // Who keeps frames at a host for a lossless scheme has to have room for them.
    record.lossless = !isControl && IsCongestionLoss(reason);
}

} // namespace ns3::lossless
