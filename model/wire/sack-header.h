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
 * Selective acknowledgement in answers: packets received beyond the expected one.
 *
 * | field    | bits | meaning                                                               |
 * |----------|------|-----------------------------------------------------------------------|
 * | trigger  | 24   | sequence number of the packet that is answered                        |
 * | reserved | 8    | zero                                                                  |
 * | bitmap   | 64   | bit i: packet base + i has arrived; the base is 63 packets before     |
 * |          |      | the trigger, or the expected one if that is later                     |
 *
 * All fields are in network byte order. IRN's packet (Mittal et al., SIGCOMM 2018, Sec. 3.1)
 * contains only the trigger; with the bitmap a lost answer costs nothing, as the 63 next ones
 * repeat it.
 */
class SackHeader : public ByteHeader<SackHeader>
{
  public:
    static constexpr uint32_t BYTES = 12; ///< on the wire
    static constexpr uint32_t BITS = 64;  ///< of the bitmap

    /// @return the type
    static TypeId GetTypeId();

    /// Writes BYTES. @return their end
    uint8_t* WriteBytes(uint8_t* bytes) const;
    /// Reads what WriteBytes() has written. @return its end
    const uint8_t* ReadBytes(const uint8_t* bytes);

    void Print(std::ostream& os) const override;

    uint32_t trigger{0}; ///< packet answered
    uint64_t bitmap{0};  ///< packets received, see above
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SACK_HEADER_H */
