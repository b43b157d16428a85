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
 * The files are made in a folder beside the target which takes its place at the end. A folder with
 * an earlier result is replaced, and files of others in it are kept; any other folder with content
 * is refused. All complaints are one sentence.
 */
class ResultFolder
{
  public:
    /// By what an earlier result is known.
    struct Mark
    {
        /// Name of a file in JSON that each result has, with the names of all its files ("files"):
        /// those of an earlier result are not kept.
        std::string file;
        std::string text; ///< found within the first 100 bytes of that file

        /// Names of files that others make of a result, which are not kept either.
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
     * @param mark by what an earlier result is known
     */
    ResultFolder(const std::string& path, const Mark& mark);

    /// @return why nothing can be written there
    std::optional<std::string> Check() const;

    /// @param files all files of the result @return why it could not be written
    std::optional<std::string> Write(const std::vector<File>& files) const;

  private:
    /// Puts a folder in place of the target, or not.
    using Fill = std::function<void(const std::filesystem::path&, const HeldSignals&)>;

    /// Makes the folder beside the target, if the target may be replaced, and removes what is left
    /// of it, which no signal comes between. @param fill uses it @return why it cannot be done
    std::optional<std::string> Try(const Fill& fill) const;
    /// @param purpose a word @return a path beside the target, of this process
    std::filesystem::path GetSibling(const std::string& purpose) const;
    /// @return whether the target holds an earlier result
    bool HoldsResult() const;
    /// @param folder with a result @return names of the files which are that result's
    std::vector<std::string> ListFiles(const std::filesystem::path& folder) const;
    /// @return why the target must not be replaced
    std::optional<std::string> CheckReplaceable() const;
    /// Puts a complete folder in the place of the target, and what others had there into it.
    /// @param made the folder
    void Install(const std::filesystem::path& made) const;

    std::filesystem::path m_target; ///< absolute, without links and trailing slash
    Mark m_mark;                    ///< of an earlier result
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RESULT_FOLDER_H */
