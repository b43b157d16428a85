// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ROCE_HEADER_H
#define LOSSLESS_ROCE_HEADER_H

#include "ns3/header.h"
#include "ns3/ipv4-address.h"
#include "ns3/mac48-address.h"
#include "ns3/packet.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <ostream>

namespace ns3::lossless
{

/// Operations of the base transport header that this module uses (InfiniBand, chapter 9).
enum class RoceOpcode : uint8_t
{
    SEND_FIRST = 0x00,  ///< RC SEND, first packet of a message
    SEND_MIDDLE = 0x01, ///< RC SEND, neither first nor last
    SEND_LAST = 0x02,   ///< RC SEND, last packet of a message
    SEND_ONLY = 0x04,   ///< RC SEND, message of one packet
    ACKNOWLEDGE = 0x11, ///< RC ACK or NAK, followed by the AETH
    CNP = 0x81,         ///< congestion notification (RoCEv2 annex A17), with 16 reserved bytes
};

/// @return name in RoceHeader::Print
const char* ToString(RoceOpcode opcode);

/// @return whether the packet carries data of a flow; otherwise it is an answer
constexpr bool
IsData(RoceOpcode opcode)
{
    return opcode != RoceOpcode::ACKNOWLEDGE && opcode != RoceOpcode::CNP;
}

/// Optional headers. Each has one of the six bits that the BTH reserves next to BECN. Those present
/// follow the BTH, or the AETH of an answer, in order of their bits. See RoceOptions.
enum class RoceOption : uint8_t
{
    TELEMETRY = 0x01, ///< TelemetryHeader: what switches write
    SACK = 0x02,      ///< SackHeader: which packets have arrived beyond a gap
    PLACE = 0x04,     ///< PlaceHeader: where the payload belongs
};

/// Syndromes of an acknowledgement used by this module (InfiniBand, chapter 9).
enum class AethSyndrome : uint8_t
{
    ACK = 0x1f,                ///< positive; credit code 31: end-to-end credits are not used
    NAK_SEQUENCE_ERROR = 0x60, ///< a PSN is missing: go back to the PSN of this packet
    NAK_TRIMMED = 0x65,        ///< a packet arrived without its payload (reserved code)
    NAK_TRIMMED_LAST_HOP =
        0x66, ///< the same, trimmed by the switch before the receiver (reserved code)
};

/// @return whether the answer reports a packet without its payload
constexpr bool
IsTrimmed(AethSyndrome syndrome)
{
    return syndrome == AethSyndrome::NAK_TRIMMED || syndrome == AethSyndrome::NAK_TRIMMED_LAST_HOP;
}

/**
 * @ingroup lossless
 * Everything in front of the payload of a RoCEv2 packet, in one header.
 *
 * | header   | bytes | notes                                                                  |
 * |----------|-------|------------------------------------------------------------------------|
 * | Ethernet | 14    | EtherType 0x0800                                                       |
 * | IPv4     | 20    | valid checksum, do not fragment, TTL 64, identification 0              |
 * | UDP      | 8     | destination port 4791, checksum 0 as RoCEv2 allows                     |
 * | BTH      | 12    | partition key 0xffff                                                   |
 * | AETH     | 4     | only ACKNOWLEDGE                                                       |
 * | reserved | 16    | only CNP, zero                                                         |
 *
 * Behind it come optional headers (see RoceOption), the payload, zero to three pad bytes which
 * fill it up to whole words of 4 bytes, and the ICRC. The packet in front of which the header is
 * put holds all of these:
 *
 * @code
 * auto packet = Create<Packet>(RoceHeader::BodyBytes(payloadBytes)); // pad and ICRC included
 * header.SetPayloadSize(payloadBytes);                               // without them
 * packet->AddHeader(header);
 * @endcode
 *
 * The object is the bytes of the header: a queue pair fills in one RoceHeader at its start and
 * changes only what differs from packet to packet. Setters keep the IPv4 checksum right, so that
 * writing the header is one copy.
 */
class RoceHeader : public Header
{
  public:
    static constexpr uint16_t UDP_PORT = 4791;            ///< destination port of RoCEv2
    static constexpr uint32_t ICRC_BYTES = 4;             ///< invariant CRC behind the payload
    static constexpr uint32_t MASK_24_BIT = 0xffffff;     ///< range of PSN, MSN and queue pair
    static constexpr uint16_t DEFAULT_PARTITION = 0xffff; ///< partition key of every packet

    /// An RC SEND ONLY packet without payload and addresses.
    RoceHeader();

    /// @return the type
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;

    /// @return bytes of a header with this opcode
    static uint32_t GetSize(RoceOpcode opcode);

    /// @return bytes behind the header: payload, pad and ICRC
    static constexpr uint32_t BodyBytes(uint32_t payload)
    {
        return (payload + 3) / 4 * 4 + ICRC_BYTES;
    }

    /// Reads the header of a frame without removing anything. ICRC and checksums are not checked.
    /// @param packet from the Ethernet header on
    /// @return the header; nullopt if the frame is not RoCEv2, its opcode is not in RoceOpcode, or
    /// it is shorter than its IPv4 length
    static std::optional<RoceHeader> Peek(const Packet& packet);

    /// Sets the Ethernet addresses.
    void SetMacs(Mac48Address source, Mac48Address destination);
    /// Sets the IPv4 addresses.
    void SetAddresses(Ipv4Address source, Ipv4Address destination);
    /// @param tos DSCP << 2 | ECN
    void SetTos(uint8_t tos);
    /// @param port UDP source port, which spreads queue pairs over equal-cost paths
    void SetSourcePort(uint16_t port);
    /// Sets the operation. The payload size stays; the reserved bytes of a CNP become zero.
    void SetOpcode(RoceOpcode opcode);
    /// @param payload bytes of the message in this packet, without pad and ICRC
    void SetPayloadSize(uint32_t payload);
    /// @param request whether the receiver must acknowledge at once
    void SetAckRequest(bool request);
    /// Sets whether an optional header follows. The payload size stays.
    void SetOption(RoceOption option, bool isThere);

    /// Sets whether a TelemetryHeader follows. The payload size stays.
    void SetTelemetry(bool telemetry)
    {
        SetOption(RoceOption::TELEMETRY, telemetry);
    }

    /// @param congested bit BECN: always set in a CNP; in an ACK, the echo of a marked packet
    void SetBecn(bool congested);
    /// @param queuePair at most MASK_24_BIT
    void SetDestinationQp(uint32_t queuePair);
    /// @param psn packet sequence number, of which the lowest 24 bits are used
    void SetPsn(uint32_t psn);
    /// Makes the packet an acknowledgement.
    /// @param msn number of completed messages, of which the lowest 24 bits are used
    void SetAcknowledge(AethSyndrome syndrome, uint32_t msn);

    /// @return Ethernet source
    Mac48Address GetSourceMac() const;
    /// @return Ethernet destination
    Mac48Address GetDestinationMac() const;
    /// @return IPv4 source
    Ipv4Address GetSource() const;
    /// @return IPv4 destination
    Ipv4Address GetDestination() const;
    /// @return DSCP << 2 | ECN
    uint8_t GetTos() const;
    /// @return whether a hop has marked "congestion experienced"
    bool IsMarked() const;
    /// @return UDP source port
    uint16_t GetSourcePort() const;
    /// @return operation
    RoceOpcode GetOpcode() const;
    /// @return bytes of the message in this packet, without pad and ICRC
    uint32_t GetPayloadSize() const;
    /// @return bytes of the whole frame, from the Ethernet header to the ICRC
    uint32_t GetFrameSize() const;
    /// @return frame size with another payload size
    uint32_t GetFrameSizeWith(uint32_t payload) const;
    /// @return whether the receiver must acknowledge at once
    bool GetAckRequest() const;
    /// @return partition key
    uint16_t GetPartitionKey() const;
    /// @return the bit BECN (backward explicit congestion notification)
    bool GetBecn() const;
    /// @return bits of the optional headers that follow, see RoceOption
    uint8_t GetOptions() const;
    /// @return their bytes
    uint32_t GetOptionsSize() const;

    /// @return whether an optional header follows
    bool Has(RoceOption option) const
    {
        return (GetOptions() & static_cast<uint8_t>(option)) != 0;
    }

    /// @return whether a TelemetryHeader follows
    bool HasTelemetry() const
    {
        return Has(RoceOption::TELEMETRY);
    }

    /// @return queue pair at the destination
    uint32_t GetDestinationQp() const;
    /// @return packet sequence number
    uint32_t GetPsn() const;
    /// @return kind of acknowledgement; meaningful only with opcode ACKNOWLEDGE
    AethSyndrome GetSyndrome() const;
    /// @return number of completed messages; meaningful only with opcode ACKNOWLEDGE
    uint32_t GetMsn() const;

    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /// @param start of the Ethernet header
    /// @return bytes of the header; 0, with the header reset, if Peek() would return nullopt
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    static constexpr uint32_t BASE_BYTES = 14 + 20 + 8 + 12;   ///< up to the end of the BTH
    static constexpr uint32_t MAX_BYTES = BASE_BYTES + 16;     ///< header of a CNP
    static constexpr uint32_t MAX_OPTION_BYTES = 42 + 12 + 16; ///< of all optional headers

    /// Writes MAX_BYTES. @return their end
    uint8_t* WriteBytes(uint8_t* bytes) const
    {
        return std::copy(m_bytes.begin(), m_bytes.end(), bytes);
    }

    /// Reads what WriteBytes() has written. @return its end
    const uint8_t* ReadBytes(const uint8_t* bytes)
    {
        std::copy_n(bytes, MAX_BYTES, m_bytes.begin());
        return bytes + MAX_BYTES;
    }

  private:
    using Bytes = std::array<uint8_t, MAX_BYTES>; ///< the header on the wire

    /// @return whether m_bytes are those of a RoCEv2 frame
    bool IsValid(uint32_t available) const;
    /// @return bytes of payload, pad and ICRC; may be negative in foreign frames
    int32_t GetBodySize() const;
    /// Sets a word of the IPv4 header and updates the checksum.
    void SetIpWord(uint32_t at, uint16_t word);

    Bytes m_bytes; ///< as on the wire; bytes beyond GetSerializedSize() are meaningless
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ROCE_HEADER_H */
