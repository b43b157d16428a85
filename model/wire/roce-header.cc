// SPDX-License-Identifier: GPL-2.0-only
#include "roce-header.h"

#include "ecn-rewrite.h"
#include "lossless-types.h"
#include "network-order.h"
#include "roce-options.h"

#include "ns3/abort.h"
#include "ns3/make-type-id.h"

#include <algorithm>
#include <utility>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(RoceHeader, Header);

namespace
{

// The offsets of fields from the start of the Ethernet header.
constexpr uint32_t DESTINATION_MAC = 0;
constexpr uint32_t SOURCE_MAC = 6;
constexpr uint32_t ETHERTYPE = 12;
constexpr uint32_t IP_VERSION = 14;
constexpr uint32_t IP_TOS = 15;
constexpr uint32_t IP_LENGTH = 16;
constexpr uint32_t IP_FRAGMENT = 20;
constexpr uint32_t IP_PROTOCOL = 23;
constexpr uint32_t IP_CHECKSUM = 24;
constexpr uint32_t IP_SOURCE = 26;
constexpr uint32_t IP_DESTINATION = 30;
constexpr uint32_t UDP_SOURCE_PORT = 34;
constexpr uint32_t UDP_DESTINATION_PORT = 36;
constexpr uint32_t UDP_LENGTH = 38;
constexpr uint32_t BTH_OPCODE = 42;
constexpr uint32_t BTH_FLAGS = 43;
constexpr uint32_t BTH_CONGESTION = 46;
constexpr uint32_t BTH_QUEUE_PAIR = 47;
constexpr uint32_t BTH_ACK_REQUEST = 50;
constexpr uint32_t BTH_PSN = 51;
constexpr uint32_t AETH_SYNDROME = 54;
constexpr uint32_t AETH_MSN = 55;
constexpr uint32_t EXTENSION = 54;

constexpr uint32_t IP_BYTES = 20;
constexpr uint32_t AETH_BYTES = 4;
constexpr uint32_t CNP_RESERVED_BYTES = 16;
constexpr uint8_t ACK_REQUEST_BIT = 0x80;
constexpr uint8_t BECN_BIT = 0x40;
constexpr uint8_t OPTION_BITS = 0x07;
constexpr uint8_t ECN_MASK = 3;
constexpr uint32_t PAD_SHIFT = 4;
constexpr uint32_t PAD_MASK = 3;

/// The header of an RC SEND ONLY packet without a payload. All addresses are zero.
constexpr std::array<uint8_t, EXTENSION + CNP_RESERVED_BYTES> TEMPLATE = {
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, // Ethernet: destination
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, // source
    0x08, 0x00,                         // IPv4
    0x45, 0x00, 0x00, 0x2c,             // IPv4: version and header length, TOS, total length 44
    0x00, 0x00, 0x40, 0x00,             // identification, do not fragment
    0x40, 0x11, 0x3a, 0xc2,             // TTL 64, UDP, checksum
    0x00, 0x00, 0x00, 0x00,             // source
    0x00, 0x00, 0x00, 0x00,             // destination
    0x00, 0x00, 0x12, 0xb7,             // UDP: ports
    0x00, 0x18, 0x00, 0x00,             // length 24, no checksum
    0x04, 0x00, 0xff, 0xff,             // BTH: SEND ONLY, flags, partition; the rest is zero
};

static_assert(RoceHeader::MAX_OPTION_BYTES ==
              TelemetryHeader::BYTES + SackHeader::BYTES + PlaceHeader::BYTES);

/// @return the total size of the optional headers, for each combination of their bits
constexpr std::array<uint8_t, OPTION_BITS + 1>
MakeOptionSizes()
{
    std::array<uint8_t, OPTION_BITS + 1> sizes{};
    for (uint32_t bits = 0; bits <= OPTION_BITS; ++bits)
    {
        const auto sizeIf = [bits](RoceOption option, uint32_t size) {
            return (bits & static_cast<uint32_t>(option)) != 0 ? size : 0;
        };
        sizes[bits] = static_cast<uint8_t>(sizeIf(RoceOption::TELEMETRY, TelemetryHeader::BYTES) +
                                           sizeIf(RoceOption::SACK, SackHeader::BYTES) +
                                           sizeIf(RoceOption::PLACE, PlaceHeader::BYTES));
    }
    return sizes;
}

const char*
ToString(AethSyndrome syndrome)
{
    switch (syndrome)
    {
    case AethSyndrome::NAK_SEQUENCE_ERROR:
        return " NAK";
    case AethSyndrome::NAK_TRIMMED:
        return " NAK-trimmed";
    case AethSyndrome::NAK_TRIMMED_LAST_HOP:
        return " NAK-trimmed-last-hop";
    default:
        return " ACK";
    }
}

constexpr auto OPTION_SIZES = MakeOptionSizes();

bool
IsKnown(RoceOpcode opcode)
{
    switch (opcode)
    {
    case RoceOpcode::SEND_FIRST:
    case RoceOpcode::SEND_MIDDLE:
    case RoceOpcode::SEND_LAST:
    case RoceOpcode::SEND_ONLY:
    case RoceOpcode::ACKNOWLEDGE:
    case RoceOpcode::CNP:
        return true;
    }
    return false;
}

} // namespace

const char*
ToString(RoceOpcode opcode)
{
    switch (opcode)
    {
    case RoceOpcode::SEND_FIRST:
        return "SEND_FIRST";
    case RoceOpcode::SEND_MIDDLE:
        return "SEND_MIDDLE";
    case RoceOpcode::SEND_LAST:
        return "SEND_LAST";
    case RoceOpcode::SEND_ONLY:
        return "SEND_ONLY";
    case RoceOpcode::ACKNOWLEDGE:
        return "ACKNOWLEDGE";
    case RoceOpcode::CNP:
        return "CNP";
    }
    return "UNKNOWN";
}

RoceHeader::RoceHeader()
    : m_bytes(TEMPLATE)
{
}

uint32_t
RoceHeader::GetSize(RoceOpcode opcode)
{
    switch (opcode)
    {
    case RoceOpcode::ACKNOWLEDGE:
        return BASE_BYTES + AETH_BYTES;
    case RoceOpcode::CNP:
        return BASE_BYTES + CNP_RESERVED_BYTES;
    default:
        return BASE_BYTES;
    }
}

std::optional<RoceHeader>
RoceHeader::Peek(const Packet& packet)
{
    std::optional<RoceHeader> header(std::in_place);
    packet.CopyData(header->m_bytes.data(), MAX_BYTES);
    if (!header->IsValid(packet.GetSize()))
    {
        header.reset();
    }
    return header;
}

void
RoceHeader::SetMacs(Mac48Address source, Mac48Address destination)
{
    source.CopyTo(&m_bytes[SOURCE_MAC]);
    destination.CopyTo(&m_bytes[DESTINATION_MAC]);
}

void
RoceHeader::SetAddresses(Ipv4Address source, Ipv4Address destination)
{
    for (const auto& [at, address] :
         {std::pair(IP_SOURCE, source.Get()), std::pair(IP_DESTINATION, destination.Get())})
    {
        SetIpWord(at, static_cast<uint16_t>(address >> 16));
        SetIpWord(at + 2, static_cast<uint16_t>(address));
    }
}

void
RoceHeader::SetTos(uint8_t tos)
{
    SetIpWord(IP_VERSION, static_cast<uint16_t>(m_bytes[IP_VERSION] << 8 | tos));
}

void
RoceHeader::SetSourcePort(uint16_t port)
{
    WriteNumber<2>(&m_bytes[UDP_SOURCE_PORT], port);
}

void
RoceHeader::SetOpcode(RoceOpcode opcode)
{
    const uint32_t payload = GetPayloadSize();
    m_bytes[BTH_OPCODE] = static_cast<uint8_t>(opcode);
    SetPayloadSize(payload);
    if (opcode == RoceOpcode::CNP)
    {
        std::fill(m_bytes.begin() + EXTENSION, m_bytes.end(), 0);
    }
}

void
RoceHeader::SetPayloadSize(uint32_t payload)
{
    const uint32_t ipBytes = GetFrameSizeWith(payload) - ETHERNET_BYTES;
    NS_ABORT_MSG_IF(payload > 0xffff || ipBytes > 0xffff,
                    "a payload of " << payload << " bytes does not fit: an IPv4 packet has at most "
                                    << 0xffff << " bytes with its headers");
    const uint32_t pad = BodyBytes(payload) - ICRC_BYTES - payload;
    m_bytes[BTH_FLAGS] =
        static_cast<uint8_t>((m_bytes[BTH_FLAGS] & ~(PAD_MASK << PAD_SHIFT)) | pad << PAD_SHIFT);
    SetIpWord(IP_LENGTH, static_cast<uint16_t>(ipBytes));
    WriteNumber<2>(&m_bytes[UDP_LENGTH], ipBytes - IP_BYTES);
}

void
RoceHeader::SetAckRequest(bool request)
{
    m_bytes[BTH_ACK_REQUEST] = request ? ACK_REQUEST_BIT : 0;
}

void
RoceHeader::SetBecn(bool congested)
{
    m_bytes[BTH_CONGESTION] =
        static_cast<uint8_t>((m_bytes[BTH_CONGESTION] & ~BECN_BIT) | (congested ? BECN_BIT : 0));
}

void
RoceHeader::SetOption(RoceOption option, bool isThere)
{
    const uint32_t payload = GetPayloadSize();
    const auto bit = static_cast<uint8_t>(option);
    m_bytes[BTH_CONGESTION] =
        static_cast<uint8_t>((m_bytes[BTH_CONGESTION] & ~bit) | (isThere ? bit : 0));
    SetPayloadSize(payload);
}

void
RoceHeader::SetDestinationQp(uint32_t queuePair)
{
    NS_ABORT_MSG_IF(queuePair > MASK_24_BIT,
                    "queue pair " << queuePair << " does not fit: its number has 24 bits, 0 to "
                                  << MASK_24_BIT);
    WriteNumber<3>(&m_bytes[BTH_QUEUE_PAIR], queuePair);
}

void
RoceHeader::SetPsn(uint32_t psn)
{
    WriteNumber<3>(&m_bytes[BTH_PSN], psn);
}

void
RoceHeader::SetAcknowledge(AethSyndrome syndrome, uint32_t msn)
{
    if (GetOpcode() != RoceOpcode::ACKNOWLEDGE)
    {
        SetOpcode(RoceOpcode::ACKNOWLEDGE);
    }
    m_bytes[AETH_SYNDROME] = static_cast<uint8_t>(syndrome);
    WriteNumber<3>(&m_bytes[AETH_MSN], msn);
}

Mac48Address
RoceHeader::GetSourceMac() const
{
    Mac48Address address;
    address.CopyFrom(&m_bytes[SOURCE_MAC]);
    return address;
}

Mac48Address
RoceHeader::GetDestinationMac() const
{
    Mac48Address address;
    address.CopyFrom(&m_bytes[DESTINATION_MAC]);
    return address;
}

Ipv4Address
RoceHeader::GetSource() const
{
    return Ipv4Address::Deserialize(&m_bytes[IP_SOURCE]);
}

Ipv4Address
RoceHeader::GetDestination() const
{
    return Ipv4Address::Deserialize(&m_bytes[IP_DESTINATION]);
}

uint8_t
RoceHeader::GetTos() const
{
    return m_bytes[IP_TOS];
}

bool
RoceHeader::IsMarked() const
{
    return (m_bytes[IP_TOS] & ECN_MASK) == ECN_MASK;
}

uint16_t
RoceHeader::GetSourcePort() const
{
    return ReadNumber<2>(&m_bytes[UDP_SOURCE_PORT]);
}

RoceOpcode
RoceHeader::GetOpcode() const
{
    return static_cast<RoceOpcode>(m_bytes[BTH_OPCODE]);
}

uint32_t
RoceHeader::GetPayloadSize() const
{
    const uint32_t pad = m_bytes[BTH_FLAGS] >> PAD_SHIFT & PAD_MASK;
    return GetBodySize() - pad - ICRC_BYTES;
}

uint32_t
RoceHeader::GetFrameSizeWith(uint32_t payload) const
{
    return GetSerializedSize() + GetOptionsSize() + BodyBytes(payload);
}

uint32_t
RoceHeader::GetFrameSize() const
{
    return ETHERNET_BYTES + ReadNumber<2>(&m_bytes[IP_LENGTH]);
}

bool
RoceHeader::GetAckRequest() const
{
    return (m_bytes[BTH_ACK_REQUEST] & ACK_REQUEST_BIT) != 0;
}

bool
RoceHeader::GetBecn() const
{
    return (m_bytes[BTH_CONGESTION] & BECN_BIT) != 0;
}

uint8_t
RoceHeader::GetOptions() const
{
    return m_bytes[BTH_CONGESTION] & OPTION_BITS;
}

uint32_t
RoceHeader::GetDestinationQp() const
{
    return ReadNumber<3>(&m_bytes[BTH_QUEUE_PAIR]);
}

uint32_t
RoceHeader::GetPsn() const
{
    return ReadNumber<3>(&m_bytes[BTH_PSN]);
}

AethSyndrome
RoceHeader::GetSyndrome() const
{
    return static_cast<AethSyndrome>(m_bytes[AETH_SYNDROME]);
}

uint32_t
RoceHeader::GetMsn() const
{
    return ReadNumber<3>(&m_bytes[AETH_MSN]);
}

uint32_t
RoceHeader::GetSerializedSize() const
{
    return GetSize(GetOpcode());
}

void
RoceHeader::Serialize(Buffer::Iterator start) const
{
    start.Write(m_bytes.data(), GetSerializedSize());
}

uint32_t
RoceHeader::Deserialize(Buffer::Iterator start)
{
    const uint32_t available = start.GetRemainingSize();
    start.Read(m_bytes.data(), std::min(available, MAX_BYTES));
    if (!IsValid(available))
    {
        m_bytes = TEMPLATE;
        return 0;
    }
    return GetSerializedSize();
}

void
RoceHeader::Print(std::ostream& os) const
{
    os << ToString(GetOpcode()) << " " << GetSource() << ":" << GetSourcePort() << " > "
       << GetDestination() << " tos " << +GetTos() << " qp " << GetDestinationQp() << " psn "
       << GetPsn() << " payload " << GetPayloadSize();
    if (GetAckRequest())
    {
        os << " ack-request";
    }
    if (GetBecn())
    {
        os << " becn";
    }
    for (const auto& [option, name] : {std::pair(RoceOption::TELEMETRY, " telemetry"),
                                       std::pair(RoceOption::SACK, " sack"),
                                       std::pair(RoceOption::PLACE, " place")})
    {
        os << (Has(option) ? name : "");
    }
    if (GetOpcode() == RoceOpcode::ACKNOWLEDGE)
    {
        os << ToString(GetSyndrome()) << " msn " << GetMsn();
    }
}

bool
RoceHeader::IsValid(uint32_t available) const
{
    constexpr uint8_t version4NoOptions = 0x45;
    const bool isUdp =
        available >= BASE_BYTES && ReadNumber<2>(&m_bytes[ETHERTYPE]) == ETHERTYPE_IPV4 &&
        m_bytes[IP_VERSION] == version4NoOptions && m_bytes[IP_PROTOCOL] == PROTOCOL_UDP &&
        (ReadNumber<2>(&m_bytes[IP_FRAGMENT]) & IPV4_FRAGMENT_BITS) == 0;
    if (!isUdp || ReadNumber<2>(&m_bytes[UDP_DESTINATION_PORT]) != UDP_PORT ||
        !IsKnown(GetOpcode()))
    {
        return false;
    }
    const int32_t pad = m_bytes[BTH_FLAGS] >> PAD_SHIFT & PAD_MASK;
    return GetBodySize() >= pad + static_cast<int32_t>(ICRC_BYTES) && GetFrameSize() <= available;
}

uint32_t
RoceHeader::GetOptionsSize() const
{
    return OPTION_SIZES[GetOptions()];
}

int32_t
RoceHeader::GetBodySize() const
{
    return static_cast<int32_t>(GetFrameSize()) -
           static_cast<int32_t>(GetSerializedSize() + GetOptionsSize());
}

void
RoceHeader::SetIpWord(uint32_t at, uint16_t word)
{
    const uint16_t checksum =
        UpdateChecksum(ReadNumber<2>(&m_bytes[IP_CHECKSUM]), ReadNumber<2>(&m_bytes[at]), word);
    WriteNumber<2>(&m_bytes[IP_CHECKSUM], checksum);
    WriteNumber<2>(&m_bytes[at], word);
}

} // namespace ns3::lossless
