// SPDX-License-Identifier: GPL-2.0-only
#ifndef OFC_TABLE_RECORDER_H
#define OFC_TABLE_RECORDER_H

#include "ns3/ofc-flow-control.h"
#include "ns3/recorder.h"
#include "ns3/simulator.h"

#include <string>
#include <vector>

namespace ns3::lossless
{

/// Samples the tables of OFC switches every microsecond and writes the mean number of entries of
/// each port to tables.csv. Without such switches, the file is not written.
class OfcTableRecorder : public Recorder
{
  public:
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override
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

    std::vector<NamedTable> GetTables() const override
    {
        return m_ports.empty() ? std::vector<NamedTable>{}
                               : std::vector<NamedTable>{{"tables", [this] { return GetTable(); }}};
    }

  private:
    /// The entries in the tables of a port.
    struct Port
    {
        std::string node; ///< name of the switch
        Ptr<OfcFlowControl> ofc;
        PortId port;
        OfcFlowControl::TableSizes sum; ///< sum over all samples
    };

    ResultTable GetTable() const
    {
        auto table = ResultTable::WithHeader("node,port,in_port,congested,asked");
        for (const auto& [node, ofc, port, sum] : m_ports)
        {
            table.rows.push_back({node,
                                  port,
                                  static_cast<double>(sum.inPort) / m_samples,
                                  static_cast<double>(sum.congested) / m_samples,
                                  static_cast<double>(sum.asked) / m_samples});
        }
        return table;
    }

    void Sample()
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

    std::vector<Port> m_ports; ///< by switch and port
    uint32_t m_samples{0};     ///< number of samples so far
};

} // namespace ns3::lossless

#endif /* OFC_TABLE_RECORDER_H */
