// SPDX-License-Identifier: GPL-2.0-only
#include "raw-source.h"

#include "ns3/abort.h"
#include "ns3/attribute-condition.h"
#include "ns3/count-attribute.h"
#include "ns3/ethernet-header.h"
#include "ns3/fixed-accessor.h"
#include "ns3/ipv4-header.h"
#include "ns3/lossless-net-device.h"
#include "ns3/make-type-id.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/source-port.h"
#include "ns3/typed-header.h"
#include "ns3/udp-header.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <sstream>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(RawSource);

namespace
{

const RegisterCondition<RawSource> g_pause({"BurstPause"}, "BurstFrames", Where::IS_NOT, "0");

} // namespace

LOSSLESS_PLAIN_CLASS(RawSink, Object);

namespace
{

/// The Ethernet, IPv4 and UDP headers in one object. They are identical for all frames of a source.
class RawHeader : public TypedHeader<RawHeader>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeTypeId<RawHeader, Header>("RawHeader");
        return tid;
    }

    /// Creates an empty header for deserialization.
    RawHeader() = default;

    explicit RawHeader(const std::array<uint8_t, RawSource::HEADER_BYTES>& bytes)
        : m_bytes(bytes)
    {
    }

    uint32_t GetSerializedSize() const override
    {
        return RawSource::HEADER_BYTES;
    }

    void Serialize(Buffer::Iterator start) const override
    {
        start.Write(m_bytes.data(), RawSource::HEADER_BYTES);
    }

    uint32_t Deserialize(Buffer::Iterator start) override
    {
        start.Read(m_bytes.data(), RawSource::HEADER_BYTES);
        return RawSource::HEADER_BYTES;
    }

    void Print(std::ostream& os) const override
    {
        os << "raw frame " << Ipv4Address::Deserialize(&m_bytes[26]) << " > "
           << Ipv4Address::Deserialize(&m_bytes[30]);
    }

  private:
    std::array<uint8_t, RawSource::HEADER_BYTES> m_bytes{};
};

} // namespace

TypeId
RawSource::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<RawSource, Application>("RawSource")
            .AddAttribute("FrameBytes",
                          "Size of each frame in bytes, with the Ethernet header and without FCS.",
                          UintegerValue(1500),
                          Fixed(MakeUintegerAccessor(&RawSource::m_frameBytes)),
                          MakeUintegerChecker<uint32_t>(MIN_ETHERNET_FRAME_BYTES, 65535))
            .AddAttribute("Priority",
                          "Traffic class of the frames, 0 to 7; their DSCP is 8 times the class.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RawSource::m_priority),
                          MakeUintegerChecker<uint8_t>(0, NUM_PRIORITIES - 1))
            .AddAttribute("Interval",
                          "Time from one frame to the next; 0: back to back at the link's rate.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RawSource::m_interval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MaxFrames",
                          "Number of frames to send; 0: no limit.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RawSource::m_maxFrames),
                          MakeCountChecker())
            .AddAttribute("MaxBytes",
                          "Bytes of frames to send, rounded up to whole frames; 0: no limit. Only "
                          "one of MaxFrames and MaxBytes can be set.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RawSource::m_maxBytes),
                          MakeCountChecker())
            .AddAttribute("BurstFrames",
                          "Frames per burst; 0: all frames are one burst.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RawSource::m_burstFrames),
                          MakeCountChecker())
            .AddAttribute("BurstPause",
                          "Time between bursts, from the instant at which the next frame of a "
                          "burst would be due to the first frame of the next burst.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RawSource::m_burstPause),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "SourcePort",
                "UDP source port, by which switches spread sources over equal-cost paths.",
                UintegerValue(FIRST_DYNAMIC_PORT),
                MakeUintegerAccessor(&RawSource::m_sourcePort),
                MakeUintegerChecker<uint16_t>())
            .AddTraceSource("Sent",
                            "A frame starts to leave.",
                            MakeTraceSourceAccessor(&RawSource::m_sentTrace),
                            "ns3::Packet::TracedCallback");
    return tid;
}

RawSource::RawSource()
    : m_headerBytes{},
      m_generate(Create<GenerateEvent>(this))
{
}

RawSource::~RawSource()
{
    m_generate->Detach();
}

void
RawSource::DoInitialize()
{
    CheckConfiguration();
    Application::DoInitialize();
}

void
RawSource::DoDispose()
{
    m_generate->Detach();
    m_limit = m_due = m_sent;
    Application::DoDispose();
}

void
RawSource::Install(Ptr<LosslessNetDevice> device, Ipv4Address address)
{
    NS_ABORT_MSG_IF(m_device, "RawSource: the source is installed on a device already.");
    HostPort& port = GetPortOfHost(device, "RawSource");
    m_device = PeekPointer(device);
    m_address = address;
    port.AddSource(this);
    port.AddAddress(address);
    m_device->GetNode()->AddApplication(Ptr<RawSource>(this));
}

void
RawSource::SetDestination(Ipv4Address address, Mac48Address mac)
{
    m_destination = address;
    m_destinationMac = mac;
}

std::string
RawSource::DescribeMisfit(uint32_t frameBytes, uint32_t mtu)
{
    std::ostringstream text;
    if (frameBytes > mtu + ETHERNET_BYTES)
    {
        text << "RawSource: FrameBytes is " << frameBytes << ", but the Mtu of the device is "
             << mtu << " bytes and allows " << mtu + ETHERNET_BYTES << ".";
    }
    return text.str();
}

void
RawSource::CheckConfiguration() const
{
    NS_ABORT_MSG_IF(!m_device,
                    "RawSource: the source is on no device; call Install(), which adds it to the "
                    "node too.");
    const std::string misfit = DescribeMisfit(m_frameBytes, m_device->GetMtu());
    NS_ABORT_MSG_IF(!misfit.empty(), misfit);
    NS_ABORT_MSG_IF(m_destination == Ipv4Address(),
                    "RawSource: the source at " << m_address << " has no destination.");
    NS_ABORT_MSG_IF(m_maxFrames != 0 && m_maxBytes != 0,
                    "RawSource: MaxFrames is " << m_maxFrames << " and MaxBytes is " << m_maxBytes
                                               << "; only one of them can be set.");
    NS_ABORT_MSG_IF(m_burstFrames == 0 && !m_burstPause.IsZero(),
                    "RawSource: BurstPause is " << m_burstPause.As(Time::NS)
                                                << ", but BurstFrames is 0: there are no bursts.");
}

void
RawSource::PrepareFrame()
{
    const auto packet = Create<Packet>(m_frameBytes - HEADER_BYTES);
    UdpHeader udp;
    udp.SetSourcePort(m_sourcePort);
    udp.SetDestinationPort(RAW_UDP_PORT);
    packet->AddHeader(udp);
    Ipv4Header ip;
    ip.EnableChecksum();
    ip.SetSource(m_address);
    ip.SetDestination(m_destination);
    ip.SetProtocol(PROTOCOL_UDP);
    ip.SetTtl(64);
    ip.SetTos(static_cast<uint8_t>(m_priority << 5));
    ip.SetDontFragment();
    ip.SetPayloadSize(static_cast<uint16_t>(packet->GetSize()));
    packet->AddHeader(ip);
    EthernetHeader ethernet(false);
    ethernet.SetSource(m_device->GetMacAddress());
    ethernet.SetDestination(m_destinationMac);
    ethernet.SetLengthType(ETHERTYPE_IPV4);
    packet->AddHeader(ethernet);
    packet->CopyData(m_headerBytes.data(), HEADER_BYTES);
    m_frame = ParseFrame(packet).WithoutPacket();
}

void
RawSource::StartApplication()
{
    PrepareFrame();
    m_limit = std::numeric_limits<uint64_t>::max();
    if (m_maxFrames != 0)
    {
        m_limit = m_maxFrames;
    }
    else if (m_maxBytes != 0)
    {
        m_limit = (m_maxBytes - 1) / m_frameBytes + 1;
    }
    Generate();
}

void
RawSource::StopApplication()
{
    m_limit = m_due = m_sent;
}

void
RawSource::Generate()
{
    if (m_due == m_limit)
    {
        return; // the source has been stopped
    }
    if (m_interval.IsZero())
    {
        const uint64_t left = m_limit - m_due;
        m_due += m_burstFrames == 0 ? left : std::min(left, m_burstFrames);
    }
    else
    {
        ++m_due;
        const bool isBurstEnd = m_burstFrames != 0 && m_due % m_burstFrames == 0;
        Await(m_interval + (isBurstEnd ? m_burstPause : Time(0)));
    }
    m_device->Kick();
}

void
RawSource::Await(Time wait)
{
    if (m_due < m_limit)
    {
        m_generate->Arm(m_device->GetNode()->GetId(), wait);
    }
}

uint64_t
RawSource::GetBacklog() const
{
    return m_interval.IsZero() ? 0 : m_due - m_sent;
}

bool
RawSource::Prepare(const Permit& permit)
{
    return m_sent < m_due && permit.Allows(m_frame);
}

Frame
RawSource::Dequeue(const Permit& /* permit */)
{
    ++m_sent;
    if (m_interval.IsZero() && m_sent == m_due)
    {
        Await(Seconds(m_device->GetSlotSeconds(m_frameBytes)) + m_burstPause);
    }
    const auto packet = Create<Packet>(m_frameBytes - HEADER_BYTES);
    packet->AddHeader(RawHeader(m_headerBytes));
    m_sentTrace(packet);
    Frame frame = m_frame;
    frame.packet = packet;
    return frame;
}

void
RawSink::Install(Ptr<LosslessNetDevice> device, Ipv4Address address)
{
    HostPort& port = GetPortOfHost(device, "RawSink");
    port.AddReceiver(this);
    port.AddAddress(address);
    m_address = address;
    device->AggregateObject(Ptr<RawSink>(this));
}

bool
RawSink::TryReceive(const Frame& frame)
{
    if (frame.kind != FrameKind::IPV4 || frame.flow.protocol != PROTOCOL_UDP ||
        frame.flow.destinationPort != RAW_UDP_PORT || frame.flow.destination != m_address.Get())
    {
        return false;
    }
    ++m_total.frames;
    m_total.bytes += frame.size;
    m_total.lastArrival = Simulator::Now();
    return true;
}

} // namespace ns3::lossless
