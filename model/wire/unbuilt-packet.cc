// SPDX-License-Identifier: GPL-2.0-only
#include "unbuilt-packet.h"

#include "ns3/assert.h"

#include <boost/pool/singleton_pool.hpp>
#include <new>

namespace ns3::lossless
{

namespace
{

/// A packet with space for telemetry.
class WithTelemetry : public UnbuiltPacket
{
  public:
    WithTelemetry(const RoceHeader& header, const RoceOptions& options)
        : UnbuiltPacket(header),
          m_telemetry(options.telemetry)
    {
    }

    TelemetryHeader m_telemetry;
};

class WithOptions final : public WithTelemetry
{
  public:
    WithOptions(const RoceHeader& header, const RoceOptions& options)
        : WithTelemetry(header, options),
          m_sack(options.sack),
          m_place(options.place)
    {
    }

    SackHeader m_sack;
    PlaceHeader m_place;
};

/// @return whether a packet with this header must be a WithOptions object
bool
HasOthers(const RoceHeader& header)
{
    return (header.GetOptions() & ~static_cast<uint8_t>(RoceOption::TELEMETRY)) != 0;
}

constexpr unsigned FIRST_BLOCK = 256;    ///< the number of objects in the first block of a pool
constexpr unsigned LARGEST_BLOCK = 1024; ///< the maximum number of objects in a block

/// A pool of objects for a single thread. Its memory is kept until the process ends.
template <typename T>
using Pool = boost::singleton_pool<T,
                                   sizeof(T),
                                   boost::default_user_allocator_new_delete,
                                   boost::details::pool::null_mutex,
                                   FIRST_BLOCK,
                                   LARGEST_BLOCK>;

template <typename T>
UnbuiltPacket*
New(const RoceHeader& header, const RoceOptions& options)
{
    return new (Pool<T>::malloc()) T(header, options);
}

template <typename T>
void
Delete(UnbuiltPacket* packet)
{
    auto* whole = static_cast<T*>(packet);
    whole->~T();
    Pool<T>::free(whole);
}

} // namespace

UnbuiltPacket*
UnbuiltPacket::Make(const RoceHeader& header, const RoceOptions* options)
{
    if (header.GetOptions() == 0)
    {
        return new (Pool<UnbuiltPacket>::malloc()) UnbuiltPacket(header);
    }
    NS_ASSERT(options);
    return HasOthers(header) ? New<WithOptions>(header, *options)
                             : New<WithTelemetry>(header, *options);
}

void
UnbuiltPacket::Free(UnbuiltPacket* packet)
{
    if (packet->m_header.GetOptions() == 0)
    {
        packet->~UnbuiltPacket();
        Pool<UnbuiltPacket>::free(packet);
    }
    else if (HasOthers(packet->m_header))
    {
        Delete<WithOptions>(packet);
    }
    else
    {
        Delete<WithTelemetry>(packet);
    }
}

TelemetryHeader*
UnbuiltPacket::GetTelemetry()
{
    return m_header.HasTelemetry() ? &static_cast<WithTelemetry*>(this)->m_telemetry : nullptr;
}

const TelemetryHeader*
UnbuiltPacket::GetTelemetry() const
{
    return m_header.HasTelemetry() ? &static_cast<const WithTelemetry*>(this)->m_telemetry
                                   : nullptr;
}

const SackHeader*
UnbuiltPacket::GetSack() const
{
    return m_header.Has(RoceOption::SACK) ? &static_cast<const WithOptions*>(this)->m_sack
                                          : nullptr;
}

const PlaceHeader*
UnbuiltPacket::GetPlace() const
{
    return m_header.Has(RoceOption::PLACE) ? &static_cast<const WithOptions*>(this)->m_place
                                           : nullptr;
}

UnbuiltPacket*
UnbuiltPacket::Read(const uint8_t* bytes)
{
    RoceHeader header;
    RoceOptions options;
    bytes = header.ReadBytes(bytes);
    if (header.HasTelemetry())
    {
        bytes = options.telemetry.ReadBytes(bytes);
    }
    if (header.Has(RoceOption::SACK))
    {
        bytes = options.sack.ReadBytes(bytes);
    }
    if (header.Has(RoceOption::PLACE))
    {
        options.place.ReadBytes(bytes);
    }
    return Make(header, &options);
}

void
UnbuiltPacket::Write(uint8_t* bytes) const
{
    bytes = m_header.WriteBytes(bytes);
    if (const TelemetryHeader* telemetry = GetTelemetry())
    {
        bytes = telemetry->WriteBytes(bytes);
    }
    if (const SackHeader* sack = GetSack())
    {
        bytes = sack->WriteBytes(bytes);
    }
    if (const PlaceHeader* place = GetPlace())
    {
        place->WriteBytes(bytes);
    }
}

uint32_t
UnbuiltPacket::GetRecordSize() const
{
    return RoceHeader::MAX_BYTES + m_header.GetOptionsSize();
}

Ptr<Packet>
UnbuiltPacket::Build()
{
    const auto packet = Create<Packet>(RoceHeader::BodyBytes(m_header.GetPayloadSize()));
    if (const PlaceHeader* place = GetPlace())
    {
        packet->AddHeader(*place);
    }
    if (const SackHeader* sack = GetSack())
    {
        packet->AddHeader(*sack);
    }
    if (const TelemetryHeader* telemetry = GetTelemetry())
    {
        packet->AddHeader(*telemetry);
    }
    packet->AddHeader(m_header);
    return packet;
}

} // namespace ns3::lossless
