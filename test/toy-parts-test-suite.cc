// SPDX-License-Identifier: GPL-2.0-only
//
// Tests the parts of a user's program: a topology, traffic, a fault, a watchdog and a buffer
// policy. Each part is registered in a separate process, so that it is not present in other tests.

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/headroom-buffer-policy.h"
#include "ns3/host-faults.h"
#include "ns3/lossless-run.h"
#include "ns3/pause-gate.h"
#include "ns3/run-parts.h"
#include "ns3/scheme-registry.h"
#include "ns3/topology-part.h"

#include <unistd.h>

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-toy-parts", UNIT);

// [begin topology]

/// A ring of switches with one host each.
class RingTopology : public RegularTopology
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lossless::tests::RingTopology")
                                .SetParent<RegularTopology>()
                                .AddConstructor<RingTopology>()
                                .AddAttribute("Switches",
                                              "Ring: switches.",
                                              UintegerValue(4),
                                              MakeUintegerAccessor(&RingTopology::m_switches),
                                              MakeUintegerChecker<uint32_t>(3));
        return tid;
    }

    Topology Make() const override
    {
        Topology ring;
        for (uint32_t i = 0; i < m_switches; ++i)
        {
            const uint32_t host = ring.AddHost("h" + std::to_string(i));
            ring.AddLink(host, ring.AddSwitch("s" + std::to_string(i)), GetHostRate(), GetDelay());
        }
        for (uint32_t i = 0; i < m_switches; ++i)
        {
            ring.AddLink(*ring.FindNode("s" + std::to_string(i)),
                         *ring.FindNode("s" + std::to_string((i + 1) % m_switches)),
                         GetFabricRate(),
                         GetDelay());
        }
        return ring;
    }

  private:
    uint32_t m_switches{0}; ///< number of switches in the ring
};

NS_OBJECT_ENSURE_REGISTERED(RingTopology);

// A program would register it with: const RegisterTopology<RingTopology> g_ring("ring");

// [end topology]

// [begin traffic]

/// Makes each host send to the host at a given distance.
class ShiftTraffic : public TrafficPart
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lossless::tests::ShiftTraffic")
                                .SetParent<TrafficPart>()
                                .AddConstructor<ShiftTraffic>()
                                .AddAttribute("Distance",
                                              "How much farther.",
                                              UintegerValue(1),
                                              MakeUintegerAccessor(&ShiftTraffic::m_distance),
                                              MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

    std::optional<std::string> Check(const Topology& topology) const override
    {
        const std::size_t hosts = topology.GetHosts().size();
        return m_distance % hosts != 0 ? std::nullopt
                                       : std::optional("Distance is " + std::to_string(m_distance) +
                                                       "; it must be no multiple of " +
                                                       std::to_string(hosts) + " hosts");
    }

    FlowGraph Make(const Topology& topology) const override
    {
        FlowGraph graph;
        const auto hosts = static_cast<uint32_t>(topology.GetHosts().size());
        for (uint32_t i = 0; i < hosts; ++i)
        {
            graph.Add({{i, i, (i + m_distance) % hosts, 3, 100000, Time(0), "shift"}, Time(0), ""});
        }
        return graph;
    }

  private:
    uint32_t m_distance{0}; ///< distance between source and destination of a flow
};

NS_OBJECT_ENSURE_REGISTERED(ShiftTraffic);

// A program would register it with: const RegisterTraffic<ShiftTraffic> g_shift("shift");

// [end traffic]

// [begin fault]

/// Temporarily cuts the links between the first two switches.
class Cut : public Attachment
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lossless::tests::Cut")
                                .SetParent<Attachment>()
                                .AddConstructor<Cut>()
                                .AddAttribute("Start",
                                              "When.",
                                              TimeValue(MicroSeconds(5)),
                                              MakeTimeAccessor(&Cut::m_start),
                                              MakeTimeChecker(Time(0)));
        return tid;
    }

    std::vector<Time> GetStarts(const Topology& /* topology */) const override
    {
        return {m_start};
    }

    void Install(Fabric& fabric) override
    {
        const auto& links = fabric.GetTopology().GetLinks();
        const auto& switches = fabric.GetTopology().GetSwitches();
        for (uint32_t i = 0; i < links.size(); ++i)
        {
            if (links[i].nodeA == switches[0] && links[i].nodeB == switches[1])
            {
                const Ptr<LosslessChannel> cable = fabric.GetCable(i);
                Simulator::Schedule(m_start, &LosslessChannel::SetUp, cable, false);
                Simulator::Schedule(m_start * 2, &LosslessChannel::SetUp, cable, true);
            }
        }
    }

  private:
    Time m_start; ///< start of the cut, and also its duration
};

NS_OBJECT_ENSURE_REGISTERED(Cut);

// A program would register it with: const RegisterAttachment<Cut> g_cut("cut");
// or, with a separate option:
// const RegisterFault<Cut> g_cutAt("cut-at", 1000, [](FaultInfo& part) {
//     part.attribute = "Start";
// });

// [end fault]

// [begin watchdog]

/// Makes all ports of the first switch permanently ignore PAUSEs of a class.
class Guard : public Attachment
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::lossless::tests::Guard").SetParent<Attachment>().AddConstructor<Guard>();
        return tid;
    }

    void Install(Fabric& fabric) override
    {
        const Ptr<SwitchNode> node = fabric.GetSwitch(0);
        Simulator::ScheduleWithContext(node->GetId(), Time(0), [node] {
            for (uint16_t port = 0; port < node->GetNDevices(); ++port)
            {
                const Ptr<TransmitGate> gate = node->GetPortDevice(PortId{port})->GetGate();
                gate->SetIgnoring(SetOf(Priority{3}));
            }
            std::cerr << "guarded\n";
        });
    }
};

NS_OBJECT_ENSURE_REGISTERED(Guard);

// A program would register it with: const RegisterAttachment<Guard> g_guard("guard");

// [end watchdog]

// [begin policy]

/// Stops an ingress queue that holds a given share of the shared buffer, and restarts it at half of
/// that. Headroom, private buffers and lossy classes are those of HeadroomBufferPolicy.
class ShareBufferPolicy : public HeadroomBufferPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lossless::tests::ShareBufferPolicy")
                                .SetParent<HeadroomBufferPolicy>()
                                .AddConstructor<ShareBufferPolicy>()
                                .AddAttribute("Share",
                                              "Share of the shared buffer that stops a queue.",
                                              DoubleValue(0.02),
                                              MakeDoubleAccessor(&ShareBufferPolicy::m_share),
                                              MakeDoubleChecker<double>(0, 1));
        return tid;
    }

    std::optional<Thresholds> GetThresholds(const SharedBuffer& buffer,
                                            QueueId queue) const override
    {
        const auto xoff = static_cast<uint64_t>(m_share * static_cast<double>(GetSharedSize()));
        return Thresholds{xoff, xoff / 2, buffer.GetIngress(queue).headroom > 0};
    }

  private:
    std::optional<std::string> CheckThresholds() const override
    {
        return m_share > 0 ? std::nullopt : std::optional<std::string>("Share must be above 0");
    }

    double m_share{0}; ///< share of the shared buffer
};

NS_OBJECT_ENSURE_REGISTERED(ShareBufferPolicy);

// A program would register it with:
// const RegisterPart<ShareBufferPolicy, BufferPolicyInfo> g_share("Share");

// [end policy]

/// @param isFault true if the cut has a separate option
std::string
Run(const std::vector<std::string>& arguments, bool isFault = false)
{
    return GetAbortMessage([&arguments, isFault] {
        const RegisterTopology<RingTopology> ring("ring");
        const RegisterTraffic<ShiftTraffic> shift("shift", 1000, [](TrafficInfo& part) {
            part.what = "to hosts some farther";
        });
        if (isFault)
        {
            RegisterFault<Cut>("cut-at", 1000, [](FaultInfo& part) { part.attribute = "Start"; });
        }
        else
        {
            RegisterAttachment<Cut>("cut", 1000, [](AttachmentInfo& part) {
                part.what = "a cut of the first link";
            });
        }
        const RegisterAttachment<Guard> guard("guard");
        const RegisterPart<ShareBufferPolicy, BufferPolicyInfo> share("Share");
        dup2(STDERR_FILENO, STDOUT_FILENO);
        std::cout << std::unitbuf; // GetAbortMessage() ends the process without flushing
        std::vector<std::string> all{"program"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        std::vector<char*> pointers;
        for (std::string& argument : all)
        {
            pointers.push_back(argument.data());
        }
        RunByOptions(static_cast<int>(pointers.size()), pointers.data(), "program.cc");
        std::exit(1);
    });
}

LOSSLESS_TEST(g_suite, "Parts of a program's own run by their names, with their attributes")
{
    const std::string folder = CreateTempDirFilename("run");
    const std::string type = "--ns3::lossless::tests::";
    const std::string said = Run({"--topology=ring",
                                  type + "RingTopology::Switches=5",
                                  "--rate=10Gbps",
                                  "--traffic=shift",
                                  type + "ShiftTraffic::Distance=2",
                                  "--attach=cut,guard",
                                  type + "Cut::Start=10us",
                                  "--output=" + folder});
    ExpectPart(said, "guarded\n");
    ExpectPart(said, "Frames lost: "); // the cut discards frames
    const std::string flows = ReadFile(folder + "/flows.csv");
    ExpectPart(flows, "\n0,h0,h2,3,100000,");
    ExpectPart(flows, "\n4,h4,h1,3,100000,");
    ExpectPart(ReadFile(folder + "/topology.csv"), "s4");
    const std::string json = ReadFile(folder + "/run.json");
    ExpectPart(json, "\"type\": \"ns3::lossless::tests::RingTopology\"");
    ExpectPart(json, "\"attribute\": \"Distance\"");
}

LOSSLESS_TEST(g_suite, "A fault of a program's own has an option")
{
    const std::string said =
        Run({"--topology=ring", "--rate=10Gbps", "--traffic=shift", "--cut-at=10us"}, true);
    ExpectPart(said, "Frames lost: ");
}

/// Two hosts send 500 kB each to a third one, so that 250 kB of each wait in the switch. XOFF is
/// 0.2 % or 2 % of a shared buffer of 16 MB.
LOSSLESS_TEST(g_suite, "A buffer policy of a program's own decides when neighbours are stopped")
{
    const std::string folder = CreateTempDirFilename("run");
    const std::string flows = CreateTempDirFilename("flows.csv");
    std::ofstream(flows)
        << "id,source,destination,bytes,start_ns\n0,h0,h2,500000,0\n1,h1,h2,500000,0\n";
    const auto hasPauses = [&](const std::string& scheme, const std::string& share) {
        const std::string said = Run({"--topology=star",
                                      "--hosts=3",
                                      "--flows=" + flows,
                                      "--scheme=" + scheme,
                                      "--buffer-policy=Share",
                                      "--ns3::lossless::tests::ShareBufferPolicy::Share=" + share,
                                      "--output=" + folder});
        ExpectPart(said, "lossless: 2 flows");
        ExpectPart(ReadFile(folder + "/run.json"), "ns3::lossless::tests::ShareBufferPolicy");
        return ReadFile(folder + "/pauses.csv").find("\ns0,") != std::string::npos;
    };
    for (const std::string scheme : {"PFC", "G-PFC"})
    {
        NS_TEST_EXPECT_MSG_EQ(hasPauses(scheme, "0.002"), true, scheme << ": XOFF of 32 kB");
        NS_TEST_EXPECT_MSG_EQ(hasPauses(scheme, "0.02"), false, scheme << ": XOFF of 320 kB");
    }
    ExpectPart(Run({"--scheme=DSH", "--buffer-policy=Share"}),
               "--scheme=DSH includes the buffer policy DSH and cannot use Share");
}

LOSSLESS_TEST(g_suite, "Broken hosts are an Object that any program installs")
{
    SwitchHelper switches("ns3::lossless::PfcSwitchNode");
    switches.SetAttribute("LosslessClasses", UintegerValue(SetOf(Priority{3})));
    Fabric fabric(Topology::Star({3}), switches);
    CreateObjectWithAttributes<Storms>("Hosts", StringValue("h1:3@5us"))->Install(fabric);
    Simulator::Stop(MicroSeconds(20));
    Simulator::Run();
    const auto isOpen = [&fabric](uint32_t host) {
        return Contains(fabric.GetHostDevice(host)->GetPeer()->GetGate()->GetOpen(), Priority{3});
    };
    NS_TEST_EXPECT_MSG_EQ(isOpen(0), true, "a host without a storm");
    NS_TEST_EXPECT_MSG_EQ(isOpen(1), false, "the switch may not send to the broken host");
}

LOSSLESS_TEST(g_suite, "--help has the parts of a program's own")
{
    const std::string said = Run({"--help=all"});
    ExpectPart(said, ", ring,");
    ExpectPart(said, "--traffic:");
    ExpectPart(said, "shift: to");
    ExpectPart(said, "--attach:");
    ExpectPart(said, "cut: a");
}

LOSSLESS_TEST(g_suite, "What does not go with a part of a program's own is refused")
{
    const std::string type = "--ns3::lossless::tests::";
    const auto refuse = [](const std::vector<std::string>& arguments, const std::string& sentence) {
        NS_TEST_EXPECT_MSG_EQ(Run(arguments), "program: " + sentence + ".\n", arguments.back());
    };
    refuse({"--topology=rink"},
           "--topology is \"rink\"; it must be star, dumbbell, leaf-spine, fat-tree, gpu-pods, "
           "ring or a file, and there is no such file");
    refuse({"--topology=ring", "--k=4"},
           "--k is for --topology=fat-tree; here --topology is \"ring\"");
    refuse({"--traffic=shifts"}, "--traffic is \"shifts\"; it must be one of shift");
    refuse({"--traffic=shift", "--load=0.5"},
           "--load is for flows of the options; leave it out with --traffic");
    refuse({"--traffic=shift", "--arrivals=1us"},
           "--arrivals is for flows of the options; leave it out with --traffic");
    refuse({"--traffic=shift", "--ns3::lossless::tests::ShiftTraffic::Distance=16"},
           "--traffic=shift: Distance is 16; it must be no multiple of 16 hosts");
    refuse({"--attach=cut", type + "Cut::Start=9s", "--stop=1ms"},
           "--attach=cut has one from 9s on, but the run ends at 1ms");
    refuse({"--attach=cut,cut"}, "--attach is \"cut,cut\"; it must name cut once");
}

} // namespace ns3::lossless::tests::THIS_FILE
