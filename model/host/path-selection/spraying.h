// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SPRAYING_H
#define LOSSLESS_SPRAYING_H

#include "path-selection.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Generates rounds of entropy values. Each value occurs once per round. Values are computed as a
 * counter XORed with a random mask, so the order differs from round to round.
 *
 * The method is the oblivious selection of uet-htsim (August 2025), where the number of values is a
 * power of two. For other numbers, this class skips masked counts that exceed the range of values.
 */
class EntropyRounds
{
  public:
    /// Starts the first round.
    /// @param values the number of values
    /// @param mask the mask of the first round, which can be any number
    void Start(uint32_t values, uint32_t mask);

    /// Returns the current value of the round.
    uint32_t GetCurrent() const
    {
        return m_count ^ m_mask;
    }

    /// Advances to the next value.
    /// @return whether the round is over and SetMask() must be called
    bool Advance();
    /// Starts the next round.
    /// @param mask the mask of the round, which can be any number
    void SetMask(uint32_t mask);

  private:
    /// Skips masked counts that exceed the range of values. Returns whether the round is over.
    bool SkipVoid();

    uint32_t m_values{1}; ///< the number of values
    uint32_t m_size{1};   ///< the smallest power of two that is not below m_values
    uint32_t m_mask{0};   ///< the mask of the current round
    uint32_t m_count{0};  ///< the counter of the current round
};

/// @ingroup lossless
/// Selects a random entropy value for each packet.
class RandomPath : public PathSelection
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

  private:
    uint32_t DoChoose(Time now) override;
};

/// @ingroup lossless
/// Uses all entropy values in turn (see EntropyRounds), regardless of the outcome of packets.
class ObliviousPath : public PathSelection
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

  protected:
    void DoStart() override;
    uint32_t DoChoose(Time now) override;

  private:
    EntropyRounds m_rounds; ///< the order of the values
};

/**
 * @ingroup lossless
 * Selects paths for flowlets (Vanini et al., "Let It Flow", NSDI 2017) at the host. A packet sent
 * at least "Gap" after the previous one uses a new random entropy value. Other packets keep the
 * current value.
 *
 * If the gap exceeds the difference in delay between the paths, packets are not reordered.
 */
class FlowletPath : public PathSelection
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

  private:
    void DoStart() override;
    uint32_t DoChoose(Time now) override;

    Time m_gap;          ///< the minimum time between flowlets
    Time m_latest;       ///< the time at which the latest packet was sent
    uint32_t m_value{0}; ///< the entropy value of the current flowlet
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SPRAYING_H */
