// SPDX-License-Identifier: GPL-2.0-only
#include "flow-source.h"

namespace ns3::lossless
{

void
FlowSource::Visit(const std::function<void(const FlowSpec&)>& visit) const
{
    const auto reader = Open();
    while (const auto flow = reader->Next())
    {
        visit(*flow);
    }
}

const FlowTotals&
FlowSource::GetTotals() const
{
    if (!m_totals)
    {
        FlowTotals totals;
        Visit([&totals](const FlowSpec& flow) {
            totals.first = totals.flows == 0 ? flow.start : totals.first;
            totals.last = flow.start;
            ++totals.flows;
            FlowTotals::Sums& sums = totals.groups[{flow.group, flow.priority}];
            ++sums.flows;
            sums.bytes += flow.bytes;
        });
        m_totals = std::move(totals);
    }
    return *m_totals;
}

FlowList
FlowSource::MakeList() const
{
    FlowList flows;
    flows.reserve(m_totals ? m_totals->flows : 0);
    Visit([&flows](const FlowSpec& flow) { flows.push_back(flow); });
    return flows;
}

} // namespace ns3::lossless
