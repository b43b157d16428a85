// SPDX-License-Identifier: GPL-2.0-only
#include "pabo-counters.h"

#include "ns3/make-type-id.h"

#include <algorithm>
#include <limits>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(PaboTrailer);

namespace
{

template <typename T>
void
Increase(T& counter)
{
    counter += counter < std::numeric_limits<T>::max() ? 1 : 0;
}

} // namespace

PaboCounters
PaboCounters::Of(const Frame& frame)
{
    return frame.schemeData.Get<PaboCounters>();
}

void
PaboCounters::WriteTo(Frame& frame) const
{
    const bool hasTrailer = Of(frame).onWire;
    frame.schemeData.Set(*this);
    if (onWire)
    {
        Ptr<Packet> packet = frame.packet->Copy();
        if (hasTrailer)
        {
            packet->RemoveAtEnd(PaboTrailer::BYTES);
        }
        packet->AddTrailer(PaboTrailer(*this));
        frame.packet = packet;
        frame.size = packet->GetSize();
    }
}

void
PaboCounters::CountHop()
{
    Increase(hops);
}

void
PaboCounters::CountBounce()
{
    Increase(bounces);
    Increase(distance);
    maxDistance = std::max(maxDistance, distance);
}

void
PaboCounters::CountForward()
{
    distance -= distance > 0 ? 1 : 0;
}

TypeId
PaboTrailer::GetTypeId()
{
    static TypeId tid = MakeTypeId<PaboTrailer, Trailer>("PaboTrailer");
    return tid;
}

PaboTrailer::PaboTrailer(const PaboCounters& counters)
    : m_counters(counters)
{
}

TypeId
PaboTrailer::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
PaboTrailer::GetSerializedSize() const
{
    return BYTES;
}

void
PaboTrailer::Serialize(Buffer::Iterator end) const
{
    end.Prev(BYTES);
    end.WriteHtonU16(0);
    end.WriteHtonU16(m_counters.bounces);
    end.WriteU8(m_counters.distance);
    end.WriteU8(m_counters.maxDistance);
    end.WriteHtonU16(m_counters.hops);
}

uint32_t
PaboTrailer::Deserialize(Buffer::Iterator end)
{
    end.Prev(BYTES);
    end.Next(2);
    m_counters.bounces = end.ReadNtohU16();
    m_counters.distance = end.ReadU8();
    m_counters.maxDistance = end.ReadU8();
    m_counters.hops = end.ReadNtohU16();
    return BYTES;
}

void
PaboTrailer::Print(std::ostream& os) const
{
    os << "bounces " << m_counters.bounces << " distance " << +m_counters.distance << " (largest "
       << +m_counters.maxDistance << ") hops " << m_counters.hops;
}

} // namespace ns3::lossless
