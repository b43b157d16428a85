// SPDX-License-Identifier: GPL-2.0-only
#include "fafc-header.h"

#include "ns3/make-type-id.h"

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(FafcHeader, Header);

uint32_t
FafcHeader::GetSerializedSize() const
{
    return BYTES;
}

void
FafcHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU16(OPCODE);
    start.WriteHtonU16(classes);
    for (const uint32_t time : times)
    {
        start.WriteHtonU32(time);
    }
}

uint32_t
FafcHeader::Deserialize(Buffer::Iterator start)
{
    if (start.GetRemainingSize() < BYTES || start.ReadNtohU16() != OPCODE)
    {
        return 0;
    }
    classes = static_cast<PrioritySet>(start.ReadNtohU16());
    for (uint32_t& time : times)
    {
        time = start.ReadNtohU32();
    }
    return BYTES;
}

void
FafcHeader::Print(std::ostream& os) const
{
    os << "FAFC:";
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (Contains(classes, Priority{p}))
        {
            os << " class " << +p << " pauses for " << times[p] << " ns";
        }
    }
}

} // namespace ns3::lossless
