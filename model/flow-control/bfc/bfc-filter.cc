// SPDX-License-Identifier: GPL-2.0-only
#include "bfc-filter.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3::lossless
{

bool
BfcHashing::IsValid() const
{
    const auto isPower = [](uint32_t number) {
        return number != 0 && (number & (number - 1)) == 0;
    };
    return isPower(virtualFlows) && isPower(filterBytes) && hashes != 0;
}

bool
BfcHashing::operator==(const BfcHashing& other) const
{
    return virtualFlows == other.virtualFlows && filterBytes == other.filterBytes &&
           hashes == other.hashes;
}

bool
BfcFilter::IsEmpty() const
{
    return std::all_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte == 0; });
}

bool
BfcFilter::Lacks(const BfcFilter& other) const
{
    if (IsEmpty() || other.IsEmpty() || !(hashing == other.hashing))
    {
        return !other.IsEmpty();
    }
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
        if ((other.bytes[i] & ~bytes[i]) != 0)
        {
            return true;
        }
    }
    return false;
}

BfcCountingFilter::BfcCountingFilter(const BfcHashing& hashing)
    : m_hashing(hashing),
      m_counts(8 * std::size_t{hashing.filterBytes})
{
}

void
BfcCountingFilter::Add(uint32_t virtualFlow)
{
    for (uint32_t i = 0; i < m_hashing.hashes; ++i)
    {
        ++m_counts[m_hashing.GetBit(virtualFlow, i)];
    }
    ++m_size;
}

void
BfcCountingFilter::Remove(uint32_t virtualFlow)
{
    for (uint32_t i = 0; i < m_hashing.hashes; ++i)
    {
        NS_ASSERT(m_counts[m_hashing.GetBit(virtualFlow, i)] > 0);
        --m_counts[m_hashing.GetBit(virtualFlow, i)];
    }
    --m_size;
}

BfcFilter
BfcCountingFilter::TakeSnapshot() const
{
    BfcFilter filter{m_hashing, std::vector<uint8_t>(m_hashing.filterBytes)};
    for (std::size_t bit = 0; bit < m_counts.size(); ++bit)
    {
        filter.bytes[bit / 8] |= static_cast<uint8_t>((m_counts[bit] > 0 ? 1U : 0U) << (bit % 8));
    }
    return filter;
}

} // namespace ns3::lossless
