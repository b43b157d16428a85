// SPDX-License-Identifier: GPL-2.0-only
//
// Compares switches with published numbers for real switch chips and with the standard. To
// reproduce the numbers of a chip, the tests fill a switch with the same parameters frame by frame.
// The numbers are the values that SONiC's QoS tests (repository sonic-mgmt,
// tests/qos/files/qos.yml) expect of a Tomahawk and a Tomahawk 2.
//
// SONiC's tests close the egress port and send frames of 64 B to ingress queues (priority groups).
// Each frame occupies one cell of 208 B, and each queue has 6 private cells. The tests use
// "pkts_num_trig_pfc" in two ways:
// - With a single queue (xoff_1), the frame with this number causes the PAUSE, and the previous one
//   does not.
// - With several queues filled equally (hdrm_pool_size), this number of frames is sent to each
//   queue in turn without causing a PAUSE. Up to ten further frames then pause each queue.

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/headroom-buffer-policy.h"

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-real-switches", SYSTEM);

constexpr uint32_t CELL_BYTES = 208;
constexpr uint32_t FRAME_BYTES = 60; ///< size without FCS
constexpr uint32_t PRIVATE_CELLS = 6;
/// The maximum number of frames with which SONiC's test tries to trigger a PAUSE for a filled
/// queue.
constexpr uint32_t MOST_TRIGGERS = 10;

struct Chip
{
    std::string policy;        ///< TypeId name
    double alpha{1};           ///< alpha of the dynamic threshold
    uint32_t sharedCells{0};   ///< shared buffer, in cells
    uint32_t headroomCells{0}; ///< headroom of each queue, in cells
    uint32_t poolCells{0};     ///< headroom pool in cells; 0 if each queue has its own headroom
};

Chip
MakeTomahawk(uint32_t headroomCells = 520)
{
    return {"ns3::lossless::SihBufferPolicy", 1, 13071, headroomCells};
}

/// The headroom pool of the Tomahawks in SONiC's tests, in cells.
constexpr uint32_t POOL_CELLS = 5041;

/// @return a Tomahawk whose queues share a headroom pool
Chip
MakeTomahawkWithPool(uint32_t headroomCells)
{
    return {"ns3::lossless::ShpBufferPolicy", 1, 13071, headroomCells, POOL_CELLS};
}

/// A switch whose ingress queues are filled frame by frame while the egress port sends nothing.
class FilledSwitch
{
  public:
    /// @param queues the number of ingress queues, with two per port
    FilledSwitch(const Chip& chip, uint32_t queues);

    void Put(uint32_t queue)
    {
        const uint8_t dscp = static_cast<uint8_t>(Index(GetQueue(queue).priority)) << 3;
        m_star.GetHost(Index(GetQueue(queue).port)).Send(m_destination, dscp, FRAME_BYTES);
        // The frame takes 6.72 ns on the wire, and the cable delay is 1 ns.
        Simulator::Stop(NanoSeconds(20));
        Simulator::Run();
    }

    void Put(uint32_t queue, uint32_t count)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            Put(queue);
        }
    }

    bool IsStopped(uint32_t queue) const
    {
        return m_buffer->GetIngress(GetQueue(queue)).paused;
    }

    bool IsAnyStopped() const
    {
        for (uint32_t i = 0; i < m_queues; ++i)
        {
            if (IsStopped(i))
            {
                return true;
            }
        }
        return false;
    }

    uint64_t GetCells(uint32_t queue) const
    {
        return m_buffer->GetIngress(GetQueue(queue)).GetTotal() / CELL_BYTES;
    }

    uint64_t GetHeadroomCells() const
    {
        return m_buffer->GetHeadroomUsed() / CELL_BYTES;
    }

    uint64_t GetLost() const
    {
        return m_star.m_switch->GetCounts().losslessDropped;
    }

  private:
    static Ptr<SwitchNode> MakeSwitch(const Chip& chip, uint32_t ports);

    static QueueId GetQueue(uint32_t number)
    {
        return {PortId{static_cast<uint16_t>(number / 2)},
                Priority{static_cast<uint8_t>(3 + number % 2)}};
    }

    /// @return the cables, the last of which needs 67 ms for each frame
    static std::vector<Cable> MakeCables(uint32_t ports)
    {
        std::vector<Cable> cables(ports, {DataRate("100Gbps"), NanoSeconds(1)});
        cables.back().rate = DataRate("10kbps");
        return cables;
    }

    uint32_t m_queues;
    uint32_t m_destination;
    Star m_star;
    Ptr<SharedBuffer> m_buffer;
};

FilledSwitch::FilledSwitch(const Chip& chip, uint32_t queues)
    : m_queues(queues),
      m_destination((queues + 1) / 2),
      m_star(MakeSwitch(chip, m_destination + 1), MakeCables(m_destination + 1)),
      m_buffer(m_star.m_switch->GetSharedBuffer())
{
    for (uint32_t i = 0; i < m_destination; ++i)
    {
        // A traffic generator does not respond to PAUSEs.
        m_star.GetHost(i).device->SetGate(CreateObject<ManualGate>());
    }
    RunFor(NanoSeconds(1));
    const auto policy = DynamicCast<HeadroomBufferPolicy>(m_star.m_switch->GetBufferPolicy());
    NS_TEST_ASSERT_MSG_EQ(policy->GetSharedSize(), chip.sharedCells * CELL_BYTES, "B");
}

Ptr<SwitchNode>
FilledSwitch::MakeSwitch(const Chip& chip, uint32_t ports)
{
    const uint32_t queues = 2 * ports;
    const uint32_t headroom = chip.poolCells ? chip.poolCells : queues * chip.headroomCells;
    const uint32_t cells = chip.sharedCells + headroom + queues * PRIVATE_CELLS;
    SwitchHelper helper("ns3::lossless::PfcSwitchNode");
    helper.SetBufferPolicy(chip.policy);
    helper.SetAttribute("LosslessClasses", UintegerValue(0x18));
    helper.SetBufferAttribute("CellBytes", UintegerValue(CELL_BYTES));
    helper.SetBufferAttribute("Size", UintegerValue(cells * CELL_BYTES));
    helper.SetPolicyAttribute("Alpha", DoubleValue(chip.alpha));
    helper.SetPolicyAttribute("PrivateBytes", UintegerValue(PRIVATE_CELLS * CELL_BYTES));
    helper.SetPolicyAttribute("LossyPrivateBytes", UintegerValue(0));
    helper.SetPolicyAttribute("HeadroomBytes", UintegerValue(chip.headroomCells * CELL_BYTES));
    if (chip.poolCells)
    {
        helper.SetPolicyAttribute("PoolBytes", UintegerValue(chip.poolCells * CELL_BYTES));
    }
    return helper.Create();
}

uint64_t
FillInTurn(const Chip& chip, uint32_t queues)
{
    FilledSwitch node(chip, queues);
    for (uint32_t i = 0; node.GetCells(i) <= chip.sharedCells; i = (i + 1) % queues)
    {
        node.Put(i);
        if (node.IsStopped(i))
        {
            return node.GetCells(i);
        }
    }
    return 0;
}

/// Fills the queues one after another without triggering a PAUSE and then adds frames to each queue
/// until it is paused.
void
FillAndStop(FilledSwitch& node, uint32_t queues, uint32_t cells)
{
    for (uint32_t i = 0; i < queues; ++i)
    {
        node.Put(i, cells);
    }
    NS_TEST_ASSERT_MSG_EQ(node.IsAnyStopped(), false, "after " << cells << " cells each");
    for (uint32_t i = 0; i < queues; ++i)
    {
        for (uint32_t count = 0; count < MOST_TRIGGERS && !node.IsStopped(i); ++count)
        {
            node.Put(i);
        }
        NS_TEST_ASSERT_MSG_EQ(node.IsStopped(i), true, "queue " << i);
    }
    NS_TEST_ASSERT_MSG_EQ(node.GetHeadroomCells(), 0, "headroom before it is tested");
}

/// With n queues of w cells each and a shared buffer of B cells, a queue is paused when w > alpha
/// (B - n w), where w includes the current frame but not the queue's 6 private cells. With one
/// queue, the first PAUSE occurs at the published frame. With several queues, it occurs one frame
/// later, as stated at the top of this file.
LOSSLESS_TEST(g_suite, "Tomahawk: cells of a queue until the first PAUSE, n queues filled in turn")
{
    NS_TEST_EXPECT_MSG_EQ(FillInTurn(MakeTomahawk(), 1), 6542, "published: 6542");
    NS_TEST_EXPECT_MSG_EQ(FillInTurn(MakeTomahawk(), 4), 2620 + 1, "published: 2620");
    NS_TEST_EXPECT_MSG_EQ(FillInTurn(MakeTomahawk(), 8), 1458 + 1, "published: 1458");
    NS_TEST_EXPECT_MSG_EQ(FillInTurn(MakeTomahawk(), 10), 1194 + 1, "published: 1194");
}

/// The size B of the shared buffer is not published for this chip but fitted to the three published
/// numbers. Without rounding to whole cells, the formula gives 40 059, with which a single queue
/// would be paused at w > 4451, one frame after the published one. A value of B that is one cell
/// smaller also fits. For 14 queues, the published number is the last frame before the PAUSE, as
/// for the Tomahawk; for 19 queues, it is the frame that causes the PAUSE.
LOSSLESS_TEST(g_suite, "Tomahawk 2: the same with an alpha of an eighth, each to one cell")
{
    Chip chip{"ns3::lossless::SihBufferPolicy", 1.0 / 8, 40058, 520};
    NS_TEST_EXPECT_MSG_EQ(FillInTurn(chip, 1), 4457, "published: 4457");
    NS_TEST_EXPECT_MSG_EQ(FillInTurn(chip, 14), 1826 + 1, "published: 1826");
    NS_TEST_EXPECT_MSG_EQ(FillInTurn(chip, 19), 1490, "published: 1490");
    chip.sharedCells = 40059;
    NS_TEST_EXPECT_MSG_EQ(FillInTurn(chip, 1), 4457 + 1, "published: 4457");
    NS_TEST_EXPECT_MSG_EQ(FillInTurn(chip, 14), 1826 + 1, "published: 1826");
    NS_TEST_EXPECT_MSG_EQ(FillInTurn(chip, 19), 1490, "published: 1490");
}

/// Performs SONiC's test of the headroom pool. All queues except the last one fill their entire
/// headroom ("full"), and the last one takes the rest of the pool ("partial"). In each queue, the
/// next frame is lost. The three configurations have different ports and cables, and therefore
/// different limits, but the same pool.
void
CheckPool(uint32_t queues, uint32_t cells, uint32_t full, uint32_t partial)
{
    FilledSwitch node(MakeTomahawkWithPool(full), queues);
    FillAndStop(node, queues, cells);
    std::vector<uint64_t> taken;
    for (uint32_t i = 0; i < queues; ++i)
    {
        const uint64_t before = node.GetHeadroomCells();
        while (node.GetLost() == i && node.GetHeadroomCells() <= POOL_CELLS)
        {
            node.Put(i);
        }
        taken.push_back(node.GetHeadroomCells() - before);
    }
    std::vector<uint64_t> expected(queues, full);
    expected.back() = partial;
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(taken, expected), "", "headroom until the first loss");
    NS_TEST_EXPECT_MSG_EQ(node.GetHeadroomCells(), POOL_CELLS, "the whole pool");
    NS_TEST_EXPECT_MSG_EQ(node.GetLost(), queues, "one frame of each queue");
}

/// A single queue (xoff_1 at 40, 50 and 100 Gb/s, cables of 300 m) takes 6542 frames until the
/// PAUSE and then fills its entire headroom. The next frame is lost ("pkts_num_trig_ingr_drp").
LOSSLESS_TEST(g_suite, "Tomahawk: the frame of a single queue that is lost first")
{
    const auto getFirstLost = [](uint32_t headroomCells) {
        FilledSwitch node(MakeTomahawkWithPool(headroomCells), 1);
        uint32_t frames = 0;
        for (; node.GetLost() == 0 && frames < 10000; ++frames)
        {
            node.Put(0);
        }
        return frames;
    };
    NS_TEST_EXPECT_MSG_EQ(getFirstLost(520), 7063, "published: 7063");
    NS_TEST_EXPECT_MSG_EQ(getFirstLost(682), 7225, "published: 7225");
    NS_TEST_EXPECT_MSG_EQ(getFirstLost(1292), 7835, "published: 7835");
}

LOSSLESS_TEST(g_suite, "Tomahawk: 9 x 520 + 361 cells of headroom until the pool is exhausted")
{
    CheckPool(10, 1194, 520, 361);
}

LOSSLESS_TEST(g_suite, "Tomahawk: 7 x 682 + 267 cells of headroom until the pool is exhausted")
{
    CheckPool(8, 1458, 682, 267);
}

LOSSLESS_TEST(g_suite, "Tomahawk: 3 x 1292 + 1165 cells of headroom until the pool is exhausted")
{
    CheckPool(4, 2620, 1292, 1165);
}

/// Demonstrates the effect of the pool. Without it, each queue, including the last one, has its
/// entire headroom.
LOSSLESS_TEST(g_suite, "without the pool the last queue has all of its headroom")
{
    FilledSwitch node(MakeTomahawk(), 10);
    FillAndStop(node, 10, 1194);
    for (uint32_t i = 0; i < 10; ++i)
    {
        node.Put(i, 520);
    }
    NS_TEST_EXPECT_MSG_EQ(node.GetLost(), 0, "within the headroom");
    node.Put(9);
    NS_TEST_EXPECT_MSG_EQ(node.GetLost(), 1, "beyond it");
}

/// The rates in Gb/s and the response times in pause quanta of IEEE 802.3, 31B.3.7, as used in
/// SONiC's headroom calculators.
const std::vector<std::pair<uint32_t, uint32_t>> STANDARD_RESPONSE{
    {1, 2},
    {10, 67},
    {25, 80},
    {40, 118},
    {50, 147},
    {100, 394},
    {200, 453},
    {400, 905},
};

/// Makes all gates that are created after this call respond as late as the standard allows.
void
UseStandardResponse()
{
    Config::SetDefault("ns3::lossless::TransmitGate::StandardResponse", BooleanValue(true));
}

LOSSLESS_TEST(g_suite, "response of IEEE 802.3: each row, speeds between and beyond")
{
    for (const auto& [gigabits, quanta] : STANDARD_RESPONSE)
    {
        const uint64_t rate = gigabits * uint64_t{1000000000};
        NS_TEST_EXPECT_MSG_EQ(GetStandardResponseQuanta(DataRate(rate)), quanta, rate);
        NS_TEST_EXPECT_MSG_EQ(GetStandardResponseQuanta(DataRate(rate - 1)), quanta, rate - 1);
    }
    NS_TEST_EXPECT_MSG_EQ(GetStandardResponseQuanta(DataRate("100Mbps")), 1, "the least row");
    NS_TEST_EXPECT_MSG_EQ(GetStandardResponseQuanta(DataRate("56Gbps")), 394, "that of 100 Gb/s");
    NS_TEST_EXPECT_MSG_EQ(GetStandardResponseQuanta(DataRate("800Gbps")), 905, "that of 400 Gb/s");
}

/// @return the time at which a PAUSE that arrives at time 0 takes effect
Time
GetResponse(uint32_t gigabits)
{
    auto gate = CreateObject<PauseGate>();
    gate->Attach({DataRate(gigabits * uint64_t{1000000000}), Time(0), 24, 1500}, nullptr);
    Time closed;
    ListenTo(*gate, "Closed", [&closed](PrioritySet) { closed = Simulator::Now(); });
    PfcHeader pfc;
    pfc.SetQuanta(Priority{3}, 1);
    Frame frame;
    frame.packet = MakePfcFrame(Mac48Address("02:00:00:00:00:01"), pfc);
    gate->ReceiveControl(frame);
    Simulator::Run();
    gate->Dispose();
    Simulator::Destroy();
    return closed;
}

LOSSLESS_TEST(g_suite, "gates and headroom have the same response: 60 quanta, or the standard's")
{
    const auto check = [](uint32_t gigabits, uint32_t quanta) {
        const int64_t nanoseconds = (quanta * 512 + gigabits / 2) / gigabits;
        NS_TEST_EXPECT_MSG_EQ(GetResponse(gigabits).GetNanoSeconds(), nanoseconds, gigabits);
        const PortLink link{DataRate(gigabits * uint64_t{1000000000}), Time(0), 1500};
        NS_TEST_EXPECT_MSG_EQ(GetHeadroomBytes(link), 3000 + 64 * quanta, gigabits << " Gb/s");
    };
    for (const auto& [gigabits, quanta] : STANDARD_RESPONSE)
    {
        check(gigabits, 60);
    }
    UseStandardResponse();
    for (const auto& [gigabits, quanta] : STANDARD_RESPONSE)
    {
        check(gigabits, quanta);
    }
}

LOSSLESS_TEST(g_suite, "headroom follows a slower response than that of Eq. 1, not a faster one")
{
    const PortLink link{DataRate("100Gbps"), Time(0), 1500};
    Config::SetDefault("ns3::lossless::TransmitGate::ResponseQuanta", UintegerValue(100));
    NS_TEST_EXPECT_MSG_EQ(GetHeadroomBytes(link), 3000 + 6400, "100 quanta");
    Config::SetDefault("ns3::lossless::TransmitGate::ResponseQuanta", UintegerValue(0));
    NS_TEST_EXPECT_MSG_EQ(GetHeadroomBytes(link), 3000 + 3840, "at once");
}

/// @param headroom the headroom in bytes, or 0 if the switch computes it with Eq. 1
void
CheckStandardWorstCase(uint32_t headroom, uint64_t lost)
{
    constexpr uint32_t FULL_FRAME = 1514;
    const Cable cable{DataRate("100Gbps"), MicroSeconds(2)};
    const uint64_t granted =
        headroom ? headroom : GetHeadroomBytes({cable.rate, cable.delay, 1500});
    SwitchHelper helper("ns3::lossless::PfcSwitchNode");
    helper.SetAttribute("LosslessClasses", UintegerValue(0x02));
    helper.SetBufferAttribute("Size", UintegerValue(3 * granted + 200 * FULL_FRAME));
    helper.SetPolicyAttribute("PrivateBytes", UintegerValue(0));
    helper.SetPolicyAttribute("LossyPrivateBytes", UintegerValue(0));
    helper.SetPolicyAttribute("HeadroomBytes", UintegerValue(headroom));
    helper.SetPolicyAttribute("WorstCaseHeadroom", BooleanValue(false));
    helper.SetPolicyAttribute("Alpha", DoubleValue(1));
    Star star(helper.Create(), 3, cable);
    Ptr<LosslessNetDevice> blocked = star.GetHost(1).device;
    Simulator::ScheduleWithContext(blocked->GetNode()->GetId(), NanoSeconds(1), [blocked]() {
        SendPfc(blocked, 0x02, 0xffff);
    });
    star.GetHost(0).Send(1, 1 << 3, FULL_FRAME, 300, MicroSeconds(10));
    // Frame 101 exceeds the threshold, 100 frames. The switch begins to send a frame to host 0 one
    // nanosecond before frame 101 arrives.
    const Time trigger = MicroSeconds(12) + NanoSeconds(101 * 12304 / 100);
    star.GetHost(2).Send(0, 7 << 3, FULL_FRAME, 1, trigger - NanoSeconds(124) - cable.delay);
    RunFor(MicroSeconds(100));
    const SwitchNode::Counts& counts = star.m_switch->GetCounts();
    NS_TEST_EXPECT_MSG_EQ(counts.received, 101 + 50 + 1, "frames sent before the effect");
    NS_TEST_EXPECT_MSG_EQ(counts.losslessDropped, lost, "lost with " << granted << " B");
    Simulator::Destroy();
}

/// This is the worst case of dsh-test-suite.cc with the standard's 394 quanta, or 2017.28 ns at
/// 100 Gb/s. The PAUSE takes effect 122.04 + 6.72 + 2000 + 2017.28 = 4146.04 ns after the decision.
/// All frames that begin before that time, at -2000 + j 123.04 ns with j = 0 ... 49, arrive. These
/// 50 frames take 75 700 B. Eq. 1 with 394 quanta instead of 60 gives 78 216 B, while DSH's own
/// 56 840 B have room for only 37 frames.
LOSSLESS_TEST(g_suite, "neighbours as slow as IEEE 802.3 allows need its headroom, DSH's loses")
{
    UseStandardResponse();
    CheckStandardWorstCase(0, 0);
    CheckStandardWorstCase(50 * 1514, 0);
    CheckStandardWorstCase(50 * 1514 - 1, 1);
    CheckStandardWorstCase(56840, 13);
}

} // namespace ns3::lossless::tests::THIS_FILE
