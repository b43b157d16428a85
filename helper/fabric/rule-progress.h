// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RULE_PROGRESS_H
#define LOSSLESS_RULE_PROGRESS_H

#include "ns3/flow-rule.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * How far the flows of a FlowRule are: what has been met of those that wait, what is under way, and
 * sums of what is done, which is then forgotten.
 *
 * Times are in ticks; -1: not yet. What concerns a rank must come in the order of time.
 */
class RuleProgress
{
  public:
    /// The flows of a step of the algorithm.
    struct Stage
    {
        uint64_t flows{0};    ///< number of flows
        uint64_t bytes{0};    ///< of all of them
        uint64_t received{0}; ///< number of those that have arrived
        int64_t first{-1};    ///< start of the first one
        int64_t last{-1};     ///< arrival of the last one so far
    };

    /// @param rule of the flows
    explicit RuleProgress(std::shared_ptr<const FlowRule> rule);

    // Events; flows and ranks have the numbers of the rule

    /// The entry of a rank is done. @param [out] ready flows that begin
    void EnterRank(uint32_t rank, int64_t now, std::vector<uint32_t>& ready);
    /// The exit of a rank is done.
    void LeaveRank(uint32_t rank, int64_t now);
    /// The source of a flow begins to compute for it, or to send it.
    void Begin(uint32_t flow, int64_t now);
    /// The source of a flow begins to send it. @param [out] ready flows that begin
    void Start(uint32_t flow, int64_t now, std::vector<uint32_t>& ready);
    /// The destination of a flow begins to wait for its packets. @param start of the flow
    void Open(uint32_t flow, int64_t start);
    /// A flow has arrived. @param [out] ready flows that begin
    void Receive(uint32_t flow, int64_t now, std::vector<uint32_t>& ready);
    /// A flow was acknowledged. @param [out] ready flows that begin
    void Acknowledge(uint32_t flow, int64_t now, std::vector<uint32_t>& ready);

    // State

    /// @return the rule
    const FlowRule& GetRule() const
    {
        return *m_rule;
    }

    /// @return a flow that begins or is under way
    const FlowRule::Flow& GetFlow(uint32_t flow) const
    {
        return m_live.find(flow)->second.flow;
    }

    /// @return number of flows in memory: those that have met a part of what they wait for, and
    /// those under way
    std::size_t CountLive() const
    {
        return m_live.size();
    }

    /// @return most flows that were in memory at once
    std::size_t GetMostLive() const
    {
        return m_mostLive;
    }

    /// @return flows that have reached the state SENT or RECEIVED
    uint64_t CountDone(FlowGraph::Until until) const
    {
        return until == FlowGraph::Until::SENT ? m_acknowledged : m_received;
    }

    /// @return numbers of the flows under way, ascending
    std::vector<uint32_t> GetUnderWay() const;

    // Results

    /// @return sums of a stage
    const Stage& GetStage(uint32_t stage) const
    {
        return m_stages[stage];
    }

    /// @return share of the time from entry to exit of a rank without a transfer or computation of
    /// it; the rank has left
    double GetWaitingShare(uint32_t rank) const;

    /// @return rank whose entry was the last that the exit of this rank waited for, directly or
    /// through flows; the rank has left
    uint32_t GetOrigin(uint32_t rank) const;

  private:
    /// The last thing that a flow or an exit waited for. Of two at the same time, that which is
    /// named first counts.
    struct Cause
    {
        int64_t tick{-1};   ///< when it happened
        uint32_t place{0};  ///< among all
        uint32_t origin{0}; ///< rank whose entry started it all

        /// Takes the later of the two.
        void Take(const Cause& other)
        {
            if (other.tick > tick || (other.tick == tick && other.place < place))
            {
                *this = other;
            }
        }
    };

    /// A flow that has begun to wait, or is under way.
    struct Live
    {
        FlowRule::Flow flow;    ///< the flow
        Cause cause;            ///< see Cause
        uint8_t met{0};         ///< predecessors that have reached their state
        uint8_t awaited{0};     ///< states that others wait for, once it is under way
        bool isUnderWay{false}; ///< its source has begun to send
        bool isHalfDone{false}; ///< it has arrived or was acknowledged
    };

    /// A rank.
    struct Rank
    {
        int64_t entry{-1};            ///< when it was entered
        int64_t exit{-1};             ///< when it was left
        Cause cause;                  ///< of its exit
        std::vector<uint32_t> parked; ///< flows that wait for its entry alone
        uint32_t busy{0};             ///< transfers and computations under way
        int64_t busySince{0};         ///< begin of these
        int64_t busyUntil{0};         ///< end of the latest ones before
        int64_t used{0};              ///< time with any, from its entry on

        void AddBusy(int64_t begin);
        void EndBusy(int64_t end);
        void Use(int64_t begin, int64_t end);
    };

    /// The live flows, by number.
    using Flows = std::unordered_map<uint32_t, Live>;

    /// @return bit of a state in Live::awaited
    static uint8_t BitOf(FlowGraph::Until until)
    {
        return static_cast<uint8_t>(1U << static_cast<unsigned>(until));
    }

    /// @return the flow, made if it is not live yet
    Live& Make(uint32_t flow);
    /// A flow has reached a state.
    /// @param live the flow, not valid afterwards
    void Tell(const Flows::value_type& live,
              FlowGraph::Until until,
              int64_t now,
              std::vector<uint32_t>& ready);
    /// A flow and its rank have met all they wait for.
    void MakeReady(uint32_t flow, Live& live, std::vector<uint32_t>& ready);
    /// A flow has reached one of the two states that end it; with the other one it is forgotten.
    void End(Flows::iterator found,
             FlowGraph::Until until,
             int64_t now,
             std::vector<uint32_t>& ready);

    std::shared_ptr<const FlowRule> m_rule;
    Flows m_live;                ///< see CountLive()
    std::size_t m_mostLive{0};   ///< see GetMostLive()
    std::vector<Rank> m_ranks;   ///< by number
    std::vector<Stage> m_stages; ///< by number
    uint64_t m_received{0};      ///< flows
    uint64_t m_acknowledged{0};  ///< flows
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RULE_PROGRESS_H */
