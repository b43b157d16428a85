// SPDX-License-Identifier: GPL-2.0-only
#include "pabo-recorder.h"

#include "ns3/flow-plan.h"
#include "ns3/ipv4.h"
#include "ns3/listen-to.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <numeric>

namespace ns3::lossless
{

void
PaboRecorder::SampleQueues(const std::map<std::string, PortId>& ports, Time period, Time end)
{
    if (period.IsStrictlyPositive())
    {
        m_ports = ports;
        Simulator::Schedule(Time(0), &PaboRecorder::TakeSamples, this, period, end);
    }
}

void
PaboRecorder::WatchSwitch(const std::string& name, Ptr<SwitchNode> node)
{
    if (const auto pabo = DynamicCast<PaboFlowControl>(node->GetFlowControl()))
    {
        m_bounces.WatchSwitch(name, node);
        m_switches[name] = pabo;
    }
}

void
PaboRecorder::WatchHost(const std::string& /* name */, Ptr<Node> node)
{
    const auto keep = [](auto part, auto& parts) {
        if (part)
        {
            parts.push_back(part);
        }
        return part != nullptr;
    };
    const Ptr<NetDevice> device = node->GetDevice(0);
    const auto pabo = device->GetObject<PaboHost>();
    keep(pabo, m_senders);
    bool isReceiver = keep(device->GetObject<RawSink>(), m_sinks);
    for (uint32_t i = 0; i < node->GetNApplications(); ++i)
    {
        keep(DynamicCast<RawSource>(node->GetApplication(i)), m_sources);
        if (const auto client = DynamicCast<RequestClient>(node->GetApplication(i)))
        {
            isReceiver = true;
            WatchClient(m_hosts, *client);
        }
    }
    if (pabo && isReceiver)
    {
        m_bounces.WatchHost(pabo);
    }
    if (node->GetObject<Ipv4>())
    {
        m_segments.Watch(node);
    }
    ++m_hosts;
}

void
PaboRecorder::WatchClient(uint32_t host, RequestClient& client)
{
    UintegerValue requests;
    client.GetAttribute("Requests", requests);
    m_awaited += requests.Get();
    ListenTo(client,
             "ReplyComplete",
             [me = Ptr<PaboRecorder>(this), host](const ReplyRecord& record) {
                 me->m_replies.insert({{record.completed, host}, record});
                 --me->m_awaited;
             });
}

void
PaboRecorder::TakeSamples(Time period, Time end)
{
    const Time now = Simulator::Now();
    for (const auto& [name, pabo] : m_switches)
    {
        const auto port = m_ports.find(name);
        if (port != m_ports.end())
        {
            const QueueId queue{port->second, Priority{0}};
            m_samples.rows.push_back(
                {now, name, pabo->GetUtilization(queue, false), pabo->GetUtilization(queue, true)});
        }
    }
    if (now + period <= end)
    {
        Simulator::Schedule(period, &PaboRecorder::TakeSamples, this, period, end);
    }
}

std::vector<Recorder::NamedTable>
PaboRecorder::GetTables() const
{
    std::vector<NamedTable> tables;
    if (!m_switches.empty())
    {
        tables = {{"bounces", [this] { return m_bounces.GetBounceTable(); }},
                  {"delivered", [this] { return m_bounces.GetDeliveryTable(); }},
                  {"utilization", [this] { return m_bounces.GetQueueTable(); }}};
    }
    tables.insert(tables.end(),
                  {{"summary", [this] { return GetSummary(); }},
                   {"displacements", [this] { return m_segments.GetDensity().GetTable(); }},
                   {"replies", [this] { return GetReplyTable(); }},
                   {"samples", [this] { return m_samples; }}});
    return tables;
}

ResultTable
PaboRecorder::GetSummary() const
{
    auto table = ResultTable::WithHeader("name,value");
    const auto add = [&table](const char* name, double value) {
        table.rows.push_back({name, value});
    };
    const auto sum = [](const auto& parts, auto get) {
        return std::accumulate(parts.begin(), parts.end(), 0.0, [get](double total, auto part) {
            return total + static_cast<double>(get(*part));
        });
    };
    if (!m_sources.empty())
    {
        add("raw_frames_sent", sum(m_sources, [](auto& source) { return source.GetSent(); }));
        add("raw_frames_arrived", sum(m_sinks, [](auto& sink) { return sink.GetTotal().frames; }));
    }
    const Average<double>& delays = m_segments.GetDelays();
    add("segments_sent", static_cast<double>(m_segments.GetTransmissions()));
    add("segments_arrived", static_cast<double>(delays.Count()));
    if (delays.Count() > 1)
    {
        add("delay_mean_s", delays.Avg());
        add("delay_deviation_s", delays.Stddev());
    }
    add("reorder_entropy", m_segments.GetDensity().GetEntropy());
    add("connection_entropy", m_segments.GetMeanEntropy());
    add("frames_returned", sum(m_senders, [](auto& host) { return host.GetReturned(); }));
    add("replies_missing", static_cast<double>(m_awaited));
    return table;
}

ResultTable
PaboRecorder::GetReplyTable() const
{
    auto table = ResultTable::WithHeader("client,server,request,start_ns,fct_ns");
    for (const auto& [key, record] : m_replies)
    {
        table.rows.push_back({key.second,
                              ToText(record.server),
                              record.request,
                              record.requested,
                              record.completed - record.requested});
    }
    return table;
}

} // namespace ns3::lossless
