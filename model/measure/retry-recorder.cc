// SPDX-License-Identifier: GPL-2.0-only
#include "retry-recorder.h"

#include "ns3/lossless-channel.h"
#include "ns3/make-type-id.h"
#include "ns3/ranks.h"
#include "ns3/record-archive.h"

#include <algorithm>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(RetryRecorder, Recorder);

const RegisterRecorder<RetryRecorder> g_retryRecorder("llr", 120);

void
RetryRecorder::WatchSwitch(const std::string& name, Ptr<SwitchNode> node)
{
    Watch(name, node);
}

void
RetryRecorder::WatchHost(const std::string& name, Ptr<Node> node)
{
    Watch(name, node);
}

void
RetryRecorder::Watch(const std::string& name, Ptr<Node> node)
{
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        const auto device = DynamicCast<LosslessNetDevice>(node->GetDevice(i));
        if (!device || !device->GetRetry())
        {
            continue;
        }
        const Ptr<Channel> cable = device->GetChannel();
        const std::size_t end = cable->GetDevice(0) == device ? 0 : 1;
        const Port port{{cable->GetId(), end},
                        name,
                        device->GetIfIndex(),
                        Ranks::GetRankOf(*node),
                        device->GetRetry(),
                        {}};
        const auto isBefore = [](const Port& a, const Port& b) { return a.place < b.place; };
        m_ports.insert(std::upper_bound(m_ports.begin(), m_ports.end(), port, isBefore), port);
    }
}

std::vector<Recorder::NamedTable>
RetryRecorder::GetTables() const
{
    if (m_ports.empty())
    {
        return {};
    }
    return {{"llr", [this] { return GetTable(); }}};
}

const LinkRetry::Counts&
RetryRecorder::GetCounts(const Port& port)
{
    return port.rank == Ranks::GetRank() ? port.retry->GetCounts() : port.counts;
}

ResultTable
RetryRecorder::GetTable() const
{
    auto table =
        ResultTable::WithHeader("node,port,tx_init_ctl_os,tx_init_echo_ctl_os,tx_ack_ctl_os,"
                                "tx_nack_ctl_os,tx_ok,tx_replay,rx_init_ctl_os,rx_init_echo_ctl_os,"
                                "rx_ack_ctl_os,rx_nack_ctl_os,rx_ack_nack_seq_error,rx_ok,rx_bad,"
                                "rx_expected_seq_good,rx_expected_seq_bad,rx_missing_seq,"
                                "rx_duplicate_seq,rx_replay,replays,timeouts,replayed_frames,"
                                "flushes,lost_ctl_os");
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
RetryRecorder::Save(std::ostream& os) const
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
RetryRecorder::Merge(std::istream& is, uint32_t rank)
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
