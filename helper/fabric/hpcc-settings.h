// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HPCC_SETTINGS_H
#define LOSSLESS_HPCC_SETTINGS_H

#include "ns3/strict-command-line.h"

#include <istream>
#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * Settings file (`config.txt`) of the HPCC simulator and its forks, with a line `KEY value`
 * or `KEY values` per setting.
 */

namespace ns3::lossless
{

/// Settings of the HPCC simulator's family, translated to this module.
struct HpccSettings
{
    std::vector<StrictCommandLine::Translated> options; ///< of hpcc-run
    std::vector<std::string> unmatched; ///< settings without a counterpart, such as "RATE_BOUND 0"
    std::vector<std::string> outputs;   ///< those of them that only affect output
    std::vector<std::string> notes;     ///< sentences on what was read differently than it appears
};

/// Reads a settings file; a malformed one stops the program with file, line and what is allowed. As
/// in the simulators, the last value of a repeated key counts; a note reports it. Text in braces,
/// which may span lines, is explanation. A setting that asks for what this module always does is
/// skipped. Files that are not in the current folder are looked up next to the settings file.
HpccSettings ReadHpccSettings(const std::string& path);

/// As ReadHpccSettings(), but returns the error.
/// @param [out] settings unchanged after an error
/// @return one sentence with file and line, or nothing
std::optional<std::string> ParseHpccSettings(std::istream& input,
                                             const std::string& fileName,
                                             HpccSettings& settings);

} // namespace ns3::lossless

#endif // LOSSLESS_HPCC_SETTINGS_H
