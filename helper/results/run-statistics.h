// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_STATISTICS_H
#define LOSSLESS_RUN_STATISTICS_H

#include "flow-plan.h"

#include "ns3/measure-window.h"
#include "ns3/nstime.h"
#include "ns3/pause-recorder.h"
#include "ns3/queue-sampler.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::lossless
{

/// Mean and quantiles of some numbers.
struct Distribution
{
    double mean{0};   ///< mean
    double median{0}; ///< between the two in the middle, if there are two
    double p99{0};    ///< 99th percentile, between the numbers next to it in proportion
};

/**
 * @ingroup lossless
 * What a run was like on average, in a window of time.
 */
struct RunStatistics
{
    Time from;                             ///< begin of the window
    Time until;                            ///< its end, or that of the run if it is earlier
    uint64_t flows{0};                     ///< flows that start in it
    uint64_t unfinished{0};                ///< of them not received in full by the end of the run
    std::optional<Distribution> fctNs;     ///< completion times of the others; nothing: none has
    std::optional<Distribution> slowdown;  ///< of those whose ideal completion time is known
    Time paused;                           ///< pauses in the window, all queues together
    std::optional<double> maxPausedShare;  ///< of the window, of the queue that was paused most;
                                           ///< nothing: the window is empty
    std::optional<double> meanBufferBytes; ///< of the samples of all switches; nothing: none
};

/// @param numbers any, in any order @return their distribution; nothing if there are none
std::optional<Distribution> GetDistribution(std::vector<double> numbers);

/**
 * @param window what is looked at
 * @param end of the run
 * @param flows all flows
 * @param pauses of the window, see PauseRecorder::SetWindow()
 * @param samples of queues and buffers, all
 * @return what it was like
 */
RunStatistics GetStatistics(const MeasureWindow& window,
                            Time end,
                            const std::vector<FlowRow>& flows,
                            const std::vector<PauseRecord>& pauses,
                            const std::vector<QueueSample>& samples);

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_STATISTICS_H */
