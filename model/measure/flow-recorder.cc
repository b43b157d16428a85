// SPDX-License-Identifier: GPL-2.0-only
#include "flow-recorder.h"

#include "ns3/abort.h"

#include <numeric>

namespace ns3::lossless
{

FlowRecorder::FlowRecorder()
    : m_log(Create<Log>())
{
}

void
FlowRecorder::Watch(Ptr<Object> nic)
{
    const bool connected =
        nic->TraceConnectWithoutContext("FlowStarted", MakeCallback(&Log::NotifyStarted, m_log)) &&
        nic->TraceConnectWithoutContext("FlowReceived",
                                        MakeCallback(&Log::NotifyReceived, m_log)) &&
        nic->TraceConnectWithoutContext("FlowAcknowledged",
                                        MakeCallback(&Log::NotifyAcknowledged, m_log)) &&
        nic->TraceConnectWithoutContext("FlowRetransmitted",
                                        MakeCallback(&Log::NotifyRetransmitted, m_log));
    NS_ABORT_MSG_IF(!connected,
                    "FlowRecorder: " << nic->GetInstanceTypeId().GetName()
                                     << " is no NIC; it must have the trace sources FlowStarted, "
                                        "FlowReceived, FlowAcknowledged and FlowRetransmitted.");
}

const std::map<uint64_t, FlowRecord>&
FlowRecorder::GetFlows() const
{
    return m_log->m_flows;
}

uint64_t
FlowRecorder::CountFinished() const
{
    return m_log->m_finished;
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

void
FlowRecorder::Log::NotifyStarted(const FlowRecord& record)
{
    const bool isNew = m_flows.emplace(record.flow.id, record).second;
    NS_ABORT_MSG_IF(!isNew,
                    "FlowRecorder: a second flow with id " << record.flow.id
                                                           << " starts; each needs its own id.");
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

FlowRecord&
FlowRecorder::Log::GetJoined(const FlowRecord& record)
{
    const auto [entry, isNew] = m_flows.try_emplace(record.flow.id);
    FlowRecord& joined = entry->second;
    if (isNew)
    {
        joined.flow = record.flow;
        joined.source = record.source;
        joined.start = record.start;
    }
    return joined;
}

} // namespace ns3::lossless
