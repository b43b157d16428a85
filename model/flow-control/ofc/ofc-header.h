// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OFC_HEADER_H
#define LOSSLESS_OFC_HEADER_H

#include "ns3/lossless-types.h"
#include "ns3/typed-header.h"

#include <cstdint>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The body of OFC's MAC control frame. It stops or resumes individual flows, classes, or the port.
 *
 * The opcode is followed by the classes (8 bits, bit p for class p), flags (8 bits; 1: stop, 2: all
 * flows of the classes, 4: the whole port), the number of flows (16 bits), zeros up to the size of
 * a PFC frame, and 64 bits per flow. A frame therefore has 64 bytes, including FCS, plus 8 bytes
 * per flow (OFC, Sec. III; see doc/schemes.rst). A flow is identified by the hash of its key
 * (Frame::flowHash), which both ends compute in the same way.
 */
class OfcHeader : public TypedHeader<OfcHeader>
{
  public:
    /// The opcode of OFC frames, which is not assigned by any standard.
    static constexpr uint16_t OPCODE = 0xfe01;
    /// The size of a body without flows, in bytes.
    static constexpr uint32_t BASE_BYTES = 46;
    /// The number of additional bytes per flow.
    static constexpr uint32_t BYTES_PER_FLOW = 8;

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Returns the number of flows that fit into a frame.
    /// @param mtu the largest payload of a frame, in bytes
    static std::size_t GetCapacity(uint32_t mtu);

    /// The classes of the flows. There is exactly one class if flows are listed, and no class if
    /// the frame is for the port.
    PrioritySet classes{0};
    bool stop{false}; ///< true to stop, false to resume
    bool all{false};  ///< whether the frame covers all flows of the classes, including new ones
    /// Whether the frame applies to the whole port, regardless of classes and flows.
    bool port{false};
    std::vector<uint64_t> flows; ///< the hashes of flow keys

    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OFC_HEADER_H */
