// SPDX-License-Identifier: GPL-2.0-only
#include "roce-nic.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/count-attribute.h"
#include "ns3/factory-attribute.h"
#include "ns3/go-back-n.h"
#include "ns3/log.h"
#include "ns3/lossless-net-device.h"
#include "ns3/make-type-id.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/source-port.h"
#include "ns3/trimming.h"
#include "ns3/uinteger.h"
#include "ns3/unbuilt-packet.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>
#include <bitset>
#include <sstream>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessRoceNic");

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

/// @param source address of a sending NIC @param number number of a queue pair
/// @return key of the receiving end
uint64_t
ReceiverKey(uint32_t source, uint32_t number)
{
    return static_cast<uint64_t>(source) << 24 | number;
}

/// @param type a type @return a factory that makes objects of it as they are by default
ObjectFactory
MakeFactoryOf(TypeId type)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    return factory;
}

} // namespace

TypeId
RoceNic::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<RoceNic, Object>("RoceNic")
            .AddAttribute("PayloadBytes",
                          "Payload of each data packet but the last, in bytes. The device's Mtu "
                          "must hold it, filled up to whole words, 44 bytes of headers, 42 of "
                          "telemetry if the congestion control asks for it, and 16 of its place "
                          "if the reliability does.",
                          UintegerValue(1000),
                          MakeUintegerAccessor(&RoceNic::m_payloadBytes),
                          MakeUintegerChecker<uint32_t>(1, 65000))
            .AddAttribute("Window",
                          "Payload that a queue pair may have unacknowledged, in bytes; 0: no "
                          "limit. One packet may always be in flight.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RoceNic::m_window),
                          MakeCountChecker())
            .AddAttribute("AckInterval",
                          "Data packets that the receiver answers by one ACK. A packet that asks "
                          "for an answer (the last one, or one that fills the window), that is "
                          "missing or that has come before is answered at once.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RoceNic::m_ackInterval),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "RetransmitTimeout",
                "Time without progress after which a queue pair goes back to its oldest "
                "unacknowledged packet, with GoBackN (others have timeouts of their own); "
                "fixed once packets flow. A flow that has arrived is remembered for 64 "
                "of it. The default is InfiniBand's local ACK timeout 14: 4.096 us x "
                "2^14.",
                TimeValue(NanoSeconds(4096LL << 14)),
                MakeTimeAccessor(&RoceNic::m_retransmitTimeout),
                MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("RetryLimit",
                          "Timeouts in a row, without progress between them, that a queue pair "
                          "takes; upon one more it gives the flow up, as RoCE NICs do with their "
                          "retry count (up to 7). 0: it never does.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RoceNic::m_retryLimit),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("StallTime",
                          "Time without progress after which the next timeout of a queue pair "
                          "fires FlowStalled, once until it moves on; 0: never.",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&RoceNic::m_stallTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "EcnCapable",
                "Whether data packets are ECN-capable (ECT(0)), so that switches may mark them.",
                BooleanValue(true),
                MakeBooleanAccessor(&RoceNic::m_ecnCapable),
                MakeBooleanChecker())
            .AddAttribute("InitialPsn",
                          "Packet sequence number of the first packet of each flow sent from here; "
                          "it has 24 bits and wraps around.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RoceNic::m_initialPsn),
                          MakeUintegerChecker<uint32_t>(0, RoceHeader::MASK_24_BIT))
            .AddAttribute(
                "CongestionControl",
                "Makes the CongestionControl of each flow sent from here, as "
                "\"ns3::lossless::Dcqcn[MinRate=100Mbps]\".",
                ObjectFactoryValue(MakeFactoryOf(NoCongestionControl::GetTypeId())),
                MakeObjectFactoryAccessor(&RoceNic::SetControlFactory, &RoceNic::GetControlFactory),
                MakeFactoryChecker(CongestionControl::GetTypeId()))
            .AddAttribute("PathSelection",
                          "Makes the PathSelection of each flow sent from here, as "
                          "\"ns3::lossless::ObliviousPath[EntropyValues=128]\".",
                          ObjectFactoryValue(MakeFactoryOf(FlowPath::GetTypeId())),
                          MakeObjectFactoryAccessor(&RoceNic::m_pathFactory),
                          MakeFactoryChecker(PathSelection::GetTypeId()))
            .AddAttribute("Reliability",
                          "How loss is repaired, the same at both ends of a flow, as "
                          "\"ns3::lossless::SelectiveRepeat[RtoLow=50us]\".",
                          ObjectFactoryValue(MakeFactoryOf(GoBackN::GetTypeId())),
                          MakeObjectFactoryAccessor(&RoceNic::SetReliabilityFactory,
                                                    &RoceNic::GetReliabilityFactory),
                          MakeFactoryChecker(Reliability::GetTypeId()))
            .AddAttribute("CnpInterval",
                          "Time from one congestion notification packet to the next to the same "
                          "queue pair, at least, if its sender uses them (default 1 us, one "
                          "per Dcqcn::AlphaTimer: the HPCC simulator has none and looks at each "
                          "acknowledgement; 50 us: DCQCN, Zhu et al., SIGCOMM 2015, Sec. 3.1).",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&RoceNic::m_cnpInterval),
                          MakeTimeChecker(Time(0)))
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
                            "ns3::lossless::RoceNic::FlowTracedCallback")
            .AddTraceSource("FlowRetransmitted",
                            "A data packet of a flow from this NIC is sent again.",
                            MakeTraceSourceAccessor(&RoceNic::m_flowRetransmitted),
                            "ns3::lossless::RoceNic::FlowTracedCallback")
            .AddTraceSource("FlowStalled",
                            "A flow from this NIC has had no progress for StallTime.",
                            MakeTraceSourceAccessor(&RoceNic::m_flowStalled),
                            "ns3::lossless::RoceNic::StallTracedCallback")
            .AddTraceSource("FlowGivenUp",
                            "A flow from this NIC is given up, see RetryLimit.",
                            MakeTraceSourceAccessor(&RoceNic::m_flowGivenUp),
                            "ns3::lossless::RoceNic::FlowTracedCallback")
            .AddTraceSource("FlowSignals",
                            "A flow to this NIC has arrived: the marks, notifications and "
                            "negative acknowledgements that it took.",
                            MakeTraceSourceAccessor(&RoceNic::m_flowSignals),
                            "ns3::lossless::RoceNic::SignalsTracedCallback");
    return tid;
}

RoceNic::RoceNic()
    : m_rateLimiter(MakeCallback(&RoceNic::Kick, this)),
      m_timeoutCheck(Create<TimeoutEvent>(this))
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
    m_senders.Clear();
    m_receivers.Clear();
    m_completed.Clear();
    m_answers.Clear();
    m_arbiter.Clear();
    m_rateLimiter.Clear();
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
    port.AddAddress(address);
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

std::size_t
RoceNic::GetRememberedFlows() const
{
    return m_completed.GetSize();
}

void
RoceNic::VisitArriving(const std::function<void(uint64_t, const FlowSignals&)>& function)
{
    m_receivers.ForEach([&function](Receiver& receiver) {
        ReceiveQueuePair& end = receiver.queuePair;
        function(end.GetRecord().flow.id, end.GetSignals());
    });
}

void
RoceNic::VisitSending(const std::function<void(uint64_t, uint64_t)>& function)
{
    m_senders.ForEach([&function](FlowSender& sender) {
        SendQueuePair& end = sender.queuePair;
        function(end.GetRecord().flow.id, end.GetAcknowledgedBytes());
    });
}

void
RoceNic::SetControlFactory(ObjectFactory factory)
{
    m_controlFactory = factory;
    const auto control = factory.Create<CongestionControl>();
    NS_ABORT_MSG_IF(!control,
                    "RoceNic: CongestionControl is " << factory.GetTypeId().GetName()
                                                     << ", which is not a CongestionControl.");
    m_feedback = control->GetFeedback();
}

void
RoceNic::SetReliabilityFactory(ObjectFactory factory)
{
    m_reliabilityFactory = factory;
    m_reliability = factory.Create<Reliability>();
    NS_ABORT_MSG_IF(!m_reliability,
                    "RoceNic: Reliability is " << factory.GetTypeId().GetName()
                                               << ", which is not a Reliability.");
    m_reliabilityWindow = m_reliability->GetWindow();
    m_traits = m_reliability->GetTraits();
}

ObjectFactory
RoceNic::GetReliabilityFactory() const
{
    return m_reliabilityFactory;
}

Ptr<const Reliability>
RoceNic::GetReliability() const
{
    return m_reliability;
}

ObjectFactory
RoceNic::GetControlFactory() const
{
    return m_controlFactory;
}

uint32_t
RoceNic::GetOptionBytes() const
{
    return (m_feedback.telemetry ? TelemetryHeader::BYTES : 0) +
           (m_traits.isPlacing ? PlaceHeader::BYTES : 0);
}

uint32_t
RoceNic::GetFrameBytes(uint32_t payloadBytes, uint32_t optionBytes)
{
    return RoceHeader::GetSize(RoceOpcode::SEND_ONLY) + optionBytes +
           RoceHeader::BodyBytes(payloadBytes);
}

double
RoceNic::GetOverheadFactor(uint32_t payloadBytes)
{
    const uint32_t wireBytes = GetFrameBytes(payloadBytes) + WIRE_OVERHEAD_BYTES;
    return static_cast<double>(wireBytes) / payloadBytes;
}

std::string
RoceNic::DescribeMisfit(uint32_t payloadBytes, uint32_t mtu, uint32_t optionBytes)
{
    const uint32_t packetBytes = GetFrameBytes(payloadBytes, optionBytes) - ETHERNET_BYTES;
    if (packetBytes <= mtu)
    {
        return "";
    }
    std::ostringstream text;
    text << "RoceNic: PayloadBytes is " << payloadBytes << ", which makes IPv4 packets of "
         << packetBytes << " bytes, but the Mtu of the device is " << mtu << " bytes.";
    return text.str();
}

void
RoceNic::CheckPayload() const
{
    const std::string misfit = DescribeMisfit(m_payloadBytes, m_device->GetMtu(), GetOptionBytes());
    NS_ABORT_MSG_IF(!misfit.empty(), misfit);
}

void
RoceNic::CheckFlow(Ptr<const RoceNic> peer, const RoceFlow& flow) const
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
    const TypeId own = m_reliability->GetInstanceTypeId();
    const TypeId other = peer->m_reliability->GetInstanceTypeId();
    NS_ABORT_MSG_IF(own != other,
                    "RoceNic: flow " << flow.id << " starts at a NIC whose Reliability is "
                                     << own.GetName() << " and goes to one with " << other.GetName()
                                     << "; both must have the same.");
    CheckPayload();
}

void
RoceNic::CheckEnd(const RoceConnection& connection, Ipv4Address address) const
{
    NS_ABORT_MSG_IF(!m_device || address != m_address,
                    "RoceNic: an end of flow " << connection.flow.id << " is opened at NIC "
                                               << m_address << ", but belongs to NIC " << address
                                               << ".");
}

void
RoceNic::CheckNumber(bool isOpen, const RoceConnection& connection) const
{
    NS_ABORT_MSG_IF(!isOpen,
                    "RoceNic: flow " << connection.flow.id << " needs queue pair "
                                     << connection.number << " of NIC " << m_address
                                     << ", which another flow uses; ids of flows that a NIC has "
                                        "open must differ modulo "
                                     << RoceConnection::NUMBERS << ".");
}

RoceConnection
RoceNic::Agree(Ptr<const RoceNic> peer, const RoceFlow& flow) const
{
    CheckFlow(peer, flow);
    RoceConnection connection;
    connection.flow = flow;
    connection.flow.destination = peer->m_address;
    if (flow.sourcePort == 0)
    {
        connection.flow.sourcePort =
            static_cast<uint16_t>(FIRST_DYNAMIC_PORT + flow.id % DYNAMIC_PORTS);
    }
    connection.source = m_address;
    connection.sourceMac = Mac48Address::ConvertFrom(m_device->GetAddress());
    connection.destinationMac = Mac48Address::ConvertFrom(peer->m_device->GetAddress());
    connection.number = RoceConnection::NumberOf(flow.id);
    connection.initialPsn = m_initialPsn;
    connection.wantsCnps = m_feedback.notifications;
    connection.isCoalesced = peer->m_ackInterval > 1;
    connection.retransmitTimeout = m_retransmitTimeout;
    return connection;
}

void
RoceNic::StartFlow(Ptr<RoceNic> peer, const RoceFlow& flow)
{
    RoceConnection connection = Agree(peer, flow);
    connection.start = Simulator::Now();
    if (Simulator::GetContext() == Simulator::NO_CONTEXT)
    {
        peer->OpenReceiver(connection);
    }
    else // in an event of this node: before the first packet can be there
    {
        Simulator::ScheduleWithContext(peer->m_device->GetNode()->GetId(),
                                       GetGlobalDelay(),
                                       &RoceNic::OpenReceiver,
                                       peer,
                                       connection);
    }
    OpenSender(connection);
}

void
RoceNic::OpenSender(const RoceConnection& connection)
{
    CheckEnd(connection, connection.source);
    RequireTurn(m_device->GetNode()->GetId(), "starts a flow at");
    FlowSender* sender = m_senders.Open(connection.number);
    CheckNumber(sender, connection);
    sender->number = connection.number;
    SendSettings settings{m_payloadBytes, GetMaxWindow(), connection.initialPsn};
    settings.isCoalesced = connection.isCoalesced;
    settings.isPlacing = m_traits.isPlacing;
    MakeCongestionControl(*sender, settings);
    MakePathSelection(*sender, connection.flow);
    const uint8_t tos = TosOf(connection.flow.priority) | (m_ecnCapable ? ECT0 : 0);
    sender->queuePair.SetReliability(m_reliability->MakeSender(m_retransmitTimeout));
    sender->queuePair.Open(connection.MakeRecord(), connection.GetDataPath(tos), settings);
    m_flowStarted(sender->queuePair.GetRecord());
    m_arbiter.Request(*sender);
    Kick();
}

void
RoceNic::OpenReceiver(const RoceConnection& connection)
{
    CheckEnd(connection, connection.flow.destination);
    RequireTurn(m_device->GetNode()->GetId(), "starts a flow to");
    Receiver* receiver = m_receivers.Open(ReceiverKey(connection.source.Get(), connection.number));
    CheckNumber(receiver, connection);
    receiver->queuePair.SetReliability(m_reliability->MakeReceiver());
    receiver->queuePair.Open(connection.MakeRecord(),
                             connection.GetAnswerPath(TosOf(CONTROL_PRIORITY)),
                             connection.initialPsn,
                             connection.wantsCnps);
    const Time longest = Time::Max() / 2 / KEPT_TIMEOUTS; // else the sum with the time overflows
    receiver->keptFor = std::min(connection.retransmitTimeout, longest) * KEPT_TIMEOUTS;
}

void
RoceNic::MakeCongestionControl(FlowSender& sender, SendSettings& settings) const
{
    if (m_controlFactory.GetTypeId() == NoCongestionControl::GetTypeId())
    {
        return;
    }
    sender.control = m_controlFactory.Create<CongestionControl>();
    sender.control->Start(m_device->GetDataRate(), m_payloadBytes);
    sender.due = static_cast<double>(NowInTicks());
    settings.isTimed = sender.control->GetFeedback().roundTrips;
    settings.hasTelemetry = m_feedback.telemetry;
    settings.window = sender.GetWindow(GetMaxWindow());
}

void
RoceNic::MakePathSelection(FlowSender& sender, const RoceFlow& flow) const
{
    if (m_pathFactory.GetTypeId() != FlowPath::GetTypeId())
    {
        sender.paths = m_pathFactory.Create<PathSelection>();
        sender.paths->Start(flow.id, flow.sourcePort);
    }
}

void
RoceNic::Kick()
{
    if (m_device->IsInitialized())
    {
        m_device->Kick();
    }
}

bool
RoceNic::Prepare(const Permit& permit)
{
    NS_LOG_LOGIC("node " << m_device->GetNode()->GetId() << " has data of classes "
                         << std::bitset<NUM_PRIORITIES>(m_arbiter.GetRequesting()) << ", open are "
                         << std::bitset<NUM_PRIORITIES>(permit.classes));
    if (m_arbiter.GetEligible(permit) != 0 || MayAnswer(permit))
    {
        return true;
    }
    if (m_rateLimiter.IsEmpty())
    {
        return false;
    }
    ReleaseDue();
    if (!m_rateLimiter.IsEmpty())
    {
        m_rateLimiter.AwaitDue();
    }
    return m_arbiter.GetEligible(permit) != 0;
}

Frame
RoceNic::Dequeue(const Permit& permit)
{
    if (MayAnswer(permit))
    {
        return m_answers.Pop();
    }
    if (!m_rateLimiter.IsEmpty())
    {
        ReleaseDue();
    }
    return SendData(m_arbiter.Grant(m_arbiter.GetEligible(permit)));
}

bool
RoceNic::MayAnswer(const Permit& permit) const
{
    return !m_answers.IsEmpty() && permit.Allows(m_answers.Front());
}

Frame
RoceNic::SendData(FlowSender& sender)
{
    const bool isAgain = sender.queuePair.IsRetransmitting();
    NS_LOG_LOGIC("flow " << sender.queuePair.GetRecord().flow.id << " sends a packet"
                         << (isAgain ? " again" : ""));
    const Time now = Simulator::Now();
    Frame frame = sender.queuePair.Send(now);
    ++m_counts.dataSent;
    if (sender.paths)
    {
        const uint32_t psn = frame.packet.GetUnbuilt()->GetHeader().GetPsn();
        SetSourcePort(frame, sender.paths->Choose(psn, now));
    }
    if (isAgain)
    {
        ++m_counts.retransmitted;
        m_flowRetransmitted(sender.queuePair.GetRecord());
    }
    if (sender.control)
    {
        sender.control->NotifySent(frame.size, now);
        const uint32_t wireBytes = frame.size + m_device->GetOverheadBytes();
        RateLimiter::Charge(sender, wireBytes, m_device->GetDataRate(), now);
    }
    if (sender.queuePair.MaySend())
    {
        Admit(sender, now);
    }
    if (!m_timeoutCheck->IsArmed())
    {
        m_timeoutCheck->Arm(m_device->GetNode()->GetId(), GetShortestTimeout());
    }
    return frame;
}

void
RoceNic::Admit(FlowSender& sender, Time now)
{
    const bool isHeld = sender.control && m_rateLimiter.TryHold(sender, now);
    if (!isHeld)
    {
        m_arbiter.Request(sender);
    }
}

void
RoceNic::ReleaseDue()
{
    const Time now = Simulator::Now();
    while (FlowSender* sender = m_rateLimiter.Release(now))
    {
        if (sender->queuePair.MaySend())
        {
            m_arbiter.Request(*sender);
        }
    }
}

void
RoceNic::NotifyGateChanged()
{
    m_arbiter.Unpark();
}

void
RoceNic::NotifyPaused(const PauseNotice& notice)
{
    m_senders.ForEach([&](FlowSender& sender) {
        if (sender.control && Contains(notice.classes, sender.queuePair.GetPriority()))
        {
            sender.HandlePause(notice, GetMaxWindow(), Simulator::Now());
        }
    });
}

bool
RoceNic::TryReceive(const Frame& frame)
{
    if (frame.flow.destinationPort != RoceHeader::UDP_PORT || frame.kind != FrameKind::IPV4 ||
        frame.flow.protocol != PROTOCOL_UDP || frame.flow.destination != m_address.Get())
    {
        return false;
    }
    if (UnbuiltPacket* packet = frame.packet.GetUnbuilt())
    {
        const RoceHeader& header = packet->GetHeader();
        const bool isPlain = header.GetOptions() == 0;
        ReceivePacket(header,
                      isPlain ? nullptr : packet->GetTelemetry(),
                      isPlain ? nullptr : packet->GetSack());
        return true;
    }
    const auto header = RoceHeader::Peek(*frame.packet);
    if (!header)
    {
        return false;
    }
    TelemetryHeader telemetry;
    SackHeader sack;
    uint32_t at = header->GetSerializedSize();
    if (header->HasTelemetry())
    {
        telemetry = TelemetryHeader::Peek(*frame.packet, at);
        at += TelemetryHeader::BYTES;
    }
    if (header->Has(RoceOption::SACK))
    {
        sack = SackHeader::Peek(*frame.packet, at);
    }
    ReceivePacket(*header,
                  header->HasTelemetry() ? &telemetry : nullptr,
                  header->Has(RoceOption::SACK) ? &sack : nullptr);
    return true;
}

void
RoceNic::ReceivePacket(const RoceHeader& header,
                       const TelemetryHeader* telemetry,
                       const SackHeader* sack)
{
    switch (header.GetOpcode())
    {
    case RoceOpcode::ACKNOWLEDGE:
        ReceiveAnswer(header, telemetry, sack);
        break;
    case RoceOpcode::CNP:
        ReceiveCnp(header);
        break;
    default:
        ReceiveData(header, telemetry);
        break;
    }
}

void
RoceNic::ReceiveData(const RoceHeader& data, const TelemetryHeader* telemetry)
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
RoceNic::ReceiveLateData(uint64_t key, const RoceHeader& data, const TelemetryHeader* telemetry)
{
    CompletedFlow* flow = m_completed.Find(key);
    ReceiveQueuePair queuePair;
    if (flow)
    {
        queuePair.Reopen(*flow, RocePath::OfAnswer(data, TosOf(CONTROL_PRIORITY)));
    }
    if (!flow || !queuePair.HasHad(data))
    {
        ++m_counts.stale;
        return;
    }
    TakeData(queuePair, data, telemetry);
    flow->quietUntil = queuePair.GetCompleted().quietUntil;
}

void
RoceNic::TakeData(ReceiveQueuePair& queuePair,
                  const RoceHeader& data,
                  const TelemetryHeader* telemetry)
{
    queuePair.TakeSourcePort(data.GetSourcePort());
    if (GetTrimmedAt(data.GetTos()) != TrimmedAt::NOWHERE)
    {
        TakeTrimmed(queuePair, data);
        return;
    }
    ++m_counts.dataReceived;
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
        m_counts.bytesReceived += data.GetPayloadSize();
        break;
    case ArrivalVerdict::Arrival::KEPT:
        m_counts.bytesReceived += data.GetPayloadSize();
        ++m_counts.placed;
        NoteAhead(queuePair, data);
        break;
    case ArrivalVerdict::Arrival::DUPLICATE:
        ++m_counts.duplicates;
        break;
    default:
        ++m_counts.outOfOrder;
        NoteAhead(queuePair, data);
        break;
    }
    Reply(queuePair, data, verdict.reply);
}

void
RoceNic::NoteAhead(const ReceiveQueuePair& queuePair, const RoceHeader& data)
{
    const auto ahead = static_cast<uint64_t>(queuePair.GetAhead(data));
    m_counts.reorderExtent = std::max(m_counts.reorderExtent, ahead);
}

void
RoceNic::Reply(ReceiveQueuePair& queuePair, const RoceHeader& data, ArrivalVerdict::Reply reply)
{
    switch (reply)
    {
    case ArrivalVerdict::Reply::WHEN_DUE:
        if (data.GetAckRequest() || queuePair.GetUnanswered() >= m_ackInterval)
        {
            SendAck(queuePair);
        }
        break;
    case ArrivalVerdict::Reply::ACK:
        SendAck(queuePair);
        break;
    case ArrivalVerdict::Reply::NAK:
        SendNak(queuePair);
        break;
    case ArrivalVerdict::Reply::TRIMMED:
        SendTrimNak(queuePair, GetTrimmedAt(data.GetTos()));
        break;
    case ArrivalVerdict::Reply::NONE:
        break;
    }
}

void
RoceNic::TakeTrimmed(ReceiveQueuePair& queuePair, const RoceHeader& data)
{
    ++m_counts.trimmed;
    Reply(queuePair, data, queuePair.AcceptTrimmed(data).reply);
}

void
RoceNic::Complete(uint64_t key, Receiver& receiver)
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
    m_flowReceived(record);
    m_flowSignals(record.flow.id, signals);
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
    NS_LOG_DEBUG("flow " << queuePair.GetRecord().flow.id
                         << " lacks a packet: its receiver sends a NAK");
    ++m_counts.naksSent;
    m_answers.Push(queuePair.MakeNak());
    m_device->Kick();
}

void
RoceNic::SendTrimNak(ReceiveQueuePair& queuePair, TrimmedAt at)
{
    ++m_counts.naksSent;
    m_answers.Push(queuePair.MakeTrimNak(at));
    m_device->Kick();
}

void
RoceNic::SendCnp(ReceiveQueuePair& queuePair)
{
    if (queuePair.TakeCnp(Simulator::Now(), m_cnpInterval))
    {
        ++m_counts.cnpsSent;
        m_answers.Push(queuePair.MakeCnp());
        m_device->Kick();
    }
}

void
RoceNic::ReceiveCnp(const RoceHeader& cnp)
{
    FlowSender* sender = m_senders.Find(cnp.GetDestinationQp());
    if (!sender)
    {
        ++m_counts.stale;
        return;
    }
    NS_LOG_DEBUG("flow " << sender->queuePair.GetRecord().flow.id << " takes a CNP");
    ++m_counts.cnpsReceived;
    if (sender->control)
    {
        sender->control->NotifyCnp(Simulator::Now());
    }
}

void
RoceNic::ReceiveAnswer(const RoceHeader& answer,
                       const TelemetryHeader* telemetry,
                       const SackHeader* sack)
{
    FlowSender* sender = m_senders.Find(answer.GetDestinationQp());
    if (!sender)
    {
        ++m_counts.stale;
        return;
    }
    SendQueuePair& queuePair = sender->queuePair;
    NS_LOG_LOGIC("flow " << queuePair.GetRecord().flow.id << " takes " << answer);
    const Time now = Simulator::Now();
    if (sender->paths)
    {
        sender->TellPaths(answer, sack, now);
    }
    sender->HandleAnswer(answer, telemetry, sack, GetMaxWindow(), now);
    const bool maySend = queuePair.MaySend();
    if (sender->place == FlowSender::Place::ARBITER && !maySend)
    {
        // Answers to the first transmission came after a go-back, and left nothing to send.
        m_arbiter.Withdraw(*sender);
    }
    if (queuePair.IsFinished())
    {
        Finish(*sender);
    }
    else if (maySend && sender->place == FlowSender::Place::NOWHERE)
    {
        Admit(*sender, now);
        m_device->Kick();
    }
}

void
RoceNic::Finish(FlowSender& sender)
{
    FlowRecord record = Close(sender);
    record.acknowledged = Simulator::Now();
    m_flowAcknowledged(record);
}

FlowRecord
RoceNic::Close(FlowSender& sender)
{
    FlowRecord record = sender.queuePair.GetRecord();
    if (sender.place == FlowSender::Place::RATE_LIMITER)
    {
        m_rateLimiter.Remove(sender);
    }
    m_senders.Close(sender.number);
    return record;
}

Time
RoceNic::GetShortestTimeout() const
{
    return m_reliability->GetShortestTimeout(m_retransmitTimeout);
}

void
RoceNic::CheckTimeouts()
{
    const Time now = Simulator::Now();
    Time next = Time::Max();
    m_senders.ForEach([this, now, &next](FlowSender& sender) {
        next = std::min(next, CheckTimeout(sender, now));
    });
    if (next != Time::Max())
    {
        // Progress of a flow may leave so little under way that it is due earlier.
        m_timeoutCheck->Arm(m_device->GetNode()->GetId(),
                            std::min(next - now, GetShortestTimeout()));
    }
    m_device->Kick();
}

Time
RoceNic::CheckTimeout(FlowSender& sender, Time now)
{
    const std::optional<Time> due = sender.queuePair.GetDue();
    if (!due)
    {
        return Time::Max();
    }
    if (*due > now)
    {
        return *due;
    }
    NS_LOG_DEBUG("flow " << sender.queuePair.GetRecord().flow.id
                         << " has a timeout and sends again");
    ++m_counts.timeouts;
    if (!TakeTimeout(sender, now))
    {
        return Time::Max();
    }
    sender.HandleTimeout(GetMaxWindow(), now);
    if (sender.place == FlowSender::Place::NOWHERE)
    {
        Admit(sender, now);
    }
    return Time::Max();
}

bool
RoceNic::TakeTimeout(FlowSender& sender, Time now)
{
    sender.NoteTimeout();
    FlowSender::Stall& stall = sender.stall;
    const bool isLong = m_stallTime.IsStrictlyPositive() && now - stall.since >= m_stallTime;
    if (isLong && !stall.isTold)
    {
        stall.isTold = true;
        m_flowStalled(sender.queuePair.GetRecord(), stall.since, sender.DescribeState());
    }
    if (m_retryLimit == 0 || stall.timeouts <= m_retryLimit)
    {
        return true;
    }
    ++m_counts.givenUp;
    if (sender.place == FlowSender::Place::ARBITER)
    {
        m_arbiter.Withdraw(sender);
    }
    m_flowGivenUp(Close(sender));
    return false;
}

} // namespace ns3::lossless
