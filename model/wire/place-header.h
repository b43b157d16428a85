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
 * A header that specifies where a packet's payload belongs in the message, so that the receiver can
 * place the payload before earlier packets have arrived. If the receiver can place packets in any
 * order, every data packet carries this header.
 *
 * The layout is that of the RETH (InfiniBand 1.4, 9.3.3) in the first packet of an RDMA write. The
 * header contains the virtual address (64 bits; the message begins at address 0), the remote key
 * (32 bits, zero) and the length of the message (32 bits, modulo 2^32).
 */
class PlaceHeader : public ByteHeader<PlaceHeader>
{
  public:
    static constexpr uint32_t BYTES = 16; ///< the size on the wire

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Writes BYTES bytes.
    /// @return the end of the written bytes
    uint8_t* WriteBytes(uint8_t* bytes) const;
    /// Reads the output of WriteBytes().
    /// @return the end of the bytes read
    const uint8_t* ReadBytes(const uint8_t* bytes);

    void Print(std::ostream& os) const override;

    uint64_t address{0}; ///< the address of the first byte of the payload
    uint32_t length{0};  ///< the size of the message in bytes
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PLACE_HEADER_H */
