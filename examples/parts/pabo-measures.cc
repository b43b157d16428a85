// SPDX-License-Identifier: GPL-2.0-only
#include "pabo-measures.h"

#include "ns3/core-module.h"
#include "ns3/flow-plan.h"
#include "ns3/headroom-buffer-policy.h"
#include "ns3/queue-size.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>
#include <tuple>

namespace ns3::lossless
{

namespace
{

/// First TCP port of the servers.
constexpr uint16_t SERVER_PORT = 5000;

} // namespace

void
RequestTraffic::AddOptions(Experiment& experiment)
{
    experiment.AddValues({
        {"requests", "Number of requests per connection.", requests, Range{1}},
        {"reply-bytes", "Size of a reply, in bytes.", replyBytes, ByteRange{1}},
        {"think-time", "RequestClient::ThinkTime", Range{0}, TimeValue(Seconds(1))},
        {"window",
         "Advertised window of the clients, in bytes.",
         windowBytes,
         ByteRange{536, 65535}},
        {"count-unordered", "TcpSettings::CountUnordered", Range(), BooleanValue(true)},
        {"restart-after", "TcpSettings::RestartAfter", Range{0}, TimeValue(restartAfter)},
        {"timestamps", "TcpSettings::Timestamps", Range(), BooleanValue(timestamps)},
    });
    experiment.SetsAttribute("requests", "RequestClient::Requests");
    experiment.SetsAttribute("reply-bytes", "RequestClient::ReplyBytes");
    experiment.SetsAttribute("reply-bytes", "ReplyServer::ReplyBytes");
    experiment.SetsAttribute("window", "TcpSettings::WindowBytes");
}

void
RequestTraffic::RequireUse(const Experiment& experiment, bool isUsed, const std::string& purpose)
{
    experiment.RequireUse({"requests",
                           "reply-bytes",
                           "think-time",
                           "window",
                           "count-unordered",
                           "restart-after",
                           "timestamps"},
                          isUsed,
                          purpose);
}

void
PaboParameters::AddOptions(Experiment& experiment)
{
    const std::string byTraffic = capacity ? "." : "; 0: 500 (raw), 100 (tcp).";
    experiment.AddValues({
        {"capacity",
         "Capacity of each of the two sub-queues of a switch, in frames" + byTraffic,
         capacity,
         Range{capacity ? 1.0 : 0.0, MOST_FRAMES}},
        {"theta", "PaboFlowControl::Theta", Range{0, 1}, DoubleValue(theta)},
        {"lambda", "PaboFlowControl::Lambda", Range{0}},
        {"back-by-route", "PaboFlowControl::BackByRoute", Range()},
        {"delay", "Propagation delay of every link.", delay, Range{0}},
    });
    experiment.SetsOnlyAttribute("capacity", "PaboFlowControl::NormalLimit");
    experiment.SetsOnlyAttribute("capacity", "PaboFlowControl::BounceLimit");
    experiment.SetsOnlyAttribute("capacity", "DropTailBufferPolicy::QueueLimit");
}

SwitchHelper
PaboParameters::MakeSwitches(const Experiment& experiment) const
{
    // At 1 Gb/s, the length of the gap determines in which of two successive slots an immediately
    // bounced frame leaves.
    Config::SetDefault("ns3::lossless::LosslessNetDevice::GapBytes", UintegerValue(12));
    SwitchHelper switches = experiment.MakeSwitchHelper();
    const auto makeLimit = [](uint32_t frames) {
        return QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, frames));
    };
    switches.SetFlowControlAttributeIfPresent("NormalLimit", makeLimit(capacity));
    switches.SetFlowControlAttributeIfPresent("BounceLimit", makeLimit(capacity));
    switches.SetPolicyAttributeIfPresent("QueueLimit", makeLimit(2 * capacity + 1));
    return switches;
}

PaboMeasures::PaboMeasures(Experiment& experiment, Fabric& fabric, uint32_t hostCapacity)
    : m_experiment(experiment),
      m_fabric(fabric),
      m_arrivals([this](const NetworkTally::Counts& counts) { CountReplies(counts); })
{
    for (uint32_t i = 0; i < fabric.GetNHosts(); ++i)
    {
        if (Ptr<PaboHost> host = fabric.GetHostDevice(i)->GetObject<PaboHost>())
        {
            host->SetAttribute("BounceLimit",
                               QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, hostCapacity)));
            m_hosts.push_back(host);
        }
    }
    const Topology& topology = fabric.GetTopology();
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        Ptr<SwitchNode> node = fabric.GetSwitch(i);
        experiment.Require(!DynamicCast<HeadroomBufferPolicy>(node->GetBufferPolicy()),
                           "--scheme is \"" + experiment.GetScheme().name +
                               "\", whose buffer policy sets thresholds instead of --capacity; it "
                               "must be one without, as PABO, DropTail or Infinite");
        if (IsPabo())
        {
            m_bounces.WatchSwitch(topology.GetNodes()[topology.GetSwitches()[i]].name, node);
        }
    }
}

bool
PaboMeasures::IsPabo() const
{
    return !m_hosts.empty();
}

void
PaboMeasures::WatchReceiver(uint32_t host)
{
    if (IsPabo())
    {
        m_bounces.WatchHost(m_hosts.at(host));
    }
}

void
PaboMeasures::AddConnections(const std::vector<std::pair<uint32_t, uint32_t>>& pairs,
                             const RequestTraffic& traffic)
{
    const Ptr<TcpSettings> tcp = IsPabo() ? TcpSettings::ForPabo(traffic.windowBytes)
                                          : TcpSettings::ForReno(traffic.windowBytes);
    uint16_t port = SERVER_PORT;
    for (const auto& [clientHost, serverHost] : pairs)
    {
        auto server = CreateObject<ReplyServer>();
        server->SetAttribute("Port", UintegerValue(port));
        server->SetAttribute("ReplyBytes", UintegerValue(traffic.replyBytes));
        server->SetAttribute("Sockets", PointerValue(tcp));
        m_fabric.GetHost(serverHost)->AddApplication(server);
        auto client = CreateObject<RequestClient>();
        client->SetAttribute("ServerAddress", Ipv4AddressValue(m_fabric.GetAddress(serverHost)));
        client->SetAttribute("ServerPort", UintegerValue(port++));
        client->SetAttribute("ReplyBytes", UintegerValue(traffic.replyBytes));
        client->SetAttribute("Requests", UintegerValue(traffic.requests));
        client->SetAttribute("FirstRequestDelay", TimeValue(traffic.start));
        client->SetAttribute("Sockets", PointerValue(tcp));
        client->TraceConnectWithoutContext(
            "ReplyComplete",
            MakeCallback(&PaboMeasures::NotifyReply, this, clientHost));
        m_fabric.GetHost(clientHost)->AddApplication(client);
        m_awaited += traffic.requests;
    }
    for (uint32_t i = 0; i < m_fabric.GetNHosts(); ++i)
    {
        m_segments.Watch(m_fabric.GetHost(i));
    }
}

void
PaboMeasures::NotifyReply(uint32_t client, const ReplyRecord& record)
{
    m_replies.push_back({client, record});
    m_arrivals.Note(record.completed);
}

void
PaboMeasures::CountReplies(const NetworkTally::Counts& counts)
{
    m_awaited -= counts.count;
    m_lastReply = Max(m_lastReply, TimeStep(counts.latest));
    if (m_awaited == 0)
    {
        StopRun(m_lastReply);
    }
}

void
PaboMeasures::Sample(const std::string& name, PortId port, Time period, Time end)
{
    Ptr<PaboFlowControl> pabo =
        DynamicCast<PaboFlowControl>(m_fabric.GetSwitch(name)->GetFlowControl());
    if (pabo && m_sampled.empty())
    {
        Simulator::Schedule(Time(0), &PaboMeasures::TakeSamples, this, period, end);
    }
    if (pabo)
    {
        m_sampled.push_back({name, QueueId{port, Priority{0}}, pabo});
    }
}

void
PaboMeasures::TakeSamples(Time period, Time end)
{
    for (const auto& [name, queue, pabo] : m_sampled)
    {
        m_samples.rows.push_back({Simulator::Now(),
                                  name,
                                  pabo->GetUtilization(queue, false),
                                  pabo->GetUtilization(queue, true)});
    }
    if (Simulator::Now() + period <= end)
    {
        Simulator::Schedule(period, &PaboMeasures::TakeSamples, this, period, end);
    }
}

void
PaboMeasures::AddSummary(const std::string& name, double value)
{
    m_summary.rows.push_back({name, value});
}

void
PaboMeasures::Summarize()
{
    const Average<double>& delays = m_segments.GetDelays();
    AddSummary("segments_sent", static_cast<double>(m_segments.GetTransmissions()));
    AddSummary("segments_arrived", static_cast<double>(delays.Count()));
    if (delays.Count() > 1)
    {
        AddSummary("delay_mean_s", delays.Avg());
        AddSummary("delay_deviation_s", delays.Stddev());
    }
    AddSummary("reorder_entropy", m_segments.GetDensity().GetEntropy());
    AddSummary("connection_entropy", m_segments.GetMeanEntropy());
    uint64_t returned = 0;
    for (const Ptr<PaboHost>& host : m_hosts)
    {
        returned += host->GetReturned();
    }
    AddSummary("frames_returned", static_cast<double>(returned));
    AddSummary("replies_missing", m_awaited);
}

void
PaboMeasures::AddTables()
{
    Summarize();
    ResultsWriter& results = m_experiment.GetResults();
    if (IsPabo())
    {
        results.AddTable("bounces", [this] { return m_bounces.GetBounceTable(); });
        results.AddTable("delivered", [this] { return m_bounces.GetDeliveryTable(); });
        results.AddTable("utilization", [this] { return m_bounces.GetQueueTable(); });
    }
    results.AddTable("summary", [this] { return m_summary; });
    results.AddTable("displacements", [this] { return m_segments.GetDensity().GetTable(); });
    results.AddTable("replies", [this] { return GetReplyTable(); });
    results.AddTable("samples", [this] { return m_samples; });
}

ResultTable
PaboMeasures::GetReplyTable() const
{
    auto table = ResultTable::WithHeader("client,server,request,start_ns,fct_ns");
    // The clients' replies are not reported in strict chronological order.
    std::vector<ReplyRow> replies = m_replies;
    std::stable_sort(replies.begin(), replies.end(), [](const ReplyRow& a, const ReplyRow& b) {
        return std::tie(a.record.completed, a.client) < std::tie(b.record.completed, b.client);
    });
    for (const auto& [client, record] : replies)
    {
        table.rows.push_back({client,
                              ToText(record.server),
                              record.request,
                              record.requested,
                              record.completed - record.requested});
    }
    return table;
}

} // namespace ns3::lossless
