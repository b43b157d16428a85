// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PACKET_SET_H
#define LOSSLESS_PACKET_SET_H

#include <cstdint>
#include <vector>

namespace ns3::lossless
{

/// @ingroup lossless
/// A set of packets of a flow, by number, whose lowest are forgotten as the flow proceeds: one bit
/// each from the base to the highest, in a ring of words, allocated when needed.
class PacketSet
{
  public:
    /// Whether the set is empty.
    bool IsEmpty() const
    {
        return m_size == 0;
    }

    /// Number of packets.
    uint64_t GetSize() const
    {
        return m_size;
    }

    /// One beyond the highest packet since the set was empty; at least the base.
    uint64_t GetEnd() const
    {
        return m_end;
    }

    /// Whether a packet is in the set; false below the base.
    bool Contains(uint64_t packet) const
    {
        return m_size > 0 && packet >= m_base && packet < m_end &&
               (WordOf(packet) >> (packet % BITS) & 1) != 0;
    }

    /// Adds a packet, not below the base; returns whether it is new.
    bool Insert(uint64_t packet);
    /// Removes a packet; returns whether it was there.
    bool Remove(uint64_t packet);
    /// Forgets the packets below a base, which becomes the new base if it is larger.
    void ForgetBefore(uint64_t base);
    /// Removes all packets and sets the base.
    void Clear(uint64_t base);

    /// Returns the lowest packet; there must be one.
    uint64_t GetFirst() const;
    /// Returns the lowest number, starting at `from`, that is not in the set.
    uint64_t GetFirstMissing(uint64_t from) const;
    /// Bit i: whether packet from + i is in the set.
    uint64_t GetBits(uint64_t from) const;

    /// Bytes of memory allocated.
    uint64_t GetMemory() const
    {
        return m_words.size() * sizeof(uint64_t);
    }

  private:
    static constexpr uint32_t BITS = 64; ///< of a word

    /// Returns the word with the bit of a packet within the ring.
    const uint64_t& WordOf(uint64_t packet) const
    {
        return m_words[packet / BITS & (m_words.size() - 1)];
    }

    /// @copydoc WordOf()
    uint64_t& WordOf(uint64_t packet)
    {
        return m_words[packet / BITS & (m_words.size() - 1)];
    }

    /// Enlarges the ring so that it holds both this packet and the base.
    void Grow(uint64_t packet);

    std::vector<uint64_t> m_words; ///< the ring, a power of two long; zero outside base to end
    uint64_t m_base{0};            ///< no packet is below it
    uint64_t m_end{0};             ///< see GetEnd()
    uint64_t m_size{0};            ///< see GetSize()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PACKET_SET_H */
