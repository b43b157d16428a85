// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BFC_FILTER_H
#define LOSSLESS_BFC_FILTER_H

#include "ns3/lossless-frame.h"

#include <cstdint>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * How BFC tells flows apart: a flow's hash makes it one of some virtual flows, and each of these
 * has some bits of a Bloom filter. Numbers of flows and of bits are powers of two.
 */
struct BfcHashing
{
    uint32_t virtualFlows{16384}; ///< number of virtual flows
    uint32_t filterBytes{128};    ///< size of a filter
    uint32_t hashes{4};           ///< bits of a virtual flow, some of which may be the same

    /// @param flowHash Frame::flowHash @return the virtual flow
    uint32_t GetVirtualFlow(uint64_t flowHash) const
    {
        return static_cast<uint32_t>(flowHash) & (virtualFlows - 1);
    }

    /// From two hashes, as Kirsch and Mitzenmacher do (ESA 2006): it costs as few false positives
    /// as one hash for each bit. @param virtualFlow a virtual flow @param i which, from 0 on
    /// @return its bit
    uint32_t GetBit(uint32_t virtualFlow, uint32_t i) const
    {
        const uint64_t hash = MixBits(uint64_t{virtualFlow} + 1);
        const auto first = static_cast<uint32_t>(hash);
        const auto step = static_cast<uint32_t>(hash >> 32) | 1;
        return (first + i * step) & (8 * filterBytes - 1);
    }

    /// @return whether the numbers are powers of two, and none is zero
    bool IsValid() const;

    /// @param other another one @return whether both tell flows apart in the same way
    bool operator==(const BfcHashing& other) const;
};

/**
 * @ingroup lossless
 * A Bloom filter of virtual flows: it has each flow that was added, and now and then another one.
 */
struct BfcFilter
{
    BfcHashing hashing;         ///< which bits a flow has
    std::vector<uint8_t> bytes; ///< bit b is bit b % 8 of byte b / 8; none: it has no flow

    /// @param virtualFlow a virtual flow @return whether all its bits are set
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

    /// @return whether no bit is set
    bool IsEmpty() const;

    /// @param other another filter, of any kind @return whether it has a bit that this one lacks,
    /// or they cannot be compared
    bool Lacks(const BfcFilter& other) const;
};

/**
 * @ingroup lossless
 * The same with a count for each bit, so that flows can be taken out again.
 */
class BfcCountingFilter
{
  public:
    /// @param hashing which bits a flow has
    explicit BfcCountingFilter(const BfcHashing& hashing);

    /// @param virtualFlow a virtual flow; it may be in the filter already, and then is in it twice
    void Add(uint32_t virtualFlow);
    /// @param virtualFlow a virtual flow that is in the filter; it is once less
    void Remove(uint32_t virtualFlow);

    /// @return how many flows are in it, each as often as it is
    std::size_t GetSize() const
    {
        return m_size;
    }

    /// @return the flows, without their counts
    BfcFilter TakeSnapshot() const;

  private:
    BfcHashing m_hashing;           ///< which bits a flow has
    std::vector<uint32_t> m_counts; ///< by bit
    std::size_t m_size{0};          ///< see GetSize()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BFC_FILTER_H */
