// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "spoiled-memory.h"
#include "test-network.h"

#include "ns3/congestion-control-info.h"
#include "ns3/flow-plan.h"
#include "ns3/graph-results.h"
#include "ns3/headroom-peak-recorder.h"
#include "ns3/lossless-experiment.h"
#include "ns3/measure-window.h"
#include "ns3/measured-network.h"
#include "ns3/queue-sampler.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/run-hints.h"
#include "ns3/run-json.h"
#include "ns3/run-notes.h"
#include "ns3/run-statistics.h"
#include "ns3/signal-recorder.h"
#include "ns3/sih-buffer-policy.h"
#include "ns3/throughput-recorder.h"

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <sys/resource.h>

namespace ns3::lossless::tests::THIS_FILE
{

namespace fs = std::filesystem;

Suite g_suite("lossless-measure", UNIT);

/// A rate of 1 byte per nanosecond makes computations by hand easy.
const DataRate RATE("8Gbps");
const Time DELAY = MicroSeconds(1);

const Cable CABLE{RATE, DELAY};

constexpr uint32_t NOWHERE = 1000;

/// Sends a frame of 134 bytes from a host at a given time.
void
Send(Star& star, Time at, uint32_t host, uint32_t destination, uint8_t priority)
{
    star.GetHost(host).Send(destination, priority << 3, 134, 1, at);
}

/// A PFC scheme that pauses and resumes queues on request.
class ScriptedPfc : public PfcFlowControl
{
  public:
    LOSSLESS_TEST_TYPE(ScriptedPfc, PfcFlowControl);

    void Set(QueueId queue, bool paused)
    {
        m_paused[Index(queue)] = paused;
        Reassess(queue);
    }

  private:
    Demand Assess(QueueId queue) const override
    {
        const auto found = m_paused.find(Index(queue));
        return found != m_paused.end() && found->second ? Demand::PAUSE : Demand::RESUME;
    }

    std::map<std::size_t, bool> m_paused;
};

/// Pauses a port above 0 shared bytes and resumes it below 1 byte, but never pauses a queue.
struct PortPolicy : UnlimitedBufferPolicy
{
    LOSSLESS_TEST_TYPE(PortPolicy, UnlimitedBufferPolicy);

    std::optional<Thresholds> GetPortThresholds(const SharedBuffer&, PortId) const override
    {
        return Thresholds{0, 1};
    }
};

struct FullPolicy : UnlimitedBufferPolicy
{
    LOSSLESS_TEST_TYPE(FullPolicy, UnlimitedBufferPolicy);

    Admission Admit(const SharedBuffer&, const SwitchItem&) const override
    {
        return Admission::Refuse(DropReason::HEADROOM_FULL);
    }

    std::optional<Thresholds> GetThresholds(const SharedBuffer&, QueueId) const override
    {
        return Thresholds{UINT64_MAX, UINT64_MAX};
    }
};

struct FakeNic : Object
{
    static constexpr auto CALLBACK = "ns3::lossless::RoceNic::FlowTracedCallback";

    LOSSLESS_TEST_TYPE(
        FakeNic,
        Object,
        .AddTraceSource("FlowStarted", "", MakeTraceSourceAccessor(&FakeNic::m_started), CALLBACK)
            .AddTraceSource("FlowReceived",
                            "",
                            MakeTraceSourceAccessor(&FakeNic::m_received),
                            CALLBACK)
            .AddTraceSource("FlowAcknowledged",
                            "",
                            MakeTraceSourceAccessor(&FakeNic::m_acknowledged),
                            CALLBACK)
            .AddTraceSource("FlowRetransmitted",
                            "",
                            MakeTraceSourceAccessor(&FakeNic::m_retransmitted),
                            CALLBACK))

    TracedCallback<const FlowRecord&> m_started;
    TracedCallback<const FlowRecord&> m_received;
    TracedCallback<const FlowRecord&> m_acknowledged;
    TracedCallback<const FlowRecord&> m_retransmitted;
};

/// @return a flow of class 3 from host 0 to host 1
FlowRecord
MakeRecord(uint64_t id, uint64_t bytes, Time start)
{
    FlowRecord record;
    record.flow.id = id;
    record.flow.destination = GetHostAddress(1);
    record.flow.priority = Priority{3};
    record.flow.bytes = bytes;
    record.source = GetHostAddress(0);
    record.start = start;
    return record;
}

/// The values of a JSON document, indexed by path, such as "verdict/drops/0/node". Strings are
/// returned without quotes.
class JsonReader
{
  public:
    explicit JsonReader(const std::string& text)
        : m_json(Json::parse(text, nullptr, false))
    {
    }

    bool IsValid() const
    {
        return !m_json.is_discarded();
    }

    /// @return the value at a path, or "(absent)"
    std::string Get(const std::string& path) const
    {
        const Json::json_pointer place("/" + path);
        return m_json.contains(place) ? ToText(m_json.at(place)) : "(absent)";
    }

    /// @return the values of an attribute, such as "default -> value" or "default -> value value"
    std::string GetAttribute(const std::string& type, const std::string& name) const
    {
        for (const Json& entry : m_json.at("attributes"))
        {
            if (entry.at("type") == type && entry.at("attribute") == name)
            {
                std::string text = ToText(entry.at("default")) + " ->";
                text += entry.contains("value") ? " " + ToText(entry.at("value")) : "";
                for (const Json& value : entry.value("values", Json::array()))
                {
                    text += " " + ToText(value);
                }
                return text;
            }
        }
        return "(absent)";
    }

    /// @return all values that are neither objects nor lists, with their paths
    std::map<std::string, std::string> GetAll() const
    {
        std::map<std::string, std::string> all;
        const Json flat = m_json.flatten();
        for (const auto& [path, value] : flat.items())
        {
            all[path.substr(1)] = ToText(value);
        }
        return all;
    }

  private:
    using Json = nlohmann::json;

    static std::string ToText(const Json& value)
    {
        return value.is_string() ? value.get<std::string>() : value.dump();
    }

    Json m_json;
};

void
TouchFile(const fs::path& path, const std::string& text)
{
    std::ofstream(path) << text;
}

/// @return the sorted names of all entries of a folder, separated by spaces
std::string
ListFolder(const fs::path& folder)
{
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
    {
        names.insert(entry.path().filename().string());
    }
    std::string text;
    for (const std::string& name : names)
    {
        text += (text.empty() ? "" : " ") + name;
    }
    return text;
}

const std::vector<std::string>
    TABLES{"deadlocks", "drops", "flows", "pause-depths", "pauses", "ports", "queues", "victims"};
const std::string PAUSES_HEADER = "node,port,priority,pauses,resumes,paused_ns,first_pause_ns\n";
const std::string ALL_FILES =
    "deadlocks.csv drops.csv flows.csv pause-depths.csv pauses.csv ports.csv queues.csv run.json "
    "victims.csv";

/**
 * Checks the recorded local maxima of the headroom in use. The test itself fills and drains the
 * buffer.
 *
 * Under SIH, classes 0 and 1 are lossless. According to Eq. 1 of the DSH paper, each of their
 * queues has 56840 bytes of headroom at the link of 100 Gb/s and 206840 bytes at the link of
 * 400 Gb/s, so each port has twice as much.
 */
LOSSLESS_TEST(g_suite, "local maxima of the headroom in use, by port")
{
    auto node = CreateObject<PfcSwitchNode>();
    auto policy = DynamicCast<SihBufferPolicy>(node->GetBufferPolicy());
    policy->SetAttribute("WorstCaseHeadroom", BooleanValue(false));
    SwitchShape shape;
    shape.bufferBytes = 1 << 20;
    shape.lossless = 0x3;
    shape.ports = {{DataRate("100Gbps"), MicroSeconds(2), 1500},
                   {DataRate("400Gbps"), MicroSeconds(2), 1500}};
    NS_TEST_ASSERT_MSG_EQ(policy->Configure(shape).has_value(), false, "the switch can be");
    const auto buffer = node->GetSharedBuffer();
    buffer->Resize(2);
    const auto store =
        [&](uint16_t port, uint8_t priority, uint32_t headroom, uint32_t shared = 0) {
            const SwitchItem item = MakeItem(port, priority, headroom + shared);
            buffer->Arrive(item, {0, shared, headroom});
            buffer->Move(item);
        };
    const auto forget = [&](uint16_t port, uint8_t priority, uint32_t bytes) {
        buffer->Leave(MakeItem(port, priority, bytes));
    };
    auto recorder = std::make_unique<HeadroomPeakRecorder>();
    recorder->WatchSwitch("s0", node);

    store(0, 0, 100);
    store(0, 1, 200);  // another class of the port, which increases the sum to 300
    store(1, 0, 60);   // another port, which is counted separately
    forget(0, 0, 100); // 300 was a local maximum
    forget(0, 1, 50);  // still falling, so not a maximum
    store(0, 1, 30);
    store(0, 1, 0, 500); // not in headroom, so not counted
    store(0, 1, 120);    // the sum is 300 again
    forget(0, 1, 10);    // ends the second maximum of 300
    store(0, 1, 5);
    forget(0, 1, 5); // 295 was a local maximum
    store(0, 1, 1);  // 291, which is not counted because port 0 releases nothing afterwards
    forget(1, 0, 60);

    NS_TEST_ASSERT_MSG_EQ(ToCsv(recorder->GetTable()),
                          "headroom_bytes,capacity_bytes,peaks\n60,413680,1\n295,113680,1\n"
                          "300,113680,2\n",
                          "each maximum, with what is set aside for its port");
    ExpectStop("sets no headroom aside; it must be a HeadroomBuffer",
               [&recorder] { recorder->WatchSwitch("s0", CreateObject<DropTailSwitchNode>()); });
    // A recorder may be destroyed before the switch is.
    recorder.reset();
    forget(0, 1, 1);
}

/**
 * A switch sends frames of 134 bytes (158 bytes on the wire). The times at which their
 * transmissions start are computed by hand.
 *
 * Host 0 starts to send frames at 0, 1 and 3 us. Each transmission takes 158 ns. The switch
 * receives the frame another 1000 ns later and forwards it at once, at 1158, 2158 and 4158 ns. Of
 * the five whole windows of 1 us within 5500 ns, the second, third and fifth thus contain a frame.
 * The 8 x 158 = 1264 bits in 1 us amount to 1.264 Gb/s.
 */
LOSSLESS_TEST(g_suite, "throughput of flows by windows")
{
    Star star(CreateObject<PfcSwitchNode>(), 4, CABLE);
    ThroughputRecorder recorder(MicroSeconds(1));
    recorder.WatchFlow("wanted", star.m_switch, GetHostAddress(0), GetHostAddress(2));
    recorder.WatchFlow("silent", star.m_switch, GetHostAddress(1), GetHostAddress(2));
    for (const int64_t us : {0, 1, 3})
    {
        Send(star, MicroSeconds(us), 0, 2, 1);
    }
    Send(star, Time(0), 0, 3, 1); // to another receiver
    Send(star, Time(0), 3, 2, 2); // from another sender
    RunFor(NanoSeconds(5500));
    NS_TEST_ASSERT_MSG_EQ(ToCsv(recorder.GetFlowTable()),
                          "time_ns,flow,bits_per_second\n1000,wanted,0\n"
                          "2000,wanted,1264000000\n3000,wanted,1264000000\n4000,wanted,0\n"
                          "5000,wanted,1264000000\n1000,silent,0\n2000,silent,0\n"
                          "3000,silent,0\n4000,silent,0\n5000,silent,0\n",
                          "the table");
}

/// @param pauses the lines of pauses.csv
/// @param frames the node and the number of sent PFC frames of each port
void
Check(const PauseRecorder& recorder, const std::string& pauses, const std::string& frames)
{
    NS_TEST_EXPECT_MSG_EQ(ToCsv(recorder.GetTable()), PAUSES_HEADER + pauses, "pauses");
    std::string sent;
    for (const ControlFrameRecord& record : recorder.GetFrames())
    {
        sent += record.node + " " + std::to_string(record.frames) + " ";
    }
    NS_TEST_EXPECT_MSG_EQ(sent, frames, "of the ports in turn");
}

/// Pauses of classes and of a port start at scripted times; some of them do not end.
LOSSLESS_TEST(g_suite, "Pauses are counted and timed per ingress queue and per port")
{
    auto pfc = CreateObject<ScriptedPfc>();
    auto node = CreateObject<PfcSwitchNode>();
    node->SetFlowControl(pfc);
    node->SetBufferPolicy(CreateObject<PortPolicy>());
    Star star(node, 2, CABLE);
    PauseRecorder recorder;
    recorder.WatchSwitch("s0", node);
    PauseRecorder window;
    window.SetWindow({MicroSeconds(20), MicroSeconds(55)});
    window.WatchSwitch("s0", node);
    const QueueId first{PortId{0}, Priority{3}};
    const QueueId second{PortId{1}, Priority{5}};
    const auto set = [pfc](Time at, QueueId queue, bool paused) {
        Simulator::Schedule(at, &ScriptedPfc::Set, pfc, queue, paused);
    };
    set(MicroSeconds(10), first, true);
    set(MicroSeconds(25), first, false);
    set(MicroSeconds(40), first, true);
    set(MicroSeconds(50), second, true);
    set(MicroSeconds(60), second, false);
    // A shared byte at port 1 pauses the whole port, which resumes when no shared byte is left.
    const SwitchItem item = MakeItem(1, 0, 1);
    Simulator::Schedule(MicroSeconds(70), [=]() {
        node->GetSharedBuffer()->Arrive(item, {0, 1, 0});
        node->GetSharedBuffer()->Move(item);
        pfc->OnArrival(item);
    });
    Simulator::Schedule(MicroSeconds(80), [=]() {
        node->GetSharedBuffer()->Leave(item);
        pfc->OnRelease(item, Simulator::Now().GetTimeStep());
    });

    RunFor(MicroSeconds(100));
    // Of the 16 queues and 2 ports, only two queues and one port are paused. The first queue is
    // paused from 10 to 25 us and from 40 us to the end (100 us), the second queue from 50 to
    // 60 us, and port 1 from 70 to 80 us.
    const std::string others = "s0,1,5,1,1,10000,50000\ns0,1,port,1,1,10000,70000\n";
    Check(recorder, "s0,0,3,2,1,75000,10000\n" + others, "s0 3 s0 4 ");
    // Within the window, the first queue is paused from 20 to 25 us, by a pause that began before
    // the window, and from 40 to 55 us, and the second queue from 50 to 55 us.
    Check(window, "s0,0,3,1,1,20000,40000\ns0,1,5,1,0,5000,50000\n", "s0 3 s0 4 ");

    // The open pause is refreshed after half of 65535 quanta of 512 bits at 8 Gb/s, which is
    // 2.097 ms. There is thus one refresh before 3 ms.
    RunFor(MicroSeconds(2900));
    Check(recorder, "s0,0,3,2,1,2975000,10000\n" + others, "s0 4 s0 4 ");
}

LOSSLESS_TEST(g_suite, "Pause recorder ignores other schemes and may be destroyed early")
{
    PauseRecorder recorder;
    recorder.WatchSwitch("lossy", CreateObject<DropTailSwitchNode>());
    NS_TEST_EXPECT_MSG_EQ(recorder.GetPauses().size(), 0, "no PFC, no pauses");

    auto pfc = CreateObject<ScriptedPfc>();
    auto node = CreateObject<PfcSwitchNode>();
    node->SetFlowControl(pfc);
    Star star(node, 2, CABLE);
    auto shortLived = std::make_unique<PauseRecorder>();
    shortLived->WatchSwitch("s0", node);
    PauseRecorder other;
    other.WatchSwitch("s0", node);
    SpoiledMemory spoiled;
    Simulator::Schedule(DELAY, &ScriptedPfc::Set, pfc, QueueId{}, true);
    Simulator::Schedule(2 * DELAY, [&] {
        NS_TEST_EXPECT_MSG_EQ(shortLived->GetPauses().size(), 1, "the pause");
        shortLived.reset();
        spoiled.Take();
    });
    Simulator::Schedule(3 * DELAY, &ScriptedPfc::Set, pfc, QueueId{}, false);
    RunFor(4 * DELAY);
    NS_TEST_EXPECT_MSG_EQ(ToCsv(other.GetTable()),
                          PAUSES_HEADER + "s0,0,0,1,1,2000,1000\n",
                          "another one hears of the pause and of its end");
}

/// @return verdict/drops of run.json: place, class, whether the class is lossless, whether the loss
/// is a violation, kind, reason, frames and bytes
std::string
ListDrops(const DropRecorder& recorder)
{
    const std::string text = ToCsv(std::get<ResultTable>(recorder.GetFacts().at(0).second));
    return text.substr(text.find('\n') + 1);
}

LOSSLESS_TEST(g_suite, "Drops are counted by place and reason")
{
    Star star(CreateObject<PfcSwitchNode>(), 3, CABLE);
    auto corrupt = CreateObject<RateErrorModel>();
    corrupt->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
    corrupt->SetRate(1);
    star.GetHost(2).device->SetAttribute("ReceiveErrorModel", PointerValue(corrupt));
    star.SetLinkUp(1, false);
    DropRecorder recorder;
    recorder.Watch("s0", star.m_switch);
    recorder.Watch("h2", star.GetHost(2).device->GetNode());
    Send(star, MicroSeconds(10), 0, NOWHERE, 3);
    Send(star, MicroSeconds(20), 0, NOWHERE, 3);
    Send(star, MicroSeconds(30), 0, NOWHERE, 7); // class 7 is lossy by default
    Send(star, MicroSeconds(40), 0, 1, 2);       // this frame is for a link that is down
    Send(star, MicroSeconds(50), 0, 2, 2);       // this frame arrives corrupt at h2
    Simulator::Schedule(MicroSeconds(60), [&star]() {
        PfcHeader pfc;
        pfc.SetQuanta(Priority{3}, 100);
        const auto device = star.m_switch->GetPortDevice(PortId{2});
        // This frame is also lost on arrival at h2.
        device->SendControl(MakePfcFrame(Mac48Address("02:00:00:00:00:09"), pfc));
    });
    Simulator::Run();

    // A frame of 134 B arrives at the switch after its transmission (134 + 24 ns) and the cable
    // delay, at 1158 ns. Flow control cannot prevent any of these losses.
    NS_TEST_EXPECT_MSG_EQ(ListDrops(recorder),
                          "s0,0,3,1,0,data,no-route,2,268\n"
                          "s0,0,7,0,0,data,no-route,1,134\n"
                          "s0,1,2,1,0,data,link-down,1,134\n"
                          "h2,0,,0,0,data,receive-error,1,134\n"
                          "h2,0,,0,0,control,receive-error,1,60\n",
                          "places, reasons and kinds");
    NS_TEST_EXPECT_MSG_EQ(ToCsv(recorder.GetTable()),
                          "node,port,priority,reason,frames,bytes,first_ns,last_ns\n"
                          "s0,0,3,no-route,2,268,11158,21158\n"
                          "s0,0,7,no-route,1,134,31158,31158\n"
                          "s0,1,2,link-down,1,134,41158,41158\n"
                          "h2,0,,receive-error,1,134,52316,52316\n"
                          "h2,0,control,receive-error,1,60,61084,61084\n",
                          "drops.csv has the kind in the place of the class");
}

LOSSLESS_TEST(g_suite, "Drops of a drop-tail switch are at the egress port and violate nothing")
{
    auto node = CreateObject<DropTailSwitchNode>();
    node->GetBufferPolicy()->SetAttribute("QueueLimit", StringValue("1p"));
    Star star(node, 3, CABLE);
    DropRecorder recorder;
    recorder.Watch("s0", node);
    // Both frames arrive at the same time, and the queue to h2 holds only one.
    Send(star, MicroSeconds(1), 0, 2, 4);
    Send(star, MicroSeconds(1), 1, 2, 4);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(ListDrops(recorder),
                          "s0,2,4,0,0,data,egress-limit,1,134\n",
                          "at the egress port; no class is lossless here, so nothing is violated");
}

/// Returns the times of the samples of a run that lasts for the given number of microseconds.
std::string
Sample(int64_t period, uint64_t bound, int64_t stop, int64_t duration, int64_t start = 0)
{
    Star star(CreateObject<PfcSwitchNode>(), 2, CABLE);
    auto sampler = CreateObject<QueueSampler>();
    sampler->SetAttribute("Period", TimeValue(MicroSeconds(period)));
    sampler->SetAttribute("MaxSamples", UintegerValue(bound));
    sampler->SetAttribute("StopTime", TimeValue(MicroSeconds(stop)));
    sampler->SetAttribute("StartTime", TimeValue(MicroSeconds(start)));
    Simulator::Schedule(MicroSeconds(duration), []() {});
    sampler->WatchBuffer("s0", star.m_switch);
    Simulator::Run();
    std::string times;
    for (const QueueSample& sample : sampler->GetSamples())
    {
        times += (times.empty() ? "" : " ") + std::to_string(sample.time.GetMicroSeconds());
    }
    NS_TEST_EXPECT_MSG_LT_OR_EQ(sampler->GetSamples().size(), bound, "bounded memory");
    TimeValue asSet;
    sampler->GetAttribute("Period", asSet);
    NS_TEST_EXPECT_MSG_EQ(asSet.Get(), MicroSeconds(period), "the attribute stays as set");
    Simulator::Destroy();
    return times;
}

/// A sampler halves the number of its samples when there are too many, and it never prolongs a run.
LOSSLESS_TEST(g_suite, "Sampling instants: off by default, halving, end of the run, stop time")
{
    NS_TEST_EXPECT_MSG_EQ(Sample(0, 100, 0, 10), "", "off by default");
    NS_TEST_EXPECT_MSG_EQ(Sample(1, 100, 0, 3), "0 1 2 3", "until nothing else happens");
    NS_TEST_EXPECT_MSG_EQ(Sample(2, 100, 0, 3),
                          "0 2 4",
                          "one more sample shows that nothing else happens");
    NS_TEST_EXPECT_MSG_EQ(Sample(1, 100, 2, 9), "0 1 2", "until the stop time");
    // There are 8 samples at 7 us, so every second one is removed, and the next sample is due at
    // 8 us.
    NS_TEST_EXPECT_MSG_EQ(Sample(1, 8, 0, 12), "0 2 4 6 8 10 12", "an even bound");
    // There are 7 samples at 6 us. The sample at 6 us remains, and the next one is due at 8 us.
    NS_TEST_EXPECT_MSG_EQ(Sample(1, 7, 0, 10), "0 2 4 6 8 10", "an odd bound");
    // The number of samples is halved at 7, 14 and 28 us, which results in a period of 8 us.
    NS_TEST_EXPECT_MSG_EQ(Sample(1, 8, 0, 40), "0 8 16 24 32 40", "halved three times");
    NS_TEST_EXPECT_MSG_EQ(Sample(2, 100, 0, 9, 3), "3 5 7 9", "from a time on");
}

LOSSLESS_TEST(g_suite, "Samples of ingress queues, egress queues and buffers")
{
    Star star(CreateObject<PfcSwitchNode>(), 2, CABLE);
    auto sampler = CreateObject<QueueSampler>();
    sampler->WatchIngress("s0", star.m_switch, {PortId{0}, Priority{3}});
    sampler->WatchEgress("s0", star.m_switch, {PortId{1}, Priority{3}});
    sampler->WatchBuffer("s0", star.m_switch);
    sampler->SetAttribute("Period", TimeValue(NanoSeconds(1200)));
    // The frame arrives at 1158 ns and has left by 1316 ns, so only the sample at 1200 ns includes
    // it. The switch has no event for the departure but must account for it before 2400 ns.
    Send(star, Time(0), 0, 1, 3);
    // At 2 us, the test stores bytes of another port: 100 B in the private buffer, 200 B in the
    // shared buffer and 50 B in the headroom.
    const SwitchItem item = MakeItem(1, 3, 350, 1);
    Simulator::Schedule(NanoSeconds(2000), [&star, item]() {
        star.m_switch->GetSharedBuffer()->Arrive(item, {100, 200, 50});
        star.m_switch->GetSharedBuffer()->Move(item);
    });
    RunFor(NanoSeconds(2500));
    // At 1200 ns, all bytes are in the private buffer; at 2400 ns, only the other port stores
    // bytes.
    NS_TEST_EXPECT_MSG_EQ(ToCsv(sampler->GetTable()),
                          "time_ns,node,port,side,priority,bytes,shared_bytes,headroom_bytes\n"
                          "0,s0,0,ingress,3,0,0,0\n0,s0,1,egress,3,0,,\n0,s0,,buffer,,0,0,0\n"
                          "1200,s0,0,ingress,3,134,0,0\n1200,s0,1,egress,3,134,,\n"
                          "1200,s0,,buffer,,134,0,0\n"
                          "2400,s0,0,ingress,3,0,0,0\n2400,s0,1,egress,3,350,,\n"
                          "2400,s0,,buffer,,350,200,50\n",
                          "three instants, three places");
}

LOSSLESS_TEST(g_suite, "Wrong use of recorders stops the program with a sentence")
{
    const auto expect = [](const std::string& sentence,
                           const std::function<void(QueueSampler&)>& misuse) {
        ExpectStop(sentence, [&misuse] { misuse(*CreateObject<QueueSampler>()); });
    };
    expect("s0 has no queue of port 2 and class 3; it has 2 ports", [](QueueSampler& sampler) {
        Star star(CreateObject<PfcSwitchNode>(), 2, CABLE);
        sampler.WatchEgress("s0", star.m_switch, {PortId{2}, Priority{3}});
    });
    expect("MaxSamples is 3; for 2 queues and buffers it must be at least 4",
           [](QueueSampler& sampler) {
               Star star(CreateObject<PfcSwitchNode>(), 2, CABLE);
               sampler.SetAttribute("MaxSamples", UintegerValue(3));
               sampler.SetAttribute("Period", TimeValue(DELAY));
               sampler.WatchBuffer("s0", star.m_switch);
               sampler.WatchBuffer("again", star.m_switch);
               Simulator::Run();
           });
    expect("late is to be watched from", [](QueueSampler& sampler) {
        Star star(CreateObject<PfcSwitchNode>(), 2, CABLE);
        sampler.SetAttribute("Period", TimeValue(DELAY));
        sampler.WatchBuffer("s0", star.m_switch);
        Simulator::Run();
        sampler.WatchBuffer("late", star.m_switch);
    });
    expect("ns3::Node is not a NIC",
           [](QueueSampler&) { FlowRecorder().Watch(CreateObject<Node>()); });
    expect("a second flow with id 7 starts", [](QueueSampler&) {
        auto nic = CreateObject<FakeNic>();
        FlowRecorder recorder;
        recorder.Watch(nic);
        nic->m_started(MakeRecord(7, 1, Time(0)));
        nic->m_started(MakeRecord(7, 1, Time(0)));
    });
}

LOSSLESS_TEST(g_suite, "Wrong use of results stops the program with a sentence")
{
    ExpectStop("two nodes are called \"h0\"", [] {
        ResultsWriter results("");
        results.AddNode("h0", CreateObject<Node>());
        results.AddNode("h0", CreateObject<Node>());
    });
    ExpectStop("a second fabric is added", [] {
        Fabric fabric(Topology::Star({2, RATE, DELAY}), SwitchHelper());
        ResultsWriter results("");
        results.AddFabric(fabric);
        results.AddFabric(fabric);
    });
    ExpectStop("a node is called \"a,b\"",
               [] { ResultsWriter("").AddNode("a,b", CreateObject<Node>()); });
    for (const std::string name : {"flows", "mine"})
    {
        ExpectStop("a second table is called \"" + name + "\"", [&name] {
            ResultsWriter results("");
            results.AddTable("mine", [] { return ResultTable(); });
            results.AddTable(name, [] { return ResultTable(); });
        });
    }
    ExpectStop("the simulation of h0 is destroyed already", [] {
        Fabric fabric(Topology::Star({2, RATE, DELAY}), SwitchHelper());
        ResultsWriter results("");
        results.AddFabric(fabric);
        Simulator::Destroy();
        results.Finish();
    });
    ExpectStop("the simulation of h0 is destroyed already", [] {
        lossless::Experiment experiment("test.cc", "A test.");
        ParseArguments(experiment, {});
        Fabric fabric(Topology::Star({2, RATE, DELAY}), experiment.MakeSwitchHelper());
        experiment.GetResults().AddFabric(fabric);
        experiment.Finish();
        experiment.Finish();
    });
    ExpectStop("Parse() must come before GetResults() and Finish()",
               [] { lossless::Experiment("test.cc", "A test.").Finish(); });
}

LOSSLESS_TEST(g_suite, "Flows of real NICs")
{
    Fabric fabric(Topology::Star({2, RATE, DELAY}), SwitchHelper());
    FlowRecorder recorder;
    WatchHosts(recorder, fabric);
    fabric.StartFlows(
        {{5, 0, 1, 3, 500, MicroSeconds(3), ""}, {4, 1, 0, 3, 1000000000, MicroSeconds(50), ""}});
    RunFor(MicroSeconds(100));

    // The only packet of the flow is stored and forwarded once.
    const int64_t hop = RoceNic::GetFrameBytes(500) + WIRE_OVERHEAD_BYTES + 1000;
    NS_TEST_ASSERT_MSG_EQ(recorder.GetFlows().size(), 2, "flows");
    const FlowRecord& done = recorder.GetFlows().at(5);
    NS_TEST_EXPECT_MSG_EQ(done.start, MicroSeconds(3), "start");
    NS_TEST_EXPECT_MSG_EQ(done.GetCompletionTime(), NanoSeconds(2 * hop), "completion time");
    NS_TEST_EXPECT_MSG_EQ(done.isReceived, true, "arrived");
    NS_TEST_EXPECT_MSG_EQ(recorder.GetFlows().at(4).isReceived, false, "1 GB takes longer");
}

LOSSLESS_TEST(g_suite, "The records of both ends of a flow are joined")
{
    auto sender = CreateObject<FakeNic>();
    auto receiver = CreateObject<FakeNic>();
    FlowRecorder recorder;
    recorder.Watch(sender);
    recorder.Watch(receiver);
    FlowRecord record = MakeRecord(7, 1000, MicroSeconds(2));
    sender->m_started(record);
    record.retransmitted = 3;
    sender->m_retransmitted(record);
    FlowRecord atReceiver = MakeRecord(7, 1000, MicroSeconds(2));
    atReceiver.received = MicroSeconds(5);
    atReceiver.isReceived = true;
    receiver->m_received(atReceiver);
    const FlowRecord& joined = recorder.GetFlows().at(7);
    NS_TEST_EXPECT_MSG_EQ(joined.retransmitted, 3, "before it is acknowledged");
    NS_TEST_EXPECT_MSG_EQ(joined.received, MicroSeconds(5), "of the receiver");
    NS_TEST_EXPECT_MSG_EQ(joined.acknowledged, Time(0), "not yet");
    record.acknowledged = MicroSeconds(6);
    sender->m_acknowledged(record);
    NS_TEST_EXPECT_MSG_EQ(joined.received, MicroSeconds(5), "not taken from the sender");
    NS_TEST_EXPECT_MSG_EQ(joined.acknowledged, MicroSeconds(6), "of the sender");
    NS_TEST_EXPECT_MSG_EQ(joined.retransmitted, 3, "still");
    // Only the receiving NIC of this flow is watched.
    receiver->m_received(MakeRecord(8, 50, MicroSeconds(4)));
    NS_TEST_EXPECT_MSG_EQ(recorder.GetFlows().at(8).flow.bytes, 50, "the flow");
    NS_TEST_EXPECT_MSG_EQ(recorder.GetFlows().at(8).start, MicroSeconds(4), "its start");
}

/// Three hosts, h0 to h2, are connected to a switch. One of four flows does not start.
struct Experiment
{
    explicit Experiment(const std::string& folder)
        : results(folder),
          nic(CreateObject<FakeNic>())
    {
        topology = Topology::Star({3, RATE, DELAY});
        results.AddNic(nic);
        results.Get<FlowPlan>()->SetFlows({{1, 0, 1, 3, 1000, MicroSeconds(1), "burst"},
                                           {2, 0, 1, 3, 3000, MicroSeconds(2), "burst"},
                                           {9, 1, 2, 4, 50, MicroSeconds(900), ""}},
                                          topology);
        results.Get<FlowPlan>()->SetIdealFct(
            [](const FlowSpec& flow) { return NanoSeconds(static_cast<int64_t>(flow.bytes) * 3); });
        Start(2, 3000, MicroSeconds(2));
        Start(1, 1000, MicroSeconds(1));
        Start(12, 77, NanoSeconds(4500)); // flow 12 is not in the list of flows
    }

    void Start(uint64_t id, uint64_t bytes, Time start)
    {
        nic->m_started(MakeRecord(id, bytes, start));
    }

    void Receive(uint64_t id, uint64_t bytes, Time start, Time received)
    {
        FlowRecord record = MakeRecord(id, bytes, start);
        record.received = received;
        record.isReceived = true;
        nic->m_received(record);
    }

    Topology topology;
    ResultsWriter results;
    Ptr<FakeNic> nic;
};

/// Returns a path in the running test's own folder, which is empty when the test starts.
std::string
GetPath(const std::string& name)
{
    static fs::path latest;
    const fs::path folder = CreateTempDirFilename("results");
    if (folder != latest)
    {
        latest = folder;
        fs::remove_all(folder);
        fs::create_directories(folder);
    }
    return (folder / name).string();
}

std::string
List()
{
    return ListFolder(GetPath("."));
}

void
ExpectVerdict(const ResultsWriter& results,
              RunOutcome outcome,
              const std::vector<std::string>& problems)
{
    const RunVerdict verdict = results.GetVerdict();
    NS_TEST_EXPECT_MSG_EQ(verdict.outcome, outcome, "outcome");
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(verdict.problems, problems), "", "sentences");
}

LOSSLESS_TEST(g_suite, "flows.csv and unfinished flows")
{
    Experiment run(GetPath("run"));
    run.Receive(1, 1000, MicroSeconds(1), MicroSeconds(5));
    auto verdict = run.results.GetVerdict();
    NS_TEST_EXPECT_MSG_EQ(verdict.flows, 4, "3 in the list, 1 beside it");
    NS_TEST_EXPECT_MSG_EQ(verdict.unfinishedFlows, 3, "one was received");
    ExpectVerdict(
        run.results,
        RunOutcome::UNFINISHED,
        {"3 of 4 flows unfinished after 0s; the first is flow 2 from h0 to h1 (3 000 B)."});
    NS_TEST_EXPECT_MSG_EQ(run.results.Write().has_value(), false, "written");
    // Flow 1 takes 4000 ns instead of 3 x 1000 ns, so its slowdown is 1.333333.
    NS_TEST_EXPECT_MSG_EQ(
        ReadFile(GetPath("run/flows.csv")),
        "id,source,destination,priority,bytes,start_ns,fct_ns,ideal_ns,slowdown,group,"
        "retransmitted,marked,cnps,naks\n"
        "1,h0,h1,3,1000,1000,4000,3000,1.333333,burst,0,,,\n"
        "2,h0,h1,3,3000,2000,,9000,,burst,0,,,\n"
        "9,h1,h2,4,50,900000,,150,,,,,,\n"
        "12,10.0.0.1,10.0.0.2,3,77,4500,,,,,0,,,\n",
        "flows.csv");
}

/// @param numbers the expected numbers of flows and of unfinished flows, mean completion time and
/// mean slowdown
/// @param ends the start and end of the window, as written in the file
void
Check(const std::string& folder,
      const MeasureWindow& window,
      const std::string& numbers,
      const std::string& ends)
{
    Experiment run(GetPath(folder));
    run.results.Get<WindowStatistics>()->SetWindow(window);
    run.Receive(1, 1000, MicroSeconds(1), MicroSeconds(5));
    NS_TEST_EXPECT_MSG_EQ(run.results.Write().has_value(), false, "written");
    const JsonReader json(ReadFile(GetPath(folder + "/run.json")));
    const auto get = [&json](const std::string& name) {
        return json.Get("measured/" + name).substr(0, 7);
    };
    NS_TEST_EXPECT_MSG_EQ(get("flows") + " " + get("unfinished_flows") + " " + get("mean_fct_ns") +
                              " " + get("mean_slowdown"),
                          numbers,
                          folder);
    NS_TEST_EXPECT_MSG_EQ(get("from_ns") + " " + get("until_ns"), ends, folder);
    Simulator::Destroy();
}

LOSSLESS_TEST(g_suite, "statistics of a window of time")
{
    Check("all", {}, "4 3 4000 1.33333", "0 null");
    Check("late", {MicroSeconds(2), {}}, "3 3 null null", "2000 null");
    // The window excludes its end.
    Check("early", {MicroSeconds(1), MicroSeconds(900)}, "3 2 4000 1.33333", "1000 900000");
    const auto found = GetDistribution({40, 10, 20, 30});
    NS_TEST_EXPECT_MSG_EQ(found->mean, 25, "100 / 4");
    NS_TEST_EXPECT_MSG_EQ(found->median, 25, "between 20 and 30");
    NS_TEST_EXPECT_MSG_EQ_TOL(found->p99, 39.7, 1e-9, "97 % of the way from 30 to 40");
}

using Kind = PauseRecord::Kind;

PauseRecord
MakePause(Kind kind, int64_t us)
{
    PauseRecord record;
    record.kind = kind;
    record.paused = MicroSeconds(us);
    return record;
}

QueueSample
MakeSample(int64_t us, QueueSide side, uint64_t bytes)
{
    return {MicroSeconds(us), "s0", side, QueueId{}, bytes};
}

LOSSLESS_TEST(g_suite, "statistics of pauses and buffers, in a window and behind the end of a run")
{
    // All pauses count towards the sum, but timed pauses are excluded from the maximum.
    const std::vector<PauseRecord> pauses{MakePause(Kind::FLOWS, 3),
                                          MakePause(Kind::CLASS, 5),
                                          MakePause(Kind::PORT, 4),
                                          MakePause(Kind::TIMED, 8)};
    // The buffer samples of 400 and 200 B are within the window, which excludes its end.
    const std::vector<QueueSample> samples{MakeSample(9, QueueSide::BUFFER, 1000),
                                           MakeSample(10, QueueSide::BUFFER, 400),
                                           MakeSample(20, QueueSide::INGRESS, 5000),
                                           MakeSample(20, QueueSide::BUFFER, 200),
                                           MakeSample(20, QueueSide::EGRESS, 7000),
                                           MakeSample(30, QueueSide::BUFFER, 9000)};
    const MeasureWindow window{MicroSeconds(10), MicroSeconds(30)};
    const RunStatistics found = GetStatistics(window, MicroSeconds(50), {}, pauses, samples);
    NS_TEST_EXPECT_MSG_EQ(found.from, MicroSeconds(10), "begin");
    NS_TEST_EXPECT_MSG_EQ(found.until, MicroSeconds(30), "end of the window, not of the run");
    NS_TEST_EXPECT_MSG_EQ(found.paused, MicroSeconds(20), "3 + 5 + 4 + 8");
    NS_TEST_EXPECT_MSG_EQ_TOL(found.maxPausedShare.value_or(-1), 0.25, 1e-12, "5 of 20 us");
    NS_TEST_EXPECT_MSG_EQ(found.meanBufferBytes.value_or(-1), 300, "of 400 and 200 B");
    NS_TEST_EXPECT_MSG_EQ(found.fctNs.has_value(), false, "no flow");
    // One run ends within the window, and another one ends before it.
    const RunStatistics cut = GetStatistics(window, MicroSeconds(20), {}, pauses, samples);
    NS_TEST_EXPECT_MSG_EQ(cut.until, MicroSeconds(20), "end of the run");
    NS_TEST_EXPECT_MSG_EQ_TOL(cut.maxPausedShare.value_or(-1), 0.5, 1e-12, "5 of 10 us");
    const RunStatistics none =
        GetStatistics({MicroSeconds(60), {}}, MicroSeconds(50), {}, {}, samples);
    NS_TEST_EXPECT_MSG_EQ(none.until, MicroSeconds(60), "no time at all");
    NS_TEST_EXPECT_MSG_EQ(none.maxPausedShare.has_value(), false, "of no time");
    NS_TEST_EXPECT_MSG_EQ(none.meanBufferBytes.has_value(), false, "no sample");
}

void
Expect(const RunSymptoms& symptoms, const std::vector<std::string>& sentences)
{
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(ExplainSlowness(symptoms), sentences), "", "");
}

void
ExpectOfOthers(RunSymptoms symptoms, const std::string& again)
{
    symptoms.reliability = "Unordered";
    Expect(symptoms, {again + " for 1 001 lost frames."});
    symptoms.lostFrames = 1;
    Expect(symptoms, {again + " for 1 lost frame: the others were late, and taken for lost."});
    symptoms.lostFrames = 0;
    symptoms.isAdaptive = false;
    Expect(symptoms,
           {again + " though no frame was lost: packets overtook each other, which Unordered "
                    "takes for loss."});
    symptoms.signals.timeouts = 1;
    Expect(symptoms,
           {again + " though no frame was lost: packets overtook each other, which Unordered "
                    "takes for loss; besides, 1 timeout."});
    symptoms.signals.timeouts = 1200;
    Expect(symptoms,
           {again + " though no frame was lost: packets overtook each other, which Unordered "
                    "takes for loss; besides, 1 200 timeouts."});
    symptoms.signals.outOfOrder = 0;
    Expect(symptoms,
           {again + " though no frame was lost: their answers took longer than the timeouts "
                    "of Unordered."});
}

LOSSLESS_TEST(g_suite, "Why a run was slow")
{
    RunSymptoms symptoms;
    symptoms.signals.dataSent = 1000001;
    symptoms.signals.retransmitted = 1000;
    symptoms.pauses = 3;
    symptoms.markedFrames = 1;
    symptoms.livesOnMarks = "DCQCN";
    Expect(symptoms, {});
    symptoms.signals.retransmitted = 1001;
    const std::string again = "1 001 of 1 000 001 data packets were sent again";
    Expect(symptoms,
           {again + " though no frame was lost: their answers took longer than "
                    "RoceNic::RetransmitTimeout."});
    symptoms.signals.outOfOrder = 1;
    Expect(symptoms,
           {again + " though no frame was lost: packets overtook each other, which go-back-N "
                    "takes for loss."});
    symptoms.isAdaptive = true;
    Expect(symptoms,
           {again + " though no frame was lost: packets overtook each other under adaptive "
                    "routing, which go-back-N takes for loss."});
    symptoms.lostFrames = 1;
    Expect(symptoms,
           {again + " for 1 lost frame: go-back-N repeats all that was sent behind a lost one."});
    symptoms.signals.timeouts = 2;
    Expect(symptoms,
           {again +
            " for 1 lost frame: go-back-N repeats all that was sent behind a lost one; flows "
            "waited for 2 timeouts (RoceNic::RetransmitTimeout)."});
    symptoms.signals.timeouts = 0;
    symptoms.lostFrames = 1001;
    Expect(symptoms, {again + " for 1 001 lost frames."});
    ExpectOfOthers(symptoms, again);
    symptoms.signals.retransmitted = 0;
    symptoms.markedFrames = 0;
    Expect(symptoms,
           {"3 pauses, but 0 frames marked: flow control acted before ECN, so that DCQCN never "
            "slowed a flow down."});
    // One mark per hundred pauses is enough to avoid the message.
    symptoms.pauses = 44292;
    symptoms.markedFrames = 443;
    Expect(symptoms, {});
    symptoms.markedFrames = 208;
    Expect(symptoms,
           {"44 292 pauses, but 208 frames marked: flow control acted before ECN, so that DCQCN "
            "hardly slowed a flow down."});
    symptoms.pauses = 3;
    symptoms.markedFrames = 0;
    symptoms.hasMarker = false;
    const std::string none = "No switch marks frames, so that DCQCN never slowed a flow down; set "
                             "SwitchNode::Marker, or choose the congestion control by the option "
                             "--congestion-control, which sets both.";
    Expect(symptoms, {none});
    symptoms.pauses = 0;
    Expect(symptoms, {none});
    symptoms.hasMarker = true;
    Expect(symptoms, {});
    symptoms.isEcnCapable = false;
    Expect(symptoms,
           {"No packet can be marked, since RoceNic::EcnCapable is false, so that DCQCN never "
            "slowed a flow down."});
    symptoms.isEcnCapable = true;
    symptoms.livesOnTelemetry = "HPCC";
    symptoms.signals.pathSwitches = 5;
    Expect(symptoms, {});
    symptoms.signals.pathSwitches = 6;
    Expect(symptoms,
           {"A path has 6 switches, and telemetry has room for the first 5 of them, so that "
            "HPCC did not see the queues of the others."});
    symptoms.signals.pathSwitches = 0;
    symptoms.ackInterval = 20;
    Expect(symptoms,
           {"Up to 20 packets share an answer (RoceNic::AckInterval), and HPCC measures once "
            "an answer: flows may take longer to get equal shares than with an answer to each "
            "packet, as in its paper."});
    symptoms.hasTelemetry = false;
    Expect(symptoms,
           {"No switch writes telemetry, since SwitchNode::Telemetry is false, so that HPCC "
            "never slowed a flow down."});
    symptoms.livesOnTelemetry = "";
    symptoms.hasMarker = false;
    symptoms.livesOnMarks = "";
    Expect(symptoms, {});
    symptoms.idle = {0x08, 0x14, 50, 1000};
    Expect(symptoms, {});
    symptoms.idle.bytes = 51;
    Expect(symptoms,
           {"Classes without flows (2, 4) have headroom that no other class can use: 51 B of a "
            "switch's 1 000 B; leave them out (--lossless-classes in lossless-run and hpcc-run; "
            "elsewhere the bit mask --ns3::lossless::SwitchNode::LosslessClasses=8)."});
    symptoms.idle = {};
    symptoms.isInControlClass = true;
    Expect(symptoms,
           {"Flows have class 7, which switches send before all others for the acknowledgements "
            "and CNPs in it; write another one (lossless-run: --classes, or --collective-class)."});
    symptoms.isInControlClass = false;
    symptoms.idleShares = "DwrrScheduler";
    Expect(symptoms,
           {"All flows have one class, so that DwrrScheduler::Quanta had no classes to divide a "
            "port between."});
    symptoms.idleShares = "";
    symptoms.deadEnd = "host2";
    Expect(symptoms,
           {"Switch host2 has a single link, so that no path leads through it; a host in a file of "
            "links is named h and a number, or has the kind host (kind_a, kind_b)."});
}

/// A congestion control that handles CNPs and, if an attribute is set, also requests them.
class CnpReader : public RateCongestionControl
{
  public:
    LOSSLESS_TEST_TYPE(
        CnpReader,
        RateCongestionControl,
        .AddConstructor<CnpReader>().AddAttribute("Requests",
                                                  "Whether it requests CNPs.",
                                                  BooleanValue(false),
                                                  MakeBooleanAccessor(&CnpReader::m_requests),
                                                  MakeBooleanChecker()));

    CongestionFeedback GetFeedback() const override
    {
        return {m_requests};
    }

    void NotifyCnp(Time /* now */) override
    {
    }

  private:
    bool m_requests{false}; ///< whether the control requests CNPs
};

/// @return the symptoms that concern marks, from a run on a star of two hosts
RunSymptoms
FindMarkSymptoms(const std::string& control, const std::string& marker, const std::string& rate)
{
    const Fabric fabric(Topology::Star({2, DataRate(rate), MicroSeconds(1)}),
                        SwitchHelper(),
                        MakeNics({{"CongestionControl", control}}));
    fabric.GetSwitch(0)->SetAttribute("Marker", StringValue(marker));
    auto network = CreateObject<MeasuredNetwork>();
    network->WatchSwitch("sw0", fabric.GetSwitch(0));
    network->WatchNic({"h0", fabric.GetNic(0), fabric.GetNic(0), fabric.GetHostDevice(0)});
    const RunSymptoms found = FindSymptoms(*network);
    Simulator::Destroy();
    RunSymptoms symptoms;
    symptoms.livesOnMarks = "Some";
    symptoms.misfit = found.misfit;
    symptoms.withoutCnps = found.withoutCnps;
    return symptoms;
}

LOSSLESS_TEST(g_suite, "Default thresholds at another rate than theirs are told")
{
    const std::string dcqcn = "ns3::lossless::Dcqcn";
    const std::string red = "ns3::lossless::RedMarker";
    RunSymptoms symptoms = FindMarkSymptoms(dcqcn, red, "400Gbps");
    Expect(symptoms, {}); // without marks, the thresholds do not matter
    symptoms.markedFrames = 1;
    Expect(symptoms,
           {"The default thresholds of RedMarker are meant for 100Gbps, and no switch port has "
            "that rate (the fastest: 400Gbps); --ns3::lossless::EcnMarker::ReferenceRate=100Gbps "
            "scales them to each port's rate (doc/congestion-control.rst)."});
    for (const auto& [marker, rate] : std::map<std::string, std::string>{
             {red, "100Gbps"},
             {red + "[ReferenceRate=100Gbps]", "400Gbps"},
             {red + "[MinBytes=1600000|MaxBytes=6400000]", "400Gbps"},
             {"ns3::lossless::StepMarker", "25Gbps"},
             {"ns3::lossless::EcnMarker", "400Gbps"}})
    {
        const RunSymptoms fit = FindMarkSymptoms(dcqcn, marker, rate);
        NS_TEST_EXPECT_MSG_EQ(fit.misfit.marker, "", marker << " at " << rate);
    }
    const auto step = FindMarkSymptoms(dcqcn, "ns3::lossless::StepMarker", "100Gbps").misfit;
    NS_TEST_EXPECT_MSG_EQ(step.meantRate, DataRate("25Gbps"), "FAFC's settings");
}

LOSSLESS_TEST(g_suite, "A control that handles CNPs without requesting them is told")
{
    const std::string own = CnpReader::GetTypeId().GetName();
    RunSymptoms symptoms = FindMarkSymptoms(own, "ns3::lossless::RedMarker", "100Gbps");
    Expect(symptoms, {});
    symptoms.markedFrames = 7182;
    Expect(symptoms,
           {"7 182 frames marked, but " + own +
            " received no CNP for its NotifyCnp(); its GetFeedback() must return notifications "
            "= true."});
    const auto asking =
        FindMarkSymptoms(own + "[Requests=true]", "ns3::lossless::RedMarker", "100Gbps");
    NS_TEST_EXPECT_MSG_EQ(asking.withoutCnps, "", "requests them");
    for (const CongestionControlInfo& choice : GetParts<CongestionControlInfo>())
    {
        const auto symptomsOf = FindMarkSymptoms(choice.type, "ns3::lossless::RedMarker", "1Gbps");
        NS_TEST_EXPECT_MSG_EQ(symptomsOf.withoutCnps, "", choice.name);
    }
}

/// Checks that flows, NICs, the switch and run.json have the same counts.
/// @return the number of marked frames that have arrived
uint64_t
Compare(const Fabric& fabric, const SignalRecorder& recorder)
{
    FlowSignals sum;
    for (const auto& [id, signals] : recorder.GetFlows())
    {
        sum.marked += signals.marked;
        sum.cnps += signals.cnps;
        sum.naks += signals.naks;
    }
    const NicSignals total = recorder.GetTotal();
    NS_TEST_EXPECT_MSG_EQ(recorder.GetFlows().size(), 2, "two flows");
    NS_TEST_EXPECT_MSG_EQ(sum.cnps, total.cnpsSent, "notifications");
    NS_TEST_EXPECT_MSG_EQ(sum.naks, total.naksSent, "negative acknowledgements");
    NS_TEST_EXPECT_MSG_EQ(recorder.CountMarks(), fabric.GetSwitch(0)->GetCounts().marked, "");
    const std::vector<std::pair<std::string, uint64_t>> expected{
        {"/data_packets", total.dataSent},
        {"/timeouts", total.timeouts},
        {"/marked_frames", recorder.CountMarks()},
        {"/trimmed_frames", recorder.CountTrims()},
        {"/cnps", total.cnpsSent},
        {"/naks", total.naksSent}};
    std::vector<std::pair<std::string, uint64_t>> facts;
    for (const auto& [name, fact] : recorder.GetFacts())
    {
        facts.emplace_back(name, std::get<uint64_t>(std::get<ResultCell>(fact).Get()));
    }
    NS_TEST_EXPECT_MSG_EQ((facts == expected), true, "members of run.json");
    return sum.marked;
}

struct Outcome
{
    NicSignals total;    ///< signals of all NICs
    uint64_t marks{0};   ///< number of marked frames
    uint64_t arrived{0}; ///< number of marked frames that have arrived
};

Outcome
Run(uint64_t buffer, const std::string& type)
{
    SwitchHelper switches(type);
    switches.SetBufferAttribute("Size", UintegerValue(buffer));
    switches.SetMarker("ns3::lossless::StepMarker", "Threshold", UintegerValue(20000));
    Fabric fabric(Topology::Star({3, DataRate("100Gbps"), MicroSeconds(1)}),
                  switches,
                  MakeNics({{"CongestionControl", "ns3::lossless::Dcqcn"}}));
    SignalRecorder recorder;
    recorder.WatchSwitch("s0", fabric.GetSwitch(0));
    for (uint32_t host = 0; host < 3; ++host)
    {
        recorder.WatchNic("h" + std::to_string(host), PortId{0}, fabric.GetNic(host));
    }
    fabric.StartFlows({{0, 0, 2, 3, 1000000, Time(0), ""}, {1, 1, 2, 3, 1000000, Time(0), ""}});
    RunFor(MicroSeconds(20)); // ends while both flows are in progress
    const uint64_t arrived = Compare(fabric, recorder);
    NS_TEST_EXPECT_MSG_GT(arrived, 0, "marks of flows that have not ended");
    NS_TEST_EXPECT_MSG_GT(recorder.CountMarks(), arrived, "marked frames wait in the switch");
    RunFor(Seconds(1));
    const Outcome end{recorder.GetTotal(), recorder.CountMarks(), Compare(fabric, recorder)};
    const auto rows = recorder.GetTable().rows;
    NS_TEST_EXPECT_MSG_EQ(rows.size(), 4, "the port that marks, senders and receiver");
    Simulator::Destroy();
    return end;
}

LOSSLESS_TEST(g_suite, "Signals by flow and by port add up")
{
    // Two hosts send 1 MB each. Packets are marked when 20 kB are waiting, and no packet is lost.
    const auto [marked, marks, arrived] = Run(1 << 24, "ns3::lossless::PfcSwitchNode");
    NS_TEST_EXPECT_MSG_EQ(marked.dataSent, 2000, "packets of 1000 B");
    NS_TEST_EXPECT_MSG_EQ(marked.retransmitted, 0, "none is lost");
    NS_TEST_EXPECT_MSG_EQ(marked.naksSent, 0, "none is missed");
    NS_TEST_EXPECT_MSG_GT(marked.cnpsSent, 0, "senders are notified");
    NS_TEST_EXPECT_MSG_GT(marks, marked.cnpsSent, "at most once in an interval");
    NS_TEST_EXPECT_MSG_EQ(arrived, marks, "all arrive");
    // With a small buffer, frames are lost.
    const NicSignals lost = Run(40000, "ns3::lossless::DropTailSwitchNode").total;
    NS_TEST_EXPECT_MSG_GT(lost.naksSent, 0, "gaps");
    NS_TEST_EXPECT_MSG_EQ(lost.dataSent - lost.retransmitted, 2000, "each once, or more often");
}

LOSSLESS_TEST(g_suite, "a flow that arrives in the first instant is finished")
{
    Experiment run(GetPath("run"));
    run.Start(9, 50, Time(0));
    run.Receive(9, 50, Time(0), Time(0));
    NS_TEST_EXPECT_MSG_EQ(run.results.GetVerdict().unfinishedFlows, 3, "the others are not");
    NS_TEST_EXPECT_MSG_EQ(run.results.Get<FlowRecorder>()->CountFinished(), 1, "it is");
    run.Receive(9, 50, Time(0), Time(0));
    NS_TEST_EXPECT_MSG_EQ(run.results.Get<FlowRecorder>()->CountFinished(), 1, "once");
}

LOSSLESS_TEST(g_suite, "Losslessness is violated by want of buffer in lossless classes only")
{
    auto node = CreateObject<PfcSwitchNode>();
    node->SetBufferPolicy(CreateObject<FullPolicy>());
    Star star(node, 2, CABLE);
    ResultsWriter results(GetPath("run"));
    results.AddNode("s0", node);
    Send(star, MicroSeconds(10), 0, 1, 3);
    Send(star, MicroSeconds(20), 0, 1, 7); // class 7 is lossy by default
    Send(star, MicroSeconds(30), 0, NOWHERE, 3);
    Simulator::Run();
    const auto verdict = results.GetVerdict();
    NS_TEST_EXPECT_MSG_EQ(verdict.lostFrames, 3, "all are lost");
    NS_TEST_EXPECT_MSG_EQ(verdict.losslessClassFrames, 1, "the first is a violation");
    NS_TEST_EXPECT_MSG_EQ(verdict.losslessClassBytes, 134, "its bytes");
    NS_TEST_EXPECT_MSG_EQ(node->GetCounts().losslessDropped, 1, "the switch counts the same");
    ExpectVerdict(
        results,
        RunOutcome::VIOLATED,
        {"Frames lost for lack of buffer in lossless classes: 1 (134 B); most at s0, port 0, class "
         "3 (headroom-full): 1 (134 B).",
         "Other frames lost: 2 (268 B); most at s0, port 0, class 3 (no-route): 1 (134 B)."});
    NS_TEST_EXPECT_MSG_EQ(results.Write().has_value(), false, "written");
    // The drops are sorted by class, then by reason.
    const JsonReader json(ReadFile(GetPath("run/run.json")));
    const std::vector<std::string> places{"3 headroom-full true true",
                                          "3 no-route true false",
                                          "7 headroom-full false false"};
    for (std::size_t i = 0; i < places.size(); ++i)
    {
        const std::string path = "verdict/drops/" + std::to_string(i) + "/";
        const std::string found = json.Get(path + "priority") + " " + json.Get(path + "reason") +
                                  " " + json.Get(path + "lossless_class") + " " +
                                  json.Get(path + "violation");
        NS_TEST_EXPECT_MSG_EQ(found, places[i], path);
    }
}

/// In the line h0 - s0 - s1 - h1, h0 sends a packet to h1, and h1 sends the acknowledgement and a
/// frame to an unknown address. Returns flows.csv.
std::string
Run(const std::string& name, bool startFirst)
{
    Fabric fabric(Topology::Line({{1, 1}, RATE, RATE, DELAY}), SwitchHelper());
    const FlowList flows{{7, 0, 1, 3, 500, Time(0), "burst"}, // starts immediately
                         {8, 1, 0, 4, 1, MicroSeconds(900), ""}};
    ResultsWriter results(GetPath(name));
    if (startFirst)
    {
        fabric.StartFlows(flows);
    }
    results.AddFabric(fabric);
    if (!startFirst)
    {
        fabric.StartFlows(flows);
    }
    BurstSource source(fabric.GetHostDevice(1));
    source.SendIn(MicroSeconds(50),
                  MakeUdpFrame(GetHostAddress(1), Ipv4Address("10.9.9.9"), 0, 134, 0));
    RunFor(MicroSeconds(100));
    NS_TEST_EXPECT_MSG_EQ(results.Write().has_value(), false, "written");
    const JsonReader json(ReadFile(GetPath(name + "/run.json")));
    // The packet and its acknowledgement are each sent by one NIC and two switches.
    NS_TEST_EXPECT_MSG_EQ(json.Get("packet_hops"), "6", "packet-hops");
    NS_TEST_EXPECT_MSG_EQ(json.Get("verdict/unfinished_flows"), "1", "flow 8");
    NS_TEST_EXPECT_MSG_EQ(json.Get("verdict/drops/0/node"), "s1", "named by the topology");
    NS_TEST_EXPECT_MSG_EQ(ReadFile(GetPath(name + "/topology.csv")),
                          "node_a,node_b,rate,delay,error_rate,failed,kind_a,kind_b\n"
                          "h0,s0,8Gbps,1000ns,0,0,host,switch\n"
                          "h1,s1,8Gbps,1000ns,0,0,host,switch\n"
                          "s0,s1,8Gbps,1000ns,0,0,switch,switch\n",
                          "the links, in the form of Topology::FromCsv()");
    Simulator::Destroy();
    return ReadFile(GetPath(name + "/flows.csv"));
}

LOSSLESS_TEST(g_suite, "A fabric's nodes, flows, ideal completion times and packet-hops")
{
    const std::string first = Run("before", true);
    NS_TEST_EXPECT_MSG_EQ(Run("after", false), first, "the order does not matter");
    // Both switches store and forward the frame. Links have a rate of 1 B/ns and a delay of 1 us.
    // Flow 8 starts after the end of the run.
    const std::string fct = std::to_string(
        3 * (RoceNic::GetFrameBytes(500) + WIRE_OVERHEAD_BYTES + DELAY.GetNanoSeconds()));
    const std::string other = std::to_string(
        3 * (RoceNic::GetFrameBytes(1) + WIRE_OVERHEAD_BYTES + DELAY.GetNanoSeconds()));
    NS_TEST_EXPECT_MSG_EQ(
        first,
        "id,source,destination,priority,bytes,start_ns,fct_ns,ideal_ns,slowdown,group,"
        "retransmitted,marked,cnps,naks\n"
        "7,h0,h1,3,500,0," +
            fct + "," + fct + ",1.000000,burst,0,0,0,0\n8,h1,h0,4,1,900000,," + other + ",,,,,,\n",
        "flows.csv");
}

LOSSLESS_TEST(g_suite, "The sentence about a loss at a device names no class")
{
    Star star(CreateObject<PfcSwitchNode>(), 2, CABLE);
    ResultsWriter results("");
    results.AddNode("s0", star.m_switch);
    auto errors = CreateObject<RateErrorModel>();
    errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
    errors->SetRate(1);
    star.m_switch->GetDevice(0)->SetAttribute("ReceiveErrorModel", PointerValue(errors));
    Send(star, MicroSeconds(10), 0, 1, 3);
    Simulator::Run();
    ExpectVerdict(results,
                  RunOutcome::LOSSY,
                  {"Frames lost: 1 (134 B); most at s0, port 0 (receive-error): 1 (134 B)."});
}

const std::string NOTHING_SENT =
    "Nothing was measured: there was no flow, and no switch and no RoCE NIC has sent a frame.";

LOSSLESS_TEST(g_suite, "A run without a network, or without flows and frames, is empty")
{
    const ResultsWriter nothing("");
    ExpectVerdict(nothing,
                  RunOutcome::EMPTY,
                  {"Nothing was measured: no network was added to the results; "
                   "ResultsWriter::AddFabric() adds one, or AddNode() and AddNic() its parts."});

    // Like frames of raw sources, these frames do not belong to a flow.
    Star star(CreateObject<PfcSwitchNode>(), 2, CABLE);
    ResultsWriter frames("");
    frames.AddNode("s0", star.m_switch);
    ExpectVerdict(frames, RunOutcome::EMPTY, {NOTHING_SENT});
    Send(star, MicroSeconds(10), 0, 1, 3);
    Simulator::Run();
    ExpectVerdict(frames, RunOutcome::LOSSLESS, {});
    Simulator::Destroy();

    // No switch has forwarded this flow, as if a stack outside this module had sent it.
    auto nic = CreateObject<FakeNic>();
    ResultsWriter flows("");
    flows.AddNic(nic);
    ExpectVerdict(flows, RunOutcome::EMPTY, {NOTHING_SENT});
    nic->m_started(MakeRecord(7, 1, Time(0)));
    NS_TEST_EXPECT_MSG_EQ(flows.GetVerdict().outcome, RunOutcome::UNFINISHED, "it is on its way");
}

LOSSLESS_TEST(g_suite, "A run without flows and frames is empty and gives headers only")
{
    Star star(CreateObject<PfcSwitchNode>(), 2, CABLE);
    ResultsWriter results(GetPath("new/deep/run/"));
    results.AddNode("s0", star.m_switch);
    Simulator::Run();
    results.Finish();
    ExpectVerdict(results, RunOutcome::EMPTY, {NOTHING_SENT});
    const std::string run = GetPath("new/deep/run");
    NS_TEST_EXPECT_MSG_EQ(ListFolder(run), ALL_FILES, "files");
    NS_TEST_EXPECT_MSG_EQ(ListFolder(GetPath("new/deep")), "run", "nothing else is left");
    for (const std::string& name : TABLES)
    {
        const std::string text = ReadFile(run + "/" + name + ".csv");
        NS_TEST_EXPECT_MSG_EQ(text.find('\n'), text.size() - 1, name << ": one line");
    }
    const JsonReader json(ReadFile(run + "/run.json"));
    NS_TEST_EXPECT_MSG_EQ(json.IsValid(), true, "JSON");
    NS_TEST_EXPECT_MSG_EQ(json.Get("verdict/outcome"), "empty", "verdict");
    NS_TEST_EXPECT_MSG_EQ(json.Get("packet_hops"), "0", "nothing was sent");
}

void
Expect(const JsonReader& json, const std::map<std::string, std::string>& values)
{
    for (const auto& [path, value] : values)
    {
        NS_TEST_EXPECT_MSG_EQ(json.Get(path), value, path);
    }
}

void
ExpectAttributes(const JsonReader& json)
{
    const std::string prefix = "ns3::lossless::";
    const std::map<std::pair<std::string, std::string>, std::string> values = {
        // Both objects were created with a changed default, which has been restored since then.
        {{prefix + "SihBufferPolicy", "Alpha"}, "0.0625 -> 0.5"},
        // The default was changed, but no object was created with it.
        {{prefix + "StaticBufferPolicy", "Xoff"}, "75000 -> 80000"},
        // The objects have different values, one of which is not the default.
        {{prefix + "SharedBuffer", "Size"}, "16777216 -> 16777216 8388608"},
        // Parts are listed by type. Devices and cables are found through the nodes.
        {{prefix + "SwitchNode", "BufferPolicy"}, " -> ns3::lossless::SihBufferPolicy"},
        {{prefix + "LosslessNetDevice", "DataRate"}, "100000000000bps -> 8000000000bps"},
        {{prefix + "LosslessNetDevice", "ReceiveErrorModel"}, " ->  ns3::RateErrorModel"},
        {{"ns3::RateErrorModel", "ErrorRate"}, "0 -> 0.25"},
        // These attributes have their default values or are not settings.
        {{prefix + "LosslessNetDevice", "Mtu"}, "(absent)"},
        {{prefix + "LosslessNetDevice", "Address"}, "(absent)"},
        {{prefix + "QueueSampler", "Period"}, "(absent)"},
        {{prefix + "SwitchNode", "SharedBuffer"}, "(absent)"},
        {{"ns3::RateErrorModel", "RanVar"}, "(absent)"},
        {{"ns3::Node", "Id"}, "(absent)"},
    };
    for (const auto& [attribute, value] : values)
    {
        NS_TEST_EXPECT_MSG_EQ(json.GetAttribute(attribute.first, attribute.second),
                              value,
                              attribute.first << "::" << attribute.second);
    }
    // The format of times depends on the ns-3 release.
    ExpectPart(json.GetAttribute(prefix + "LosslessChannel", "Delay"), "3000");
}

LOSSLESS_TEST(g_suite, "run.json names the run, its verdict and what differs from the defaults")
{
    Config::SetDefault("ns3::lossless::SihBufferPolicy::Alpha", DoubleValue(0.5));
    Config::SetDefault("ns3::lossless::StaticBufferPolicy::Xoff", UintegerValue(80000));
    Star star(CreateObject<PfcSwitchNode>(), 2, CABLE);
    Star other(CreateObject<PfcSwitchNode>(), 2, CABLE);
    Config::SetDefault("ns3::lossless::SihBufferPolicy::Alpha", DoubleValue(0.0625));
    star.m_switch->GetSharedBuffer()->SetAttribute("Size", UintegerValue(1 << 24));
    other.m_switch->GetSharedBuffer()->SetAttribute("Size", UintegerValue(1 << 23));
    star.GetHost(0).device->GetChannel()->SetAttribute("Delay", TimeValue(MicroSeconds(3)));
    auto errors = CreateObject<RateErrorModel>();
    errors->SetRate(0.25);
    star.GetHost(0).device->SetAttribute("ReceiveErrorModel", PointerValue(errors));
    ResultsWriter results(GetPath("run"));
    const char* arguments[] = {"/bin/program", "--name=a \"b\"\\\n\t", "--x"};
    results.Get<RunNotes>()->SetCommandLine(3, arguments);
    results.Get<RunNotes>()->SetScheme("SIH");
    results.Get<RunNotes>()->AddParameter("burst_share", 0.1);
    results.Get<RunNotes>()->AddParameter("text", std::string("1"));
    results.AddNode("s0", star.m_switch);
    results.AddNode("s1", other.m_switch);
    results.AddNode("h0", star.GetHost(0).device->GetNode());
    Send(star, MicroSeconds(1), 1, NOWHERE, 7);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(results.Write().has_value(), false, "written");
    const uint64_t events = Simulator::GetEventCount();
    const JsonReader json(ReadFile(GetPath("run/run.json")));
    NS_TEST_ASSERT_MSG_EQ(json.IsValid(), true, "JSON");
    Expect(json,
           {{"schema", "lossless-run"},
            {"schema_version", "5"},
            {"program", "program"},
            {"command_line/0", "/bin/program"},
            {"command_line/1", "--name=a \"b\"\\\n\t"},
            {"command_line/2", "--x"},
            {"scheme", "SIH"}, // not PFC, whose switch class is the same
            {"parameters/burst_share", "0.1"},
            {"parameters/text", "1"},
            {"seed", "1"},
            {"run", "1"},
            {"ranks", "1"},
            {"simulated_ns", "2158"},
            {"events", std::to_string(events)},
            {"packet_hops", "0"}, // no switch forwards the frame, and no NIC sends it
            {"retransmitted_packets", "0"},
            {"verdict/outcome", "lossy"},
            {"verdict/lost_frames", "1"},
            {"verdict/lost_control_frames", "0"},
            {"verdict/dissolved_deadlocks", "0"},
            {"verdict/lossless_class_lost_frames", "0"},
            {"verdict/drops/0/node", "s0"},
            {"verdict/drops/0/priority", "7"},
            {"verdict/drops/0/bytes", "134"},
            {"verdict/drops/1/node", "(absent)"}});
    NS_TEST_EXPECT_MSG_EQ(json.Get("versions/ns3").substr(0, 1), "3", "ns-3's is known");
    const std::regex commit("null|[0-9a-f]{40}( with changes)?");
    NS_TEST_EXPECT_MSG_EQ(std::regex_match(json.Get("versions/commit"), commit),
                          true,
                          json.Get("versions/commit"));
    ExpectAttributes(json);
    Config::SetDefault("ns3::lossless::StaticBufferPolicy::Xoff", UintegerValue(75000));
}

/// Facts with lists of all kinds, including a list without rows and a row that lacks members.
ResultFacts
MakeCounts()
{
    return {{"/congestion_control", "DCQCN"},
            {"/wall_s", 1.234},
            {"/events", 11},
            {"/pfc_frames", ResultTable{{"node", "port", "frames"}, {{"s2", PortId{60}, 61}}}},
            {"/verdict/drops",
             ResultTable{{"node", "priority", "violation"},
                         {{"s1", Priority{2}, true}, {"h1", {}, false}, {"h2"}}}}};
}

RunVerdict
MakeVerdict()
{
    RunVerdict verdict;
    verdict.outcome = RunOutcome::LOSSY;
    verdict.interruption = "SIGINT";
    verdict.lostFrames = 26;
    verdict.lostBytes = 27;
    verdict.lostControlFrames = 28;
    verdict.losslessClassFrames = 29;
    verdict.losslessClassBytes = 30;
    verdict.watchdogFrames = 31;
    verdict.trimmedFrames = 32;
    verdict.flows = 34;
    verdict.unfinishedFlows = 33;
    verdict.deadlock = NanoSeconds(35);
    verdict.dissolvedDeadlocks = 36;
    verdict.problems = {"It is stuck."};
    return verdict;
}

ResultFacts
MakeMeasured()
{
    RunStatistics statistics;
    statistics.from = NanoSeconds(43);
    statistics.until = NanoSeconds(87); // the run ends before the window does
    statistics.flows = 46;
    statistics.unfinished = 45;
    statistics.fctNs = Distribution{47, 48, 49.5};
    statistics.slowdown = Distribution{1.25, 1.5, 1.75};
    statistics.paused = NanoSeconds(50);
    statistics.maxPausedShare = 0.375;
    statistics.meanBufferBytes = 51.5;
    return DescribeStatistics({NanoSeconds(43), NanoSeconds(1000)}, statistics);
}

ResultFacts
MakeGraph()
{
    GraphFacts graph;
    graph.steps = 63;
    graph.done = 62;
    graph.stalledSince = NanoSeconds(64);
    graph.standstill = {"It waits."};
    graph.collectives = {{"allreduce", "ring", 66, 65, 67.5, 68.5, 69.5, 0.125},
                         {"broadcast", "chain", 70}};
    return DescribeGraph(graph);
}

RunReport
MakeReport()
{
    RunReport report;
    report.description = {{"/bin/program", "--x"}, "DSH", {{"load", 0.75}, {"name", "text"}}};
    report.files = {"run.json", "flows.csv"};
    report.hints = {"It was slow."};
    report.verdict = MakeVerdict();
    report.facts = {
        {"any", MakeCounts()},
        {"statistics", MakeMeasured()},
        {"graph", MakeGraph()},
        {"own", {{"mean", 0.5}, {"whole", 2.0}, {"names", std::vector<std::string>{"a", "b"}}}}};
    std::set<std::string> values;
    for (char value = 'a'; value <= 'q'; ++value)
    {
        values.insert(std::string(1, value));
    }
    report.attributes = {{"Type", "One", "x", {"y"}}, {"Type", "Many", "z", values}};
    return report;
}

/// In run.json, length_ns is 87 - 43 = 44, and a collective that has never completed has neither
/// means nor a maximum.
const std::string REPORT = R"({
"schema": "lossless-run", "schema_version": 5, "program": "program",
"command_line": ["/bin/program", "--x"], "scheme": "DSH", "congestion_control": "DCQCN",
"parameters": {"load": 0.75, "name": "text"}, "seed": 71, "run": 72,
"files": ["run.json", "flows.csv"], "wall_s": 1.234, "ranks": 1, "simulated_ns": 73, "events": 11,
"hints": ["It was slow."], "pfc_frames": [{"node": "s2", "port": 60, "frames": 61}],
"verdict": {"outcome": "lossy", "interrupted_by": "SIGINT", "lost_frames": 26, "lost_bytes": 27,
  "lost_control_frames": 28, "lossless_class_lost_frames": 29, "lossless_class_lost_bytes": 30,
  "watchdog_dropped_frames": 31, "flows": 34, "unfinished_flows": 33, "deadlock": true,
  "deadlock_onset_ns": 35, "dissolved_deadlocks": 36, "problems": ["It is stuck."],
  "drops": [{"node": "s1", "priority": 2, "violation": true},
            {"node": "h1", "priority": null, "violation": false}, {"node": "h2"}]},
"measured": {"from_ns": 43, "until_ns": 1000, "length_ns": 44, "flows": 46, "unfinished_flows": 45,
  "mean_fct_ns": 47, "median_fct_ns": 48, "p99_fct_ns": 49.5, "mean_slowdown": 1.25,
  "median_slowdown": 1.5, "p99_slowdown": 1.75, "paused_ns": 50, "max_paused_share": 0.375,
  "mean_buffer_bytes": 51.5},
"graph": {"steps": 63, "done": 62, "stalled_since_ns": 64, "waiting": ["It waits."],
  "collectives": [{"collective": "allreduce", "algorithm": "ring", "count": 66, "done": 65,
      "mean_duration_ns": 67.5, "max_duration_ns": 68.5, "mean_bus_gbps": 69.5,
      "mean_waiting_share": 0.125},
    {"collective": "broadcast", "algorithm": "chain", "count": 70, "done": 0}]},
"measures": {"own": {"mean": 0.5, "whole": 2, "names": ["a", "b"]}},
"attributes": [{"type": "Type", "attribute": "One", "default": "x", "value": "y"},
  {"type": "Type", "attribute": "Many", "default": "z", "distinct_values": 17, "values":
    ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"]}]
})";

/// The members of run.json, except for those that differ from build to build.
std::vector<std::string>
List(const JsonReader& json)
{
    std::vector<std::string> lines;
    for (const auto& [path, value] : json.GetAll())
    {
        if (path.compare(0, 9, "versions/") != 0)
        {
            lines.push_back(path + " is " + value);
        }
    }
    return lines;
}

/// Checks run.json of a report whose numbers are set by the test. All numbers differ, so the origin
/// of each member is evident.
LOSSLESS_TEST(g_suite, "run.json has each number in its member, and no other members")
{
    RunFor(NanoSeconds(73));
    // The seed and the run number of the report differ from the defaults.
    const uint32_t seed = RngSeedManager::GetSeed();
    const uint64_t run = RngSeedManager::GetRun();
    RngSeedManager::SetSeed(71);
    RngSeedManager::SetRun(72);
    std::ostringstream text;
    WriteRunJson(text, MakeReport());
    RngSeedManager::SetSeed(seed);
    RngSeedManager::SetRun(run);
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(List(JsonReader(text.str())), List(JsonReader(REPORT))),
                          "",
                          "run.json");
}

/// Writes an empty run to a folder, unless the folder is rejected.
std::optional<std::string>
Write(const std::string& folder)
{
    if (const auto error = MakeResultFolder(folder).Check())
    {
        return error;
    }
    return ResultsWriter(folder).Write();
}

LOSSLESS_TEST(g_suite, "Earlier results are replaced, other folders are refused")
{
    const std::string run = GetPath("run");
    fs::create_directory(run);
    NS_TEST_EXPECT_MSG_EQ(Write(run).has_value(), false, "an empty folder is fine");
    NS_TEST_EXPECT_MSG_EQ(ListFolder(run), ALL_FILES, "files");
    TouchFile(run + "/flows.csv", "old");
    TouchFile(run + "/figure.png", "mine");
    TouchFile(run + "/report.html", "of the earlier result, by scripts/report");
    NS_TEST_EXPECT_MSG_EQ(Write(run).has_value(), false, "an earlier result is replaced");
    NS_TEST_EXPECT_MSG_NE(ReadFile(run + "/flows.csv"), "old", "replaced");
    NS_TEST_EXPECT_MSG_EQ(ReadFile(run + "/figure.png"), "mine", "not ours: kept");
    NS_TEST_EXPECT_MSG_EQ(fs::exists(run + "/report.html"), false, "not of this result");
    // A table that a program has added is removed together with its result.
    {
        ResultsWriter results(run);
        results.AddTable("own", [] { return ResultTable(); });
        NS_TEST_EXPECT_MSG_EQ(results.Write().has_value(), false, "with a table");
    }
    const JsonReader json(ReadFile(run + "/run.json"));
    NS_TEST_EXPECT_MSG_EQ(json.Get("files/0"), "run.json", "the first file");
    NS_TEST_EXPECT_MSG_EQ(json.Get("files/9"), "own.csv", "the last one");
    NS_TEST_EXPECT_MSG_EQ(fs::exists(run + "/own.csv"), true, "as it is told");
    NS_TEST_EXPECT_MSG_EQ(Write(run).has_value(), false, "without it");
    NS_TEST_EXPECT_MSG_EQ(fs::exists(run + "/own.csv"), false, "of the earlier result");
    NS_TEST_EXPECT_MSG_EQ(ReadFile(run + "/figure.png"), "mine", "still not ours");
    // An invalid run.json does not prevent a replacement.
    for (const std::string files : {"3", "[3, null]", "{}"})
    {
        TouchFile(run + "/run.json", "{\"schema\": \"lossless-run\", \"files\": " + files + "}");
        NS_TEST_EXPECT_MSG_EQ(Write(run).has_value(), false, files);
    }
    TouchFile(run + "/run.json", "{\"schema\": \"lossless-run\", cut");
    NS_TEST_EXPECT_MSG_EQ(Write(run).has_value(), false, "damaged");
    fs::create_directory_symlink(fs::absolute(run), GetPath("link"));
    NS_TEST_EXPECT_MSG_EQ(Write(GetPath("link")).has_value(), false, "followed");
    NS_TEST_EXPECT_MSG_EQ(fs::is_symlink(GetPath("link")), true, "a link stays a link");
    // If another run has written to the folder in the meantime, its files are kept.
    ResultsWriter late(run);
    NS_TEST_EXPECT_MSG_EQ(Write(run).has_value(), false, "the other one");
    TouchFile(run + "/flows.csv", "the other's");
    ExpectError(late.Write(), "another run wrote to ");
    NS_TEST_EXPECT_MSG_EQ(ReadFile(run + "/flows.csv"), "the other's", "it stays");
    NS_TEST_EXPECT_MSG_EQ(ListFolder(run + "-2"), ALL_FILES, "beside it");
    ExpectError(late.Write(), "run-3");
    fs::remove_all(run + "-2");
    fs::remove_all(run + "-3");
    NS_TEST_EXPECT_MSG_EQ(List(), "link run", "nothing else is left");

    fs::create_directory(GetPath("foreign"));
    TouchFile(GetPath("foreign/thesis.tex"), "mine");
    TouchFile(GetPath("foreign/run.json"), "{\"schema\": \"another\"}");
    ExpectError(Write(GetPath("foreign")), "foreign holds other files and no result");
    ExpectError(MakeResultFolder(GetPath("foreign")).Check(), "name another folder");
    NS_TEST_EXPECT_MSG_EQ(ListFolder(GetPath("foreign")), "run.json thesis.tex", "untouched");
    ExpectError(Write(GetPath("foreign/thesis.tex")), "thesis.tex is a file; name a folder");
    ExpectError(Write("/"), "holds other files");
    fs::create_symlink("nowhere", GetPath("astray"));
    const std::string lost = GetPath("astray") + " is a symbolic link that leads nowhere";
    ExpectError(Write(GetPath("astray")), lost);
    ExpectError(Write(GetPath("astray/run")), lost);
    NS_TEST_EXPECT_MSG_EQ(List(), "astray foreign link run", "nothing else is left");
}

LOSSLESS_TEST(g_suite, "Unwritable folder and full disk: one sentence, exit status 1, no remains")
{
    TouchFile(GetPath("file"), "");
    ExpectError(MakeResultFolder(GetPath("file/run")).Check(), "Not a directory");
    const std::string below = GetPath("file/run");
    const auto early = GetAbortMessage([&below]() { ResultsWriter results(below); });
    ExpectError(early.substr(0, early.size() - 1), "Not a directory");

    // A limit on the file size, smaller than any run.json, simulates a full disk.
    const std::string run = GetPath("run");
    const auto fill = [&run]() {
        ResultsWriter results(run);
        std::signal(SIGXFSZ, SIG_IGN);
        struct rlimit limit;
        getrlimit(RLIMIT_FSIZE, &limit);
        limit.rlim_cur = 500;
        setrlimit(RLIMIT_FSIZE, &limit);
        results.Finish();
    };
    const auto full = GetAbortMessage(fill);
    ExpectError(full.substr(0, full.size() - 1), "run.json: File too large");
    NS_TEST_EXPECT_MSG_EQ(List(), "file", "nothing is left");
}

std::string
ReadRun(const std::string& path)
{
    std::istringstream lines(ReadFile(path));
    std::string text;
    for (std::string line; std::getline(lines, line);)
    {
        const bool isClock = line.find("\"wall_s\": ") != std::string::npos ||
                             line.find("\"cpu_s\": ") != std::string::npos;
        text += isClock ? "" : line + "\n";
    }
    return text;
}

/// Two hosts send to a third one through a switch that pauses its neighbours early.
void
RunTwoSenders(const std::string& folder)
{
    Fabric fabric(Topology::Star({3, RATE, DELAY}), MakeTightSwitch());
    ResultsWriter results(folder);
    results.AddFabric(fabric);
    results.Get<QueueSampler>()->SetAttribute("Period", TimeValue(MicroSeconds(5)));
    fabric.StartFlows({{0, 0, 2, 3, 100000, Time(0), ""}, {1, 1, 2, 3, 100000, Time(0), ""}});
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(results.Finish().outcome, RunOutcome::LOSSLESS, "nothing is lost");
    const auto pauses = results.Get<PauseRecorder>()->GetPauses();
    NS_TEST_EXPECT_MSG_EQ(pauses.size(), 2, "both senders pause");
    for (const auto& [name, table] :
         std::map<std::string, ResultTable>{{"pauses", results.Get<PauseRecorder>()->GetTable()},
                                            {"drops", results.Get<DropRecorder>()->GetTable()},
                                            {"queues", results.Get<QueueSampler>()->GetTable()}})
    {
        NS_TEST_EXPECT_MSG_EQ(ReadFile(folder + "/" + name + ".csv"), ToCsv(table), name);
    }
    Simulator::Destroy();
}

LOSSLESS_TEST(g_suite, "Equal runs write equal files")
{
    RunTwoSenders(GetPath("a"));
    RunTwoSenders(GetPath("b"));
    const std::set<std::string> empty{"deadlocks", "drops", "victims"};
    for (const std::string& name : TABLES)
    {
        const std::string first = ReadFile(GetPath("a/" + name + ".csv"));
        NS_TEST_EXPECT_MSG_EQ(first, ReadFile(GetPath("b/" + name + ".csv")), name);
        const bool hasRows = first.find('\n') + 1 < first.size();
        NS_TEST_EXPECT_MSG_EQ(hasRows, (empty.count(name) == 0), name << " tells something");
    }
    NS_TEST_EXPECT_MSG_EQ(ReadRun(GetPath("a/run.json")),
                          ReadRun(GetPath("b/run.json")),
                          "run.json but for wall_s and cpu_s");
}

} // namespace ns3::lossless::tests::THIS_FILE
