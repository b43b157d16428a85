// SPDX-License-Identifier: GPL-2.0-only
#include "byte-rewrite.h"

#include "ns3/header.h"
#include "ns3/packet-metadata.h"

namespace ns3::lossless
{

namespace
{

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
        return start.GetRemainingSize();
    }

    void Print(std::ostream& os) const override
    {
        os << "rewritten bytes";
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
    // ns-3 settles before the first packet whether it keeps metadata; to ask each packet would cost
    // a fifth of the rewriting.
    static const bool hasMetadata = packet.BeginItem().HasNext();
    if (hasMetadata)
    {
        auto items = packet.BeginItem();
        const PacketMetadata::Item item = items.Next();
        if (item.type == PacketMetadata::Item::HEADER && !item.isFragment &&
            item.currentSize <= limit)
        {
            return {item.tid, item.currentSize};
        }
    }
    return {RewrittenBytes::GetTypeId(), needed};
}

} // namespace

void
RewriteStart(Packet& packet, const uint8_t* bytes, uint32_t needed, uint32_t available)
{
    const auto [tid, size] = FindFirstHeader(packet, needed, available);
    packet.RemoveAtStart(size);
    if (size < needed)
    {
        RewriteStart(packet, bytes + size, needed - size, available - size);
    }
    packet.AddHeader(RewrittenBytes(bytes, size, tid));
}

} // namespace ns3::lossless
