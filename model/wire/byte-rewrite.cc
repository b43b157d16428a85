// SPDX-License-Identifier: GPL-2.0-only
#include "byte-rewrite.h"

#include "ns3/header.h"
#include "ns3/ipv4-header.h"
#include "ns3/packet-metadata.h"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

namespace ns3::lossless
{

namespace
{

constexpr uint32_t IPV4_CHECKSUM_AT = 10; ///< in an Ipv4Header

/// Bytes in front of a packet of which nobody says what they are.
class RewrittenBytes : public Header
{
  public:
    RewrittenBytes() = default;

    /// @param bytes the bytes, not owned @param size how many
    RewrittenBytes(const uint8_t* bytes, uint32_t size)
        : m_bytes(bytes),
          m_size(size)
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
        return GetTypeId();
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
        return start.GetRemainingSize();
    }

    void Print(std::ostream& os) const override
    {
        os << "rewritten bytes";
    }

  private:
    const uint8_t* m_bytes{nullptr}; ///< bytes to write, not owned
    uint32_t m_size{0};              ///< number of bytes
};

NS_OBJECT_ENSURE_REGISTERED(RewrittenBytes);

/// Rewrites a packet of which no headers are recorded. @param packet the packet
/// @param bytes what it starts with afterwards @param size how many
void
RewriteBytes(Packet& packet, const uint8_t* bytes, uint32_t size)
{
    packet.RemoveAtStart(size);
    packet.AddHeader(RewrittenBytes(bytes, size));
}

/// A header in the record of a packet.
struct RecordedHeader
{
    TypeId tid;       ///< its type
    uint32_t size{0}; ///< its bytes
};

/// @param packet a packet @param needed bytes at its start @param available see RewriteStart()
/// @return the headers in which these lie, as far as they are known
std::vector<RecordedHeader>
FindHeaders(const Packet& packet, uint32_t needed, uint32_t available)
{
    std::vector<RecordedHeader> headers;
    auto items = packet.BeginItem();
    for (uint32_t end = 0; end < needed && items.HasNext();)
    {
        const PacketMetadata::Item item = items.Next();
        end += item.currentSize;
        if (item.type != PacketMetadata::Item::HEADER || item.isFragment || end > available ||
            item.tid == RewrittenBytes::GetTypeId())
        {
            break;
        }
        headers.push_back({item.tid, item.currentSize});
    }
    return headers;
}

/// @param packet a packet @param tid type of the header with which it starts @return the header
std::unique_ptr<Header>
ReadHeader(const Packet& packet, TypeId tid)
{
    std::unique_ptr<Header> header(dynamic_cast<Header*>(tid.GetConstructor()()));
    packet.PeekHeader(*header);
    if (auto* ipv4 = dynamic_cast<Ipv4Header*>(header.get()))
    {
        std::array<uint8_t, IPV4_CHECKSUM_AT + 2> bytes{};
        packet.CopyData(bytes.data(), bytes.size());
        if (bytes[IPV4_CHECKSUM_AT] != 0 || bytes[IPV4_CHECKSUM_AT + 1] != 0)
        {
            ipv4->EnableChecksum(); // else it would be written without
        }
    }
    return header;
}

/// Rewrites a packet the headers of which are recorded: see RewriteStart().
void
RewriteHeaders(Packet& packet, const uint8_t* bytes, uint32_t needed, uint32_t available)
{
    const auto recorded = FindHeaders(packet, needed, available);
    uint32_t size = 0;
    for (const RecordedHeader& header : recorded)
    {
        size += header.size;
    }
    RewriteBytes(packet, bytes, std::max(size, needed));
    std::vector<std::unique_ptr<Header>> headers;
    for (const RecordedHeader& header : recorded)
    {
        headers.push_back(ReadHeader(packet, header.tid));
        packet.RemoveAtStart(header.size);
    }
    for (auto header = headers.rbegin(); header != headers.rend(); ++header)
    {
        packet.AddHeader(**header);
    }
}

} // namespace

void
RewriteStart(Packet& packet, const uint8_t* bytes, uint32_t needed, uint32_t available)
{
    // ns-3 settles before the first packet whether it keeps metadata; to ask each packet would cost
    // a fifth of the rewriting.
    static const bool hasMetadata = packet.BeginItem().HasNext();
    if (hasMetadata)
    {
        RewriteHeaders(packet, bytes, needed, available);
    }
    else
    {
        RewriteBytes(packet, bytes, needed);
    }
}

} // namespace ns3::lossless
