// SPDX-License-Identifier: GPL-2.0-only
#include "ofc-table-recorder.h"

#include "ns3/simulator.h"

namespace ns3::lossless
{

void
OfcTableRecorder::WatchSwitch(const std::string& name, Ptr<SwitchNode> node)
{
    const auto ofc = DynamicCast<OfcFlowControl>(node->GetFlowControl());
    if (ofc && m_ports.empty())
    {
        Simulator::ScheduleNow(&OfcTableRecorder::Sample, this);
    }
    for (uint16_t port = 0; ofc && port < node->GetNDevices(); ++port)
    {
        m_ports.push_back({name, ofc, PortId{port}, {}});
    }
}

std::vector<Recorder::NamedTable>
OfcTableRecorder::GetTables() const
{
    return m_ports.empty() ? std::vector<NamedTable>{}
                           : std::vector<NamedTable>{{"tables", [this] { return MakeTable(); }}};
}

ResultTable
OfcTableRecorder::MakeTable() const
{
    auto table = ResultTable::WithHeader("node,port,in_port,congested,asked");
    for (const auto& [node, ofc, port, sum] : m_ports)
    {
        const auto mean = [this](std::size_t entries) {
            return static_cast<double>(entries) / m_samples;
        };
        table.rows.push_back({node, port, mean(sum.inPort), mean(sum.congested), mean(sum.asked)});
    }
    return table;
}

void
OfcTableRecorder::Sample()
{
    ++m_samples;
    for (auto& [node, ofc, port, sum] : m_ports)
    {
        const OfcFlowControl::TableSizes now = ofc->GetTableSizes(port);
        sum.inPort += now.inPort;
        sum.congested += now.congested;
        sum.asked += now.asked;
    }
    Simulator::Schedule(MicroSeconds(1), &OfcTableRecorder::Sample, this);
}

} // namespace ns3::lossless
