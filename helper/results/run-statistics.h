// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_STATISTICS_H
#define LOSSLESS_RUN_STATISTICS_H

#include "flow-plan.h"

#include "ns3/measure-window.h"
#include "ns3/nstime.h"
#include "ns3/pause-recorder.h"
#include "ns3/queue-sampler.h"
#include "ns3/recorder.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::lossless
{

/// Mean and quantiles of some numbers.
struct Distribution
{
    double mean{0};   ///< arithmetic mean
    double median{0}; ///< the mean of the middle two of an even number
    double p99{0};    ///< 99th percentile, interpolated linearly
};

/**
 * @ingroup lossless
 * Statistics of a window of time.
 */
struct RunStatistics
{
    Time from;                             ///< begin of the window
    Time until;                            ///< its end, or that of the run if that is earlier
    uint64_t flows{0};                     ///< flows that start in it
    uint64_t unfinished{0};                ///< those not received in full by the end of the run
    std::optional<Distribution> fctNs;     ///< completion times of the others
    std::optional<Distribution> slowdown;  ///< of those whose ideal completion time is known
    Time paused;                           ///< pauses in the window, all queues together
    std::optional<double> maxPausedShare;  ///< of the window, of the queue that was paused most;
                                           ///< nothing: the window is empty
    std::optional<double> meanBufferBytes; ///< of the samples of all switches; nothing: none
};

/// @return the distribution of numbers in any order; nothing if there are none
std::optional<Distribution> GetDistribution(std::vector<double> numbers);

/**
 * @param end of the run
 * @param flows all flows
 * @param pauses of the window, see PauseRecorder::SetWindow()
 * @param samples all samples of queues and buffers
 */
RunStatistics GetStatistics(const MeasureWindow& window,
                            Time end,
                            const std::vector<FlowRow>& flows,
                            const std::vector<PauseRecord>& pauses,
                            const std::vector<QueueSample>& samples);

/// @return the member "measured" of run.json
ResultFacts DescribeStatistics(const MeasureWindow& window, const RunStatistics& statistics);

/**
 * @ingroup lossless
 * Statistics of flows, pauses and buffers in a window of the run, based on other recorders' data.
 */
class WindowStatistics : public Recorder
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Sets the window of the statistics, and of pauses.csv; to be called before a switch is
    /// watched. All other results are of the whole run.
    void SetWindow(const MeasureWindow& window);

    ResultFacts GetFacts() const override;
    std::vector<std::string> GetRemarks() const override;

  private:
    MeasureWindow m_window; ///< see SetWindow()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_STATISTICS_H */
