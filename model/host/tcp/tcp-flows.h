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

/// Returns the TypeId of a congestion control of ns-3's TCP; nothing if there is none.
/// @param name without its namespace, as "TcpDctcp"
std::optional<TypeId> FindTcpVariant(const std::string& name);

/**
 * @ingroup lossless
 * Sends flows over ns-3's TCP, beside RoCE flows of the same hosts: one connection per flow, in its
 * class in both directions.
 *
 * It has the trace sources of a NIC, so ResultsWriter::AddNic() and FlowRecorder::Watch() accept
 * it; as with NICs, each end of a flow has its own record. A flow completes when the receiver has
 * read its last byte. This includes the handshake and address resolution, which ns-3 delays by up
 * to 10 ms when two hosts first communicate, unless Fabric::ResolveAddresses() was called.
 *
 * Receivers acknowledge every segment at once, unless "SegmentsPerAck" is 2: a window of one
 * segment proceeds without a timeout, and marks are echoed individually. A connection exists from
 * the start of its flow until both ends have closed it, plus two minimum timeouts in TIME_WAIT. The
 * flows end with this object.
 *
 * Several objects may send side by side, even to one host: DCTCP and CUBIC, for example.
 *
 * Where frames of a flow take several paths (AdaptiveForwarding), "DuplicateAcks" of 0 makes the
 * senders reorder-resistant, as in DeTail: missing data is late, not lost, until the timeout.
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

    /// Starts flows at their times, or now if that has passed; may be called once. The program ends
    /// if all TcpFlows of a simulation together have more than 16384 flows from one host or 39152
    /// flows to one host: no ports are left. Fabric::StartTcpFlows() calls it with the hosts of a
    /// fabric.
    /// @param flows their ids must differ from those of NICs and other TcpFlows
    void Start(const std::vector<TcpFlow>& flows);

    /// Ends the simulation when all flows of Start(), which must be called first, have arrived;
    /// those of other objects are not waited for.
    /// @param grace ends it in any case this long after the start of the last flow, or after now if
    /// that is later; at most GetLatestStart()
    void StopWhenDone(Time grace);

    /// Bytes that receivers have read so far.
    uint64_t GetReceivedBytes() const
    {
        return m_received;
    }

  protected:
    void DoDispose() override;

  private:
    class SendingEnd;
    class ReceivingEnd;

    struct Due
    {
        TcpFlow flow;     ///< the flow
        uint16_t port{0}; ///< of the receiver
    };

    /// Makes a socket with the settings of the attributes.
    /// @param local its address
    Ptr<Socket> MakeSocket(Ptr<Node> node, const InetSocketAddress& local, Priority priority) const;
    /// Hands over the flows that are due soon, and schedules the next.
    void StartDueFlows();
    /// Opens the receiving end of a flow, by its index in m_due.
    void Listen(std::size_t flow);
    /// Opens the sending end of a flow, by its index in m_due.
    void Connect(std::size_t flow);
    /// Ends the simulation if the last flows have arrived and this was requested.
    /// @param counts of arrivals since the last time
    void NoteArrivals(const NetworkTally::Counts& counts);

    TypeId m_variant;             ///< congestion control
    bool m_ecn{true};             ///< negotiates ECN
    uint32_t m_segment{0};        ///< payload of a segment, bytes
    bool m_timestamps{true};      ///< segments carry timestamps
    uint32_t m_buffer{0};         ///< of each end, bytes
    uint32_t m_initialWindow{0};  ///< congestion window of a new connection, segments
    uint32_t m_duplicateAcks{0};  ///< number that starts a fast retransmit; 0: none
    uint32_t m_segmentsPerAck{0}; ///< that receivers acknowledge together
    Time m_minRto;                ///< minimum retransmission timeout
    Time m_connectTimeout;        ///< first wait for the answer to a SYN
    uint64_t m_received{0};       ///< see GetReceivedBytes()

    std::vector<Due> m_due;      ///< all flows, by start
    std::size_t m_nextFlow{0};   ///< first one not yet handed over
    EventId m_flowStart;         ///< pending: when that is due
    NetworkTally m_arrivals;     ///< counts flows that arrive
    uint64_t m_unfinished{0};    ///< flows that have not arrived
    uint64_t m_lastArrival{0};   ///< latest arrival of a flow, tick
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
