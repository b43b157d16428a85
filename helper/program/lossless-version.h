// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_VERSION_H
#define LOSSLESS_VERSION_H

#include <string>

namespace ns3::lossless
{

/// The version of the module as in CHANGES.md.
inline constexpr const char* MODULE_VERSION = "1.0.0-rc1";

/// @return the ns-3 version for which the module was built, such as "3.37", or an empty string if
/// it is unknown
std::string GetNs3Version();

/// @return the commit of the last build, which is read from the file lossless/commit.txt. The build
/// writes this file next to the library. The result is empty if the build was outside a git
/// checkout or there is no such file.
std::string GetCommit();

/// @return the output of `--version`, which consists of the version and, if known, the commit and
/// the ns-3 version
std::string DescribeVersion();

} // namespace ns3::lossless

#endif /* LOSSLESS_VERSION_H */
