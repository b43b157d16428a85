// SPDX-License-Identifier: GPL-2.0-only
#include "static-buffer-policy.h"

#include "ns3/count-attribute.h"
#include "ns3/fixed-accessor.h"
#include "ns3/make-type-id.h"
#include "ns3/scheme-registry.h"
#include "ns3/uinteger.h"

#include <sstream>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(StaticBufferPolicy);

const RegisterPart<StaticBufferPolicy, BufferPolicyInfo> g_static("Static", 40);

TypeId
StaticBufferPolicy::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<StaticBufferPolicy, HeadroomBufferPolicy>("StaticBufferPolicy")
            .AddAttribute("Xoff",
                          "Shared occupancy, in bytes, above which an ingress queue is stopped "
                          "(default 75 kB: OFC's settings). Schemes that compare whole queues also "
                          "count the private bytes.",
                          UintegerValue(75000),
                          Fixed(MakeUintegerAccessor(&StaticBufferPolicy::m_xoff)),
                          MakeCountChecker(1))
            .AddAttribute("Xon",
                          "Shared occupancy, in bytes, below which a stopped ingress queue "
                          "restarts (default 45 kB: OFC's settings); at most Xoff, above 0.",
                          UintegerValue(45000),
                          Fixed(MakeUintegerAccessor(&StaticBufferPolicy::m_xon)),
                          MakeCountChecker(1));
    return tid;
}

std::optional<Thresholds>
StaticBufferPolicy::GetThresholds(const SharedBuffer& buffer, QueueId queue) const
{
    return Thresholds{m_xoff, m_xon, buffer.GetIngress(queue).headroom > 0};
}

std::optional<std::string>
StaticBufferPolicy::CheckThresholds() const
{
    std::ostringstream message;
    if (m_xon > m_xoff)
    {
        message << "Xon of " << m_xon << " B is above Xoff of " << m_xoff
                << " B; it must be at most Xoff";
        return message.str();
    }
    if (m_xoff > GetSharedSize())
    {
        message << "Xoff of " << m_xoff << " B is above the shared buffer of " << GetSharedSize()
                << " B which headroom and private buffers leave: no queue would ever be stopped";
        return message.str();
    }
    return std::nullopt;
}

} // namespace ns3::lossless
