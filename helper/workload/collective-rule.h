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

/// The maximum number of parts of a buffer for which a sender can have the same message in flight.
inline constexpr uint32_t PARTS_UNDER_WAY = 2;

/// @return the size of a part; the first `bytes % parts` parts are one byte larger than the others
uint64_t GetShare(uint64_t bytes, uint64_t parts, uint64_t part);

/**
 * @ingroup lossless
 * The rule for the flows of ring and all-to-all collectives. The number of these flows grows with
 * the square of the number of ranks. The number of a flow is the number of its message, multiplied
 * by the number of parts of the buffer, plus the index of its part.
 */
class CollectiveRule : public FlowRule
{
  public:
    /// @return true if there is a rule for the algorithm. Other algorithms have few flows, which
    /// are listed.
    static bool Covers(const CollectiveOptions& options);

    /// @param options the options of a collective for which Covers() is true
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
    /// A message of a ring: in stage t, place p of the ring sends block p - t (modulo the number of
    /// ranks) to the next place.
    struct RingPlace
    {
        uint32_t stage{0}; ///< stage t
        uint32_t ring{0};  ///< 0 for the forward ring, 1 for the backward ring
        uint32_t place{0}; ///< place p
    };

    RingPlace GetRingPlace(uint32_t message) const;
    /// @return the number of a message
    uint32_t GetMessage(const RingPlace& place) const;
    /// @return the rank at a place of a ring
    uint32_t GetRank(uint32_t ring, uint32_t place) const;
    Flow GetRingFlow(uint32_t message, uint32_t part) const;
    Flow GetPairFlow(uint32_t message, uint32_t part) const;
    /// Calls a function for each link of a message to an earlier message.
    /// @param add a function of the other message and the state that the earlier message must reach
    template <typename Add>
    void AddBefore(uint32_t message, Add add) const;
    /// Calls a function for each link of a message to a later message.
    /// @param add a function of the other message and the state that the earlier message must reach
    template <typename Add>
    void AddAfter(uint32_t message, Add add) const;

    CollectiveOptions m_options;
    uint32_t m_ranks;
    uint32_t m_rings;  ///< number of rings, or 0 for all-to-all
    uint32_t m_stages; ///< number of steps of the algorithm
    /// The block sizes of an all-to-all, by receiver. The first element is for the parts of the
    /// buffer that are one byte larger than the others, if any, and the second is for the others.
    std::array<std::vector<uint64_t>, 2> m_blocks;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_COLLECTIVE_RULE_H */
