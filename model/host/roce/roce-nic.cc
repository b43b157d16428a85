// SPDX-License-Identifier: GPL-2.0-only
#include "roce-nic.h"

#include "ns3/abort.h"
#include "ns3/attribute-condition.h"
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

const RegisterCondition<RoceNic> g_timeout({"RetransmitTimeout"},
                                           "Reliability",
                                           Where::IS,
                                           "ns3::lossless::GoBackN");

} // namespace

TypeId
RoceNic::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<RoceNic, Object>("RoceNic")
            .AddAttribute(
                "PayloadBytes",
                "Payload of each data packet except the last, in bytes. The device's Mtu must hold "
                "it, padded to whole words, and 44 bytes of headers, 42 of telemetry if the "
                "congestion control needs it, and 16 of placement if the reliability needs it.",
                UintegerValue(1000),
                MakeUintegerAccessor(&RoceNic::m_payloadBytes),
                MakeUintegerChecker<uint32_t>(1, 65000))
            .AddAttribute("Window",
                          "Payload that a queue pair may have unacknowledged, in bytes; 0: no "
                          "limit. One packet may always be in flight.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RoceNic::m_window),
                          MakeCountChecker())
            .AddAttribute(
                "AckInterval",
                "Number of data packets that share one ACK. A packet is answered at once if it "
                "asks for it (the last one, or one that fills the window), is a duplicate, shows a "
                "gap (not with Unordered), fills one (with SelectiveRepeat) or is marked (with "
                "Unordered). While a packet is missing, at most 32 packets share an ACK. With "
                "SelectiveRepeat and Unordered, a flow that takes longer than RtoLow to send this "
                "many packets has timeouts without a loss.",
                UintegerValue(1),
                MakeUintegerAccessor(&RoceNic::m_ackInterval),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("RetransmitTimeout",
                          "Time without progress after which a queue pair goes back to its oldest "
                          "unacknowledged packet, with GoBackN (other reliabilities have their own "
                          "timeouts); fixed once packets flow. A flow that has arrived is "
                          "remembered for 64 times this time. The default is InfiniBand's local "
                          "ACK timeout 14: 4.096 us x 2^14.",
                          TimeValue(NanoSeconds(4096LL << 14)),
                          MakeTimeAccessor(&RoceNic::m_retransmitTimeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute(
                "RetryLimit",
                "Maximum number of consecutive retries, with any reliability: how often a queue "
                "pair sends again after timeouts without progress between them. At the next "
                "timeout, it gives the flow up, as RoCE NICs do by their retry count (up to 7). "
                "The flow's id stays in use at the receiver. 0: no limit.",
                UintegerValue(0),
                MakeUintegerAccessor(&RoceNic::m_retryLimit),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute("StallTime",
                          "Time without progress after which the next timeout or trimmed packet of "
                          "a queue pair fires FlowStalled, once until it makes progress; 0: never.",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&RoceNic::m_stallTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "EcnCapable",
                "Whether data packets are ECN-capable (ECT(0)), so that switches may mark them.",
                BooleanValue(true),
                MakeBooleanAccessor(&RoceNic::m_ecnCapable),
                MakeBooleanChecker())
            .AddAttribute(
                "AnswersInDataClass",
                "Whether acknowledgements and congestion notifications have the class of the data "
                "that they answer, so that they queue behind data and are paused with it (the HPCC "
                "simulator with HPCC and DCTCP); false: class 7.",
                BooleanValue(false),
                MakeBooleanAccessor(&RoceNic::m_answersInDataClass),
                MakeBooleanChecker())
            .AddAttribute("InitialPsn",
                          "Packet sequence number of the first packet of each flow from this NIC; "
                          "it has 24 bits and wraps around.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RoceNic::m_initialPsn),
                          MakeUintegerChecker<uint32_t>(0, RoceHeader::MASK_24_BIT))
            .AddAttribute(
                "CongestionControl",
                "Makes the CongestionControl of each flow from this NIC, such as "
                "\"ns3::lossless::Dcqcn[MinRate=100Mbps]\".",
                ObjectFactoryValue(MakeFactory<NoCongestionControl>()),
                MakeObjectFactoryAccessor(&RoceNic::SetControlFactory, &RoceNic::GetControlFactory),
                MakeFactoryChecker(CongestionControl::GetTypeId()))
            .AddAttribute("PathSelection",
                          "Makes the PathSelection of each flow from this NIC, such as "
                          "\"ns3::lossless::ObliviousPath[EntropyValues=128]\".",
                          ObjectFactoryValue(MakeFactory<FlowPath>()),
                          MakeObjectFactoryAccessor(&RoceNic::m_pathFactory),
                          MakeFactoryChecker(PathSelection::GetTypeId()))
            .AddAttribute("Reliability",
                          "How losses are repaired, the same at both ends of a flow, such as "
                          "\"ns3::lossless::SelectiveRepeat[RtoLow=50us]\".",
                          ObjectFactoryValue(MakeFactory<GoBackN>()),
                          MakeObjectFactoryAccessor(&RoceNic::SetReliabilityFactory,
                                                    &RoceNic::GetReliabilityFactory),
                          MakeFactoryChecker(Reliability::GetTypeId()))
            .AddAttribute("CnpInterval",
                          "Minimum time between congestion notification packets to the same queue "
                          "pair, if its sender uses them (default 1 us, one per Dcqcn::AlphaTimer: "
                          "the HPCC simulator has none and looks at each acknowledgement; 50 us: "
                          "DCQCN, Zhu et al., SIGCOMM 2015, Sec. 3.1).",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&RoceNic::m_cnpInterval),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("FlowStarted",
                            "A flow starts at this NIC.",
                            MakeTraceSourceAccessor(&RoceNic::m_flowStarted),
                            "ns3::lossless::RoceNic::FlowTracedCallback")
            .AddTraceSource("FlowReceived",
                            "All payload of a flow to this NIC has arrived.",
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
                            "A flow from this NIC is given up; see RetryLimit.",
                            MakeTraceSourceAccessor(&RoceNic::m_flowGivenUp),
                            "ns3::lossless::RoceNic::FlowTracedCallback")
            .AddTraceSource("FlowSignals",
                            "A flow to this NIC has arrived; with the marks, notifications and "
                            "negative acknowledgements that it took.",
                            MakeTraceSourceAccessor(&RoceNic::m_flowSignals),
                            "ns3::lossless::RoceNic::SignalsTracedCallback")
            .AddTraceSource(
                "FlowRate",
                "The congestion control of a flow from this NIC has set another rate, in bit/s on "
                "the wire. Only for flows that start after a sink is connected.",
                MakeTraceSourceAccessor(&RoceNic::m_flowRate),
                "ns3::lossless::RoceNic::RateTracedCallback")
            .AddTraceSource(
                "FlowWindow",
                "The congestion control of a flow from this NIC has set another window, in bytes "
                "of payload (0: any). Only for flows that start after a sink is connected.",
                MakeTraceSourceAccessor(&RoceNic::m_flowWindow),
                "ns3::lossless::RoceNic::WindowTracedCallback");
    return tid;
}

RoceNic::RoceNic()
    : m_requester(*this),
      m_responder(*this)
{
}

void
RoceNic::DoInitialize()
{
    NS_ABORT_MSG_IF(!m_device,
                    "RoceNic: the NIC is on no device; call Install(), which aggregates it too.");
    CheckPayload();
    // Invalid settings of a congestion control algorithm are reported here rather than when the
    // first flow starts.
    m_controlFactory.Create<CongestionControl>()->Start(m_device->GetFirstRate(), m_payloadBytes);
    // A flow may have started before the device could send.
    Simulator::ScheduleNow(&RoceNic::Kick, this);
    Object::DoInitialize();
}

void
RoceNic::DoDispose()
{
    m_requester.Clear();
    m_responder.Clear();
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

std::size_t
RoceNic::GetQueuePairSlots() const
{
    return m_requester.GetQueuePairs().GetSize() + m_responder.GetQueuePairs().GetSize();
}

void
RoceNic::ForgetFlow(const FlowRecord& record)
{
    m_responder.Forget(record);
}

void
RoceNic::VisitArriving(const std::function<void(uint64_t, const FlowSignals&)>& function)
{
    m_responder.GetQueuePairs().ForEach([&function](RoceResponder::Receiver& receiver) {
        ReceiveQueuePair& end = receiver.queuePair;
        function(end.GetRecord().flow.id, end.GetSignals());
    });
}

void
RoceNic::VisitSending(const std::function<void(uint64_t, uint64_t)>& function)
{
    m_requester.GetQueuePairs().ForEach([&function](FlowSender& sender) {
        SendQueuePair& end = sender.queuePair;
        function(end.GetRecord().flow.id, end.GetAcknowledgedBytes());
    });
}

void
RoceNic::SetControlFactory(ObjectFactory factory)
{
    m_controlFactory = factory;
    m_feedback = factory.Create<CongestionControl>()->GetFeedback();
}

void
RoceNic::SetReliabilityFactory(ObjectFactory factory)
{
    m_reliabilityFactory = factory;
    m_reliability = factory.Create<Reliability>();
    m_reliabilityWindow = m_reliability->GetWindow();
    m_traits = m_reliability->GetTraits();
}

ObjectFactory
RoceNic::GetReliabilityFactory() const
{
    return m_reliabilityFactory;
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
    connection.sourceMac = m_device->GetMacAddress();
    connection.destinationMac = peer->m_device->GetMacAddress();
    connection.number = RoceConnection::NumberOf(flow.id);
    connection.initialPsn = m_initialPsn;
    connection.wantsCnps = m_feedback.notifications;
    connection.isCoalesced = peer->m_ackInterval > 1;
    connection.retransmitTimeout =
        std::max(m_retransmitTimeout, m_reliability->GetLongestTimeout(m_retransmitTimeout));
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
    else // in an event of this node: the peer opens its end before a packet can arrive
    {
        const uint32_t there = peer->m_device->GetNode()->GetId();
        Simulator::ScheduleWithContext(there,
                                       GetDelayBetween(m_device->GetNode()->GetId(), there),
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
    CheckNumber(m_requester.TryOpen(connection), connection);
    Kick();
}

void
RoceNic::OpenReceiver(const RoceConnection& connection)
{
    CheckEnd(connection, connection.flow.destination);
    RequireTurn(m_device->GetNode()->GetId(), "starts a flow to");
    CheckNumber(m_responder.TryOpen(connection), connection);
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
                         << std::bitset<NUM_PRIORITIES>(m_requester.GetRequesting())
                         << ", open are " << std::bitset<NUM_PRIORITIES>(permit.classes));
    return m_requester.MaySend(permit) || m_responder.MayAnswer(permit) ||
           m_requester.PrepareDue(permit);
}

Frame
RoceNic::Dequeue(const Permit& permit)
{
    return m_responder.MayAnswer(permit) ? m_responder.Answer(permit) : m_requester.Send(permit);
}

void
RoceNic::NotifyGateChanged()
{
    m_requester.NotifyGateChanged();
}

void
RoceNic::NotifyPaused(const PauseNotice& notice)
{
    m_requester.NotifyPaused(notice);
}

bool
RoceNic::TryReceive(const Frame& frame)
{
    if (!IsForHere(frame))
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
RoceNic::Prefetch(const RingBuffer<Frame>& frames) const
{
    constexpr std::size_t FEW = 8; // the number of ends that fit into the caches
    if (m_requester.GetQueuePairs().GetOpen() + m_responder.GetQueuePairs().GetOpen() <= FEW)
    {
        return;
    }
    constexpr std::size_t STEPS = QueuePairTable<FlowSender>::PREFETCH_STEPS;
    static_assert(STEPS <= FrameSink::FRAMES_AHEAD);
    const std::size_t count = std::min(frames.GetSize(), STEPS);
    for (std::size_t ahead = 0; ahead < count; ++ahead)
    {
        Prefetch(frames.Peek(ahead), STEPS - 1 - ahead); // one step per frame
    }
}

void
RoceNic::Prefetch(const Frame& frame, std::size_t step) const
{
    const UnbuiltPacket* packet = frame.packet.GetUnbuilt();
    if (!packet)
    {
        return;
    }
    const RoceHeader& header = packet->GetHeader();
    if (IsData(header.GetOpcode()))
    {
        m_responder.Prefetch(frame.flow.source, header.GetDestinationQp(), step);
    }
    else
    {
        m_requester.Prefetch(header, step);
    }
}

void
RoceNic::ReceivePacket(const RoceHeader& header,
                       const TelemetryHeader* telemetry,
                       const SackHeader* sack)
{
    switch (header.GetOpcode())
    {
    case RoceOpcode::ACKNOWLEDGE:
        m_requester.ReceiveAnswer(header, telemetry, sack);
        break;
    case RoceOpcode::CNP:
        m_requester.ReceiveCnp(header);
        break;
    default:
        m_responder.ReceiveData(header, telemetry);
        break;
    }
}

} // namespace ns3::lossless
