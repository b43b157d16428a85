// SPDX-License-Identifier: GPL-2.0-only
#include "run-summary.h"

#include "ns3/quantity-text.h"
#include "ns3/short-text.h"
#include "ns3/simulator.h"

#include <array>
#include <cstddef>

namespace ns3::lossless
{

namespace
{

/// @param hasNetwork true if any part of a network was added to the results
/// @return a sentence that says why nothing was measured
std::string
DescribeNothing(bool hasNetwork)
{
    return hasNetwork
               ? "Nothing was measured: there was no flow, and no switch and no RoCE NIC has sent "
                 "a frame."
               : "Nothing was measured: no network was added to the results; "
                 "ResultsWriter::AddFabric() adds one, or AddNode() and AddNic() its parts.";
}

RunOutcome
FindOutcome(const RunVerdict& verdict)
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
    return verdict.flows == 0 && verdict.packetHops == 0 ? RunOutcome::EMPTY : RunOutcome::LOSSLESS;
}

/// @return words for a violation, an interruption and a deadlock, or the outcome if there were none
/// of these
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

void
SetOutcome(RunVerdict& verdict)
{
    verdict.outcome = FindOutcome(verdict);
    if (verdict.outcome == RunOutcome::EMPTY)
    {
        verdict.AddProblem(DescribeNothing(verdict.hasNetwork), RunVerdict::Severity::EMPTY);
    }
}

RunVerdict
JudgeRun(const RecorderList& run)
{
    RunVerdict verdict;
    for (const RecorderList::Entry& entry : run.GetAll())
    {
        entry.recorder->Judge(verdict);
    }
    SetOutcome(verdict);
    return verdict;
}

std::string
SummarizeRun(const RunVerdict& verdict, double wallSeconds, const std::string& folder)
{
    std::string text = GetWords(verdict) + ": " + FormatThings(verdict.flows, "flow");
    if (verdict.unfinishedFlows > 0)
    {
        text += " (" + FormatCount(verdict.unfinishedFlows) + " unfinished)";
    }
    const auto add = [&text](uint64_t number, const std::string& thing, const char* what) {
        text += number > 0 ? ", " + FormatThings(number, thing) + what : "";
    };
    add(verdict.lostFrames, "frame", " lost");
    add(verdict.trimmedFrames, "payload", " trimmed");
    add(verdict.lostControlFrames, "control frame", " lost");
    ShortText times;
    times.AddTime(static_cast<uint64_t>(Simulator::Now().GetNanoSeconds()));
    times.Add(" in ").AddTime(static_cast<uint64_t>(wallSeconds * 1e9));
    return text + ", " + FormatThings(verdict.packetHops, "hop") + ", " + std::string(times.Get()) +
           (folder.empty() ? "" : " -> " + folder);
}

} // namespace ns3::lossless
