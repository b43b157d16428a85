// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_VERSION_H
#define LOSSLESS_VERSION_H

#include <string>

namespace ns3::lossless
{

/// Version of the module, as CHANGES.md counts them.
inline constexpr const char* MODULE_VERSION = "1.0.0-rc1";

/// @return version of ns-3 for which the module was built, as "3.37"; empty if the build does not
/// know it
std::string GetNs3Version();

/// @return the commit that was built last, from the file lossless/commit.txt that the build leaves
/// beside the library; empty if that was not a git checkout, or the file is not there
std::string GetCommit();

/// @return what `--version` prints: version, commit and version of ns-3, as far as they are known
std::string DescribeVersion();

} // namespace ns3::lossless

#endif /* LOSSLESS_VERSION_H */
