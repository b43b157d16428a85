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
 * A RoCEv2 NIC: reliable-connection queue pairs over one LosslessNetDevice of a host.
 *
 * Each flow is one message on its own queue pair, split into packets of "PayloadBytes". The device
 * pulls packets when its wire is free: nothing is queued below the queue pairs, so a paused class
 * holds its packets here. Acknowledgements go first, in CONTROL_PRIORITY unless
 * "AnswersInDataClass" is set; one that may not leave also holds back those after it. Then all
 * queue pairs that may send take turns, see SendArbiter.
 *
 * The Reliability, go-back-N by default, repairs losses: at once when the receiver reports them,
 * otherwise after a timeout. One event per NIC serves the timeouts of all queue pairs: it is
 * scheduled for the earliest that can be due and checks all of them, so a packet costs no event.
 *
 * A CongestionControl may limit each queue pair to a window and a rate: RateLimiter holds those
 * ahead of their rate. Its event is scheduled only while none takes turns.
 *
 * Acknowledgements echo marks: the bit BECN states that a packet which they answer met congestion.
 * Senders that rely on congestion notification packets get one for a marked data packet, at most
 * one per "CnpInterval" and queue pair.
 *
 * A PathSelection may give each data packet another UDP source port, which answers carry back.
 *
 * Data packets of senders that rely on telemetry have a TelemetryHeader, which switches write to;
 * the acknowledgement of a packet repeats it.
 *
 * Connections are set up out of band, in no time, and without the state of the other NIC: both ends
 * follow from one RoceConnection, which is made from the flow and settings. The queue pair has the
 * same number at both ends, which follows from that of the flow (RoceConnection::NumberOf()), so
 * that one number finds a flow and its answers in a capture. Flows that a NIC has open at the same
 * time must differ in it, otherwise the program ends. The receiving end is found by the sender's
 * address and the number, since other senders may use the same.
 *
 * Each end closes by itself: the sending one once everything is acknowledged, the receiving one
 * once everything has arrived. As the last acknowledgement may get lost, the receiver remembers the
 * flow in a few words for at least KEPT_TIMEOUTS retransmission timeouts of its sender, and
 * acknowledges retransmissions as duplicates. A packet for a queue pair that is neither open nor
 * remembered is counted as stale and not answered; a sender that gets through only after that time
 * retransmits in vain. A packet never reaches another flow, unless it is still in flight when a
 * later one with the same number is open.
 */
class RoceNic : public Object, public FrameSource, public FrameReceiver
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Retransmission timeouts of its sender for which a received flow is remembered.
    static constexpr int64_t KEPT_TIMEOUTS = 64;

    /// Packets by kind. Of the received ones, dataReceived - outOfOrder - placed - duplicates
    /// arrived in order; of the sent ones, dataSent - retransmitted were first transmissions.
    struct Counts
    {
        uint64_t dataSent{0};      ///< data packets sent, including retransmissions
        uint64_t dataReceived{0};  ///< data packets received for a known queue pair
        uint64_t bytesReceived{0}; ///< payload that was accepted, each byte once
        uint64_t acksSent{0};      ///< positive acknowledgements made
        uint64_t naksSent{0};      ///< negative acknowledgements made
        uint64_t cnpsSent{0};      ///< congestion notifications made
        uint64_t cnpsReceived{0};  ///< congestion notifications for an open queue pair
        uint64_t retransmitted{0}; ///< data packets sent again
        uint64_t outOfOrder{0};    ///< data packets received beyond a gap and not kept
        uint64_t placed{0};        ///< data packets received beyond a gap and kept
        uint64_t duplicates{0};    ///< data packets received again
        uint64_t reorderExtent{0}; ///< most packets that one was ahead of the expected one
        uint64_t pathSwitches{0};  ///< most switches that telemetry counted on a path from here
        uint64_t stale{0};         ///< packets received for an unknown queue pair
        uint64_t timeouts{0};      ///< timeouts without an answer
        uint64_t trimmed{0};       ///< data packets received without their payload
        uint64_t givenUp{0};       ///< flows from here that were given up
    };

    RoceNic();

    /// Aggregates the NIC to a host's device, on a node and without a NIC, which owns it.
    void Install(Ptr<LosslessNetDevice> device, Ipv4Address address);

    /// Starts a flow now: agrees, and opens both ends. During a run, it must be called in an event
    /// of this node or of none; in one of another node it ends the program, see WheelSimulatorImpl.
    /// @param peer the receiving NIC
    /// @param flow its destination is taken from the peer
    void StartFlow(Ptr<RoceNic> peer, const RoceFlow& flow);

    /// Returns what this NIC as the sender of a flow agrees on with its receiver, from settings of
    /// both alone; an invalid flow ends the program.
    /// @param peer the receiving NIC
    /// @param flow its destination is taken from the peer
    RoceConnection Agree(Ptr<const RoceNic> peer, const RoceFlow& flow) const;

    /// Opens the sending end of a flow, which starts now; the receiving end opens with it.
    void OpenSender(const RoceConnection& connection);

    /// Opens the receiving end of a flow.
    void OpenReceiver(const RoceConnection& connection);

    /// Returns the address of the NIC.
    Ipv4Address GetAddress() const;
    /// Payload of a full data packet, bytes.
    uint32_t GetPayloadBytes() const;
    /// Data packets per acknowledgement that it sends.
    uint32_t GetAckInterval() const;
    /// Packets so far.
    const Counts& GetCounts() const;
    /// Queue pairs that memory is held for: in use or kept for the next flows.
    std::size_t GetQueuePairSlots() const;
    /// Received flows that are remembered, in case their last acknowledgement was lost.
    std::size_t GetRememberedFlows() const;
    /// Forgets a flow received here, once its sender has all acknowledgements without having sent
    /// a packet twice, so that none can still arrive.
    void ForgetFlow(const FlowRecord& record);

    /// Returns how losses are repaired.
    Ptr<const Reliability> GetReliability() const;

    /// Calls a function with the id and the FlowSignals of each flow that is arriving here.
    void VisitArriving(const std::function<void(uint64_t, const FlowSignals&)>& function);

    /// Calls a function with the id and acknowledged bytes of each flow sent from here.
    void VisitSending(const std::function<void(uint64_t, uint64_t)>& function);

    /// Bytes of optional headers in each data packet from here: telemetry, place.
    uint32_t GetOptionBytes() const;

    /// Bytes of a data packet's frame, without FCS.
    /// @param payloadBytes payload of the packet
    /// @param optionBytes see GetOptionBytes()
    static uint32_t GetFrameBytes(uint32_t payloadBytes, uint32_t optionBytes = 0);

    /// Bytes on the wire per byte of payload, without optional headers.
    /// @param payloadBytes payload of a data packet
    static double GetOverheadFactor(uint32_t payloadBytes);

    /// Returns what is wrong with a packet size; empty if the packet fits.
    /// @param payloadBytes payload of a full packet
    /// @param mtu largest payload of an Ethernet frame, bytes
    /// @param optionBytes see GetOptionBytes()
    static std::string DescribeMisfit(uint32_t payloadBytes,
                                      uint32_t mtu,
                                      uint32_t optionBytes = 0);

    bool Prepare(const Permit& permit) override;
    Frame Dequeue(const Permit& permit) override;
    void NotifyGateChanged() override;
    void NotifyPaused(const PauseNotice& notice) override;
    bool TryReceive(const Frame& frame) override;
    void PrefetchFor(const RingBuffer<Frame>& frames) const override;

    /// Signature of the trace sources of flows.
    typedef void (*FlowTracedCallback)(const FlowRecord& record);
    /// Signature of the trace source of flows without progress.
    /// @param since when the latest progress was
    /// @param state of its sending end, as text
    typedef void (*StallTracedCallback)(const FlowRecord& record,
                                        Time since,
                                        const std::string& state);
    /// Signature of the trace source of signals.
    /// @param flow id of the flow
    typedef void (*SignalsTracedCallback)(uint64_t flow, const FlowSignals& signals);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    friend class RoceRequester;
    friend class RoceResponder;

    /// Sets the factory of each flow's congestion control; anything else ends the program.
    void SetControlFactory(ObjectFactory factory);
    ObjectFactory GetControlFactory() const;
    /// Sets the factory of the reliability; anything else ends the program.
    void SetReliabilityFactory(ObjectFactory factory);
    ObjectFactory GetReliabilityFactory() const;
    void CheckFlow(Ptr<const RoceNic> peer, const RoceFlow& flow) const;
    /// Ends the program if an end is to be opened at the wrong NIC.
    /// @param address of the right NIC
    void CheckEnd(const RoceConnection& connection, Ipv4Address address) const;
    /// Ends the program if an end could not be opened.
    void CheckNumber(bool isOpen, const RoceConnection& connection) const;
    void CheckPayload() const;
    /// Lets the device pull, once it is initialised.
    void Kick();

    /// Maximum unacknowledged payload without a congestion control, bytes; 0: any.
    uint64_t GetMaxWindow() const
    {
        return m_window == 0 || m_reliabilityWindow == 0 ? std::max(m_window, m_reliabilityWindow)
                                                         : std::min(m_window, m_reliabilityWindow);
    }

    Priority GetAnswerClass(Priority data) const
    {
        return m_answersInDataClass ? data : CONTROL_PRIORITY;
    }

    void PrefetchFor(const Frame& frame, std::size_t step) const;

    /// Whether an arriving frame is a packet for a queue pair here.
    bool IsForHere(const Frame& frame) const
    {
        return frame.flow.destinationPort == RoceHeader::UDP_PORT &&
               frame.kind == FrameKind::IPV4 && frame.flow.protocol == PROTOCOL_UDP &&
               frame.flow.destination == m_address.Get();
    }

    /// Handles an arriving packet.
    /// @param telemetry of the packet; null: none
    /// @param sack of the packet; null: none
    void ReceivePacket(const RoceHeader& header,
                       const TelemetryHeader* telemetry,
                       const SackHeader* sack);
    LosslessNetDevice* m_device{nullptr}; ///< on which this is aggregated; null before Install()
    Ipv4Address m_address;                ///< address of the NIC
    uint32_t m_payloadBytes{0};           ///< payload of a full packet
    uint64_t m_window{0};                 ///< bytes that may be unacknowledged; 0: any
    uint32_t m_ackInterval{1};            ///< packets per acknowledgement
    Time m_retransmitTimeout;             ///< wait before a go-back
    uint32_t m_retryLimit{0};             ///< consecutive retries; 0: any number
    Time m_stallTime;                     ///< without progress until this is reported; 0: never
    ObjectFactory m_reliabilityFactory;   ///< makes the reliability
    Ptr<Reliability> m_reliability;       ///< repairs losses
    uint64_t m_reliabilityWindow{0};      ///< its Reliability::GetWindow()
    ReliabilityTraits m_traits;           ///< what the reliability requires
    bool m_ecnCapable{true};              ///< data packets carry ECT(0)
    bool m_answersInDataClass{false};     ///< instead of CONTROL_PRIORITY
    uint32_t m_initialPsn{0};             ///< sequence number of the first packet of each flow
    ObjectFactory m_controlFactory;       ///< makes the CongestionControl of each flow
    ObjectFactory m_pathFactory;          ///< makes the PathSelection of each flow
    CongestionFeedback m_feedback;        ///< required by those controls
    Time m_cnpInterval;                   ///< between congestion notifications to a queue pair

    RoceRequester m_requester; ///< flows from here
    RoceResponder m_responder; ///< flows to here
    Counts m_counts;           ///< packets so far

    TracedCallback<const FlowRecord&> m_flowStarted;                           ///< at the sender
    TracedCallback<const FlowRecord&> m_flowReceived;                          ///< at the receiver
    TracedCallback<const FlowRecord&> m_flowAcknowledged;                      ///< at the sender
    TracedCallback<const FlowRecord&> m_flowRetransmitted;                     ///< at the sender
    TracedCallback<const FlowRecord&> m_flowGivenUp;                           ///< at the sender
    TracedCallback<uint64_t, const FlowSignals&> m_flowSignals;                ///< at the receiver
    TracedCallback<const FlowRecord&, Time, const std::string&> m_flowStalled; ///< at the sender
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ROCE_NIC_H */
