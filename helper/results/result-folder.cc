// SPDX-License-Identifier: GPL-2.0-only
#include "result-folder.h"

#include "ns3/output-file.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>
#include <unistd.h>

namespace ns3::lossless
{

namespace
{

namespace fs = std::filesystem;

/// The number of bytes at the start of a file that are searched for the mark.
constexpr std::size_t MARK_RANGE = 100;

/// @return the absolute path of a folder, without symbolic links or a trailing slash
fs::path
GetTarget(const std::string& folder)
{
    std::error_code error;
    const fs::path path = fs::absolute(folder, error).lexically_normal();
    const fs::path real = fs::weakly_canonical(path, error);
    const fs::path& target = error ? path : real;
    return target.has_filename() ? target : target.parent_path();
}

} // namespace

ResultFolder::ResultFolder(const std::string& path, const Mark& mark)
    : m_target(GetTarget(path)),
      m_mark(mark),
      m_earlier(GetWriteTime())
{
}

std::optional<std::string>
ResultFolder::Check() const
{
    return Try([](const fs::path&, const HeldSignals&) {});
}

std::optional<std::string>
ResultFolder::Write(const std::vector<File>& files) const
{
    std::optional<std::string> other;
    const auto problem =
        Try([this, &files, &other](const fs::path& partial, const HeldSignals& held) {
            for (const File& file : files)
            {
                if (held.IsEndWaiting())
                {
                    return; // the program will end after the partial folder is removed
                }
                const fs::path path = partial / file.name;
                if (const std::error_code error = WriteFile(path, file.write))
                {
                    throw fs::filesystem_error("cannot write", path, error);
                }
            }
            const auto present = GetWriteTime();
            if (present && present != m_earlier)
            {
                const fs::path free = FindFree();
                fs::rename(partial, free);
                other = "another run wrote to " + m_target.string() +
                        " while this one ran; the results of this one are in " + free.string();
                return;
            }
            Install(partial);
            m_earlier = GetWriteTime();
        });
    return problem ? problem : other;
}

std::optional<std::string>
ResultFolder::Try(const Fill& fill) const
{
    const HeldSignals held;
    const fs::path partial = GetSibling("partial");
    std::optional<std::string> problem;
    try
    {
        problem = CheckReplaceable();
        if (!problem)
        {
            fs::remove_all(partial);
            fs::create_directories(partial);
            fill(partial, held);
        }
    }
    catch (const fs::filesystem_error& error)
    {
        problem = "cannot write " + error.path1().string() + ": " + error.code().message();
    }
    std::error_code ignored;
    fs::remove_all(partial, ignored);
    return problem;
}

fs::path
ResultFolder::GetSibling(const std::string& purpose) const
{
    return m_target.string() + "." + purpose + "-" + std::to_string(getpid());
}

bool
ResultFolder::HoldsResult() const
{
    std::ifstream file(m_target / m_mark.file);
    std::string start(MARK_RANGE, '\0');
    file.read(start.data(), static_cast<std::streamsize>(start.size()));
    return start.find(m_mark.text) != std::string::npos;
}

std::optional<fs::file_time_type>
ResultFolder::GetWriteTime() const
{
    std::error_code error;
    const auto time = fs::last_write_time(m_target / m_mark.file, error);
    return error ? std::nullopt : std::optional(time);
}

fs::path
ResultFolder::FindFree() const
{
    uint32_t number = 2;
    while (fs::exists(m_target.string() + "-" + std::to_string(number)))
    {
        ++number;
    }
    return m_target.string() + "-" + std::to_string(number);
}

std::vector<std::string>
ResultFolder::ListFiles(const fs::path& folder) const
{
    std::vector<std::string> names = m_mark.derived;
    std::ifstream file(folder / m_mark.file);
    const auto json = nlohmann::json::parse(file, nullptr, false);
    const auto found = json.find("files");
    if (found != json.end() && found->is_array())
    {
        std::copy_if(found->begin(), found->end(), std::back_inserter(names), [](const auto& name) {
            return name.is_string();
        });
    }
    return names;
}

std::optional<std::string>
ResultFolder::CheckReplaceable() const
{
    for (fs::path part = m_target; part.has_relative_path(); part = part.parent_path())
    {
        if (!fs::exists(part) && fs::is_symlink(part))
        {
            return part.string() + " is a symbolic link that leads nowhere; name a folder";
        }
    }
    if (!fs::exists(m_target))
    {
        return std::nullopt;
    }
    if (!fs::is_directory(m_target))
    {
        return m_target.string() + " is a file; name a folder";
    }
    if (!fs::is_empty(m_target) && !HoldsResult())
    {
        return m_target.string() +
               " holds other files and no result of an earlier run; name another folder";
    }
    return std::nullopt;
}

void
ResultFolder::Install(const fs::path& made) const
{
    const bool replaces = fs::exists(m_target);
    const fs::path old = GetSibling("old");
    if (replaces)
    {
        fs::rename(m_target, old);
    }
    fs::rename(made, m_target);
    if (replaces)
    {
        const std::vector<std::string> former = ListFiles(old);
        for (const auto& entry : fs::directory_iterator(old))
        {
            const fs::path name = entry.path().filename();
            const fs::path kept = m_target / name;
            if (!fs::exists(kept) && std::find(former.begin(), former.end(), name) == former.end())
            {
                fs::rename(entry.path(), kept);
            }
        }
        fs::remove_all(old);
    }
}

} // namespace ns3::lossless
