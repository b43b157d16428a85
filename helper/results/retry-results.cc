// SPDX-License-Identifier: GPL-2.0-only
#include "retry-results.h"

#include "results-writer.h"

#include "ns3/lossless-channel.h"
#include "ns3/lossless-fabric.h"
#include "ns3/lossless-net-device.h"
#include "ns3/record-archive.h"

#include <memory>

namespace ns3::lossless
{

void
RetryResults::AddTo(ResultsWriter& results, const Fabric& fabric)
{
    const auto record = std::make_shared<RetryResults>(fabric);
    if (!record->m_ports.empty())
    {
        results.AddTable(TABLE, [record] { return record->GetTable(); });
    }
}

RetryResults::RetryResults(const Fabric& fabric)
{
    const Topology& topology = fabric.GetTopology();
    for (uint32_t link = 0; link < topology.GetLinks().size(); ++link)
    {
        const Topology::LinkInfo& info = topology.GetLinks()[link];
        // The first end of a cable is that of node A, see Fabric::CreateLinks().
        for (const std::size_t end : {0, 1})
        {
            const auto device =
                DynamicCast<LosslessNetDevice>(fabric.GetCable(link)->GetDevice(end));
            if (device->GetRetry())
            {
                m_ports.push_back({topology.GetNodes()[end == 0 ? info.nodeA : info.nodeB].name,
                                   device->GetIfIndex(),
                                   Ranks::GetRankOf(*device->GetNode()),
                                   device->GetRetry(),
                                   {}});
            }
        }
    }
}

const LinkRetry::Counts&
RetryResults::GetCounts(const Port& port)
{
    return port.rank == Ranks::GetRank() ? port.retry->GetCounts() : port.counts;
}

ResultTable
RetryResults::GetTable() const
{
    ResultTable table{{"node",
                       "port",
                       "tx_init_ctl_os",
                       "tx_init_echo_ctl_os",
                       "tx_ack_ctl_os",
                       "tx_nack_ctl_os",
                       "tx_ok",
                       "tx_replay",
                       "rx_init_ctl_os",
                       "rx_init_echo_ctl_os",
                       "rx_ack_ctl_os",
                       "rx_nack_ctl_os",
                       "rx_ack_nack_seq_error",
                       "rx_ok",
                       "rx_bad",
                       "rx_expected_seq_good",
                       "rx_expected_seq_bad",
                       "rx_missing_seq",
                       "rx_duplicate_seq",
                       "rx_replay",
                       "replays",
                       "timeouts",
                       "replayed_frames",
                       "flushes",
                       "lost_ctl_os"},
                      {}};
    for (const Port& port : m_ports)
    {
        auto& row = table.rows.emplace_back();
        row.push_back(port.node);
        row.push_back(port.number);
        LinkRetry::Counts counts = GetCounts(port);
        std::apply([&row](auto... count) { (row.push_back(count), ...); }, counts.Tie());
    }
    return table;
}

void
RetryResults::Save(std::ostream& os) const
{
    for (const Port& port : m_ports)
    {
        if (port.rank == Ranks::GetRank())
        {
            SaveParts(os, GetCounts(port));
        }
    }
}

void
RetryResults::Merge(std::istream& is, uint32_t rank)
{
    for (Port& port : m_ports)
    {
        if (port.rank == rank)
        {
            LoadParts(is, port.counts);
        }
    }
}

} // namespace ns3::lossless
