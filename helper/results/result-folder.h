// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RESULT_FOLDER_H
#define LOSSLESS_RESULT_FOLDER_H

#include <filesystem>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::lossless
{

class HeldSignals;

/**
 * @ingroup lossless
 * A folder of files that is either complete or absent, even if a signal ends the program.
 *
 * The files are written to a temporary folder next to the target. At the end, this folder replaces
 * the target. An earlier result in the target is replaced, and other files in the target are kept.
 * A nonempty target without an earlier result is rejected. Each error message is one sentence
 * without its period.
 */
class ResultFolder
{
  public:
    /// Identifies a folder that contains an earlier result.
    struct Mark
    {
        /// The name of the JSON file in each result. Its member "files" lists all files of the
        /// result. The list identifies the files of an earlier result, which are not kept.
        std::string file;
        std::string text; ///< string that must occur within the first 100 bytes of that file

        /// The names of files that are derived from a result. Like the files listed in the JSON
        /// file, these files are not kept.
        std::vector<std::string> derived;
    };

    /// A file to write.
    struct File
    {
        std::string name;                         ///< file name
        std::function<void(std::ostream&)> write; ///< writes the content of the file
    };

    /**
     * @param path the folder as given by the user; it need not exist
     * @param mark the mark that identifies an earlier result
     */
    ResultFolder(const std::string& path, const Mark& mark);

    /// @return the reason why the folder cannot be written, if any
    std::optional<std::string> Check() const;

    /// @param files all files of the result
    /// @return the reason why the result could not be written, if any. If another run has written
    /// to the folder since this object was created, the message names the folder that was used
    /// instead.
    std::optional<std::string> Write(const std::vector<File>& files) const;

  private:
    /// A function that writes files to a folder and may install the folder.
    using Fill = std::function<void(const std::filesystem::path&, const HeldSignals&)>;

    /// If the target may be replaced, creates and fills the temporary folder. Then removes whatever
    /// is left of that folder. Signals are blocked in the meantime.
    /// @return the reason for a failure, if any
    std::optional<std::string> Try(const Fill& fill) const;
    /// @return a path next to the target that is unique to this process
    std::filesystem::path GetSibling(const std::string& purpose) const;
    bool HoldsResult() const;
    /// @return the time at which the result in the folder was written, if there is one
    std::optional<std::filesystem::file_time_type> GetWriteTime() const;
    /// @return the path of an unused folder next to the target
    std::filesystem::path FindFree() const;
    /// @return the names of the result files in a folder
    std::vector<std::string> ListFiles(const std::filesystem::path& folder) const;
    /// @return the reason why the target must not be replaced, if any
    std::optional<std::string> CheckReplaceable() const;
    /// Replaces the target with a complete folder and moves the target's other files into that
    /// folder.
    void Install(const std::filesystem::path& made) const;

    std::filesystem::path m_target; ///< absolute path without symbolic links or a trailing slash
    Mark m_mark;                    ///< mark of an earlier result
    /// The result of GetWriteTime() when this object was created or last wrote a result.
    mutable std::optional<std::filesystem::file_time_type> m_earlier;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RESULT_FOLDER_H */
