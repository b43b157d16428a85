// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/bfc-header.h"
#include "ns3/fafc-header.h"
#include "ns3/gfc-header.h"
#include "ns3/ofc-header.h"

#include <tuple>

// Tests that control frames act only on the classes under flow control, as PFC acts only on the
// classes for which it is enabled (IEEE 802.1Qbb).

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-classes", UNIT);

constexpr PrioritySet LOSSLESS = 0x18; ///< classes 3 and 4
const Mac48Address ADDRESS("02:00:00:00:00:02");

/// A gate with a quantum of 1 us and no response time.
struct Scene
{
    explicit Scene(PrioritySet lossless)
        : gate(CreateObjectWithAttributes<PauseGate>("ResponseQuanta", UintegerValue(0)))
    {
        gate->Attach({DataRate("512Mbps"), Time(0), 24, 1500, lossless}, nullptr);
        ListenTo(*gate, "Paused", [this](PrioritySet classes, Time length) {
            traces << "P" << +classes << ":" << length.GetMicroSeconds() << " ";
        });
        ListenTo(*gate, "PfcReceived", [this](PrioritySet classes) {
            traces << "R" << +classes << " ";
        });
    }

    /// @param at the time at which the frame takes effect, in us
    /// @param quanta the pause time of each class; a class with a negative value is not enabled in
    /// the frame
    void Tell(int64_t at, const std::vector<int>& quanta) const
    {
        PfcHeader pfc;
        for (uint8_t p = 0; p < quanta.size(); ++p)
        {
            if (quanta[p] >= 0)
            {
                pfc.SetQuanta(Priority{p}, quanta[p]);
            }
        }
        const Frame frame = ParseFrame(MakePfcFrame(ADDRESS, pfc));
        Simulator::Schedule(MicroSeconds(at), &TransmitGate::ReceiveControl, gate, frame);
    }

    /// @param until the simulated time, in us
    int GetClosed(int64_t until) const
    {
        RunFor(MicroSeconds(until) - Simulator::Now());
        return static_cast<PrioritySet>(~gate->GetOpen());
    }

    Ptr<PauseGate> gate;       ///< gate of a port
    std::ostringstream traces; ///< log of events; P: "Paused", R: "PfcReceived"
};

LOSSLESS_TEST(g_suite, "A PAUSE stops the classes under flow control alone, and is seen for them")
{
    Scene scene(LOSSLESS);
    scene.Tell(1, {-1, 100, -1, -1, -1, 100}); // classes 1 and 5
    NS_TEST_EXPECT_MSG_EQ(scene.GetClosed(2), 0, "both are open");
    scene.Tell(1, {-1, 100, -1, 20}); // classes 1 and 3, at 3 us
    NS_TEST_EXPECT_MSG_EQ(scene.GetClosed(4), 0x08, "the one that is under flow control");
    scene.Tell(26, std::vector<int>(NUM_PRIORITIES, 10)); // the whole port, at 30 us
    NS_TEST_EXPECT_MSG_EQ(scene.GetClosed(35), LOSSLESS, "those that are");
    NS_TEST_EXPECT_MSG_EQ(+scene.gate->GetPaused(), LOSSLESS, "by PFC");
    NS_TEST_EXPECT_MSG_EQ(scene.GetClosed(50), 0, "over");
    NS_TEST_EXPECT_MSG_EQ(scene.traces.str(), "P8:20 R8 P24:10 R24 ", "pauses and frames");
    for (const auto& [p, stops, paused] :
         {std::tuple<uint8_t, uint64_t, int>(1, 0, 0), {3, 2, 30}, {4, 1, 10}, {5, 0, 0}})
    {
        const PfcCounts counts = scene.gate->GetCounts(Priority{p});
        NS_TEST_EXPECT_MSG_EQ(counts.stops, stops, "class " << +p);
        NS_TEST_EXPECT_MSG_EQ(counts.paused, MicroSeconds(paused), "class " << +p);
    }
}

LOSSLESS_TEST(g_suite, "A frame that names all eight classes speaks of the port if it has one time")
{
    Scene scene(ALL_PRIORITIES);
    scene.Tell(1, {10, 10, 10, 10, 10, 10, 10, 10}); // the whole port, until 11 us
    // Pauses classes 1 to 6 until 32 us and ends the pauses of classes 0 and 7.
    scene.Tell(2, {0, 30, 30, 30, 30, 30, 30, 0});
    scene.Tell(40, {0, 5, 5, 5, 5, 5, 5, 5}); // only class 0 is not paused
    scene.Tell(42, {0, 0, 0, 0, 0, 0, 0, 0}); // resumes the whole port, which is not paused
    scene.Tell(43, {5, 5, 5, 0, 5, 5, 5, 5}); // only class 3 is not paused
    NS_TEST_EXPECT_MSG_EQ(scene.GetClosed(3), 0xff, "the port is stopped still");
    NS_TEST_EXPECT_MSG_EQ(scene.GetClosed(12), 0x7e, "the classes are");
    NS_TEST_EXPECT_MSG_EQ(scene.GetClosed(33), 0, "over");
    NS_TEST_EXPECT_MSG_EQ(scene.GetClosed(41), 0xfe, "each class by its own time");
    NS_TEST_EXPECT_MSG_EQ(scene.GetClosed(44), 0xf7, "each class by its own time");
    const PfcCounts of0 = scene.gate->GetCounts(Priority{0});
    const PfcCounts of3 = scene.gate->GetCounts(Priority{3});
    NS_TEST_EXPECT_MSG_EQ(of0.stops, 2, "at 1 and 43 us");
    NS_TEST_EXPECT_MSG_EQ(of0.resumes, 0, "the port held it at 2 us");
    NS_TEST_EXPECT_MSG_EQ(of3.stops, 3, "at 1, 2 and 40 us");
    NS_TEST_EXPECT_MSG_EQ(of3.resumes, 1, "at 43 us, since the port's RESUME lets no class go");
}

LOSSLESS_TEST(g_suite, "Two hosts at one cable obey PAUSEs of any class")
{
    Pair pair;
    PfcHeader pfc;
    for (const uint8_t p : {0, 1, 7})
    {
        pfc.SetQuanta(Priority{p}, UINT16_MAX);
    }
    Simulator::Schedule(MicroSeconds(1), [&pair, pfc] {
        pair.GetHost(1).device->SendControl(MakePfcFrame(ADDRESS, pfc));
    });
    RunFor(MicroSeconds(4));
    NS_TEST_EXPECT_MSG_EQ(+pair.GetHost(0).device->GetGate()->GetOpen(), 0x7c, "all but 0, 1, 7");
}

/// A cable whose delay suits every scheme's default buffers.
const Cable SLOW_CABLE{DataRate("10Gbps"), NanoSeconds(100)};

/// @return control frames of PFC, OFC, GFC, FAFC and BFC, each of which stops or slows down the
/// class, a flow of the class or the whole port
std::vector<Ptr<Packet>>
MakeStops(Priority priority, uint64_t flow)
{
    const PrioritySet classes = SetOf(priority);
    PfcHeader pfc;
    pfc.SetQuanta(priority, UINT16_MAX);
    PfcHeader port;
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        port.SetQuanta(Priority{p}, UINT16_MAX);
    }
    OfcHeader ofcFlow;
    ofcFlow.classes = classes;
    ofcFlow.stop = true;
    ofcFlow.flows = {flow};
    OfcHeader ofcClass;
    ofcClass.classes = classes;
    ofcClass.stop = ofcClass.all = true;
    OfcHeader ofcPort;
    ofcPort.stop = ofcPort.port = true;
    GfcHeader gfc;
    gfc.priority = priority;
    gfc.stage = 8;
    FafcHeader fafc;
    fafc.classes = classes;
    fafc.times[Index(priority)] = 100000;
    BfcHeader bfc;
    bfc.classes = classes;
    bfc.filter.bytes.assign(bfc.filter.hashing.filterBytes, 0xff);
    return {MakePfcFrame(ADDRESS, pfc),
            MakePfcFrame(ADDRESS, port),
            MakeMacControlFrame(ADDRESS, ofcFlow),
            MakeMacControlFrame(ADDRESS, ofcClass),
            MakeMacControlFrame(ADDRESS, ofcPort),
            MakeMacControlFrame(ADDRESS, gfc),
            MakeMacControlFrame(ADDRESS, fafc),
            MakeMacControlFrame(ADDRESS, bfc)};
}

/// Sends 20 frames from host 0 through a switch to host 1.
/// @param scheme the scheme of the switch, which controls classes 3 and 4 (none in lossy schemes)
/// @param stops the frames sent to the switch and to host 0 at the same time, which should stop
/// their class or port
std::string
SendUnder(const SchemeInfo& scheme, Priority priority, const std::vector<Ptr<Packet>>& stops)
{
    SwitchHelper helper(scheme);
    helper.SetAttribute("LosslessClasses", UintegerValue(LOSSLESS));
    Star star(helper.Create(), 2, SLOW_CABLE);
    for (uint32_t i = 0; i < 2; ++i) // PABO's hosts recognize their frames by this address.
    {
        star.GetHost(i).device->GetHostPort()->AddAddress(star.GetHost(i).address);
    }
    Simulator::Schedule(MicroSeconds(1), [&] {
        for (const Ptr<Packet>& stop : stops)
        {
            star.GetHost(1).device->SendControl(stop->Copy());
            star.GetPort(0)->SendControl(stop->Copy());
        }
    });
    star.GetHost(0).Send(1, Index(priority) << 3, 1000, 20, MicroSeconds(20));
    RunFor(MicroSeconds(100));
    const std::string times = ToText(star.GetHost(1).received.GetTimes());
    Simulator::Destroy();
    return times;
}

/// @return true if the scheme pauses classes with frames. Under credit-based flow control, a sender
/// stops when it has no credits, and a frame cannot cause this.
bool
HasStops(const SchemeInfo& scheme)
{
    Star star(SwitchHelper(scheme).Create(), 2, SLOW_CABLE);
    star.m_switch->Initialize();
    const bool hasStops = star.m_switch->GetShape().lossless != 0 && scheme.name != "CBFC";
    Simulator::Destroy();
    return hasStops;
}

LOSSLESS_TESTS(g_suite)
{
    for (const SchemeInfo& scheme : GetModuleSchemes())
    {
        g_suite.Add("Under " + scheme.name + ", no frame stops a class without flow control",
                    [scheme] {
                        const uint64_t flow =
                            MakeUdpFrame(GetHostAddress(0), GetHostAddress(1), 0, 1000, 0).flowHash;
                        for (const uint8_t p : {1, 3})
                        {
                            const Priority priority{p};
                            const std::string alone = SendUnder(scheme, priority, {});
                            const std::string stopped =
                                SendUnder(scheme, priority, MakeStops(priority, flow));
                            NS_TEST_EXPECT_MSG_EQ(alone.empty(), false, "they arrive");
                            NS_TEST_EXPECT_MSG_EQ((stopped != alone),
                                                  (p == 3 && HasStops(scheme)),
                                                  "class " << +p << ": " << stopped);
                        }
                    });
        // Each control frame has a separate run, so that none hides the effect of another.
        g_suite.Add("Nor does any by itself under " + scheme.name, [scheme] {
            const Priority priority{1};
            const std::string alone = SendUnder(scheme, priority, {});
            const uint64_t flow =
                MakeUdpFrame(GetHostAddress(0), GetHostAddress(1), 8, 1000, 0).flowHash;
            for (const Ptr<Packet>& stop : MakeStops(priority, flow))
            {
                NS_TEST_EXPECT_MSG_EQ(SendUnder(scheme, priority, {stop}), alone, *stop);
            }
        });
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
