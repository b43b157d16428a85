// SPDX-License-Identifier: GPL-2.0-only
#include "place-header.h"

#include "network-order.h"
#include "roce-header.h"

#include "ns3/assert.h"
#include "ns3/make-type-id.h"

#include <array>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(PlaceHeader);

TypeId
PlaceHeader::GetTypeId()
{
    static TypeId tid = MakeTypeId<PlaceHeader, Header>("PlaceHeader");
    return tid;
}

TypeId
PlaceHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

PlaceHeader
PlaceHeader::Peek(const Packet& packet, uint32_t at)
{
    std::array<uint8_t, RoceHeader::MAX_BYTES + RoceHeader::MAX_OPTION_BYTES> bytes;
    NS_ASSERT(at + BYTES <= bytes.size());
    packet.CopyData(bytes.data(), at + BYTES);
    PlaceHeader header;
    header.ReadBytes(bytes.data() + at);
    return header;
}

uint8_t*
PlaceHeader::WriteBytes(uint8_t* bytes) const
{
    bytes = WriteNumber<8>(bytes, address);
    return WriteNumber<8>(bytes, length); // the key is zero
}

const uint8_t*
PlaceHeader::ReadBytes(const uint8_t* bytes)
{
    address = ReadNumber<8>(bytes);
    length = static_cast<uint32_t>(ReadNumber<4>(bytes + 12));
    return bytes + BYTES;
}

uint32_t
PlaceHeader::GetSerializedSize() const
{
    return BYTES;
}

void
PlaceHeader::Serialize(Buffer::Iterator start) const
{
    std::array<uint8_t, BYTES> bytes;
    WriteBytes(bytes.data());
    start.Write(bytes.data(), BYTES);
}

uint32_t
PlaceHeader::Deserialize(Buffer::Iterator start)
{
    std::array<uint8_t, BYTES> bytes;
    start.Read(bytes.data(), BYTES);
    ReadBytes(bytes.data());
    return BYTES;
}

void
PlaceHeader::Print(std::ostream& os) const
{
    os << "address " << address << " length " << length;
}

} // namespace ns3::lossless
