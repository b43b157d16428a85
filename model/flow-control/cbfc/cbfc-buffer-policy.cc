// SPDX-License-Identifier: GPL-2.0-only
#include "cbfc-buffer-policy.h"

#include "cbfc-flow-control.h"

#include "ns3/fixed-accessor.h"
#include "ns3/make-type-id.h"
#include "ns3/queue-limit.h"
#include "ns3/scheme-registry.h"

#include <algorithm>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(CbfcBufferPolicy);

const RegisterPart<CbfcBufferPolicy, BufferPolicyInfo> g_cbfcPolicy("CBFC", 55);

TypeId
CbfcBufferPolicy::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<CbfcBufferPolicy, BufferPolicy>("CbfcBufferPolicy")
            .AddAttribute("QueueLimit",
                          "Capacity of an egress queue of a lossy class, in packets (\"1000p\") or "
                          "bytes (\"1MB\").",
                          QueueSizeValue(QueueSize("1000p")),
                          Fixed(MakeQueueSizeAccessor(&CbfcBufferPolicy::m_queueLimit)),
                          MakeQueueSizeChecker());
    return tid;
}

std::optional<std::string>
CbfcBufferPolicy::Configure(const SwitchShape& shape)
{
    if (!m_flowControl)
    {
        return "CbfcBufferPolicy was made without the flow control of CBFC; use CbfcSwitchNode";
    }
    const CbfcSettings settings = m_flowControl->GetSettings(shape.lossless);
    auto error = FindLimitError(m_queueLimit);
    error = error ? error : settings.FindError();
    if (error)
    {
        return error;
    }
    m_lossless = shape.lossless;
    m_granted = 0;
    uint64_t lossy = 0; // the buffer space for a full frame of a lossy class
    for (std::size_t i = 0; i < shape.ports.size(); ++i)
    {
        const CbfcLimits limits = settings.MakeLimits(shape.ports[i]);
        if (error = settings.FindError(limits); error)
        {
            return "port " + std::to_string(i) + ": " + *error;
        }
        m_granted += settings.GetBufferBytes(limits, shape.ports[i], shape.cellBytes);
        if (shape.lossless != ALL_PRIORITIES)
        {
            lossy = std::max(lossy,
                             CbfcSettings::GetLargestFrameBytes(shape.ports[i], shape.cellBytes));
        }
    }
    if (m_granted + lossy > shape.bufferBytes)
    {
        return "the credits of all ports can take " + std::to_string(m_granted) +
               " B, a frame of a lossy class takes " + std::to_string(lossy) +
               " B, and the memory has only " + std::to_string(shape.bufferBytes) +
               " B; enlarge SharedBuffer::Size (programs: --buffer) or set "
               "CbfcFlowControl::ChannelCredits";
    }
    return std::nullopt;
}

Admission
CbfcBufferPolicy::Admit(const SharedBuffer& buffer, const SwitchItem& item) const
{
    // Only lossy frames count as shared, because they use memory that is not covered by credits.
    const bool isLossless = Contains(m_lossless, item.frame.priority);
    const bool hasRoom =
        isLossless ? buffer.GetUsed() + item.bufferBytes <= buffer.GetSize()
                   : buffer.GetSharedUsed() + item.bufferBytes <= buffer.GetSize() - m_granted;
    if (!hasRoom)
    {
        return Admission::Refuse(DropReason::BUFFER_FULL);
    }
    return Admission::Into(isLossless ? SegmentBytes{item.bufferBytes, 0, 0}
                                      : SegmentBytes{0, item.bufferBytes, 0});
}

Admission
CbfcBufferPolicy::AdmitEgress(const SharedBuffer& buffer, const SwitchItem& item) const
{
    return Contains(m_lossless, item.frame.priority) ? Admission()
                                                     : AdmitUpTo(m_queueLimit, buffer, item);
}

} // namespace ns3::lossless
