// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GRAPH_RESULTS_H
#define LOSSLESS_GRAPH_RESULTS_H

#include "ns3/collectives.h"
#include "ns3/graph-runner.h"
#include "ns3/nstime.h"
#include "ns3/result-table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// What came of a collective.
struct CollectiveOutcome
{
    std::optional<Time> firstEntry;     ///< when the first rank took part
    std::optional<Time> lastEntry;      ///< when the last one did
    std::optional<Time> end;            ///< when all were done; nothing: they were not
    std::optional<double> waitingShare; ///< mean over ranks of the time from entry to exit in which
                                        ///< nothing of a rank was under way
    std::string straggler;              ///< host for which the others waited; empty: for none

    /// @return from the first entry to the end; nothing: it is not done
    std::optional<Time> GetDuration() const;
    /// @param run the collective @return bits of its buffer per nanosecond of it; nothing: it is
    /// not done, or took no time
    std::optional<double> GetAlgorithmGbps(const CollectiveRun& run) const;
};

/// Collectives of a run that are alike.
struct CollectiveSummary
{
    std::string name;           ///< of the collective
    std::string algorithm;      ///< its algorithm
    uint64_t count{0};          ///< how many there are
    uint64_t done{0};           ///< of them, done
    double meanDurationNs{0};   ///< of those, in nanoseconds
    double maxDurationNs{0};    ///< of those, in nanoseconds
    double meanBusGbps{0};      ///< of those, in Gb/s
    double meanWaitingShare{0}; ///< of those
};

/// What run.json tells of a graph.
struct GraphFacts
{
    uint64_t steps{0};                          ///< how many there are
    uint64_t done{0};                           ///< of them, done
    std::optional<Time> stalledSince;           ///< nothing: it has not stalled
    std::vector<std::string> standstill;        ///< sentences about some that are not done
    std::vector<CollectiveSummary> collectives; ///< by kind and algorithm
};

/**
 * @ingroup lossless
 * What a run tells of its flow graph, and of the collectives that it is made of.
 */
class GraphResults
{
  public:
    /// @param runner has run the graph; it must outlive this object
    /// @param collectives of the graph, may be empty
    GraphResults(const GraphRunner& runner, std::vector<CollectiveRun> collectives);

    /// @return what runs the graph
    const GraphRunner& GetRunner() const
    {
        return m_runner;
    }

    /// @return whether the graph is made of collectives
    bool HasCollectives() const
    {
        return !m_collectives.empty();
    }

    /// @return steps.csv
    ResultTable GetStepTable() const;
    /// @return collectives.csv
    ResultTable GetCollectiveTable() const;
    /// @return collective-steps.csv
    ResultTable GetCollectiveStepTable() const;
    /// @return what run.json tells
    GraphFacts GetFacts() const;
    /// @return a sentence on why the graph did not end; nothing: it has
    std::optional<std::string> DescribeProblem() const;

    /// @param run one of the collectives @return what came of it
    CollectiveOutcome GetOutcome(const CollectiveRun& run) const;

  private:
    /// What came of a step of a collective's algorithm.
    struct StageOutcome
    {
        uint64_t flows{0};         ///< how many it has
        uint64_t bytes{0};         ///< of all of them
        std::optional<Time> first; ///< when the first one started
        std::optional<Time> last;  ///< when the last one was received; nothing: it was not
    };

    /// @param run a collective @param stage step of its algorithm @return what came of that
    StageOutcome GetStage(const CollectiveRun& run, std::size_t stage) const;
    /// @param step a step @return what it waited for last, or nothing
    std::optional<FlowGraph::Step> FindLast(FlowGraph::Step step) const;
    /// @param run a collective @return by rank: share of time in which nothing of it was under way;
    /// only of a collective that is done
    std::vector<double> GetWaitingShares(const CollectiveRun& run) const;
    /// @param run a collective that is done @return see CollectiveOutcome::straggler
    std::string FindStraggler(const CollectiveRun& run) const;

    const GraphRunner& m_runner;              ///< has run the graph
    std::vector<CollectiveRun> m_collectives; ///< of the graph
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GRAPH_RESULTS_H */
