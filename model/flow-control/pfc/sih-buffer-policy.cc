// SPDX-License-Identifier: GPL-2.0-only
#include "sih-buffer-policy.h"

#include "ns3/count-attribute.h"
#include "ns3/double.h"
#include "ns3/fixed-accessor.h"
#include "ns3/make-type-id.h"
#include "ns3/scheme-registry.h"
#include "ns3/uinteger.h"

#include <sstream>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(SihBufferPolicy);

const RegisterPart<SihBufferPolicy, BufferPolicyInfo> g_sihPolicy("SIH", 10);

namespace
{

/// With this alpha, the threshold exceeds the buffer of any switch.
constexpr double MAX_ALPHA = 1e9;

/// The maximum threshold, in bytes.
constexpr double MAX_THRESHOLD = 9e18;

} // namespace

TypeId
SihBufferPolicy::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<SihBufferPolicy, HeadroomBufferPolicy>("SihBufferPolicy")
            .AddAttribute("Alpha",
                          "Control parameter of the dynamic threshold, above 0 (default 1/16: DSH, "
                          "Sec. V-A).",
                          DoubleValue(1.0 / 16),
                          Fixed(MakeDoubleAccessor(&SihBufferPolicy::m_alpha)),
                          MakeDoubleChecker<double>(0, MAX_ALPHA))
            .AddAttribute("ResumeOffset",
                          "A stopped queue restarts when its shared occupancy is below the pause "
                          "threshold minus this many bytes (delta; 0 in all experiments of DSH).",
                          UintegerValue(0),
                          Fixed(MakeUintegerAccessor(&SihBufferPolicy::m_resumeOffset)),
                          MakeCountChecker());
    return tid;
}

std::optional<Thresholds>
SihBufferPolicy::GetThresholds(const SharedBuffer& buffer, QueueId queue) const
{
    const uint64_t xoff = GetThreshold(buffer);
    return Thresholds{xoff,
                      xoff > m_resumeOffset ? xoff - m_resumeOffset : 0,
                      buffer.GetIngress(queue).headroom > 0};
}

std::optional<std::string>
SihBufferPolicy::CheckThresholds() const
{
    return CheckEmptyThreshold(m_resumeOffset, "ResumeOffset");
}

std::optional<std::string>
SihBufferPolicy::CheckEmptyThreshold(uint64_t needed, const std::string& what) const
{
    std::ostringstream message;
    if (!(m_alpha > 0))
    {
        message << "Alpha is " << m_alpha << "; it must be above 0";
        return message.str();
    }
    if (m_alpha * static_cast<double>(GetSharedSize()) > MAX_THRESHOLD)
    {
        message << "the pause threshold of the empty switch, " << m_alpha << " x "
                << GetSharedSize() << " B, is above " << MAX_THRESHOLD << " B";
        return message.str();
    }
    if (GetEmptyThreshold() <= needed)
    {
        message << "the pause threshold of the empty switch, " << m_alpha << " x "
                << GetSharedSize() << " B = " << GetEmptyThreshold() << " B, does not exceed "
                << what << " of " << needed << " B: a stopped queue could never restart";
        return message.str();
    }
    return std::nullopt;
}

} // namespace ns3::lossless
