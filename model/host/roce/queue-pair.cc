// SPDX-License-Identifier: GPL-2.0-only
#include "queue-pair.h"

#include "ns3/assert.h"
#include "ns3/go-back-n.h"
#include "ns3/simulator.h"
#include "ns3/unbuilt-packet.h"

#include <algorithm>
#include <utility>

namespace ns3::lossless
{

namespace
{

constexpr uint8_t ECT0 = 2;

/// Returns the type of service that contains the class selector of a class: DSCP = class x 8.
uint8_t
TosOf(Priority priority)
{
    return static_cast<uint8_t>(Index(priority) << 5);
}

/// Returns a - b modulo 2^24, from -2^23 to 2^23 - 1.
int32_t
SignedPsnDifference(uint32_t a, uint32_t b)
{
    return static_cast<int32_t>((a - b) << 8) >> 8;
}

} // namespace

Priority
RocePath::ClassOf(const RoceHeader& data)
{
    return Priority{static_cast<uint8_t>(data.GetTos() >> 5)};
}

RocePath
RocePath::OfAnswer(const RoceHeader& data, Priority priority)
{
    return {data.GetDestinationMac(),
            data.GetSourceMac(),
            data.GetDestination(),
            data.GetSource(),
            data.GetSourcePort(),
            TosOf(priority),
            data.GetDestinationQp()};
}

RocePath
RoceConnection::GetDataPath(bool isEcnCapable) const
{
    const uint8_t tos = TosOf(flow.priority) | (isEcnCapable ? ECT0 : 0);
    return {sourceMac, destinationMac, source, flow.destination, flow.sourcePort, tos, number};
}

RocePath
RoceConnection::GetAnswerPath(Priority priority) const
{
    const uint8_t tos = TosOf(priority);
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
RocePacketMaker::SetSourcePort(uint16_t port)
{
    m_header.SetSourcePort(port);
    m_frame.flow.sourcePort = port;
    m_frame.flowHash = HashOf(m_frame.flow);
}

void
RocePacketMaker::AskForTelemetry()
{
    m_header.SetTelemetry(true);
    GetOptions(); // adds the header that switches fill in
    m_frame.telemetryAt = static_cast<uint8_t>(m_header.GetSerializedSize());
}

void
RocePacketMaker::EchoTelemetry(const TelemetryHeader& telemetry)
{
    if (!m_header.HasTelemetry())
    {
        m_header.SetTelemetry(true);
    }
    GetOptions().telemetry = telemetry;
}

RoceOptions&
RocePacketMaker::GetOptions()
{
    if (!m_options)
    {
        m_options = std::make_unique<RoceOptions>();
    }
    return *m_options;
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
    frame.packet = PacketRef(UnbuiltPacket::Make(m_header, m_options.get()));
    return frame;
}

void
SendQueuePair::SetReliability(std::unique_ptr<SendReliability> reliability)
{
    m_reliability = std::move(reliability);
}

void
SendQueuePair::Open(const FlowRecord& record, const RocePath& path, const SendSettings& settings)
{
    NS_ASSERT(record.flow.bytes > 0 && settings.payloadBytes > 0);
    m_record = record;
    m_settings = settings;
    if (!m_reliability)
    {
        m_reliability = std::make_unique<GoBackNSender>();
    }
    m_reliability->Open((record.flow.bytes - 1) / settings.payloadBytes + 1, settings.isTimed);
    m_maker.SetPath(path);
    m_maker.GetHeader().SetOpcode(OpcodeOf(0));
    if (settings.hasTelemetry)
    {
        m_maker.AskForTelemetry();
    }
    if (settings.isPlacing)
    {
        m_maker.GetHeader().SetOption(RoceOption::PLACE, true);
        m_maker.GetOptions().place.length = static_cast<uint32_t>(record.flow.bytes);
    }
    m_hasAsked = false;
}

uint32_t
SendQueuePair::PayloadOf(uint64_t count) const
{
    return static_cast<uint32_t>(BytesBefore(count + 1) - BytesBefore(count));
}

int64_t
SendQueuePair::CountOf(uint32_t psn) const
{
    const uint64_t oldest = m_reliability->GetOldest();
    const uint32_t oldestPsn = m_settings.initialPsn + static_cast<uint32_t>(oldest);
    return static_cast<int64_t>(oldest) + SignedPsnDifference(psn, oldestPsn);
}

Frame
SendQueuePair::DescribeNext() const
{
    // All data opcodes have headers of the same size.
    return m_maker.Describe(PayloadOf(m_reliability->GetNext()));
}

RoceOpcode
SendQueuePair::OpcodeOf(uint64_t count) const
{
    const uint64_t total = m_reliability->GetTotal();
    if (count == 0)
    {
        return total == 1 ? RoceOpcode::SEND_ONLY : RoceOpcode::SEND_FIRST;
    }
    return count + 1 == total ? RoceOpcode::SEND_LAST : RoceOpcode::SEND_MIDDLE;
}

Frame
SendQueuePair::Send(Time now)
{
    m_record.retransmitted += IsRetransmitting();
    const uint64_t count = m_reliability->GetNext();
    m_reliability->Depart(now);

    const RoceOpcode opcode = OpcodeOf(count);
    RoceHeader& header = m_maker.GetHeader();
    if (count == 0 || opcode != header.GetOpcode())
    {
        header.SetOpcode(opcode);
        header.SetPayloadSize(PayloadOf(count));
    }
    header.SetPsn(m_settings.initialPsn + static_cast<uint32_t>(count));
    // A sender that cannot continue without an answer requests one, regardless of the receiver's
    // interval.
    m_hasAsked = m_reliability->IsExhausted() || !HasRoom();
    header.SetAckRequest(m_hasAsked);
    if (m_settings.isPlacing)
    {
        m_maker.GetOptions().place.address = BytesBefore(count);
    }
    return m_maker.Make();
}

AnswerEffect
SendQueuePair::HandleAnswer(const RoceHeader& answer, const SackHeader* sack, Time now)
{
    // An ACK contains the number of the last packet that has arrived in order; a NAK contains the
    // number of the first packet that has not arrived.
    PacketAnswer packets;
    const AethSyndrome syndrome = answer.GetSyndrome();
    packets.kind = syndrome == AethSyndrome::ACK ? PacketAnswer::Kind::ACK
                   : IsTrimmed(syndrome)         ? PacketAnswer::Kind::TRIMMED
                                                 : PacketAnswer::Kind::NAK;
    const bool isAck = packets.kind == PacketAnswer::Kind::ACK;
    packets.arrived = CountOf(answer.GetPsn() + (isAck ? 1 : 0));
    packets.trigger = packets.arrived - 1;
    if (sack)
    {
        packets.trigger = CountOf(sack->trigger);
        packets.base = std::max<int64_t>(packets.arrived, packets.trigger + 1 - SackHeader::BITS);
        packets.bitmap = sack->bitmap;
    }
    return m_reliability->HandleAnswer(packets, now);
}

void
SendQueuePair::HandleTimeout()
{
    m_reliability->HandleTimeout();
}

void
SendQueuePair::SetWindow(uint64_t window)
{
    m_settings.window = window;
}

void
ReceiveQueuePair::SetReliability(std::unique_ptr<ReceiveReliability> reliability)
{
    m_reliability = std::move(reliability);
}

void
ReceiveQueuePair::Open(const FlowRecord& record,
                       const RocePath& path,
                       uint32_t initialPsn,
                       bool wantsCnps)
{
    if (!m_reliability)
    {
        m_reliability = std::make_unique<GoBackNReceiver>();
    }
    m_reliability->Open();
    m_record = record;
    m_maker.SetPath(path);
    m_expected = initialPsn;
    m_unanswered = 0;
    m_isAsked = false;
    m_complete = false;
    m_hasSack = false;
    m_isMarked = false;
    m_wantsCnps = wantsCnps;
    m_quietUntil = Time(0);
    m_signals = {};
}

void
ReceiveQueuePair::Reopen(const CompletedFlow& flow, const RocePath& path)
{
    m_maker.SetPath(path);
    m_expected = flow.endPsn;
    m_wantsCnps = flow.wantsCnps;
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

ArrivalVerdict
ReceiveQueuePair::Accept(const RoceHeader& data)
{
    TakeMark(data);
    const int32_t ahead = GetAhead(data);
    if (m_complete)
    {
        return {ArrivalVerdict::Arrival::DUPLICATE, ArrivalVerdict::Reply::ACK};
    }
    const RoceOpcode opcode = data.GetOpcode();
    const bool isLast = opcode == RoceOpcode::SEND_LAST || opcode == RoceOpcode::SEND_ONLY;
    const ArrivalVerdict verdict = m_reliability->Accept(ahead, isLast);
    m_expected += verdict.advance;
    m_unanswered += verdict.arrival == ArrivalVerdict::Arrival::IN_ORDER ||
                    verdict.arrival == ArrivalVerdict::Arrival::KEPT;
    m_complete = m_reliability->IsComplete();
    PrepareSack(data, ahead, verdict);
    return verdict;
}

ArrivalVerdict
ReceiveQueuePair::AcceptTrimmed(const RoceHeader& data)
{
    TakeMark(data);
    const int32_t ahead = GetAhead(data);
    if (m_complete)
    {
        return {ArrivalVerdict::Arrival::DUPLICATE, ArrivalVerdict::Reply::ACK};
    }
    const ArrivalVerdict verdict = m_reliability->AcceptTrimmed(ahead);
    PrepareSack(data, ahead, verdict);
    return verdict;
}

bool
ReceiveQueuePair::TakeDue(const RoceHeader& data, uint32_t interval)
{
    // When a packet that requests an answer overtakes others, the sender assumes that the others
    // are still in flight and may wait for them. The request is therefore answered again when the
    // others have arrived (as in uet-htsim).
    const bool isAsked = m_isAsked || data.GetAckRequest();
    const bool hasGap = m_reliability->HasGap();
    m_isAsked = isAsked && interval > 1 && hasGap;
    // If there is a gap, the bitmaps of successive answers must overlap by at least half, so that
    // no harm is done if one answer is lost or acknowledges a late packet.
    const uint32_t most = hasGap ? std::min(interval, SackHeader::BITS / 2) : interval;
    return data.GetAckRequest() || m_unanswered >= most || (isAsked && !m_isAsked);
}

void
ReceiveQueuePair::TakeMark(const RoceHeader& data)
{
    if (data.IsMarked())
    {
        m_isMarked = true;
        ++m_signals.marked;
    }
}

void
ReceiveQueuePair::PrepareSack(const RoceHeader& data, int32_t ahead, const ArrivalVerdict& verdict)
{
    m_hasSack = verdict.hasSack;
    if (!m_hasSack)
    {
        return;
    }
    const int32_t trigger = ahead - static_cast<int32_t>(verdict.advance);
    const int32_t base = std::max(0, trigger + 1 - static_cast<int32_t>(SackHeader::BITS));
    SackHeader& sack = m_maker.GetOptions().sack;
    sack.trigger = data.GetPsn();
    sack.bitmap = m_reliability->GetBitmap(static_cast<uint32_t>(base));
}

int32_t
ReceiveQueuePair::GetAhead(const RoceHeader& data) const
{
    return SignedPsnDifference(data.GetPsn(), m_expected);
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
    return MakeAnswer(AethSyndrome::NAK_SEQUENCE_ERROR, m_expected);
}

Frame
ReceiveQueuePair::MakeTrimNak(TrimmedAt at)
{
    ++m_signals.naks;
    return MakeAnswer(at == TrimmedAt::LAST_HOP ? AethSyndrome::NAK_TRIMMED_LAST_HOP
                                                : AethSyndrome::NAK_TRIMMED,
                      m_expected);
}

Frame
ReceiveQueuePair::MakeAnswer(AethSyndrome syndrome, uint32_t psn)
{
    m_unanswered = 0;
    RoceHeader& header = m_maker.GetHeader();
    header.SetAcknowledge(syndrome, m_complete ? 1 : 0);
    if (header.Has(RoceOption::SACK) != m_hasSack)
    {
        header.SetOption(RoceOption::SACK, m_hasSack);
    }
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
    header.SetOption(RoceOption::SACK, false);
    header.SetPsn(0);
    header.SetBecn(true);
    return m_maker.Make();
}

} // namespace ns3::lossless
