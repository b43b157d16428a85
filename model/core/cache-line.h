// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CACHE_LINE_H
#define LOSSLESS_CACHE_LINE_H

#include <cstddef>

namespace ns3::lossless
{

/// Bytes of a cache line, of all processors that matter here, for prefetching; results do not
/// depend on it.
inline constexpr std::size_t CACHE_LINE_BYTES = 64;

} // namespace ns3::lossless

#endif /* LOSSLESS_CACHE_LINE_H */
