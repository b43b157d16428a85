// SPDX-License-Identifier: GPL-2.0-only
#include "packet-ref.h"

#include "unbuilt-packet.h"

namespace ns3::lossless
{

void
PacketRef::Build() const
{
    UnbuiltPacket* unbuilt = GetUnbuilt();
    m_word = reinterpret_cast<std::uintptr_t>(GetPointer(unbuilt->Build()));
    UnbuiltPacket::Free(unbuilt);
}

void
PacketRef::Free()
{
    if (UnbuiltPacket* unbuilt = GetUnbuilt())
    {
        UnbuiltPacket::Free(unbuilt);
    }
    else
    {
        reinterpret_cast<Packet*>(m_word)->Unref();
    }
    m_word = 0;
}

} // namespace ns3::lossless
