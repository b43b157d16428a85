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

/// Virtual channels that a port can have (SAI, CBFC: "up to 32 VCs per port").
inline constexpr std::size_t NUM_CHANNELS = 32;

/// Bits of the counters of CBFC, and of a credit limit.
inline constexpr uint32_t CBFC_COUNTER_BITS = 20;

/// Largest number of credits that may be in use.
inline constexpr uint32_t CBFC_MAX_CREDITS = (1U << CBFC_COUNTER_BITS) - 1;

/// @param counter any number @return the same as a counter of CBFC, which wraps around
constexpr uint32_t
WrapCredits(uint32_t counter)
{
    return counter & CBFC_MAX_CREDITS;
}

/// How a channel may use the credits that channels share.
enum class CbfcThreshold : uint8_t
{
    NONE,    ///< not at all: it has credits of its own
    STATIC,  ///< up to a fixed number
    DYNAMIC, ///< up to 2^n times those that are free
};

/// What the sender of a link may use: the receiver's memory, in credits.
struct CbfcLimits
{
    std::array<uint32_t, NUM_CHANNELS> reserved{}; ///< of each channel alone
    uint32_t shared{0};                            ///< of all channels together
    CbfcThreshold threshold{CbfcThreshold::NONE};  ///< what a channel may take of these
    uint32_t staticLimit{0};                       ///< if that is STATIC; 0: all
    int exponent{0};                               ///< n, if it is DYNAMIC
    uint32_t largest{0};                           ///< credits of the largest frame
    uint64_t total{0};                             ///< all credits together
};

/**
 * What both ends of a link have to know of CBFC: the settings of the receiver, which a manager or
 * LLDP tells the sender. Names and ranges are SAI's (doc/CBFC/SAI-Credit_Based_Flow_Control.md of
 * opencomputeproject/SAI, January 2026); PacketOverhead and the like are its port attributes.
 */
struct CbfcSettings
{
    uint32_t creditBytes{128};  ///< of a credit
    int32_t overheadBytes{0};   ///< by which a frame counts more than its length with FCS
    uint32_t channelCredits{0}; ///< reserved for each channel; 0: see MakeLimits()
    uint32_t portCredits{0};    ///< of all channels, if they share; 0: see MakeLimits()
    CbfcThreshold threshold{CbfcThreshold::NONE}; ///< whether they do
    uint32_t staticLimit{0};                      ///< see CbfcLimits
    int exponent{0};                              ///< see CbfcLimits
    uint32_t updateSpacing{6400};                 ///< least bytes from one CF_Update to the next
    uint32_t refreshSpacing{262144};              ///< bytes after which it is repeated
    Time counterPeriod{MicroSeconds(256)};        ///< from one CC_Update to the next
    std::array<uint8_t, NUM_PRIORITIES> channels{0, 1, 2, 3, 4, 5, 6, 7}; ///< by class
    PrioritySet lossless{0};                                              ///< classes with credits

    /// @param priority a class @return its channel
    uint8_t GetChannel(Priority priority) const
    {
        return channels[Index(priority)];
    }

    /// @param frameBytes of a frame, without FCS @return credits that it takes: roundup((length
    /// with FCS + overhead) / credit size)
    uint32_t GetCredits(uint32_t frameBytes) const;

    /// @param channel a channel @return the lossless classes that use it
    PrioritySet GetClasses(uint8_t channel) const;

    /// @return number of channels of lossless classes
    uint32_t CountChannels() const;

    /**
     * What one channel needs to fill a link, whatever the frames are, if no update of another one
     * comes between its own: credits for all that the sender can send from the first bit of a frame
     * until the update that returns its credits takes effect. That is twice the propagation, the
     * frame itself twice (it is received and then sent on, by a port of the same rate), the spacing
     * of updates and the frame for which one can have to wait, its 8 B, and the response of the
     * sender. Frames which take most credits for their bytes on the wire count, and one frame is
     * added for those that are under way.
     * @param link by which the neighbour sends
     * @return credits
     */
    uint64_t GetCreditsForFullRate(const PortLink& link) const;

    /**
     * What the neighbour behind a link may use. Where the settings are 0, each channel has
     * GetCreditsForFullRate() to itself; if channels share, that is shared, and each channel has
     * one largest frame and what is sent within the spacing of updates to itself.
     * @param link by which the neighbour sends
     * @return the limits
     */
    CbfcLimits MakeLimits(const PortLink& link) const;

    /// @param link a link @param cellBytes allocation unit of the buffer @return bytes of it that
    /// the largest frame of the link takes
    static uint64_t GetLargestFrameBytes(const PortLink& link, uint32_t cellBytes);

    /**
     * @param limits of a link @param link by which the neighbour sends
     * @param cellBytes allocation unit of the buffer
     * @return bytes of the buffer that they can take at most
     */
    uint64_t GetBufferBytes(const CbfcLimits& limits,
                            const PortLink& link,
                            uint32_t cellBytes) const;

    /// @return a sentence about settings that do not go together
    std::optional<std::string> FindError() const;

    /// @param limits of a link @return a sentence if no frame could leave, or the counters are too
    /// short
    std::optional<std::string> FindError(const CbfcLimits& limits) const;

    /// @param text numbers of channels, separated by commas, by class
    /// @return whether they were understood, and are the channels from now on
    bool SetChannels(const std::string& text);
    /// @return the same text
    std::string GetChannels() const;

  private:
    /// @param link a link @return the credits that a byte on its wire can take at most
    double GetCreditsPerWireByte(const PortLink& link) const;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CBFC_SETTINGS_H */
