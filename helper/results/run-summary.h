// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_SUMMARY_H
#define LOSSLESS_RUN_SUMMARY_H

#include "ns3/recorder-list.h"
#include "ns3/run-verdict.h"

#include <string>

namespace ns3::lossless
{

/// @return the name of an outcome in run.json
const char* ToString(RunOutcome outcome);

/// Sets the outcome of a verdict whose counts are complete. Adds a problem if nothing was measured.
void SetOutcome(RunVerdict& verdict);

/// @return the verdict of all recorders on the run so far; valid after RecorderList::Conclude()
RunVerdict JudgeRun(const RecorderList& run);

/**
 * @param wallSeconds the real time of the run
 * @param folder the results folder, or an empty string if no results were written
 * @return a line such as "lossless: 22 flows, 216 291 hops, 2.2 ms in 0.6 s -> r-dsh"
 */
std::string SummarizeRun(const RunVerdict& verdict, double wallSeconds, const std::string& folder);

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_SUMMARY_H */
