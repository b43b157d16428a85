// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QUEUE_PAIR_H
#define LOSSLESS_QUEUE_PAIR_H

#include "completed-flows.h"

#include "ns3/flow-record.h"
#include "ns3/ipv4-address.h"
#include "ns3/lossless-frame.h"
#include "ns3/lossless-types.h"
#include "ns3/mac48-address.h"
#include "ns3/nstime.h"
#include "ns3/ring-buffer.h"
#include "ns3/roce-header.h"
#include "ns3/telemetry-header.h"

#include <cstdint>
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

    /// @param data header of a packet from the other NIC @param tos of the answer
    /// @return the way of its answer, to a queue pair with the same number
    static RocePath OfAnswer(const RoceHeader& data, uint8_t tos);
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
    Time retransmitTimeout;      ///< of the sender
    std::optional<Time> start;   ///< of the flow; nothing: when an end is opened

    /// @param tos of the packets @return the way of the data
    RocePath GetDataPath(uint8_t tos) const;
    /// @param tos of the packets @return the way of the answers
    RocePath GetAnswerPath(uint8_t tos) const;
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

    /// @return header of the next packet, to be changed at will
    RoceHeader& GetHeader()
    {
        return m_header;
    }

    /// From now on, packets have a telemetry header that switches write to.
    void AskForTelemetry();
    /// From now on, packets report what others carried. @param telemetry it
    void EchoTelemetry(const TelemetryHeader& telemetry);

    /// @return the next packet
    Frame Make() const;

    /// @param payload bytes of it @return what the frame of a packet with the header's opcode would
    /// say, without the packet
    Frame Describe(uint32_t payload) const;

  private:
    RoceHeader m_header;         ///< header of the latest packet
    TelemetryHeader m_telemetry; ///< behind it, if it says so
    Frame m_frame;               ///< what the frames of all packets say, without size and packet
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
};

/**
 * @ingroup lossless
 * The sending end of a queue pair in reliable connection service, with go-back-N.
 *
 * Packets of a flow are counted from 0, in 64 bits; the 24-bit packet sequence number (PSN) on
 * the wire is initialPsn + count. At any time
 *
 *     0 <= oldest <= next <= highest <= total,  highest - oldest < 2^23
 *
 * where packets before `oldest` are acknowledged, `next` is sent next, and those before `highest`
 * have been sent at least once: `next < highest` means that a go-back is being made good.
 */
class SendQueuePair
{
  public:
    /// Packets that may be unacknowledged without a window: PSNs remain comparable modulo 2^24.
    static constexpr uint64_t MAX_OUTSTANDING = (1U << 23) - 1;

    /**
     * Starts a flow.
     * @param record the flow; kept here until the queue pair is used again
     * @param path where its packets go
     * @param settings how they are sent
     */
    void Open(const FlowRecord& record, const RocePath& path, const SendSettings& settings);

    /// @return whether a packet is left to send and may leave now
    bool MaySend() const;
    /// @param now the current time @return the next packet; only when MaySend()
    Frame Send(Time now);
    /// @param answer header of an ACK or NAK @param now the current time
    /// @return whether packets were lost, and it goes back
    bool HandleAnswer(const RoceHeader& answer, Time now);
    /// No answer has come for too long: sends again from the oldest unacknowledged packet on.
    void HandleTimeout();
    /// @param window payload that may be unacknowledged from now on, in bytes; 0: any
    void SetWindow(uint64_t window);

    /// @return payload acknowledged so far, in bytes
    uint64_t GetAcknowledgedBytes() const
    {
        return BytesBefore(m_oldest);
    }

    /// @return payload before the packet to be sent next, in bytes
    uint64_t GetSentBytes() const
    {
        return BytesBefore(m_next);
    }

    /// @return what the latest answer told of the round trip, if anything
    std::optional<Time> GetRoundTrip() const
    {
        return m_roundTrip;
    }

    /// @return whether every packet is acknowledged
    bool IsFinished() const
    {
        return m_oldest == m_total;
    }

    /// @return whether the packet to be sent next has been sent before
    bool IsRetransmitting() const
    {
        return m_next < m_highest;
    }

    /// @return whether packets sent since the latest go-back wait for their acknowledgement
    bool HasOutstanding() const
    {
        return m_next > m_oldest;
    }

    /// @return since when nothing has been acknowledged; meaningful while HasOutstanding()
    Time GetWaitingSince() const
    {
        return m_waitingSince;
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
    static constexpr Ticks DOUBTFUL = -1; ///< instead of a departure, which cannot be timed

    /// @param count a packet's number, at most m_total @return payload bytes before it
    uint64_t BytesBefore(uint64_t count) const;
    /// @param count a packet's number @return its opcode
    RoceOpcode OpcodeOf(uint64_t count) const;
    /// @param count a packet's number @return payload bytes of it
    uint32_t PayloadOf(uint64_t count) const;
    /// @return whether no packet is left, or PSNs would become ambiguous
    bool IsExhausted() const;
    /// @return whether the window has room for the next packet
    bool HasRoom() const;
    /// Sends again from the oldest unacknowledged packet on.
    void Rewind();
    /// @param advance packets that an answer acknowledges, not all of which may be timed
    /// @param now the time
    void TakeRoundTrip(uint64_t advance, Time now);

    FlowRecord m_record;     ///< the flow
    RocePacketMaker m_maker; ///< of its packets
    SendSettings m_settings; ///< how it sends
    uint64_t m_total{0};     ///< packets of the flow
    uint64_t m_oldest{0};    ///< oldest unacknowledged packet
    uint64_t m_next{0};      ///< packet to be sent next
    uint64_t m_highest{0};   ///< first packet never sent
    /// Packets before this one were sent before a timeout: an answer may be to either sending (Karn
    /// and Partridge 1987). After a NAK there is no doubt, as the receiver keeps nothing that comes
    /// behind a gap.
    uint64_t m_doubtful{0};
    Time m_waitingSince;    ///< latest progress, or first packet after none was outstanding
    bool m_hasAsked{false}; ///< the latest packet asked for an answer

    /// If timed: when the packets oldest to next - 1 left, or DOUBTFUL.
    RingBuffer<Ticks> m_departures;
    std::optional<Time> m_roundTrip; ///< told by the latest answer
};

/**
 * @ingroup lossless
 * The receiving end of a queue pair: takes packets in order only.
 *
 * The first packet beyond a gap is answered by a NAK; further ones are not until the expected
 * packet has come (InfiniBand 1.4, 9.7.5.2.8), so that a lost retransmission or NAK is mended by
 * the sender's timeout.
 */
class ReceiveQueuePair
{
  public:
    /// What an arriving data packet is.
    enum class Arrival : uint8_t
    {
        IN_ORDER,  ///< the expected one
        AHEAD,     ///< later than the expected one
        DUPLICATE, ///< arrived before
    };

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
    /// Is as it was when a flow had arrived. @param flow the flow @param path where answers go
    void Reopen(const CompletedFlow& flow, const RocePath& path);
    /// @return what Reopen() needs; only when IsComplete()
    CompletedFlow GetCompleted() const;

    /// @param data header of an arriving data packet @return what it is
    Arrival Accept(const RoceHeader& data);
    /// @param data header of a data packet @return whether it has arrived before
    bool HasHad(const RoceHeader& data) const;
    /// The next answers report telemetry. @param telemetry what the latest data packet carried
    void TakeTelemetry(const TelemetryHeader& telemetry);
    /// @return the acknowledgement of all packets that have arrived in order
    Frame MakeAck();
    /// @return the answer to a gap, which asks for the expected packet
    Frame MakeNak();
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

    /// @return packets that have arrived in order since the latest answer
    uint32_t GetUnanswered() const
    {
        return m_unanswered;
    }

    /// @return whether a NAK has been sent for the packet which is expected now
    bool IsNakSent() const
    {
        return m_nakSent;
    }

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

  private:
    /// @param syndrome kind of answer @param psn its sequence number @return the answer
    Frame MakeAnswer(AethSyndrome syndrome, uint32_t psn);

    FlowRecord m_record;      ///< the flow
    RocePacketMaker m_maker;  ///< of answers
    uint32_t m_expected{0};   ///< PSN expected next, modulo 2^24
    uint32_t m_unanswered{0}; ///< in order since the latest answer
    bool m_nakSent{false};    ///< a NAK for m_expected was sent
    bool m_complete{false};   ///< the last packet has arrived in order
    bool m_isMarked{false};   ///< a packet since the latest answer met congestion
    bool m_wantsCnps{false};  ///< the sender wants congestion notifications
    Time m_quietUntil;        ///< no notification before
    FlowSignals m_signals;    ///< so far
};

} // namespace ns3::lossless

#endif /* LOSSLESS_QUEUE_PAIR_H */
