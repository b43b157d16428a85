// SPDX-License-Identifier: GPL-2.0-only
#include "cbfc-flow-control.h"

#include "cbfc-host.h"

#include "ns3/abort.h"
#include "ns3/fixed-accessor.h"
#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/lossless-net-device.h"
#include "ns3/make-type-id.h"
#include "ns3/named-choices.h"
#include "ns3/node-name.h"
#include "ns3/node.h"
#include "ns3/scheme-registry.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessCbfcFlowControl");

NS_OBJECT_ENSURE_REGISTERED(CbfcFlowControl);
LOSSLESS_PLAIN_CLASS(CbfcSwitchNode, SwitchNode);

const RegisterScheme<CbfcSwitchNode> g_cbfc("CBFC", 152, [](SchemeInfo& scheme) {
    scheme.what = "a neighbour sends what it has credits for, as in Ultra Ethernet";
    scheme.policy = "CBFC";
});

namespace
{

const std::array<std::string, 3> THRESHOLDS{"None", "Static", "Dynamic"};

/// Returns the link direction in which this device sends.
PortLink
GetLinkFrom(const LosslessNetDevice& device)
{
    const LinkPartner& partner = *device.GetPartner();
    return {device.GetDataRate(),
            partner.delay + partner.jitter,
            std::max<uint32_t>(device.GetMtu(), partner.mtu),
            partner.rate,
            {},
            device.GetOverheadBytes()};
}

/// Returns the link direction in which the other end sends.
PortLink
GetLinkTo(const LosslessNetDevice& device)
{
    const PortLink from = GetLinkFrom(device);
    return {from.GetSendRate(), from.delay, from.mtu, from.rate, {}, from.overheadBytes};
}

} // namespace

class CbfcFlowControl::Port : public CbfcLinkEnd
{
  public:
    Port(CbfcFlowControl* owner, PortId port)
        : m_owner(owner),
          m_port(port)
    {
    }

    void RequestCounters() override
    {
        m_owner->Services().RequestControl(m_port);
    }

    void TakeCounters(const CcUpdateHeader& counters) override
    {
        for (const CbfcCount& count : counters.counts)
        {
            receiver.Reconcile(count);
        }
        m_owner->NoteWaiting(m_port);
    }

    bool IsUp() const override
    {
        return m_owner->Services().IsLinkUp(m_port);
    }

    DataRate GetRate() const
    {
        return m_owner->Services().GetRate(m_port);
    }

    void RequestUpdate()
    {
        m_owner->Services().RequestControl(m_port);
    }

    CbfcReceiver receiver;  ///< the receiver of incoming frames
    Ptr<CbfcGate> gate;     ///< the gate for outgoing frames
    PrioritySet waiting{0}; ///< the classes in which the neighbour may have to wait

  private:
    CbfcFlowControl* m_owner; ///< the flow control of the switch
    PortId m_port;            ///< the index of the port
};

TypeId
CbfcFlowControl::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<CbfcFlowControl, FlowControl>("CbfcFlowControl")
            .AddAttribute("CreditBytes",
                          "Size of a credit, in bytes (default 128: SAI, CBFC_SENDER_CREDIT_SIZE).",
                          UintegerValue(128),
                          Fixed(MakeUintegerAccessor(&CbfcFlowControl::m_creditBytes)),
                          MakeUintegerChecker<uint32_t>(1, 65535))
            .AddAttribute("PacketOverhead",
                          "Bytes added to the length of a frame with FCS to count its credits "
                          "(default 0, -16 to 127: SAI, CBFC_SENDER_PACKET_OVERHEAD).",
                          IntegerValue(0),
                          Fixed(MakeIntegerAccessor(&CbfcFlowControl::m_overheadBytes)),
                          MakeIntegerChecker<int32_t>(-16, 127))
            .AddAttribute(
                "ChannelCredits",
                "Credits reserved for each virtual channel. 0: enough to fill the link or, if "
                "channels share, for the longest frame and what is sent between two updates.",
                UintegerValue(0),
                Fixed(MakeUintegerAccessor(&CbfcFlowControl::m_channelCredits)),
                MakeUintegerChecker<uint32_t>(0, CBFC_MAX_CREDITS))
            .AddAttribute("PortCredits",
                          "Credits of a port whose channels share those that are not reserved. 0: "
                          "the reserved ones and enough shared ones to fill the link.",
                          UintegerValue(0),
                          Fixed(MakeUintegerAccessor(&CbfcFlowControl::m_portCredits)),
                          MakeUintegerChecker<uint32_t>(0, CBFC_MAX_CREDITS))
            .AddAttribute("Threshold",
                          "How a channel may use shared credits: None (not at all), Static "
                          "(SharedCredits) or Dynamic (SharedExponent).",
                          StringValue("None"),
                          Fixed(MakeStringAccessor(&CbfcFlowControl::SetThreshold,
                                                   &CbfcFlowControl::GetThreshold)),
                          MakeStringChecker())
            .AddAttribute("SharedCredits",
                          "With Static: shared credits that a channel may use; 0: all.",
                          UintegerValue(0),
                          Fixed(MakeUintegerAccessor(&CbfcFlowControl::m_sharedCredits)),
                          MakeUintegerChecker<uint32_t>(0, CBFC_MAX_CREDITS))
            .AddAttribute("SharedExponent",
                          "With Dynamic: a channel may use 2 to this power times the shared "
                          "credits that are free.",
                          IntegerValue(0),
                          Fixed(MakeIntegerAccessor(&CbfcFlowControl::m_sharedExponent)),
                          MakeIntegerChecker<int32_t>(-10, 10))
            .AddAttribute("UpdateSpacing",
                          "Minimum distance between CF_Updates, in bytes that the link could send "
                          "(default 6400, 800 or more: SAI, CBFC_CF_MIN_SPACING).",
                          UintegerValue(6400),
                          Fixed(MakeUintegerAccessor(&CbfcFlowControl::m_updateSpacing)),
                          MakeUintegerChecker<uint32_t>(800, 1048576))
            .AddAttribute(
                "RefreshSpacing",
                "Bytes that the link could send before CF_Updates are repeated; a multiple of "
                "16384 (default 262144, at most 1048576: SAI, CBFC_CF_MAX_SPACING).",
                UintegerValue(262144),
                Fixed(MakeUintegerAccessor(&CbfcFlowControl::m_refreshSpacing)),
                MakeUintegerChecker<uint32_t>(16384, 1048576))
            .AddAttribute("CounterPeriod",
                          "Time between CC_Updates (default 256 us, 1 us to 250 ms: SAI, "
                          "CBFC_CC_MESSAGE_TIMER).",
                          TimeValue(MicroSeconds(256)),
                          Fixed(MakeTimeAccessor(&CbfcFlowControl::m_counterPeriod)),
                          MakeTimeChecker(MicroSeconds(1), MilliSeconds(250)))
            .AddAttribute(
                "Channels",
                "Virtual channels of classes 0 to 7, separated by commas; each is from 0 to 31.",
                StringValue("0,1,2,3,4,5,6,7"),
                Fixed(MakeStringAccessor(&CbfcFlowControl::SetChannels,
                                         &CbfcFlowControl::GetChannels)),
                MakeStringChecker());
    return tid;
}

CbfcFlowControl::CbfcFlowControl() = default;
CbfcFlowControl::~CbfcFlowControl() = default;

void
CbfcFlowControl::DoDispose()
{
    for (const auto& port : m_ports)
    {
        port->receiver.Stop();
    }
    FlowControl::DoDispose();
}

void
CbfcFlowControl::SetChannels(const std::string& list)
{
    CbfcSettings settings;
    NS_ABORT_MSG_IF(!settings.SetChannels(list),
                    "CbfcFlowControl: Channels is \""
                        << list << "\"; it must be the channels of classes 0 to 7, eight numbers "
                        << "from 0 to " << NUM_CHANNELS - 1 << ", separated by commas.");
    m_channels = settings.channels;
}

std::string
CbfcFlowControl::GetChannels() const
{
    CbfcSettings settings;
    settings.channels = m_channels;
    return settings.GetChannels();
}

void
CbfcFlowControl::SetThreshold(const std::string& name)
{
    const auto found = FindIndex(THRESHOLDS, name);
    NS_ABORT_MSG_IF(!found,
                    "CbfcFlowControl: Threshold is \""
                        << name << "\"; it must be None, Static or Dynamic.");
    m_threshold = static_cast<CbfcThreshold>(*found);
}

std::string
CbfcFlowControl::GetThreshold() const
{
    return THRESHOLDS[static_cast<std::size_t>(m_threshold)];
}

CbfcSettings
CbfcFlowControl::GetSettings(PrioritySet lossless) const
{
    CbfcSettings settings;
    settings.creditBytes = m_creditBytes;
    settings.overheadBytes = m_overheadBytes;
    settings.channelCredits = m_channelCredits;
    settings.portCredits = m_portCredits;
    settings.threshold = m_threshold;
    settings.staticLimit = m_sharedCredits;
    settings.exponent = m_sharedExponent;
    settings.updateSpacing = m_updateSpacing;
    settings.refreshSpacing = m_refreshSpacing;
    settings.counterPeriod = m_counterPeriod;
    settings.channels = m_channels;
    settings.lossless = lossless;
    return settings;
}

std::optional<std::string>
CbfcFlowControl::FindUnused() const
{
    const bool isNone = m_threshold == CbfcThreshold::NONE;
    if (isNone && m_portCredits > 0)
    {
        return "PortCredits is set, but with Threshold None each channel has credits of its own; "
               "set Threshold to Static or Dynamic";
    }
    if (m_threshold != CbfcThreshold::STATIC && m_sharedCredits > 0)
    {
        return "SharedCredits is set, but Threshold is " + GetThreshold() + "; it must be Static";
    }
    if (m_threshold != CbfcThreshold::DYNAMIC && m_sharedExponent != 0)
    {
        return "SharedExponent is set, but Threshold is " + GetThreshold() + "; it must be Dynamic";
    }
    return std::nullopt;
}

void
CbfcFlowControl::Attach(SwitchServices* services,
                        SharedBuffer* buffer,
                        BufferPolicy* policy,
                        const SwitchShape* shape)
{
    FlowControl::Attach(services, buffer, policy, shape);
    if (auto* cbfc = dynamic_cast<CbfcBufferPolicy*>(policy))
    {
        cbfc->SetFlowControl(this);
    }
}

std::optional<std::string>
CbfcFlowControl::Configure(const SwitchShape& shape)
{
    if (!dynamic_cast<const CbfcBufferPolicy*>(&Policy()))
    {
        return "its buffer policy is " + Policy().GetInstanceTypeId().GetName() +
               "; CBFC divides the memory itself, so it must be " +
               CbfcBufferPolicy::GetTypeId().GetName();
    }
    if (const auto error = FindUnused())
    {
        return error;
    }
    m_settings = GetSettings(shape.lossless);
    for (uint16_t i = 0; i < shape.ports.size(); ++i)
    {
        m_ports.push_back(std::make_unique<Port>(this, PortId{i}));
        Port& port = *m_ports.back();
        port.receiver.Configure(m_settings,
                                m_settings.MakeLimits(shape.ports[i]),
                                MakeCallback(&Port::GetRate, &port),
                                MakeCallback(&Port::RequestUpdate, &port));
    }
    return std::nullopt;
}

Ptr<TransmitGate>
CbfcFlowControl::CreateGate(PortId port, const LosslessNetDevice& device)
{
    const LinkPartner& partner = *device.GetPartner();
    CbfcSettings settings = m_settings; // a host uses the settings of its switch
    if (!partner.isHost)
    {
        const auto* other = dynamic_cast<const CbfcFlowControl*>(&partner.switchSide->GetScheme());
        NS_ABORT_MSG_IF(!other,
                        "switch " << GetNodeName(device.GetNode()->GetId()) << ": port "
                                  << Index(port) << " leads to " << partner.node
                                  << ", which has no CBFC; both ends of a link must have it.");
        settings = other->GetSettings(partner.switchSide->GetLossless());
    }
    Port& end = *m_ports[Index(port)];
    end.gate = CreateObject<CbfcGate>();
    end.gate->Configure(settings, GetLinkFrom(device), &end);
    return end.gate;
}

Ptr<TransmitGate>
CbfcFlowControl::CreateHostGate(const LosslessNetDevice& device) const
{
    const CbfcSettings settings = GetSettings(device.GetLossless());
    const Ptr<CbfcHost> host = device.GetObject<CbfcHost>();
    host->Configure(settings, GetLinkTo(device));
    auto gate = CreateObject<CbfcGate>();
    gate->Configure(settings, GetLinkFrom(device), PeekPointer(host));
    return gate;
}

bool
CbfcFlowControl::ObeysPfc() const
{
    return false;
}

void
CbfcFlowControl::PrepareHost(Ptr<LosslessNetDevice> device) const
{
    if (!device->GetObject<CbfcHost>())
    {
        CreateObject<CbfcHost>()->Install(device);
    }
}

const CbfcReceiver&
CbfcFlowControl::GetReceiver(PortId port) const
{
    return m_ports[Index(port)]->receiver;
}

bool
CbfcFlowControl::IsLossless() const
{
    return true;
}

CbfcFlowControl::Port*
CbfcFlowControl::FindPort(const SwitchItem& item)
{
    return Contains(m_settings.lossless, item.frame.priority) ? m_ports[Index(item.ingress)].get()
                                                              : nullptr;
}

void
CbfcFlowControl::OnArrival(const SwitchItem& item)
{
    if (Port* port = FindPort(item))
    {
        port->receiver.Arrive(m_settings.GetChannel(item.frame.priority),
                              m_settings.GetCredits(item.frame.size));
        NoteWaiting(item.ingress);
        ++m_stored;
        Watch(m_isStoring, true);
    }
}

void
CbfcFlowControl::OnRejection(const SwitchItem& item)
{
    if (Port* port = FindPort(item))
    {
        const uint8_t channel = m_settings.GetChannel(item.frame.priority);
        const uint32_t credits = m_settings.GetCredits(item.frame.size);
        port->receiver.Arrive(channel, credits);
        port->receiver.Free(channel, credits);
        NoteWaiting(item.ingress);
    }
}

void
CbfcFlowControl::OnRelease(const SwitchItem& item, Ticks /* when */)
{
    if (Port* port = FindPort(item))
    {
        port->receiver.Free(m_settings.GetChannel(item.frame.priority),
                            m_settings.GetCredits(item.frame.size));
        NoteWaiting(item.ingress);
        --m_stored;
        Watch(m_isStoring, m_stored > 0);
    }
}

void
CbfcFlowControl::OnLinkUp(PortId port)
{
    m_ports[Index(port)]->receiver.Restart();
    NoteWaiting(port);
}

void
CbfcFlowControl::NoteWaiting(PortId port)
{
    Port& end = *m_ports[Index(port)];
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        const Priority priority{p};
        const uint8_t channel = m_settings.GetChannel(priority);
        const bool mayWait =
            Contains(m_settings.lossless, priority) && end.receiver.MayWait(channel);
        if (mayWait != Contains(end.waiting, priority))
        {
            NS_LOG_DEBUG("port " << Index(port) << " class " << Index(priority)
                                 << (mayWait ? " may have to wait: " : " need not wait: ")
                                 << end.receiver.GetUsed(channel) << " credits of " << m_creditBytes
                                 << " B in use, " << end.receiver.GetLimits().reserved[channel]
                                 << " of its own, " << end.receiver.GetLimits().shared
                                 << " shared, " << end.receiver.GetLimits().largest
                                 << " for the longest frame");
            end.waiting ^= SetOf(priority);
            NoteHolding({port, priority}, mayWait);
        }
    }
}

bool
CbfcFlowControl::IsHolding(QueueId queue) const
{
    return Contains(m_ports[Index(queue.port)]->waiting, queue.priority);
}

Ptr<Packet>
CbfcFlowControl::DoMakeControl(PortId port)
{
    Port& end = *m_ports[Index(port)];
    if (Ptr<Packet> update = end.receiver.MakeUpdate())
    {
        NoteWaiting(port);
        return update;
    }
    return end.gate ? end.gate->MakeCounters(Services().GetAddress(port)) : nullptr;
}

} // namespace ns3::lossless
