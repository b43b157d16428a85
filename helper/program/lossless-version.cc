// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-version.h"

#include <dlfcn.h>
#include <fstream>

namespace ns3::lossless
{

namespace
{

/// @return the folder of the library that contains this function, with a trailing slash, or an
/// empty string if it is unknown
std::string
FindOwnFolder()
{
    Dl_info found{};
    const bool isFound = dladdr(reinterpret_cast<void*>(&FindOwnFolder), &found) != 0;
    const std::string path = isFound ? found.dli_fname : "";
    return path.substr(0, path.find_last_of('/') + 1);
}

} // namespace

std::string
GetNs3Version()
{
#ifdef LOSSLESS_NS3_VERSION
    return LOSSLESS_NS3_VERSION;
#else
    return "";
#endif
}

std::string
GetCommit()
{
    std::string commit;
    std::ifstream file(FindOwnFolder() + "lossless/commit.txt");
    std::getline(file, commit);
    return commit;
}

std::string
DescribeVersion()
{
    const std::string commit = GetCommit();
    const std::string ns3 = GetNs3Version();
    return std::string("lossless ") + MODULE_VERSION +
           (commit.empty() ? "" : " (commit " + commit + ")") + (ns3.empty() ? "" : ", ns-" + ns3);
}

} // namespace ns3::lossless
