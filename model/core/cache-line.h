// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CACHE_LINE_H
#define LOSSLESS_CACHE_LINE_H

#include <cstddef>
#include <cstdint>

/**
 * @file
 * @ingroup lossless
 * Support for prefetching. Classes whose objects handle frames have a function Prefetch(), which is
 * called shortly before such an object is used. Prefetch() loads data into the caches, changes no
 * state, and calls Prefetch() on the objects to which these data belong. If a pointer must be
 * loaded before it can be followed, Prefetch() takes a step number, and time passes between the
 * calls for successive steps. WheelSimulatorImpl starts prefetching a few turns before an event
 * (ReusableEvent::Prefetch()), and a cable to a host also prefetches for the frames in flight
 * (FrameSink::Prefetch()).
 */

namespace ns3::lossless
{

/// The cache line size of common processors, in bytes. It is used for prefetching and does not
/// affect results.
inline constexpr std::size_t CACHE_LINE_BYTES = 64;

/// Prefetches a range of memory into the caches.
/// @param begin the start of the range; can be null
/// @param bytes the size of the range, at least 1
inline void
PrefetchLines(const void* begin, std::size_t bytes)
{
    const auto first = reinterpret_cast<std::uintptr_t>(begin);
    for (std::size_t at = 0; at < bytes; at += CACHE_LINE_BYTES)
    {
        __builtin_prefetch(reinterpret_cast<const void*>(first + at));
    }
    __builtin_prefetch(reinterpret_cast<const void*>(first + bytes - 1));
    // Without this statement, GCC 12 treats a function that only prefetches as having no effect and
    // removes all calls to it.
    asm volatile("");
}

} // namespace ns3::lossless

#endif /* LOSSLESS_CACHE_LINE_H */
