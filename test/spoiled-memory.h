// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SPOILED_MEMORY_H
#define LOSSLESS_SPOILED_MEMORY_H

#include <cstddef>
#include <memory>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

// Reveals the use of destroyed objects, whose memory would otherwise usually remain unchanged.

namespace ns3::lossless::tests
{

/// Overwrites freed memory while this object exists.
class SpoiledMemory
{
  public:
    /// Makes the C library overwrite large blocks when they are freed.
    SpoiledMemory()
    {
        SetPerturbing(0xff);
    }

    ~SpoiledMemory()
    {
        SetPerturbing(0);
    }

    SpoiledMemory(const SpoiledMemory&) = delete;
    SpoiledMemory& operator=(const SpoiledMemory&) = delete;

    /// Allocates and keeps the most recently freed small blocks, which would be reused next.
    void Take()
    {
        // Otherwise, the vector itself would allocate one of these blocks.
        m_blocks.reserve(m_blocks.size() + LARGEST / STEP * COUNT);
        for (std::size_t size = STEP; size <= LARGEST; size += STEP)
        {
            for (std::size_t i = 0; i < COUNT; ++i)
            {
                m_blocks.emplace_back(new char[size]);
                // The compiler must not omit these writes, although the memory is never read.
                volatile char* bytes = m_blocks.back().get();
                for (std::size_t place = 0; place < size; ++place)
                {
                    bytes[place] = static_cast<char>(0xff);
                }
            }
        }
    }

  private:
    static constexpr std::size_t STEP = 16; ///< difference between consecutive sizes
    /// The maximum size of blocks that glibc leaves unchanged when they are freed (tcache).
    static constexpr std::size_t LARGEST = 1040;
    static constexpr std::size_t COUNT = 16; ///< number of blocks per size

    /// @param byte the value to write, or 0 for none
    static void SetPerturbing([[maybe_unused]] int byte)
    {
#ifdef __GLIBC__
        mallopt(M_PERTURB, byte);
#endif
    }

    std::vector<std::unique_ptr<char[]>> m_blocks; ///< see Take()
};

} // namespace ns3::lossless::tests

#endif /* LOSSLESS_SPOILED_MEMORY_H */
