// SPDX-License-Identifier: GPL-2.0-only
#include "huge-pages.h"

#include "ns3/boolean.h"
#include "ns3/global-value.h"

#if defined(__linux__) && defined(__GLIBC__)
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace ns3::lossless
{

namespace
{

GlobalValue g_hugePages("LosslessHugePages",
                        "Whether programs ask for huge pages for their memory.",
                        BooleanValue(true),
                        MakeBooleanChecker());

#if defined(__linux__) && defined(__GLIBC__)

/// The increment, in bytes of address space (not of memory), by which the heap grows. The first
/// increment is enough for most networks.
constexpr int HEAP_STEP = 1 << 29;

/// Sets the allocator to extend the heap by HEAP_STEP at a time.
/// @return whether the heap can grow by HEAP_STEP and the allocator accepted the settings
bool
ExtendHeap()
{
    // If one of these calls fails, the allocator cannot extend the heap by increments of this size
    // either.
    if (sbrk(HEAP_STEP) == reinterpret_cast<void*>(-1) ||
        sbrk(-HEAP_STEP) == reinterpret_cast<void*>(-1))
    {
        return false;
    }
    return mallopt(M_TOP_PAD, HEAP_STEP) == 1 && mallopt(M_TRIM_THRESHOLD, 2 * HEAP_STEP) == 1;
}

/// Requests huge pages for the addresses between `from`, a previous end of the heap, and the
/// current end.
void
Advise(void* from)
{
    constexpr std::uintptr_t HUGE_PAGE = 1 << 21;
    const auto begin = (reinterpret_cast<std::uintptr_t>(from) + HUGE_PAGE - 1) & -HUGE_PAGE;
    const auto end = reinterpret_cast<std::uintptr_t>(sbrk(0)) & -HUGE_PAGE;
    if (begin < end)
    {
        madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
    }
}

#endif

} // namespace

void
UseHugePages()
{
#if defined(__linux__) && defined(__GLIBC__)
    BooleanValue isWanted;
    g_hugePages.GetValue(isWanted);
    void* const end = sbrk(0);
    if (!isWanted.Get() || !ExtendHeap())
    {
        return;
    }
    // Blocks below this size are allocated from the heap. If a block does not fit, the heap grows
    // by at least one increment.
    constexpr int LARGEST_BLOCK = 1 << 25;
    mallopt(M_MMAP_THRESHOLD, LARGEST_BLOCK);
    // The pointer is volatile so that the compiler does not remove the allocation.
    void* volatile block = std::malloc(LARGEST_BLOCK / 2);
    std::free(block);
    Advise(end);
#endif
}

} // namespace ns3::lossless
