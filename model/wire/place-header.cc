// SPDX-License-Identifier: GPL-2.0-only
#include "place-header.h"

#include "network-order.h"

#include "ns3/make-type-id.h"

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(PlaceHeader, Header);

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

void
PlaceHeader::Print(std::ostream& os) const
{
    os << "address " << address << " length " << length;
}

} // namespace ns3::lossless
