// SPDX-License-Identifier: GPL-2.0-only
#include "request-reply.h"

#include "ns3/abort.h"
#include "ns3/count-attribute.h"
#include "ns3/inet-socket-address.h"
#include "ns3/make-type-id.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(SocketMaker, Object);
NS_OBJECT_ENSURE_REGISTERED(ReplyServer);
NS_OBJECT_ENSURE_REGISTERED(RequestClient);

namespace
{

constexpr uint16_t DEFAULT_PORT = 5000;
constexpr uint32_t DEFAULT_REQUEST_BYTES = 200;
constexpr uint64_t DEFAULT_REPLY_BYTES = 1 << 20;

/// Creates a TCP socket.
/// @param maker the object that creates the socket; null to use the node's TCP
/// @param who the name of the caller, for error messages
Ptr<Socket>
MakeTcpSocket(Ptr<SocketMaker> maker, Ptr<Node> node, const std::string& who)
{
    NS_ABORT_MSG_IF(!node->GetObject<TcpSocketFactory>(),
                    who << ": node " << node->GetId()
                        << " has no TCP; install ns-3's Internet stack on it first.");
    return maker ? maker->MakeSocket(node)
                 : Socket::CreateSocket(node, TcpSocketFactory::GetTypeId());
}

/// Reads all bytes that have arrived and returns their number.
uint64_t
ReadAll(Ptr<Socket> socket)
{
    uint64_t bytes = 0;
    // An empty packet indicates the end of the stream.
    for (Ptr<Packet> packet = socket->Recv(); packet && packet->GetSize() > 0;
         packet = socket->Recv())
    {
        bytes += packet->GetSize();
    }
    return bytes;
}

void
Discard(Ptr<Socket> socket)
{
    ReadAll(socket);
}

/// Closes a connection without further callbacks to the application.
void
Close(Ptr<Socket> socket)
{
    const auto null = MakeNullCallback<void, Ptr<Socket>>();
    socket->SetConnectCallback(null, null);
    socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
    socket->SetCloseCallbacks(null, null);
    // Arriving bytes are read and discarded, because unread bytes would close the window, which the
    // peer would then probe forever.
    socket->SetRecvCallback(MakeCallback(&Discard));
    socket->Close();
}

} // namespace

TypeId
ReplyServer::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<ReplyServer, Application>("ReplyServer")
            .AddAttribute("Port",
                          "TCP port on which the server listens, at all addresses of its node.",
                          UintegerValue(DEFAULT_PORT),
                          MakeUintegerAccessor(&ReplyServer::m_port),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("RequestBytes",
                          "Size of a request in bytes; 200 in PABO, Sec. IV.",
                          UintegerValue(DEFAULT_REQUEST_BYTES),
                          MakeUintegerAccessor(&ReplyServer::m_requestBytes),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ReplyBytes",
                          "Size of a reply in bytes; 1 MiB in PABO, Sec. IV.",
                          UintegerValue(DEFAULT_REPLY_BYTES),
                          MakeUintegerAccessor(&ReplyServer::m_replyBytes),
                          MakeCountChecker(1))
            .AddAttribute("Sockets",
                          "Makes the listening socket; null: the node's own TCP.",
                          PointerValue(),
                          MakePointerAccessor(&ReplyServer::m_sockets),
                          MakePointerChecker<SocketMaker>())
            .AddTraceSource("Accepted",
                            "A client has connected; nothing has been sent yet.",
                            MakeTraceSourceAccessor(&ReplyServer::m_acceptedTrace),
                            "ns3::lossless::ReplyServer::SocketTracedCallback");
    return tid;
}

void
ReplyServer::DoDispose()
{
    m_listener = nullptr;
    m_connections.clear();
    m_sockets = nullptr;
    Application::DoDispose();
}

void
ReplyServer::StartApplication()
{
    m_listener = MakeTcpSocket(m_sockets, GetNode(), "ReplyServer");
    const int bound = m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), m_port));
    NS_ABORT_MSG_IF(bound != 0,
                    "ReplyServer: port " << m_port << " of node " << GetNode()->GetId()
                                         << " is in use; each server needs its own.");
    m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  MakeCallback(&ReplyServer::Accept, this));
    m_listener->Listen();
}

void
ReplyServer::StopApplication()
{
    if (m_listener)
    {
        m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeNullCallback<void, Ptr<Socket>, const Address&>());
        Close(m_listener);
        m_listener = nullptr;
    }
    for (const Connection& connection : std::exchange(m_connections, {}))
    {
        Close(connection.socket);
    }
}

void
ReplyServer::Accept(Ptr<Socket> socket, const Address& /* client */)
{
    m_connections.push_back({socket});
    socket->SetRecvCallback(MakeCallback(&ReplyServer::Receive, this));
    socket->SetSendCallback(MakeCallback(&ReplyServer::ContinueReply, this));
    socket->SetCloseCallbacks(MakeCallback(&ReplyServer::EndConnection, this),
                              MakeCallback(&ReplyServer::EndConnection, this));
    m_acceptedTrace(socket);
}

std::vector<ReplyServer::Connection>::iterator
ReplyServer::Find(Ptr<Socket> socket)
{
    return std::find_if(m_connections.begin(),
                        m_connections.end(),
                        [&socket](const Connection& each) { return each.socket == socket; });
}

void
ReplyServer::Receive(Ptr<Socket> socket)
{
    Connection& connection = *Find(socket);
    connection.requestBytes += ReadAll(socket);
    const uint64_t requests = connection.requestBytes / m_requestBytes;
    connection.requestBytes -= requests * m_requestBytes;
    connection.replyBytes += requests * m_replyBytes;
    m_requests += requests;
    Reply(connection);
}

void
ReplyServer::Reply(Connection& connection)
{
    while (connection.replyBytes > 0 && connection.socket->GetTxAvailable() > 0)
    {
        const auto bytes = static_cast<uint32_t>(
            std::min<uint64_t>(connection.replyBytes, connection.socket->GetTxAvailable()));
        if (connection.socket->Send(Create<Packet>(bytes)) < 0)
        {
            return; // the connection is being closed
        }
        connection.replyBytes -= bytes;
        m_sentBytes += bytes;
    }
}

void
ReplyServer::ContinueReply(Ptr<Socket> socket, uint32_t /* available */)
{
    Reply(*Find(socket));
}

void
ReplyServer::EndConnection(Ptr<Socket> socket)
{
    m_connections.erase(Find(socket));
    Close(socket);
}

TypeId
RequestClient::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<RequestClient, Application>("RequestClient")
            .AddAttribute("ServerAddress",
                          "IPv4 address of the server; must be set.",
                          Ipv4AddressValue(Ipv4Address::GetAny()),
                          MakeIpv4AddressAccessor(&RequestClient::m_serverAddress),
                          MakeIpv4AddressChecker())
            .AddAttribute("ServerPort",
                          "TCP port of the server.",
                          UintegerValue(DEFAULT_PORT),
                          MakeUintegerAccessor(&RequestClient::m_serverPort),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("RequestBytes",
                          "Size of a request in bytes; 200 in PABO, Sec. IV.",
                          UintegerValue(DEFAULT_REQUEST_BYTES),
                          MakeUintegerAccessor(&RequestClient::m_requestBytes),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ReplyBytes",
                          "Size of a reply in bytes; 1 MiB in PABO, Sec. IV.",
                          UintegerValue(DEFAULT_REPLY_BYTES),
                          MakeUintegerAccessor(&RequestClient::m_replyBytes),
                          MakeCountChecker(1))
            .AddAttribute("Requests",
                          "Number of requests; 4 in PABO, Sec. IV.",
                          UintegerValue(4),
                          MakeUintegerAccessor(&RequestClient::m_requests),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ThinkTime",
                          "Time from the last byte of a reply to the next request; 1 s in PABO, "
                          "Sec. IV, which calls it the gap between requests.",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&RequestClient::m_thinkTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("FirstRequestDelay",
                          "Time from StartTime, when the connection is opened, to the first "
                          "request, which waits longer if the connection is not open by then.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RequestClient::m_firstRequestDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Sockets",
                          "Makes the socket; null: the node's own TCP.",
                          PointerValue(),
                          MakePointerAccessor(&RequestClient::m_sockets),
                          MakePointerChecker<SocketMaker>())
            .AddTraceSource("Connecting",
                            "The socket exists and is about to connect.",
                            MakeTraceSourceAccessor(&RequestClient::m_connectingTrace),
                            "ns3::lossless::RequestClient::SocketTracedCallback")
            .AddTraceSource("RequestSent",
                            "A request has been passed to TCP.",
                            MakeTraceSourceAccessor(&RequestClient::m_requestSentTrace),
                            "ns3::lossless::RequestClient::RequestTracedCallback")
            .AddTraceSource("ReplyComplete",
                            "The last byte of a reply has arrived.",
                            MakeTraceSourceAccessor(&RequestClient::m_completeTrace),
                            "ns3::lossless::RequestClient::ReplyTracedCallback")
            .AddTraceSource("ConnectionLost",
                            "The connection ended before the last reply; with the number of the "
                            "first request without a reply.",
                            MakeTraceSourceAccessor(&RequestClient::m_connectionLostTrace),
                            "ns3::lossless::RequestClient::RequestTracedCallback");
    return tid;
}

void
RequestClient::DoInitialize()
{
    NS_ABORT_MSG_IF(m_serverAddress == Ipv4Address::GetAny(),
                    "RequestClient: the client on node "
                        << GetNode()->GetId()
                        << " has no server; set ServerAddress to the address of a host with a "
                           "ReplyServer.");
    m_socket = MakeTcpSocket(m_sockets, GetNode(), "RequestClient");
    NS_ABORT_MSG_IF(m_requestBytes > m_socket->GetTxAvailable(),
                    "RequestClient: RequestBytes is "
                        << m_requestBytes << ", but the send buffer of the socket has only "
                        << m_socket->GetTxAvailable() << " bytes.");
    Application::DoInitialize();
}

void
RequestClient::DoDispose()
{
    m_nextRequest.Cancel();
    m_socket = nullptr;
    m_sockets = nullptr;
    Application::DoDispose();
}

void
RequestClient::StartApplication()
{
    m_firstRequest = Simulator::Now() + m_firstRequestDelay;
    m_socket->SetConnectCallback(MakeCallback(&RequestClient::HandleConnected, this),
                                 MakeCallback(&RequestClient::HandleRefused, this));
    m_socket->SetRecvCallback(MakeCallback(&RequestClient::Receive, this));
    m_socket->SetCloseCallbacks(MakeCallback(&RequestClient::HandleClosed, this),
                                MakeCallback(&RequestClient::HandleClosed, this));
    m_connectingTrace(m_socket);
    if (m_socket->Connect(InetSocketAddress(m_serverAddress, m_serverPort)) != 0)
    {
        HandleRefused(m_socket);
    }
}

void
RequestClient::StopApplication()
{
    m_nextRequest.Cancel();
    Disconnect();
}

void
RequestClient::HandleConnected(Ptr<Socket> /* socket */)
{
    const Time wait = Max(Time(0), m_firstRequest - Simulator::Now());
    m_nextRequest = Simulator::Schedule(wait, &RequestClient::Request, this);
}

void
RequestClient::HandleRefused(Ptr<Socket> /* socket */)
{
    NS_ABORT_MSG("RequestClient: no connection from node "
                 << GetNode()->GetId() << " to port " << m_serverPort << " of " << m_serverAddress
                 << " by " << Simulator::Now().As(Time::S)
                 << "; a ReplyServer must be reachable there and have started.");
}

void
RequestClient::HandleClosed(Ptr<Socket> /* socket */)
{
    m_nextRequest.Cancel();
    Disconnect();
    m_connectionLostTrace(m_replies);
}

void
RequestClient::Receive(Ptr<Socket> socket)
{
    const uint64_t bytes = ReadAll(socket);
    NS_ABORT_MSG_IF(bytes > m_awaitedBytes,
                    "RequestClient: "
                        << m_serverAddress << " sent more than the ReplyBytes of the client, "
                        << m_replyBytes
                        << "; RequestBytes and ReplyBytes must be those of the server.");
    m_receivedBytes += bytes;
    m_awaitedBytes -= bytes;
    if (bytes > 0 && m_awaitedBytes == 0)
    {
        CompleteReply();
    }
}

void
RequestClient::Request()
{
    m_awaitedBytes = m_replyBytes;
    m_requested = Simulator::Now();
    m_socket->Send(Create<Packet>(m_requestBytes)); // there is enough room; see DoInitialize()
    m_requestSentTrace(m_sent++);
}

void
RequestClient::CompleteReply()
{
    ReplyRecord record;
    record.request = m_replies++;
    record.server = m_serverAddress;
    record.bytes = m_replyBytes;
    record.requested = m_requested;
    record.completed = Simulator::Now();
    if (m_replies < m_requests)
    {
        m_nextRequest = Simulator::Schedule(m_thinkTime, &RequestClient::Request, this);
    }
    else
    {
        Disconnect();
    }
    m_completeTrace(record);
}

void
RequestClient::Disconnect()
{
    if (m_socket)
    {
        Close(std::exchange(m_socket, nullptr));
    }
}

} // namespace ns3::lossless
