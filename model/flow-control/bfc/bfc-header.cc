// SPDX-License-Identifier: GPL-2.0-only
#include "bfc-header.h"

#include "ns3/make-type-id.h"

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(BfcHeader, Header);

uint32_t
BfcHeader::GetSerializedSize() const
{
    return BASE_BYTES + static_cast<uint32_t>(filter.bytes.size());
}

void
BfcHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU16(OPCODE);
    start.WriteU8(classes);
    start.WriteU8(static_cast<uint8_t>(filter.hashing.hashes));
    start.WriteHtonU32(filter.hashing.virtualFlows);
    start.WriteHtonU16(static_cast<uint16_t>(filter.bytes.size()));
    start.Write(filter.bytes.data(), static_cast<uint32_t>(filter.bytes.size()));
}

uint32_t
BfcHeader::Deserialize(Buffer::Iterator start)
{
    const uint32_t size = start.GetRemainingSize();
    if (size < BASE_BYTES || start.ReadNtohU16() != OPCODE)
    {
        return 0;
    }
    classes = start.ReadU8();
    filter.hashing.hashes = start.ReadU8();
    filter.hashing.virtualFlows = start.ReadNtohU32();
    filter.hashing.filterBytes = start.ReadNtohU16();
    if (!filter.hashing.IsValid() || size < BASE_BYTES + filter.hashing.filterBytes)
    {
        return 0;
    }
    filter.bytes.resize(filter.hashing.filterBytes);
    start.Read(filter.bytes.data(), filter.hashing.filterBytes);
    return GetSerializedSize();
}

void
BfcHeader::Print(std::ostream& os) const
{
    uint32_t bits = 0;
    for (const uint8_t byte : filter.bytes)
    {
        bits += static_cast<uint32_t>(__builtin_popcount(byte));
    }
    os << "BFC: " << bits << " of " << 8 * filter.bytes.size() << " bits";
}

} // namespace ns3::lossless
