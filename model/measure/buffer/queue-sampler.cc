// SPDX-License-Identifier: GPL-2.0-only
#include "queue-sampler.h"

#include "ns3/abort.h"
#include "ns3/attribute-condition.h"
#include "ns3/count-attribute.h"
#include "ns3/make-type-id.h"
#include "ns3/record-archive.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <array>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(QueueSampler);

const RegisterRecorder<QueueSampler> g_queueSampler("queues", 60);

namespace
{

const RegisterCondition<QueueSampler> g_period({"MaxSamples", "StartTime", "StopTime"},
                                               "Period",
                                               Where::IS_NOT,
                                               "+0ns");

} // namespace

const char*
ToString(QueueSide side)
{
    constexpr std::array<const char*, 3> names = {"ingress", "egress", "buffer"};
    return names[static_cast<std::size_t>(side)];
}

TypeId
QueueSampler::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<QueueSampler, Recorder>("QueueSampler")
            .AddAttribute("Period",
                          "Initial time between samples, doubled whenever MaxSamples is reached; "
                          "0: no samples.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&QueueSampler::SetPeriod, &QueueSampler::GetPeriod),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "MaxSamples",
                "Maximum number of stored rows, one per instant and watched queue or buffer.",
                UintegerValue(10000),
                MakeUintegerAccessor(&QueueSampler::m_maxSamples),
                MakeCountChecker(2))
            .AddAttribute("StartTime",
                          "No sample is taken before this time.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&QueueSampler::m_startTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("StopTime",
                          "No sample is taken after this time; 0: sampling ends when there is "
                          "nothing else to simulate.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&QueueSampler::m_stopTime),
                          MakeTimeChecker(Time(0)));
    return tid;
}

QueueSampler::~QueueSampler()
{
    m_next.Cancel();
}

void
QueueSampler::DoInitialize()
{
    NS_ABORT_MSG_IF(m_period.IsStrictlyPositive() && m_maxSamples < 2 * m_targets.size(),
                    "QueueSampler: MaxSamples is " << m_maxSamples << "; for " << m_targets.size()
                                                   << " queues and buffers it must be at least "
                                                   << 2 * m_targets.size() << ".");
    Object::DoInitialize();
}

void
QueueSampler::DoDispose()
{
    m_next.Cancel();
    m_targets.clear();
    m_times.clear();
    m_bytes.clear();
    Object::DoDispose();
}

void
QueueSampler::WatchIngress(const std::string& name, Ptr<SwitchNode> node, QueueId queue)
{
    Watch({name, node, QueueSide::INGRESS, queue});
}

void
QueueSampler::WatchEgress(const std::string& name, Ptr<SwitchNode> node, QueueId queue)
{
    Watch({name, node, QueueSide::EGRESS, queue});
}

void
QueueSampler::WatchBuffer(const std::string& name, Ptr<SwitchNode> node)
{
    Watch({name, node, QueueSide::BUFFER, QueueId{}});
}

void
QueueSampler::Watch(const Target& target)
{
    NS_ABORT_MSG_IF(!m_times.empty(),
                    "QueueSampler: " << target.name << " is to be watched from "
                                     << Simulator::Now().As(Time::NS)
                                     << " on; all must be named before the first sample.");
    NS_ABORT_MSG_IF(target.side != QueueSide::BUFFER &&
                        (Index(target.queue.port) >= target.node->GetNDevices() ||
                         Index(target.queue.priority) >= NUM_PRIORITIES),
                    "QueueSampler: " << target.name << " has no queue of port "
                                     << Index(target.queue.port) << " and class "
                                     << Index(target.queue.priority) << "; it has "
                                     << target.node->GetNDevices() << " ports and "
                                     << NUM_PRIORITIES << " classes.");
    m_targets.push_back(target);
    Arm();
}

void
QueueSampler::SetPeriod(Time period)
{
    m_period = period;
    m_spacing = period;
    Arm();
}

void
QueueSampler::Arm()
{
    if (m_period.IsStrictlyPositive() && !m_targets.empty() && m_next.IsExpired())
    {
        m_next = Simulator::ScheduleNow(&QueueSampler::Sample, this);
    }
}

void
QueueSampler::Sample()
{
    const Time now = Simulator::Now();
    if (m_period.IsZero() || (!m_stopTime.IsZero() && now > m_stopTime))
    {
        return;
    }
    Initialize(); // checks MaxSamples now, even if the first sample is taken later
    if (now < m_startTime)
    {
        m_next = Simulator::Schedule(m_startTime - now, &QueueSampler::Sample, this);
        return;
    }
    m_times.push_back(now);
    for (const Target& target : m_targets)
    {
        m_bytes.push_back(Read(target));
    }
    if (m_bytes.size() + m_targets.size() > m_maxSamples)
    {
        Thin();
    }
    if (m_listener)
    {
        m_listener(m_spacing);
    }
    if (!Simulator::IsFinished())
    {
        const Time wait = m_times.back() + m_spacing - now; // negative after a change of "Period"
        m_next = Simulator::Schedule(Max(wait, Time(0)), &QueueSampler::Sample, this);
    }
}

QueueSampler::Bytes
QueueSampler::Read(const Target& target)
{
    if (!Ranks::IsOwn(*target.node))
    {
        return {};
    }
    // Initialization sets the number of ports in the buffer accounting. It has no effect after time
    // zero.
    target.node->Initialize();
    Ptr<SharedBuffer> buffer = target.node->GetSharedBuffer();
    if (target.side == QueueSide::BUFFER)
    {
        return {buffer->GetUsed(), buffer->GetSharedUsed(), buffer->GetHeadroomUsed()};
    }
    if (target.side == QueueSide::EGRESS)
    {
        return {buffer->GetEgress(target.queue).bytes, 0, 0};
    }
    const SharedBuffer::IngressQueue& queue = buffer->GetIngress(target.queue);
    return {queue.GetTotal(), queue.shared, queue.headroom};
}

void
QueueSampler::Thin()
{
    const std::size_t rows = m_targets.size();
    const std::size_t kept = (m_times.size() + 1) / 2;
    for (std::size_t i = 1; i < kept; ++i)
    {
        m_times[i] = m_times[2 * i];
        for (std::size_t row = 0; row < rows; ++row)
        {
            m_bytes[i * rows + row] = m_bytes[2 * i * rows + row];
        }
    }
    m_times.resize(kept);
    m_bytes.resize(kept * rows);
    m_spacing = m_spacing + m_spacing;
}

void
QueueSampler::WatchSwitch(const std::string& name, Ptr<SwitchNode> node)
{
    WatchBuffer(name, node);
}

std::vector<Recorder::NamedTable>
QueueSampler::GetTables() const
{
    return {{"queues", [this] { return GetTable(); }}};
}

void
QueueSampler::Save(std::ostream& os) const
{
    SaveParts(os, m_bytes);
}

void
QueueSampler::Merge(std::istream& is, uint32_t rank)
{
    std::vector<Bytes> bytes;
    LoadParts(is, bytes);
    NS_ABORT_MSG_IF(bytes.size() != m_bytes.size(),
                    "QueueSampler: rank " << rank << " has sampled at other times.");
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
        const Target& target = m_targets[i % m_targets.size()];
        m_bytes[i] = Ranks::GetRankOf(*target.node) == rank ? bytes[i] : m_bytes[i];
    }
}

std::vector<QueueSample>
QueueSampler::GetSamples() const
{
    std::vector<QueueSample> samples;
    samples.reserve(m_bytes.size());
    for (std::size_t i = 0; i < m_bytes.size(); ++i)
    {
        const Target& target = m_targets[i % m_targets.size()];
        const Bytes& bytes = m_bytes[i];
        samples.push_back({m_times[i / m_targets.size()],
                           target.name,
                           target.side,
                           target.queue,
                           bytes.total,
                           bytes.shared,
                           bytes.headroom});
    }
    return samples;
}

ResultTable
QueueSampler::GetTable() const
{
    auto table = ResultTable::WithHeader(
        "time_ns,node,port,side,priority,bytes,shared_bytes,headroom_bytes");
    const auto unless = [](bool isVoid, ResultCell cell) { return isVoid ? ResultCell() : cell; };
    for (const QueueSample& sample : GetSamples())
    {
        const bool isBuffer = sample.side == QueueSide::BUFFER;
        const bool isEgress = sample.side == QueueSide::EGRESS;
        table.rows.push_back({sample.time,
                              sample.node,
                              unless(isBuffer, sample.queue.port),
                              ToString(sample.side),
                              unless(isBuffer, sample.queue.priority),
                              sample.bytes,
                              unless(isEgress, sample.shared),
                              unless(isEgress, sample.headroom)});
    }
    return table;
}

} // namespace ns3::lossless
