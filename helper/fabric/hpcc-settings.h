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
 * The file of settings (`config.txt`) of the HPCC simulator and its forks: a line `KEY value` or
 * `KEY values` for each.
 */

namespace ns3::lossless
{

/// Settings of the HPCC simulator's family as this module has them.
struct HpccSettings
{
    std::vector<StrictCommandLine::Translated> options; ///< of hpcc-run
    std::vector<std::string> unmatched; ///< settings without a counterpart, as "RATE_BOUND 0"
    std::vector<std::string> outputs;   ///< those of them that are about output alone
    std::vector<std::string> notes;     ///< sentences on what was read in another way than it looks
};

/**
 * Reads a file of settings; a malformed one stops the program with file, line and what is allowed.
 * A key that is given again replaces the former one, as it does there, and a note tells so. What
 * stands in braces explains, over several lines too. A setting that asks for what is always so here
 * is passed over. Files that are not in the current folder are looked for beside the settings.
 * @param path the file
 * @return the settings
 */
HpccSettings ReadHpccSettings(const std::string& path);

/**
 * Reads a file of settings, as ReadHpccSettings() does, and returns the complaint.
 * @param input the text
 * @param fileName name used in the complaint
 * @param [out] settings the settings, untouched in case of a complaint
 * @return one sentence with file and line, or nothing
 */
std::optional<std::string> ParseHpccSettings(std::istream& input,
                                             const std::string& fileName,
                                             HpccSettings& settings);

} // namespace ns3::lossless

#endif // LOSSLESS_HPCC_SETTINGS_H
