// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PLACE_HEADER_H
#define LOSSLESS_PLACE_HEADER_H

#include "byte-header.h"

#include <cstdint>
#include <ostream>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Placement of a packet's payload, independent of the packets before it. In every data packet to
 * receivers that place packets in any order.
 *
 * The layout is that of the RETH (InfiniBand 1.4, 9.3.3), which a write has in its first packet:
 * virtual address (64 bits; the first byte of the message is at 0), remote key (32 bits, 0) and
 * length of the message (32 bits, modulo 2^32).
 */
class PlaceHeader : public ByteHeader<PlaceHeader>
{
  public:
    static constexpr uint32_t BYTES = 16; ///< on the wire

    /// @return the type
    static TypeId GetTypeId();

    /// Writes BYTES. @return their end
    uint8_t* WriteBytes(uint8_t* bytes) const;
    /// Reads what WriteBytes() has written. @return its end
    const uint8_t* ReadBytes(const uint8_t* bytes);

    void Print(std::ostream& os) const override;

    uint64_t address{0}; ///< of the first byte of the payload
    uint32_t length{0};  ///< bytes of the message
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PLACE_HEADER_H */
