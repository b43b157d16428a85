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

/// The mean and quantiles of a set of numbers.
struct Distribution
{
    double mean{0};   ///< arithmetic mean
    double median{0}; ///< median; if the count is even, the mean of the two middle numbers
    double p99{0};    ///< 99th percentile, with linear interpolation
};

/**
 * @ingroup lossless
 * The statistics of a time window.
 */
struct RunStatistics
{
    Time from;                             ///< start of the window
    Time until;                            ///< end of the window, or of the run if that is earlier
    uint64_t flows{0};                     ///< number of flows that start in the window
    uint64_t unfinished{0};                ///< number of these flows that were not completely
                                           ///< received by the end of the run
    std::optional<Distribution> fctNs;     ///< completion times of the received flows
    std::optional<Distribution> slowdown;  ///< slowdowns of the flows with a known ideal time
    Time paused;                           ///< total time for which queues were paused in the
                                           ///< window
    std::optional<double> maxPausedShare;  ///< fraction of the window for which the longest-paused
                                           ///< queue was paused; not set if the window is empty
    std::optional<double> meanBufferBytes; ///< mean of the samples of all switches' buffers, if
                                           ///< there are any
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
 * The statistics of flows, pauses and buffers in a time window of the run. They are based on the
 * data of other recorders.
 */
class WindowStatistics : public Recorder
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Sets the window of the statistics and of pauses.csv. Call this before any switch is added.
    /// All other results cover the whole run.
    void SetWindow(const MeasureWindow& window);
    /// Sets the start of the first flow. The idle time before this start is excluded from the
    /// length of the window, on which shares are based.
    void SetFirstFlow(Time start);
    /// @return the time passed to SetFirstFlow(), or 0
    Time GetFirstFlow() const;

    ResultFacts GetFacts() const override;
    std::vector<std::string> GetRemarks() const override;

  private:
    MeasureWindow m_window; ///< see SetWindow()
    Time m_firstFlow;       ///< see SetFirstFlow()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_STATISTICS_H */
