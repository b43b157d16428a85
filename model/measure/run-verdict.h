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

/// The result of a run, worst first; the first that applies counts.
enum class RunOutcome : uint8_t
{
    VIOLATED,    ///< a switch lost frames of a class under flow control for lack of buffer
    INTERRUPTED, ///< a signal ended the run: the results are those until then
    UNFINISHED,  ///< flows had not arrived in full at the end
    LOSSY,       ///< other frames were lost, their payload was, or only MAC control frames were
    EMPTY,       ///< there was no flow, and no switch or RoCE NIC sent a frame
    LOSSLESS,    ///< no frame was lost
};

/**
 * @ingroup lossless
 * The result of a run in short. Each recorder adds what it knows, see Recorder::Judge().
 */
struct RunVerdict
{
    /// Order in which problems are reported.
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

    RunOutcome outcome{RunOutcome::LOSSLESS}; ///< follows from the rest, see JudgeRun()
    uint64_t lostFrames{0};                   ///< frames lost anywhere, except MAC control frames
    uint64_t lostBytes{0};                    ///< their bytes
    uint64_t lostControlFrames{0};            ///< MAC control frames lost anywhere
    uint64_t losslessClassFrames{0}; ///< of lostFrames, violations: DropRecord::IsViolation()
    uint64_t losslessClassBytes{0};  ///< their bytes
    uint64_t watchdogFrames{0};      ///< of lostFrames, those dropped by a PfcWatchdog
    uint64_t trimmedFrames{0};       ///< frames that lost their payload and were sent on
    uint64_t flows{0};               ///< flows started, or to be started
    uint64_t unfinishedFlows{0};     ///< flows not received in full
    std::optional<Time> deadlock;    ///< onset of the first undissolved one
    bool isStuck{false};             ///< a flow graph has not completed
    uint64_t dissolvedDeadlocks{0};  ///< deadlocks that were found and have dissolved since
    bool hasNetwork{false};          ///< any part of a network was measured
    uint64_t packetHops{0};          ///< transmissions of frames by switches and NICs
    std::optional<std::string> interruption; ///< name of the signal that ended the run
    std::vector<std::string> problems;       ///< a sentence about each, by severity
    std::vector<Severity> severities;        ///< of the problems

    /// Adds a sentence behind those of the same severity.
    void AddProblem(const std::string& sentence, Severity severity = Severity::OTHER)
    {
        const auto place = std::upper_bound(severities.begin(), severities.end(), severity);
        problems.insert(problems.begin() + (place - severities.begin()), sentence);
        severities.insert(place, severity);
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_VERDICT_H */
