// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QUEUE_PAIR_H
#define LOSSLESS_QUEUE_PAIR_H

#include "completed-flows.h"

#include "ns3/cache-line.h"
#include "ns3/flow-record.h"
#include "ns3/ipv4-address.h"
#include "ns3/lossless-frame.h"
#include "ns3/lossless-types.h"
#include "ns3/mac48-address.h"
#include "ns3/nstime.h"
#include "ns3/reliability.h"
#include "ns3/roce-header.h"
#include "ns3/roce-options.h"
#include "ns3/trimming.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>

namespace ns3::lossless
{

/// Source and destination of the packets of one end of a queue pair.
struct RocePath
{
    Mac48Address sourceMac;      ///< this NIC
    Mac48Address destinationMac; ///< the other NIC
    Ipv4Address source;          ///< this NIC
    Ipv4Address destination;     ///< the other NIC
    uint16_t sourcePort{0};      ///< UDP source port
    uint8_t tos{0};              ///< DSCP << 2 | ECN
    uint32_t queuePair{0};       ///< number of the other end

    /// Class of a packet from the other NIC.
    static Priority ClassOf(const RoceHeader& data);
    /// Path of the answer to a packet, to a queue pair with the same number.
    /// @param priority class of the answer
    static RocePath OfAnswer(const RoceHeader& data, Priority priority);
};

/// @ingroup lossless
/// What both ends of a queue pair agree on, out of band, before the first packet. It follows from
/// the flow and from settings of the NICs alone, so each end can be opened where it is.
struct RoceConnection
{
    /// First number of a queue pair: 0 and 1 are reserved for InfiniBand's management.
    static constexpr uint32_t FIRST_NUMBER = 2;
    /// How many numbers there are, up to 2^24 - 2: the next one is InfiniBand's multicast.
    static constexpr uint32_t NUMBERS = RoceHeader::MASK_24_BIT - FIRST_NUMBER;

    /// Number of a flow's queue pair, at both ends.
    /// @param id the user's number of the flow
    static uint32_t NumberOf(uint64_t id)
    {
        return static_cast<uint32_t>(FIRST_NUMBER + id % NUMBERS);
    }

    RoceFlow flow;               ///< with all members filled in
    Ipv4Address source;          ///< sending NIC
    Mac48Address sourceMac;      ///< of the sending NIC
    Mac48Address destinationMac; ///< of the receiving NIC
    uint32_t number{0};          ///< of the queue pair at both ends; see NumberOf()
    uint32_t initialPsn{0};      ///< sequence number of the first packet
    bool wantsCnps{false};       ///< the sender relies on congestion notifications
    bool isCoalesced{false};     ///< the receiver does not acknowledge every packet
    Time retransmitTimeout;      ///< longest one of the sender
    std::optional<Time> start;   ///< of the flow; nothing: when an end is opened

    /// Path of the data.
    /// @param isEcnCapable the packets carry ECT(0)
    RocePath GetDataPath(bool isEcnCapable) const;
    /// Path of the answers.
    /// @param priority their class
    RocePath GetAnswerPath(Priority priority) const;
    /// Makes the record of an end that is opened now, of a flow that may have started before.
    FlowRecord MakeRecord() const;
};

/// @ingroup lossless
/// Makes the packets of one end of a queue pair; what they have in common is written only once.
class RocePacketMaker
{
  public:
    /// Sets the addresses of all packets.
    void SetPath(const RocePath& path);

    /// Sets the UDP source port of further packets.
    void SetSourcePort(uint16_t port);

    /// UDP source port of packets.
    uint16_t GetSourcePort() const
    {
        return m_frame.flow.sourcePort;
    }

    /// Header of the next packet, free to be changed.
    RoceHeader& GetHeader()
    {
        return m_header;
    }

    /// Adds a telemetry header, which switches write to, to further packets.
    void AskForTelemetry();
    /// Makes further packets report the telemetry that others carried.
    void EchoTelemetry(const TelemetryHeader& telemetry);

    /// Optional headers of the next packet, which has those that its header announces.
    RoceOptions& GetOptions();

    /// Makes the next packet.
    Frame Make() const;

    /// Describes the frame of a packet with the header's opcode, without the packet.
    /// @param payload its bytes
    Frame Describe(uint32_t payload) const;

  private:
    RoceHeader m_header; ///< of the latest packet
    Frame m_frame;       ///< common to the frames of all packets, without size and packet
    std::unique_ptr<RoceOptions> m_options; ///< after the header, if it announces them; null: none
                                            ///< so far, as for most queue pairs
};

/// Signals that the receiver of a flow has received and sent.
struct FlowSignals
{
    uint64_t marked{0}; ///< data packets that arrived marked "congestion experienced"
    uint64_t cnps{0};   ///< congestion notifications made
    uint64_t naks{0};   ///< negative acknowledgements made

    /// Members sent to other ranks, see record-archive.h.
    auto Tie()
    {
        return std::tie(marked, cnps, naks);
    }
};

/// How a queue pair sends.
struct SendSettings
{
    uint32_t payloadBytes{0}; ///< payload of all packets except the last
    uint64_t window{0};       ///< payload that may be unacknowledged, bytes; 0: any
    uint32_t initialPsn{0};   ///< sequence number of the first packet
    bool isTimed{false};      ///< departure times of packets are kept
    bool isCoalesced{false};  ///< the receiver does not answer every packet
    bool hasTelemetry{false}; ///< packets ask for telemetry
    bool isPlacing{false};    ///< packets state where their payload belongs
};

/**
 * @ingroup lossless
 * The sending end of a queue pair in reliable connection service.
 *
 * Packets of a flow are counted from 0, in 64 bits; the 24-bit packet sequence number (PSN) on the
 * wire is initialPsn + count. A SendReliability decides which of them is sent next, and when one is
 * sent again; the queue pair knows their payload, and the window.
 */
class SendQueuePair
{
  public:
    /// Sets how losses are repaired from the next Open() on; go-back-N by default.
    void SetReliability(std::unique_ptr<SendReliability> reliability);

    /// Starts a flow.
    /// @param record kept here until the queue pair is used again
    /// @param path where its packets go
    /// @param settings how they are sent
    void Open(const FlowRecord& record, const RocePath& path, const SendSettings& settings);

    /// Whether a packet is left to send and may leave now.
    bool MaySend() const
    {
        // After a window has shrunk, the answer that would open it may not have been requested.
        return !m_reliability->IsExhausted() &&
               (HasRoom() || (m_settings.isCoalesced && !m_hasAsked));
    }

    /// Returns the next packet; only if MaySend().
    Frame Send(Time now);
    /// Handles an ACK or NAK and returns what it has changed.
    /// @param sack of the answer; null: none
    AnswerEffect HandleAnswer(const RoceHeader& answer, const SackHeader* sack, Time now);
    /// Handles a timeout: sends again what may be lost.
    void HandleTimeout(Time now);
    /// Sets the payload that may be unacknowledged, bytes; 0: any.
    void SetWindow(uint64_t window);

    /// Payload acknowledged so far, in any order, bytes.
    uint64_t GetAcknowledgedBytes() const
    {
        return BytesBefore(m_reliability->GetArrived());
    }

    /// Payload not known to have arrived or to be lost, bytes; all packets count as full.
    uint64_t GetUnderWayBytes() const
    {
        return m_reliability->GetUnderWay() * m_settings.payloadBytes;
    }

    /// Payload of a full packet, bytes.
    uint32_t GetFullPayload() const
    {
        return m_settings.payloadBytes;
    }

    /// Payload of a packet that was sent, bytes.
    uint32_t GetPayload(uint32_t psn) const
    {
        return PayloadOf(static_cast<uint64_t>(CountOf(psn)));
    }

    /// Payload of the packets sent so far, once each, bytes.
    uint64_t GetSentBytes() const
    {
        return BytesBefore(m_reliability->GetHighest());
    }

    /// Whether every packet is acknowledged.
    bool IsFinished() const
    {
        return m_reliability->IsFinished();
    }

    /// Whether the next packet has been sent before.
    bool IsRetransmitting() const
    {
        return m_reliability->IsRepeating();
    }

    /// When to send something again unless an answer arrives; nothing while no answer is due.
    std::optional<Time> GetDue() const
    {
        return m_reliability->GetDue();
    }

    /// Returns how losses are repaired.
    const SendReliability& GetReliability() const
    {
        return *m_reliability;
    }

    /// Prefetches what repairs losses.
    void PrefetchReliability() const
    {
        PrefetchLines(m_reliability.get(), 2 * CACHE_LINE_BYTES); // all of a GoBackNSender
    }

    /// Returns the record of the flow.
    FlowRecord& GetRecord()
    {
        return m_record;
    }

    /// Class of its packets.
    Priority GetPriority() const
    {
        return m_record.flow.priority;
    }

    /// Describes the frame of the next packet, with size but no packet; only if MaySend().
    Frame DescribeNext() const;

  private:
    /// Payload bytes before a packet.
    /// @param count number of the packet, at most that of all
    uint64_t BytesBefore(uint64_t count) const
    {
        return count == m_reliability->GetTotal() ? m_record.flow.bytes
                                                  : count * m_settings.payloadBytes;
    }

    RoceOpcode OpcodeOf(uint64_t count) const;
    uint32_t PayloadOf(uint64_t count) const;
    /// Number of the packet with a PSN nearest the oldest unacknowledged; may be negative.
    int64_t CountOf(uint32_t psn) const;

    bool HasRoom() const
    {
        // A window smaller than a packet lets one packet at a time through.
        const uint64_t inFlight = m_reliability->GetInFlight();
        return m_settings.window == 0 || inFlight == 0 ||
               inFlight * m_settings.payloadBytes + PayloadOf(m_reliability->GetNext()) <=
                   m_settings.window;
    }

    FlowRecord m_record;
    RocePacketMaker m_maker;
    SendSettings m_settings;
    bool m_hasAsked{false};                         ///< the latest packet asked for an answer
    std::unique_ptr<SendReliability> m_reliability; ///< decides which packet is sent when
};

/// @ingroup lossless
/// The receiving end of a queue pair; a ReceiveReliability decides what it accepts and answers.
class ReceiveQueuePair
{
  public:
    /// Sets how packets are accepted from the next Open() on; go-back-N by default.
    void SetReliability(std::unique_ptr<ReceiveReliability> reliability);

    /// Expects a flow.
    /// @param record kept here until the queue pair is used again
    /// @param path where answers go
    /// @param initialPsn sequence number of the first packet
    void Open(const FlowRecord& record,
              const RocePath& path,
              uint32_t initialPsn,
              bool wantsCnps = false);
    /// Restores the state after a flow has arrived: all packets are duplicates.
    /// @param path where answers go
    void Reopen(const CompletedFlow& flow, const RocePath& path);
    /// Returns what Reopen() needs; only if IsComplete().
    CompletedFlow GetCompleted() const;

    /// Accepts a data packet; returns what it is and what to answer.
    ArrivalVerdict Accept(const RoceHeader& data);
    /// Accepts a data packet that arrived without its payload, see Accept().
    ArrivalVerdict AcceptTrimmed(const RoceHeader& data);
    /// Whether a data packet had arrived before everything that is expected.
    bool HasHad(const RoceHeader& data) const;

    /// Makes further answers carry back the UDP source port of the latest data packet.
    void TakeSourcePort(uint16_t port)
    {
        if (port != m_maker.GetSourcePort())
        {
            m_maker.SetSourcePort(port);
        }
    }

    /// Packets from the expected one to this one; negative: it has arrived.
    int32_t GetAhead(const RoceHeader& data) const;
    /// Makes further answers report the telemetry of the latest data packet.
    void TakeTelemetry(const TelemetryHeader& telemetry);
    /// Makes the acknowledgement of all packets that have arrived in order.
    Frame MakeAck();
    /// Makes the answer to a gap, which asks for the expected packet.
    Frame MakeNak();
    /// Makes the answer to a packet without its payload.
    /// @param at where it lost it
    Frame MakeTrimNak(TrimmedAt at = TrimmedAt::FABRIC);
    /// Makes a congestion notification.
    Frame MakeCnp();

    /// Whether a data packet asks for a congestion notification.
    bool WantsCnp(const RoceHeader& data) const
    {
        return m_wantsCnps && data.IsMarked();
    }

    /// Whether to send a congestion notification now; if so, the interval begins.
    /// @param interval minimum time between notifications
    bool TakeCnp(Time now, Time interval);

    /// Counts an accepted packet; returns whether an answer is due now.
    /// @param interval packets per answer
    bool TakeDue(const RoceHeader& data, uint32_t interval);

    /// Whether the whole flow has arrived.
    bool IsComplete() const
    {
        return m_complete;
    }

    /// Returns the record of the flow.
    FlowRecord& GetRecord()
    {
        return m_record;
    }

    /// Signals of congestion and loss so far.
    const FlowSignals& GetSignals() const
    {
        return m_signals;
    }

    /// Prefetches what accepts packets.
    void PrefetchReliability() const
    {
        PrefetchLines(m_reliability.get(), CACHE_LINE_BYTES); // all of a GoBackNReceiver
    }

    /// Returns how packets are accepted; null after Reopen().
    const ReceiveReliability* GetReliability() const
    {
        return m_reliability.get();
    }

  private:
    Frame MakeAnswer(AethSyndrome syndrome, uint32_t psn);
    void TakeMark(const RoceHeader& data);
    /// Adds to the next answer what a verdict asks for.
    /// @param ahead see GetAhead()
    /// @param verdict see Accept()
    void PrepareSack(const RoceHeader& data, int32_t ahead, const ArrivalVerdict& verdict);

    FlowRecord m_record;
    RocePacketMaker m_maker;  ///< of answers
    uint32_t m_expected{0};   ///< PSN of the first packet that has not arrived, modulo 2^24
    uint32_t m_unanswered{0}; ///< accepted packets since the latest answer
    bool m_isAsked{false};    ///< a packet beyond a gap has asked for an answer
    bool m_complete{false};   ///< see IsComplete()
    bool m_hasSack{false};    ///< the next answer has a SackHeader
    bool m_isMarked{false};   ///< a packet since the latest answer was marked
    bool m_wantsCnps{false};  ///< the sender wants congestion notifications
    Time m_quietUntil;        ///< no notification before
    FlowSignals m_signals;    ///< so far
    std::unique_ptr<ReceiveReliability> m_reliability; ///< see GetReliability()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_QUEUE_PAIR_H */
