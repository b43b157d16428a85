// SPDX-License-Identifier: GPL-2.0-only
#include "sack-header.h"

#include "network-order.h"

#include "ns3/make-type-id.h"

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(SackHeader, Header);

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

void
SackHeader::Print(std::ostream& os) const
{
    os << "trigger " << trigger << " bitmap " << std::hex << bitmap << std::dec;
}

} // namespace ns3::lossless
