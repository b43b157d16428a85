// SPDX-License-Identifier: GPL-2.0-only
//
// Tests the order of events in WheelSimulatorImpl, and the independence of results from its
// windows.

#include "lossless-test.h"
#include "own-simulator.h"
#include "random-network.h"
#include "witness.h"

#include "ns3/listen-to.h"
#include "ns3/lookahead.h"
#include "ns3/recurring-event.h"
#include "ns3/simple-channel.h"
#include "ns3/simple-net-device.h"
#include "ns3/tcp-flows.h"

#include <filesystem>
#include <random>

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-windows", SYSTEM);

/// @return the tested limits of the window length: no windows, no limit, and 300 ns
const std::vector<Time>&
GetWindows()
{
    static const std::vector<Time> windows{Time(0), Time::Max(), NanoSeconds(300)};
    return windows;
}

/// Records events with their times.
struct Log
{
    void Note(const std::string& what)
    {
        m_text << what << '@' << Simulator::Now().GetNanoSeconds() << ' ';
    }

    std::ostringstream m_text; ///< recorded events
};

/// A reusable event, such as the arrival of a frame.
class Arrival final : public ReusableEvent
{
  public:
    Arrival(Log& log, std::string name)
        : m_log(log),
          m_name(std::move(name))
    {
    }

  private:
    void Notify() override
    {
        Disarm();
        m_log.Note(m_name);
    }

    Log& m_log;         ///< log of the events
    std::string m_name; ///< name of the event
};

LOSSLESS_TEST(g_suite, "at one time: global events, arrivals by port, own events as scheduled")
{
    for (const Time& window : GetWindows())
    {
        const OwnSimulator own(window);
        Pair pair; // nodes 0 and 1, with a cable of 1 us between them
        Log log;
        const auto note = [&log](const std::string& what) {
            return [&log, what] { log.Note(what); };
        };
        // An event of node 0 schedules these events, but not in the order in which they are due.
        const auto plan = [&] {
            Simulator::Schedule(NanoSeconds(50), [&] {
                log.Note("own1");
                Simulator::ScheduleNow(note("late1"));
            });
            Create<Arrival>(log, "port3")->ArmArrival(0, 50, 3);
            Simulator::Schedule(NanoSeconds(50), note("own2"));
            Create<Arrival>(log, "port1")->ArmArrival(0, 50, 1);
            Create<Arrival>(log, "port2")->ArmArrival(0, 49, 2);
        };
        Simulator::ScheduleWithContext(0, NanoSeconds(5000), plan);
        Simulator::ScheduleWithContext(0, NanoSeconds(5050), note("own0"));
        Simulator::Schedule(NanoSeconds(5050), note("global"));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(log.m_text.str(),
                              "port2@5049 global@5050 port1@5050 port3@5050 own0@5050 own1@5050 "
                              "own2@5050 late1@5050 ",
                              "windows up to " << window.As(Time::NS));
    }
}

LOSSLESS_TEST(g_suite, "in a group arrivals at one time are executed by node, then by port")
{
    for (const Time& window : GetWindows())
    {
        const OwnSimulator own(window);
        Pair pair;
        own.Get().JoinNodes(0, 1);
        Log log;
        Simulator::Schedule(NanoSeconds(5000), [&log] {
            for (const auto& [node, port] : {std::pair(1U, 2U), {0U, 3U}, {1U, 1U}, {0U, 4U}})
            {
                const std::string name = std::to_string(node) + "by" + std::to_string(port);
                Create<Arrival>(log, name)->ArmArrival(node, 50, port);
            }
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(log.m_text.str(),
                              "0by3@5050 0by4@5050 1by1@5050 1by2@5050 ",
                              "windows up to " << window.As(Time::NS));
    }
}

LOSSLESS_TEST(g_suite, "when a run begins, events are executed as scheduled and reach everything")
{
    for (const Time& window : GetWindows())
    {
        const OwnSimulator own(window);
        Pair pair;
        Log log;
        const auto begin = [&log](const std::string& when) {
            Simulator::ScheduleWithContext(1, Time(0), [&log, when] { log.Note("1" + when); });
            Simulator::ScheduleNow([&log, when] { log.Note("global" + when); });
            Simulator::ScheduleWithContext(0, Time(0), [&log, when] {
                log.Note("0" + when);
                Simulator::ScheduleWithContext(1, Time(0), [&log] { log.Note("reached"); });
            });
        };
        begin("first");
        RunFor(NanoSeconds(500));
        begin("again");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(log.m_text.str(),
                              "1first@0 globalfirst@0 0first@0 reached@0 "
                              "1again@500 globalagain@500 0again@500 reached@500 ",
                              "windows up to " << window.As(Time::NS));
    }
}

LOSSLESS_TEST(g_suite, "nodes take turns within a window, and see the same as without")
{
    const auto run = [](Time window) {
        const OwnSimulator own(window);
        Pair pair;
        Log log;
        const std::array<std::vector<int64_t>, 2> times{{{2000, 2400, 3300}, {2000, 2400, 3100}}};
        for (const uint32_t node : {0U, 1U})
        {
            for (const int64_t time : times[node])
            {
                Simulator::ScheduleWithContext(node, NanoSeconds(time), [&log, node] {
                    log.Note(std::to_string(node));
                });
            }
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), NanoSeconds(3300), "time of the last event");
        return log.m_text.str();
    };
    // The first window begins at 2000 ns and ends before 3000 ns.
    NS_TEST_EXPECT_MSG_EQ(run(Time::Max()), "0@2000 0@2400 1@2000 1@2400 0@3300 1@3100 ", "turns");
    NS_TEST_EXPECT_MSG_EQ(run(Time(0)), "0@2000 1@2000 0@2400 1@2400 1@3100 0@3300 ", "by time");
}

LOSSLESS_TEST(g_suite, "a node's Stop() ends the run a lookahead later, a global one at once")
{
    for (const Time& window : GetWindows())
    {
        const OwnSimulator own(window);
        Pair pair;
        Log log;
        for (const int64_t time : {2000, 3399, 3400, 3401})
        {
            Simulator::ScheduleWithContext(1, NanoSeconds(time), [&log] { log.Note("1"); });
        }
        Simulator::ScheduleWithContext(0, NanoSeconds(2400), [] { Simulator::Stop(); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(log.m_text.str(), "1@2000 1@3399 ", "up to 2400 + 1000, exclusively");
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), NanoSeconds(3400), "where it has stopped");
        RunFor(NanoSeconds(1));
        NS_TEST_EXPECT_MSG_EQ(log.m_text.str(), "1@2000 1@3399 1@3400 ", "goes on");
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), NanoSeconds(3401), "where it has stopped");
    }
}

LOSSLESS_TEST(g_suite, "of the Stop() of several nodes the first one in time counts")
{
    for (const Time& window : GetWindows())
    {
        for (const auto& [first, second] : {std::pair(2100, 2200), std::pair(2200, 2100)})
        {
            const OwnSimulator own(window);
            Pair pair;
            Simulator::ScheduleWithContext(0, NanoSeconds(first), [] { Simulator::Stop(); });
            Simulator::ScheduleWithContext(1, NanoSeconds(second), [] { Simulator::Stop(); });
            Simulator::ScheduleWithContext(1, NanoSeconds(9000), [] {});
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(Simulator::Now(),
                                  NanoSeconds(3100),
                                  "node 0 at " << first << ", windows up to "
                                               << window.As(Time::NS));
        }
    }
}

/// The arrival times of two flows, and the resulting end of the run.
struct TwoArrivals
{
    std::array<Time, 2> received; ///< arrival time of each flow
    Time end;                     ///< end of the run
};

/// @param isTcp true to use TCP (TcpFlows) rather than RoCE (Fabric)
/// @param starts the start times, in ns, of a flow from host 0 to host 2 and a flow from host 1 to
/// host 3
TwoArrivals
RunTwoFlows(Time window, bool isTcp, const std::array<int64_t, 2>& starts)
{
    const OwnSimulator own(window);
    Fabric fabric(Topology::Star({4, DataRate("100Gbps"), MicroSeconds(1)}), SwitchHelper());
    FlowList flows;
    for (const uint32_t i : {0U, 1U})
    {
        flows.push_back({i, i, i + 2, 1, 1000, NanoSeconds(starts[i]), ""});
    }
    FlowRecorder recorder;
    auto tcp = CreateObject<TcpFlows>();
    if (isTcp)
    {
        fabric.InstallInternetStack();
        fabric.ResolveAddresses();
        recorder.Watch(tcp);
        fabric.StartTcpFlows(tcp, flows);
        tcp->StopWhenDone(Seconds(1));
    }
    else
    {
        WatchHosts(recorder, fabric);
        fabric.StartFlows(flows);
        fabric.StopWhenFlowsAreDone(Seconds(1));
    }
    Simulator::Run();
    const auto& records = recorder.GetFlows();
    tcp->Dispose();
    return {{records.at(0).received, records.at(1).received}, Simulator::Now()};
}

LOSSLESS_TEST(g_suite, "flows end the run one lookahead after the last arrival, whoever counts it")
{
    for (const bool isTcp : {false, true})
    {
        for (const auto& [first, second] : {std::pair(2000, 2300), std::pair(2300, 2000)})
        {
            for (const Time& window : GetWindows())
            {
                const auto [received, end] = RunTwoFlows(window, isTcp, {first, second});
                NS_TEST_EXPECT_MSG_EQ(received[1] - received[0],
                                      NanoSeconds(second - first),
                                      "both arrive, in one window of up to 1 us");
                NS_TEST_EXPECT_MSG_EQ(end,
                                      std::max(received[0], received[1]) + MicroSeconds(1),
                                      (isTcp ? "TCP" : "RoCE")
                                          << ", starts " << first << " and " << second
                                          << ", windows up to " << window.As(Time::NS));
            }
        }
    }
}

/// Host 0 sends to host 1 over cables without a delay, each flow after the acknowledgement of the
/// previous one. The cable of host 2 has a delay.
/// @return the time of the last acknowledgement
Time
RunChain(Time window)
{
    const OwnSimulator own(window);
    Topology topology;
    const uint32_t hub = topology.AddSwitch("s0");
    for (const Time& delay : {Time(0), Time(0), MicroSeconds(2)})
    {
        const uint32_t host = topology.AddHost("h" + std::to_string(topology.GetHosts().size()));
        topology.AddLink(host, hub, DataRate("100Gbps"), delay);
    }
    Fabric fabric(topology, SwitchHelper());
    RoceFlow flow;
    flow.bytes = 5000;
    Time last;
    const auto start = [&] { fabric.GetNic(0)->StartFlow(fabric.GetNic(1), flow); };
    ListenTo(*fabric.GetNic(0), "FlowAcknowledged", [&](const FlowRecord& record) {
        last = Simulator::Now();
        flow.id = record.flow.id + 1;
        if (flow.id < 4)
        {
            start();
        }
    });
    start();
    Simulator::Stop(MilliSeconds(500));
    Simulator::Run();
    Simulator::Destroy();
    return last;
}

LOSSLESS_TEST(g_suite, "a flow that an event starts finds its receiver open, also without a delay")
{
    for (const Time& window : GetWindows())
    {
        const Time last = RunChain(window);
        NS_TEST_EXPECT_MSG_GT(last, MicroSeconds(2), "four times 531 ns");
        NS_TEST_EXPECT_MSG_LT(last, MicroSeconds(3), "windows up to " << window.As(Time::NS));
    }
}

LOSSLESS_TEST(g_suite, "what reaches another node within the window ends the program in a sentence")
{
    // Runs an event of node 0 at 2 us that accesses the device of node 1, and returns the error
    // message.
    const auto say = [](const std::function<void(LosslessNetDevice&)>& reach) {
        return GetAbortMessage([&reach] {
            const OwnSimulator own;
            Pair pair;
            Simulator::ScheduleWithContext(0, NanoSeconds(2000), [&reach] {
                reach(*DynamicCast<LosslessNetDevice>(NodeList::GetNode(1)->GetDevice(0)));
            });
            Simulator::Run();
        });
    };
    const auto expect = [&say](const std::string& what,
                               const std::function<void(LosslessNetDevice&)>& reach) {
        const std::string said = say(reach);
        const std::string sentence =
            "an event of node 0 at +2000ns " + what +
            " node 1 less than +1000ns ahead, the least delay between nodes; do it that much later "
            "by Simulator::ScheduleWithContext(), or set LongestWindow to 0.";
        ExpectPart(said, sentence);
    };
    expect("schedules an event for", [](LosslessNetDevice& /* device */) {
        Simulator::ScheduleWithContext(1, NanoSeconds(999), [] {});
    });
    expect("sends a frame at", [](LosslessNetDevice& device) {
        device.Send(Create<Packet>(100), device.GetBroadcast(), 0x800);
    });
    expect("cuts or mends a cable of", [](LosslessNetDevice& device) {
        DynamicCast<LosslessChannel>(device.GetChannel())->SetUp(false);
    });
    expect("sends a control frame at",
           [](LosslessNetDevice& device) { device.SendControl(Create<Packet>(46)); });
    expect("sends a control frame at", [](LosslessNetDevice& device) { device.RequestControl(); });
    expect("changes the rate of a link of",
           [](LosslessNetDevice& device) { device.ChangeRate(DataRate("1Gbps")); });
    expect("has PAUSEs ignored by",
           [](LosslessNetDevice& device) { device.GetGate()->SetIgnoring(ALL_PRIORITIES); });
    expect("resets a gate of", [](LosslessNetDevice& device) { device.GetGate()->Reset(); });
    expect("has a control frame heeded by", [](LosslessNetDevice& device) {
        device.GetGate()->ReceiveControl(MakeControlFrame(PfcHeader()));
    });
    expect("holds frames of",
           [](LosslessNetDevice& device) { device.GetHostPort()->HoldNewFrames(MicroSeconds(1)); });
    const std::string later = say([](LosslessNetDevice& /* device */) {
        Simulator::ScheduleWithContext(1, NanoSeconds(1000), [] {});
    });
    NS_TEST_EXPECT_MSG_EQ(later, "", "one delay later");
}

LOSSLESS_TEST(g_suite, "so does what a host asks of a switch, or changes there")
{
    const std::vector<std::pair<std::string, std::function<void(SwitchNode&)>>> reaches{
        {"asks for the state of", [](SwitchNode& node) { node.GetSharedBuffer(); }},
        {"asks for the state of", [](SwitchNode& node) { node.GetCounts(); }},
        {"maps classes of", [](SwitchNode& node) { node.MapDscp(0, Priority{1}); }},
        {"changes a route of",
         [](SwitchNode& node) { node.GetForwarding()->SetRoute(GetHostAddress(0), {PortId{0}}); }}};
    for (const auto& [what, reach] : reaches)
    {
        const std::string said = GetAbortMessage([&reach = reach] {
            const OwnSimulator own;
            auto node = CreateObject<PfcSwitchNode>(); // The node's ID is 0.
            const Star star(node, 2);
            Simulator::ScheduleWithContext(1, NanoSeconds(2000), [&] { reach(*node); });
            Simulator::Run();
        });
        ExpectPart(said, "an event of node 1 at +2000ns " + what + " node 0 less than ");
    }
}

LOSSLESS_TEST(g_suite, "so does a flow that another node starts")
{
    const std::string said = GetAbortMessage([] {
        const OwnSimulator own;
        NicPair pair({});
        const uint32_t other = pair.m_devices[1]->GetNode()->GetId();
        Simulator::ScheduleWithContext(other, NanoSeconds(2000), [&pair] {
            pair.StartFrom(0, 7, Priority{3}, 1000);
        });
        Simulator::Run();
    });
    ExpectPart(said, " at +2000ns starts a flow at node ");
}

/// The cable of 700 ns is within a group of nodes, and the cable of 1000 ns is between groups.
LOSSLESS_TEST(g_suite, "a node ends the run before what is later than the least delay of cables")
{
    const OwnSimulator own;
    const Pair far({DataRate("100Gbps"), NanoSeconds(1000)}); // nodes 0 and 1
    const Pair near({DataRate("100Gbps"), NanoSeconds(700)}); // 2 and 3
    own.Get().JoinNodes(2, 3);
    Log log;
    Simulator::ScheduleWithContext(0, NanoSeconds(2900), [&log] { log.Note("late"); });
    Simulator::ScheduleWithContext(1, NanoSeconds(2000), [] { Simulator::Stop(); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(log.m_text.str(), "", "it ends before that");
    NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), NanoSeconds(2700), "the end");
}

LOSSLESS_TEST(g_suite, "an error model at several nodes, which would draw by turns, is refused")
{
    ExpectStop("ReceiveErrorModel is one object at the nodes 0 and 1;", [] {
        Pair pair;
        const auto errors = CreateObject<RateErrorModel>();
        for (uint32_t i = 0; i < 2; ++i)
        {
            pair.GetHost(i).device->SetErrorModel(errors);
        }
        Simulator::Run();
    });
}

/// An access to an event of node 1 from node 0's event at 2 us.
using Ask = std::function<void(EventId& event)>;

/// Node 1 has a pending event. The event is due within the window of 1 us in which node 0 accesses
/// it, or later.
/// @param due the time at which the event is due, at least 500 ns
/// @param context the context of the event, which is node 1 or none
std::string
AskAbout(Time due, uint32_t context, const Ask& ask)
{
    return GetAbortMessage([&] {
        const OwnSimulator own;
        Pair pair;
        EventId event;
        const auto plan = [&event, due] {
            event = Simulator::Schedule(due - Simulator::Now(), [] {});
        };
        if (context == Simulator::NO_CONTEXT)
        {
            Simulator::Schedule(NanoSeconds(500), plan);
        }
        else
        {
            Simulator::ScheduleWithContext(context, NanoSeconds(500), plan);
        }
        Simulator::ScheduleWithContext(0, NanoSeconds(2000), [&] { ask(event); });
        Simulator::Run();
    });
}

/// Without this check, a freed event would remain in its node's list, or an event would appear to
/// have expired although its node has not been processed yet.
LOSSLESS_TEST(g_suite, "so does what removes, cancels or asks about an event of another node")
{
    const std::vector<std::pair<std::string, Ask>> asks{
        {"removes an event of",
         [](EventId& event) {
             Simulator::Remove(event);
             event = EventId(); // the last reference except that of the list
         }},
        {"cancels an event of", [](EventId& event) { event.Cancel(); }},
        {"asks about an event of", [](EventId& event) { (void)event.IsExpired(); }},
        {"asks about an event of", [](EventId& event) { Simulator::GetDelayLeft(event); }}};
    for (const auto& [what, ask] : asks)
    {
        const std::string sentence = "an event of node 0 at +2000ns " + what + " node 1 less than ";
        for (const int due : {2000, 2500, 5000})
        {
            ExpectPart(AskAbout(NanoSeconds(due), 1, ask), sentence);
        }
        NS_TEST_EXPECT_MSG_EQ(AskAbout(NanoSeconds(700), 1, ask), "", what << ": it is over");
        NS_TEST_EXPECT_MSG_EQ(AskAbout(NanoSeconds(700), 0, ask), "", what << ": its own, over");
        NS_TEST_EXPECT_MSG_EQ(AskAbout(NanoSeconds(2500), 0, ask), "", what << ": its own");
        NS_TEST_EXPECT_MSG_EQ(AskAbout(NanoSeconds(2500), Simulator::NO_CONTEXT, ask),
                              "",
                              what << ": one without a node, which comes after the window");
    }
}

/// A user's subclass of the module's cable.
struct OtherCable : LosslessChannel
{
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::OtherCable").SetParent<LosslessChannel>().AddConstructor<OtherCable>();
        return tid;
    }
};

LOSSLESS_TEST(g_suite, "a class derived from a cable has the lookahead of a cable")
{
    const OwnSimulator own;
    auto cable = CreateObject<OtherCable>();
    cable->SetAttribute("Delay", TimeValue(NanoSeconds(700)));
    for (uint32_t i = 0; i < 2; ++i)
    {
        auto device = CreateObject<LosslessNetDevice>();
        CreateObject<Node>()->AddDevice(device);
        device->Attach(cable);
    }
    NS_TEST_EXPECT_MSG_EQ(Lookahead{{}}.GetTicks(), 700, "its delay");
}

LOSSLESS_TEST(g_suite, "nodes that are joined, and those without a delay between, are one group")
{
    const OwnSimulator own;
    const Pair far({DataRate("100Gbps"), MicroSeconds(1)});      // nodes 0 and 1
    const Pair near({DataRate("100Gbps"), Time(0)});             // 2 and 3
    const Pair shorter({DataRate("100Gbps"), NanoSeconds(700)}); // 4 and 5
    auto foreign = CreateObject<SimpleChannel>();
    for (const uint32_t node : {1U, 2U})
    {
        auto device = CreateObject<SimpleNetDevice>();
        NodeList::GetNode(node)->AddDevice(device);
        device->SetChannel(foreign);
    }
    const Lookahead all{{}};
    NS_TEST_EXPECT_MSG_EQ(all.GetTicks(), 700, "the least delay");
    NS_TEST_EXPECT_MSG_NE(all.GetGroup(0), all.GetGroup(1), "a delay apart");
    NS_TEST_EXPECT_MSG_EQ(all.GetGroup(2), all.GetGroup(3), "no delay");
    NS_TEST_EXPECT_MSG_EQ(all.GetGroup(1), all.GetGroup(2), "a channel of unknown delay");
    const Lookahead joined({{4, 5}});
    NS_TEST_EXPECT_MSG_EQ(joined.GetGroup(4), joined.GetGroup(5), "joined");
    NS_TEST_EXPECT_MSG_EQ(joined.GetTicks(), 1000, "the least delay between groups");
    NS_TEST_EXPECT_MSG_EQ(joined.GetLeastDelay(), 700, "the least delay of all");
    NS_TEST_EXPECT_MSG_EQ(all.IsCurrent(), true, "nothing is new");
    CreateObject<SimpleChannel>();
    NS_TEST_EXPECT_MSG_EQ(all.IsCurrent(), false, "there is another channel");
    const Lookahead again{{}};
    CreateObject<Node>();
    NS_TEST_EXPECT_MSG_EQ(again.IsCurrent(), false, "there is another node");
    RunFor(NanoSeconds(1));
    own.Get().JoinNodes(0, 1); // takes effect in the next run
    own.Get().JoinNodes(4, 5);
    bool hasReached = false;
    Simulator::ScheduleWithContext(0, NanoSeconds(2000), [&hasReached] {
        Simulator::ScheduleWithContext(1, NanoSeconds(1), [&hasReached] { hasReached = true; });
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(hasReached, true, "within a group events may reach everything");
}

/// @return a ring switch that pauses a neighbour when more than 51 frames from it are stored
Ptr<SwitchNode>
MakeRingSwitch()
{
    return MakeStaticSwitch(51 * Ring::FRAME_BYTES,
                            26 * Ring::FRAME_BYTES,
                            {{"PrivateBytes", 0}, {"HeadroomBytes", 30 * Ring::FRAME_BYTES}})
        .Create();
}

/// @param pauses the times at which s0, s1, ... each pause a class of the previous switch for some
/// time, during which no frames of this class are sent
std::string
FindDeadlocks(Time window,
              const std::vector<int64_t>& delays,
              const std::vector<int64_t>& pauses = {})
{
    const OwnSimulator own(window);
    Ring ring(MakeRingSwitch);
    auto detector = CreateObject<DeadlockDetector>();
    detector->SetAttribute("ConfirmTime", TimeValue(MicroSeconds(1))); // less than the cable delay
    ring.Watch(*detector);
    for (uint32_t i = 0; i < Ring::SIZE; ++i)
    {
        ring.GetHost(i).Send((i + 2) % Ring::SIZE,
                             24,
                             Ring::FRAME_BYTES,
                             400,
                             NanoSeconds(delays[i]));
    }
    for (uint32_t i = 0; i < pauses.size(); ++i)
    {
        const uint32_t next = (i + 1) % Ring::SIZE;
        SendPfcIn(NanoSeconds(pauses[i]),
                  ring.GetSwitch(next)->GetPortDevice(Ring::GetWayIn(next)),
                  SetOf(Priority{5}),
                  0xffff);
    }
    RunFor(MicroSeconds(600));
    detector->Conclude();
    std::ostringstream found;
    for (const DeadlockRecord& record : detector->GetDeadlocks())
    {
        found << record.onset.GetNanoSeconds() << ' ' << record.confirmed.GetNanoSeconds() << ' '
              << record.dissolved.value_or(Time(0)).GetNanoSeconds() << ' ' << record.GetCycle()
              << '\n';
    }
    return found.str();
}

LOSSLESS_TEST(g_suite, "deadlocks are found at the same times, whichever node is executed first")
{
    std::vector<int64_t> delays{0, 310, 620};
    do
    {
        const std::string expected = FindDeadlocks(Time(0), delays);
        NS_TEST_EXPECT_MSG_NE(expected, "", "there is a deadlock");
        NS_TEST_EXPECT_MSG_EQ(FindDeadlocks(Time::Max(), delays), expected, "with windows");
    } while (std::next_permutation(delays.begin(), delays.end()));
}

/// Two switches request the first search in the same window. All later searches depend on the time
/// of this search.
LOSSLESS_TEST(g_suite, "a deadlock is searched for from the first pause in time on")
{
    const std::vector<int64_t> delays{0, 310, 620};
    std::set<std::string> found;
    for (const int64_t first : {10000, 10250, 10500, 10750})
    {
        for (const auto& pauses : {std::vector<int64_t>{first, first + 300}, {first + 300, first}})
        {
            const std::string expected = FindDeadlocks(Time(0), delays, pauses);
            NS_TEST_EXPECT_MSG_EQ(FindDeadlocks(Time::Max(), delays, pauses),
                                  expected,
                                  "pauses at " << pauses[0] << " and " << pauses[1]);
            found.insert(expected);
        }
    }
    NS_TEST_EXPECT_MSG_EQ(found.size(), 4, "the time of the first search tells");
}

struct Seen
{
    uint32_t networks{0}; ///< number of networks
    uint32_t paused{0};   ///< number of networks in which a queue was paused
    uint32_t windowed{0}; ///< number of networks whose cables are long enough for windows
};

Seen g_seen; ///< totals over all seeds

/// @param tables see ReadTables()
bool
HasRows(const std::string& tables, const std::string& name)
{
    const std::size_t header = tables.find('\n', tables.find('"' + name + '"')) + 1;
    return tables[tables.find('\n', header) + 1] != '\n';
}

std::string
RunRandom(uint32_t seed, Time window, uint32_t pairs, const std::string& folder)
{
    std::filesystem::remove_all(folder);
    const OwnSimulator own(window);
    std::mt19937 random(seed);
    for (; pairs > 0; --pairs)
    {
        // All networks have at least 5 nodes.
        own.Get().JoinNodes(random() % 5, random() % 5);
    }
    const SwitchKind kind = GetRandomKind(seed);
    RandomNetwork(kind, Trouble::SOME_CUTS, seed, RandomNetwork::Traffic::FLOWS).Write(folder);
    g_seen.windowed += window.IsZero() && own.Get().GetLeastDelay() >= NanoSeconds(80) ? 1 : 0;
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_EQ(Witness::Count(), 0, "nodes, devices and cables that something keeps");
    return ReadTables(folder);
}

LOSSLESS_TESTS(g_suite)
{
    static constexpr uint32_t QUICK_SEEDS = 21; // one seed for each scheme
    constexpr uint32_t LAST_SEED = 300;
    for (uint32_t seed = 1; seed <= LAST_SEED; ++seed)
    {
        g_suite.Add(
            "results are the same for any windows and groups, random network " +
                std::to_string(seed),
            [seed] {
                const std::string folder = CreateTempDirFilename("results");
                const std::string expected = RunRandom(seed, Time(0), 0, folder);
                NS_TEST_EXPECT_MSG_GT(expected.size(), 1000, "there are results");
                ++g_seen.networks;
                g_seen.paused += HasRows(expected, "pauses.csv") ? 1 : 0;
                const auto check = [&](Time window, uint32_t pairs) {
                    const std::string found = RunRandom(seed, window, pairs, folder);
                    NS_TEST_EXPECT_MSG_EQ(FirstDifference(found, expected),
                                          "",
                                          "windows up to " << window.As(Time::NS) << ", " << pairs
                                                           << " joined");
                };
                check(Time::Max(), 0);
                check(Time::Max(), 1 + seed % 6);
                check(NanoSeconds(50 + 37 * (seed % 40)), seed % 3);
            },
            seed <= QUICK_SEEDS ? QUICK : EXTENSIVE);
    }
    g_suite.Add("many random networks stop a queue, and most have windows", [] {
        NS_TEST_EXPECT_MSG_EQ(GetModuleSchemes().size(), QUICK_SEEDS, "schemes");
        NS_TEST_EXPECT_MSG_GT(3 * g_seen.paused, g_seen.networks, "that stop one");
        NS_TEST_EXPECT_MSG_GT(2 * g_seen.windowed, g_seen.networks, "that have windows");
    });
}

} // namespace ns3::lossless::tests::THIS_FILE
