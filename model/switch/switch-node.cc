// SPDX-License-Identifier: GPL-2.0-only
#include "switch-node.h"

#include "ns3/abort.h"
#include "ns3/attribute-condition.h"
#include "ns3/boolean.h"
#include "ns3/factory-attribute.h"
#include "ns3/fixed-accessor.h"
#include "ns3/log.h"
#include "ns3/lossless-net-device.h"
#include "ns3/make-type-id.h"
#include "ns3/node-name.h"
#include "ns3/pointer.h"
#include "ns3/ranks.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/unlimited-buffer-policy.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>
#include <array>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessSwitchNode");

NS_OBJECT_ENSURE_REGISTERED(SwitchNode);

namespace
{

const RegisterCondition<SwitchNode> g_lossless({"LosslessClasses"},
                                               "FlowControl",
                                               Where::IS_NOT,
                                               "ns3::lossless::FlowControl");

} // namespace

TypeId
SwitchNode::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<SwitchNode, Node>("SwitchNode")
            .AddAttribute("SharedBuffer",
                          "The packet memory.",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&SwitchNode::m_buffer),
                          MakePointerChecker<SharedBuffer>())
            .AddAttribute(
                "BufferPolicy",
                "Admission of frames, and thresholds of ingress queues.",
                TypeId::ATTR_GET | TypeId::ATTR_SET,
                PointerValue(),
                MakePointerAccessor(&SwitchNode::SetBufferPolicy, &SwitchNode::GetBufferPolicy),
                MakePointerChecker<BufferPolicy>())
            .AddAttribute(
                "FlowControl",
                "The flow control scheme.",
                TypeId::ATTR_GET | TypeId::ATTR_SET,
                PointerValue(),
                MakePointerAccessor(&SwitchNode::SetFlowControl, &SwitchNode::GetFlowControl),
                MakePointerChecker<FlowControl>())
            .AddAttribute(
                "Forwarding",
                "Finds the egress port of a frame.",
                TypeId::ATTR_GET | TypeId::ATTR_SET,
                PointerValue(),
                MakePointerAccessor(&SwitchNode::SetForwarding, &SwitchNode::GetForwarding),
                MakePointerChecker<Forwarding>())
            .AddAttribute(
                "Processor",
                "Holds frames between ingress and egress; null: they are forwarded as they arrive.",
                TypeId::ATTR_GET | TypeId::ATTR_SET,
                PointerValue(),
                MakePointerAccessor(&SwitchNode::SetProcessor, &SwitchNode::GetProcessor),
                MakePointerChecker<PacketProcessor>())
            .AddAttribute(
                "Trimmer",
                "Cuts the payload off frames that cannot be stored; null: they are dropped.",
                TypeId::ATTR_GET | TypeId::ATTR_SET,
                PointerValue(),
                MakePointerAccessor(&SwitchNode::SetTrimmer, &SwitchNode::GetTrimmer),
                MakePointerChecker<PacketTrimmer>())
            .AddAttribute("EgressQueue",
                          "Makes the EgressQueue of each port and class (default: that of the "
                          "scheme, or first in, first out if it has none); schemes with their own "
                          "egress queues (PABO, OFC, BFC) allow no other.",
                          FactoryValue(),
                          Fixed(MakeObjectFactoryAccessor(&SwitchNode::SetQueueFactory,
                                                          &SwitchNode::GetQueueFactory)),
                          MakeFactoryChecker(EgressQueue::GetTypeId(), FactoryNeed::OPTIONAL))
            .AddAttribute("Scheduler",
                          "Makes the ClassScheduler of each port, such as "
                          "\"ns3::lossless::DwrrScheduler[Quantum=1600]\".",
                          ObjectFactoryValue(MakeFactory<DwrrScheduler>()),
                          Fixed(MakeObjectFactoryAccessor(&SwitchNode::m_schedulerFactory)),
                          MakeFactoryChecker(ClassScheduler::GetTypeId()))
            .AddAttribute(
                "Marker",
                "Makes the EcnMarker of each port, such as "
                "\"ns3::lossless::RedMarker[MinBytes=400000]\" (default: marks no frame).",
                ObjectFactoryValue(MakeFactory<EcnMarker>()),
                Fixed(MakeObjectFactoryAccessor(&SwitchNode::m_markerFactory)),
                MakeFactoryChecker(EcnMarker::GetTypeId()))
            .AddAttribute(
                "LosslessClasses",
                "Classes under flow control, bit p for class p; frames of the others may "
                "be dropped (default: 0 to 6). No effect in a switch without flow control.",
                UintegerValue(0x7f),
                Fixed(MakeUintegerAccessor(&SwitchNode::m_lossless)),
                MakeUintegerChecker<uint8_t>())
            .AddAttribute("Telemetry",
                          "Whether the switch writes the state of the egress port into frames "
                          "that have a TelemetryHeader.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&SwitchNode::m_isTelemetryOn),
                          MakeBooleanChecker())
            .AddTraceSource("Enqueue",
                            "A frame is stored.",
                            MakeTraceSourceAccessor(&SwitchNode::m_enqueueTrace),
                            "ns3::lossless::SwitchNode::ItemTracedCallback")
            .AddTraceSource("Dequeue",
                            "A frame starts to leave.",
                            MakeTraceSourceAccessor(&SwitchNode::m_dequeueTrace),
                            "ns3::lossless::SwitchNode::ItemTracedCallback")
            .AddTraceSource("Discard",
                            "A frame in an egress queue is lost. The trace Drop follows.",
                            MakeTraceSourceAccessor(&SwitchNode::m_discardTrace),
                            "ns3::lossless::SwitchNode::ItemTracedCallback")
            .AddTraceSource("Mark",
                            "A frame is marked \"congestion experienced\".",
                            MakeTraceSourceAccessor(&SwitchNode::m_markTrace),
                            "ns3::lossless::SwitchNode::ItemTracedCallback")
            .AddTraceSource("Drop",
                            "A frame is lost, with the reason.",
                            MakeTraceSourceAccessor(&SwitchNode::m_dropTrace),
                            "ns3::lossless::SwitchNode::DropTracedCallback")
            .AddTraceSource("Trim",
                            "The payload of a frame is cut off, with the reason.",
                            MakeTraceSourceAccessor(&SwitchNode::m_trimTrace),
                            "ns3::lossless::SwitchNode::TrimTracedCallback");
    return tid;
}

SwitchNode::SwitchNode()
    : SwitchNode(CreateObject<UnlimitedBufferPolicy>())
{
}

SwitchNode::SwitchNode(Ptr<BufferPolicy> policy,
                       Ptr<FlowControl> flowControl,
                       Ptr<PacketProcessor> processor)
    : m_buffer(CreateObject<SharedBuffer>()),
      m_policy(policy),
      m_flowControl(flowControl),
      m_processor(processor),
      m_forwarding(CreateObject<EcmpForwarding>())
{
    for (uint8_t dscp = 0; dscp < NUM_DSCP; ++dscp)
    {
        m_classOfDscp[dscp] = Priority{static_cast<uint8_t>(dscp >> 3)};
    }
    RegisterDeviceAdditionListener(MakeCallback(&SwitchNode::NotifyDeviceAdded, this));
}

SwitchNode::~SwitchNode() = default;

void
SwitchNode::DoInitialize()
{
    RequireOwnParts();
    SurveyPorts();
    m_buffer->Resize(m_shape.ports.size());
    m_flowControl->Attach(this, PeekPointer(m_buffer), PeekPointer(m_policy), &m_shape);
    ConfigureParts();
    CreatePorts();
    Node::DoInitialize();
}

void
SwitchNode::RequireOwnParts() const
{
    const std::array<Ptr<Object>, 4> parts{m_policy, m_flowControl, m_forwarding, m_processor};
    for (const Ptr<Object>& part : parts)
    {
        NS_ABORT_MSG_IF(part && part->IsInitialized(),
                        "switch " << GetNodeName(GetId()) << ": its "
                                  << part->GetInstanceTypeId().GetName()
                                  << " belongs to another switch too; create one for each switch.");
    }
}

void
SwitchNode::DoDispose()
{
    m_departures.Clear();
    m_ports.clear();
    m_flowControl->Dispose();
    m_policy->Dispose();
    m_forwarding->Dispose();
    if (m_processor)
    {
        m_processor->Dispose();
    }
    m_processor = nullptr;
    m_trimmer = nullptr;
    m_flowControl = nullptr;
    m_policy = nullptr;
    m_forwarding = nullptr;
    Node::DoDispose();
}

void
SwitchNode::AbortIfInitialized(const char* part) const
{
    NS_ABORT_MSG_IF(IsInitialized(),
                    "switch " << GetNodeName(GetId()) << ": " << part
                              << " cannot change any more, since the switch is initialised; set "
                                 "up everything before the simulation starts.");
}

void
SwitchNode::NotifyDeviceAdded(Ptr<NetDevice> added)
{
    AbortIfInitialized("the set of ports");
    if (Ptr<LosslessNetDevice> device = DynamicCast<LosslessNetDevice>(added))
    {
        // This removes the HostPort. CreatePorts() installs the SwitchPort.
        device->SetEndpoint(nullptr, nullptr);
        device->SetSwitchSide(this);
    }
}

void
SwitchNode::SurveyPorts()
{
    m_shape.bufferBytes = m_buffer->GetSize();
    m_shape.cellBytes = m_buffer->GetCellBytes();
    m_shape.keepsPath = m_forwarding->KeepsPath();
    m_shape.lossless = GetLossless();
    for (uint32_t i = 0; i < GetNDevices(); ++i)
    {
        Ptr<LosslessNetDevice> device = DynamicCast<LosslessNetDevice>(GetDevice(i));
        NS_ABORT_MSG_IF(!device,
                        "switch " << GetNodeName(GetId()) << ": port " << i << " is a "
                                  << GetDevice(i)->GetInstanceTypeId().GetName()
                                  << "; a switch takes LosslessNetDevices only. A loopback device "
                                     "comes from an InternetStackHelper; install it on hosts.");
        const std::optional<LinkPartner>& partner = device->GetPartner();
        NS_ABORT_MSG_IF(!partner,
                        "switch " << GetNodeName(GetId()) << ": port " << i
                                  << " has no peer; connect its channel to a second device.");
        // Headroom is for frames that the partner sends at its own rate. Because a PAUSE may have
        // to wait for a frame that this port is sending, the port's own rate also matters. Rates
        // that are lower now can rise again.
        m_shape.ports.push_back({partner->firstRate,
                                 partner->delay + partner->jitter,
                                 std::max<uint32_t>(device->GetMtu(), partner->mtu),
                                 device->GetFirstRate(),
                                 partner->jitter,
                                 device->GetOverheadBytes(),
                                 partner->replayBytes});
    }
}

void
SwitchNode::CreatePorts()
{
    m_ports.reserve(m_shape.ports.size()); // ports must not be moved in memory
    for (uint16_t i = 0; i < m_shape.ports.size(); ++i)
    {
        m_ports.push_back(CreatePort(PortId{i}));
        const Ptr<LosslessNetDevice>& device = m_ports.back().GetDevice();
        device->SetEndpoint(&m_ports.back(), &m_ports.back());
        if (Ptr<TransmitGate> gate = m_flowControl->CreateGate(PortId{i}, *device))
        {
            device->SetGate(gate);
        }
    }
}

const Object&
SwitchNode::GetScheme() const
{
    return *m_flowControl;
}

Ptr<TransmitGate>
SwitchNode::CreateHostGate(Ptr<LosslessNetDevice> device) const
{
    return m_flowControl->CreateHostGate(*device);
}

void
SwitchNode::PrepareHost(Ptr<LosslessNetDevice> device) const
{
    m_flowControl->PrepareHost(device);
}

bool
SwitchNode::ObeysPfc() const
{
    return m_flowControl->ObeysPfc();
}

PrioritySet
SwitchNode::GetLossless() const
{
    return m_flowControl->IsLossless() ? m_lossless : 0;
}

void
SwitchNode::SetQueueFactory(ObjectFactory factory)
{
    m_queueFactory = std::move(factory);
}

ObjectFactory
SwitchNode::GetQueueFactory() const
{
    return m_queueFactory.IsTypeIdSet() ? m_queueFactory : m_flowControl->GetUsualEgressQueue();
}

Ptr<EgressQueue>
SwitchNode::CreateEgressQueue(QueueId queue) const
{
    if (Ptr<EgressQueue> own = m_flowControl->CreateEgressQueue(queue))
    {
        NS_ABORT_MSG_IF(m_queueFactory.IsTypeIdSet(),
                        "SwitchNode::EgressQueue is "
                            << m_queueFactory.GetTypeId().GetName() << "; "
                            << m_flowControl->GetInstanceTypeId().GetName()
                            << " has egress queues of its own, so it must be left as it is.");
        return own;
    }
    const ObjectFactory factory = GetQueueFactory();
    return (factory.IsTypeIdSet() ? factory : MakeFactory<FifoEgressQueue>()).Create<EgressQueue>();
}

SwitchPort
SwitchNode::CreatePort(PortId port)
{
    EgressQueues queues;
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        queues[p] = CreateEgressQueue({port, Priority{p}});
    }
    auto marker = m_markerFactory.Create<EcnMarker>();
    const auto device = DynamicCast<LosslessNetDevice>(GetDevice(Index(port)));
    marker->SetPortRate(device->GetDataRate());
    marker->Initialize();
    m_isDequeueWatched |= marker->GetMoment() == MarkMoment::DEQUEUE;
    auto scheduler = m_schedulerFactory.Create<ClassScheduler>();
    if (m_trimmer)
    {
        const auto problem = scheduler->SetShare(m_trimmer->GetClass(), m_trimmer->GetShare());
        NS_ABORT_MSG_IF(problem,
                        "switch " << GetNodeName(GetId())
                                  << ": trimmed packets need a share of the port, but "
                                  << problem.value_or("") << ".");
    }
    return {this, port, device, queues, scheduler, marker};
}

void
SwitchNode::ConfigureForwarding()
{
    const auto ports = static_cast<uint16_t>(GetNDevices());
    std::vector<DataRate> rates;
    for (uint16_t i = 0; i < ports; ++i)
    {
        rates.push_back(GetPortDevice(PortId{i})->GetFirstRate());
    }
    m_forwarding->Configure(GetId(), rates);
    for (uint16_t i = 0; i < ports; ++i)
    {
        m_forwarding->NotifyLinkChanged(PortId{i}, GetPortDevice(PortId{i})->IsLinkUp());
    }
}

void
SwitchNode::ConfigureParts()
{
    const auto require = [this](const std::optional<std::string>& error) {
        NS_ABORT_MSG_IF(error, "switch " << GetNodeName(GetId()) << ": " << *error << ".");
    };
    require(m_policy->Configure(m_shape));
    require(m_flowControl->Configure(m_shape)); // this obtains thresholds from the policy
    ConfigureForwarding();
    // Attributes from which results have been computed must no longer change; see Fixed().
    m_policy->Initialize();
    m_flowControl->Initialize();
    m_forwarding->Initialize();
    m_buffer->Initialize();
    m_buffer->SetTwoSided(m_policy->IsTwoSided());
    NS_ABORT_MSG_IF(m_policy->IsTwoSided() && !m_processor,
                    "switch " << GetNodeName(GetId()) << ": "
                              << m_policy->GetInstanceTypeId().GetName()
                              << " has two memories, of which frames would leave the first as they "
                                 "arrive; set Processor, since only a PacketProcessor holds them.");
    NS_ABORT_MSG_IF(m_trimmer && m_processor,
                    "switch " << GetNodeName(GetId())
                              << ": Trimmer and Processor are both set; frames are trimmed where "
                                 "they are forwarded as they arrive.");
    NS_ABORT_MSG_IF(m_trimmer && Contains(m_shape.lossless, m_trimmer->GetClass()),
                    "switch " << GetNodeName(GetId()) << ": PacketTrimmer::Class is "
                              << Index(m_trimmer->GetClass())
                              << ", which LosslessClasses has; trimmed packets may be lost.");
    if (m_processor)
    {
        m_processor->Attach(
            [this](SwitchItem& item, bool isRouted) { return Forward(item, isRouted); },
            GetId(),
            m_shape.ports.size());
        m_processor->Initialize();
    }
}

inline std::optional<DropReason>
SwitchNode::FindRefusal(DropPlace side, QueueId queue) const
{
    if (!m_isRefusing)
    {
        return std::nullopt;
    }
    const auto found = m_refusals.find({side, Index(queue)});
    return found == m_refusals.end() ? std::nullopt : std::make_optional(found->second);
}

void
SwitchNode::ReceiveFrame(PortId ingress, Frame&& frame)
{
    ReleaseDeparted(frame.arrival);
    SwitchItem item = Classify(ingress, std::move(frame));
    if (const auto refusal = FindRefusal(DropPlace::INGRESS, item.GetIngressQueue()))
    {
        TurnAway(item, *refusal);
    }
    else if (m_processor)
    {
        Arrive(std::move(item));
    }
    else
    {
        PassDirectly(std::move(item));
    }
}

SwitchItem
SwitchNode::Classify(PortId ingress, Frame&& frame)
{
    ++m_counts.received;
    frame.priority = m_classOfDscp[frame.GetDscp()];
    const uint32_t bufferBytes = m_buffer->RoundToCells(frame.size);
    return {std::move(frame), ingress, PortId{0}, bufferBytes};
}

void
SwitchNode::PassDirectly(SwitchItem&& item)
{
    if (const auto refusal = Route(item))
    {
        TurnAway(item, *refusal);
        return;
    }
    PassRouted(std::move(item));
}

void
SwitchNode::PassRouted(SwitchItem&& item)
{
    const Admission ingress = m_policy->Admit(*m_buffer, item);
    if (!ingress.IsAdmitted())
    {
        Overflow(std::move(item), ingress.reason);
        return;
    }
    const Admission egress = m_policy->AdmitEgress(*m_buffer, item);
    NS_ABORT_MSG_IF(egress.outcome == AdmissionOutcome::WAIT,
                    "switch " << GetNodeName(GetId()) << ": "
                              << m_policy->GetInstanceTypeId().GetName()
                              << " lets frames wait for their egress queue; set Processor, since "
                                 "only a PacketProcessor can hold them.");
    if (!egress.IsAdmitted())
    {
        Overflow(std::move(item), egress.reason);
        return;
    }
    m_buffer->Arrive(item, ingress.segments);
    m_buffer->Move(item);
    m_inHand = &item;
    m_flowControl->OnArrival(item);
    const Ticks now = item.frame.arrival;
    Store(std::move(item), now);
}

void
SwitchNode::Overflow(SwitchItem&& item, DropReason reason)
{
    if (!Trim(item, reason))
    {
        TurnAway(item, reason);
    }
    else if (const auto refusal = FindRefusal(DropPlace::EGRESS, item.GetEgressQueue()))
    {
        TurnAway(item, *refusal); // the drop is counted in the frame's current class
    }
    else
    {
        PassRouted(std::move(item)); // if the trimmed frame does not fit either, it is dropped
    }
}

bool
SwitchNode::Trim(SwitchItem& item, DropReason reason)
{
    if (!m_trimmer || !IsCongestionLoss(reason) || Contains(m_shape.lossless, item.frame.priority))
    {
        return false;
    }
    const bool isLastHop = m_ports[Index(item.egress)].GetDevice()->GetPartner()->isHost;
    const uint32_t cut = m_trimmer->Trim(item, isLastHop);
    if (cut == 0)
    {
        return false;
    }
    NS_LOG_DEBUG("switch " << GetId() << " cuts " << cut << " B off a frame from port "
                           << Index(item.ingress) << ": " << ToString(reason));
    item.bufferBytes = m_buffer->RoundToCells(item.frame.size);
    ++m_counts.trimmed[static_cast<std::size_t>(reason)];
    m_counts.trimmedBytes += cut;
    m_trimTrace(item, reason, cut);
    return true;
}

void
SwitchNode::Arrive(SwitchItem&& item)
{
    const Admission admission = m_policy->Admit(*m_buffer, item);
    if (!admission.IsAdmitted())
    {
        TurnAway(item, admission.reason);
        return;
    }
    m_buffer->Arrive(item, admission.segments);
    m_flowControl->OnArrival(item);
    m_processor->Push(std::move(item));
}

AdmissionOutcome
SwitchNode::Forward(SwitchItem& item, bool isRouted)
{
    const Ticks now = NowInTicks();
    ReleaseDeparted(now);
    const bool keepsWay = isRouted && m_ports[Index(item.egress)].IsLinkUp();
    if (const auto refusal =
            keepsWay ? FindRefusal(DropPlace::EGRESS, item.GetEgressQueue()) : Route(item))
    {
        DropArrived(item, *refusal);
        return AdmissionOutcome::REFUSE;
    }
    const Admission admission = m_policy->AdmitEgress(*m_buffer, item);
    if (admission.outcome == AdmissionOutcome::ADMIT)
    {
        m_buffer->Move(item);
        Store(std::move(item), now);
    }
    else if (admission.outcome == AdmissionOutcome::REFUSE)
    {
        DropArrived(item, admission.reason);
    }
    else
    {
        SetWatching(true); // needed to detect the departure that resumes the processor
    }
    return admission.outcome;
}

std::optional<DropReason>
SwitchNode::Route(SwitchItem& item)
{
    const auto egress = m_forwarding->Route(item, *m_buffer);
    if (!egress)
    {
        return DropReason::NO_ROUTE;
    }
    item.egress = *egress;
    if (m_flowControl->IsRedirecting())
    {
        if (const auto refusal = m_flowControl->Redirect(item))
        {
            return refusal;
        }
    }
    if (!m_ports[Index(item.egress)].IsLinkUp())
    {
        return DropReason::LINK_DOWN;
    }
    return FindRefusal(DropPlace::EGRESS, item.GetEgressQueue());
}

void
SwitchNode::Store(SwitchItem&& item, Ticks now)
{
    NS_LOG_LOGIC("switch " << GetId() << " stores " << item.frame.size << " B of class "
                           << Index(item.frame.priority) << " from port " << Index(item.ingress)
                           << " for port " << Index(item.egress));
    m_inHand = &item;
    MarkIfCongested(item, MarkMoment::ENQUEUE);
    if (m_isWatched)
    {
        m_enqueueTrace(item);
    }
    m_flowControl->OnEnqueue(item);
    m_inHand = nullptr;
    m_ports[Index(item.egress)].Enqueue(std::move(item), now);
}

void
SwitchNode::MarkIfCongested(SwitchItem& item, MarkMoment moment)
{
    const EcnMarker& marker = m_ports[Index(item.egress)].GetMarker();
    uint64_t length = m_buffer->GetEgress(item.GetEgressQueue()).bytes;
    if (moment == MarkMoment::DEQUEUE)
    {
        length -= item.bufferBytes;
    }
    if (item.frame.IsMarkable() && marker.MayMark(length))
    {
        AskMarker(item, moment, length);
    }
}

void
SwitchNode::AskMarker(SwitchItem& item, MarkMoment moment, uint64_t length)
{
    EcnMarker& marker = m_ports[Index(item.egress)].GetMarker();
    if (marker.GetMoment() == moment &&
        !Contains(m_flowControl->GetOwnMarks(), item.frame.priority) &&
        marker.ShouldMark(item, length))
    {
        Mark(item);
    }
}

void
SwitchNode::Mark(SwitchItem& item)
{
    if (item.frame.IsMarkable())
    {
        MarkCongestionExperienced(item.frame);
        ++m_counts.marked;
        m_markTrace(item);
    }
}

Ptr<Packet>
SwitchNode::MakeControl(PortId port)
{
    return m_flowControl->MakeControl(port);
}

void
SwitchNode::NotifyDequeue(SwitchItem& item)
{
    m_flowControl->OnDequeue(item);
    if (m_isDequeueWatched)
    {
        MarkIfCongested(item, MarkMoment::DEQUEUE);
        m_dequeueTrace(item);
    }
}

void
SwitchNode::NotifyDeparture(PortId port, Ticks lastBit)
{
    m_departures.Push(port, lastBit);
}

void
SwitchNode::ReleaseDeparted(Ticks now)
{
    if (m_departures.IsReleasing())
    {
        return;
    }
    if (m_departures.Release(now, [this](PortId port, Ticks end) { Depart(port, end); }))
    {
        ResumeProcessor(); // the processor must not have to wait for the next departure
    }
    if (const bool must = MustWatch(); must != m_departures.IsWatching())
    {
        SetWatching(must);
    }
}

void
SwitchNode::Depart(PortId port, Ticks lastBit)
{
    const SwitchItem item = m_ports[Index(port)].TakeDeparted();
    NS_LOG_LOGIC("switch " << GetId() << " releases " << item.frame.size << " B of class "
                           << Index(item.frame.priority) << " from port " << Index(item.ingress));
    m_buffer->Leave(item);
    ++m_counts.sent;
    m_flowControl->OnRelease(item, lastBit);
}

void
SwitchNode::CatchUp()
{
    RequireTurn(GetId(), "asks for the state of");
    if (!m_departures.IsEmpty())
    {
        ReleaseDeparted(NowInTicks());
    }
}

void
SwitchNode::NotifyWatched()
{
    m_isWatched = true;
    m_isDequeueWatched = true;
}

void
SwitchNode::NotifyWatching()
{
    m_isClaimed = m_flowControl->IsWatching();
    ReleaseDeparted(NowInTicks()); // the new state applies from this point on
}

bool
SwitchNode::MustWatch() const
{
    return m_isClaimed || (m_processor && m_processor->GetStopped());
}

void
SwitchNode::SetWatching(bool isWatching)
{
    m_departures.Watch(isWatching, [this](PortId port) {
        m_ports[Index(port)].GetDevice()->AwaitTransmitEnd(NowInTicks());
    });
}

void
SwitchNode::ResumeProcessor()
{
    if (m_processor && m_processor->GetStopped())
    {
        m_processor->Resume();
    }
}

void
SwitchNode::NotifyLinkChanged(PortId port, bool up)
{
    ReleaseDeparted(NowInTicks());
    m_forwarding->NotifyLinkChanged(port, up);
    if (up)
    {
        m_flowControl->OnLinkUp(port);
        return;
    }
    DropWaiting(port, ALL_PRIORITIES, DropReason::LINK_DOWN);
}

void
SwitchNode::Discard(QueueId queue, DropReason reason)
{
    RequireTurn(GetId(), "drops frames of");
    ReleaseDeparted(NowInTicks());
    DropWaiting(queue.port, SetOf(queue.priority), reason);
}

void
SwitchNode::DropWaiting(PortId port, PrioritySet classes, DropReason reason)
{
    for (const SwitchItem& item : m_ports[Index(port)].Flush(classes))
    {
        m_buffer->Leave(item);
        m_flowControl->OnDiscard(item);
        m_discardTrace(item);
        Drop(item, reason);
    }
    if (!m_departures.IsReleasing()) // a release in progress does the same when it ends
    {
        ResumeProcessor();
    }
}

void
SwitchNode::SetRefusing(DropPlace side, QueueId queue, std::optional<DropReason> reason)
{
    RequireTurn(GetId(), "has frames refused by");
    const auto place = std::make_pair(side, Index(queue));
    m_refusals.erase(place);
    if (reason)
    {
        m_refusals.emplace(place, *reason);
    }
    m_isRefusing = !m_refusals.empty();
}

void
SwitchNode::TurnAway(const SwitchItem& item, DropReason reason)
{
    m_flowControl->OnRejection(item);
    Drop(item, reason);
}

void
SwitchNode::DropArrived(const SwitchItem& item, DropReason reason)
{
    m_buffer->Discard(item);
    m_flowControl->OnRefusal(item);
    Drop(item, reason);
}

void
SwitchNode::Drop(const SwitchItem& item, DropReason reason)
{
    NS_LOG_DEBUG("switch " << GetId() << " drops " << item.frame.size << " B from port "
                           << Index(item.ingress) << ": " << ToString(reason));
    ++m_counts.dropped[static_cast<std::size_t>(reason)];
    m_counts.bytes[static_cast<std::size_t>(reason)] += item.frame.size;
    if (IsCongestionLoss(reason) && Contains(m_shape.lossless, item.frame.priority))
    {
        ++m_counts.losslessDropped;
    }
    m_dropTrace(item, reason);
}

void
SwitchNode::SetBufferPolicy(Ptr<BufferPolicy> policy)
{
    AbortIfInitialized("the buffer policy");
    NS_ABORT_MSG_IF(!policy, "SwitchNode: BufferPolicy must not be null.");
    m_policy = policy;
}

void
SwitchNode::SetFlowControl(Ptr<FlowControl> flowControl)
{
    AbortIfInitialized("the flow control");
    NS_ABORT_MSG_IF(!flowControl, "SwitchNode: FlowControl must not be null.");
    m_flowControl = flowControl;
}

void
SwitchNode::SetProcessor(Ptr<PacketProcessor> processor)
{
    AbortIfInitialized("the packet processor");
    m_processor = processor;
}

void
SwitchNode::SetForwarding(Ptr<Forwarding> forwarding)
{
    AbortIfInitialized("the forwarding");
    NS_ABORT_MSG_IF(!forwarding, "SwitchNode: Forwarding must not be null.");
    m_forwarding = forwarding;
}

void
SwitchNode::SetTrimmer(Ptr<PacketTrimmer> trimmer)
{
    AbortIfInitialized("the trimmer");
    m_trimmer = trimmer;
}

void
SwitchNode::MapDscp(uint8_t dscp, Priority priority)
{
    NS_ABORT_MSG_IF(dscp >= NUM_DSCP,
                    "SwitchNode::MapDscp: code point " << +dscp << "; it must be 0 to 63.");
    NS_ABORT_MSG_IF(Index(priority) >= NUM_PRIORITIES,
                    "SwitchNode::MapDscp: class " << Index(priority) << "; it must be 0 to 7.");
    RequireTurn(GetId(), "maps classes of");
    m_classOfDscp[dscp] = priority;
}

Ptr<SharedBuffer>
SwitchNode::GetSharedBuffer()
{
    CatchUp();
    return m_buffer;
}

void
SwitchNode::ForEachQueued(const ItemVisitor& visitor) const
{
    for (const SwitchPort& port : m_ports)
    {
        port.ForEach(visitor);
    }
    if (m_inHand)
    {
        visitor(*m_inHand);
    }
}

EgressState
SwitchNode::GetState(QueueId queue) const
{
    return m_ports[Index(queue.port)].GetState(queue.priority);
}

const SwitchNode::Counts&
SwitchNode::GetCounts()
{
    CatchUp();
    return m_counts;
}

Ptr<LosslessNetDevice>
SwitchNode::GetPortDevice(PortId port) const
{
    return DynamicCast<LosslessNetDevice>(GetDevice(Index(port)));
}

int64_t
SwitchNode::AssignStreams(int64_t stream)
{
    if (Ranks::IsOwn(*this))
    {
        Initialize();
    }
    int64_t used = m_flowControl->AssignStreams(stream);
    used += m_forwarding->AssignStreams(stream + used);
    for (const SwitchPort& port : m_ports)
    {
        used += port.GetMarker().AssignStreams(stream + used);
    }
    // A switch of another rank has no ports on this rank but must use the same number of streams as
    // on its own rank.
    for (std::size_t i = m_ports.size(); i < GetNDevices(); ++i)
    {
        used += m_markerFactory.Create<EcnMarker>()->AssignStreams(stream + used);
    }
    return used;
}

void
SwitchNode::RequestControl(PortId port)
{
    m_ports[Index(port)].GetDevice()->RequestControl();
}

std::optional<PortId>
SwitchNode::FindRoute(Ipv4Address address) const
{
    SwitchItem item;
    item.frame.flow.destination = address.Get();
    return m_forwarding->Find(item);
}

Mac48Address
SwitchNode::GetAddress(PortId port) const
{
    return m_ports[Index(port)].GetDevice()->GetMacAddress();
}

bool
SwitchNode::IsLinkUp(PortId port) const
{
    return m_ports[Index(port)].IsLinkUp();
}

DataRate
SwitchNode::GetRate(PortId port) const
{
    return m_ports[Index(port)].GetDevice()->GetDataRate();
}

} // namespace ns3::lossless
