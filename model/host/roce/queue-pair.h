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

/// The header fields shared by all packets that one end of a queue pair sends.
struct RocePath
{
    Mac48Address sourceMac;      ///< the MAC address of this NIC
    Mac48Address destinationMac; ///< the MAC address of the other NIC
    Ipv4Address source;          ///< the IP address of this NIC
    Ipv4Address destination;     ///< the IP address of the other NIC
    uint16_t sourcePort{0};      ///< the UDP source port
    uint8_t tos{0};              ///< the type of service, DSCP << 2 | ECN
    uint32_t queuePair{0};       ///< the number of the queue pair at the other end

    /// Returns the class of a data packet.
    static Priority ClassOf(const RoceHeader& data);
    /// Returns the path of the answer to a data packet. The answer contains the same queue pair
    /// number as the packet, because both ends have this number.
    /// @param priority the class of the answer
    static RocePath OfAnswer(const RoceHeader& data, Priority priority);
};

/// @ingroup lossless
/// The parameters on which both ends of a queue pair agree out of band before the first packet.
/// They depend only on the flow and on the settings of the NICs, so each end can be opened on the
/// node to which it belongs.
struct RoceConnection
{
    /// The smallest number of a queue pair. InfiniBand reserves 0 and 1 for management.
    static constexpr uint32_t FIRST_NUMBER = 2;
    /// The number of valid queue pair numbers. The largest one is 2^24 - 2, because InfiniBand
    /// reserves 2^24 - 1 for multicast.
    static constexpr uint32_t NUMBERS = RoceHeader::MASK_24_BIT - FIRST_NUMBER;

    /// Returns the number of a flow's queue pair at both ends.
    /// @param id the ID of the flow
    static uint32_t NumberOf(uint64_t id)
    {
        return static_cast<uint32_t>(FIRST_NUMBER + id % NUMBERS);
    }

    RoceFlow flow;               ///< the flow, with all members set
    Ipv4Address source;          ///< the address of the sending NIC
    Mac48Address sourceMac;      ///< the MAC address of the sending NIC
    Mac48Address destinationMac; ///< the MAC address of the receiving NIC
    uint32_t number{0};          ///< the number of the queue pair at both ends; see NumberOf()
    uint32_t initialPsn{0};      ///< the sequence number of the first packet
    bool wantsCnps{false};       ///< whether the sender needs congestion notifications
    bool isCoalesced{false};     ///< whether the receiver acknowledges several packets with one
                                 ///< answer
    Time retransmitTimeout;      ///< the longest timeout of the sender
    std::optional<Time> start;   ///< the start of the flow; if unset, the time at which an end is
                                 ///< opened

    /// Returns the path of data packets.
    /// @param isEcnCapable whether the packets carry ECT(0)
    RocePath GetDataPath(bool isEcnCapable) const;
    /// Returns the path of answers.
    /// @param priority the class of answers
    RocePath GetAnswerPath(Priority priority) const;
    /// Creates the record for an end that is opened now. The flow may have started earlier.
    FlowRecord MakeRecord() const;
};

/// @ingroup lossless
/// Creates the packets of one end of a queue pair. Fields that all packets share are written only
/// once.
class RocePacketMaker
{
  public:
    /// Sets the addresses and other header fields of all packets.
    void SetPath(const RocePath& path);

    /// Sets the UDP source port of subsequent packets.
    void SetSourcePort(uint16_t port);

    /// Returns the UDP source port of packets.
    uint16_t GetSourcePort() const
    {
        return m_frame.flow.sourcePort;
    }

    /// Returns the header of the next packet, which can be modified.
    RoceHeader& GetHeader()
    {
        return m_header;
    }

    /// Adds a telemetry header, which switches fill in, to all subsequent packets.
    void AskForTelemetry();
    /// Makes subsequent packets echo the received telemetry.
    void EchoTelemetry(const TelemetryHeader& telemetry);

    /// Returns the optional headers for the next packet. The packet carries only those that its
    /// header announces.
    RoceOptions& GetOptions();

    /// Creates the next packet.
    Frame Make() const;

    /// Describes the frame of a packet with the header's opcode, without creating the packet.
    /// @param payload the payload in bytes
    Frame Describe(uint32_t payload) const;

  private:
    RoceHeader m_header;                    ///< the header of the latest packet
    Frame m_frame;                          ///< the template of all frames, without size or packet
    std::unique_ptr<RoceOptions> m_options; ///< the optional headers; null if none is needed
};

/// The counts of congestion and loss signals at the receiver of a flow.
struct FlowSignals
{
    uint64_t marked{0}; ///< the number of data packets that arrived with a "congestion experienced"
                        ///< mark
    uint64_t cnps{0};   ///< the number of congestion notifications sent
    uint64_t naks{0};   ///< the number of negative acknowledgements sent

    /// Adds the counts of other packets.
    FlowSignals& operator+=(const FlowSignals& other)
    {
        marked += other.marked;
        cnps += other.cnps;
        naks += other.naks;
        return *this;
    }

    /// Returns references to the members sent to other ranks; see record-archive.h.
    auto Tie()
    {
        return std::tie(marked, cnps, naks);
    }
};

/// The settings of a sending end.
struct SendSettings
{
    uint32_t payloadBytes{0}; ///< the payload of all packets except the last
    uint64_t window{0};       ///< the maximum unacknowledged payload, in bytes; 0 for no limit
    uint32_t initialPsn{0};   ///< the sequence number of the first packet
    bool isTimed{false};      ///< whether departure times of packets are recorded
    bool isCoalesced{false};  ///< whether the receiver acknowledges several packets with one answer
    bool hasTelemetry{false}; ///< whether packets request telemetry
    bool isPlacing{false};    ///< whether each packet carries a PlaceHeader
};

/**
 * @ingroup lossless
 * The sending end of a queue pair of InfiniBand's reliable connection service.
 *
 * The packets of a flow have 64-bit numbers, starting at 0. The 24-bit packet sequence number (PSN)
 * on the wire is initialPsn + number. SendReliability determines which packet is sent next and when
 * packets are retransmitted. This class manages the payload and the window.
 */
class SendQueuePair
{
  public:
    /// Sets the reliability of flows that are opened from now on. The default is go-back-N.
    void SetReliability(std::unique_ptr<SendReliability> reliability);

    /// Starts a flow.
    /// @param record the record of the flow; it is stored here until the next Open()
    /// @param path the path of data packets
    /// @param settings the settings for sending
    void Open(const FlowRecord& record, const RocePath& path, const SendSettings& settings);

    /// Returns whether a packet can be sent now.
    bool MaySend() const
    {
        // After the window has shrunk, an answer that would open it again may not have been
        // requested yet.
        return !m_reliability->IsExhausted() &&
               (HasRoom() || (m_settings.isCoalesced && !m_hasAsked));
    }

    /// Returns the next packet. Must be called only if MaySend() returns true.
    Frame Send(Time now);
    /// Handles an ACK or NAK and returns the changes that it causes.
    /// @param sack the SACK header of the answer, or null
    AnswerEffect HandleAnswer(const RoceHeader& answer, const SackHeader* sack, Time now);
    /// Handles a timeout by retransmitting packets that may be lost.
    void HandleTimeout();
    /// Sets the maximum unacknowledged payload, in bytes; 0 for no limit.
    void SetWindow(uint64_t window);

    /// Returns the payload, in bytes, that has been acknowledged so far, in any order.
    uint64_t GetAcknowledgedBytes() const
    {
        return BytesBefore(m_reliability->GetArrived());
    }

    /// Returns the payload, in bytes, that is not known to have arrived or to be lost. All packets
    /// count as full.
    uint64_t GetUnderWayBytes() const
    {
        return m_reliability->GetUnderWay() * m_settings.payloadBytes;
    }

    /// Returns the payload of a full packet in bytes.
    uint32_t GetFullPayload() const
    {
        return m_settings.payloadBytes;
    }

    /// Returns the payload, in bytes, of a packet that has been sent.
    uint32_t GetPayload(uint32_t psn) const
    {
        return PayloadOf(static_cast<uint64_t>(CountOf(psn)));
    }

    /// Returns the payload, in bytes, that has been sent so far, excluding retransmissions.
    uint64_t GetSentBytes() const
    {
        return BytesBefore(m_reliability->GetHighest());
    }

    /// Returns whether all packets have been acknowledged.
    bool IsFinished() const
    {
        return m_reliability->IsFinished();
    }

    /// Returns whether the next packet has been sent before.
    bool IsRetransmitting() const
    {
        return m_reliability->IsRepeating();
    }

    /// Returns the time of the next retransmission if no answer arrives. The result is unset while
    /// no answer is expected.
    std::optional<Time> GetDue() const
    {
        return m_reliability->GetDue();
    }

    /// Returns the state of the loss recovery.
    const SendReliability& GetReliability() const
    {
        return *m_reliability;
    }

    /// Prefetches the state of the loss recovery.
    void Prefetch() const
    {
        PrefetchLines(m_reliability.get(), 2 * CACHE_LINE_BYTES); // enough for a GoBackNSender
    }

    /// Returns the record of the flow.
    FlowRecord& GetRecord()
    {
        return m_record;
    }

    /// Returns the class of the packets.
    Priority GetPriority() const
    {
        return m_record.flow.priority;
    }

    /// Describes the frame of the next packet, including its size, without creating the packet.
    /// Must be called only if MaySend() returns true.
    Frame DescribeNext() const;

  private:
    /// Returns the number of payload bytes before a packet.
    /// @param count the number of the packet, at most the number of packets
    uint64_t BytesBefore(uint64_t count) const
    {
        return count == m_reliability->GetTotal() ? m_record.flow.bytes
                                                  : count * m_settings.payloadBytes;
    }

    RoceOpcode OpcodeOf(uint64_t count) const;
    uint32_t PayloadOf(uint64_t count) const;
    /// Returns the number of the packet that has the given PSN and is closest to the oldest
    /// unacknowledged packet. The result can be negative.
    int64_t CountOf(uint32_t psn) const;

    bool HasRoom() const
    {
        // A window smaller than one packet allows one packet at a time.
        const uint64_t inFlight = m_reliability->GetInFlight();
        return m_settings.window == 0 || inFlight == 0 ||
               inFlight * m_settings.payloadBytes + PayloadOf(m_reliability->GetNext()) <=
                   m_settings.window;
    }

    FlowRecord m_record;
    RocePacketMaker m_maker;
    SendSettings m_settings;
    bool m_hasAsked{false}; ///< whether the latest packet requested an answer
    std::unique_ptr<SendReliability> m_reliability; ///< the reliability, which determines when each
                                                    ///< packet is sent
};

/// @ingroup lossless
/// The receiving end of a queue pair. ReceiveReliability determines which packets are accepted and
/// how they are answered.
class ReceiveQueuePair
{
  public:
    /// Sets the reliability of flows that are opened from now on. The default is go-back-N.
    void SetReliability(std::unique_ptr<ReceiveReliability> reliability);

    /// Prepares to receive a flow.
    /// @param record the record of the flow; it is stored here until the next Open()
    /// @param path the path of answers
    /// @param initialPsn the sequence number of the first packet
    void Open(const FlowRecord& record,
              const RocePath& path,
              uint32_t initialPsn,
              bool wantsCnps = false);
    /// Restores the state after the arrival of a whole flow, in which all packets are duplicates.
    /// @param flow the completed flow
    /// @param path the path of answers
    void Reopen(const CompletedFlow& flow, const RocePath& path);
    /// Returns the state that Reopen() needs. Must be called only if IsComplete() returns true.
    CompletedFlow GetCompleted() const;

    /// Accepts a data packet. Returns its status and the answer to send.
    ArrivalVerdict Accept(const RoceHeader& data);
    /// Accepts a data packet that arrived without its payload; see Accept().
    ArrivalVerdict AcceptTrimmed(const RoceHeader& data);

    /// Uses the UDP source port of the latest data packet for subsequent answers.
    void TakeSourcePort(uint16_t port)
    {
        if (port != m_maker.GetSourcePort())
        {
            m_maker.SetSourcePort(port);
        }
    }

    /// Returns the number of packets from the expected one to the given one. A negative value means
    /// that the given packet has already arrived.
    int32_t GetAhead(const RoceHeader& data) const;
    /// Makes subsequent answers echo the telemetry of the latest data packet.
    void TakeTelemetry(const TelemetryHeader& telemetry);
    /// Creates an acknowledgement of all packets that have arrived in order.
    Frame MakeAck();
    /// Creates the answer to a gap, which requests the expected packet.
    Frame MakeNak();
    /// Creates the answer to a packet that arrived without its payload.
    /// @param at the place where the packet was trimmed
    Frame MakeTrimNak(TrimmedAt at = TrimmedAt::FABRIC);
    /// Creates a congestion notification.
    Frame MakeCnp();

    /// Returns whether a data packet requires a congestion notification.
    bool WantsCnp(const RoceHeader& data) const
    {
        return m_wantsCnps && data.IsMarked();
    }

    /// Returns whether to send a congestion notification now. If so, a new interval starts.
    /// @param interval the minimum time between notifications
    bool TakeCnp(Time now, Time interval);

    /// Returns whether an answer is due after the arrival of a packet. Records a request that must
    /// be answered again later.
    /// @param interval the number of packets per answer
    bool TakeDue(const RoceHeader& data, uint32_t interval);

    /// Returns whether the whole flow has arrived.
    bool IsComplete() const
    {
        return m_complete;
    }

    /// Returns the record of the flow.
    FlowRecord& GetRecord()
    {
        return m_record;
    }

    /// Returns the counts of congestion and loss signals so far.
    const FlowSignals& GetSignals() const
    {
        return m_signals;
    }

    /// Prefetches the state that each packet needs.
    void Prefetch() const
    {
        PrefetchLines(m_reliability.get(), CACHE_LINE_BYTES); // enough for a GoBackNReceiver
    }

    /// Returns the state of the receiver's reliability; null after Reopen().
    const ReceiveReliability* GetReliability() const
    {
        return m_reliability.get();
    }

  private:
    Frame MakeAnswer(AethSyndrome syndrome, uint32_t psn);
    void TakeMark(const RoceHeader& data);
    /// Prepares the SACK header of the next answer if the verdict requires one.
    /// @param ahead see GetAhead()
    /// @param verdict see Accept()
    void PrepareSack(const RoceHeader& data, int32_t ahead, const ArrivalVerdict& verdict);

    FlowRecord m_record;
    RocePacketMaker m_maker;  ///< the object that creates answers
    uint32_t m_expected{0};   ///< the PSN of the first packet that has not arrived, modulo 2^24
    uint32_t m_unanswered{0}; ///< the number of packets accepted since the latest answer
    bool m_isAsked{false};    ///< whether a packet beyond a gap has requested an answer
    bool m_complete{false};   ///< see IsComplete()
    bool m_hasSack{false};    ///< whether the next answer has a SackHeader
    bool m_isMarked{false};   ///< whether a packet since the latest answer was marked
    bool m_wantsCnps{false};  ///< whether the sender needs congestion notifications
    Time m_quietUntil;        ///< the earliest time of the next notification
    FlowSignals m_signals;    ///< the counts so far
    std::unique_ptr<ReceiveReliability> m_reliability; ///< see GetReliability()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_QUEUE_PAIR_H */
