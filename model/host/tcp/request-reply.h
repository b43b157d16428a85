// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_REQUEST_REPLY_H
#define LOSSLESS_REQUEST_REPLY_H

#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <vector>

namespace ns3::lossless
{

/// @ingroup lossless
/// Creates the TCP sockets of an application. Sockets of accepted connections inherit the settings
/// of the listening socket.
class SocketMaker : public Object
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Creates a TCP socket on a node with ns-3's Internet stack.
    virtual Ptr<Socket> MakeSocket(Ptr<Node> node) const = 0;
};

/// A completed reply.
struct ReplyRecord
{
    uint32_t request{0}; ///< the index of the request, starting at 0
    Ipv4Address server;  ///< the address of the server that sent the reply
    uint64_t bytes{0};   ///< the size of the reply
    Time requested;      ///< the time at which the request was passed to TCP
    Time completed;      ///< the time at which the last byte of the reply arrived
};

/**
 * @ingroup lossless
 * Answers requests over TCP (PABO, Sec. IV). Each block of "RequestBytes" bytes received on a
 * connection is a request, which is answered immediately with "ReplyBytes" bytes. Any number of
 * clients can be connected at the same time.
 *
 * If a reply is larger than the socket's send buffer, the rest is passed to TCP as the buffer
 * empties. A connection ends when the client closes it. At "StopTime", all connections end, and
 * pending bytes are discarded.
 */
class ReplyServer : public Application
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Returns the number of complete requests on all connections.
    uint64_t GetRequests() const
    {
        return m_requests;
    }

    /// Returns the number of reply bytes passed to TCP on all connections.
    uint64_t GetSentBytes() const
    {
        return m_sentBytes;
    }

    /// Returns the number of open connections.
    std::size_t GetConnections() const
    {
        return m_connections.size();
    }

    /// The signature of the trace source "Accepted", which reports the socket of a new connection.
    typedef void (*SocketTracedCallback)(Ptr<Socket> socket);

  protected:
    void DoDispose() override;

  private:
    struct Connection
    {
        Ptr<Socket> socket;       ///< the socket of the connection
        uint64_t requestBytes{0}; ///< the number of bytes of an incomplete request that have
                                  ///< arrived
        uint64_t replyBytes{0};   ///< the number of reply bytes not yet passed to TCP
    };

    void StartApplication() override;
    void StopApplication() override;

    void Accept(Ptr<Socket> socket, const Address& client);
    std::vector<Connection>::iterator Find(Ptr<Socket> socket);
    void Receive(Ptr<Socket> socket);
    /// Passes as many reply bytes to TCP as it accepts.
    void Reply(Connection& connection);
    /// Continues the replies on a connection when TCP has room for `available` bytes again.
    void ContinueReply(Ptr<Socket> socket, uint32_t available);
    /// Handles a connection that the client has closed or that has failed.
    void EndConnection(Ptr<Socket> socket);

    uint16_t m_port{0};         ///< the TCP port
    uint32_t m_requestBytes{0}; ///< the size of a request in bytes
    uint64_t m_replyBytes{0};   ///< the size of a reply in bytes
    Ptr<SocketMaker> m_sockets; ///< the object that creates the listening socket; null to use the
                                ///< node's TCP
    Ptr<Socket> m_listener;     ///< the listening socket; null if not started
    uint64_t m_requests{0};     ///< see GetRequests()
    uint64_t m_sentBytes{0};    ///< see GetSentBytes()

    std::vector<Connection> m_connections; ///< the open connections, in order of acceptance

    TracedCallback<Ptr<Socket>> m_acceptedTrace; ///< fired when a client has connected
};

/**
 * @ingroup lossless
 * Requests replies from a ReplyServer, one after another, over a single TCP connection. The
 * attribute "Requests" sets the number of requests.
 *
 * The connection is opened at "StartTime". The first request is sent when the connection is open,
 * but no earlier than "FirstRequestDelay" after StartTime. If the delay exceeds the time for
 * address resolution and connection setup, clients with the same StartTime and delay send their
 * first requests at the same instant. Each further request is sent "ThinkTime" after the last byte
 * of the previous reply. The connection is closed after the last reply or at "StopTime".
 *
 * RequestBytes and ReplyBytes must match the attributes of the server.
 */
class RequestClient : public Application
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Returns the number of complete replies.
    uint32_t GetReplies() const
    {
        return m_replies;
    }

    /// Returns the number of bytes received.
    uint64_t GetReceivedBytes() const
    {
        return m_receivedBytes;
    }

    /// The signature of the trace sources "RequestSent" and "ConnectionLost", which report the
    /// index of a request, starting at 0.
    typedef void (*RequestTracedCallback)(uint32_t request);
    /// The signature of the trace source "ReplyComplete".
    typedef void (*ReplyTracedCallback)(const ReplyRecord& record);
    /// The signature of the trace source "Connecting".
    typedef void (*SocketTracedCallback)(Ptr<Socket> socket);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    void HandleConnected(Ptr<Socket> socket);
    void HandleRefused(Ptr<Socket> socket);
    /// Handles a connection that the server has closed or that has failed.
    void HandleClosed(Ptr<Socket> socket);
    void Receive(Ptr<Socket> socket);
    void Request();
    void CompleteReply();
    void Disconnect();

    Ipv4Address m_serverAddress; ///< the address of the server
    uint16_t m_serverPort{0};    ///< the TCP port of the server
    uint32_t m_requestBytes{0};  ///< the size of a request in bytes
    uint64_t m_replyBytes{0};    ///< the size of a reply in bytes
    uint32_t m_requests{0};      ///< the total number of requests
    Time m_thinkTime;            ///< the time between a reply and the next request
    Time m_firstRequestDelay;    ///< the minimum time between the start and the first request
    Ptr<SocketMaker> m_sockets;  ///< the object that creates the socket; null to use the node's TCP
    Ptr<Socket> m_socket;        ///< the socket of the connection; null unless connected or
                                 ///< connecting
    Time m_firstRequest;         ///< the earliest time of the first request
    EventId m_nextRequest;       ///< the pending event that sends the next request
    uint32_t m_sent{0};          ///< the number of requests sent
    uint32_t m_replies{0};       ///< see GetReplies()
    uint64_t m_awaitedBytes{0};  ///< the number of bytes of the current reply that have not arrived
    uint64_t m_receivedBytes{0}; ///< see GetReceivedBytes()
    Time m_requested;            ///< the time of the latest request

    TracedCallback<Ptr<Socket>> m_connectingTrace;      ///< fired when the socket has been created
    TracedCallback<uint32_t> m_requestSentTrace;        ///< fired when a request is sent
    TracedCallback<const ReplyRecord&> m_completeTrace; ///< fired when a reply is complete
    /// Fired when the connection ends before the last reply.
    TracedCallback<uint32_t> m_connectionLostTrace;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_REQUEST_REPLY_H */
