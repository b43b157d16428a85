// SPDX-License-Identifier: GPL-2.0-only

#include "pause-scenes.h"

#include "ns3/boolean.h"
#include "ns3/deadlock-detector.h"
#include "ns3/lossless-csv-writer.h"
#include "ns3/lossless-fabric.h"
#include "ns3/pause-propagation.h"
#include "ns3/ranked-record.h"
#include "ns3/roce-nic.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <random>
#include <sstream>
#include <vector>

namespace ns3::lossless::tests
{

namespace
{

/// The rate of the links, at which each byte takes 1 ns on the wire.
const DataRate RATE("8Gbps");

/// The size of a NIC's data frame, in bytes.
const uint32_t FRAME_BYTES = RoceNic::GetFrameBytes(1000);

/// The headroom is enough for the frames that arrive after a PAUSE is triggered, even if the PAUSE
/// waits for a frame on a slow link.
const uint64_t HEADROOM_BYTES = 40 * FRAME_BYTES;

Topology
MakeRing(uint32_t count, uint32_t hosts, Time delay)
{
    Topology ring;
    std::vector<uint32_t> switches;
    for (uint32_t i = 0; i < count; ++i)
    {
        switches.push_back(ring.AddSwitch("s" + std::to_string(i)));
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        for (uint32_t host = 0; host < hosts; ++host)
        {
            const std::string name = "h" + std::to_string(i * hosts + host);
            ring.AddLink(switches[i], ring.AddHost(name), RATE, delay);
        }
        ring.AddLink(switches[i], switches[(i + 1) % count], RATE, delay);
    }
    return ring;
}

/// @param fabric a ring whose routes are changed to follow the order of the switches
void
GoAround(const Fabric& fabric)
{
    const uint32_t count = fabric.GetNSwitches();
    const auto name = [&fabric](uint32_t i) {
        return fabric.GetTopology().GetNodes()[fabric.GetTopology().GetSwitches()[i]].name;
    };
    for (uint32_t i = 0; i < count; ++i)
    {
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            if (fabric.GetHostDevice(host)->GetPeer()->GetNode() != fabric.GetSwitch(i))
            {
                fabric.PinRoute(name(i), host, name((i + 1) % count));
            }
        }
    }
}

/// @return switches of a scheme with fixed thresholds of 51 and 26 frames
SwitchHelper
MakeFixedSwitches(const std::string& scheme)
{
    SwitchHelper switches(*FindPart<SchemeInfo>(scheme));
    switches.SetBufferPolicy("ns3::lossless::StaticBufferPolicy");
    switches.SetAttribute("LosslessClasses", UintegerValue(0x3e));
    switches.SetPolicyAttribute("Xoff", UintegerValue(51 * FRAME_BYTES));
    switches.SetPolicyAttribute("Xon", UintegerValue(26 * FRAME_BYTES));
    switches.SetPolicyAttribute("PrivateBytes", UintegerValue(0));
    switches.SetPolicyAttribute("HeadroomBytes", UintegerValue(HEADROOM_BYTES));
    switches.SetFlowControlAttributeIfPresent("CongestionXoff", UintegerValue(40 * FRAME_BYTES));
    return switches;
}

/// @param shared the approximate size of the shared buffer, in bytes
SwitchHelper
MakeSharingSwitches(const std::string& policy, uint32_t ports, double alpha, uint64_t shared)
{
    SwitchHelper switches(*FindPart<SchemeInfo>(policy));
    switches.SetAttribute("LosslessClasses", UintegerValue(56));
    switches.SetPolicyAttribute("HeadroomBytes", UintegerValue(HEADROOM_BYTES));
    switches.SetPolicyAttribute("PrivateBytes", UintegerValue(0));
    switches.SetPolicyAttribute("LossyPrivateBytes", UintegerValue(0));
    switches.SetPolicyAttribute("Alpha", DoubleValue(alpha));
    const bool isDsh = policy == "DSH";
    const uint64_t headroom = (isDsh ? 1 : 3) * ports * HEADROOM_BYTES;
    // DSH's thresholds must exceed the headroom of a port.
    const auto least = static_cast<uint64_t>(1.5 * static_cast<double>(HEADROOM_BYTES) / alpha);
    switches.SetBufferAttribute("Size",
                                UintegerValue(headroom + std::max(shared, isDsh ? least : 0)));
    return switches;
}

/// @param scheme a scheme with an ingress and an egress memory: CaPFC, or PFC with a processor
SwitchHelper
MakeTwoSidedSwitches(const std::string& scheme)
{
    SwitchHelper switches(*FindPart<SchemeInfo>(scheme));
    switches.SetBufferAttribute("Size", UintegerValue(6000000));
    switches.SetPolicyAttributeIfPresent("IngressMax", UintegerValue(100000));
    switches.SetPolicyAttributeIfPresent("EgressMax", UintegerValue(100000));
    switches.SetFlowControlAttributeIfPresent("PauseThreshold", UintegerValue(40000));
    return switches;
}

void
SendAhead(PauseScene& scene,
          uint32_t hosts,
          uint32_t hops,
          uint32_t frames,
          uint8_t priority,
          Time start = Time(0))
{
    const auto all = static_cast<uint32_t>(scene.topology.GetHosts().size());
    for (uint32_t host = 0; host < all; ++host)
    {
        const uint32_t sink = (host + hops * hosts) % all;
        scene.flows.push_back({scene.flows.size(),
                               host,
                               sink == host ? (sink + hosts) % all : sink,
                               priority,
                               frames * uint64_t{1000},
                               start,
                               ""});
    }
}

void
SendToOne(PauseScene& scene, uint32_t sink, uint32_t frames, uint8_t priority, Time start)
{
    for (uint32_t host = 0; host < scene.topology.GetHosts().size(); ++host)
    {
        if (host != sink)
        {
            scene.flows.push_back(
                {scene.flows.size(), host, sink, priority, frames * uint64_t{1000}, start, ""});
        }
    }
}

/// @return a ring of four switches that deadlocks under a scheme with fixed thresholds
PauseScene
MakeLockingRing(const std::string& scheme)
{
    PauseScene scene;
    scene.topology = MakeRing(4, 1, MicroSeconds(1));
    scene.switches = MakeFixedSwitches(scheme);
    scene.isRing = true;
    SendAhead(scene, 1, 2, 3000, 3);
    SendAhead(scene, 1, 3, 300, 1, MicroSeconds(40));
    return scene;
}

/// Draws random scenes in which switches can deadlock.
class Draw
{
  public:
    explicit Draw(uint32_t seed)
        : m_random(seed)
    {
    }

    PauseScene MakeScene()
    {
        PauseScene scene;
        scene.isRing = Pick(0, 2) > 0;
        scene.isRandom = !scene.isRing;
        const uint32_t hosts = scene.isRing ? Pick(1, 2) : Pick(2, 4);
        const Time delay = NanoSeconds(Pick(300, 2500));
        scene.topology = scene.isRing ? MakeRing(Pick(3, 6), hosts, delay) : MakeCut(hosts, delay);
        scene.switches = MakeSwitches(scene.isRing ? hosts + 2 : 6);
        scene.hasSlowHosts = Pick(0, 2) == 0;
        scene.isStopped = Pick(0, 3) == 0;
        scene.confirm = MicroSeconds(Pick(20, 200));
        for (uint8_t p = 3; p < 6; ++p)
        {
            SendAhead(scene, hosts, Pick(1, 3), Pick(20, 600), p, MicroSeconds(Pick(0, 500)));
        }
        if (Pick(0, 1) == 0)
        {
            SendToOne(scene, 0, Pick(20, 200), 4, MicroSeconds(Pick(0, 500)));
        }
        return scene;
    }

  private:
    uint32_t Pick(uint32_t least, uint32_t most)
    {
        return std::uniform_int_distribution<uint32_t>(least, most)(m_random);
    }

    /// @return a leaf-spine network with failed links, in which some paths go up and down twice;
    /// see examples/deadlock-leaf-spine.cc
    static Topology MakeCut(uint32_t hosts, Time delay)
    {
        LeafSpineOptions options{4, 2, hosts};
        options.hostRate = options.fabricRate = RATE;
        options.delay = delay;
        Topology topology = Topology::LeafSpine(options);
        topology.FailLink("spine0", "leaf3");
        topology.FailLink("spine1", "leaf0");
        return topology;
    }

    SwitchHelper MakeSwitches(uint32_t ports)
    {
        static const std::vector<std::string> sharing{"SIH", "DSH", "SHP"};
        static const std::vector<std::string> fixed{"PFC", "OFC", "P-PFC", "G-PFC"};
        static const std::vector<std::string> twoSided{"PFC-wstop",
                                                       "PFC-wdrop",
                                                       "CaPFC-Max",
                                                       "CaPFC-Cal"};
        switch (Pick(0, 3))
        {
        case 0:
            return MakeFixedSwitches(fixed[Pick(0, 3)]);
        case 1:
            return MakeTwoSidedSwitches(twoSided[Pick(0, 3)]);
        default:
            return MakeSharingSwitches(sharing[Pick(0, 2)],
                                       ports,
                                       std::pow(2, Pick(0, 5) - 3.0),
                                       Pick(50000, 600000));
        }
    }

    std::mt19937 m_random; ///< random numbers for all decisions
};

} // namespace

std::string
Play(const PauseScene& scene)
{
    Fabric fabric(scene.topology, scene.switches);
    auto detector = CreateObject<DeadlockDetector>();
    detector->SetAttribute("ConfirmTime", TimeValue(scene.confirm));
    detector->SetAttribute("StopOnDeadlock", BooleanValue(scene.isStopped));
    PausePropagation pauses;
    for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
    {
        const std::string& name = scene.topology.GetNodes()[scene.topology.GetSwitches()[i]].name;
        detector->WatchSwitch(name, fabric.GetSwitch(i));
        pauses.WatchSwitch(name, fabric.GetSwitch(i));
    }
    for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
    {
        pauses.AddNic(fabric.GetAddress(host), fabric.GetHostDevice(host));
        if (scene.hasSlowHosts)
        {
            fabric.GetHostDevice(host)->GetPeer()->SetAttribute(
                "DataRate",
                DataRateValue(DataRate(RATE.GetBitRate() / 10)));
        }
    }
    if (scene.isRing)
    {
        GoAround(fabric);
    }
    if (scene.isRandom) // not called otherwise, because it initializes switches
    {
        fabric.AssignStreams(1);
    }
    fabric.StartFlows(scene.flows);
    Simulator::Stop(scene.end);
    Simulator::Run();
    RankedRecord::GatherAll();
    detector->Conclude();

    std::map<uint64_t, FlowRecord> records; // records in which every second flow arrives early
    for (const FlowSpec& flow : scene.flows)
    {
        FlowRecord& record = records[flow.id];
        record.flow.id = flow.id;
        record.flow.destination = fabric.GetAddress(flow.destination);
        record.flow.sourcePort = static_cast<uint16_t>(49152 + flow.id);
        record.flow.priority = Priority{flow.priority};
        record.source = fabric.GetAddress(flow.source);
        record.start = flow.start;
        record.isReceived = flow.id % 2 == 1;
        record.received = flow.start + MicroSeconds(500);
    }
    std::ostringstream text;
    text << "end " << Simulator::Now().GetNanoSeconds() << '\n';
    WriteCsv(text, detector->GetTable());
    for (const DeadlockRecord& record : detector->GetDeadlocks())
    {
        text << (record.isFinal ? "final\n" : "not final\n");
    }
    WriteCsv(text, pauses.GetDepthTable());
    text << "stopped hosts " << pauses.CountStoppedHosts() << '\n';
    WriteCsv(text, PausePropagation::GetVictimTable(pauses.GetVictims(records)));
    detector->Dispose();
    return text.str();
}

std::map<std::string, PauseScene>
GetPauseScenes()
{
    std::map<std::string, PauseScene> scenes;
    scenes["pfc"] = MakeLockingRing("PFC");
    scenes["pfc-stops"] = MakeLockingRing("PFC");
    scenes["pfc-stops"].isStopped = true;
    scenes["ofc"] = MakeLockingRing("OFC");
    scenes["ofc"].switches.SetPolicyAttribute("Xoff", UintegerValue(200 * FRAME_BYTES));

    PauseScene& wstop = scenes["wstop"];
    wstop.topology = MakeRing(4, 1, MicroSeconds(1));
    wstop.switches = MakeTwoSidedSwitches("PFC-wstop");
    wstop.isRing = true;
    SendAhead(wstop, 1, 2, 3000, 3);

    PauseScene& incast = scenes["incast"];
    LeafSpineOptions options{4, 2, 4};
    options.hostRate = options.fabricRate = RATE;
    // With this delay, pauses take effect when a frame leaves.
    options.delay = NanoSeconds(FRAME_BYTES + WIRE_OVERHEAD_BYTES);
    incast.topology = Topology::LeafSpine(options);
    incast.switches = MakeFixedSwitches("PFC");
    SendAhead(incast, 4, 1, 300, 3);
    SendAhead(incast, 1, 6, 300, 3, MicroSeconds(30));
    SendToOne(incast, 5, 100, 3, MicroSeconds(100));
    incast.end = MilliSeconds(1); // some pauses are then still in progress
    // Seeds 20 and 45 lead to deadlocks that dissolve, and seed 84 leads to a standstill and to
    // processors in a cycle.
    for (const uint32_t seed : {20, 45, 84})
    {
        scenes["seed-" + std::to_string(seed)] = Draw(seed).MakeScene();
    }
    scenes["seed-20-ends"] = scenes["seed-20"];
    // This run ends after a member has moved but before the next search.
    scenes["seed-20-ends"].end = NanoSeconds(1366229);
    return scenes;
}

PauseScene
DrawPauseScene(uint32_t seed)
{
    return Draw(seed).MakeScene();
}

} // namespace ns3::lossless::tests
