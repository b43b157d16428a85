// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/drop-reason.h"
#include "ns3/ofc-gate.h"
#include "ns3/queue-length-recorder.h"

// Tests the interface of the switch for mechanisms outside the scheme, such as PfcWatchdog:
// SwitchNode::Discard() and SetRefusing(), TransmitGate::SetIgnoring(), and custom drop reasons.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-discard", UNIT);

// These reasons are registered in reverse order of their names.
const RegisterDropReason g_arriving({"test-storm-arriving"});
const RegisterDropReason g_queued({"test-queued-in-storm", DropPlace::EGRESS});

constexpr QueueId QUEUE_3{PortId{1}, Priority{3}};         ///< egress queue to host 1, class 3
constexpr QueueId INGRESS_3{PortId{0}, Priority{3}};       ///< ingress queue of host 0, class 3
constexpr PrioritySet CLASSES_3_AND_4 = 1U << 3 | 1U << 4; ///< classes 3 and 4

/// Host 1 pauses two classes, and host 0 sends it three frames of 1000 B in class 3 and two frames
/// of 500 B in class 4.
struct Scene
{
    explicit Scene(uint32_t hosts = 2)
        : star(MakeStaticSwitch(2000, 2000, {{"PrivateBytes", 0}}).Create(), hosts),
          node(star.m_switch)
    {
        drops.Watch("s0", node);
        ListenTo(*node, "Drop", [this](const SwitchItem& item, DropReason reason) {
            traced.emplace_back(item.frame.priority, reason);
        });
        SendPfcIn(Time(0), star.GetHost(1).device, CLASSES_3_AND_4, UINT16_MAX);
        star.GetHost(0).Send(1, 24, 1000, 3, MicroSeconds(10));
        star.GetHost(0).Send(1, 32, 500, 2, MicroSeconds(10));
    }

    static void RunUntil(Time until)
    {
        RunFor(until - Simulator::Now());
    }

    uint64_t GetDropped(DropReason reason) const
    {
        return node->GetCounts().dropped[static_cast<std::size_t>(reason)];
    }

    Star star;                                           ///< the network
    Ptr<SwitchNode> node;                                ///< switch of the network
    DropRecorder drops;                                  ///< drops of the switch
    std::vector<std::pair<Priority, DropReason>> traced; ///< traced drops, in order
};

LOSSLESS_TEST(g_suite, "Reasons have the order of their names, and stand in results by them")
{
    const DropReason queued = g_queued;
    const DropReason arriving = g_arriving;
    NS_TEST_EXPECT_MSG_EQ((queued < arriving), true, "by name, not by registration");
    NS_TEST_EXPECT_MSG_EQ((queued > DropReason::UNKNOWN_CONTROL), true, "behind the module's");
    NS_TEST_EXPECT_MSG_LT(static_cast<std::size_t>(arriving), GetNumDropReasons(), "counted");
    NS_TEST_EXPECT_MSG_EQ(std::string(ToString(queued)), "test-queued-in-storm", "name");
    NS_TEST_EXPECT_MSG_EQ(std::string(ToString(DropReason::UNKNOWN_CONTROL)),
                          "unknown-control",
                          "the module's last");
    NS_TEST_EXPECT_MSG_EQ(IsEgressLoss(queued), true, "as registered");
    NS_TEST_EXPECT_MSG_EQ(IsEgressLoss(arriving), false, "as registered");
    NS_TEST_EXPECT_MSG_EQ(IsCongestionLoss(queued), false, "by default");
}

LOSSLESS_TEST(g_suite, "A reason that cannot be registered stops the program with a sentence")
{
    const DropReason inUse = g_queued;
    for (const auto& [name, sentence] :
         {std::pair("test-queued-in-storm", "\"test-queued-in-storm\" is registered twice."),
          std::pair("link-down", "\"link-down\" is registered twice."),
          std::pair("a,b", "\"a,b\" must be made of lower-case letters"),
          std::pair("", "\"\" must be made of lower-case letters"),
          std::pair("test-late", "\"test-late\" is registered too late")})
    {
        ExpectStop(sentence, [text = name] { AddDropReason({text}); });
    }
    ExpectStop("is not registered", [] { FindDropReason("test-none"); });
    NS_TEST_EXPECT_MSG_LT(static_cast<std::size_t>(inUse), MAX_DROP_REASONS, "bounded");
}

LOSSLESS_TEST(g_suite, "Frames that are discarded no longer count for the length of their queue")
{
    Scene scene;
    QueueLengthRecorder lengths;
    lengths.WatchSwitch("s0", scene.node);
    Scene::RunUntil(MicroSeconds(20));
    scene.node->Discard(QUEUE_3, g_queued);
    scene.node->Discard({PortId{1}, Priority{4}}, g_queued);
    const auto getArea = [&lengths] {
        return lengths.GetRows().at(0).meanBytes *
               static_cast<double>(Simulator::Now().GetNanoSeconds());
    };
    const double before = getArea();
    NS_TEST_EXPECT_MSG_GT(before, 0, "they waited");
    Scene::RunUntil(MicroSeconds(100));
    NS_TEST_EXPECT_MSG_EQ_TOL(getArea(), before, 1e-6, "nothing stays");
}

LOSSLESS_TEST(g_suite, "Discard() drops the frames of a queue, and the pause that they caused ends")
{
    Scene scene;
    Scene::RunUntil(MicroSeconds(20));
    SwitchNode& node = *scene.node;
    const SharedBuffer& buffer = *node.GetSharedBuffer();
    NS_TEST_ASSERT_MSG_EQ(buffer.GetUsed(), 4000, "all are stored");
    NS_TEST_EXPECT_MSG_EQ(node.GetFlowControl()->IsHolding(INGRESS_3), true, "3000 B are too much");
    const Ptr<TransmitGate> gate = scene.star.GetHost(0).device->GetGate();
    NS_TEST_EXPECT_MSG_EQ(Contains(gate->GetOpen(), Priority{3}), false, "the host is stopped");

    node.Discard(QUEUE_3, g_queued);
    NS_TEST_EXPECT_MSG_EQ(scene.GetDropped(g_queued), 3, "class 3");
    NS_TEST_EXPECT_MSG_EQ(node.GetCounts().bytes[static_cast<std::size_t>(DropReason(g_queued))],
                          3000,
                          "their bytes");
    NS_TEST_EXPECT_MSG_EQ(node.GetCounts().losslessDropped, 0, "not for want of buffer");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetIngress(INGRESS_3).GetTotal(), 0, "released at the ingress");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetEgress(QUEUE_3).frames, 0, "and at the egress");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetEgress({PortId{1}, Priority{4}}).frames, 2, "class 4 stays");
    NS_TEST_EXPECT_MSG_EQ(buffer.GetUsed(), 1000, "with its bytes");
    NS_TEST_EXPECT_MSG_EQ((node.GetState(QUEUE_3) == EgressState::EMPTY), true, "nothing waits");
    NS_TEST_EXPECT_MSG_EQ(node.GetFlowControl()->IsHolding(INGRESS_3), false, "let go");
    NS_TEST_ASSERT_MSG_EQ(scene.traced.size(), 3, "each is traced");
    NS_TEST_EXPECT_MSG_EQ(scene.traced[0].first, Priority{3}, "class");
    NS_TEST_EXPECT_MSG_EQ(scene.traced[0].second, DropReason(g_queued), "reason");

    node.Discard(QUEUE_3, g_queued);
    NS_TEST_EXPECT_MSG_EQ(scene.GetDropped(g_queued), 3, "an empty queue has none");
    Scene::RunUntil(MicroSeconds(30));
    NS_TEST_EXPECT_MSG_EQ(Contains(gate->GetOpen(), Priority{3}), true, "the host goes on");
    SendPfc(scene.star.GetHost(1).device, CLASSES_3_AND_4, 0);
    scene.star.GetHost(0).Send(1, 24, 1000, 1);
    Scene::RunUntil(MicroSeconds(50));
    const Recorder& received = scene.star.GetHost(1).received;
    NS_TEST_EXPECT_MSG_EQ(received.GetArrivals(Priority{4}).size(), 2, "class 4 arrives");
    NS_TEST_EXPECT_MSG_EQ(received.GetArrivals(Priority{3}).size(), 1, "and what came later");
    NS_TEST_EXPECT_MSG_EQ(node.GetCounts().received, node.GetCounts().sent + 3, "identity");
    const std::vector<DropRecord> drops = scene.drops.GetDrops();
    NS_TEST_ASSERT_MSG_EQ(drops.size(), 1, "one place");
    NS_TEST_EXPECT_MSG_EQ(drops[0].port, PortId{1}, "at the egress");
    NS_TEST_EXPECT_MSG_EQ(drops[0].frames, 3, "frames");
    NS_TEST_EXPECT_MSG_EQ(drops[0].bytes, 3000, "bytes");
    NS_TEST_EXPECT_MSG_EQ(drops[0].IsViolation(), false, "flow control has not failed");
}

LOSSLESS_TEST(g_suite, "The frame on the wire leaves, the others of its queue do not")
{
    Scene scene;
    Scene::RunUntil(MicroSeconds(20));
    SendPfc(scene.star.GetHost(1).device, CLASSES_3_AND_4, 0);
    bool isDone = false;
    ListenTo(*scene.node, "Dequeue", [&scene, &isDone](const SwitchItem& item) {
        if (item.frame.priority == Priority{3} && !isDone)
        {
            isDone = true;
            scene.node->Discard(QUEUE_3, g_queued);
        }
    });
    Scene::RunUntil(MicroSeconds(50));
    NS_TEST_EXPECT_MSG_EQ(scene.GetDropped(g_queued), 2, "behind the one on the wire");
    const Recorder& received = scene.star.GetHost(1).received;
    NS_TEST_EXPECT_MSG_EQ(received.GetArrivals(Priority{3}).size(), 1, "which arrives");
    NS_TEST_EXPECT_MSG_EQ(received.GetArrivals(Priority{4}).size(), 2, "class 4 does");
    NS_TEST_EXPECT_MSG_EQ(scene.node->GetSharedBuffer()->GetUsed(), 0, "nothing is left");
}

void
CheckRefusing(DropPlace side, DropReason reason, PortId place)
{
    Scene scene;
    const QueueId queue = side == DropPlace::EGRESS ? QUEUE_3 : INGRESS_3;
    scene.node->SetRefusing(side, queue, reason);
    Scene::RunUntil(MicroSeconds(20));
    NS_TEST_EXPECT_MSG_EQ(scene.GetDropped(reason), 3, "class 3");
    NS_TEST_EXPECT_MSG_EQ(scene.node->GetSharedBuffer()->GetUsed(), 1000, "class 4 is stored");
    NS_TEST_EXPECT_MSG_EQ(scene.node->GetFlowControl()->IsHolding(INGRESS_3), false, "no pause");
    NS_TEST_ASSERT_MSG_EQ(scene.drops.GetDrops().size(), 1, "one place");
    NS_TEST_EXPECT_MSG_EQ(scene.drops.GetDrops()[0].port, place, "port");
    scene.node->SetRefusing(side, queue, std::nullopt);
    scene.star.GetHost(0).Send(1, 24, 1000, 2);
    Scene::RunUntil(MicroSeconds(40));
    NS_TEST_EXPECT_MSG_EQ(scene.GetDropped(reason), 3, "no more");
    NS_TEST_EXPECT_MSG_EQ(scene.node->GetSharedBuffer()->GetEgress(QUEUE_3).frames, 2, "stored");
    Simulator::Destroy();
}

LOSSLESS_TEST(g_suite, "SetRefusing() drops what comes for an egress queue, until it ends")
{
    CheckRefusing(DropPlace::EGRESS, g_queued, PortId{1});
}

LOSSLESS_TEST(g_suite, "SetRefusing() drops what arrives by a port in a class, until it ends")
{
    CheckRefusing(DropPlace::INGRESS, g_arriving, PortId{0});
}

LOSSLESS_TEST(g_suite, "A port refuses by where frames come from, or by where they go to")
{
    Scene scene(3);
    scene.node->SetRefusing(DropPlace::INGRESS, {PortId{2}, Priority{3}}, g_arriving);
    scene.node->SetRefusing(DropPlace::EGRESS, {PortId{0}, Priority{3}}, g_queued);
    scene.star.GetHost(2).Send(0,
                               24,
                               1000,
                               5); // If both reasons apply, the ingress takes precedence.
    scene.star.GetHost(1).Send(0, 24, 1000, 4);
    scene.star.GetHost(1).Send(2, 24, 1000, 2);
    Scene::RunUntil(MicroSeconds(20));
    NS_TEST_EXPECT_MSG_EQ(scene.GetDropped(g_arriving), 5, "of host 2");
    NS_TEST_EXPECT_MSG_EQ(scene.GetDropped(g_queued), 4, "for host 0");
    NS_TEST_EXPECT_MSG_EQ(scene.star.GetHost(2).received.m_arrivals.size(), 2, "the others");
    NS_TEST_EXPECT_MSG_EQ(scene.node->GetSharedBuffer()->GetEgress(QUEUE_3).frames, 3, "host 0's");
}

LOSSLESS_TEST(g_suite, "An ignored class leaves in spite of its pause, which holds afterwards")
{
    Scene scene;
    Scene::RunUntil(MicroSeconds(20));
    const Ptr<TransmitGate> gate = scene.star.GetPort(1)->GetGate();
    NS_TEST_EXPECT_MSG_EQ(+gate->GetOpen(), 0xe7, "3 and 4 are stopped");
    gate->SetIgnoring(SetOf(Priority{3}));
    NS_TEST_EXPECT_MSG_EQ(+gate->GetOpen(), 0xef, "3 is open");
    NS_TEST_EXPECT_MSG_EQ(+gate->GetIgnored(), 0x08, "since it is ignored");
    uint32_t paused = 0;
    ListenTo(*gate, "Paused", [&paused](PrioritySet classes, Time /* length */) {
        paused |= classes;
    });
    SendPfc(scene.star.GetHost(1).device, CLASSES_3_AND_4, UINT16_MAX);
    Scene::RunUntil(MicroSeconds(40));
    const Recorder& received = scene.star.GetHost(1).received;
    NS_TEST_EXPECT_MSG_EQ(received.GetArrivals(Priority{3}).size(), 3, "class 3 has left");
    NS_TEST_EXPECT_MSG_EQ(received.GetArrivals(Priority{4}).size(), 0, "class 4 waits");
    NS_TEST_EXPECT_MSG_EQ(paused, 0x10, "nobody is told of a pause of class 3");
    gate->SetIgnoring(0);
    NS_TEST_EXPECT_MSG_EQ(+gate->GetOpen(), 0xe7, "the neighbour's word counts again");
    scene.star.GetHost(0).Send(1, 24, 1000, 1);
    Scene::RunUntil(MicroSeconds(60));
    NS_TEST_EXPECT_MSG_EQ(received.GetArrivals(Priority{3}).size(), 3, "class 3 waits");
    Scene::RunUntil(MilliSeconds(1));
    NS_TEST_EXPECT_MSG_EQ(received.m_arrivals.size(), 6, "until the pause is over");
}

/// A gate whose classes are open but which blocks all frames.
class ShutGate : public TransmitGate
{
  public:
    ShutGate()
    {
        SetSelective(true);
    }

    bool MaySend(const Frame& /* frame */) const override
    {
        return false;
    }

  private:
    bool Apply(const Frame& /* frame */) override
    {
        return true;
    }
};

LOSSLESS_TEST(g_suite, "Single frames that would have to wait leave where their class is ignored")
{
    Pair pair;
    auto gate = CreateObject<ShutGate>();
    pair.GetHost(0).device->SetGate(gate);
    pair.GetHost(0).Send(1, 24, 1000, 3);
    pair.GetHost(0).Send(1, 32, 1000, 3);
    Scene::RunUntil(MicroSeconds(20));
    NS_TEST_EXPECT_MSG_EQ(pair.GetHost(0).source.m_waiting.size(), 6, "all wait");
    gate->SetIgnoring(SetOf(Priority{3}));
    Scene::RunUntil(MicroSeconds(40));
    NS_TEST_EXPECT_MSG_EQ(pair.GetHost(1).received.GetArrivals(Priority{3}).size(), 3, "class 3");
    NS_TEST_EXPECT_MSG_EQ(pair.GetHost(0).source.m_waiting.size(), 3, "class 4 waits");
}

LOSSLESS_TEST(g_suite, "Frames that OFC has set aside go on where their class is ignored")
{
    auto gate = CreateObject<OfcGate>();
    gate->SetIgnoring(SetOf(Priority{3}));
    NS_TEST_EXPECT_MSG_EQ(gate->CountResumes(Priority{3}), 1, "as by a RESUME");
    gate->SetIgnoring(SetOf(Priority{3}) | SetOf(Priority{4}));
    NS_TEST_EXPECT_MSG_EQ(gate->CountResumes(Priority{3}), 1, "once");
    NS_TEST_EXPECT_MSG_EQ(gate->CountResumes(Priority{4}), 1, "the class that is new");
}

LOSSLESS_TEST(g_suite, "drops.csv and run.json name a registered reason")
{
    const std::string folder = Case::Running().CreateTempDirFilename("results");
    Scene scene;
    ResultsWriter results(folder);
    results.AddNode("s0", scene.node);
    scene.node->SetRefusing(DropPlace::INGRESS, INGRESS_3, g_arriving);
    Scene::RunUntil(MicroSeconds(20));
    NS_TEST_ASSERT_MSG_EQ(results.Write().has_value(), false, "written");
    const auto read = [&folder](const std::string& name) { return ReadFile(folder + "/" + name); };
    ExpectPart(read("drops.csv"), "s0,0,3,test-storm-arriving,3,3000,");
    ExpectPart(read("run.json"), "\"reason\": \"test-storm-arriving\"");
}

} // namespace ns3::lossless::tests::THIS_FILE
