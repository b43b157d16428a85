// SPDX-License-Identifier: GPL-2.0-only
#include "output-command-line.h"

#include "ns3/output-file.h"
#include "ns3/ranks.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <unistd.h>

namespace ns3::lossless
{

namespace
{

/// @return the start of a message about an option and its file
std::string
Describe(const std::string& name, const std::string& path)
{
    return "--" + name + " is \"" + path + "\"";
}

bool
IsSameFile(const std::string& path, const std::string& other)
{
    namespace fs = std::filesystem;
    std::error_code error; // inaccessible files count as missing
    const bool isFile = !fs::exists(path, error) || fs::is_regular_file(path, error);
    const auto resolve = [&error](const std::string& name) {
        return fs::weakly_canonical(fs::absolute(name, error), error);
    };
    return isFile && !other.empty() && resolve(path) == resolve(other);
}

bool
IsInFolder(const std::string& path, const std::string& folder)
{
    namespace fs = std::filesystem;
    return IsSameFile(path, fs::path(folder) / fs::path(path).filename());
}

/// Redirects standard output to another file descriptor.
void
PrintTo(int descriptor)
{
    std::cout.flush();
    std::fflush(stdout);
    dup2(descriptor, STDOUT_FILENO);
}

} // namespace

OutputCommandLine::~OutputCommandLine()
{
    if (m_standardOutput >= 0)
    {
        PrintTo(m_standardOutput);
        close(m_standardOutput);
    }
}

void
OutputCommandLine::AddOutput(const std::string& name, const std::string& content)
{
    AddValue(name, content + "; -: to standard output.", m_paths[name]);
}

void
OutputCommandLine::OpenOutputs(const std::string& folder)
{
    m_folder = folder;
    std::map<std::string, std::string> all = m_paths;
    all["output"] = folder;
    std::string first;
    for (const auto& [name, path] : m_paths)
    {
        // An empty name leaves out the output that a file of settings names.
        const bool mayBeEmpty = !GetSettingsFiles().empty();
        if (path.empty() && (mayBeEmpty || !IsGiven(name)))
        {
            continue;
        }
        const OutputFile file(path);
        Require(folder.empty() || file.IsStandardOutput() || !IsInFolder(path, folder),
                Describe(name, path) + ", in the folder of --output; it must be elsewhere");
        const auto allowed = file.Check();
        Require(!allowed, Describe(name, path) + "; it must be " + allowed.value_or(""));
        for (const auto& [other, rival] : all)
        {
            Require(other == name || file.IsStandardOutput() || !IsSameFile(path, rival),
                    Describe(name, path) + ", the file of --" + other + "; it must be another one");
        }
        if (file.IsStandardOutput())
        {
            Require(first.empty(),
                    "--" + first + " and --" + name +
                        " are both standard output; one of them must be a file");
            first = name;
        }
    }
    if (!first.empty())
    {
        m_standardOutput = dup(STDOUT_FILENO);
        Require(m_standardOutput >= 0,
                "--" + first + " is standard output, which is closed; it must be a file");
        PrintTo(STDERR_FILENO);
    }
}

void
OutputCommandLine::RequireUnread(const std::vector<std::string>& inputs) const
{
    for (const std::string& input : inputs)
    {
        Require(m_folder.empty() || input.empty() || !IsInFolder(input, m_folder),
                Describe("output", m_folder) + ", where " + input +
                    " is, which is read; it must be another folder");
    }
    for (const auto& [name, path] : m_paths)
    {
        const bool isRead =
            std::any_of(inputs.begin(), inputs.end(), [&](const std::string& input) {
                return IsSameFile(path, input);
            });
        Require(path.empty() || !isRead,
                Describe(name, path) + ", which is read; it must be another file");
    }
}

const std::string&
OutputCommandLine::GetOutput(const std::string& name) const
{
    return m_paths.at(name);
}

void
OutputCommandLine::WriteOutput(const std::string& name,
                               const std::function<void(std::ostream&)>& write) const
{
    const std::string& path = GetOutput(name);
    if (path.empty() || !Ranks::IsFirst())
    {
        return;
    }
    const OutputFile file(path);
    if (file.IsStandardOutput())
    {
        PrintTo(m_standardOutput);
    }
    const std::error_code error = file.Write(write);
    if (file.IsStandardOutput())
    {
        PrintTo(STDERR_FILENO);
    }
    // The end of the program reports a failure of standard output; see EndErrorsBySentence().
    Require(!error || file.IsStandardOutput(),
            Describe(name, path) + ", which cannot be written: " + error.message());
}

} // namespace ns3::lossless
