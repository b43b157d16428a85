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
 * A folder of files that is either complete or absent, whatever signal ends the program.
 *
 * The files are written to a folder beside the target, which replaces it at the end. A folder with
 * an earlier result is replaced, and foreign files in it are kept; any other folder with content is
 * refused. Each complaint is one sentence.
 */
class ResultFolder
{
  public:
    /// How an earlier result is recognized.
    struct Mark
    {
        /// Name of a JSON file that each result has, with the names of all its files ("files"):
        /// those of an earlier result are not kept.
        std::string file;
        std::string text; ///< found within the first 100 bytes of that file

        /// Names of files that are made from a result, which are not kept either.
        std::vector<std::string> derived;
    };

    /// A file to be written.
    struct File
    {
        std::string name;                         ///< its name
        std::function<void(std::ostream&)> write; ///< writes its content
    };

    /**
     * @param path the folder as the user wrote it; it need not exist
     * @param mark of an earlier result
     */
    ResultFolder(const std::string& path, const Mark& mark);

    /// @return why nothing can be written there
    std::optional<std::string> Check() const;

    /// @param files all files of the result @return why it could not be written; or that another
    /// run has written to the folder since this object was made, so that it is beside it
    std::optional<std::string> Write(const std::vector<File>& files) const;

  private:
    /// Fills a folder, and may install it.
    using Fill = std::function<void(const std::filesystem::path&, const HeldSignals&)>;

    /// Makes the folder beside the target, if the target may be replaced, and removes what is left
    /// of it; signals are held back meanwhile. @return why this failed
    std::optional<std::string> Try(const Fill& fill) const;
    /// @return a path beside the target that is unique to this process
    std::filesystem::path GetSibling(const std::string& purpose) const;
    bool HoldsResult() const;
    /// @return when the result in the folder was written; nothing: there is none
    std::optional<std::filesystem::file_time_type> GetWriteTime() const;
    /// @return a name beside the target that nothing has
    std::filesystem::path FindFree() const;
    /// @return names of the files of the result in a folder
    std::vector<std::string> ListFiles(const std::filesystem::path& folder) const;
    /// @return why the target must not be replaced
    std::optional<std::string> CheckReplaceable() const;
    /// Replaces the target by a complete folder, and moves foreign files there.
    void Install(const std::filesystem::path& made) const;

    std::filesystem::path m_target; ///< absolute, without links and trailing slash
    Mark m_mark;                    ///< of an earlier result
    std::optional<std::filesystem::file_time_type> m_earlier; ///< its GetWriteTime()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RESULT_FOLDER_H */
