// SPDX-License-Identifier: GPL-2.0-only
//
// Checks admission and thresholds under every buffer policy, byte for byte. The test fills the
// buffer accounting itself.
//
// The expected values are computed with the formulas of the DSH paper (Sec. II-C, IV-B and V-A).
// The threshold T is alpha (Bs - sum of w), where Bs is the size of the shared buffer and w the
// shared bytes of a queue. For a link with rate C and delay D, the headroom eta is
// 2 (C D + MTU) + 3840. DSH pauses a queue at Xqoff = T - eta and a port with Nq lossless classes
// at Xpoff = Nq T.

#include "lossless-test.h"
#include "random-network.h"

#include "ns3/cbfc-buffer-policy.h"
#include "ns3/cbfc-flow-control.h"
#include "ns3/drop-tail-buffer-policy.h"
#include "ns3/dsh-buffer-policy.h"
#include "ns3/sih-buffer-policy.h"

#include <boost/algorithm/string/join.hpp>

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-buffer-policy", UNIT);

/// A link of the Tomahawk model.
const PortLink LINK_100G{DataRate("100Gbps"), MicroSeconds(2), 1500};

/// @return a shape with lossless classes 0 to 6 and a buffer of 16 MiB
SwitchShape
MakeShape(std::size_t count, const PortLink& link = LINK_100G)
{
    SwitchShape shape;
    shape.bufferBytes = 16 << 20;
    shape.ports.assign(count, link);
    shape.lossless = 0x7f;
    return shape;
}

using Settings = std::vector<std::pair<std::string, std::string>>;

/// Creates a policy. Unless set otherwise, lossy classes have no private buffer, as in the papers.
template <typename POLICY>
Ptr<POLICY>
MakePolicy(const Settings& settings = {})
{
    auto policy = CreateObject<POLICY>();
    policy->SetAttributeFailSafe("LossyPrivateBytes", UintegerValue(0));
    for (const auto& [name, value] : settings)
    {
        policy->SetAttribute(name, StringValue(value));
    }
    return policy;
}

/// The attribute that makes headroom as large as in the papers (Eq. 1 of DSH).
const std::pair<std::string, std::string> EQ_1{"WorstCaseHeadroom", "false"};

/// Buffer accounting that the test fills.
class Ledger
{
  public:
    explicit Ledger(std::size_t ports, uint64_t size = 16 << 20)
        : m_buffer(CreateObject<SharedBuffer>())
    {
        m_buffer->SetAttribute("Size", UintegerValue(size));
        m_buffer->Resize(ports);
    }

    /// Adds a frame that occupies the given bytes of each segment.
    Ledger& Put(SwitchItem item, const SegmentBytes& segments)
    {
        item.bufferBytes = segments.reserved + segments.shared + segments.headroom;
        m_buffer->Arrive(item, segments);
        m_buffer->Move(item);
        return *this;
    }

    SharedBuffer& operator*()
    {
        return *m_buffer;
    }

    SharedBuffer* operator->()
    {
        return PeekPointer(m_buffer);
    }

  private:
    Ptr<SharedBuffer> m_buffer;
};

void
ExpectInto(const BufferPolicy& policy,
           Ledger& ledger,
           const SwitchItem& item,
           const SegmentBytes& expected,
           const std::string& what)
{
    const Admission admission = policy.Admit(*ledger, item);
    NS_TEST_ASSERT_MSG_EQ(admission.IsAdmitted(), true, what << ": refused");
    NS_TEST_ASSERT_MSG_EQ(policy.AdmitEgress(*ledger, item).IsAdmitted(),
                          true,
                          what << ": refused at the egress");
    NS_TEST_ASSERT_MSG_EQ(admission.segments.reserved, expected.reserved, what << ": private");
    NS_TEST_ASSERT_MSG_EQ(admission.segments.shared, expected.shared, what << ": shared");
    NS_TEST_ASSERT_MSG_EQ(admission.segments.headroom, expected.headroom, what << ": headroom");
}

constexpr DropReason HEADROOM_FULL = DropReason::HEADROOM_FULL;
constexpr DropReason EGRESS_LIMIT = DropReason::EGRESS_LIMIT;
constexpr DropReason BUFFER_FULL = DropReason::BUFFER_FULL;

void
ExpectRefused(const BufferPolicy& policy,
              Ledger& ledger,
              const SwitchItem& item,
              DropReason reason,
              const std::string& what)
{
    const bool isEgress = reason == EGRESS_LIMIT;
    NS_TEST_ASSERT_MSG_EQ(policy.Admit(*ledger, item).IsAdmitted(), isEgress, what);
    const Admission admission =
        isEgress ? policy.AdmitEgress(*ledger, item) : policy.Admit(*ledger, item);
    NS_TEST_ASSERT_MSG_EQ(admission.IsAdmitted(), false, what << ": admitted");
    NS_TEST_ASSERT_MSG_EQ(admission.reason, reason, what << ": reason");
}

void
ExpectLevels(const std::optional<Thresholds>& actual,
             uint64_t xoff,
             uint64_t xon,
             const std::string& what)
{
    NS_TEST_ASSERT_MSG_EQ(actual.has_value(), true, what << ": no thresholds");
    NS_TEST_ASSERT_MSG_EQ(actual->xoff, xoff, what << ": XOFF");
    NS_TEST_ASSERT_MSG_EQ(actual->xon, xon, what << ": XON");
}

void
Accept(BufferPolicy& policy, const SwitchShape& shape)
{
    const auto error = policy.Configure(shape);
    NS_TEST_ASSERT_MSG_EQ(error.value_or(""), "", "configuration refused");
}

LOSSLESS_TEST(g_suite, "eta = 2 (C D + MTU) + 3840 of each link")
{
    const auto expect = [](const char* rate, Time delay, uint32_t mtu, uint64_t bytes) {
        NS_TEST_ASSERT_MSG_EQ(GetHeadroomBytes({DataRate(rate), delay, mtu}),
                              bytes,
                              rate << " and " << delay.As(Time::NS));
    };
    expect("100Gbps", MicroSeconds(2), 1500, 56840);
    expect("40Gbps", NanoSeconds(1500), 1500, 21840);
    expect("400Gbps", MicroSeconds(2), 1500, 206840);
    expect("10Gbps", MicroSeconds(1), 1500, 9340);   // 2 (1250 + 1500) + 3840
    expect("100Gbps", MicroSeconds(2), 9000, 71840); // 2 (25 000 + 9000) + 3840
    // Without a cable delay, two frames and 3840 B remain.
    expect("100Gbps", Time(0), 1500, 6840);
    expect("1Gbps", NanoSeconds(3), 1500, 6842);            // 0.375 B in flight count as one byte
    expect("1600Gbps", MilliSeconds(10), 1500, 4000006840); // more than 32 bits
}

/// Compared with Eq. 1, the framing (twice 14 + 24 B) and the 84 B of a PAUSE frame add 160 B on
/// the wire, and the frame that finds the shared buffer full adds another full frame. If memory
/// consists of cells, the number of bytes on the wire is multiplied by the largest ratio of memory
/// to wire bytes of any frame. With cells of 208 B, this is the ratio of a frame of 60 B, which
/// takes one cell and 84 B on the wire. With cells of 80 B, it is the ratio of a frame of 81 B,
/// which takes two cells and 105 B on the wire.
LOSSLESS_TEST(g_suite, "the headroom that is enough whatever arrives, and the default")
{
    NS_TEST_ASSERT_MSG_EQ(GetWorstCaseHeadroomBytes(LINK_100G, 1), 56840 + 160 + 1514, "MTU 1500");
    const PortLink jumbo{DataRate("100Gbps"), NanoSeconds(208), 9000};
    NS_TEST_ASSERT_MSG_EQ(GetWorstCaseHeadroomBytes(jumbo, 1), 27040 + 160 + 9014, "MTU 9000");
    // The 57 000 B on the wire scale to 57 000 x 208 / 84 = 141 142.9 B; a frame of 1514 B takes 8
    // more cells.
    NS_TEST_ASSERT_MSG_EQ(GetWorstCaseHeadroomBytes(LINK_100G, 208), 141143 + 1664, "208 B");
    // The 57 000 B on the wire scale to 57 000 x 160 / 105 = 86 857.1 B; a frame of 1514 B takes 19
    // more cells.
    NS_TEST_ASSERT_MSG_EQ(GetWorstCaseHeadroomBytes(LINK_100G, 80), 86858 + 1520, "80 B");

    // The PAUSE frame waits for a frame of 1538 B and takes 84 B itself, both at a tenth of the
    // rate.
    const PortLink slow{DataRate("100Gbps"), MicroSeconds(2), 1500, DataRate("10Gbps")};
    NS_TEST_ASSERT_MSG_EQ(GetWorstCaseHeadroomBytes(slow, 1), 58514 + 9 * 1622, "slow back");
    NS_TEST_ASSERT_MSG_EQ(GetWorstCaseHeadroomBytes(slow, 1, 7), 58514 + 9 * 1622, "one PAUSE");
    NS_TEST_ASSERT_MSG_EQ(GetWorstCaseHeadroomBytes(slow, 1, 8), 58598 + 9 * 1706, "two of them");

    // Without overhead on the wire, 56 840 + 2 x 14 + 60 = 56 928 B arrive, and a frame of 60 B
    // takes a cell of 208 B.
    PortLink bare = LINK_100G;
    bare.overheadBytes = 0;
    NS_TEST_ASSERT_MSG_EQ(GetWorstCaseHeadroomBytes(bare, 1), 56928 + 1514, "no overhead");
    NS_TEST_ASSERT_MSG_EQ(GetWorstCaseHeadroomBytes(bare, 208), 197351 + 1664, "cells, 197 350.4");

    // If more bytes can be retransmitted than the 25 000 B on the cable, those bytes count instead.
    PortLink retried = LINK_100G;
    retried.replayBytes = 40000;
    NS_TEST_ASSERT_MSG_EQ(GetHeadroomBytes(retried), 56840 + 15000, "Eq. 1 with replays");
    NS_TEST_ASSERT_MSG_EQ(GetWorstCaseHeadroomBytes(retried, 1), 58514 + 15000, "with replays");
    retried.replayBytes = 20000;
    NS_TEST_ASSERT_MSG_EQ(GetHeadroomBytes(retried), 56840, "fewer than on the cable");

    SwitchShape shape = MakeShape(2);
    const auto getHeadroom = [&](const Settings& settings) {
        auto policy = MakePolicy<SihBufferPolicy>(settings);
        Accept(*policy, shape);
        return policy->GetPortHeadroom(PortId{0});
    };
    NS_TEST_ASSERT_MSG_EQ(getHeadroom({}), 58514, "default");
    shape.lossless = ALL_PRIORITIES;
    NS_TEST_ASSERT_MSG_EQ(getHeadroom({}), 58598, "eight classes");
    shape = MakeShape(2);
    NS_TEST_ASSERT_MSG_EQ(getHeadroom({EQ_1}), 56840, "papers");
    NS_TEST_ASSERT_MSG_EQ(getHeadroom({EQ_1, {"HeadroomMargin", "7"}}), 56847, "and a margin");
    shape.cellBytes = 208;
    NS_TEST_ASSERT_MSG_EQ(getHeadroom({{"HeadroomMargin", "7"}}), 142814, "cells and a margin");
    NS_TEST_ASSERT_MSG_EQ(getHeadroom({{"HeadroomBytes", "5000"}}), 5000, "by hand");
}

/// DSH's model of Broadcom's Tomahawk (Sec. V-A) has 32 ports of 100 Gb/s, a buffer of 16 MiB, 7
/// lossless classes, private buffers of 3 KiB and alpha 1/16, all of which are the defaults. The
/// other model is the Trident2 of Sec. III-A.
LOSSLESS_TEST(g_suite, "numbers of the Tomahawk and Trident2 models")
{
    const SwitchShape shape = MakeShape(32);
    const QueueId queue{PortId{31}, Priority{6}};
    Ledger empty(32);

    auto sih = MakePolicy<SihBufferPolicy>({EQ_1});
    Accept(*sih, shape);
    NS_TEST_ASSERT_MSG_EQ(sih->GetNLossless(), 7, "Nq");
    NS_TEST_ASSERT_MSG_EQ(sih->GetReservedHeadroom(), 12732160, "headroom of SIH");
    NS_TEST_ASSERT_MSG_EQ(sih->GetSharedSize(), 3356928, "16 MiB - 12 732 160 - 688 128");
    ExpectLevels(sih->GetThresholds(*empty, queue), 209808, 209808, "SIH, empty switch");
    NS_TEST_ASSERT_MSG_EQ(sih->GetPortThresholds(*empty, PortId{0}).has_value(),
                          false,
                          "SIH has no port level");

    auto dsh = MakePolicy<DshBufferPolicy>({EQ_1});
    Accept(*dsh, shape);
    NS_TEST_ASSERT_MSG_EQ(dsh->GetReservedHeadroom(), 1818880, "insurance of DSH, Eq. 4");
    NS_TEST_ASSERT_MSG_EQ(dsh->GetSharedSize(), 14270208, "16 MiB - 1 818 880 - 688 128");
    ExpectLevels(dsh->GetThresholds(*empty, queue), 835048, 835048, "14 270 208 / 16 - eta");
    ExpectLevels(dsh->GetPortThresholds(*empty, PortId{0}), 6243216, 6243216, "7 x 891 888");

    // Without private buffers, the size of the shared memory is that of Theorem 2, B - Np Nq eta.
    auto bare = MakePolicy<SihBufferPolicy>({EQ_1, {"PrivateBytes", "0"}});
    Accept(*bare, shape);
    NS_TEST_ASSERT_MSG_EQ(bare->GetSharedSize(), 4045056, "Bs of Theorem 2");

    auto trident = MakePolicy<SihBufferPolicy>({EQ_1, {"PrivateBytes", "0"}});
    SwitchShape small = MakeShape(32, {DataRate("40Gbps"), NanoSeconds(1500), 1500});
    small.bufferBytes = 12 << 20;
    small.lossless = 0xff;
    Accept(*trident, small);
    NS_TEST_ASSERT_MSG_EQ(trident->GetReservedHeadroom(), 5591040, "5.33 MiB of 12");
    NS_TEST_ASSERT_MSG_EQ(trident->GetSharedSize(), 6991872, "the rest");
}

/// Tries to set each attribute of an initialized part to its current value.
/// @return the names of the attributes that could be set
std::set<std::string>
ListLiveAttributes(const Ptr<Object>& part)
{
    std::set<std::string> live;
    for (TypeId type = part->GetInstanceTypeId(); type != Object::GetTypeId();
         type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation info = type.GetAttribute(i);
            const Ptr<AttributeValue> value = info.checker->Create();
            if (part->GetAttributeFailSafe(info.name, *value) &&
                part->SetAttributeFailSafe(info.name, *value))
            {
                live.insert(type.GetName().substr(15) + "::" + info.name);
            }
        }
    }
    return live;
}

/// A scheme or policy evaluates and checks its attributes when its switch starts.
LOSSLESS_TEST(g_suite, "no attribute of a switch's parts changes once it has started")
{
    std::set<std::string> live;
    for (const SchemeInfo& scheme : GetModuleSchemes())
    {
        for (const BufferPolicyInfo& policy : scheme.GetPolicies())
        {
            SwitchHelper helper(scheme);
            helper.SetBufferPolicy(policy.type);
            Star star(helper.Create(), 2, {DataRate("1Gbps"), NanoSeconds(20)});
            star.m_switch->Initialize();
            SwitchNode& node = *star.m_switch;
            NS_TEST_EXPECT_MSG_EQ(node.SetAttributeFailSafe("LosslessClasses", UintegerValue(1)),
                                  false,
                                  "LosslessClasses");
            live.merge(ListLiveAttributes(node.GetSharedBuffer()));
            live.merge(ListLiveAttributes(node.GetBufferPolicy()));
            live.merge(ListLiveAttributes(node.GetFlowControl()));
            live.merge(ListLiveAttributes(node.GetForwarding()));
            NS_TEST_EXPECT_MSG_EQ(node.GetPortDevice(PortId{0})->SetMtu(9000), false, "Mtu");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(boost::algorithm::join(live, " "), "", "could be set");
}

/// The total headroom, DSH's thresholds and the remaining space depend on the eta of each port's
/// own link (doc/notebook/dsh.rst, D8).
LOSSLESS_TEST(g_suite, "each port has the headroom of its own link")
{
    SwitchShape shape = MakeShape(2);
    shape.ports.push_back({DataRate("400Gbps"), MicroSeconds(2), 1500});
    shape.ports.push_back({DataRate("40Gbps"), NanoSeconds(1500), 1500});
    const std::vector<uint64_t> eta{56840, 56840, 206840, 21840};
    const uint64_t sum = 342360;
    const uint64_t reserved = 4 * 7 * 3072;
    Ledger empty(4);

    auto sih = MakePolicy<SihBufferPolicy>({EQ_1});
    Accept(*sih, shape);
    NS_TEST_ASSERT_MSG_EQ(sih->GetSharedSize(), (16 << 20) - 7 * sum - reserved, "Bs of SIH");
    NS_TEST_ASSERT_MSG_EQ(sih->GetLargestHeadroom(), 206840, "the largest");

    auto dsh = MakePolicy<DshBufferPolicy>({EQ_1});
    Accept(*dsh, shape);
    const uint64_t shared = (16 << 20) - sum - reserved;
    NS_TEST_ASSERT_MSG_EQ(dsh->GetSharedSize(), shared, "Bs of DSH");
    for (uint16_t port = 0; port < 4; ++port)
    {
        NS_TEST_ASSERT_MSG_EQ(dsh->GetPortHeadroom(PortId{port}), eta[port], "eta");
        const uint64_t xoff = shared / 16 - eta[port];
        ExpectLevels(dsh->GetThresholds(*empty, {PortId{port}, Priority{0}}),
                     xoff,
                     xoff,
                     "port " + std::to_string(port));
        ExpectLevels(dsh->GetPortThresholds(*empty, PortId{port}),
                     shared / 16 * 7,
                     shared / 16 * 7,
                     "port level of port " + std::to_string(port));
    }
}

/// A leaf of DSH's Fig. 12 with 16 ports of 100 Gb/s and 2 of 400 Gb/s, on a chip with headroom for
/// 32 ports of 100 Gb/s. The shared buffer is as large as on the full chip, and each port has the
/// headroom of its own link.
LOSSLESS_TEST(g_suite, "reference ports set aside what the chip does, whatever is connected")
{
    SwitchShape shape = MakeShape(16);
    shape.ports.insert(shape.ports.end(), 2, {DataRate("400Gbps"), MicroSeconds(2), 1500});
    const Settings chip{EQ_1, {"ReferencePorts", "32"}, {"ReferenceHeadroomBytes", "56840"}};

    auto sih = MakePolicy<SihBufferPolicy>(chip);
    Accept(*sih, shape);
    NS_TEST_ASSERT_MSG_EQ(sih->GetReservedHeadroom(), 12732160, "32 x 7 x 56 840");
    NS_TEST_ASSERT_MSG_EQ(sih->GetSharedSize(), 3356928, "as with 32 ports");
    NS_TEST_ASSERT_MSG_EQ(sih->GetPortHeadroom(PortId{17}), 206840, "of its own link");
    auto dsh = MakePolicy<DshBufferPolicy>(chip);
    Accept(*dsh, shape);
    NS_TEST_ASSERT_MSG_EQ(dsh->GetSharedSize(), 14270208, "as with 32 ports");

    // The reserve for 32 ports at 100 Gb/s is too small for 32 ports at 400 Gb/s. By default, a
    // reference port has the headroom of the largest port.
    SwitchShape fast = MakeShape(32, {DataRate("400Gbps"), MicroSeconds(2), 1500});
    fast.bufferBytes = 64 << 20;
    auto connected = MakePolicy<SihBufferPolicy>(chip);
    Accept(*connected, fast);
    NS_TEST_ASSERT_MSG_EQ(connected->GetReservedHeadroom(), 32 * 7 * 206840, "of those connected");
    fast.ports.resize(1);
    auto largest = MakePolicy<SihBufferPolicy>({EQ_1, {"ReferencePorts", "32"}});
    Accept(*largest, fast);
    NS_TEST_ASSERT_MSG_EQ(largest->GetReservedHeadroom(), 32 * 7 * 206840, "32 like the one");
}

/// A switch small enough for computations by hand. It has 3 ports, lossless classes 1 and 2,
/// private buffers of 1000 B, headroom of 2000 B, and Bs = 30 000 B of shared buffer.
struct SmallSwitch
{
    static constexpr uint64_t SHARED = 30000;
    static constexpr uint32_t PRIVATE = 1000;
    static constexpr uint32_t HEADROOM = 2000;

    static SwitchShape GetShape(uint32_t headrooms)
    {
        SwitchShape shape = MakeShape(3);
        shape.lossless = 0x06;
        shape.bufferBytes = SHARED + 6 * PRIVATE + headrooms * HEADROOM;
        return shape;
    }

    static Settings GetSettings(const Settings& more = {})
    {
        Settings settings{{"PrivateBytes", "1000"}, {"HeadroomBytes", "2000"}};
        settings.insert(settings.end(), more.begin(), more.end());
        return settings;
    }
};

void
CheckPrivateOfSih(const SihBufferPolicy& policy)
{
    Ledger ledger(3);
    ExpectInto(policy, ledger, MakeItem(0, 1, 1000), {1000, 0, 0}, "fills the private one");
    ExpectInto(policy, ledger, MakeItem(0, 1, 1001), {1000, 1, 0}, "one byte beyond");
    ledger.Put(MakeItem(0, 1, 0), {600, 0, 0});
    ExpectInto(policy, ledger, MakeItem(0, 1, 600), {400, 200, 0}, "over the edge");
    ExpectInto(policy, ledger, MakeItem(0, 2, 600), {600, 0, 0}, "another class");
    ExpectInto(policy, ledger, MakeItem(1, 1, 600), {600, 0, 0}, "another port");
}

void
CheckThresholdOfSih(const SihBufferPolicy& policy)
{
    // With w = 10 000 and T = 0.5 (30 000 - 10 000) = 10 000, the queue is exactly at the
    // threshold.
    const QueueId queue{PortId{0}, Priority{1}};
    Ledger ledger(3);
    ledger.Put(MakeItem(0, 1, 0), {1000, 10000, 0});
    ExpectLevels(policy.GetThresholds(*ledger, queue), 10000, 10000, "T");
    ExpectInto(policy, ledger, MakeItem(0, 1, 500), {0, 500, 0}, "ON: crosses T");
    ledger->SetPaused(queue, true);
    ExpectInto(policy, ledger, MakeItem(0, 1, 500), {0, 0, 500}, "OFF, and w = T");
    // With one byte fewer in this queue, T exceeds w by 1 byte, so the frame goes to the shared
    // buffer.
    Ledger below(3);
    below.Put(MakeItem(0, 1, 0), {1000, 9999, 0});
    below->SetPaused(queue, true);
    ExpectLevels(policy.GetThresholds(*below, queue), 10000, 10000, "floor of 10 000.5");
    ExpectInto(policy, below, MakeItem(0, 1, 500), {0, 500, 0}, "OFF, but w < T");
    // Bytes in another queue of another port lower the threshold of this queue.
    ledger.Put(MakeItem(2, 2, 0), {0, 3, 0});
    ExpectLevels(policy.GetThresholds(*ledger, queue), 9998, 9998, "floor of 9998.5");
    ExpectInto(policy, ledger, MakeItem(0, 2, 500), {500, 0, 0}, "class 2 is ON and empty");
}

void
CheckHeadroomOfSih(const SihBufferPolicy& policy)
{
    const QueueId queue{PortId{0}, Priority{1}};
    Ledger ledger(3);
    ledger.Put(MakeItem(0, 1, 0), {1000, 12000, 500});
    ledger->SetPaused(queue, true);
    NS_TEST_ASSERT_MSG_EQ(policy.GetThresholds(*ledger, queue)->headroomInUse,
                          true,
                          "500 bytes of headroom");
    NS_TEST_ASSERT_MSG_EQ(policy.GetThresholds(*ledger, {PortId{0}, Priority{2}})->headroomInUse,
                          false,
                          "of class 1 only");
    ExpectInto(policy, ledger, MakeItem(0, 1, 1500), {0, 0, 1500}, "the last byte");
    ExpectRefused(policy, ledger, MakeItem(0, 1, 1501), HEADROOM_FULL, "one byte too many");
    // Each queue has its own headroom.
    ledger.Put(MakeItem(0, 2, 0), {1000, 12000, 0});
    ledger->SetPaused({PortId{0}, Priority{2}}, true);
    ExpectInto(policy, ledger, MakeItem(0, 2, 2000), {0, 0, 2000}, "of class 2");
    // Even a paused queue uses its private buffer before its headroom.
    Ledger room(3);
    room.Put(MakeItem(0, 1, 0), {700, 15000, 0});
    room->SetPaused(queue, true);
    ExpectInto(policy, room, MakeItem(0, 1, 2300), {300, 0, 2000}, "300 private");
    ExpectRefused(policy, room, MakeItem(0, 1, 2301), HEADROOM_FULL, "300 private are not enough");
}

void
CheckSharedLimitOfSih(const SihBufferPolicy& policy)
{
    // Other queues use 29 000 of the 30 000 B; this queue is empty and in state ON.
    Ledger ledger(3);
    ledger.Put(MakeItem(1, 1, 0), {0, 29000, 0});
    ExpectInto(policy, ledger, MakeItem(0, 1, 2000), {1000, 1000, 0}, "the last byte");
    ExpectInto(policy, ledger, MakeItem(0, 1, 2001), {1000, 0, 1001}, "does not fit");
}

/// SIH (DSH, Sec. II-C) uses the private buffer up to its size phi, the shared buffer below phi + T
/// and the headroom below phi + T + eta, and drops otherwise. The frame that crosses T while the
/// queue is ON goes to the shared buffer (see HeadroomBufferPolicy).
LOSSLESS_TEST(g_suite, "SIH: segments of each frame, and the limits byte for byte")
{
    auto policy = MakePolicy<SihBufferPolicy>(SmallSwitch::GetSettings({{"Alpha", "0.5"}}));
    Accept(*policy, SmallSwitch::GetShape(6));
    NS_TEST_ASSERT_MSG_EQ(policy->GetSharedSize(), 30000, "Bs");
    CheckPrivateOfSih(*policy);
    CheckThresholdOfSih(*policy);
    CheckHeadroomOfSih(*policy);
    CheckSharedLimitOfSih(*policy);
}

LOSSLESS_TEST(g_suite, "SIH: T = alpha (Bs - sum of w), XON = T - ResumeOffset")
{
    const QueueId queue{PortId{0}, Priority{1}};
    auto policy = MakePolicy<SihBufferPolicy>(
        SmallSwitch::GetSettings({{"Alpha", "0.25"}, {"ResumeOffset", "1000"}}));
    Accept(*policy, SmallSwitch::GetShape(6));
    Ledger ledger(3);
    ExpectLevels(policy->GetThresholds(*ledger, queue), 7500, 6500, "empty");
    // Bytes in private buffers and headroom do not lower T, regardless of which queue uses them.
    ledger.Put(MakeItem(1, 2, 0), {1000, 0, 2000});
    ExpectLevels(policy->GetThresholds(*ledger, queue), 7500, 6500, "no shared bytes");
    ledger.Put(MakeItem(1, 2, 0), {0, 20000, 0});
    ExpectLevels(policy->GetThresholds(*ledger, queue), 2500, 1500, "10 000 free");
    ledger.Put(MakeItem(2, 2, 0), {0, 7000, 0});
    ExpectLevels(policy->GetThresholds(*ledger, queue), 750, 0, "XON does not go below 0");
    ledger.Put(MakeItem(2, 2, 0), {0, 3000, 0});
    ExpectLevels(policy->GetThresholds(*ledger, queue), 0, 0, "full");
    // With alpha above 1, one queue can take nearly the whole shared buffer.
    auto large = MakePolicy<SihBufferPolicy>(SmallSwitch::GetSettings({{"Alpha", "8"}}));
    Accept(*large, SmallSwitch::GetShape(6));
    Ledger other(3);
    ExpectLevels(large->GetThresholds(*other, queue), 240000, 240000, "alpha 8");
}

void
CheckSharedOfDsh(const DshBufferPolicy& policy)
{
    Ledger ledger(3);
    ExpectInto(policy, ledger, MakeItem(0, 1, 1500), {1000, 500, 0}, "an empty switch");
    ledger.Put(MakeItem(0, 1, 0), {1000, 28000, 0});
    ExpectInto(policy, ledger, MakeItem(0, 1, 2000), {0, 2000, 0}, "far above T = 1000");
    ledger->SetPaused({PortId{0}, Priority{1}}, true);
    ExpectInto(policy, ledger, MakeItem(0, 1, 2000), {0, 2000, 0}, "also in QOFF");
    // A frame of 2001 B fits neither in 2000 B of shared buffer nor in 2000 B of insurance
    // headroom. A frame of 2000 B does not fit in 1999 B of shared buffer, but it fits in the
    // insurance headroom, although the port is ON.
    ExpectRefused(policy, ledger, MakeItem(0, 1, 2001), HEADROOM_FULL, "neither nor");
    ledger.Put(MakeItem(1, 1, 0), {0, 1, 0});
    ExpectInto(policy, ledger, MakeItem(0, 1, 2000), {0, 0, 2000}, "the insurance");
}

void
CheckInsuranceOfDsh(const DshBufferPolicy& policy)
{
    Ledger ledger(3);
    ledger.Put(MakeItem(0, 1, 0), {1000, 5000, 0});
    ledger->SetPortPaused(PortId{0}, true);
    NS_TEST_ASSERT_MSG_EQ(policy.GetPortThresholds(*ledger, PortId{0})->headroomInUse,
                          false,
                          "no insurance yet");
    ExpectInto(policy, ledger, MakeItem(0, 1, 1200), {0, 0, 1200}, "POFF");
    ExpectInto(policy, ledger, MakeItem(0, 2, 1200), {1000, 0, 200}, "private first");
    // Both classes of a port share its insurance headroom.
    ledger.Put(MakeItem(0, 1, 0), {0, 0, 1200});
    ledger.Put(MakeItem(0, 2, 0), {1000, 0, 0});
    ExpectInto(policy, ledger, MakeItem(0, 2, 800), {0, 0, 800}, "the last byte");
    ExpectRefused(policy, ledger, MakeItem(0, 2, 801), HEADROOM_FULL, "one byte too many");
    NS_TEST_ASSERT_MSG_EQ(policy.GetPortThresholds(*ledger, PortId{0})->headroomInUse,
                          true,
                          "1200 bytes of insurance");
    NS_TEST_ASSERT_MSG_EQ(policy.GetThresholds(*ledger, {PortId{0}, Priority{1}})->headroomInUse,
                          false,
                          "insurance is the port's affair");
    // Other ports still have their own insurance headroom.
    ExpectInto(policy, ledger, MakeItem(1, 1, 1200), {1000, 200, 0}, "PON");
    ledger->SetPortPaused(PortId{1}, true);
    ExpectInto(policy, ledger, MakeItem(1, 1, 3000), {1000, 0, 2000}, "of port 1");
}

LOSSLESS_TEST(g_suite, "DSH: segments of each frame, limits byte for byte: without insurance")
{
    auto policy = MakePolicy<DshBufferPolicy>(
        SmallSwitch::GetSettings({{"Alpha", "0.5"}, {"Insurance", "false"}}));
    Accept(*policy, SmallSwitch::GetShape(0));
    NS_TEST_ASSERT_MSG_EQ(policy->GetSharedSize(), 30000, "nothing is set aside");
    Ledger ledger(3);
    ledger->SetPortPaused(PortId{0}, true);
    ExpectInto(*policy, ledger, MakeItem(0, 1, 1000), {1000, 0, 0}, "private buffer is left");
    ExpectRefused(*policy, ledger, MakeItem(0, 1, 1001), HEADROOM_FULL, "no insurance");
    // The pause threshold of the queues is still eta below T.
    ExpectLevels(policy->GetThresholds(*ledger, {PortId{0}, Priority{1}}), 13000, 13000, "T - eta");
}

/// In state POFF, frames go to the insurance headroom of their port; otherwise, they go to the
/// shared buffer, regardless of the state and length of the queue (DSH, Fig. 8).
LOSSLESS_TEST(g_suite, "DSH: segments of each frame, and the limits byte for byte")
{
    auto policy = MakePolicy<DshBufferPolicy>(SmallSwitch::GetSettings({{"Alpha", "0.5"}}));
    Accept(*policy, SmallSwitch::GetShape(3));
    NS_TEST_ASSERT_MSG_EQ(policy->GetSharedSize(), 30000, "Bs");
    CheckSharedOfDsh(*policy);
    CheckInsuranceOfDsh(*policy);
}

void
Expect(const DshBufferPolicy& policy,
       Ledger& ledger,
       std::pair<uint64_t, uint64_t> queue,
       std::pair<uint64_t, uint64_t> port,
       const std::string& what)
{
    ExpectLevels(policy.GetThresholds(*ledger, {PortId{0}, Priority{1}}),
                 queue.first,
                 queue.second,
                 what + ", queue");
    ExpectLevels(policy.GetPortThresholds(*ledger, PortId{0}),
                 port.first,
                 port.second,
                 what + ", port");
}

LOSSLESS_TEST(g_suite, "DSH: Xqoff = T - eta and Xpoff = Nq T, never below zero")
{
    auto policy = MakePolicy<DshBufferPolicy>(SmallSwitch::GetSettings(
        {{"Alpha", "0.5"}, {"ResumeOffset", "300"}, {"PortResumeOffset", "5000"}}));
    Accept(*policy, SmallSwitch::GetShape(3));
    Ledger ledger(3);
    // Here, T = 15 000, eta = 2000 and Nq = 2.
    Expect(*policy, ledger, {13000, 12700}, {30000, 25000}, "empty");
    ledger.Put(MakeItem(1, 2, 0), {500, 20000, 700});
    Expect(*policy, ledger, {3000, 2700}, {10000, 5000}, "T = 5000");
    ledger.Put(MakeItem(1, 2, 0), {0, 5501, 0});
    // T = floor(4499 / 2) = 2249
    Expect(*policy, ledger, {249, 0}, {4498, 0}, "XON clamped");
    ledger.Put(MakeItem(1, 2, 0), {0, 498, 0});
    // T = floor(4001 / 2) = 2000
    Expect(*policy, ledger, {0, 0}, {4000, 0}, "T = eta");
    ledger.Put(MakeItem(1, 2, 0), {0, 1001, 0});
    Expect(*policy, ledger, {0, 0}, {3000, 0}, "T = 1500 < eta");
    ledger.Put(MakeItem(1, 2, 0), {0, 3000, 0});
    Expect(*policy, ledger, {0, 0}, {0, 0}, "full");
}

LOSSLESS_TEST(g_suite, "static thresholds")
{
    const QueueId queue{PortId{0}, Priority{1}};
    Ledger empty(3);
    auto unset = MakePolicy<StaticBufferPolicy>();
    Accept(*unset, MakeShape(3));
    ExpectLevels(unset->GetThresholds(*empty, queue), 75000, 45000, "OFC's settings");

    auto policy = MakePolicy<StaticBufferPolicy>(
        SmallSwitch::GetSettings({{"Xoff", "9000"}, {"Xon", "9000"}}));
    Accept(*policy, SmallSwitch::GetShape(6));
    Ledger ledger(3);
    ledger.Put(MakeItem(0, 1, 0), {1000, 8999, 0}).Put(MakeItem(1, 2, 0), {0, 20000, 0});
    ExpectLevels(policy->GetThresholds(*ledger, queue), 9000, 9000, "with a full neighbour");
    ledger->SetPaused(queue, true);
    ExpectInto(*policy, ledger, MakeItem(0, 1, 500), {0, 500, 0}, "OFF, and w < XOFF");
    ledger.Put(MakeItem(0, 1, 0), {0, 1, 0});
    ExpectInto(*policy, ledger, MakeItem(0, 1, 500), {0, 0, 500}, "OFF, and w = XOFF");
    ledger.Put(MakeItem(0, 1, 0), {0, 0, 2000});
    NS_TEST_ASSERT_MSG_EQ(policy->GetThresholds(*ledger, queue)->headroomInUse, true, "it is full");
    ExpectRefused(*policy, ledger, MakeItem(0, 1, 1), HEADROOM_FULL, "headroom is full");
}

LOSSLESS_TEST(g_suite, "unlimited buffer")
{
    auto policy = MakePolicy<UnlimitedBufferPolicy>();
    Accept(*policy, MakeShape(3));
    Ledger ledger(3, 1000);
    ledger.Put(MakeItem(0, 1, 0, 2), {0, 4000000000, 0});
    ledger.Put(MakeItem(0, 1, 0, 2), {0, 4000000000, 0});
    ledger->SetPaused({PortId{0}, Priority{1}}, true);
    ExpectInto(*policy, ledger, MakeItem(0, 1, 9000, 2), {0, 9000, 0}, "8 GB in 1000 B");
    NS_TEST_ASSERT_MSG_EQ(policy->GetThresholds(*ledger, {PortId{0}, Priority{1}}).has_value(),
                          false,
                          "no thresholds");
    NS_TEST_ASSERT_MSG_EQ(policy->GetPortThresholds(*ledger, PortId{0}).has_value(),
                          false,
                          "no thresholds of ports");
}

LOSSLESS_TEST(g_suite, "CBFC's lossy classes by packets and by bytes")
{
    const auto cbfc = CreateObject<CbfcFlowControl>();
    const auto make = [&cbfc](const std::string& limit) {
        auto policy = MakePolicy<CbfcBufferPolicy>({{"QueueLimit", limit}});
        policy->SetFlowControl(PeekPointer(cbfc));
        Accept(*policy, MakeShape(3));
        return policy;
    };
    const SwitchItem lossy = MakeItem(1, 7, 1500, 2);
    Ledger ledger(3);
    ledger.Put(MakeItem(0, 7, 0, 2), {0, 60, 0}).Put(MakeItem(0, 3, 0, 2), {9000, 0, 0});
    ExpectInto(*make("2p"), ledger, lossy, {0, 1500, 0}, "second packet");
    ExpectRefused(*make("1p"), ledger, lossy, EGRESS_LIMIT, "no second packet");
    ExpectInto(*make("1560B"), ledger, lossy, {0, 1500, 0}, "up to the limit");
    ExpectRefused(*make("1559B"), ledger, lossy, EGRESS_LIMIT, "a byte too many");
    ExpectInto(*make("1p"), ledger, MakeItem(1, 3, 1500, 2), {1500, 0, 0}, "a lossless class");

    auto empty = MakePolicy<CbfcBufferPolicy>({{"QueueLimit", "0p"}});
    empty->SetFlowControl(PeekPointer(cbfc));
    NS_TEST_EXPECT_MSG_EQ(empty->Configure(MakeShape(3)).value_or(""),
                          "QueueLimit is 0; an egress queue must hold at least one packet",
                          "no queue at all");
}

LOSSLESS_TEST(g_suite, "drop-tail by packets and by bytes")
{
    const SwitchItem full = MakeItem(1, 3, 1500, 2);
    auto packets = MakePolicy<DropTailBufferPolicy>({{"QueueLimit", "3p"}});
    Accept(*packets, MakeShape(3));
    Ledger ledger(3, 100000);
    ledger.Put(MakeItem(0, 3, 0, 2), {0, 60, 0}).Put(MakeItem(1, 3, 0, 2), {0, 9000, 0});
    ExpectInto(*packets, ledger, full, {0, 1500, 0}, "third packet");
    ledger.Put(MakeItem(0, 3, 0, 2), {0, 60, 0});
    ExpectRefused(*packets, ledger, full, EGRESS_LIMIT, "fourth packet");
    ExpectInto(*packets, ledger, MakeItem(1, 4, 1500, 2), {0, 1500, 0}, "another class");
    ExpectInto(*packets, ledger, MakeItem(1, 3, 1500, 0), {0, 1500, 0}, "another port");
    NS_TEST_ASSERT_MSG_EQ(packets->GetThresholds(*ledger, {PortId{0}, Priority{3}}).has_value(),
                          false,
                          "no thresholds");

    // The queue contains 9120 bytes.
    auto bytes = MakePolicy<DropTailBufferPolicy>({{"QueueLimit", "10620B"}});
    Accept(*bytes, MakeShape(3));
    ExpectInto(*bytes, ledger, full, {0, 1500, 0}, "up to the limit");
    ledger.Put(MakeItem(0, 3, 0, 2), {0, 1, 0});
    ExpectRefused(*bytes, ledger, full, EGRESS_LIMIT, "one byte too many");

    // The limit is the default of 1000 packets, and 9121 + 1500 bytes exactly fill the memory.
    auto unset = MakePolicy<DropTailBufferPolicy>();
    Accept(*unset, MakeShape(3));
    ledger->SetAttribute("Size", UintegerValue(10621));
    ExpectInto(*unset, ledger, full, {0, 1500, 0}, "fills the memory");
    ledger->SetAttribute("Size", UintegerValue(10620));
    ExpectRefused(*unset, ledger, full, BUFFER_FULL, "memory one byte short");
    for (uint32_t i = ledger->GetEgress({PortId{2}, Priority{3}}).frames; i < 999; ++i)
    {
        ledger.Put(MakeItem(0, 3, 0, 2), {0, 60, 0});
    }
    ledger->SetAttribute("Size", UintegerValue(1 << 20));
    ExpectInto(*unset, ledger, full, {0, 1500, 0}, "packet 1000");
    ledger.Put(MakeItem(0, 3, 0, 2), {0, 60, 0});
    ExpectRefused(*unset, ledger, full, EGRESS_LIMIT, "packet 1001");
}

void
CheckDefault(const SihBufferPolicy& policy)
{
    Ledger ledger(3);
    ExpectInto(policy, ledger, MakeItem(0, 3, 1500, 2), {0, 1500, 0}, "no private buffer");
    // 20 000 B are free, so the queue of port 2 may hold 20 000 B, including this frame.
    ledger.Put(MakeItem(0, 3, 0, 2), {0, 10000, 0});
    ExpectInto(policy, ledger, MakeItem(1, 3, 10000, 2), {0, 10000, 0}, "10 000 + 10 000");
    ExpectRefused(policy, ledger, MakeItem(1, 3, 10001, 2), EGRESS_LIMIT, "one byte too many");
    ExpectInto(policy, ledger, MakeItem(1, 3, 10001, 0), {0, 10001, 0}, "another port");
    ExpectInto(policy, ledger, MakeItem(1, 1, 11001, 2), {1000, 10001, 0}, "lossless");
}

/// LossyAlpha 0.25 allows a quarter of the free memory, and LossyAlpha 1000 allows all of it, to
/// the last byte.
void
CheckAlpha(SihBufferPolicy& policy)
{
    Ledger ledger(3);
    ledger.Put(MakeItem(0, 3, 0, 2), {0, 10000, 0});
    policy.SetAttribute("LossyAlpha", DoubleValue(0.25));
    ExpectInto(policy, ledger, MakeItem(1, 3, 5000, 0), {0, 5000, 0}, "a quarter of 20 000");
    ExpectRefused(policy, ledger, MakeItem(1, 3, 5001, 0), EGRESS_LIMIT, "more than a quarter");
    policy.SetAttribute("LossyAlpha", DoubleValue(1000));
    ExpectInto(policy, ledger, MakeItem(1, 3, 20000, 0), {0, 20000, 0}, "all there is");
    ExpectRefused(policy, ledger, MakeItem(1, 3, 20001, 0), BUFFER_FULL, "more than there is");
    ledger.Put(MakeItem(0, 3, 0, 2), {0, 20000, 0});
    ExpectInto(policy, ledger, MakeItem(1, 1, 3000, 2), {1000, 0, 2000}, "lossless, full");
    policy.SetAttribute("LossyAlpha", DoubleValue(0));
    Ledger empty(3);
    ExpectRefused(policy, empty, MakeItem(1, 3, 60, 0), EGRESS_LIMIT, "none at all");
}

/// A lossy class shares the switch with lossless classes. Its egress queue can hold LossyAlpha
/// times the free memory and never uses private buffer or headroom. Lossless frames that arrive at
/// the same moment are admitted.
LOSSLESS_TEST(g_suite, "lossy classes are dropped, lossless ones are not")
{
    auto policy = MakePolicy<SihBufferPolicy>(SmallSwitch::GetSettings({{"Alpha", "0.5"}}));
    Accept(*policy, SmallSwitch::GetShape(6));
    CheckDefault(*policy);
    CheckAlpha(*policy);
    // Under DSH, too, only LossyAlpha limits a lossy class; the states of the port and the queue do
    // not affect it.
    auto dsh = MakePolicy<DshBufferPolicy>(SmallSwitch::GetSettings({{"Alpha", "0.5"}}));
    Accept(*dsh, SmallSwitch::GetShape(3));
    Ledger stopped(3);
    stopped->SetPortPaused(PortId{1}, true);
    ExpectInto(*dsh, stopped, MakeItem(1, 3, 15000, 2), {0, 15000, 0}, "port stopped");
}

constexpr uint64_t SET_ASIDE = 3 * 6 * 500;

template <typename POLICY>
Ptr<POLICY>
MakeLossyPolicy(Settings more = {{"Alpha", "0.5"}})
{
    more.emplace_back("LossyPrivateBytes", "500");
    return MakePolicy<POLICY>(SmallSwitch::GetSettings(more));
}

template <typename POLICY>
void
CheckPolicy(uint32_t headrooms)
{
    SwitchShape shape = SmallSwitch::GetShape(headrooms);
    shape.bufferBytes += SET_ASIDE;
    auto policy = MakeLossyPolicy<POLICY>();
    Accept(*policy, shape);
    NS_TEST_ASSERT_MSG_EQ(policy->GetSharedSize(), SmallSwitch::SHARED, "Bs");

    Ledger ledger(3);
    ExpectInto(*policy, ledger, MakeItem(0, 3, 500, 2), {500, 0, 0}, "fits");
    ExpectInto(*policy, ledger, MakeItem(0, 3, 1500, 2), {500, 1000, 0}, "the rest is shared");
    ledger.Put(MakeItem(0, 3, 0, 2), {400, 0, 0});
    ExpectInto(*policy, ledger, MakeItem(0, 3, 1500, 2), {100, 1400, 0}, "100 are left");
    ExpectInto(*policy, ledger, MakeItem(1, 3, 1500, 2), {500, 1000, 0}, "another port");
    ExpectInto(*policy, ledger, MakeItem(0, 4, 1500, 2), {500, 1000, 0}, "another class");
    ExpectInto(*policy, ledger, MakeItem(0, 1, 1500, 2), {1000, 500, 0}, "a lossless class");

    // The egress queue has reached its limit, which includes its private bytes.
    policy->SetAttribute("LossyAlpha", DoubleValue(0.05));
    ExpectInto(*policy, ledger, MakeItem(1, 3, 1100, 2), {500, 600, 0}, "400 + 1100");
    ExpectRefused(*policy, ledger, MakeItem(1, 3, 1101, 2), EGRESS_LIMIT, "one byte too many");
    ledger.Put(MakeItem(2, 3, 0, 2), {0, 1500, 0});
    ExpectInto(*policy, ledger, MakeItem(1, 3, 500, 2), {500, 0, 0}, "private, long queue");
    ExpectRefused(*policy, ledger, MakeItem(1, 3, 501, 2), EGRESS_LIMIT, "one byte of it shared");

    ledger.Put(MakeItem(2, 1, 0, 0), {0, 28500, 0});
    ExpectInto(*policy, ledger, MakeItem(1, 3, 500, 0), {500, 0, 0}, "private, full memory");
    ExpectRefused(*policy, ledger, MakeItem(1, 3, 501, 0), BUFFER_FULL, "one byte of it shared");
}

/// Lossy classes can have private buffers. Here, six classes on three ports have 500 B each, and a
/// frame fills the remaining private buffer before it uses shared buffer.
LOSSLESS_TEST(g_suite, "lossy classes fill their private buffer, then share")
{
    CheckPolicy<SihBufferPolicy>(6);
    CheckPolicy<DshBufferPolicy>(3);
    SwitchShape shape = SmallSwitch::GetShape(6);
    shape.bufferBytes = 3 * 2 * (1000 + 2000) + SET_ASIDE;
    const std::string error =
        MakeLossyPolicy<SihBufferPolicy>()->Configure(shape).value_or("accepted");
    ExpectPart(error, "private buffers of 15000 B");
    ++shape.bufferBytes;
    Accept(*MakeLossyPolicy<SihBufferPolicy>({{"Alpha", "1000"}}), shape);

    // By default, the private buffer of a lossy ingress queue has room for an acknowledgement.
    auto unset = CreateObject<SihBufferPolicy>();
    Accept(*unset, MakeShape(4));
    Ledger full(4);
    full.Put(MakeItem(0, 1, 0), {0, static_cast<uint32_t>(unset->GetSharedSize()), 0});
    ExpectInto(*unset, full, MakeItem(1, 7, 62), {62, 0, 0}, "an acknowledgement");
}

template <typename POLICY>
void
Refuse(const Settings& settings, const SwitchShape& shape, const std::vector<std::string>& parts)
{
    auto policy = MakePolicy<POLICY>();
    // This call has an effect only if the policy has headroom.
    policy->SetAttributeFailSafe(EQ_1.first, StringValue(EQ_1.second));
    for (const auto& [name, value] : settings)
    {
        policy->SetAttribute(name, StringValue(value));
    }
    const auto error = policy->Configure(shape);
    NS_TEST_ASSERT_MSG_EQ(error.has_value(), true, "accepted; expected " << parts.front());
    for (const std::string& part : parts)
    {
        NS_TEST_ASSERT_MSG_NE(error->find(part),
                              std::string::npos,
                              "'" << *error << "' does not say '" << part << "'");
    }
}

void
RefuseThresholds()
{
    const SwitchShape shape = MakeShape(32);
    Refuse<SihBufferPolicy>({{"Alpha", "0"}}, shape, {"Alpha", "0", "above 0"});
    Refuse<DshBufferPolicy>({{"Alpha", "0"}}, shape, {"Alpha", "0", "above 0"});
    // The threshold in bytes must fit in 64 bits.
    for (const double alpha : {std::numeric_limits<double>::quiet_NaN(), -0.5, 1.1e9, 1e308})
    {
        NS_TEST_ASSERT_MSG_EQ(
            CreateObject<DshBufferPolicy>()->SetAttributeFailSafe("Alpha", DoubleValue(alpha)),
            false,
            alpha << " is no alpha");
    }
    Accept(*MakePolicy<SihBufferPolicy>({EQ_1, {"Alpha", "1000000000"}}), shape);
    // In the empty switch, T is 209 808 B (SIH) and 891 888 B (DSH). A queue that resumes only
    // below T - offset would never resume if this difference were not positive.
    Refuse<SihBufferPolicy>({{"ResumeOffset", "209808"}}, shape, {"3356928", "209808"});
    Accept(*MakePolicy<SihBufferPolicy>({EQ_1, {"ResumeOffset", "209807"}}), shape);
    Refuse<DshBufferPolicy>({{"ResumeOffset", "835048"}}, shape, {"14270208", "891888"});
    Accept(*MakePolicy<DshBufferPolicy>({EQ_1, {"ResumeOffset", "835047"}}), shape);
    // The threshold of a port is 7 x 891 888 B.
    Refuse<DshBufferPolicy>({{"PortResumeOffset", "6243216"}},
                            shape,
                            {"PortResumeOffset", "6243216", "7 x 891888"});
    Accept(*MakePolicy<DshBufferPolicy>({EQ_1, {"PortResumeOffset", "6243215"}}), shape);
    // alpha Bs = 14 270 208 B / 256 = 55 743 B, which is less than eta, 56 840 B.
    Refuse<DshBufferPolicy>({{"Alpha", "0.00390625"}}, shape, {"55743", "56840"});
    Accept(*MakePolicy<SihBufferPolicy>({EQ_1, {"Alpha", "0.00390625"}}), shape);

    Refuse<StaticBufferPolicy>({{"Xoff", "45000"}, {"Xon", "45001"}}, shape, {"45001", "45000"});
    Accept(*MakePolicy<StaticBufferPolicy>({EQ_1, {"Xoff", "45000"}, {"Xon", "45000"}}), shape);
    Refuse<StaticBufferPolicy>({{"Xoff", "3356929"}}, shape, {"3356929", "3356928"});
    Accept(*MakePolicy<StaticBufferPolicy>({EQ_1, {"Xoff", "3356928"}}), shape);
    auto policy = CreateObject<StaticBufferPolicy>();
    NS_TEST_ASSERT_MSG_EQ(policy->SetAttributeFailSafe("Xon", UintegerValue(0)),
                          false,
                          "a queue cannot fall below 0");
    NS_TEST_ASSERT_MSG_EQ(policy->SetAttributeFailSafe("LossyAlpha", DoubleValue(-1)),
                          false,
                          "a negative LossyAlpha");
}

LOSSLESS_TEST(g_suite, "impossible configurations are refused with their numbers")
{
    SwitchShape shape = MakeShape(32);
    // 32 ports of 400 Gb/s need 7 x 32 x 206 840 B of headroom, which exceeds the buffer.
    Refuse<SihBufferPolicy>({},
                            MakeShape(32, {DataRate("400Gbps"), MicroSeconds(2), 1500}),
                            {"46332160", "688128", "16777216", "32 ports", "7 lossless"});
    Accept(*MakePolicy<DshBufferPolicy>({EQ_1}),
           MakeShape(32, {DataRate("400Gbps"), MicroSeconds(2), 1500}));
    // Headroom and private buffers leave no shared memory.
    shape.bufferBytes = 12732160 + 688128;
    Refuse<SihBufferPolicy>({}, shape, {"12732160", "688128", "13420288"});
    shape.bufferBytes = 1818880 + 688128;
    Refuse<DshBufferPolicy>({}, shape, {"1818880", "688128", "2507008"});
    Refuse<StaticBufferPolicy>({{"HeadroomBytes", "100000"}},
                               shape,
                               {"22400000", "688128", "2507008"});
    Refuse<SihBufferPolicy>({{"PrivateBytes", "100000"}}, MakeShape(32), {"22400000"});
    RefuseThresholds();

    Refuse<DropTailBufferPolicy>({{"QueueLimit", "0p"}}, MakeShape(3), {"QueueLimit", "0"});
    Refuse<DropTailBufferPolicy>({{"QueueLimit", "0B"}}, MakeShape(3), {"QueueLimit", "0"});
}

/// The switches in this test have extreme shapes: no ports, no lossless classes, or only lossless
/// classes.
LOSSLESS_TEST(g_suite, "switches without ports or without lossless classes")
{
    Accept(*MakePolicy<SihBufferPolicy>(), MakeShape(0));
    Accept(*MakePolicy<DshBufferPolicy>(), MakeShape(0));
    Accept(*MakePolicy<StaticBufferPolicy>(), MakeShape(0));

    SwitchShape lossy = MakeShape(32);
    lossy.lossless = 0;
    auto sih = MakePolicy<SihBufferPolicy>();
    Accept(*sih, lossy);
    NS_TEST_ASSERT_MSG_EQ(sih->GetSharedSize(), 16 << 20, "nothing is set aside");
    Ledger ledger(32);
    ExpectInto(*sih, ledger, MakeItem(0, 1, 1500), {0, 1500, 0}, "class 1 is lossy");

    SwitchShape lossless = MakeShape(4);
    lossless.lossless = 0xff;
    auto dsh = MakePolicy<DshBufferPolicy>({EQ_1});
    Accept(*dsh, lossless);
    NS_TEST_ASSERT_MSG_EQ(dsh->GetNLossless(), 8, "Nq");
    // When a policy is configured for another switch, no state of the first switch remains.
    Accept(*dsh, MakeShape(32));
    NS_TEST_ASSERT_MSG_EQ(dsh->GetNLossless(), 7, "Nq");
    NS_TEST_ASSERT_MSG_EQ(dsh->GetSharedSize(), 14270208, "Bs");
}

const RegisterRandomPart g_random({"ns3::lossless::StaticBufferPolicy",
                                   [](RandomNetwork& network, SwitchHelper& switches) {
                                       switches.SetPolicyAttribute("Xoff", UintegerValue(30000));
                                       switches.SetPolicyAttribute(
                                           "Xon",
                                           UintegerValue(network.Draw(1, 30000)));
                                   },
                                   nullptr,
                                   [](const RandomNetwork& /* network */,
                                      const HeadroomBufferPolicy& /* policy */,
                                      uint64_t /* level */) -> uint64_t { return 30000; }});

} // namespace ns3::lossless::tests::THIS_FILE
