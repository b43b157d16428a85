// SPDX-License-Identifier: GPL-2.0-only
#include "telemetry-header.h"

#include "network-order.h"
#include "roce-header.h"
#include "unbuilt-packet.h"

#include "ns3/assert.h"
#include "ns3/make-type-id.h"

#include <algorithm>
#include <sstream>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(TelemetryHeader, Header);

namespace
{

constexpr uint32_t PATH_BITS = 12;
constexpr uint16_t PATH_MASK = (1U << PATH_BITS) - 1;
constexpr uint32_t MAX_COUNT = 15;
constexpr uint32_t FIRST_HOP = 2;
constexpr uint32_t HOP_BYTES = 8;

constexpr uint32_t SENT_SHIFT = TelemetryHop::QUEUE_BITS;
constexpr uint32_t TIME_SHIFT = SENT_SHIFT + TelemetryHop::SENT_BITS;
constexpr uint32_t RATE_SHIFT = TIME_SHIFT + TelemetryHop::TIME_BITS;

/// The rate of each code in Mb/s; 0 for unused codes.
constexpr std::array<uint32_t, 16> RATES = {
    0,
    100,
    1000,
    2500,
    5000,
    10000,
    20000,
    25000,
    40000,
    50000,
    56000,
    100000,
    200000,
    400000,
    800000,
    1600000,
};

} // namespace

TelemetryHop
TelemetryHop::Encode(uint8_t rateCode, Time now, uint64_t sentBytes, uint64_t queueBytes)
{
    TelemetryHop hop;
    hop.rateCode = rateCode;
    hop.time = static_cast<uint32_t>(now.GetNanoSeconds()) & Mask(TIME_BITS);
    hop.sent = static_cast<uint32_t>(sentBytes / SENT_UNIT) & Mask(SENT_BITS);
    hop.queue =
        static_cast<uint32_t>(std::min<uint64_t>(queueBytes / QUEUE_UNIT, Mask(QUEUE_BITS)));
    return hop;
}

std::optional<uint8_t>
TelemetryHop::EncodeRate(DataRate rate)
{
    const uint64_t bitRate = rate.GetBitRate();
    for (uint8_t code = 1; code < RATES.size(); ++code)
    {
        if (bitRate == RATES[code] * 1000000ULL)
        {
            return code;
        }
    }
    return std::nullopt;
}

std::string
TelemetryHop::DescribeMisfit(DataRate rate)
{
    if (EncodeRate(rate))
    {
        return "";
    }
    std::ostringstream text;
    text << "has a rate of " << rate << ", which telemetry cannot express; it can ";
    for (std::size_t code = 1; code < RATES.size(); ++code)
    {
        text << (code == 1 ? "" : ", ") << RATES[code] / 1000.0;
    }
    text << " Gb/s";
    return text.str();
}

uint64_t
TelemetryHop::GetRate() const
{
    return RATES[rateCode] * 1000000ULL;
}

void
TelemetryHeader::Push(uint32_t switchId, const TelemetryHop& hop)
{
    const uint32_t count = GetHops();
    if (count < MAX_HOPS)
    {
        const uint64_t word = static_cast<uint64_t>(hop.rateCode) << RATE_SHIFT |
                              static_cast<uint64_t>(hop.time) << TIME_SHIFT |
                              static_cast<uint64_t>(hop.sent) << SENT_SHIFT | hop.queue;
        WriteNumber<8>(&m_bytes[FIRST_HOP + HOP_BYTES * count], word);
    }
    const uint32_t path = (m_bytes[0] << 8 | m_bytes[1]) ^ switchId;
    const uint32_t first = std::min(count + 1, MAX_COUNT) << PATH_BITS | (path & PATH_MASK);
    m_bytes[0] = static_cast<uint8_t>(first >> 8);
    m_bytes[1] = static_cast<uint8_t>(first);
}

uint32_t
TelemetryHeader::GetHops() const
{
    return m_bytes[0] >> 4;
}

uint32_t
TelemetryHeader::GetRecorded() const
{
    return std::min(GetHops(), MAX_HOPS);
}

uint16_t
TelemetryHeader::GetPath() const
{
    return static_cast<uint16_t>((m_bytes[0] << 8 | m_bytes[1]) & PATH_MASK);
}

TelemetryHop
TelemetryHeader::GetHop(uint32_t index) const
{
    NS_ASSERT(index < MAX_HOPS);
    const uint64_t word = ReadNumber<8>(&m_bytes[FIRST_HOP + HOP_BYTES * index]);
    TelemetryHop hop;
    hop.rateCode = static_cast<uint8_t>(word >> RATE_SHIFT);
    hop.time =
        static_cast<uint32_t>(word >> TIME_SHIFT) & TelemetryHop::Mask(TelemetryHop::TIME_BITS);
    hop.sent =
        static_cast<uint32_t>(word >> SENT_SHIFT) & TelemetryHop::Mask(TelemetryHop::SENT_BITS);
    hop.queue = static_cast<uint32_t>(word) & TelemetryHop::Mask(TelemetryHop::QUEUE_BITS);
    return hop;
}

void
TelemetryHeader::Print(std::ostream& os) const
{
    os << "hops " << GetHops() << " path " << GetPath();
    for (uint32_t i = 0; i < GetRecorded(); ++i)
    {
        const TelemetryHop hop = GetHop(i);
        os << " (" << DataRate(hop.GetRate()) << " " << hop.time << " ns sent "
           << hop.sent * TelemetryHop::SENT_UNIT << " B queue " << hop.GetQueueBytes() << " B)";
    }
}

void
StampTelemetry(Frame& frame, uint32_t switchId, const TelemetryHop& hop)
{
    if (UnbuiltPacket* packet = frame.packet.GetUnbuilt())
    {
        packet->GetTelemetry()->Push(switchId, hop);
        return;
    }
    RoceHeader roce;
    TelemetryHeader telemetry;
    frame.packet->RemoveHeader(roce);
    frame.packet->RemoveHeader(telemetry);
    telemetry.Push(switchId, hop);
    frame.packet->AddHeader(telemetry);
    frame.packet->AddHeader(roce);
}

} // namespace ns3::lossless
