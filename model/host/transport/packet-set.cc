// SPDX-License-Identifier: GPL-2.0-only
#include "packet-set.h"

#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace ns3::lossless
{

bool
PacketSet::Insert(uint64_t packet)
{
    NS_ASSERT(packet >= m_base);
    if (packet / BITS - m_base / BITS >= m_words.size())
    {
        Grow(packet);
    }
    uint64_t& word = WordOf(packet);
    const uint64_t bit = 1ULL << packet % BITS;
    const bool isNew = (word & bit) == 0;
    word |= bit;
    m_size += isNew;
    m_end = std::max(m_end, packet + 1);
    return isNew;
}

bool
PacketSet::Remove(uint64_t packet)
{
    if (!Contains(packet))
    {
        return false;
    }
    WordOf(packet) &= ~(1ULL << packet % BITS);
    --m_size;
    return true;
}

void
PacketSet::ForgetBefore(uint64_t base)
{
    if (base <= m_base)
    {
        return;
    }
    // Clears the words that are no longer needed and, in the word that contains the base, the bits
    // below it.
    while (m_size > 0 && m_base < base && m_base < m_end)
    {
        const uint64_t next = std::min(base, (m_base / BITS + 1) * BITS);
        const uint64_t above = next % BITS == 0 ? 0 : ~0ULL << next % BITS;
        uint64_t& word = WordOf(m_base);
        m_size -= static_cast<uint64_t>(__builtin_popcountll(word & ~above));
        word &= above;
        m_base = next;
    }
    m_base = base;
    if (m_size == 0)
    {
        m_end = base;
    }
}

void
PacketSet::Clear(uint64_t base)
{
    std::fill(m_words.begin(), m_words.end(), 0);
    m_base = base;
    m_end = base;
    m_size = 0;
}

uint64_t
PacketSet::GetFirst() const
{
    NS_ASSERT(m_size > 0);
    uint64_t from = m_base;
    while (WordOf(from) >> from % BITS == 0)
    {
        from = (from / BITS + 1) * BITS;
    }
    return from + static_cast<uint64_t>(__builtin_ctzll(WordOf(from) >> from % BITS));
}

uint64_t
PacketSet::GetFirstMissing(uint64_t from) const
{
    while (m_size > 0 && from >= m_base && from < m_end)
    {
        const uint64_t missing = ~WordOf(from) >> from % BITS;
        if (missing != 0)
        {
            return from + static_cast<uint64_t>(__builtin_ctzll(missing));
        }
        from = (from / BITS + 1) * BITS;
    }
    return from;
}

uint64_t
PacketSet::GetBits(uint64_t from) const
{
    uint64_t bits = 0;
    for (uint64_t i = 0; i < BITS; i += BITS - (from + i) % BITS)
    {
        const uint64_t packet = from + i;
        const bool isInside = m_size > 0 && packet / BITS >= m_base / BITS && packet < m_end;
        bits |= isInside ? WordOf(packet) >> packet % BITS << i : 0;
    }
    return bits;
}

void
PacketSet::Grow(uint64_t packet)
{
    std::size_t size = std::max<std::size_t>(1, m_words.size());
    while (packet / BITS - m_base / BITS >= size)
    {
        size *= 2;
    }
    std::vector<uint64_t> words(size);
    for (uint64_t word = m_base / BITS; m_size > 0 && word * BITS < m_end; ++word)
    {
        words[word & (size - 1)] = m_words[word & (m_words.size() - 1)];
    }
    m_words = std::move(words);
}

} // namespace ns3::lossless
