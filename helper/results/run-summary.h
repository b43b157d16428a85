// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_SUMMARY_H
#define LOSSLESS_RUN_SUMMARY_H

#include "ns3/recorder-list.h"
#include "ns3/run-verdict.h"

#include <string>

namespace ns3::lossless
{

/// @return the name of an outcome, as run.json has it
const char* ToString(RunOutcome outcome);

/// Finds the outcome of a verdict that has all counts, and adds a problem if nothing was measured.
void SetOutcome(RunVerdict& verdict);

/// @return what all recorders make of the run until now; valid after RecorderList::Conclude()
RunVerdict JudgeRun(const RecorderList& run);

/**
 * @param wallSeconds real time that the run took
 * @param folder of the results; empty: none were written
 * @return a line about the run: "lossless: 22 flows, 216 291 hops, 2.2 ms in 0.6 s -> r-dsh"
 */
std::string SummarizeRun(const RunVerdict& verdict, double wallSeconds, const std::string& folder);

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_SUMMARY_H */
