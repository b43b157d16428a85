// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OUTPUT_OPTIONS_H
#define LOSSLESS_OUTPUT_OPTIONS_H

#include "strict-command-line.h"

#include <functional>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Options that name files for other programs, see OutputFile. If one of them is standard output, it
 * gets nothing else: text for people then goes to standard error.
 */
class OutputOptions
{
  public:
    OutputOptions() = default;
    ~OutputOptions();
    OutputOptions(const OutputOptions&) = delete;
    OutputOptions& operator=(const OutputOptions&) = delete;

    /// Adds an option. @param content for `--help`: what is written to the file
    void Add(StrictCommandLine& commandLine, const std::string& name, const std::string& content);

    /// Stops the program if a file cannot be written or belongs to another output as well, or if
    /// two are standard output; reserves standard output for the file that uses it.
    /// @param folder of the option `--output`, or empty
    void Open(const StrictCommandLine& commandLine, const std::string& folder);

    /// Stops the program if a file is also an input, or if an input is in the folder of results,
    /// which a run replaces. @param inputs names of files; empty ones are ignored
    void RequireUnread(const StrictCommandLine& commandLine,
                       const std::vector<std::string>& inputs) const;

    /// @return names of the options
    std::set<std::string> GetNames() const;

    /// @return file of an option; empty: not given
    const std::string& GetPath(const std::string& name) const;

    /// Writes the file of an option, if it was given and this is the first rank; stops the program
    /// on failure. @param write writes the content
    void Write(const StrictCommandLine& commandLine,
               const std::string& name,
               const std::function<void(std::ostream&)>& write) const;

  private:
    /// Lets a function write to the original standard output.
    void UseStandardOutput(const std::function<void()>& write) const;

    std::map<std::string, std::string> m_paths; ///< by name of the option
    std::string m_folder;                       ///< of results; may be empty
    int m_standardOutput{-1}; ///< descriptor of the original standard output; -1: unchanged
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OUTPUT_OPTIONS_H */
