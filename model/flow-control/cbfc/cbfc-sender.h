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
 * Credits in use on one link, by channel, and their limits: the sender's pool. The receiver keeps a
 * copy to follow what the sender knows.
 *
 * A channel takes its own credits first, and then shared ones. It may take a frame's credits if
 * enough shared ones are free and it stays within its threshold: a fixed number, or 2^n times the
 * free credits.
 */
class CbfcPool
{
  public:
    /// Makes a pool of which nothing is in use.
    explicit CbfcPool(const CbfcLimits& limits = {});

    /// Whether a channel may take the credits of a frame.
    bool MayTake(uint8_t channel, uint32_t credits) const;

    /// Sets the credits that a channel uses.
    void SetUsed(uint8_t channel, uint32_t credits);

    /// Credits that a channel uses.
    uint32_t GetUsed(uint8_t channel) const
    {
        return m_used[channel];
    }

    /// Credits that all channels use.
    uint64_t GetAllUsed() const;

    /// Returns the limits of the link.
    const CbfcLimits& GetLimits() const
    {
        return m_limits;
    }

  private:
    /// Shared credits among those that a channel uses.
    uint32_t GetSharedPart(uint8_t channel, uint32_t used) const
    {
        const uint32_t own = m_limits.reserved[channel];
        return used > own ? used - own : 0;
    }

    CbfcLimits m_limits;                         ///< of the link
    std::array<uint32_t, NUM_CHANNELS> m_used{}; ///< credits in use, by channel
    uint64_t m_sharedUsed{0};                    ///< shared credits in use, of all channels
};

/// @ingroup lossless
/// The sender of CBFC: counters of 20 bits, which wrap around, for the credits consumed and those
/// known to be freed. Their difference is in use, so a later update makes up for a lost one.
class CbfcSender
{
  public:
    /// Makes a sender for a receiver whose memory is empty.
    explicit CbfcSender(const CbfcLimits& limits = {});

    /// Whether a frame with these credits may leave.
    bool MaySend(uint8_t channel, uint32_t credits) const
    {
        return IsKnown(channel) && m_pool.MayTake(channel, credits);
    }

    /// Counts a frame that leaves.
    void Consume(uint8_t channel, uint32_t credits);

    /// Handles a CF_Update.
    void Learn(const CbfcCount& count);

    /// The link was lost: nothing may leave before the receiver has reported what it still stores.
    void Reset();

    /// Whether all consumed credits are known to be freed: there is nothing to report.
    bool IsSettled() const;

    /// Returns the counters of channels with credits in use, which a CC_Update may correct.
    std::vector<CbfcCount> GetConsumed() const;

    /// Returns the credits in use.
    const CbfcPool& GetPool() const
    {
        return m_pool;
    }

  private:
    /// Whether it is known what the receiver stores of a channel and those it shares with.
    bool IsKnown(uint8_t channel) const
    {
        const bool isAlone = m_pool.GetLimits().threshold == CbfcThreshold::NONE;
        return m_unknown == 0 || (isAlone && (m_unknown & 1U << channel) == 0);
    }

    /// Whether the receiver is known to store nothing of a channel.
    bool IsSettled(uint8_t channel) const
    {
        return (m_unknown & 1U << channel) == 0 && m_pool.GetUsed(channel) == 0;
    }

    CbfcPool m_pool;                                 ///< credits in use
    std::array<uint32_t, NUM_CHANNELS> m_consumed{}; ///< S_CC
    std::array<uint32_t, NUM_CHANNELS> m_freed{};    ///< S_CF
    uint32_t m_unknown{0}; ///< channels that the receiver has not reported, bit n for n
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CBFC_SENDER_H */
