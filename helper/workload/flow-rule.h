// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_RULE_H
#define LOSSLESS_FLOW_RULE_H

#include "flow-graph.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Flows of a FlowGraph that are not stored but follow from their numbers, as those of a collective
 * do: memory then holds only the flows that have begun to wait or are under way.
 *
 * Flows are between ranks. A flow waits for the entry of its rank, and for what GetPredecessors()
 * names, all of which is known at its source: its own flows by their start or their
 * acknowledgement, those of others by their arrival. The exit of a rank, a step of the graph, waits
 * for its entry and for all flows to it.
 */
class FlowRule
{
  public:
    /// A flow between ranks.
    struct Flow
    {
        uint32_t from{0};  ///< rank that sends
        uint32_t to{0};    ///< rank that receives
        uint32_t stage{0}; ///< step of the algorithm
        uint64_t bytes{0}; ///< payload
    };

    /// Another flow of the rule, and the state that the earlier one of the two has to reach.
    struct Link
    {
        uint32_t flow{0};                                   ///< its number
        FlowGraph::Until until{FlowGraph::Until::RECEIVED}; ///< state
    };

    /// A few links, for range-based loops.
    class Links
    {
      public:
        /// Adds a link; there may be MOST.
        void Add(uint32_t flow, FlowGraph::Until until)
        {
            m_links[m_count++] = {flow, until};
        }

        /// @return the first
        const Link* begin() const
        {
            return m_links;
        }

        /// @return after the last
        const Link* end() const
        {
            return m_links + m_count;
        }

        /// @return how many there are
        std::size_t size() const
        {
            return m_count;
        }

        static constexpr std::size_t MOST = 4; ///< most links that a flow may have

      private:
        Link m_links[MOST];
        std::size_t m_count{0};
    };

    /// What the flows have in common, and the steps around them.
    struct Company
    {
        std::vector<uint32_t> hosts;          ///< by rank: host index
        std::vector<FlowGraph::Step> entries; ///< by rank: step to be done before it takes part
        std::vector<FlowGraph::Step> exits;   ///< by rank: step that waits for all flows to it
        int64_t compute{0};                   ///< see StepSpec::compute, in ticks
        uint8_t priority{3};                  ///< traffic class
        std::string group;                    ///< FlowSpec::group
        std::string job;                      ///< StepSpec::job
    };

    virtual ~FlowRule() = default;

    /// @return number of flows
    virtual uint64_t CountFlows() const = 0;
    /// @return number of steps of the algorithm
    virtual uint32_t CountStages() const = 0;
    /// @return number of the first flow of a stage; flows are numbered by stage
    virtual uint32_t GetFirst(uint32_t stage) const = 0;
    /// @return number of flows to a rank
    virtual uint32_t CountArriving(uint32_t rank) const = 0;
    /// @return a flow, by its number
    virtual Flow GetFlow(uint32_t number) const = 0;
    /// @return what a flow waits for besides the entry of its rank
    virtual Links GetPredecessors(uint32_t number) const = 0;
    /// @return the flows that wait for a flow
    virtual Links GetSuccessors(uint32_t number) const = 0;
    /// Visits the flows of a rank that wait for its entry alone. @param visit takes their numbers
    virtual void VisitFirst(uint32_t rank, const std::function<void(uint32_t)>& visit) const = 0;

    /// @return what the flows have in common
    const Company& GetCompany() const
    {
        return m_company;
    }

    /// Sets that, when the rule is added to a graph.
    void SetCompany(Company company)
    {
        m_company = std::move(company);
    }

  private:
    Company m_company;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_RULE_H */
