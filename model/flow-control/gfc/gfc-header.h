// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GFC_HEADER_H
#define LOSSLESS_GFC_HEADER_H

#include "ns3/lossless-types.h"
#include "ns3/typed-header.h"

#include <cstdint>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The body of GFC's MAC control frame. It specifies the rate of a class as the number of times that
 * the link rate is halved.
 *
 * The opcode is followed by the class (8 bits) and the stage (8 bits). The frame is padded to
 * Ethernet's minimum size.
 */
class GfcHeader : public TypedHeader<GfcHeader>
{
  public:
    /// The opcode of GFC frames, which is not assigned by any standard.
    static constexpr uint16_t OPCODE = 0xfe02;
    /// The maximum stage. Larger values in received frames are reduced to this stage.
    static constexpr uint8_t MAX_STAGE = 16;
    /// The size of the body in bytes.
    static constexpr uint32_t BYTES = 4;

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    Priority priority{0}; ///< the class
    uint8_t stage{0};     ///< the number of times that the link rate is halved

    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GFC_HEADER_H */
