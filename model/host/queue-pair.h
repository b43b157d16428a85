// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_QUEUE_PAIR_H
#define LOSSLESS_QUEUE_PAIR_H

#include "ns3/abort.h"
#include "ns3/ipv4-address.h"
#include "ns3/lossless-frame.h"
#include "ns3/lossless-types.h"
#include "ns3/mac48-address.h"
#include "ns3/nstime.h"
#include "ns3/ring-buffer.h"
#include "ns3/roce-header.h"
#include "ns3/telemetry-header.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::lossless
{

/// A message that one RoCE NIC sends to another, over a queue pair of its own.
struct RoceFlow
{
    uint64_t id{0};          ///< the user's number of the flow
    Ipv4Address destination; ///< receiving NIC; RoceNic::StartFlow() fills it in
    Priority priority{0};    ///< traffic class of its data packets
    uint64_t bytes{0};       ///< payload, at least 1
    /// UDP source port, by which switches spread flows over equal paths; 0: 49152 + id mod 16384
    uint16_t sourcePort{0};
};

/// What is known of a flow under way or completed.
struct FlowRecord
{
    RoceFlow flow;             ///< the flow, with all members filled in
    Ipv4Address source;        ///< sending NIC
    Time start;                ///< when it was started
    Time received;             ///< when its last byte had arrived in order; zero until then
    Time acknowledged;         ///< when its sender had heard of all bytes; zero until then
    uint64_t retransmitted{0}; ///< data packets sent more than once so far

    /// @return flow completion time; meaningful once the flow is received
    Time GetCompletionTime() const
    {
        return received - start;
    }
};

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

    /// @param payload payload that the header states, in bytes @return the packet
    Frame Make(uint32_t payload) const;

  private:
    RoceHeader m_header;         ///< header of the latest packet
    TelemetryHeader m_telemetry; ///< behind it, if it says so
    Frame m_frame;               ///< what all frames say, without a packet
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

  private:
    static constexpr Ticks DOUBTFUL = -1; ///< instead of a departure, which cannot be timed

    /// @param count a packet's number, at most m_total @return payload bytes before it
    uint64_t BytesBefore(uint64_t count) const;
    /// @param count a packet's number @return its opcode
    RoceOpcode OpcodeOf(uint64_t count) const;
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
     * @param record the sender's record; not owned, must outlive the use of the queue pair
     * @param path where answers go
     * @param initialPsn sequence number of the first packet
     * @param notifies whether the sender wants congestion notifications
     */
    void Open(FlowRecord* record, const RocePath& path, uint32_t initialPsn, bool notifies = false);

    /// @param data header of an arriving data packet @return what it is
    Arrival Accept(const RoceHeader& data);
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
        return m_notifies && data.IsMarked();
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

    /// @return the sender's record
    FlowRecord& GetRecord()
    {
        return *m_record;
    }

  private:
    /// @param syndrome kind of answer @param psn its sequence number @return the answer
    Frame MakeAnswer(AethSyndrome syndrome, uint32_t psn);

    FlowRecord* m_record{nullptr}; ///< not owned
    RocePacketMaker m_maker;       ///< of answers
    uint32_t m_expected{0};        ///< PSN expected next, modulo 2^24
    uint32_t m_unanswered{0};      ///< in order since the latest answer
    bool m_nakSent{false};         ///< a NAK for m_expected was sent
    bool m_complete{false};        ///< the last packet has arrived in order
    bool m_isMarked{false};        ///< a packet since the latest answer met congestion
    bool m_notifies{false};        ///< the sender wants congestion notifications
    Time m_quietUntil;             ///< no notification before
};

/**
 * @ingroup lossless
 * The ends of queue pairs of one NIC, by number.
 *
 * A number is a slot (its lowest 16 bits, an index) and the generation of the slot (8 bits): a
 * packet of an earlier user of the slot carries another generation and finds nothing. The slot
 * unused longest is taken first, and only when MIN_FREE slots are free, so that a number comes
 * again after 256 x MIN_FREE flows at the earliest; a packet would have to stay in the network
 * for so long to do harm. Memory follows the largest number of queue pairs in use at once.
 *
 * @tparam T one end of a queue pair; its address stays while it is open
 */
template <typename T>
class QueuePairTable
{
  public:
    /// Queue pairs that can be open at once.
    static constexpr std::size_t MAX_SLOTS = 1U << 16;
    /// Free slots that are kept before one is used again.
    static constexpr std::size_t MIN_FREE = 64;

    /// @return number of a new end, which is in the state T()
    uint32_t Open()
    {
        Slot& slot = *m_slots[TakeSlot()];
        slot.open = true;
        return slot.number;
    }

    /// @param number a number from a packet @return the open end with that number, or null
    T* Find(uint32_t number)
    {
        const std::size_t index = number & SLOT_MASK;
        if (index >= m_slots.size())
        {
            return nullptr;
        }
        Slot& slot = *m_slots[index];
        return slot.open && slot.number == number ? &slot.end : nullptr;
    }

    /// @param number an open end, whose slot becomes free; nothing happens if it is not open
    void Close(uint32_t number)
    {
        if (!Find(number))
        {
            return;
        }
        const uint32_t index = number & SLOT_MASK;
        Slot& slot = *m_slots[index];
        slot.end = T();
        slot.open = false;
        slot.number = (number + GENERATION) & RoceHeader::MASK_24_BIT;
        m_free.Push(index);
    }

    /// Calls a function with each open end. @param function callable with a T&
    template <typename FUNCTION>
    void ForEach(FUNCTION function)
    {
        for (const std::unique_ptr<Slot>& slot : m_slots)
        {
            if (slot->open)
            {
                function(slot->end);
            }
        }
    }

    /// @return slots that exist, open or free
    std::size_t GetSize() const
    {
        return m_slots.size();
    }

    /// Forgets all ends.
    void Clear()
    {
        m_slots.clear();
        m_free.Clear();
    }

  private:
    static constexpr uint32_t SLOT_MASK = MAX_SLOTS - 1; ///< the slot in a number
    static constexpr uint32_t GENERATION = MAX_SLOTS;    ///< one generation in a number

    /// One place for an end.
    struct Slot
    {
        uint32_t number{0}; ///< of the open end, or of the one to come
        bool open{false};   ///< in use
        T end;              ///< the end
    };

    /// @return index of a slot which is not in use
    std::size_t TakeSlot()
    {
        if (m_free.GetSize() <= MIN_FREE && m_slots.size() < MAX_SLOTS)
        {
            m_slots.push_back(std::make_unique<Slot>());
            m_slots.back()->number = static_cast<uint32_t>(m_slots.size() - 1);
            return m_slots.size() - 1;
        }
        NS_ABORT_MSG_IF(m_free.IsEmpty(),
                        "A RoCE NIC has " << MAX_SLOTS
                                          << " queue pairs open in one direction already, and can "
                                             "have no more.");
        return m_free.Pop();
    }

    std::vector<std::unique_ptr<Slot>> m_slots; ///< by the slot in a number
    RingBuffer<uint32_t> m_free;                ///< slots not in use, unused longest first
};

} // namespace ns3::lossless

#endif /* LOSSLESS_QUEUE_PAIR_H */
