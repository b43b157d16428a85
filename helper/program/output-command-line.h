// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OUTPUT_COMMAND_LINE_H
#define LOSSLESS_OUTPUT_COMMAND_LINE_H

#include "strict-command-line.h"

#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A command line with options that name output files for other programs; see OutputFile. If such a
 * file is standard output, nothing else is written there, and messages for the user go to standard
 * error.
 */
class OutputCommandLine : public StrictCommandLine
{
  public:
    using StrictCommandLine::StrictCommandLine;
    ~OutputCommandLine();
    OutputCommandLine(const OutputCommandLine&) = delete;
    OutputCommandLine& operator=(const OutputCommandLine&) = delete;

    /// Adds an option that names an output file.
    /// @param content a description of the file content for `--help`
    void AddOutput(const std::string& name, const std::string& content);

    /// Stops the program if a file cannot be written, if another output uses the same file, or if
    /// two files are standard output. Reserves standard output for the file that uses it. Call this
    /// after Parse().
    /// @param folder the folder given by the option `--output`, or an empty string
    void OpenOutputs(const std::string& folder);

    /// Stops the program if an output file is also an input file, or if an input file is in the
    /// results folder, which the run replaces. Call this after OpenOutputs().
    /// @param inputs the names of input files; empty names are ignored
    void RequireUnread(const std::vector<std::string>& inputs) const;

    /// @return the file named by an output option, or an empty string if the option was not given
    const std::string& GetOutput(const std::string& name) const;

    /// Writes the file of an output option if the option was given and this is the first rank.
    /// Stops the program on failure.
    /// @param write the function that writes the content
    void WriteOutput(const std::string& name,
                     const std::function<void(std::ostream&)>& write) const;

  private:
    std::map<std::string, std::string> m_paths; ///< files, by option name
    std::string m_folder;                       ///< results folder; may be empty
    int m_standardOutput{-1};                   ///< original standard output, or -1 if unchanged
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OUTPUT_COMMAND_LINE_H */
