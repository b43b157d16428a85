// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RULE_PROGRESS_H
#define LOSSLESS_RULE_PROGRESS_H

#include "ns3/collective-rule.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Tracks the progress of the flows of a CollectiveRule. This class stores the number of completed
 * predecessors of each waiting flow, the flows under way, and sums over the completed flows.
 * Completed flows are not kept in memory.
 *
 * Times are in ticks; a time that is not yet known is -1. The events of a rank must be reported in
 * chronological order.
 */
class RuleProgress
{
  public:
    /// The totals of the flows in one step of the algorithm.
    struct Stage
    {
        uint64_t flows{0};    ///< number of flows
        uint64_t bytes{0};    ///< total payload of the flows
        uint64_t received{0}; ///< number of flows that have arrived
        int64_t first{-1};    ///< start of the first flow
        int64_t last{-1};     ///< latest arrival of a flow so far
    };

    /// @param rule the rule of the flows
    explicit RuleProgress(std::shared_ptr<const CollectiveRule> rule);

    // Events. Flows and ranks are numbered as in the rule.

    /// Records that the entry of a rank has completed.
    /// @param [in,out] ready the list to which flows that can now begin are appended
    void EnterRank(uint32_t rank, int64_t now, std::vector<uint32_t>& ready);
    /// Records that the exit of a rank has completed.
    void LeaveRank(uint32_t rank, int64_t now);
    /// Records that a flow begins. Its source first computes, if required, and then sends.
    void Begin(uint32_t flow, int64_t now);
    /// Records that the source of a flow begins to send.
    /// @param [in,out] ready the list to which flows that can now begin are appended
    void Start(uint32_t flow, int64_t now, std::vector<uint32_t>& ready);
    /// Records that the destination of a flow begins to wait for its packets.
    /// @param start the start time of the flow
    void Open(uint32_t flow, int64_t start);
    /// Records that a flow has arrived.
    /// @param [in,out] ready the list to which flows that can now begin are appended
    void Receive(uint32_t flow, int64_t now, std::vector<uint32_t>& ready);
    /// Records that a flow was acknowledged.
    /// @param [in,out] ready the list to which flows that can now begin are appended
    void Acknowledge(uint32_t flow, int64_t now, std::vector<uint32_t>& ready);

    // State.

    /// @return the rule
    const CollectiveRule& GetRule() const
    {
        return *m_rule;
    }

    /// @return the flow, which must be in memory; see CountLive()
    const CollectiveRule::Flow& GetFlow(uint32_t flow) const
    {
        return m_live.find(flow)->second.flow;
    }

    /// @return the number of flows in memory, which are under way, ready to begin, or waiting with
    /// at least one completed predecessor
    std::size_t CountLive() const
    {
        return m_live.size();
    }

    /// @return the maximum number of flows that were in memory at once
    std::size_t GetMostLive() const
    {
        return m_mostLive;
    }

    /// @return the number of flows that have reached a state
    /// @param until SENT or RECEIVED
    uint64_t CountDone(FlowGraph::Until until) const
    {
        return until == FlowGraph::Until::SENT ? m_acknowledged : m_received;
    }

    /// @return the numbers of the flows under way, in ascending order
    std::vector<uint32_t> GetUnderWay() const;

    // Results.

    /// @return the totals of a stage
    const Stage& GetStage(uint32_t stage) const
    {
        return m_stages[stage];
    }

    /// @return the fraction of the time from a rank's entry to its exit during which the rank
    /// neither transfers data nor computes; the exit must have completed
    double GetWaitingShare(uint32_t rank) const;

    /// @return the rank whose entry was the last one for which this rank's exit waited, directly or
    /// through flows; the exit must have completed
    uint32_t GetOrigin(uint32_t rank) const;

  private:
    /// The last event for which a flow or an exit waited. If two events are simultaneous, the event
    /// with the lower position counts.
    struct Cause
    {
        int64_t tick{-1};   ///< tick of the event
        uint32_t place{0};  ///< position among the awaited events
        uint32_t origin{0}; ///< rank whose entry started the chain of events

        /// Replaces this cause with another one if that one is later, or is simultaneous and has a
        /// lower position.
        void Take(const Cause& other)
        {
            if (other.tick > tick || (other.tick == tick && other.place < place))
            {
                *this = other;
            }
        }
    };

    /// A flow in memory; see CountLive().
    struct Live
    {
        CollectiveRule::Flow flow; ///< the flow
        Cause cause;               ///< event that the flow waited for last
        uint8_t met{0};            ///< number of predecessors that have reached their states
        uint8_t awaited{0};     ///< states for which other flows wait; valid once the flow is under
                                ///< way
        bool isUnderWay{false}; ///< true if the source has begun to send
        bool isHalfDone{false}; ///< true if the flow has arrived or was acknowledged
    };

    /// The progress of a rank.
    struct Rank
    {
        int64_t entry{-1};            ///< tick of its entry
        int64_t exit{-1};             ///< tick of its exit
        Cause cause;                  ///< event that its exit waited for last
        std::vector<uint32_t> parked; ///< flows that wait only for the rank's entry
        uint32_t busy{0};             ///< number of transfers and computations under way
        int64_t busySince{0};         ///< start of the current busy period
        int64_t busyUntil{0};         ///< end of the previous busy period
        int64_t used{0};              ///< total busy time between entry and exit

        void AddBusy(int64_t begin);
        void EndBusy(int64_t end);
        void Use(int64_t begin, int64_t end);
    };

    /// The flows in memory, by number.
    using Flows = std::unordered_map<uint32_t, Live>;

    /// @return the bit of a state in Live::awaited
    static uint8_t BitOf(FlowGraph::Until until)
    {
        return static_cast<uint8_t>(1U << static_cast<unsigned>(until));
    }

    /// @return the flow, which is added if it is not yet in memory
    Live& Make(uint32_t flow);
    /// Notifies a flow's successors that the flow has reached a state.
    /// @param live the flow; iterators to it may be invalid after the call
    void Tell(const Flows::value_type& live,
              FlowGraph::Until until,
              int64_t now,
              std::vector<uint32_t>& ready);
    /// Handles a flow that can begin because its rank has entered and its predecessors have
    /// completed.
    void MakeReady(uint32_t flow, Live& live, std::vector<uint32_t>& ready);
    /// Handles a flow that has arrived or was acknowledged. Removes the flow once both have
    /// happened.
    void End(Flows::iterator found,
             FlowGraph::Until until,
             int64_t now,
             std::vector<uint32_t>& ready);

    std::shared_ptr<const CollectiveRule> m_rule;
    Flows m_live;                ///< flows in memory; see CountLive()
    std::size_t m_mostLive{0};   ///< see GetMostLive()
    std::vector<Rank> m_ranks;   ///< ranks by number
    std::vector<Stage> m_stages; ///< stages by number
    uint64_t m_received{0};      ///< number of received flows
    uint64_t m_acknowledged{0};  ///< number of acknowledged flows
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RULE_PROGRESS_H */
