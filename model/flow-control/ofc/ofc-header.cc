// SPDX-License-Identifier: GPL-2.0-only
#include "ofc-header.h"

#include "ns3/mac-control-header.h"
#include "ns3/make-type-id.h"

#include <string>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(OfcHeader, Header);

namespace
{

constexpr uint8_t STOP = 1;
constexpr uint8_t ALL = 2;
constexpr uint8_t PORT = 4;

/// The size of the fields for the opcode, classes, flags and number of flows.
constexpr uint32_t FIELD_BYTES = 6;

static_assert(ETHERNET_BYTES + OfcHeader::BASE_BYTES == PFC_FRAME_BYTES);

} // namespace

std::size_t
OfcHeader::GetCapacity(uint32_t mtu)
{
    return mtu > BASE_BYTES ? (mtu - BASE_BYTES) / BYTES_PER_FLOW : 0;
}

uint32_t
OfcHeader::GetSerializedSize() const
{
    return BASE_BYTES + BYTES_PER_FLOW * static_cast<uint32_t>(flows.size());
}

void
OfcHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU16(OPCODE);
    start.WriteU8(classes);
    start.WriteU8((stop ? STOP : 0) | (all ? ALL : 0) | (port ? PORT : 0));
    start.WriteHtonU16(static_cast<uint16_t>(flows.size()));
    start.WriteU8(0, BASE_BYTES - FIELD_BYTES);
    for (const uint64_t flow : flows)
    {
        start.WriteHtonU64(flow);
    }
}

uint32_t
OfcHeader::Deserialize(Buffer::Iterator start)
{
    flows.clear();
    const uint32_t size = start.GetRemainingSize();
    if (size < BASE_BYTES || start.ReadNtohU16() != OPCODE)
    {
        return 0;
    }
    const PrioritySet named = start.ReadU8();
    const uint8_t flags = start.ReadU8();
    const uint16_t count = start.ReadNtohU16();
    const bool isOneClass = named != 0 && (named & (named - 1)) == 0;
    if ((count > 0 && !isOneClass) || size < BASE_BYTES + BYTES_PER_FLOW * count)
    {
        return 0;
    }
    classes = named;
    stop = (flags & STOP) != 0;
    all = (flags & ALL) != 0;
    port = (flags & PORT) != 0;
    start.Next(BASE_BYTES - FIELD_BYTES);
    for (uint16_t i = 0; i < count; ++i)
    {
        flows.push_back(start.ReadNtohU64());
    }
    return GetSerializedSize();
}

void
OfcHeader::Print(std::ostream& os) const
{
    os << "OFC: " << (stop ? "stop " : "go on with ");
    if (port)
    {
        os << "the port";
        return;
    }
    os << (all ? "all" : std::to_string(flows.size())) << " flows of classes";
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (Contains(classes, Priority{p}))
        {
            os << " " << +p;
        }
    }
}

} // namespace ns3::lossless
