// SPDX-License-Identifier: GPL-2.0-only
#include "port-throughput-recorder.h"

#include "ns3/abort.h"
#include "ns3/listen-to.h"
#include "ns3/lossless-net-device.h"
#include "ns3/record-archive.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::lossless
{

PortThroughputRecorder::PortThroughputRecorder(Time window)
    : m_ledger(Create<Ledger>())
{
    NS_ABORT_MSG_IF(!window.IsStrictlyPositive(),
                    "PortThroughputRecorder: the window is " << window << "; it must be above 0.");
    m_ledger->window = window;
}

void
PortThroughputRecorder::SetStart(Time start)
{
    m_ledger->start = start.GetTimeStep();
}

void
PortThroughputRecorder::Watch(const std::string& name, Ptr<SwitchNode> node, PortId port)
{
    NS_ABORT_MSG_IF(Index(port) >= node->GetNDevices(),
                    "PortThroughputRecorder: " << name << " has no port " << Index(port)
                                               << "; it has " << node->GetNDevices() << " ports.");
    std::size_t& number = GetNumbers(node)[Index(port)];
    NS_ABORT_MSG_IF(number != 0,
                    "PortThroughputRecorder: port " << Index(port) << " of " << name
                                                    << " is followed already.");
    m_ledger->ports.push_back(
        {Ranks::GetRankOf(*node), name, port, node->GetPortDevice(port)->GetOverheadBytes(), {}});
    number = m_ledger->ports.size();
}

PortThroughputRecorder::Numbers&
PortThroughputRecorder::GetNumbers(Ptr<SwitchNode> node)
{
    std::shared_ptr<Numbers>& numbers = m_numbers[PeekPointer(node)];
    if (!numbers)
    {
        numbers = std::make_shared<Numbers>(node->GetNDevices());
        if (Ranks::IsOwn(*node))
        {
            const auto count = [ledger = m_ledger, numbers](const SwitchItem& item) {
                if (const std::size_t number = (*numbers)[Index(item.egress)])
                {
                    ledger->Add(number - 1, item.frame.size);
                }
            };
            ListenTo(*node, "Dequeue", count);
        }
    }
    return *numbers;
}

ResultTable
PortThroughputRecorder::GetTable() const
{
    m_ledger->Bound();
    const Time window = m_ledger->window;
    const std::size_t windows = m_ledger->GetCurrent();
    ResultTable table{{"time_ns", "node", "port", "bits_per_second"}, {}};
    for (const PortBits& port : m_ledger->ports)
    {
        Time end = TimeStep(m_ledger->start) + window;
        for (std::size_t i = 0; i < windows; ++i)
        {
            const uint64_t bits = i < port.bits.size() ? port.bits[i] : 0;
            const double rate = static_cast<double>(bits) / window.GetSeconds();
            table.rows.push_back({end, port.node, port.port, std::llround(rate)});
            end += window;
        }
    }
    return table;
}

void
PortThroughputRecorder::Save(std::ostream& os) const
{
    m_ledger->Bound();
    std::vector<std::vector<uint64_t>> all;
    for (const PortBits& port : m_ledger->ports)
    {
        all.push_back(port.bits);
    }
    SaveParts(os, m_ledger->window, all);
}

void
PortThroughputRecorder::Merge(std::istream& is, uint32_t rank)
{
    Ledger other;
    std::vector<std::vector<uint64_t>> all;
    LoadParts(is, other.window, all);
    for (std::vector<uint64_t>& bits : all)
    {
        other.ports.emplace_back().bits = std::move(bits);
    }
    // The windows are as long as the latest frame of all ranks wants them.
    while (other.window != m_ledger->window)
    {
        (other.window < m_ledger->window ? other : *m_ledger).Double();
    }
    for (std::size_t i = 0; i < other.ports.size(); ++i)
    {
        PortBits& port = m_ledger->ports[i];
        port.bits = port.rank == rank ? other.ports[i].bits : port.bits;
    }
}

void
PortThroughputRecorder::Ledger::Add(std::size_t number, uint32_t frameBytes)
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
    PortBits& port = ports[number];
    port.bits.resize(std::max(port.bits.size(), current + 1));
    port.bits[current] += 8ULL * (frameBytes + port.overhead);
}

void
PortThroughputRecorder::Ledger::Bound()
{
    while (GetCurrent() > MAX_WINDOWS)
    {
        Double();
    }
}

std::size_t
PortThroughputRecorder::Ledger::GetCurrent() const
{
    const Ticks now = NowInTicks();
    return static_cast<std::size_t>((std::max(now, start) - start) / window.GetTimeStep());
}

void
PortThroughputRecorder::Ledger::Double()
{
    for (PortBits& port : ports)
    {
        std::vector<uint64_t> pairs((port.bits.size() + 1) / 2);
        for (std::size_t i = 0; i < port.bits.size(); ++i)
        {
            pairs[i / 2] += port.bits[i];
        }
        port.bits = std::move(pairs);
    }
    window = window + window;
}

} // namespace ns3::lossless
