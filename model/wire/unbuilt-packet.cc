// SPDX-License-Identifier: GPL-2.0-only
#include "unbuilt-packet.h"

#include <boost/pool/singleton_pool.hpp>

namespace ns3::lossless
{

namespace
{

/// One that has telemetry as well.
class WithTelemetry final : public UnbuiltPacket
{
  public:
    /// @param header which says so @param telemetry it
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

    static void* operator new(std::size_t);
    static void operator delete(void* memory);

  private:
    TelemetryHeader m_telemetry; ///< see Get()
};

constexpr unsigned FIRST_BLOCK = 256;    ///< values in the first block of a pool
constexpr unsigned LARGEST_BLOCK = 8192; ///< blocks grow up to here

/// A simulation has one thread.
template <typename T>
using Pool = boost::singleton_pool<T,
                                   sizeof(T),
                                   boost::default_user_allocator_new_delete,
                                   boost::details::pool::null_mutex,
                                   FIRST_BLOCK,
                                   LARGEST_BLOCK>;

void*
WithTelemetry::operator new(std::size_t)
{
    return Pool<WithTelemetry>::malloc();
}

void
WithTelemetry::operator delete(void* memory)
{
    Pool<WithTelemetry>::free(memory);
}

} // namespace

void*
UnbuiltPacket::operator new(std::size_t)
{
    return Pool<UnbuiltPacket>::malloc();
}

void
UnbuiltPacket::operator delete(void* memory)
{
    Pool<UnbuiltPacket>::free(memory);
}

UnbuiltPacket*
UnbuiltPacket::Make(const RoceHeader& header)
{
    return new UnbuiltPacket(header);
}

UnbuiltPacket*
UnbuiltPacket::Make(const RoceHeader& header, const TelemetryHeader& telemetry)
{
    return new WithTelemetry(header, telemetry);
}

void
UnbuiltPacket::Free(UnbuiltPacket* packet)
{
    if (packet->m_header.HasTelemetry())
    {
        delete static_cast<WithTelemetry*>(packet);
    }
    else
    {
        delete packet;
    }
}

TelemetryHeader*
UnbuiltPacket::GetTelemetry()
{
    return m_header.HasTelemetry() ? &static_cast<WithTelemetry*>(this)->Get() : nullptr;
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
