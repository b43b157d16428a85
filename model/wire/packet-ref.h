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
 * A Ptr<Packet> that can be moved and whose packet can be built on first use.
 *
 * In older versions of ns-3 (up to about 3.40), Ptr has no move operations, and copying a Ptr
 * writes to the packet. Because a packet that waits in a queue is usually not in a cache, a hop
 * that only moves the reference avoids several cache misses.
 *
 * Conversion to a Ptr, dereferencing and copying replace an UnbuiltPacket by the packet built from
 * it. Users that do not call GetUnbuilt() therefore cannot tell whether the packet had been built.
 */
class PacketRef
{
  public:
    /// Creates a null reference.
    PacketRef() = default;

    /// Creates a null reference.
    PacketRef(std::nullptr_t)
    {
    }

    /// @param packet the packet, shared with its other owners
    PacketRef(const Ptr<Packet>& packet)
        : m_word(reinterpret_cast<std::uintptr_t>(GetPointer(packet)))
    {
    }

    /// @param packet the packet to build on demand; this object takes ownership of it
    explicit PacketRef(UnbuiltPacket* packet)
        : m_word(reinterpret_cast<std::uintptr_t>(packet) | UNBUILT)
    {
    }

    /// Shares the packet.
    PacketRef(const PacketRef& other)
        : m_word(reinterpret_cast<std::uintptr_t>(other.Get()))
    {
        if (m_word != 0)
        {
            Get()->Ref();
        }
    }

    /// Takes ownership of the packet.
    PacketRef(PacketRef&& other) noexcept
        : m_word(std::exchange(other.m_word, 0))
    {
    }

    /// Shares the packet.
    PacketRef& operator=(const PacketRef& other)
    {
        return *this = PacketRef(other);
    }

    /// Takes ownership of the packet.
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

    /// @return the unbuilt packet, or null if the packet has been built or there is no packet
    UnbuiltPacket* GetUnbuilt() const
    {
        return (m_word & UNBUILT) != 0 ? reinterpret_cast<UnbuiltPacket*>(m_word & ~UNBUILT)
                                       : nullptr;
    }

    /// Prefetches the built or unbuilt packet.
    void Prefetch() const
    {
        PrefetchLines(reinterpret_cast<const char*>(m_word & ~UNBUILT), 2 * CACHE_LINE_BYTES);
    }

    /// @return the packet
    operator Ptr<Packet>() const
    {
        return Ptr<Packet>(Get());
    }

    /// @return the packet, which must not be changed
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
    static constexpr std::uintptr_t UNBUILT = 1; ///< the bit that is set in m_word if it points to
                                                 ///< an UnbuiltPacket

    /// @return the packet, which is built if necessary, or null if there is no packet
    Packet* Get() const
    {
        if ((m_word & UNBUILT) != 0)
        {
            Build();
        }
        return reinterpret_cast<Packet*>(m_word);
    }

    /// Replaces the UnbuiltPacket by the packet built from it.
    void Build() const;

    void Release()
    {
        if (m_word != 0)
        {
            Free();
        }
    }

    /// Releases the built packet or frees the unbuilt one.
    void Free();

    mutable std::uintptr_t m_word{0}; ///< the address of a Packet or an UnbuiltPacket
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PACKET_REF_H */
