// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-fabric.h"

#include "graph-runner.h"
#include "source-progress.h"

#include "ns3/abort.h"
#include "ns3/arp-cache.h"
#include "ns3/congestion-control.h"
#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/factory-attribute.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/link-retry.h"
#include "ns3/listen-to.h"
#include "ns3/names.h"
#include "ns3/node-name.h"
#include "ns3/pointer.h"
#include "ns3/rank-plan.h"
#include "ns3/ranks.h"
#include "ns3/raw-source.h"
#include "ns3/roce-header.h"
#include "ns3/simulator.h"
#include "ns3/tcp-flows.h"
#include "ns3/telemetry-header.h"
#include "ns3/uinteger.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>
#include <limits>

namespace ns3::lossless
{

namespace
{

/// Sets the base RTT of the NIC's congestion control, if the algorithm needs it and the attribute
/// still has its default value.
void
TellBaseRtt(RoceNic& nic, Time baseRtt)
{
    ObjectFactoryValue control;
    nic.GetAttribute("CongestionControl", control);
    ObjectFactory factory = control.Get();
    TypeId::AttributeInformation info;
    if (!factory.GetTypeId().LookupAttributeByName("BaseRtt", &info))
    {
        return;
    }
    TimeValue value;
    factory.Create<CongestionControl>()->GetAttribute("BaseRtt", value);
    if (value.Get() == DynamicCast<const TimeValue>(info.originalInitialValue)->Get())
    {
        factory.Set("BaseRtt", TimeValue(baseRtt));
        nic.SetAttribute("CongestionControl", ObjectFactoryValue(factory));
    }
}

/// Turns each NIC into a separate host that has the name of the NIC's host. The new hosts are
/// ordered by host and port. Switches keep their names, order and ports, and links keep their
/// indices.
/// @param topology a network whose hosts can have several ports
/// @return the same network, with one port per host
Topology
SplitHosts(const Topology& topology)
{
    Topology split;
    // For each node, the index in `split` of the switch itself or of the host's next NIC to be
    // connected.
    std::vector<uint32_t> ends;
    for (uint32_t i = 0; i < topology.GetNodes().size(); ++i)
    {
        const Topology::NodeInfo& node = topology.GetNodes()[i];
        ends.push_back(static_cast<uint32_t>(split.GetNodes().size()));
        if (node.kind == Topology::NodeKind::SWITCH)
        {
            split.AddSwitch(node.name, node.layer);
            continue;
        }
        for (std::size_t port = 0; port < topology.GetPorts(i).size(); ++port)
        {
            split.AddHost(node.name);
        }
    }
    const auto take = [&](uint32_t node) {
        return topology.FindHostIndex(node) ? ends[node]++ : ends[node];
    };
    for (const Topology::LinkInfo& link : topology.GetLinks())
    {
        Topology::LinkInfo moved = link;
        moved.nodeA = take(link.nodeA);
        moved.nodeB = take(link.nodeB);
        split.AddLink(moved);
    }
    return split;
}

/// The arrival times, in seconds, of one flow's frames after the links traversed so far. All frames
/// are full, except that the last one may be shorter. The transmission of a frame starts when the
/// frame has arrived and the slot of the previous frame has ended. The gap at the end of a slot
/// thus delays only the next frame.
struct FrameTrain
{
    const uint64_t frames; ///< number of frames, at least 1
    double full{0};        ///< arrival time of the last bit of the last full frame
    double last{0};        ///< arrival time of the last bit of the last frame
    double slowest{0};     ///< longest slot of a full frame so far

    /// Sends the frames over one more link.
    /// @param fullSlot the slot length of a full frame on this link, including the gap
    /// @param lastSlot the slot length of the last frame
    /// @param gap the gap in each slot
    /// @param delay the propagation delay of the link
    void Pass(double fullSlot, double lastSlot, double gap, double delay)
    {
        if (frames > 1)
        {
            // The first full frame is not delayed by other frames. The others follow at the rate of
            // the slowest link so far.
            const auto followers = static_cast<double>(frames - 2);
            const double first = full - slowest * followers + fullSlot - gap;
            slowest = std::max(slowest, fullSlot);
            full = first + slowest * followers;
            last = std::max(last, full + gap);
            full += delay;
        }
        last = last + lastSlot - gap + delay;
    }
};

/// Aborts if the default value of an attribute has been changed, because the links of a topology
/// override it.
/// @param type the TypeId that declares the attribute
void
RequireOriginalDefault(TypeId type, const std::string& name)
{
    TypeId::AttributeInformation info;
    type.LookupAttributeByName(name, &info);
    const std::string value = info.initialValue->SerializeToString(info.checker);
    NS_ABORT_MSG_IF(
        value != info.originalInitialValue->SerializeToString(info.checker),
        "Fabric: " << type.GetName() << "::" << name << " is set to " << value
                   << ", which has no effect: the topology sets each link's own; set it there.");
}

/// Aborts if the NICs send telemetry and a switch that would write it has a port whose rate the
/// telemetry header cannot represent.
/// @param fabric the network, whose NICs must keep their congestion control after this call
void
RequireTelemetryRates(const Fabric& fabric)
{
    bool isSent = false;
    fabric.VisitNics([&](RoceNic& nic) {
        ObjectFactoryValue control;
        nic.GetAttribute("CongestionControl", control);
        isSent |= control.Get().Create<CongestionControl>()->GetFeedback().telemetry;
    });
    for (uint32_t i = 0; isSent && i < fabric.GetNSwitches(); ++i)
    {
        const Ptr<SwitchNode> node = fabric.GetSwitch(i);
        for (uint16_t port = 0; node->IsTelemetryOn() && port < node->GetNDevices(); ++port)
        {
            const DataRate rate = node->GetPortDevice(PortId{port})->GetFirstRate();
            const std::string misfit = TelemetryHop::DescribeMisfit(rate);
            NS_ABORT_MSG_IF(!misfit.empty(),
                            "switch " << GetNodeName(node->GetId()) << ": port " << port << " "
                                      << misfit << ".");
        }
    }
}

/// Assigns fixed random variable streams to the receive error model of a device. If the device is
/// at the first end of its cable, the streams include those for the jitter of both directions.
/// @param stream the first stream index to use
/// @return the number of streams used
int64_t
AssignLinkStreams(const LosslessNetDevice& device, int64_t stream)
{
    PointerValue errors;
    device.GetAttribute("ReceiveErrorModel", errors);
    auto model = errors.Get<RateErrorModel>();
    const int64_t used = model ? model->AssignStreams(stream) : 0;
    auto cable = DynamicCast<LosslessChannel>(device.GetChannel());
    return cable->GetDevice(0) == &device ? used + cable->AssignStreams(stream + used) : used;
}

} // namespace

Fabric::Fabric(const Topology& topology,
               const SwitchHelper& switches,
               const ObjectFactory& nics,
               const RoutePlan& plan)
    : m_topology(topology),
      m_arrivals([this](const NetworkTally::Counts& counts) { NoteArrivals(counts); })
{
    m_isShortest = dynamic_cast<const ShortestPathRoutes*>(&plan) != nullptr;
    m_topology.AbortIfInvalid();
    // This aborts with a message if the factory creates objects of another type.
    MakeFactoryChecker(RoceNic::GetTypeId())->Check(ObjectFactoryValue(nics));
    RequireOriginalDefault(LosslessNetDevice::GetTypeId(), "DataRate");
    RequireOriginalDefault(LosslessChannel::GetTypeId(), "Delay");
    m_nicTopology = SplitHosts(m_topology);
    for (const Topology::NodeInfo& node : m_nicTopology.GetNodes())
    {
        m_nodeOfNicNode.push_back(*m_topology.FindNode(node.name));
    }
    m_routes = ComputeRoutes(m_nicTopology);
    for (const Topology::NodeInfo& node : m_topology.GetNodes())
    {
        const bool isHost = node.kind == Topology::NodeKind::HOST;
        m_nodes.Add(isHost ? CreateObject<Node>() : Ptr<Node>(switches.Create()));
    }
    if (Ranks::AreSeveral())
    {
        PlaceOnRanks();
    }
    EnterNames();
    CreateLinks();
    CreateNics(nics, plan.MakeAddresses(m_nicTopology));
    InstallRoutes(plan);
}

Fabric::~Fabric()
{
    *m_isAlive = false;
    *m_isCounting = false;
    m_runner.reset();
    m_flowStart.Cancel();
}

void
Fabric::EnterNames()
{
    for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
    {
        const std::string& name = m_topology.GetNodes()[i].name;
        const bool isPath = name.find('/') != std::string::npos; // ns3::Names uses / in paths
        if (!isPath && !Names::Find<Object>(name))
        {
            Names::Add(name, m_nodes.Get(i));
        }
    }
    // ns-3 keeps all names and their nodes until it clears them together; it cannot remove a single
    // name.
    Simulator::ScheduleDestroy(&Names::Clear);
}

void
Fabric::PlaceOnRanks()
{
    const RankPlan plan = PlanRanks(m_topology, Ranks::GetSize());
    for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
    {
        m_nodes.Get(i)->SetAttribute("SystemId", UintegerValue(plan.ranks[i]));
    }
}

void
Fabric::CreateLinks()
{
    LosslessHelper cables;
    for (const Topology::LinkInfo& link : m_topology.GetLinks())
    {
        cables.SetDeviceAttribute("DataRate", DataRateValue(link.rate));
        cables.SetChannelAttribute("Delay", TimeValue(link.delay));
        const NetDeviceContainer ends =
            cables.Install(m_nodes.Get(link.nodeA), m_nodes.Get(link.nodeB));
        for (uint32_t i = 0; i < ends.GetN() && link.errorRate > 0; ++i)
        {
            auto errors = CreateObject<RateErrorModel>();
            errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
            errors->SetRate(link.errorRate);
            ends.Get(i)->SetAttribute("ReceiveErrorModel", PointerValue(errors));
        }
        m_cables.push_back(DynamicCast<LosslessChannel>(ends.Get(0)->GetChannel()));
        m_cables.back()->SetUp(!link.failed);
    }
}

Ptr<LosslessChannel>
Fabric::GetCable(uint32_t link) const
{
    NS_ABORT_MSG_IF(link >= m_cables.size(),
                    "Fabric: there is no link " << link << "; there are " << m_cables.size()
                                                << ".");
    return m_cables[link];
}

void
Fabric::InstallRetry() const
{
    for (const Ptr<LosslessChannel>& cable : m_cables)
    {
        LinkRetry::Install(cable);
    }
}

void
Fabric::CreateNics(const ObjectFactory& nics, const std::vector<Ipv4Address>& addresses)
{
    uint32_t next = 0;
    for (uint32_t host = 0; host < GetNHosts(); ++host)
    {
        m_firstNic.push_back(next);
        m_addresses.emplace_back();
        m_nics.emplace_back();
        for (uint32_t port = 0; port < GetHost(host)->GetNDevices(); ++port)
        {
            const Ipv4Address address = addresses.at(next++);
            Ptr<LosslessNetDevice> device = GetHostDevice(host, port);
            auto nic = nics.Create<RoceNic>();
            nic->Install(device, address);
            m_addresses.back().push_back(address);
            m_nics.back().push_back(nic);
        }
    }
}

void
Fabric::InstallRoutes(const RoutePlan& plan)
{
    for (uint32_t i = 0; i < GetNSwitches(); ++i)
    {
        plan.FillTable(m_nicTopology,
                       m_routes,
                       m_nicTopology.GetSwitches()[i],
                       *GetSwitch(i)->GetForwarding());
    }
}

void
Fabric::Reroute(const std::set<uint32_t>& down) const
{
    NS_ABORT_MSG_IF(!m_isShortest,
                    "Fabric: Reroute() is for the shortest paths, and this network has other "
                    "routes.");
    Topology rest = m_nicTopology;
    for (const uint32_t link : down)
    {
        rest.FailLink(link);
    }
    const RouteTables routes = ComputeRoutes(rest);
    for (uint32_t i = 0; i < GetNSwitches(); ++i)
    {
        ShortestPathRoutes().FillTable(rest,
                                       routes,
                                       rest.GetSwitches()[i],
                                       *GetSwitch(i)->GetForwarding());
    }
}

uint32_t
Fabric::GetNHosts() const
{
    return m_topology.GetHosts().size();
}

uint32_t
Fabric::GetNSwitches() const
{
    return m_topology.GetSwitches().size();
}

Ptr<Node>
Fabric::GetHost(uint32_t host) const
{
    NS_ABORT_MSG_IF(host >= GetNHosts(),
                    "Fabric: host " << host << " does not exist; there are " << GetNHosts() << ".");
    return m_nodes.Get(m_topology.GetHosts()[host]);
}

void
Fabric::RequirePort(uint32_t host, uint32_t port) const
{
    GetHost(host); // this aborts if the host does not exist
    const std::size_t ports = m_topology.GetPorts(m_topology.GetHosts()[host]).size();
    NS_ABORT_MSG_IF(port >= ports,
                    "Fabric: host " << host << " has no port " << port << "; there are " << ports
                                    << ".");
}

Ptr<SwitchNode>
Fabric::GetSwitch(uint32_t index) const
{
    NS_ABORT_MSG_IF(index >= GetNSwitches(),
                    "Fabric: switch " << index << " does not exist; there are " << GetNSwitches()
                                      << ".");
    return DynamicCast<SwitchNode>(m_nodes.Get(m_topology.GetSwitches()[index]));
}

Ptr<SwitchNode>
Fabric::GetSwitch(const std::string& name) const
{
    const auto node = m_topology.FindNode(name);
    NS_ABORT_MSG_IF(!node || !DynamicCast<SwitchNode>(m_nodes.Get(*node)),
                    "Fabric: there is no switch called \"" << name << "\".");
    return DynamicCast<SwitchNode>(m_nodes.Get(*node));
}

Ptr<LosslessNetDevice>
Fabric::GetHostDevice(uint32_t host, uint32_t port) const
{
    RequirePort(host, port);
    NS_ABORT_MSG_IF(GetHost(host)->GetNDevices() == 0,
                    "Fabric: the devices are gone; ask for what depends on them before "
                    "Simulator::Destroy(), which Experiment::Finish() calls.");
    return DynamicCast<LosslessNetDevice>(GetHost(host)->GetDevice(port));
}

Ipv4Address
Fabric::GetAddress(uint32_t host, uint32_t port) const
{
    RequirePort(host, port);
    return m_addresses[host][port];
}

Ptr<RoceNic>
Fabric::GetNic(uint32_t host, uint32_t port) const
{
    RequirePort(host, port);
    return m_nics[host][port];
}

void
Fabric::ForgetFlow(uint32_t host, const FlowRecord& record) const
{
    if (record.retransmitted == 0 && Ranks::IsOwn(*GetHost(host)))
    {
        const std::vector<Ipv4Address>& all = m_addresses[host];
        const auto nic = std::find(all.begin(), all.end(), record.flow.destination) - all.begin();
        m_nics[host][nic]->ForgetFlow(record);
    }
}

void
Fabric::InstallInternetStack()
{
    InternetStackHelper internet;
    internet.SetIpv6StackInstall(false);
    TrafficControlHelper trafficControl = LosslessHelper::MakeTrafficControl();
    for (uint32_t host = 0; host < GetNHosts(); ++host)
    {
        internet.Install(GetHost(host));
        Ptr<Ipv4L3Protocol> ipv4 = GetHost(host)->GetObject<Ipv4L3Protocol>();
        for (uint32_t port = 0; port < m_addresses[host].size(); ++port)
        {
            Ptr<LosslessNetDevice> device = GetHostDevice(host, port);
            const uint32_t interface = ipv4->AddInterface(device);
            ipv4->AddAddress(interface,
                             Ipv4InterfaceAddress(m_addresses[host][port], Ipv4Mask("/8")));
            ipv4->SetUp(interface);
            // By default, ns-3 queues only three packets per address during resolution and drops
            // the others.
            ipv4->GetInterface(interface)->GetArpCache()->SetAttribute(
                "PendingQueueSize",
                UintegerValue(std::numeric_limits<uint32_t>::max()));
            trafficControl.Install(device);
        }
    }
}

void
Fabric::ResolveAddresses()
{
    for (uint32_t host = 0; host < GetNHosts(); ++host)
    {
        Ptr<Ipv4L3Protocol> ipv4 = GetHost(host)->GetObject<Ipv4L3Protocol>();
        NS_ABORT_MSG_IF(!ipv4,
                        "Fabric::ResolveAddresses: host "
                            << host
                            << " has no Internet stack; call InstallInternetStack() first.");
        for (uint32_t port = 0; port < m_addresses[host].size(); ++port)
        {
            Ptr<LosslessNetDevice> device = GetHostDevice(host, port);
            const int32_t interface = ipv4->GetInterfaceForDevice(device);
            Ptr<ArpCache> cache = ipv4->GetInterface(interface)->GetArpCache();
            FillArpCache(cache, host);
            // When the link goes down or up, ns-3 flushes the cache just before this callback.
            device->AddLinkChangeCallback(Callback<void>([this, cache, host, isAlive = m_isAlive] {
                if (*isAlive)
                {
                    FillArpCache(cache, host);
                }
            }));
        }
    }
}

void
Fabric::FillArpCache(Ptr<ArpCache> cache, uint32_t owner) const
{
    for (uint32_t host = 0; host < GetNHosts(); ++host)
    {
        for (uint32_t port = 0; host != owner && port < m_addresses[host].size(); ++port)
        {
            ArpCache::Entry* entry = cache->Add(m_addresses[host][port]);
            entry->SetMacAddress(GetHostDevice(host, port)->GetAddress());
            entry->MarkPermanent();
        }
    }
}

int64_t
Fabric::AssignStreams(int64_t stream)
{
    int64_t used = 0;
    for (uint32_t i = 0; i < GetNSwitches(); ++i)
    {
        used += SwitchHelper::AssignStreams(*GetSwitch(i), stream + used);
    }
    for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
    {
        for (uint32_t port = 0; port < m_nodes.Get(i)->GetNDevices(); ++port)
        {
            auto device = DynamicCast<LosslessNetDevice>(m_nodes.Get(i)->GetDevice(port));
            used += device ? AssignLinkStreams(*device, stream + used) : 0;
        }
    }
    return used;
}

void
Fabric::RequireNoFlows(const std::string& caller) const
{
    NS_ABORT_MSG_IF(!m_flows.empty() || m_runner || m_progress,
                    "Fabric::" << caller << ": flows were given already.");
}

void
Fabric::StartFlows(FlowList flows)
{
    RequireNoFlows("StartFlows");
    const auto error = CheckFlows(flows, m_topology);
    NS_ABORT_MSG_IF(error, *error << ".");
    m_flows = std::move(flows);
    SortByStart(m_flows);
    ChooseNics();
    RequireTelemetryRates(*this);
    StartDueFlows();
}

void
Fabric::StartSource(std::shared_ptr<const FlowSource> source)
{
    RequireNoFlows("StartSource");
    NS_ABORT_MSG_IF(Ranks::AreSeveral(),
                    "Fabric::StartSource: flows of a source are for one rank; list them.");
    m_progress = std::make_unique<SourceProgress>(std::move(source));
    RequireTelemetryRates(*this);
    for (uint32_t host = 0; host < GetNHosts(); ++host)
    {
        NS_ABORT_MSG_IF(m_nics[host].size() > 1,
                        "Fabric::StartSource: flows of a source are for hosts with one NIC; list "
                        "them.");
        for (const Ptr<RoceNic>& nic : m_nics[host])
        {
            ListenTo(*nic, "FlowAcknowledged", [this, isAlive = m_isAlive](const FlowRecord& flow) {
                const auto receiver = *isAlive ? m_progress->Forget(flow.flow.id) : std::nullopt;
                if (receiver)
                {
                    ForgetFlow(*receiver, flow);
                }
            });
        }
    }
    StartDueFlows();
}

void
Fabric::StartGraph(FlowGraph graph)
{
    RequireNoFlows("StartGraph");
    const auto error = graph.Check(m_topology);
    NS_ABORT_MSG_IF(error, *error << ".");
    m_runner = std::make_unique<GraphRunner>(*this, std::move(graph));
    ChooseNics();
    RequireTelemetryRates(*this);
    m_runner->Start();
}

const FlowList&
Fabric::GetFlows() const
{
    if (m_runner && m_flows.empty())
    {
        m_flows = m_runner->GetGraph().MakeFlowList();
    }
    if (m_progress && m_flows.empty())
    {
        m_flows = m_progress->GetSource().MakeList();
    }
    return m_flows;
}

std::size_t
Fabric::CountFlows() const
{
    return m_runner     ? m_runner->GetGraph().GetNFlows()
           : m_progress ? m_progress->GetSource().GetTotals().flows
                        : m_flows.size();
}

void
Fabric::VisitFlows(const std::function<void(const FlowSpec&)>& visit) const
{
    if (m_progress)
    {
        m_progress->GetSource().Visit(visit);
        return;
    }
    if (!m_runner || m_runner->GetGraph().GetRules().empty())
    {
        std::for_each(GetFlows().begin(), GetFlows().end(), visit);
        return;
    }
    const FlowGraph& graph = m_runner->GetGraph();
    for (FlowGraph::Step step = 0; step < graph.GetNSteps(); ++step)
    {
        if (const FlowSpec flow = graph.GetFlow(step); flow.bytes > 0)
        {
            visit(flow);
        }
    }
}

void
Fabric::ChooseNics()
{
    const bool isChoice =
        std::any_of(m_nics.begin(), m_nics.end(), [](const auto& nics) { return nics.size() > 1; });
    if (!isChoice)
    {
        return;
    }
    std::vector<uint32_t> turns(GetNHosts());
    for (const FlowSpec& flow : GetFlows())
    {
        const uint32_t turn = turns[flow.source]++;
        if (m_nics[flow.source].size() > 1 || m_nics[flow.destination].size() > 1)
        {
            m_nicsOfFlows[{flow.id, flow.source, flow.destination}] = FindNics(flow, turn);
        }
    }
}

Fabric::NicPair
Fabric::FindNics(const FlowSpec& flow, uint32_t turn) const
{
    const std::size_t senders = m_nics.at(flow.source).size();
    const std::size_t receivers = m_nics.at(flow.destination).size();
    if (senders * receivers == 1)
    {
        return {};
    }
    NicPair nearest; // the first NICs if there is no path
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (std::size_t skipped = 0; skipped < receivers; ++skipped)
    {
        for (std::size_t i = turn; i < turn + senders; ++i)
        {
            const NicPair nics{static_cast<uint32_t>(i % senders),
                               static_cast<uint32_t>((i + skipped) % receivers)};
            const std::size_t hops = GetNicPath(flow, nics).size(); // 0 if there is no path
            if (hops > 0 && hops < fewest)
            {
                nearest = nics;
                fewest = hops;
            }
        }
    }
    return nearest;
}

Fabric::NicPair
Fabric::GetNics(const FlowSpec& flow) const
{
    if (m_nicsOfFlows.empty())
    {
        return FindNics(flow, 0);
    }
    const auto chosen = m_nicsOfFlows.find({flow.id, flow.source, flow.destination});
    return chosen == m_nicsOfFlows.end() ? FindNics(flow, 0) : chosen->second;
}

std::vector<PathStep>
Fabric::GetNicPath(const FlowSpec& flow, const NicPair& nics) const
{
    if (m_nics[flow.source].empty() || m_nics[flow.destination].empty())
    {
        return {}; // a host without a link has no path
    }
    std::vector<PathStep> path = GetPath(m_nicTopology,
                                         m_routes,
                                         m_firstNic[flow.source] + nics.sender,
                                         m_firstNic[flow.destination] + nics.receiver);
    for (PathStep& step : path)
    {
        step.node = m_nodeOfNicNode[step.node];
    }
    if (!path.empty())
    {
        path.front().port = static_cast<uint16_t>(nics.sender);
    }
    return path;
}

void
Fabric::InstallSource(const Ptr<RawSource>& source, uint32_t from, uint32_t to) const
{
    source->SetDestination(GetAddress(to), GetHostDevice(to)->GetMacAddress());
    source->Install(GetHostDevice(from), GetAddress(from));
}

Ptr<RawSink>
Fabric::InstallSink(uint32_t host) const
{
    auto sink = GetHostDevice(host)->GetObject<RawSink>();
    if (!sink)
    {
        sink = CreateObject<RawSink>();
        sink->Install(GetHostDevice(host), GetAddress(host));
    }
    return sink;
}

void
Fabric::PinRoute(const std::string& node, uint32_t host, const std::string& next) const
{
    const auto misfit = m_topology.CheckLink(node, next);
    NS_ABORT_MSG_IF(misfit, "Fabric: " << *misfit << ".");
    const auto& ports = m_topology.GetPorts(*m_topology.FindNode(node));
    const auto found = std::find_if(ports.begin(), ports.end(), [&](const auto& port) {
        return m_topology.GetNodes()[port.peer].name == next;
    });
    const PortId port{static_cast<uint16_t>(found - ports.begin())};
    GetSwitch(node)->GetForwarding()->SetRoute(GetAddress(host), {port});
}

void
Fabric::StartTcpFlows(const Ptr<TcpFlows>& tcp, const FlowList& flows) const
{
    const auto error = CheckFlows(flows, m_topology);
    NS_ABORT_MSG_IF(error, *error << ".");
    std::vector<TcpFlow> ofHosts;
    for (const FlowSpec& spec : flows)
    {
        TcpFlow& flow = ofHosts.emplace_back();
        flow.sender = GetHost(spec.source);
        flow.receiver = GetHost(spec.destination);
        flow.record.flow.id = spec.id;
        flow.record.flow.destination = GetAddress(spec.destination);
        flow.record.flow.priority = Priority{spec.priority};
        flow.record.flow.bytes = spec.bytes;
        flow.record.source = GetAddress(spec.source);
        flow.record.start = spec.start;
    }
    tcp->Start(ofHosts);
}

void
Fabric::StopWhenFlowsAreDone(Time grace, FlowEnd end)
{
    NS_ABORT_MSG_IF(grace.IsStrictlyNegative() || grace > GetLatestStart(),
                    "Fabric::StopWhenFlowsAreDone: the grace is "
                        << grace.As(Time::S) << "; it must be from 0 to "
                        << GetLatestStart().As(Time::S) << ".");
    if (m_runner)
    {
        const bool isReceived = end == FlowEnd::RECEIVED;
        m_runner->StopWhenDone(grace,
                               isReceived ? FlowGraph::Until::RECEIVED : FlowGraph::Until::SENT);
        return;
    }
    *m_isCounting = false; // disables earlier listeners, so that each flow is counted only once
    m_isCounting = std::make_shared<bool>(true);
    VisitNics([&](RoceNic& nic) {
        ListenTo(nic,
                 end == FlowEnd::RECEIVED ? "FlowReceived" : "FlowAcknowledged",
                 [this, isCounting = m_isCounting](const FlowRecord& /* record */) {
                     if (*isCounting)
                     {
                         m_arrivals.Note(Simulator::Now());
                     }
                 });
    });
    const Time now = Simulator::Now();
    Simulator::Stop(std::max(now, GetLastStart()) - now + grace);
}

void
Fabric::VisitNics(const std::function<void(RoceNic&)>& visit) const
{
    for (const auto& nicsOfHost : m_nics)
    {
        for (const Ptr<RoceNic>& nic : nicsOfHost)
        {
            visit(*nic);
        }
    }
}

void
Fabric::NoteArrivals(const NetworkTally::Counts& counts)
{
    m_lastArrival = std::max(m_lastArrival, counts.latest);
    m_arrived += counts.count;
    if (m_arrived == CountFlows())
    {
        StopRun(TimeStep(m_lastArrival));
    }
}

void
Fabric::StartDueFlows()
{
    const Time now = Simulator::Now();
    const FlowSpec* next = GetNextFlow();
    for (; next && next->start <= now + MicroSeconds(HAND_OVER_US); next = GetNextFlow())
    {
        HandOver(*next, std::max(next->start - now, Time(0)));
        if (m_progress)
        {
            m_progress->Advance();
        }
        else
        {
            ++m_nextFlow;
        }
    }
    if (next)
    {
        m_flowStart = Simulator::Schedule(next->start - now, &Fabric::StartDueFlows, this);
    }
}

const FlowSpec*
Fabric::GetNextFlow() const
{
    if (!m_progress)
    {
        return m_nextFlow < m_flows.size() ? &m_flows[m_nextFlow] : nullptr;
    }
    const FlowSpec* next = m_progress->GetNext();
    const auto error = next ? CheckFlow(*next, m_topology) : std::nullopt;
    NS_ABORT_MSG_IF(error, "flow " << next->id << ": " << *error << ".");
    return next;
}

Time
Fabric::GetLastStart() const
{
    return m_progress        ? m_progress->GetSource().GetTotals().last
           : m_flows.empty() ? Time(0)
                             : m_flows.back().start;
}

void
Fabric::HandOver(const FlowSpec& spec, Time delay) const
{
    const FlowEnds ends = Connect(spec);
    // Flows must not start after the fabric has been destroyed.
    const auto schedule = [&](uint32_t host, auto open) {
        Simulator::ScheduleWithContext(GetHost(host)->GetId(), delay, [open, isAlive = m_isAlive] {
            if (*isAlive)
            {
                open();
            }
        });
    };
    schedule(spec.destination, [ends] { ends.receiver->OpenReceiver(ends.connection); });
    schedule(spec.source, [ends] { ends.sender->OpenSender(ends.connection); });
}

Fabric::FlowEnds
Fabric::Connect(const FlowSpec& spec) const
{
    RoceFlow flow;
    flow.id = spec.id;
    flow.priority = Priority{spec.priority};
    flow.bytes = spec.bytes;
    const NicPair nics = GetNics(spec);
    FlowEnds ends{m_nics[spec.source][nics.sender], m_nics[spec.destination][nics.receiver], {}};
    ends.connection = ends.sender->Agree(ends.receiver, flow);
    return ends;
}

Time
Fabric::GetNoticeTime(uint32_t from, uint32_t to) const
{
    const FlowSpec notice{0, from, to, 0, 1, Time(0), ""};
    return GetIdealTime(notice, FindNics(notice, 0));
}

Time
Fabric::GetIdealFct(const FlowSpec& flow) const
{
    return GetIdealTime(flow, GetNics(flow));
}

bool
Fabric::HasParallelPaths() const
{
    return !m_isShortest ||
           std::any_of(m_routes.begin(), m_routes.end(), [](const RouteTable& table) {
               return std::any_of(table.portSets.begin(),
                                  table.portSets.end(),
                                  [](const auto& ports) { return ports.size() > 1; });
           });
}

uint64_t
Fabric::CountPacketHops(Time end) const
{
    uint64_t hops = 0;
    VisitFlows([&](const FlowSpec& flow) {
        const NicPair nics = GetNics(flow);
        const Ptr<RoceNic> sender = GetNic(flow.source, nics.sender);
        uint64_t packets = (flow.bytes - 1) / sender->GetPayloadBytes() + 1;
        if (end.IsStrictlyPositive())
        {
            const uint32_t frame =
                RoceNic::GetFrameBytes(sender->GetPayloadBytes(), sender->GetOptionBytes());
            const double slot = GetHostDevice(flow.source, nics.sender)->GetSlotSeconds(frame);
            const double most = std::max(0.0, (end - flow.start).GetSeconds() / slot);
            packets = static_cast<uint64_t>(std::min(static_cast<double>(packets), most));
        }
        const uint32_t interval = GetNic(flow.destination, nics.receiver)->GetAckInterval();
        const uint64_t frames = packets + (packets + interval - 1) / interval;
        hops += frames * GetNicPath(flow, nics).size();
    });
    return hops;
}

uint32_t
Fabric::FindFarthestHost(uint32_t source) const
{
    uint32_t farthest = source;
    Time longest; // remains 0 if no host is reachable
    for (uint32_t host = 0; host < GetNHosts(); ++host)
    {
        const bool hasPath = host != source && !m_nics[host].empty() && !m_nics[source].empty();
        const Time time = !hasPath ? Time(0) : GetIdealFct({0, source, host, 0, 1, Time(0), ""});
        farthest = time > longest ? host : farthest;
        longest = Max(time, longest);
    }
    return farthest;
}

std::pair<uint32_t, uint32_t>
Fabric::FindLongestPath() const
{
    uint32_t source = 0;
    uint32_t farthest = FindFarthestHost(source);
    while (farthest == source && source + 1 < GetNHosts())
    {
        farthest = FindFarthestHost(++source);
    }
    return {source, farthest};
}

void
Fabric::SetBaseRtt(uint32_t source, uint32_t destination)
{
    const uint32_t payload = GetNic(source)->GetPayloadBytes();
    const FlowSpec packet{0, source, destination, 0, payload, Time(0), ""};
    const FlowSpec answer{0, destination, source, 0, 1, Time(0), ""}; // same length as an ACK
    const Time baseRtt = GetIdealFct(packet) + GetIdealFct(answer);
    VisitNics([&](RoceNic& nic) { TellBaseRtt(nic, baseRtt); });
}

Time
Fabric::GetIdealAcknowledgementTime(const FlowSpec& flow) const
{
    FlowSpec answer;
    answer.source = flow.destination;
    answer.destination = flow.source;
    // An acknowledgement is as long as a data packet with this payload.
    answer.bytes =
        RoceHeader::GetSize(RoceOpcode::ACKNOWLEDGE) - RoceHeader::GetSize(RoceOpcode::SEND_ONLY);
    const NicPair nics = GetNics(flow);
    return GetIdealTime(answer, {nics.receiver, nics.sender});
}

Time
Fabric::GetIdealTime(const FlowSpec& flow, const NicPair& nics) const
{
    const Ptr<RoceNic> sender = GetNic(flow.source, nics.sender);
    const uint32_t full = sender->GetPayloadBytes();
    const uint32_t options = sender->GetOptionBytes();
    const uint64_t frames = std::max<uint64_t>(1, (flow.bytes + full - 1) / full);
    const uint64_t last = flow.bytes - (frames - 1) * full;
    FrameTrain train{frames};
    for (const PathStep& step : GetNicPath(flow, nics))
    {
        // All devices of a Fabric are of this type, and a dynamic cast for each flow would be slow.
        auto device = StaticCast<LosslessNetDevice>(m_nodes.Get(step.node)->GetDevice(step.port));
        const Topology::LinkInfo& link = m_topology.GetLinks()[step.link];
        // The ideal time assumes the initial rate, so that the result does not depend on when this
        // function is called. `share` is the ratio of the current rate to the initial rate; it is 1
        // unless the link has lost lanes.
        const double share = static_cast<double>(device->GetDataRate().GetBitRate()) /
                             static_cast<double>(link.rate.GetBitRate());
        train.Pass(share * device->GetSlotSeconds(RoceNic::GetFrameBytes(full, options)),
                   share * device->GetSlotSeconds(RoceNic::GetFrameBytes(last, options)),
                   share * device->GetGapSeconds(),
                   link.delay.GetSeconds());
    }
    return Seconds(train.last);
}

} // namespace ns3::lossless
