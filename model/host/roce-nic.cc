// SPDX-License-Identifier: GPL-2.0-only
#include "roce-nic.h"

#include "port-of-host.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/lossless-net-device.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(RoceNic);

namespace
{

constexpr uint8_t ECT0 = 2;
constexpr uint16_t FIRST_DYNAMIC_PORT = 49152;
constexpr uint16_t DYNAMIC_PORTS = 16384;

/// @param priority a class @return type of service with its class selector: DSCP = class x 8
uint8_t
TosOf(Priority priority)
{
    return static_cast<uint8_t>(Index(priority) << 5);
}

} // namespace

TypeId
RoceNic::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lossless::RoceNic")
            .SetParent<Object>()
            .SetGroupName("Lossless")
            .AddConstructor<RoceNic>()
            .AddAttribute("PayloadBytes",
                          "Payload of each data packet but the last, in bytes. The device's Mtu "
                          "must hold it, filled up to whole words, and 44 bytes of headers.",
                          UintegerValue(1000),
                          MakeUintegerAccessor(&RoceNic::m_payloadBytes),
                          MakeUintegerChecker<uint32_t>(1, 65000))
            .AddAttribute("Window",
                          "Payload that a queue pair may have unacknowledged, in bytes; 0: any. "
                          "One packet may always be.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RoceNic::m_window),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("AckInterval",
                          "Data packets that the receiver answers by one ACK. A packet that asks "
                          "for an answer (the last one, or one that fills the window), that is "
                          "missing or that has come before is answered at once.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RoceNic::m_ackInterval),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("RetransmitTimeout",
                          "Time without progress after which a queue pair goes back to its oldest "
                          "unacknowledged packet; fixed once packets flow. The default is "
                          "InfiniBand's local ACK timeout 14: 4.096 us x 2^14.",
                          TimeValue(NanoSeconds(4096LL << 14)),
                          MakeTimeAccessor(&RoceNic::m_retransmitTimeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("EcnCapable",
                          "Whether data packets tell switches, by ECT(0), that they may be marked.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RoceNic::m_ecnCapable),
                          MakeBooleanChecker())
            .AddAttribute("InitialPsn",
                          "Packet sequence number of the first packet of each flow sent from here; "
                          "it has 24 bits and wraps around.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RoceNic::m_initialPsn),
                          MakeUintegerChecker<uint32_t>(0, RoceHeader::MASK_24_BIT))
            .AddTraceSource("FlowStarted",
                            "A flow starts at this NIC.",
                            MakeTraceSourceAccessor(&RoceNic::m_flowStarted),
                            "ns3::lossless::RoceNic::FlowTracedCallback")
            .AddTraceSource("FlowReceived",
                            "The last payload byte of a flow to this NIC has arrived in order.",
                            MakeTraceSourceAccessor(&RoceNic::m_flowReceived),
                            "ns3::lossless::RoceNic::FlowTracedCallback")
            .AddTraceSource("FlowAcknowledged",
                            "Every packet of a flow from this NIC is acknowledged.",
                            MakeTraceSourceAccessor(&RoceNic::m_flowAcknowledged),
                            "ns3::lossless::RoceNic::FlowTracedCallback");
    return tid;
}

RoceNic::RoceNic()
    : m_timeoutCheck(Create<TimeoutEvent>(this))
{
}

RoceNic::~RoceNic()
{
    m_timeoutCheck->Detach();
}

void
RoceNic::DoInitialize()
{
    NS_ABORT_MSG_IF(!m_device,
                    "RoceNic: the NIC is on no device; call Install(), which aggregates it too.");
    CheckPayload();
    // A flow may have been started before the device could send.
    Simulator::ScheduleNow(&RoceNic::Kick, this);
    Object::DoInitialize();
}

void
RoceNic::DoDispose()
{
    m_timeoutCheck->Detach();
    m_senders.ForEach([](Sender& sender) { sender.peer->m_receivers.Close(sender.peerNumber); });
    m_senders.Clear();
    m_receivers.Clear();
    m_answers.Clear();
    for (RingBuffer<Turn>& round : m_rounds)
    {
        round.Clear();
    }
    m_ready = 0;
    Object::DoDispose();
}

void
RoceNic::Install(Ptr<LosslessNetDevice> device, Ipv4Address address)
{
    NS_ABORT_MSG_IF(m_device, "RoceNic: the NIC is installed on a device already.");
    HostPort& port = GetPortOfHost(device, "RoceNic");
    m_device = PeekPointer(device);
    m_address = address;
    port.AddSource(this);
    port.AddReceiver(this);
    device->AggregateObject(Ptr<RoceNic>(this));
}

Ipv4Address
RoceNic::GetAddress() const
{
    return m_address;
}

uint32_t
RoceNic::GetPayloadBytes() const
{
    return m_payloadBytes;
}

const RoceNic::Counts&
RoceNic::GetCounts() const
{
    return m_counts;
}

std::size_t
RoceNic::GetQueuePairSlots() const
{
    return m_senders.GetSize() + m_receivers.GetSize();
}

uint32_t
RoceNic::GetFrameBytes(uint32_t payloadBytes)
{
    return RoceHeader::GetSize(RoceOpcode::SEND_ONLY) + RoceHeader::BodyBytes(payloadBytes);
}

std::string
RoceNic::DescribeMisfit(uint32_t payloadBytes, uint32_t mtu)
{
    const uint32_t packetBytes = GetFrameBytes(payloadBytes) - ETHERNET_BYTES;
    std::ostringstream text;
    if (packetBytes > mtu)
    {
        text << "RoceNic: PayloadBytes is " << payloadBytes << ", which makes IPv4 packets of "
             << packetBytes << " bytes, but the Mtu of the device is " << mtu << " bytes.";
    }
    return text.str();
}

void
RoceNic::CheckPayload() const
{
    const std::string misfit = DescribeMisfit(m_payloadBytes, m_device->GetMtu());
    NS_ABORT_MSG_IF(!misfit.empty(), misfit);
}

void
RoceNic::CheckFlow(Ptr<RoceNic> peer, const RoceFlow& flow) const
{
    NS_ABORT_MSG_IF(!m_device, "RoceNic: flow " << flow.id << " starts at a NIC without a device.");
    NS_ABORT_MSG_IF(!peer || !peer->m_device,
                    "RoceNic: flow " << flow.id << " goes to a NIC without a device.");
    NS_ABORT_MSG_IF(PeekPointer(peer) == this,
                    "RoceNic: flow " << flow.id << " goes from NIC " << m_address << " to itself.");
    NS_ABORT_MSG_IF(flow.bytes == 0, "RoceNic: flow " << flow.id << " has 0 bytes; at least 1.");
    NS_ABORT_MSG_IF(Index(flow.priority) >= NUM_PRIORITIES,
                    "RoceNic: flow " << flow.id << " has priority " << Index(flow.priority)
                                     << "; allowed are 0 to " << NUM_PRIORITIES - 1 << ".");
    CheckPayload();
}

RocePath
RoceNic::GetPathTo(const RoceNic& peer, const RoceFlow& flow) const
{
    RocePath path;
    path.sourceMac = Mac48Address::ConvertFrom(m_device->GetAddress());
    path.destinationMac = Mac48Address::ConvertFrom(peer.m_device->GetAddress());
    path.source = m_address;
    path.destination = peer.m_address;
    path.sourcePort = flow.sourcePort;
    path.tos = TosOf(CONTROL_PRIORITY);
    return path;
}

void
RoceNic::StartFlow(Ptr<RoceNic> peer, const RoceFlow& flow)
{
    CheckFlow(peer, flow);
    FlowRecord record;
    record.flow = flow;
    record.flow.destination = peer->m_address;
    if (flow.sourcePort == 0)
    {
        record.flow.sourcePort =
            static_cast<uint16_t>(FIRST_DYNAMIC_PORT + flow.id % DYNAMIC_PORTS);
    }
    record.source = m_address;
    record.start = Simulator::Now();

    const uint32_t number = m_senders.Open();
    Sender& sender = *m_senders.Find(number);
    sender.number = number;
    sender.peer = peer;
    sender.peerNumber = peer->m_receivers.Open();

    RocePath there = GetPathTo(*peer, record.flow);
    there.tos = TosOf(flow.priority) | (m_ecnCapable ? ECT0 : 0);
    there.queuePair = sender.peerNumber;
    sender.queuePair.Open(record, there, {m_payloadBytes, m_window, m_initialPsn});
    RocePath back = peer->GetPathTo(*this, record.flow);
    back.queuePair = number;
    peer->m_receivers.Find(sender.peerNumber)
        ->Open(&sender.queuePair.GetRecord(), back, m_initialPsn);

    m_flowStarted(sender.queuePair.GetRecord());
    Enter(sender);
    Kick();
}

void
RoceNic::Kick()
{
    if (m_device->IsInitialized())
    {
        m_device->Kick();
    }
}

void
RoceNic::Enter(Sender& sender)
{
    const Priority priority = sender.queuePair.GetPriority();
    sender.isWaiting = true;
    m_rounds[Index(priority)].Push({&sender, m_nextTicket++});
    m_ready |= SetOf(priority);
}

void
RoceNic::Leave(const Sender& sender)
{
    const Priority priority = sender.queuePair.GetPriority();
    RingBuffer<Turn>& round = m_rounds[Index(priority)];
    for (std::size_t left = round.GetSize(); left > 0; --left)
    {
        const Turn turn = round.Pop();
        if (turn.sender != &sender)
        {
            round.Push(turn);
        }
    }
    if (round.IsEmpty())
    {
        m_ready &= ~SetOf(priority);
    }
}

RoceNic::Sender&
RoceNic::TakeTurn(PrioritySet ready)
{
    RingBuffer<Turn>* first = nullptr;
    Priority priority{0};
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (Contains(ready, Priority{p}) &&
            (!first || m_rounds[p].Front().ticket < first->Front().ticket))
        {
            first = &m_rounds[p];
            priority = Priority{p};
        }
    }
    Sender& sender = *first->Pop().sender;
    sender.isWaiting = false;
    if (first->IsEmpty())
    {
        m_ready &= ~SetOf(priority);
    }
    return sender;
}

bool
RoceNic::HasReady(PrioritySet open)
{
    return (m_ready & open) != 0 || (!m_answers.IsEmpty() && Contains(open, CONTROL_PRIORITY));
}

Frame
RoceNic::Dequeue(PrioritySet open)
{
    if (!m_answers.IsEmpty() && Contains(open, CONTROL_PRIORITY))
    {
        return m_answers.Pop();
    }
    Sender& sender = TakeTurn(m_ready & open);
    ++m_counts.dataSent;
    m_counts.retransmitted += sender.queuePair.IsRetransmitting();
    Frame frame = sender.queuePair.Send(Simulator::Now());
    if (sender.queuePair.MaySend())
    {
        Enter(sender);
    }
    if (!m_timeoutCheck->IsArmed())
    {
        m_timeoutCheck->Arm(m_device->GetNode()->GetId(), m_retransmitTimeout);
    }
    return frame;
}

bool
RoceNic::TryReceive(const Frame& frame)
{
    if (frame.flow.destinationPort != RoceHeader::UDP_PORT || frame.kind != FrameKind::IPV4 ||
        frame.flow.protocol != PROTOCOL_UDP || frame.flow.destination != m_address.Get())
    {
        return false;
    }
    const auto header = RoceHeader::Peek(*frame.packet);
    if (!header)
    {
        return false;
    }
    switch (header->GetOpcode())
    {
    case RoceOpcode::ACKNOWLEDGE:
        ReceiveAnswer(*header);
        return true;
    case RoceOpcode::CNP:
        return false;
    default:
        ReceiveData(*header);
        return true;
    }
}

void
RoceNic::ReceiveData(const RoceHeader& data)
{
    ReceiveQueuePair* queuePair = m_receivers.Find(data.GetDestinationQp());
    if (!queuePair)
    {
        ++m_counts.stale;
        return;
    }
    ++m_counts.dataReceived;
    switch (queuePair->Accept(data))
    {
    case ReceiveQueuePair::Arrival::IN_ORDER:
        m_counts.bytesReceived += data.GetPayloadSize();
        if (data.GetAckRequest() || queuePair->GetUnanswered() >= m_ackInterval)
        {
            SendAck(*queuePair);
        }
        if (queuePair->IsComplete())
        {
            queuePair->GetRecord().received = Simulator::Now();
            m_flowReceived(queuePair->GetRecord());
        }
        break;
    case ReceiveQueuePair::Arrival::DUPLICATE:
        ++m_counts.duplicates;
        SendAck(*queuePair);
        break;
    case ReceiveQueuePair::Arrival::AHEAD:
        ++m_counts.outOfOrder;
        if (!queuePair->IsNakSent())
        {
            SendNak(*queuePair);
        }
        break;
    }
}

void
RoceNic::SendAck(ReceiveQueuePair& queuePair)
{
    ++m_counts.acksSent;
    m_answers.Push(queuePair.MakeAck());
    m_device->Kick();
}

void
RoceNic::SendNak(ReceiveQueuePair& queuePair)
{
    ++m_counts.naksSent;
    m_answers.Push(queuePair.MakeNak());
    m_device->Kick();
}

void
RoceNic::ReceiveAnswer(const RoceHeader& answer)
{
    Sender* sender = m_senders.Find(answer.GetDestinationQp());
    if (!sender)
    {
        ++m_counts.stale;
        return;
    }
    SendQueuePair& queuePair = sender->queuePair;
    queuePair.HandleAnswer(answer, Simulator::Now());
    const bool maySend = queuePair.MaySend();
    if (sender->isWaiting && !maySend)
    {
        // Answers to the first transmission came after a go-back, and left nothing to send.
        Leave(*sender);
        sender->isWaiting = false;
    }
    if (queuePair.IsFinished())
    {
        Finish(*sender);
    }
    else if (maySend && !sender->isWaiting)
    {
        Enter(*sender);
        m_device->Kick();
    }
}

void
RoceNic::Finish(Sender& sender)
{
    m_flowAcknowledged(sender.queuePair.GetRecord());
    sender.peer->m_receivers.Close(sender.peerNumber);
    m_senders.Close(sender.number);
}

void
RoceNic::CheckTimeouts()
{
    const Time now = Simulator::Now();
    Time next = Time::Max();
    m_senders.ForEach([this, now, &next](Sender& sender) {
        SendQueuePair& queuePair = sender.queuePair;
        if (!queuePair.HasOutstanding())
        {
            return;
        }
        const Time due = queuePair.GetWaitingSince() + m_retransmitTimeout;
        if (due > now)
        {
            next = std::min(next, due);
            return;
        }
        ++m_counts.timeouts;
        queuePair.GoBack();
        if (!sender.isWaiting)
        {
            Enter(sender);
        }
    });
    if (next != Time::Max())
    {
        m_timeoutCheck->Arm(m_device->GetNode()->GetId(), next - now);
    }
    m_device->Kick();
}

} // namespace ns3::lossless
