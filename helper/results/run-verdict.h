// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_VERDICT_H
#define LOSSLESS_RUN_VERDICT_H

#include "flow-plan.h"

#include "ns3/deadlock-detector.h"
#include "ns3/drop-recorder.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// What came of a run, the worst that applies first.
enum class RunOutcome : uint8_t
{
    VIOLATED,    ///< a switch lost frames of a class under flow control for want of buffer
    INTERRUPTED, ///< a signal has ended the run: the results are those until then
    UNFINISHED,  ///< flows had not arrived in full at the end
    LOSSY,       ///< other frames were lost, their payload was, or MAC control frames alone
    EMPTY,       ///< there was no flow, and no frame was sent by a switch or a RoCE NIC
    LOSSLESS,    ///< no frame was lost
};

/// @param outcome what came of a run @return its name as run.json prints it
const char* ToString(RunOutcome outcome);

/**
 * @ingroup lossless
 * The result of a run in short.
 */
struct RunVerdict
{
    RunOutcome outcome{RunOutcome::LOSSLESS}; ///< what came of it
    uint64_t lostFrames{0};                   ///< frames lost anywhere, but MAC control frames
    uint64_t lostBytes{0};                    ///< their bytes
    uint64_t lostControlFrames{0};            ///< MAC control frames lost anywhere
    uint64_t losslessClassFrames{0}; ///< of lostFrames, violations: DropRecord::IsViolation()
    uint64_t losslessClassBytes{0};  ///< their bytes
    uint64_t watchdogFrames{0};      ///< of lostFrames, those that a PfcWatchdog has dropped
    uint64_t trimmedFrames{0};       ///< frames that lost their payload, of which the rest went on
    uint64_t flows{0};               ///< flows started, or to be started
    uint64_t unfinishedFlows{0};     ///< of them not received in full
    std::optional<Time> deadlock;    ///< onset of the first that stands; nothing: none
    bool isStuck{false};             ///< a flow graph has not come to its end
    uint64_t dissolvedDeadlocks{0};  ///< that were found, but have dissolved since
    std::optional<std::string> interruption; ///< name of the signal that has ended the run
    std::vector<std::string> problems;       ///< a sentence for each thing that went wrong
};

/// What a verdict rests on.
struct RunEvidence
{
    std::vector<DeadlockRecord> deadlocks;   ///< in the order in which they were reported
    std::vector<DropRecord> drops;           ///< what was lost
    uint64_t trimmedFrames{0};               ///< frames that a PacketTrimmer has cut
    std::vector<FlowRow> flows;              ///< all flows
    bool hasNetwork{false};                  ///< any part of a network was measured
    uint64_t packetHops{0};                  ///< transmissions of frames by switches and NICs
    std::optional<std::string> interruption; ///< name of the signal that has ended the run
    std::optional<std::string> standstill;   ///< why a flow graph has not come to its end
};

/// @param evidence of a run, until now @return what came of it
RunVerdict JudgeRun(const RunEvidence& evidence);

/**
 * @param verdict what came of a run, until now
 * @param packetHops transmissions of frames
 * @param wallSeconds real time that it took
 * @param folder where the results are; empty: none were written
 * @return a line about it: "lossless: 22 flows, 216 291 hops, 2.2 ms in 0.6 s -> r-dsh"
 */
std::string SummarizeRun(const RunVerdict& verdict,
                         uint64_t packetHops,
                         double wallSeconds,
                         const std::string& folder);

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_VERDICT_H */
