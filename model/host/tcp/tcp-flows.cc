// SPDX-License-Identifier: GPL-2.0-only
#include "tcp-flows.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/ip-l4-protocol.h"
#include "ns3/ipv4-route.h"
#include "ns3/make-type-id.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/packet.h"
#include "ns3/rtt-estimator.h"
#include "ns3/sequence-number.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-linux-reno.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-tx-buffer.h"
#include "ns3/uinteger.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(TcpFlows);

namespace
{

/// The TCP port of a host's first receiver. Additional receivers use the next ports.
constexpr uint16_t FIRST_PORT = 10000;

/// The first port that ns-3 assigns to senders (Ipv4EndPointDemux).
constexpr uint32_t FIRST_EPHEMERAL_PORT = 49152;

/// The maximum number of flows to a host, which is limited by the number of ports.
constexpr uint32_t MAX_RECEIVERS = FIRST_EPHEMERAL_PORT - FIRST_PORT;

/// The maximum number of flows from a host, which is limited by the number of ports.
constexpr uint32_t MAX_SENDERS = 65536 - FIRST_EPHEMERAL_PORT;

/// Returns the TCP protocol object of a host. If the host has none, this is a fatal error.
TcpL4Protocol&
RequireTcp(const Node& node)
{
    auto tcp = node.GetObject<TcpL4Protocol>();
    NS_ABORT_MSG_IF(!tcp,
                    "TcpFlows: node " << node.GetId()
                                      << " has no TCP; call Fabric::InstallInternetStack() first.");
    return *tcp;
}

/**
 * A workaround for networks with reordering, in which the TCP of ns-3.37 violates its own
 * assertions.
 *
 * When all data has been acknowledged, a reordered ACK can still have SACK blocks, and
 * TcpTxBuffer::Update() looks them up in an empty list. In addition, duplicate ACKs counted before
 * a window reduction (ECN) remain counted after it, but DupAck() does not expect this.
 */
class FlowSocket : public TcpSocketBase
{
  public:
    FlowSocket()
    {
        m_tcb->TraceConnectWithoutContext("CongState", MakeCallback(&FlowSocket::EnterState, this));
    }

  protected:
    void ReceivedAck(Ptr<Packet> packet, const TcpHeader& header) override
    {
        if (m_txBuffer->Size() > 0 || header.GetAckNumber() >= m_txBuffer->HeadSequence())
        {
            TcpSocketBase::ReceivedAck(packet, header);
        }
        else if (packet->GetSize() > 0)
        {
            ReceivedData(packet, header);
        }
    }

  private:
    void EnterState(TcpSocketState::TcpCongState_t /* old */, TcpSocketState::TcpCongState_t state)
    {
        if (state == TcpSocketState::CA_OPEN)
        {
            m_dupAckCount = 0;
        }
    }
};

/// Creates an object of the type that an attribute of TCP specifies.
/// @tparam T the base class
template <typename T>
Ptr<T>
CreateAsNamed(const TcpL4Protocol& tcp, const std::string& attribute)
{
    TypeIdValue type;
    tcp.GetAttribute(attribute, type);
    ObjectFactory factory;
    factory.SetTypeId(type.Get());
    return factory.Create<T>();
}

/// Creates a FlowSocket and configures it in the same way as ns-3 does with its own sockets.
/// @param variant the congestion control
Ptr<TcpSocketBase>
CreateFlowSocket(Ptr<Node> node, TypeId variant)
{
    TcpL4Protocol& tcp = RequireTcp(*node);
    ObjectFactory congestionControl;
    congestionControl.SetTypeId(variant);
    auto socket = CreateObject<FlowSocket>();
    socket->SetNode(node);
    socket->SetTcp(&tcp);
    socket->SetRtt(CreateAsNamed<RttEstimator>(tcp, "RttEstimatorType"));
    socket->SetCongestionControlAlgorithm(congestionControl.Create<TcpCongestionOps>());
    socket->SetRecoveryAlgorithm(CreateAsNamed<TcpRecoveryOps>(tcp, "RecoveryType"));
    tcp.AddSocket(socket);
    return socket;
}

/**
 * Counts the flows of all TcpFlows objects on a node, and assigns each TCP segment that the node
 * sends to the class of its source port. No port of the node is used twice, even with different
 * addresses, so a port identifies a class.
 *
 * Socket::SetIpTos() cannot be used: an ns-3 socket with its own type of service sends packets
 * without ECN (TcpSocketBase::AddSocketTags() in ns-3.37), and it loses this setting when it
 * connects.
 */
class TcpPorts : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lossless::TcpPorts").SetParent<Object>();
        return tid;
    }

    /// Returns the object of a node, whose segments it classifies from now on.
    static Ptr<TcpPorts> Of(Ptr<Node> node)
    {
        auto ports = node->GetObject<TcpPorts>();
        if (!ports)
        {
            TcpL4Protocol& tcp = RequireTcp(*node);
            ports = CreateObject<TcpPorts>();
            ports->m_down = tcp.GetDownTarget();
            tcp.SetDownTarget(MakeCallback(&TcpPorts::Send, PeekPointer(ports)));
            node->AggregateObject(ports);
        }
        return ports;
    }

    void Set(uint16_t port, Priority priority)
    {
        m_classes[port] = priority;
    }

    uint32_t m_senders{0};   ///< the number of flows from the node
    uint32_t m_receivers{0}; ///< the number of flows to the node

  private:
    void Send(Ptr<Packet> packet,
              Ipv4Address source,
              Ipv4Address destination,
              uint8_t protocol,
              Ptr<Ipv4Route> route)
    {
        // The header begins with the source port. Parsing the whole header would take a tenth of
        // the run time.
        std::array<uint8_t, 2> port{};
        packet->CopyData(port.data(), port.size());
        const auto found = m_classes.find(static_cast<uint16_t>(port[0] << 8 | port[1]));
        if (found != m_classes.end())
        {
            SocketIpTosTag tag;
            tag.SetTos(0);
            packet->RemovePacketTag(tag); // the tag contains the ECN bits
            tag.SetTos(static_cast<uint8_t>(Index(found->second) << 5 | (tag.GetTos() & 3)));
            packet->AddPacketTag(tag);
        }
        m_down(packet, source, destination, protocol, route);
    }

    void DoDispose() override
    {
        m_down = IpL4Protocol::DownTargetCallback();
        Object::DoDispose();
    }

    std::map<uint16_t, Priority> m_classes;  ///< the classes, keyed by local port
    IpL4Protocol::DownTargetCallback m_down; ///< the function that passes segments to IPv4
};

/// Reserves the ports of a flow and returns the port of its receiver. If no port is left, this is a
/// fatal error.
uint16_t
TakePorts(const TcpFlow& flow)
{
    NS_ABORT_MSG_IF(++TcpPorts::Of(flow.sender)->m_senders > MAX_SENDERS,
                    "TcpFlows::Start: " << flow.record.source << " sends more than " << MAX_SENDERS
                                        << " flows, for which there are no ports.");
    const uint32_t taken = TcpPorts::Of(flow.receiver)->m_receivers++;
    NS_ABORT_MSG_IF(taken >= MAX_RECEIVERS,
                    "TcpFlows::Start: " << flow.record.flow.destination << " receives more than "
                                        << MAX_RECEIVERS
                                        << " flows, for which there are no ports.");
    return static_cast<uint16_t>(FIRST_PORT + taken);
}

/// Returns whether a type is a congestion control algorithm of ns-3's TCP. This is checked by
/// creating an object, because in ns-3.37, the parent of TcpCubic's TypeId is a socket.
bool
IsTcpVariant(TypeId type)
{
    if (!type.HasConstructor() || !type.IsChildOf(Object::GetTypeId()))
    {
        return false;
    }
    ObjectFactory factory;
    factory.SetTypeId(type);
    return DynamicCast<TcpCongestionOps>(factory.Create<Object>()) != nullptr;
}

} // namespace

std::optional<std::string>
CheckTcpVariant(const std::string& name)
{
    TypeId type;
    if (TypeId::LookupByNameFailSafe("ns3::" + name, &type) && IsTcpVariant(type))
    {
        return std::nullopt;
    }
    return '"' + name + "\"; it must be a TcpCongestionOps of ns-3, as TcpDctcp";
}

/// The sending end of a flow. It connects, sends and closes.
class TcpFlows::SendingEnd
{
  public:
    /// Connects to the receiver.
    /// @param owner the object that fires the traces
    /// @param port the port of the receiver
    SendingEnd(TcpFlows& owner, const FlowRecord& record, Ptr<Socket> socket, uint16_t port)
        : m_owner(owner),
          m_record(record),
          m_socket(socket),
          m_buffer(owner.m_buffer),
          m_unsent(record.flow.bytes)
    {
        m_socket->TraceConnectWithoutContext("Tx", MakeCallback(&SendingEnd::CountSegment, this));
        m_socket->SetSendCallback(MakeCallback(&SendingEnd::Send, this));
        m_owner.m_flowStarted(m_record);
        m_socket->Connect(InetSocketAddress(m_record.flow.destination, port));
    }

    ~SendingEnd()
    {
        LeaveSocket();
    }

    SendingEnd(const SendingEnd&) = delete;
    SendingEnd& operator=(const SendingEnd&) = delete;

  private:
    /// Lets the socket finish the connection on its own.
    void LeaveSocket()
    {
        if (m_socket)
        {
            m_socket->TraceDisconnectWithoutContext("Tx",
                                                    MakeCallback(&SendingEnd::CountSegment, this));
            m_socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
            m_socket = nullptr;
        }
    }

    void CountSegment(Ptr<const Packet> payload,
                      const TcpHeader& header,
                      Ptr<const TcpSocketBase> /* socket */)
    {
        if (payload->GetSize() == 0)
        {
            return;
        }
        const SequenceNumber32 begin = header.GetSequenceNumber();
        if (begin < m_unseen)
        {
            ++m_record.retransmitted;
            m_owner.m_flowRetransmitted(m_record);
        }
        m_unseen = std::max(m_unseen, begin + payload->GetSize());
    }

    /// Passes data to TCP as long as there is room, or closes the connection when all data has been
    /// acknowledged.
    /// @param room the free space in the send buffer, in bytes
    void Send(Ptr<Socket> /* socket */, uint32_t room)
    {
        while (m_unsent > 0 && room > 0)
        {
            const auto bytes = static_cast<uint32_t>(std::min<uint64_t>(m_unsent, room));
            if (m_socket->Send(Create<Packet>(bytes)) < 0)
            {
                return; // the connection is being closed
            }
            m_unsent -= bytes;
            room = m_socket->GetTxAvailable();
        }
        if (m_unsent == 0 && room == m_buffer)
        {
            m_record.acknowledged = Simulator::Now();
            m_owner.m_flowAcknowledged(m_record);
            m_socket->Close();
            LeaveSocket();
        }
    }

    TcpFlows& m_owner;            ///< the object that fires the traces
    FlowRecord m_record;          ///< the flow
    Ptr<Socket> m_socket;         ///< the sending socket; null once all data has been acknowledged
    const uint32_t m_buffer;      ///< the size of the socket's send buffer, in bytes
    uint64_t m_unsent;            ///< the number of bytes not yet passed to TCP
    SequenceNumber32 m_unseen{0}; ///< the sequence number of the first byte that has never been
                                  ///< sent; it wraps around
};

/// The receiving end of a flow. It listens, reads, and closes after the sender.
class TcpFlows::ReceivingEnd
{
  public:
    /// Listens for the connection.
    /// @param owner the object that fires the traces
    /// @param listener the listening socket
    ReceivingEnd(TcpFlows& owner, const FlowRecord& record, Ptr<Socket> listener)
        : m_owner(owner),
          m_record(record),
          m_listener(listener),
          m_unread(record.flow.bytes)
    {
        m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeCallback(&ReceivingEnd::Accept, this));
        m_listener->Listen();
    }

    ~ReceivingEnd()
    {
        LeaveListener();
        LeaveSocket();
    }

    ReceivingEnd(const ReceivingEnd&) = delete;
    ReceivingEnd& operator=(const ReceivingEnd&) = delete;

  private:
    void LeaveListener()
    {
        if (m_listener)
        {
            m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                          MakeNullCallback<void, Ptr<Socket>, const Address&>());
            m_listener->Close();
            m_listener = nullptr;
        }
    }

    /// Lets the socket finish the connection on its own.
    void LeaveSocket()
    {
        if (m_socket)
        {
            m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
            SetCloser(MakeNullCallback<void, Ptr<Socket>>());
            m_socket = nullptr;
        }
    }

    void Accept(Ptr<Socket> socket, const Address& /* the address of the sender */)
    {
        m_socket = socket;
        m_socket->SetRecvCallback(MakeCallback(&ReceivingEnd::Receive, this));
        SetCloser(MakeCallback(&ReceivingEnd::Close, this));
        LeaveListener();
    }

    void SetCloser(const Callback<void, Ptr<Socket>>& closer)
    {
        m_socket->SetCloseCallbacks(closer, MakeNullCallback<void, Ptr<Socket>>());
    }

    void Close(Ptr<Socket> socket)
    {
        socket->Close();
        LeaveSocket();
    }

    void Receive(Ptr<Socket> socket)
    {
        while (Ptr<Packet> packet = socket->Recv())
        {
            if (packet->GetSize() == 0)
            {
                return; // the sender has closed the connection
            }
            m_owner.m_received += packet->GetSize();
            m_unread -= packet->GetSize();
            if (m_unread == 0)
            {
                m_record.received = Simulator::Now();
                m_record.isReceived = true;
                m_owner.m_flowReceived(m_record);
                m_owner.m_arrivals.Note(Simulator::Now());
            }
        }
    }

    TcpFlows& m_owner;      ///< the object that fires the traces
    FlowRecord m_record;    ///< the flow
    Ptr<Socket> m_listener; ///< the listening socket; null once the connection is open
    Ptr<Socket> m_socket;   ///< the receiving socket; null before the connection is open and after
                            ///< the sender has closed it
    uint64_t m_unread;      ///< the number of bytes that have not been read yet
};

TypeId
TcpFlows::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<TcpFlows, Object>("TcpFlows")
            .AddAttribute(
                "Variant",
                "Congestion control: TypeId of a TcpCongestionOps, such as ns3::TcpDctcp.",
                TypeIdValue(TcpLinuxReno::GetTypeId()),
                MakeTypeIdAccessor(&TcpFlows::m_variant),
                MakeTypeIdChecker())
            .AddAttribute("Ecn",
                          "Whether both ends negotiate ECN (RFC 3168), so that switches may mark "
                          "segments; ns3::TcpDctcp always does.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&TcpFlows::m_ecn),
                          MakeBooleanChecker())
            .AddAttribute("SegmentBytes",
                          "Largest payload of a segment, in bytes (default: a frame of 1514 B "
                          "with 12 B of timestamps).",
                          UintegerValue(1448),
                          MakeUintegerAccessor(&TcpFlows::m_segment),
                          MakeUintegerChecker<uint32_t>(1, 65000))
            .AddAttribute("Timestamps",
                          "Whether segments carry timestamps (RFC 7323), 12 B each, which account "
                          "for a third of TCP's share of the run time.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&TcpFlows::m_timestamps),
                          MakeBooleanChecker())
            .AddAttribute("BufferBytes",
                          "Size of the send and the receive buffer of a connection, in bytes, "
                          "which limits its window.",
                          UintegerValue(1 << 20),
                          MakeUintegerAccessor(&TcpFlows::m_buffer),
                          MakeUintegerChecker<uint32_t>(2))
            .AddAttribute(
                "InitialWindow",
                "Congestion window of a new connection, in segments (default 10: RFC 6928).",
                UintegerValue(10),
                MakeUintegerAccessor(&TcpFlows::m_initialWindow),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("DuplicateAcks",
                          "Number of duplicate ACKs, or of segments acknowledged out of order, "
                          "after which a segment counts as lost (default 3: RFC 5681); 0: only a "
                          "timeout indicates a loss, for networks that reorder.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&TcpFlows::m_duplicateAcks),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("SegmentsPerAck",
                          "Number of in-order segments per ACK: 1, or 2 as in RFC 5681; a single "
                          "one is acknowledged after a tenth of MinRto.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&TcpFlows::m_segmentsPerAck),
                          MakeUintegerChecker<uint32_t>(1, 2))
            .AddAttribute("ConnectTimeout",
                          "Time to wait for the answer to the first SYN; it doubles with each "
                          "further one (default 3 s: ns-3's own).",
                          TimeValue(Seconds(3)),
                          MakeTimeAccessor(&TcpFlows::m_connectTimeout),
                          MakeTimeChecker(MilliSeconds(1)))
            .AddAttribute("MinRto",
                          "Minimum retransmission timeout (default 10 ms, usual in datacenters; "
                          "ns-3's own is 1 s).",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&TcpFlows::m_minRto),
                          MakeTimeChecker(MilliSeconds(1)))
            .AddTraceSource("FlowStarted",
                            "The sender of a flow connects.",
                            MakeTraceSourceAccessor(&TcpFlows::m_flowStarted),
                            "ns3::lossless::RoceNic::FlowTracedCallback")
            .AddTraceSource("FlowReceived",
                            "The receiver of a flow has read the last byte.",
                            MakeTraceSourceAccessor(&TcpFlows::m_flowReceived),
                            "ns3::lossless::RoceNic::FlowTracedCallback")
            .AddTraceSource("FlowAcknowledged",
                            "The last byte of a flow has been acknowledged.",
                            MakeTraceSourceAccessor(&TcpFlows::m_flowAcknowledged),
                            "ns3::lossless::RoceNic::FlowTracedCallback")
            .AddTraceSource("FlowRetransmitted",
                            "A segment of a flow is sent again.",
                            MakeTraceSourceAccessor(&TcpFlows::m_flowRetransmitted),
                            "ns3::lossless::RoceNic::FlowTracedCallback");
    return tid;
}

TcpFlows::TcpFlows()
    : m_arrivals([this](const NetworkTally::Counts& counts) { NoteArrivals(counts); })
{
}

TcpFlows::~TcpFlows() = default;

void
TcpFlows::DoDispose()
{
    m_flowStart.Cancel();
    m_due.clear();
    m_senders.clear();
    m_receivers.clear();
    Object::DoDispose();
}

Ptr<Socket>
TcpFlows::MakeSocket(Ptr<Node> node, const InetSocketAddress& local, Priority priority) const
{
    Ptr<TcpSocketBase> socket = CreateFlowSocket(node, m_variant);
    if (m_ecn)
    {
        socket->SetUseEcn(TcpSocketState::On);
    }
    socket->SetAttribute("SegmentSize", UintegerValue(m_segment));
    socket->SetAttribute("Timestamp", BooleanValue(m_timestamps));
    socket->SetAttribute("SndBufSize", UintegerValue(m_buffer));
    socket->SetAttribute("RcvBufSize", UintegerValue(m_buffer));
    socket->SetAttribute("InitialCwnd", UintegerValue(m_initialWindow));
    socket->SetAttribute("ReTxThreshold",
                         UintegerValue(m_duplicateAcks > 0 ? m_duplicateAcks
                                                           : std::numeric_limits<uint32_t>::max()));
    socket->SetAttribute("ConnTimeout", TimeValue(m_connectTimeout));
    socket->SetMinRto(m_minRto);
    // Because ports are not reused, segments of one connection cannot be mistaken for those of
    // another, and TIME_WAIT is needed only to answer a repeated FIN.
    socket->SetAttribute("MaxSegLifetime", DoubleValue(m_minRto.GetSeconds()));
    socket->SetAttribute("DelAckCount", UintegerValue(m_segmentsPerAck));
    socket->SetAttribute("DelAckTimeout", TimeValue(m_minRto / 10));
    NS_ABORT_MSG_IF(socket->Bind(local) != 0,
                    "TcpFlows: TCP port " << local.GetPort() << " of node " << node->GetId()
                                          << " is in use.");
    Address bound;
    socket->GetSockName(bound);
    TcpPorts::Of(node)->Set(InetSocketAddress::ConvertFrom(bound).GetPort(), priority);
    return socket;
}

void
TcpFlows::Start(const std::vector<TcpFlow>& flows)
{
    NS_ABORT_MSG_IF(!m_due.empty(), "TcpFlows::Start: flows were given already.");
    NS_ABORT_MSG_IF(!IsTcpVariant(m_variant),
                    "TcpFlows: Variant is " << m_variant.GetName()
                                            << ", which is not a TcpCongestionOps.");
    for (const TcpFlow& flow : flows)
    {
        m_due.push_back({flow, TakePorts(flow)});
        FlowRecord& record = m_due.back().flow.record;
        record.start = std::max(Simulator::Now(), record.start);
    }
    std::stable_sort(m_due.begin(), m_due.end(), [](const Due& a, const Due& b) {
        return a.flow.record.start < b.flow.record.start;
    });
    m_unfinished = m_due.size();
    m_flowStart = Simulator::ScheduleNow(&TcpFlows::StartDueFlows, this);
}

void
TcpFlows::StartDueFlows()
{
    const Time now = Simulator::Now();
    for (; m_nextFlow < m_due.size() &&
           m_due[m_nextFlow].flow.record.start <= now + MicroSeconds(HAND_OVER_US);
         ++m_nextFlow)
    {
        const TcpFlow& due = m_due[m_nextFlow].flow;
        const Time delay = due.record.start - now;
        const Ptr<TcpFlows> self(this);
        Simulator::ScheduleWithContext(due.receiver->GetId(),
                                       delay,
                                       &TcpFlows::Listen,
                                       self,
                                       m_nextFlow);
        Simulator::ScheduleWithContext(due.sender->GetId(),
                                       delay,
                                       &TcpFlows::Connect,
                                       self,
                                       m_nextFlow);
    }
    if (m_nextFlow < m_due.size())
    {
        m_flowStart = Simulator::Schedule(m_due[m_nextFlow].flow.record.start - now,
                                          &TcpFlows::StartDueFlows,
                                          this);
    }
}

void
TcpFlows::Listen(std::size_t flow)
{
    if (flow < m_due.size()) // false if this object has been disposed of
    {
        const auto& [due, port] = m_due[flow];
        const FlowRecord& record = due.record;
        const InetSocketAddress local(record.flow.destination, port);
        m_receivers.push_back(
            std::make_unique<ReceivingEnd>(*this,
                                           record,
                                           MakeSocket(due.receiver, local, record.flow.priority)));
    }
}

void
TcpFlows::Connect(std::size_t flow)
{
    if (flow < m_due.size())
    {
        const auto& [due, port] = m_due[flow];
        const FlowRecord& record = due.record;
        const InetSocketAddress local(record.source, 0);
        m_senders.push_back(
            std::make_unique<SendingEnd>(*this,
                                         record,
                                         MakeSocket(due.sender, local, record.flow.priority),
                                         port));
    }
}

void
TcpFlows::StopWhenDone(Time grace)
{
    NS_ABORT_MSG_IF(grace.IsStrictlyNegative() || grace > GetLatestStart(),
                    "TcpFlows::StopWhenDone: the grace is " << grace.As(Time::S)
                                                            << "; it must be from 0 to "
                                                            << GetLatestStart().As(Time::S) << ".");
    m_stopsWhenDone = true;
    const Time now = Simulator::Now();
    const Time last = m_due.empty() ? now : std::max(now, m_due.back().flow.record.start);
    Simulator::Stop(last - now + grace);
}

void
TcpFlows::NoteArrivals(const NetworkTally::Counts& counts)
{
    m_lastArrival = std::max(m_lastArrival, counts.latest);
    m_unfinished -= counts.count;
    if (m_unfinished == 0 && m_stopsWhenDone)
    {
        StopRun(TimeStep(m_lastArrival));
    }
}

} // namespace ns3::lossless
