// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SPRAYING_H
#define LOSSLESS_SPRAYING_H

#include "path-selection.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Entropy values in rounds: each value once in a round, in an order that differs from round to
 * round by a random mask, by which the count is changed (exclusive or).
 *
 * So does the oblivious selection of uet-htsim (August 2025), of whose values there are a power of
 * two; here masked counts that are no value are passed over.
 */
class EntropyRounds
{
  public:
    /// @param values how many values there are @param mask of the first round, any number
    void Start(uint32_t values, uint32_t mask);

    /// @return the next value of the round
    uint32_t GetCurrent() const
    {
        return m_count ^ m_mask;
    }

    /// Goes on to the next value. @return whether the round is over: SetMask() begins the next one
    bool Advance();
    /// @param mask of the next round, any number
    void SetMask(uint32_t mask);

  private:
    /// Passes over counts that are no value. @return whether the round is over
    bool SkipVoid();

    uint32_t m_values{1}; ///< how many
    uint32_t m_size{1};   ///< the next power of two
    uint32_t m_mask{0};   ///< of this round
    uint32_t m_count{0};  ///< of this round
};

/**
 * @ingroup lossless
 * Each packet takes an entropy value at random.
 */
class RandomPath : public PathSelection
{
  public:
    /// @return the type
    static TypeId GetTypeId();

  private:
    uint32_t DoChoose(Time now) override;
};

/**
 * @ingroup lossless
 * Packets take all entropy values in turn, see EntropyRounds, whatever becomes of them.
 */
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
 * Flowlets (Vanini et al., "Let It Flow", NSDI 2017, at the host): a packet that leaves "Gap" or
 * more after the one before takes a new entropy value at random, others keep it.
 *
 * If the gap is longer than paths differ in delay, packets do not overtake each other.
 */
class FlowletPath : public PathSelection
{
  public:
    /// @return the type
    static TypeId GetTypeId();

  private:
    void DoStart() override;
    uint32_t DoChoose(Time now) override;

    Time m_gap;          ///< from one flowlet to the next, at least
    Time m_latest;       ///< when the latest packet left
    uint32_t m_value{0}; ///< of the flowlet
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SPRAYING_H */
