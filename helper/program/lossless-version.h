// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_VERSION_H
#define LOSSLESS_VERSION_H

#include <string>

namespace ns3::lossless
{

/// Version of the module in CHANGES.md.
inline constexpr const char* MODULE_VERSION = "1.0.0-rc1";

/// @return version of ns-3 for which the module was built, such as "3.37"; empty if unknown
std::string GetNs3Version();

/// @return the commit that was built last, from the file lossless/commit.txt that the build leaves
/// next to the library; empty outside a git checkout or without the file
std::string GetCommit();

/// @return output of `--version`: version, commit and version of ns-3, as far as known
std::string DescribeVersion();

} // namespace ns3::lossless

#endif /* LOSSLESS_VERSION_H */
