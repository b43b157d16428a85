// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_RULE_H
#define LOSSLESS_FLOW_RULE_H

#include "flow-graph.h"

#include <boost/container/static_vector.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Derives flows of a FlowGraph, such as those of a collective, from their numbers, so that they
 * need not be stored. Only flows that have begun to wait or are under way are kept in memory.
 *
 * Flows are sent between ranks. A flow waits for the entry of its sending rank and for the flows
 * that GetPredecessors() returns. The required states of these flows are known at the host of the
 * sending rank: they are the start or acknowledgement of the rank's own flows, or the arrival of
 * flows from other ranks. The exit of a rank, which is a step of the graph, waits for the rank's
 * entry and for all flows to the rank.
 */
class FlowRule
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

    virtual ~FlowRule() = default;

    /// @return the number of flows
    virtual uint64_t CountFlows() const = 0;
    /// @return the number of steps of the algorithm
    virtual uint32_t CountStages() const = 0;
    /// @return the number of the first flow of a stage; flows are numbered by stage
    virtual uint32_t GetFirst(uint32_t stage) const = 0;
    /// @return the number of flows to a rank
    virtual uint32_t CountArriving(uint32_t rank) const = 0;
    /// @return the flow with this number
    virtual Flow GetFlow(uint32_t number) const = 0;
    /// @return the flows for which a flow waits, in addition to the entry of its rank
    virtual Links GetPredecessors(uint32_t number) const = 0;
    /// @return the flows that wait for a flow
    virtual Links GetSuccessors(uint32_t number) const = 0;
    /// Visits the flows of a rank that wait only for its entry.
    /// @param visit a function that is called with their numbers
    virtual void VisitFirst(uint32_t rank, const std::function<void(uint32_t)>& visit) const = 0;

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
    Company m_company;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_RULE_H */
