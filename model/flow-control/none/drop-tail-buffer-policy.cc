// SPDX-License-Identifier: GPL-2.0-only
#include "drop-tail-buffer-policy.h"

#include "ns3/fixed-accessor.h"
#include "ns3/make-type-id.h"
#include "ns3/queue-limit.h"
#include "ns3/scheme-registry.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(DropTailBufferPolicy);

const RegisterPart<DropTailBufferPolicy, BufferPolicyInfo> g_dropTailPolicy("DropTail", 60);

TypeId
DropTailBufferPolicy::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<DropTailBufferPolicy, BufferPolicy>("DropTailBufferPolicy")
            .AddAttribute("QueueLimit",
                          "Capacity of an egress queue, the frame on the wire included, in packets "
                          "(\"1000p\") or bytes (\"1MB\").",
                          QueueSizeValue(QueueSize("1000p")),
                          Fixed(MakeQueueSizeAccessor(&DropTailBufferPolicy::m_queueLimit)),
                          MakeQueueSizeChecker());
    return tid;
}

std::optional<std::string>
DropTailBufferPolicy::Configure(const SwitchShape& /* shape */)
{
    return FindLimitError(m_queueLimit);
}

Admission
DropTailBufferPolicy::Admit(const SharedBuffer& buffer, const SwitchItem& item) const
{
    return buffer.GetUsed() + item.bufferBytes <= buffer.GetSize()
               ? Admission::Into({0, item.bufferBytes, 0})
               : Admission::Refuse(DropReason::BUFFER_FULL);
}

Admission
DropTailBufferPolicy::AdmitEgress(const SharedBuffer& buffer, const SwitchItem& item) const
{
    return AdmitUpTo(m_queueLimit, buffer, item);
}

} // namespace ns3::lossless
