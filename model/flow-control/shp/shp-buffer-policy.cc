// SPDX-License-Identifier: GPL-2.0-only
#include "shp-buffer-policy.h"

#include "ns3/attribute-condition.h"
#include "ns3/count-attribute.h"
#include "ns3/double.h"
#include "ns3/fixed-accessor.h"
#include "ns3/make-type-id.h"
#include "ns3/scheme-registry.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(ShpBufferPolicy);

namespace
{

const RegisterCondition<ShpBufferPolicy> g_ratio({"OversubscribeRatio"},
                                                 "PoolBytes",
                                                 Where::IS,
                                                 "0");

} // namespace

LOSSLESS_PLAIN_CLASS(ShpSwitchNode, SwitchNode);

const RegisterPart<ShpBufferPolicy, BufferPolicyInfo> g_shpPolicy("SHP", 30);

const RegisterScheme<ShpSwitchNode> g_shp("SHP", 40, [](SchemeInfo& scheme) {
    scheme.what =
        "PFC with dynamic thresholds and one headroom pool for all queues, as in SONiC switches";
    scheme.policy = "SHP";
    scheme.general = "PFC";
});

namespace
{

/// With this ratio, the pool of any switch has only one byte per port.
constexpr double MAX_RATIO = 1e9;

} // namespace

TypeId
ShpBufferPolicy::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<ShpBufferPolicy, SihBufferPolicy>("ShpBufferPolicy")
            .AddAttribute("PoolBytes",
                          "Size of the headroom pool, in bytes; 0: the sum of the limits of all "
                          "lossless ingress queues divided by OversubscribeRatio. As in SONiC, the "
                          "size takes precedence.",
                          UintegerValue(0),
                          Fixed(MakeUintegerAccessor(&ShpBufferPolicy::m_poolBytes)),
                          MakeCountChecker())
            .AddAttribute("OversubscribeRatio",
                          "Sum of the limits of all lossless ingress queues divided by the size of "
                          "the pool, if PoolBytes is 0; 1 is SIH (default 2: the example in "
                          "SONiC's configuration, over_subscribe_ratio).",
                          DoubleValue(2.0),
                          Fixed(MakeDoubleAccessor(&ShpBufferPolicy::m_oversubscribeRatio)),
                          MakeDoubleChecker<double>(1.0, MAX_RATIO));
    return tid;
}

std::optional<std::string>
ShpBufferPolicy::Configure(const SwitchShape& shape)
{
    std::ostringstream message;
    if (m_poolBytes >= shape.bufferBytes)
    {
        message << "PoolBytes of " << m_poolBytes << " B leave nothing to share of a buffer of "
                << shape.bufferBytes << " B";
        return message.str();
    }
    // A pool with a fixed size does not belong to any port; the ports share the remaining buffer.
    SwitchShape rest = shape;
    rest.bufferBytes -= m_poolBytes;
    const auto error = SihBufferPolicy::Configure(rest);
    m_poolSize = m_poolBytes ? m_poolBytes : GetReservedHeadroom();
    if (error && m_poolBytes)
    {
        message << *error << " (beside PoolBytes of " << m_poolBytes << " B)";
        return message.str();
    }
    return error;
}

uint64_t
ShpBufferPolicy::GetPortReserve(uint64_t headroom) const
{
    const auto limits = static_cast<double>(GetNLossless() * headroom);
    return m_poolBytes ? 0 : static_cast<uint64_t>(std::ceil(limits / m_oversubscribeRatio));
}

uint64_t
ShpBufferPolicy::GetHeadroomLeft(const SharedBuffer& buffer, const SwitchItem& item) const
{
    const uint64_t own =
        GetPortHeadroom(item.ingress) - buffer.GetIngress(item.GetIngressQueue()).headroom;
    return std::min(own, m_poolSize - buffer.GetHeadroomUsed());
}

} // namespace ns3::lossless
