// SPDX-License-Identifier: GPL-2.0-only
#include "packet-trimmer.h"

#include "ns3/double.h"
#include "ns3/make-type-id.h"
#include "ns3/trimming.h"
#include "ns3/uinteger.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(PacketTrimmer);

TypeId
PacketTrimmer::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<PacketTrimmer, Object>("PacketTrimmer")
            .AddAttribute("TrimBytes",
                          "Maximum length of a trimmed frame, in bytes, with Ethernet header and "
                          "without FCS; its headers are kept in any case (default 64: uet-htsim; "
                          "SONiC's examples have 256).",
                          UintegerValue(64),
                          MakeUintegerAccessor(&PacketTrimmer::m_bytes),
                          MakeUintegerChecker<uint32_t>(64, 9216))
            .AddAttribute("Class",
                          "Class in which trimmed packets are forwarded; not 7, that of "
                          "acknowledgements (default 6: the queue of SONiC's examples).",
                          UintegerValue(6),
                          MakeUintegerAccessor(&PacketTrimmer::m_class),
                          MakeUintegerChecker<uint8_t>(0, 6))
            .AddAttribute(
                "Share",
                "Share of a port's rate for trimmed packets while one other class has frames; at "
                "most 0.5, since they could otherwise fill the network (default 0.25: Ultra "
                "Ethernet 1.0.3, Sec. 4.1, which recommends it and has that limit).",
                DoubleValue(0.25),
                MakeDoubleAccessor(&PacketTrimmer::m_share),
                MakeDoubleChecker<double>(0.001, 0.5));
    return tid;
}

uint32_t
PacketTrimmer::Trim(SwitchItem& item, bool isLastHop) const
{
    const TrimmedAt at = isLastHop ? TrimmedAt::LAST_HOP : TrimmedAt::FABRIC;
    const uint32_t cut =
        TrimFrame(item.frame, m_bytes, GetTrimmedTos(GetClass(), at, item.frame.tos));
    if (cut > 0)
    {
        item.frame.priority = GetClass();
    }
    return cut;
}

} // namespace ns3::lossless
