// SPDX-License-Identifier: GPL-2.0-only
#include "cbfc-settings.h"

#include "ns3/mac-control-header.h"
#include "ns3/ordered-set.h"
#include "ns3/shared-buffer.h"
#include "ns3/transmit-gate.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3::lossless
{

namespace
{

/// The size of the frame check sequence, which also consumes credits.
constexpr uint32_t FCS_BYTES = 4;

/// The granularity of refreshSpacing, in bytes (SAI: CBFC_CF_MAX_SPACING).
constexpr uint32_t REFRESH_STEP = 16384;

/// Returns the number of bytes that the sender can send while the receiver sends `bytes` bytes.
double
ScaleToSender(const PortLink& link, double bytes)
{
    return bytes * static_cast<double>(link.rate.GetBitRate()) /
           static_cast<double>(link.GetSendRate().GetBitRate());
}

/// Returns the size of the largest frame on a link, in bytes, without FCS.
uint32_t
GetLargestFrame(const PortLink& link)
{
    return link.mtu + ETHERNET_BYTES;
}

} // namespace

uint64_t
CbfcSettings::GetLargestFrameBytes(const PortLink& link, uint32_t cellBytes)
{
    return RoundUpToCells<uint64_t>(GetLargestFrame(link), cellBytes);
}

uint32_t
CbfcSettings::GetCredits(uint32_t frameBytes) const
{
    const uint32_t bytes = frameBytes + FCS_BYTES + static_cast<uint32_t>(overheadBytes);
    return (bytes + creditBytes - 1) / creditBytes;
}

PrioritySet
CbfcSettings::GetClasses(uint8_t channel) const
{
    PrioritySet classes = 0;
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        classes |= channels[p] == channel ? SetOf(Priority{p}) : 0;
    }
    return classes & lossless;
}

uint32_t
CbfcSettings::CountChannels() const
{
    uint32_t count = 0;
    for (uint8_t channel = 0; channel < NUM_CHANNELS; ++channel)
    {
        count += GetClasses(channel) != 0 ? 1 : 0;
    }
    return count;
}

double
CbfcSettings::GetCreditsPerWireByte(const PortLink& link) const
{
    double most = 0;
    for (uint32_t bytes = MIN_ETHERNET_FRAME_BYTES; bytes <= GetLargestFrame(link); ++bytes)
    {
        most =
            std::max(most, static_cast<double>(GetCredits(bytes)) / (bytes + link.overheadBytes));
    }
    return most;
}

uint64_t
CbfcSettings::GetCreditsForFullRate(const PortLink& link) const
{
    const uint32_t frame = GetLargestFrame(link) + link.overheadBytes;
    const double way = link.delay.GetSeconds() * static_cast<double>(link.rate.GetBitRate()) / 8;
    const double update = ScaleToSender(link, updateSpacing + frame + ORDERED_SET_BYTES);
    const double response = TransmitGate::GetGrantedQuanta(link.rate) * (PAUSE_QUANTUM_BITS / 8.0);
    const double bytes = 2 * way + 2 * frame + update + response;
    return static_cast<uint64_t>(std::ceil(bytes * GetCreditsPerWireByte(link))) +
           GetCredits(GetLargestFrame(link));
}

CbfcLimits
CbfcSettings::MakeLimits(const PortLink& link) const
{
    CbfcLimits limits;
    limits.threshold = threshold;
    limits.staticLimit = staticLimit;
    limits.exponent = exponent;
    limits.largest = GetCredits(GetLargestFrame(link));
    const bool isShared = threshold != CbfcThreshold::NONE;
    const uint64_t full =
        channelCredits == 0 || (isShared && portCredits == 0) ? GetCreditsForFullRate(link) : 0;
    uint64_t own = channelCredits;
    if (own == 0 && isShared)
    {
        own = limits.largest + static_cast<uint64_t>(std::ceil(ScaleToSender(link, updateSpacing) *
                                                               GetCreditsPerWireByte(link)));
    }
    else if (own == 0)
    {
        own = full;
    }
    for (uint8_t channel = 0; channel < NUM_CHANNELS; ++channel)
    {
        limits.reserved[channel] = GetClasses(channel) != 0 ? static_cast<uint32_t>(own) : 0;
    }
    const uint64_t reserved = own * CountChannels();
    limits.total = isShared && portCredits > 0 ? portCredits : reserved + (isShared ? full : 0);
    limits.shared = static_cast<uint32_t>(limits.total > reserved ? limits.total - reserved : 0);
    return limits;
}

uint64_t
CbfcSettings::GetBufferBytes(const CbfcLimits& limits,
                             const PortLink& link,
                             uint32_t cellBytes) const
{
    uint64_t most = 0;
    for (uint32_t bytes = MIN_ETHERNET_FRAME_BYTES; bytes <= GetLargestFrame(link); ++bytes)
    {
        const uint64_t stored = RoundUpToCells<uint64_t>(bytes, cellBytes);
        const uint32_t credits = GetCredits(bytes);
        most = std::max(most, (limits.total * stored + credits - 1) / credits);
    }
    return most;
}

std::optional<std::string>
CbfcSettings::FindError() const
{
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        const bool isLossy = !Contains(lossless, Priority{p});
        if (isLossy && GetClasses(channels[p]) != 0)
        {
            return "channel " + std::to_string(channels[p]) + " is that of class " +
                   std::to_string(p) +
                   ", which is lossy, and of a lossless class; a channel has credits or has none, "
                   "so the attribute Channels must keep them apart";
        }
    }
    if (refreshSpacing % REFRESH_STEP != 0)
    {
        return "RefreshSpacing is " + std::to_string(refreshSpacing) +
               " B; it must be a multiple of " + std::to_string(REFRESH_STEP) + " B";
    }
    if (updateSpacing > refreshSpacing)
    {
        return "UpdateSpacing is " + std::to_string(updateSpacing) +
               " B; it must not exceed RefreshSpacing, " + std::to_string(refreshSpacing) + " B";
    }
    return std::nullopt;
}

std::optional<std::string>
CbfcSettings::FindError(const CbfcLimits& limits) const
{
    uint64_t reserved = 0;
    for (uint8_t channel = 0; channel < NUM_CHANNELS; ++channel)
    {
        reserved += limits.reserved[channel];
        if (GetClasses(channel) != 0 && limits.reserved[channel] < limits.largest)
        {
            return "a channel has " + std::to_string(limits.reserved[channel]) + " credits of " +
                   std::to_string(creditBytes) + " B to itself, and the largest frame takes " +
                   std::to_string(limits.largest) + "; ChannelCredits must be at least that, or 0";
        }
    }
    if (limits.total < reserved)
    {
        return "PortCredits is " + std::to_string(limits.total) +
               "; it must be at least what the channels have to themselves, " +
               std::to_string(reserved) + " credits";
    }
    constexpr uint64_t MOST =
        CBFC_MAX_CREDITS / 2; // a larger loss cannot be distinguished from jitter
    if (limits.total > MOST)
    {
        return "a port grants " + std::to_string(limits.total) + " credits of " +
               std::to_string(creditBytes) + " B, but counters of CBFC tell only of up to " +
               std::to_string(MOST) +
               " that were lost; set a larger CreditBytes, or ChannelCredits";
    }
    return std::nullopt;
}

bool
CbfcSettings::SetChannels(const std::string& text)
{
    std::istringstream input(text + ",");
    std::array<uint8_t, NUM_PRIORITIES> parsed{};
    for (uint8_t& channel : parsed)
    {
        unsigned number = NUM_CHANNELS;
        char comma = 0;
        if (!(input >> number >> comma) || number >= NUM_CHANNELS || comma != ',')
        {
            return false;
        }
        channel = static_cast<uint8_t>(number);
    }
    if (char rest = 0; input >> rest)
    {
        return false;
    }
    channels = parsed;
    return true;
}

std::string
CbfcSettings::GetChannels() const
{
    std::string text;
    for (const uint8_t channel : channels)
    {
        text += (text.empty() ? "" : ",") + std::to_string(channel);
    }
    return text;
}

} // namespace ns3::lossless
