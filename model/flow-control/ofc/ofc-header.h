// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OFC_HEADER_H
#define LOSSLESS_OFC_HEADER_H

#include "ns3/header.h"
#include "ns3/lossless-types.h"

#include <cstdint>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Body of a MAC control frame of OFC: stops flows of one class, all flows of some classes, or the
 * port as a whole, or lets them go on.
 *
 * Behind the opcode: classes (8 bit, bit p for class p), flags (8 bit: 1 stop, 2 all flows of the
 * classes, 4 the port as a whole), number of flows (16 bit), zeros up to the size of a PFC frame,
 * then 64 bit of each flow. So a frame has 64 bytes with its FCS and 8 more for each flow (OFC,
 * Sec. III; see doc/schemes.rst). A flow is told by the hash of its key, which both ends compute
 * alike (Frame::flowHash).
 */
class OfcHeader : public Header
{
  public:
    /// Opcode of OFC's frames, which no standard has taken.
    static constexpr uint16_t OPCODE = 0xfe01;
    /// Size of a body without flows, bytes.
    static constexpr uint32_t BASE_BYTES = 46;
    /// Further bytes of each flow.
    static constexpr uint32_t BYTES_PER_FLOW = 8;

    /// @return the type
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;

    /// @param mtu largest payload of a frame, bytes @return flows for which one has room
    static std::size_t GetCapacity(uint32_t mtu);

    PrioritySet classes{0}; ///< of the flows; one if they are listed, none for a port
    bool stop{false};       ///< they stop, or go on
    bool all{false};        ///< all flows of the classes, those to come included; none is listed
    bool port{false};       ///< the port as a whole, whatever holds for classes and flows
    std::vector<uint64_t> flows; ///< hashes of their keys

    /// @return whether the bytes deserialized were a whole body; true for a new one
    bool IsComplete() const
    {
        return m_isComplete;
    }

    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    bool m_isComplete{true}; ///< see IsComplete()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OFC_HEADER_H */
