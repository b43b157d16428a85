// SPDX-License-Identifier: GPL-2.0-only
#include "sack-header.h"

#include "network-order.h"
#include "roce-header.h"

#include "ns3/assert.h"
#include "ns3/make-type-id.h"

#include <array>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(SackHeader);

TypeId
SackHeader::GetTypeId()
{
    static TypeId tid = MakeTypeId<SackHeader, Header>("SackHeader");
    return tid;
}

TypeId
SackHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

SackHeader
SackHeader::Peek(const Packet& packet, uint32_t at)
{
    std::array<uint8_t, RoceHeader::MAX_BYTES + RoceHeader::MAX_OPTION_BYTES> bytes;
    NS_ASSERT(at + BYTES <= bytes.size());
    packet.CopyData(bytes.data(), at + BYTES);
    SackHeader header;
    header.ReadBytes(bytes.data() + at);
    return header;
}

uint8_t*
SackHeader::WriteBytes(uint8_t* bytes) const
{
    bytes = WriteNumber<4>(bytes, static_cast<uint64_t>(trigger) << 8);
    return WriteNumber<8>(bytes, bitmap);
}

const uint8_t*
SackHeader::ReadBytes(const uint8_t* bytes)
{
    trigger = static_cast<uint32_t>(ReadNumber<3>(bytes));
    bitmap = ReadNumber<8>(bytes + 4);
    return bytes + BYTES;
}

uint32_t
SackHeader::GetSerializedSize() const
{
    return BYTES;
}

void
SackHeader::Serialize(Buffer::Iterator start) const
{
    std::array<uint8_t, BYTES> bytes;
    WriteBytes(bytes.data());
    start.Write(bytes.data(), BYTES);
}

uint32_t
SackHeader::Deserialize(Buffer::Iterator start)
{
    std::array<uint8_t, BYTES> bytes;
    start.Read(bytes.data(), BYTES);
    ReadBytes(bytes.data());
    return BYTES;
}

void
SackHeader::Print(std::ostream& os) const
{
    os << "trigger " << trigger << " bitmap " << std::hex << bitmap << std::dec;
}

} // namespace ns3::lossless
