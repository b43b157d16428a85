// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ROCE_NIC_H
#define LOSSLESS_ROCE_NIC_H

#include "queue-pair.h"
#include "roce-requester.h"
#include "roce-responder.h"

#include "ns3/congestion-control.h"
#include "ns3/frame-endpoint.h"
#include "ns3/host-port.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/reliability.h"
#include "ns3/traced-callback.h"

#include <algorithm>
#include <functional>
#include <string>

namespace ns3::lossless
{

class LosslessNetDevice;

/**
 * @ingroup lossless
 * A RoCEv2 NIC. It provides queue pairs of InfiniBand's reliable connection service over the
 * LosslessNetDevice of a host.
 *
 * Each flow is one message on its own queue pair, split into packets of "PayloadBytes". The device
 * pulls packets when its wire is free. There are no queues below the queue pairs, so the packets of
 * a paused class wait in the NIC. Acknowledgements are sent before data packets, in
 * CONTROL_PRIORITY unless "AnswersInDataClass" is set. The acknowledgements of a class are sent in
 * order, except that those of an individually stopped flow do not block others (see ClassQueues).
 * If no acknowledgement can be sent, the queue pairs that can send are served in turn; see
 * SendArbiter.
 *
 * A Reliability (go-back-N by default) recovers lost packets, either immediately when the receiver
 * reports a loss or after a timeout. A single event per NIC handles the timeouts of all queue
 * pairs. The event is scheduled for the earliest possible timeout and checks all queue pairs, so no
 * event per packet is needed.
 *
 * A CongestionControl can limit each queue pair to a window and a rate. A RateLimiter holds the
 * queue pairs that are ahead of their rate. Its event is scheduled only while no queue pair is
 * ready to be served.
 *
 * Acknowledgements echo marks: the BECN bit indicates that an acknowledged packet was marked. If
 * the sender needs congestion notification packets, it receives one for each marked data packet,
 * but at most one per "CnpInterval" and queue pair.
 *
 * A PathSelection can give each data packet a different UDP source port, which the answer to the
 * packet carries back.
 *
 * If the sender needs telemetry, data packets have a TelemetryHeader, which switches fill in. The
 * acknowledgement of a packet echoes the telemetry.
 *
 * Connections are set up out of band, in zero time and without access to the state of the other
 * NIC. Both ends are created from one RoceConnection, which depends on the flow and the settings.
 * The queue pair has the same number at both ends. The number is derived from the ID of the flow
 * (RoceConnection::NumberOf()), so that a single number identifies a flow and its answers in a
 * capture. Flows that a NIC sends at the same time must have different numbers; otherwise, the
 * program exits with an error. The receiving end is identified by the sender's address and the
 * number, because other senders can use the same number.
 *
 * Each end closes separately: the sending end when all packets have been acknowledged, the
 * receiving end when all packets have arrived. The last acknowledgement can be lost. The receiver
 * therefore keeps a small record of the flow for at least KEPT_TIMEOUTS retransmission timeouts of
 * the sender and acknowledges retransmissions as duplicates. A packet for a queue pair that is
 * neither open nor remembered is counted as stale and not answered. A sender whose retransmissions
 * arrive after the record has been removed therefore repeats them in vain. A packet can reach the
 * wrong flow only if it is still in flight when a later flow with the same number is open.
 */
class RoceNic : public Object, public FrameSource, public FrameReceiver
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// The time for which a received flow is remembered, in retransmission timeouts of the sender.
    static constexpr int64_t KEPT_TIMEOUTS = 64;

    /// The packet counts, by kind. Among the received packets, dataReceived - outOfOrder - placed -
    /// duplicates arrived in order. Among the sent packets, dataSent - retransmitted were first
    /// transmissions.
    struct Counts
    {
        uint64_t dataSent{0};      ///< the number of data packets sent, including retransmissions
        uint64_t dataReceived{0};  ///< the number of data packets received for a known queue pair
        uint64_t bytesReceived{0}; ///< the accepted payload, without duplicates, in bytes
        uint64_t acksSent{0};      ///< the number of positive acknowledgements sent
        uint64_t naksSent{0};      ///< the number of negative acknowledgements sent
        uint64_t cnpsSent{0};      ///< the number of congestion notifications sent
        uint64_t cnpsReceived{0};  ///< the number of congestion notifications received for an open
                                   ///< queue pair
        uint64_t retransmitted{0}; ///< the number of data packets retransmitted
        uint64_t outOfOrder{0};    ///< the number of data packets received beyond a gap and
                                   ///< discarded
        uint64_t placed{0};        ///< the number of data packets received beyond a gap and kept
        uint64_t duplicates{0};    ///< the number of data packets received that had already arrived
        /// The largest number of packets by which a packet was ahead of the expected one.
        uint64_t reorderExtent{0};
        /// The maximum number of switches that telemetry reported on a path from this NIC.
        uint64_t pathSwitches{0};
        uint64_t stale{0};    ///< the number of packets received for an unknown queue pair
        uint64_t timeouts{0}; ///< the number of retransmission timeouts
        uint64_t trimmed{0};  ///< the number of data packets received without their payload
    };

    RoceNic();

    /// Aggregates the NIC to a host's device, which then owns it. The device must be on a node and
    /// must not have a NIC yet.
    void Install(Ptr<LosslessNetDevice> device, Ipv4Address address);

    /// Starts a flow now by opening both ends. During a run, this function must be called in an
    /// event of this node or outside any node's context. Calling this function in an event of
    /// another node is a fatal error; see WheelSimulatorImpl.
    /// @param peer the receiving NIC
    /// @param flow the flow; its destination is set to the peer
    void StartFlow(Ptr<RoceNic> peer, const RoceFlow& flow);

    /// Returns the parameters on which this NIC, as the sender of a flow, agrees with the receiver.
    /// They depend only on the flow and on the settings of both NICs. An invalid flow is a fatal
    /// error.
    /// @param peer the receiving NIC
    /// @param flow the flow; its destination is set to the peer
    RoceConnection Agree(Ptr<const RoceNic> peer, const RoceFlow& flow) const;

    /// Opens the sending end of a flow, which starts now. The receiving end is opened at the same
    /// time.
    void OpenSender(const RoceConnection& connection);

    /// Opens the receiving end of a flow.
    void OpenReceiver(const RoceConnection& connection);

    /// Returns the address of the NIC.
    Ipv4Address GetAddress() const
    {
        return m_address;
    }

    /// Returns the payload of a full data packet in bytes.
    uint32_t GetPayloadBytes() const
    {
        return m_payloadBytes;
    }

    /// Returns the number of data packets after which this NIC sends an acknowledgement.
    uint32_t GetAckInterval() const
    {
        return m_ackInterval;
    }

    /// Returns the packet counts so far.
    const Counts& GetCounts() const
    {
        return m_counts;
    }

    /// Returns the number of queue pair ends for which memory is allocated. Each of them is in use
    /// or kept for a later flow.
    std::size_t GetQueuePairSlots() const;

    /// Returns the number of received flows that are remembered in case their last acknowledgement
    /// was lost.
    std::size_t GetRememberedFlows() const
    {
        return m_responder.GetRememberedFlows();
    }

    /// Forgets a flow received by this NIC. Called when the sender has received all
    /// acknowledgements and has sent no packet twice, so no more packets can arrive.
    void ForgetFlow(const FlowRecord& record);

    /// Returns the object that configures loss recovery.
    Ptr<const Reliability> GetReliability() const
    {
        return m_reliability;
    }

    /// Calls a function with the ID and the FlowSignals of each flow that is being received.
    void VisitArriving(const std::function<void(uint64_t, const FlowSignals&)>& function);

    /// Calls a function with the ID and the acknowledged bytes of each flow that is being sent.
    void VisitSending(const std::function<void(uint64_t, uint64_t)>& function);

    /// Returns the size of the optional headers (telemetry, payload address) in each data packet
    /// that this NIC sends.
    uint32_t GetOptionBytes() const;

    /// Returns the size, in bytes, of a data packet's frame without FCS.
    /// @param payloadBytes the payload of the packet
    /// @param optionBytes see GetOptionBytes()
    static uint32_t GetFrameBytes(uint32_t payloadBytes, uint32_t optionBytes = 0);

    /// Returns the number of bytes on the wire per byte of payload, without optional headers.
    /// @param payloadBytes the payload of a data packet
    static double GetOverheadFactor(uint32_t payloadBytes);

    /// Describes why a packet size is invalid. Returns an empty string if it is valid.
    /// @param payloadBytes the payload of a full packet
    /// @param mtu the largest payload of an Ethernet frame, in bytes
    /// @param optionBytes see GetOptionBytes()
    static std::string DescribeMisfit(uint32_t payloadBytes,
                                      uint32_t mtu,
                                      uint32_t optionBytes = 0);

    bool Prepare(const Permit& permit) override;
    Frame Dequeue(const Permit& permit) override;
    void NotifyGateChanged() override;
    void NotifyPaused(const PauseNotice& notice) override;
    bool TryReceive(const Frame& frame) override;
    void Prefetch(const RingBuffer<Frame>& frames) const override;

    /// The signature of the trace sources that report flows.
    typedef void (*FlowTracedCallback)(const FlowRecord& record);
    /// The signature of the trace source that reports flows without progress.
    /// @param since the time of the latest progress or, if later, of the first trimmed packet
    /// @param state a description of the sending end
    typedef void (*StallTracedCallback)(const FlowRecord& record,
                                        Time since,
                                        const std::string& state);
    /// The signature of the trace source that reports signals.
    /// @param flow the ID of the flow
    /// @param signals the counts of the flow
    typedef void (*SignalsTracedCallback)(uint64_t flow, const FlowSignals& signals);
    /// The signature of the trace source that reports rates.
    /// @param rate the rate on the wire, as set by the CongestionControl
    typedef void (*RateTracedCallback)(uint64_t flow, DataRate rate);
    /// The signature of the trace source that reports windows.
    /// @param bytes the window in bytes of payload; 0 for no limit
    typedef void (*WindowTracedCallback)(uint64_t flow, uint64_t bytes);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    friend class RoceRequester;
    friend class RoceResponder;

    /// Sets the factory for the flows' CongestionControl objects. A factory for any other type is a
    /// fatal error.
    void SetControlFactory(ObjectFactory factory);
    ObjectFactory GetControlFactory() const;
    /// Sets the factory for the Reliability. A factory for any other type is a fatal error.
    void SetReliabilityFactory(ObjectFactory factory);
    ObjectFactory GetReliabilityFactory() const;
    void CheckFlow(Ptr<const RoceNic> peer, const RoceFlow& flow) const;
    /// Exits with an error if an end is about to be opened at the wrong NIC.
    /// @param address the address of the correct NIC
    void CheckEnd(const RoceConnection& connection, Ipv4Address address) const;
    /// Exits with an error if an end could not be opened.
    void CheckNumber(bool isOpen, const RoceConnection& connection) const;
    void CheckPayload() const;
    /// Lets the device pull packets if it is initialized.
    void Kick();

    /// Returns the limit on a queue pair's unacknowledged payload that applies regardless of the
    /// congestion control, in bytes; 0 for no limit.
    uint64_t GetMaxWindow() const
    {
        return m_window == 0 || m_reliabilityWindow == 0 ? std::max(m_window, m_reliabilityWindow)
                                                         : std::min(m_window, m_reliabilityWindow);
    }

    Priority GetAnswerClass(Priority data) const
    {
        return m_answersInDataClass ? data : CONTROL_PRIORITY;
    }

    void Prefetch(const Frame& frame, std::size_t step) const;

    /// Returns whether an arriving frame is a packet for a queue pair of this NIC.
    bool IsForHere(const Frame& frame) const
    {
        return frame.flow.destinationPort == RoceHeader::UDP_PORT &&
               frame.kind == FrameKind::IPV4 && frame.flow.protocol == PROTOCOL_UDP &&
               frame.flow.destination == m_address.Get();
    }

    /// Handles an arriving packet.
    /// @param header the header of the packet
    /// @param telemetry the telemetry of the packet, or null
    /// @param sack the SACK header of the packet, or null
    void ReceivePacket(const RoceHeader& header,
                       const TelemetryHeader* telemetry,
                       const SackHeader* sack);
    /// The device to which this object is aggregated; null before Install().
    LosslessNetDevice* m_device{nullptr};
    Ipv4Address m_address;      ///< the address of the NIC
    uint32_t m_payloadBytes{0}; ///< the payload of a full packet, in bytes
    uint64_t m_window{0};       ///< the maximum unacknowledged payload, in bytes; 0 for no limit
    uint32_t m_ackInterval{1};  ///< the number of data packets per acknowledgement
    Time m_retransmitTimeout;   ///< the time before an unacknowledged packet is retransmitted
    uint32_t m_retryLimit{0};   ///< the maximum number of consecutive retries; 0 for no limit
    Time m_stallTime;           ///< the time without progress before a stall is reported; 0 to
                                ///< disable
    ObjectFactory m_reliabilityFactory; ///< the factory for the reliability
    Ptr<Reliability> m_reliability;     ///< the reliability, which recovers lost packets
    uint64_t m_reliabilityWindow{0};    ///< the result of m_reliability's GetWindow()
    ReliabilityTraits m_traits;         ///< the requirements of m_reliability
    bool m_ecnCapable{true};            ///< whether data packets carry ECT(0)
    /// Whether answers use the data class instead of CONTROL_PRIORITY.
    bool m_answersInDataClass{false};
    uint32_t m_initialPsn{0};       ///< the sequence number of the first packet of each flow
    ObjectFactory m_controlFactory; ///< the factory for the CongestionControl of each flow
    ObjectFactory m_pathFactory;    ///< the factory for the PathSelection of each flow
    CongestionFeedback m_feedback;  ///< the feedback required by the congestion control
    Time m_cnpInterval; ///< the minimum time between congestion notifications to a queue pair

    RoceRequester m_requester; ///< the half that handles the flows that this NIC sends
    RoceResponder m_responder; ///< the half that handles the flows that this NIC receives
    Counts m_counts;           ///< the packet counts so far

    TracedCallback<const FlowRecord&> m_flowStarted;            ///< fired at the sender when a flow
                                                                ///< starts
    TracedCallback<const FlowRecord&> m_flowReceived;           ///< fired at the receiver when a
                                                                ///< flow has arrived
    TracedCallback<const FlowRecord&> m_flowAcknowledged;       ///< fired at the sender when all
                                                                ///< packets have been acknowledged
    TracedCallback<const FlowRecord&> m_flowRetransmitted;      ///< fired at the sender when a
                                                                ///< packet is sent again
    TracedCallback<const FlowRecord&> m_flowGivenUp;            ///< fired at the sender when a flow
                                                                ///< is aborted
    TracedCallback<uint64_t, const FlowSignals&> m_flowSignals; ///< fired at the receiver when a
                                                                ///< flow has arrived
    TracedCallback<uint64_t, DataRate> m_flowRate;              ///< fired at the sender when the
                                                                ///< rate has changed
    TracedCallback<uint64_t, uint64_t> m_flowWindow;            ///< fired at the sender when the
                                                                ///< window has changed
    /// Fired at the sender when a flow has made no progress for a long time.
    TracedCallback<const FlowRecord&, Time, const std::string&> m_flowStalled;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ROCE_NIC_H */
