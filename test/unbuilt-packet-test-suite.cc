// SPDX-License-Identifier: GPL-2.0-only
//
// Tests packets that are built on demand. The time at which a packet is built must not affect any
// result.

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/fair-egress-queue.h"
#include "ns3/lossless-frame.h"
#include "ns3/ofc-egress-queue.h"
#include "ns3/pabo-egress-queue.h"
#include "ns3/telemetry-header.h"
#include "ns3/unbuilt-packet.h"

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-unbuilt-packet", UNIT);

class RandomPackets
{
  public:
    explicit RandomPackets(int64_t seed)
    {
        m_random->SetStream(seed);
    }

    uint32_t Draw(uint32_t limit)
    {
        return m_random->GetInteger(0, limit - 1);
    }

    RoceHeader MakeHeader()
    {
        RoceHeader header;
        header.SetMacs("00:00:00:00:00:01", "00:00:00:00:00:02");
        header.SetAddresses(Ipv4Address(Draw(UINT32_MAX)), Ipv4Address(Draw(UINT32_MAX)));
        header.SetSourcePort(static_cast<uint16_t>(Draw(65536)));
        header.SetTos(static_cast<uint8_t>(Draw(64) << 2 | Draw(3)));
        header.SetDestinationQp(Draw(RoceHeader::MASK_24_BIT));
        const RoceOpcode opcodes[] = {RoceOpcode::SEND_FIRST,
                                      RoceOpcode::SEND_MIDDLE,
                                      RoceOpcode::SEND_LAST,
                                      RoceOpcode::SEND_ONLY,
                                      RoceOpcode::ACKNOWLEDGE,
                                      RoceOpcode::CNP};
        header.SetOpcode(opcodes[Draw(6)]);
        header.SetPayloadSize(Draw(2) * Draw(9000));
        header.SetPsn(Draw(RoceHeader::MASK_24_BIT));
        header.SetAckRequest(Draw(2) == 0);
        header.SetBecn(Draw(2) == 0);
        header.SetTelemetry(Draw(2) == 0);
        header.SetOption(RoceOption::SACK, Draw(2) == 0);
        header.SetOption(RoceOption::PLACE, Draw(2) == 0);
        return header;
    }

    /// @return a frame with this header and a packet that has not been built. Its optional headers
    /// are derived from the sequence number.
    static Frame MakeFrame(const RoceHeader& header)
    {
        RoceOptions options;
        options.sack.trigger = header.GetPsn();
        options.sack.bitmap = MixBits(header.GetPsn());
        options.place.address = MixBits(options.sack.bitmap);
        options.place.length = static_cast<uint32_t>(MixBits(options.place.address));
        Frame frame;
        frame.packet = PacketRef(UnbuiltPacket::Make(header, &options));
        frame.size = header.GetFrameSize();
        frame.tos = header.GetTos();
        frame.telemetryAt = header.HasTelemetry() ? header.GetSerializedSize() : 0;
        return frame;
    }

    /// Marks both frames or writes telemetry into both, as a switch does.
    void Change(Frame& first, Frame& second)
    {
        if (first.telemetryAt != 0 && Draw(2) == 0)
        {
            const TelemetryHop hop{11, Draw(1 << 24), Draw(1 << 20), Draw(1 << 16)};
            const uint32_t id = Draw(1000);
            StampTelemetry(first, id, hop);
            StampTelemetry(second, id, hop);
        }
        else
        {
            MarkCongestionExperienced(first);
            MarkCongestionExperienced(second);
        }
    }

  private:
    Ptr<UniformRandomVariable> m_random = CreateObject<UniformRandomVariable>(); ///< for all draws
};

LOSSLESS_TEST(g_suite, "It does not matter when a packet is built")
{
    RandomPackets random(1);
    for (uint32_t i = 0; i < 2000; ++i)
    {
        const RoceHeader header = random.MakeHeader();
        Frame late = RandomPackets::MakeFrame(header);
        Frame early = RandomPackets::MakeFrame(header);
        const auto packet = static_cast<Ptr<Packet>>(early.packet);
        NS_TEST_ASSERT_MSG_EQ(packet->GetSize(), early.size, "size of " << header);
        const uint32_t changes = random.Draw(8);
        const uint32_t buildAt = random.Draw(10);
        for (uint32_t change = 0; change < changes; ++change)
        {
            if (change == buildAt)
            {
                NS_TEST_ASSERT_MSG_EQ(late.packet->GetSize(), late.size, "built");
            }
            random.Change(late, early);
        }
        NS_TEST_ASSERT_MSG_EQ((BytesOf(*late.packet) == BytesOf(*packet)), true, header);
        NS_TEST_ASSERT_MSG_EQ(+late.tos, +early.tos, header);
    }
}

/// The packet is serialized, as when it is sent to another rank, and the copy is modified.
LOSSLESS_TEST(g_suite, "A packet that is written down is read as it was")
{
    RandomPackets random(3);
    for (uint32_t i = 0; i < 2000; ++i)
    {
        const RoceHeader header = random.MakeHeader();
        Frame here = RandomPackets::MakeFrame(header);
        Frame expected = RandomPackets::MakeFrame(header);
        random.Change(here, expected);
        const UnbuiltPacket* packet = here.packet.GetUnbuilt();
        std::vector<uint8_t> record(packet->GetRecordSize());
        packet->Write(record.data());
        Frame there = here.WithoutPacket();
        there.packet = PacketRef(UnbuiltPacket::Read(record.data()));
        random.Change(there, expected);
        NS_TEST_ASSERT_MSG_EQ((BytesOf(*there.packet) == BytesOf(*expected.packet)), true, header);
    }
}

/// The header from which a packet is built matches the bytes of the packet.
LOSSLESS_TEST(g_suite, "A packet that is built says what it said before")
{
    RandomPackets random(2);
    for (uint32_t i = 0; i < 200; ++i)
    {
        const Frame frame = RandomPackets::MakeFrame(random.MakeHeader());
        std::ostringstream before;
        frame.packet.GetUnbuilt()->GetHeader().Print(before);
        const auto header = RoceHeader::Peek(*frame.packet);
        NS_TEST_ASSERT_MSG_EQ(header.has_value(), true, before.str());
        std::ostringstream after;
        header->Print(after);
        NS_TEST_ASSERT_MSG_EQ(after.str(), before.str(), "header");
    }
}

LOSSLESS_TEST(g_suite, "Optional headers lie behind the BTH in the order of their bits")
{
    RoceHeader header;
    header.SetPayloadSize(4);
    header.SetOption(RoceOption::PLACE, true);
    header.SetOption(RoceOption::SACK, true);
    RoceOptions options;
    options.sack.trigger = 0x123456;
    options.sack.bitmap = 0x0102030405060708;
    options.place.address = 0x1112131415161718;
    options.place.length = 0x21222324;
    const auto bytesOf = [&] {
        PacketRef packet(UnbuiltPacket::Make(header, &options));
        return BytesOf(*packet);
    };
    const std::vector<uint8_t> sack = {0x12, 0x34, 0x56, 0, 1, 2, 3, 4, 5, 6, 7, 8};
    const std::vector<uint8_t> place =
        {0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0, 0, 0, 0, 0x21, 0x22, 0x23, 0x24};
    std::vector<uint8_t> bytes = bytesOf();
    NS_TEST_ASSERT_MSG_EQ(bytes.size(), 54 + 12 + 16 + 4 + 4, "with payload and ICRC");
    NS_TEST_EXPECT_MSG_EQ(header.GetFrameSize(), bytes.size(), "as the header says");
    NS_TEST_EXPECT_MSG_EQ(+bytes[46], 0x06, "bits of both");
    const std::vector<uint8_t> both(bytes.begin() + 54, bytes.begin() + 82);
    std::vector<uint8_t> expected = sack;
    expected.insert(expected.end(), place.begin(), place.end());
    NS_TEST_EXPECT_MSG_EQ((both == expected), true, "SACK, place");

    header.SetTelemetry(true);
    header.SetOption(RoceOption::PLACE, false);
    bytes = bytesOf();
    NS_TEST_ASSERT_MSG_EQ(bytes.size(), 54 + 42 + 12 + 4 + 4, "telemetry comes first");
    const std::vector<uint8_t> last(bytes.begin() + 96, bytes.begin() + 108);
    NS_TEST_EXPECT_MSG_EQ((last == sack), true, "telemetry, SACK");
}

LOSSLESS_TEST(g_suite, "A packet is moved unbuilt, and shared once it is built")
{
    PacketRef ref(UnbuiltPacket::Make(RoceHeader()));
    NS_TEST_EXPECT_MSG_EQ(static_cast<bool>(ref), true, "there is one");
    const UnbuiltPacket* unbuilt = ref.GetUnbuilt();
    PacketRef moved = std::move(ref);
    NS_TEST_EXPECT_MSG_EQ(static_cast<bool>(ref), false, "it went");
    NS_TEST_EXPECT_MSG_EQ((moved.GetUnbuilt() == unbuilt), true, "the same, unbuilt");
    ref = std::move(moved);
    NS_TEST_EXPECT_MSG_EQ((ref.GetUnbuilt() == unbuilt), true, "and back");

    const PacketRef copy(ref); // builds the packet, which both then share
    NS_TEST_EXPECT_MSG_EQ((ref.GetUnbuilt() == nullptr), true, "built");
    const Ptr<Packet> packet = ref;
    NS_TEST_EXPECT_MSG_EQ((static_cast<Ptr<Packet>>(copy) == packet), true, "one packet");
    NS_TEST_EXPECT_MSG_EQ(packet->GetReferenceCount(), 3, "two refs and a Ptr");
    ref = nullptr;
    NS_TEST_EXPECT_MSG_EQ(packet->GetReferenceCount(), 2, "one ref and a Ptr");
    ref = copy;
    NS_TEST_EXPECT_MSG_EQ(packet->GetReferenceCount(), 3, "two again");
    ref = std::move(ref);
    NS_TEST_EXPECT_MSG_EQ(packet->GetReferenceCount(), 3, "moved to itself");

    NS_TEST_EXPECT_MSG_EQ((static_cast<Ptr<Packet>>(PacketRef()) == nullptr), true, "none");
    PacketRef again(UnbuiltPacket::Make(RoceHeader()));
    NS_TEST_EXPECT_MSG_EQ((again.GetUnbuilt() == unbuilt), true, "memory is used again");
}

static_assert(
    std::is_same_v<decltype(std::declval<UnbuiltPacket&>().GetHeader()), const RoceHeader&>,
    "whether it has telemetry, by which its memory is freed, cannot be changed");

/// A cable is cut while frames wait for it in an egress queue and others are on the wire.
LOSSLESS_TEST(g_suite, "A packet that is lost while nobody looks is never built")
{
    for (const std::string queue : {"FifoEgressQueue", "FairEgressQueue"})
    {
        SwitchHelper switches("ns3::lossless::InfiniteBufferSwitchNode");
        switches.SetEgressQueue("ns3::lossless::" + queue);
        Fabric fabric(Topology::Star({3}), switches);
        fabric.StartFlows({{0, 0, 2, 3, 1000000, Time(0), ""}, {1, 1, 2, 3, 1000000, Time(0), ""}});
        const uint64_t before = Create<Packet>()->GetUid();
        Simulator::Schedule(MicroSeconds(20), [&fabric] {
            DynamicCast<LosslessChannel>(fabric.GetHostDevice(2)->GetChannel())->SetUp(false);
        });
        RunFor(MicroSeconds(30));
        const auto& dropped = fabric.GetSwitch(0)->GetCounts().dropped;
        NS_TEST_EXPECT_MSG_GT(dropped[static_cast<std::size_t>(DropReason::LINK_DOWN)],
                              50,
                              "frames that waited, " << queue);
        NS_TEST_EXPECT_MSG_EQ(Create<Packet>()->GetUid() - before, 1, "none was built, " << queue);
        Simulator::Destroy();
    }
}

LOSSLESS_TEST(g_suite, "Whoever takes all frames of an egress queue does not build them")
{
    auto ofc = CreateObject<OfcEgressQueue>();
    ofc->Attach(CreateObject<OfcGate>(), Priority{0});
    const std::vector<Ptr<EgressQueue>> queues{CreateObject<FifoEgressQueue>(),
                                               CreateObject<FairEgressQueue>(),
                                               CreateObject<PaboEgressQueue>(),
                                               ofc};
    for (const Ptr<EgressQueue>& queue : queues)
    {
        for (uint16_t port = 0; port < 5; ++port)
        {
            SwitchItem item;
            item.frame = RandomPackets::MakeFrame(RoceHeader());
            item.ingress = PortId{port};
            queue->Enqueue(std::move(item));
        }
        const std::vector<SwitchItem> items = queue->TakeAll();
        NS_TEST_EXPECT_MSG_EQ(items.size(), 5, queue->GetInstanceTypeId());
        for (const SwitchItem& item : items)
        {
            NS_TEST_EXPECT_MSG_NE(item.frame.packet.GetUnbuilt(),
                                  nullptr,
                                  queue->GetInstanceTypeId());
        }
    }
}

/// Runs an incast with marks and telemetry.
std::vector<Time>
RunIncast(const std::string& control, const std::function<void(const Fabric&)>& look)
{
    SwitchHelper switches;
    switches.SetMarker("ns3::lossless::RedMarker");
    Fabric fabric(Topology::Star({5}),
                  switches,
                  MakeNics({{"CongestionControl", "ns3::lossless::" + control}}));
    fabric.AssignStreams(1);
    FlowRecorder recorder;
    FlowList flows;
    for (uint32_t i = 0; i < 5; ++i)
    {
        recorder.Watch(fabric.GetNic(i));
        flows.push_back({i, i, i == 4 ? 0U : 4U, 0, 500000, Time(0), ""});
    }
    fabric.StartFlows(flows);
    look(fabric);
    fabric.StopWhenFlowsAreDone(MilliSeconds(10));
    Simulator::Run();
    std::vector<Time> times;
    for (const auto& [id, record] : recorder.GetFlows())
    {
        times.push_back(record.received);
        times.push_back(record.acknowledged);
    }
    Simulator::Destroy();
    return times;
}

LOSSLESS_TEST(g_suite, "To look at packets changes nothing")
{
    for (const std::string control : {"Dcqcn", "Dctcp", "Hpcc", "PowerTcp"})
    {
        const auto unseen = RunIncast(control, [](const Fabric&) {});
        NS_TEST_ASSERT_MSG_EQ(unseen.size(), 10, control);
        const auto trace = RunIncast(control, [](const Fabric&) { LookAtAllFrames(); });
        NS_TEST_EXPECT_MSG_EQ((trace == unseen), true, control << " and a trace");
        // The error model causes the packets from host 4 to be built. No others are built.
        const auto errorModel = RunIncast(control, [](const Fabric& fabric) {
            fabric.GetHostDevice(4)->GetPeer()->SetAttribute(
                "ReceiveErrorModel",
                PointerValue(CreateObject<ReceiveListErrorModel>()));
        });
        NS_TEST_EXPECT_MSG_EQ((errorModel == unseen), true, control << " and an error model");
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
