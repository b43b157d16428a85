// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/object-vector.h"
#include "ns3/reorder-metrics.h"
#include "ns3/request-reply.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-settings.h"
#include "ns3/tcp-socket-base.h"

// Tests requests and replies over this module's devices and ns-3's TCP as configured by
// TcpSettings.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-request-reply", SYSTEM);

constexpr uint32_t WINDOW = 45535;
constexpr uint32_t SEGMENT = 536;
constexpr uint64_t REPLY = 1 << 20;

/// 1 MiB consists of 1956 segments of 536 bytes and one of 160 bytes.
constexpr int64_t SEGMENTS = 1957;

// The times, in ns, on a wire of 1 Gb/s, where a byte takes 8 ns. A segment has 14 + 20 + 20 bytes
// of headers and 24 bytes of preamble, FCS and gap.
constexpr int64_t FULL_TIME = (536 + 54 + 24) * 8;
constexpr int64_t TAIL_TIME = (160 + 54 + 24) * 8;
constexpr int64_t REQUEST_TIME = (200 + 54 + 24) * 8;
constexpr int64_t ACK_TIME = (60 + 24) * 8;

/// Records the TCP segments of one connection.
class Connection
{
  public:
    void WatchServer(Ptr<Socket> socket)
    {
        socket->TraceConnectWithoutContext("Tx", MakeCallback(&Connection::NoteReply, this));
        socket->TraceConnectWithoutContext("Rx", MakeCallback(&Connection::NoteAck, this));
        ListenTo(*socket, "CongestionWindow", [this](uint32_t before, uint32_t after) {
            reducedWindow = after < before && reducedWindow == 0 ? after : reducedWindow;
        });
    }

    void WatchClient(Ptr<Socket> socket)
    {
        socket->TraceConnectWithoutContext("Tx", MakeCallback(&Connection::NoteSent, this));
        socket->TraceConnectWithoutContext("Rx", MakeCallback(&Connection::NoteArrival, this));
    }

    uint32_t segments{0};        ///< number of segments with payload sent by the server
    uint32_t retransmissions{0}; ///< number of retransmissions among them
    uint32_t largestInFlight{0}; ///< maximum number of unacknowledged bytes sent by the server
    uint32_t requests{0};        ///< number of segments with payload sent by the client
    uint32_t acks{0};            ///< number of the client's segments without payload, SYN and FIN
    uint32_t ends{0};            ///< number of segments with FIN, from both ends
    std::set<uint32_t> payloads; ///< sizes of the segments with payload, in bytes
    std::set<uint16_t> windows;  ///< advertised windows in the client's headers
    std::set<uint32_t> lengths;  ///< header lengths of both ends, in bytes
    uint32_t reducedWindow{0};   ///< server's window after its first reduction, in bytes
    ReorderMetrics order;        ///< order of the segments with payload at the client

  private:
    void NoteReply(Ptr<const Packet> packet, const TcpHeader& header, Ptr<const TcpSocketBase>)
    {
        NoteHeader(header);
        if (packet->GetSize() == 0)
        {
            return;
        }
        payloads.insert(packet->GetSize());
        const uint32_t start = header.GetSequenceNumber().GetValue();
        ++segments;
        if (!m_numbers.emplace(start, m_numbers.size()).second)
        {
            ++retransmissions;
        }
        m_end = std::max(m_end, start + packet->GetSize());
        largestInFlight = std::max(largestInFlight, m_end - m_acknowledged);
    }

    void NoteAck(Ptr<const Packet>, const TcpHeader& header, Ptr<const TcpSocketBase>)
    {
        m_acknowledged = std::max(m_acknowledged, header.GetAckNumber().GetValue());
    }

    void NoteSent(Ptr<const Packet> packet, const TcpHeader& header, Ptr<const TcpSocketBase>)
    {
        NoteHeader(header);
        windows.insert(header.GetWindowSize());
        requests += packet->GetSize() > 0 ? 1 : 0;
        acks += packet->GetSize() == 0 && header.GetFlags() == TcpHeader::ACK ? 1 : 0;
    }

    void NoteHeader(const TcpHeader& header)
    {
        lengths.insert(header.GetSerializedSize());
        ends += header.GetFlags() & TcpHeader::FIN ? 1 : 0;
    }

    void NoteArrival(Ptr<const Packet> packet, const TcpHeader& header, Ptr<const TcpSocketBase>)
    {
        if (packet->GetSize() > 0)
        {
            order.Arrive(m_numbers.at(header.GetSequenceNumber().GetValue()));
        }
    }

    std::map<uint32_t, uint64_t> m_numbers; ///< segment numbers in order of sending, by first byte
    uint32_t m_end{0};                      ///< first byte that the server has not sent
    uint32_t m_acknowledged{0};             ///< first byte that the client has not acknowledged
};

/// Delays or drops selected segments on arrival at a host.
struct Juggler : FrameReceiver
{
    /// A function that selects segments.
    using Choice = std::function<bool(uint32_t number)>;

    /// @param hold the delay of the selected segments, or 0 if they are lost
    Juggler(Ptr<LosslessNetDevice> device, Choice choice, Time hold)
        : m_device(device),
          m_choice(std::move(choice)),
          m_hold(hold)
    {
        device->GetHostPort()->AddReceiver(this);
    }

    bool TryReceive(const Frame& frame) override
    {
        const bool hasPayload = frame.flow.protocol == PROTOCOL_TCP && frame.size > 60;
        if (!hasPayload || !m_choice(m_count++))
        {
            return false;
        }
        ++m_chosen;
        if (!m_hold.IsZero())
        {
            Simulator::Schedule(m_hold,
                                [device = m_device, frame]() { device->DeliverToStack(frame); });
        }
        return true;
    }

    Ptr<LosslessNetDevice> m_device; ///< device of the host
    Choice m_choice;                 ///< function that selects segments
    Time m_hold;                     ///< delay of the selected segments, or 0 if they are lost
    uint32_t m_count{0};             ///< number of segments that have arrived
    uint32_t m_chosen{0};            ///< number of selected segments
};

/// Hosts at one switch, with links of 1 Gb/s and ns-3's stack.
class Network
{
  public:
    explicit Network(uint32_t hosts = 2, Time delay = MicroSeconds(2))
        : m_fabric(Topology::Star({hosts, DataRate("1Gbps"), delay}), SwitchHelper())
    {
        m_fabric.InstallInternetStack();
    }

    ~Network()
    {
        Simulator::Destroy();
    }

    /// @param sockets the SocketMaker of the server; if null, the default is used
    /// @return a server that starts at once
    Ptr<ReplyServer> AddServer(uint32_t host, Ptr<SocketMaker> sockets)
    {
        auto server = CreateObject<ReplyServer>();
        SetSockets(server, sockets);
        m_fabric.GetHost(host)->AddApplication(server);
        return server;
    }

    /// @return a client that connects at 1 ms and sends its first request at 51 ms, after the
    /// address resolution at both ends, which has a jitter of up to 10 ms
    Ptr<RequestClient> AddClient(uint32_t host, uint32_t serverHost, Ptr<SocketMaker> sockets)
    {
        auto client = CreateObject<RequestClient>();
        client->SetAttribute("ServerAddress", Ipv4AddressValue(m_fabric.GetAddress(serverHost)));
        SetSockets(client, sockets);
        client->SetAttribute("FirstRequestDelay", TimeValue(MilliSeconds(50)));
        client->SetStartTime(MilliSeconds(1));
        m_fabric.GetHost(host)->AddApplication(client);
        return client;
    }

    uint64_t GetDrops() const
    {
        uint64_t drops = 0;
        for (const uint64_t count : m_fabric.GetSwitch(0)->GetCounts().dropped)
        {
            drops += count;
        }
        return drops;
    }

  private:
    static void SetSockets(Ptr<Application> application, Ptr<SocketMaker> sockets)
    {
        if (sockets)
        {
            application->SetAttribute("Sockets", PointerValue(sockets));
        }
    }

  public:
    Fabric m_fabric; ///< the network
};

/// @return the settings with one attribute changed
Ptr<TcpSettings>
Set(const std::string& name,
    const AttributeValue& value,
    Ptr<TcpSettings> settings = TcpSettings::ForPabo(WINDOW))
{
    settings->SetAttribute(name, value);
    return settings;
}

/// A client on host 0, a server on host 1, and a record of their communication.
struct Dialogue
{
    explicit Dialogue(Ptr<SocketMaker> settings = TcpSettings::ForPabo(WINDOW),
                      Time delay = MicroSeconds(2))
        : network(2, delay),
          server(network.AddServer(1, settings)),
          client(network.AddClient(0, 1, settings))
    {
        client->SetAttribute("Requests", UintegerValue(1));
        ListenTo(*server, "Accepted", [this](Ptr<Socket> end) { connection.WatchServer(end); });
        ListenTo(*client, "Connecting", [this](Ptr<Socket> end) { connection.WatchClient(end); });
        ListenTo(*client, "ReplyComplete", [this](const ReplyRecord& record) {
            replies.push_back(record);
        });
        ListenTo(*client, "ConnectionLost", [this](uint32_t) { ++lost; });
    }

    /// @return the time from a request to the last byte of its reply, in ns
    int64_t GetDuration(std::size_t reply = 0) const
    {
        const ReplyRecord& record = replies.at(reply);
        return (record.completed - record.requested).GetNanoSeconds();
    }

    Network network;                  ///< network of two hosts
    Ptr<ReplyServer> server;          ///< server on host 1
    Ptr<RequestClient> client;        ///< client on host 0
    Connection connection;            ///< connection between them
    std::vector<ReplyRecord> replies; ///< complete replies
    uint32_t lost{0};                 ///< number of lost connections
};

/// @return the time from a request to the first bit of the reply, in ns. The request traverses two
/// links, and the server sends its ACK before the reply. TCP waits for a nanosecond at both ends
/// for more bytes to send (at the server, this nanosecond elapses during the ACK).
constexpr int64_t
GetReplyStart(int64_t delay)
{
    return 1 + 2 * (REQUEST_TIME + delay) + ACK_TIME;
}

/// @return the time from the first bit of a segment to the last bit of its ACK, in ns
constexpr int64_t
GetRoundTrip(int64_t delay)
{
    return 2 * (FULL_TIME + delay) + 2 * (ACK_TIME + delay);
}

/// @return the time in ns between the departure of the last full segment from the server and the
/// arrival of the last bit of the shorter segment at the client; the shorter segment waits for the
/// full one at the switch
constexpr int64_t
GetReplyEnd(int64_t delay)
{
    return delay + FULL_TIME + TAIL_TIME + delay;
}

void
CheckRecords(const Dialogue& dialogue)
{
    const ReplyRecord& first = dialogue.replies[0];
    const ReplyRecord& second = dialogue.replies[1];
    NS_TEST_EXPECT_MSG_EQ(first.requested, MilliSeconds(51), "1 ms + 50 ms");
    NS_TEST_EXPECT_MSG_EQ(second.requested, first.completed + MilliSeconds(30), "think time");
    NS_TEST_EXPECT_MSG_EQ(first.request, 0, "index");
    NS_TEST_EXPECT_MSG_EQ(second.request, 1, "index");
    NS_TEST_EXPECT_MSG_EQ(first.bytes, REPLY, "size");
    NS_TEST_EXPECT_MSG_EQ(first.server, Ipv4Address("10.0.0.2"), "server");
    NS_TEST_EXPECT_MSG_EQ(dialogue.client->GetReplies(), 2, "replies");
    NS_TEST_EXPECT_MSG_EQ(dialogue.client->GetReceivedBytes(), 2 * REPLY, "bytes received");
    NS_TEST_EXPECT_MSG_EQ(dialogue.server->GetRequests(), 2, "requests");
    NS_TEST_EXPECT_MSG_EQ(dialogue.server->GetSentBytes(), 2 * REPLY, "bytes sent");
}

LOSSLESS_TEST(g_suite,
              "Two replies of 1 MiB at 1 Gbps: slow start from one segment, then full rate")
{
    constexpr int64_t delay = 2000;
    Dialogue dialogue;
    dialogue.client->SetAttribute("Requests", UintegerValue(2));
    dialogue.client->SetAttribute("ThinkTime", TimeValue(MilliSeconds(30)));
    RunFor(Seconds(1));

    NS_TEST_ASSERT_MSG_EQ(dialogue.replies.size(), 2, "both replies");
    // The round trip is 19.168 us, in which the wire carries 3.9 segments. Rounds 0, 1 and 2 have
    // one, two and four segments. From round 2 on, the wire is never idle, because the window
    // exceeds the 3.9 segments and ACKs arrive every 4.912 us.
    constexpr int64_t roundTrip = GetRoundTrip(delay);
    static_assert(2 * FULL_TIME < roundTrip && roundTrip < 4 * FULL_TIME, "see above");
    constexpr int64_t first =
        GetReplyStart(delay) + 2 * roundTrip + (SEGMENTS - 1 - 3) * FULL_TIME + GetReplyEnd(delay);
    static_assert(first == 9651409, "by hand");
    NS_TEST_EXPECT_MSG_EQ(dialogue.GetDuration(0), first, "from one segment");
    // ns-3 keeps the congestion window during idle periods of any length. The window of 84 segments
    // is sent at once, which takes longer than a round trip.
    constexpr int64_t second =
        GetReplyStart(delay) + (SEGMENTS - 1) * FULL_TIME + GetReplyEnd(delay);
    static_assert(second == 9627809, "by hand");
    NS_TEST_EXPECT_MSG_EQ(dialogue.GetDuration(1), second, "at full rate from the start");
    CheckRecords(dialogue);
    const Connection& connection = dialogue.connection;
    NS_TEST_EXPECT_MSG_EQ(connection.segments, 2 * SEGMENTS, "segments");
    NS_TEST_EXPECT_MSG_EQ(connection.retransmissions, 0, "nothing is sent twice");
    // There is one ACK per segment and one that completes the handshake. The ACK of the server's
    // FIN is counted as well unless the connection is already closed.
    NS_TEST_EXPECT_MSG_EQ(
        (connection.acks >= 2 * SEGMENTS + 1 && connection.acks <= 2 * SEGMENTS + 2),
        true,
        "no ACK is delayed: " << connection.acks);
    NS_TEST_EXPECT_MSG_EQ(connection.windows.size(), 1, "the window never changes");
    NS_TEST_EXPECT_MSG_EQ(*connection.windows.begin(), WINDOW, "as given, in SYN and ACKs");
    NS_TEST_EXPECT_MSG_EQ(connection.lengths.size(), 1, "no options in any segment");
    NS_TEST_EXPECT_MSG_EQ(*connection.lengths.begin(), 20, "no options in any segment");
    // The window holds 84 full segments, and the last segment of a reply also fits in the rest of
    // the window.
    NS_TEST_EXPECT_MSG_EQ(connection.largestInFlight, 84 * SEGMENT + 160, "window in flight");
    NS_TEST_EXPECT_MSG_EQ(connection.order.GetDensity().GetTotal(), 2 * SEGMENTS, "arrivals");
    NS_TEST_EXPECT_MSG_EQ(connection.order.GetDensity().GetEntropy(), 0, "in order");
    NS_TEST_EXPECT_MSG_EQ(dialogue.network.GetDrops(), 0, "no loss");

    // Depending on the setting, the second reply starts again with one segment after the pause of
    // 30 ms.
    for (const auto& [after, duration] : {std::pair{29, first}, std::pair{31, second}})
    {
        Dialogue restarted(Set("RestartAfter", TimeValue(MilliSeconds(after))));
        restarted.client->SetAttribute("Requests", UintegerValue(2));
        restarted.client->SetAttribute("ThinkTime", TimeValue(MilliSeconds(30)));
        RunFor(Seconds(1));
        NS_TEST_EXPECT_MSG_EQ(restarted.GetDuration(1), duration, "restart after " << after);
    }

    // Timestamps take 12 of the 536 bytes, so there are 2001 segments of 524 bytes and one of 52
    // bytes.
    Dialogue stamped(Set("Timestamps", BooleanValue(true)));
    RunFor(Seconds(1));
    NS_TEST_EXPECT_MSG_EQ(stamped.connection.segments, 2002, "segments with timestamps");
}

/// @param segments the number of full segments in the window
void
Check(uint32_t window, uint32_t segments, int64_t rounds, int64_t rest)
{
    constexpr int64_t delay = 500000;
    constexpr int64_t roundTrip = GetRoundTrip(delay);
    Dialogue dialogue(TcpSettings::ForPabo(window), NanoSeconds(delay));
    RunFor(Seconds(1));
    const int64_t expected =
        GetReplyStart(delay) + rounds * roundTrip + (rest - 1) * FULL_TIME + GetReplyEnd(delay);
    NS_TEST_ASSERT_MSG_EQ(dialogue.replies.size(), 1, "the reply, with window " << window);
    NS_TEST_EXPECT_MSG_EQ(dialogue.GetDuration(), expected, "duration, with window " << window);
    const uint32_t inFlight = dialogue.connection.largestInFlight;
    NS_TEST_EXPECT_MSG_EQ((inFlight >= segments * SEGMENT && inFlight <= window),
                          true,
                          inFlight << " bytes in flight, with window " << window);
    NS_TEST_EXPECT_MSG_EQ(dialogue.connection.retransmissions, 0, "nothing is sent twice");
}

LOSSLESS_TEST(g_suite, "The advertised window is what a long path carries per round trip")
{
    // Rounds 0 to 6 have 127 segments (1 + 2 + ... + 64). With a window of 84 segments, 21 rounds
    // of 84 and one of 66 follow, including the last segment of 160 bytes.
    Check(45535, 84, 7 + 21, 66);
    // With a window of 93 segments, 19 rounds of 93 and one of 63 follow.
    Check(50000, 93, 7 + 19, 63);
    // With a window of 32 segments, rounds 0 to 4 have 31 segments, and 60 rounds of 32 and one of
    // 6 follow.
    Check(32 * SEGMENT, 32, 5 + 60, 6);
}

/// @return the duration of a reply over long links, in ns
int64_t
Measure(Ptr<TcpSettings> settings)
{
    Dialogue dialogue(settings, MicroSeconds(500));
    RunFor(Seconds(1));
    return dialogue.GetDuration();
}

/// 1 MiB consists of 718 segments of 1460 bytes and one of 296 bytes.
LOSSLESS_TEST(g_suite, "Settings of sockets and messages do as told: segment bytes")
{
    Dialogue dialogue(Set("SegmentBytes", UintegerValue(1460)));
    RunFor(Seconds(1));
    NS_TEST_EXPECT_MSG_EQ(dialogue.connection.segments, 719, "segments of 1460 bytes");
    // The window holds 31 segments and 275 bytes, which are too few for the last segment.
    NS_TEST_EXPECT_MSG_EQ(dialogue.connection.largestInFlight, 31 * 1460, "in flight");
}

/// Requests of 600 bytes arrive in two segments. The server interprets each of these requests as
/// six requests of 100 bytes, five of which arrive at once, and sends a byte for each request.
LOSSLESS_TEST(g_suite, "Settings of sockets and messages do as told: message bytes")
{
    Dialogue dialogue;
    dialogue.server->SetAttribute("RequestBytes", UintegerValue(100));
    dialogue.server->SetAttribute("ReplyBytes", UintegerValue(1));
    dialogue.client->SetAttribute("RequestBytes", UintegerValue(600));
    dialogue.client->SetAttribute("ReplyBytes", UintegerValue(6));
    dialogue.client->SetAttribute("Requests", UintegerValue(5));
    dialogue.client->SetAttribute("ThinkTime", TimeValue(Time(0)));
    uint32_t sent = 0;
    ListenTo(*dialogue.client, "RequestSent", [&sent](uint32_t request) {
        sent = request == sent ? request + 1 : 1000;
    });
    RunFor(Seconds(1));
    NS_TEST_EXPECT_MSG_EQ(sent, 5, "requests 0 to 4 were announced");
    NS_TEST_EXPECT_MSG_EQ(dialogue.replies.size(), 5, "replies");
    NS_TEST_EXPECT_MSG_EQ(dialogue.client->GetReceivedBytes(), 5 * 6, "bytes");
    NS_TEST_EXPECT_MSG_EQ(dialogue.server->GetRequests(), 5 * 6, "not one per segment");
}

/// Uses ns-3's default sockets instead of a SocketMaker, and a different port.
LOSSLESS_TEST(g_suite, "Settings of sockets and messages do as told: stack sockets")
{
    Dialogue dialogue(nullptr);
    dialogue.server->SetAttribute("Port", UintegerValue(80));
    dialogue.client->SetAttribute("ServerPort", UintegerValue(80));
    RunFor(Seconds(1));
    NS_TEST_EXPECT_MSG_EQ(dialogue.replies.size(), 1, "reply");
    NS_TEST_EXPECT_MSG_GT(dialogue.connection.lengths.size(), 1, "with options");
}

LOSSLESS_TEST(g_suite, "The server is not there when the client begins: ns-3 tries again after 3 s")
{
    Dialogue dialogue;
    dialogue.server->SetStartTime(MilliSeconds(500));
    RunFor(Seconds(4));
    NS_TEST_ASSERT_MSG_EQ(dialogue.replies.size(), 1, "reply");
    NS_TEST_EXPECT_MSG_GT(dialogue.replies[0].requested, Seconds(3), "once it is connected");
    NS_TEST_EXPECT_MSG_LT(dialogue.replies[0].requested, MilliSeconds(3020), "and at once");
}

LOSSLESS_TEST(
    g_suite,
    "Settings of sockets and messages do as told: defaults of ns-3's sockets do not matter")
{
    const int64_t plain = Measure(TcpSettings::ForPabo(WINDOW));
    Config::SetDefault("ns3::TcpSocket::InitialSlowStartThreshold", UintegerValue(5000));
    Config::SetDefault("ns3::TcpSocketBase::MaxWindowSize", UintegerValue(10000));
    const int64_t changed = Measure(TcpSettings::ForPabo(WINDOW));
    Config::SetDefault("ns3::TcpSocket::InitialSlowStartThreshold",
                       UintegerValue(std::numeric_limits<uint32_t>::max()));
    Config::SetDefault("ns3::TcpSocketBase::MaxWindowSize", UintegerValue(65535));
    NS_TEST_EXPECT_MSG_EQ(changed, plain, "duration");
}

LOSSLESS_TEST(g_suite, "ns-3 knows the sockets, so that paths of Config find them")
{
    Network network;
    Ptr<Node> node = network.m_fabric.GetHost(0);
    TcpSettings::ForPabo(WINDOW)->MakeSocket(node);
    ObjectVectorValue sockets;
    node->GetObject<TcpL4Protocol>()->GetAttribute("SocketList", sockets);
    NS_TEST_EXPECT_MSG_EQ(sockets.GetN(), 1, "the socket");
}

/// Tests attributes of TcpSettings and of the applications.
LOSSLESS_TEST(g_suite, "Initial window, segment size, send buffer and sizes of messages do as told")
{
    constexpr int64_t roundTrip = GetRoundTrip(500000);
    const int64_t plain = Measure(TcpSettings::ForPabo(WINDOW));
    // The window is full after 4 + 8 + ... + 64 = 124 segments. Compared with one initial segment,
    // these are three fewer segments in two fewer rounds, so the last round has 66 + 3 segments.
    NS_TEST_EXPECT_MSG_EQ(Measure(Set("InitialWindow", UintegerValue(4))),
                          plain - 2 * roundTrip + 3 * FULL_TIME,
                          "by two");

    // The smallest permitted buffer holds less than a twentieth of the reply.
    NS_TEST_EXPECT_MSG_EQ(Measure(Set("SendBufferBytes", UintegerValue(WINDOW + SEGMENT))),
                          plain,
                          "a reply goes on as the buffer empties");
}

/// @return true if the segment is one of the two in every sixty that arrive late
bool
IsLate(uint32_t number)
{
    return number % 60 == 56 || number % 60 == 59;
}

/// The selected segments arrive 60 us late. In the meantime, 12 others arrive, one every 4.912 us:
///
///     arrived       57 58 60 ... 68 56 69 70 71 59 72
///     RI            56 57 58 ... 66 67 68 69 70 71 72
///     displacement  -1 -1 -2 ... -2 11 -1 -1 -1 12  0
LOSSLESS_TEST(g_suite, "Reordering makes TCP send again with Retransmit only: PABO")
{
    Dialogue dialogue;
    Juggler juggler(dialogue.network.m_fabric.GetHostDevice(0), &IsLate, MicroSeconds(60));
    RunFor(Seconds(1));
    const Connection& connection = dialogue.connection;
    NS_TEST_ASSERT_MSG_EQ(dialogue.replies.size(), 1, "the reply");
    NS_TEST_EXPECT_MSG_EQ(juggler.m_chosen, 2 * 32, "late segments of 1957");
    NS_TEST_EXPECT_MSG_EQ(connection.retransmissions, 0, "nothing is sent twice");
    NS_TEST_EXPECT_MSG_EQ(connection.segments, SEGMENTS, "segments");
    // At the server, dozens of segments are always waiting to be sent.
    NS_TEST_EXPECT_MSG_EQ(dialogue.GetDuration(), 9651409, "as without reordering");
    NS_TEST_EXPECT_MSG_EQ((connection.largestInFlight <= WINDOW), true, "window in flight");
    const ReorderDensity density = connection.order.GetDensity();
    NS_TEST_EXPECT_MSG_EQ(density.GetFrequency(12), 32, "late by 12");
    NS_TEST_EXPECT_MSG_EQ(density.GetFrequency(11), 32, "late by 11");
    NS_TEST_EXPECT_MSG_EQ(density.GetFrequency(-1), 32 * 5, "early by one");
    NS_TEST_EXPECT_MSG_EQ(density.GetFrequency(-2), 32 * 9, "early by two");
    NS_TEST_EXPECT_MSG_EQ(density.GetFrequency(0), SEGMENTS - 32 * 16, "in place");
    NS_TEST_EXPECT_MSG_EQ(density.GetTotal(), SEGMENTS, "all of them");
}

/// As in the previous test, except that out-of-order data counts. When segment 56 fills its gap,
/// the ACK advances by three segments to 59. With the nine out-of-order segments after it, 60 to
/// 68, the right edge of the window would move back by six and therefore does not move.
LOSSLESS_TEST(g_suite, "Reordering makes TCP send again with Retransmit only: unordered")
{
    Dialogue dialogue(Set("CountUnordered", BooleanValue(true)));
    Juggler juggler(dialogue.network.m_fabric.GetHostDevice(0), &IsLate, MicroSeconds(60));
    RunFor(Seconds(1));
    const Connection& connection = dialogue.connection;
    NS_TEST_ASSERT_MSG_EQ(dialogue.replies.size(), 1, "the reply");
    NS_TEST_EXPECT_MSG_EQ(*connection.windows.rbegin(), WINDOW, "without a gap");
    NS_TEST_EXPECT_MSG_EQ(*connection.windows.begin(), WINDOW - 3 * SEGMENT, "with a gap");
    NS_TEST_EXPECT_MSG_EQ(connection.retransmissions, 0, "nothing is sent twice");
}

/// As in the previous test, except that the third duplicate ACK triggers a fast retransmit.
LOSSLESS_TEST(g_suite, "Reordering makes TCP send again with Retransmit only: Linux Reno")
{
    Dialogue dialogue(TcpSettings::ForReno(WINDOW));
    Juggler juggler(dialogue.network.m_fabric.GetHostDevice(0), &IsLate, MicroSeconds(60));
    RunFor(Seconds(1));
    const Connection& connection = dialogue.connection;
    NS_TEST_ASSERT_MSG_EQ(dialogue.replies.size(), 1, "the reply");
    NS_TEST_EXPECT_MSG_GT(connection.retransmissions, 10, "segments are sent twice");
    NS_TEST_EXPECT_MSG_GT(dialogue.GetDuration(), 9651409, "the window is halved in vain");
    NS_TEST_EXPECT_MSG_EQ(connection.payloads.size(), 2, "536 and 160 bytes");
    NS_TEST_EXPECT_MSG_EQ((connection.largestInFlight <= WINDOW), true, "window in flight");
}

LOSSLESS_TEST(g_suite, "A single segment, which 2 or 3 others overtake")
{
    for (const uint32_t duplicates : {2, 3})
    {
        Dialogue dialogue(TcpSettings::ForReno(WINDOW));
        Juggler juggler(
            dialogue.network.m_fabric.GetHostDevice(0),
            [](uint32_t number) { return number == 1000; },
            NanoSeconds(duplicates * FULL_TIME + FULL_TIME / 2));
        RunFor(Seconds(1));
        NS_TEST_EXPECT_MSG_EQ(dialogue.connection.order.GetDensity().GetLargestDisplacement(),
                              duplicates,
                              "duplicate ACKs");
        NS_TEST_EXPECT_MSG_EQ(dialogue.connection.retransmissions,
                              duplicates / 3,
                              "retransmissions after " << duplicates);
    }
}

/// A request has segments of 536 and 64 bytes. The server interprets the first one as five requests
/// of 100 bytes and replies with five segments. These acknowledge 536 bytes, as did the previous
/// ACK. However, segments with payload are not duplicate ACKs, so the client has no reason to
/// retransmit the 64 bytes.
LOSSLESS_TEST(g_suite, "Reordering makes TCP send again with Retransmit only: piggyback")
{
    Dialogue dialogue(Set("InitialWindow", UintegerValue(8), TcpSettings::ForReno(WINDOW)));
    dialogue.server->SetAttribute("RequestBytes", UintegerValue(100));
    dialogue.server->SetAttribute("ReplyBytes", UintegerValue(SEGMENT));
    dialogue.client->SetAttribute("RequestBytes", UintegerValue(600));
    dialogue.client->SetAttribute("ReplyBytes", UintegerValue(6 * SEGMENT));
    RunFor(Seconds(1));
    NS_TEST_EXPECT_MSG_EQ(dialogue.replies.size(), 1, "the reply");
    NS_TEST_EXPECT_MSG_EQ(dialogue.connection.requests, 2, "segments of the request");
}

/// A variant of Reno whose copies do not keep the share of the window that remains after a loss, as
/// in ns-3.47 and later.
class ForgetfulReno : public TcpNewReno
{
  public:
    Ptr<TcpCongestionOps> Fork() override
    {
        auto copy = CreateObject<ForgetfulReno>();
        copy->m_isCopy = true;
        return copy;
    }

    uint32_t GetSsThresh(Ptr<const TcpSocketState> state, uint32_t bytesInFlight) override
    {
        return TcpNewReno::GetSsThresh(state, m_isCopy ? 0 : bytesInFlight);
    }

  private:
    bool m_isCopy{false}; ///< true if this object is a copy
};

/// Creates sockets of TCP Reno whose congestion control must not be copied.
struct ForgetfulSockets : SocketMaker
{
    Ptr<Socket> MakeSocket(Ptr<Node> node) const override
    {
        auto socket = DynamicCast<TcpSocketBase>(TcpSettings::ForReno(WINDOW)->MakeSocket(node));
        socket->SetCongestionControlAlgorithm(CreateObject<ForgetfulReno>());
        return socket;
    }
};

Juggler::Choice
IsOne(int64_t number)
{
    return [number](uint32_t each) { return each == number; };
}

LOSSLESS_TEST(g_suite, "A segment out of the middle: duplicate ACKs tell")
{
    Dialogue dialogue(TcpSettings::ForReno(WINDOW));
    Juggler juggler(dialogue.network.m_fabric.GetHostDevice(0), IsOne(1000), Time(0));
    RunFor(Seconds(1));
    NS_TEST_ASSERT_MSG_EQ(dialogue.replies.size(), 1, "the reply");
    NS_TEST_EXPECT_MSG_EQ(dialogue.connection.retransmissions, 1, "the one that was lost");
    NS_TEST_EXPECT_MSG_LT(dialogue.GetDuration(), 20000000, "without waiting for a timeout");
    NS_TEST_EXPECT_MSG_EQ(dialogue.connection.payloads.size(), 2, "536 and 160 bytes");
    // Of the 84 segments in flight, ns-3 counts only 83, because of the lost segment and another
    // one that has left.
    NS_TEST_EXPECT_MSG_EQ(dialogue.connection.reducedWindow, 83 * SEGMENT / 2, "half of it");
    // The displacement of the lost segment is the number of later segments in flight, which arrive
    // earlier.
    const ReorderDensity density = dialogue.connection.order.GetDensity();
    const uint32_t late = density.GetLargestDisplacement();
    NS_TEST_EXPECT_MSG_EQ(density.GetFrequency(late), 1, "one late segment");
    NS_TEST_EXPECT_MSG_EQ(density.GetFrequency(-1), late, "and those which overtook it");
    NS_TEST_EXPECT_MSG_EQ((late >= 83 && late <= 90), true, "late by " << late);
}

/// The server's socket is a copy of the listening socket, with its own congestion control.
LOSSLESS_TEST(g_suite, "A lost segment is sent again with Retransmit: accepted socket")
{
    Dialogue dialogue(CreateObject<ForgetfulSockets>());
    Juggler juggler(dialogue.network.m_fabric.GetHostDevice(0), IsOne(1000), Time(0));
    RunFor(Seconds(1));
    NS_TEST_EXPECT_MSG_EQ(dialogue.connection.reducedWindow, 83 * SEGMENT / 2, "half of it");
}

/// Two segments of the same window are lost. Both variants of Reno fill the window after the first
/// lost segment and retransmit this segment. The ACK for it ends Reno's recovery. No further
/// duplicate ACKs arrive, because more bytes are in flight than the halved window allows, so a
/// timeout is required. NewReno interprets the ACK as an indication of the second loss.
LOSSLESS_TEST(g_suite, "A lost segment is sent again with Retransmit: two losses")
{
    for (const bool newReno : {false, true})
    {
        Dialogue dialogue(Set("NewReno", BooleanValue(newReno), TcpSettings::ForReno(WINDOW)));
        Juggler juggler(
            dialogue.network.m_fabric.GetHostDevice(0),
            [](uint32_t each) { return each == 1000 || each == 1010; },
            Time(0));
        RunFor(Seconds(3));
        NS_TEST_ASSERT_MSG_EQ(dialogue.replies.size(), 1, "the reply");
        NS_TEST_EXPECT_MSG_EQ(dialogue.connection.retransmissions, 2, "the two lost");
        NS_TEST_EXPECT_MSG_EQ((dialogue.GetDuration() > 1000000000), !newReno, "a timeout");
        NS_TEST_EXPECT_MSG_LT(dialogue.GetDuration(), 1020000000, "but one only");
    }
}

LOSSLESS_TEST(g_suite, "The last segment: nothing tells but a timeout")
{
    for (const Time& minRto : {Seconds(1), MilliSeconds(200)})
    {
        Dialogue dialogue(Set("MinRto", TimeValue(minRto), TcpSettings::ForReno(WINDOW)));
        Juggler juggler(dialogue.network.m_fabric.GetHostDevice(0), IsOne(SEGMENTS - 1), Time(0));
        RunFor(Seconds(3));
        NS_TEST_ASSERT_MSG_EQ(dialogue.replies.size(), 1, "the reply");
        NS_TEST_EXPECT_MSG_EQ(dialogue.connection.retransmissions, 1, "the one lost");
        // Each ACK restarts the timer. The last ACK arrives at about 9.65 ms.
        const int64_t late = dialogue.GetDuration() - minRto.GetNanoSeconds();
        NS_TEST_EXPECT_MSG_EQ((late > 9600000 && late < 9700000), true, late << " ns later");
    }
}

LOSSLESS_TEST(g_suite, "What a network must not do which TCP relies on to lose nothing")
{
    Dialogue dialogue;
    Juggler juggler(dialogue.network.m_fabric.GetHostDevice(0), IsOne(1000), Time(0));
    Simulator::Schedule(Seconds(240), [&dialogue]() {
        NS_TEST_EXPECT_MSG_EQ(dialogue.connection.retransmissions, 0, "up to 240 s");
        NS_TEST_EXPECT_MSG_EQ(dialogue.replies.size(), 0, "the reply is not complete");
        // So far, 1000 segments and a window of 84 segments, including the lost one, have been
        // sent.
        NS_TEST_EXPECT_MSG_EQ(dialogue.connection.segments, 1084, "the window is closed");
    });
    RunFor(Seconds(250));
    NS_TEST_EXPECT_MSG_EQ(dialogue.replies.size(), 1, "TCP is still alive");
}

/// Tests several clients and servers at the same time.
LOSSLESS_TEST(g_suite, "Clients share a server, servers a client's host: PABO's four requests")
{
    constexpr uint32_t hosts = 4;
    Network network(hosts);
    auto settings = TcpSettings::ForPabo(WINDOW);
    // Host 0 sends requests to the servers on hosts 1, 2 and 3, as in the PABO paper (Sec. IV).
    // Host 1 also sends requests to host 3.
    std::vector<Ptr<ReplyServer>> servers;
    for (uint32_t host = 1; host < hosts; ++host)
    {
        servers.push_back(network.AddServer(host, settings));
    }
    std::vector<ReplyRecord> replies; // replies to all clients
    std::vector<Ptr<RequestClient>> clients;
    for (const auto& [from, to] : {std::pair(0, 1), {0, 2}, {0, 3}, {1, 3}})
    {
        clients.push_back(network.AddClient(from, to, settings));
        ListenTo(*clients.back(), "ReplyComplete", [&replies](const ReplyRecord& record) {
            replies.push_back(record);
        });
    }
    RunFor(Seconds(10));

    for (const Ptr<RequestClient>& client : clients)
    {
        NS_TEST_EXPECT_MSG_EQ(client->GetReplies(), 4, "replies");
        NS_TEST_EXPECT_MSG_EQ(client->GetReceivedBytes(), 4 * REPLY, "bytes received");
    }
    NS_TEST_EXPECT_MSG_EQ(servers[0]->GetRequests(), 4, "of one client");
    NS_TEST_EXPECT_MSG_EQ(servers[2]->GetRequests(), 8, "of two clients");
    NS_TEST_EXPECT_MSG_EQ(servers[2]->GetSentBytes(), 8 * REPLY, "to two clients");
    NS_TEST_EXPECT_MSG_EQ(network.GetDrops(), 0, "no loss");
    NS_TEST_ASSERT_MSG_EQ(replies.size(), 16, "replies");
    // Three replies share host 0's link. None of them is faster than a single reply, and the last
    // one takes at least as long as 3 x 1957 segments on the link.
    Time last;
    for (const ReplyRecord& record : replies)
    {
        const Time duration = record.completed - record.requested;
        NS_TEST_EXPECT_MSG_GT(duration.GetNanoSeconds(), 9600000, "bound of one reply");
        if (record.request == 0)
        {
            NS_TEST_EXPECT_MSG_EQ(record.requested, MilliSeconds(51), "all at once");
            last = Max(last, duration);
        }
    }
    const int64_t bound = 3 * (SEGMENTS - 1) * FULL_TIME;
    NS_TEST_EXPECT_MSG_GT(last.GetNanoSeconds(), bound, "bound of three replies");
    NS_TEST_EXPECT_MSG_LT(last.GetNanoSeconds(), bound + 1000000, "the link hardly idles");
}

void
RunOut()
{
    // A closed connection is kept for four minutes (RFC 793), whereas a connection that sends
    // probes would last forever.
    uint64_t events = 0;
    Simulator::Schedule(Seconds(500), [&events]() { events = Simulator::GetEventCount(); });
    RunFor(Seconds(5000));
    NS_TEST_EXPECT_MSG_EQ(Simulator::GetEventCount(), events + 1, "only the end is left");
}

/// The client stops in the middle of the first reply, and both ends close the connection.
LOSSLESS_TEST(g_suite, "Who stops closes its connections, and nothing goes on: client")
{
    Dialogue dialogue;
    dialogue.client->SetStopTime(MilliSeconds(55));
    RunOut();
    NS_TEST_EXPECT_MSG_EQ(dialogue.replies.size(), 0, "no reply is complete");
    const uint64_t received = dialogue.client->GetReceivedBytes();
    NS_TEST_EXPECT_MSG_EQ((received > 0 && received < REPLY), true, received << " bytes");
    NS_TEST_EXPECT_MSG_EQ(dialogue.connection.retransmissions, 0, "nothing is sent twice");
    NS_TEST_EXPECT_MSG_EQ(dialogue.lost, 0, "it was not lost but closed");
    NS_TEST_EXPECT_MSG_EQ(dialogue.connection.ends, 2, "by both");
}

/// The server stops in the middle of the first reply, which continues with the data already passed
/// to TCP. The send buffer holds only a small part of the reply.
LOSSLESS_TEST(g_suite, "Who stops closes its connections, and nothing goes on: server")
{
    Dialogue dialogue(Set("SendBufferBytes", UintegerValue(50000)));
    dialogue.server->SetStopTime(MilliSeconds(55));
    uint64_t atStop = 0;
    Simulator::Schedule(MilliSeconds(55),
                        [&atStop, &dialogue]() { atStop = dialogue.client->GetReceivedBytes(); });
    RunOut();
    NS_TEST_EXPECT_MSG_EQ(dialogue.replies.size(), 0, "no reply is complete");
    const uint64_t sent = dialogue.server->GetSentBytes();
    NS_TEST_EXPECT_MSG_EQ(dialogue.client->GetReceivedBytes(), sent, "what TCP took arrives");
    NS_TEST_EXPECT_MSG_EQ((sent - atStop > 45000 && sent - atStop <= 50000),
                          true,
                          sent - atStop << " bytes in the buffer");
    NS_TEST_EXPECT_MSG_EQ(dialogue.lost, 1, "the client is told");
    NS_TEST_EXPECT_MSG_EQ(dialogue.connection.ends, 2, "both have closed");
}

LOSSLESS_TEST(g_suite,
              "Who stops closes its connections, and nothing goes on: while the client thinks")
{
    Dialogue dialogue;
    dialogue.client->SetAttribute("Requests", UintegerValue(2));
    dialogue.server->SetStopTime(MilliSeconds(100));
    RunOut();
    NS_TEST_EXPECT_MSG_EQ(dialogue.replies.size(), 1, "the first reply");
    NS_TEST_EXPECT_MSG_EQ(dialogue.lost, 1, "the client is told");
    NS_TEST_EXPECT_MSG_EQ(dialogue.connection.ends, 2, "both have closed");
}

LOSSLESS_TEST(g_suite, "Who stops closes its connections, and nothing goes on: nobody stops")
{
    Dialogue dialogue;
    std::size_t connections = 0;
    Simulator::Schedule(MilliSeconds(55), [&connections, &dialogue]() {
        connections = dialogue.server->GetConnections();
    });
    RunOut();
    NS_TEST_EXPECT_MSG_EQ(dialogue.replies.size(), 1, "the reply");
    NS_TEST_EXPECT_MSG_EQ(dialogue.lost, 0, "closed after the last reply");
    NS_TEST_EXPECT_MSG_EQ(dialogue.connection.ends, 2, "by both");
    NS_TEST_EXPECT_MSG_EQ(connections, 1, "in between");
    NS_TEST_EXPECT_MSG_EQ(dialogue.server->GetConnections(), 0, "at the end");
}

void
Expect(const std::string& part, const std::function<void(Dialogue&)>& change)
{
    ExpectStop(part, [&change]() {
        Dialogue dialogue;
        change(dialogue);
        RunFor(Seconds(200));
    });
}

LOSSLESS_TEST(g_suite, "What cannot work is refused in a sentence: RequestClient and ReplyServer")
{
    Expect("the client on node 0 has no server", [](Dialogue& dialogue) {
        dialogue.client->SetAttribute("ServerAddress", Ipv4AddressValue(Ipv4Address::GetAny()));
    });
    Expect("no connection from node 0 to port 77 of 10.0.0.2 by +189", [](Dialogue& dialogue) {
        dialogue.client->SetAttribute("ServerPort", UintegerValue(77));
    });
    for (const uint32_t port : {0, 1, 65535, 65536})
    {
        const bool isPort = 0 < port && port < 65536;
        NS_TEST_EXPECT_MSG_EQ(
            CreateObject<RequestClient>()->SetAttributeFailSafe("ServerPort", UintegerValue(port)),
            isPort,
            "port " << port);
    }
    Expect("port 5000 of node 1 is in use",
           [](Dialogue& dialogue) { dialogue.network.AddServer(1, nullptr); });
    Expect("10.0.0.2 sent more than the ReplyBytes of the client, 1000", [](Dialogue& dialogue) {
        dialogue.client->SetAttribute("ReplyBytes", UintegerValue(1000));
    });
    Expect("RequestBytes is 3000000", [](Dialogue& dialogue) {
        dialogue.client->SetAttribute("RequestBytes", UintegerValue(3000000));
    });
    Expect("ReplyServer: node 3 has no TCP", [](Dialogue&) {
        auto node = CreateObject<Node>();
        node->AddApplication(CreateObject<ReplyServer>());
    });
}

void
Make(Dialogue& dialogue, const std::string& name, uint32_t value)
{
    Set(name, UintegerValue(value))->MakeSocket(dialogue.network.m_fabric.GetHost(0));
}

LOSSLESS_TEST(g_suite, "What cannot work is refused in a sentence: TcpSettings")
{
    Expect("the window is 65536 bytes", [](Dialogue&) { TcpSettings::ForPabo(65536); });
    Expect("the window must hold a segment",
           [](Dialogue& dialogue) { Make(dialogue, "WindowBytes", 500); });
    Expect("it must be at least WindowBytes + SegmentBytes, 46071",
           [](Dialogue& dialogue) { Make(dialogue, "SendBufferBytes", 46070); });
    Expect("TcpSettings: node 3 has no TCP",
           [](Dialogue&) { TcpSettings::ForReno(1000)->MakeSocket(CreateObject<Node>()); });
}

LOSSLESS_TEST(g_suite, "An application that is disposed of lets go of its node")
{
    for (const std::string name : {"ReplyServer", "RequestClient", "RawSource"})
    {
        auto node = CreateObject<Node>();
        auto application = ObjectFactory("ns3::lossless::" + name).Create<Application>();
        node->AddApplication(application);
        NS_TEST_EXPECT_MSG_EQ(application->GetNode(), node, name);
        application->Dispose();
        NS_TEST_EXPECT_MSG_EQ(application->GetNode(), nullptr, name);
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
