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

/// The outcome of a collective operation.
struct CollectiveOutcome
{
    std::optional<Time> firstEntry; ///< time at which the first rank entered
    std::optional<Time> lastEntry;  ///< time at which the last rank entered
    std::optional<Time> end;        ///< time at which the last rank completed; not set if the
                                    ///< collective is incomplete
    /// The mean waiting share of all ranks. The waiting share of a rank is the fraction of the time
    /// from its entry to its exit during which it neither transfers data nor computes.
    std::optional<double> waitingShare;
    std::string straggler; ///< name of the host for which the others waited, if any

    /// @return the time from the first entry to the end, or nothing if the collective is incomplete
    std::optional<Time> GetDuration() const;
    /// @return the buffer size divided by the duration, in Gb/s, or nothing if the collective is
    /// incomplete or took no time
    std::optional<double> GetAlgorithmGbps(const CollectiveRun& run) const;
};

/// The statistics of all collectives that have the same operation and algorithm.
struct CollectiveSummary
{
    std::string name;           ///< name of the operation
    std::string algorithm;      ///< name of the algorithm
    uint64_t count{0};          ///< number of collectives
    uint64_t done{0};           ///< number of completed collectives
    double meanDurationNs{0};   ///< mean duration of completed collectives
    double maxDurationNs{0};    ///< maximum duration of completed collectives
    double meanBusGbps{0};      ///< mean bus bandwidth of completed collectives
    double meanWaitingShare{0}; ///< mean waiting share of completed collectives
};

/// The facts about a flow graph for run.json.
struct GraphFacts
{
    uint64_t steps{0};                          ///< number of steps
    uint64_t done{0};                           ///< number of completed steps
    std::optional<Time> stalledSince;           ///< start of the stall, if any
    std::vector<std::string> standstill;        ///< descriptions of some of the unfinished steps
    std::vector<CollectiveSummary> collectives; ///< statistics for each operation and algorithm
};

/// @return the member "graph" of run.json
ResultFacts DescribeGraph(const GraphFacts& facts);

/**
 * The results of a flow graph and its collectives. Provides steps.csv, the member "graph" of
 * run.json and, if steps are unfinished, a problem. If the graph has collectives, also provides
 * collectives.csv and collective-steps.csv.
 */
class GraphResults : public Recorder
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param runner the runner of the graph, which must outlive this object
    /// @param collectives the collectives in the graph
    /// @param hasSteps true to write steps.csv, which is not possible for a graph with rules
    GraphResults(const GraphRunner& runner,
                 std::vector<CollectiveRun> collectives = {},
                 bool hasSteps = true);

    /// @return the runner of the graph
    const GraphRunner& GetRunner() const
    {
        return m_runner;
    }

    /// @return the table for steps.csv
    ResultTable GetStepTable() const;
    /// @return the table for collectives.csv
    ResultTable GetCollectiveTable() const;
    /// @return the table for collective-steps.csv
    ResultTable GetCollectiveStepTable() const;
    /// @return the facts about the graph for run.json
    GraphFacts Summarize() const;

    std::vector<NamedTable> GetTables() const override;
    ResultFacts GetFacts() const override;
    void Judge(RunVerdict& verdict) const override;

    /// @return the outcome of a collective
    CollectiveOutcome GetOutcome(const CollectiveRun& run) const;

  private:
    /// The flows of one step of a collective's algorithm.
    struct StageOutcome
    {
        uint64_t flows{0};         ///< number of flows
        uint64_t bytes{0};         ///< total payload of the flows, in bytes
        std::optional<Time> first; ///< start of the first flow
        std::optional<Time> last;  ///< end of the last flow; not set if any flow is unfinished
    };

    /// @param stage the index of the algorithm's step
    StageOutcome GetStage(const CollectiveRun& run, std::size_t stage) const;
    /// @return the predecessor for which a step waited last, if any
    std::optional<FlowGraph::Step> FindLast(FlowGraph::Step step) const;
    /// @param run a completed collective
    /// @return the waiting share of each rank; see CollectiveOutcome::waitingShare
    std::vector<double> GetWaitingShares(const CollectiveRun& run) const;
    /// @param run a completed collective
    /// @return the straggler; see CollectiveOutcome::straggler
    std::string FindStraggler(const CollectiveRun& run) const;

    const GraphRunner& m_runner;              ///< runner of the graph
    std::vector<CollectiveRun> m_collectives; ///< collectives in the graph
    bool m_hasSteps;                          ///< true if steps.csv is written
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GRAPH_RESULTS_H */
