// SPDX-License-Identifier: GPL-2.0-only
#include "random-network.h"

#include "witness.h"

#include "ns3/bit-error-model.h"
#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/congestion-control-info.h"
#include "ns3/double.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/link-retry.h"
#include "ns3/node-container.h"
#include "ns3/place-pattern.h"
#include "ns3/queue-sampler.h"
#include "ns3/ranked-record.h"
#include "ns3/series-plan.h"
#include "ns3/simulator.h"
#include "ns3/tcp-flows.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <utility>

namespace ns3::lossless::tests
{

namespace
{

/// A threshold that some schemes have below the XOFF of StaticBufferPolicy.
struct Level
{
    const char* attribute; ///< attribute of the flow control
    uint32_t bytes;        ///< value of the attribute
    /// True if switches are rejected unless their thresholds exceed this level.
    bool isBelowXoff{true};
};

/// Levels at which schemes act even in small networks.
constexpr std::array<Level, 5> LEVELS{{{"FirstStage", 8000},
                                       {"LowXoff", 8000},
                                       {"PredictionLevel", 5000, false},
                                       {"PauseThreshold", 6000, false},
                                       {"EcnThreshold", 3000, false}}};

// The reasons for which the random watchdog drops frames.
const RegisterDropReason g_discarded({"random-discarded", DropPlace::EGRESS});
const RegisterDropReason g_refusedArrival({"random-refused-arrival"});
const RegisterDropReason g_refusedEgress({"random-refused-egress", DropPlace::EGRESS});

std::vector<RandomPart>&
GetRegisteredParts()
{
    static std::vector<RandomPart> parts;
    return parts;
}

std::vector<MakeLaw>&
GetLaws()
{
    static std::vector<MakeLaw> laws;
    return laws;
}

void
Ignore(TransmitGate& gate, Priority priority, bool on)
{
    const PrioritySet others = gate.GetIgnored() & ~SetOf(priority);
    gate.SetIgnoring(on ? others | SetOf(priority) : others);
}

} // namespace

std::string
ToString(Trouble trouble)
{
    constexpr std::array<const char*, 6> words{"cables cut now and then",
                                               "with a watchdog",
                                               "untroubled",
                                               "cables cut and mended",
                                               "frames corrupt now and then",
                                               "bit errors and links that send again"};
    return words[static_cast<std::size_t>(trouble)];
}

SwitchKind::SwitchKind(const SchemeInfo& scheme, const BufferPolicyInfo& policy)
    : name(scheme.name + " over " + policy.name),
      scheme(scheme),
      policy(policy.type)
{
}

SwitchHelper
SwitchKind::MakeSwitchHelper() const
{
    SwitchHelper switches(scheme);
    if (scheme.takesOtherPolicies)
    {
        switches.SetBufferPolicy(policy);
    }
    return switches;
}

bool
SwitchKind::HasHeadroom() const
{
    return TypeId::LookupByName(policy).IsChildOf(HeadroomBufferPolicy::GetTypeId());
}

RegisterRandomPart::RegisterRandomPart(const RandomPart& part)
{
    GetRegisteredParts().push_back(part);
}

const RandomPart&
FindRandomPart(const std::string& type)
{
    static const RandomPart none{};
    const auto& parts = GetRegisteredParts();
    const auto found = std::find_if(parts.begin(), parts.end(), [&type](const RandomPart& part) {
        return part.type == type;
    });
    return found == parts.end() ? none : *found;
}

RegisterLaw::RegisterLaw(MakeLaw make)
{
    GetLaws().push_back(make);
}

Laws
MakeLaws(const SwitchKind& kind, Trouble trouble)
{
    Laws laws;
    for (const MakeLaw make : GetLaws())
    {
        if (auto law = make(kind, trouble))
        {
            laws.push_back(std::move(law));
        }
    }
    return laws;
}

Dice::Dice(int64_t seed)
    : m_random(CreateObject<UniformRandomVariable>())
{
    m_random->SetStream(seed);
}

double
Dice::DrawPower(double least, double most)
{
    return std::pow(2, m_random->GetValue(least, most));
}

std::string
Dice::DrawOf(const std::vector<std::string>& values)
{
    return values[Draw(0, values.size() - 1)];
}

RandomNetwork::RandomNetwork(const SwitchKind& kind, Trouble trouble, int64_t seed, Traffic traffic)
    : Dice(seed),
      m_kind(kind),
      m_trouble(trouble),
      m_traffic(traffic),
      m_seed(seed),
      m_switches(DrawSwitches()),
      m_topology(DrawTopology()),
      m_mtu(!HasFlows() && Draw(0, 2) == 0 ? 9000 : 1500)
{
    if (const auto draw = FindRandomPart(kind.scheme.type).draw)
    {
        draw(*this, m_switches);
    }
}

DataRate
RandomNetwork::DrawRate()
{
    static const std::vector<uint64_t> any{10, 25, 40, 100, 400};
    static const std::vector<uint64_t> similar{40, 100, 100}; // so that flows do not take too long
    const std::vector<uint64_t>& gigabits = HasFlows() ? similar : any;
    return DataRate(gigabits[Draw(0, gigabits.size() - 1)] * 1000000000);
}

Time
RandomNetwork::DrawDelay()
{
    // With flows, some links have no delay; their nodes are processed together.
    const int64_t rare = HasFlows() ? 0 : 20000;
    return NanoSeconds(Draw(0, 9) == 0 ? rare : Draw(50, 3000));
}

Topology
RandomNetwork::DrawTopology()
{
    // Under some schemes, switches can wait for each other, but a single switch cannot deadlock.
    const uint32_t shape = m_kind.scheme.mayLock && !HasFlows() ? 0 : Draw(HasFlows() ? 1 : 0, 2);
    switch (shape)
    {
    case 0:
        return DrawStar();
    case 1:
        return DrawTree();
    default:
        LeafSpineOptions options{Draw(2, 3), Draw(1, 3), Draw(HasFlows() ? 2 : 1, 4)};
        options.delay = DrawDelay();
        return Topology::LeafSpine(options);
    }
}

Topology
RandomNetwork::DrawStar()
{
    Topology star;
    const uint32_t node = star.AddSwitch("s0");
    // Large stars take a long time, and disturbances outside IsForAll() affect only single links.
    const bool isLarge = IsForAll(m_trouble) && Draw(0, 3) == 0;
    for (uint32_t i = isLarge ? Draw(9, 63) : Draw(2, 8); i > 0; --i)
    {
        const Time delay = DrawDelay();
        star.AddLink(star.AddHost("h" + std::to_string(i)), node, DrawRate(), delay);
    }
    return star;
}

uint32_t
RandomNetwork::DrawLink(Topology& topology, uint32_t node, const std::vector<uint32_t>& others)
{
    const Time delay = DrawDelay();
    const DataRate rate = DrawRate();
    const uint32_t other = Draw(0, others.size() - 1);
    topology.AddLink(node, others[other], rate, delay);
    return other;
}

Topology
RandomNetwork::DrawTree()
{
    Topology tree;
    std::vector<uint32_t> switches;
    for (uint32_t i = Draw(2, 5); i > 0; --i)
    {
        const uint32_t node = tree.AddSwitch("s" + std::to_string(i));
        if (!switches.empty())
        {
            DrawLink(tree, node, switches);
        }
        switches.push_back(node);
    }
    for (uint32_t i = HasFlows() ? Draw(5, 12) : Draw(3, 9); i > 0; --i)
    {
        const uint32_t host = tree.AddHost("h" + std::to_string(i));
        const uint32_t first = DrawLink(tree, host, switches);
        if (HasFlows() && Draw(0, 4) == 0)
        {
            std::vector<uint32_t> others = switches;
            others.erase(others.begin() + first);
            DrawLink(tree, host, others);
        }
    }
    return tree;
}

SwitchHelper
RandomNetwork::DrawSwitches()
{
    SwitchHelper helper = m_kind.MakeSwitchHelper();
    // These values are derived from the seed instead of being drawn.
    if (m_seed % 3 == 0 && !m_kind.scheme.hasOwnQueues)
    {
        helper.SetEgressQueue("ns3::lossless::FairEgressQueue");
    }
    helper.SetFlowControlAttributeIfPresent("EgressXoff", UintegerValue(m_seed % 13 * 5000));
    const bool isOfc = m_kind.scheme.name == "OFC"; // as in the OFC paper
    helper.SetFlowControlAttributeIfPresent("WholeEgressQueues",
                                            BooleanValue(isOfc && m_seed % 2 == 0));
    TypeId::AttributeInformation alpha;
    if (TypeId::LookupByName(m_kind.policy).LookupAttributeByName("Alpha", &alpha))
    {
        m_alpha = DrawPower(-7, 3);
        helper.SetPolicyAttribute("Alpha", DoubleValue(m_alpha));
    }
    if (const auto draw = FindRandomPart(m_kind.policy).draw)
    {
        draw(*this, helper);
    }
    helper.SetPolicyAttributeIfPresent("LossyAlpha", DoubleValue(0.2));
    helper.SetPolicyAttributeIfPresent("QueueLimit", QueueSizeValue(QueueSize("30p")));
    for (const auto& level : LEVELS)
    {
        helper.SetFlowControlAttributeIfPresent(level.attribute, UintegerValue(level.bytes));
    }
    helper.SetFlowControlAttributeIfPresent("CongestionShare", DoubleValue(0.2));
    helper.SetFlowControlAttributeIfPresent("ResumeShare", DoubleValue(0.1));
    helper.SetAttribute("LosslessClasses", UintegerValue(RANDOM_LOSSLESS));
    if (Draw(0, 1) == 1)
    {
        helper.SetProcessor("ns3::lossless::SharedProcessor",
                            "Latency",
                            TimeValue(NanoSeconds(300)));
    }
    constexpr std::array<uint32_t, 4> cells{1, 1, 80, 208};
    helper.SetBufferAttribute("CellBytes", UintegerValue(cells[Draw(0, cells.size() - 1)]));
    return helper;
}

void
RandomNetwork::DrawPaths()
{
    if (Draw(0, 2) == 0)
    {
        m_switches.SetForwarding("ns3::lossless::AdaptiveForwarding");
    }
    m_switches.SetMarker("ns3::lossless::RedMarker", "MinBytes", UintegerValue(20000));
    m_switches.SetFlowControlAttributeIfPresent("NormalLimit", QueueSizeValue(QueueSize("20p")));
    // If cables have no delay, FAFC requires a HopDelay.
    m_switches.SetFlowControlAttributeIfPresent("HopDelay", TimeValue(MicroSeconds(1)));
}

SwitchShape
RandomNetwork::MakeShape(SwitchNode& node) const
{
    SwitchShape shape;
    UintegerValue cell;
    node.GetSharedBuffer()->GetAttribute("CellBytes", cell);
    shape.bufferBytes = uint64_t{1} << 40;
    shape.cellBytes = cell.Get();
    shape.lossless = RANDOM_LOSSLESS;
    for (uint16_t i = 0; i < node.GetNDevices(); ++i)
    {
        const Ptr<LosslessNetDevice> device = node.GetPortDevice(PortId{i});
        const Time delay = DynamicCast<LosslessChannel>(device->GetChannel())->GetDelay();
        shape.ports.push_back({device->GetDataRate(), delay, device->GetMtu()});
    }
    return shape;
}

uint64_t
RandomNetwork::GetShared(uint64_t threshold) const
{
    return static_cast<uint64_t>(static_cast<double>(threshold + 2) / m_alpha) + 1;
}

uint64_t
RandomNetwork::GetLevel(const FlowControl& flowControl)
{
    TypeId::AttributeInformation info;
    for (const auto& level : LEVELS)
    {
        if (level.isBelowXoff &&
            flowControl.GetInstanceTypeId().LookupAttributeByName(level.attribute, &info))
        {
            return level.bytes;
        }
    }
    return 0;
}

uint64_t
RandomNetwork::DrawBuffer(SwitchNode& node)
{
    const SwitchShape shape = MakeShape(node);
    const auto policy = DynamicCast<HeadroomBufferPolicy>(node.GetBufferPolicy());
    policy->Configure(shape);
    const uint64_t reserved = shape.bufferBytes - policy->GetSharedSize();
    const uint64_t level = GetLevel(*node.GetFlowControl());
    const auto share = FindRandomPart(m_kind.policy).share;
    const uint64_t least = share ? share(*this, *policy, level) : GetShared(level);
    // The spare memory is drawn from two ranges, so many switches have little more than the
    // minimum.
    const uint64_t spare = Draw(0, 1) ? Draw(0, 30000) : Draw(0, 300000);
    return reserved + least + spare;
}

void
RandomNetwork::DrawBuffers()
{
    const auto fit = FindRandomPart(m_kind.policy).fit;
    if (!fit && !m_kind.HasHeadroom())
    {
        return;
    }
    ForEachSwitch([this, fit](SwitchNode& node) {
        const uint64_t bytes = fit ? fit(*this, node) : DrawBuffer(node);
        node.GetSharedBuffer()->SetAttribute("Size", UintegerValue(bytes));
    });
}

void
RandomNetwork::ForEachSwitch(const std::function<void(SwitchNode&)>& function) const
{
    for (uint32_t i = 0; i < m_fabric->GetNSwitches(); ++i)
    {
        function(*m_fabric->GetSwitch(i));
    }
}

void
RandomNetwork::ForEachDevice(const std::function<void(LosslessNetDevice&)>& function) const
{
    ForEachSwitch([&function](SwitchNode& node) {
        for (uint16_t port = 0; port < node.GetNDevices(); ++port)
        {
            function(*node.GetPortDevice(PortId{port}));
        }
    });
    for (uint32_t i = 0; i < m_fabric->GetNHosts(); ++i)
    {
        function(*m_fabric->GetHostDevice(i));
    }
}

void
RandomNetwork::DrawTraffic()
{
    for (uint32_t i = 0; i < m_fabric->GetNHosts(); ++i)
    {
        m_hosts.push_back(std::make_unique<TestHost>(m_fabric->GetHostDevice(i), i));
    }
    for (const auto& host : m_hosts)
    {
        DrawBursts(*host);
    }
}

void
RandomNetwork::DrawBursts(TestHost& host)
{
    std::vector<uint32_t> times(25);
    std::generate(times.begin(), times.end(), [this]() { return Draw(0, 100000); });
    std::sort(times.begin(), times.end());
    for (const uint32_t time : times)
    {
        // On average, more than half of the bursts of the other hosts are sent to host 0.
        uint32_t destination = Draw(0, 1) ? 0 : Draw(0, m_hosts.size() - 1);
        if (GetHostAddress(destination) == host.address)
        {
            destination = (destination + 1) % m_hosts.size();
        }
        const uint8_t dscp = Draw(0, 1) ? Draw(8, 31) : Draw(0, 63);
        // Frames of minimum and maximum size are the worst cases for headroom.
        const std::array<uint32_t, 3> bytes{60, m_mtu + 14, Draw(60, m_mtu + 14)};
        host.Send(destination, dscp, bytes[Draw(0, 2)], Draw(1, 60), NanoSeconds(time));
    }
}

void
RandomNetwork::DrawTrouble()
{
    switch (m_trouble)
    {
    case Trouble::NONE:
        break;
    case Trouble::CUTS:
        DrawCuts(Draw(2, 10));
        break;
    case Trouble::ERRORS:
        ForEachDevice([this](LosslessNetDevice& device) { DrawErrors(device); });
        break;
    case Trouble::RETRY:
        ForEachDevice([this](LosslessNetDevice& device) { DrawBitErrors(device); });
        break;
    default:
        DrawCuts(Draw(0, 3) == 0 ? Draw(1, 4) : 0);
    }
    if (m_trouble == Trouble::WATCHDOG)
    {
        DrawWatchdog();
    }
}

void
RandomNetwork::DrawCuts(uint32_t cuts)
{
    m_facts.hasCuts = cuts > 0;
    for (; cuts > 0; --cuts)
    {
        const Ptr<SwitchNode> node = m_fabric->GetSwitch(Draw(0, m_fabric->GetNSwitches() - 1));
        const PortId port{static_cast<uint16_t>(Draw(0, node->GetNDevices() - 1))};
        const Time down = NanoSeconds(Draw(1000, 200000));
        const Time up = down + NanoSeconds(Draw(1, 20000));
        const auto cable = DynamicCast<LosslessChannel>(node->GetPortDevice(port)->GetChannel());
        Simulator::Schedule(down, &LosslessChannel::SetUp, cable, false);
        Simulator::Schedule(up, &LosslessChannel::SetUp, cable, true);
    }
}

void
RandomNetwork::DrawErrors(LosslessNetDevice& device)
{
    const auto errors = CreateObject<RateErrorModel>();
    errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
    errors->SetRate(m_random->GetValue(0, FindRandomPart(m_kind.scheme.type).corrupt));
    errors->AssignStreams(Draw(0, 100000));
    device.SetErrorModel(errors);
}

void
RandomNetwork::DrawBitErrors(LosslessNetDevice& device)
{
    if (!device.GetRetry())
    {
        LinkRetry::Install(DynamicCast<LosslessChannel>(device.GetChannel()));
    }
    const auto errors = CreateObject<BitErrorModel>();
    errors->SetBitErrorRate(std::pow(10, m_random->GetValue(-7, -5)));
    errors->AssignStreams(Draw(0, 100000));
    device.SetErrorModel(errors);
}

void
RandomNetwork::DrawWatchdog()
{
    m_facts.isIgnoring = Draw(0, 1) == 1;
    const std::array<Priority, 2> classes{Priority{static_cast<uint8_t>(Draw(1, 3))},
                                          Priority{static_cast<uint8_t>(Draw(0, 7))}};
    m_facts.watched = SetOf(classes[0]) | SetOf(classes[1]);
    for (uint32_t i = Draw(20, 60); i > 0; --i)
    {
        DrawAct(classes[Draw(0, 1)]);
    }
}

void
RandomNetwork::DrawAct(Priority priority)
{
    const Ptr<SwitchNode> node = m_fabric->GetSwitch(Draw(0, m_fabric->GetNSwitches() - 1));
    const PortId port{static_cast<uint16_t>(Draw(0, node->GetNDevices() - 1))};
    const QueueId queue{port, priority};
    const Time start = NanoSeconds(Draw(0, 200000));
    const Time end = start + NanoSeconds(Draw(1, 50000));
    const auto refuse = [&](DropPlace side, DropReason reason) {
        Simulator::Schedule(start, &SwitchNode::SetRefusing, node, side, queue, reason);
        Simulator::Schedule(end, &SwitchNode::SetRefusing, node, side, queue, std::nullopt);
    };
    switch (Draw(0, m_facts.isIgnoring ? 3 : 2))
    {
    case 0:
        Simulator::Schedule(start, &SwitchNode::Discard, node, queue, DropReason(g_discarded));
        break;
    case 1:
        refuse(DropPlace::INGRESS, g_refusedArrival);
        break;
    case 2:
        refuse(DropPlace::EGRESS, g_refusedEgress);
        break;
    default:
        // One of the two ends of the cable is affected; it may be a host.
        Ptr<LosslessNetDevice> device = node->GetPortDevice(port);
        device = Draw(0, 1) ? device : device->GetPeer();
        for (const bool on : {true, false})
        {
            Simulator::Schedule(on ? start : end, [device, priority, on] {
                Ignore(*device->GetGate(), priority, on);
            });
        }
    }
}

bool
IsOfRandomWatchdog(DropReason reason)
{
    return reason == DropReason(g_discarded) || reason == DropReason(g_refusedArrival) ||
           reason == DropReason(g_refusedEgress);
}

void
RandomNetwork::Build(const ObjectFactory& nics)
{
    Config::SetDefault("ns3::lossless::TransmitGate::StandardResponse",
                       BooleanValue(m_kind.isStandard));
    Config::SetDefault("ns3::lossless::LinkRetry::BlockInInit", BooleanValue(true));
    Config::SetDefault("ns3::lossless::LinkRetry::MaxReplays", UintegerValue(255));
    m_fabric = std::make_unique<Fabric>(m_topology, m_switches, nics);
    ForEachDevice([this](LosslessNetDevice& device) { device.SetMtu(m_mtu); });
    DrawBuffers();
}

std::string
RandomNetwork::Run(const Laws& laws)
{
    Build();
    DrawTraffic();
    for (uint32_t i = 0; i < 100; ++i)
    {
        Simulator::Schedule(NanoSeconds(Draw(0, 400000)),
                            [this, &laws] { Ask(laws, &Law::Check); });
    }
    DrawTrouble();
    for (const auto& law : laws)
    {
        law->Begin(*this);
    }
    m_fabric->AssignStreams(1000);
    Simulator::Stop(MilliSeconds(200)); // in a standstill, PAUSEs would be refreshed forever
    Simulator::Run();
    Ask(laws, &Law::End);
    const std::string record = Record();
    m_hosts.clear();
    m_fabric.reset();
    Simulator::Destroy();
    Config::Reset();
    return record;
}

void
RandomNetwork::Ask(const Laws& laws, std::string (Law::*ask)())
{
    for (const auto& law : laws)
    {
        if (m_error.empty())
        {
            m_error = ((*law).*ask)();
        }
    }
}

std::string
RandomNetwork::Record() const
{
    std::ostringstream record;
    for (const auto& host : m_hosts)
    {
        for (const Arrival& arrival : host->received.m_arrivals)
        {
            record << arrival.time.GetNanoSeconds() << " " << arrival.source << " "
                   << arrival.sequence << "\n";
        }
    }
    ForEachSwitch([&record](SwitchNode& node) { record << node.GetCounts().sent << "\n"; });
    return record.str();
}

ObjectFactory
RandomNetwork::DrawNics()
{
    const auto& controls = lossless::GetParts<CongestionControlInfo>();
    ObjectFactory nics("ns3::lossless::RoceNic");
    const ObjectFactory control(controls[Draw(0, controls.size() - 1)].type);
    nics.Set("CongestionControl", ObjectFactoryValue(control));
    return nics;
}

FlowList
RandomNetwork::DrawFlows()
{
    PoissonOptions background;
    background.load = 0.6;
    background.duration = MicroSeconds(100);
    background.priorities = {1, 2, 3};
    const int64_t stream = Draw(100, 100000);
    FanInOptions burst;
    burst.times = {MicroSeconds(Draw(0, 50)), MicroSeconds(Draw(50, 90))};
    burst.minSenders = 2;
    burst.maxSenders = 3;
    burst.priorities = {4};
    return MergeFlows({lossless::DrawFlows(m_topology, {background}, stream),
                       lossless::DrawFlows(m_topology, {burst}, Draw(100, 100000))});
}

void
RandomNetwork::Write(const std::string& folder)
{
    DrawPaths();
    Build(DrawNics());
    m_fabric->AssignStreams(1);
    m_fabric->InstallInternetStack();
    m_fabric->ResolveAddresses();
    // Hosts repeat ARP requests after random times when their link has been cut.
    InternetStackHelper().AssignStreams(NodeContainer::GetGlobal(), 1000000);
    Witness::AddToAll();
    const FlowList flows = DrawFlows();
    ResultsWriter results(folder);
    results.Get<PauseRecorder>()->KeepEvents();
    results.Get<SeriesPlan>()->AddQueues(PlacePattern::ReadList("*:*:*"));
    results.Get<SeriesPlan>()->AddPorts(PlacePattern::ReadList("*:*"), MicroSeconds(10));
    results.Get<SeriesPlan>()->AddFlows(PlacePattern::ReadList("*"), MicroSeconds(10));
    results.AddFabric(*m_fabric);
    results.Get<QueueSampler>()->SetAttribute("Period", TimeValue(MicroSeconds(Draw(3, 20))));
    results.Get<QueueSampler>()->SetAttribute("StopTime", TimeValue(MicroSeconds(600)));
    const auto tcp = CreateObject<TcpFlows>();
    if (Draw(0, 2) == 0)
    {
        FlowList few(flows.begin(), flows.begin() + std::min<std::size_t>(flows.size(), 5));
        std::for_each(few.begin(), few.end(), [](FlowSpec& flow) { flow.priority = 5; });
        m_fabric->StartTcpFlows(tcp, few);
    }
    DrawTrouble();
    m_fabric->StartFlows(flows);
    m_fabric->StopWhenFlowsAreDone(MilliSeconds(3));
    Simulator::Run();
    RankedRecord::GatherAll();
    results.Finish();
    tcp->Dispose();
    m_fabric.reset();
}

std::vector<SwitchKind>
GetSwitchKinds(const std::function<bool(const SchemeInfo&)>& choice)
{
    std::vector<SwitchKind> kinds;
    for (const SchemeInfo& scheme : lossless::GetParts<SchemeInfo>())
    {
        for (const BufferPolicyInfo& policy : scheme.GetPolicies())
        {
            if (choice(scheme))
            {
                kinds.emplace_back(scheme, policy);
            }
        }
    }
    return kinds;
}

SwitchKind
GetRandomKind(uint32_t seed)
{
    const std::vector<SchemeInfo> schemes = GetModuleSchemes();
    const SchemeInfo& scheme = schemes[seed % schemes.size()];
    const std::vector<BufferPolicyInfo> policies = scheme.GetPolicies();
    return {scheme, policies[seed / 3 % policies.size()]};
}

std::string
ReadTables(const std::string& folder)
{
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        if (entry.path().extension() == ".csv")
        {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    std::ostringstream text;
    for (const auto& file : files)
    {
        text << file.filename() << '\n' << ReadFile(file) << '\n';
    }
    return text.str();
}

} // namespace ns3::lossless::tests
