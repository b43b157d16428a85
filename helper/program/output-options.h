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
 * Options that name files for other programs to read, see OutputFile. If one of them is standard
 * output, nothing else may come there: what the program prints for people then goes to standard
 * error.
 */
class OutputOptions
{
  public:
    OutputOptions() = default;
    ~OutputOptions();
    OutputOptions(const OutputOptions&) = delete;
    OutputOptions& operator=(const OutputOptions&) = delete;

    /// Adds an option. @param commandLine gets it @param name of the option
    /// @param content for `--help`: what is written to the file
    void Add(StrictCommandLine& commandLine, const std::string& name, const std::string& content);

    /// Stops the program if a file cannot be written, is that of another output as well, or two are
    /// standard output; keeps standard output for the one that is.
    /// @param commandLine which has been read @param folder of the option `--output`, or empty
    void Open(const StrictCommandLine& commandLine, const std::string& folder);

    /// Stops the program if a file is one that is read, or one that is read is in the folder of
    /// results, which a run replaces. @param commandLine which has been read
    /// @param inputs names of files that are read; an empty one is none
    void RequireUnread(const StrictCommandLine& commandLine,
                       const std::vector<std::string>& inputs) const;

    /// @return names of the options
    std::set<std::string> GetNames() const;

    /// @param name of an option @return its file; empty: none
    const std::string& GetPath(const std::string& name) const;

    /// Writes the file of an option, if it is wanted and this is the first rank; stops the program
    /// if that fails. @param commandLine which has been read @param name of the option
    /// @param write writes the content
    void Write(const StrictCommandLine& commandLine,
               const std::string& name,
               const std::function<void(std::ostream&)>& write) const;

  private:
    /// Lets something write to what was standard output. @param write does
    void UseStandardOutput(const std::function<void()>& write) const;

    std::map<std::string, std::string> m_paths; ///< by name of the option
    std::string m_folder;                       ///< of results; empty: none
    int m_standardOutput{-1}; ///< descriptor of what was standard output; -1: it still is
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OUTPUT_OPTIONS_H */
