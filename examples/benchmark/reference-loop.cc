// SPDX-License-Identifier: GPL-2.0-only
#include "reference-loop.h"

#include "ns3/header.h"
#include "ns3/simulator.h"

namespace ns3::lossless
{

namespace
{

constexpr uint32_t HEADER_BYTES = 54;
constexpr uint32_t OVERHEAD_BYTES = 24;
constexpr uint32_t NO_HOST = 0xffffffff;

/// A header of 54 bytes that begins with the source, the destination and the class.
class ReferenceHeader : public Header
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lossless::ReferenceHeader")
                                .SetParent<Header>()
                                .AddConstructor<ReferenceHeader>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return HEADER_BYTES;
    }

    void Serialize(Buffer::Iterator start) const override
    {
        start.Write(m_bytes.data(), m_bytes.size());
    }

    uint32_t Deserialize(Buffer::Iterator start) override
    {
        start.Read(m_bytes.data(), m_bytes.size());
        return HEADER_BYTES;
    }

    void Print(std::ostream& os) const override
    {
        os << "reference header";
    }

    std::array<uint8_t, HEADER_BYTES> m_bytes{}; ///< source, destination, class, remaining bytes
};

Ptr<Packet>
MakePacket(uint32_t source, uint32_t destination, uint8_t priority, uint32_t payload)
{
    ReferenceHeader header;
    for (int i = 0; i < 4; ++i)
    {
        header.m_bytes[i] = static_cast<uint8_t>(source >> (8 * i));
        header.m_bytes[4 + i] = static_cast<uint8_t>(destination >> (8 * i));
    }
    header.m_bytes[8] = priority;
    Ptr<Packet> packet = Create<Packet>(payload);
    packet->AddHeader(header);
    return packet;
}

uint32_t
Read32(const uint8_t* bytes)
{
    return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | static_cast<uint32_t>(bytes[3]) << 24;
}

} // namespace

ReferenceLoop::ReferenceLoop(const Topology& topology, const FlowList& flows, uint32_t payloadBytes)
    : m_nodeOf(topology.GetHosts()),
      m_packetsLeft(topology.GetHosts().size()),
      m_destination(topology.GetHosts().size()),
      m_payloadBytes(payloadBytes)
{
    m_hostOf.assign(topology.GetNodes().size(), NO_HOST);
    for (uint32_t host = 0; host < m_nodeOf.size(); ++host)
    {
        m_hostOf[m_nodeOf[host]] = host;
    }
    const RouteTables tables = ComputeRoutes(topology);
    m_routes.resize(topology.GetNodes().size());
    for (uint32_t node = 0; node < topology.GetNodes().size(); ++node)
    {
        m_firstPort.push_back(m_ports.size());
        for (const Topology::PortInfo& port : topology.GetPorts(node))
        {
            const Topology::LinkInfo& link = topology.GetLinks()[port.link];
            m_ports.push_back(
                {node, port.peer, 8.0 / static_cast<double>(link.rate.GetBitRate()), link.delay});
        }
        for (uint32_t host = 0; host < m_nodeOf.size(); ++host)
        {
            const std::vector<uint16_t>& ports = tables[node].GetPorts(host);
            m_routes[node].emplace_back(ports.begin(), ports.end());
        }
    }
    for (const FlowSpec& flow : flows)
    {
        m_packetsLeft[flow.source] = (flow.bytes + payloadBytes - 1) / payloadBytes;
        m_destination[flow.source] = flow.destination;
    }
}

void
ReferenceLoop::Start()
{
    for (const uint32_t node : m_nodeOf)
    {
        Transmit(m_firstPort[node]);
    }
}

void
ReferenceLoop::Receive(uint32_t node, Ptr<Packet> packet)
{
    ++m_hops;
    std::array<uint8_t, HEADER_BYTES> header;
    packet->CopyData(header.data(), header.size());
    const uint32_t source = Read32(header.data());
    const uint32_t destination = Read32(header.data() + 4);
    const uint8_t priority = header[8];
    if (m_hostOf[node] == NO_HOST)
    {
        const std::vector<uint32_t>& ports = m_routes[node][destination];
        const uint32_t choice = (source * 2654435761U ^ destination) % ports.size();
        Enqueue(m_firstPort[node] + ports[choice], packet, priority);
    }
    else if (priority == 0)
    {
        Enqueue(m_firstPort[node], MakePacket(destination, source, 1, 8), 1);
    }
}

void
ReferenceLoop::Enqueue(uint32_t port, Ptr<Packet> packet, std::size_t priority)
{
    m_ports[port].queues[priority].push_back(packet);
    if (!m_ports[port].busy)
    {
        Transmit(port);
    }
}

void
ReferenceLoop::Transmit(uint32_t index)
{
    Port& port = m_ports[index];
    Ptr<Packet> packet;
    for (std::size_t priority : {1, 0})
    {
        if (!packet && !port.queues[priority].empty())
        {
            packet = port.queues[priority].front();
            port.queues[priority].pop_front();
        }
    }
    if (!packet && m_hostOf[port.node] != NO_HOST)
    {
        packet = NextData(m_hostOf[port.node]);
    }
    port.busy = packet != nullptr;
    if (packet)
    {
        const Time time = Seconds(port.secondsPerByte * (packet->GetSize() + OVERHEAD_BYTES));
        Simulator::Schedule(time, &ReferenceLoop::Transmit, this, index);
        Simulator::ScheduleWithContext(port.peer,
                                       time + port.delay,
                                       &ReferenceLoop::Receive,
                                       this,
                                       port.peer,
                                       packet);
    }
}

Ptr<Packet>
ReferenceLoop::NextData(uint32_t host)
{
    if (m_packetsLeft[host] == 0)
    {
        return nullptr;
    }
    --m_packetsLeft[host];
    return MakePacket(host, m_destination[host], 0, m_payloadBytes);
}

} // namespace ns3::lossless
