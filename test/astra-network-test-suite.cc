// SPDX-License-Identifier: GPL-2.0-only
//
// Tests the adapter for ASTRA-sim in examples/astra-sim, which is compiled with a stub of
// ASTRA-sim's header.

#include "../examples/astra-sim/astra-network.h"
#include "lossless-test.h"

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-astra-network", SYSTEM);

/// A star of three NPUs that records when each callback was called.
class Scene
{
  public:
    explicit Scene(uint32_t payloadBytes = 1000, uint32_t mtu = 1500)
    {
        Config::SetDefault("ns3::lossless::LosslessNetDevice::Mtu", UintegerValue(mtu));
        ObjectFactory nics("ns3::lossless::RoceNic");
        nics.Set("PayloadBytes", UintegerValue(payloadBytes));
        m_fabric =
            std::make_unique<Fabric>(Topology::Star({3, DataRate("100Gbps"), MicroSeconds(1)}),
                                     SwitchHelper(),
                                     nics);
        m_network =
            std::make_unique<AstraNetwork>(*m_fabric, std::vector<uint32_t>{2, 0, 1}, Priority{3});
    }

    void Send(uint32_t source, int destination, int tag, uint64_t bytes, std::function<void()> then)
    {
        m_network->GetRank(source)
            ->sim_send(nullptr, bytes, 0, destination, tag, nullptr, &Call, Keep(std::move(then)));
    }

    void Receive(uint32_t destination,
                 int source,
                 int tag,
                 uint64_t bytes,
                 std::function<void()> then)
    {
        m_network->GetRank(destination)
            ->sim_recv(nullptr, bytes, 0, source, tag, nullptr, &Call, Keep(std::move(then)));
    }

    void Schedule(uint32_t npu, AstraSim::timespec_t delta, std::function<void()> then)
    {
        m_network->GetRank(npu)->sim_schedule(delta, &Call, Keep(std::move(then)));
    }

    std::function<void()> Note(const std::string& text)
    {
        return [this, text] {
            const auto now = m_network->GetRank(0)->sim_get_time();
            NS_TEST_EXPECT_MSG_EQ(now.time_res, AstraSim::NS, "the unit");
            m_notes += text + "@" + std::to_string(static_cast<uint64_t>(now.time_val)) + " ";
        };
    }

    /// Computes the ideal times of a message that is sent at time 0.
    /// @return the times at which the last byte arrives and the sender receives the
    /// acknowledgement, in nanoseconds
    std::pair<uint64_t, uint64_t> GetTimes(uint64_t bytes) const
    {
        const FlowSpec flow{0, 2, 0, 3, bytes, Time(0), ""};
        const Time arrival = m_fabric->GetIdealFct(flow);
        const Time answer = m_fabric->GetIdealAcknowledgementTime(flow);
        return {arrival.GetNanoSeconds(), (arrival + answer).GetNanoSeconds()};
    }

    std::string Run()
    {
        RunFor(Seconds(10));
        return m_notes;
    }

  private:
    void* Keep(std::function<void()> then)
    {
        m_calls.push_back(std::make_unique<std::function<void()>>(std::move(then)));
        return m_calls.back().get();
    }

    static void Call(void* argument)
    {
        (*static_cast<std::function<void()>*>(argument))();
    }

  public:
    std::unique_ptr<Fabric> m_fabric;        ///< the network
    std::unique_ptr<AstraNetwork> m_network; ///< adapter under test
    /// The arguments of the callbacks, which ASTRA-sim would own.
    std::vector<std::unique_ptr<std::function<void()>>> m_calls;
    std::string m_notes; ///< see Run()
};

LOSSLESS_TEST(g_suite, "Both ends of a message are told, each in time")
{
    Scene scene;
    const auto [arrival, answer] = scene.GetTimes(5000);
    uint64_t sent = 0;
    scene.Receive(1, 0, 7, 5000, scene.Note("received"));
    scene.Send(0, 1, 7, 5000, [&sent] { sent = Simulator::Now().GetNanoSeconds(); });
    NS_TEST_EXPECT_MSG_EQ(scene.Run(), "received@" + std::to_string(arrival) + " ", "idle network");
    // Transmission times are rounded down to whole nanoseconds on both links in both directions.
    NS_TEST_EXPECT_MSG_EQ_TOL(sent, answer - 2, 2, "on the idle network");
    NS_TEST_EXPECT_MSG_EQ(scene.m_network->DescribeOpen().size(), 0, "nothing is left");
}

/// Receive calls consume bytes in order, regardless of message boundaries; other tags, senders and
/// receivers do not affect them.
LOSSLESS_TEST(g_suite, "Messages are received by tag, sender and receiver, in any sizes")
{
    Scene scene;
    std::string order;
    const auto note = [&order](char letter) { return [&order, letter] { order += letter; }; };
    scene.Receive(1, 0, 7, 1500, note('a'));
    scene.Receive(1, 0, 7, 1, note('b'));
    scene.Receive(1, 0, 8, 9, note('c'));
    scene.Receive(1, 2, 7, 9, note('d'));
    scene.Receive(2, 0, 7, 9, note('e'));
    scene.Send(0, 1, 7, 1000, note('1'));
    scene.Schedule(0, {AstraSim::US, 100}, [&] { scene.Send(0, 1, 7, 700, note('2')); });
    // No receive call is waiting for these two messages yet.
    scene.Send(0, 2, 9, 5, note('3'));
    scene.Schedule(0, {AstraSim::US, 50}, [&] { scene.Send(0, 2, 9, 6, note('4')); });
    scene.Schedule(2, {AstraSim::US, 250}, [&] { scene.Receive(2, 0, 9, 11, note('h')); });
    // These receive calls come after all bytes have arrived. By then, 199 bytes are unconsumed.
    scene.Schedule(1, {AstraSim::US, 200}, [&] {
        scene.Receive(1, 0, 7, 100, note('f'));
        scene.Receive(1, 0, 7, 100, note('g'));
    });
    scene.Run();
    NS_TEST_EXPECT_MSG_EQ(order, "314ab2fh", "1700 bytes with the tag 7 from NPU 0 to NPU 1");
    std::string open;
    for (const std::string& sentence : scene.m_network->DescribeOpen())
    {
        open += sentence + "\n";
    }
    NS_TEST_EXPECT_MSG_EQ(open,
                          "from NPU 0 to 1, tag 7: 1 bytes are waited for\n"
                          "from NPU 0 to 2, tag 7: 9 bytes are waited for\n"
                          "from NPU 2 to 1, tag 7: 9 bytes are waited for\n"
                          "from NPU 0 to 1, tag 8: 9 bytes are waited for\n",
                          "what is left");
}

LOSSLESS_TEST(g_suite, "Calls come in time, and the last NPU ends the run")
{
    Scene scene;
    scene.Schedule(0, {AstraSim::NS, 5}, scene.Note("ns"));
    scene.Schedule(0, {AstraSim::FS, 7e6L}, scene.Note("fs"));
    scene.Schedule(0, {AstraSim::US, 2}, scene.Note("us"));
    scene.Schedule(0, {AstraSim::MS, 3}, scene.Note("ms"));
    scene.Schedule(0, {AstraSim::SE, 4}, scene.Note("s"));
    for (const uint32_t npu : {0, 1, 2, 1}) // NPU 1 reports its end a second time.
    {
        scene.Schedule(npu, {AstraSim::SE, 5.0L + npu}, [&scene, npu] {
            scene.m_network->GetRank(npu)->sim_notify_finished();
        });
    }
    NS_TEST_EXPECT_MSG_EQ(scene.Run(), "ns@5 fs@7 us@2000 ms@3000000 s@4000000000 ", "in order");
    NS_TEST_EXPECT_MSG_EQ(scene.m_network->CountUnfinished(), 0, "all are");
    NS_TEST_EXPECT_MSG_EQ_TOL(Simulator::Now().GetSeconds(), 7, 0.001, "when the last one is");
}

/// Messages go around a ring four times; each message is sent when the previous one has arrived.
LOSSLESS_TEST(g_suite, "What has arrived is passed on")
{
    Scene scene;
    const uint64_t hop = scene.GetTimes(2000).first;
    uint64_t done = 0;
    std::function<void(uint32_t, int)> pass = [&](uint32_t npu, int left) {
        const uint32_t next = (npu + 1) % 3;
        scene.Receive(next, static_cast<int>(npu), left, 2000, [&, next, left] {
            done = Simulator::Now().GetNanoSeconds();
            if (left > 0)
            {
                pass(next, left - 1);
            }
        });
        scene.Send(npu, static_cast<int>(next), left, 2000, [] {});
    };
    pass(0, 11);
    scene.Run();
    // Each of the eleven forwarded messages may have to wait for the acknowledgement of the
    // previous one, whose 86 B take 7 ns at 100 Gb/s.
    NS_TEST_EXPECT_MSG_EQ_TOL(done, 12 * hop + 11 * 7 / 2, 11 * 7 / 2 + 1, "twelve hops");
}

/// A message without payload is sent as one byte, because its header is also transmitted. The times
/// on the two links are rounded down to whole nanoseconds.
LOSSLESS_TEST(g_suite, "Messages without bytes arrive, too")
{
    Scene scene;
    uint64_t arrival = 0;
    scene.Receive(1, 0, 7, 0, [&arrival] { arrival = Simulator::Now().GetNanoSeconds(); });
    scene.Send(0, 1, 7, 0, [] {});
    scene.Run();
    NS_TEST_EXPECT_MSG_EQ_TOL(arrival, scene.GetTimes(1).first - 1, 1, "as a byte");
}

/// The size of the message exceeds 32 bits, and the message is sent at the rate of the link.
LOSSLESS_TEST(g_suite, "Messages may have more than 4 GiB")
{
    constexpr uint64_t BYTES = 4400000000;
    Scene scene(9000, 9216);
    uint64_t arrival = 0;
    scene.Receive(1, 0, 7, BYTES, [&arrival] { arrival = Simulator::Now().GetNanoSeconds(); });
    scene.Send(0, 1, 7, BYTES, [] {});
    scene.Run();
    const uint64_t ideal = scene.GetTimes(BYTES).first;
    NS_TEST_EXPECT_MSG_GT(ideal, BYTES * 8 / 100, "not faster than the payload on the wire");
    NS_TEST_EXPECT_MSG_EQ_TOL(arrival, ideal, ideal / 1000, "at the rate of the link");
}

} // namespace ns3::lossless::tests::THIS_FILE
