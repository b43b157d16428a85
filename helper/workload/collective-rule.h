// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_COLLECTIVE_RULE_H
#define LOSSLESS_COLLECTIVE_RULE_H

#include "collectives.h"
#include "flow-rule.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::lossless
{

/// Maximum number of parts of a buffer for which a sender has the same message in flight.
inline constexpr uint32_t PARTS_UNDER_WAY = 2;

/// @return size of a part: all are equal up to a byte
uint64_t GetShare(uint64_t bytes, uint64_t parts, uint64_t part);

/**
 * @ingroup lossless
 * The flows of collectives with as many of them as pairs of ranks: rings and all-to-all. A flow's
 * number is that of its message, times the parts of the buffer, plus its part.
 */
class CollectiveRule : public FlowRule
{
  public:
    /// @return whether there is a rule for the algorithm; others have few flows, and are listed
    static bool Covers(const CollectiveOptions& options);

    /// @param options of a collective that is covered
    CollectiveRule(const CollectiveOptions& options, uint32_t ranks);

    uint64_t CountFlows() const override;
    uint32_t CountStages() const override;
    uint32_t GetFirst(uint32_t stage) const override;
    uint32_t CountArriving(uint32_t rank) const override;
    Flow GetFlow(uint32_t number) const override;
    Links GetPredecessors(uint32_t number) const override;
    Links GetSuccessors(uint32_t number) const override;
    void VisitFirst(uint32_t rank, const std::function<void(uint32_t)>& visit) const override;

  private:
    /// A message of a ring: place p of the ring sends block p - t to the next in stage t.
    struct RingPlace
    {
        uint32_t stage{0}; ///< t
        uint32_t ring{0};  ///< 0: forward, 1: backward
        uint32_t place{0}; ///< p
    };

    RingPlace GetRingPlace(uint32_t message) const;
    /// @return number of a message
    uint32_t GetMessage(const RingPlace& place) const;
    /// @return rank at a place of a ring
    uint32_t GetRank(uint32_t ring, uint32_t place) const;
    Flow GetRingFlow(uint32_t message, uint32_t part) const;
    Flow GetPairFlow(uint32_t message, uint32_t part) const;
    /// Adds links of a message to earlier ones. @param add takes a message and a state
    template <typename Add>
    void AddBefore(uint32_t message, Add add) const;
    /// Adds links of a message to later ones.
    template <typename Add>
    void AddAfter(uint32_t message, Add add) const;

    CollectiveOptions m_options;
    uint32_t m_ranks;
    uint32_t m_rings;  ///< 0: all-to-all
    uint32_t m_stages; ///< of the algorithm
    /// All-to-all, by receiver: bytes in the first parts and, if these have a byte more, the
    /// others.
    std::array<std::vector<uint64_t>, 2> m_blocks;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_COLLECTIVE_RULE_H */
