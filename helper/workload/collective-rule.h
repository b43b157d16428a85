// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_COLLECTIVE_RULE_H
#define LOSSLESS_COLLECTIVE_RULE_H

#include "collectives.h"

#include <array>
#include <boost/container/static_vector.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/// The maximum number of parts of a buffer for which a sender can have the same message in flight.
inline constexpr uint32_t PARTS_UNDER_WAY = 2;

/// @return the size of a part; the first `bytes % parts` parts are one byte larger than the others
uint64_t GetShare(uint64_t bytes, uint64_t parts, uint64_t part);

/**
 * @ingroup lossless
 * Derives the flows of ring and all-to-all collectives in a FlowGraph from their numbers, so that
 * they need not be stored: their number grows with the square of the number of ranks. Only flows
 * that have begun to wait or are under way are kept in memory. The number of a flow is the number
 * of its message, multiplied by the number of parts of the buffer, plus the index of its part.
 *
 * Flows are sent between ranks. A flow waits for the entry of its sending rank and for the flows
 * that GetPredecessors() returns. The required states of these flows are known at the host of the
 * sending rank: they are the start or acknowledgement of the rank's own flows, or the arrival of
 * flows from other ranks. The exit of a rank, which is a step of the graph, waits for the rank's
 * entry and for all flows to the rank.
 */
class CollectiveRule
{
  public:
    /// A flow between ranks.
    struct Flow
    {
        uint32_t from{0};  ///< sending rank
        uint32_t to{0};    ///< receiving rank
        uint32_t stage{0}; ///< step of the algorithm
        uint64_t bytes{0}; ///< payload
    };

    /// Another flow of the rule, and the state that the earlier of the two flows must reach.
    struct Link
    {
        uint32_t flow{0};                                   ///< number of the other flow
        FlowGraph::Until until{FlowGraph::Until::RECEIVED}; ///< state of the earlier flow
    };

    /// The links of a flow, at most four.
    using Links = boost::container::static_vector<Link, 4>;

    /// The common properties of the flows, and the steps before and after them.
    struct Company
    {
        std::vector<uint32_t> hosts; ///< host indices, by rank
        /// For each rank, the step that must be done before the rank takes part.
        std::vector<FlowGraph::Step> entries;
        std::vector<FlowGraph::Step> exits; ///< steps that wait for all flows to a rank, by rank
        int64_t compute{0};                 ///< StepSpec::compute in ticks
        uint8_t priority{3};                ///< traffic class
        std::string group;                  ///< label of the flows; see FlowSpec::group
        std::string job;                    ///< label of the job; see StepSpec::job
    };

    /// @return true if there is a rule for the algorithm. Other algorithms have few flows, which
    /// are listed.
    static bool Covers(const CollectiveOptions& options);

    /// @param options the options of a collective for which Covers() is true
    CollectiveRule(const CollectiveOptions& options, uint32_t ranks);

    /// @return the number of flows
    uint64_t CountFlows() const;
    /// @return the number of steps of the algorithm
    uint32_t CountStages() const;
    /// @return the number of the first flow of a stage; flows are numbered by stage
    uint32_t GetFirst(uint32_t stage) const;
    /// @return the number of flows to each rank
    uint32_t CountArriving() const;
    /// @return the flow with this number
    Flow GetFlow(uint32_t number) const;
    /// @return the flows for which a flow waits, in addition to the entry of its rank
    Links GetPredecessors(uint32_t number) const;
    /// @return the flows that wait for a flow
    Links GetSuccessors(uint32_t number) const;
    /// Visits the flows of a rank that wait only for its entry.
    /// @param visit a function that is called with their numbers
    void VisitFirst(uint32_t rank, const std::function<void(uint32_t)>& visit) const;

    /// @return the common properties of the flows
    const Company& GetCompany() const
    {
        return m_company;
    }

    /// Sets the common properties of the flows. Must be called before the rule is added to a graph.
    void SetCompany(Company company)
    {
        m_company = std::move(company);
    }

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

    Company m_company;
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
