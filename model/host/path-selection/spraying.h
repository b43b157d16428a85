// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SPRAYING_H
#define LOSSLESS_SPRAYING_H

#include "path-selection.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Rounds of entropy values: each value once in a round, in an order that differs from round to
 * round by a random mask, XORed with the count.
 *
 * This is the oblivious selection of uet-htsim (August 2025), which has a power of two values; here
 * masked counts that are not values are skipped.
 */
class EntropyRounds
{
  public:
    /// Starts the first round.
    /// @param values number of values
    /// @param mask any number
    void Start(uint32_t values, uint32_t mask);

    /// Returns the next value of the round.
    uint32_t GetCurrent() const
    {
        return m_count ^ m_mask;
    }

    /// Moves on to the next value.
    /// @return whether the round is over: SetMask() begins the next one
    bool Advance();
    /// Begins the next round with any number as its mask.
    void SetMask(uint32_t mask);

  private:
    /// Skips counts that are not values; returns whether the round is over.
    bool SkipVoid();

    uint32_t m_values{1}; ///< number of values
    uint32_t m_size{1};   ///< next power of two
    uint32_t m_mask{0};   ///< of this round
    uint32_t m_count{0};  ///< of this round
};

/// @ingroup lossless
/// Each packet takes a random entropy value.
class RandomPath : public PathSelection
{
  public:
    /// @return the type
    static TypeId GetTypeId();

  private:
    uint32_t DoChoose(Time now) override;
};

/// @ingroup lossless
/// Packets take all entropy values in turn, see EntropyRounds, whatever becomes of them.
class ObliviousPath : public PathSelection
{
  public:
    /// @return the type
    static TypeId GetTypeId();

  private:
    void DoStart() override;
    uint32_t DoChoose(Time now) override;

    EntropyRounds m_rounds; ///< whose turn it is
};

/**
 * @ingroup lossless
 * Flowlets (Vanini et al., "Let It Flow", NSDI 2017, at the host): a packet that leaves at least
 * "Gap" after the previous one takes a new random entropy value; others keep it.
 *
 * If the gap exceeds the difference in delay of the paths, packets do not overtake each other.
 */
class FlowletPath : public PathSelection
{
  public:
    /// @return the type
    static TypeId GetTypeId();

  private:
    void DoStart() override;
    uint32_t DoChoose(Time now) override;

    Time m_gap;          ///< minimum between flowlets
    Time m_latest;       ///< when the latest packet left
    uint32_t m_value{0}; ///< of the flowlet
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SPRAYING_H */
