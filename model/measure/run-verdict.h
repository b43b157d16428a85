// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_VERDICT_H
#define LOSSLESS_RUN_VERDICT_H

#include "ns3/nstime.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// The result of a run. The values are listed in order of decreasing severity, and the first that
/// applies is chosen.
enum class RunOutcome : uint8_t
{
    VIOLATED,    ///< a switch lost frames of a class under flow control due to a lack of buffer
                 ///< space
    INTERRUPTED, ///< a signal ended the run; the results cover the time up to the signal
    UNFINISHED,  ///< some flows or flow graphs had not completed by the end of the run
    LOSSY,       ///< other frames (including MAC control frames) or payloads were lost
    EMPTY,       ///< there was no flow, and no switch or RoCE NIC sent a frame
    LOSSLESS,    ///< no frame was lost
};

/**
 * @ingroup lossless
 * A summary of the result of a run. Each recorder adds its results; see Recorder::Judge().
 */
struct RunVerdict
{
    /// The order in which problems are reported.
    enum class Severity : uint8_t
    {
        INTERRUPTION,
        DEADLOCK,
        LOSS,
        TRIMMING,
        UNFINISHED,
        STANDSTILL,
        EMPTY,
        OTHER,
    };

    RunOutcome outcome{RunOutcome::LOSSLESS}; ///< the result, which JudgeRun() determines from the
                                              ///< other members
    uint64_t lostFrames{0};                   ///< the number of frames lost anywhere, except MAC
                                              ///< control frames
    uint64_t lostBytes{0};                    ///< the number of bytes in these lost frames
    uint64_t lostControlFrames{0};            ///< the number of MAC control frames lost anywhere
    uint64_t losslessClassFrames{0};          ///< the number of lost frames for which
                                              ///< DropRecord::IsViolation() is true
    uint64_t losslessClassBytes{0};           ///< the number of bytes in these lost frames
    uint64_t watchdogFrames{0};  ///< the number of lost frames that a PfcWatchdog dropped
    uint64_t trimmedFrames{0};   ///< the number of frames that were forwarded without their payload
    uint64_t flows{0};           ///< the number of flows that have started or are scheduled to
                                 ///< start
    uint64_t unfinishedFlows{0}; ///< the number of flows that have not been received completely
    std::optional<Time> deadlock;   ///< the onset of the first deadlock that has not dissolved
    bool isStuck{false};            ///< whether a flow graph has not completed
    uint64_t dissolvedDeadlocks{0}; ///< the number of reported deadlocks that have dissolved
    bool hasNetwork{false};         ///< whether any part of a network was measured
    uint64_t packetHops{0};         ///< the number of times that switches and NICs have transmitted
                                    ///< a frame
    std::optional<std::string> interruption; ///< the name of the signal that ended the run
    std::vector<std::string> problems;       ///< one sentence for each problem, in order of
                                             ///< severity
    std::vector<Severity> severities;        ///< the severity of each problem

    /// Adds a sentence about a problem, after the sentences of the same severity.
    void AddProblem(const std::string& sentence, Severity severity = Severity::OTHER)
    {
        const auto place = std::upper_bound(severities.begin(), severities.end(), severity);
        problems.insert(problems.begin() + (place - severities.begin()), sentence);
        severities.insert(place, severity);
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_VERDICT_H */
