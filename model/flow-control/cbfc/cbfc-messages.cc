// SPDX-License-Identifier: GPL-2.0-only
#include "cbfc-messages.h"

#include "cbfc-settings.h"

#include "ns3/link-retry.h"
#include "ns3/make-type-id.h"
#include "ns3/network-order.h"
#include "ns3/ordered-set.h"

#include <array>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(CcUpdateHeader, Header);

namespace
{

/// The second byte of a CF_Update.
constexpr uint8_t CF_UPDATE = 0xcf;

/// Link-layer retry covers CC_Updates. Otherwise, a CC_Update could overtake frames that are being
/// retransmitted, which would then appear to be lost.
const RegisterRetriedOpcode g_retried(CcUpdateHeader::OPCODE);

/// The size of the opcode and the channel count, in bytes.
constexpr uint32_t FIELD_BYTES = 3;
/// The size of a channel number and its counter, in bytes.
constexpr uint32_t BYTES_PER_COUNT = 4;

} // namespace

Ptr<Packet>
MakeCfUpdate(const CbfcCount& count)
{
    std::array<uint8_t, ORDERED_SET_BYTES> bytes{ORDERED_SET_CODE, CF_UPDATE, count.channel};
    WriteNumber<3>(&bytes[3], count.credits);
    return Create<Packet>(bytes.data(), bytes.size());
}

std::optional<CbfcCount>
ParseCfUpdate(const Packet& packet)
{
    std::array<uint8_t, ORDERED_SET_BYTES> bytes;
    if (!IsOrderedSet(packet) || packet.CopyData(bytes.data(), bytes.size()) < bytes.size() ||
        bytes[0] != ORDERED_SET_CODE || bytes[1] != CF_UPDATE || bytes[2] >= NUM_CHANNELS)
    {
        return std::nullopt;
    }
    return CbfcCount{bytes[2], WrapCredits(static_cast<uint32_t>(ReadNumber<3>(&bytes[3])))};
}

uint32_t
CcUpdateHeader::GetSerializedSize() const
{
    return FIELD_BYTES + BYTES_PER_COUNT * static_cast<uint32_t>(counts.size());
}

void
CcUpdateHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU16(OPCODE);
    start.WriteU8(static_cast<uint8_t>(counts.size()));
    for (const CbfcCount& count : counts)
    {
        start.WriteHtonU32(uint32_t{count.channel} << 24 | count.credits);
    }
}

uint32_t
CcUpdateHeader::Deserialize(Buffer::Iterator start)
{
    counts.clear();
    const uint32_t size = start.GetRemainingSize();
    if (size < FIELD_BYTES || start.ReadNtohU16() != OPCODE)
    {
        return 0;
    }
    const uint8_t count = start.ReadU8();
    if (size < FIELD_BYTES + BYTES_PER_COUNT * count)
    {
        return 0;
    }
    for (uint8_t i = 0; i < count; ++i)
    {
        const uint32_t word = start.ReadNtohU32();
        counts.push_back({static_cast<uint8_t>(word >> 24), WrapCredits(word)});
        if (counts.back().channel >= NUM_CHANNELS)
        {
            return 0;
        }
    }
    return GetSerializedSize();
}

void
CcUpdateHeader::Print(std::ostream& os) const
{
    os << "CC_Update:";
    for (const CbfcCount& count : counts)
    {
        os << " channel " << +count.channel << " " << count.credits;
    }
}

} // namespace ns3::lossless
