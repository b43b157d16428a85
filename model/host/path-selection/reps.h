// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_REPS_H
#define LOSSLESS_REPS_H

#include "path-selection.h"

#include <array>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Recycled Entropy Packet Spraying (REPS, Bonato et al., arXiv:2407.21625). A packet uses the
 * oldest entropy value that was returned without a mark and has not been used since. If there is no
 * such value, the packet uses a random one.
 *
 * The latest CACHED values returned without a mark are kept. A loss that is not explained by a
 * trimmed packet freezes them: for "FreezeTime", only these values are used, in turn and
 * repeatedly, because they are known to have worked. Afterwards, they are discarded, and the next
 * EXPLORED packets use random values. CACHED, EXPLORED and the end of a freeze follow uet-htsim
 * (August 2025). uet-htsim requires trimming for REPS, because without trimming, a loss can be
 * caused by congestion rather than by a failure.
 */
class RepsPath : public PathSelection
{
  public:
    /// The number of values that are kept.
    static constexpr uint32_t CACHED = 8;
    /// The number of packets that use random values after a freeze.
    static constexpr uint32_t EXPLORED = 16;

    /// @return the TypeId of this class
    static TypeId GetTypeId();

  private:
    struct Entry
    {
        uint32_t value{0};   ///< the entropy value
        bool isKept{false};  ///< whether the entry is in use
        bool isFresh{false}; ///< whether the value has not been used since it was returned
    };

    void DoStart() override;
    uint32_t DoChoose(Time now) override;
    void DoNotify(uint32_t value, PathOutcome outcome, Time now) override;

    bool WantsLosses() const override
    {
        return true;
    }

    void Clear();
    void Thaw(Time now);
    Entry* FindFresh();
    /// Returns the entry whose turn it is in a freeze, or null.
    Entry* FindFrozen();

    Time m_freezeTime;                   ///< the duration of a freeze
    std::array<Entry, CACHED> m_entries; ///< the ring of entries
    uint32_t m_oldest{0};                ///< the index of the next entry to be written
    uint32_t m_turn{0};                  ///< the index of the next entry to be considered in a
                                         ///< freeze
    uint32_t m_exploring{0};             ///< the number of further packets with random values
    bool m_isFrozen{false};              ///< whether entries are used repeatedly
    Time m_frozenUntil;                  ///< the end of the freeze
};

} // namespace ns3::lossless

#endif /* LOSSLESS_REPS_H */
