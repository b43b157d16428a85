// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BYTE_HEADER_H
#define LOSSLESS_BYTE_HEADER_H

#include "typed-header.h"

#include "ns3/assert.h"
#include "ns3/packet.h"

#include <array>
#include <cstdint>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A header of fixed size that can be written to and read from a byte array without a packet.
 * @tparam HEADER the subclass, which defines GetTypeId(), BYTES, WriteBytes() and ReadBytes().
 * WriteBytes() and ReadBytes() take the start of the bytes and return their end.
 */
template <typename HEADER>
class ByteHeader : public TypedHeader<HEADER>
{
  public:
    /// The number of bytes from the start of a packet that Peek() can read.
    static constexpr uint32_t MAX_PEEKED = 256;

    /// @param at the offset of the header in the packet
    /// @return the header
    static HEADER Peek(const Packet& packet, uint32_t at)
    {
        std::array<uint8_t, MAX_PEEKED> bytes;
        NS_ASSERT(at + HEADER::BYTES <= bytes.size());
        packet.CopyData(bytes.data(), at + HEADER::BYTES);
        HEADER header;
        header.ReadBytes(bytes.data() + at);
        return header;
    }

    uint32_t GetSerializedSize() const override
    {
        return HEADER::BYTES;
    }

    void Serialize(Buffer::Iterator start) const override
    {
        std::array<uint8_t, HEADER::BYTES> bytes;
        static_cast<const HEADER*>(this)->WriteBytes(bytes.data());
        start.Write(bytes.data(), bytes.size());
    }

    uint32_t Deserialize(Buffer::Iterator start) override
    {
        std::array<uint8_t, HEADER::BYTES> bytes;
        start.Read(bytes.data(), bytes.size());
        static_cast<HEADER*>(this)->ReadBytes(bytes.data());
        return HEADER::BYTES;
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BYTE_HEADER_H */
