// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ROCE_HEADER_H
#define LOSSLESS_ROCE_HEADER_H

#include "typed-header.h"

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

/// The opcodes of the base transport header that this module uses (InfiniBand, chapter 9).
enum class RoceOpcode : uint8_t
{
    SEND_FIRST = 0x00,  ///< the first packet of an RC SEND message
    SEND_MIDDLE = 0x01, ///< a packet between the first and the last of an RC SEND message
    SEND_LAST = 0x02,   ///< the last packet of an RC SEND message
    SEND_ONLY = 0x04,   ///< the only packet of an RC SEND message
    ACKNOWLEDGE = 0x11, ///< an RC ACK or NAK, followed by the AETH
    CNP = 0x81,         ///< a congestion notification (RoCEv2 annex A17) with 16 reserved bytes
};

/// @return the name for RoceHeader::Print()
const char* ToString(RoceOpcode opcode);

/// @return whether the packet carries data of a flow; all other packets are answers
constexpr bool
IsData(RoceOpcode opcode)
{
    return opcode != RoceOpcode::ACKNOWLEDGE && opcode != RoceOpcode::CNP;
}

/// Optional headers, each announced by one of the six bits that the BTH reserves next to BECN.
/// The headers follow the BTH, or the AETH of an answer, in the order of their bits. See
/// RoceOptions.
enum class RoceOption : uint8_t
{
    TELEMETRY = 0x01, ///< TelemetryHeader, written by switches
    SACK = 0x02,      ///< SackHeader, which reports the packets that have arrived after a gap
    PLACE = 0x04,     ///< PlaceHeader, which specifies where the payload belongs in the message
};

/// The syndromes of acknowledgements that this module uses (InfiniBand, chapter 9).
enum class AethSyndrome : uint8_t
{
    ACK = 0x1f,                ///< positive; credit code 31 disables end-to-end credits
    NAK_SEQUENCE_ERROR = 0x60, ///< a PSN is missing; the sender must go back to the PSN in this
                               ///< packet
    NAK_TRIMMED = 0x65,        ///< a packet arrived without its payload (reserved code)
    NAK_TRIMMED_LAST_HOP =
        0x66, ///< like NAK_TRIMMED, but the last switch trimmed the packet (reserved code)
};

/// @return whether the answer reports a packet that arrived without its payload
constexpr bool
IsTrimmed(AethSyndrome syndrome)
{
    return syndrome == AethSyndrome::NAK_TRIMMED || syndrome == AethSyndrome::NAK_TRIMMED_LAST_HOP;
}

/**
 * @ingroup lossless
 * The mandatory headers of a RoCEv2 packet, combined into one.
 *
 * | header   | bytes | notes                                                                  |
 * |----------|-------|------------------------------------------------------------------------|
 * | Ethernet | 14    | EtherType 0x0800                                                       |
 * | IPv4     | 20    | valid checksum, do not fragment, TTL 64, identification 0              |
 * | UDP      | 8     | destination port 4791, checksum 0 as RoCEv2 allows                     |
 * | BTH      | 12    | partition key 0xffff                                                   |
 * | AETH     | 4     | only in an ACKNOWLEDGE                                                 |
 * | reserved | 16    | only in a CNP; zero                                                    |
 *
 * These headers are followed by optional headers (see RoceOption), the payload, zero to three pad
 * bytes that make the payload a multiple of 4 bytes, and the ICRC. The packet to which the header
 * is added must already contain everything that follows it:
 *
 * @code
 * auto packet = Create<Packet>(RoceHeader::BodyBytes(payloadBytes)); // includes pad and ICRC
 * header.SetPayloadSize(payloadBytes);                               // excludes them
 * packet->AddHeader(header);
 * @endcode
 *
 * The object stores the bytes of the header. A queue pair fills in one RoceHeader when it starts
 * and then changes only the fields that differ between packets. Setters keep the IPv4 checksum
 * correct, so writing the header requires only a single copy.
 */
class RoceHeader : public TypedHeader<RoceHeader>
{
  public:
    static constexpr uint16_t UDP_PORT = 4791;        ///< the destination port of RoCEv2
    static constexpr uint32_t ICRC_BYTES = 4;         ///< the invariant CRC after the payload
    static constexpr uint32_t MASK_24_BIT = 0xffffff; ///< the largest PSN, MSN and queue pair
                                                      ///< number

    /// Creates the header of an RC SEND ONLY packet without a payload. All addresses are zero.
    RoceHeader();

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// @return the size, in bytes, of a header with this opcode
    static uint32_t GetSize(RoceOpcode opcode);

    /// @return the size, in bytes, of the payload, pad and ICRC, which follow the header
    static constexpr uint32_t BodyBytes(uint32_t payload)
    {
        return (payload + 3) / 4 * 4 + ICRC_BYTES;
    }

    /// Reads the header of a frame without removing bytes. Neither the ICRC nor the checksums are
    /// checked.
    /// @param packet the frame with its Ethernet header
    /// @return the header, or nullopt if the frame is not RoCEv2, has an opcode that is not in
    /// RoceOpcode, or is shorter than its IPv4 length
    static std::optional<RoceHeader> Peek(const Packet& packet);

    /// Sets the Ethernet addresses.
    void SetMacs(Mac48Address source, Mac48Address destination);
    /// Sets the IPv4 addresses.
    void SetAddresses(Ipv4Address source, Ipv4Address destination);
    /// @param tos the type of service, DSCP << 2 | ECN
    void SetTos(uint8_t tos);
    /// @param port the UDP source port, which spreads queue pairs over equal-cost paths
    void SetSourcePort(uint16_t port);
    /// Sets the opcode. The size of the payload does not change. The reserved bytes of a CNP become
    /// zero.
    void SetOpcode(RoceOpcode opcode);
    /// @param payload the size of this packet's part of the message, without pad and ICRC
    void SetPayloadSize(uint32_t payload);
    /// @param request whether the receiver must acknowledge immediately
    void SetAckRequest(bool request);
    /// Sets whether an optional header follows. The payload size does not change.
    void SetOption(RoceOption option, bool isThere);

    /// Sets whether a TelemetryHeader follows. The payload size does not change.
    void SetTelemetry(bool telemetry)
    {
        SetOption(RoceOption::TELEMETRY, telemetry);
    }

    /// @param congested the value of the BECN bit, which is always set in a CNP and echoes a mark
    /// in an ACK
    void SetBecn(bool congested);
    /// @param queuePair the queue pair number, at most MASK_24_BIT
    void SetDestinationQp(uint32_t queuePair);
    /// @param psn the packet sequence number; only the lowest 24 bits are used
    void SetPsn(uint32_t psn);
    /// Turns the packet into an acknowledgement.
    /// @param msn the number of completed messages; only the lowest 24 bits are used
    void SetAcknowledge(AethSyndrome syndrome, uint32_t msn);

    /// @return the Ethernet source address
    Mac48Address GetSourceMac() const;
    /// @return the Ethernet destination address
    Mac48Address GetDestinationMac() const;
    /// @return the IPv4 source address
    Ipv4Address GetSource() const;
    /// @return the IPv4 destination address
    Ipv4Address GetDestination() const;
    /// @return the type of service, DSCP << 2 | ECN
    uint8_t GetTos() const;
    /// @return whether a hop has marked the packet as "congestion experienced"
    bool IsMarked() const;
    /// @return the UDP source port
    uint16_t GetSourcePort() const;
    /// @return the opcode of the BTH
    RoceOpcode GetOpcode() const;
    /// @return the size of this packet's part of the message, without pad and ICRC
    uint32_t GetPayloadSize() const;
    /// @return the size of the whole frame, from the Ethernet header to the ICRC
    uint32_t GetFrameSize() const;
    /// @return the frame size that would result from another payload size
    uint32_t GetFrameSizeWith(uint32_t payload) const;
    /// @return whether the receiver must acknowledge immediately
    bool GetAckRequest() const;
    /// @return the BECN bit (backward explicit congestion notification)
    bool GetBecn() const;
    /// @return the bits of the optional headers that follow; see RoceOption
    uint8_t GetOptions() const;
    /// @return the size of the optional headers in bytes
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

    /// @return the number of the destination's queue pair
    uint32_t GetDestinationQp() const;
    /// @return the packet sequence number
    uint32_t GetPsn() const;
    /// @return the kind of acknowledgement; valid only if the opcode is ACKNOWLEDGE
    AethSyndrome GetSyndrome() const;
    /// @return the number of completed messages; valid only if the opcode is ACKNOWLEDGE
    uint32_t GetMsn() const;

    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /// @param start the start of the Ethernet header
    /// @return the size of the header, or 0 if Peek() would return nullopt, in which case the
    /// header is reset
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    static constexpr uint32_t BASE_BYTES = 14 + 20 + 8 + 12;   ///< the headers up to the BTH
    static constexpr uint32_t MAX_BYTES = BASE_BYTES + 16;     ///< the size of the largest header,
                                                               ///< which is that of a CNP
    static constexpr uint32_t MAX_OPTION_BYTES = 42 + 12 + 16; ///< the size of all optional headers

    /// Writes MAX_BYTES bytes.
    /// @return the end of the written bytes
    uint8_t* WriteBytes(uint8_t* bytes) const
    {
        return std::copy(m_bytes.begin(), m_bytes.end(), bytes);
    }

    /// Reads the output of WriteBytes().
    /// @return the end of the bytes read
    const uint8_t* ReadBytes(const uint8_t* bytes)
    {
        std::copy_n(bytes, MAX_BYTES, m_bytes.begin());
        return bytes + MAX_BYTES;
    }

  private:
    using Bytes = std::array<uint8_t, MAX_BYTES>; ///< the header as sent on the wire

    /// @return whether m_bytes contains the header of a RoCEv2 frame of at most `available` bytes
    bool IsValid(uint32_t available) const;
    /// @return the total size of payload, pad and ICRC, which is negative if the length in the IPv4
    /// header is invalid
    int32_t GetBodySize() const;
    /// Sets a word of the IPv4 header and updates the checksum.
    void SetIpWord(uint32_t at, uint16_t word);

    Bytes m_bytes; ///< the bytes on the wire; bytes beyond GetSerializedSize() are meaningless
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ROCE_HEADER_H */
