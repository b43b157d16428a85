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
 * Holds back all signals that can be held back for as long as this object exists: what takes
 * several steps on a disk is then done as a whole, or undone, before one of them ends the program.
 */
class HeldSignals
{
  public:
    HeldSignals();
    ~HeldSignals();
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;

    /// @return whether one came that will end the program: what takes long is undone then
    bool IsEndWaiting() const;

  private:
    sigset_t m_before; ///< signals that were held back before
};

/**
 * Writes a file, with numbers as in the C locale.
 * @param path the file, which is made or emptied
 * @param write writes the content
 * @return why not all of it is there; no error if it is
 */
std::error_code WriteFile(const std::string& path, const std::function<void(std::ostream&)>& write);

/**
 * @ingroup lossless
 * A file that a user has named for something to be written to.
 *
 * A regular file is replaced when all of the new content is there, and otherwise left as it was;
 * where the name is a symbolic link, that is done to the file at its end. What is not a regular
 * file, such as a FIFO or a device (/dev/stdout), is opened and written to. "-" is standard output.
 */
class OutputFile
{
  public:
    /// @param path as the user wrote it
    explicit OutputFile(const std::string& path);

    /// @return whether it is standard output
    bool IsStandardOutput() const;

    /// @return what the path must be, if nothing can be written there; to be asked before a long
    /// run, whose result would be lost
    std::optional<std::string> Check() const;

    /// @param write writes the content @return whether all of it has been written
    bool Write(const std::function<void(std::ostream&)>& write) const;

  private:
    /// Writes into a file beside it, which then takes its name. @param write see Write()
    /// @return whether that has succeeded
    bool Replace(const std::function<void(std::ostream&)>& write) const;

    bool m_isStream;    ///< it is opened and written to, not replaced
    std::string m_path; ///< without symbolic links, or "-"
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OUTPUT_FILE_H */
