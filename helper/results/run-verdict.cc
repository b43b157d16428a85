// SPDX-License-Identifier: GPL-2.0-only
#include "run-verdict.h"

#include "ns3/pfc-watchdog.h"
#include "ns3/short-text.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <sstream>

namespace ns3::lossless
{

namespace
{

/// Losses of one kind.
struct Losses
{
    uint64_t frames{0}; ///< number of frames
    uint64_t bytes{0};  ///< their bytes
    DropRecord worst;   ///< the most bytes at one place for one reason

    /// @param drop a place and what was lost there
    void Add(const DropRecord& drop)
    {
        frames += drop.frames;
        bytes += drop.bytes;
        worst = drop.bytes > worst.bytes ? drop : worst;
    }
};

/// @param what the kind of losses @param losses at least one @return a sentence about them
std::string
Describe(const std::string& what, const Losses& losses)
{
    const DropRecord& worst = losses.worst;
    std::ostringstream text;
    text << what << ": " << losses.frames << " (" << losses.bytes << " B); most at " << worst.node
         << ", port " << Index(worst.port);
    if (worst.priority)
    {
        text << ", class " << Index(*worst.priority);
    }
    text << " (" << ToString(worst.reason) << "): " << worst.frames << " (" << worst.bytes
         << " B).";
    return text.str();
}

/// Says that the results are partial. @param interruption name of the signal that has ended the run
/// @param verdict where to
void
JudgeInterruption(const std::optional<std::string>& interruption, RunVerdict& verdict)
{
    verdict.interruption = interruption;
    if (interruption)
    {
        std::ostringstream text;
        text << "Interrupted by " << *interruption << " at " << Simulator::Now().GetNanoSeconds()
             << " ns: results are up to that time.";
        verdict.problems.push_back(text.str());
    }
}

/// Describes the first deadlock that stands. @param deadlocks all @param verdict where to
void
JudgeDeadlocks(const std::vector<DeadlockRecord>& deadlocks, RunVerdict& verdict)
{
    const auto found = std::find_if(deadlocks.begin(), deadlocks.end(), [](const auto& record) {
        return !record.dissolved;
    });
    verdict.dissolvedDeadlocks =
        std::count_if(deadlocks.begin(), deadlocks.end(), [](const auto& record) {
            return record.dissolved.has_value();
        });
    if (found == deadlocks.end())
    {
        return;
    }
    const DeadlockRecord& first = *found;
    const std::size_t others = deadlocks.size() - verdict.dissolvedDeadlocks - 1;
    verdict.deadlock = first.onset;
    std::ostringstream text;
    text << (first.kind == DeadlockKind::CYCLE ? "Deadlock" : "Standstill by thresholds")
         << " since " << first.onset.GetNanoSeconds() << " ns: " << first.GetCycle();
    if (others > 0)
    {
        text << " (and " << others << " more, see deadlocks.csv)";
    }
    verdict.problems.push_back(text.str() + ".");
}

/// Describes what was lost. @param drops all @param verdict where to
void
JudgeDrops(const std::vector<DropRecord>& drops, RunVerdict& verdict)
{
    Losses violations;
    Losses control;
    Losses watchdog;
    Losses others;
    for (const DropRecord& drop : drops)
    {
        const bool isWatchdog = IsWatchdogLoss(drop.reason);
        Losses& rest = drop.isControl ? control : isWatchdog ? watchdog : others;
        (drop.IsViolation() ? violations : rest).Add(drop);
    }
    verdict.lostFrames = violations.frames + watchdog.frames + others.frames;
    verdict.lostBytes = violations.bytes + watchdog.bytes + others.bytes;
    verdict.watchdogFrames = watchdog.frames;
    verdict.losslessClassFrames = violations.frames;
    verdict.losslessClassBytes = violations.bytes;
    verdict.lostControlFrames = control.frames;
    if (violations.frames > 0)
    {
        verdict.problems.push_back(
            Describe("Frames lost for lack of buffer in lossless classes", violations));
    }
    if (watchdog.frames > 0)
    {
        verdict.problems.push_back(
            Describe("Frames dropped by PFC watchdogs, in storms of PAUSEs (watchdog.csv)",
                     watchdog));
    }
    if (others.frames > 0)
    {
        verdict.problems.push_back(
            Describe(violations.frames + watchdog.frames > 0 ? "Other frames lost" : "Frames lost",
                     others));
    }
    if (control.frames > 0)
    {
        const char* consequence =
            " A neighbour that missed a PAUSE kept sending, which may be the cause.";
        verdict.problems.push_back(Describe("MAC control frames lost", control) +
                                   (violations.frames > 0 ? consequence : ""));
    }
}

/// Describes what was cut. @param frames number of frames without their payload
/// @param verdict where to
void
JudgeTrims(uint64_t frames, RunVerdict& verdict)
{
    verdict.trimmedFrames = frames;
    if (frames > 0)
    {
        verdict.problems.push_back("Payloads trimmed off frames for lack of buffer: " +
                                   std::to_string(frames) + " (ports.csv).");
    }
}

/// Describes what did not arrive. @param flows all @param verdict where to
void
JudgeFlows(const std::vector<FlowRow>& flows, RunVerdict& verdict)
{
    const auto isUnfinished = [](const FlowRow& row) { return !row.fct; };
    verdict.flows = flows.size();
    verdict.unfinishedFlows = std::count_if(flows.begin(), flows.end(), isUnfinished);
    if (verdict.unfinishedFlows == 0)
    {
        return;
    }
    const FlowRow& first = *std::find_if(flows.begin(), flows.end(), isUnfinished);
    std::ostringstream text;
    text << verdict.unfinishedFlows << " of " << verdict.flows << " flows unfinished after "
         << Simulator::Now().GetNanoSeconds() << " ns; the first is flow " << first.id << " from "
         << first.source << " to " << first.destination << " (" << first.bytes << " B).";
    verdict.problems.push_back(text.str());
}

/// @param hasNetwork any part of a network was measured @return why there were no flows and frames
std::string
DescribeNothing(bool hasNetwork)
{
    return hasNetwork
               ? "Nothing was measured: there was no flow, and no switch and no RoCE NIC has sent "
                 "a frame."
               : "Nothing was measured: no network was added to the results; "
                 "ResultsWriter::AddFabric() adds one, or AddSwitch(), AddHost() and AddNic() its "
                 "parts.";
}

/// @param verdict with all its numbers @param packetHops transmissions of frames
/// @return what came of the run
RunOutcome
GetOutcome(const RunVerdict& verdict, uint64_t packetHops)
{
    if (verdict.losslessClassFrames > 0)
    {
        return RunOutcome::VIOLATED;
    }
    if (verdict.interruption)
    {
        return RunOutcome::INTERRUPTED;
    }
    if (verdict.unfinishedFlows > 0 || verdict.isStuck)
    {
        return RunOutcome::UNFINISHED;
    }
    if (verdict.lostFrames > 0 || verdict.trimmedFrames > 0 || verdict.lostControlFrames > 0)
    {
        return RunOutcome::LOSSY;
    }
    return verdict.flows == 0 && packetHops == 0 ? RunOutcome::EMPTY : RunOutcome::LOSSLESS;
}

/// @param verdict what came of a run @return its outcome, and what else ended or locked it
std::string
GetWords(const RunVerdict& verdict)
{
    std::string words = verdict.outcome == RunOutcome::VIOLATED ? "violated" : "";
    const auto add = [&words](bool applies, const char* word) {
        words += applies ? (words.empty() ? "" : ", ") + std::string(word) : "";
    };
    add(verdict.interruption.has_value(), "interrupted");
    add(verdict.deadlock.has_value(), "deadlocked");
    return words.empty() ? ToString(verdict.outcome) : words;
}

} // namespace

const char*
ToString(RunOutcome outcome)
{
    constexpr std::array<const char*, 6> names =
        {"violated", "interrupted", "unfinished", "lossy", "empty", "lossless"};
    return names[static_cast<std::size_t>(outcome)];
}

RunVerdict
JudgeRun(const RunEvidence& evidence)
{
    RunVerdict verdict;
    JudgeInterruption(evidence.interruption, verdict);
    JudgeDeadlocks(evidence.deadlocks, verdict);
    JudgeDrops(evidence.drops, verdict);
    JudgeTrims(evidence.trimmedFrames, verdict);
    JudgeFlows(evidence.flows, verdict);
    if (evidence.standstill)
    {
        verdict.isStuck = true;
        verdict.problems.push_back(*evidence.standstill);
    }
    verdict.outcome = GetOutcome(verdict, evidence.packetHops);
    if (verdict.outcome == RunOutcome::EMPTY)
    {
        verdict.problems.push_back(DescribeNothing(evidence.hasNetwork));
    }
    return verdict;
}

std::string
SummarizeRun(const RunVerdict& verdict,
             uint64_t packetHops,
             double wallSeconds,
             const std::string& folder)
{
    ShortText text;
    const auto add = [&text](uint64_t number, const char* one, const char* many) {
        text.AddCount(number).Add(number == 1 ? one : many);
    };
    text.Add(GetWords(verdict)).Add(": ");
    add(verdict.flows, " flow", " flows");
    if (verdict.unfinishedFlows > 0)
    {
        text.Add(" (").AddCount(verdict.unfinishedFlows).Add(" unfinished)");
    }
    if (verdict.lostFrames > 0)
    {
        text.Add(", ");
        add(verdict.lostFrames, " frame lost", " frames lost");
    }
    if (verdict.trimmedFrames > 0)
    {
        text.Add(", ");
        add(verdict.trimmedFrames, " payload trimmed", " payloads trimmed");
    }
    if (verdict.lostControlFrames > 0)
    {
        text.Add(", ");
        add(verdict.lostControlFrames, " control frame lost", " control frames lost");
    }
    text.Add(", ");
    add(packetHops, " hop, ", " hops, ");
    text.AddTime(static_cast<uint64_t>(Simulator::Now().GetNanoSeconds()));
    text.Add(" in ").AddTime(static_cast<uint64_t>(wallSeconds * 1e9));
    return std::string(text.Get()) + (folder.empty() ? "" : " -> " + folder);
}

} // namespace ns3::lossless
