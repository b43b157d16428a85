// SPDX-License-Identifier: GPL-2.0-only
//
// Tests recorded time series: the starts and ends of pauses, single queues, and the throughput of
// ports.

#include "lossless-test.h"
#include "spoiled-memory.h"
#include "test-network.h"
#include "witness.h"

#include "ns3/headroom-peak-recorder.h"
#include "ns3/lossless-experiment.h"
#include "ns3/pause-storm.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/place-pattern.h"
#include "ns3/queue-length-recorder.h"
#include "ns3/queue-sampler.h"
#include "ns3/rate-recorder.h"
#include "ns3/recorder-list.h"
#include "ns3/series-plan.h"
#include "ns3/slow-receiver.h"
#include "ns3/throughput-recorder.h"

#include <nlohmann/json.hpp>

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-series", UNIT);

struct ScriptedControl : FlowControl
{
    using FlowControl::PauseFor;
    using FlowControl::SetFlowsStopped;
    using FlowControl::SetPortStopped;
    using FlowControl::SetStopped;

    LOSSLESS_TEST_TYPE(ScriptedControl, FlowControl);

    bool IsLossless() const override
    {
        return true;
    }
};

struct ScriptedPolicy : UnlimitedBufferPolicy
{
    LOSSLESS_TEST_TYPE(ScriptedPolicy, UnlimitedBufferPolicy);

    std::optional<Thresholds> GetThresholds(const SharedBuffer&, QueueId) const override
    {
        return levels;
    }

    std::optional<Thresholds> GetPortThresholds(const SharedBuffer&, PortId) const override
    {
        return portLevels;
    }

    std::optional<Thresholds> levels;     ///< thresholds of queues
    std::optional<Thresholds> portLevels; ///< thresholds of ports
};

/// A switch with two hosts, scripted pauses and thresholds, and a recorder of its pause events.
struct ScriptedSwitch
{
    ScriptedSwitch()
    {
        node->SetFlowControl(control);
        node->SetBufferPolicy(policy);
        star = std::make_unique<Star>(node, 2);
        node->Initialize();
        recorder.KeepEvents();
        recorder.WatchSwitch("s0", node);
    }

    /// Stores a frame in the shared segment.
    SwitchItem Store(QueueId queue, uint32_t bytes) const
    {
        SwitchItem item = MakeItem(Index(queue.port), Index(queue.priority), bytes);
        node->GetSharedBuffer()->Arrive(item, {0, bytes, 0});
        node->GetSharedBuffer()->Move(item);
        return item;
    }

    Ptr<ScriptedControl> control{CreateObject<ScriptedControl>()};
    Ptr<ScriptedPolicy> policy{CreateObject<ScriptedPolicy>()};
    Ptr<SwitchNode> node{CreateObject<PfcSwitchNode>()};
    std::unique_ptr<Star> star;
    PauseRecorder recorder;
};

/// @param at the time of the action in microseconds
void
At(int64_t at, std::function<void()> action)
{
    Simulator::Schedule(MicroSeconds(at), std::move(action));
}

const QueueId QUEUE{PortId{0}, Priority{3}};

/// The recorded reason depends on the thresholds (XOFF is 100, and XON is usually 50) and on the
/// stored bytes.
LOSSLESS_TEST(g_suite, "starts and ends of pauses of a class, each with its reason")
{
    ScriptedSwitch s;
    SwitchItem item;
    At(1, [&] {
        item = s.Store(QUEUE, 200);
        s.policy->levels = Thresholds{100, 50};
        s.control->SetStopped(QUEUE, true);
    });
    At(2, [&] {
        s.node->GetSharedBuffer()->Leave(item);
        s.control->SetStopped(QUEUE, false);
    });
    At(3, [&] {
        s.policy->levels = Thresholds{100, 0};
        s.control->SetStopped(QUEUE, true); // not due to XOFF: nothing is stored
    });
    At(4, [&] { s.control->SetStopped(QUEUE, false); });
    At(5, [&] {
        s.policy->levels = Thresholds{100, 50, true};
        s.control->SetStopped(QUEUE, true);
    });
    At(6, [&] {
        s.policy->levels.reset();
        s.control->SetStopped(QUEUE, false);
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ToCsv(s.recorder.GetEventTable()),
                          "time_ns,node,port,priority,event,reason,flow,length_ns\n"
                          "1000,s0,0,3,start,xoff,,\n"
                          "2000,s0,0,3,end,xon,,\n"
                          "3000,s0,0,3,start,scheme,,\n"
                          "4000,s0,0,3,end,empty,,\n"
                          "5000,s0,0,3,start,headroom,,\n"
                          "6000,s0,0,3,end,scheme,,\n",
                          "the table");
}

/// Only the stored bytes of lossless classes, by default 0 to 6, count towards the thresholds of a
/// port.
LOSSLESS_TEST(g_suite, "pauses of ports, of flows and for a time")
{
    ScriptedSwitch s;
    At(1, [&] {
        s.Store({PortId{1}, Priority{3}}, 80);
        s.Store({PortId{1}, Priority{7}}, 80);
        s.policy->portLevels = Thresholds{70, 50};
        s.control->SetPortStopped(PortId{1}, true);
    });
    At(2, [&] {
        s.policy->portLevels = Thresholds{200, 100}; // XON is above 80 B and below 160 B
        s.control->SetPortStopped(PortId{1}, false);
    });
    At(3, [&] { s.control->SetPortStopped(PortId{1}, true); });
    At(4, [&] { s.control->SetFlowsStopped(QUEUE, {77}, true); });
    At(5, [&] { s.control->SetFlowsStopped(QUEUE, {77}, false); });
    At(6, [&] { s.control->PauseFor(QUEUE, MicroSeconds(5)); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ToCsv(s.recorder.GetEventTable()),
                          "time_ns,node,port,priority,event,reason,flow,length_ns\n"
                          "1000,s0,1,port,start,xoff,,\n"
                          "2000,s0,1,port,end,xon,,\n"
                          "3000,s0,1,port,start,scheme,,\n"
                          "4000,s0,0,flows of 3,start,flow,77,\n"
                          "5000,s0,0,flows of 3,end,flow,77,\n"
                          "6000,s0,0,3 for a time,start,timed,,5000\n",
                          "the table");
}

LOSSLESS_TEST(g_suite, "pauses for a time follow one another, as at the neighbour")
{
    ScriptedSwitch s;
    At(6, [&] { s.control->PauseFor(QUEUE, MicroSeconds(5)); });
    At(8, [&] { s.control->PauseFor(QUEUE, MicroSeconds(5)); }); // from 11 to 16 us
    At(30, [&] { s.control->PauseFor(QUEUE, MicroSeconds(5)); });
    for (const auto& [now, paused] : {std::pair(7, 1), {10, 4}, {15, 9}, {20, 10}, {32, 12}})
    {
        At(now, [&s, now = now, paused = paused] {
            NS_TEST_EXPECT_MSG_EQ(s.recorder.GetPauses().at(0).paused,
                                  MicroSeconds(paused),
                                  "after " << now << " us");
        });
    }
    Simulator::Run();
}

LOSSLESS_TEST(g_suite, "a recorder of pause events may be destroyed before the switch")
{
    ScriptedSwitch s;
    auto shortLived = std::make_unique<PauseRecorder>();
    shortLived->KeepEvents();
    shortLived->WatchSwitch("s0", s.node);
    SpoiledMemory spoiled;
    At(1, [&] { s.control->SetStopped(QUEUE, true); });
    At(2, [&] {
        NS_TEST_EXPECT_MSG_EQ(shortLived->GetEventTable().rows.size(), 1, "the start");
        shortLived.reset();
        spoiled.Take();
    });
    At(3, [&] { s.control->SetStopped(QUEUE, false); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(s.recorder.GetEventTable().rows.size(),
                          2,
                          "the switch tells another one");
}

LOSSLESS_TEST(g_suite, "so may what follows how far pauses spread")
{
    ScriptedSwitch s;
    auto shortLived = std::make_unique<PausePropagation>();
    shortLived->WatchSwitch("s0", s.node);
    SpoiledMemory spoiled;
    At(1, [&] { s.control->PauseFor(QUEUE, MicroSeconds(5)); });
    At(2, [&] { s.control->SetFlowsStopped(QUEUE, {77}, true); });
    At(3, [&] {
        NS_TEST_EXPECT_MSG_EQ(shortLived->GetDepths().size(), 1, "of both");
        shortLived.reset();
        spoiled.Take();
    });
    At(4, [&] { s.control->SetStopped(QUEUE, true); });
    At(8, [&] { s.control->SetFlowsStopped(QUEUE, {77}, false); });
    Simulator::Run();
}

const Cable CABLE{DataRate("8Gbps"), MicroSeconds(1)};

/// Four frames leave port 2 at 1150, 1300, 4150 and 5150 ns. Each of them is 126 bytes long and
/// occupies 150 bytes (1200 bits) on the wire, at 1 ns per byte.
/// @param star a star of CABLE
void
SendFour(Star& star)
{
    star.GetHost(0).Send(2, 0, 126, 2);
    star.GetHost(0).Send(2, 0, 126, 1, MicroSeconds(3));
    star.GetHost(0).Send(2, 0, 126, 1, MicroSeconds(4));
    RunFor(NanoSeconds(6500));
}

LOSSLESS_TEST(g_suite, "throughput of ports by windows, which double when they get too many")
{
    Star star(CreateObject<PfcSwitchNode>(), 3, CABLE);
    ThroughputRecorder recorder(MicroSeconds(1));
    recorder.WatchPort("s0", star.m_switch, PortId{2});
    recorder.WatchPort("s0", star.m_switch, PortId{1});
    SendFour(star);
    NS_TEST_EXPECT_MSG_EQ(ToCsv(recorder.GetPortTable()),
                          "time_ns,node,port,bits_per_second\n"
                          "1000,s0,2,0\n2000,s0,2,2400000000\n3000,s0,2,0\n4000,s0,2,0\n"
                          "5000,s0,2,1200000000\n6000,s0,2,1200000000\n"
                          "1000,s0,1,0\n2000,s0,1,0\n3000,s0,1,0\n4000,s0,1,0\n5000,s0,1,0\n"
                          "6000,s0,1,0\n",
                          "by microseconds");

    star.GetHost(0).Send(2, 0, 126, 1, MicroSeconds(ThroughputRecorder::MAX_WINDOWS));
    RunFor(MicroSeconds(ThroughputRecorder::MAX_WINDOWS + 10));
    const ResultTable table = recorder.GetPortTable();
    const std::string text = ToCsv(table);
    NS_TEST_EXPECT_MSG_EQ(table.rows.size(), 2 * (10016 / 2), "of both ports");
    for (const std::string row :
         {"\n2000,s0,2,1200000000\n4000,s0,2,0\n6000,s0,2,1200000000\n8000,s0,2,0\n",
          "\n10006000,s0,2,0\n10008000,s0,2,600000000\n"})
    {
        ExpectPart(text, row);
    }
}

/// Windows from 1200 ns onwards contain the last three frames.
LOSSLESS_TEST(g_suite, "windows of ports begin at the start that is set")
{
    Star star(CreateObject<PfcSwitchNode>(), 3, CABLE);
    ThroughputRecorder recorder(MicroSeconds(1));
    recorder.SetStart(NanoSeconds(1200));
    recorder.WatchPort("s0", star.m_switch, PortId{2});
    SendFour(star);
    NS_TEST_EXPECT_MSG_EQ(ToCsv(recorder.GetPortTable()),
                          "time_ns,node,port,bits_per_second\n"
                          "2200,s0,2,1200000000\n3200,s0,2,0\n4200,s0,2,1200000000\n"
                          "5200,s0,2,1200000000\n6200,s0,2,0\n",
                          "what has left since then");
}

LOSSLESS_TEST(g_suite, "patterns of queues and ports")
{
    const auto isMet = [](const std::string& pattern, const std::vector<std::string>& place) {
        return PlacePattern(pattern).Matches(place);
    };
    const std::vector<std::string> queue{"leaf0", "13", "3"};
    for (const std::string good : {"leaf0:13:3", "*:*:*", "leaf?:1?:[0-3]", "l*:13:*"})
    {
        NS_TEST_EXPECT_MSG_EQ(isMet(good, queue), true, good);
    }
    for (const std::string bad :
         {"leaf0:13", "leaf0:13:3:", "leaf:13:3", "leaf0:1:3", "leaf0:13:[45]", "", "*", "::"})
    {
        NS_TEST_EXPECT_MSG_EQ(isMet(bad, queue), false, bad);
    }
    const auto list = PlacePattern::ReadList("a:1,b:2");
    NS_TEST_ASSERT_MSG_EQ(list.size(), 2, "patterns");
    NS_TEST_EXPECT_MSG_EQ(list[1].GetText(), "b:2", "the second");
}

/// @return the places of the samples in the format "node side port.class", one per line
std::string
ListSamples(const Ptr<QueueSampler>& sampler)
{
    std::ostringstream text;
    for (const QueueSample& sample : sampler->GetSamples())
    {
        text << sample.node << " " << ToString(sample.side) << " " << Index(sample.queue.port)
             << "." << Index(sample.queue.priority) << "\n";
    }
    return text.str();
}

LOSSLESS_TEST(g_suite, "a plan samples the queues that patterns name, once, and misses no pattern")
{
    Star star(CreateObject<PfcSwitchNode>(), 3);
    const RecorderList run;
    const auto sampler = run.Get<QueueSampler>();
    sampler->SetAttribute("Period", TimeValue(MicroSeconds(1)));
    SeriesPlan& plan = *run.Get<SeriesPlan>();
    plan.AddQueues(PlacePattern::ReadList("s?:1:[03],s0:1:3"));
    plan.AddPorts(PlacePattern::ReadList("s0:2"), MicroSeconds(1));
    ExpectBegin(plan.Check().value_or(""), "--sample-queues: \"s?:1:[03]\" matches no queue");
    plan.WatchSwitch("s0", star.m_switch);
    NS_TEST_EXPECT_MSG_EQ(plan.Check().value_or(""), "", "all is there");
    UintegerValue rows;
    sampler->GetAttribute("MaxSamples", rows);
    NS_TEST_EXPECT_MSG_EQ(rows.Get(), 1000000, "room for many queues");
    RunFor(NanoSeconds(10));
    NS_TEST_EXPECT_MSG_EQ(ListSamples(sampler),
                          "s0 ingress 1.0\ns0 egress 1.0\ns0 ingress 1.3\ns0 egress 1.3\n",
                          "one instant");
    NS_TEST_EXPECT_MSG_EQ(plan.GetTables().at(0).make().rows.size(), 0, "no window has ended");

    plan.AddPorts(PlacePattern::ReadList("s0:9"), MicroSeconds(1));
    ExpectBegin(plan.Check().value_or(""), "--sample-throughput: \"s0:9\" matches no port");
}

LOSSLESS_TEST(g_suite, "a plan leaves the bound of samples that the user has set")
{
    const RecorderList run;
    const auto sampler = run.Get<QueueSampler>();
    sampler->SetAttribute("MaxSamples", UintegerValue(500));
    run.Get<SeriesPlan>()->AddQueues(PlacePattern::ReadList("*:*:*"));
    UintegerValue rows;
    sampler->GetAttribute("MaxSamples", rows);
    NS_TEST_EXPECT_MSG_EQ(rows.Get(), 500, "as set");
}

std::string
ListThinning(const SeriesPlan& plan)
{
    std::string text;
    for (const std::string& sentence : plan.GetRemarks())
    {
        text += sentence + "\n";
    }
    return text;
}

/// At 7 us, every second of the 8 samples is removed, which would happen again at 14 us. The length
/// of the ports' windows doubles when more than 10 000 have ended.
LOSSLESS_TEST(g_suite, "a plan tells which series are thinned, and how far apart their points are")
{
    Star star(CreateObject<PfcSwitchNode>(), 3);
    const RecorderList run;
    const auto sampler = run.Get<QueueSampler>();
    sampler->SetAttribute("MaxSamples", UintegerValue(8));
    sampler->SetAttribute("Period", TimeValue(MicroSeconds(1)));
    sampler->WatchBuffer("s0", star.m_switch);
    SeriesPlan& plan = *run.Get<SeriesPlan>();
    plan.AddFlows(PlacePattern::ReadList("7"), MicroSeconds(1));
    const RecorderList other;
    SeriesPlan& ports = *other.Get<SeriesPlan>();
    ports.AddPorts(PlacePattern::ReadList("s0:2"), NanoSeconds(1));
    ports.WatchSwitch("s0", star.m_switch);
    RunFor(NanoSeconds(6500));
    NS_TEST_EXPECT_MSG_EQ(ListThinning(plan), "", "7 samples");
    NS_TEST_EXPECT_MSG_EQ(ListThinning(ports), "", "6500 windows");
    RunFor(NanoSeconds(5500));
    NS_TEST_EXPECT_MSG_EQ(
        ListThinning(plan),
        "Samples in queues.csv are 2us apart instead of 1us, since QueueSampler::MaxSamples bounds "
        "their number.\n"
        "Rates of hosts and flows are 2us apart instead of 1us, since there are no more samples, "
        "or 10000 of a port or 1000000 of flows.\n",
        "samples, and rates, which are read with them");
    NS_TEST_EXPECT_MSG_EQ(ListThinning(ports),
                          "Points in port-throughput.csv are 2ns apart instead of 1ns, since a "
                          "port has at most 10000.\n",
                          "12 000 windows");
}

struct Program
{
    std::vector<std::string> arguments; ///< arguments of its command line
    Time start{};                       ///< start of the flows
    bool knowsFlows{false}; ///< true if the flows are recorded beforehand, as in lossless-run
    /// The minimum exit status. With 1, the program always fails, so all of its output is returned.
    int leastStatus{0};
};

/// Runs a program: two hosts send 1 MB each to a third one over a switch with a buffer of 2 MB.
std::string
RunProgram(const Program& program)
{
    return GetAbortMessage([&program] {
        Experiment experiment("/folder/program.cc", "A test.");
        ParseArguments(experiment, program.arguments);
        SwitchHelper switches = experiment.MakeSwitchHelper();
        switches.SetBufferAttribute("Size", UintegerValue(2000000));
        Fabric fabric(Topology::Star({3}), switches, experiment.MakeNicFactory());
        experiment.GetResults().AddFabric(fabric);
        FlowList flows = MakeFlows(2, {2});
        for (FlowSpec& flow : flows)
        {
            flow.start = program.start;
        }
        fabric.StartFlows(flows);
        if (program.knowsFlows)
        {
            experiment.NoteFlows(fabric.GetFlows());
        }
        fabric.StopWhenFlowsAreDone(Seconds(1));
        experiment.Run();
        if (const int status = std::max(experiment.Finish(), program.leastStatus))
        {
            std::exit(status);
        }
    });
}

std::string
RunExperiment(const std::vector<std::string>& arguments)
{
    return RunProgram({arguments});
}

std::vector<std::string>
ReadRows(const std::string& path)
{
    std::ifstream file(path);
    std::vector<std::string> rows;
    for (std::string line; std::getline(file, line);)
    {
        rows.push_back(line);
    }
    rows.erase(rows.begin(), rows.begin() + std::min<std::size_t>(1, rows.size()));
    return rows;
}

std::size_t
CountRows(const std::vector<std::string>& rows, const std::string& part)
{
    return std::count_if(rows.begin(), rows.end(), [&part](const std::string& row) {
        return row.find(part) != std::string::npos;
    });
}

std::string
Print(const ResultTable& table, std::size_t row)
{
    std::istringstream text(ToCsv(table));
    std::string line;
    for (std::size_t i = 0; i <= row + 1; ++i)
    {
        std::getline(text, line);
    }
    return line;
}

int64_t
SumRates(const ResultTable& table, std::size_t column, const std::string& name)
{
    std::istringstream lines(ToCsv(table));
    const auto& names = table.columns;
    const auto rate = std::find(names.begin(), names.end(), "bits_per_second") - names.begin();
    int64_t sum = 0;
    for (std::string line; std::getline(lines, line);)
    {
        std::vector<std::string> cells;
        std::istringstream row(line);
        for (std::string cell; std::getline(row, cell, ',');)
        {
            cells.push_back(cell);
        }
        sum += cells[column] == name ? std::stoll(cells[rate]) : 0;
    }
    return sum;
}

/// A function that adds a part to a network.
/// @return an object that must exist while the part is used, or null if the network owns it
using AddPart = std::function<std::shared_ptr<void>(const Fabric& fabric)>;

std::shared_ptr<void>
WatchSwitch(const std::shared_ptr<lossless::Recorder>& recorder, const Fabric& fabric)
{
    recorder->WatchSwitch("s0", fabric.GetSwitch(0));
    return recorder;
}

template <typename FAULT>
std::shared_ptr<void>
AddFault(const Fabric& fabric)
{
    auto fault = CreateObject<FAULT>();
    fault->Install(fabric.GetHostDevice(0));
    return nullptr;
}

/// The suite lossless-windows tests the recorders that are not created by options for series.
LOSSLESS_TEST(g_suite, "no part of a network or recorder keeps it from being freed")
{
    const std::vector<std::pair<std::string, AddPart>> parts{
        {"RateRecorder",
         [](const Fabric& fabric) {
             auto rates = std::make_shared<RateRecorder>(MicroSeconds(2));
             rates->WatchPort("h0", PortId{0}, fabric.GetHostDevice(0));
             rates->WatchNic(fabric.GetNic(0));
             return rates;
         }},
        {"HeadroomPeakRecorder",
         [](const Fabric& fabric) {
             return WatchSwitch(std::make_shared<HeadroomPeakRecorder>(), fabric);
         }},
        {"ThroughputRecorder",
         [](const Fabric& fabric) {
             auto throughput = std::make_shared<ThroughputRecorder>(MicroSeconds(2));
             throughput->WatchPort("s0", fabric.GetSwitch(0), PortId{0});
             return throughput;
         }},
        {"QueueLengthRecorder",
         [](const Fabric& fabric) {
             return WatchSwitch(std::make_shared<QueueLengthRecorder>(), fabric);
         }},
        {"PauseStorm", AddFault<PauseStorm>},
        {"SlowReceiver", AddFault<SlowReceiver>},
        {"PfcWatchdog", [](const Fabric& fabric) {
             fabric.GetSwitch(0)->AggregateObject(CreateObject<PfcWatchdog>());
             return nullptr;
         }}};
    for (const auto& [name, add] : parts)
    {
        {
            Fabric fabric(Topology::Star({3}), SwitchHelper());
            Witness::AddToAll();
            const std::shared_ptr<void> part = add(fabric);
            fabric.StartFlows(MakeFlows(2, {2}));
            fabric.StopWhenFlowsAreDone(MilliSeconds(1));
            Simulator::Run();
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_EQ(Witness::Count(), 0, name << " keeps something");
    }
}

/// Two hosts, and a recorder of the rates of h0's port and of flow 7 in windows of 2 us.
struct RatedHost
{
    explicit RatedHost(Time start = Time(0))
    {
        rates.SetStart(start);
        rates.WatchPort("h0", PortId{0}, fabric.GetHostDevice(0));
        rates.SetFlows([](uint64_t id) { return id == 7; });
        rates.WatchNic(fabric.GetNic(0));
        sampler->SetAttribute("Period", TimeValue(MicroSeconds(2)));
        sampler->SetAttribute("StartTime", TimeValue(start));
        sampler->SetListener([this](Time spacing) { rates.Sample(spacing); });
        sampler->WatchBuffer("s0", fabric.GetSwitch(0));
    }

    Fabric fabric{Topology::Star({2, DataRate("100Gbps"), MicroSeconds(1)}), SwitchHelper()};
    Ptr<QueueSampler> sampler{CreateObject<QueueSampler>()};
    RateRecorder rates{MicroSeconds(2)};
};

const FlowSpec FLOW_7{7, 0, 1, 3, 100000, Time(0), ""};

/// A flow has 100 packets of 1082 B on the wire, which take 86.56 ns each at 100 Gb/s. While the
/// flow sends, each window of 2 us contains 2 x 12 500 B on the wire, and the payload of a packet
/// is acknowledged 4187 ns after the packet has begun to leave.
LOSSLESS_TEST(g_suite, "rates of a host's port and of a flow, by hand")
{
    RatedHost host;
    host.fabric.StartFlows({FLOW_7, {8, 0, 1, 3, 1000, MicroSeconds(30), ""}});
    RunFor(MicroSeconds(40));
    const ResultTable ports = host.rates.GetPortTable();
    NS_TEST_ASSERT_MSG_EQ(ports.rows.size(), 20, "windows of 40 us");
    // Within 2 us, 24 frames begin (23.1 on average), so the rate is 24 x 1082 x 8 bits / 2 us.
    NS_TEST_EXPECT_MSG_EQ(Print(ports, 0), "2000,h0,0,103872000000", "the first window");
    // There are 101 frames in total.
    NS_TEST_EXPECT_MSG_EQ(SumRates(ports, 1, "h0"), 101 * 1082 * 4000000LL, "all that it sent");
    const ResultTable flows = host.rates.GetFlowTable();
    NS_TEST_EXPECT_MSG_EQ(SumRates(flows, 1, "7"), 100000 * 4000000LL, "its payload");
    NS_TEST_EXPECT_MSG_EQ(SumRates(flows, 1, "8"), 0, "not followed");
    // The last packet leaves at 8656 ns; its acknowledgement arrives before 13 us.
    NS_TEST_EXPECT_MSG_EQ(flows.rows.size(), 7, "windows until then, the first two without any");
    NS_TEST_EXPECT_MSG_EQ(Print(flows, 1), "4000,7,0,,", "the second window");
}

/// The flow of 100 packets is recorded from 5 us onwards. Frame k leaves at 86.56 k ns, so 58
/// frames leave before 5000 ns, 81 before 7000 ns and all 100 before 9000 ns. Packet k is
/// acknowledged 4187 ns after it has begun to leave, so 10 packets are acknowledged before 5000 ns.
LOSSLESS_TEST(g_suite, "rates begin at the start that is set, with what is new since then")
{
    RatedHost host(MicroSeconds(5));
    host.fabric.StartFlows({FLOW_7});
    RunFor(MicroSeconds(40));
    const ResultTable ports = host.rates.GetPortTable();
    // A frame of 1082 B in 2 us corresponds to 4.328 Gb/s.
    NS_TEST_EXPECT_MSG_EQ(Print(ports, 0), "7000,h0,0,99544000000", "23 frames");
    NS_TEST_EXPECT_MSG_EQ(Print(ports, 1), "9000,h0,0,82232000000", "19 frames");
    NS_TEST_EXPECT_MSG_EQ(Print(ports, 2), "11000,h0,0,0", "none");
    const ResultTable flows = host.rates.GetFlowTable();
    NS_TEST_EXPECT_MSG_EQ(Print(flows, 0).substr(0, 7), "7000,7,", "the first window");
    NS_TEST_EXPECT_MSG_EQ(SumRates(flows, 1, "7"), 90000 * 4000000LL, "all but 10 packets");
}

LOSSLESS_TEST(g_suite, "a window that ends with the run is read, and none after the last sample")
{
    for (const Time& last : {Time(0), MicroSeconds(2)})
    {
        RatedHost host;
        host.sampler->SetAttribute("StopTime", TimeValue(last));
        host.fabric.StartFlows({FLOW_7});
        // The run ends before the sample that is due at this time.
        Simulator::Stop(MicroSeconds(last.IsZero() ? 4 : 8));
        Simulator::Run();
        const ResultTable ports = host.rates.GetPortTable();
        NS_TEST_EXPECT_MSG_EQ(ports.rows.size(), (last.IsZero() ? 2 : 1), "windows");
        // Within 4 us, 47 frames begin, 24 of them within 2 us.
        NS_TEST_EXPECT_MSG_EQ(SumRates(ports, 1, "h0"),
                              (last.IsZero() ? 47 : 24) * 1082 * 4000000LL,
                              "all that was sent until then");
        Simulator::Destroy();
    }
}

LOSSLESS_TEST(g_suite, "where nothing is sent, windows double as well")
{
    Star star(CreateObject<PfcSwitchNode>(), 2);
    ThroughputRecorder recorder(NanoSeconds(1));
    recorder.WatchPort("s0", star.m_switch, PortId{1});
    RunFor(MilliSeconds(1));
    NS_TEST_EXPECT_MSG_EQ(recorder.GetPortTable().rows.size(), 1000000 / 128, "at most 10 000");
    NS_TEST_EXPECT_MSG_EQ(recorder.GetWindow(), NanoSeconds(128), "as long");
}

LOSSLESS_TEST(g_suite, "whole numbers keep all their digits, others six")
{
    ResultTable table{{"a", "b", "c", "d"}, {{}}};
    for (const double number : {1048440.0, 0.125, 1304025.5, -2e15})
    {
        table.rows[0].emplace_back(number);
    }
    NS_TEST_EXPECT_MSG_EQ(ToCsv(table),
                          "a,b,c,d\n1048440,0.125,1.30403e+06,-2000000000000000\n",
                          "");
}

LOSSLESS_TEST(g_suite, "options of a program write series, and none of an earlier run stays")
{
    const std::string folder = CreateTempDirFilename("series");
    const auto run = [&folder](std::vector<std::string> options) {
        options.push_back("--output=" + folder);
        NS_TEST_EXPECT_MSG_EQ(RunExperiment(options), "", "the run");
    };
    run({"--sample=10us",
         "--sample-queues=s0:2:0",
         "--sample-throughput=s0:2,h0:0",
         "--sample-flows=1",
         "--pause-events"});
    const auto events = ReadRows(folder + "/pause-events.csv");
    NS_TEST_EXPECT_MSG_GT(events.size(), 3, "there were pauses");
    NS_TEST_EXPECT_MSG_EQ(CountRows(events, ",start,"), CountRows(events, ",end,"), "all ended");
    NS_TEST_EXPECT_MSG_EQ(CountRows(events, ",start,"), CountRows(events, ",start,xoff"), "why");
    // At 100 Gb/s, two megabytes take 160 us, plus the overhead of the packets.
    const auto queues = ReadRows(folder + "/queues.csv");
    NS_TEST_EXPECT_MSG_GT(CountRows(queues, ",s0,2,egress,0,"), 16, "samples of the queue");
    NS_TEST_EXPECT_MSG_EQ(CountRows(queues, ",s0,,buffer,"),
                          CountRows(queues, ",s0,2,egress,0,"),
                          "and of the buffer");
    NS_TEST_EXPECT_MSG_EQ(CountRows(queues, ",s0,2,ingress,0,"),
                          CountRows(queues, ",s0,2,egress,0,"),
                          "on both sides");
    const auto ports = ReadRows(folder + "/port-throughput.csv");
    NS_TEST_EXPECT_MSG_GT(CountRows(ports, ",s0,2,9") + CountRows(ports, ",s0,2,10"),
                          12,
                          "a busy port, of 99 or 100 Gb/s");

    NS_TEST_EXPECT_MSG_EQ(CountRows(ports, ",h0,0,"), CountRows(ports, ",s0,2,"), "a host's");
    const auto flows = ReadRows(folder + "/flow-throughput.csv");
    NS_TEST_EXPECT_MSG_GT(CountRows(flows, ",1,"), 12, "a flow");
    NS_TEST_EXPECT_MSG_EQ(CountRows(flows, ",1,"), flows.size(), "that one alone");
    const auto isWithout = [](const std::string& row) {
        return row.substr(row.size() - 2) == ",,";
    };
    NS_TEST_EXPECT_MSG_EQ(std::all_of(flows.begin(), flows.end(), isWithout), true, "no control");

    std::ofstream(folder + "/notes.csv") << "the user's\n";
    run({});
    NS_TEST_EXPECT_MSG_EQ(ReadRows(folder + "/queues.csv").size(), 0, "no samples");
    NS_TEST_EXPECT_MSG_EQ(std::ifstream(folder + "/notes.csv").is_open(), true, "stays");
    for (const std::string name :
         {"/pause-events.csv", "/port-throughput.csv", "/flow-throughput.csv"})
    {
        NS_TEST_EXPECT_MSG_EQ(std::ifstream(folder + name).is_open(), false, name);
    }
}

std::string
FindFirstTime(const std::vector<std::string>& rows, const std::string& part)
{
    const auto found = std::find_if(rows.begin(), rows.end(), [&part](const std::string& row) {
        return row.find(part) != std::string::npos;
    });
    return found == rows.end() ? "(none)" : found->substr(0, found->find(','));
}

LOSSLESS_TEST(g_suite, "samples and windows begin at --sample-from")
{
    const std::string folder = CreateTempDirFilename("from");
    const std::vector<std::string> from{"--sample=10us",
                                        "--sample-from=25us",
                                        "--output=" + folder};
    // The rates of a host's port are recorded from the time at which the host is added, and those
    // of a flow from an earlier time.
    for (const std::string wish : {"--sample-throughput=s0:2,h0:0", "--sample-flows=1"})
    {
        std::vector<std::string> options = from;
        options.push_back(wish);
        NS_TEST_EXPECT_MSG_EQ(RunExperiment(options), "", wish);
        NS_TEST_EXPECT_MSG_EQ(FindFirstTime(ReadRows(folder + "/queues.csv"), ""), "25000", wish);
        const bool isOfPorts = wish.find("throughput") != std::string::npos;
        const auto rows =
            ReadRows(folder + (isOfPorts ? "/port-throughput.csv" : "/flow-throughput.csv"));
        for (const std::string& place : isOfPorts ? std::vector<std::string>{",s0,2,", ",h0,0,"}
                                                  : std::vector<std::string>{",1,"})
        {
            NS_TEST_EXPECT_MSG_EQ(FindFirstTime(rows, place),
                                  "35000",
                                  "end of the first window: " << place);
        }
    }
}

LOSSLESS_TEST(g_suite, "without it they begin with the first flow, where the program knows flows")
{
    const std::string folder = CreateTempDirFilename("first");
    const auto check = [&folder](Program program, int64_t first) {
        program.start = MicroSeconds(30);
        for (const std::string option : {"--sample=10us", "--sample-throughput=s0:2", "--output="})
        {
            program.arguments.push_back(option);
        }
        program.arguments.back() += folder;
        NS_TEST_EXPECT_MSG_EQ(RunProgram(program), "", "the run");
        const auto run = nlohmann::json::parse(ReadFile(folder + "/run.json"));
        NS_TEST_EXPECT_MSG_EQ(run["simulated_ns"].get<int64_t>() -
                                  run["measured"]["length_ns"].get<int64_t>(),
                              program.knowsFlows ? 30000 : 0,
                              "time before the first flow");
        NS_TEST_EXPECT_MSG_EQ(FindFirstTime(ReadRows(folder + "/queues.csv"), ""),
                              std::to_string(1000 * first),
                              "queues.csv");
        NS_TEST_EXPECT_MSG_EQ(FindFirstTime(ReadRows(folder + "/port-throughput.csv"), ""),
                              std::to_string(1000 * (first + 10)),
                              "port-throughput.csv");
    };
    Program program;
    check(program, 0);
    program.knowsFlows = true;
    check(program, 30);
    program.arguments = {"--sample-from=25us"};
    check(program, 25);
}

/// The flows take about 170 us. Every second sample is removed at 70 and at 140 us.
LOSSLESS_TEST(g_suite, "a program says at its end what is thinned, and that nothing was measured")
{
    const auto run = [](const std::vector<std::string>& arguments) {
        Program program{arguments};
        program.leastStatus = 1;
        return RunProgram(program);
    };
    const std::string thinned =
        run({"--sample=10us", "--ns3::lossless::QueueSampler::MaxSamples=8"});
    ExpectPart(thinned,
               "Samples in queues.csv are 40us apart instead of 10us, since "
               "QueueSampler::MaxSamples bounds their number.\n");
    const std::string empty = "Nothing was measured from 1ms on: the run ended at ";
    ExpectPart(run({"--measure-from=1ms"}), empty);
    const std::string early = run({"--sample=10us", "--measure-from=100us"});
    NS_TEST_EXPECT_MSG_EQ(early.find("Nothing was measured"), std::string::npos, early);
    NS_TEST_EXPECT_MSG_EQ(early.find("apart instead of"), std::string::npos, early);
}

} // namespace ns3::lossless::tests::THIS_FILE
