// SPDX-License-Identifier: GPL-2.0-only
#include "buffer-policy.h"

#include <bitset>
#include <cmath>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(BufferPolicy);

uint32_t
SwitchShape::CountLossless() const
{
    return std::bitset<NUM_PRIORITIES>(lossless).count();
}

Admission
Admission::Into(const SegmentBytes& segments)
{
    return {true, DropReason::BUFFER_FULL, segments};
}

Admission
Admission::Refuse(DropReason reason)
{
    return {false, reason, {}};
}

TypeId
BufferPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lossless::BufferPolicy").SetParent<Object>().SetGroupName("Lossless");
    return tid;
}

std::optional<Thresholds>
BufferPolicy::GetThresholds(const SharedBuffer& /* buffer */, QueueId /* queue */) const
{
    return std::nullopt;
}

std::optional<Thresholds>
BufferPolicy::GetPortThresholds(const SharedBuffer& /* buffer */, PortId /* port */) const
{
    return std::nullopt;
}

uint64_t
GetHeadroomBytes(const PortLink& link)
{
    constexpr uint64_t PROCESSING_BYTES = 3840; // the PFC standard's limit, DSH Sec. II-C
    const double bandwidthDelay =
        static_cast<double>(link.rate.GetBitRate()) / 8 * link.delay.GetSeconds();
    // Less a millionth of a byte, so that the rounding of the product does not add a whole one.
    const auto inFlight = static_cast<uint64_t>(std::ceil(bandwidthDelay - 1e-6));
    return 2 * (inFlight + link.mtu) + PROCESSING_BYTES;
}

} // namespace ns3::lossless
