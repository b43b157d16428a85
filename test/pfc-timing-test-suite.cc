// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/gpfc-flow-control.h"
#include "ns3/wheel-simulator-impl.h"

// Compares the times at which a PAUSE is created, leaves, arrives, takes effect and ends with
// values computed by hand.
//
// Unless stated otherwise, links have a rate of 1 Gb/s and a delay of 10 us, and times without a
// unit are in nanoseconds. Therefore:
// - a data frame of 1514 B takes (1514 + 24) x 8 = 12 304,
// - a PFC frame of 60 B takes (60 + 24) x 8 = 672,
// - a quantum of 512 bits takes 512, and the response time of 60 quanta is 30 720,
// - a PFC frame that finds the wire idle takes effect 672 + 10 000 + 30 720 = 41 392 after it is
//   created.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-pfc-timing", UNIT);

/// A frame with 1500 bytes of payload.
constexpr uint32_t FULL_FRAME = 1514;

/// The code points of two classes.
constexpr uint8_t CLASS_3 = 24;
constexpr uint8_t CLASS_5 = 40;

const Cable CABLE{DataRate("1Gbps"), MicroSeconds(10)};

/// Records, as text, the changes of a gate: `time-classes` when it closes, `time+classes` when it
/// opens.
struct GateLog
{
    explicit GateLog(Ptr<TransmitGate> gate)
    {
        ListenTo(*gate, "Closed", [this](PrioritySet classes) { Note('-', classes); });
        ListenTo(*gate, "Opened", [this](PrioritySet classes) { Note('+', classes); });
    }

    void Note(char sign, PrioritySet classes)
    {
        m_text << (m_text.tellp() > 0 ? " " : "") << std::dec << Simulator::Now().GetNanoSeconds()
               << sign << std::hex << +classes;
    }

    std::ostringstream m_text; ///< all changes, with the time in ns and the classes in hexadecimal
};

/// Records, as text, the PFC frames that a switch creates: `time:port:classes=quanta`.
struct PfcLog
{
    explicit PfcLog(Ptr<SwitchNode> node)
    {
        ListenTo(*node->GetFlowControl(),
                 "ControlSent",
                 [this](PortId port, Ptr<const Packet> frame) {
                     const PfcHeader pfc = ParsePfcFrame(frame).value();
                     uint32_t quanta = 0;
                     for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
                     {
                         quanta = pfc.IsEnabled(Priority{p}) ? pfc.GetQuanta(Priority{p}) : quanta;
                     }
                     m_text << (m_text.tellp() > 0 ? " " : "") << std::dec
                            << Simulator::Now().GetNanoSeconds() << ':' << Index(port) << ':'
                            << std::hex << pfc.GetEnableVector() << '=' << std::dec << quanta;
                 });
    }

    std::ostringstream m_text; ///< all frames in order, with the time in ns, the egress port and
                               ///< the classes in hexadecimal
};

/// Records when a device begins to send each frame.
struct SendLog
{
    explicit SendLog(Ptr<LosslessNetDevice> device)
    {
        ListenTo(*device, "PhyTxBegin", [this](Ptr<const Packet> packet) {
            (ParsePfcFrame(packet) ? m_control : m_data).push_back(Simulator::Now());
        });
    }

    std::vector<Time> m_control; ///< times of PFC frames
    std::vector<Time> m_data;    ///< times of other frames
};

/// @return a switch with these thresholds and no private buffer
Ptr<SwitchNode>
MakeSwitch(uint32_t xoff, uint32_t xon, PrioritySet lossless = 0x7f)
{
    SwitchHelper switches = MakeStaticSwitch(xoff, xon, {{"PrivateBytes", 0}});
    switches.SetAttribute("LosslessClasses", UintegerValue(lossless));
    return switches.Create();
}

/// Creates the congestion used in most tests. Host 1 pauses class 3 of the switch from 41.392 us on
/// for the maximum duration of a PAUSE, and host 0 sends frames of class 3 to host 1 from 50 us on.
///
/// Counted from 0, frame k starts at 50 000 + 12 304 k and arrives at 72 304 + 12 304 k. With an
/// XOFF of 5000 B, frame 3 triggers a PAUSE at 109 216 because it raises the queue to 6056 B.
void
Congest(Star& star, uint32_t frames)
{
    SendPfcIn(Time(0), star.GetHost(1).device, SetOf(Priority{3}), 0xffff);
    star.GetHost(0).Send(1, CLASS_3, FULL_FRAME, frames, MicroSeconds(50));
}

LOSSLESS_TEST(g_suite, "A PAUSE is made, leaves, arrives and takes effect at the computed instants")
{
    Star star(MakeSwitch(5000, 3000), 2, CABLE);
    GateLog gate(star.GetHost(0).device->GetGate());
    PfcLog made(star.m_switch);
    SendLog port(star.GetPort(0));
    Congest(star, 20);
    RunFor(MicroSeconds(500));

    NS_TEST_EXPECT_MSG_EQ(made.m_text.str(), "109216:0:8=65535", "frame 3 exceeds XOFF");
    NS_TEST_EXPECT_MSG_EQ(ToText(port.m_control), "109216", "it leaves at once");
    // The PAUSE arrives at 109 216 + 672 + 10 000 = 119 888 and takes effect 30 720 later.
    NS_TEST_EXPECT_MSG_EQ(gate.m_text.str(), "150608-8", "it takes effect");
    // Frame 8 starts at 148 432 and is completed; frame 9 would start at 160 736.
    NS_TEST_EXPECT_MSG_EQ(ToText(star.GetHost(0).source.m_starts),
                          "50000 62304 74608 86912 99216 111520 123824 136128 148432",
                          "frames sent");
    // All nine frames are stored, four of them in the shared buffer and five in the headroom.
    const auto& queue = star.m_switch->GetSharedBuffer()->GetIngress({PortId{0}, Priority{3}});
    NS_TEST_EXPECT_MSG_EQ(queue.shared, 4 * FULL_FRAME, "up to the PAUSE");
    NS_TEST_EXPECT_MSG_EQ(queue.headroom, 5 * FULL_FRAME, "after the PAUSE");
    NS_TEST_EXPECT_MSG_EQ(queue.paused, true, "the switch knows");
    NS_TEST_EXPECT_MSG_EQ(star.m_switch->GetCounts().losslessDropped, 0, "no loss");
}

LOSSLESS_TEST(g_suite, "A PAUSE waits for the frame on the wire, and overtakes the queued ones")
{
    // Only class 3 is lossless, so the data that keeps port 0 busy is not paused.
    Star star(MakeSwitch(5000, 3000, 0x08), 3, CABLE);
    GateLog gate(star.GetHost(0).device->GetGate());
    PfcLog made(star.m_switch);
    star.m_switch->Initialize();
    SendLog port(star.GetPort(0));
    Congest(star, 20);
    // Two hosts send to host 0 from 55 us on. From 77 304 on, port 0 is therefore busy, with a new
    // frame every 12 304 ns and a growing queue.
    star.GetHost(1).Send(0, CLASS_5, FULL_FRAME, 4, MicroSeconds(55));
    star.GetHost(2).Send(0, CLASS_5, FULL_FRAME, 4, MicroSeconds(55));
    RunFor(MicroSeconds(500));

    // Frame 3 of class 3 arrives at 109 216, as it would without other data. The third frame of
    // class 5 is on the wire from 101 912 to 114 216. Then the PAUSE is created and leaves. The
    // fourth frame leaves 672 ns later, although it was queued at 89 608.
    NS_TEST_EXPECT_MSG_EQ(made.m_text.str(), "114216:0:8=65535", "it is made when it can leave");
    NS_TEST_EXPECT_MSG_EQ(ToText(port.m_control), "114216", "it waits for one frame");
    NS_TEST_EXPECT_MSG_EQ(ToText(port.m_data),
                          "77304 89608 101912 114888 127192 139496 151800 164104",
                          "data goes on behind it");
    NS_TEST_EXPECT_MSG_EQ(gate.m_text.str(), "155608-8", "114 216 + 41 392");
    // Frame 8 starts at 148 432, and frame 9 would start at 160 736. The number of frames is
    // therefore the same as if the PAUSE had not waited.
    NS_TEST_EXPECT_MSG_EQ(star.GetHost(0).source.m_starts.size(), 9, "frames sent");
}

/// @return the PFC frames sent after four data frames
std::string
SimulateThresholds(uint32_t xoff, uint32_t xon)
{
    Star star(MakeSwitch(xoff, xon), 2, CABLE);
    PfcLog made(star.m_switch);
    Congest(star, 4);
    SendPfcIn(MicroSeconds(342), star.GetHost(1).device, SetOf(Priority{3}), 0);
    RunFor(MilliSeconds(10));
    Simulator::Destroy();
    return made.m_text.str();
}

LOSSLESS_TEST(g_suite, "PAUSE is sent above XOFF, RESUME below XON, and neither at the threshold")
{
    // Four frames amount to 6056 B, and the fourth one arrives at 109 216.
    NS_TEST_EXPECT_MSG_EQ(SimulateThresholds(6056, 1), "", "at XOFF");
    NS_TEST_EXPECT_MSG_EQ(SimulateThresholds(6055, 1),
                          "109216:0:8=65535 432608:0:8=0",
                          "above XOFF");
    // The RESUME that host 1 sends at 342 us takes effect at 383 392. After that, a frame leaves
    // every 12 304 ns. After two frames, 3028 B remain.
    NS_TEST_EXPECT_MSG_EQ(SimulateThresholds(6055, 3029), "109216:0:8=65535 408000:0:8=0", "below");
    NS_TEST_EXPECT_MSG_EQ(SimulateThresholds(6055, 3028), "109216:0:8=65535 420304:0:8=0", "XON");
}

struct PauseOrder
{
    int64_t time;              ///< time at which the frame is sent, in ns
    uint16_t quanta;           ///< pause time of each class
    PrioritySet classes{0x08}; ///< classes to pause
};

/// @return the changes of the gate that receives these PFC frames
std::string
SimulateGate(const std::vector<PauseOrder>& orders, uint32_t responseQuanta = 60)
{
    Pair pair(CABLE);
    const Ptr<TransmitGate> gate = pair.GetHost(0).device->GetGate();
    gate->SetAttribute("ResponseQuanta", UintegerValue(responseQuanta));
    const GateLog log(gate);
    for (const PauseOrder& order : orders)
    {
        SendPfcIn(NanoSeconds(order.time), pair.GetHost(1).device, order.classes, order.quanta);
    }
    Simulator::Run();
    Simulator::Destroy();
    return log.m_text.str();
}

LOSSLESS_TEST(g_suite, "A pause ends when its time is over; a later frame sets the time anew")
{
    // Each PAUSE restarts the timer when it takes effect, regardless of the remaining time of the
    // previous one.
    NS_TEST_EXPECT_MSG_EQ(SimulateGate({{0, 100}, {20000, 100}}),
                          "41392-8 112592+8",
                          "20 000 + 41 392 + 100 x 512");
    NS_TEST_EXPECT_MSG_EQ(SimulateGate({{0, 1000}, {20000, 10}}),
                          "41392-8 66512+8",
                          "20 000 + 41 392 + 10 x 512: it may also be shortened");
    NS_TEST_EXPECT_MSG_EQ(SimulateGate({{0, 1000}, {20000, 0}}),
                          "41392-8 61392+8",
                          "a RESUME has the same delays as a PAUSE");
    NS_TEST_EXPECT_MSG_EQ(SimulateGate({{0, 0xffff}}),
                          "41392-8 33595312+8",
                          "41 392 + 65 535 x 512: the longest pause");
    NS_TEST_EXPECT_MSG_EQ(SimulateGate({{0, 0}}), "", "a RESUME alone changes nothing");
    // The second frame arrives during the response time of the first one, and both take effect in
    // turn.
    NS_TEST_EXPECT_MSG_EQ(SimulateGate({{0, 100}, {1000, 0}}), "41392-8 42392+8", "in turn");
}

struct PauseTexts
{
    std::string gate;   ///< changes of host 0's gate
    std::string made;   ///< PFC frames of the switch
    std::string starts; ///< times of the first bits of host 0's frames
};

PauseTexts
Resume(const std::list<uint32_t>& lost)
{
    auto node = MakeSwitch(5000, 3000);
    node->GetFlowControl()->SetAttribute("PauseQuanta", UintegerValue(200));
    // The headroom also suffices for the frames that arrive if two refreshes are lost.
    node->GetBufferPolicy()->SetAttribute("HeadroomBytes", UintegerValue(30000));
    Star star(node, 2, CABLE);
    LoseFrames(*star.GetHost(0).device, lost);
    GateLog gate(star.GetHost(0).device->GetGate());
    PfcLog made(node);
    Congest(star, 11);
    SendPfcIn(MicroSeconds(300), star.GetHost(1).device, SetOf(Priority{3}), 0);
    RunFor(MilliSeconds(10));
    const std::string starts = ToText(star.GetHost(0).source.m_starts);
    NS_TEST_EXPECT_MSG_EQ(node->GetCounts().losslessDropped, 0, "no loss");
    NS_TEST_EXPECT_MSG_EQ(node->GetSharedBuffer()->GetUsed(), 0, "empty at the end");
    NS_TEST_EXPECT_MSG_EQ(star.GetHost(1).received.m_arrivals.size(), 11, "all arrive");
    Simulator::Destroy();
    return {gate.m_text.str(), made.m_text.str(), starts};
}

LOSSLESS_TEST(g_suite, "A RESUME opens the class; if it is lost, the timer of the last PAUSE does")
{
    // A PAUSE of 200 quanta is refreshed every 51 200 ns. Host 1 sends a RESUME at 300 us, so the
    // switch sends nine frames from 341 392 onwards. The first five of these release headroom. When
    // eight have left, at 341 392 + 8 x 12 304 = 439 824, 1514 B remain, which is less than 3000 B.
    const std::string made = "109216:0:8=200 160416:0:8=200 211616:0:8=200 262816:0:8=200 "
                             "314016:0:8=200 365216:0:8=200 416416:0:8=200 439824:0:8=0";
    const std::string before = "50000 62304 74608 86912 99216 111520 123824 136128 148432 ";

    PauseTexts texts = Resume({});
    NS_TEST_EXPECT_MSG_EQ(texts.made, made, "PAUSE, refreshes, RESUME");
    // The RESUME takes effect at 439 824 + 41 392.
    NS_TEST_EXPECT_MSG_EQ(texts.gate, "150608-8 481216+8", "the refreshes keep it closed");
    NS_TEST_EXPECT_MSG_EQ(texts.starts, before + "481216 493520", "frames sent");

    // The RESUME is the eighth frame that host 0 receives. The pause of the last refresh, sent at
    // 416 416, ends at 416 416 + 41 392 + 102 400.
    texts = Resume({7});
    NS_TEST_EXPECT_MSG_EQ(texts.made, made, "the switch does not know of the loss");
    NS_TEST_EXPECT_MSG_EQ(texts.gate, "150608-8 560208+8", "the timer ends the pause");
    NS_TEST_EXPECT_MSG_EQ(texts.starts, before + "560208 572512", "frames sent");

    // Without the refresh sent at 211 616, the pause requested at 160 416 ends at 304 208, exactly
    // when the refresh sent at 262 816 takes effect, and one frame can start. Therefore, ten frames
    // are stored, and the RESUME is sent one frame time later.
    texts = Resume({2});
    NS_TEST_EXPECT_MSG_EQ(texts.gate, "150608-8 304208+8 304208-8 493520+8", "a lost refresh");
    NS_TEST_EXPECT_MSG_EQ(texts.starts, before + "304208 493520", "frames sent");

    // If two consecutive refreshes are lost, the class is open until the refresh sent at 314 016
    // takes effect.
    texts = Resume({2, 3});
    NS_TEST_EXPECT_MSG_EQ(texts.gate.substr(0, 26), "150608-8 304208+8 355408-8", "two of them");
}

LOSSLESS_TEST(g_suite, "A pause of the port and a pause of a class do not lift each other")
{
    // The frames take effect at 41 392, 42 392, 91 392 and 121 392. The RESUME of class 3 must not
    // open the class while the port is paused.
    NS_TEST_EXPECT_MSG_EQ(
        SimulateGate({{0, 1000, 0x08}, {1000, 1000, 0xff}, {50000, 0, 0x08}, {80000, 0, 0xff}}),
        "41392-8 42392-f7 121392+ff",
        "class RESUME under a pause of the port");
    // The RESUME of the port leaves class 3 closed until 41 392 + 1000 x 512.
    NS_TEST_EXPECT_MSG_EQ(SimulateGate({{0, 1000, 0x08}, {1000, 1000, 0xff}, {50000, 0, 0xff}}),
                          "41392-8 42392-f7 91392+f7 553392+8",
                          "RESUME of the port over a paused class");
    // Both pauses end when their timers expire: that of the port at 42 392 + 51 200 and that of the
    // class at 41 392 + 102 400.
    NS_TEST_EXPECT_MSG_EQ(SimulateGate({{0, 200, 0x08}, {1000, 100, 0xff}}),
                          "41392-8 42392-f7 93592+f7 143792+8",
                          "timers of class and port");
    // A class pause that ends during the pause of the port is not visible.
    NS_TEST_EXPECT_MSG_EQ(SimulateGate({{0, 100, 0x08}, {1000, 200, 0xff}}),
                          "41392-8 42392-f7 144792+ff",
                          "the port's timer is the longer one");
    // A frame with seven classes pauses these seven classes, not the port.
    NS_TEST_EXPECT_MSG_EQ(SimulateGate({{0, 100, 0x7f}, {1000, 0, 0x01}}),
                          "41392-7f 42392+1 92592+7e",
                          "a RESUME lifts one of seven");
}

LOSSLESS_TEST(g_suite, "A paused class does not hold up another, at a host nor in a switch")
{
    Star star(CreateObject<PfcSwitchNode>(), 2, CABLE);
    TestHost& sender = star.GetHost(0);
    // Class 3 of host 0 is closed from 41 392 to 92 592, and class 3 of the switch from 141 392 to
    // 192 592. In both bursts, the frames of class 3 are first in the queue.
    SendPfcIn(Time(0), star.GetPort(0), SetOf(Priority{3}), 100);
    SendPfcIn(MicroSeconds(100), star.GetHost(1).device, SetOf(Priority{3}), 100);
    sender.Send(1, CLASS_3, FULL_FRAME, 2, MicroSeconds(45));
    sender.Send(1, CLASS_5, FULL_FRAME, 2, MicroSeconds(45));
    sender.Send(1, CLASS_3, FULL_FRAME, 2, MicroSeconds(130));
    sender.Send(1, CLASS_5, FULL_FRAME, 2, MicroSeconds(130));
    Simulator::Run();
    // Frames of class 5 leave at 45 000 and 57 304, those of class 3 at 92 592 and 104 896. From
    // 130 000 on, all four frames leave without gaps, so they arrive at the switch at 152 304,
    // 164 608, 176 912 and 189 216.
    NS_TEST_EXPECT_MSG_EQ(ToText(sender.source.m_starts),
                          "45000 57304 92592 104896 130000 142304 154608 166912",
                          "host");
    // The switch sends frames of class 5 at 176 912 and 189 216. Class 3 opens at 192 592, and its
    // frames follow when the wire is free, at 201 520 and 213 824. Each frame arrives 22 304 ns
    // after its start.
    std::string classes;
    for (const Arrival& arrival : star.GetHost(1).received.m_arrivals)
    {
        classes += std::to_string(Index(arrival.priority));
    }
    NS_TEST_EXPECT_MSG_EQ(classes, "55335533", "order of arrival");
    NS_TEST_EXPECT_MSG_EQ(ToText(star.GetHost(1).received.GetTimes()),
                          "89608 101912 137200 149504 199216 211520 223824 236128",
                          "arrivals");
}

std::string
GetFrames(uint16_t quanta, int64_t micros)
{
    auto node = MakeSwitch(5000, 3000);
    node->GetFlowControl()->SetAttribute("PauseQuanta", UintegerValue(quanta));
    Star star(node, 2, CABLE);
    PfcLog made(node);
    Congest(star, 20);
    RunFor(MicroSeconds(micros));
    Simulator::Destroy();
    return made.m_text.str();
}

LOSSLESS_TEST(g_suite, "Each PAUSE asks for PauseQuanta and is refreshed after half of them")
{
    NS_TEST_EXPECT_MSG_EQ(GetFrames(400, 400),
                          "109216:0:8=400 211616:0:8=400 314016:0:8=400",
                          "every 200 x 512 = 102 400");
    NS_TEST_EXPECT_MSG_EQ(GetFrames(1001, 700),
                          "109216:0:8=1001 365472:0:8=1001 621728:0:8=1001",
                          "every 500.5 x 512 = 256 256");
    // The default, 65 535, is the largest value that a frame can hold. Refreshes are 16 776 960 ns
    // apart.
    NS_TEST_EXPECT_MSG_EQ(GetFrames(65535, 20000), "109216:0:8=65535 16886176:0:8=65535", "usual");
}

LOSSLESS_TEST(g_suite, "The effect comes ResponseQuanta after the arrival at 10 672")
{
    NS_TEST_EXPECT_MSG_EQ(SimulateGate({{0, 100}}, 0), "10672-8 61872+8", "at once");
    NS_TEST_EXPECT_MSG_EQ(SimulateGate({{0, 100}}, 10), "15792-8 66992+8", "10 x 512");
    NS_TEST_EXPECT_MSG_EQ(SimulateGate({{0, 100}}, 60), "41392-8 92592+8", "60 x 512");
}

/// A quantum is 512 bit times of the link at any rate, rounded to the nearest tick.
LOSSLESS_TEST(g_suite, "PauseQuanta and ResponseQuanta are what they say: quantum")
{
    auto gate = CreateObject<PauseGate>();
    const auto getTime = [gate](const std::string& rate, uint32_t quanta) {
        gate->Attach({DataRate(rate), Time(0), 24, 1500}, nullptr);
        return gate->QuantaToTime(quanta).GetNanoSeconds();
    };
    for (const uint32_t quanta : {1U, 3U, 60U, 777U, 30000U, 65535U})
    {
        for (const uint32_t gigabits : {1U, 10U, 25U, 40U, 100U, 400U})
        {
            NS_TEST_EXPECT_MSG_EQ(getTime(std::to_string(gigabits) + "Gbps", quanta),
                                  (quanta * 512 + gigabits / 2) / gigabits,
                                  quanta << " quanta at " << gigabits << " Gb/s");
        }
        NS_TEST_EXPECT_MSG_EQ(getTime("512Mbps", quanta), quanta * 1000, "512 Mb/s");
    }
}

// Under G-PFC, all eight classes are paused together, class 7 by the second frame. The frames that
// arrive until then fit into the headroom but would not fit if the headroom were computed for a
// single PFC frame.
//
// A frame of F bytes takes F + 24 on the wire. Frame 0 of class 7 and a frame in the opposite
// direction fill the shared buffer. Frame 1 goes to the headroom and causes the pause of all
// classes, a nanosecond after the frame in the opposite direction has begun to leave. Both PFC
// frames leave after this frame; the cable delay and the response time follow. Measured in bytes on
// the ingress link, n frames begin before and during these times:
// - with a tenth of the rate towards host 0, frames of 1514 B and a delay of 10 us: 10 x (1538 +
//   168) + 2 x 1250 + 3840 = 23 400, so n is 16. Including frame 1, they amount to 25 738 B. The
//   headroom is 26 452 B, or 25 612 B for one PFC frame.
// - with the same rate in both directions, frames of 9014 B and a delay of 20 144 ns: 9038 + 168 +
//   2 x 2518 + 3840 = 18 082, so n is 3. Including frame 1, they amount to 36 056 B. The headroom
//   is 36 134 B, or 36 050 B for one PFC frame.
/// @param back the rate from the switch to host 0
void
CheckLoss(uint32_t mtu, DataRate back, Time delay, uint64_t headroom, std::size_t frames)
{
    const DataRate rate("1Gbps");
    const uint32_t frameBytes = mtu + ETHERNET_BYTES;
    auto policy = CreateObject<StaticBufferPolicy>();
    policy->SetAttribute("Xoff", UintegerValue(frameBytes));
    policy->SetAttribute("Xon", UintegerValue(frameBytes));
    policy->SetAttribute("PrivateBytes", UintegerValue(0));
    auto node = CreateObject<GpfcSwitchNode>();
    node->SetBufferPolicy(policy);
    node->SetAttribute("LosslessClasses", UintegerValue(ALL_PRIORITIES));
    node->GetFlowControl()->SetAttribute("LowClasses", UintegerValue(0));
    const uint64_t ofBoth = GetWorstCaseHeadroomBytes({rate, delay, mtu, back}, 1, NUM_PRIORITIES) +
                            GetWorstCaseHeadroomBytes({rate, delay, mtu}, 1, NUM_PRIORITIES);
    node->GetSharedBuffer()->SetAttribute("Size",
                                          UintegerValue(NUM_PRIORITIES * ofBoth + 2 * frameBytes));
    Star star(node, 2, {rate, delay});
    for (uint32_t i = 0; i < 2; ++i)
    {
        star.GetPort(i)->SetAttribute("Mtu", UintegerValue(mtu));
        star.GetHost(i).device->SetAttribute("Mtu", UintegerValue(mtu));
    }
    star.GetPort(0)->SetAttribute("DataRate", DataRateValue(back));
    node->Initialize();
    auto shut = CreateObject<ManualGate>();
    star.GetPort(1)->SetGate(shut);
    shut->Set(0);
    star.GetHost(0).Send(1, 7 << 3, frameBytes, 100);
    const Time onWire = rate.CalculateBytesTxTime(frameBytes + WIRE_OVERHEAD_BYTES);
    star.GetHost(1).Send(0, CLASS_5, frameBytes, 1, onWire - NanoSeconds(1));
    RunFor(MilliSeconds(5));
    NS_TEST_EXPECT_MSG_EQ(policy->GetPortHeadroom(PortId{0}), headroom, "MTU " << mtu);
    NS_TEST_EXPECT_MSG_EQ(star.GetHost(0).source.m_starts.size(), frames, "MTU " << mtu);
    NS_TEST_EXPECT_MSG_EQ(node->GetCounts().losslessDropped, 0, "MTU " << mtu);
    Simulator::Destroy();
}

LOSSLESS_TEST(g_suite, "Headroom is enough for eight classes that stop together")
{
    CheckLoss(1500, DataRate("100Mbps"), MicroSeconds(10), 26452, 18);
    CheckLoss(9000, DataRate("1Gbps"), NanoSeconds(20144), 36134, 5);
}

/// The switch sends at 200 Mb/s to host 0, which sends at 1 Gb/s. In the slow direction, a data
/// frame takes 61 520, and a PFC frame takes 3360. A PAUSE of 200 quanta lasts 102 400, and its
/// refresh may have to wait for 61 520 + 2 x 3360 + 4 = 68 244 (a data frame, two other PFC frames,
/// and rounding). A refresh is therefore due 34 156 after the previous one. If it were due after
/// 51 200 and had to wait for a data frame that started just before, it would arrive only after
/// 112 720.
LOSSLESS_TEST(g_suite, "A refresh is early enough for a full frame on a slow way back")
{
    // Data frames start before and after the first PFC frame, and just before the times at which
    // refreshes are due or would be due after half of the pause.
    for (const int64_t start : {109217, 112577, 127000, 143371, 143372, 160415, 160416})
    {
        auto node = MakeSwitch(5000, 3000);
        node->GetFlowControl()->SetAttribute("PauseQuanta", UintegerValue(200));
        Star star(node, 2, CABLE);
        star.GetPort(0)->SetAttribute("DataRate", StringValue("200Mbps"));
        GateLog gate(star.GetHost(0).device->GetGate());
        PfcLog made(node);
        Congest(star, 20);
        star.GetHost(1).Send(0, CLASS_5, FULL_FRAME, 1, NanoSeconds(start - 22304));
        RunFor(MicroSeconds(500));
        NS_TEST_EXPECT_MSG_EQ(gate.m_text.str(), "153296-8", "closed once, 44 080 after 109 216");
        NS_TEST_EXPECT_MSG_EQ(node->GetCounts().losslessDropped, 0, "no loss");
        if (start == 143371)
        {
            NS_TEST_EXPECT_MSG_EQ(made.m_text.str().substr(0, 55),
                                  "109216:0:8=200 204891:0:8=200 239047:0:8=200 273203:0:8",
                                  "behind the data frame, 61 520 long; then every 34 156");
        }
        Simulator::Destroy();
    }
}

/// Checks that a class remains paused after a switch has paused it, for random rates, frame sizes
/// and pause times, unless the switch rejects the settings at the start. Host 0 sends frames of
/// some classes to host 1, whose port is closed. After each PAUSE, a frame goes back to host 0 at a
/// random time.
class RandomPauses
{
  public:
    void Run(uint32_t first, uint32_t last)
    {
        uint32_t refused = 0;
        uint32_t early = 0;
        for (uint32_t seed = first; seed <= last; ++seed)
        {
            m_random->SetStream(seed);
            Draw();
            const auto problem = CreateFlowControl()->Configure(MakeShape());
            refused += problem ? 1 : 0;
            early += m_needsEarly && !problem ? 1 : 0;
            if (!problem)
            {
                Simulate(seed);
            }
        }
        NS_TEST_EXPECT_MSG_GT(refused, 0, "some pauses are too short");
        NS_TEST_EXPECT_MSG_GT(early, 0, "and some must be refreshed before half of their time");
    }

  private:
    void Draw()
    {
        constexpr double LARGEST_RATIO = 800;
        const std::vector<uint64_t> gigabits{1, 10, 25, 100, 400};
        m_rate = DataRate(gigabits[m_random->GetInteger(0, gigabits.size() - 1)] * 1000000000);
        const double ratio = std::pow(LARGEST_RATIO, m_random->GetValue(0, 1));
        m_back = DataRate(static_cast<uint64_t>(m_rate.GetBitRate() / ratio));
        m_mtu = m_random->GetInteger(576, 9216);
        m_delay = NanoSeconds(m_random->GetInteger(0, 5000));
        m_jitter = NanoSeconds(m_random->GetInteger(0, 2000));
        m_classes = m_random->GetInteger(1, 255);
        // The pause takes 0.5 to 4 frame times of the slow link, within the valid range.
        const double quanta = 8 * (m_mtu + 38) * ratio / PAUSE_QUANTUM_BITS;
        m_quanta =
            static_cast<uint16_t>(std::clamp(quanta * m_random->GetValue(0.5, 4), 1.0, 65535.0));
        m_needsEarly = m_quanta < 2 * quanta;
    }

    Ptr<PfcFlowControl> CreateFlowControl() const
    {
        auto flowControl = CreateObject<PfcFlowControl>();
        flowControl->SetAttribute("PauseQuanta", UintegerValue(m_quanta));
        return flowControl;
    }

    SwitchShape MakeShape() const
    {
        SwitchShape shape;
        shape.ports = {{m_rate, m_delay + m_jitter, m_mtu, m_back, m_jitter}};
        return shape;
    }

    void Simulate(uint32_t seed)
    {
        const uint32_t frameBytes = m_mtu + 14;
        auto node = MakeSwitch(2 * frameBytes, frameBytes, ALL_PRIORITIES);
        node->SetFlowControl(CreateFlowControl());
        node->GetSharedBuffer()->SetAttribute("Size", UintegerValue(4'000'000'000));
        Star star(node, 2, {m_rate, m_delay});
        for (uint32_t i = 0; i < 2; ++i)
        {
            star.GetPort(i)->SetAttribute("Mtu", UintegerValue(m_mtu));
            star.GetHost(i).device->SetAttribute("Mtu", UintegerValue(m_mtu));
        }
        star.GetPort(0)->SetAttribute("DataRate", DataRateValue(m_back));
        star.GetPort(0)->GetChannel()->SetAttribute("Jitter", TimeValue(m_jitter));
        DynamicCast<LosslessChannel>(star.GetPort(0)->GetChannel())->AssignStreams(1000 + seed);
        node->Initialize();
        auto shut = CreateObject<ManualGate>();
        star.GetPort(1)->SetGate(shut);
        shut->Set(0);
        GateLog gate(star.GetHost(0).device->GetGate());
        Load(star, frameBytes);
        const Time pause = m_rate.CalculateBitsTxTime(m_quanta * PAUSE_QUANTUM_BITS);
        m_pauses = 0;
        ListenTo(*node->GetFlowControl(), "ControlSent", [&](PortId, Ptr<const Packet>) {
            // A few pauses suffice, and the slow link limits the number of frames.
            if (++m_pauses > 20)
            {
                Simulator::Stop(pause);
                return;
            }
            // This event belongs to the switch, so an event at another node must be delayed.
            const Time later = std::max(pause * m_random->GetValue(0, 1), GetGlobalDelay());
            Simulator::ScheduleWithContext(
                star.GetHost(1).device->GetNode()->GetId(),
                later,
                [&star, frameBytes] { star.GetHost(1).Send(0, CLASS_5, frameBytes); });
        });
        RunFor(100 * pause + MilliSeconds(10));
        NS_TEST_EXPECT_MSG_EQ(gate.m_text.str().find('+'),
                              std::string::npos,
                              "seed " << seed << ": " << Describe() << ": " << gate.m_text.str());
        NS_TEST_EXPECT_MSG_GT(m_pauses, 2, "seed " << seed << ": refreshed");
        NS_TEST_EXPECT_MSG_EQ(node->GetCounts().losslessDropped,
                              0,
                              "seed " << seed << ": " << Describe() << ": lost");
        Simulator::Destroy();
    }

    /// Makes host 0 send enough frames of each class for the class to be paused.
    void Load(Star& star, uint32_t frameBytes) const
    {
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            if (Contains(m_classes, Priority{p}))
            {
                star.GetHost(0).Send(1, p << 3, frameBytes, 6);
            }
        }
        // This is the number of frames that arrive before the last class is paused.
        const double slow = static_cast<double>(m_rate.GetBitRate()) / m_back.GetBitRate();
        const auto more = static_cast<uint32_t>(
            3 * slow +
            3 * m_rate.GetBitRate() / 8e9 * (m_delay + m_jitter).GetNanoSeconds() / frameBytes);
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            if (Contains(m_classes, Priority{p}))
            {
                star.GetHost(0).Send(1, p << 3, frameBytes, more + 20);
            }
        }
    }

    std::string Describe() const
    {
        std::ostringstream text;
        text << m_rate << " and back " << m_back << ", MTU " << m_mtu << ", quanta " << m_quanta
             << ", classes " << +m_classes << ", " << m_delay.As(Time::NS) << ", jitter "
             << m_jitter.As(Time::NS);
        return text.str();
    }

    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; ///< for all draws

    DataRate m_rate;          ///< rate of host 0
    DataRate m_back;          ///< rate from the switch to host 0
    uint32_t m_mtu{0};        ///< MTU of all devices
    Time m_delay;             ///< propagation delay
    Time m_jitter;            ///< maximum additional delay
    PrioritySet m_classes{0}; ///< classes that host 0 sends
    uint16_t m_quanta{0};     ///< quanta of a PAUSE
    /// True if half of the pause is shorter than a frame on the slow link.
    bool m_needsEarly{false};
    uint32_t m_pauses{0}; ///< number of PFC frames created
};

LOSSLESS_TEST(g_suite, "A MAC control frame of another kind, or malformed, is counted and ignored")
{
    Pair pair(CABLE);
    GateLog gate(pair.GetHost(0).device->GetGate());
    Ptr<LosslessNetDevice> device = pair.GetHost(1).device;
    DropRecorder drops;
    drops.Watch("h0", pair.GetHost(0).device->GetNode());
    // The test sends a PAUSE of class 3 and copies with another opcode, length, destination or
    // class vector.
    std::vector<uint8_t> bytes(60, 0);
    bytes[0] = 0x01;
    bytes[1] = 0x80;
    bytes[2] = 0xc2;
    bytes[5] = 0x01;
    bytes[12] = 0x88;
    bytes[13] = 0x08;
    bytes[14] = 0x01;
    bytes[15] = 0x01;
    bytes[17] = 0x08;
    bytes[25] = 100;
    const auto send = [device](const std::vector<uint8_t>& frame) {
        device->SendControl(Create<Packet>(frame.data(), frame.size()));
    };
    std::vector<uint8_t> oldPause = bytes;
    oldPause[14] = 0x00; // IEEE 802.3 PAUSE
    std::vector<uint8_t> cut(bytes.begin(), bytes.begin() + 30);
    std::vector<uint8_t> astray = bytes;
    astray[5] = 0x00; // 01:80:c2:00:00:00, which the Spanning Tree Protocol uses
    std::vector<uint8_t> empty = bytes;
    empty[17] = 0x00;
    Simulator::Schedule(MicroSeconds(0), [=]() {
        send(oldPause);
        send(cut);
        send(astray);
        send(empty);
    });
    Simulator::Schedule(MicroSeconds(100), [=]() { send(bytes); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(gate.m_text.str(), "141392-8 192592+8", "only the last one counts");
    NS_TEST_EXPECT_MSG_EQ(pair.GetHost(0).received.m_arrivals.size(), 0, "nor is it data");
    NS_TEST_ASSERT_MSG_EQ(drops.GetDrops().size(), 1, "one reason");
    NS_TEST_EXPECT_MSG_EQ(std::string(ToString(drops.GetDrops()[0].reason)),
                          "unknown-control",
                          "reason");
    NS_TEST_EXPECT_MSG_EQ(drops.GetDrops()[0].frames, 4, "all but the last are counted");
}

/// Checks that listeners can inspect the switch at any time.
///
/// Hosts 0 to 2 pause their ports, and each of them is sent one frame, so three queues are paused
/// at 72 304. Then the hosts resume simultaneously, and the three frames leave at the same time.
/// By requesting the buffer accounting, the first listener causes the other two frames to be
/// released.
LOSSLESS_TEST(g_suite, "A listener which reads the switch's state changes nothing")
{
    auto node = MakeSwitch(1000, 1000);
    Star star(node, 6, CABLE);
    PfcLog made(node);
    std::vector<uint32_t> sent; // number of frames sent by the time of each call
    ListenTo(*node->GetFlowControl(),
             "QueueState",
             [&sent, node = PeekPointer(node)](QueueId, bool) {
                 node->GetSharedBuffer();
                 sent.push_back(static_cast<uint32_t>(node->GetCounts().sent));
             });
    for (uint32_t i = 0; i < 3; ++i)
    {
        SendPfcIn(Time(0), star.GetHost(i).device, SetOf(Priority{3}), 200);
        star.GetHost(3 + i).Send(i, CLASS_3, FULL_FRAME, 1, MicroSeconds(50));
    }
    Simulator::Run();
    // The class is closed for 200 x 512, starting at 41 392. Then the frame takes 12 304 until its
    // last bit has left.
    NS_TEST_EXPECT_MSG_EQ(made.m_text.str(),
                          "72304:3:8=65535 72304:4:8=65535 72304:5:8=65535 "
                          "156096:3:8=0 156096:4:8=0 156096:5:8=0",
                          "PFC frames");
    NS_TEST_EXPECT_MSG_EQ(ToText(sent), "0 0 0 1 2 3", "frames counted as sent");
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_EQ(node->GetCounts().sent, 3, "readable after the end");
    NS_TEST_EXPECT_MSG_EQ(node->GetSharedBuffer()->GetUsed(), 0, "readable after the end");
}

LOSSLESS_TESTS(g_suite)
{
    AddSeeds(g_suite,
             "Pauses are kept up on random links",
             24,
             1000,
             [](uint32_t first, uint32_t last) { RandomPauses().Run(first, last); });
}

} // namespace ns3::lossless::tests::THIS_FILE
