// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OUTPUT_FILE_H
#define LOSSLESS_OUTPUT_FILE_H

#include <csignal>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <system_error>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Blocks all blockable signals while this object exists, so that a disk operation with several
 * steps is completed or undone before a signal ends the program.
 */
class HeldSignals
{
  public:
    HeldSignals();
    ~HeldSignals();
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;

    /// @return true if a signal that will end the program is pending. Long operations should then
    /// be undone.
    bool IsEndWaiting() const;

  private:
    sigset_t m_before; ///< signals that were blocked before this object existed
};

/// Writes a file. Numbers are formatted as in the C locale.
/// @param path the path of the file, which is created or truncated
/// @return the reason why the file is incomplete, or no error if it is complete
std::error_code WriteFile(const std::string& path, const std::function<void(std::ostream&)>& write);

/**
 * @ingroup lossless
 * An output file that the user has named.
 *
 * A regular file is replaced only when the new content is complete. Until then, the file is
 * unchanged. If the path is a symbolic link, the target of the link is replaced. Anything else,
 * such as a FIFO or a device (/dev/stdout), is written in place. "-" means standard output.
 */
class OutputFile
{
  public:
    /// @param path the path given by the user
    explicit OutputFile(const std::string& path);

    /// @return true if the output is standard output
    bool IsStandardOutput() const;

    /// Checks that the path is writable. Call this before a long run, whose results could otherwise
    /// be lost.
    /// @return a description of valid paths if this path is not writable; otherwise unset
    std::optional<std::string> Check() const;

    /// @return the error, or an empty error code if everything was written. A failure of standard
    /// output is also reported when the program ends; see EndErrorsBySentence().
    std::error_code Write(const std::function<void(std::ostream&)>& write) const;

  private:
    /// Writes a temporary file in the same folder and renames it to the path.
    /// @param write see Write()
    /// @return the error, or an empty error code
    std::error_code Replace(const std::function<void(std::ostream&)>& write) const;
    /// @return the path of the temporary file
    std::string GetPart() const;
    /// @return the reason why nothing can be written to the path, whose folder is writable
    std::error_code Try() const;

    bool m_isStream;    ///< true if the file is written in place rather than replaced
    std::string m_path; ///< the path without symbolic links, or "-"
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OUTPUT_FILE_H */
