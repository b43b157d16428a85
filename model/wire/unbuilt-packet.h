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
 * What a RoCE packet is built of, as long as nobody has asked for its bytes.
 *
 * Switches forward by what the Frame says, and a RoCE NIC reads the header. Only captures, traces,
 * error models and ns-3's stack want an ns3::Packet, which takes 250 to 400 B and, where switches
 * are plain, a sixth of all instructions: it is built when it is asked for (see PacketRef).
 */
class UnbuiltPacket
{
  public:
    /**
     * @param header all of the packet but optional headers and payload
     * @param options behind the header, those which it says there are; null: it says there are none
     * @return the packet, to be given back by Free()
     */
    static UnbuiltPacket* Make(const RoceHeader& header, const RoceOptions* options = nullptr);
    /// @param packet one that Make() has returned, not needed any more
    static void Free(UnbuiltPacket* packet);

    /// @param bytes of one that another rank has written @return the same, see Make()
    static UnbuiltPacket* Read(const uint8_t* bytes);
    /// @param bytes where to write what Read() reads, GetRecordSize() bytes
    void Write(uint8_t* bytes) const;
    /// @return bytes that Write() writes
    uint32_t GetRecordSize() const;

    /// @return everything in front of optional headers and payload; which of them there are never
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

    /// @return what switches write into it; null: nothing
    TelemetryHeader* GetTelemetry();
    /// @return the same, to be read
    const TelemetryHeader* GetTelemetry() const;
    /// @return the selective acknowledgement; null: none
    const SackHeader* GetSack() const;
    /// @return where the payload belongs; null: it does not say
    const PlaceHeader* GetPlace() const;

    /// @return the packet, with a payload of zeros
    Ptr<Packet> Build();

  protected:
    /// @param header see GetHeader()
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
