// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CBFC_SENDER_H
#define LOSSLESS_CBFC_SENDER_H

#include "cbfc-messages.h"
#include "cbfc-settings.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The sender's credit pool, which consists of the number of credits in use on each channel of a
 * link and of the limits on these numbers. The receiver keeps a copy of the pool that reflects the
 * sender's knowledge.
 *
 * A channel takes its own credits first and then shared ones. It can take shared credits for a
 * frame if enough of them are free and the channel's use of them stays within a threshold. The
 * threshold is either a fixed number or 2^n times the number of free shared credits.
 */
class CbfcPool
{
  public:
    /// Creates a pool in which no credits are in use.
    explicit CbfcPool(const CbfcLimits& limits = {});

    /// Returns whether a channel can take the credits of a frame.
    bool MayTake(uint8_t channel, uint32_t credits) const;

    /// Sets the number of credits that a channel uses.
    void SetUsed(uint8_t channel, uint32_t credits);

    /// Returns the number of credits that a channel uses.
    uint32_t GetUsed(uint8_t channel) const
    {
        return m_used[channel];
    }

    /// Returns the number of credits that all channels use.
    uint64_t GetAllUsed() const;

    /// Returns the limits of the link.
    const CbfcLimits& GetLimits() const
    {
        return m_limits;
    }

  private:
    /// Returns the number of shared credits that a channel uses.
    uint32_t GetSharedPart(uint8_t channel, uint32_t used) const
    {
        const uint32_t own = m_limits.reserved[channel];
        return used > own ? used - own : 0;
    }

    CbfcLimits m_limits;                         ///< the limits of the link
    std::array<uint32_t, NUM_CHANNELS> m_used{}; ///< the number of credits in use by each channel
    uint64_t m_sharedUsed{0};                    ///< the number of shared credits in use by all
                                                 ///< channels together
};

/// @ingroup lossless
/// The CBFC sender of one link. Its 20-bit counters, which wrap around, count the consumed credits
/// and the credits known to have been freed. The difference is the number of credits in use, so a
/// later update makes up for a lost one.
class CbfcSender
{
  public:
    /// Creates a sender for a receiver whose memory is empty.
    explicit CbfcSender(const CbfcLimits& limits = {});

    /// Returns whether a frame with these credits can be sent.
    bool MaySend(uint8_t channel, uint32_t credits) const
    {
        return IsKnown(channel) && m_pool.MayTake(channel, credits);
    }

    /// Counts the credits of a frame that leaves.
    void Consume(uint8_t channel, uint32_t credits);

    /// Handles a CF_Update.
    void Learn(const CbfcCount& count);

    /// Handles the loss of the link. No frame can be sent until the receiver has reported the
    /// frames that it still stores.
    void Reset();

    /// Returns whether all consumed credits are known to have been freed, so that there is nothing
    /// to report.
    bool IsSettled() const;

    /// Returns the counters of the channels that may have credits in use, for a CC_Update.
    std::vector<CbfcCount> GetConsumed() const;

    /// Returns the pool of credits in use.
    const CbfcPool& GetPool() const
    {
        return m_pool;
    }

  private:
    /// Returns whether the receiver has reported the stored credits of a channel and of the
    /// channels that share credits with it.
    bool IsKnown(uint8_t channel) const
    {
        const bool isAlone = m_pool.GetLimits().threshold == CbfcThreshold::NONE;
        return m_unknown == 0 || (isAlone && (m_unknown & 1U << channel) == 0);
    }

    /// Returns whether the receiver is known to store no frames of a channel.
    bool IsSettled(uint8_t channel) const
    {
        return (m_unknown & 1U << channel) == 0 && m_pool.GetUsed(channel) == 0;
    }

    CbfcPool m_pool;                                 ///< the credits in use
    std::array<uint32_t, NUM_CHANNELS> m_consumed{}; ///< S_CC, the credits consumed
    std::array<uint32_t, NUM_CHANNELS> m_freed{};    ///< S_CF, the credits known to have been freed
    uint32_t m_unknown{0}; ///< the channels that the receiver has not reported since the link was
                           ///< lost; bit n represents channel n
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CBFC_SENDER_H */
