// SPDX-License-Identifier: GPL-2.0-only
#include "dsh-buffer-policy.h"

#include "ns3/boolean.h"
#include "ns3/count-attribute.h"
#include "ns3/fixed-accessor.h"
#include "ns3/make-type-id.h"
#include "ns3/scheme-registry.h"
#include "ns3/uinteger.h"

#include <sstream>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(DshBufferPolicy);
LOSSLESS_PLAIN_CLASS(DshSwitchNode, SwitchNode);

const RegisterPart<DshBufferPolicy, BufferPolicyInfo> g_dshPolicy("DSH", 20);

const RegisterScheme<DshSwitchNode> g_dsh("DSH", 30, [](SchemeInfo& scheme) {
    scheme.what = "PFC at queue and port level with dynamic and shared headroom";
    scheme.policy = "DSH";
    scheme.general = "PFC";
});

namespace
{

/// Returns a - b, or 0 if the difference is negative.
uint64_t
SubtractDownToZero(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

} // namespace

TypeId
DshBufferPolicy::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<DshBufferPolicy, SihBufferPolicy>("DshBufferPolicy")
            .AddAttribute("PortResumeOffset",
                          "A stopped port restarts when its shared occupancy is below its pause "
                          "threshold minus this many bytes (delta_p; 0 in all experiments of DSH).",
                          UintegerValue(0),
                          Fixed(MakeUintegerAccessor(&DshBufferPolicy::m_portResumeOffset)),
                          MakeCountChecker())
            .AddAttribute("Insurance",
                          "Whether to reserve the insurance headroom of each port. Without it, DSH "
                          "is not lossless; the option exists to show its purpose.",
                          BooleanValue(true),
                          Fixed(MakeBooleanAccessor(&DshBufferPolicy::m_insurance)),
                          MakeBooleanChecker());
    return tid;
}

std::optional<Thresholds>
DshBufferPolicy::GetThresholds(const SharedBuffer& buffer, QueueId queue) const
{
    const uint64_t xoff = SubtractDownToZero(GetThreshold(buffer), GetPortHeadroom(queue.port));
    return Thresholds{xoff, SubtractDownToZero(xoff, GetResumeOffset())};
}

std::optional<Thresholds>
DshBufferPolicy::GetPortThresholds(const SharedBuffer& buffer, PortId port) const
{
    const uint64_t xoff = GetNLossless() * GetThreshold(buffer);
    return Thresholds{xoff,
                      SubtractDownToZero(xoff, m_portResumeOffset),
                      buffer.GetIngressPort(port).headroom > 0};
}

uint64_t
DshBufferPolicy::GetPortReserve(uint64_t headroom) const
{
    return m_insurance ? headroom : 0;
}

bool
DshBufferPolicy::MayUseShared(const SharedBuffer& buffer, const SwitchItem& item) const
{
    return !buffer.GetIngressPort(item.ingress).paused;
}

uint64_t
DshBufferPolicy::GetHeadroomLeft(const SharedBuffer& buffer, const SwitchItem& item) const
{
    return m_insurance
               ? GetPortHeadroom(item.ingress) - buffer.GetIngressPort(item.ingress).headroom
               : 0;
}

std::optional<std::string>
DshBufferPolicy::CheckThresholds() const
{
    if (const auto error = CheckEmptyThreshold(GetLargestHeadroom() + GetResumeOffset(),
                                               "headroom and ResumeOffset together"))
    {
        return error;
    }
    const uint64_t portThreshold = GetNLossless() * GetEmptyThreshold();
    if (GetNLossless() > 0 && portThreshold <= m_portResumeOffset)
    {
        std::ostringstream message;
        message << "the pause threshold of a port of the empty switch, " << GetNLossless() << " x "
                << GetEmptyThreshold() << " B = " << portThreshold
                << " B, does not exceed PortResumeOffset of " << m_portResumeOffset
                << " B: a stopped port could never restart";
        return message.str();
    }
    return std::nullopt;
}

} // namespace ns3::lossless
