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
 * The states of entropy values of MRC (Multipath Reliable Connection, OCP, 2026), which are taken
 * in turn, see EntropyRounds:
 *
 * | state       | becomes so                            | its packets                            |
 * |-------------|---------------------------------------|----------------------------------------|
 * | GOOD        | at the start                          | one in each round                      |
 * | SKIP        | by a mark or a trimmed packet         | none when its turn comes; then GOOD    |
 * | ASSUMED_BAD | by a loss that nobody has explained   | one each "ProbeInterval"               |
 *
 * A value that is assumed bad is good again once a packet with it has arrived. MRC probes it by
 * packets without data; here a data packet is the probe, which is repeated if it is lost. If all
 * values are assumed bad, a packet takes any. MRC's fourth state, DENIED, is set by an operator,
 * who leaves out the value here.
 */
class MrcPath : public PathSelection
{
  public:
    /// What is thought of a value.
    enum class State : uint8_t
    {
        GOOD,        ///< nothing is wrong
        SKIP,        ///< loses its next turn
        ASSUMED_BAD, ///< loses packets
    };

    /// @return the type
    static TypeId GetTypeId();

    /// @param value an entropy value @return what is thought of it
    State GetState(uint32_t value) const
    {
        return m_states[value].state;
    }

  private:
    /// What is known of a value.
    struct Value
    {
        State state{State::GOOD}; ///< what is thought of it
        Time nextProbe;           ///< if assumed bad: when a packet may try it
    };

    void DoStart() override;
    uint32_t DoChoose(Time now) override;
    void DoNotify(uint32_t value, PathOutcome outcome, Time now) override;
    bool WantsLosses() const override;

    /// @return the value whose turn it is; it is the next one's then
    uint32_t TakeTurn();
    /// The turn of a value has come. @param value it @param now the time @return whether a packet
    /// takes it
    bool MayUse(Value& value, Time now) const;

    Time m_probeInterval;        ///< between packets that try a value which is assumed bad
    EntropyRounds m_rounds;      ///< whose turn it is
    std::vector<Value> m_states; ///< by value
};

} // namespace ns3::lossless

#endif /* LOSSLESS_MRC_PATH_H */
