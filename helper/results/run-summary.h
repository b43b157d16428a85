// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_SUMMARY_H
#define LOSSLESS_RUN_SUMMARY_H

#include "flow-plan.h"
#include "graph-results.h"
#include "measured-network.h"
#include "recorder-list.h"
#include "run-cost.h"
#include "run-hints.h"
#include "run-json.h"
#include "run-verdict.h"

#include "ns3/measure-window.h"
#include "ns3/pause-propagation.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// A run as it is measured: how it is made, what it sends, and who records.
struct MeasuredRun
{
    /// Start of the wall clock.
    std::chrono::steady_clock::time_point created{std::chrono::steady_clock::now()};
    RunDescription description;              ///< how the run is made
    RunCost cost;                            ///< what it takes
    MeasuredNetwork network;                 ///< switches, hosts and NICs
    FlowPlan plan;                           ///< flows to be sent
    std::unique_ptr<GraphResults> graph;     ///< null: there is no graph
    std::vector<Ptr<Object>> parts;          ///< other parts, whose attributes count
    RecorderList recorders;                  ///< all of them
    MeasureWindow window;                    ///< of the statistics
    std::optional<std::string> interruption; ///< signal that has ended the run

    /// @return real time since the start, seconds
    double GetWallSeconds() const;
    /// @param survey takes up the network that is measured, and what measures it
    void AddTo(AttributeSurvey& survey) const;
};

/**
 * @ingroup lossless
 * What came of a run until now, found once from what its recorders have: what takes long for many
 * flows is kept. To be made before Simulator::Destroy().
 */
class RunSummary
{
  public:
    /// @param run which must outlive this object
    explicit RunSummary(const MeasuredRun& run);

    /// @return all flows, those that have not started too
    const std::vector<FlowRow>& GetRows() const
    {
        return m_rows;
    }

    /// @return flows that pauses have stopped without cause
    const std::vector<VictimRecord>& GetVictims() const;
    /// @return its outcome and problems
    RunVerdict Judge() const;
    /// @return sentences on what made it slow
    std::vector<std::string> GetHints() const;
    /// @return why the window of the statistics has nothing of the run; nothing if it has
    std::optional<std::string> DescribeEmptyWindow() const;
    /// @param files of the result folder @return what run.json tells
    RunFacts GetFacts(const std::vector<std::string>& files) const;

  private:
    /// @return what hints on slowness go by
    RunSymptoms GetSymptoms() const;

    const MeasuredRun& m_run;                                     ///< which is summed up
    std::vector<FlowRow> m_rows;                                  ///< see GetRows()
    mutable std::optional<std::vector<VictimRecord>> m_victims{}; ///< nothing: not asked for yet
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_SUMMARY_H */
