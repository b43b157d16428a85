// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TCP_FLOWS_H
#define LOSSLESS_TCP_FLOWS_H

#include "ns3/inet-socket-address.h"
#include "ns3/lossless-workload.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/queue-pair.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::lossless
{

class Fabric;

/**
 * @ingroup lossless
 * Sends flows over ns-3's TCP, beside the RoCE flows of a Fabric: a connection each, in the class
 * of the flow in both directions.
 *
 * Has the trace sources of a NIC, so that ResultsWriter::AddNic() and FlowRecorder::Watch() take
 * it; as at NICs, each end of a flow has a record of its own. A flow completes when the receiver
 * has read its last byte; the handshake counts, and so does address resolution, which ns-3 puts off
 * by up to 10 ms when two hosts meet first.
 *
 * Receivers acknowledge every segment at once, so that a window of one segment goes on without a
 * timeout, and marks are echoed one by one. The flows end with this object.
 *
 * @code
 * fabric.InstallInternetStack();
 * auto tcp = CreateObject<TcpFlows>();
 * tcp->SetAttribute("Variant", StringValue("ns3::TcpDctcp"));
 * experiment.GetResults().AddNic(tcp);
 * tcp->Start(fabric, flows);
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
     * Starts flows at their times, or now if that has passed; may be called once. Flows that
     * cannot be (see CheckFlows()) stop the program, and so do more than 16384 flows from a host or
     * 39152 flows to one: there are no more ports.
     * @param fabric the network, with ns-3's Internet stack on its hosts
     * @param flows the flows, whose ids no flow of a NIC may have
     */
    void Start(const Fabric& fabric, const FlowList& flows);

    /// @return bytes that receivers have read so far
    uint64_t GetReceivedBytes() const;

  protected:
    void DoDispose() override;

  private:
    class SendingEnd;
    class ReceivingEnd;

    /// @param node a host @param local address of the socket @param priority class of the socket
    /// @return a socket as the attributes say
    Ptr<Socket> MakeSocket(Ptr<Node> node, const InetSocketAddress& local, Priority priority) const;

    TypeId m_variant;       ///< congestion control
    bool m_ecn{true};       ///< negotiates ECN
    uint32_t m_segment{0};  ///< payload of a segment, bytes
    uint32_t m_buffer{0};   ///< of either end, bytes
    Time m_minRto;          ///< least retransmission timeout
    uint64_t m_received{0}; ///< see GetReceivedBytes()

    std::vector<std::unique_ptr<SendingEnd>> m_senders;     ///< by flow, in the order given
    std::vector<std::unique_ptr<ReceivingEnd>> m_receivers; ///< likewise

    TracedCallback<const FlowRecord&> m_flowStarted;       ///< the sender connects
    TracedCallback<const FlowRecord&> m_flowReceived;      ///< the receiver has all
    TracedCallback<const FlowRecord&> m_flowAcknowledged;  ///< the sender knows
    TracedCallback<const FlowRecord&> m_flowRetransmitted; ///< a segment is sent again
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TCP_FLOWS_H */
