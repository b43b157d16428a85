// SPDX-License-Identifier: GPL-2.0-only
#include "rate-recorder.h"

#include "ns3/abort.h"
#include "ns3/listen-to.h"
#include "ns3/node.h"
#include "ns3/record-archive.h"
#include "ns3/simulator.h"

#include <cmath>

namespace ns3::lossless
{

RateRecorder::RateRecorder(Time window)
    : m_ledger(Create<Ledger>())
{
    NS_ABORT_MSG_IF(!window.IsStrictlyPositive(),
                    "RateRecorder: the window is " << window << "; it must be above 0.");
    m_ledger->window = window;
}

void
RateRecorder::SetStart(Time start)
{
    m_ledger->start = start;
}

Time
RateRecorder::GetWindow() const
{
    return m_ledger->window;
}

void
RateRecorder::WatchPort(const std::string& name, PortId port, Ptr<LosslessNetDevice> device)
{
    m_ledger->ports.push_back({name, port, Ranks::GetRankOf(*device->GetNode()), 0, {}});
    m_portDevices.push_back(device);
}

void
RateRecorder::SetFlows(std::function<bool(uint64_t)> wants)
{
    m_ledger->wants = std::move(wants);
}

void
RateRecorder::WatchNic(Ptr<RoceNic> nic)
{
    if (Ranks::IsOwn(*nic->GetObject<LosslessNetDevice>()->GetNode()))
    {
        m_nics.push_back(nic);
        const auto note = [ledger = m_ledger](const FlowRecord& record) {
            ledger->NotifyAcknowledged(record);
        };
        ListenTo(*nic, "FlowAcknowledged", note);
        ListenTo(*nic, "FlowRate", [ledger = m_ledger](uint64_t id, DataRate rate) {
            ledger->allowed[id].rate = rate.GetBitRate();
        });
        ListenTo(*nic, "FlowWindow", [ledger = m_ledger](uint64_t id, uint64_t bytes) {
            ledger->allowed[id].window = bytes;
        });
    }
}

void
RateRecorder::Sample(Time spacing)
{
    const Time now = Simulator::Now();
    const auto isTooMany = [this, now] {
        return HasTooManyPoints() || (!m_ledger->ports.empty() && now > m_ledger->start &&
                                      m_ledger->GetNumber(now) > MAX_WINDOWS);
    };
    while (m_ledger->window < spacing || isTooMany())
    {
        m_ledger->Double();
    }
    Read();
    m_ledger->isOn = true;
}

bool
RateRecorder::HasTooManyPoints() const
{
    // Longer windows cannot reduce the number of points if one window contains all of them.
    return m_ledger->points.size() > MAX_POINTS &&
           m_ledger->window < Simulator::Now() - m_ledger->start;
}

void
RateRecorder::Read() const
{
    const Time now = Simulator::Now();
    // The values read now belong to the window that ends now.
    const uint64_t window = now > m_ledger->start ? m_ledger->GetNumber(now - TimeStep(1)) : 0;
    SamplePorts(window);
    SampleFlows(window);
    m_ledger->latest = now;
}

void
RateRecorder::ReadRest() const
{
    // A run can end just before a sample is due. If the last sample is older than a window,
    // sampling has already ended.
    if (m_ledger->isOn && Simulator::Now() - m_ledger->latest <= m_ledger->window)
    {
        Read();
    }
}

void
RateRecorder::SamplePorts(uint64_t window) const
{
    for (std::size_t i = 0; i < m_portDevices.size(); ++i)
    {
        Port& port = m_ledger->ports[i];
        if (port.rank == Ranks::GetRank())
        {
            const uint64_t sent = m_portDevices[i]->GetSentBytes();
            if (m_ledger->isOn)
            {
                port.bytes[window] += sent - port.sent;
            }
            port.sent = sent;
        }
    }
}

void
RateRecorder::SampleFlows(uint64_t window) const
{
    for (const Ptr<RoceNic>& nic : m_nics)
    {
        nic->VisitSending([this, window](uint64_t id, uint64_t acknowledged) {
            m_ledger->Note(id, acknowledged, window);
        });
    }
}

uint64_t
RateRecorder::CountEnded() const
{
    const Time latest = m_ledger->latest;
    return latest > m_ledger->start ? m_ledger->GetNumber(latest) : 0;
}

Time
RateRecorder::GetEnd(uint64_t window) const
{
    return m_ledger->start + TimeStep(m_ledger->window.GetTimeStep() * (window + 1));
}

int64_t
RateRecorder::GetRate(uint64_t bytes) const
{
    return std::llround(8 * static_cast<double>(bytes) / m_ledger->window.GetSeconds());
}

ResultTable
RateRecorder::GetPortTable() const
{
    ReadRest();
    auto table = ResultTable::WithHeader("time_ns,node,port,bits_per_second");
    const uint64_t ended = CountEnded();
    for (const Port& port : m_ledger->ports)
    {
        for (uint64_t window = 0; window < ended; ++window)
        {
            const auto found = port.bytes.find(window);
            const uint64_t bytes = found == port.bytes.end() ? 0 : found->second;
            table.rows.push_back({GetEnd(window), port.name, port.port, GetRate(bytes)});
        }
    }
    return table;
}

ResultTable
RateRecorder::GetFlowTable() const
{
    ReadRest();
    auto table = ResultTable::WithHeader("time_ns,id,bits_per_second,allowed_bits_per_second,"
                                         "allowed_window_bytes");
    const uint64_t ended = CountEnded();
    for (const auto& [place, point] : m_ledger->points)
    {
        const auto& [id, window] = place;
        if (window < ended)
        {
            table.rows.push_back({GetEnd(window),
                                  id,
                                  GetRate(point.bytes),
                                  point.allowed.rate,
                                  point.allowed.window});
        }
    }
    return table;
}

void
RateRecorder::Save(std::ostream& os) const
{
    ReadRest();
    SaveParts(os, m_ledger->window, m_ledger->points);
    for (const Port& port : m_ledger->ports)
    {
        if (port.rank == Ranks::GetRank())
        {
            SaveParts(os, port.bytes);
        }
    }
}

void
RateRecorder::Merge(std::istream& is, uint32_t rank)
{
    RateRecorder other(m_ledger->window);
    LoadParts(is, other.m_ledger->window, other.m_ledger->points);
    for (const Port& port : m_ledger->ports)
    {
        if (port.rank == rank)
        {
            LoadParts(is, other.m_ledger->ports.emplace_back().bytes);
        }
    }
    while (other.m_ledger->window != m_ledger->window)
    {
        (other.m_ledger->window < m_ledger->window ? other : *this).m_ledger->Double();
    }
    m_ledger->points.merge(other.m_ledger->points);
    while (HasTooManyPoints())
    {
        m_ledger->Double();
    }
    std::size_t next = 0;
    for (Port& port : m_ledger->ports)
    {
        if (port.rank == rank)
        {
            port.bytes = std::move(other.m_ledger->ports[next++].bytes);
        }
    }
}

void
RateRecorder::Ledger::NotifyAcknowledged(const FlowRecord& record)
{
    const Time now = Simulator::Now();
    if (isOn)
    {
        Note(record.flow.id, record.flow.bytes, GetNumber(now));
        before.erase(record.flow.id);
    }
    allowed.erase(record.flow.id);
}

void
RateRecorder::Ledger::Note(uint64_t id, uint64_t acknowledged, uint64_t number)
{
    if (!wants || !wants(id))
    {
        return;
    }
    uint64_t& latest = before[id];
    if (isOn)
    {
        Point& point = points[{id, number}];
        point.bytes += acknowledged - latest;
        point.allowed = allowed[id];
    }
    latest = acknowledged;
}

void
RateRecorder::Ledger::Double()
{
    std::map<std::pair<uint64_t, uint64_t>, Point> pairs;
    for (const auto& [place, point] : points)
    {
        Point& pair = pairs[{place.first, place.second / 2}];
        pair.bytes += point.bytes;
        pair.allowed = point.allowed;
    }
    points = std::move(pairs);
    for (Port& port : ports)
    {
        Series halved;
        for (const auto& [number, sum] : port.bytes)
        {
            halved[number / 2] += sum;
        }
        port.bytes = std::move(halved);
    }
    window = window + window;
}

uint64_t
RateRecorder::Ledger::GetNumber(Time time) const
{
    return static_cast<uint64_t>((time - start).GetTimeStep() / window.GetTimeStep());
}

} // namespace ns3::lossless
