// SPDX-License-Identifier: GPL-2.0-only
#include "acceptance-network.h"

#include "ns3/listen-to.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/raw-source.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3::lossless
{

namespace
{

/// Classes under flow control.
constexpr PrioritySet LOSSLESS_SET =
    SetOf(AcceptanceNetwork::LOSSLESS[0]) | SetOf(AcceptanceNetwork::LOSSLESS[1]);

/// @param watchdog the action of the watchdog; an empty string means no watchdog
SwitchHelper
MakeAcceptanceSwitch(const Experiment& experiment,
                     const AcceptanceOptions& options,
                     const std::string& control,
                     const std::string& watchdog)
{
    SwitchHelper switches =
        experiment.MakeSwitchHelper(FindPart<CongestionControlInfo>(control).value());
    switches.SetAttribute("LosslessClasses", UintegerValue(LOSSLESS_SET));
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
MakeAcceptanceNics(const AcceptanceOptions& options, const std::string& control)
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

double
AcceptanceOptions::GetCapacity() const
{
    return static_cast<double>(rate.GetBitRate()) / 8 * duration.GetSeconds();
}

AcceptanceNetwork::AcceptanceNetwork(const Experiment& experiment,
                                     const AcceptanceOptions& options,
                                     const std::string& control,
                                     const std::string& watchdog)
    : m_options(options),
      m_receiver(options.senders + 1), // after the lossless senders and the lossy one
      m_fabric(Topology::Star({m_receiver + 1, options.rate, options.delay}),
               MakeAcceptanceSwitch(experiment, options, control, watchdog),
               MakeAcceptanceNics(options, control))
{
    m_fabric.AssignStreams(1);
    m_pauses.WatchSwitch("s0", GetSwitch());
    m_drops.Watch("s0", GetSwitch());
    for (uint32_t host = 0; host < m_fabric.GetNHosts(); ++host)
    {
        m_drops.Watch("h" + std::to_string(host), m_fabric.GetHost(host));
    }
    ListenTo(*GetSwitch(), "Dequeue", [this](const SwitchItem& item) { NotifyDequeue(item); });
    ListenTo(*GetSwitch(), "Mark", [this](const SwitchItem& item) {
        ++m_marked[Index(item.frame.priority)];
    });
    Simulator::Schedule(options.duration / 2, [this] { m_earlyFrames = CountAllControlFrames(); });
}

AcceptanceNetwork::~AcceptanceNetwork()
{
    Simulator::Destroy();
}

void
AcceptanceNetwork::AddFlow(uint32_t source, uint32_t destination, Priority priority)
{
    FlowSpec flow;
    flow.id = m_flows.size();
    flow.source = source;
    flow.destination = destination;
    flow.priority = static_cast<uint8_t>(priority);
    flow.bytes = static_cast<uint64_t>(m_options.GetCapacity()) + 1;
    m_flows.push_back(flow);
}

void
AcceptanceNetwork::AddInnocent(Priority priority, const MeasureWindow& window)
{
    AddFlow(0, 1, priority);
    m_innocentQueue = QueueId{PortId{1}, priority};
    m_innocentWindow = window;
}

void
AcceptanceNetwork::StartLossless(uint32_t senders, uint32_t queuePairs, std::size_t classes)
{
    for (uint32_t i = 0; i < senders * queuePairs; ++i)
    {
        AddFlow(i % senders, m_receiver, LOSSLESS[i % senders % classes]);
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

void
AcceptanceNetwork::CheckLossless(AcceptanceChecks& checks) const
{
    checks.Equal("frames lost of lossless classes", CountLost(LOSSLESS_SET), 0);
    checks.Equal("NAKs of lossless classes", GetReceiver()->GetCounts().naksSent, 0);
}

uint64_t
AcceptanceNetwork::CountLost(std::optional<PrioritySet> classes) const
{
    uint64_t frames = 0;
    for (const DropRecord& drop : m_drops.GetDrops())
    {
        const bool isWanted = !classes || (drop.priority && Contains(*classes, *drop.priority));
        frames += isWanted ? drop.frames : 0;
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
    return static_cast<double>(m_wireBytes[Index(priority)]) / (m_options.GetCapacity() / 2);
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
    const bool isInnocent = m_innocentQueue == item.GetEgressQueue();
    m_innocentFrames += isInnocent && m_innocentWindow.Has(Simulator::Now()) ? 1 : 0;
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

} // namespace ns3::lossless
