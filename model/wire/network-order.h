// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_NETWORK_ORDER_H
#define LOSSLESS_NETWORK_ORDER_H

#include <cstdint>

namespace ns3::lossless
{

/// Writes a number as 1 to 8 bytes, most significant byte first.
/// @return the end of the written bytes
template <uint32_t SIZE>
uint8_t*
WriteNumber(uint8_t* bytes, uint64_t value)
{
    for (uint32_t i = 0; i < SIZE; ++i)
    {
        bytes[i] = static_cast<uint8_t>(value >> 8 * (SIZE - 1 - i));
    }
    return bytes + SIZE;
}

/// @return a number written by WriteNumber()
template <uint32_t SIZE>
uint64_t
ReadNumber(const uint8_t* bytes)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < SIZE; ++i)
    {
        value = value << 8 | bytes[i];
    }
    return value;
}

} // namespace ns3::lossless

#endif /* LOSSLESS_NETWORK_ORDER_H */
