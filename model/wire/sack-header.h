// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SACK_HEADER_H
#define LOSSLESS_SACK_HEADER_H

#include "byte-header.h"

#include <cstdint>
#include <ostream>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A selective acknowledgement. It is part of an answer and reports packets received beyond a gap.
 *
 * | field    | bits | meaning                                                               |
 * |----------|------|-----------------------------------------------------------------------|
 * | trigger  | 24   | sequence number of the packet that triggered the answer               |
 * | reserved | 8    | zero                                                                  |
 * | bitmap   | 64   | bit i: packet base + i has arrived; the base is 63 packets before     |
 * |          |      | the trigger or, if later, the expected packet                         |
 *
 * All fields are in network byte order. The NACK of IRN (Mittal et al., SIGCOMM 2018, Sec. 3.1)
 * contains only the trigger. With the bitmap, the loss of an answer is harmless, because subsequent
 * answers repeat the information.
 */
class SackHeader : public ByteHeader<SackHeader>
{
  public:
    static constexpr uint32_t BYTES = 12; ///< the size on the wire
    static constexpr uint32_t BITS = 64;  ///< the size of the bitmap

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Writes BYTES bytes.
    /// @return the end of the written bytes
    uint8_t* WriteBytes(uint8_t* bytes) const;
    /// Reads the output of WriteBytes().
    /// @return the end of the bytes read
    const uint8_t* ReadBytes(const uint8_t* bytes);

    void Print(std::ostream& os) const override;

    uint32_t trigger{0}; ///< the sequence number of the packet that triggered the answer
    uint64_t bitmap{0};  ///< the packets received; see the table above
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SACK_HEADER_H */
