// SPDX-License-Identifier: GPL-2.0-only
#include "unlimited-buffer-policy.h"

#include "shared-buffer.h"

#include "ns3/attribute-condition.h"
#include "ns3/make-type-id.h"
#include "ns3/part-registry.h"

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(UnlimitedBufferPolicy, BufferPolicy);

const RegisterPart<UnlimitedBufferPolicy, BufferPolicyInfo> g_unlimited("Unlimited", 70);

namespace
{

const RegisterCondition<SharedBuffer> g_size({"Size"},
                                             "ns3::lossless::SwitchNode::BufferPolicy",
                                             Where::IS_NOT,
                                             "ns3::lossless::UnlimitedBufferPolicy");

} // namespace

std::optional<std::string>
UnlimitedBufferPolicy::Configure(const SwitchShape& /* shape */)
{
    return std::nullopt;
}

Admission
UnlimitedBufferPolicy::Admit(const SharedBuffer& /* buffer */, const SwitchItem& item) const
{
    return Admission::Into({0, item.bufferBytes, 0});
}

} // namespace ns3::lossless
