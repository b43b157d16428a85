// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TCP_FLOWS_H
#define LOSSLESS_TCP_FLOWS_H

#include "ns3/event-id.h"
#include "ns3/flow-record.h"
#include "ns3/inet-socket-address.h"
#include "ns3/network-tally.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// A flow over TCP, and the hosts of its ends, with ns-3's Internet stack.
struct TcpFlow
{
    FlowRecord record;  ///< the flow, its addresses and its start
    Ptr<Node> sender;   ///< has the address of the source
    Ptr<Node> receiver; ///< has the address of the destination
};

/**
 * @param name of a congestion control of ns-3's TCP without its namespace, as "TcpDctcp"
 * @return its TypeId; nothing if there is none
 */
std::optional<TypeId> FindTcpVariant(const std::string& name);

/**
 * @ingroup lossless
 * Sends flows over ns-3's TCP, beside RoCE flows of the same hosts: a connection each, in the class
 * of the flow in both directions.
 *
 * Has the trace sources of a NIC, so that ResultsWriter::AddNic() and FlowRecorder::Watch() take
 * it; as at NICs, each end of a flow has a record of its own. A flow completes when the receiver
 * has read its last byte; the handshake counts, and so does address resolution, which ns-3 puts off
 * by up to 10 ms when two hosts meet first, unless Fabric::ResolveAddresses() was called.
 *
 * Receivers acknowledge every segment at once, unless "SegmentsPerAck" is 2: a window of one
 * segment goes on without a timeout, and marks are echoed one by one. A connection exists from the
 * start of its flow until both ends have closed it, and for two least timeouts in TIME_WAIT. The
 * flows end with this object.
 *
 * Several of them may send beside each other, also to one host: DCTCP beside CUBIC, for example.
 *
 * Where frames of a flow take several paths (AdaptiveForwarding), "DuplicateAcks" of 0 makes the
 * senders reorder-resistant, as in DeTail: what is missing at the receiver is late, not lost,
 * until the timeout.
 *
 * @code
 * fabric.InstallInternetStack();
 * auto tcp = CreateObject<TcpFlows>();
 * tcp->SetAttribute("Variant", StringValue("ns3::TcpDctcp"));
 * experiment.GetResults().AddNic(tcp);
 * fabric.StartTcpFlows(tcp, flows);
 * @endcode
 */
class TcpFlows : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    TcpFlows();
    ~TcpFlows() override;

    /**
     * Starts flows at their times, or now if that has passed; may be called once. More than 16384
     * flows from a host or 39152 flows to one, of all TcpFlows of a simulation, stop the program:
     * there are no more ports. Fabric::StartTcpFlows() calls it with the hosts of a fabric.
     * @param flows the flows, whose ids no flow of a NIC and of other TcpFlows may have
     */
    void Start(const std::vector<TcpFlow>& flows);

    /**
     * Ends the simulation when all flows given to Start(), which is called first, have arrived;
     * those of others are not waited for.
     * @param grace ends it this long after the start of the last flow, or after now if that is
     * later, in any case; at most GetLatestStart()
     */
    void StopWhenDone(Time grace);

    /// @return bytes that receivers have read so far
    uint64_t GetReceivedBytes() const
    {
        return m_received;
    }

  protected:
    void DoDispose() override;

  private:
    class SendingEnd;
    class ReceivingEnd;

    /// A flow that has not started.
    struct Due
    {
        TcpFlow flow;     ///< the flow
        uint16_t port{0}; ///< of the receiver
    };

    /// @param node a host @param local address of the socket @param priority class of the socket
    /// @return a socket as the attributes say
    Ptr<Socket> MakeSocket(Ptr<Node> node, const InetSocketAddress& local, Priority priority) const;
    /// Hands over the flows that are due soon, and waits for the next.
    void StartDueFlows();
    /// Opens the receiving end of a flow. @param flow its place in m_due
    void Listen(std::size_t flow);
    /// Opens the sending end of a flow. @param flow its place in m_due
    void Connect(std::size_t flow);
    /// Flows have arrived: ends the simulation if they are the last and that is asked for.
    /// @param counts of arrivals since the last time
    void NoteArrivals(const NetworkTally::Counts& counts);

    TypeId m_variant;             ///< congestion control
    bool m_ecn{true};             ///< negotiates ECN
    uint32_t m_segment{0};        ///< payload of a segment, bytes
    bool m_timestamps{true};      ///< segments carry timestamps
    uint32_t m_buffer{0};         ///< of either end, bytes
    uint32_t m_initialWindow{0};  ///< congestion window of a new connection, segments
    uint32_t m_duplicateAcks{0};  ///< that start a fast retransmit; 0: none do
    uint32_t m_segmentsPerAck{0}; ///< that receivers acknowledge at once
    Time m_minRto;                ///< least retransmission timeout
    Time m_connectTimeout;        ///< first wait for the answer to a SYN
    uint64_t m_received{0};       ///< see GetReceivedBytes()

    std::vector<Due> m_due;      ///< all flows, by start
    std::size_t m_nextFlow{0};   ///< first that was not handed over
    EventId m_flowStart;         ///< when that is due
    NetworkTally m_arrivals;     ///< counts flows that arrive
    uint64_t m_unfinished{0};    ///< flows that have not arrived
    uint64_t m_lastArrival{0};   ///< of the others, tick
    bool m_stopsWhenDone{false}; ///< see StopWhenDone()

    std::vector<std::unique_ptr<SendingEnd>> m_senders;     ///< of flows that have started
    std::vector<std::unique_ptr<ReceivingEnd>> m_receivers; ///< likewise

    TracedCallback<const FlowRecord&> m_flowStarted;       ///< the sender connects
    TracedCallback<const FlowRecord&> m_flowReceived;      ///< the receiver has all
    TracedCallback<const FlowRecord&> m_flowAcknowledged;  ///< the sender knows
    TracedCallback<const FlowRecord&> m_flowRetransmitted; ///< a segment is sent again
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TCP_FLOWS_H */
