// SPDX-License-Identifier: GPL-2.0-only
#include "result-folder.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <locale>
#include <system_error>
#include <unistd.h>

namespace ns3::lossless
{

namespace
{

namespace fs = std::filesystem;

/// Bytes at the start of a file among which the mark of a result is.
constexpr std::size_t MARK_RANGE = 100;

/// @param what failed, with its object @param error why @return one sentence
std::string
Complain(const std::string& what, const std::string& error)
{
    return "Results: cannot " + what + ": " + error + ".";
}

/// @param folder as the user wrote it @return the absolute path, without links and trailing slash
fs::path
GetTarget(const std::string& folder)
{
    std::error_code error;
    fs::path path = fs::absolute(folder, error).lexically_normal();
    if (!path.has_filename())
    {
        path = path.parent_path();
    }
    const fs::path real = fs::canonical(path, error);
    return error ? path : real;
}

/// @param folder a folder to make, empty, with all its parents @return why it cannot be made
std::optional<std::string>
MakeFolder(const fs::path& folder)
{
    std::error_code error;
    fs::remove_all(folder, error);
    fs::create_directories(folder, error);
    return error ? std::optional(Complain("create " + folder.string(), error.message()))
                 : std::nullopt;
}

/// @param folder where to @param content the file @return why it cannot be written
std::optional<std::string>
WriteFile(const fs::path& folder, const ResultFolder::File& content)
{
    const fs::path path = folder / content.name;
    errno = 0;
    std::ofstream file(path);
    file.imbue(std::locale::classic());
    content.write(file);
    file.close(); // what is left in the stream's buffer may not fit on the disk either
    if (file)
    {
        return std::nullopt;
    }
    return Complain("write " + path.string(), errno ? std::strerror(errno) : "unknown error");
}

} // namespace

ResultFolder::ResultFolder(const std::string& path, const Mark& mark)
    : m_target(GetTarget(path)),
      m_mark(mark)
{
}

std::optional<std::string>
ResultFolder::Check() const
{
    if (const auto error = CheckReplaceable())
    {
        return error;
    }
    const fs::path trial = GetSibling("partial");
    const auto error = MakeFolder(trial);
    std::error_code ignored;
    fs::remove(trial, ignored);
    return error;
}

std::optional<std::string>
ResultFolder::Write(const std::vector<File>& files) const
{
    const fs::path partial = GetSibling("partial");
    auto error = CheckReplaceable();
    error = error ? error : MakeFolder(partial);
    for (std::size_t i = 0; !error && i < files.size(); ++i)
    {
        error = WriteFile(partial, files[i]);
    }
    error = error ? error : Install(partial, files);
    if (error)
    {
        std::error_code ignored;
        fs::remove_all(partial, ignored);
    }
    return error;
}

fs::path
ResultFolder::GetSibling(const std::string& purpose) const
{
    return m_target.parent_path() /
           (m_target.filename().string() + "." + purpose + "-" + std::to_string(getpid()));
}

bool
ResultFolder::HoldsResult() const
{
    std::ifstream file(m_target / m_mark.file);
    std::string start(MARK_RANGE, '\0');
    file.read(start.data(), static_cast<std::streamsize>(start.size()));
    return start.find(m_mark.text) != std::string::npos;
}

std::optional<std::string>
ResultFolder::CheckReplaceable() const
{
    std::error_code error;
    const fs::file_status status = fs::status(m_target, error);
    if (!fs::exists(status))
    {
        return std::nullopt;
    }
    if (!fs::is_directory(status))
    {
        return "Results: " + m_target.string() + " is a file; name a folder.";
    }
    const bool empty = fs::is_empty(m_target, error);
    if (error)
    {
        return Complain("read " + m_target.string(), error.message());
    }
    if (!empty && !HoldsResult())
    {
        return "Results: " + m_target.string() +
               " holds other files and no result of an earlier run; name another folder.";
    }
    return std::nullopt;
}

std::optional<std::string>
ResultFolder::Install(const fs::path& made, const std::vector<File>& files) const
{
    std::error_code error;
    std::error_code ignored;
    const bool replaces = fs::exists(m_target, error);
    const fs::path old = GetSibling("old");
    if (replaces)
    {
        fs::rename(m_target, old, error);
    }
    if (!error)
    {
        fs::rename(made, m_target, error);
        if (error && replaces)
        {
            fs::rename(old, m_target, ignored);
        }
    }
    if (error)
    {
        return Complain("put the result at " + m_target.string(), error.message());
    }
    return replaces ? KeepForeignFiles(old, files) : std::nullopt;
}

std::optional<std::string>
ResultFolder::KeepForeignFiles(const fs::path& old, const std::vector<File>& files) const
{
    std::error_code error;
    std::vector<fs::path> names;
    for (const auto& entry : fs::directory_iterator(old, error))
    {
        names.push_back(entry.path().filename());
    }
    for (const fs::path& name : names)
    {
        const auto isName = [&name](const File& file) { return file.name == name.string(); };
        if (std::none_of(files.begin(), files.end(), isName))
        {
            fs::rename(old / name, m_target / name, error);
        }
        if (error)
        {
            return Complain("move " + (old / name).string() + " to " + m_target.string(),
                            error.message());
        }
    }
    fs::remove_all(old, error);
    return error ? std::optional(Complain("remove " + old.string(), error.message()))
                 : std::nullopt;
}

} // namespace ns3::lossless
