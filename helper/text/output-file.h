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
 * Blocks all signals that can be blocked during the lifetime of this object: an operation of
 * several steps on a disk is then completed, or undone, before a signal ends the program.
 */
class HeldSignals
{
  public:
    HeldSignals();
    ~HeldSignals();
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;

    /// @return whether a signal that will end the program is pending: long operations are then
    /// undone
    bool IsEndWaiting() const;

  private:
    sigset_t m_before; ///< originally blocked signals
};

/// Writes a file, with numbers as in the C locale.
/// @param path of the file, which is created or emptied
/// @return why the file is incomplete; no error if it is complete
std::error_code WriteFile(const std::string& path, const std::function<void(std::ostream&)>& write);

/**
 * @ingroup lossless
 * An output file named by the user.
 *
 * A regular file is replaced when the new content is complete, and otherwise unchanged; through a
 * symbolic link, the file at its end is replaced. Anything else, such as a FIFO or a device
 * (/dev/stdout), is opened and written to. "-" is standard output.
 */
class OutputFile
{
  public:
    /// @param path as given by the user
    explicit OutputFile(const std::string& path);

    /// @return whether it is standard output
    bool IsStandardOutput() const;

    /// @return what the path must be, if nothing can be written there; to be called before a long
    /// run, whose result would be lost
    std::optional<std::string> Check() const;

    /// @return whether all of it has been written
    bool Write(const std::function<void(std::ostream&)>& write) const;

  private:
    /// Writes a file next to it, which then takes its name.
    /// @param write see Write()
    /// @return whether that succeeded
    bool Replace(const std::function<void(std::ostream&)>& write) const;

    bool m_isStream;    ///< opened and written to, not replaced
    std::string m_path; ///< without symbolic links, or "-"
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OUTPUT_FILE_H */
