// SPDX-License-Identifier: GPL-2.0-only
#include "ecn-rewrite.h"

#include "ns3/abort.h"
#include "ns3/header.h"
#include "ns3/packet-metadata.h"

#include <algorithm>
#include <array>

namespace ns3::lossless
{

namespace
{

// Offsets from the start of the Ethernet header.
constexpr uint32_t ETHERTYPE_AT = 12;
constexpr uint32_t VERSION_AT = 14;
constexpr uint32_t TOS_AT = 15;
constexpr uint32_t CHECKSUM_AT = 24;
constexpr uint32_t REWRITTEN_BYTES = CHECKSUM_AT + 2;
constexpr uint32_t MIN_IPV4_BYTES = 14 + 20;

/// Bytes at the start of a frame, enough for all headers in which the rewritten bytes may lie.
using FrameStart = std::array<uint8_t, 128>;

/**
 * Puts bytes in front of a packet as they are.
 *
 * Packet's metadata knows the header by the TypeId which it claims, so that these bytes can take
 * the place of the header they came from.
 */
class RewrittenBytes : public Header
{
  public:
    RewrittenBytes() = default;

    /// @param bytes the bytes, not owned @param size how many @param tid type to claim
    RewrittenBytes(const uint8_t* bytes, uint32_t size, TypeId tid)
        : m_bytes(bytes),
          m_size(size),
          m_tid(tid)
    {
    }

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lossless::RewrittenBytes")
                                .SetParent<Header>()
                                .SetGroupName("Lossless")
                                .AddConstructor<RewrittenBytes>()
                                .HideFromDocumentation();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return m_tid;
    }

    uint32_t GetSerializedSize() const override
    {
        return m_size;
    }

    void Serialize(Buffer::Iterator start) const override
    {
        start.Write(m_bytes, m_size);
    }

    uint32_t Deserialize(Buffer::Iterator start) override
    {
        return std::min(start.GetRemainingSize(), REWRITTEN_BYTES);
    }

    void Print(std::ostream& os) const override
    {
        os << "Ethernet and IPv4 up to the header checksum";
    }

  private:
    const uint8_t* m_bytes{nullptr}; ///< bytes to write, not owned
    uint32_t m_size{0};              ///< number of bytes
    TypeId m_tid{GetTypeId()};       ///< type which the bytes claim to be
};

NS_OBJECT_ENSURE_REGISTERED(RewrittenBytes);

/// The first header of a packet.
struct FirstHeader
{
    TypeId tid;    ///< its type
    uint32_t size; ///< its bytes
};

/**
 * @param packet a packet
 * @param needed bytes that have to go at least, when no header is known
 * @param limit bytes that may go at most
 * @return the header which Packet's metadata shows first; without metadata `needed` raw bytes
 */
FirstHeader
FindFirstHeader(const Packet& packet, uint32_t needed, uint32_t limit)
{
    auto items = packet.BeginItem();
    if (items.HasNext())
    {
        const PacketMetadata::Item item = items.Next();
        if (item.type == PacketMetadata::Item::HEADER && !item.isFragment &&
            item.currentSize <= limit)
        {
            return {item.tid, item.currentSize};
        }
    }
    return {RewrittenBytes::GetTypeId(), needed};
}

/**
 * Replaces the headers at the start of a packet one by one by other bytes of the same size.
 * @param packet the packet
 * @param bytes what the packet starts with afterwards
 * @param needed how many of these differ from the packet's at most
 * @param limit how many there are
 */
void
ReplaceHeaders(Packet& packet, const uint8_t* bytes, uint32_t needed, uint32_t limit)
{
    const auto [tid, size] = FindFirstHeader(packet, needed, limit);
    packet.RemoveAtStart(size);
    if (size < needed)
    {
        ReplaceHeaders(packet, bytes + size, needed - size, limit - size);
    }
    packet.AddHeader(RewrittenBytes(bytes, size, tid));
}

bool
IsIpv4(const FrameStart& bytes, uint32_t size)
{
    return size >= MIN_IPV4_BYTES && bytes[ETHERTYPE_AT] == 0x08 && bytes[ETHERTYPE_AT + 1] == 0 &&
           bytes[VERSION_AT] >> 4 == 4;
}

/// @param bytes where the word starts @return the word in host order
uint16_t
Read16(const uint8_t* bytes)
{
    return static_cast<uint16_t>(bytes[0] << 8 | bytes[1]);
}

} // namespace

void
RewriteTos(Ptr<Packet> frame, uint8_t tos)
{
    FrameStart bytes;
    const uint32_t size = frame->CopyData(bytes.data(), bytes.size());
    NS_ABORT_MSG_IF(!IsIpv4(bytes, size),
                    "RewriteTos was given a frame of " << frame->GetSize()
                                                       << " bytes without an IPv4 header behind "
                                                          "a 14-byte Ethernet header");
    if (bytes[TOS_AT] == tos)
    {
        return;
    }
    const uint16_t before = Read16(&bytes[VERSION_AT]);
    bytes[TOS_AT] = tos;
    const uint16_t checksum =
        UpdateChecksum(Read16(&bytes[CHECKSUM_AT]), before, Read16(&bytes[VERSION_AT]));
    bytes[CHECKSUM_AT] = static_cast<uint8_t>(checksum >> 8);
    bytes[CHECKSUM_AT + 1] = static_cast<uint8_t>(checksum);
    ReplaceHeaders(*frame, bytes.data(), REWRITTEN_BYTES, size);
}

} // namespace ns3::lossless
