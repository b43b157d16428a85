// SPDX-License-Identifier: GPL-2.0-only
#include "gfc-header.h"

#include "ns3/make-type-id.h"

#include <algorithm>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(GfcHeader, Header);

uint32_t
GfcHeader::GetSerializedSize() const
{
    return BYTES;
}

void
GfcHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU16(OPCODE);
    start.WriteU8(Index(priority));
    start.WriteU8(stage);
}

uint32_t
GfcHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < BYTES || start.ReadNtohU16() != OPCODE)
    {
        return 0;
    }
    priority = Priority{static_cast<uint8_t>(start.ReadU8() % NUM_PRIORITIES)};
    stage = std::min(start.ReadU8(), MAX_STAGE);
    return BYTES;
}

void
GfcHeader::Print(std::ostream& os) const
{
    os << "GFC: class " << +Index(priority) << " at rate / 2^" << +stage;
}

} // namespace ns3::lossless
