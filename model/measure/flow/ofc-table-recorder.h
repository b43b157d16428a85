// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OFC_TABLE_RECORDER_H
#define LOSSLESS_OFC_TABLE_RECORDER_H

#include "ns3/ofc-flow-control.h"
#include "ns3/recorder.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// @ingroup lossless
/// Samples the tables of OFC switches every microsecond and records the mean number of entries of
/// each port (OFC, Table II). Without such switches, the file is not written. The samples go on
/// until Simulator::Stop(). This class supports only runs on one rank; see Ranks.
class OfcTableRecorder : public Recorder
{
  public:
    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;
    /// @return tables.csv
    std::vector<NamedTable> GetTables() const override;

  private:
    /// The entries in the tables of a port.
    struct Port
    {
        std::string node; ///< name of the switch
        Ptr<OfcFlowControl> ofc;
        PortId port;
        OfcFlowControl::TableSizes sum; ///< sum over all samples
    };

    void Sample();
    ResultTable MakeTable() const;

    std::vector<Port> m_ports; ///< by switch and port
    uint32_t m_samples{0};     ///< number of samples so far
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OFC_TABLE_RECORDER_H */
