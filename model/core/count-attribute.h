// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_COUNT_ATTRIBUTE_H
#define LOSSLESS_COUNT_ATTRIBUTE_H

#include "ns3/attribute.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <limits>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Makes a checker for a number of bytes, frames or samples. The checker refuses negative numbers,
 * which ns-3 would wrap modulo 2^64.
 * @param least the smallest allowed number; the largest is 2^63 - 1
 */
inline Ptr<const AttributeChecker>
MakeCountChecker(uint64_t least = 0)
{
    return MakeUintegerChecker<uint64_t>(least, std::numeric_limits<int64_t>::max());
}

} // namespace ns3::lossless

#endif /* LOSSLESS_COUNT_ATTRIBUTE_H */
