// SPDX-License-Identifier: GPL-2.0-only
//
// Tests the order and times of packets under go-back-N, selective repeat and unordered delivery,
// over paths that lose, reorder, duplicate and trim packets.

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/bdp-cap.h"
#include "ns3/flow-recorder.h"
#include "ns3/go-back-n.h"
#include "ns3/lossless-fabric.h"
#include "ns3/object-factory.h"
#include "ns3/packet-set.h"
#include "ns3/queue-pair.h"
#include "ns3/roce-header.h"
#include "ns3/roce-nic.h"
#include "ns3/selective-repeat.h"
#include "ns3/switch-helper.h"
#include "ns3/unbuilt-packet.h"

#include <random>

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-reliability", UNIT);

using Numbers = std::vector<uint32_t>;
using Arrival = ArrivalVerdict::Arrival;

constexpr int64_t SLOT = 10;   ///< time between packets at the sender, in ticks
constexpr int64_t DELAY = 100; ///< one-way delay of a packet or an acknowledgement, in ticks
constexpr int64_t LOW = 1000;  ///< RtoLow, in ticks
constexpr int64_t HIGH = 3000; ///< RtoHigh and go-back-N's timeout, in ticks

struct Fate
{
    /// The delay of each copy, in ticks; if empty, the packet is lost.
    std::vector<int64_t> delays{DELAY};
    bool isCut{false}; ///< true if the packet arrives without its payload
};

/// The two ends of a flow, a path between them, and a record of all events.
class Path
{
  public:
    using Choose = std::function<Fate(uint32_t)>;

    Path(Ptr<Reliability> reliability, uint32_t packets, uint32_t initialPsn = 0)
        : m_reliability(reliability),
          m_packets(packets),
          m_initialPsn(initialPsn)
    {
    }

    /// Runs until the sender has finished or a time limit is reached.
    /// @return the time at which the receiver had all packets, in ticks, or -1 if it never had all
    int64_t Run()
    {
        Open();
        int64_t sendAt = 0;
        while (!m_sender.IsFinished() && m_now < 100000 * HIGH)
        {
            const std::optional<Time> due = m_sender.GetDue();
            const int64_t dueAt = due ? due->GetTimeStep() : INT64_MAX;
            const int64_t nextAt = m_sender.MaySend() ? std::max(sendAt, m_now) : INT64_MAX;
            const int64_t eventAt = m_events.empty() ? INT64_MAX : m_events.begin()->first;
            m_now = std::min({dueAt, nextAt, eventAt});
            if (m_now == eventAt)
            {
                const auto event = m_events.begin()->second;
                m_events.erase(m_events.begin());
                event();
            }
            else if (m_now == dueAt)
            {
                ++m_timeouts;
                m_sender.HandleTimeout();
            }
            else
            {
                SendData();
                sendAt = m_now + SLOT;
            }
            CheckSender();
        }
        return m_completedAt;
    }

    Choose m_onData{[](uint32_t) { return Fate(); }};   ///< fate of each transmission
    Choose m_onAnswer{[](uint32_t) { return Fate(); }}; ///< fate of each acknowledgement
    uint64_t m_window{0};                               ///< window, in packets
    bool m_isTimed{true};                               ///< true if round-trip times are measured
    uint32_t m_ackInterval{1};                          ///< number of packets per acknowledgement
    SendQueuePair m_sender;                             ///< sending end
    ReceiveQueuePair m_receiver;                        ///< receiving end
    Numbers m_sent;                                     ///< packets, in order of sending
    std::vector<int64_t> m_sentAt;                      ///< times at which these packets were sent
    std::map<uint32_t, uint32_t> m_taken; ///< number of times that each packet was accepted
    uint32_t m_answers{0};                ///< number of acknowledgements sent
    uint32_t m_timeouts{0};               ///< number of timeouts of the sender
    uint64_t m_lost{0};                   ///< number of packets that the sender considered lost
    uint64_t m_losses{0};                 ///< number of loss events reported by the sender

  private:
    void Open()
    {
        FlowRecord record;
        record.flow.bytes = m_packets;
        const bool isPlacing = m_reliability->GetTraits().isPlacing;
        SendSettings
            settings{1, m_window, m_initialPsn, m_isTimed, m_ackInterval > 1, false, isPlacing};
        m_sender.SetReliability(m_reliability->MakeSender(TimeStep(HIGH)));
        m_sender.Open(record, RocePath(), settings);
        m_receiver.SetReliability(m_reliability->MakeReceiver());
        m_receiver.Open(record, RocePath(), m_initialPsn);
    }

    void SendData()
    {
        Frame frame = m_sender.Send(TimeStep(m_now));
        const RoceHeader header = frame.packet.GetUnbuilt()->GetHeader();
        const uint32_t packet = (header.GetPsn() - m_initialPsn) & RoceHeader::MASK_24_BIT;
        if (const PlaceHeader* place = frame.packet.GetUnbuilt()->GetPlace())
        {
            NS_TEST_EXPECT_MSG_EQ(place->address, packet, "where it belongs");
            NS_TEST_EXPECT_MSG_EQ(place->length, m_packets, "in a message of that size");
        }
        const Fate fate = m_onData(static_cast<uint32_t>(m_sent.size()));
        m_sent.push_back(packet);
        m_sentAt.push_back(m_now);
        for (const int64_t delay : fate.delays)
        {
            m_events.emplace(m_now + delay, [this, header, packet, fate] {
                TakeData(header, packet, fate.isCut);
            });
        }
    }

    void TakeData(const RoceHeader& header, uint32_t packet, bool isCut)
    {
        using Reply = ArrivalVerdict::Reply;
        const bool isLate = m_completedAt >= 0;
        const ArrivalVerdict verdict =
            isCut ? m_receiver.AcceptTrimmed(header) : m_receiver.Accept(header);
        const bool isTaken =
            verdict.arrival == Arrival::IN_ORDER || verdict.arrival == Arrival::KEPT;
        NS_TEST_EXPECT_MSG_EQ((isTaken && (isCut || isLate)), false, "nothing to take");
        m_taken[packet] += isTaken;
        if (m_receiver.IsComplete() && !isLate)
        {
            m_completedAt = m_now;
        }
        if (verdict.reply == Reply::TRIMMED)
        {
            SendAnswer(m_receiver.MakeTrimNak());
        }
        else if (verdict.reply == Reply::NAK)
        {
            SendAnswer(m_receiver.MakeNak());
        }
        else if (verdict.reply == Reply::ACK ||
                 (verdict.reply == Reply::WHEN_DUE && m_receiver.TakeDue(header, m_ackInterval)))
        {
            SendAnswer(m_receiver.MakeAck());
        }
    }

    void SendAnswer(Frame frame)
    {
        const UnbuiltPacket* packet = frame.packet.GetUnbuilt();
        const RoceHeader header = packet->GetHeader();
        const SackHeader* sack = packet->GetSack();
        const std::optional<SackHeader> copy =
            sack ? std::optional<SackHeader>(*sack) : std::nullopt;
        for (const int64_t delay : m_onAnswer(m_answers++).delays)
        {
            m_events.emplace(m_now + delay, [this, header, copy] {
                const AnswerEffect effect =
                    m_sender.HandleAnswer(header, copy ? &*copy : nullptr, TimeStep(m_now));
                m_lost += effect.newLost + effect.isTrimmed;
                m_losses += effect.isFirstLoss;
                if (effect.roundTrip)
                {
                    NS_TEST_EXPECT_MSG_GT_OR_EQ(effect.roundTrip->GetTimeStep(),
                                                2 * DELAY,
                                                "no round trip is shorter than the path");
                }
            });
        }
    }

    void CheckSender()
    {
        const SendReliability& end = m_sender.GetReliability();
        const uint64_t total = end.GetTotal();
        NS_TEST_ASSERT_MSG_EQ((end.GetOldest() <= end.GetNext() && end.GetNext() <= total &&
                               end.GetNext() <= end.GetHighest() && end.GetHighest() <= total),
                              true,
                              "oldest <= next <= highest <= total");
        NS_TEST_ASSERT_MSG_EQ((end.GetInFlight() <= end.GetHighest() - end.GetOldest()),
                              true,
                              "no more is under way than has been sent");
        NS_TEST_ASSERT_MSG_LT_OR_EQ(end.GetUnderWay(),
                                    end.GetHighest() - end.GetArrived(),
                                    "what has arrived is not under way");
        NS_TEST_ASSERT_MSG_EQ((end.GetArrived() >= end.GetOldest() && end.GetArrived() <= total),
                              true,
                              "arrived");
        NS_TEST_ASSERT_MSG_GT_OR_EQ(m_sender.GetSentBytes(),
                                    m_sender.GetAcknowledgedBytes(),
                                    "nothing arrives that was not sent");
        NS_TEST_ASSERT_MSG_EQ(
            (end.IsFinished() || m_sender.GetDue() || !m_events.empty() || m_sender.MaySend()),
            true,
            "it never waits for nothing");
    }

    Ptr<Reliability> m_reliability;                         ///< see the constructor
    uint32_t m_packets;                                     ///< see the constructor
    uint32_t m_initialPsn;                                  ///< see the constructor
    int64_t m_now{0};                                       ///< current time, in ticks
    int64_t m_completedAt{-1};                              ///< see Run()
    std::multimap<int64_t, std::function<void()>> m_events; ///< arrivals and other events, by time
};

template <typename T>
Ptr<Reliability>
Make(uint32_t degree)
{
    return CreateObjectWithAttributes<T>("RtoLow",
                                         TimeValue(TimeStep(LOW)),
                                         "RtoHigh",
                                         TimeValue(TimeStep(HIGH)),
                                         "ReorderDegree",
                                         UintegerValue(degree));
}

Ptr<Reliability>
MakeSelectiveRepeat(uint32_t degree = 1)
{
    return Make<SelectiveRepeat>(degree);
}

Ptr<Reliability>
MakeUnordered(uint32_t degree = 64)
{
    return Make<Unordered>(degree);
}

Numbers
Range(uint32_t first, uint32_t last)
{
    Numbers numbers;
    for (uint32_t number = first; number <= last; ++number)
    {
        numbers.push_back(number);
    }
    return numbers;
}

Numbers
Join(const std::vector<Numbers>& parts)
{
    Numbers all;
    for (const Numbers& part : parts)
    {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

Path::Choose
Lose(const std::set<uint32_t>& which)
{
    return [which](uint32_t number) {
        Fate fate;
        if (which.count(number) > 0)
        {
            fate.delays.clear();
        }
        return fate;
    };
}

/// @param sent the expected packets, in order
void
Expect(const Path& path, const Numbers& sent, int64_t completedAt, int64_t expectedAt)
{
    NS_TEST_EXPECT_MSG_EQ(FirstDifference(path.m_sent, sent), "", "packets sent");
    NS_TEST_EXPECT_MSG_EQ(completedAt, expectedAt, "complete");
    NS_TEST_EXPECT_MSG_EQ(path.m_sender.IsFinished(), true, "and the sender knows");
    for (const auto& [packet, times] : path.m_taken)
    {
        NS_TEST_EXPECT_MSG_EQ(times, 1, "packet " << packet << " is taken once");
    }
}

// All times below are in ticks. Counted from 0, the k-th packet to be sent leaves at 10 k and
// arrives 100 ticks later. Its acknowledgement arrives another 100 ticks later and is processed
// before the packet that is due at that time is sent.

LOSSLESS_TEST(g_suite, "without loss, all three send the same at the same times")
{
    for (const Ptr<Reliability>& way :
         {Ptr<Reliability>(CreateObject<GoBackN>()), MakeSelectiveRepeat(), MakeUnordered()})
    {
        Path path(way, 40, RoceHeader::MASK_24_BIT - 9);
        const int64_t at = path.Run();
        Expect(path, Range(0, 39), at, 390 + 100);
        NS_TEST_EXPECT_MSG_EQ(path.m_answers, 40, "an answer each");
        NS_TEST_EXPECT_MSG_EQ(path.m_timeouts, 0, "timeouts");
    }
}

LOSSLESS_TEST(g_suite, "the first packet is lost")
{
    // Packet 1 leaves at 10, and its acknowledgement arrives at 210.
    Path back(CreateObject<GoBackN>(), 40);
    back.m_onData = Lose({0});
    int64_t at = back.Run();
    Expect(back, Join({Range(0, 20), Range(0, 39)}), at, 210 + 390 + 100);
    NS_TEST_EXPECT_MSG_EQ(back.m_losses, 1, "one loss");

    Path selective(MakeSelectiveRepeat(), 40);
    selective.m_onData = Lose({0});
    at = selective.Run();
    Expect(selective, Join({Range(0, 20), {0}, Range(21, 39)}), at, 400 + 100);
    NS_TEST_EXPECT_MSG_EQ(selective.m_lost, 1, "one packet");
    NS_TEST_EXPECT_MSG_EQ(selective.m_losses, 1, "one loss");

    // Only 39 later packets arrive, too few for the loss to be detected. Packet 0, the only missing
    // one, is sent again after a timeout, because there has been no progress since it left at 0.
    Path unordered(MakeUnordered(), 40);
    unordered.m_onData = Lose({0});
    at = unordered.Run();
    Expect(unordered, Join({Range(0, 39), {0}}), at, HIGH + 100);
    NS_TEST_EXPECT_MSG_EQ(unordered.m_timeouts, 1, "a timeout");

    // Packet 3, which leaves at 30, is three positions after packet 0.
    Path overtaken(MakeUnordered(3), 40);
    overtaken.m_onData = Lose({0});
    at = overtaken.Run();
    Expect(overtaken, Join({Range(0, 22), {0}, Range(23, 39)}), at, 400 + 100);
}

LOSSLESS_TEST(g_suite, "the last packet is lost")
{
    // Packet 38 leaves at 380. Its acknowledgement arrives at 580 and is the last progress. One
    // packet is then in flight.
    Path back(CreateObject<GoBackN>(), 40);
    back.m_onData = Lose({39});
    int64_t at = back.Run();
    Expect(back, Join({Range(0, 39), {39}}), at, 580 + HIGH + 100);
    for (const Ptr<Reliability>& way : {MakeSelectiveRepeat(), MakeUnordered()})
    {
        Path path(way, 40);
        path.m_onData = Lose({39});
        at = path.Run();
        Expect(path, Join({Range(0, 39), {39}}), at, 580 + LOW + 100);
        NS_TEST_EXPECT_MSG_EQ(path.m_timeouts, 1, "timeouts");
    }
}

LOSSLESS_TEST(g_suite, "every fifth packet is lost when it is first sent")
{
    // A gap before packet p is detected when p arrives, and the packet before p is sent again 20
    // slots after p was sent. Packet 6 has slot 6, so packet 5 is sent again in slot 26, and so on.
    // If a slot is used for a retransmission, new packets are sent one slot later.
    std::set<uint32_t> first;
    Path path(MakeSelectiveRepeat(), 40);
    path.m_onData = [&first, &path](uint32_t) {
        Fate fate;
        const auto packet = static_cast<uint32_t>(path.m_sender.GetReliability().GetHighest()) - 1;
        if (packet > 0 && packet % 5 == 0 && first.insert(packet).second)
        {
            fate.delays.clear();
        }
        return fate;
    };
    const int64_t at = path.Run();
    Expect(path,
           Join({Range(0, 25),
                 {5},
                 Range(26, 29),
                 {10},
                 Range(30, 33),
                 {15},
                 Range(34, 37),
                 {20, 38, 39, 25, 30, 35}}),
           at,
           590 + 100);
    // New packets use slots 27 to 30, 32 to 35, 37 to 40, 42 and 43. Packet 26 uses the first of
    // these, packet 31 uses slot 33, and packet 36 uses slot 39. Packets 25, 30 and 35 are
    // therefore sent again in slots 47, 53 and 59.
    const std::vector<int64_t> last(path.m_sentAt.end() - 3, path.m_sentAt.end());
    NS_TEST_EXPECT_MSG_EQ((last == std::vector<int64_t>{470, 530, 590}), true, "times");
    NS_TEST_EXPECT_MSG_EQ(path.m_lost, 7, "packets");
    NS_TEST_EXPECT_MSG_EQ(path.m_timeouts, 0, "timeouts");
}

LOSSLESS_TEST(g_suite, "answers are lost")
{
    for (const Ptr<Reliability>& way :
         {Ptr<Reliability>(CreateObject<GoBackN>()), MakeSelectiveRepeat(), MakeUnordered()})
    {
        // The next acknowledgement compensates for each lost one, except for the last.
        Path middle(way, 40);
        middle.m_onAnswer = Lose({0, 7, 8, 38});
        int64_t at = middle.Run();
        Expect(middle, Range(0, 39), at, 490);

        // The sender requests the last acknowledgement again by retransmitting the packet, which
        // the receiver does not accept twice.
        Path last(way, 40);
        last.m_onAnswer = Lose({39});
        at = last.Run();
        Expect(last, Join({Range(0, 39), {39}}), at, 490);
        NS_TEST_EXPECT_MSG_EQ(last.m_timeouts, 1, "a timeout");
    }
}

LOSSLESS_TEST(g_suite, "a NAK is lost")
{
    // Go-back-N sends only one NAK and waits, so there is no progress after the acknowledgement of
    // packet 2, which arrives at 220.
    Path back(CreateObject<GoBackN>(), 40);
    back.m_onData = Lose({3});
    back.m_onAnswer = Lose({3});
    int64_t at = back.Run();
    Expect(back, Join({Range(0, 39), Range(3, 39)}), at, 220 + HIGH + 360 + 100);

    // Each later packet causes a NAK, and the NAK caused by packet 5 arrives at 250.
    Path selective(MakeSelectiveRepeat(), 40);
    selective.m_onData = Lose({3});
    selective.m_onAnswer = Lose({3});
    at = selective.Run();
    Expect(selective, Join({Range(0, 24), {3}, Range(25, 39)}), at, 400 + 100);
}

LOSSLESS_TEST(g_suite, "the answer to a packet that fills a gap tells of the next gap")
{
    // Packets 0 and 2 are lost. Of the acknowledgements of 1, 3, 4 and 5, only the first one
    // arrives, at 210, so packet 0 is sent again. Its acknowledgement, which is sent without
    // waiting for other packets, arrives at 410 and confirms 3 to 5, so packet 2 is sent again.
    for (const uint32_t interval : {1, 8})
    {
        Path path(MakeSelectiveRepeat(), 6);
        path.m_onData = Lose({0, 2});
        path.m_onAnswer = Lose({1, 2, 3});
        path.m_ackInterval = interval;
        const int64_t at = path.Run();
        Expect(path, Join({Range(0, 5), {0, 2}}), at, 410 + 100);
        NS_TEST_EXPECT_MSG_EQ(path.m_timeouts, 0, "timeouts");
    }
}

LOSSLESS_TEST(g_suite, "where packets share answers and take any paths, a late one is as others")
{
    using Reply = ArrivalVerdict::Reply;
    // Packet 0 arrives after packet 1 and fills the gap, so selective repeat acknowledges it
    // immediately.
    const auto fill = [](const std::string& way, bool isLast) {
        ObjectFactory factory("ns3::lossless::" + way);
        const auto receiver = factory.Create<Reliability>()->MakeReceiver();
        receiver->Open();
        receiver->Accept(1, isLast);
        return receiver->Accept(0, false);
    };
    NS_TEST_EXPECT_MSG_EQ((fill("SelectiveRepeat", false).reply == Reply::ACK), true, "IRN");
    const ArrivalVerdict late = fill("Unordered", false);
    NS_TEST_EXPECT_MSG_EQ((late.reply == Reply::WHEN_DUE), true, "any paths");
    NS_TEST_EXPECT_MSG_EQ(late.advance, 2, "packets 0 and 1");
    // The flow's last packet requested an ACK, and all packets have now arrived.
    NS_TEST_EXPECT_MSG_EQ((fill("Unordered", true).reply == Reply::ACK), true, "the end of a flow");
}

LOSSLESS_TEST(g_suite, "all packets are lost twice")
{
    // No acknowledgement arrives. Whenever the first packet has been outstanding for one timeout,
    // all ten packets are sent again.
    for (const Ptr<Reliability>& way :
         {Ptr<Reliability>(CreateObject<GoBackN>()), MakeSelectiveRepeat(), MakeUnordered()})
    {
        Path path(way, 10);
        path.m_onData = [](uint32_t number) {
            Fate fate;
            if (number < 20)
            {
                fate.delays.clear();
            }
            return fate;
        };
        const int64_t at = path.Run();
        Expect(path, Join({Range(0, 9), Range(0, 9), Range(0, 9)}), at, 2 * HIGH + 90 + 100);
        NS_TEST_EXPECT_MSG_EQ(path.m_timeouts, 2, "timeouts");
    }
}

LOSSLESS_TEST(g_suite, "a packet is lost, and its repeat as well")
{
    // Packet 5 is sent again in slot 26 and is lost again, while other packets continue to arrive.
    // The packets before it have been acknowledged by 240, so packet 5 is sent once more HIGH after
    // its first retransmission.
    Path path(MakeSelectiveRepeat(), 40);
    path.m_onData = Lose({5, 26});
    const int64_t at = path.Run();
    Expect(path, Join({Range(0, 25), {5}, Range(26, 39), {5}}), at, 260 + HIGH + 100);
    NS_TEST_EXPECT_MSG_EQ(path.m_timeouts, 1, "a timeout");
}

/// Acknowledges packets in order.
/// @return the measured round-trip time, in ticks, or -1 if there is none
int64_t
GetRoundTrip(SendReliability& end, int64_t arrived, int64_t now)
{
    PacketAnswer answer;
    answer.arrived = arrived;
    answer.trigger = arrived - 1;
    const AnswerEffect effect = end.HandleAnswer(answer, TimeStep(now));
    return effect.roundTrip ? effect.roundTrip->GetTimeStep() : -1;
}

LOSSLESS_TEST(g_suite, "packets that are sent again give no round trip, with go-back-N none before")
{
    // Packets 0 to 4 leave from 0 onwards, and a timeout occurs at HIGH, so packet 0 is sent again.
    // Late acknowledgements of the first transmissions of 0 and 1 arrive, and packets 2 to 4 are
    // sent again. Packet 5, the first new one after the timeout, follows at HIGH + 40, and its
    // acknowledgement arrives 200 ticks later.
    for (const Ptr<Reliability>& way :
         {Ptr<Reliability>(CreateObject<GoBackN>()), MakeSelectiveRepeat(), MakeUnordered()})
    {
        const std::string name = way->GetInstanceTypeId().GetName();
        const bool isGoBackN = DynamicCast<GoBackN>(way) != nullptr;
        const auto end = way->MakeSender(TimeStep(HIGH));
        end->Open(10, true);
        for (int64_t packet = 0; packet < 5; ++packet)
        {
            end->Depart(TimeStep(packet * SLOT));
        }
        end->HandleTimeout();
        end->Depart(TimeStep(HIGH));
        NS_TEST_EXPECT_MSG_EQ(GetRoundTrip(*end, 1, HIGH + 3), -1, name << ": sent twice");
        // Packet 1 was sent only once, at SLOT.
        const int64_t once = isGoBackN ? -1 : HIGH + 5 - SLOT;
        NS_TEST_EXPECT_MSG_EQ(GetRoundTrip(*end, 2, HIGH + 5), once, name << ": sent once");
        for (int64_t i = 1; i <= 4; ++i)
        {
            end->Depart(TimeStep(HIGH + i * SLOT));
        }
        NS_TEST_EXPECT_MSG_EQ(end->GetHighest(), 6, name << ": 2, 3 and 4 again, and 5");
        NS_TEST_EXPECT_MSG_EQ(GetRoundTrip(*end, 6, HIGH + 240), 200, name << ": sent later");
    }
}

LOSSLESS_TEST(g_suite, "few packets under way have the low timeout, and one more the high one")
{
    for (const auto& [packets, timeout] : {std::pair(3, LOW), std::pair(4, HIGH)})
    {
        Path path(MakeSelectiveRepeat(), packets);
        path.m_onData = [n = packets](uint32_t number) {
            Fate fate;
            if (number < static_cast<uint32_t>(n))
            {
                fate.delays.clear();
            }
            return fate;
        };
        const int64_t at = path.Run();
        NS_TEST_EXPECT_MSG_EQ(at, timeout + (packets - 1) * SLOT + DELAY, packets << " packets");
    }
}

LOSSLESS_TEST(g_suite, "a loss is repeated alone where answers are for more than they tell of")
{
    for (const uint32_t interval : {63, 64, 100, 200})
    {
        Path path(MakeUnordered(), 2000);
        path.m_ackInterval = interval;
        path.m_onData = Lose({500});
        NS_TEST_EXPECT_MSG_GT(path.Run(), 0, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(path.m_lost, 1, "interval " << interval);
        NS_TEST_EXPECT_MSG_EQ(path.m_sent.size(), 2001, "interval " << interval);
    }
}

LOSSLESS_TEST(g_suite, "packets that overtake each other")
{
    // Packet 2 takes 35 ticks longer than the others, so 3, 4 and 5 arrive before it.
    const auto slow = [](uint32_t number) {
        Fate fate;
        fate.delays = {number == 2 ? DELAY + 35 : DELAY};
        return fate;
    };
    // Three acknowledgements report that packet 2 is late, the first one at 230. Packet 2 is then
    // sent again unnecessarily in slot 23, unless the reordering degree is larger.
    Path selective(MakeSelectiveRepeat(), 40);
    selective.m_onData = slow;
    int64_t at = selective.Run();
    Expect(selective, Join({Range(0, 22), {2}, Range(23, 39)}), at, 400 + 100);
    for (const Ptr<Reliability>& way : {MakeSelectiveRepeat(4), MakeUnordered()})
    {
        Path path(way, 40);
        path.m_onData = slow;
        at = path.Run();
        Expect(path, Range(0, 39), at, 490);
    }
    // With go-back-N, the receiver accepts none of the three packets, and its NAK also arrives at
    // 230, so all packets from 2 onwards are sent again. However, packet 2 arrives at 155, and
    // packet 6 arrives at 160, again beyond a gap. The NAK for packet 6 arrives at 260, when 2, 3
    // and 4 have been retransmitted, and the sender goes back to 3.
    Path back(CreateObject<GoBackN>(), 40);
    back.m_onData = slow;
    at = back.Run();
    Expect(back, Join({Range(0, 22), {2, 3, 4}, Range(3, 39)}), at, 260 + 360 + 100);
}

LOSSLESS_TEST(g_suite, "who has asked for an answer is told when what it has overtaken has come")
{
    // With a window of 4 and one acknowledgement per 16 packets, packet 3 requests an
    // acknowledgement because it fills the window. Packet 3 arrives before packets 1 and 2. When
    // its acknowledgement arrives at 230, the window has shrunk and is filled by these two packets,
    // which arrive at 210 and 220 and have not requested acknowledgements.
    Path path(MakeUnordered(), 8);
    path.m_window = 4;
    path.m_ackInterval = 16;
    path.m_onData = [](uint32_t number) {
        Fate fate;
        fate.delays = {number == 1 || number == 2 ? 2 * DELAY : DELAY};
        return fate;
    };
    path.m_onAnswer = [&path](uint32_t) {
        path.m_sender.SetWindow(1);
        return Fate();
    };
    const int64_t at = path.Run();
    // The acknowledgement of packet 2 arrives at 320. After that, one packet is sent per round
    // trip.
    Expect(path, Range(0, 7), at, 320 + 3 * 200 + 100);
    NS_TEST_EXPECT_MSG_EQ(path.m_timeouts, 0, "no timeout");
}

LOSSLESS_TEST(g_suite, "packets that come without their payload")
{
    const auto cut = [](uint32_t number) {
        Fate fate;
        fate.isCut = number == 4 || number == 6;
        return fate;
    };
    // With Unordered, the responses arrive at 240 and 260.
    Path unordered(MakeUnordered(), 40);
    unordered.m_onData = cut;
    int64_t at = unordered.Run();
    Expect(unordered, Join({Range(0, 23), {4, 24, 6}, Range(25, 39)}), at, 410 + 100);
    NS_TEST_EXPECT_MSG_EQ(unordered.m_lost, 2, "packets");
    NS_TEST_EXPECT_MSG_EQ(unordered.m_losses, 1, "of one loss");

    // Selective repeat learns of packet 4 at the same time as Unordered, and later answers do not
    // report packet 4 again.
    Path selective(MakeSelectiveRepeat(), 40);
    selective.m_onData = cut;
    at = selective.Run();
    Expect(selective, Join({Range(0, 23), {4, 24, 6}, Range(25, 39)}), at, 410 + 100);

    // With go-back-N, there is a gap at packet 4, to which the sender goes back.
    Path back(CreateObject<GoBackN>(), 40);
    back.m_onData = cut;
    at = back.Run();
    Expect(back, Join({Range(0, 23), Range(4, 39)}), at, 240 + 350 + 100);

    // The retransmission in slot 24 is also trimmed, so the packet is sent again in slot 44.
    Path twice(MakeUnordered(), 40);
    twice.m_onData = [](uint32_t number) {
        Fate fate;
        fate.isCut = number == 4 || number == 24;
        return fate;
    };
    at = twice.Run();
    Expect(twice, Join({Range(0, 23), {4}, Range(24, 39), {4}}), at, 440 + 100);
    NS_TEST_EXPECT_MSG_EQ(twice.m_timeouts, 0, "no timeout");
}

LOSSLESS_TEST(g_suite, "a window counts from the oldest packet, or what is under way")
{
    // With a window of 8, packets 0 to 7 leave, and from 200 onwards, each acknowledgement releases
    // another packet. Packet 0 is lost. Selective repeat counts the window from packet 0 onwards,
    // so no new packet leaves until the retransmission, which leaves at 210, is acknowledged at
    // 410.
    Path selective(MakeSelectiveRepeat(), 16);
    selective.m_onData = Lose({0});
    selective.m_window = 8;
    int64_t at = selective.Run();
    Expect(selective, Join({Range(0, 7), {0}, Range(8, 15)}), at, 410 + 70 + 100);
    // With Unordered, the acknowledgements of 1 to 7 arrive from 210 to 270, and each of them
    // releases a packet.
    Path unordered(MakeUnordered(), 16);
    unordered.m_onData = Lose({0});
    unordered.m_window = 8;
    at = unordered.Run();
    Expect(unordered, Join({Range(0, 15), {0}}), at, HIGH + 100);
    NS_TEST_EXPECT_MSG_EQ(unordered.m_sentAt[8], 210, "one has come");
    NS_TEST_EXPECT_MSG_EQ(unordered.m_sentAt[14], 270, "seven have");
    NS_TEST_EXPECT_MSG_EQ(unordered.m_sentAt[15], 410, "and packet 8");
}

void
RunRandomPath(std::mt19937& random, uint32_t number)
{
    const auto draw = [&random](uint32_t limit) { return static_cast<uint32_t>(random() % limit); };
    const uint32_t degree = 1 + draw(70);
    const std::vector<Ptr<Reliability>> ways = {CreateObject<GoBackN>(),
                                                MakeSelectiveRepeat(degree),
                                                MakeUnordered(draw(2) * degree)};
    const uint32_t packets = 1 + draw(300);
    const uint32_t loss = draw(31);
    const uint32_t answerLoss = draw(31);
    const uint32_t cuts = draw(2) * draw(31);
    const uint32_t copies = draw(2) * draw(21);
    const uint32_t jitter = 1 + draw(2) * draw(2000);
    const uint32_t way = draw(3);
    Path path(ways[way], packets, draw(1 << 24));
    path.m_window = draw(2) * (1 + draw(64));
    path.m_ackInterval = 1 + draw(2) * draw(8);
    const auto travel = [&](uint32_t percent) {
        Fate fate;
        fate.delays.clear();
        if (draw(100) >= percent)
        {
            fate.delays.assign(1 + (draw(100) < copies), 0);
        }
        for (int64_t& delay : fate.delays)
        {
            delay = DELAY + draw(jitter);
        }
        return fate;
    };
    path.m_onData = [&](uint32_t) {
        Fate fate = travel(loss);
        fate.isCut = draw(100) < cuts;
        return fate;
    };
    path.m_onAnswer = [&](uint32_t) { return travel(answerLoss); };
    const int64_t at = path.Run();
    NS_TEST_ASSERT_MSG_EQ((at >= 0 && path.m_sender.IsFinished()), true, "path " << number);
    NS_TEST_ASSERT_MSG_EQ(path.m_sender.GetReliability().GetInFlight(), 0, "path " << number);
    NS_TEST_ASSERT_MSG_EQ(path.m_sender.GetReliability().GetUnderWay(), 0, "path " << number);
    for (uint32_t packet = 0; packet < packets; ++packet)
    {
        NS_TEST_ASSERT_MSG_EQ(path.m_taken[packet], 1, "packet " << packet << ", path " << number);
    }
}

LOSSLESS_TESTS(g_suite)
{
    for (uint32_t seed = 1; seed <= 12; ++seed)
    {
        g_suite.Add("every packet is taken once over 84 random paths, seed " + std::to_string(seed),
                    [seed] {
                        std::mt19937 random(seed);
                        for (uint32_t number = 0; number < 84; ++number)
                        {
                            RunRandomPath(random, number);
                        }
                    });
    }
}

LOSSLESS_TEST(g_suite, "flows complete over a switch that drops, and every byte is taken once")
{
    for (const std::string way : {"GoBackN", "SelectiveRepeat", "Unordered"})
    {
        SwitchHelper switches("ns3::lossless::DropTailSwitchNode");
        Config::SetDefault("ns3::lossless::SharedBuffer::Size", UintegerValue(50000));
        const ObjectFactory nics =
            MakeNics({{"Reliability", "ns3::lossless::" + way}, {"RetransmitTimeout", "320us"}});
        Fabric fabric(Topology::Star({5}), switches, nics);
        FlowList flows;
        for (uint32_t i = 0; i < 4; ++i)
        {
            flows.push_back({i, i, 4, 3, 400000, Time(0), ""});
        }
        fabric.StartFlows(flows);
        RunFor(MilliSeconds(100));
        uint64_t repeats = 0;
        for (uint32_t i = 0; i < 4; ++i)
        {
            const RoceNic::Counts& sender = fabric.GetNic(i)->GetCounts();
            repeats += sender.retransmitted;
            fabric.GetNic(i)->VisitSending([&way](uint64_t id, uint64_t bytes) {
                NS_TEST_EXPECT_MSG_EQ(bytes, 400000, way << ": flow " << id << " has not arrived");
            });
        }
        const RoceNic::Counts& receiver = fabric.GetNic(4)->GetCounts();
        NS_TEST_EXPECT_MSG_EQ(receiver.bytesReceived, 4 * 400000, way);
        NS_TEST_EXPECT_MSG_EQ((repeats > 100), true, way << " was put to the test");
        Simulator::Destroy();
    }
}

/// @return the arrival times of four flows to one host over a switch without losses, in ns
std::vector<int64_t>
MeasureArrivals(const std::string& way, const std::string& control)
{
    const ObjectFactory nics = MakeNics({{"Reliability", "ns3::lossless::" + way},
                                         {"AckInterval", "2"},
                                         {"CongestionControl", "ns3::lossless::" + control}});
    Fabric fabric(Topology::Star({5}), SwitchHelper("ns3::lossless::PfcSwitchNode"), nics);
    fabric.SetBaseRtt(0, 4);
    FlowRecorder recorder;
    FlowList flows;
    for (uint32_t i = 0; i < 4; ++i)
    {
        recorder.Watch(fabric.GetNic(i));
        flows.push_back({i, i, 4, 3, 400000, Time(0), ""});
    }
    recorder.Watch(fabric.GetNic(4));
    fabric.StartFlows(flows);
    RunFor(MilliSeconds(10));
    std::vector<int64_t> arrivals;
    for (const auto& [id, record] : recorder.GetFlows())
    {
        arrivals.push_back(record.isReceived ? record.received.GetNanoSeconds() : -1);
    }
    Simulator::Destroy();
    return arrivals;
}

LOSSLESS_TEST(g_suite, "without loss, selective repeat is go-back-N to the nanosecond")
{
    for (const std::string control : {"NoCongestionControl", "Timely", "Hpcc"})
    {
        const std::vector<int64_t> arrivals = MeasureArrivals("GoBackN", control);
        NS_TEST_EXPECT_MSG_EQ(arrivals.size(), 4, control);
        NS_TEST_EXPECT_MSG_EQ((*std::min_element(arrivals.begin(), arrivals.end()) > 0),
                              true,
                              control << ": all have arrived");
        NS_TEST_EXPECT_MSG_EQ(
            FirstDifference(MeasureArrivals("SelectiveRepeat", control), arrivals),
            "",
            control);
    }
}

/// The result of a single flow of 1000 packets from the first host to the last one.
struct CappedFlow
{
    uint64_t cap{0}; ///< BdpCap that applies at the first host, in bytes
    Time late;       ///< additional delay compared with an ideal flow
};

/// @param adjust a function that configures the network before the flow starts
CappedFlow
RunCapped(const Topology& topology,
          const std::string& way,
          const std::function<void(const Fabric&)>& adjust)
{
    Fabric fabric(topology, SwitchHelper(), MakeNics({{"Reliability", "ns3::lossless::" + way}}));
    const uint32_t last = fabric.GetNHosts() - 1;
    adjust(fabric);
    FlowRecorder recorder;
    recorder.Watch(fabric.GetNic(0));
    recorder.Watch(fabric.GetNic(last));
    fabric.StartFlows({{1, 0, last, 3, 1000000, Time(0), ""}});
    fabric.StopWhenFlowsAreDone(Seconds(1));
    Simulator::Run();
    CappedFlow found;
    found.cap = fabric.GetNic(0)->GetReliability()->GetWindow();
    found.late = recorder.GetFlows().at(1).received - fabric.GetIdealFct(fabric.GetFlows()[0]);
    Simulator::Destroy();
    return found;
}

LOSSLESS_TEST(g_suite, "the cap of one bandwidth-delay product is what fills the longest path")
{
    const auto setCap = [](const Fabric& fabric) { SetBdpCap(fabric, 0, fabric.GetNHosts() - 1); };
    // At 100 Gb/s, a packet of 1000 B occupies 1082 B on the wire, and an acknowledgement 86 B. In
    // the star, the round trip is 2 (86.56 + 1000) + 2 (6.88 + 1000) = 4186.88 ns, or 48.4 x
    // 86.56 ns.
    const Topology star = Topology::Star({2, DataRate("100Gbps"), MicroSeconds(1)});
    const CappedFlow full = RunCapped(star, "SelectiveRepeat", setCap);
    NS_TEST_EXPECT_MSG_EQ(full.cap, 49000, "star");
    const bool isLate = Abs(full.late) > NanoSeconds(2); // allows for rounding on two links
    NS_TEST_EXPECT_MSG_EQ(isLate, false, "a flow does not wait for it");
    const CappedFlow less = RunCapped(star, "SelectiveRepeat[BdpCap=48000]", [](const Fabric&) {});
    // The 48 packets take 32 ns less than a round trip, so 32 ns are lost in each round trip.
    NS_TEST_EXPECT_MSG_EQ((less.late > NanoSeconds(15 * 32)), true, "with a packet less it does");
    // In the fat-tree, the round trip is 6 (86.56 + 1000) + 6 (6.88 + 1000) = 12560.64 ns, or 145.1
    // x 86.56 ns.
    FatTreeOptions options;
    options.k = 4;
    options.delay = MicroSeconds(1);
    const Topology tree = Topology::FatTree(options);
    NS_TEST_EXPECT_MSG_EQ(RunCapped(tree, "SelectiveRepeat", setCap).cap, 146000, "fat-tree");
    // With Unordered, which adds 16 B to each packet, the round trip is 6 (87.84 + 1000) + 6
    // (8.16 + 1000) = 12576 ns, or 143.2 x 87.84 ns.
    NS_TEST_EXPECT_MSG_EQ(RunCapped(tree, "Unordered", setCap).cap, 144000, "unordered");
}

LOSSLESS_TEST(g_suite, "a queue pair takes little memory while no packet is missing")
{
    NS_TEST_EXPECT_MSG_LT_OR_EQ(sizeof(GoBackNSender) + sizeof(GoBackNReceiver), 128, "go-back-N");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(sizeof(SelectiveSender) + sizeof(SelectiveReceiver),
                                376,
                                "selective repeat");
}

LOSSLESS_TEST(g_suite, "a set of packets is what a std::set is")
{
    std::mt19937 random(1);
    for (uint32_t round = 0; round < 50; ++round)
    {
        PacketSet set;
        std::set<uint64_t> expected;
        uint64_t base = random() % 200;
        set.Clear(base);
        for (uint32_t step = 0; step < 400; ++step)
        {
            uint64_t packet = base + random() % (1 + random() % 500);
            const uint32_t what = random() % 8;
            if (what < 5)
            {
                const bool isNew = expected.insert(packet).second;
                NS_TEST_ASSERT_MSG_EQ(set.Insert(packet), isNew, "new");
            }
            else if (what == 5)
            {
                const bool isThere = expected.erase(packet) > 0;
                NS_TEST_ASSERT_MSG_EQ(set.Remove(packet), isThere, "there");
            }
            else
            {
                base += random() % 70;
                set.ForgetBefore(base);
                expected.erase(expected.begin(), expected.lower_bound(base));
            }
            NS_TEST_ASSERT_MSG_EQ(set.GetSize(), expected.size(), "size");
            NS_TEST_ASSERT_MSG_EQ(set.Contains(packet), (expected.count(packet) > 0), "contains");
            packet = std::max(packet, base);
            uint64_t missing = packet;
            uint64_t bits = 0;
            while (expected.count(missing) > 0)
            {
                ++missing;
            }
            for (uint64_t i = 0; i < 64; ++i)
            {
                bits |= static_cast<uint64_t>(expected.count(packet + i)) << i;
            }
            NS_TEST_ASSERT_MSG_EQ(set.GetFirstMissing(packet), missing, "first missing");
            NS_TEST_ASSERT_MSG_EQ(set.GetBits(packet), bits, "bits");
            if (!expected.empty())
            {
                NS_TEST_ASSERT_MSG_EQ(set.GetFirst(), *expected.begin(), "first");
            }
        }
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
