// SPDX-License-Identifier: GPL-2.0-only
#include "output-options.h"

#include "ns3/output-file.h"
#include "ns3/ranks.h"

#include <cstdio>
#include <iostream>
#include <unistd.h>

namespace ns3::lossless
{

namespace
{

/// @param name of an option @param path its file @return a sentence's beginning about both
std::string
Describe(const std::string& name, const std::string& path)
{
    return "--" + name + " is \"" + path + "\"";
}

/// What is printed from now on goes to another descriptor. @param descriptor that one
void
PrintTo(int descriptor)
{
    std::cout.flush();
    std::fflush(stdout);
    dup2(descriptor, STDOUT_FILENO);
}

} // namespace

OutputOptions::~OutputOptions()
{
    if (m_standardOutput >= 0)
    {
        PrintTo(m_standardOutput);
        close(m_standardOutput);
    }
}

void
OutputOptions::Add(StrictCommandLine& commandLine,
                   const std::string& name,
                   const std::string& content)
{
    commandLine.AddValue(name, content + "; -: to standard output.", m_paths[name]);
}

void
OutputOptions::Open(const StrictCommandLine& commandLine)
{
    std::string first;
    for (const auto& [name, path] : m_paths)
    {
        if (!commandLine.IsGiven(name))
        {
            continue;
        }
        const OutputFile file(path);
        const auto allowed = file.Check();
        commandLine.Require(!allowed,
                            Describe(name, path) + "; it must be " + allowed.value_or(""));
        if (file.IsStandardOutput())
        {
            commandLine.Require(first.empty(),
                                "--" + first + " and --" + name +
                                    " are both standard output; one of them must be a file");
            first = name;
        }
    }
    if (!first.empty())
    {
        m_standardOutput = dup(STDOUT_FILENO);
        PrintTo(STDERR_FILENO);
    }
}

const std::string&
OutputOptions::GetPath(const std::string& name) const
{
    return m_paths.at(name);
}

void
OutputOptions::Write(const StrictCommandLine& commandLine,
                     const std::string& name,
                     const std::function<void(std::ostream&)>& write) const
{
    const std::string& path = GetPath(name);
    if (path.empty() || !Ranks::IsFirst())
    {
        return;
    }
    const OutputFile file(path);
    bool isWritten = false;
    const auto writeAll = [&] { isWritten = file.Write(write); };
    if (file.IsStandardOutput())
    {
        UseStandardOutput(writeAll);
    }
    else
    {
        writeAll();
    }
    commandLine.Require(isWritten, Describe(name, path) + ", which cannot be written");
}

void
OutputOptions::UseStandardOutput(const std::function<void()>& write) const
{
    PrintTo(m_standardOutput);
    write();
    PrintTo(STDERR_FILENO);
}

} // namespace ns3::lossless
