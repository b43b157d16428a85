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

/// A flow over TCP and its two hosts, which must have ns-3's Internet stack.
struct TcpFlow
{
    FlowRecord record;  ///< the flow with the addresses and the start time
    Ptr<Node> sender;   ///< the host with the source address
    Ptr<Node> receiver; ///< the host with the destination address
};

/// @param name the name of a congestion control algorithm without its namespace, such as "TcpDctcp"
/// @return an error message if ns-3's TCP has no such algorithm
std::optional<std::string> CheckTcpVariant(const std::string& name);

/**
 * @ingroup lossless
 * Sends flows over ns-3's TCP, alongside RoCE flows of the same hosts. There is one connection per
 * flow, which uses the flow's class in both directions.
 *
 * The trace sources have the names and signatures of those of a NIC, so ResultsWriter::AddNic() and
 * FlowRecorder::Watch() accept a TcpFlows object. As with NICs, each end of a flow has its own
 * record. A flow completes when the receiver has read the last byte. The completion time includes
 * the handshake and address resolution, which ns-3 delays by up to 10 ms when two hosts first
 * communicate, unless Fabric::ResolveAddresses() has been called.
 *
 * Receivers acknowledge every segment immediately, unless "SegmentsPerAck" is 2. A connection with
 * a window of one segment therefore proceeds without waiting for a timeout, and marks are echoed
 * individually. A connection exists from the start of its flow until both ends have closed it, and
 * then remains in TIME_WAIT for two minimum retransmission timeouts. All flows end when this object
 * is disposed of.
 *
 * Several objects, for example one with DCTCP and one with CUBIC, can send at the same time, even
 * to the same host.
 *
 * If frames of a flow take several paths (AdaptiveForwarding), set "DuplicateAcks" to 0, so that
 * the senders tolerate reordering, as in DeTail. Senders then assume that missing data is late
 * rather than lost until the timeout expires.
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
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    TcpFlows();
    ~TcpFlows() override;

    /// Starts each flow at its start time, or immediately if that time has passed. This function
    /// can be called only once. If all TcpFlows objects of a simulation together have more than
    /// 16384 flows from one host or 39152 flows to one host, no ports are left; this is a fatal
    /// error. Fabric::StartTcpFlows() calls this function with the hosts of a fabric.
    /// @param flows the flows; their IDs must not be used by NICs or other TcpFlows objects
    void Start(const std::vector<TcpFlow>& flows);

    /// Stops the simulation when all flows passed to Start() have arrived. Start() must be called
    /// first. Flows of other objects are not taken into account.
    /// @param grace the time after which the simulation stops in any case, counted from the start
    /// of the last flow or from now, whichever is later; at most GetLatestStart()
    void StopWhenDone(Time grace);

    /// Returns the number of bytes that receivers have read so far.
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
        uint16_t port{0}; ///< the port of the receiver
    };

    /// Creates a socket with the settings given by the attributes.
    /// @param local the local address
    Ptr<Socket> MakeSocket(Ptr<Node> node, const InetSocketAddress& local, Priority priority) const;
    /// Hands over the flows that are due soon and schedules the next call.
    void StartDueFlows();
    /// Opens the receiving end of a flow.
    /// @param flow the index of the flow in m_due
    void Listen(std::size_t flow);
    /// Opens the sending end of a flow.
    /// @param flow the index of the flow in m_due
    void Connect(std::size_t flow);
    /// Stops the simulation if all flows have arrived and StopWhenDone() has been called.
    /// @param counts the arrivals since the last call
    void NoteArrivals(const NetworkTally::Counts& counts);

    TypeId m_variant;            ///< the congestion control
    bool m_ecn{true};            ///< whether to negotiate ECN
    uint32_t m_segment{0};       ///< the payload of a segment, in bytes
    bool m_timestamps{true};     ///< whether segments carry timestamps
    uint32_t m_buffer{0};        ///< the buffer size of each end, in bytes
    uint32_t m_initialWindow{0}; ///< the congestion window of a new connection, in segments
    /// The number of duplicate ACKs that starts a fast retransmit; 0 to disable it.
    uint32_t m_duplicateAcks{0};
    uint32_t m_segmentsPerAck{0}; ///< the number of segments per ACK
    Time m_minRto;                ///< the minimum retransmission timeout
    Time m_connectTimeout;        ///< the first timeout of a SYN
    uint64_t m_received{0};       ///< see GetReceivedBytes()

    std::vector<Due> m_due;      ///< all flows, in order of start time
    std::size_t m_nextFlow{0};   ///< the index of the first flow not yet handed over
    EventId m_flowStart;         ///< the pending event that hands over the flow at m_nextFlow
    NetworkTally m_arrivals;     ///< the tally of the flows that have arrived
    uint64_t m_unfinished{0};    ///< the number of flows that have not arrived
    uint64_t m_lastArrival{0};   ///< the time at which the latest flow arrived, in ticks
    bool m_stopsWhenDone{false}; ///< see StopWhenDone()

    std::vector<std::unique_ptr<SendingEnd>> m_senders; ///< the sending ends of flows that have
                                                        ///< started
    /// The receiving ends of flows that have started.
    std::vector<std::unique_ptr<ReceivingEnd>> m_receivers;

    TracedCallback<const FlowRecord&> m_flowStarted;  ///< fired when the sender connects
    TracedCallback<const FlowRecord&> m_flowReceived; ///< fired when the receiver has read all data
    TracedCallback<const FlowRecord&> m_flowAcknowledged; ///< fired when all data is acknowledged
    /// Fired when a segment is retransmitted.
    TracedCallback<const FlowRecord&> m_flowRetransmitted;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TCP_FLOWS_H */
