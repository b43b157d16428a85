// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BFC_FILTER_H
#define LOSSLESS_BFC_FILTER_H

#include "ns3/lossless-frame.h"

#include <cstdint>
#include <vector>

namespace ns3::lossless
{

/// @ingroup lossless
/// Defines how BFC distinguishes flows. The hash of a flow selects a virtual flow, and each virtual
/// flow is mapped to certain bits of a Bloom filter. The number of virtual flows and the number of
/// bits are powers of two.
struct BfcHashing
{
    uint32_t virtualFlows{16384}; ///< the number of virtual flows
    uint32_t filterBytes{128};    ///< the size of a filter in bytes
    uint32_t hashes{4}; ///< the number of bits per virtual flow; some of them can coincide

    /// Returns the virtual flow to which a Frame::flowHash is mapped.
    uint32_t GetVirtualFlow(uint64_t flowHash) const
    {
        return static_cast<uint32_t>(flowHash) & (virtualFlows - 1);
    }

    /// Returns the position of the i-th bit of a virtual flow in the filter (i starts at 0). Double
    /// hashing (Kirsch and Mitzenmacher, ESA 2006) causes hardly more false positives than a
    /// separate hash function for each bit.
    uint32_t GetBit(uint32_t virtualFlow, uint32_t i) const
    {
        const uint64_t hash = MixBits(uint64_t{virtualFlow} + 1);
        const auto first = static_cast<uint32_t>(hash);
        const auto step = static_cast<uint32_t>(hash >> 32) | 1;
        return (first + i * step) & (8 * filterBytes - 1);
    }

    /// Returns whether virtualFlows and filterBytes are powers of two and hashes is not 0.
    bool IsValid() const;

    /// Returns whether both hashings map flows to the same bits.
    bool operator==(const BfcHashing& other) const;
};

/// @ingroup lossless
/// A Bloom filter of virtual flows. It contains every flow that was added and occasionally appears
/// to contain a flow that was not added (a false positive).
struct BfcFilter
{
    BfcHashing hashing;         ///< the hashing, which maps flows to bits
    std::vector<uint8_t> bytes; ///< bit b of the filter is bit b % 8 of byte b / 8; an empty vector
                                ///< represents a filter without flows

    /// Returns whether all bits of a virtual flow are set.
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

    /// Returns whether the filter contains no flow.
    bool IsEmpty() const;

    /// Returns whether any bit of another filter is not set in this one. If the two hashings
    /// differ, the result is true unless the other filter is empty.
    bool Lacks(const BfcFilter& other) const;
};

/// @ingroup lossless
/// A counting Bloom filter, which supports the removal of flows.
class BfcCountingFilter
{
  public:
    /// Creates an empty filter.
    explicit BfcCountingFilter(const BfcHashing& hashing);

    /// Adds a virtual flow. A flow can be added several times.
    void Add(uint32_t virtualFlow);
    /// Removes a virtual flow once. The flow must be in the filter.
    void Remove(uint32_t virtualFlow);

    /// Returns the number of flows in the filter. Repeated additions of the same flow are counted
    /// separately.
    std::size_t GetSize() const
    {
        return m_size;
    }

    /// Returns a Bloom filter of the same flows, without counts.
    BfcFilter TakeSnapshot() const;

  private:
    BfcHashing m_hashing;           ///< the hashing, which maps flows to bits
    std::vector<uint32_t> m_counts; ///< the count of each bit
    std::size_t m_size{0};          ///< see GetSize()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BFC_FILTER_H */
