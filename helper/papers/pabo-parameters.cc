// SPDX-License-Identifier: GPL-2.0-only
#include "pabo-parameters.h"

#include "ns3/core-module.h"
#include "ns3/headroom-buffer-policy.h"
#include "ns3/listen-to.h"
#include "ns3/network-tally.h"
#include "ns3/pabo-host.h"
#include "ns3/queue-size.h"
#include "ns3/raw-source.h"
#include "ns3/request-reply.h"
#include "ns3/tcp-settings.h"
#include "ns3/wheel-simulator-impl.h"

#include <memory>

namespace ns3::lossless
{

namespace
{

QueueSizeValue
MakeLimit(uint32_t frames)
{
    return QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, frames));
}

} // namespace

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
    switches.SetFlowControlAttributeIfPresent("NormalLimit", MakeLimit(capacity));
    switches.SetFlowControlAttributeIfPresent("BounceLimit", MakeLimit(capacity));
    switches.SetPolicyAttributeIfPresent("QueueLimit", MakeLimit(2 * capacity + 1));
    return switches;
}

void
PaboParameters::SetHosts(const Experiment& experiment, const Fabric& fabric) const
{
    experiment.Require(!DynamicCast<HeadroomBufferPolicy>(fabric.GetSwitch(0)->GetBufferPolicy()),
                       "--scheme is \"" + experiment.GetScheme().name +
                           "\", whose buffer policy sets thresholds instead of --capacity; it "
                           "must be one without, as PABO, DropTail or Infinite");
    for (uint32_t i = 0; i < fabric.GetNHosts(); ++i)
    {
        if (const auto host = fabric.GetHostDevice(i)->GetObject<PaboHost>())
        {
            host->SetAttribute("BounceLimit", MakeLimit(hostCapacity ? hostCapacity : capacity));
        }
    }
}

void
RawBursts::AddOptions(Experiment& experiment)
{
    experiment.AddValues({
        {"packets",
         "Raw: N; each sender emits N + 1 frames per generation.",
         packets,
         Range{1, PaboParameters::MOST_FRAMES}},
        {"interval", "Raw: time between the frames of a generation.", interval, Range::Above(0)},
        {"pause", "Raw: pause between generations.", pause},
    });
    experiment.SetsAttribute("packets", "RawSource::BurstFrames");
    experiment.SetsAttribute("interval", "RawSource::Interval");
    experiment.SetsAttribute("pause", "RawSource::BurstPause");
}

void
RawBursts::Install(const Fabric& fabric, uint32_t senders, uint32_t receiver, Time stop) const
{
    fabric.InstallSink(receiver);
    for (uint32_t sender = 0; sender < senders; ++sender)
    {
        const auto source = CreateObject<RawSource>();
        source->SetAttribute("FrameBytes", UintegerValue(1514));
        source->SetAttribute("Interval", TimeValue(interval));
        source->SetAttribute("BurstFrames", UintegerValue(packets + 1));
        source->SetAttribute("BurstPause", TimeValue(pause - interval));
        source->SetAttribute("StopTime", TimeValue(stop));
        fabric.InstallSource(source, sender, receiver);
    }
}

void
RequestTraffic::AddOptions(Experiment& experiment)
{
    experiment.AddValues({
        {"requests", "Number of requests per connection.", requests, Range{1, 1000000}},
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
    const std::string own = "requests,reply-bytes,think-time,window,count-unordered,restart-after,";
    experiment.RequireUse(SplitList(own + "timestamps"), isUsed, purpose);
}

void
RequestTraffic::Install(Fabric& fabric,
                        const std::vector<std::pair<uint32_t, uint32_t>>& pairs) const
{
    fabric.InstallInternetStack();
    const bool isPabo = fabric.GetHostDevice(0)->GetObject<PaboHost>() != nullptr;
    const Ptr<TcpSettings> tcp =
        isPabo ? TcpSettings::ForPabo(windowBytes) : TcpSettings::ForReno(windowBytes);
    // The replies of all clients are counted; the last one ends the run.
    const auto arrivals = std::make_shared<NetworkTally>(
        [awaited = pairs.size() * requests, last = Time(0)](const auto& counts) mutable {
            awaited -= counts.count;
            last = Max(last, TimeStep(counts.latest));
            if (awaited == 0)
            {
                StopRun(last);
            }
        });
    uint16_t port = 5000;
    for (const auto& [clientHost, serverHost] : pairs)
    {
        auto server = CreateObject<ReplyServer>();
        server->SetAttribute("Port", UintegerValue(port));
        server->SetAttribute("ReplyBytes", UintegerValue(replyBytes));
        server->SetAttribute("Sockets", PointerValue(tcp));
        fabric.GetHost(serverHost)->AddApplication(server);
        auto client = CreateObject<RequestClient>();
        client->SetAttribute("ServerAddress", Ipv4AddressValue(fabric.GetAddress(serverHost)));
        client->SetAttribute("ServerPort", UintegerValue(port++));
        client->SetAttribute("ReplyBytes", UintegerValue(replyBytes));
        client->SetAttribute("Requests", UintegerValue(requests));
        // ARP and handshakes take about 20 ms.
        client->SetAttribute("FirstRequestDelay", TimeValue(MilliSeconds(100)));
        client->SetAttribute("Sockets", PointerValue(tcp));
        ListenTo(*client, "ReplyComplete", [arrivals](const ReplyRecord& record) {
            arrivals->Note(record.completed);
        });
        fabric.GetHost(clientHost)->AddApplication(client);
    }
}

} // namespace ns3::lossless
