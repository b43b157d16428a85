// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "spoiled-memory.h"
#include "test-network.h"

#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/drop-recorder.h"
#include "ns3/error-model.h"
#include "ns3/flow-plan.h"
#include "ns3/flow-recorder.h"
#include "ns3/graph-results.h"
#include "ns3/headroom-peak-recorder.h"
#include "ns3/ipv4-header.h"
#include "ns3/lossless-channel.h"
#include "ns3/lossless-csv-writer.h"
#include "ns3/lossless-experiment.h"
#include "ns3/lossless-fabric.h"
#include "ns3/mac-control-header.h"
#include "ns3/measure-window.h"
#include "ns3/no-flow-control-switch-node.h"
#include "ns3/object-factory.h"
#include "ns3/pause-recorder.h"
#include "ns3/pfc-flow-control.h"
#include "ns3/pfc-switch-node.h"
#include "ns3/pointer.h"
#include "ns3/queue-sampler.h"
#include "ns3/results-writer.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/roce-nic.h"
#include "ns3/run-hints.h"
#include "ns3/run-json.h"
#include "ns3/run-notes.h"
#include "ns3/run-statistics.h"
#include "ns3/run-summary.h"
#include "ns3/signal-recorder.h"
#include "ns3/sih-buffer-policy.h"
#include "ns3/simulator.h"
#include "ns3/static-buffer-policy.h"
#include "ns3/string.h"
#include "ns3/throughput-recorder.h"
#include "ns3/uinteger.h"
#include "ns3/unlimited-buffer-policy.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace ns3::lossless::tests
{

namespace THIS_FILE
{

namespace fs = std::filesystem;

/// 1 byte per nanosecond, so that times are computed by hand.
const DataRate RATE("8Gbps");
const Time DELAY = MicroSeconds(1);

/// Bytes that each frame costs on the wire beyond its own.
constexpr int64_t OVERHEAD = 24;

/// Hosts 10.0.0.1, 10.0.0.2, ... on the ports 0, 1, ... of one switch.
struct Star
{
    Star(Ptr<SwitchNode> center, uint32_t size)
        : node(center)
    {
        for (uint32_t i = 0; i < size; ++i)
        {
            hosts.push_back(CreateObject<Node>());
            channels.push_back(CreateObject<LosslessChannel>());
            channels.back()->SetAttribute("Delay", TimeValue(DELAY));
            devices.push_back(AddDevice(hosts.back()));
            AddDevice(node);
            node->GetForwarding()->SetRoute(GetAddress(i), {PortId{static_cast<uint16_t>(i)}});
        }
    }

    static Ipv4Address GetAddress(uint32_t host)
    {
        return Ipv4Address((10U << 24) + 1 + host);
    }

    Ptr<LosslessNetDevice> AddDevice(Ptr<Node> to) const
    {
        auto device = CreateObject<LosslessNetDevice>();
        device->SetAddress(Mac48Address::Allocate());
        device->SetAttribute("DataRate", DataRateValue(RATE));
        to->AddDevice(device);
        device->Attach(channels.back());
        return device;
    }

    /// A frame of 134 bytes (14 Ethernet, 20 IPv4, 100 payload) from a host at an instant.
    void Send(Time at, uint32_t host, Ipv4Address destination, uint8_t priority) const
    {
        Ipv4Header header;
        header.SetSource(GetAddress(host));
        header.SetDestination(destination);
        header.SetTos(priority << 5);
        header.SetPayloadSize(100);
        auto packet = Create<Packet>(100);
        packet->AddHeader(header);
        Ptr<LosslessNetDevice> device = devices[host];
        Simulator::Schedule(at,
                            [=]() { device->Send(packet, Mac48Address::GetBroadcast(), 0x0800); });
    }

    Ptr<SwitchNode> node;
    std::vector<Ptr<Node>> hosts;
    std::vector<Ptr<LosslessNetDevice>> devices; ///< of the hosts
    std::vector<Ptr<LosslessChannel>> channels;
};

/// PFC that pauses and resumes queues on request.
class ScriptedPfc : public PfcFlowControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lossless::tests::ScriptedPfc").SetParent<PfcFlowControl>();
        return tid;
    }

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

/// Pauses a port above 0 shared bytes and resumes it below 1; no queue of its own accord.
class PortPolicy : public UnlimitedBufferPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::lossless::tests::PortPolicy").SetParent<UnlimitedBufferPolicy>();
        return tid;
    }

    std::optional<Thresholds> GetPortThresholds(const SharedBuffer&, PortId) const override
    {
        return Thresholds{0, 1};
    }
};

/// Has no room for any frame.
class FullPolicy : public UnlimitedBufferPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::lossless::tests::FullPolicy").SetParent<UnlimitedBufferPolicy>();
        return tid;
    }

    Admission Admit(const SharedBuffer&, const SwitchItem&) const override
    {
        return Admission::Refuse(DropReason::HEADROOM_FULL);
    }

    std::optional<Thresholds> GetThresholds(const SharedBuffer&, QueueId) const override
    {
        return Thresholds{UINT64_MAX, UINT64_MAX};
    }
};

/// Reports flows as a NIC does.
class FakeNic : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lossless::tests::FakeNic")
                                .SetParent<Object>()
                                .SetGroupName("Lossless")
                                .AddTraceSource("FlowStarted",
                                                "Start.",
                                                MakeTraceSourceAccessor(&FakeNic::m_started),
                                                "ns3::lossless::RoceNic::FlowTracedCallback")
                                .AddTraceSource("FlowReceived",
                                                "End at the receiver.",
                                                MakeTraceSourceAccessor(&FakeNic::m_received),
                                                "ns3::lossless::RoceNic::FlowTracedCallback")
                                .AddTraceSource("FlowAcknowledged",
                                                "End at the sender.",
                                                MakeTraceSourceAccessor(&FakeNic::m_acknowledged),
                                                "ns3::lossless::RoceNic::FlowTracedCallback")
                                .AddTraceSource("FlowRetransmitted",
                                                "A packet again.",
                                                MakeTraceSourceAccessor(&FakeNic::m_retransmitted),
                                                "ns3::lossless::RoceNic::FlowTracedCallback");
        return tid;
    }

    TracedCallback<const FlowRecord&> m_started;
    TracedCallback<const FlowRecord&> m_received;
    TracedCallback<const FlowRecord&> m_acknowledged;
    TracedCallback<const FlowRecord&> m_retransmitted;
};

/// A flow of class 3 from host 0 to host 1.
FlowRecord
MakeRecord(uint64_t id, uint64_t bytes, Time start)
{
    FlowRecord record;
    record.flow.id = id;
    record.flow.destination = Star::GetAddress(1);
    record.flow.priority = Priority{3};
    record.flow.bytes = bytes;
    record.source = Star::GetAddress(0);
    record.start = start;
    return record;
}

/// The values of a JSON text by path ("verdict/drops/0/node"); texts without their quotes.
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

    /// The value at a path, or "(absent)".
    std::string Get(const std::string& path) const
    {
        const Json::json_pointer place("/" + path);
        return m_json.contains(place) ? ToText(m_json.at(place)) : "(absent)";
    }

    /// The entry of an attribute: "default -> value" or "default -> value value".
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

    /// All values that are neither objects nor lists, by path.
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

/// Names of all entries of a folder, sorted, joined by blanks.
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

const std::string ALL_FILES =
    "deadlocks.csv drops.csv flows.csv pause-depths.csv pauses.csv ports.csv queues.csv run.json "
    "victims.csv";

/**
 * Local maxima of the headroom in use, of a ledger that is fed by hand.
 *
 * SIH with the classes 0 and 1 and 1000 bytes of headroom for each of their queues: 2000 per port,
 * and 300 per queue, 600 in all, at port 1.
 */
class HeadroomPeakCase : public TestCase
{
  public:
    HeadroomPeakCase()
        : TestCase("local maxima of the headroom in use, by port")
    {
    }

  private:
    void DoRun() override
    {
        auto node = CreateObject<PfcSwitchNode>();
        auto policy = DynamicCast<SihBufferPolicy>(node->GetBufferPolicy());
        policy->SetAttribute("HeadroomBytes", UintegerValue(1000));
        policy->SetPortHeadroom(PortId{1}, 300);
        SwitchShape shape;
        shape.bufferBytes = 1 << 20;
        shape.lossless = 0x3;
        shape.ports.resize(2, {RATE, DELAY, 1500});
        NS_TEST_ASSERT_MSG_EQ(policy->Configure(shape).has_value(), false, "the switch can be");
        m_buffer = node->GetSharedBuffer();
        m_buffer->Resize(2);
        auto recorder = std::make_unique<HeadroomPeakRecorder>();
        recorder->WatchSwitch("s0", node);

        Store(0, 0, 100);
        Store(0, 1, 200);  // another class of the port: 300 together
        Store(1, 0, 60);   // another port, which is on its own
        Forget(0, 0, 100); // 300 was a maximum
        Forget(0, 1, 50);  // further down: none
        Store(0, 1, 30);
        StoreShared(0, 1, 500); // not in headroom: neither up nor down
        Store(0, 1, 120);       // 300 again
        Forget(0, 1, 10);       // second maximum of 300
        Store(0, 1, 5);
        Forget(0, 1, 5); // 295
        Store(0, 1, 1);  // 291, not counted: port 0 releases nothing after it
        Forget(1, 0, 60);

        std::ostringstream text;
        WriteCsv(text, recorder->GetTable());
        NS_TEST_ASSERT_MSG_EQ(text.str(),
                              "headroom_bytes,capacity_bytes,peaks\n60,600,1\n295,2000,1\n"
                              "300,2000,2\n",
                              "each maximum, with what is set aside for its port");
        const std::string said = GetAbortMessage(
            [&recorder] { recorder->WatchSwitch("s0", CreateObject<DropTailSwitchNode>()); });
        NS_TEST_EXPECT_MSG_NE(said.find("sets no headroom aside; it must be a HeadroomBuffer"),
                              std::string::npos,
                              said);
        // A recorder may go before the switch.
        recorder.reset();
        Forget(0, 1, 1);
    }

    static SwitchItem MakeItem(uint16_t port, uint8_t priority, uint32_t bytes)
    {
        SwitchItem item;
        item.ingress = PortId{port};
        item.frame.priority = Priority{priority};
        item.bufferBytes = bytes;
        return item;
    }

    void Store(uint16_t port, uint8_t priority, uint32_t bytes) const
    {
        m_buffer->Arrive(MakeItem(port, priority, bytes), {0, 0, bytes});
        m_buffer->Move(MakeItem(port, priority, bytes));
    }

    void StoreShared(uint16_t port, uint8_t priority, uint32_t bytes) const
    {
        m_buffer->Arrive(MakeItem(port, priority, bytes), {0, bytes, 0});
        m_buffer->Move(MakeItem(port, priority, bytes));
    }

    void Forget(uint16_t port, uint8_t priority, uint32_t bytes) const
    {
        m_buffer->Leave(MakeItem(port, priority, bytes));
    }

    Ptr<SharedBuffer> m_buffer;
};

/**
 * Frames of 134 bytes, 158 on the wire, that a switch starts to send at computed instants.
 *
 * Host 0 starts one at 0, 1 us and 3 us: each takes 158 ns to the switch, which has it after
 * another 1000 ns and sends it at once, at 1158, 2158 and 4158 ns. In windows of 1 us up to the
 * end at 5500 ns those are the second, third and fifth of five. 8 x 158 = 1264 bits in 1 us are
 * 1.264 Gb/s.
 */
class ThroughputCase : public TestCase
{
  public:
    ThroughputCase()
        : TestCase("throughput of flows by windows")
    {
    }

  private:
    void DoRun() override
    {
        Star star(CreateObject<PfcSwitchNode>(), 4);
        ThroughputRecorder recorder(MicroSeconds(1));
        recorder.WatchFlow("wanted", star.node, Star::GetAddress(0), Star::GetAddress(2));
        recorder.WatchFlow("silent", star.node, Star::GetAddress(1), Star::GetAddress(2));
        for (const int64_t us : {0, 1, 3})
        {
            star.Send(MicroSeconds(us), 0, Star::GetAddress(2), 1);
        }
        star.Send(Time(0), 0, Star::GetAddress(3), 1); // another receiver
        star.Send(Time(0), 3, Star::GetAddress(2), 2); // another sender
        Simulator::Stop(NanoSeconds(5500));
        Simulator::Run();
        std::ostringstream text;
        WriteCsv(text, recorder.GetFlowTable());
        NS_TEST_ASSERT_MSG_EQ(text.str(),
                              "time_ns,flow,bits_per_second\n1000,wanted,0\n"
                              "2000,wanted,1264000000\n3000,wanted,1264000000\n4000,wanted,0\n"
                              "5000,wanted,1264000000\n1000,silent,0\n2000,silent,0\n"
                              "3000,silent,0\n4000,silent,0\n5000,silent,0\n",
                              "the table");
        Simulator::Destroy();
    }
};

/// Pauses of classes and of a port, ended and open ones, at scripted instants.
class PauseCase : public TestCase
{
  public:
    PauseCase()
        : TestCase("Pauses are counted and timed per ingress queue and per port")
    {
    }

  private:
    void DoRun() override
    {
        auto pfc = CreateObject<ScriptedPfc>();
        auto node = CreateObject<PfcSwitchNode>();
        node->SetFlowControl(pfc);
        node->SetBufferPolicy(CreateObject<PortPolicy>());
        Star star(node, 2);
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
        // One shared byte at port 1 pauses the port as a whole; none resumes it.
        SwitchItem item;
        item.ingress = PortId{1};
        item.bufferBytes = 1;
        Simulator::Schedule(MicroSeconds(70), [=]() {
            node->GetSharedBuffer()->Arrive(item, {0, 1, 0});
            node->GetSharedBuffer()->Move(item);
            pfc->OnArrival(item);
        });
        Simulator::Schedule(MicroSeconds(80), [=]() {
            node->GetSharedBuffer()->Leave(item);
            pfc->OnRelease(item, Simulator::Now().GetTimeStep());
        });

        Simulator::Stop(MicroSeconds(100));
        Simulator::Run();
        // 3 of 16 queues and 2 ports were ever paused.
        // first: 10..25 and 40.. (open at 100); second: 50..60; port 1: 70..80
        const auto pauses = recorder.GetPauses();
        NS_TEST_ASSERT_MSG_EQ(pauses.size(), 3, "only what was paused has a record");
        Check(pauses[0], PortId{0}, 3, {2, 1, 15 + 60, 10});
        Check(pauses[1], PortId{1}, 5, {1, 1, 10, 50});
        Check(pauses[2], PortId{1}, 8, {1, 1, 10, 70});
        CheckFrames(recorder, 3, 4);
        // first: 20..25 of a pause that began before, and 40..55; second: 50..55
        const auto parts = window.GetPauses();
        NS_TEST_ASSERT_MSG_EQ(parts.size(), 2, "the port was not paused in the window");
        Check(parts[0], PortId{0}, 3, {1, 1, 5 + 15, 40});
        Check(parts[1], PortId{1}, 5, {1, 0, 5, 50});
        CheckFrames(window, 3, 4);

        // The open pause is refreshed after half of 65535 quanta of 512 bits at 8 Gb/s, which is
        // 2.097 ms, and so once before 3 ms.
        Simulator::Stop(MicroSeconds(2900));
        Simulator::Run();
        Check(recorder.GetPauses()[0], PortId{0}, 3, {2, 1, 15 + 2960, 10});
        CheckFrames(recorder, 4, 4);
        Simulator::Destroy();
    }

    /// Pauses, resumes, paused time and first pause in microseconds.
    using Numbers = std::vector<int64_t>;

    void Check(const PauseRecord& record, PortId port, std::size_t priority, const Numbers& n)
    {
        NS_TEST_EXPECT_MSG_EQ(record.node, "s0", "name of the switch");
        NS_TEST_EXPECT_MSG_EQ((record.port == port), true, "port");
        NS_TEST_EXPECT_MSG_EQ((record.priority ? Index(*record.priority) : NUM_PRIORITIES),
                              priority,
                              "class, or none for the port");
        NS_TEST_EXPECT_MSG_EQ(record.pauses, static_cast<uint64_t>(n[0]), "pauses");
        NS_TEST_EXPECT_MSG_EQ(record.resumes, static_cast<uint64_t>(n[1]), "resumes");
        NS_TEST_EXPECT_MSG_EQ(record.paused, MicroSeconds(n[2]), "paused time");
        NS_TEST_EXPECT_MSG_EQ((record.firstPause == MicroSeconds(n[3])), true, "first pause");
    }

    void CheckFrames(const PauseRecorder& recorder, uint64_t port0, uint64_t port1)
    {
        const auto frames = recorder.GetFrames();
        NS_TEST_ASSERT_MSG_EQ(frames.size(), 2, "both ports have sent PFC frames");
        NS_TEST_EXPECT_MSG_EQ(frames[0].frames, port0, "frames of port 0");
        NS_TEST_EXPECT_MSG_EQ(frames[1].frames, port1, "frames of port 1");
    }
};

/// A switch without PFC is ignored, and a recorder may go before the switch does.
class PauseLifetimeCase : public TestCase
{
  public:
    PauseLifetimeCase()
        : TestCase("Pause recorder ignores other schemes and may be destroyed early")
    {
    }

  private:
    void DoRun() override
    {
        PauseRecorder recorder;
        recorder.WatchSwitch("lossy", CreateObject<DropTailSwitchNode>());
        NS_TEST_EXPECT_MSG_EQ(recorder.GetPauses().size(), 0, "no PFC, no pauses");

        auto pfc = CreateObject<ScriptedPfc>();
        auto node = CreateObject<PfcSwitchNode>();
        node->SetFlowControl(pfc);
        Star star(node, 2);
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
        Simulator::Stop(4 * DELAY);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(other.GetPauses().size(), 1, "another one hears of the pause");
        NS_TEST_EXPECT_MSG_EQ(other.GetPauses()[0].resumes, 1, "and of its end");
        NS_TEST_EXPECT_MSG_EQ(other.GetPauses()[0].paused, 2 * DELAY, "from 1 to 3 us");
        Simulator::Destroy();
    }
};

/// Each kind of loss is found at its place.
class DropCase : public TestCase
{
  public:
    DropCase()
        : TestCase("Drops are counted by place and reason")
    {
    }

  private:
    void DoRun() override
    {
        Star star(CreateObject<PfcSwitchNode>(), 3);
        auto corrupt = CreateObject<RateErrorModel>();
        corrupt->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        corrupt->SetRate(1);
        star.devices[2]->SetAttribute("ReceiveErrorModel", PointerValue(corrupt));
        star.channels[1]->SetUp(false);
        DropRecorder recorder;
        recorder.Watch("s0", star.node);
        recorder.Watch("h2", star.hosts[2]);
        const Ipv4Address nowhere("10.9.9.9");
        star.Send(MicroSeconds(10), 0, nowhere, 3);
        star.Send(MicroSeconds(20), 0, nowhere, 3);
        star.Send(MicroSeconds(30), 0, nowhere, 7);             // class 7 is lossy by default
        star.Send(MicroSeconds(40), 0, Star::GetAddress(1), 2); // to a link that is down
        star.Send(MicroSeconds(50), 0, Star::GetAddress(2), 2); // corrupt at h2
        Simulator::Schedule(MicroSeconds(60), [&star]() {
            PfcHeader pfc;
            pfc.SetQuanta(Priority{3}, 100);
            const auto device = star.node->GetPortDevice(PortId{2});
            device->SendControl(MakePfcFrame(Mac48Address("02:00:00:00:00:09"), pfc)); // there, too
        });
        Simulator::Run();

        // A frame of 134 B is at the switch one transmission (134 + 24 ns) and the delay later.
        const int64_t hop = 134 + OVERHEAD + 1000;
        const auto drops = recorder.GetDrops();
        NS_TEST_ASSERT_MSG_EQ(drops.size(), 5, "places, reasons and kinds");
        Check(drops[0], {"s0", 0, 3, "no-route", 1, 2, 10000 + hop, 20000 + hop});
        Check(drops[1], {"s0", 0, 7, "no-route", 0, 1, 30000 + hop, 30000 + hop});
        Check(drops[2], {"s0", 1, 2, "link-down", 1, 1, 40000 + hop, 40000 + hop});
        Check(drops[3], {"h2", 0, 8, "receive-error", 0, 1, 50000 + 2 * hop, 50000 + 2 * hop});
        NS_TEST_EXPECT_MSG_EQ(drops[3].isControl, false, "data");
        NS_TEST_EXPECT_MSG_EQ(drops.back().isControl, true, "a PAUSE");
        NS_TEST_EXPECT_MSG_EQ(drops.back().frames, 1, "apart from data, at the same place");
        NS_TEST_EXPECT_MSG_EQ(drops.back().bytes, PFC_FRAME_BYTES, "its bytes");
        const ResultTable table = recorder.GetTable();
        const auto* shown = std::get_if<std::string>(&table.rows.back().at(2).Get());
        NS_TEST_EXPECT_MSG_EQ((shown && *shown == "control"),
                              true,
                              "drops.csv tells it in the place of the class");
        Simulator::Destroy();
    }

    struct Expected
    {
        std::string node;
        std::size_t port;
        std::size_t priority; ///< NUM_PRIORITIES: none
        std::string reason;
        bool lossless;
        uint64_t frames;
        int64_t first;
        int64_t last;
    };

    void Check(const DropRecord& drop, const Expected& expected)
    {
        NS_TEST_EXPECT_MSG_EQ(drop.node, expected.node, "node");
        NS_TEST_EXPECT_MSG_EQ(Index(drop.port), expected.port, "port");
        NS_TEST_EXPECT_MSG_EQ((drop.priority ? Index(*drop.priority) : NUM_PRIORITIES),
                              expected.priority,
                              "class");
        NS_TEST_EXPECT_MSG_EQ(std::string(ToString(drop.reason)), expected.reason, "reason");
        NS_TEST_EXPECT_MSG_EQ(drop.lossless, expected.lossless, "lossless class");
        NS_TEST_EXPECT_MSG_EQ(drop.IsViolation(), false, "flow control cannot prevent these");
        NS_TEST_EXPECT_MSG_EQ(drop.frames, expected.frames, "frames");
        NS_TEST_EXPECT_MSG_EQ(drop.bytes, 134 * expected.frames, "bytes");
        NS_TEST_EXPECT_MSG_EQ(drop.first, NanoSeconds(expected.first), "first");
        NS_TEST_EXPECT_MSG_EQ(drop.last, NanoSeconds(expected.last), "last");
    }
};

/// A full egress queue of a drop-tail switch loses frames at the egress port, in no lossless class.
class DropTailCase : public TestCase
{
  public:
    DropTailCase()
        : TestCase("Drops of a drop-tail switch are at the egress port and violate nothing")
    {
    }

  private:
    void DoRun() override
    {
        auto node = CreateObject<DropTailSwitchNode>();
        node->GetBufferPolicy()->SetAttribute("QueueLimit", StringValue("1p"));
        Star star(node, 3);
        DropRecorder recorder;
        recorder.Watch("s0", node);
        // Both arrive at once; the queue to h2 holds one.
        star.Send(MicroSeconds(1), 0, Star::GetAddress(2), 4);
        star.Send(MicroSeconds(1), 1, Star::GetAddress(2), 4);
        Simulator::Run();
        const auto drops = recorder.GetDrops();
        NS_TEST_ASSERT_MSG_EQ(drops.size(), 1, "places");
        NS_TEST_EXPECT_MSG_EQ((drops[0].reason == DropReason::EGRESS_LIMIT), true, "reason");
        NS_TEST_EXPECT_MSG_EQ(Index(drops[0].port), 2, "the egress port");
        NS_TEST_EXPECT_MSG_EQ(drops[0].frames, 1, "frames");
        NS_TEST_EXPECT_MSG_EQ(drops[0].lossless, false, "no class is lossless here");
        NS_TEST_EXPECT_MSG_EQ(drops[0].IsViolation(), false, "so nothing is violated");
        Simulator::Destroy();
    }
};

/// The times of the samples of a run, in microseconds.
std::string
ListTimes(Ptr<const QueueSampler> sampler)
{
    std::string text;
    for (const QueueSample& sample : sampler->GetSamples())
    {
        text += (text.empty() ? "" : " ") + std::to_string(sample.time.GetMicroSeconds());
    }
    return text;
}

/// A sampler halves its samples when they get too many, and never keeps a run alive.
class SamplerTimesCase : public TestCase
{
  public:
    SamplerTimesCase()
        : TestCase("Sampling instants: off by default, halving, end of the run, stop time")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Sample(0, 100, 0, 10), "", "off by default");
        NS_TEST_EXPECT_MSG_EQ(Sample(1, 100, 0, 3), "0 1 2 3", "until nothing else happens");
        NS_TEST_EXPECT_MSG_EQ(Sample(2, 100, 0, 3),
                              "0 2 4",
                              "one more sample shows that nothing else happens");
        NS_TEST_EXPECT_MSG_EQ(Sample(1, 100, 2, 9), "0 1 2", "until the stop time");
        // 8 samples at 7 us: every second one goes, and the next but one is due at 8 us.
        NS_TEST_EXPECT_MSG_EQ(Sample(1, 8, 0, 12), "0 2 4 6 8 10 12", "an even bound");
        // 7 samples at 6 us; the one at 6 us stays, the next is due at 8 us.
        NS_TEST_EXPECT_MSG_EQ(Sample(1, 7, 0, 10), "0 2 4 6 8 10", "an odd bound");
        // Halved at 7, 14 and 28 us: a period of 8 us.
        NS_TEST_EXPECT_MSG_EQ(Sample(1, 8, 0, 40), "0 8 16 24 32 40", "halved three times");
        NS_TEST_EXPECT_MSG_EQ(Sample(2, 100, 0, 9, 3), "3 5 7 9", "from a time on");
    }

    /// Instants of the samples of a run that lasts for some microseconds.
    std::string Sample(int64_t period,
                       uint64_t bound,
                       int64_t stop,
                       int64_t duration,
                       int64_t start = 0)
    {
        Star star(CreateObject<PfcSwitchNode>(), 2);
        auto sampler = CreateObject<QueueSampler>();
        sampler->SetAttribute("Period", TimeValue(MicroSeconds(period)));
        sampler->SetAttribute("MaxSamples", UintegerValue(bound));
        sampler->SetAttribute("StopTime", TimeValue(MicroSeconds(stop)));
        sampler->SetAttribute("StartTime", TimeValue(MicroSeconds(start)));
        Simulator::Schedule(MicroSeconds(duration), []() {});
        sampler->WatchBuffer("s0", star.node);
        Simulator::Run();
        const std::string times = ListTimes(sampler);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(sampler->GetSamples().size(), bound, "bounded memory");
        TimeValue asSet;
        sampler->GetAttribute("Period", asSet);
        NS_TEST_EXPECT_MSG_EQ(asSet.Get(), MicroSeconds(period), "the attribute stays as set");
        Simulator::Destroy();
        return times;
    }
};

/// Samples show what the ledger holds, released frames excluded.
class SamplerValuesCase : public TestCase
{
  public:
    SamplerValuesCase()
        : TestCase("Samples of ingress queues, egress queues and buffers")
    {
    }

  private:
    void DoRun() override
    {
        Star star(CreateObject<PfcSwitchNode>(), 2);
        auto sampler = CreateObject<QueueSampler>();
        sampler->WatchIngress("s0", star.node, {PortId{0}, Priority{3}});
        sampler->WatchEgress("s0", star.node, {PortId{1}, Priority{3}});
        sampler->WatchBuffer("s0", star.node);
        sampler->SetAttribute("Period", TimeValue(NanoSeconds(1200)));
        // Arrives at 1158 ns, has left at 1316 ns: stored at 1200 ns only. The switch needs no
        // event for the departure, but must have noticed it at 2400 ns.
        star.Send(Time(0), 0, Star::GetAddress(1), 3);
        // By hand: 100 B private, 200 B shared, 50 B headroom of another port from 2 us on.
        SwitchItem item;
        item.ingress = PortId{1};
        item.egress = PortId{1};
        item.frame.priority = Priority{3};
        item.bufferBytes = 350;
        Simulator::Schedule(NanoSeconds(2000), [&star, item]() {
            star.node->GetSharedBuffer()->Arrive(item, {100, 200, 50});
            star.node->GetSharedBuffer()->Move(item);
        });
        Simulator::Stop(NanoSeconds(2500));
        Simulator::Run();
        const auto samples = sampler->GetSamples();
        NS_TEST_ASSERT_MSG_EQ(samples.size(), 9, "three instants, three places");
        Check(samples[3], QueueSide::INGRESS, {134, 0, 0}); // all in the private buffer
        Check(samples[4], QueueSide::EGRESS, {134, 0, 0});
        Check(samples[5], QueueSide::BUFFER, {134, 0, 0});
        Check(samples[6], QueueSide::INGRESS, {0, 0, 0}); // a queue of the other port
        Check(samples[7], QueueSide::EGRESS, {350, 0, 0});
        Check(samples[8], QueueSide::BUFFER, {350, 200, 50});
        NS_TEST_EXPECT_MSG_EQ(samples[8].time, NanoSeconds(2400), "instant");
        Simulator::Destroy();
    }

    void Check(const QueueSample& sample, QueueSide side, const std::vector<uint64_t>& bytes)
    {
        NS_TEST_EXPECT_MSG_EQ((sample.side == side), true, "side");
        NS_TEST_EXPECT_MSG_EQ(sample.bytes, bytes[0], "bytes");
        NS_TEST_EXPECT_MSG_EQ(sample.shared, bytes[1], "shared bytes");
        NS_TEST_EXPECT_MSG_EQ(sample.headroom, bytes[2], "headroom bytes");
    }
};

/// Wrong use stops the program with a message that contains the numbers.
class ComplaintCase : public TestCase
{
  public:
    ComplaintCase()
        : TestCase("Wrong use of recorders stops the program with a sentence")
    {
    }

  private:
    void DoRun() override
    {
        Expect("s0 has no queue of port 2 and class 3; it has 2 ports", [](QueueSampler& sampler) {
            Star star(CreateObject<PfcSwitchNode>(), 2);
            sampler.WatchEgress("s0", star.node, {PortId{2}, Priority{3}});
        });
        Expect("MaxSamples is 3; for 2 queues and buffers it must be at least 4",
               [](QueueSampler& sampler) {
                   Star star(CreateObject<PfcSwitchNode>(), 2);
                   sampler.SetAttribute("MaxSamples", UintegerValue(3));
                   sampler.SetAttribute("Period", TimeValue(DELAY));
                   sampler.WatchBuffer("s0", star.node);
                   sampler.WatchBuffer("again", star.node);
                   Simulator::Run();
               });
        Expect("late is to be watched from", [](QueueSampler& sampler) {
            Star star(CreateObject<PfcSwitchNode>(), 2);
            sampler.SetAttribute("Period", TimeValue(DELAY));
            sampler.WatchBuffer("s0", star.node);
            Simulator::Run();
            sampler.WatchBuffer("late", star.node);
        });
        Expect("ns3::Node is not a NIC",
               [](QueueSampler&) { FlowRecorder().Watch(CreateObject<Node>()); });
        Expect("a second flow with id 7 starts", [](QueueSampler&) {
            auto nic = CreateObject<FakeNic>();
            FlowRecorder recorder;
            recorder.Watch(nic);
            nic->m_started(MakeRecord(7, 1, Time(0)));
            nic->m_started(MakeRecord(7, 1, Time(0)));
        });
        MisuseResults();
    }

    void MisuseResults()
    {
        Expect("two nodes are called \"h0\"", [](QueueSampler&) {
            ResultsWriter results("");
            results.AddNode("h0", CreateObject<Node>());
            results.AddNode("h0", CreateObject<Node>());
        });
        Expect("a second fabric is added", [](QueueSampler&) {
            Fabric fabric(Topology::Star({2, RATE, DELAY}), SwitchHelper());
            ResultsWriter results("");
            results.AddFabric(fabric);
            results.AddFabric(fabric);
        });
        Expect("a node is called \"a,b\"",
               [](QueueSampler&) { ResultsWriter("").AddNode("a,b", CreateObject<Node>()); });
        for (const std::string name : {"flows", "mine"})
        {
            Expect("a second table is called \"" + name + "\"", [&name](QueueSampler&) {
                ResultsWriter results("");
                results.AddTable("mine", [] { return ResultTable(); });
                results.AddTable(name, [] { return ResultTable(); });
            });
        }
        Expect("the simulation of h0 is destroyed already", [](QueueSampler&) {
            Fabric fabric(Topology::Star({2, RATE, DELAY}), SwitchHelper());
            ResultsWriter results("");
            results.AddFabric(fabric);
            Simulator::Destroy();
            results.Finish();
        });
        Expect("the simulation of h0 is destroyed already", [](QueueSampler&) {
            lossless::Experiment experiment("test.cc", "A test.");
            std::string program = "test";
            char* arguments = program.data();
            experiment.Parse(1, &arguments);
            Fabric fabric(Topology::Star({2, RATE, DELAY}), experiment.MakeSwitchHelper());
            experiment.GetResults().AddFabric(fabric);
            experiment.Finish();
            experiment.Finish();
        });
        Expect("Parse() must come before GetResults() and Finish()",
               [](QueueSampler&) { lossless::Experiment("test.cc", "A test.").Finish(); });
    }

    void Expect(const std::string& sentence, const std::function<void(QueueSampler&)>& misuse)
    {
        const std::string said =
            GetAbortMessage([&misuse]() { misuse(*CreateObject<QueueSampler>()); });
        NS_TEST_EXPECT_MSG_EQ(Contains(said, sentence),
                              true,
                              "got \"" << said << "\" instead of \"" << sentence << "\"");
    }
};

/// A flow over one switch, by hand and with real NICs.
class FlowCase : public TestCase
{
  public:
    FlowCase()
        : TestCase("Flows of real NICs")
    {
    }

  private:
    void DoRun() override
    {
        Star star(CreateObject<PfcSwitchNode>(), 2);
        std::vector<Ptr<RoceNic>> nics;
        FlowRecorder recorder;
        for (uint32_t i = 0; i < 2; ++i)
        {
            nics.push_back(CreateObject<RoceNic>());
            nics[i]->Install(star.devices[i], Star::GetAddress(i));
            recorder.Watch(nics[i]);
        }
        RoceFlow flow;
        flow.id = 5;
        flow.priority = Priority{3};
        flow.bytes = 500;
        Simulator::Schedule(MicroSeconds(3), &RoceNic::StartFlow, nics[0], nics[1], flow);
        flow.id = 4;
        flow.bytes = 1000000000;
        Simulator::Schedule(MicroSeconds(50), &RoceNic::StartFlow, nics[1], nics[0], flow);
        Simulator::Stop(MicroSeconds(100));
        Simulator::Run();

        // One packet, stored and forwarded once.
        const int64_t hop = RoceNic::GetFrameBytes(500) + OVERHEAD + 1000;
        NS_TEST_ASSERT_MSG_EQ(recorder.GetFlows().size(), 2, "flows");
        const FlowRecord& done = recorder.GetFlows().at(5);
        NS_TEST_EXPECT_MSG_EQ(done.start, MicroSeconds(3), "start");
        NS_TEST_EXPECT_MSG_EQ(done.GetCompletionTime(), NanoSeconds(2 * hop), "completion time");
        NS_TEST_EXPECT_MSG_EQ(done.isReceived, true, "arrived");
        NS_TEST_EXPECT_MSG_EQ(recorder.GetFlows().at(4).isReceived,
                              false,
                              "1 GB does not arrive in 50 us");
        Simulator::Destroy();
    }
};

/// Each end of a flow reports its own part.
class JoinCase : public TestCase
{
  public:
    JoinCase()
        : TestCase("The records of both ends of a flow are joined")
    {
    }

  private:
    void DoRun() override
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
        // Of this flow, only the receiving NIC is watched.
        receiver->m_received(MakeRecord(8, 50, MicroSeconds(4)));
        NS_TEST_EXPECT_MSG_EQ(recorder.GetFlows().at(8).flow.bytes, 50, "the flow");
        NS_TEST_EXPECT_MSG_EQ(recorder.GetFlows().at(8).start, MicroSeconds(4), "its start");
    }
};

/// Three hosts named h0 to h2 on a switch, and four flows, of which one does not start.
struct Experiment
{
    explicit Experiment(const std::string& folder)
        : results(folder),
          nic(CreateObject<FakeNic>())
    {
        topology = Topology::Star({3, RATE, DELAY});
        results.AddNic(nic);
        FlowList flows;
        flows.push_back({1, 0, 1, 3, 1000, MicroSeconds(1), "burst"});
        flows.push_back({2, 0, 1, 3, 3000, MicroSeconds(2), "burst"});
        flows.push_back({9, 1, 2, 4, 50, MicroSeconds(900), ""});
        results.Get<FlowPlan>()->SetFlows(flows, topology);
        results.Get<FlowPlan>()->SetIdealFct(
            [](const FlowSpec& flow) { return NanoSeconds(static_cast<int64_t>(flow.bytes) * 3); });
        Start(2, 3000, MicroSeconds(2));
        Start(1, 1000, MicroSeconds(1));
        Start(12, 77, NanoSeconds(4500)); // of which the list does not know
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

/// A temporary folder that is empty at the start of each case.
class FolderCase : public TestCase
{
  protected:
    explicit FolderCase(const std::string& name)
        : TestCase(name)
    {
    }

    /// A path in the case's own folder.
    std::string GetPath(const std::string& name)
    {
        if (m_folder.empty())
        {
            m_folder = CreateTempDirFilename("results");
            fs::remove_all(m_folder);
            fs::create_directories(m_folder);
        }
        return (m_folder / name).string();
    }

    std::string List()
    {
        return ListFolder(GetPath("."));
    }

    void ExpectError(const std::optional<std::string>& error, const std::string& part)
    {
        const std::string text = error ? *error : "(no complaint)";
        NS_TEST_EXPECT_MSG_NE(text.find(part), std::string::npos, text << " lacks: " << part);
        NS_TEST_EXPECT_MSG_EQ(text.find('\n'), std::string::npos, "one sentence");
    }

  private:
    fs::path m_folder;
};

/// flows.csv byte for byte, and what is said of flows that did not arrive.
class FlowsFileCase : public FolderCase
{
  public:
    FlowsFileCase()
        : FolderCase("flows.csv and unfinished flows")
    {
    }

  private:
    void DoRun() override
    {
        Experiment run(GetPath("run"));
        run.Receive(1, 1000, MicroSeconds(1), MicroSeconds(5));
        auto verdict = run.results.GetVerdict();
        NS_TEST_EXPECT_MSG_EQ(verdict.flows, 4, "3 in the list, 1 beside it");
        NS_TEST_EXPECT_MSG_EQ(verdict.unfinishedFlows, 3, "one was received");
        NS_TEST_EXPECT_MSG_EQ((verdict.outcome == RunOutcome::UNFINISHED), true, "");
        NS_TEST_ASSERT_MSG_EQ(verdict.problems.size(), 1, "one sentence");
        NS_TEST_EXPECT_MSG_EQ(verdict.problems[0],
                              "3 of 4 flows unfinished after 0 ns; the first is flow 2 from h0 to "
                              "h1 (3000 B).",
                              "");
        NS_TEST_EXPECT_MSG_EQ(run.results.Write().has_value(), false, "written");
        // 4000 ns instead of 3 x 1000 ns: 1.333333
        NS_TEST_EXPECT_MSG_EQ(
            ReadFile(GetPath("run/flows.csv")),
            "id,source,destination,priority,bytes,start_ns,fct_ns,ideal_ns,slowdown,group,"
            "retransmitted,marked,cnps,naks\n"
            "1,h0,h1,3,1000,1000,4000,3000,1.333333,burst,0,,,\n"
            "2,h0,h1,3,3000,2000,,9000,,burst,0,,,\n"
            "9,h1,h2,4,50,900000,,150,,,,,,\n"
            "12,10.0.0.1,10.0.0.2,3,77,4500,,,,,0,,,\n",
            "flows.csv");
        Simulator::Destroy();
    }
};

/// The numbers of the flows that start in a window of time.
class WindowCase : public FolderCase
{
  public:
    WindowCase()
        : FolderCase("statistics of a window of time")
    {
    }

  private:
    void DoRun() override
    {
        Check("all", {}, "4 3 4000 1.33333", "0 null");
        Check("late", {MicroSeconds(2), {}}, "3 3 null null", "2000 null");
        // Its end is not part of it.
        Check("early", {MicroSeconds(1), MicroSeconds(900)}, "3 2 4000 1.33333", "1000 900000");
        const auto found = GetDistribution({40, 10, 20, 30});
        NS_TEST_EXPECT_MSG_EQ(found->mean, 25, "100 / 4");
        NS_TEST_EXPECT_MSG_EQ(found->median, 25, "between 20 and 30");
        NS_TEST_EXPECT_MSG_EQ_TOL(found->p99, 39.7, 1e-9, "97 % of the way from 30 to 40");
    }

    /// @param numbers flows, unfinished ones, mean completion time and mean slowdown
    /// @param ends of the window as they are written
    void Check(const std::string& folder,
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
        NS_TEST_EXPECT_MSG_EQ(get("flows") + " " + get("unfinished_flows") + " " +
                                  get("mean_fct_ns") + " " + get("mean_slowdown"),
                              numbers,
                              folder);
        NS_TEST_EXPECT_MSG_EQ(get("from_ns") + " " + get("until_ns"), ends, folder);
        Simulator::Destroy();
    }
};

/// What statistics make of pauses and of samples, in a window of 20 us.
class StatisticsCase : public TestCase
{
  public:
    StatisticsCase()
        : TestCase("statistics of pauses and buffers, within a window and behind the end of a run")
    {
    }

  private:
    using Kind = PauseRecord::Kind;

    static PauseRecord MakePause(Kind kind, int64_t us)
    {
        PauseRecord record;
        record.kind = kind;
        record.paused = MicroSeconds(us);
        return record;
    }

    static QueueSample MakeSample(int64_t us, QueueSide side, uint64_t bytes)
    {
        return {MicroSeconds(us), "s0", side, QueueId{}, bytes};
    }

    void DoRun() override
    {
        // The sum is of all; for the longest, those that were asked for as times do not count.
        const std::vector<PauseRecord> pauses{MakePause(Kind::FLOWS, 3),
                                              MakePause(Kind::CLASS, 5),
                                              MakePause(Kind::PORT, 4),
                                              MakePause(Kind::TIMED, 8)};
        // Of the buffers, 400 and 200 B are in the window, whose end is not part of it.
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
        // A run that ends in the window, and one that ends before it.
        const RunStatistics cut = GetStatistics(window, MicroSeconds(20), {}, pauses, samples);
        NS_TEST_EXPECT_MSG_EQ(cut.until, MicroSeconds(20), "end of the run");
        NS_TEST_EXPECT_MSG_EQ_TOL(cut.maxPausedShare.value_or(-1), 0.5, 1e-12, "5 of 10 us");
        const RunStatistics none =
            GetStatistics({MicroSeconds(60), {}}, MicroSeconds(50), {}, {}, samples);
        NS_TEST_EXPECT_MSG_EQ(none.until, MicroSeconds(60), "no time at all");
        NS_TEST_EXPECT_MSG_EQ(none.maxPausedShare.has_value(), false, "of no time");
        NS_TEST_EXPECT_MSG_EQ(none.meanBufferBytes.has_value(), false, "no sample");
    }
};

/// What is said of a slow run.
class HintCase : public TestCase
{
  public:
    HintCase()
        : TestCase("Why a run was slow")
    {
    }

  private:
    void DoRun() override
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
               {again + " for 1 lost frame: go-back-N repeats all that was sent behind a lost "
                        "one."});
        symptoms.lostFrames = 1001;
        Expect(symptoms, {again + " for 1 001 lost frames."});
        ExpectOfOthers(symptoms, again);
        symptoms.signals.retransmitted = 0;
        symptoms.markedFrames = 0;
        Expect(symptoms,
               {"3 pauses, but 0 frames marked: flow control acted before ECN, so that DCQCN never "
                "slowed a flow down."});
        symptoms.hasMarker = false;
        const std::string none =
            "No switch marks frames, so that DCQCN never slowed a flow down; set "
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
        symptoms.idle = {0x14, 50, 1000};
        Expect(symptoms, {});
        symptoms.idle.bytes = 51;
        Expect(symptoms,
               {"Classes without flows (2, 4) have headroom that no other class can use: 51 B of a "
                "switch's 1000 B; leave them out of SwitchNode::LosslessClasses (lossless-run, "
                "hpcc-run: --lossless-classes)."});
    }

    void ExpectOfOthers(RunSymptoms symptoms, const std::string& again)
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

    void Expect(const RunSymptoms& symptoms, const std::vector<std::string>& sentences)
    {
        const auto found = ExplainSlowness(symptoms);
        NS_TEST_ASSERT_MSG_EQ(found.size(), sentences.size(), "sentences");
        for (std::size_t i = 0; i < found.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(found[i], sentences[i], "sentence");
        }
    }
};

/// Marks, notifications, negative acknowledgements and retransmissions, by flow and by port.
class SignalCase : public TestCase
{
  public:
    SignalCase()
        : TestCase("Signals by flow and by port add up")
    {
    }

  private:
    void DoRun() override
    {
        // Two senders of 1 MB each, whose packets are marked when 20 kB wait; nothing is lost.
        const NicSignals marked = Run(1 << 24, "ns3::lossless::PfcSwitchNode");
        NS_TEST_EXPECT_MSG_EQ(marked.dataSent, 2000, "packets of 1000 B");
        NS_TEST_EXPECT_MSG_EQ(marked.retransmitted, 0, "none is lost");
        NS_TEST_EXPECT_MSG_EQ(marked.naksSent, 0, "none is missed");
        NS_TEST_EXPECT_MSG_GT(marked.cnpsSent, 0, "senders are notified");
        NS_TEST_EXPECT_MSG_GT(m_marks, marked.cnpsSent, "at most once in an interval");
        NS_TEST_EXPECT_MSG_EQ(m_arrived, m_marks, "all arrive");
        // With a small buffer, frames are lost.
        const NicSignals lost = Run(40000, "ns3::lossless::DropTailSwitchNode");
        NS_TEST_EXPECT_MSG_GT(lost.naksSent, 0, "gaps");
        NS_TEST_EXPECT_MSG_EQ(lost.dataSent - lost.retransmitted, 2000, "each once, or more often");
    }

    /// @param buffer in bytes @param type of the switch @return signals of all NICs
    NicSignals Run(uint64_t buffer, const std::string& type)
    {
        SwitchHelper switches(type);
        switches.SetBufferAttribute("Size", UintegerValue(buffer));
        switches.SetMarker("ns3::lossless::StepMarker", "Threshold", UintegerValue(20000));
        ObjectFactory nics("ns3::lossless::RoceNic");
        nics.Set("CongestionControl", ObjectFactoryValue(ObjectFactory("ns3::lossless::Dcqcn")));
        Fabric fabric(Topology::Star({3, DataRate("100Gbps"), MicroSeconds(1)}), switches, nics);
        SignalRecorder recorder;
        recorder.WatchSwitch("s0", fabric.GetSwitch(0));
        for (uint32_t host = 0; host < 3; ++host)
        {
            recorder.WatchNic("h" + std::to_string(host), PortId{0}, fabric.GetNic(host));
        }
        fabric.StartFlows({{0, 0, 2, 3, 1000000, Time(0), ""}, {1, 1, 2, 3, 1000000, Time(0), ""}});
        Simulator::Stop(MicroSeconds(20)); // while both are under way
        Simulator::Run();
        Compare(fabric, recorder);
        NS_TEST_EXPECT_MSG_GT(m_arrived, 0, "marks of flows that have not ended");
        NS_TEST_EXPECT_MSG_GT(m_marks, m_arrived, "marked frames wait in the switch");
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        Compare(fabric, recorder);
        const NicSignals total = recorder.GetTotal();
        const auto rows = recorder.GetTable().rows;
        NS_TEST_EXPECT_MSG_EQ(rows.size(), 4, "the port that marks, senders and receiver");
        Simulator::Destroy();
        return total;
    }

    /// Flows, NICs and the switch have the same counts.
    void Compare(const Fabric& fabric, const SignalRecorder& recorder)
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
        CheckFacts(recorder);
        m_marks = recorder.CountMarks();
        m_arrived = sum.marked;
    }

    /// run.json has what the recorder counts.
    void CheckFacts(const SignalRecorder& recorder)
    {
        const NicSignals total = recorder.GetTotal();
        const std::vector<std::pair<std::string, uint64_t>> expected{
            {"/data_packets", total.dataSent},
            {"/timeouts", total.timeouts},
            {"/marked_frames", recorder.CountMarks()},
            {"/trimmed_frames", recorder.CountTrims()},
            {"/cnps", total.cnpsSent},
            {"/naks", total.naksSent}};
        const ResultFacts facts = recorder.GetFacts();
        NS_TEST_ASSERT_MSG_EQ(facts.size(), expected.size(), "members");
        for (std::size_t i = 0; i < facts.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(facts[i].first, expected[i].first, "its name");
            const auto& cell = std::get<ResultCell>(facts[i].second);
            NS_TEST_EXPECT_MSG_EQ(std::get<uint64_t>(cell.Get()), expected[i].second, "its value");
        }
    }

    uint64_t m_marks{0};   ///< frames marked in the latest run
    uint64_t m_arrived{0}; ///< of them, arrived
};

/// A flow that takes no time.
class InstantFlowCase : public FolderCase
{
  public:
    InstantFlowCase()
        : FolderCase("a flow that arrives in the first instant is finished")
    {
    }

  private:
    void DoRun() override
    {
        Experiment run(GetPath("run"));
        run.Start(9, 50, Time(0));
        run.Receive(9, 50, Time(0), Time(0));
        NS_TEST_EXPECT_MSG_EQ(run.results.GetVerdict().unfinishedFlows, 3, "the others are not");
        NS_TEST_EXPECT_MSG_EQ(run.results.Get<FlowRecorder>()->CountFinished(), 1, "it is");
        run.Receive(9, 50, Time(0), Time(0));
        NS_TEST_EXPECT_MSG_EQ(run.results.Get<FlowRecorder>()->CountFinished(), 1, "once");
        Simulator::Destroy();
    }
};

/// The other files byte for byte.
class CsvCase : public FolderCase
{
  public:
    CsvCase()
        : FolderCase("pauses.csv, drops.csv and queues.csv")
    {
    }

  private:
    void DoRun() override
    {
        auto pfc = CreateObject<ScriptedPfc>();
        auto node = CreateObject<PfcSwitchNode>();
        node->SetFlowControl(pfc);
        node->SetBufferPolicy(CreateObject<PortPolicy>());
        Star star(node, 2);
        ResultsWriter results(GetPath("run"));
        results.AddNode("s0", node);
        results.AddNode("h1", star.hosts[1]);
        results.Get<QueueSampler>()->WatchIngress("s0", node, {PortId{1}, Priority{0}});
        results.Get<QueueSampler>()->WatchEgress("s0", node, {PortId{0}, Priority{0}});
        results.Get<QueueSampler>()->SetAttribute("Period", TimeValue(MicroSeconds(40)));
        Simulator::Schedule(MicroSeconds(10), &ScriptedPfc::Set, pfc, QueueId{}, true);
        SwitchItem item;
        item.ingress = PortId{1};
        item.bufferBytes = 5;
        Simulator::Schedule(MicroSeconds(30), [=]() {
            node->GetSharedBuffer()->Arrive(item, {1, 2, 2});
            node->GetSharedBuffer()->Move(item);
            pfc->OnArrival(item);
        });
        star.Send(MicroSeconds(20), 0, Ipv4Address("10.9.9.9"), 3);
        star.channels[1]->SetAttribute("Delay", TimeValue(MicroSeconds(5)));
        star.Send(MicroSeconds(20), 1, Star::GetAddress(0), 3); // lost when the cable is cut
        Simulator::Schedule(MicroSeconds(21), &LosslessChannel::SetUp, star.channels[1], false);
        Simulator::Stop(MicroSeconds(50));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(results.Write().has_value(), false, "written");
        NS_TEST_EXPECT_MSG_EQ(ReadFile(GetPath("run/pauses.csv")),
                              "node,port,priority,pauses,resumes,paused_ns,first_pause_ns\n"
                              "s0,0,0,1,0,40000,10000\n"
                              "s0,1,port,1,0,20000,30000\n",
                              "pauses.csv");
        NS_TEST_EXPECT_MSG_EQ(ReadFile(GetPath("run/drops.csv")),
                              "node,port,priority,reason,frames,bytes,first_ns,last_ns\n"
                              "s0,0,3,no-route,1,134,21158,21158\n"
                              "s0,1,,link-down,1,134,21000,21000\n",
                              "drops.csv");
        NS_TEST_EXPECT_MSG_EQ(ReadFile(GetPath("run/queues.csv")),
                              "time_ns,node,port,side,priority,bytes,shared_bytes,headroom_bytes\n"
                              "0,s0,,buffer,,0,0,0\n"
                              "0,s0,1,ingress,0,0,0,0\n"
                              "0,s0,0,egress,0,0,,\n"
                              "40000,s0,,buffer,,5,2,2\n"
                              "40000,s0,1,ingress,0,5,2,2\n"
                              "40000,s0,0,egress,0,5,,\n",
                              "queues.csv");
        const auto verdict = results.GetVerdict();
        NS_TEST_EXPECT_MSG_EQ((verdict.outcome == RunOutcome::LOSSY), true, "");
        NS_TEST_EXPECT_MSG_EQ(verdict.lostFrames, 2, "lost frames");
        NS_TEST_ASSERT_MSG_EQ(verdict.problems.size(), 1, "one sentence for both");
        NS_TEST_EXPECT_MSG_EQ(verdict.problems[0],
                              "Frames lost: 2 (268 B); most at s0, port 0, class 3 (no-route): 1 "
                              "(134 B).",
                              "the first of equals");
        Simulator::Destroy();
    }
};

/// Of the lost frames, those count as violations that a lossless class lost for lack of buffer.
class ViolationCase : public FolderCase
{
  public:
    ViolationCase()
        : FolderCase("Losslessness is violated by want of buffer in lossless classes only")
    {
    }

  private:
    void DoRun() override
    {
        auto node = CreateObject<PfcSwitchNode>();
        node->SetBufferPolicy(CreateObject<FullPolicy>());
        Star star(node, 2);
        ResultsWriter results(GetPath("run"));
        results.AddNode("s0", node);
        star.Send(MicroSeconds(10), 0, Star::GetAddress(1), 3);
        star.Send(MicroSeconds(20), 0, Star::GetAddress(1), 7); // class 7 is lossy by default
        star.Send(MicroSeconds(30), 0, Ipv4Address("10.9.9.9"), 3);
        Simulator::Run();
        const auto verdict = results.GetVerdict();
        NS_TEST_EXPECT_MSG_EQ((verdict.outcome == RunOutcome::VIOLATED), true, "");
        NS_TEST_EXPECT_MSG_EQ(verdict.lostFrames, 3, "all are lost");
        NS_TEST_EXPECT_MSG_EQ(verdict.losslessClassFrames, 1, "the first is a violation");
        NS_TEST_EXPECT_MSG_EQ(verdict.losslessClassBytes, 134, "its bytes");
        NS_TEST_EXPECT_MSG_EQ(node->GetCounts().losslessDropped, 1, "the switch counts the same");
        NS_TEST_ASSERT_MSG_EQ(verdict.problems.size(), 2, "each frame in one sentence");
        NS_TEST_EXPECT_MSG_EQ(verdict.problems[0],
                              "Frames lost for lack of buffer in lossless classes: 1 (134 B); most "
                              "at s0, port 0, class 3 (headroom-full): 1 (134 B).",
                              "the violation");
        NS_TEST_EXPECT_MSG_EQ(verdict.problems[1],
                              "Other frames lost: 2 (268 B); most at s0, port 0, class 3 "
                              "(no-route): 1 (134 B).",
                              "the others");
        NS_TEST_EXPECT_MSG_EQ(results.Write().has_value(), false, "written");
        // By class, then by reason.
        const JsonReader json(ReadFile(GetPath("run/run.json")));
        Check(json, "0", {"3", "headroom-full", "true", "true"});
        Check(json, "1", {"3", "no-route", "true", "false"});
        Check(json, "2", {"7", "headroom-full", "false", "false"});
        Simulator::Destroy();
    }

    /// The entry of a place: class, reason, whether the class is lossless, whether it is violated.
    void Check(const JsonReader& json, const std::string& entry, const std::vector<std::string>& t)
    {
        const std::string path = "verdict/drops/" + entry + "/";
        NS_TEST_EXPECT_MSG_EQ(json.Get(path + "priority"), t[0], path);
        NS_TEST_EXPECT_MSG_EQ(json.Get(path + "reason"), t[1], path);
        NS_TEST_EXPECT_MSG_EQ(json.Get(path + "lossless_class"), t[2], path);
        NS_TEST_EXPECT_MSG_EQ(json.Get(path + "violation"), t[3], path);
    }
};

/// A whole network is measured by one call, before or after its flows are given.
class FabricCase : public FolderCase
{
  public:
    FabricCase()
        : FolderCase("A fabric's nodes, flows, ideal completion times and packet-hops")
    {
    }

  private:
    void DoRun() override
    {
        const std::string first = Run("before", true);
        NS_TEST_EXPECT_MSG_EQ(Run("after", false), first, "the order does not matter");
        // The frame is stored and forwarded by both switches, at 1 B/ns and 1 us a link. Flow 8
        // starts after the end of the run.
        const std::string fct =
            std::to_string(3 * (RoceNic::GetFrameBytes(500) + OVERHEAD + DELAY.GetNanoSeconds()));
        const std::string other =
            std::to_string(3 * (RoceNic::GetFrameBytes(1) + OVERHEAD + DELAY.GetNanoSeconds()));
        NS_TEST_EXPECT_MSG_EQ(
            first,
            "id,source,destination,priority,bytes,start_ns,fct_ns,ideal_ns,slowdown,group,"
            "retransmitted,marked,cnps,naks\n"
            "7,h0,h1,3,500,0," +
                fct + "," + fct + ",1.000000,burst,0,0,0,0\n8,h1,h0,4,1,900000,," + other +
                ",,,,,,\n",
            "flows.csv");
    }

    /// h0 - s0 - s1 - h1 with one packet from h0 to h1, its acknowledgement, and a frame from h1 to
    /// an unknown address. Returns flows.csv.
    std::string Run(const std::string& name, bool startFirst)
    {
        Fabric fabric(Topology::Line({{1, 1}, RATE, RATE, DELAY}), SwitchHelper());
        FlowList flows;
        flows.push_back({7, 0, 1, 3, 500, Time(0), "burst"}); // starts at once
        flows.push_back({8, 1, 0, 4, 1, MicroSeconds(900), ""});
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
        Ptr<LosslessNetDevice> device = fabric.GetHostDevice(1);
        Simulator::Schedule(MicroSeconds(50), [device]() {
            Ipv4Header header;
            header.SetSource(Star::GetAddress(1));
            header.SetDestination(Ipv4Address("10.9.9.9"));
            header.SetPayloadSize(100);
            auto packet = Create<Packet>(100);
            packet->AddHeader(header);
            device->Send(packet, Mac48Address::GetBroadcast(), 0x0800);
        });
        Simulator::Stop(MicroSeconds(100));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(results.Write().has_value(), false, "written");
        const JsonReader json(ReadFile(GetPath(name + "/run.json")));
        // The packet and its acknowledgement leave one NIC and two switches each.
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
};

/// What a device has lost has no class.
class DeviceLossCase : public TestCase
{
  public:
    DeviceLossCase()
        : TestCase("The sentence about a loss at a device names no class")
    {
    }

  private:
    void DoRun() override
    {
        Star star(CreateObject<PfcSwitchNode>(), 2);
        ResultsWriter results("");
        results.AddNode("s0", star.node);
        auto errors = CreateObject<RateErrorModel>();
        errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        errors->SetRate(1);
        star.node->GetDevice(0)->SetAttribute("ReceiveErrorModel", PointerValue(errors));
        star.Send(MicroSeconds(10), 0, Star::GetAddress(1), 3);
        Simulator::Run();
        const auto verdict = results.GetVerdict();
        NS_TEST_EXPECT_MSG_EQ((verdict.outcome == RunOutcome::LOSSY), true, "");
        NS_TEST_ASSERT_MSG_EQ(verdict.problems.size(), 1, "one sentence");
        NS_TEST_EXPECT_MSG_EQ(verdict.problems[0],
                              "Frames lost: 1 (134 B); most at s0, port 0 (receive-error): 1 (134 "
                              "B).",
                              "");
        Simulator::Destroy();
    }
};

/// A run has measured something if there was a flow or a frame.
class NothingCase : public TestCase
{
  public:
    NothingCase()
        : TestCase("A run without a network, or without flows and frames, is empty")
    {
    }

  private:
    /// @param problems expected number
    void Check(const ResultsWriter& results, RunOutcome outcome, std::size_t problems = 0)
    {
        const auto verdict = results.GetVerdict();
        NS_TEST_EXPECT_MSG_EQ(ToString(verdict.outcome), ToString(outcome), "outcome");
        NS_TEST_EXPECT_MSG_EQ(verdict.problems.size(), problems, "sentences");
    }

    void DoRun() override
    {
        const ResultsWriter nothing("");
        Check(nothing, RunOutcome::EMPTY, 1);
        NS_TEST_EXPECT_MSG_EQ(nothing.GetVerdict().problems.at(0),
                              "Nothing was measured: no network was added to the results; "
                              "ResultsWriter::AddFabric() adds one, or AddNode() and AddNic() its "
                              "parts.",
                              "what is missing");

        // Frames of no flow, as raw sources send them.
        Star star(CreateObject<PfcSwitchNode>(), 2);
        ResultsWriter frames("");
        frames.AddNode("s0", star.node);
        Check(frames, RunOutcome::EMPTY, 1);
        star.Send(MicroSeconds(10), 0, Star::GetAddress(1), 3);
        Simulator::Run();
        Check(frames, RunOutcome::LOSSLESS);
        Simulator::Destroy();

        // A flow that no switch has seen, as of a stack that is not of this module.
        auto nic = CreateObject<FakeNic>();
        ResultsWriter flows("");
        flows.AddNic(nic);
        Check(flows, RunOutcome::EMPTY, 1);
        nic->m_started(MakeRecord(7, 1, Time(0)));
        Check(flows, RunOutcome::UNFINISHED, 1);
        Simulator::Destroy();
    }
};

/// A run in which nothing happens still gives all files, with headers only.
class EmptyRunCase : public FolderCase
{
  public:
    EmptyRunCase()
        : FolderCase("A run without flows and frames is empty and gives headers only")
    {
    }

  private:
    void DoRun() override
    {
        Star star(CreateObject<PfcSwitchNode>(), 2);
        ResultsWriter results(GetPath("new/deep/run/"));
        results.AddNode("s0", star.node);
        Simulator::Run();
        const auto verdict = results.Finish();
        NS_TEST_EXPECT_MSG_EQ((verdict.outcome == RunOutcome::EMPTY), true, "");
        NS_TEST_ASSERT_MSG_EQ(verdict.problems.size(), 1, "one sentence");
        NS_TEST_EXPECT_MSG_EQ(verdict.problems[0],
                              "Nothing was measured: there was no flow, and no switch and no RoCE "
                              "NIC has sent a frame.",
                              "why");
        const std::string run = GetPath("new/deep/run");
        NS_TEST_EXPECT_MSG_EQ(ListFolder(run), ALL_FILES, "files");
        NS_TEST_EXPECT_MSG_EQ(ListFolder(GetPath("new/deep")), "run", "nothing else is left");
        for (const std::string name : {"flows.csv",
                                       "ports.csv",
                                       "pauses.csv",
                                       "pause-depths.csv",
                                       "victims.csv",
                                       "queues.csv",
                                       "drops.csv",
                                       "deadlocks.csv"})
        {
            const std::string text = ReadFile(fs::path(run) / name);
            NS_TEST_EXPECT_MSG_EQ(text.find('\n'), text.size() - 1, name << ": one line");
        }
        const JsonReader json(ReadFile(fs::path(run) / "run.json"));
        NS_TEST_EXPECT_MSG_EQ(json.IsValid(), true, "JSON");
        NS_TEST_EXPECT_MSG_EQ(json.Get("verdict/outcome"), "empty", "verdict");
        NS_TEST_EXPECT_MSG_EQ(json.Get("packet_hops"), "0", "nothing was sent");
        Simulator::Destroy();
    }
};

/// run.json: how the run was made.
class RunFileCase : public FolderCase
{
  public:
    RunFileCase()
        : FolderCase("run.json names the run, its verdict and what differs from the defaults")
    {
    }

  private:
    void DoRun() override
    {
        Config::SetDefault("ns3::lossless::SihBufferPolicy::Alpha", DoubleValue(0.5));
        Config::SetDefault("ns3::lossless::StaticBufferPolicy::Xoff", UintegerValue(80000));
        Star star(CreateObject<PfcSwitchNode>(), 2);
        Star other(CreateObject<PfcSwitchNode>(), 2);
        Config::SetDefault("ns3::lossless::SihBufferPolicy::Alpha", DoubleValue(0.0625));
        star.node->GetSharedBuffer()->SetAttribute("Size", UintegerValue(1 << 24));
        other.node->GetSharedBuffer()->SetAttribute("Size", UintegerValue(1 << 23));
        star.channels[0]->SetAttribute("Delay", TimeValue(MicroSeconds(3)));
        auto errors = CreateObject<RateErrorModel>();
        errors->SetRate(0.25);
        star.devices[0]->SetAttribute("ReceiveErrorModel", PointerValue(errors));
        ResultsWriter results(GetPath("run"));
        const char* arguments[] = {"/bin/program", "--name=a \"b\"\\\n\t", "--x"};
        results.Get<RunNotes>()->SetCommandLine(3, arguments);
        results.Get<RunNotes>()->SetScheme("SIH");
        results.Get<RunNotes>()->AddParameter("burst_share", 0.1);
        results.Get<RunNotes>()->AddParameter("text", std::string("1"));
        results.AddNode("s0", star.node);
        results.AddNode("s1", other.node);
        results.AddNode("h0", star.hosts[0]);
        star.Send(MicroSeconds(1), 1, Ipv4Address("10.9.9.9"), 7);
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
                {"scheme", "SIH"}, // not PFC, which has the same switch
                {"parameters/burst_share", "0.1"},
                {"parameters/text", "1"},
                {"seed", "1"},
                {"run", "1"},
                {"ranks", "1"},
                {"simulated_ns", "2158"},
                {"events", std::to_string(events)},
                {"packet_hops", "0"}, // the frame is not sent on, and no NIC has sent it
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
        Simulator::Destroy();
    }

    void Expect(const JsonReader& json, const std::map<std::string, std::string>& values)
    {
        for (const auto& [path, value] : values)
        {
            NS_TEST_EXPECT_MSG_EQ(json.Get(path), value, path);
        }
    }

    void ExpectAttributes(const JsonReader& json)
    {
        const std::string prefix = "ns3::lossless::";
        const std::map<std::pair<std::string, std::string>, std::string> values = {
            // by a changed default that both objects were made with, and that is back again
            {{prefix + "SihBufferPolicy", "Alpha"}, "0.0625 -> 0.5"},
            // by a changed default of which no object was made
            {{prefix + "StaticBufferPolicy", "Xoff"}, "75000 -> 80000"},
            // by objects that differ, one of them from the default
            {{prefix + "SharedBuffer", "Size"}, "16777216 -> 16777216 8388608"},
            // parts are identified by their type; devices and cables are found through the nodes
            {{prefix + "SwitchNode", "BufferPolicy"}, " -> ns3::lossless::SihBufferPolicy"},
            {{prefix + "LosslessNetDevice", "DataRate"}, "100000000000bps -> 8000000000bps"},
            {{prefix + "LosslessNetDevice", "ReceiveErrorModel"}, " ->  ns3::RateErrorModel"},
            {{"ns3::RateErrorModel", "ErrorRate"}, "0 -> 0.25"},
            // as they are by default, or no setting
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
        // ns-3 releases print times in different ways.
        const std::string delay = json.GetAttribute(prefix + "LosslessChannel", "Delay");
        NS_TEST_EXPECT_MSG_NE(delay.find("3000"), std::string::npos, delay);
    }
};

/// run.json of a report that is made by hand: no two numbers are equal, so that each member shows
/// where it comes from.
class RunNumbersCase : public TestCase
{
  public:
    RunNumbersCase()
        : TestCase("run.json has each number in its member, and no other members")
    {
    }

  private:
    using Members = std::map<std::string, std::string>;

    void DoRun() override
    {
        Simulator::Stop(NanoSeconds(73));
        Simulator::Run();
        Members found = JsonReader(Write()).GetAll();
        Simulator::Destroy();
        for (auto member = found.begin();
             member != found.end();) // those differ from build to build
        {
            const bool isVersion = member->first.compare(0, 9, "versions/") == 0;
            member = isVersion ? found.erase(member) : std::next(member);
        }
        Members expected = GetDescription();
        expected.merge(GetCounts());
        expected.merge(GetVerdict());
        expected.merge(GetMeasured());
        expected.merge(GetGraph());
        expected.merge(GetAttributes());
        NS_TEST_EXPECT_MSG_EQ(FirstDifference(List(found), List(expected)), "", "run.json");
    }

    /// run.json, with seeds that are not the default.
    static std::string Write()
    {
        const uint32_t seed = RngSeedManager::GetSeed();
        const uint64_t run = RngSeedManager::GetRun();
        RngSeedManager::SetSeed(71);
        RngSeedManager::SetRun(72);
        std::ostringstream text;
        WriteRunJson(text, MakeReport());
        RngSeedManager::SetSeed(seed);
        RngSeedManager::SetRun(run);
        return text.str();
    }

    static std::vector<std::string> List(const Members& members)
    {
        std::vector<std::string> lines;
        for (const auto& [path, value] : members)
        {
            lines.push_back(path + " is " + value);
        }
        return lines;
    }

    static RunReport MakeReport()
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
            {"own",
             {{"mean", 0.5}, {"whole", 2.0}, {"names", std::vector<std::string>{"a", "b"}}}}};
        std::set<std::string> values;
        for (char value = 'a'; value <= 'q'; ++value)
        {
            values.insert(std::string(1, value));
        }
        report.attributes = {{"Type", "One", "x", {"y"}}, {"Type", "Many", "z", values}};
        return report;
    }

    static Members GetDescription()
    {
        return {{"schema", "lossless-run"},
                {"schema_version", "5"},
                {"program", "program"},
                {"command_line/0", "/bin/program"},
                {"command_line/1", "--x"},
                {"scheme", "DSH"},
                {"congestion_control", "DCQCN"},
                {"parameters/load", "0.75"},
                {"parameters/name", "text"},
                {"seed", "71"},
                {"run", "72"},
                {"files/0", "run.json"},
                {"files/1", "flows.csv"}};
    }

    /// Of all kinds; a list without a row is one, and a short row lacks members.
    static ResultFacts MakeCounts()
    {
        return {{"/congestion_control", "DCQCN"},
                {"/wall_s", 1.234},
                {"/events", 11},
                {"/pfc_frames", ResultTable{{"node", "port", "frames"}, {{"s2", PortId{60}, 61}}}},
                {"/verdict/drops",
                 ResultTable{{"node", "priority", "violation"},
                             {{"s1", Priority{2}, true}, {"h1", {}, false}, {"h2"}}}}};
    }

    static Members GetCounts()
    {
        return {{"wall_s", "1.234"},
                {"ranks", "1"},
                {"simulated_ns", "73"},
                {"events", "11"},
                {"hints/0", "It was slow."},
                {"pfc_frames/0/node", "s2"},
                {"pfc_frames/0/port", "60"},
                {"pfc_frames/0/frames", "61"},
                {"verdict/drops/0/node", "s1"},
                {"verdict/drops/0/priority", "2"},
                {"verdict/drops/0/violation", "true"},
                {"verdict/drops/1/node", "h1"},
                {"verdict/drops/1/priority", "null"},
                {"verdict/drops/1/violation", "false"},
                {"verdict/drops/2/node", "h2"},
                {"measures/own/mean", "0.5"},
                {"measures/own/whole", "2"},
                {"measures/own/names/0", "a"},
                {"measures/own/names/1", "b"}};
    }

    static RunVerdict MakeVerdict()
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

    static Members GetVerdict()
    {
        return {{"verdict/outcome", "lossy"},
                {"verdict/interrupted_by", "SIGINT"},
                {"verdict/lost_frames", "26"},
                {"verdict/lost_bytes", "27"},
                {"verdict/lost_control_frames", "28"},
                {"verdict/lossless_class_lost_frames", "29"},
                {"verdict/lossless_class_lost_bytes", "30"},
                {"verdict/watchdog_dropped_frames", "31"},
                {"verdict/flows", "34"},
                {"verdict/unfinished_flows", "33"},
                {"verdict/deadlock", "true"},
                {"verdict/deadlock_onset_ns", "35"},
                {"verdict/dissolved_deadlocks", "36"},
                {"verdict/problems/0", "It is stuck."}};
    }

    static ResultFacts MakeMeasured()
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

    static Members GetMeasured()
    {
        return {{"measured/from_ns", "43"},
                {"measured/until_ns", "1000"},
                {"measured/length_ns", "44"}, // 87 - 43
                {"measured/flows", "46"},
                {"measured/unfinished_flows", "45"},
                {"measured/mean_fct_ns", "47"},
                {"measured/median_fct_ns", "48"},
                {"measured/p99_fct_ns", "49.5"},
                {"measured/mean_slowdown", "1.25"},
                {"measured/median_slowdown", "1.5"},
                {"measured/p99_slowdown", "1.75"},
                {"measured/paused_ns", "50"},
                {"measured/max_paused_share", "0.375"},
                {"measured/mean_buffer_bytes", "51.5"}};
    }

    static ResultFacts MakeGraph()
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

    static Members GetGraph()
    {
        return {{"graph/steps", "63"},
                {"graph/done", "62"},
                {"graph/stalled_since_ns", "64"},
                {"graph/waiting/0", "It waits."},
                {"graph/collectives/0/collective", "allreduce"},
                {"graph/collectives/0/algorithm", "ring"},
                {"graph/collectives/0/count", "66"},
                {"graph/collectives/0/done", "65"},
                {"graph/collectives/0/mean_duration_ns", "67.5"},
                {"graph/collectives/0/max_duration_ns", "68.5"},
                {"graph/collectives/0/mean_bus_gbps", "69.5"},
                {"graph/collectives/0/mean_waiting_share", "0.125"},
                {"graph/collectives/1/collective", "broadcast"},
                {"graph/collectives/1/algorithm", "chain"},
                {"graph/collectives/1/count", "70"},
                {"graph/collectives/1/done", "0"}}; // so that there is no mean
    }

    static Members GetAttributes()
    {
        Members members{{"attributes/0/type", "Type"},
                        {"attributes/0/attribute", "One"},
                        {"attributes/0/default", "x"},
                        {"attributes/0/value", "y"},
                        {"attributes/1/type", "Type"},
                        {"attributes/1/attribute", "Many"},
                        {"attributes/1/default", "z"},
                        {"attributes/1/distinct_values", "17"}};
        for (int i = 0; i < 16; ++i) // the first ones, a to p
        {
            members["attributes/1/values/" + std::to_string(i)] =
                std::string(1, static_cast<char>('a' + i));
        }
        return members;
    }
};

/// Which folders are written to, replaced and refused.
class ReplaceCase : public FolderCase
{
  public:
    ReplaceCase()
        : FolderCase("Earlier results are replaced, other folders are refused")
    {
    }

  private:
    void DoRun() override
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
        ReplaceOwnTable(run);
        fs::create_directory_symlink(fs::absolute(run), GetPath("link"));
        NS_TEST_EXPECT_MSG_EQ(Write(GetPath("link")).has_value(), false, "followed");
        NS_TEST_EXPECT_MSG_EQ(fs::is_symlink(GetPath("link")), true, "a link stays a link");
        KeepOther(run);
        NS_TEST_EXPECT_MSG_EQ(List(), "link run", "nothing else is left");

        fs::create_directory(GetPath("foreign"));
        TouchFile(GetPath("foreign/thesis.tex"), "mine");
        TouchFile(GetPath("foreign/run.json"), "{\"schema\": \"another\"}");
        ExpectError(Write(GetPath("foreign")), "foreign holds other files and no result");
        ExpectError(MakeResultFolder(GetPath("foreign")).Check(), "name another folder");
        NS_TEST_EXPECT_MSG_EQ(ListFolder(GetPath("foreign")), "run.json thesis.tex", "untouched");
        ExpectError(Write(GetPath("foreign/thesis.tex")), "thesis.tex is a file; name a folder");
        ExpectError(Write("/"), "holds other files");
        NS_TEST_EXPECT_MSG_EQ(List(), "foreign link run", "nothing else is left");
    }

    /// A run finds at its end that another one has written to its folder: nothing is lost.
    void KeepOther(const std::string& run)
    {
        ResultsWriter late(run);
        NS_TEST_EXPECT_MSG_EQ(Write(run).has_value(), false, "the other one");
        TouchFile(run + "/flows.csv", "the other's");
        ExpectError(late.Write(), "another run wrote to ");
        NS_TEST_EXPECT_MSG_EQ(ReadFile(run + "/flows.csv"), "the other's", "it stays");
        NS_TEST_EXPECT_MSG_EQ(ListFolder(run + "-2"), ALL_FILES, "beside it");
        ExpectError(late.Write(), "run-3.");
        fs::remove_all(run + "-2");
        fs::remove_all(run + "-3");
    }

    /// A table that the program has added is removed with its result.
    void ReplaceOwnTable(const std::string& run)
    {
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
            TouchFile(run + "/run.json",
                      "{\"schema\": \"lossless-run\", \"files\": " + files + "}");
            NS_TEST_EXPECT_MSG_EQ(Write(run).has_value(), false, files);
        }
        TouchFile(run + "/run.json", "{\"schema\": \"lossless-run\", cut");
        NS_TEST_EXPECT_MSG_EQ(Write(run).has_value(), false, "damaged");
    }

    /// Writes an empty run into a folder that is refused by the constructor, if at all.
    std::optional<std::string> Write(const std::string& folder)
    {
        if (const auto error = MakeResultFolder(folder).Check())
        {
            return error;
        }
        return ResultsWriter(folder).Write();
    }
};

/// Failures of the file system end in a sentence and leave nothing behind.
class WriteErrorCase : public FolderCase
{
  public:
    WriteErrorCase()
        : FolderCase("Unwritable folder and full disk: one sentence, exit status 1, no remains")
    {
    }

  private:
    void DoRun() override
    {
        TouchFile(GetPath("file"), "");
        ExpectError(MakeResultFolder(GetPath("file/run")).Check(), "Not a directory");
        const std::string below = GetPath("file/run");
        const auto early = GetAbortMessage([&below]() { ResultsWriter results(below); });
        ExpectError(early.substr(0, early.size() - 1), "Not a directory");

        // A limit of the file size, below that of any run.json, stands for a full disk.
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
};

/// Two equal runs in one process write the same bytes.
class DeterminismCase : public FolderCase
{
  public:
    DeterminismCase()
        : FolderCase("Equal runs write equal files")
    {
    }

  private:
    void DoRun() override
    {
        Run(GetPath("a"));
        Run(GetPath("b"));
        const std::set<std::string> empty{"deadlocks.csv", "drops.csv", "victims.csv"};
        for (const std::string name : {"flows.csv",
                                       "ports.csv",
                                       "pauses.csv",
                                       "pause-depths.csv",
                                       "victims.csv",
                                       "queues.csv",
                                       "drops.csv",
                                       "deadlocks.csv"})
        {
            const std::string first = ReadFile(GetPath("a/" + name));
            NS_TEST_EXPECT_MSG_EQ(first, ReadFile(GetPath("b/" + name)), name);
            const bool hasRows = first.find('\n') + 1 < first.size();
            NS_TEST_EXPECT_MSG_EQ(hasRows, (empty.count(name) == 0), name << " tells something");
        }
        NS_TEST_EXPECT_MSG_EQ(ReadRun(GetPath("a/run.json")),
                              ReadRun(GetPath("b/run.json")),
                              "run.json but for wall_s and cpu_s");
    }

    /// run.json without the lines that a clock writes.
    std::string ReadRun(const std::string& path)
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

    /// Two senders to one receiver over a switch that pauses early.
    void Run(const std::string& folder)
    {
        auto node = CreateObject<PfcSwitchNode>();
        auto policy = CreateObject<StaticBufferPolicy>();
        policy->SetAttribute("Xoff", UintegerValue(10000));
        policy->SetAttribute("Xon", UintegerValue(5000));
        node->SetBufferPolicy(policy);
        Star star(node, 3);
        ResultsWriter results(folder);
        results.AddNode("s0", node);
        results.Get<QueueSampler>()->SetAttribute("Period", TimeValue(MicroSeconds(5)));
        std::vector<Ptr<RoceNic>> nics;
        for (uint32_t i = 0; i < 3; ++i)
        {
            nics.push_back(CreateObject<RoceNic>());
            nics[i]->Install(star.devices[i], Star::GetAddress(i));
            results.AddNode("h" + std::to_string(i), star.hosts[i]);
            results.AddNic(nics[i]);
        }
        for (uint32_t i = 0; i < 2; ++i)
        {
            RoceFlow flow;
            flow.id = i;
            flow.priority = Priority{3};
            flow.bytes = 100000;
            Simulator::Schedule(Time(0), &RoceNic::StartFlow, nics[i], nics[2], flow);
        }
        Simulator::Run();
        const auto verdict = results.Finish();
        NS_TEST_EXPECT_MSG_EQ((verdict.outcome == RunOutcome::LOSSLESS), true, "");
        NS_TEST_EXPECT_MSG_EQ(results.Get<PauseRecorder>()->GetPauses().size(),
                              2,
                              "both senders pause");
        Simulator::Destroy();
    }
};

class MeasureTestSuite : public TestSuite
{
  public:
    MeasureTestSuite()
        : TestSuite("lossless-measure", tests::UNIT)
    {
        AddTestCase(new PauseCase, tests::QUICK);
        AddTestCase(new PauseLifetimeCase, tests::QUICK);
        AddTestCase(new DropCase, tests::QUICK);
        AddTestCase(new DropTailCase, tests::QUICK);
        AddTestCase(new SamplerTimesCase, tests::QUICK);
        AddTestCase(new SamplerValuesCase, tests::QUICK);
        AddTestCase(new HeadroomPeakCase, tests::QUICK);
        AddTestCase(new ThroughputCase, tests::QUICK);
        AddTestCase(new ComplaintCase, tests::QUICK);
        AddTestCase(new FlowCase, tests::QUICK);
        AddTestCase(new JoinCase, tests::QUICK);
        AddTestCase(new FlowsFileCase, tests::QUICK);
        AddTestCase(new WindowCase, tests::QUICK);
        AddTestCase(new StatisticsCase, tests::QUICK);
        AddTestCase(new HintCase, tests::QUICK);
        AddTestCase(new SignalCase, tests::QUICK);
        AddTestCase(new InstantFlowCase, tests::QUICK);
        AddTestCase(new CsvCase, tests::QUICK);
        AddTestCase(new ViolationCase, tests::QUICK);
        AddTestCase(new FabricCase, tests::QUICK);
        AddTestCase(new DeviceLossCase, tests::QUICK);
        AddTestCase(new NothingCase, tests::QUICK);
        AddTestCase(new EmptyRunCase, tests::QUICK);
        AddTestCase(new RunFileCase, tests::QUICK);
        AddTestCase(new RunNumbersCase, tests::QUICK);
        AddTestCase(new ReplaceCase, tests::QUICK);
        AddTestCase(new WriteErrorCase, tests::QUICK);
        AddTestCase(new DeterminismCase, tests::QUICK);
    }
};

MeasureTestSuite g_measureTestSuite; //!< registers the suite

} // namespace THIS_FILE

} // namespace ns3::lossless::tests
