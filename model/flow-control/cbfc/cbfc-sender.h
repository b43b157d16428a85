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
 * Credits in use on one link, by channel, against what may be: the sender's pool. The receiver has
 * the same to know what the sender knows.
 *
 * A channel takes its own credits first, and then shared ones. It may take a frame's credits if the
 * shared ones among them are there and leave it within its threshold: a fixed number, or 2^n times
 * those that were free before.
 */
class CbfcPool
{
  public:
    /// @param limits of the link, which nothing uses yet
    explicit CbfcPool(const CbfcLimits& limits = {});

    /// @param channel a channel @param credits of a frame @return whether it may take them
    bool MayTake(uint8_t channel, uint32_t credits) const;

    /// @param channel a channel @param credits that it uses from now on
    void SetUsed(uint8_t channel, uint32_t credits);

    /// @param channel a channel @return credits that it uses
    uint32_t GetUsed(uint8_t channel) const
    {
        return m_used[channel];
    }

    /// @return credits in use of all channels
    uint64_t GetAllUsed() const;

    /// @return the limits
    const CbfcLimits& GetLimits() const
    {
        return m_limits;
    }

  private:
    /// @param channel a channel @param used credits that it uses @return the shared ones of them
    uint32_t GetSharedPart(uint8_t channel, uint32_t used) const
    {
        const uint32_t own = m_limits.reserved[channel];
        return used > own ? used - own : 0;
    }

    CbfcLimits m_limits;                         ///< of the link
    std::array<uint32_t, NUM_CHANNELS> m_used{}; ///< credits in use, by channel
    uint64_t m_sharedUsed{0};                    ///< shared ones, of all channels
};

/**
 * @ingroup lossless
 * The sender of CBFC: what it has consumed and what it knows to be freed, in counters of 20 bits
 * which wrap around. What is in use is their difference, so that a later update makes good for one
 * that is lost.
 */
class CbfcSender
{
  public:
    /// @param limits of the receiver, whose memory is empty
    explicit CbfcSender(const CbfcLimits& limits = {});

    /// @param channel a channel @param credits of a frame @return whether it may leave
    bool MaySend(uint8_t channel, uint32_t credits) const
    {
        return IsKnown(channel) && m_pool.MayTake(channel, credits);
    }

    /// A frame leaves. @param channel its channel @param credits that it takes
    void Consume(uint8_t channel, uint32_t credits);

    /// A CF_Update has arrived. @param count what it says
    void Learn(const CbfcCount& count);

    /// The link was lost: nothing may leave before the receiver has told what it still stores.
    void Reset();

    /// @return whether all that was consumed is known to be freed: there is nothing to tell
    bool IsSettled() const;

    /// @return the counters of channels with credits in use, for a CC_Update; of the others there
    /// is nothing to mend
    std::vector<CbfcCount> GetConsumed() const;

    /// @return the credits in use
    const CbfcPool& GetPool() const
    {
        return m_pool;
    }

  private:
    /// @param channel a channel @return whether it is known what the receiver stores of it, and of
    /// those with which it shares credits
    bool IsKnown(uint8_t channel) const
    {
        const bool isAlone = m_pool.GetLimits().threshold == CbfcThreshold::NONE;
        return m_unknown == 0 || (isAlone && (m_unknown & 1U << channel) == 0);
    }

    /// @param channel a channel @return whether the receiver is known to store nothing of it
    bool IsSettled(uint8_t channel) const
    {
        return (m_unknown & 1U << channel) == 0 && m_pool.GetUsed(channel) == 0;
    }

    CbfcPool m_pool;                                 ///< credits in use
    std::array<uint32_t, NUM_CHANNELS> m_consumed{}; ///< S_CC
    std::array<uint32_t, NUM_CHANNELS> m_freed{};    ///< S_CF
    uint32_t m_unknown{0}; ///< channels of which the receiver has not told, bit n for n
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CBFC_SENDER_H */
