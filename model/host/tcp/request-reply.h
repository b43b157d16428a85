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
/// Makes the TCP sockets of an application; accepted ones inherit their listener's settings.
class SocketMaker : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Makes a new TCP socket of a node with ns-3's Internet stack.
    virtual Ptr<Socket> MakeSocket(Ptr<Node> node) const = 0;
};

/// A reply that has arrived.
struct ReplyRecord
{
    uint32_t request{0}; ///< index of the request, from 0
    Ipv4Address server;  ///< that replied
    uint64_t bytes{0};   ///< size of the reply
    Time requested;      ///< when the request was passed to TCP
    Time completed;      ///< when the last byte of the reply had arrived
};

/**
 * @ingroup lossless
 * Answers requests over TCP: every "RequestBytes" that arrive on a connection are a request, and
 * "ReplyBytes" go back at once (PABO, Sec. IV). Any number of clients may be connected.
 *
 * A reply larger than the socket's send buffer is passed on as the buffer empties. A connection
 * ends when its client closes it; at "StopTime" all end, and bytes still here are dropped.
 */
class ReplyServer : public Application
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Requests that have arrived in full, on all connections.
    uint64_t GetRequests() const
    {
        return m_requests;
    }

    /// Bytes of replies passed to TCP, on all connections.
    uint64_t GetSentBytes() const
    {
        return m_sentBytes;
    }

    /// Number of open connections.
    std::size_t GetConnections() const
    {
        return m_connections.size();
    }

    /// Signature of the trace source "Accepted", with the new connection's socket.
    typedef void (*SocketTracedCallback)(Ptr<Socket> socket);

  protected:
    void DoDispose() override;

  private:
    struct Connection
    {
        Ptr<Socket> socket;       ///< its socket
        uint64_t requestBytes{0}; ///< arrived bytes of the incomplete request
        uint64_t replyBytes{0};   ///< of replies, not yet passed to TCP
    };

    void StartApplication() override;
    void StopApplication() override;

    void Accept(Ptr<Socket> socket, const Address& client);
    std::vector<Connection>::iterator Find(Ptr<Socket> socket);
    void Receive(Ptr<Socket> socket);
    /// Passes on as much of the replies as TCP takes.
    void Reply(Connection& connection);
    /// TCP has room for `available` bytes again.
    void ContinueReply(Ptr<Socket> socket, uint32_t available);
    /// The client has closed the connection, or it is lost.
    void EndConnection(Ptr<Socket> socket);

    uint16_t m_port{0};         ///< TCP port
    uint32_t m_requestBytes{0}; ///< bytes of a request
    uint64_t m_replyBytes{0};   ///< bytes of a reply
    Ptr<SocketMaker> m_sockets; ///< makes the listening socket; null: the node's TCP
    Ptr<Socket> m_listener;     ///< null when not started
    uint64_t m_requests{0};     ///< see GetRequests()
    uint64_t m_sentBytes{0};    ///< see GetSentBytes()

    std::vector<Connection> m_connections; ///< open ones, in order of acceptance

    TracedCallback<Ptr<Socket>> m_acceptedTrace; ///< fires when a client has connected
};

/**
 * @ingroup lossless
 * Asks a ReplyServer for "Requests" replies over one TCP connection, one after another.
 *
 * The connection is opened at "StartTime". The first request leaves when it is open, but no earlier
 * than "FirstRequestDelay" after StartTime: with a delay beyond the time for address resolution and
 * connection setup, several clients ask at the same instant. Each further request leaves
 * "ThinkTime" after the last byte of the previous reply. It is closed after the last reply, or at
 * "StopTime".
 *
 * RequestBytes and ReplyBytes must be those of the server.
 */
class RequestClient : public Application
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Replies that have arrived in full.
    uint32_t GetReplies() const
    {
        return m_replies;
    }

    /// Bytes that have arrived.
    uint64_t GetReceivedBytes() const
    {
        return m_receivedBytes;
    }

    /// Signature of the trace source "RequestSent", with the index of the request, from 0.
    typedef void (*RequestTracedCallback)(uint32_t request);
    /// Signature of the trace source "ReplyComplete".
    typedef void (*ReplyTracedCallback)(const ReplyRecord& record);
    /// Signature of the trace source "Connecting".
    typedef void (*SocketTracedCallback)(Ptr<Socket> socket);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    void HandleConnected(Ptr<Socket> socket);
    void HandleRefused(Ptr<Socket> socket);
    /// The server has closed the connection, or it is lost.
    void HandleClosed(Ptr<Socket> socket);
    void Receive(Ptr<Socket> socket);
    void Request();
    void CompleteReply();
    void Disconnect();

    Ipv4Address m_serverAddress; ///< address of the server
    uint16_t m_serverPort{0};    ///< TCP port of the server
    uint32_t m_requestBytes{0};  ///< bytes of a request
    uint64_t m_replyBytes{0};    ///< bytes of a reply
    uint32_t m_requests{0};      ///< total number of requests to send
    Time m_thinkTime;            ///< from a reply to the next request
    Time m_firstRequestDelay;    ///< minimum from the start to the first request
    Ptr<SocketMaker> m_sockets;  ///< makes the socket; null: the node's TCP
    Ptr<Socket> m_socket;        ///< null unless connected or connecting
    Time m_firstRequest;         ///< earliest instant of the first request
    EventId m_nextRequest;       ///< pending while the client waits to ask
    uint32_t m_sent{0};          ///< requests sent
    uint32_t m_replies{0};       ///< see GetReplies()
    uint64_t m_awaitedBytes{0};  ///< missing bytes of the current reply
    uint64_t m_receivedBytes{0}; ///< see GetReceivedBytes()
    Time m_requested;            ///< when the latest request was sent

    TracedCallback<Ptr<Socket>> m_connectingTrace;      ///< fires when the socket exists
    TracedCallback<uint32_t> m_requestSentTrace;        ///< fires when a request leaves
    TracedCallback<const ReplyRecord&> m_completeTrace; ///< fires when a reply has arrived
    TracedCallback<uint32_t>
        m_connectionLostTrace; ///< fires when the connection ends before the last reply
};

} // namespace ns3::lossless

#endif /* LOSSLESS_REQUEST_REPLY_H */
