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

/// The name of the file that describes a run.
inline constexpr const char* RUN_FILE = "run.json";
/// The file extension of all other files of a result.
inline constexpr const char* TABLE_ENDING = ".csv";
/// The value of "schema" in run.json. It identifies a results folder.
inline constexpr const char* RUN_SCHEMA = "lossless-run";

/// The configuration of a run.
struct RunDescription
{
    std::vector<std::string> commandLine; ///< program name and arguments
    std::string scheme;                   ///< label of the flow control scheme
    std::map<std::string, std::variant<std::string, double>> parameters; ///< values of the
                                                                         ///< parameters, by name
    std::string spec{}; ///< spec of the command line; see run-spec.h
};

/// The content of run.json, except for the values that WriteRunJson() obtains itself, such as the
/// seed, the simulated time and the versions.
struct RunReport
{
    RunDescription description;                               ///< configuration of the run
    std::vector<std::string> files;                           ///< names of the result files
    RunVerdict verdict;                                       ///< verdict on the run
    std::vector<std::string> hints;                           ///< reasons why the run was slow
    std::vector<std::pair<std::string, ResultFacts>> facts{}; ///< facts of each recorder
    std::vector<AttributeDifference> attributes{}; ///< attributes that differ from their defaults
};

/// Writes run.json. Call this before Simulator::Destroy().
void WriteRunJson(std::ostream& os, const RunReport& report);

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_JSON_H */
