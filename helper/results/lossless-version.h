// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_VERSION_H
#define LOSSLESS_VERSION_H

namespace ns3::lossless
{

/// Version of the module, as CHANGES.md counts them.
inline constexpr const char* MODULE_VERSION = "0.1.0";

} // namespace ns3::lossless

#endif /* LOSSLESS_VERSION_H */
