// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PACKET_REF_H
#define LOSSLESS_PACKET_REF_H

#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <utility>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A Ptr<Packet> that can be moved.
 *
 * Before ns-3.40 or so Ptr has no move operations, and copying one writes to the packet. A packet
 * that waits in a queue is not in the processor's cache, so a hop which hands it on by moves alone
 * saves several cache misses.
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
        : m_packet(GetPointer(packet))
    {
    }

    /// @param other whose packet is shared
    PacketRef(const PacketRef& other)
        : m_packet(other.m_packet)
    {
        if (m_packet)
        {
            m_packet->Ref();
        }
    }

    /// @param other whose packet is taken over
    PacketRef(PacketRef&& other) noexcept
        : m_packet(std::exchange(other.m_packet, nullptr))
    {
    }

    /// @param other whose packet is shared or taken over @return this
    PacketRef& operator=(PacketRef other) noexcept
    {
        std::swap(m_packet, other.m_packet);
        return *this;
    }

    ~PacketRef()
    {
        if (m_packet)
        {
            m_packet->Unref();
        }
    }

    /// @return the packet
    operator Ptr<Packet>() const
    {
        return Ptr<Packet>(m_packet);
    }

    /// @return the packet, not to be changed
    operator Ptr<const Packet>() const
    {
        return Ptr<const Packet>(m_packet);
    }

    /// @return the packet
    Packet* operator->() const
    {
        return m_packet;
    }

    /// @return the packet
    Packet& operator*() const
    {
        return *m_packet;
    }

    /// @return whether there is a packet
    explicit operator bool() const
    {
        return m_packet != nullptr;
    }

  private:
    Packet* m_packet{nullptr}; ///< counted
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PACKET_REF_H */
