// SPDX-License-Identifier: GPL-2.0-only
#include "buffer-policy.h"

#include "ns3/make-type-id.h"

#include <bitset>

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
    return {AdmissionOutcome::ADMIT, DropReason::BUFFER_FULL, segments};
}

Admission
Admission::Refuse(DropReason reason)
{
    return {AdmissionOutcome::REFUSE, reason, {}};
}

Admission
Admission::Wait()
{
    return {AdmissionOutcome::WAIT, DropReason::BUFFER_FULL, {}};
}

TypeId
BufferPolicy::GetTypeId()
{
    static TypeId tid = MakeTypeId<BufferPolicy, Object>("BufferPolicy");
    return tid;
}

Admission
BufferPolicy::AdmitEgress(const SharedBuffer& /* buffer */, const SwitchItem& /* item */) const
{
    return {};
}

std::optional<uint64_t>
BufferPolicy::GetEgressRoom() const
{
    return std::nullopt;
}

bool
BufferPolicy::IsTwoSided() const
{
    return false;
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

} // namespace ns3::lossless
