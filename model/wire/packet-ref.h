// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PACKET_REF_H
#define LOSSLESS_PACKET_REF_H

#include "ns3/cache-line.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace ns3::lossless
{

class UnbuiltPacket;

/**
 * @ingroup lossless
 * A Ptr<Packet> that can be moved, and whose packet may be built when it is first asked for.
 *
 * Before ns-3.40 or so Ptr has no move operations, and copying one writes to the packet. A packet
 * that waits in a queue is not in the processor's cache, so a hop which hands it on by moves alone
 * saves several cache misses.
 *
 * Whoever converts it to a Ptr, dereferences or copies it makes an UnbuiltPacket a packet, for all
 * who come later. Nobody can tell whether it was one before.
 */
class PacketRef
{
  public:
    /// No packet.
    PacketRef() = default;

    /// No packet.
    PacketRef(std::nullptr_t)
    {
    }

    /// @param packet the packet, shared with its other owners
    PacketRef(const Ptr<Packet>& packet)
        : m_word(reinterpret_cast<std::uintptr_t>(GetPointer(packet)))
    {
    }

    /// @param packet what the packet is to be built of, taken over
    explicit PacketRef(UnbuiltPacket* packet)
        : m_word(reinterpret_cast<std::uintptr_t>(packet) | UNBUILT)
    {
    }

    /// @param other whose packet is shared
    PacketRef(const PacketRef& other)
        : m_word(reinterpret_cast<std::uintptr_t>(other.Get()))
    {
        if (m_word != 0)
        {
            Get()->Ref();
        }
    }

    /// @param other whose packet is taken over
    PacketRef(PacketRef&& other) noexcept
        : m_word(std::exchange(other.m_word, 0))
    {
    }

    /// @param other whose packet is shared @return this
    PacketRef& operator=(const PacketRef& other)
    {
        return *this = PacketRef(other);
    }

    /// @param other whose packet is taken over @return this
    PacketRef& operator=(PacketRef&& other) noexcept
    {
        const std::uintptr_t word = std::exchange(other.m_word, 0);
        Release();
        m_word = word;
        return *this;
    }

    ~PacketRef()
    {
        Release();
    }

    /// @return what the packet is to be built of; null: it is a packet already, or there is none
    UnbuiltPacket* GetUnbuilt() const
    {
        return (m_word & UNBUILT) != 0 ? reinterpret_cast<UnbuiltPacket*>(m_word & ~UNBUILT)
                                       : nullptr;
    }

    /// Asks the processor for the memory of the packet or of what it is to be built of.
    void Prefetch() const
    {
        PrefetchLines(reinterpret_cast<const char*>(m_word & ~UNBUILT), 2 * CACHE_LINE_BYTES);
    }

    /// @return the packet
    operator Ptr<Packet>() const
    {
        return Ptr<Packet>(Get());
    }

    /// @return the packet, not to be changed
    operator Ptr<const Packet>() const
    {
        return Ptr<const Packet>(Get());
    }

    /// @return the packet
    Packet* operator->() const
    {
        return Get();
    }

    /// @return the packet
    Packet& operator*() const
    {
        return *Get();
    }

    /// @return whether there is a packet
    explicit operator bool() const
    {
        return m_word != 0;
    }

  private:
    static constexpr std::uintptr_t UNBUILT = 1; ///< in m_word: it is an UnbuiltPacket's address

    /// @return the packet, built if it was not; null: none
    Packet* Get() const
    {
        if ((m_word & UNBUILT) != 0)
        {
            Build();
        }
        return reinterpret_cast<Packet*>(m_word);
    }

    /// Makes an UnbuiltPacket a packet.
    void Build() const;

    /// Has nothing to do with the packet any more.
    void Release()
    {
        if (m_word != 0)
        {
            Free();
        }
    }

    /// Gives up the packet or what it was to be built of.
    void Free();

    mutable std::uintptr_t m_word{0}; ///< address of a counted Packet or, UNBUILT, of an own
                                      ///< UnbuiltPacket
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PACKET_REF_H */
