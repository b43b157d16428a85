// SPDX-License-Identifier: GPL-2.0-only
#include "buffer-policy.h"

#include "ns3/make-type-id.h"

#include <bitset>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(BufferPolicy, Object);

uint32_t
SwitchShape::CountLossless() const
{
    return std::bitset<NUM_PRIORITIES>(lossless).count();
}

} // namespace ns3::lossless
