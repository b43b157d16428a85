// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-version.h"

#include <fstream>

namespace ns3::lossless
{

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
#ifdef LOSSLESS_COMMIT_FILE
    std::ifstream file(LOSSLESS_COMMIT_FILE);
    std::getline(file, commit);
#endif
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
