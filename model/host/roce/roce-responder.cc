// SPDX-License-Identifier: GPL-2.0-only
#include "roce-responder.h"

#include "roce-nic.h"

#include "ns3/log.h"
#include "ns3/lossless-net-device.h"
#include "ns3/simulator.h"
#include "ns3/trimming.h"

#include <algorithm>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessRoceResponder");

namespace
{

/// Returns the key of the receiving end.
/// @param source the address of the sending NIC
/// @param number the number of the queue pair
uint64_t
ReceiverKey(uint32_t source, uint32_t number)
{
    return static_cast<uint64_t>(source) << 24 | number;
}

} // namespace

RoceResponder::RoceResponder(RoceNic& nic)
    : m_nic(nic)
{
}

void
RoceResponder::Clear()
{
    m_receivers.Clear();
    m_completed.Clear();
    m_answers.Clear();
}

bool
RoceResponder::TryOpen(const RoceConnection& connection)
{
    Receiver* receiver = m_receivers.Open(ReceiverKey(connection.source.Get(), connection.number));
    if (!receiver)
    {
        return false;
    }
    receiver->queuePair.SetReliability(m_nic.m_reliability->MakeReceiver());
    receiver->queuePair.Open(
        connection.MakeRecord(),
        connection.GetAnswerPath(m_nic.GetAnswerClass(connection.flow.priority)),
        connection.initialPsn,
        connection.wantsCnps);
    const Time longest = // longer times could overflow when they are added to the current time
        Time::Max() / 2 / RoceNic::KEPT_TIMEOUTS;
    receiver->keptFor = std::min(connection.retransmitTimeout, longest) * RoceNic::KEPT_TIMEOUTS;
    return true;
}

void
RoceResponder::Forget(const FlowRecord& record)
{
    m_completed.Forget(ReceiverKey(record.source.Get(), RoceConnection::NumberOf(record.flow.id)));
}

void
RoceResponder::Prefetch(uint32_t source, uint32_t number, std::size_t step) const
{
    m_receivers.Prefetch(ReceiverKey(source, number), step);
}

void
RoceResponder::ReceiveData(const RoceHeader& data, const TelemetryHeader* telemetry)
{
    const uint64_t key = ReceiverKey(data.GetSource().Get(), data.GetDestinationQp());
    Receiver* receiver = m_receivers.Find(key);
    if (!receiver)
    {
        ReceiveLateData(key, data, telemetry);
        return;
    }
    TakeData(receiver->queuePair, data, telemetry);
    if (receiver->queuePair.IsComplete())
    {
        Complete(key, *receiver);
    }
}

void
RoceResponder::ReceiveLateData(uint64_t key,
                               const RoceHeader& data,
                               const TelemetryHeader* telemetry)
{
    CompletedFlow* flow = m_completed.Find(key);
    ReceiveQueuePair queuePair;
    if (flow)
    {
        const Priority priority = m_nic.GetAnswerClass(RocePath::ClassOf(data));
        queuePair.Reopen(*flow, RocePath::OfAnswer(data, priority));
    }
    if (!flow || queuePair.GetAhead(data) >= 0)
    {
        ++m_nic.m_counts.stale;
        return;
    }
    TakeData(queuePair, data, telemetry);
    flow->quietUntil = queuePair.GetCompleted().quietUntil;
}

void
RoceResponder::TakeData(ReceiveQueuePair& queuePair,
                        const RoceHeader& data,
                        const TelemetryHeader* telemetry)
{
    queuePair.TakeSourcePort(data.GetSourcePort());
    if (GetTrimmedAt(data.GetTos()) != TrimmedAt::NOWHERE)
    {
        ++m_nic.m_counts.trimmed;
        Reply(queuePair, data, queuePair.AcceptTrimmed(data).reply);
        return;
    }
    ++m_nic.m_counts.dataReceived;
    if (queuePair.WantsCnp(data))
    {
        SendCnp(queuePair);
    }
    if (telemetry)
    {
        queuePair.TakeTelemetry(*telemetry);
    }
    const ArrivalVerdict verdict = queuePair.Accept(data);
    switch (verdict.arrival)
    {
    case ArrivalVerdict::Arrival::IN_ORDER:
        m_nic.m_counts.bytesReceived += data.GetPayloadSize();
        break;
    case ArrivalVerdict::Arrival::KEPT:
        m_nic.m_counts.bytesReceived += data.GetPayloadSize();
        ++m_nic.m_counts.placed;
        NoteAhead(queuePair, data);
        break;
    case ArrivalVerdict::Arrival::DUPLICATE:
        ++m_nic.m_counts.duplicates;
        break;
    default:
        ++m_nic.m_counts.outOfOrder;
        NoteAhead(queuePair, data);
        break;
    }
    Reply(queuePair, data, verdict.reply);
}

void
RoceResponder::NoteAhead(const ReceiveQueuePair& queuePair, const RoceHeader& data)
{
    const auto ahead = static_cast<uint64_t>(queuePair.GetAhead(data));
    m_nic.m_counts.reorderExtent = std::max(m_nic.m_counts.reorderExtent, ahead);
}

void
RoceResponder::Reply(ReceiveQueuePair& queuePair,
                     const RoceHeader& data,
                     ArrivalVerdict::Reply reply)
{
    switch (reply)
    {
    case ArrivalVerdict::Reply::WHEN_DUE:
        // If flows use several paths, a mark is answered immediately, because the answer identifies
        // the path of the marked packet (as in uet-htsim).
        if (queuePair.TakeDue(data, m_nic.m_ackInterval) ||
            (m_nic.m_traits.isPlacing && data.IsMarked()))
        {
            SendAck(queuePair);
        }
        break;
    case ArrivalVerdict::Reply::ACK:
        SendAck(queuePair);
        break;
    case ArrivalVerdict::Reply::NAK:
        NS_LOG_DEBUG("flow " << queuePair.GetRecord().flow.id
                             << " lacks a packet: its receiver sends a NAK");
        ++m_nic.m_counts.naksSent;
        Push(queuePair.MakeNak());
        break;
    case ArrivalVerdict::Reply::TRIMMED:
        ++m_nic.m_counts.naksSent;
        Push(queuePair.MakeTrimNak(GetTrimmedAt(data.GetTos())));
        break;
    case ArrivalVerdict::Reply::NONE:
        break;
    }
}

void
RoceResponder::Complete(uint64_t key, Receiver& receiver)
{
    const Time now = Simulator::Now();
    FlowRecord record = receiver.queuePair.GetRecord();
    record.received = now;
    record.isReceived = true;
    const FlowSignals signals = receiver.queuePair.GetSignals();
    CompletedFlow flow = receiver.queuePair.GetCompleted();
    flow.keptUntil = now + receiver.keptFor;
    m_completed.Add(key, flow, now);
    m_receivers.Close(key);
    m_nic.m_flowReceived(record);
    m_nic.m_flowSignals(record.flow.id, signals);
}

void
RoceResponder::SendAck(ReceiveQueuePair& queuePair)
{
    ++m_nic.m_counts.acksSent;
    Push(queuePair.MakeAck());
}

void
RoceResponder::SendCnp(ReceiveQueuePair& queuePair)
{
    if (queuePair.TakeCnp(Simulator::Now(), m_nic.m_cnpInterval))
    {
        ++m_nic.m_counts.cnpsSent;
        Push(queuePair.MakeCnp());
    }
}

void
RoceResponder::Push(Frame answer)
{
    m_answers.Push(std::move(answer));
    m_nic.m_device->Kick();
}

} // namespace ns3::lossless
