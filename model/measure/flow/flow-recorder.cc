// SPDX-License-Identifier: GPL-2.0-only
#include "flow-recorder.h"

#include "ns3/abort.h"
#include "ns3/lossless-net-device.h"
#include "ns3/make-type-id.h"
#include "ns3/node.h"
#include "ns3/record-archive.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(FlowRecorder, Recorder);

const RegisterRecorder<FlowRecorder> g_flows("flows", 10);

bool
IsOfOtherRank(const Object& nic)
{
    const auto device = nic.GetObject<LosslessNetDevice>(); // a TcpFlows object has no device
    return device && device->GetNode() && !Ranks::IsOwn(*device->GetNode());
}

FlowRecorder::FlowRecorder()
    : m_log(Create<Log>())
{
}

void
FlowRecorder::Watch(Ptr<Object> nic)
{
    if (m_keepsNone || IsOfOtherRank(*nic))
    {
        return;
    }
    const bool connected =
        nic->TraceConnectWithoutContext("FlowStarted", MakeCallback(&Log::NotifyStarted, m_log)) &&
        nic->TraceConnectWithoutContext("FlowReceived",
                                        MakeCallback(&Log::NotifyReceived, m_log)) &&
        nic->TraceConnectWithoutContext("FlowAcknowledged",
                                        MakeCallback(&Log::NotifyAcknowledged, m_log)) &&
        nic->TraceConnectWithoutContext("FlowRetransmitted",
                                        MakeCallback(&Log::NotifyRetransmitted, m_log));
    NS_ABORT_MSG_IF(!connected,
                    "FlowRecorder: "
                        << nic->GetInstanceTypeId().GetName()
                        << " is not a NIC; it must have the trace sources FlowStarted, "
                           "FlowReceived, FlowAcknowledged and FlowRetransmitted.");
}

void
FlowRecorder::WatchNic(const WatchedNic& nic)
{
    Watch(nic.nic);
}

uint64_t
FlowRecorder::CountRetransmissions() const
{
    return std::accumulate(
        m_log->m_flows.begin(),
        m_log->m_flows.end(),
        uint64_t{0},
        [](uint64_t sum, const auto& flow) { return sum + flow.second.retransmitted; });
}

ResultFacts
FlowRecorder::GetFacts() const
{
    if (m_keepsNone)
    {
        return {};
    }
    return {{"/retransmitted_packets", CountRetransmissions()}};
}

void
FlowRecorder::Save(std::ostream& os) const
{
    std::vector<FlowRecord> records;
    for (const auto& [id, record] : m_log->m_flows)
    {
        records.push_back(record);
    }
    SaveParts(os, records);
}

void
FlowRecorder::Merge(std::istream& is, uint32_t /* rank */)
{
    std::vector<FlowRecord> records;
    LoadParts(is, records);
    for (const FlowRecord& record : records)
    {
        m_log->Add(record);
    }
}

void
FlowRecorder::Log::NotifyStarted(const FlowRecord& record)
{
    const std::size_t before = m_flows.size();
    FlowRecord& joined = GetJoined(record);
    NS_ABORT_MSG_IF(m_flows.size() == before,
                    "FlowRecorder: a second flow with id " << record.flow.id
                                                           << " starts; each needs its own id.");
    joined = record;
}

void
FlowRecorder::Log::NotifyReceived(const FlowRecord& record)
{
    FlowRecord& joined = GetJoined(record);
    m_finished += joined.isReceived ? 0 : 1;
    joined.received = record.received;
    joined.isReceived = true;
}

void
FlowRecorder::Log::NotifyAcknowledged(const FlowRecord& record)
{
    GetJoined(record).acknowledged = record.acknowledged;
}

void
FlowRecorder::Log::NotifyRetransmitted(const FlowRecord& record)
{
    GetJoined(record).retransmitted = record.retransmitted;
}

void
FlowRecorder::Log::Add(const FlowRecord& record)
{
    FlowRecord& joined = GetJoined(record);
    joined.acknowledged = std::max(joined.acknowledged, record.acknowledged);
    joined.retransmitted = std::max(joined.retransmitted, record.retransmitted);
    if (record.isReceived)
    {
        NotifyReceived(record);
    }
}

FlowRecord&
FlowRecorder::Log::GetJoined(const FlowRecord& record)
{
    FlowRecord*& joined = m_places[record.flow.id];
    if (!joined)
    {
        joined = &m_flows[record.flow.id];
        joined->flow = record.flow;
        joined->source = record.source;
        joined->start = record.start;
    }
    return *joined;
}

} // namespace ns3::lossless
