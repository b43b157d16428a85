// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_JSON_H
#define LOSSLESS_RUN_JSON_H

#include "ns3/attribute-survey.h"
#include "ns3/result-table.h"
#include "ns3/run-verdict.h"

#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ns3::lossless
{

/// Name of the file that describes a run.
inline constexpr const char* RUN_FILE = "run.json";
/// Ending of the names of all other files of a result.
inline constexpr const char* TABLE_ENDING = ".csv";
/// Value of "schema" in run.json, which marks a result folder.
inline constexpr const char* RUN_SCHEMA = "lossless-run";

/// How a run is made.
struct RunDescription
{
    std::vector<std::string> commandLine; ///< program and arguments
    std::string scheme;                   ///< label of the flow control scheme
    std::map<std::string, std::variant<std::string, double>> parameters; ///< by name
    std::string spec{}; ///< the command line as run-spec.h has it; empty: there is none
};

/// The content of run.json, apart from what ns-3 knows itself: seed, run, time and ranks.
struct RunReport
{
    RunDescription description;                               ///< how it was made
    std::vector<std::string> files;                           ///< names of those of the result
    RunVerdict verdict;                                       ///< its result
    std::vector<std::string> hints;                           ///< what made it slow
    std::vector<std::pair<std::string, ResultFacts>> facts{}; ///< by recorder
    std::vector<AttributeDifference> attributes{};            ///< other than the defaults
};

/// Writes run.json; the simulation must still exist.
void WriteRunJson(std::ostream& os, const RunReport& report);

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_JSON_H */
