// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BFC_FILTER_H
#define LOSSLESS_BFC_FILTER_H

#include "ns3/lossless-frame.h"

#include <cstdint>
#include <vector>

namespace ns3::lossless
{

/// @ingroup lossless
/// How BFC distinguishes flows: a flow's hash maps it to a virtual flow, and each virtual flow to
/// some bits of a Bloom filter. The numbers of flows and of bits are powers of two.
struct BfcHashing
{
    uint32_t virtualFlows{16384}; ///< number of virtual flows
    uint32_t filterBytes{128};    ///< size of a filter
    uint32_t hashes{4};           ///< bits of a virtual flow; some may coincide

    /// Maps a Frame::flowHash to its virtual flow.
    uint32_t GetVirtualFlow(uint64_t flowHash) const
    {
        return static_cast<uint32_t>(flowHash) & (virtualFlows - 1);
    }

    /// Returns bit `i` of a virtual flow, from 0 on. Double hashing (Kirsch and Mitzenmacher, ESA
    /// 2006) yields as few false positives as one hash for each bit.
    uint32_t GetBit(uint32_t virtualFlow, uint32_t i) const
    {
        const uint64_t hash = MixBits(uint64_t{virtualFlow} + 1);
        const auto first = static_cast<uint32_t>(hash);
        const auto step = static_cast<uint32_t>(hash >> 32) | 1;
        return (first + i * step) & (8 * filterBytes - 1);
    }

    /// Whether the numbers are powers of two and none is zero.
    bool IsValid() const;

    /// Whether both map flows to the same bits.
    bool operator==(const BfcHashing& other) const;
};

/// @ingroup lossless
/// A Bloom filter of virtual flows: every flow added is in it, and now and then another.
struct BfcFilter
{
    BfcHashing hashing;         ///< which bits a flow has
    std::vector<uint8_t> bytes; ///< bit b is bit b % 8 of byte b / 8; if empty, no flow is set

    /// Whether all bits of a virtual flow are set.
    bool Has(uint32_t virtualFlow) const
    {
        for (uint32_t i = 0; i < hashing.hashes; ++i)
        {
            const uint32_t bit = hashing.GetBit(virtualFlow, i);
            if ((bytes[bit / 8] >> (bit % 8) & 1) == 0)
            {
                return false;
            }
        }
        return true;
    }

    /// Whether no bit is set.
    bool IsEmpty() const;

    /// Whether another filter has a bit that this one lacks, or the two cannot be compared.
    bool Lacks(const BfcFilter& other) const;
};

/// @ingroup lossless
/// A counting Bloom filter, from which flows can be removed again.
class BfcCountingFilter
{
  public:
    /// Makes an empty filter.
    explicit BfcCountingFilter(const BfcHashing& hashing);

    /// Adds a virtual flow; flows added several times are counted.
    void Add(uint32_t virtualFlow);
    /// Removes a virtual flow once; it must be in the filter.
    void Remove(uint32_t virtualFlow);

    /// Returns the number of flows in the filter, counting repetitions.
    std::size_t GetSize() const
    {
        return m_size;
    }

    /// Returns the filter without the counts.
    BfcFilter TakeSnapshot() const;

  private:
    BfcHashing m_hashing;           ///< which bits a flow has
    std::vector<uint32_t> m_counts; ///< by bit
    std::size_t m_size{0};          ///< see GetSize()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BFC_FILTER_H */
