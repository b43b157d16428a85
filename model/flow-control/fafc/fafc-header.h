// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FAFC_HEADER_H
#define LOSSLESS_FAFC_HEADER_H

#include "ns3/lossless-types.h"
#include "ns3/typed-header.h"

#include <array>
#include <cstdint>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The body of FAFC's MAC control frame. It contains pause times in nanoseconds. Pauses add up at
 * the receiver and end without a further message (FAFC, Sec. III-B).
 *
 * The opcode is followed by the class-enable vector (16 bits) and time[0..7] in ns (32 bits each),
 * as in a PFC frame. The frame is padded to Ethernet's minimum size.
 */
class FafcHeader : public TypedHeader<FafcHeader>
{
  public:
    /// The opcode of FAFC frames, which is not assigned by any standard.
    static constexpr uint16_t OPCODE = 0xfe03;
    /// The size of the body in bytes.
    static constexpr uint32_t BYTES = 2 + 2 + 4 * NUM_PRIORITIES;

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    PrioritySet classes{0}; ///< the classes to which the frame applies
    /// The pause of each class in ns; 0 for classes that are not enabled.
    std::array<uint32_t, NUM_PRIORITIES> times{};

    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FAFC_HEADER_H */
