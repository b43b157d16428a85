// SPDX-License-Identifier: GPL-2.0-only

#include "random-results.h"

#include "test-network.h"
#include "witness.h"

#include "ns3/boolean.h"
#include "ns3/congestion-controls.h"
#include "ns3/factory-attribute.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/lossless-channel.h"
#include "ns3/named-choices.h"
#include "ns3/node-container.h"
#include "ns3/queue-size.h"
#include "ns3/ranked-record.h"
#include "ns3/results-writer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-flows.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <vector>

namespace ns3::lossless::tests
{

RandomResults::RandomResults(uint32_t seed)
    : m_seed(seed),
      m_random(seed),
      m_topology(DrawTopology())
{
}

void
RandomResults::Run(const std::string& folder)
{
    const SwitchHelper switches = DrawSwitches();
    const ObjectFactory nics = DrawNics();
    Fabric fabric(m_topology, switches, nics);
    fabric.AssignStreams(1);
    fabric.InstallInternetStack();
    fabric.ResolveAddresses();
    // Hosts whose link was cut ask for addresses again, after random times.
    InternetStackHelper().AssignStreams(NodeContainer::GetGlobal(), 1000000);
    Witness::AddToAll();
    const FlowList flows = DrawFlows(m_topology);
    ResultsWriter results(folder);
    results.RecordPauseEvents();
    results.SampleQueues(PlacePattern::ReadList("*:*:*"));
    results.SampleThroughput(PlacePattern::ReadList("*:*"), MicroSeconds(10));
    results.SampleFlows(PlacePattern::ReadList("*"), MicroSeconds(10));
    results.AddFabric(fabric);
    results.GetSampler()->SetAttribute("Period", TimeValue(MicroSeconds(Draw(3, 20))));
    results.GetSampler()->SetAttribute("StopTime", TimeValue(MicroSeconds(600)));
    auto tcp = CreateObject<TcpFlows>();
    if (Draw(0, 2) == 0)
    {
        fabric.StartTcpFlows(tcp, DrawFew(flows));
    }
    DrawFlaps(fabric);
    fabric.StartFlows(flows);
    fabric.StopWhenFlowsAreDone(MilliSeconds(3));
    Simulator::Run();
    RankedRecord::GatherAll();
    results.Finish();
    tcp->Dispose();
}

uint32_t
RandomResults::Draw(uint32_t least, uint32_t most)
{
    return std::uniform_int_distribution<uint32_t>(least, most)(m_random);
}

Topology
RandomResults::DrawTopology()
{
    if (Draw(0, 1) == 0)
    {
        LeafSpineOptions options;
        options.leaves = Draw(2, 3);
        options.spines = Draw(1, 3);
        options.hostsPerLeaf = Draw(2, 4);
        options.delay = NanoSeconds(Draw(0, 7) == 0 ? 0 : Draw(100, 2500));
        return Topology::LeafSpine(options);
    }
    Topology tree;
    std::vector<uint32_t> switches;
    for (uint32_t i = Draw(2, 5); i > 0; --i)
    {
        const uint32_t node = tree.AddSwitch("s" + std::to_string(i));
        if (!switches.empty())
        {
            Link(tree, switches[Draw(0, switches.size() - 1)], node);
        }
        switches.push_back(node);
    }
    for (uint32_t i = Draw(5, 12); i > 0; --i)
    {
        const uint32_t host = tree.AddHost("h" + std::to_string(i));
        const uint32_t first = Draw(0, switches.size() - 1);
        const uint32_t second = Draw(0, 4 * switches.size() - 1);
        Link(tree, host, switches[first]);
        if (second < switches.size() && second != first)
        {
            Link(tree, host, switches[second]);
        }
    }
    return tree;
}

void
RandomResults::Link(Topology& tree, uint32_t a, uint32_t b)
{
    const uint64_t gigabits = Draw(0, 2) == 0 ? 40 : 100;
    const Time delay = NanoSeconds(Draw(0, 5) == 0 ? 0 : Draw(100, 2500));
    tree.AddLink(a, b, DataRate(gigabits * 1000000000), delay);
}

SwitchHelper
RandomResults::DrawSwitches()
{
    const std::vector<SchemeInfo> schemes = GetModuleSchemes();
    const SchemeInfo& scheme = schemes[m_seed % schemes.size()];
    SwitchHelper switches(scheme);
    const std::vector<SwitchPartChoice> policies = scheme.GetPolicies();
    const std::string& policy = policies[Draw(0, policies.size() - 1)].type;
    if (scheme.takesOtherPolicies)
    {
        switches.SetBufferPolicy(policy);
    }
    if (Draw(0, 2) == 0)
    {
        switches.SetForwarding("ns3::lossless::AdaptiveForwarding");
    }
    switches.SetMarker("ns3::lossless::RedMarker", "MinBytes", UintegerValue(20000));
    switches.SetBufferAttribute("Size", UintegerValue(6000000));
    switches.SetPolicyAttributeIfPresent("WorstCaseHeadroom", BooleanValue(false));
    switches.SetPolicyAttributeIfPresent("IngressMax", UintegerValue(250000));
    switches.SetPolicyAttributeIfPresent("EgressMax", UintegerValue(250000));
    switches.SetPolicyAttributeIfPresent("QueueLimit", QueueSizeValue(QueueSize("100p")));
    switches.SetFlowControlAttributeIfPresent("NormalLimit", QueueSizeValue(QueueSize("20p")));
    switches.SetFlowControlAttributeIfPresent("PauseThreshold", UintegerValue(40000));
    switches.SetFlowControlAttributeIfPresent("HopDelay", TimeValue(MicroSeconds(1)));
    return switches;
}

ObjectFactory
RandomResults::DrawNics()
{
    const auto& controls = GetCongestionControls();
    ObjectFactory nics("ns3::lossless::RoceNic");
    ObjectFactory control(controls[Draw(0, controls.size() - 1)].type);
    nics.Set("CongestionControl", ObjectFactoryValue(control));
    return nics;
}

FlowList
RandomResults::DrawFlows(const Topology& topology)
{
    PoissonOptions background;
    background.load = 0.6;
    background.duration = MicroSeconds(100);
    background.priorities = {1, 2, 3};
    PoissonWorkload poisson(topology, background);
    poisson.AssignStreams(Draw(100, 100000));
    FanInOptions burst;
    burst.times = {MicroSeconds(Draw(0, 50)), MicroSeconds(Draw(50, 90))};
    burst.minSenders = 2;
    burst.maxSenders = 3;
    burst.priorities = {4};
    FanInWorkload fanIn(topology, burst);
    fanIn.AssignStreams(Draw(100, 100000));
    return MergeFlows({poisson.Generate(), fanIn.Generate()});
}

FlowList
RandomResults::DrawFew(FlowList flows)
{
    flows.resize(std::min<std::size_t>(flows.size(), 5));
    for (FlowSpec& flow : flows)
    {
        flow.priority = 5;
    }
    return flows;
}

void
RandomResults::DrawFlaps(const Fabric& fabric)
{
    for (uint32_t i = Draw(0, 2) == 0 ? Draw(1, 3) : 0; i > 0; --i)
    {
        Ptr<SwitchNode> node = fabric.GetSwitch(Draw(0, fabric.GetNSwitches() - 1));
        const PortId port{static_cast<uint16_t>(Draw(0, node->GetNDevices() - 1))};
        auto cable = DynamicCast<LosslessChannel>(node->GetPortDevice(port)->GetChannel());
        const Time down = NanoSeconds(Draw(1000, 100000));
        Simulator::Schedule(down, &LosslessChannel::SetUp, cable, false);
        Simulator::Schedule(down + NanoSeconds(Draw(1, 20000)),
                            &LosslessChannel::SetUp,
                            cable,
                            true);
    }
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
