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

/// Virtual channels of a port (SAI, CBFC: "up to 32 VCs per port").
inline constexpr std::size_t NUM_CHANNELS = 32;

/// Bits of the counters of CBFC, and of a credit limit.
inline constexpr uint32_t CBFC_COUNTER_BITS = 20;

/// Maximum number of credits in use.
inline constexpr uint32_t CBFC_MAX_CREDITS = (1U << CBFC_COUNTER_BITS) - 1;

/// Wraps a number to a counter of CBFC.
constexpr uint32_t
WrapCredits(uint32_t counter)
{
    return counter & CBFC_MAX_CREDITS;
}

/// How a channel may use shared credits.
enum class CbfcThreshold : uint8_t
{
    NONE,    ///< not at all: it only has its own
    STATIC,  ///< up to a fixed number
    DYNAMIC, ///< up to 2^n times the free ones
};

/// What the sender of a link may use: the receiver's memory, in credits.
struct CbfcLimits
{
    std::array<uint32_t, NUM_CHANNELS> reserved{}; ///< of each channel alone
    uint32_t shared{0};                            ///< of all channels together
    CbfcThreshold threshold{CbfcThreshold::NONE};  ///< what a channel may take of these
    uint32_t staticLimit{0};                       ///< for STATIC; 0: all
    int exponent{0};                               ///< n, for DYNAMIC
    uint32_t largest{0};                           ///< credits of the largest frame
    uint64_t total{0};                             ///< all credits together
};

/// CBFC settings of a receiver that both ends of a link must know; a manager or LLDP sends them to
/// the sender. Names and ranges are SAI's (doc/CBFC/SAI-Credit_Based_Flow_Control.md of
/// opencomputeproject/SAI, January 2026); PacketOverhead and the like are its port attributes.
struct CbfcSettings
{
    uint32_t creditBytes{128};  ///< bytes of a credit
    int32_t overheadBytes{0};   ///< added to a frame's length with FCS
    uint32_t channelCredits{0}; ///< reserved for each channel; 0: see MakeLimits()
    uint32_t portCredits{0};    ///< of all channels, if shared; 0: see MakeLimits()
    CbfcThreshold threshold{CbfcThreshold::NONE}; ///< whether and how channels share
    uint32_t staticLimit{0};                      ///< see CbfcLimits
    int exponent{0};                              ///< see CbfcLimits
    uint32_t updateSpacing{6400};                 ///< minimum between CF_Updates, bytes
    uint32_t refreshSpacing{262144};              ///< bytes after which they are repeated
    Time counterPeriod{MicroSeconds(256)};        ///< from one CC_Update to the next
    std::array<uint8_t, NUM_PRIORITIES> channels{0, 1, 2, 3, 4, 5, 6, 7}; ///< by class
    PrioritySet lossless{0};                                              ///< classes with credits

    /// Returns the channel of a class.
    uint8_t GetChannel(Priority priority) const
    {
        return channels[Index(priority)];
    }

    /// Credits that a frame takes: roundup((length with FCS + overhead) / credit size).
    /// @param frameBytes without FCS
    uint32_t GetCredits(uint32_t frameBytes) const;

    /// Returns the lossless classes that use a channel.
    PrioritySet GetClasses(uint8_t channel) const;

    /// Number of channels of lossless classes.
    uint32_t CountChannels() const;

    /**
     * Credits with which one channel fills a link, for all frame sizes, if no updates of other
     * channels come between its own: those for all that the sender can send from the first bit of a
     * frame until the update that returns its credits takes effect. That is twice the propagation,
     * the frame itself twice (it is received and then sent on, by a port of the same rate), the
     * spacing of updates, a frame that may delay an update, its 8 B, and the response of the
     * sender. The frame size is the one with most credits per byte on the wire, plus one frame in
     * flight.
     * @param link by which the neighbour sends
     */
    uint64_t GetCreditsForFullRate(const PortLink& link) const;

    /// Limits of the neighbour at the other end of a link. Where the settings are 0, each channel
    /// has GetCreditsForFullRate() of its own; if channels share, that is shared, and each channel
    /// has one largest frame and what is sent within the spacing of updates of its own.
    /// @param link by which the neighbour sends
    CbfcLimits MakeLimits(const PortLink& link) const;

    /// Bytes of the buffer that the largest frame of a link takes.
    /// @param cellBytes allocation unit of the buffer
    static uint64_t GetLargestFrameBytes(const PortLink& link, uint32_t cellBytes);

    /// Maximum bytes of the buffer that the limits allow to be stored.
    /// @param link by which the neighbour sends
    /// @param cellBytes allocation unit of the buffer
    uint64_t GetBufferBytes(const CbfcLimits& limits,
                            const PortLink& link,
                            uint32_t cellBytes) const;

    /// Returns an error message about inconsistent settings.
    std::optional<std::string> FindError() const;

    /// Returns an error message if no frame could leave, or the counters are too short.
    std::optional<std::string> FindError(const CbfcLimits& limits) const;

    /// Sets the channels.
    /// @param text numbers of channels by class, separated by commas
    /// @return whether it was valid; otherwise nothing changes
    bool SetChannels(const std::string& text);
    /// Returns the channels in the same format.
    std::string GetChannels() const;

  private:
    /// Maximum credits that a byte on the wire can take.
    double GetCreditsPerWireByte(const PortLink& link) const;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CBFC_SETTINGS_H */
