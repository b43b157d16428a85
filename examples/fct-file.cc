// SPDX-License-Identifier: GPL-2.0-only
#include "fct-file.h"

#include "ns3/ranks.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace ns3::lossless
{

namespace
{

/// @param path a file, which need not exist @return whether it can be made or replaced
bool
IsFileWritable(const std::string& path)
{
    const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
    return !std::filesystem::is_directory(path) && std::filesystem::is_directory(folder) &&
           access(folder.c_str(), W_OK) == 0;
}

} // namespace

void
FctFile::AddOption(Experiment& experiment)
{
    experiment.AddValue("fct-file",
                        "Where to write flow completion times in the forks' format; none are "
                        "written if it is empty.",
                        m_path);
}

void
FctFile::Check(const Experiment& experiment, const std::vector<std::string>& inputs) const
{
    const bool isRead = std::find(inputs.begin(), inputs.end(), m_path) != inputs.end();
    experiment.Require(!IsWanted() || !isRead,
                       "--fct-file is \"" + m_path + "\", which is read; it must be another file");
    experiment.Require(!IsWanted() || IsFileWritable(m_path),
                       "--fct-file is \"" + m_path +
                           "\"; it must be a file in a folder that can be written to");
}

bool
FctFile::IsWanted() const
{
    return !m_path.empty();
}

void
FctFile::Write(Experiment& experiment, const HpccFlows& flows, const Fabric& fabric) const
{
    if (!IsWanted() || !Ranks::IsFirst() || experiment.IsInterrupted()) // nothing in it would tell
    {
        return;
    }
    const std::string part = m_path + ".part";
    std::ofstream file(part);
    WriteHpccFct(file, flows, fabric, experiment.GetResults().GetFlows().GetFlows());
    file.close();
    std::error_code error;
    if (file)
    {
        std::filesystem::rename(part, m_path, error);
    }
    const bool isWritten = file && !error;
    if (!isWritten)
    {
        std::filesystem::remove(part, error);
    }
    experiment.Require(isWritten, "--fct-file is \"" + m_path + "\", which cannot be written");
}

} // namespace ns3::lossless
