// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_REPS_H
#define LOSSLESS_REPS_H

#include "path-selection.h"

#include <array>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Recycled entropies (REPS, Bonato et al., arXiv:2407.21625): a packet takes an entropy value that
 * has brought another one through without a mark, each once, the oldest first; if there is none, a
 * random one.
 *
 * The last CACHED such values are kept. A loss that no trimmed packet explains freezes them: for
 * "FreezeTime" only they are used, in turn, however often, since they are known to have worked.
 * Then they are forgotten, and EXPLORED packets take random values. Numbers and this end of a
 * freeze are those of uet-htsim (August 2025), whose REPS needs trimming, as the freeze does to
 * mean failures and not congestion.
 */
class RepsPath : public PathSelection
{
  public:
    /// Values that are kept.
    static constexpr uint32_t CACHED = 8;
    /// Packets that take random values after a freeze.
    static constexpr uint32_t EXPLORED = 16;

    /// @return the type
    static TypeId GetTypeId();

  private:
    /// A value that has worked.
    struct Entry
    {
        uint32_t value{0};   ///< the entropy value
        bool isKept{false};  ///< it is one
        bool isFresh{false}; ///< not used since
    };

    void DoStart() override;
    uint32_t DoChoose(Time now) override;
    void DoNotify(uint32_t value, PathOutcome outcome, Time now) override;
    bool WantsLosses() const override;

    /// Forgets all values.
    void Clear();
    /// Ends a freeze that is over. @param now the time
    void Thaw(Time now);
    /// @return the oldest fresh entry, or null
    Entry* FindFresh();
    /// @return the entry whose turn it is in a freeze, or null
    Entry* FindFrozen();

    Time m_freezeTime;                   ///< how long a freeze lasts
    std::array<Entry, CACHED> m_entries; ///< a ring
    uint32_t m_oldest{0};                ///< is written next
    uint32_t m_turn{0};                  ///< looked at next in a freeze
    uint32_t m_exploring{0};             ///< packets that still take random values
    bool m_isFrozen{false};              ///< entries are used again and again
    Time m_frozenUntil;                  ///< then it ends
};

} // namespace ns3::lossless

#endif /* LOSSLESS_REPS_H */
