// SPDX-License-Identifier: GPL-2.0-only
#include "throughput-recorder.h"

#include "ns3/abort.h"
#include "ns3/listen-to.h"
#include "ns3/lossless-net-device.h"
#include "ns3/record-archive.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>
#include <cmath>

namespace ns3::lossless
{

ThroughputRecorder::ThroughputRecorder(Time window)
    : m_ledger(Create<Ledger>())
{
    NS_ABORT_MSG_IF(!window.IsStrictlyPositive(),
                    "ThroughputRecorder: the window is " << window << "; it must be above 0.");
    m_ledger->window = window;
}

void
ThroughputRecorder::SetStart(Time start)
{
    m_ledger->start = start.GetTimeStep();
}

Time
ThroughputRecorder::GetWindow() const
{
    m_ledger->Bound();
    return m_ledger->window;
}

void
ThroughputRecorder::WatchPort(const std::string& name, Ptr<SwitchNode> node, PortId port)
{
    NS_ABORT_MSG_IF(Index(port) >= node->GetNDevices(),
                    "ThroughputRecorder: " << name << " has no port " << Index(port) << "; it has "
                                           << node->GetNDevices() << " ports.");
    std::size_t& number = GetView(node).ports[Index(port)];
    NS_ABORT_MSG_IF(number != View::NONE,
                    "ThroughputRecorder: port " << Index(port) << " of " << name
                                                << " is followed already.");
    number = AddSeries({Ranks::GetRankOf(*node), name, port, {}});
}

void
ThroughputRecorder::WatchFlow(const std::string& name,
                              Ptr<SwitchNode> node,
                              Ipv4Address source,
                              Ipv4Address destination)
{
    const auto [place, isNew] =
        GetView(node).flows.try_emplace({source.Get(), destination.Get()}, View::NONE);
    NS_ABORT_MSG_IF(!isNew,
                    "ThroughputRecorder: flow \""
                        << name << "\" is between two hosts that another "
                        << "flow has already; each pair can be one flow.");
    place->second = AddSeries({Ranks::GetRankOf(*node), name, std::nullopt, {}});
}

std::size_t
ThroughputRecorder::AddSeries(const Series& series)
{
    m_ledger->series.push_back(series);
    return m_ledger->series.size() - 1;
}

ThroughputRecorder::View&
ThroughputRecorder::GetView(Ptr<SwitchNode> node)
{
    Ptr<View>& view = m_views[PeekPointer(node)];
    if (view)
    {
        return *view;
    }
    view = Create<View>();
    view->ports.assign(node->GetNDevices(), View::NONE);
    for (uint16_t port = 0; port < node->GetNDevices(); ++port)
    {
        view->overheads.push_back(node->GetPortDevice(PortId{port})->GetOverheadBytes());
    }
    if (Ranks::IsOwn(*node))
    {
        ListenTo(*node, "Dequeue", [ledger = m_ledger, view = view](const SwitchItem& item) {
            const std::size_t port = Index(item.egress);
            const uint64_t bits = 8ULL * (item.frame.size + view->overheads[port]);
            if (view->ports[port] != View::NONE)
            {
                ledger->Add(view->ports[port], bits);
            }
            if (!view->flows.empty())
            {
                const auto found =
                    view->flows.find({item.frame.flow.source, item.frame.flow.destination});
                if (found != view->flows.end())
                {
                    ledger->Add(found->second, bits);
                }
            }
        });
    }
    return *view;
}

void
ThroughputRecorder::AddRows(const Series& series,
                            const ResultTable::Row& label,
                            ResultTable& table) const
{
    const Time window = m_ledger->window;
    const std::size_t ended = m_ledger->GetCurrent();
    Time end = TimeStep(m_ledger->start);
    for (std::size_t i = 0; i < ended; ++i)
    {
        end += window;
        const uint64_t bits = i < series.bits.size() ? series.bits[i] : 0;
        auto& row = table.rows.emplace_back(ResultTable::Row{end});
        row.insert(row.end(), label.begin(), label.end());
        row.emplace_back(std::llround(static_cast<double>(bits) / window.GetSeconds()));
    }
}

ResultTable
ThroughputRecorder::GetPortTable() const
{
    m_ledger->Bound();
    auto table = ResultTable::WithHeader("time_ns,node,port,bits_per_second");
    for (const Series& series : m_ledger->series)
    {
        if (series.port)
        {
            AddRows(series, {series.name, *series.port}, table);
        }
    }
    return table;
}

ResultTable
ThroughputRecorder::GetFlowTable() const
{
    m_ledger->Bound();
    auto table = ResultTable::WithHeader("time_ns,flow,bits_per_second");
    for (const Series& series : m_ledger->series)
    {
        if (!series.port)
        {
            AddRows(series, {series.name}, table);
        }
    }
    return table;
}

void
ThroughputRecorder::Save(std::ostream& os) const
{
    m_ledger->Bound();
    std::vector<std::vector<uint64_t>> all;
    for (const Series& series : m_ledger->series)
    {
        all.push_back(series.bits);
    }
    SaveParts(os, m_ledger->window, all);
}

void
ThroughputRecorder::Merge(std::istream& is, uint32_t rank)
{
    Ledger other;
    std::vector<std::vector<uint64_t>> all;
    LoadParts(is, other.window, all);
    for (std::vector<uint64_t>& bits : all)
    {
        other.series.emplace_back().bits = std::move(bits);
    }
    // The rank with the latest frame determines the length of the windows.
    while (other.window != m_ledger->window)
    {
        (other.window < m_ledger->window ? other : *m_ledger).Double();
    }
    for (std::size_t i = 0; i < other.series.size(); ++i)
    {
        Series& series = m_ledger->series[i];
        series.bits = series.rank == rank ? other.series[i].bits : series.bits;
    }
}

void
ThroughputRecorder::Ledger::Add(std::size_t number, uint64_t bits)
{
    if (NowInTicks() < start)
    {
        return;
    }
    while (GetCurrent() >= MAX_WINDOWS)
    {
        Double();
    }
    const std::size_t current = GetCurrent();
    std::vector<uint64_t>& sums = series[number].bits;
    sums.resize(std::max(sums.size(), current + 1));
    sums[current] += bits;
}

void
ThroughputRecorder::Ledger::Bound()
{
    while (GetCurrent() > MAX_WINDOWS)
    {
        Double();
    }
}

std::size_t
ThroughputRecorder::Ledger::GetCurrent() const
{
    const Ticks now = NowInTicks();
    return static_cast<std::size_t>((std::max(now, start) - start) / window.GetTimeStep());
}

void
ThroughputRecorder::Ledger::Double()
{
    for (Series& one : series)
    {
        std::vector<uint64_t> pairs((one.bits.size() + 1) / 2);
        for (std::size_t i = 0; i < one.bits.size(); ++i)
        {
            pairs[i / 2] += one.bits[i];
        }
        one.bits = std::move(pairs);
    }
    window = window + window;
}

} // namespace ns3::lossless
