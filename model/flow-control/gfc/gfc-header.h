// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GFC_HEADER_H
#define LOSSLESS_GFC_HEADER_H

#include "ns3/header.h"
#include "ns3/lossless-types.h"

#include <cstdint>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Body of GFC's MAC control frame: a class's rate, as the number of halvings of the link's.
 *
 * After the opcode: class (8 bit), stage (8 bit); the frame is padded to Ethernet's minimum.
 */
class GfcHeader : public Header
{
  public:
    /// Opcode of GFC's frames, unassigned in any standard.
    static constexpr uint16_t OPCODE = 0xfe02;
    /// Maximum number of halvings; larger stages are read as this.
    static constexpr uint8_t MAX_STAGE = 16;
    /// Size of the body, bytes.
    static constexpr uint32_t BYTES = 4;

    /// @return the type
    static TypeId GetTypeId();
    TypeId GetInstanceTypeId() const override;

    Priority priority{0}; ///< the class
    uint8_t stage{0};     ///< number of times that the link's rate is halved

    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GFC_HEADER_H */
