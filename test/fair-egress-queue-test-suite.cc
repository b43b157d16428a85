// SPDX-License-Identifier: GPL-2.0-only
//
// Tests the egress queue that serves ingress ports fairly: the order of its frames and the bound on
// the lag between ports.

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/fair-egress-queue.h"

#include <random>

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-fair-egress-queue", UNIT);

Ptr<FairEgressQueue>
MakeQueue(uint32_t quantum)
{
    return CreateObjectWithAttributes<FairEgressQueue>("Quantum", UintegerValue(quantum));
}

SwitchItem
MakeItem(uint16_t port, uint32_t bytes, uint64_t id = 0, uint16_t flow = 0)
{
    SwitchItem item;
    item.ingress = PortId{port};
    item.frame.size = bytes;
    item.frame.schemeData.Set(id);
    item.frame.flow.sourcePort = flow;
    return item;
}

uint64_t
GetId(const SwitchItem& item)
{
    return item.frame.schemeData.Get<uint64_t>();
}

void
Fill(FairEgressQueue& queue, uint16_t port, const std::vector<uint32_t>& sizes)
{
    for (const uint32_t size : sizes)
    {
        queue.Enqueue(MakeItem(port, size));
    }
}

std::string
Drain(FairEgressQueue& queue, std::size_t frames = SIZE_MAX)
{
    std::string order;
    for (; frames > 0 && !queue.IsEmpty(); --frames)
    {
        order += static_cast<char>('0' + Index(queue.Dequeue().ingress));
    }
    return order;
}

std::vector<uint32_t>
Sizes(std::size_t count, uint32_t bytes)
{
    return std::vector<uint32_t>(count, bytes);
}

/// Each turn leaves 100 B of credit, so port 1 sends a fourth frame in every fifth turn, and port 0
/// sends a second frame in its fifteenth turn.
LOSSLESS_TEST(g_suite, "1600 B a turn: frames of 1500 B and of 500 B")
{
    auto queue = MakeQueue(1600);
    NS_TEST_EXPECT_MSG_EQ((queue->Peek() == nullptr), true, "new");
    Fill(*queue, 0, Sizes(17, 1500));
    Fill(*queue, 1, Sizes(60, 500));
    NS_TEST_EXPECT_MSG_EQ(Drain(*queue, 21), "011101110111011101111", "five turns each");
    NS_TEST_EXPECT_MSG_EQ(Drain(*queue, 37), "0111011101110111011110111011101110111", "nine");
    NS_TEST_EXPECT_MSG_EQ(Drain(*queue), "0011110111111111111", "two frames");
}

LOSSLESS_TEST(g_suite, "a quantum below the frames: a large one takes several rounds")
{
    auto queue = MakeQueue(500);
    Fill(*queue, 0, Sizes(3, 1500));
    Fill(*queue, 1, Sizes(9, 500));
    NS_TEST_EXPECT_MSG_EQ(Drain(*queue), "011101110111", "three rounds");
    Fill(*queue, 0, Sizes(2, 1500));
    Fill(*queue, 1, Sizes(2, 1200));
    Fill(*queue, 2, Sizes(2, 501));
    // Initially, only port 0 has frames. The credits of ports 1, 2 and 0 after each round are as
    // follows:
    // - 500, 500, 500
    // - 1000, 499 (sent), 1000
    // - 300 (sent), 498 (sent, and empty), 0 (sent)
    // - 800
    // - 100 (sent)
    NS_TEST_EXPECT_MSG_EQ(Drain(*queue), "021201", "who has less to wait for is first");
}

LOSSLESS_TEST(g_suite, "in the order of arrival within a port; all are shown, and all are taken")
{
    auto queue = MakeQueue(1600);
    std::array<uint64_t, 40> last{};
    for (uint64_t id = 1; id <= 300; ++id)
    {
        queue->Enqueue(MakeItem(id * id % 40, 64 + 97 * id % 1400, id));
    }
    for (uint32_t left = 300; left > 100; --left)
    {
        const SwitchItem item = queue->Dequeue();
        NS_TEST_EXPECT_MSG_GT(GetId(item), last[Index(item.ingress)], "order");
        last[Index(item.ingress)] = GetId(item);
    }
    std::set<uint64_t> shown;
    queue->ForEach([&shown](const SwitchItem& item) { shown.insert(GetId(item)); });
    NS_TEST_EXPECT_MSG_EQ(shown.size(), 100, "shown");
    NS_TEST_EXPECT_MSG_EQ(queue->IsEmpty(), false, "not yet");
    std::set<uint64_t> taken;
    for (const SwitchItem& item : queue->TakeAll())
    {
        taken.insert(GetId(item));
    }
    NS_TEST_EXPECT_MSG_EQ((shown == taken), true, "taken");
    NS_TEST_EXPECT_MSG_EQ(queue->IsEmpty(), true, "none remains");
    NS_TEST_EXPECT_MSG_EQ((queue->Peek() == nullptr), true, "none is next");
    NS_TEST_EXPECT_MSG_EQ(queue->TakeAll().size(), 0, "none is left");
    NS_TEST_EXPECT_MSG_EQ(queue->Prepare(Permit()), false, "none may leave");
    Fill(*queue, 1, Sizes(2, 1500));
    Fill(*queue, 0, Sizes(2, 1500));
    NS_TEST_EXPECT_MSG_EQ(Drain(*queue), "1010", "as new");
}

LOSSLESS_TEST(g_suite, "ports share the bytes alike, whatever the sizes of their frames are")
{
    auto queue = MakeQueue(1600);
    const std::array<uint32_t, 4> sizes{1514, 64, 700, 1500};
    for (uint16_t port = 0; port < sizes.size(); ++port)
    {
        Fill(*queue, port, Sizes(400000 / sizes[port], sizes[port]));
    }
    std::array<uint32_t, 4> sent{};
    for (uint32_t bytes = 0; bytes < 1200000;)
    {
        const SwitchItem item = queue->Dequeue();
        sent[Index(item.ingress)] += item.frame.size;
        bytes += item.frame.size;
    }
    for (const uint32_t bytes : sent)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(bytes, 300000, 1600 + 2 * 1514, "a quarter");
    }
}

LOSSLESS_TEST(g_suite, "a port gains no credit while it is idle, and loses what is left of its own")
{
    auto queue = MakeQueue(1500);
    Fill(*queue, 0, Sizes(100, 1500));
    Fill(*queue, 1, {100});
    NS_TEST_EXPECT_MSG_EQ(Drain(*queue, 3), "010", "1 leaves 1400 B of its turn");
    Fill(*queue, 1, Sizes(4, 700));
    NS_TEST_EXPECT_MSG_EQ(Drain(*queue, 6), "011011", "two frames a turn");
    NS_TEST_EXPECT_MSG_EQ(Drain(*queue, 80), std::string(80, '0'), "1 is idle");
    Fill(*queue, 1, Sizes(4, 700));
    NS_TEST_EXPECT_MSG_EQ(Drain(*queue, 6), "011011", "two frames a turn");
}

LOSSLESS_TEST(g_suite, "the largest lag: a quantum and two of the largest frames, less two bytes")
{
    auto queue = MakeQueue(1600);
    Fill(*queue, 0, {101, 1500, 1500, 99, 1500, 100, 64});
    Fill(*queue, 1, {1500, 100, 101, 1500});
    NS_TEST_EXPECT_MSG_EQ(Drain(*queue, 3), "011", "0 keeps 1499 B, and 1 nothing");
    // Port 0 has sent 4699 B and port 1 has sent 101 B, which differ by 4598 = 1600 + 2 * 1500 - 2.
    NS_TEST_EXPECT_MSG_EQ(Drain(*queue, 6), "000100", "1 keeps 1499 B, and 0 nothing");
}

struct RandomSettings
{
    uint32_t ports{2};      ///< number of ports that have frames
    uint32_t least{64};     ///< size of the smallest frame, in bytes
    uint32_t most{1500};    ///< size of the largest frame, in bytes
    uint32_t quantum{1600}; ///< quantum of the queue
    bool stops{false};      ///< true if individual flows can be paused
};

/// Makes random frames arrive and leave at varying rates. A model of the queue predicts which
/// frames can leave but not which of them leaves next.
class RandomService
{
  public:
    RandomService(const RandomSettings& settings, uint32_t seed)
        : m_settings(settings),
          m_random(seed),
          m_queue(MakeQueue(settings.quantum)),
          m_twin(MakeQueue(settings.quantum)),
          m_waiting(settings.ports),
          m_pairs(settings.ports * settings.ports),
          m_large(settings.ports)
    {
    }

    /// @return the largest lag between two ports, in bytes
    int64_t Run(uint32_t steps)
    {
        uint32_t arrivals = 50;
        for (uint32_t i = 0; i < steps && m_error.empty(); ++i)
        {
            if (Draw(0, 199) == 0)
            {
                arrivals = Draw(5, 95);
            }
            if (m_settings.stops && Draw(0, 9) == 0)
            {
                const uint16_t flow = Draw(0, FLOWS - 1);
                if (m_gate->m_stopped.erase(flow) == 0)
                {
                    m_gate->m_stopped.insert(flow);
                }
                UpdatePairs();
            }
            if (Draw(0, 99) < arrivals)
            {
                Enqueue();
            }
            else
            {
                Dequeue();
            }
        }
        m_gate->m_stopped.clear();
        while (!m_queue->IsEmpty() && m_error.empty())
        {
            Dequeue();
        }
        for (const auto& port : m_waiting)
        {
            Expect(port.empty(), "a frame was lost");
        }
        return m_largest;
    }

  private:
    struct Waiting
    {
        uint64_t id;   ///< number of the frame
        uint16_t flow; ///< flow of the frame
    };

    /// The lead of one port over another, measured from the time at which both could send.
    struct Lead
    {
        bool counts{false}; ///< true if both ports can send
        int64_t now{0};     ///< current lead, in bytes sent
        int64_t least{0};   ///< minimum lead since then
    };

    static constexpr uint16_t FLOWS = 6;

    uint32_t Draw(uint32_t least, uint32_t most)
    {
        return std::uniform_int_distribution<uint32_t>(least, most)(m_random);
    }

    void Expect(bool holds, const std::string& error)
    {
        m_error = !holds && m_error.empty() ? error : m_error;
    }

    Permit GetPermit() const
    {
        return {ALL_PRIORITIES, m_settings.stops ? PeekPointer(m_gate) : nullptr};
    }

    bool CanSend(std::size_t port) const
    {
        return !m_waiting[port].empty() &&
               m_gate->m_stopped.count(m_waiting[port].front().flow) == 0;
    }

    void Enqueue()
    {
        const auto port = static_cast<uint16_t>(Draw(0, m_settings.ports - 1));
        m_large[port] = Draw(0, 19) == 0 ? Draw(0, 2) : m_large[port];
        // Sizes are small, large or arbitrary.
        const std::array<uint32_t, 3> sizes{Draw(m_settings.least, m_settings.least + 40),
                                            m_settings.most - Draw(0, 1),
                                            Draw(m_settings.least, m_settings.most)};
        const SwitchItem item =
            MakeItem(port, sizes[m_large[port]], ++m_frames, Draw(0, FLOWS - 1));
        m_queue->Enqueue(SwitchItem(item));
        m_twin->Enqueue(SwitchItem(item));
        m_waiting[port].push_back({m_frames, item.frame.flow.sourcePort});
        UpdatePairs();
        Look();
    }

    /// Inspects the queue but not its twin; this must not change the order of frames.
    void Look()
    {
        for (uint32_t i = Draw(0, 2); i > 0; --i)
        {
            if (m_settings.stops)
            {
                m_elsewhere->m_stopped = {static_cast<uint16_t>(Draw(0, FLOWS - 1)),
                                          static_cast<uint16_t>(Draw(0, FLOWS - 1))};
                m_queue->Prepare({ALL_PRIORITIES, PeekPointer(m_elsewhere)});
            }
            m_queue->Peek();
        }
    }

    void Dequeue()
    {
        bool can = false;
        for (std::size_t port = 0; port < m_waiting.size(); ++port)
        {
            can = can || CanSend(port);
        }
        if (m_settings.stops)
        {
            Expect(m_queue->Prepare(GetPermit()) == can, "a frame may leave or may not");
            m_twin->Prepare(GetPermit());
        }
        Expect(m_queue->IsEmpty() == (m_queue->Peek() == nullptr), "one is shown");
        if (!can)
        {
            return;
        }
        const SwitchItem shown = *m_queue->Peek();
        Expect(GetId(*m_queue->Peek()) == GetId(shown), "the same is shown");
        const SwitchItem item = m_queue->Dequeue();
        Expect(GetId(item) == GetId(shown), "what was shown leaves");
        Expect(GetId(m_twin->Dequeue()) == GetId(shown), "looks matter");
        const std::size_t port = Index(item.ingress);
        Expect(CanSend(port), "it may leave");
        Expect(GetId(item) == m_waiting[port].front().id, "in order");
        m_waiting[port].pop_front();
        Count(port, item.frame.size);
        UpdatePairs();
        Look();
    }

    void Count(std::size_t port, int64_t bytes)
    {
        for (std::size_t i = 0; i < m_pairs.size(); ++i)
        {
            Lead& lead = m_pairs[i];
            lead.now += i / m_settings.ports == port ? bytes : 0;
            lead.now -= i % m_settings.ports == port ? bytes : 0;
            lead.least = std::min(lead.least, lead.now);
            m_largest = std::max(m_largest, lead.counts ? lead.now - lead.least : 0);
        }
    }

    /// Updates the pairs after the set of ports that can send has changed.
    void UpdatePairs()
    {
        for (std::size_t i = 0; i < m_pairs.size(); ++i)
        {
            const bool counts = CanSend(i / m_settings.ports) && CanSend(i % m_settings.ports);
            if (!counts || !m_pairs[i].counts)
            {
                m_pairs[i] = Lead{counts};
            }
        }
    }

  public:
    RandomSettings m_settings;
    std::mt19937 m_random;
    Ptr<FairEgressQueue> m_queue;                            ///< queue under test
    Ptr<FairEgressQueue> m_twin;                             ///< a copy that is never inspected
    Ptr<ManualGate> m_gate{CreateObject<ManualGate>()};      ///< gate of the port
    Ptr<ManualGate> m_elsewhere{CreateObject<ManualGate>()}; ///< gate of another port
    std::vector<std::deque<Waiting>> m_waiting;              ///< waiting frames per port
    std::vector<Lead> m_pairs;     ///< lead of each port over each other port
    std::vector<uint32_t> m_large; ///< current frame size per port
    uint64_t m_frames{0};          ///< number of frames so far
    int64_t m_largest{0};          ///< largest lag
    std::string m_error;           ///< first error
};

/// Performs many runs and compares the largest lag with its bound.
/// @param least the percentage of the bound that must be reached
void
CheckLag(bool stops, double least)
{
    double largest = 0; // largest lag, in percent of its bound
    for (uint32_t seed = 1; seed <= 600; ++seed)
    {
        std::mt19937 random(seed);
        const auto draw = [&random](uint32_t least, uint32_t most) {
            return std::uniform_int_distribution<uint32_t>(least, most)(random);
        };
        RandomSettings settings;
        settings.stops = stops;
        settings.ports = draw(2, seed % 5 == 0 ? 32 : 4);
        settings.most = draw(200, 9000);
        // The quantum is usually equal to the size of the largest frame or slightly larger;
        // sometimes it is much larger or smaller.
        const std::array<uint32_t, 4> quanta{settings.most,
                                             settings.most + draw(0, 200),
                                             settings.most + draw(0, 20000),
                                             draw(64, settings.most)};
        settings.quantum = quanta[seed % 4];
        RandomService service(settings, seed);
        const int64_t lag = service.Run(4000);
        NS_TEST_ASSERT_MSG_EQ(service.m_error, "", "seed " << seed);
        const int64_t bound = stops ? 2 * settings.quantum + 2 * settings.most - 3
                                    : settings.quantum + 2 * settings.most - 2;
        NS_TEST_ASSERT_MSG_LT_OR_EQ(lag, bound, "lag, seed " << seed);
        largest = std::max(largest, 100.0 * lag / bound);
    }
    NS_TEST_EXPECT_MSG_GT(largest, least, "per cent of the bound: the largest lag was no attack");
}

LOSSLESS_TEST(g_suite, "at random: order, and no lag above its bound")
{
    CheckLag(false, 95);
}

LOSSLESS_TEST(g_suite, "at random, flows stopped: whoever may leave does, and in order")
{
    CheckLag(true, 90);
}

LOSSLESS_TEST(g_suite, "a port whose first frame is stopped is passed over, and gains nothing")
{
    auto queue = MakeQueue(1500);
    auto gate = CreateObject<ManualGate>();
    const Permit permit{ALL_PRIORITIES, PeekPointer(gate)};
    for (uint32_t i = 0; i < 60; ++i)
    {
        queue->Enqueue(MakeItem(0, 1500, i, i == 0 ? 7 : 0));
        queue->Enqueue(MakeItem(1, 1500, i));
        queue->Enqueue(MakeItem(2, 1500, i));
    }
    const auto drain = [&](uint32_t frames) {
        std::string order;
        for (; frames > 0 && queue->Prepare(permit); --frames)
        {
            order += Drain(*queue, 1);
        }
        return order;
    };
    gate->m_stopped = {7};
    NS_TEST_EXPECT_MSG_EQ(drain(6), "121212", "0 waits, with all behind it");
    drain(80);
    gate->m_stopped = {};
    NS_TEST_EXPECT_MSG_EQ(drain(9), "012012012", "0 makes up for nothing");
    gate->m_stopped = {0, 7};
    NS_TEST_EXPECT_MSG_EQ(queue->Prepare(permit), false, "all are stopped");
    NS_TEST_EXPECT_MSG_EQ((queue->Peek() != nullptr), true, "and wait");
    NS_TEST_EXPECT_MSG_EQ(queue->Prepare({0, nullptr}), false, "the class is closed");
    NS_TEST_EXPECT_MSG_EQ(queue->Prepare(Permit()), true, "all may leave");
}

/// The first port is paused during its turn; the next port needs credit from three rounds to send.
LOSSLESS_TEST(g_suite, "what was prepared leaves once, whatever arrives before it does")
{
    auto queue = MakeQueue(500);
    auto gate = CreateObject<ManualGate>();
    gate->m_stopped = {7};
    const Permit permit{ALL_PRIORITIES, PeekPointer(gate)};
    queue->Enqueue(MakeItem(0, 500, 0, 7));
    Fill(*queue, 1, Sizes(2, 1500));
    NS_TEST_EXPECT_MSG_EQ(queue->Prepare(permit), true, "port 1");
    Fill(*queue, 2, Sizes(2, 500));
    NS_TEST_EXPECT_MSG_EQ(Drain(*queue, 1), "1", "as prepared");
    NS_TEST_EXPECT_MSG_EQ(Drain(*queue), "2021", "the rounds before it arrived are not port 2's");
    queue->Enqueue(MakeItem(0, 500, 0, 7));
    Fill(*queue, 1, {500});
    NS_TEST_EXPECT_MSG_EQ(queue->Prepare(permit), true, "port 1");
    NS_TEST_EXPECT_MSG_EQ(queue->TakeAll().size(), 2, "all are taken");
    NS_TEST_EXPECT_MSG_EQ((queue->Peek() == nullptr), true, "and none is prepared");
}

/// Host 0 sends two flows over a link four times as fast as the links of hosts 1 and 2, which send
/// one flow each. All flows go to host 3.
/// @return the number of frames of each sender that have arrived by 100 us, when all senders still
/// have waiting frames
std::array<int64_t, 3>
Share(const SwitchHelper& switches)
{
    const Cable fast{DataRate("100Gbps"), NanoSeconds(100)};
    const Cable slow{DataRate("25Gbps"), NanoSeconds(100)};
    Star star(switches.Create(), std::vector<Cable>{fast, slow, slow, slow});
    constexpr std::array<std::pair<uint32_t, uint16_t>, 4> FLOWS{{{0, 1}, {0, 2}, {1, 1}, {2, 1}}};
    for (uint32_t i = 0; i < 400; ++i)
    {
        for (const auto& [host, flow] : FLOWS)
        {
            star.GetHost(host).source.Send(
                MakeUdpFrame(GetHostAddress(host), GetHostAddress(3), 24, 1000, i, 0, flow));
        }
    }
    RunFor(MicroSeconds(100));
    std::array<int64_t, 3> counts{};
    for (uint32_t host = 0; host < counts.size(); ++host)
    {
        counts[host] = star.GetHost(3).received.Count(GetHostAddress(host));
    }
    NS_TEST_EXPECT_MSG_EQ(star.GetHost(3).received.IsInOrder(), true, "order within flows");
    Simulator::Destroy();
    return counts;
}

LOSSLESS_TEST(g_suite, "ingress ports share an egress port alike; under first in first out not")
{
    SwitchHelper switches("ns3::lossless::InfiniteBufferSwitchNode");
    const auto fifo = Share(switches);
    NS_TEST_EXPECT_MSG_GT(fifo[0], 3 * fifo[1], "by arrivals");
    NS_TEST_EXPECT_MSG_GT(fifo[0], 3 * fifo[2], "by arrivals");
    switches.SetEgressQueue("ns3::lossless::FairEgressQueue", "Quantum", UintegerValue(1000));
    SwitchHelper pfc("ns3::lossless::PfcSwitchNode");
    pfc.SetEgressQueue("ns3::lossless::FairEgressQueue");
    for (const SwitchHelper& helper : {switches, pfc})
    {
        const auto fair = Share(helper);
        NS_TEST_EXPECT_MSG_GT(fair[0] + fair[1] + fair[2], 295, "the link is busy");
        NS_TEST_EXPECT_MSG_EQ_TOL(fair[0], fair[1], 3, "alike, but for the first ones");
        NS_TEST_EXPECT_MSG_EQ_TOL(fair[0], fair[2], 3, "alike, but for the first ones");
        NS_TEST_EXPECT_MSG_EQ_TOL(fair[1], fair[2], 3, "alike");
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
