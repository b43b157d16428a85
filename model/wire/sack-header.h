// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SACK_HEADER_H
#define LOSSLESS_SACK_HEADER_H

#include <cstdint>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Selective acknowledgement: which packets beyond the expected one have arrived. An optional header
 * of answers, behind the AETH, see RoceHeader::Has(); all in network byte order.
 *
 * | field   | bits | meaning                                                                |
 * |---------|------|------------------------------------------------------------------------|
 * | base    | 24   | sequence number that bit 0 of the bitmap stands for                    |
 * | trigger | 8    | the packet which is answered is `base + trigger`, modulo 2^24          |
 * | bitmap  | 64   | bit i: the packet `base + i` has arrived                               |
 *
 * A bitmap of 64 packets with a base of its own beside a cumulative number is the form that public
 * descriptions of Ultra Ethernet's acknowledgements give; IRN's packet (Mittal et al., SIGCOMM
 * 2018, Sec. 3.1) names the trigger alone.
 */
struct SackHeader
{
    static constexpr uint32_t BYTES = 12; ///< on the wire
    static constexpr uint32_t BITS = 64;  ///< of the bitmap

    uint32_t base{0};   ///< sequence number of bit 0, modulo 2^24
    uint8_t trigger{0}; ///< of the packet which is answered, from the base on
    uint64_t bitmap{0}; ///< what has arrived

    /// @param bytes where to write BYTES that Read() reads
    void Write(uint8_t* bytes) const;
    /// @param bytes written by Write() @return the header
    static SackHeader Read(const uint8_t* bytes);

    /// @return sequence number of the packet which is answered, modulo 2^24
    uint32_t GetTrigger() const
    {
        return (base + trigger) & 0xffffff;
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SACK_HEADER_H */
