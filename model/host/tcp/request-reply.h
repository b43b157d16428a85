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

/**
 * @ingroup lossless
 * Makes the TCP sockets of an application; a listening socket hands its settings on to those that
 * it accepts.
 */
class SocketMaker : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @param node a node with ns-3's Internet stack @return a new TCP socket of it
    virtual Ptr<Socket> MakeSocket(Ptr<Node> node) const = 0;
};

/// A reply that has arrived.
struct ReplyRecord
{
    uint32_t request{0}; ///< index of the request, from 0
    Ipv4Address server;  ///< who replied
    uint64_t bytes{0};   ///< size of the reply
    Time requested;      ///< when the request was given to TCP
    Time completed;      ///< when the last byte of the reply had arrived
};

/**
 * @ingroup lossless
 * Answers requests over TCP: every "RequestBytes" that arrive on a connection are a request, and
 * "ReplyBytes" go back at once (PABO, Sec. IV). Any number of clients may be connected.
 *
 * A reply larger than the send buffer of the socket is handed over as the buffer empties. A
 * connection ends when its client closes it; at "StopTime" all end, without the bytes not yet
 * handed over.
 */
class ReplyServer : public Application
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @return requests that have arrived in full, on all connections
    uint64_t GetRequests() const
    {
        return m_requests;
    }

    /// @return bytes of replies handed over to TCP, on all connections
    uint64_t GetSentBytes() const
    {
        return m_sentBytes;
    }

    /// @return number of open connections
    std::size_t GetConnections() const
    {
        return m_connections.size();
    }

    /**
     * Signature of the trace source "Accepted".
     * @param socket socket of the new connection
     */
    typedef void (*SocketTracedCallback)(Ptr<Socket> socket);

  protected:
    void DoDispose() override;

  private:
    /// State of one connection.
    struct Connection
    {
        Ptr<Socket> socket;       ///< its socket
        uint64_t requestBytes{0}; ///< arrived of the request that is not yet complete
        uint64_t replyBytes{0};   ///< of replies, not yet handed over to TCP
    };

    void StartApplication() override;
    void StopApplication() override;

    /// A client has connected. @param socket of the connection @param client its address
    void Accept(Ptr<Socket> socket, const Address& client);
    /// @param socket of an open connection @return the connection
    std::vector<Connection>::iterator Find(Ptr<Socket> socket);
    /// Something has arrived. @param socket of the connection
    void Receive(Ptr<Socket> socket);
    /// Hands over as much of the replies as TCP takes. @param connection an open connection
    void Reply(Connection& connection);
    /// TCP has room again. @param socket of the connection @param available room in bytes
    void ContinueReply(Ptr<Socket> socket, uint32_t available);
    /// The client has closed the connection, or it is lost. @param socket of the connection
    void EndConnection(Ptr<Socket> socket);

    uint16_t m_port{0};         ///< TCP port
    uint32_t m_requestBytes{0}; ///< bytes of a request
    uint64_t m_replyBytes{0};   ///< bytes of a reply
    Ptr<SocketMaker> m_sockets; ///< makes the listening socket; null: TCP as the node has it
    Ptr<Socket> m_listener;     ///< null when not started
    uint64_t m_requests{0};     ///< see GetRequests()
    uint64_t m_sentBytes{0};    ///< see GetSentBytes()

    std::vector<Connection> m_connections; ///< open ones, in the order of their beginning

    TracedCallback<Ptr<Socket>> m_acceptedTrace; ///< a client has connected
};

/**
 * @ingroup lossless
 * Asks a ReplyServer for "Requests" replies over one TCP connection, one after another.
 *
 * The connection is opened at "StartTime". The first request leaves when it is open, but not
 * earlier than "FirstRequestDelay" after StartTime: a delay beyond the time that it takes to
 * resolve addresses and to connect lets several clients ask at the same instant. Each further
 * request leaves "ThinkTime" after the last byte of the reply before. The connection is closed
 * after the last reply, or at "StopTime".
 *
 * RequestBytes and ReplyBytes must be those of the server.
 */
class RequestClient : public Application
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @return replies that have arrived in full
    uint32_t GetReplies() const
    {
        return m_replies;
    }

    /// @return bytes that have arrived
    uint64_t GetReceivedBytes() const
    {
        return m_receivedBytes;
    }

    /**
     * Signature of the trace source "RequestSent".
     * @param request index of the request, from 0
     */
    typedef void (*RequestTracedCallback)(uint32_t request);
    /**
     * Signature of the trace source "ReplyComplete".
     * @param record the reply
     */
    typedef void (*ReplyTracedCallback)(const ReplyRecord& record);
    /**
     * Signature of the trace source "Connecting".
     * @param socket socket of the connection
     */
    typedef void (*SocketTracedCallback)(Ptr<Socket> socket);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /// The connection is open. @param socket of the connection
    void HandleConnected(Ptr<Socket> socket);
    /// The connection cannot be opened. @param socket of the connection
    void HandleRefused(Ptr<Socket> socket);
    /// The server has closed the connection, or it is lost. @param socket of the connection
    void HandleClosed(Ptr<Socket> socket);
    /// Something has arrived. @param socket of the connection
    void Receive(Ptr<Socket> socket);
    /// Sends the next request.
    void Request();
    /// The last byte of a reply has arrived.
    void CompleteReply();
    /// Closes the connection, if there is one.
    void Disconnect();

    Ipv4Address m_serverAddress; ///< address of the server
    uint16_t m_serverPort{0};    ///< TCP port of the server
    uint32_t m_requestBytes{0};  ///< bytes of a request
    uint64_t m_replyBytes{0};    ///< bytes of a reply
    uint32_t m_requests{0};      ///< requests to send in all
    Time m_thinkTime;            ///< from a reply to the next request
    Time m_firstRequestDelay;    ///< from the start to the first request, at least
    Ptr<SocketMaker> m_sockets;  ///< makes the socket; null: TCP as the node has it
    Ptr<Socket> m_socket;        ///< null when not connected nor connecting
    Time m_firstRequest;         ///< earliest instant of the first request
    EventId m_nextRequest;       ///< pending while the client waits to ask
    uint32_t m_sent{0};          ///< requests sent
    uint32_t m_replies{0};       ///< see GetReplies()
    uint64_t m_awaitedBytes{0};  ///< of the reply under way
    uint64_t m_receivedBytes{0}; ///< see GetReceivedBytes()
    Time m_requested;            ///< when the latest request was sent

    TracedCallback<Ptr<Socket>> m_connectingTrace;      ///< the socket exists
    TracedCallback<uint32_t> m_requestSentTrace;        ///< a request leaves
    TracedCallback<const ReplyRecord&> m_completeTrace; ///< a reply has arrived
    TracedCallback<uint32_t> m_connectionLostTrace;     ///< ended before the last reply
};

} // namespace ns3::lossless

#endif /* LOSSLESS_REQUEST_REPLY_H */
