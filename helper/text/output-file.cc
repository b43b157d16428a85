// SPDX-License-Identifier: GPL-2.0-only
#include "output-file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <locale>
#include <unistd.h>

namespace ns3::lossless
{

namespace
{

namespace fs = std::filesystem;

const std::string STANDARD_OUTPUT = "-";

/// @param path the path given by the user
/// @return true if the target must be written in place rather than replaced
bool
LeadsToStream(const std::string& path)
{
    std::error_code ignored;
    // These paths refer to open files of this process. Only the kernel can resolve them.
    const auto starts = {"/dev/std", "/dev/fd/", "/proc/"};
    const bool isOpen = std::any_of(starts.begin(), starts.end(), [&path](const char* start) {
        return path.rfind(start, 0) == 0;
    });
    return fs::exists(path, ignored) && (isOpen || !fs::is_regular_file(path, ignored));
}

/// @param path the path given by the user
/// @param isStream see LeadsToStream()
/// @return the target of the path
std::string
Resolve(const std::string& path, bool isStream)
{
    if (path == "/dev/stdout")
    {
        return STANDARD_OUTPUT;
    }
    constexpr int MOST_LINKS = 40; // the kernel's limit for a path
    std::error_code ignored;
    fs::path target = path;
    for (int i = 0; i < MOST_LINKS && !isStream && fs::is_symlink(target, ignored); ++i)
    {
        target = target.parent_path() / fs::read_symlink(target, ignored);
    }
    return target.string();
}

} // namespace

HeldSignals::HeldSignals()
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &m_before);
}

HeldSignals::~HeldSignals()
{
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

bool
HeldSignals::IsEndWaiting() const
{
    constexpr std::array<int, 3> fromUsers = {SIGHUP, SIGINT, SIGTERM};
    sigset_t waiting;
    sigpending(&waiting);
    return std::any_of(fromUsers.begin(), fromUsers.end(), [&waiting](int signal) {
        struct sigaction action = {};
        sigaction(signal, nullptr, &action);
        return sigismember(&waiting, signal) == 1 && action.sa_handler == SIG_DFL;
    });
}

std::error_code
WriteFile(const std::string& path, const std::function<void(std::ostream&)>& write)
{
    errno = 0;
    std::ofstream file(path);
    file.imbue(std::locale::classic());
    write(file);
    file.close(); // this flushes the buffer, which fails if the disk is full
    return file ? std::error_code() : std::error_code(errno ? errno : EIO, std::generic_category());
}

OutputFile::OutputFile(const std::string& path)
    : m_isStream(LeadsToStream(path)),
      m_path(Resolve(path, m_isStream))
{
}

bool
OutputFile::IsStandardOutput() const
{
    return m_path == STANDARD_OUTPUT;
}

std::optional<std::string>
OutputFile::Check() const
{
    std::error_code ignored;
    const fs::path folder = fs::absolute(m_path, ignored).parent_path();
    const std::string& written = m_isStream ? m_path : folder.string();
    if (IsStandardOutput())
    {
        return std::nullopt;
    }
    if (fs::is_directory(m_path, ignored) || access(written.c_str(), W_OK) != 0)
    {
        return "a file in a folder that can be written to, or - for standard output";
    }
    const std::error_code error = Try();
    return error ? std::optional("a file that can be written, or - for standard output (" +
                                 error.message() + ")")
                 : std::nullopt;
}

std::error_code
OutputFile::Try() const
{
    std::error_code ignored;
    if (!m_isStream)
    {
        const HeldSignals held;
        const std::error_code error = WriteFile(GetPart(), [](std::ostream&) {});
        fs::remove(GetPart(), ignored);
        return error;
    }
    if (!fs::is_character_file(m_path, ignored))
    {
        return {}; // a FIFO can only be opened while it has a reader
    }
    errno = 0;
    const int device = open(m_path.c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK);
    // A full device, such as /dev/full, refuses even to write nothing.
    const bool isWritable = device >= 0 && write(device, "", 0) == 0;
    const std::error_code error(isWritable ? 0 : errno, std::generic_category());
    close(device);
    return error;
}

std::string
OutputFile::GetPart() const
{
    return m_path + ".part-" + std::to_string(getpid());
}

std::error_code
OutputFile::Write(const std::function<void(std::ostream&)>& write) const
{
    if (IsStandardOutput())
    {
        write(std::cout);
        return std::cout.flush() ? std::error_code() : std::make_error_code(std::errc::io_error);
    }
    return m_isStream ? WriteFile(m_path, write) : Replace(write);
}

std::error_code
OutputFile::Replace(const std::function<void(std::ostream&)>& write) const
{
    const HeldSignals held;
    const std::string part = GetPart();
    std::error_code error = WriteFile(part, write);
    if (!error)
    {
        fs::rename(part, m_path, error);
    }
    if (error)
    {
        std::error_code ignored;
        fs::remove(part, ignored);
    }
    return error;
}

} // namespace ns3::lossless
