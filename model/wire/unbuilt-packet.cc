// SPDX-License-Identifier: GPL-2.0-only
#include "unbuilt-packet.h"

#include <boost/pool/singleton_pool.hpp>
#include <new>

namespace ns3::lossless
{

namespace
{

/// One that has telemetry as well.
class WithTelemetry final : public UnbuiltPacket
{
  public:
    /// @param header see Make() @param telemetry too
    WithTelemetry(const RoceHeader& header, const TelemetryHeader& telemetry)
        : UnbuiltPacket(header),
          m_telemetry(telemetry)
    {
    }

    /// @return the telemetry
    TelemetryHeader& Get()
    {
        return m_telemetry;
    }

    /// @return the same
    const TelemetryHeader& Get() const
    {
        return m_telemetry;
    }

  private:
    TelemetryHeader m_telemetry; ///< see Get()
};

constexpr unsigned FIRST_BLOCK = 256;    ///< values in the first block of a pool
constexpr unsigned LARGEST_BLOCK = 8192; ///< blocks grow up to here

/// Memory that the process keeps, for one thread.
template <typename T>
using Pool = boost::singleton_pool<T,
                                   sizeof(T),
                                   boost::default_user_allocator_new_delete,
                                   boost::details::pool::null_mutex,
                                   FIRST_BLOCK,
                                   LARGEST_BLOCK>;

} // namespace

UnbuiltPacket*
UnbuiltPacket::Make(const RoceHeader& header, const TelemetryHeader& telemetry)
{
    if (header.HasTelemetry())
    {
        return new (Pool<WithTelemetry>::malloc()) WithTelemetry(header, telemetry);
    }
    return new (Pool<UnbuiltPacket>::malloc()) UnbuiltPacket(header);
}

void
UnbuiltPacket::Free(UnbuiltPacket* packet)
{
    if (packet->m_header.HasTelemetry())
    {
        auto* withTelemetry = static_cast<WithTelemetry*>(packet);
        withTelemetry->~WithTelemetry();
        Pool<WithTelemetry>::free(withTelemetry);
    }
    else
    {
        packet->~UnbuiltPacket();
        Pool<UnbuiltPacket>::free(packet);
    }
}

TelemetryHeader*
UnbuiltPacket::GetTelemetry()
{
    return m_header.HasTelemetry() ? &static_cast<WithTelemetry*>(this)->Get() : nullptr;
}

const TelemetryHeader*
UnbuiltPacket::GetTelemetry() const
{
    return m_header.HasTelemetry() ? &static_cast<const WithTelemetry*>(this)->Get() : nullptr;
}

UnbuiltPacket*
UnbuiltPacket::Read(const uint8_t* bytes)
{
    RoceHeader header;
    TelemetryHeader telemetry;
    bytes = header.ReadBytes(bytes);
    if (header.HasTelemetry())
    {
        telemetry.ReadBytes(bytes);
    }
    return Make(header, telemetry);
}

void
UnbuiltPacket::Write(uint8_t* bytes) const
{
    bytes = m_header.WriteBytes(bytes);
    if (const TelemetryHeader* telemetry = GetTelemetry())
    {
        telemetry->WriteBytes(bytes);
    }
}

uint32_t
UnbuiltPacket::GetRecordSize() const
{
    return RoceHeader::MAX_BYTES + (m_header.HasTelemetry() ? TelemetryHeader::BYTES : 0);
}

Ptr<Packet>
UnbuiltPacket::Build()
{
    const auto packet = Create<Packet>(RoceHeader::BodyBytes(m_header.GetPayloadSize()));
    if (const TelemetryHeader* telemetry = GetTelemetry())
    {
        packet->AddHeader(*telemetry);
    }
    packet->AddHeader(m_header);
    return packet;
}

} // namespace ns3::lossless
