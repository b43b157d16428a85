// SPDX-License-Identifier: GPL-2.0-only
#include "headroom-peak-recorder.h"

#include "ns3/abort.h"
#include "ns3/record-archive.h"

namespace ns3::lossless
{

HeadroomPeakRecorder::HeadroomPeakRecorder()
    : m_tally(Create<Tally>())
{
}

void
HeadroomPeakRecorder::Watch(Ptr<SwitchNode> node)
{
    auto log = Create<SwitchLog>();
    log->m_tally = m_tally;
    log->m_policy = DynamicCast<HeadroomBufferPolicy>(node->GetBufferPolicy());
    NS_ABORT_MSG_IF(!log->m_policy,
                    "HeadroomPeakRecorder: the buffer policy of switch "
                        << node->GetId() << " sets no headroom aside; it must be a "
                        << "HeadroomBufferPolicy.");
    if (!Ranks::IsOwn(*node))
    {
        return;
    }
    node->GetSharedBuffer()->TraceConnectWithoutContext(
        "PortHeadroomInUse",
        MakeCallback(&SwitchLog::NotifyChange, log));
}

const HeadroomPeakRecorder::Peaks&
HeadroomPeakRecorder::GetPeaks() const
{
    return m_tally->peaks;
}

ResultTable
HeadroomPeakRecorder::GetTable() const
{
    ResultTable table{{"headroom_bytes", "capacity_bytes", "peaks"}, {}};
    for (const auto& [level, count] : GetPeaks())
    {
        table.rows.push_back({level.bytes, level.capacity, count});
    }
    return table;
}

void
HeadroomPeakRecorder::Save(std::ostream& os) const
{
    SaveParts(os, m_tally->peaks);
}

void
HeadroomPeakRecorder::Merge(std::istream& is, uint32_t /* rank */)
{
    Peaks peaks;
    LoadParts(is, peaks);
    for (const auto& [level, count] : peaks)
    {
        m_tally->peaks[level] += count;
    }
}

void
HeadroomPeakRecorder::SwitchLog::NotifyChange(PortId port, uint64_t bytes)
{
    Course& course = m_ports[port];
    const bool isRising = bytes > course.bytes;
    if (course.isRising && !isRising)
    {
        ++m_tally->peaks[{course.bytes, m_policy->GetReservedHeadroom(port)}];
    }
    course = {bytes, isRising};
}

} // namespace ns3::lossless
