// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HPCC_SETTINGS_H
#define LOSSLESS_HPCC_SETTINGS_H

#include "ns3/strict-command-line.h"

#include <istream>
#include <map>
#include <string>
#include <vector>

/**
 * @file
 * The settings file (`config.txt`) of the HPCC simulator and its forks. Each line is a key followed
 * by one or more values.
 */

namespace ns3::lossless
{

/// The settings of an HPCC simulator, translated for this module.
struct HpccSettings
{
    std::vector<StrictCommandLine::Translated> options; ///< options of hpcc-run
    std::vector<std::string> unmatched; ///< settings without a counterpart, such as "RATE_BOUND 0"
    std::vector<std::string> unknown;   ///< unknown settings, such as "CC_MOED 3 (CC_MODE?)"
    std::vector<std::string> outputs;   ///< settings without a counterpart that affect only the
                                        ///< output
    std::vector<std::string> idle;      ///< constants of a congestion control that is not chosen
    std::vector<std::string> notes; ///< messages about settings with an unexpected interpretation
    /// Sentences about files that were not found, by the file names in the settings.
    std::map<std::string, std::string> missing;

    /// @param path the path of the file
    /// @return the notes, and a sentence about each kind of setting without a counterpart
    std::vector<std::string> GetWarnings(const std::string& path) const;
};

/// Reads a settings file. Aborts if the file is malformed; the message contains the file name, the
/// line number and the allowed values. If a key is repeated, its last value takes effect, as in the
/// simulators, and a note reports the repetition. Text in braces is an explanation and can span
/// several lines. A setting is skipped if this module always behaves as the setting requests. Input
/// files that are not in the current folder are searched for in the folder of the settings file and
/// the three folders above it. An output file whose folder exists only where the input files were
/// found is written there.
///
/// @param path the path of the file
/// @param control the name of a congestion control that takes precedence over CC_MODE; empty for
/// none
HpccSettings ReadHpccSettings(const std::string& path, const std::string& control = "");

/// Reads a settings file as ReadHpccSettings() does, but reports errors by an exception.
/// @throws FileComplaint with the file name and line number
HpccSettings ParseHpccSettings(std::istream& input,
                               const std::string& fileName,
                               const std::string& control = "");

} // namespace ns3::lossless

#endif // LOSSLESS_HPCC_SETTINGS_H
