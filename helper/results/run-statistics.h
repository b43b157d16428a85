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

/// Mean and quantiles of a set of numbers.
struct Distribution
{
    double mean{0};   ///< arithmetic mean
    double median{0}; ///< median; for an even count, the mean of the middle two
    double p99{0};    ///< 99th percentile, interpolated linearly
};

/**
 * @ingroup lossless
 * Statistics of a time window.
 */
struct RunStatistics
{
    Time from;                             ///< start of the window
    Time until;                            ///< end of the window, or of the run if that is earlier
    uint64_t flows{0};                     ///< flows that start in the window
    uint64_t unfinished{0};                ///< flows not completely received by the end of the run
    std::optional<Distribution> fctNs;     ///< completion times of the received flows
    std::optional<Distribution> slowdown;  ///< slowdown of flows with a known ideal time
    Time paused;                           ///< total pause time of all queues in the window
    std::optional<double> maxPausedShare;  ///< paused fraction of the window for the queue that was
                                           ///< paused longest; not set if the window is empty
    std::optional<double> meanBufferBytes; ///< mean of all switch samples, if any
};

/// @return the distribution of the numbers, or nothing if there are none
/// @param numbers the numbers in any order
std::optional<Distribution> GetDistribution(std::vector<double> numbers);

/**
 * @param end the end of the run
 * @param flows all flows
 * @param pauses the pauses in the window; see PauseRecorder::SetWindow()
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
 * Statistics of flows, pauses and buffers in a time window of the run, based on the data of other
 * recorders.
 */
class WindowStatistics : public Recorder
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// Sets the window of the statistics and of pauses.csv. Call this before any switch is
    /// observed. All other results cover the whole run.
    void SetWindow(const MeasureWindow& window);

    ResultFacts GetFacts() const override;
    std::vector<std::string> GetRemarks() const override;

  private:
    MeasureWindow m_window; ///< see SetWindow()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_STATISTICS_H */
