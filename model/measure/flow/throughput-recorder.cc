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
    : m_log(Create<Log>())
{
    NS_ABORT_MSG_IF(!window.IsStrictlyPositive(),
                    "ThroughputRecorder: the window is " << window << "; it must be above 0.");
    m_log->m_window = window;
}

void
ThroughputRecorder::AddFlow(const std::string& name, Ipv4Address source, Ipv4Address destination)
{
    const Pair pair{source.Get(), destination.Get()};
    NS_ABORT_MSG_IF(!m_log->m_bits.try_emplace(pair).second,
                    "ThroughputRecorder: flow \""
                        << name << "\" is between two hosts that another "
                        << "flow has already; each pair can be one flow.");
    m_names.emplace_back(name, pair);
}

void
ThroughputRecorder::Watch(Ptr<SwitchNode> node)
{
    NS_ABORT_MSG_IF(!m_log->m_overheads.empty(),
                    "ThroughputRecorder: it can watch one switch only.");
    for (uint32_t port = 0; port < node->GetNDevices(); ++port)
    {
        const auto device = node->GetPortDevice(PortId{static_cast<uint16_t>(port)});
        m_log->m_overheads.push_back(device->GetOverheadBytes());
    }
    if (Ranks::IsOwn(*node))
    {
        ListenTo(*node, "Dequeue", [log = m_log](const SwitchItem& item) { log->Count(item); });
    }
}

std::vector<uint64_t>
ThroughputRecorder::GetBits(const std::string& name) const
{
    const auto found = std::find_if(m_names.begin(), m_names.end(), [&name](const auto& entry) {
        return entry.first == name;
    });
    NS_ABORT_MSG_IF(found == m_names.end(),
                    "ThroughputRecorder: there is no flow \"" << name << "\".");
    return GetBits(found->second);
}

std::vector<uint64_t>
ThroughputRecorder::GetBits(const Pair& pair) const
{
    std::vector<uint64_t> bits = m_log->m_bits.at(pair);
    bits.resize(NowInTicks() / m_log->m_window.GetTimeStep());
    return bits;
}

ResultTable
ThroughputRecorder::GetTable() const
{
    const Time window = m_log->m_window;
    ResultTable table{{"time_ns", "flow", "bits_per_second"}, {}};
    for (const auto& [name, pair] : m_names)
    {
        Time end = window;
        for (const uint64_t bits : GetBits(pair))
        {
            const double rate = static_cast<double>(bits) / window.GetSeconds();
            table.rows.push_back({end, name, std::llround(rate)});
            end += window;
        }
    }
    return table;
}

void
ThroughputRecorder::Save(std::ostream& os) const
{
    SaveParts(os, m_log->m_bits);
}

void
ThroughputRecorder::Merge(std::istream& is, uint32_t /* rank */)
{
    std::map<Pair, std::vector<uint64_t>> foreign;
    LoadParts(is, foreign);
    for (const auto& [pair, bits] : foreign)
    {
        // All windows of the rank of the switch, and none of another.
        std::vector<uint64_t>& own = m_log->m_bits[pair];
        own = own.empty() ? bits : own;
    }
}

void
ThroughputRecorder::Log::Count(const SwitchItem& item)
{
    const auto found = m_bits.find({item.frame.flow.source, item.frame.flow.destination});
    if (found == m_bits.end())
    {
        return;
    }
    const std::size_t window = NowInTicks() / m_window.GetTimeStep();
    std::vector<uint64_t>& bits = found->second;
    bits.resize(std::max(bits.size(), window + 1));
    bits[window] += 8ULL * (item.frame.size + m_overheads[Index(item.egress)]);
}

} // namespace ns3::lossless
