// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_REPS_H
#define LOSSLESS_REPS_H

#include "path-selection.h"

#include <array>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Recycled entropies (REPS, Bonato et al., arXiv:2407.21625): a packet takes the oldest entropy
 * value that has worked without a mark and has not been used since; if there is none, a random one.
 *
 * The last CACHED such values are kept. A loss that no trimmed packet explains freezes them: for
 * "FreezeTime" only they are used, in turn and repeatedly, since they are known to have worked.
 * Then they are forgotten, and EXPLORED packets take random values. Numbers and this end of a
 * freeze are those of uet-htsim (August 2025). Its REPS needs trimming, and so does the freeze to
 * indicate failures rather than congestion.
 */
class RepsPath : public PathSelection
{
  public:
    /// Number of values kept.
    static constexpr uint32_t CACHED = 8;
    /// Packets that take random values after a freeze.
    static constexpr uint32_t EXPLORED = 16;

    /// @return the type
    static TypeId GetTypeId();

  private:
    struct Entry
    {
        uint32_t value{0};   ///< the entropy value
        bool isKept{false};  ///< in use
        bool isFresh{false}; ///< not used since
    };

    void DoStart() override;
    uint32_t DoChoose(Time now) override;
    void DoNotify(uint32_t value, PathOutcome outcome, Time now) override;
    bool WantsLosses() const override;

    void Clear();
    void Thaw(Time now);
    Entry* FindFresh();
    /// Returns the entry whose turn it is in a freeze, or null.
    Entry* FindFrozen();

    Time m_freezeTime;                   ///< how long a freeze lasts
    std::array<Entry, CACHED> m_entries; ///< a ring
    uint32_t m_oldest{0};                ///< to be written next
    uint32_t m_turn{0};                  ///< to be considered next in a freeze
    uint32_t m_exploring{0};             ///< packets that still take random values
    bool m_isFrozen{false};              ///< entries are used repeatedly
    Time m_frozenUntil;                  ///< end of the freeze
};

} // namespace ns3::lossless

#endif /* LOSSLESS_REPS_H */
