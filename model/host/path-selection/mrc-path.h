// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MRC_PATH_H
#define LOSSLESS_MRC_PATH_H

#include "spraying.h"

#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Uses the entropy values in turn. Each value has one of the states defined by
 * MRC (Multipath Reliable Connection, OCP, 2026):
 *
 * | state       | entered                               | packets with the value                 |
 * |-------------|---------------------------------------|----------------------------------------|
 * | GOOD        | at the start                          | one in each round                      |
 * | SKIP        | by a mark or a trimmed packet         | none at its next turn; then GOOD       |
 * | ASSUMED_BAD | by an unexplained loss                | one every "ProbeInterval"              |
 *
 * A value that is assumed to be bad becomes GOOD when a packet with this value arrives. MRC sends
 * probes without data; in this model, a probe is a data packet, which is retransmitted if it is
 * lost. If all values are assumed to be bad, packets use random values. MRC's fourth state, DENIED,
 * which is set by operators, is not modelled.
 */
class MrcPath : public ObliviousPath
{
  public:
    /// The state of an entropy value.
    enum class State : uint8_t
    {
        GOOD,        ///< no problem is known
        SKIP,        ///< the value is skipped at its next turn
        ASSUMED_BAD, ///< the value is assumed to lose packets
    };

    /// @return the TypeId of this class
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
        Time nextProbe; ///< the earliest time of the next probe if the value is assumed to be bad
    };

    void DoStart() override;
    uint32_t DoChoose(Time now) override;
    void DoNotify(uint32_t value, PathOutcome outcome, Time now) override;

    bool WantsLosses() const override
    {
        return true;
    }

    /// Returns whether a packet can use the value whose turn it is, and updates the value's state.
    bool MayUse(Value& value, Time now) const;

    Time m_probeInterval;        ///< the time between probes of a value assumed to be bad
    std::vector<Value> m_states; ///< the state of each value, indexed by value
};

} // namespace ns3::lossless

#endif /* LOSSLESS_MRC_PATH_H */
