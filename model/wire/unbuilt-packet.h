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
 * Switches forward by the Frame's fields, and a RoCE NIC reads the header. Only captures, traces,
 * error models and ns-3's stack need an ns3::Packet, which takes 250 to 400 B and, with simple
 * switches, a sixth of all instructions. It is therefore built on demand (see PacketRef).
 */
class UnbuiltPacket
{
  public:
    /// @param header the packet without optional headers and payload
    /// @param options the optional headers that `header` announces; null if it announces none
    /// @return the packet, to be returned to Free()
    static UnbuiltPacket* Make(const RoceHeader& header, const RoceOptions* options = nullptr);
    /// @param packet from Make()
    static void Free(UnbuiltPacket* packet);

    /// @param bytes written on another rank
    /// @return the same packet, see Make()
    static UnbuiltPacket* Read(const uint8_t* bytes);
    /// @param bytes buffer of GetRecordSize() bytes for Read()
    void Write(uint8_t* bytes) const;
    /// @return size of the output of Write()
    uint32_t GetRecordSize() const;

    /// @return everything before optional headers and payload; the set of optional headers never
    /// changes
    const RoceHeader& GetHeader() const
    {
        return m_header;
    }

    /// @param tos DSCP << 2 | ECN
    void SetTos(uint8_t tos)
    {
        m_header.SetTos(tos);
    }

    /// @param port UDP source port
    void SetSourcePort(uint16_t port)
    {
        m_header.SetSourcePort(port);
    }

    /// @return telemetry for switches to write to; null if there is none
    TelemetryHeader* GetTelemetry();
    /// @return telemetry, read-only; null if there is none
    const TelemetryHeader* GetTelemetry() const;
    /// @return selective acknowledgement; null if there is none
    const SackHeader* GetSack() const;
    /// @return placement of the payload; null if there is none
    const PlaceHeader* GetPlace() const;

    /// @return a packet with this header and a payload of zeros
    Ptr<Packet> Build();

  protected:
    /// For Make().
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
