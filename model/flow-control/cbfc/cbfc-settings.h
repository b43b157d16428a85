// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CBFC_SETTINGS_H
#define LOSSLESS_CBFC_SETTINGS_H

#include "ns3/headroom.h"
#include "ns3/lossless-types.h"
#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace ns3::lossless
{

/// The number of virtual channels of a port (SAI, CBFC: "up to 32 VCs per port").
inline constexpr std::size_t NUM_CHANNELS = 32;

/// The width of CBFC's counters and credit limits, in bits.
inline constexpr uint32_t CBFC_COUNTER_BITS = 20;

/// The maximum number of credits in use.
inline constexpr uint32_t CBFC_MAX_CREDITS = (1U << CBFC_COUNTER_BITS) - 1;

/// Wraps a number to the range of a CBFC counter.
constexpr uint32_t
WrapCredits(uint32_t counter)
{
    return counter & CBFC_MAX_CREDITS;
}

/// The threshold on a channel's use of shared credits.
enum class CbfcThreshold : uint8_t
{
    NONE,    ///< a channel can use only its own credits
    STATIC,  ///< a channel can use a fixed number of shared credits
    DYNAMIC, ///< a channel can use up to 2^n times the free shared credits; see CbfcLimits
};

/// The credit limits of a sender. They represent the memory of the receiver.
struct CbfcLimits
{
    std::array<uint32_t, NUM_CHANNELS> reserved{}; ///< the number of credits reserved for each
                                                   ///< channel
    uint32_t shared{0};                            ///< the number of credits shared by all channels
    CbfcThreshold threshold{CbfcThreshold::NONE};  ///< the threshold on each channel's use of
                                                   ///< shared credits
    uint32_t staticLimit{0};                       ///< the threshold for STATIC; 0 means all shared
                                                   ///< credits
    int exponent{0};                               ///< the exponent n for DYNAMIC
    uint32_t largest{0}; ///< the number of credits that the largest frame consumes
    uint64_t total{0};   ///< the total number of credits
};

/// The CBFC settings of a receiver, which are needed at both ends of a link. A management system or
/// LLDP conveys them to the sender. Names and ranges follow SAI
/// (doc/CBFC/SAI-Credit_Based_Flow_Control.md of opencomputeproject/SAI, January 2026), including
/// those of port attributes such as PacketOverhead.
struct CbfcSettings
{
    uint32_t creditBytes{128};  ///< the credit size in bytes
    int32_t overheadBytes{0};   ///< the bytes to add to the frame length, which includes the FCS
    uint32_t channelCredits{0}; ///< the number of credits reserved for each channel; if 0, see
                                ///< MakeLimits()
    uint32_t portCredits{0};    ///< the total number of credits of a port if its channels share
                                ///< credits; if 0, see MakeLimits()
    CbfcThreshold threshold{CbfcThreshold::NONE}; ///< the threshold on each channel's use of shared
                                                  ///< credits
    uint32_t staticLimit{0};                      ///< see CbfcLimits
    int exponent{0};                              ///< see CbfcLimits
    uint32_t updateSpacing{6400};                 ///< the minimum spacing of CF_Updates, in bytes
    uint32_t refreshSpacing{262144};       ///< the spacing after which CF_Updates are repeated, in
                                           ///< bytes
    Time counterPeriod{MicroSeconds(256)}; ///< the time between CC_Updates
    std::array<uint8_t, NUM_PRIORITIES> channels{0, 1, 2, 3, 4, 5, 6, 7}; ///< the channel of each
                                                                          ///< class
    PrioritySet lossless{0};                                              ///< the classes with
                                                                          ///< credits

    /// Returns the channel of a class.
    uint8_t GetChannel(Priority priority) const
    {
        return channels[Index(priority)];
    }

    /// Returns the number of credits that a frame consumes, which is roundup((length with FCS +
    /// overhead) / credit size).
    /// @param frameBytes the frame size without FCS
    uint32_t GetCredits(uint32_t frameBytes) const;

    /// Returns the lossless classes that use a channel.
    PrioritySet GetClasses(uint8_t channel) const;

    /// Returns the number of channels that lossless classes use.
    uint32_t CountChannels() const;

    /**
     * Returns the number of credits that enable one channel to fill a link with frames of any size,
     * provided that no updates of other channels delay its own. The credits cover everything that
     * can be sent between the first bit of a frame and the time at which the update that returns
     * the credits of this frame takes effect. This interval consists of twice the propagation
     * delay, twice the transmission time of the frame (which is received and then sent by a port of
     * the same rate), the update spacing, the transmission times of a frame that can delay the
     * update and of the update itself (8 B), and the sender's response time. The result applies to
     * the frame size that needs the most credits per byte on the wire, and it includes one more
     * frame in flight.
     * @param link the link direction in which the neighbour sends
     */
    uint64_t GetCreditsForFullRate(const PortLink& link) const;

    /// Returns the limits of the neighbour at the other end of a link. The defaults for settings of
    /// 0 are as follows. If channels do not share credits, each channel has GetCreditsForFullRate()
    /// dedicated credits. If channels share credits, this number of credits is shared, and each
    /// channel has enough dedicated credits for the largest frame and for the bytes sent during the
    /// update spacing.
    /// @param link the link direction in which the neighbour sends
    CbfcLimits MakeLimits(const PortLink& link) const;

    /// Returns the buffer space, in bytes, that the largest frame of a link occupies.
    /// @param cellBytes the allocation unit of the buffer
    static uint64_t GetLargestFrameBytes(const PortLink& link, uint32_t cellBytes);

    /// Returns the maximum buffer space, in bytes, that frames can occupy within the limits.
    /// @param link the link direction in which the neighbour sends
    /// @param cellBytes the allocation unit of the buffer
    uint64_t GetBufferBytes(const CbfcLimits& limits,
                            const PortLink& link,
                            uint32_t cellBytes) const;

    /// Returns an error message if the settings are inconsistent.
    std::optional<std::string> FindError() const;

    /// Returns an error message if the largest frame could never leave, if the channels reserve
    /// more credits than there are, or if the counters have too few bits for the limits.
    std::optional<std::string> FindError(const CbfcLimits& limits) const;

    /// Sets the channels.
    /// @param text the channel of each class, separated by commas
    /// @return whether the text is valid; if not, the channels remain unchanged
    bool SetChannels(const std::string& text);
    /// Returns the channel of each class, in the format of SetChannels().
    std::string GetChannels() const;

  private:
    /// Returns the maximum number of credits per byte on the wire.
    double GetCreditsPerWireByte(const PortLink& link) const;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CBFC_SETTINGS_H */
