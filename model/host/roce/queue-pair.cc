// SPDX-License-Identifier: GPL-2.0-only
#include "queue-pair.h"

#include "ns3/assert.h"
#include "ns3/simulator.h"
#include "ns3/unbuilt-packet.h"

#include <algorithm>

namespace ns3::lossless
{

namespace
{

/// @param a a PSN @param b a PSN @return a - b modulo 2^24
uint32_t
PsnDifference(uint32_t a, uint32_t b)
{
    return (a - b) & RoceHeader::MASK_24_BIT;
}

} // namespace

RocePath
RocePath::OfAnswer(const RoceHeader& data, uint8_t tos)
{
    return {data.GetDestinationMac(),
            data.GetSourceMac(),
            data.GetDestination(),
            data.GetSource(),
            data.GetSourcePort(),
            tos,
            data.GetDestinationQp()};
}

RocePath
RoceConnection::GetDataPath(uint8_t tos) const
{
    return {sourceMac, destinationMac, source, flow.destination, flow.sourcePort, tos, number};
}

RocePath
RoceConnection::GetAnswerPath(uint8_t tos) const
{
    return {destinationMac, sourceMac, flow.destination, source, flow.sourcePort, tos, number};
}

FlowRecord
RoceConnection::MakeRecord() const
{
    FlowRecord record;
    record.flow = flow;
    record.source = source;
    record.start = start.value_or(Simulator::Now());
    return record;
}

void
RocePacketMaker::SetPath(const RocePath& path)
{
    m_header = RoceHeader();
    m_header.SetMacs(path.sourceMac, path.destinationMac);
    m_header.SetAddresses(path.source, path.destination);
    m_header.SetSourcePort(path.sourcePort);
    m_header.SetTos(path.tos);
    m_header.SetDestinationQp(path.queuePair);

    m_frame = Frame();
    m_frame.flow.source = path.source.Get();
    m_frame.flow.destination = path.destination.Get();
    m_frame.flow.sourcePort = path.sourcePort;
    m_frame.flow.destinationPort = RoceHeader::UDP_PORT;
    m_frame.flow.protocol = PROTOCOL_UDP;
    m_frame.flowHash = HashOf(m_frame.flow);
    m_frame.tos = path.tos;
    m_frame.kind = FrameKind::IPV4;
    m_frame.priority = Priority{static_cast<uint8_t>(path.tos >> 5)};
}

void
RocePacketMaker::AskForTelemetry()
{
    m_header.SetTelemetry(true);
    m_telemetry = TelemetryHeader();
    m_frame.telemetryAt = static_cast<uint8_t>(m_header.GetSerializedSize());
}

void
RocePacketMaker::EchoTelemetry(const TelemetryHeader& telemetry)
{
    if (!m_header.HasTelemetry())
    {
        m_header.SetTelemetry(true);
    }
    m_telemetry = telemetry;
}

Frame
RocePacketMaker::Describe(uint32_t payload) const
{
    Frame frame = m_frame;
    frame.size = m_header.GetFrameSizeWith(payload);
    return frame;
}

Frame
RocePacketMaker::Make() const
{
    Frame frame = m_frame;
    frame.size = m_header.GetFrameSize();
    frame.packet = PacketRef(UnbuiltPacket::Make(m_header, m_telemetry));
    return frame;
}

void
SendQueuePair::Open(const FlowRecord& record, const RocePath& path, const SendSettings& settings)
{
    NS_ASSERT(record.flow.bytes > 0 && settings.payloadBytes > 0);
    m_record = record;
    m_settings = settings;
    m_maker.SetPath(path);
    m_maker.GetHeader().SetOpcode(OpcodeOf(0));
    if (settings.hasTelemetry)
    {
        m_maker.AskForTelemetry();
    }
    m_total = (record.flow.bytes - 1) / settings.payloadBytes + 1;
    m_oldest = 0;
    m_next = 0;
    m_highest = 0;
    m_doubtful = 0;
    m_hasAsked = false;
    m_departures.Clear();
}

uint64_t
SendQueuePair::BytesBefore(uint64_t count) const
{
    return count == m_total ? m_record.flow.bytes : count * m_settings.payloadBytes;
}

uint32_t
SendQueuePair::PayloadOf(uint64_t count) const
{
    return static_cast<uint32_t>(BytesBefore(count + 1) - BytesBefore(count));
}

Frame
SendQueuePair::DescribeNext() const
{
    return m_maker.Describe(PayloadOf(m_next)); // the opcodes of data have headers of one size
}

RoceOpcode
SendQueuePair::OpcodeOf(uint64_t count) const
{
    if (count == 0)
    {
        return m_total == 1 ? RoceOpcode::SEND_ONLY : RoceOpcode::SEND_FIRST;
    }
    return count + 1 == m_total ? RoceOpcode::SEND_LAST : RoceOpcode::SEND_MIDDLE;
}

bool
SendQueuePair::MaySend() const
{
    // When a window has shrunk, nobody may have asked for the answer that would open it.
    return !IsExhausted() && (HasRoom() || (m_settings.isCoalesced && !m_hasAsked));
}

bool
SendQueuePair::IsExhausted() const
{
    return m_next == m_total || m_next - m_oldest == MAX_OUTSTANDING;
}

bool
SendQueuePair::HasRoom() const
{
    // A window smaller than one packet lets one packet at a time through.
    return m_settings.window == 0 || m_next == m_oldest ||
           BytesBefore(m_next + 1) - BytesBefore(m_oldest) <= m_settings.window;
}

Frame
SendQueuePair::Send(Time now)
{
    if (!HasOutstanding())
    {
        m_waitingSince = now;
    }
    if (m_settings.isTimed)
    {
        m_departures.Push(m_next < m_doubtful ? DOUBTFUL : now.GetTimeStep());
    }
    m_record.retransmitted += IsRetransmitting();
    const uint64_t count = m_next++;
    m_highest = std::max(m_highest, m_next);

    const RoceOpcode opcode = OpcodeOf(count);
    RoceHeader& header = m_maker.GetHeader();
    if (count == 0 || opcode != header.GetOpcode())
    {
        header.SetOpcode(opcode);
        header.SetPayloadSize(PayloadOf(count));
    }
    header.SetPsn(m_settings.initialPsn + static_cast<uint32_t>(count));
    // Whoever cannot go on without an answer asks for one, whatever the receiver's interval is.
    m_hasAsked = IsExhausted() || !HasRoom();
    header.SetAckRequest(m_hasAsked);
    return m_maker.Make();
}

bool
SendQueuePair::HandleAnswer(const RoceHeader& answer, Time now)
{
    // An ACK names the last packet that has arrived, a NAK the first that has not.
    const bool isNak = answer.GetSyndrome() == AethSyndrome::NAK_SEQUENCE_ERROR;
    m_roundTrip.reset();
    const uint32_t expected = answer.GetPsn() + (isNak ? 0 : 1);
    const uint32_t oldestPsn = m_settings.initialPsn + static_cast<uint32_t>(m_oldest);
    const uint64_t advance = PsnDifference(expected, oldestPsn);
    if (advance > m_highest - m_oldest)
    {
        return false; // overtaken by a later answer
    }
    if (advance > 0)
    {
        if (m_settings.isTimed)
        {
            TakeRoundTrip(advance, now);
        }
        m_oldest += advance;
        m_next = std::max(m_next, m_oldest);
        m_waitingSince = now;
    }
    if (isNak)
    {
        Rewind();
    }
    return isNak;
}

void
SendQueuePair::TakeRoundTrip(uint64_t advance, Time now)
{
    Ticks departure = DOUBTFUL;
    for (uint64_t left = std::min<uint64_t>(advance, m_departures.GetSize()); left > 0; --left)
    {
        departure = m_departures.Pop();
    }
    if (departure != DOUBTFUL)
    {
        m_roundTrip = now - TimeStep(departure);
    }
}

void
SendQueuePair::HandleTimeout()
{
    m_doubtful = m_highest;
    Rewind();
}

void
SendQueuePair::Rewind()
{
    m_next = m_oldest;
    m_departures.Clear();
}

void
SendQueuePair::SetWindow(uint64_t window)
{
    m_settings.window = window;
}

void
ReceiveQueuePair::Open(const FlowRecord& record,
                       const RocePath& path,
                       uint32_t initialPsn,
                       bool wantsCnps)
{
    m_record = record;
    m_maker.SetPath(path);
    m_expected = initialPsn;
    m_unanswered = 0;
    m_nakSent = false;
    m_complete = false;
    m_isMarked = false;
    m_wantsCnps = wantsCnps;
    m_quietUntil = Time(0);
    m_signals = {};
}

void
ReceiveQueuePair::Reopen(const CompletedFlow& flow, const RocePath& path)
{
    Open(FlowRecord(), path, flow.endPsn, flow.wantsCnps);
    m_complete = true;
    m_quietUntil = flow.quietUntil;
}

CompletedFlow
ReceiveQueuePair::GetCompleted() const
{
    CompletedFlow flow;
    flow.endPsn = m_expected;
    flow.wantsCnps = m_wantsCnps;
    flow.quietUntil = m_quietUntil;
    return flow;
}

ReceiveQueuePair::Arrival
ReceiveQueuePair::Accept(const RoceHeader& data)
{
    if (data.IsMarked())
    {
        m_isMarked = true;
        ++m_signals.marked;
    }
    if (PsnDifference(data.GetPsn(), m_expected) != 0)
    {
        return HasHad(data) ? Arrival::DUPLICATE : Arrival::AHEAD;
    }
    ++m_expected;
    ++m_unanswered;
    m_nakSent = false;
    const RoceOpcode opcode = data.GetOpcode();
    m_complete = opcode == RoceOpcode::SEND_LAST || opcode == RoceOpcode::SEND_ONLY;
    return Arrival::IN_ORDER;
}

bool
ReceiveQueuePair::HasHad(const RoceHeader& data) const
{
    return PsnDifference(data.GetPsn(), m_expected) > SendQueuePair::MAX_OUTSTANDING;
}

void
ReceiveQueuePair::TakeTelemetry(const TelemetryHeader& telemetry)
{
    m_maker.EchoTelemetry(telemetry);
}

Frame
ReceiveQueuePair::MakeAck()
{
    return MakeAnswer(AethSyndrome::ACK, m_expected - 1);
}

Frame
ReceiveQueuePair::MakeNak()
{
    ++m_signals.naks;
    m_nakSent = true;
    return MakeAnswer(AethSyndrome::NAK_SEQUENCE_ERROR, m_expected);
}

Frame
ReceiveQueuePair::MakeAnswer(AethSyndrome syndrome, uint32_t psn)
{
    m_unanswered = 0;
    RoceHeader& header = m_maker.GetHeader();
    header.SetAcknowledge(syndrome, m_complete ? 1 : 0);
    header.SetPsn(psn);
    header.SetBecn(m_isMarked);
    m_isMarked = false;
    return m_maker.Make();
}

bool
ReceiveQueuePair::TakeCnp(Time now, Time interval)
{
    if (now < m_quietUntil)
    {
        return false;
    }
    m_quietUntil = now + interval;
    return true;
}

Frame
ReceiveQueuePair::MakeCnp()
{
    ++m_signals.cnps;
    RoceHeader& header = m_maker.GetHeader();
    header.SetOpcode(RoceOpcode::CNP);
    header.SetTelemetry(false);
    header.SetPsn(0);
    header.SetBecn(true);
    return m_maker.Make();
}

} // namespace ns3::lossless
