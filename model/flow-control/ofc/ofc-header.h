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
 * Body of OFC's MAC control frame: stops or resumes flows of a class, some classes, or the port.
 *
 * After the opcode: classes (8 bit, bit p for class p), flags (8 bit: 1 stop, 2 all flows of the
 * classes, 4 the port as a whole), number of flows (16 bit), zeros up to the size of a PFC frame,
 * then 64 bit of each flow. So a frame has 64 bytes with its FCS and 8 more for each flow (OFC,
 * Sec. III; see doc/schemes.rst). A flow is identified by the hash of its key, which both ends
 * compute alike (Frame::flowHash).
 */
class OfcHeader : public Header
{
  public:
    /// Opcode of OFC's frames, unassigned in any standard.
    static constexpr uint16_t OPCODE = 0xfe01;
    /// Size of a body without flows, bytes.
    static constexpr uint32_t BASE_BYTES = 46;
    /// Additional bytes per flow.
    static constexpr uint32_t BYTES_PER_FLOW = 8;

    /// @return the type
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;

    /// Number of flows that fit into a frame.
    /// @param mtu largest payload of a frame, bytes
    static std::size_t GetCapacity(uint32_t mtu);

    PrioritySet classes{0};      ///< of the flows; one if flows are listed, none for a port
    bool stop{false};            ///< stop, not resume
    bool all{false};             ///< all flows of the classes, including new ones; none is listed
    bool port{false};            ///< the port as a whole, regardless of classes and flows
    std::vector<uint64_t> flows; ///< hashes of their keys

    /// Whether the deserialized bytes were a whole body; true for a new header.
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
