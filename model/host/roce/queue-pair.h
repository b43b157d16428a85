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

/// Where the packets of one end of a queue pair come from and go to.
struct RocePath
{
    Mac48Address sourceMac;      ///< this NIC
    Mac48Address destinationMac; ///< the other NIC
    Ipv4Address source;          ///< this NIC
    Ipv4Address destination;     ///< the other NIC
    uint16_t sourcePort{0};      ///< UDP source port
    uint8_t tos{0};              ///< DSCP << 2 | ECN
    uint32_t queuePair{0};       ///< number of the other end

    /// @param data header of a packet from the other NIC @return the class that it has
    static Priority ClassOf(const RoceHeader& data);
    /// @param data header of a packet from the other NIC @param priority class of its answer
    /// @return the way of the answer, to a queue pair with the same number
    static RocePath OfAnswer(const RoceHeader& data, Priority priority);
};

/**
 * @ingroup lossless
 * What both ends of a queue pair agree on, out of band, before the first packet. It follows from
 * the flow and from settings of the NICs alone, so that each end can be opened where it is.
 */
struct RoceConnection
{
    /// First number of a queue pair: 0 and 1 are those of InfiniBand's management.
    static constexpr uint32_t FIRST_NUMBER = 2;
    /// How many numbers there are, up to 2^24 - 2: the next one is InfiniBand's multicast.
    static constexpr uint32_t NUMBERS = RoceHeader::MASK_24_BIT - FIRST_NUMBER;

    /// @param id the user's number of a flow @return the number of its queue pair, at both ends
    static uint32_t NumberOf(uint64_t id)
    {
        return static_cast<uint32_t>(FIRST_NUMBER + id % NUMBERS);
    }

    RoceFlow flow;               ///< the flow, with all members filled in
    Ipv4Address source;          ///< sending NIC
    Mac48Address sourceMac;      ///< of that
    Mac48Address destinationMac; ///< of the receiving NIC
    uint32_t number{0};          ///< of the queue pair at both ends; see NumberOf()
    uint32_t initialPsn{0};      ///< sequence number of the first packet
    bool wantsCnps{false};       ///< the sender lives on congestion notifications
    bool isCoalesced{false};     ///< the receiver does not acknowledge every packet
    Time retransmitTimeout;      ///< of the sender, the longest
    std::optional<Time> start;   ///< of the flow; nothing: when an end is opened

    /// @param isEcnCapable the packets carry ECT(0) @return the way of the data
    RocePath GetDataPath(bool isEcnCapable) const;
    /// @param priority class of the answers @return their way
    RocePath GetAnswerPath(Priority priority) const;
    /// @return the record of an end which is opened now, of a flow that may have started before
    FlowRecord MakeRecord() const;
};

/**
 * @ingroup lossless
 * Makes the packets of one end of a queue pair: what they have in common is written once.
 */
class RocePacketMaker
{
  public:
    /// @param path addresses of all packets
    void SetPath(const RocePath& path);

    /// @param port UDP source port of packets from now on
    void SetSourcePort(uint16_t port);

    /// @return UDP source port of packets
    uint16_t GetSourcePort() const
    {
        return m_frame.flow.sourcePort;
    }

    /// @return header of the next packet, to be changed at will
    RoceHeader& GetHeader()
    {
        return m_header;
    }

    /// From now on, packets have a telemetry header that switches write to.
    void AskForTelemetry();
    /// From now on, packets report what others carried. @param telemetry it
    void EchoTelemetry(const TelemetryHeader& telemetry);

    /// @return the optional headers of the next packet, of which it has those that its header says
    RoceOptions& GetOptions();

    /// @return the next packet
    Frame Make() const;

    /// @param payload bytes of it @return what the frame of a packet with the header's opcode would
    /// say, without the packet
    Frame Describe(uint32_t payload) const;

  private:
    RoceHeader m_header; ///< header of the latest packet
    Frame m_frame;       ///< what the frames of all packets say, without size and packet
    std::unique_ptr<RoceOptions> m_options; ///< behind the header, those that it says there are;
                                            ///< null: none so far, as of most queue pairs
};

/// What the receiver of a flow has heard and said of its way.
struct FlowSignals
{
    uint64_t marked{0}; ///< data packets that arrived marked "congestion experienced"
    uint64_t cnps{0};   ///< congestion notifications made
    uint64_t naks{0};   ///< negative acknowledgements made

    /// @return what is told to other ranks, see record-archive.h
    auto Tie()
    {
        return std::tie(marked, cnps, naks);
    }
};

/// How a queue pair sends.
struct SendSettings
{
    uint32_t payloadBytes{0}; ///< payload of all packets but the last
    uint64_t window{0};       ///< payload that may be unacknowledged, in bytes; 0: any
    uint32_t initialPsn{0};   ///< sequence number of the first packet
    bool isTimed{false};      ///< the times at which packets left are kept
    bool isCoalesced{false};  ///< the receiver does not answer every packet
    bool hasTelemetry{false}; ///< packets ask for telemetry
    bool isPlacing{false};    ///< packets say where their payload belongs
};

/**
 * @ingroup lossless
 * The sending end of a queue pair in reliable connection service.
 *
 * Packets of a flow are counted from 0, in 64 bits; the 24-bit packet sequence number (PSN) on
 * the wire is initialPsn + count. Which of them is sent next, and when one is sent again, is
 * decided by a SendReliability; the queue pair knows their payload, and the window.
 */
class SendQueuePair
{
  public:
    /// @param reliability repairs losses from the next Open() on; go-back-N until this is called
    void SetReliability(std::unique_ptr<SendReliability> reliability);

    /**
     * Starts a flow.
     * @param record the flow; kept here until the queue pair is used again
     * @param path where its packets go
     * @param settings how they are sent
     */
    void Open(const FlowRecord& record, const RocePath& path, const SendSettings& settings);

    /// @return whether a packet is left to send and may leave now
    bool MaySend() const
    {
        // When a window has shrunk, nobody may have asked for the answer that would open it.
        return !m_reliability->IsExhausted() &&
               (HasRoom() || (m_settings.isCoalesced && !m_hasAsked));
    }

    /// @param now the current time @return the next packet; only when MaySend()
    Frame Send(Time now);
    /// @param answer header of an ACK or NAK @param sack selective acknowledgement that it carries;
    /// null: none @param now the current time @return what it has changed
    AnswerEffect HandleAnswer(const RoceHeader& answer, const SackHeader* sack, Time now);
    /// No answer has come for too long: sends again what may be lost. @param now the current time
    void HandleTimeout(Time now);
    /// @param window payload that may be unacknowledged from now on, in bytes; 0: any
    void SetWindow(uint64_t window);

    /// @return payload acknowledged so far, in bytes, in whatever order
    uint64_t GetAcknowledgedBytes() const
    {
        return BytesBefore(m_reliability->GetArrived());
    }

    /// @return payload that has left and is not known to have arrived or to be lost, in bytes; all
    /// packets count as full ones
    uint64_t GetUnderWayBytes() const
    {
        return m_reliability->GetUnderWay() * m_settings.payloadBytes;
    }

    /// @return payload of a full packet, in bytes
    uint32_t GetFullPayload() const
    {
        return m_settings.payloadBytes;
    }

    /// @param psn of a packet that was sent @return its payload, in bytes
    uint32_t GetPayload(uint32_t psn) const
    {
        return PayloadOf(static_cast<uint64_t>(CountOf(psn)));
    }

    /// @return payload of the packets sent so far, once each, in bytes
    uint64_t GetSentBytes() const
    {
        return BytesBefore(m_reliability->GetHighest());
    }

    /// @return whether every packet is acknowledged
    bool IsFinished() const
    {
        return m_reliability->IsFinished();
    }

    /// @return whether the packet to be sent next has been sent before
    bool IsRetransmitting() const
    {
        return m_reliability->IsRepeating();
    }

    /// @return when to send something again if no answer comes until then; nothing while no answer
    /// is due
    std::optional<Time> GetDue() const
    {
        return m_reliability->GetDue();
    }

    /// @return how it repairs losses
    const SendReliability& GetReliability() const
    {
        return *m_reliability;
    }

    /// Brings what it repairs losses by into the processor's caches.
    void PrefetchReliability() const
    {
        PrefetchLines(m_reliability.get(), 2 * CACHE_LINE_BYTES); // all of a GoBackNSender
    }

    /// @return the flow
    FlowRecord& GetRecord()
    {
        return m_record;
    }

    /// @return class of its packets
    Priority GetPriority() const
    {
        return m_record.flow.priority;
    }

    /// @return what the frame of the packet to be sent next will say, its size included, without
    /// the packet; only when MaySend()
    Frame DescribeNext() const;

  private:
    /// @param count a packet's number, at most that of all @return payload bytes before it
    uint64_t BytesBefore(uint64_t count) const
    {
        return count == m_reliability->GetTotal() ? m_record.flow.bytes
                                                  : count * m_settings.payloadBytes;
    }

    /// @param count a packet's number @return its opcode
    RoceOpcode OpcodeOf(uint64_t count) const;
    /// @param count a packet's number @return payload bytes of it
    uint32_t PayloadOf(uint64_t count) const;
    /// @param psn a packet sequence number @return the packet with it that is nearest to the oldest
    /// unacknowledged one; may be negative
    int64_t CountOf(uint32_t psn) const;

    /// @return whether the window has room for the next packet
    bool HasRoom() const
    {
        // A window smaller than one packet lets one packet at a time through.
        const uint64_t inFlight = m_reliability->GetInFlight();
        return m_settings.window == 0 || inFlight == 0 ||
               inFlight * m_settings.payloadBytes + PayloadOf(m_reliability->GetNext()) <=
                   m_settings.window;
    }

    FlowRecord m_record;                            ///< the flow
    RocePacketMaker m_maker;                        ///< of its packets
    SendSettings m_settings;                        ///< how it sends
    bool m_hasAsked{false};                         ///< the latest packet asked for an answer
    std::unique_ptr<SendReliability> m_reliability; ///< which packet is sent when
};

/**
 * @ingroup lossless
 * The receiving end of a queue pair: what it takes and answers is decided by a ReceiveReliability.
 */
class ReceiveQueuePair
{
  public:
    /// @param reliability takes packets from the next Open() on; go-back-N until this is called
    void SetReliability(std::unique_ptr<ReceiveReliability> reliability);

    /**
     * Expects a flow.
     * @param record the flow; kept here until the queue pair is used again
     * @param path where answers go
     * @param initialPsn sequence number of the first packet
     * @param wantsCnps whether the sender wants congestion notifications
     */
    void Open(const FlowRecord& record,
              const RocePath& path,
              uint32_t initialPsn,
              bool wantsCnps = false);
    /// Is as it was when a flow had arrived: all packets are duplicates. @param flow the flow
    /// @param path where answers go
    void Reopen(const CompletedFlow& flow, const RocePath& path);
    /// @return what Reopen() needs; only when IsComplete()
    CompletedFlow GetCompleted() const;

    /// @param data header of an arriving data packet @return what it is, and what to answer
    ArrivalVerdict Accept(const RoceHeader& data);
    /// @param data header of a data packet that came without its payload @return see Accept()
    ArrivalVerdict AcceptTrimmed(const RoceHeader& data);
    /// @param data header of a data packet @return whether it has arrived before all that is
    /// expected
    bool HasHad(const RoceHeader& data) const;

    /// The next answers tell back the port by which a data packet has chosen its path.
    /// @param port UDP source port of the latest data packet
    void TakeSourcePort(uint16_t port)
    {
        if (port != m_maker.GetSourcePort())
        {
            m_maker.SetSourcePort(port);
        }
    }

    /// @param data header of a data packet @return packets from the expected one to it; negative:
    /// it has arrived
    int32_t GetAhead(const RoceHeader& data) const;
    /// The next answers report telemetry. @param telemetry what the latest data packet carried
    void TakeTelemetry(const TelemetryHeader& telemetry);
    /// @return the acknowledgement of all packets that have arrived in order
    Frame MakeAck();
    /// @return the answer to a gap, which asks for the expected packet
    Frame MakeNak();
    /// @param at where a packet has lost its payload @return the answer to it
    Frame MakeTrimNak(TrimmedAt at = TrimmedAt::FABRIC);
    /// @return a congestion notification
    Frame MakeCnp();

    /// @param data header of a data packet @return whether it asks for a congestion notification
    bool WantsCnp(const RoceHeader& data) const
    {
        return m_wantsCnps && data.IsMarked();
    }

    /**
     * A congestion notification is wanted.
     * @param now the time
     * @param interval from one notification to the next, at least
     * @return whether to send it; if so, the interval begins now
     */
    bool TakeCnp(Time now, Time interval);

    /**
     * A packet was taken that is answered when an answer is due.
     * @param data its header
     * @param interval packets that an answer is for
     * @return whether one is due now
     */
    bool TakeDue(const RoceHeader& data, uint32_t interval);

    /// @return whether the whole flow has arrived
    bool IsComplete() const
    {
        return m_complete;
    }

    /// @return the flow
    FlowRecord& GetRecord()
    {
        return m_record;
    }

    /// @return signals of congestion and loss so far
    const FlowSignals& GetSignals() const
    {
        return m_signals;
    }

    /// Brings what it takes packets by into the processor's caches.
    void PrefetchReliability() const
    {
        PrefetchLines(m_reliability.get(), CACHE_LINE_BYTES); // all of a GoBackNReceiver
    }

    /// @return how it takes packets; null after Reopen()
    const ReceiveReliability* GetReliability() const
    {
        return m_reliability.get();
    }

  private:
    /// @param syndrome kind of answer @param psn its sequence number @return the answer
    Frame MakeAnswer(AethSyndrome syndrome, uint32_t psn);
    /// Notes a mark. @param data header of a data packet
    void TakeMark(const RoceHeader& data);
    /// The next answer has what a verdict wants. @param data header of the packet which it is about
    /// @param ahead see GetAhead() @param verdict see Accept()
    void PrepareSack(const RoceHeader& data, int32_t ahead, const ArrivalVerdict& verdict);

    FlowRecord m_record;      ///< the flow
    RocePacketMaker m_maker;  ///< of answers
    uint32_t m_expected{0};   ///< PSN of the first packet that has not arrived, modulo 2^24
    uint32_t m_unanswered{0}; ///< packets that have arrived since the latest answer and are kept
    bool m_isAsked{false};    ///< a packet beyond a gap has asked for an answer
    bool m_complete{false};   ///< see IsComplete()
    bool m_hasSack{false};    ///< the next answer has a SackHeader
    bool m_isMarked{false};   ///< a packet since the latest answer met congestion
    bool m_wantsCnps{false};  ///< the sender wants congestion notifications
    Time m_quietUntil;        ///< no notification before
    FlowSignals m_signals;    ///< so far
    std::unique_ptr<ReceiveReliability> m_reliability; ///< see GetReliability()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_QUEUE_PAIR_H */
