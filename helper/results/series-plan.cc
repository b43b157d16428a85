// SPDX-License-Identifier: GPL-2.0-only
#include "series-plan.h"

#include "flow-plan.h"

#include "ns3/make-type-id.h"
#include "ns3/quantity-text.h"
#include "ns3/recorder-list.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(SeriesPlan);

const RegisterRecorder<SeriesPlan> g_series("series", 105);

namespace
{

/// The maximum number of rows in queues.csv if queues or rates are recorded.
constexpr uint64_t QUEUE_ROWS = 1000000;

} // namespace

TypeId
SeriesPlan::GetTypeId()
{
    static TypeId tid = MakeTypeId<SeriesPlan, Recorder>("SeriesPlan");
    return tid;
}

Ptr<QueueSampler>
SeriesPlan::GetSampler() const
{
    return GetRun().Get<QueueSampler>();
}

void
SeriesPlan::RaiseBound()
{
    const auto sampler = GetSampler();
    TypeId::AttributeInformation bound;
    sampler->GetInstanceTypeId().LookupAttributeByName("MaxSamples", &bound);
    UintegerValue rows;
    sampler->GetAttribute("MaxSamples", rows);
    if (rows.SerializeToString(bound.checker) ==
        bound.originalInitialValue->SerializeToString(bound.checker))
    {
        sampler->SetAttribute("MaxSamples", UintegerValue(QUEUE_ROWS));
    }
}

void
SeriesPlan::RequestRates(Time window)
{
    m_window = window;
    if (!m_rates)
    {
        RaiseBound();
        m_rates = std::make_unique<RateRecorder>(window);
        m_rates->SetStart(m_start);
        GetSampler()->SetListener([this](Time spacing) { m_rates->Sample(spacing); });
    }
}

void
SeriesPlan::AddFlows(const std::vector<PlacePattern>& patterns, Time window)
{
    m_flows = patterns;
    RequestRates(window);
    m_rates->SetFlows([this](uint64_t id) { return WantsFlow(id); });
}

bool
SeriesPlan::WantsFlow(uint64_t id) const
{
    return std::any_of(m_flows.begin(), m_flows.end(), [id](const PlacePattern& pattern) {
        return pattern.Matches({std::to_string(id)});
    });
}

void
SeriesPlan::AddQueues(const std::vector<PlacePattern>& patterns)
{
    RaiseBound();
    for (const PlacePattern& pattern : patterns)
    {
        m_queues.push_back({pattern});
    }
}

void
SeriesPlan::AddPorts(const std::vector<PlacePattern>& patterns, Time window)
{
    for (const PlacePattern& pattern : patterns)
    {
        m_ports.push_back({pattern});
    }
    m_throughput = std::make_unique<ThroughputRecorder>(window);
    m_window = window;
}

void
SeriesPlan::SetStart(Time start)
{
    m_start = start;
    GetSampler()->SetAttribute("StartTime", TimeValue(start));
    if (m_throughput)
    {
        m_throughput->SetStart(start);
    }
    if (m_rates)
    {
        m_rates->SetStart(start);
    }
}

std::vector<std::string>
SeriesPlan::GetRemarks() const
{
    std::vector<std::string> sentences;
    const auto compare = [&sentences](const std::string& what, Time asked, Time now, auto bound) {
        if (now != asked)
        {
            sentences.push_back(what + " " + FormatTime(now) + " apart instead of " +
                                FormatTime(asked) + ", since " + bound + ".");
        }
    };
    TimeValue period;
    GetSampler()->GetAttribute("Period", period);
    compare("Samples in queues.csv are",
            period.Get(),
            GetSampler()->GetSpacing(),
            "QueueSampler::MaxSamples bounds their number");
    if (m_throughput)
    {
        compare("Points in port-throughput.csv are",
                m_window,
                m_throughput->GetWindow(),
                "a port has at most " + std::to_string(ThroughputRecorder::MAX_WINDOWS));
    }
    if (m_rates)
    {
        compare("Rates of hosts and flows are",
                m_window,
                m_rates->GetWindow(),
                "there are no more samples, or " + std::to_string(RateRecorder::MAX_WINDOWS) +
                    " of a port or " + std::to_string(RateRecorder::MAX_POINTS) + " of flows");
    }
    return sentences;
}

void
SeriesPlan::WatchSwitch(const std::string& name, Ptr<SwitchNode> node)
{
    const bool isAny = !m_queues.empty() || !m_ports.empty();
    for (uint32_t port = 0; isAny && port < node->GetNDevices(); ++port)
    {
        AddPort(name, node, PortId{static_cast<uint16_t>(port)});
    }
}

void
SeriesPlan::WatchHost(const std::string& name, Ptr<Node> node)
{
    for (uint32_t i = 0; i < node->GetNDevices() && !m_ports.empty(); ++i)
    {
        auto device = DynamicCast<LosslessNetDevice>(node->GetDevice(i));
        if (device && Meet(m_ports, {name, std::to_string(i)}))
        {
            RequestRates(m_window);
            m_rates->WatchPort(name, PortId{static_cast<uint16_t>(i)}, device);
        }
    }
}

void
SeriesPlan::WatchNic(const WatchedNic& nic)
{
    if (!m_flows.empty() && nic.roce)
    {
        m_rates->WatchNic(nic.roce);
    }
}

void
SeriesPlan::AddPort(const std::string& name, Ptr<SwitchNode> node, PortId port)
{
    const std::string number = std::to_string(Index(port));
    if (Meet(m_ports, {name, number}))
    {
        m_throughput->WatchPort(name, node, port);
    }
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (Meet(m_queues, {name, number, std::to_string(p)}))
        {
            GetSampler()->WatchIngress(name, node, {port, Priority{p}});
            GetSampler()->WatchEgress(name, node, {port, Priority{p}});
        }
    }
}

bool
SeriesPlan::Meet(std::vector<Wish>& wishes, const std::vector<std::string>& place)
{
    bool isWanted = false;
    for (Wish& wish : wishes)
    {
        const bool isMet = wish.pattern.Matches(place);
        wish.isMet |= isMet;
        isWanted |= isMet;
    }
    return isWanted;
}

std::optional<std::string>
SeriesPlan::Check() const
{
    const auto isUnmet = [](const Wish& wish) { return !wish.isMet; };
    const auto queue = std::find_if(m_queues.begin(), m_queues.end(), isUnmet);
    if (queue != m_queues.end())
    {
        return "--sample-queues: \"" + queue->pattern.GetText() +
               "\" matches no queue; write SWITCH:PORT:CLASS, as leaf0:3:* (topology.csv names the "
               "switches)";
    }
    const auto port = std::find_if(m_ports.begin(), m_ports.end(), isUnmet);
    if (port != m_ports.end())
    {
        return "--sample-throughput: \"" + port->pattern.GetText() +
               "\" matches no port; write NODE:PORT, as leaf0:* (topology.csv names the nodes)";
    }
    if (m_flows.empty())
    {
        return std::nullopt;
    }
    const FlowList& flows = GetRun().Get<FlowPlan>()->GetFlows();
    for (const PlacePattern& pattern : m_flows)
    {
        const bool isMet = std::any_of(flows.begin(), flows.end(), [&](const FlowSpec& flow) {
            return pattern.Matches({std::to_string(flow.id)});
        });
        if (!isMet && !flows.empty())
        {
            return "--sample-flows: no RoCE flow has the id \"" + pattern.GetText() +
                   "\"; write ids as flows.csv has them, as 0,7 or *";
        }
    }
    return std::nullopt;
}

ResultTable
SeriesPlan::GetPortTable() const
{
    ResultTable table = m_throughput->GetPortTable();
    if (m_rates)
    {
        const ResultTable hosts = m_rates->GetPortTable();
        table.rows.insert(table.rows.end(), hosts.rows.begin(), hosts.rows.end());
    }
    return table;
}

std::vector<Recorder::NamedTable>
SeriesPlan::GetTables() const
{
    std::vector<NamedTable> tables;
    if (m_throughput)
    {
        tables.push_back({"port-throughput", [this] { return GetPortTable(); }});
    }
    if (!m_flows.empty())
    {
        tables.push_back({"flow-throughput", [this] { return m_rates->GetFlowTable(); }});
    }
    return tables;
}

} // namespace ns3::lossless
