// SPDX-License-Identifier: GPL-2.0-only
#include "drop-recorder.h"

#include "ns3/listen-to.h"
#include "ns3/make-type-id.h"
#include "ns3/ordered-set.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/record-archive.h"
#include "ns3/short-text.h"
#include "ns3/simulator.h"

#include <sstream>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(DropRecorder, Recorder);

const RegisterRecorder<DropRecorder> g_drops("drops", 70);

namespace
{

/// The losses of one kind.
struct Losses
{
    uint64_t frames{0};
    uint64_t bytes{0};
    DropRecord worst; ///< the record with the most lost bytes

    void Add(const DropRecord& drop)
    {
        frames += drop.frames;
        bytes += drop.bytes;
        worst = drop.bytes > worst.bytes ? drop : worst;
    }
};

/// @return a sentence about losses. There must be at least one loss.
std::string
Describe(const std::string& what, const Losses& losses)
{
    const DropRecord& worst = losses.worst;
    std::ostringstream text;
    text << what << ": " << FormatCount(losses.frames) << " (" << FormatCount(losses.bytes)
         << " B); most at " << worst.node << ", port " << Index(worst.port);
    if (worst.priority)
    {
        text << ", class " << Index(*worst.priority);
    }
    text << " (" << ToString(worst.reason) << "): " << FormatCount(worst.frames) << " ("
         << FormatCount(worst.bytes) << " B).";
    return text.str();
}

} // namespace

void
JudgeDrops(const std::vector<DropRecord>& drops, RunVerdict& verdict)
{
    Losses violations;
    Losses control;
    Losses watchdog;
    Losses others;
    for (const DropRecord& drop : drops)
    {
        const bool isWatchdog = IsWatchdogLoss(drop.reason);
        Losses& rest = drop.isControl ? control : isWatchdog ? watchdog : others;
        (drop.IsViolation() ? violations : rest).Add(drop);
    }
    verdict.lostFrames = violations.frames + watchdog.frames + others.frames;
    verdict.lostBytes = violations.bytes + watchdog.bytes + others.bytes;
    verdict.watchdogFrames = watchdog.frames;
    verdict.losslessClassFrames = violations.frames;
    verdict.losslessClassBytes = violations.bytes;
    verdict.lostControlFrames = control.frames;
    const auto add = [&verdict](const std::string& what,
                                const Losses& losses,
                                const std::string& consequence = "") {
        if (losses.frames > 0)
        {
            verdict.AddProblem(Describe(what, losses) + consequence, RunVerdict::Severity::LOSS);
        }
    };
    add("Frames lost for lack of buffer in lossless classes", violations);
    add("Frames dropped by PFC watchdogs, in storms of PAUSEs (watchdog.csv)", watchdog);
    add(violations.frames + watchdog.frames > 0 ? "Other frames lost" : "Frames lost", others);
    add("MAC control frames lost",
        control,
        violations.frames > 0 ? " Where a neighbour missed a PAUSE and kept sending, that may be "
                                "the cause (drops.csv)."
                              : "");
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
    auto table = ResultTable::WithHeader("node,port,priority,reason,frames,bytes,first_ns,last_ns");
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

ResultFacts
DropRecorder::GetFacts() const
{
    auto drops =
        ResultTable::WithHeader("node,port,priority,lossless_class,violation,kind,reason,frames,"
                                "bytes");
    for (const DropRecord& drop : GetDrops())
    {
        drops.rows.push_back({drop.node,
                              drop.port,
                              drop.priority,
                              drop.lossless,
                              drop.IsViolation(),
                              drop.isControl ? "control" : "data",
                              ToString(drop.reason),
                              drop.frames,
                              drop.bytes});
    }
    return {{"/verdict/drops", drops}};
}

void
DropRecorder::Judge(RunVerdict& verdict) const
{
    JudgeDrops(GetDrops(), verdict);
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
    // A host that stores frames for a lossless scheme must have room for them.
    record.lossless = !isControl && IsCongestionLoss(reason);
}

} // namespace ns3::lossless
