// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CACHE_LINE_H
#define LOSSLESS_CACHE_LINE_H

#include <cstddef>
#include <cstdint>

namespace ns3::lossless
{

/// Bytes of a cache line, of all processors that matter here, for prefetching; results do not
/// depend on it.
inline constexpr std::size_t CACHE_LINE_BYTES = 64;

/// Brings what will be needed into the processor's caches.
/// @param begin of it; may be null @param bytes how many, at least 1
inline void
PrefetchLines(const void* begin, std::size_t bytes)
{
    const auto first = reinterpret_cast<std::uintptr_t>(begin);
    for (std::size_t at = 0; at < bytes; at += CACHE_LINE_BYTES)
    {
        __builtin_prefetch(reinterpret_cast<const void*>(first + at));
    }
    __builtin_prefetch(reinterpret_cast<const void*>(first + bytes - 1));
    // Or GCC 12 takes a function which does nothing else for one without effect, and calls it
    // never.
    asm volatile("");
}

} // namespace ns3::lossless

#endif /* LOSSLESS_CACHE_LINE_H */
