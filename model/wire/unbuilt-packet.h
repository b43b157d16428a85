// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_UNBUILT_PACKET_H
#define LOSSLESS_UNBUILT_PACKET_H

#include "roce-header.h"
#include "roce-options.h"

#include "ns3/packet.h"
#include "ns3/ptr.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The contents of a RoCE packet whose bytes have not been needed yet.
 *
 * Switches use only the Frame's fields, and a RoCE NIC reads only the headers. Only captures,
 * traces, error models and ns-3's stack need an ns3::Packet, which occupies 250 to 400 bytes.
 * Building packets would account for a sixth of all instructions in runs with simple switches. A
 * packet is therefore built only on demand (see PacketRef).
 */
class UnbuiltPacket
{
  public:
    /// @param header the header of the packet without optional headers or payload
    /// @param options the optional headers that `header` announces, or null if it announces none
    /// @return the packet, which must be freed with Free()
    static UnbuiltPacket* Make(const RoceHeader& header, const RoceOptions* options = nullptr);
    /// @param packet a packet created by Make()
    static void Free(UnbuiltPacket* packet);

    /// @param bytes the output of Write() on another rank
    /// @return a copy of the packet, which must be freed with Free()
    static UnbuiltPacket* Read(const uint8_t* bytes);
    /// Serializes the packet for Read().
    /// @param bytes a buffer of GetRecordSize() bytes
    void Write(uint8_t* bytes) const;
    /// @return the number of bytes that Write() writes
    uint32_t GetRecordSize() const;

    /// @return the header without optional headers or payload; the set of optional headers never
    /// changes
    const RoceHeader& GetHeader() const
    {
        return m_header;
    }

    /// @param tos the type of service, DSCP << 2 | ECN
    void SetTos(uint8_t tos)
    {
        m_header.SetTos(tos);
    }

    /// @param port the UDP source port
    void SetSourcePort(uint16_t port)
    {
        m_header.SetSourcePort(port);
    }

    /// @return the telemetry, which switches fill in, or null if the packet has none
    TelemetryHeader* GetTelemetry();
    /// @return the telemetry, which must not be changed, or null if the packet has none
    const TelemetryHeader* GetTelemetry() const;
    /// @return the selective acknowledgement, or null if the packet has none
    const SackHeader* GetSack() const;
    /// @return the placement of the payload, or null if the packet has none
    const PlaceHeader* GetPlace() const;

    /// @return a packet with all headers and a payload of zeros
    Ptr<Packet> Build();

  protected:
    /// Called by Make().
    explicit UnbuiltPacket(const RoceHeader& header)
        : m_header(header)
    {
    }

    ~UnbuiltPacket() = default;

  private:
    RoceHeader m_header; ///< see GetHeader()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_UNBUILT_PACKET_H */
