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

/// @param opcode an opcode @return its name, as RoceHeader::Print shows it
const char* ToString(RoceOpcode opcode);

/// @param opcode of a packet @return whether it carries data of a flow; else it is an answer
constexpr bool
IsData(RoceOpcode opcode)
{
    return opcode != RoceOpcode::ACKNOWLEDGE && opcode != RoceOpcode::CNP;
}

/**
 * Optional headers. Each has a bit of the six that the BTH reserves beside BECN; those present lie
 * behind the BTH, or behind the AETH of an answer, in the order of their bits. See RoceOptions.
 */
enum class RoceOption : uint8_t
{
    TELEMETRY = 0x01, ///< TelemetryHeader: what switches write
    SACK = 0x02,      ///< SackHeader: which packets have arrived beyond a gap
    PLACE = 0x04,     ///< PlaceHeader: where the payload belongs
};

/// Syndromes of an acknowledgement (InfiniBand, chapter 9) that this module uses.
enum class AethSyndrome : uint8_t
{
    ACK = 0x1f,                  ///< positive; credit code 31: no end-to-end credits are in use
    NAK_SEQUENCE_ERROR = 0x60,   ///< a PSN is missing: go back to the PSN of this packet
    NAK_TRIMMED = 0x65,          ///< a packet came without its payload (a code that is reserved)
    NAK_TRIMMED_LAST_HOP = 0x66, ///< the same, cut off by the switch before the receiver (reserved)
};

/// @param syndrome of an answer @return whether a packet came without its payload
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

    /// An RC SEND ONLY packet without payload, from and to nobody.
    RoceHeader();

    /// @return the type
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;

    /// @param opcode an opcode @return bytes of a header with that opcode
    static uint32_t GetSize(RoceOpcode opcode);

    /// @param payload bytes of a message @return bytes behind the header: payload, pad and ICRC
    static constexpr uint32_t BodyBytes(uint32_t payload)
    {
        return (payload + 3) / 4 * 4 + ICRC_BYTES;
    }

    /**
     * Reads the header of a frame without removing anything. The ICRC and checksums are not
     * looked at.
     * @param packet a frame from the Ethernet header on
     * @return the header; nullopt if the frame is not RoCEv2, has an opcode that is not in
     *         RoceOpcode, or is shorter than its own IPv4 length
     */
    static std::optional<RoceHeader> Peek(const Packet& packet);

    /// @param source Ethernet source @param destination Ethernet destination
    void SetMacs(Mac48Address source, Mac48Address destination);
    /// @param source IPv4 source @param destination IPv4 destination
    void SetAddresses(Ipv4Address source, Ipv4Address destination);
    /// @param tos DSCP << 2 | ECN
    void SetTos(uint8_t tos);
    /// @param port UDP source port, which spreads queue pairs over equal paths
    void SetSourcePort(uint16_t port);
    /// @param opcode operation; the payload size stays, the reserved bytes of a CNP become zero
    void SetOpcode(RoceOpcode opcode);
    /// @param payload bytes of the message in this packet, without pad and ICRC
    void SetPayloadSize(uint32_t payload);
    /// @param request whether the receiver has to acknowledge at once
    void SetAckRequest(bool request);
    /// @param option an optional header @param isThere whether it follows; the payload size stays
    void SetOption(RoceOption option, bool isThere);

    /// @param telemetry whether a TelemetryHeader follows; the payload size stays
    void SetTelemetry(bool telemetry)
    {
        SetOption(RoceOption::TELEMETRY, telemetry);
    }

    /// @param congested the bit BECN: of a CNP, always; of an ACK, that it echoes a marked packet
    void SetBecn(bool congested);
    /// @param queuePair queue pair at the destination, at most MASK_24_BIT
    void SetDestinationQp(uint32_t queuePair);
    /// @param psn packet sequence number; its lowest 24 bits are used
    void SetPsn(uint32_t psn);
    /**
     * Makes the packet an acknowledgement.
     * @param syndrome kind of acknowledgement
     * @param msn number of messages completed; its lowest 24 bits are used
     */
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
    /// @param payload bytes of a message @return the same with that payload
    uint32_t GetFrameSizeWith(uint32_t payload) const;
    /// @return whether the receiver has to acknowledge at once
    bool GetAckRequest() const;
    /// @return partition key
    uint16_t GetPartitionKey() const;
    /// @return the bit BECN (backward explicit congestion notification)
    bool GetBecn() const;
    /// @return bits of the optional headers that follow, see RoceOption
    uint8_t GetOptions() const;
    /// @return bytes of these
    uint32_t GetOptionsSize() const;

    /// @param option an optional header @return whether it follows
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
    /// @return number of messages completed; meaningful only with opcode ACKNOWLEDGE
    uint32_t GetMsn() const;

    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    /**
     * @param start where the Ethernet header begins
     * @return bytes of the header; 0, and a header as if new, under the conditions in which Peek
     *         returns nullopt
     */
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    static constexpr uint32_t BASE_BYTES = 14 + 20 + 8 + 12;   ///< up to the end of the BTH
    static constexpr uint32_t MAX_BYTES = BASE_BYTES + 16;     ///< header of a CNP
    static constexpr uint32_t MAX_OPTION_BYTES = 42 + 12 + 16; ///< of all optional headers

    /// @param bytes where to write MAX_BYTES that ReadBytes() reads @return where they end
    uint8_t* WriteBytes(uint8_t* bytes) const
    {
        return std::copy(m_bytes.begin(), m_bytes.end(), bytes);
    }

    /// @param bytes written by WriteBytes() @return where they end
    const uint8_t* ReadBytes(const uint8_t* bytes)
    {
        std::copy_n(bytes, MAX_BYTES, m_bytes.begin());
        return bytes + MAX_BYTES;
    }

  private:
    using Bytes = std::array<uint8_t, MAX_BYTES>; ///< the header on the wire

    /// @param available bytes of the frame @return whether m_bytes are those of a RoCEv2 frame
    bool IsValid(uint32_t available) const;
    /// @return bytes of payload, pad and ICRC; may be negative in foreign frames
    int32_t GetBodySize() const;
    /// Sets a word of the IPv4 header and its checksum. @param at offset @param word value
    void SetIpWord(uint32_t at, uint16_t word);

    Bytes m_bytes; ///< the header on the wire; bytes beyond GetSerializedSize() mean nothing
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ROCE_HEADER_H */
