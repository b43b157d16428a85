// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PACKET_SET_H
#define LOSSLESS_PACKET_SET_H

#include <cstdint>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A set of packets of a flow, by number, of which the lowest are forgotten as the flow goes on: one
 * bit each from the base to the highest, in a ring of words. It allocates nothing before the first
 * packet is put in.
 */
class PacketSet
{
  public:
    /// @return whether there is none
    bool IsEmpty() const
    {
        return m_size == 0;
    }

    /// @return packets in it
    uint64_t GetSize() const
    {
        return m_size;
    }

    /// @return the number behind the highest packet since it was empty; at least the base
    uint64_t GetEnd() const
    {
        return m_end;
    }

    /// @param packet a number @return whether it is in the set; false below the base
    bool Contains(uint64_t packet) const
    {
        return m_size > 0 && packet >= m_base && packet < m_end &&
               (WordOf(packet) >> (packet % BITS) & 1) != 0;
    }

    /// @param packet to put in, not below the base @return whether it is new
    bool Insert(uint64_t packet);
    /// @param packet to take out @return whether it was there
    bool Remove(uint64_t packet);
    /// Forgets packets. @param base those below; the new base, if it is larger than that so far
    void ForgetBefore(uint64_t base);
    /// Takes all out. @param base the new base
    void Clear(uint64_t base);

    /// @return the lowest packet; there must be one
    uint64_t GetFirst() const;
    /// @param from a number @return the lowest from there on that is not in the set
    uint64_t GetFirstMissing(uint64_t from) const;
    /// @param from a number @return bit i: whether the packet from + i is in the set
    uint64_t GetBits(uint64_t from) const;

    /// @return bytes of memory that it has allocated
    uint64_t GetMemory() const
    {
        return m_words.size() * sizeof(uint64_t);
    }

  private:
    static constexpr uint32_t BITS = 64; ///< of a word

    /// @param packet a number within the ring @return the word that has its bit
    const uint64_t& WordOf(uint64_t packet) const
    {
        return m_words[packet / BITS & (m_words.size() - 1)];
    }

    /// @copydoc WordOf()
    uint64_t& WordOf(uint64_t packet)
    {
        return m_words[packet / BITS & (m_words.size() - 1)];
    }

    /// Makes room. @param packet that the ring is to hold together with the base
    void Grow(uint64_t packet);

    std::vector<uint64_t> m_words; ///< the ring, a power of two long; zero outside base to end
    uint64_t m_base{0};            ///< no packet is below
    uint64_t m_end{0};             ///< see GetEnd()
    uint64_t m_size{0};            ///< see GetSize()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PACKET_SET_H */
