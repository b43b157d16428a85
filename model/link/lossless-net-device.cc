// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-net-device.h"

#include "host-port.h"
#include "link-retry.h"
#include "lossless-channel.h"
#include "node-name.h"
#include "pause-gate.h"

#include "ns3/abort.h"
#include "ns3/ethernet-header.h"
#include "ns3/fixed-accessor.h"
#include "ns3/log.h"
#include "ns3/mac-control-header.h"
#include "ns3/make-type-id.h"
#include "ns3/names.h"
#include "ns3/node.h"
#include "ns3/ordered-set.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/wheel-simulator-impl.h"

#include <numeric>
#include <string>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessNetDevice");

NS_OBJECT_ENSURE_REGISTERED(LosslessNetDevice);

namespace
{

/// Fires a trace that reports lost frames. The packet is built only if the trace is connected.
/// @param details the arguments of the trace after the packet
template <typename... DETAILS>
void
ShowLost(const TracedCallback<Ptr<const Packet>, DETAILS...>& trace,
         const Frame& frame,
         DETAILS... details)
{
    if (!trace.IsEmpty())
    {
        trace(frame.packet, details...);
    }
}

/// An object aggregated to an error model to identify the node that uses the model.
class ErrorModelUser : public Object
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeTypeId<ErrorModelUser, Object>("ErrorModelUser");
        return tid;
    }

    uint32_t node{0}; ///< the ID of the node
};

/// Stops the program if nodes share an error model, because the random numbers that each node draws
/// would then depend on the order of the nodes' turns; see WheelSimulatorImpl.
void
RequireOwnErrors(ErrorModel& model, uint32_t node)
{
    auto user = model.GetObject<ErrorModelUser>();
    if (!user)
    {
        user = CreateObject<ErrorModelUser>();
        user->node = node;
        model.AggregateObject(user);
    }
    NS_ABORT_MSG_IF(user->node != node,
                    "LosslessNetDevice: ReceiveErrorModel is one object at the nodes "
                        << GetNodeName(user->node) << " and " << GetNodeName(node)
                        << "; each needs its own, which a default or the command line cannot "
                           "give: set it device by device in a program.");
}

/// @param packet a MAC control frame, an ordered set, or null for an empty frame
Frame
MakeControlFrame(const Ptr<Packet>& packet)
{
    Frame frame;
    frame.size = packet ? packet->GetSize() : 0;
    frame.packet = packet;
    frame.kind = FrameKind::MAC_CONTROL;
    return frame;
}

} // namespace

TypeId
LosslessNetDevice::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<LosslessNetDevice, NetDevice>("LosslessNetDevice")
            .AddAttribute("Address",
                          "MAC address of the device.",
                          Mac48AddressValue(Mac48Address("ff:ff:ff:ff:ff:ff")),
                          MakeMac48AddressAccessor(&LosslessNetDevice::SetMacAddress,
                                                   &LosslessNetDevice::GetMacAddress),
                          MakeMac48AddressChecker())
            .AddAttribute("DataRate",
                          "Rate of the link, in whose bit times pause quanta are also counted; "
                          "fixed once the device is initialized.",
                          DataRateValue(DataRate("100Gbps")),
                          MakeDataRateAccessor(&LosslessNetDevice::SetDataRate,
                                               &LosslessNetDevice::GetDataRate),
                          MakeDataRateChecker())
            .AddAttribute(
                "Mtu",
                "Largest payload of an Ethernet frame, in bytes.",
                UintegerValue(1500),
                MakeUintegerAccessor(&LosslessNetDevice::SetMtu, &LosslessNetDevice::GetMtu),
                MakeUintegerChecker<uint16_t>(68))
            .AddAttribute("OverheadBytes",
                          "Bytes that each frame takes on the wire beyond its packet: preamble "
                          "(8), FCS (4) and inter-frame gap (12).",
                          UintegerValue(WIRE_OVERHEAD_BYTES),
                          Fixed(MakeUintegerAccessor(&LosslessNetDevice::m_overheadBytes)),
                          MakeUintegerChecker<uint32_t>(0, 1000))
            .AddAttribute(
                "GapBytes",
                "Part of OverheadBytes that follows the last bit of a frame, which arrives that "
                "much before the transmitter is free. Ethernet has 12; with 0, all overhead "
                "precedes the last bit, a difference of a nanosecond at 100 Gb/s. If the release "
                "of a frame is awaited, its buffer is released at the end of the gap.",
                UintegerValue(0),
                Fixed(MakeUintegerAccessor(&LosslessNetDevice::m_gapBytes)),
                MakeUintegerChecker<uint32_t>(0, 1000))
            .AddAttribute("ReceiveErrorModel",
                          "Decides which arriving frames are corrupt and therefore lost.",
                          PointerValue(),
                          MakePointerAccessor(&LosslessNetDevice::SetErrorModel,
                                              &LosslessNetDevice::GetErrorModel),
                          MakePointerChecker<ErrorModel>())
            .AddAttribute(
                "Gate",
                "Decides, from the neighbour's control frames, which classes may send; made by the "
                "switch's scheme for its ports and the hosts behind them.",
                TypeId::ATTR_GET | TypeId::ATTR_SET,
                PointerValue(),
                MakePointerAccessor(&LosslessNetDevice::SetGate, &LosslessNetDevice::GetGate),
                MakePointerChecker<TransmitGate>())
            .AddTraceSource("MacTx",
                            "The stack hands over a packet to send.",
                            MakeTraceSourceAccessor(&LosslessNetDevice::m_macTxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacTxDrop",
                            "A packet of the stack is refused: above the MTU, link down or "
                            "transmit queue full.",
                            MakeTraceSourceAccessor(&LosslessNetDevice::m_macTxDropTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRx",
                            "A packet is handed to the stack.",
                            MakeTraceSourceAccessor(&LosslessNetDevice::m_macRxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxBegin",
                            "The first bit of a frame leaves.",
                            MakeTraceSourceAccessor(&LosslessNetDevice::m_phyTxBeginTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxEnd",
                            "The last bit of an intact frame has arrived, and link-level retry, if "
                            "there is one, has accepted the frame.",
                            MakeTraceSourceAccessor(&LosslessNetDevice::m_phyRxEndTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource(
                "PhyRxDrop",
                "A frame is lost on arrival: corrupt, or the cable was cut; with link-level retry "
                "also an intact frame that is a duplicate or out of order.",
                MakeTraceSourceAccessor(&LosslessNetDevice::m_phyRxDropTrace),
                "ns3::Packet::TracedCallback")
            .AddTraceSource("Sniffer",
                            "Every frame sent or received, as a non-promiscuous capture sees it.",
                            MakeTraceSourceAccessor(&LosslessNetDevice::m_snifferTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PromiscSniffer",
                            "Every frame sent or received, as a promiscuous capture sees it.",
                            MakeTraceSourceAccessor(&LosslessNetDevice::m_promiscuousSniffTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("Drop",
                            "A frame is lost at this device, with the reason.",
                            MakeTraceSourceAccessor(&LosslessNetDevice::m_dropTrace),
                            "ns3::lossless::LosslessNetDevice::DropTracedCallback");
    return tid;
}

LosslessNetDevice::LosslessNetDevice()
    : m_transmitEnd(Create<TransmitEndEvent>(this)),
      m_gate(CreateObject<PauseGate>()),
      m_inbound(Create<WireReceiver>(this)),
      m_hostPort(std::make_unique<HostPort>(this))
{
    m_source = m_hostPort.get();
    m_sink = m_hostPort.get();
    UpdateReception();
}

LosslessNetDevice::~LosslessNetDevice()
{
    m_transmitEnd->Detach();
    m_inbound->Detach();
}

void
LosslessNetDevice::DoInitialize()
{
    NS_ABORT_MSG_IF(!m_source,
                    "LosslessNetDevice: a port of a switch is initialised by its switch.");
    NS_ABORT_MSG_IF(m_rate.GetBitRate() == 0,
                    "LosslessNetDevice: DataRate is 0 bit/s; it must be positive.");
    MeasureBits();
    NS_ABORT_MSG_IF(m_gapBytes > m_overheadBytes,
                    "LosslessNetDevice: GapBytes is " << m_gapBytes << "; it must be at most "
                                                      << "OverheadBytes, " << m_overheadBytes
                                                      << ".");
    if (m_errorModel)
    {
        RequireOwnErrors(*m_errorModel, m_nodeId);
    }
    PrepareAsHost();
    TakeHostGate();
    AttachGate();
    NetDevice::DoInitialize();
    m_canTransmit = IsLinkUp();
    const Ticks now = NowInTicks();
    m_busyUntil = now;
    if (m_retry)
    {
        m_retry->NotifyLinkChanged(m_canTransmit);
    }
    AwaitTransmitEnd(now); // a source may have received a frame before initialization
}

void
LosslessNetDevice::MeasureBits()
{
    const auto ticksPerSecond = static_cast<uint64_t>(Seconds(1).GetTimeStep());
    const uint64_t bitRate = m_rate.GetBitRate();
    m_wholeTicksPerBit = ticksPerSecond / bitRate;
    const uint64_t unit = std::gcd(ticksPerSecond, bitRate); // also a divisor of the remainder
    m_restTicksPerBit = ticksPerSecond % bitRate / unit;
    m_carryLimit = bitRate / unit;
    m_carry = 0;
    m_measuredBytes = 0;
    m_gap = m_rate.CalculateBytesTxTime(m_gapBytes).GetTimeStep();
}

DataRate
LosslessNetDevice::GetFirstRate() const
{
    return m_firstRate.value_or(m_rate);
}

void
LosslessNetDevice::ChangeRate(DataRate rate)
{
    NS_ABORT_MSG_IF(rate.GetBitRate() == 0,
                    "LosslessNetDevice: ChangeRate() to 0 bit/s; cut the cable instead.");
    NS_ABORT_MSG_IF(rate > GetFirstRate(),
                    "LosslessNetDevice: ChangeRate() to "
                        << rate << "; a link can have at most " << GetFirstRate()
                        << ", its first rate, from which headroom and PAUSEs were computed.");
    RequireTurn(m_nodeId, "changes the rate of a link of");
    m_firstRate = GetFirstRate();
    m_rate = rate;
    MeasureBits();
    Announce();
    AttachGate();
}

void
LosslessNetDevice::SetRetry(Ptr<LinkRetry> retry)
{
    m_retry = retry;
    m_wire.SetRetry(PeekPointer(retry));
    UpdateReception();
    Announce();
}

Ptr<LinkRetry>
LosslessNetDevice::GetRetry() const
{
    return m_retry;
}

void
LosslessNetDevice::NotifyRetryReady()
{
    if (IsInitialized())
    {
        // The source must release frames that have already left before the next transmission.
        m_source->NotifyTransmitEnd();
    }
    m_isControlRequested = true;
    Kick();
}

void
LosslessNetDevice::DoDispose()
{
    if (m_retry)
    {
        m_retry->Dispose();
        m_retry = nullptr;
    }
    m_transmitEnd->Detach();
    m_settled.Cancel();
    m_canTransmit = false;
    m_wire.Disconnect();
    m_inbound->Detach();
    m_gate->Dispose();
    m_gate = nullptr;
    m_source = nullptr;
    m_sink = nullptr;
    m_hostPort.reset();
    m_control.Clear();
    m_partner.reset();
    m_channel = nullptr;
    m_node = nullptr;
    m_errorModel = nullptr;
    m_receiveCallback.Nullify();
    m_promiscuousCallback.Nullify();
    NetDevice::DoDispose();
}

void
LosslessNetDevice::NotifyNewAggregate()
{
    if (m_hostPort)
    {
        m_hostPort->ConnectStack(GetObject<NetDeviceQueueInterface>());
    }
    NetDevice::NotifyNewAggregate();
}

void
LosslessNetDevice::Attach(Ptr<LosslessChannel> channel)
{
    NS_ABORT_MSG_IF(m_channel, "LosslessNetDevice: the device is attached to a channel already.");
    m_channel = channel;
    m_channel->Attach(this);
}

void
LosslessNetDevice::SetEndpoint(FrameSource* source, FrameSink* sink)
{
    m_source = source;
    m_sink = sink;
    m_hostPort.reset();
    UpdateReception();
    Announce();
}

void
LosslessNetDevice::SetSwitchSide(const SwitchSide* switchSide)
{
    m_switchSide = switchSide;
    Announce();
}

void
LosslessNetDevice::NotifyWatched()
{
    m_isWatched = true;
    UpdateReception();
}

void
LosslessNetDevice::UpdateReception()
{
    const bool looks = m_isWatched || m_errorModel || m_retry;
    m_inbound->SetSink(looks ? nullptr : m_sink, m_hostPort != nullptr);
}

void
LosslessNetDevice::SetErrorModel(Ptr<ErrorModel> model)
{
    m_errorModel = model;
    if (model && IsInitialized())
    {
        RequireOwnErrors(*model, m_nodeId);
    }
    UpdateReception();
}

void
LosslessNetDevice::SetGate(Ptr<TransmitGate> gate)
{
    NS_ABORT_MSG_IF(!gate, "LosslessNetDevice: Gate must not be null.");
    if (gate == m_gate)
    {
        return;
    }
    m_gate->Dispose();
    m_gate = gate;
    if (IsInitialized())
    {
        AttachGate();
        NotifyGateOpened(); // the former gate will not report that it opens
    }
}

void
LosslessNetDevice::AttachGate()
{
    const Time delay = m_channel ? m_channel->GetLongestDelay() : Time(0);
    m_gate->Attach({m_rate, delay, m_overheadBytes, m_mtu, GetLossless(), m_nodeId}, this);
    m_gate->Initialize();
}

void
LosslessNetDevice::NotifyGateOpened()
{
    // The source must release frames that have already left before the next transmission.
    m_source->NotifyTransmitEnd();
    m_source->NotifyGateChanged();
    Kick();
}

void
LosslessNetDevice::NotifyPaused(const PauseNotice& notice)
{
    m_source->NotifyPaused(notice);
}

void
LosslessNetDevice::NotifyUnknownControl(const Frame& frame)
{
    Drop(frame, DropReason::UNKNOWN_CONTROL);
}

void
LosslessNetDevice::Announce()
{
    if (m_channel)
    {
        m_channel->Announce(this);
    }
}

LinkPartner
LosslessNetDevice::Describe() const
{
    LinkPartner partner;
    partner.rate = m_rate;
    partner.firstRate = GetFirstRate();
    partner.mtu = m_mtu;
    partner.replayBytes = m_retry ? m_retry->GetReplayBytes() : 0;
    partner.address = m_address;
    partner.isHost = m_hostPort != nullptr;
    partner.node = m_node ? Names::FindName(m_node) : "";
    if (partner.node.empty())
    {
        partner.node = "node " + std::to_string(m_nodeId);
    }
    partner.switchSide = m_switchSide;
    return partner;
}

void
LosslessNetDevice::NotifyPartner(const LinkPartner& partner)
{
    const bool isNew = !m_partner || !m_partner->switchSide;
    m_partner = partner;
    NS_LOG_DEBUG("node " << m_nodeId << " port " << m_ifIndex << " is joined to " << partner.node
                         << " (" << partner.address << ", " << partner.rate << ")");
    PrepareAsHost();
    if (isNew && IsInitialized())
    {
        TakeHostGate();
        AttachGate();
    }
}

void
LosslessNetDevice::PrepareAsHost()
{
    if (m_hostPort && m_node && m_partner && m_partner->switchSide)
    {
        m_partner->switchSide->PrepareHost(this);
    }
}

void
LosslessNetDevice::TakeHostGate()
{
    if (m_hostPort && m_partner && m_partner->switchSide)
    {
        if (Ptr<TransmitGate> gate = m_partner->switchSide->CreateHostGate(this))
        {
            SetGate(gate);
        }
    }
}

PrioritySet
LosslessNetDevice::GetLossless() const
{
    const SwitchSide* switchSide = m_switchSide;
    if (!switchSide && m_partner)
    {
        switchSide = m_partner->switchSide;
    }
    return switchSide ? switchSide->GetLossless() : ALL_PRIORITIES;
}

Ptr<LosslessNetDevice>
LosslessNetDevice::GetPeer() const
{
    return m_channel ? m_channel->GetPeer(this) : nullptr;
}

void
LosslessNetDevice::Kick()
{
    Kick(NowInTicks());
}

void
LosslessNetDevice::Kick(Ticks now)
{
    if (IsFree(now) && !(HasControl() && TransmitControl(now)))
    {
        TransmitData(now);
    }
}

bool
LosslessNetDevice::IsFree(Ticks now)
{
    if (!m_canTransmit || m_starting)
    {
        return false;
    }
    if (now < m_busyUntil)
    {
        AwaitTransmitEnd(now);
        return false;
    }
    return true;
}

bool
LosslessNetDevice::TransmitControl(Ticks now)
{
    Frame frame = MakeControlFrame(TakeControl());
    while (m_retry && frame.packet && m_retry->Defer(frame))
    {
        frame = MakeControlFrame(TakeControl());
    }
    if (!frame.packet)
    {
        return m_retry && TransmitRetry(now);
    }
    NS_LOG_DEBUG("node " << m_nodeId << " port " << m_ifIndex << " sends a control frame");
    const Ticks gap = IsOrderedSet(*frame.packet) ? 0 : m_gap; // no gap follows an ordered set
    TransmitStart(std::move(frame), gap, now);
    if (HasControl() || m_source->Prepare(GetPermit()))
    {
        AwaitTransmitEnd(now);
    }
    return true;
}

bool
LosslessNetDevice::TransmitRetry(Ticks now)
{
    std::optional<Frame> frame = m_retry->TakeReplay();
    // While new frames are held back, a control frame stays requested, so that Kick() calls this
    // function before TransmitData().
    m_isControlRequested = m_retry->IsHolding();
    if (!frame)
    {
        return m_isControlRequested;
    }
    TransmitStart(std::move(*frame), m_gap, now);
    AwaitTransmitEnd(now);
    return true;
}

void
LosslessNetDevice::TransmitData(Ticks now)
{
    const Permit permit = GetPermit();
    if (!m_source->Prepare(permit))
    {
        return;
    }
    // While processing the departure of this frame, a scheme can request a control frame or open
    // its gate.
    m_starting = true;
    Frame frame = m_source->Dequeue(permit);
    if (m_gate->IsPacing())
    {
        m_gate->NotifySent(frame);
    }
    m_starting = false;
    m_sentBytes += frame.size + m_overheadBytes;
    const Ticks lastBit = TransmitStart(std::move(frame), m_gap, now);
    if (m_source->NotifyTransmitStart(lastBit, GetPermit()) || HasControl())
    {
        AwaitTransmitEnd(now);
    }
}

void
LosslessNetDevice::AwaitTransmitEnd(Ticks now)
{
    if (!m_isEndAwaited)
    {
        m_isEndAwaited = true;
        m_transmitEnd->ArmTicks(m_nodeId, m_busyUntil - now);
    }
}

void
LosslessNetDevice::TransmitEnd()
{
    m_isEndAwaited = false;
    m_source->NotifyTransmitEnd();
    Kick();
}

void
LosslessNetDevice::SendControl(Ptr<Packet> packet)
{
    RequireTurn(m_nodeId, "sends a control frame at");
    if (m_canTransmit)
    {
        m_control.Push(std::move(packet));
        m_isControlWaiting = true;
        KickControl();
    }
}

void
LosslessNetDevice::RequestControl()
{
    RequireTurn(m_nodeId, "sends a control frame at");
    if (m_canTransmit)
    {
        m_isControlRequested = true;
        KickControl();
    }
}

void
LosslessNetDevice::KickControl()
{
    // No data frame is sent even if there is no control frame after all, because the source that
    // requested the control frame may be about to release its last frame.
    const Ticks now = NowInTicks();
    if (IsFree(now))
    {
        TransmitControl(now);
    }
}

Ptr<Packet>
LosslessNetDevice::TakeControl()
{
    if (m_isControlWaiting)
    {
        Ptr<Packet> frame = m_control.Pop();
        m_isControlWaiting = !m_control.IsEmpty();
        return frame;
    }
    m_starting = true; // a trace sink may request the next control frame
    Ptr<Packet> frame = m_source->MakeControl();
    m_starting = false;
    m_isControlRequested = frame != nullptr;
    return frame;
}

Ticks
LosslessNetDevice::TransmitStart(Frame&& frame, Ticks gap, Ticks now)
{
    if (m_busyUntil < now)
    {
        m_carry = 0; // the wire was idle, so a new busy period starts with this frame
    }
    m_busyUntil = now + AdvanceWire(frame.size);
    NS_LOG_LOGIC("node " << m_nodeId << " port " << m_ifIndex << " starts to send " << frame.size
                         << " B of class " << Index(frame.priority) << ", free at "
                         << TimeStep(m_busyUntil).As(Time::NS));
    if (m_isWatched)
    {
        Show(frame, m_phyTxBeginTrace);
    }
    const Ticks lastBit = m_busyUntil - gap;
    m_wire.Carry(std::move(frame), lastBit, now);
    return lastBit;
}

void
LosslessNetDevice::Show(const Frame& frame, const TracedCallback<Ptr<const Packet>>& trace)
{
    if (IsOrderedSet(*frame.packet))
    {
        return; // captures do not contain ordered sets, which are sent between frames
    }
    trace(frame.packet);
    m_snifferTrace(frame.packet);
    m_promiscuousSniffTrace(frame.packet);
}

Ticks
LosslessNetDevice::AdvanceWire(uint32_t bytes)
{
    if (bytes != m_measuredBytes)
    {
        Measure(bytes);
    }
    m_carry += m_measuredRest;
    if (m_carry < m_carryLimit)
    {
        return m_measuredTicks;
    }
    m_carry -= m_carryLimit;
    return m_measuredTicks + 1;
}

void
LosslessNetDevice::Measure(uint32_t bytes)
{
    const uint64_t bits = 8ULL * (bytes == ORDERED_SET_BYTES ? bytes : bytes + m_overheadBytes);
    const uint64_t rest = bits * m_restTicksPerBit;
    m_measuredBytes = bytes;
    m_measuredTicks = static_cast<Ticks>(bits * m_wholeTicksPerBit + rest / m_carryLimit);
    m_measuredRest = rest % m_carryLimit;
}

void
LosslessNetDevice::SetDataRate(DataRate rate)
{
    NS_ABORT_MSG_IF(IsInitialized(),
                    "LosslessNetDevice: DataRate cannot change any more, since the device is "
                    "initialised; set it before the simulation starts.");
    m_rate = rate;
    Announce();
}

Time
LosslessNetDevice::GetWireTime(uint32_t bytes) const
{
    return m_rate.CalculateBytesTxTime(bytes + m_overheadBytes) - TimeStep(m_gap);
}

double
LosslessNetDevice::GetSlotSeconds(uint32_t bytes) const
{
    return 8.0 * (bytes + m_overheadBytes) / static_cast<double>(m_rate.GetBitRate());
}

double
LosslessNetDevice::GetGapSeconds() const
{
    return 8.0 * m_gapBytes / static_cast<double>(m_rate.GetBitRate());
}

void
LosslessNetDevice::Receive(Frame&& frame)
{
    const bool isCorrupt = m_errorModel && m_errorModel->IsCorrupt(frame.packet);
    if (m_retry && LinkRetry::IsSet(frame))
    {
        m_retry->TakeSet(frame, isCorrupt);
        return;
    }
    const bool isKept = m_retry && LinkRetry::IsEligible(frame) && m_retry->NoteArrival();
    if (isKept && !m_retry->Accept(isCorrupt))
    {
        ShowLost(m_phyRxDropTrace, frame);
        return; // the frame will be retransmitted or has arrived before
    }
    if (isCorrupt && !isKept)
    {
        ShowLost(m_phyRxDropTrace, frame);
        Drop(frame, DropReason::RECEIVE_ERROR);
        return;
    }
    if (m_isWatched)
    {
        Show(frame, m_phyRxEndTrace);
    }
    if (frame.kind == FrameKind::MAC_CONTROL)
    {
        NS_LOG_DEBUG("node " << m_nodeId << " port " << m_ifIndex
                             << " takes a control frame for gate " << m_gate);
        m_gate->ReceiveControl(frame);
        return;
    }
    m_sink->Receive(std::move(frame));
}

void
LosslessNetDevice::NotifyLostOnLink(const Frame& frame)
{
    if (m_retry && LinkRetry::IsSet(frame))
    {
        m_retry->TakeSet(frame, true);
        return;
    }
    ShowLost(m_phyRxDropTrace, frame);
    if (!m_retry || !LinkRetry::IsEligible(frame) || !m_retry->NoteArrival())
    {
        // With LLR, the sender counts the frames that did not arrive.
        Drop(frame, DropReason::LINK_DOWN);
    }
}

void
LosslessNetDevice::NotifyLinkChanged()
{
    RequireTurn(m_nodeId, "cuts or mends a cable of");
    const bool up = IsLinkUp();
    NS_LOG_DEBUG("node " << m_nodeId << " port " << m_ifIndex << ": link is "
                         << (up ? "up" : "down"));
    m_canTransmit = up && IsInitialized();
    m_control.Clear();
    m_isControlWaiting = false;
    m_isControlRequested = false;
    m_settled.Cancel();
    m_isSettling = m_canTransmit;
    if (m_isSettling) // before a gate that opens can make this end send
    {
        m_settled = Simulator::Schedule(GetSettlingTime(), &LosslessNetDevice::EndSettling, this);
    }
    if (m_retry)
    {
        m_retry->NotifyLinkChanged(m_canTransmit);
    }
    m_gate->Reset();
    m_linkChange();
    if (m_source)
    {
        m_source->NotifyLinkChanged(up);
    }
    Kick();
}

Time
LosslessNetDevice::GetSettlingTime() const
{
    constexpr uint32_t MOST_FRAMES = 8; // PFC needs at most three
    constexpr uint32_t BYTES = MOST_FRAMES * (MIN_ETHERNET_FRAME_BYTES + WIRE_OVERHEAD_BYTES);
    return std::min(m_rate, m_partner->rate).CalculateBytesTxTime(BYTES) + m_partner->delay +
           m_partner->jitter + m_gate->GetResponse();
}

void
LosslessNetDevice::EndSettling()
{
    m_isSettling = false;
    NotifyGateOpened();
}

void
LosslessNetDevice::DeliverToStack(const Frame& frame)
{
    Ptr<Packet> packet = frame.packet->Copy();
    EthernetHeader header(false);
    packet->RemoveHeader(header);
    PacketType type = PACKET_OTHERHOST;
    if (header.GetDestination() == m_address)
    {
        type = PACKET_HOST;
    }
    else if (header.GetDestination().IsBroadcast())
    {
        type = PACKET_BROADCAST;
    }
    else if (header.GetDestination().IsGroup())
    {
        type = PACKET_MULTICAST;
    }
    const uint16_t protocol = header.GetLengthType();
    if (!m_promiscuousCallback.IsNull())
    {
        m_promiscuousCallback(this,
                              packet->Copy(),
                              protocol,
                              header.GetSource(),
                              header.GetDestination(),
                              type);
    }
    if (type == PACKET_OTHERHOST)
    {
        Drop(frame, DropReason::NOT_ADDRESSED);
        return;
    }
    m_macRxTrace(packet);
    if (!m_receiveCallback(this, packet, protocol, header.GetSource()))
    {
        Drop(frame, DropReason::NOT_ADDRESSED);
    }
}

void
LosslessNetDevice::Drop(const Frame& frame, DropReason reason)
{
    NS_LOG_DEBUG("node " << m_nodeId << " port " << m_ifIndex << " drops a frame of " << frame.size
                         << " B: " << ToString(reason));
    ShowLost(m_dropTrace, frame, reason);
}

bool
LosslessNetDevice::Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber)
{
    return SendFrom(packet, m_address, dest, protocolNumber);
}

bool
LosslessNetDevice::SendFrom(Ptr<Packet> packet,
                            const Address& source,
                            const Address& dest,
                            uint16_t protocolNumber)
{
    NS_ABORT_MSG_IF(!m_hostPort, "LosslessNetDevice: a port of a switch has no stack to send for.");
    RequireTurn(m_nodeId, "sends a frame at");
    m_macTxTrace(packet);
    if (packet->GetSize() > m_mtu) // headroom, credits and refreshes rely on the MTU
    {
        m_macTxDropTrace(packet);
        return false;
    }
    EthernetHeader header(false);
    header.SetSource(Mac48Address::ConvertFrom(source));
    header.SetDestination(Mac48Address::ConvertFrom(dest));
    header.SetLengthType(protocolNumber);
    packet->AddHeader(header);
    if (packet->GetSize() < MIN_ETHERNET_FRAME_BYTES)
    {
        // Packet::AddPaddingAtEnd() would leave memory uninitialized.
        packet->AddAtEnd(Create<Packet>(MIN_ETHERNET_FRAME_BYTES - packet->GetSize()));
    }
    if (!IsLinkUp())
    {
        Drop(ParseFrame(packet), DropReason::LINK_DOWN);
    }
    else if (m_hostPort->SendFromStack(ParseFrame(packet)))
    {
        return true;
    }
    m_macTxDropTrace(packet);
    return false;
}

void
LosslessNetDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
    m_inbound->SetPlace(m_nodeId, m_ifIndex);
}

uint32_t
LosslessNetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
LosslessNetDevice::GetChannel() const
{
    return m_channel;
}

void
LosslessNetDevice::SetAddress(Address address)
{
    SetMacAddress(Mac48Address::ConvertFrom(address));
}

void
LosslessNetDevice::SetMacAddress(Mac48Address address)
{
    m_address = address;
    Announce();
}

Address
LosslessNetDevice::GetAddress() const
{
    return m_address;
}

bool
LosslessNetDevice::SetMtu(const uint16_t mtu)
{
    if (IsInitialized())
    {
        return false; // headroom and many other settings depend on the MTU
    }
    m_mtu = mtu;
    Announce();
    return true;
}

uint16_t
LosslessNetDevice::GetMtu() const
{
    return m_mtu;
}

bool
LosslessNetDevice::IsLinkUp() const
{
    return m_channel && m_channel->IsUp();
}

void
LosslessNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChange.ConnectWithoutContext(callback);
}

bool
LosslessNetDevice::IsBroadcast() const
{
    return true;
}

Address
LosslessNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
LosslessNetDevice::IsMulticast() const
{
    return false;
}

Address
LosslessNetDevice::GetMulticast(Ipv4Address multicastGroup) const
{
    return Mac48Address::GetMulticast(multicastGroup);
}

Address
LosslessNetDevice::GetMulticast(Ipv6Address addr) const
{
    return Mac48Address::GetMulticast(addr);
}

bool
LosslessNetDevice::IsBridge() const
{
    return false;
}

bool
LosslessNetDevice::IsPointToPoint() const
{
    return false;
}

Ptr<Node>
LosslessNetDevice::GetNode() const
{
    return m_node;
}

void
LosslessNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
    m_nodeId = node->GetId();
    m_inbound->SetPlace(m_nodeId, m_ifIndex);
}

bool
LosslessNetDevice::NeedsArp() const
{
    return true;
}

void
LosslessNetDevice::SetReceiveCallback(NetDevice::ReceiveCallback cb)
{
    m_receiveCallback = cb;
}

void
LosslessNetDevice::SetPromiscReceiveCallback(PromiscReceiveCallback cb)
{
    m_promiscuousCallback = cb;
}

bool
LosslessNetDevice::SupportsSendFrom() const
{
    return true;
}

} // namespace ns3::lossless
