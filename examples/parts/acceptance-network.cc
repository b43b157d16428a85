// SPDX-License-Identifier: GPL-2.0-only
#include "acceptance-network.h"

#include "ns3/core-module.h"
#include "ns3/pause-gate.h"
#include "ns3/pause-recorder.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/raw-source.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ns3::lossless
{

namespace
{

Topology
MakeStar(const AcceptanceOptions& options)
{
    StarOptions star;
    star.hosts = options.senders + 2; // plus the lossy sender and the receiver
    star.rate = options.rate;
    star.delay = options.delay;
    return Topology::Star(star);
}

/// @param watchdog the action of the watchdog; an empty string means no watchdog
SwitchHelper
MakeSwitches(const Experiment& experiment,
             const AcceptanceOptions& options,
             const std::string& control,
             const std::string& watchdog)
{
    const PrioritySet lossless =
        SetOf(AcceptanceNetwork::LOSSLESS[0]) | SetOf(AcceptanceNetwork::LOSSLESS[1]);
    SwitchHelper switches =
        experiment.MakeSwitchHelper(FindPart<CongestionControlInfo>(control).value());
    switches.SetAttribute("LosslessClasses", UintegerValue(lossless));
    if (!watchdog.empty())
    {
        const Time poll = AcceptanceNetwork::GetPollInterval(options.duration);
        switches.SetWatchdog("ns3::lossless::PfcWatchdog",
                             "Action",
                             StringValue(watchdog),
                             "DetectionTime",
                             TimeValue(2 * poll),
                             "RestorationTime",
                             TimeValue(2 * poll),
                             "PollInterval",
                             TimeValue(poll));
    }
    return switches;
}

ObjectFactory
MakeNics(const AcceptanceOptions& options, const std::string& control)
{
    ObjectFactory nics =
        Experiment::MakeNicFactory(FindPart<CongestionControlInfo>(control).value());
    nics.Set("PayloadBytes", UintegerValue(options.payload));
    return nics;
}

} // namespace

void
AcceptanceOptions::AddOptions(Experiment& experiment)
{
    experiment.AddValues({
        {"senders", "Senders of lossless classes.", senders, Range{2, 1000}},
        {"queue-pairs",
         "Queue pairs per sender where their fairness is measured.",
         queuePairs,
         Range{1, 1000}},
        {"rate", "Rate of every link.", rate, Range::Above(0)},
        {"delay", "Propagation delay of every link.", delay, Range{0}},
        {"buffer", "SharedBuffer::Size", ByteRange{1}, UintegerValue(64 << 20)},
        // Marking thresholds are scaled with the rate of the links. With unscaled thresholds, the
        // rates of DCQCN's queue pairs would converge much later on links faster than 100 Gb/s, and
        // PFC would act before ECN on slower links.
        {"ecn-reference-rate",
         "EcnMarker::ReferenceRate",
         Range{0},
         DataRateValue(DataRate("100Gbps"))},
    });
    experiment.OfferPayload(payload, 64);
    experiment.AddValue(
        "duration",
        "Duration of each scenario with congestion; rates are measured in its second half.",
        duration,
        Range::Above(0));
    experiment.SetsAttribute("payload", "RawSource::FrameBytes");
}

AcceptanceNetwork::AcceptanceNetwork(const Experiment& experiment,
                                     const AcceptanceOptions& options,
                                     const std::string& control,
                                     const std::string& watchdog)
    : m_options(options),
      m_receiver(options.senders + 1),
      m_fabric(MakeStar(options),
               MakeSwitches(experiment, options, control, watchdog),
               MakeNics(options, control))
{
    m_fabric.AssignStreams(1);
    m_pauses.WatchSwitch("s0", GetSwitch());
    m_drops.Watch("s0", GetSwitch());
    for (uint32_t host = 0; host < m_fabric.GetNHosts(); ++host)
    {
        m_drops.Watch("h" + std::to_string(host), m_fabric.GetHost(host));
    }
    GetSwitch()->TraceConnectWithoutContext("Dequeue",
                                            MakeCallback(&AcceptanceNetwork::NotifyDequeue, this));
    GetSwitch()->TraceConnectWithoutContext("Mark",
                                            MakeCallback(&AcceptanceNetwork::NotifyMark, this));
    Simulator::Schedule(options.duration / 2, [this] { m_earlyFrames = CountAllControlFrames(); });
}

AcceptanceNetwork::~AcceptanceNetwork()
{
    Simulator::Destroy();
}

FlowSpec
AcceptanceNetwork::MakeFlow() const
{
    const double bitRate = static_cast<double>(m_options.rate.GetBitRate());
    FlowSpec flow;
    flow.destination = 1;
    flow.priority = static_cast<uint8_t>(LOSSLESS[0]);
    flow.bytes = static_cast<uint64_t>(bitRate / 8 * m_options.duration.GetSeconds()) + 1;
    return flow;
}

void
AcceptanceNetwork::AddInnocent(Priority priority)
{
    m_flows.push_back(MakeFlow());
    m_flows.back().priority = static_cast<uint8_t>(Index(priority));
}

bool
AcceptanceNetwork::IsPausedByPfc() const
{
    GetSwitch()->Initialize();
    return GetSwitch()->GetShape().lossless != 0 &&
           DynamicCast<PauseGate>(GetPort(0)->GetGate()) != nullptr;
}

void
AcceptanceNetwork::StartLossless(uint32_t senders, uint32_t queuePairs, std::size_t classes)
{
    for (uint32_t i = 0; i < senders * queuePairs; ++i)
    {
        FlowSpec flow = MakeFlow();
        flow.id = m_flows.size();
        flow.source = i % senders;
        flow.destination = m_receiver;
        flow.priority = static_cast<uint8_t>(LOSSLESS[flow.source % classes]);
        m_flows.push_back(flow);
    }
    m_fabric.StartFlows(m_flows);
}

void
AcceptanceNetwork::StartLossy()
{
    m_fabric.InstallSink(m_receiver);
    auto source = CreateObject<RawSource>();
    source->SetAttribute("Priority", UintegerValue(Index(LOSSY)));
    source->SetAttribute("FrameBytes", UintegerValue(RoceNic::GetFrameBytes(m_options.payload)));
    m_fabric.InstallSource(source, m_options.senders, m_receiver);
}

Ptr<LosslessNetDevice>
AcceptanceNetwork::GetPort(uint32_t host) const
{
    return m_fabric.GetHostDevice(host)->GetPeer();
}

uint64_t
AcceptanceNetwork::CountLost(const std::function<bool(std::optional<Priority>)>& wanted) const
{
    uint64_t frames = 0;
    for (const DropRecord& drop : m_drops.GetDrops())
    {
        frames += wanted(drop.priority) ? drop.frames : 0;
    }
    return frames;
}

uint64_t
AcceptanceNetwork::CountPauses(Priority priority) const
{
    uint64_t pauses = 0;
    for (const PauseRecord& record : m_pauses.GetPauses())
    {
        // A PAUSE of the whole port stops all classes.
        pauses += record.priority.value_or(priority) == priority ? record.pauses : 0;
    }
    return pauses;
}

uint64_t
AcceptanceNetwork::CountControlFrames() const
{
    return CountAllControlFrames() - m_earlyFrames;
}

uint64_t
AcceptanceNetwork::CountAllControlFrames() const
{
    uint64_t frames = 0;
    for (const ControlFrameRecord& record : m_pauses.GetFrames())
    {
        frames += record.frames;
    }
    return frames;
}

uint64_t
AcceptanceNetwork::CountMarked(Priority priority) const
{
    return m_marked[Index(priority)];
}

uint64_t
AcceptanceNetwork::GetFewestNotifications() const
{
    uint64_t fewest = std::numeric_limits<uint64_t>::max();
    for (uint32_t sender = 0; sender < m_options.senders; ++sender)
    {
        fewest = std::min(fewest, m_fabric.GetNic(sender)->GetCounts().cnpsReceived);
    }
    return fewest;
}

double
AcceptanceNetwork::GetLinkShare(Priority priority) const
{
    const double capacity =
        static_cast<double>(m_options.rate.GetBitRate()) / 8 * m_options.duration.GetSeconds() / 2;
    return static_cast<double>(m_wireBytes[Index(priority)]) / capacity;
}

std::vector<double>
AcceptanceNetwork::GetQueuePairBytes() const
{
    std::vector<double> bytes(m_flows.size() - m_flowBytes.size()); // queue pairs that sent nothing
    for (const auto& [sender, sent] : m_flowBytes)
    {
        bytes.push_back(static_cast<double>(sent));
    }
    return bytes;
}

void
AcceptanceNetwork::NotifyDequeue(const SwitchItem& item)
{
    const bool isToReceiver = Index(item.egress) == GetPort(m_receiver)->GetIfIndex();
    if (!isToReceiver || Simulator::Now() < m_options.duration / 2)
    {
        return;
    }
    const uint32_t bytes = item.frame.size + GetPort(m_receiver)->GetOverheadBytes();
    m_wireBytes[Index(item.frame.priority)] += bytes;
    if (item.frame.priority != LOSSY)
    {
        m_flowBytes[{item.frame.flow.source, item.frame.flow.sourcePort}] += bytes;
    }
}

void
AcceptanceNetwork::NotifyMark(const SwitchItem& item)
{
    ++m_marked[Index(item.frame.priority)];
}

} // namespace ns3::lossless
