// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SPOILED_MEMORY_H
#define LOSSLESS_SPOILED_MEMORY_H

#include <cstddef>
#include <memory>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

// Finds out who uses an object that is gone: without this, its memory mostly still has what it had.

namespace ns3::lossless::tests
{

/// Memory that was freed, and is written over for as long as this exists.
class SpoiledMemory
{
  public:
    /// From now on, the C library writes over large blocks as they are freed.
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

    /// Takes the small blocks that were freed last, which are handed out next, and keeps them.
    void Take()
    {
        m_blocks.reserve(m_blocks.size() + LARGEST / STEP * COUNT); // or it would take one itself
        for (std::size_t size = STEP; size <= LARGEST; size += STEP)
        {
            for (std::size_t i = 0; i < COUNT; ++i)
            {
                m_blocks.emplace_back(new char[size]);
                volatile char* bytes = m_blocks.back().get(); // written though never read
                for (std::size_t place = 0; place < size; ++place)
                {
                    bytes[place] = static_cast<char>(0xff);
                }
            }
        }
    }

  private:
    static constexpr std::size_t STEP = 16;      ///< from one size to the next
    static constexpr std::size_t LARGEST = 1040; ///< that glibc keeps unchanged, see tcache
    static constexpr std::size_t COUNT = 16;     ///< blocks of a size

    /// @param byte to write; 0: none
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
