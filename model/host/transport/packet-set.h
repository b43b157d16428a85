// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PACKET_SET_H
#define LOSSLESS_PACKET_SET_H

#include <cstdint>
#include <vector>

namespace ns3::lossless
{

/// @ingroup lossless
/// A set of packets of a flow, identified by number. The lowest packets are removed as the flow
/// proceeds. The set has one bit per packet from the base to the highest packet. The bits are
/// stored in a ring of words, which is allocated when needed.
class PacketSet
{
  public:
    /// Returns whether the set is empty.
    bool IsEmpty() const
    {
        return m_size == 0;
    }

    /// Returns the number of packets.
    uint64_t GetSize() const
    {
        return m_size;
    }

    /// Returns the packet after the highest one that has been added since ForgetBefore() or Clear()
    /// last emptied the set; at least the base.
    uint64_t GetEnd() const
    {
        return m_end;
    }

    /// Returns whether a packet is in the set. Packets below the base never are.
    bool Contains(uint64_t packet) const
    {
        return m_size > 0 && packet >= m_base && packet < m_end &&
               (WordOf(packet) >> (packet % BITS) & 1) != 0;
    }

    /// Adds a packet, which must not be below the base. Returns whether it is new.
    bool Insert(uint64_t packet);
    /// Removes a packet. Returns whether it was in the set.
    bool Remove(uint64_t packet);
    /// Removes the packets below `base`, which becomes the new base if it is larger than the old
    /// one.
    void ForgetBefore(uint64_t base);
    /// Removes all packets and sets the base.
    void Clear(uint64_t base);

    /// Returns the lowest packet. The set must not be empty.
    uint64_t GetFirst() const;
    /// Returns the lowest packet number, at least `from`, that is not in the set.
    uint64_t GetFirstMissing(uint64_t from) const;
    /// Returns 64 bits, where bit i indicates whether packet from + i is in the set.
    uint64_t GetBits(uint64_t from) const;

  private:
    static constexpr uint32_t BITS = 64; ///< the number of bits per word

    /// Returns the word of the ring that contains the bit of a packet.
    const uint64_t& WordOf(uint64_t packet) const
    {
        return m_words[packet / BITS & (m_words.size() - 1)];
    }

    /// @copydoc WordOf()
    uint64_t& WordOf(uint64_t packet)
    {
        return m_words[packet / BITS & (m_words.size() - 1)];
    }

    /// Enlarges the ring so that it holds both the given packet and the base.
    void Grow(uint64_t packet);

    /// The ring, whose size is a power of two; zero outside the range from base to end.
    std::vector<uint64_t> m_words;
    uint64_t m_base{0}; ///< the lowest packet that the set can contain
    uint64_t m_end{0};  ///< see GetEnd()
    uint64_t m_size{0}; ///< see GetSize()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PACKET_SET_H */
