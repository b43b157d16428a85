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
 * Each flow is one message on a queue pair of its own, cut into packets of "PayloadBytes". The
 * device pulls packets when its wire is free: nothing is queued below the queue pairs, so a paused
 * class holds its packets here. Acknowledgements go first, in CONTROL_PRIORITY unless
 * "AnswersInDataClass" is set; one that may not leave waits, and those behind it do as well. Then
 * all queue pairs that may send take turns, see SendArbiter.
 *
 * Loss is repaired by the Reliability, which is go-back-N unless set: upon what the receiver tells
 * at once, and otherwise upon a timeout. One event per NIC serves the timeouts of all queue pairs:
 * it is armed for the earliest instant at which one can be due, and looks at all of them then, so
 * that a packet costs no event.
 *
 * A CongestionControl may limit each queue pair to a window, and to a rate: RateLimiter holds those
 * ahead of it. Its event is scheduled only while nobody takes turns.
 *
 * Acknowledgements echo marks: the bit BECN says that a packet which they answer met congestion.
 * Senders that live on congestion notification packets get one upon a marked data packet, but not
 * within "CnpInterval" of the one before, per queue pair.
 *
 * A PathSelection may give each data packet another UDP source port. Whatever that is, answers to
 * a packet carry it back.
 *
 * Data packets of senders that live on telemetry have a TelemetryHeader, which switches write to;
 * the acknowledgement of a packet repeats it.
 *
 * Connections are set up out of band, in no time, and without a look at the state of the other
 * NIC: both ends follow from one RoceConnection, which is made of the flow and of settings. The
 * queue pair has the same number at both ends, which follows from that of the flow
 * (RoceConnection::NumberOf()): so one number shows a flow and its answers in a capture. The flows
 * which a NIC has open at a time must differ in it; two that do not stop the program. The receiving
 * end is found by the address of the sender and the number, since other senders may use the same.
 *
 * Each end closes by itself: the sending one once everything is acknowledged, the receiving one
 * once everything has arrived. As the last acknowledgement may get lost, the receiver remembers the
 * flow in a few words for at least KEPT_TIMEOUTS retransmission timeouts of its sender, and
 * acknowledges again what comes again: such packets are duplicates. A packet for a queue pair that
 * is neither open nor remembered is counted as stale and not answered; a sender that gets through
 * only after that time therefore goes on sending in vain. A packet of a flow reaches no other one,
 * unless it is still on its way when a later one with the same number is open.
 */
class RoceNic : public Object, public FrameSource, public FrameReceiver
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Retransmission timeouts of its sender for which a received flow is remembered.
    static constexpr int64_t KEPT_TIMEOUTS = 64;

    /**
     * Packets by kind. Of the received ones, dataReceived - outOfOrder - placed - duplicates
     * arrived in order; of the sent ones, dataSent - retransmitted for the first time.
     */
    struct Counts
    {
        uint64_t dataSent{0};      ///< data packets sent, with retransmissions
        uint64_t dataReceived{0};  ///< data packets received for a queue pair that is known
        uint64_t bytesReceived{0}; ///< payload that arrived and was taken, each byte once
        uint64_t acksSent{0};      ///< positive acknowledgements made
        uint64_t naksSent{0};      ///< negative acknowledgements made
        uint64_t cnpsSent{0};      ///< congestion notifications made
        uint64_t cnpsReceived{0};  ///< congestion notifications for an open queue pair
        uint64_t retransmitted{0}; ///< data packets sent again
        uint64_t outOfOrder{0};    ///< data packets received beyond a gap, and not kept
        uint64_t placed{0};        ///< data packets received beyond a gap, and kept
        uint64_t duplicates{0};    ///< data packets received again
        uint64_t reorderExtent{0}; ///< most packets that one received was ahead of the expected one
        uint64_t pathSwitches{0};  ///< most switches that telemetry counted on a path from here
        uint64_t stale{0};         ///< packets received for a queue pair that is not known
        uint64_t timeouts{0};      ///< repeats for want of an answer
        uint64_t trimmed{0};       ///< data packets received without their payload
        uint64_t givenUp{0};       ///< flows from here that were given up
    };

    RoceNic();

    /**
     * Puts the NIC on a device and aggregates it to the device, which keeps it alive.
     * @param device device of a host, without a NIC so far; it is on a node
     * @param address address of the NIC
     */
    void Install(Ptr<LosslessNetDevice> device, Ipv4Address address);

    /**
     * Starts a flow now: agrees, and opens the receiving end and the sending one. In a run, called
     * in an event of this node or of none; in one of another node it stops the program, see
     * WheelSimulatorImpl.
     * @param peer the receiving NIC
     * @param flow the flow; its destination is taken from the peer
     */
    void StartFlow(Ptr<RoceNic> peer, const RoceFlow& flow);

    /**
     * What this NIC as the sender of a flow agrees on with its receiver. Only settings of both are
     * read; a flow that cannot be stops the program.
     * @param peer the receiving NIC
     * @param flow the flow; its destination is taken from the peer
     * @return what both ends have to know
     */
    RoceConnection Agree(Ptr<const RoceNic> peer, const RoceFlow& flow) const;

    /**
     * Opens the sending end of a flow here, which starts now. The receiving end is opened in the
     * same instant.
     * @param connection what was agreed on
     */
    void OpenSender(const RoceConnection& connection);

    /**
     * Opens the receiving end of a flow here.
     * @param connection what was agreed on
     */
    void OpenReceiver(const RoceConnection& connection);

    /// @return address of the NIC
    Ipv4Address GetAddress() const;
    /// @return payload of a full data packet, in bytes
    uint32_t GetPayloadBytes() const;
    /// @return data packets per acknowledgement that it sends
    uint32_t GetAckInterval() const;
    /// @return packets so far
    const Counts& GetCounts() const;
    /// @return queue pairs that memory is held for: in use or kept for the next flows
    std::size_t GetQueuePairSlots() const;
    /// @return flows received that are remembered, in case their last acknowledgement was lost
    std::size_t GetRememberedFlows() const;

    /// @return how losses are repaired
    Ptr<const Reliability> GetReliability() const;

    /// @param function called with the id and the FlowSignals of each flow that is arriving here
    void VisitArriving(const std::function<void(uint64_t, const FlowSignals&)>& function);

    /// @param function called with the id of each flow that is being sent from here and its payload
    /// that is acknowledged, in bytes
    void VisitSending(const std::function<void(uint64_t, uint64_t)>& function);

    /// @return bytes of optional headers that each data packet from here has: telemetry, place
    uint32_t GetOptionBytes() const;

    /**
     * @param payloadBytes payload of a data packet
     * @param optionBytes see GetOptionBytes()
     * @return bytes of its frame, without FCS
     */
    static uint32_t GetFrameBytes(uint32_t payloadBytes, uint32_t optionBytes = 0);

    /// @param payloadBytes payload of a data packet
    /// @return bytes on the wire for each byte of payload, without optional headers
    static double GetOverheadFactor(uint32_t payloadBytes);

    /**
     * @param payloadBytes payload of a full packet
     * @param mtu largest payload of an Ethernet frame, in bytes
     * @param optionBytes see GetOptionBytes()
     * @return what is wrong with these; empty if the packet fits
     */
    static std::string DescribeMisfit(uint32_t payloadBytes,
                                      uint32_t mtu,
                                      uint32_t optionBytes = 0);

    // Inherited from FrameSource and FrameReceiver

    bool Prepare(const Permit& permit) override;
    Frame Dequeue(const Permit& permit) override;
    void NotifyGateChanged() override;
    void NotifyPaused(const PauseNotice& notice) override;
    bool TryReceive(const Frame& frame) override;
    void PrefetchFor(const RingBuffer<Frame>& frames) const override;

    /**
     * Signature of the trace sources of flows.
     * @param record the flow
     */
    typedef void (*FlowTracedCallback)(const FlowRecord& record);
    /**
     * Signature of the trace source of flows without progress.
     * @param record the flow
     * @param since when the latest progress was
     * @param state of its sending end, as text
     */
    typedef void (*StallTracedCallback)(const FlowRecord& record,
                                        Time since,
                                        const std::string& state);
    /**
     * Signature of the trace source of signals.
     * @param flow id of the flow
     * @param signals what its receiver has heard and said
     */
    typedef void (*SignalsTracedCallback)(uint64_t flow, const FlowSignals& signals);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    friend class RoceRequester;
    friend class RoceResponder;

    /// @param factory makes the congestion control of each flow; stops the program if it does not
    void SetControlFactory(ObjectFactory factory);
    /// @return makes the congestion control of each flow
    ObjectFactory GetControlFactory() const;
    /// @param factory makes the reliability; stops the program if it does not
    void SetReliabilityFactory(ObjectFactory factory);
    /// @return makes the reliability
    ObjectFactory GetReliabilityFactory() const;
    /// Stops the program if the flow cannot be. @param peer the receiver @param flow the flow
    void CheckFlow(Ptr<const RoceNic> peer, const RoceFlow& flow) const;
    /// Stops the program if an end is to be opened at the wrong NIC.
    /// @param connection its connection @param address of the right NIC
    void CheckEnd(const RoceConnection& connection, Ipv4Address address) const;
    /// Stops the program if an end could not be opened. @param isOpen whether it could
    /// @param connection its connection
    void CheckNumber(bool isOpen, const RoceConnection& connection) const;
    /// Stops the program if a full packet does not fit the device.
    void CheckPayload() const;
    /// Lets the device pull, once it is initialised.
    void Kick();

    /// @return payload that a queue pair may have unacknowledged without a congestion control, in
    /// bytes; 0: any
    uint64_t GetMaxWindow() const
    {
        return m_window == 0 || m_reliabilityWindow == 0 ? std::max(m_window, m_reliabilityWindow)
                                                         : std::min(m_window, m_reliabilityWindow);
    }

    /// @param data class of data that arrives here @return the class of what answers it
    Priority GetAnswerClass(Priority data) const
    {
        return m_answersInDataClass ? data : CONTROL_PRIORITY;
    }

    /// See QueuePairTable. @param frame a frame to be received @param step of its prefetching
    void PrefetchFor(const Frame& frame, std::size_t step) const;

    /// @param frame an arriving frame @return whether it is a packet for a queue pair here
    bool IsForHere(const Frame& frame) const
    {
        return frame.flow.destinationPort == RoceHeader::UDP_PORT &&
               frame.kind == FrameKind::IPV4 && frame.flow.protocol == PROTOCOL_UDP &&
               frame.flow.destination == m_address.Get();
    }

    /// @param header of an arriving packet @param telemetry behind it; null: none
    /// @param sack behind it; null: none
    void ReceivePacket(const RoceHeader& header,
                       const TelemetryHeader* telemetry,
                       const SackHeader* sack);
    LosslessNetDevice* m_device{nullptr}; ///< aggregated to this; null before Install()
    Ipv4Address m_address;                ///< address of the NIC
    uint32_t m_payloadBytes{0};           ///< payload of a full packet
    uint64_t m_window{0};                 ///< bytes that may be unacknowledged; 0: any
    uint32_t m_ackInterval{1};            ///< packets per acknowledgement
    Time m_retransmitTimeout;             ///< wait before a go-back
    uint32_t m_retryLimit{0};             ///< retries in a row; 0: any number
    Time m_stallTime;                     ///< without progress, until that is told; 0: never
    ObjectFactory m_reliabilityFactory;   ///< makes the reliability
    Ptr<Reliability> m_reliability;       ///< repairs losses
    uint64_t m_reliabilityWindow{0};      ///< its Reliability::GetWindow()
    ReliabilityTraits m_traits;           ///< what it asks for
    bool m_ecnCapable{true};              ///< data packets carry ECT(0)
    bool m_answersInDataClass{false};     ///< rather than in CONTROL_PRIORITY
    uint32_t m_initialPsn{0};             ///< sequence number of the first packet of each flow
    ObjectFactory m_controlFactory;       ///< makes the CongestionControl of each flow
    ObjectFactory m_pathFactory;          ///< makes the PathSelection of each flow
    CongestionFeedback m_feedback;        ///< what those live on
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
