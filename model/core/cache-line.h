// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CACHE_LINE_H
#define LOSSLESS_CACHE_LINE_H

#include <cstddef>
#include <cstdint>

namespace ns3::lossless
{

/// Cache line size of all relevant processors, in bytes, for prefetching. Results do not depend on
/// it.
inline constexpr std::size_t CACHE_LINE_BYTES = 64;

/// Prefetches a range of memory into the caches.
/// @param begin may be null
/// @param bytes at least 1
inline void
PrefetchLines(const void* begin, std::size_t bytes)
{
    const auto first = reinterpret_cast<std::uintptr_t>(begin);
    for (std::size_t at = 0; at < bytes; at += CACHE_LINE_BYTES)
    {
        __builtin_prefetch(reinterpret_cast<const void*>(first + at));
    }
    __builtin_prefetch(reinterpret_cast<const void*>(first + bytes - 1));
    // Without this, GCC 12 considers a function that only prefetches free of effects and drops the
    // calls.
    asm volatile("");
}

} // namespace ns3::lossless

#endif /* LOSSLESS_CACHE_LINE_H */
