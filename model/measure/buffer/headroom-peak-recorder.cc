// SPDX-License-Identifier: GPL-2.0-only
#include "headroom-peak-recorder.h"

#include "ns3/abort.h"
#include "ns3/headroom-buffer-policy.h"
#include "ns3/listen-to.h"
#include "ns3/lossless-types.h"
#include "ns3/make-type-id.h"
#include "ns3/record-archive.h"

namespace ns3::lossless
{

namespace
{

/// The latest change of a port's headroom in use.
struct Course
{
    uint64_t bytes{0};    ///< the current level
    bool isRising{false}; ///< whether the latest change was a rise to this level
};

} // namespace

LOSSLESS_PLAIN_CLASS(HeadroomPeakRecorder, Recorder);

HeadroomPeakRecorder::HeadroomPeakRecorder()
    : m_peaks(std::make_shared<Peaks>())
{
}

void
HeadroomPeakRecorder::WatchSwitch(const std::string& /* name */, Ptr<SwitchNode> node)
{
    const auto policy = DynamicCast<HeadroomBufferPolicy>(node->GetBufferPolicy());
    NS_ABORT_MSG_IF(!policy,
                    "HeadroomPeakRecorder: the buffer policy of switch "
                        << node->GetId() << " sets no headroom aside; it must be a "
                        << "HeadroomBufferPolicy.");
    if (!Ranks::IsOwn(*node))
    {
        return;
    }
    // The latest changes of all ports whose headroom has been used.
    const auto courses = std::make_shared<std::map<PortId, Course>>();
    const auto note = [peaks = m_peaks, policy, courses](PortId port, uint64_t bytes) {
        Course& course = (*courses)[port];
        const bool isRising = bytes > course.bytes;
        if (course.isRising && !isRising)
        {
            ++(*peaks)[{course.bytes, policy->GetReservedHeadroom(port)}];
        }
        course = {bytes, isRising};
    };
    ListenTo(*node->GetSharedBuffer(), "PortHeadroomInUse", note);
}

ResultTable
HeadroomPeakRecorder::GetTable() const
{
    auto table = ResultTable::WithHeader("headroom_bytes,capacity_bytes,peaks");
    for (const auto& [level, count] : *m_peaks)
    {
        table.rows.push_back({level.bytes, level.capacity, count});
    }
    return table;
}

std::vector<Recorder::NamedTable>
HeadroomPeakRecorder::GetTables() const
{
    return {{"headroom-peaks", [this] { return GetTable(); }}};
}

void
HeadroomPeakRecorder::Save(std::ostream& os) const
{
    SaveParts(os, *m_peaks);
}

void
HeadroomPeakRecorder::Merge(std::istream& is, uint32_t /* rank */)
{
    Peaks peaks;
    LoadParts(is, peaks);
    for (const auto& [level, count] : peaks)
    {
        (*m_peaks)[level] += count;
    }
}

} // namespace ns3::lossless
