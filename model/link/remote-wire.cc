// SPDX-License-Identifier: GPL-2.0-only
#include "remote-wire.h"

#include "lossless-wire.h"

#include "ns3/unbuilt-packet.h"

#include <cstring>
#include <type_traits>

namespace ns3::lossless
{

namespace
{

static_assert(std::is_trivially_copyable_v<FrameFields>, "they cross as they are");

struct RecordHead
{
    FrameFields fields;
    uint32_t packetBytes; ///< the size of the serialized packet that follows, in bytes
    bool isUnbuilt;       ///< whether this packet is an UnbuiltPacket rather than an ns3::Packet
};

/// @param packet the bytes that follow `head`
/// @return the frame's packet
PacketRef
ReadPacket(const RecordHead& head, const char* packet)
{
    const auto* bytes = reinterpret_cast<const uint8_t*>(packet);
    if (head.isUnbuilt)
    {
        return PacketRef(UnbuiltPacket::Read(bytes));
    }
    return Create<Packet>(bytes, head.packetBytes, true);
}

} // namespace

RemoteWire::RemoteWire(Ptr<WireReceiver> receiver, uint32_t rank)
    : m_receiver(receiver),
      m_rank(rank)
{
}

RemoteWire::~RemoteWire() = default;

void
RemoteWire::Send(Frame&& frame) const
{
    const UnbuiltPacket* unbuilt = frame.packet.GetUnbuilt();
    const uint32_t size = unbuilt ? unbuilt->GetRecordSize() : frame.packet->GetSerializedSize();
    char* place = Ranks::Post(m_rank,
                              GetNumber(),
                              static_cast<uint64_t>(frame.arrival),
                              sizeof(RecordHead) + size);
    const RecordHead head{frame, size, unbuilt != nullptr};
    std::memcpy(place, &head, sizeof(head));
    auto* bytes = reinterpret_cast<uint8_t*>(place + sizeof(head));
    if (unbuilt)
    {
        unbuilt->Write(bytes);
    }
    else
    {
        frame.packet->Serialize(bytes, size);
    }
}

void
RemoteWire::TakeMail(const char* bytes, std::size_t /* size */)
{
    RecordHead head;
    std::memcpy(&head, bytes, sizeof(head));
    Frame frame{head.fields, ReadPacket(head, bytes + sizeof(head))};
    m_receiver->Take(std::move(frame), NowInTicks());
}

} // namespace ns3::lossless
