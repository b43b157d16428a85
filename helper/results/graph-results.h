// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GRAPH_RESULTS_H
#define LOSSLESS_GRAPH_RESULTS_H

#include "ns3/collectives.h"
#include "ns3/graph-runner.h"
#include "ns3/nstime.h"
#include "ns3/recorder.h"
#include "ns3/result-table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// The times of a collective.
struct CollectiveOutcome
{
    std::optional<Time> firstEntry;     ///< when the first rank took part
    std::optional<Time> lastEntry;      ///< when the last one did
    std::optional<Time> end;            ///< when all were done; nothing: they were not
    std::optional<double> waitingShare; ///< mean over ranks: share of the time from entry to exit
                                        ///< without a transfer or computation of the rank
    std::string straggler;              ///< host that the others waited for; empty: none

    /// @return time from the first entry to the end; nothing: it is not done
    std::optional<Time> GetDuration() const;
    /// @return bits of the buffer per nanosecond; nothing: it is not done, or took no time
    std::optional<double> GetAlgorithmGbps(const CollectiveRun& run) const;
};

/// Collectives of the same kind and algorithm.
struct CollectiveSummary
{
    std::string name;           ///< of the collective
    std::string algorithm;      ///< its algorithm
    uint64_t count{0};          ///< number of them
    uint64_t done{0};           ///< number of those that are done
    double meanDurationNs{0};   ///< of those that are done
    double maxDurationNs{0};    ///< likewise
    double meanBusGbps{0};      ///< likewise
    double meanWaitingShare{0}; ///< likewise
};

/// A graph in run.json.
struct GraphFacts
{
    uint64_t steps{0};                          ///< number of steps
    uint64_t done{0};                           ///< number of those that are done
    std::optional<Time> stalledSince;           ///< nothing: it has not stalled
    std::vector<std::string> standstill;        ///< sentences about some that are not done
    std::vector<CollectiveSummary> collectives; ///< by kind and algorithm
};

/// @return the member "graph" of run.json
ResultFacts DescribeGraph(const GraphFacts& facts);

/**
 * @ingroup lossless
 * Results of a flow graph, and of the collectives that it is made of: steps.csv, "graph" of
 * run.json, and a problem if the graph has not completed; with collectives also collectives.csv
 * and collective-steps.csv.
 */
class GraphResults : public Recorder
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @param runner must outlive this object
    /// @param collectives of the graph, may be empty
    /// @param hasSteps whether there is a steps.csv; not for a graph with rules
    GraphResults(const GraphRunner& runner,
                 std::vector<CollectiveRun> collectives,
                 bool hasSteps = true);

    /// @return what runs the graph
    const GraphRunner& GetRunner() const
    {
        return m_runner;
    }

    /// @return steps.csv
    ResultTable GetStepTable() const;
    /// @return collectives.csv
    ResultTable GetCollectiveTable() const;
    /// @return collective-steps.csv
    ResultTable GetCollectiveStepTable() const;
    /// @return the graph as run.json has it
    GraphFacts Summarize() const;

    std::vector<NamedTable> GetTables() const override;
    ResultFacts GetFacts() const override;
    void Judge(RunVerdict& verdict) const override;

    /// @return the times of one of the collectives
    CollectiveOutcome GetOutcome(const CollectiveRun& run) const;

  private:
    /// The flows of a step of a collective's algorithm.
    struct StageOutcome
    {
        uint64_t flows{0};         ///< number of flows
        uint64_t bytes{0};         ///< of all of them
        std::optional<Time> first; ///< start of the first one
        std::optional<Time> last;  ///< end of the last one; nothing: not all are done
    };

    /// @param run a collective by a rule, that is done @return see GetWaitingShares()
    std::vector<double> GetSharesByRule(const CollectiveRun& run) const;
    /// @param stage step of the algorithm
    StageOutcome GetStage(const CollectiveRun& run, std::size_t stage) const;
    /// @return the last step that a step waited for
    std::optional<FlowGraph::Step> FindLast(FlowGraph::Step step) const;
    /// @param run a collective that is done @return see CollectiveOutcome::waitingShare, by rank
    std::vector<double> GetWaitingShares(const CollectiveRun& run) const;
    /// @param run a collective that is done @return see CollectiveOutcome::straggler
    std::string FindStraggler(const CollectiveRun& run) const;

    const GraphRunner& m_runner;              ///< has run the graph
    std::vector<CollectiveRun> m_collectives; ///< of the graph
    bool m_hasSteps;                          ///< steps.csv is written
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GRAPH_RESULTS_H */
