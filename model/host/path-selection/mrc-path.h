// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MRC_PATH_H
#define LOSSLESS_MRC_PATH_H

#include "path-selection.h"
#include "spraying.h"

#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Entropy values in turn (EntropyRounds), with states of MRC (Multipath Reliable Connection, OCP,
 * 2026):
 *
 * | state       | entered                               | its packets                            |
 * |-------------|---------------------------------------|----------------------------------------|
 * | GOOD        | at the start                          | one in each round                      |
 * | SKIP        | by a mark or a trimmed packet         | none at its next turn; then GOOD       |
 * | ASSUMED_BAD | by an unexplained loss                | one every "ProbeInterval"              |
 *
 * A value that is assumed bad is good again once a packet with it has arrived. MRC probes it by
 * packets without data; here a data packet is the probe, which is sent again if lost. If all values
 * are assumed bad, a packet takes any. MRC's fourth state, DENIED, is set by operators, who here
 * omit the value.
 */
class MrcPath : public PathSelection
{
  public:
    /// Verdict on a value.
    enum class State : uint8_t
    {
        GOOD,        ///< without problems
        SKIP,        ///< loses its next turn
        ASSUMED_BAD, ///< loses packets
    };

    /// @return the type
    static TypeId GetTypeId();

    /// Returns the state of an entropy value.
    State GetState(uint32_t value) const
    {
        return m_states[value].state;
    }

  private:
    struct Value
    {
        State state{State::GOOD};
        Time nextProbe; ///< if assumed bad: when a packet may try it
    };

    void DoStart() override;
    uint32_t DoChoose(Time now) override;
    void DoNotify(uint32_t value, PathOutcome outcome, Time now) override;
    bool WantsLosses() const override;

    /// Returns the value whose turn it is, and moves on to the next one.
    uint32_t TakeTurn();
    /// Whether a packet takes a value whose turn has come.
    bool MayUse(Value& value, Time now) const;

    Time m_probeInterval;        ///< between packets that probe a value assumed bad
    EntropyRounds m_rounds;      ///< whose turn it is
    std::vector<Value> m_states; ///< by value
};

} // namespace ns3::lossless

#endif /* LOSSLESS_MRC_PATH_H */
