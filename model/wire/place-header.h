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
 * Where the payload of a packet belongs, so that it can be put there without those before it. In
 * every data packet to receivers that place packets in any order.
 *
 * The layout is that of the RETH (InfiniBand 1.4, 9.3.3), of which a write has one in its first
 * packet: virtual address (64 bits; the first byte of the message is at 0), remote key (32 bits,
 * 0) and length of the message (32 bits; that of a longer one modulo 2^32).
 */
class PlaceHeader : public ByteHeader<PlaceHeader>
{
  public:
    static constexpr uint32_t BYTES = 16; ///< on the wire

    /// @return the type
    static TypeId GetTypeId();

    /// @param bytes where to write BYTES that ReadBytes() reads @return where they end
    uint8_t* WriteBytes(uint8_t* bytes) const;
    /// @param bytes written by WriteBytes() @return where they end
    const uint8_t* ReadBytes(const uint8_t* bytes);

    void Print(std::ostream& os) const override;

    uint64_t address{0}; ///< of the first byte of the payload
    uint32_t length{0};  ///< bytes of the message
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PLACE_HEADER_H */
