// SPDX-License-Identifier: GPL-2.0-only
#include "sack-header.h"

namespace ns3::lossless
{

namespace
{

/// @param bytes where to write @param value a number @param size bytes of it, the highest first
void
WriteNumber(uint8_t* bytes, uint64_t value, uint32_t size)
{
    for (uint32_t i = 0; i < size; ++i)
    {
        bytes[i] = static_cast<uint8_t>(value >> 8 * (size - 1 - i));
    }
}

/// @param bytes written by WriteNumber() @param size bytes of it @return the number
uint64_t
ReadNumber(const uint8_t* bytes, uint32_t size)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < size; ++i)
    {
        value = value << 8 | bytes[i];
    }
    return value;
}

constexpr uint32_t BASE_SIZE = 3;   ///< bytes of SackHeader::base
constexpr uint32_t BITMAP_SIZE = 8; ///< bytes of SackHeader::bitmap

} // namespace

void
SackHeader::Write(uint8_t* bytes) const
{
    WriteNumber(bytes, base, BASE_SIZE);
    bytes[BASE_SIZE] = trigger;
    WriteNumber(bytes + BASE_SIZE + 1, bitmap, BITMAP_SIZE);
}

SackHeader
SackHeader::Read(const uint8_t* bytes)
{
    SackHeader header;
    header.base = static_cast<uint32_t>(ReadNumber(bytes, BASE_SIZE));
    header.trigger = bytes[BASE_SIZE];
    header.bitmap = ReadNumber(bytes + BASE_SIZE + 1, BITMAP_SIZE);
    return header;
}

} // namespace ns3::lossless
