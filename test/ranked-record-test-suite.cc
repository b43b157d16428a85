// SPDX-License-Identifier: GPL-2.0-only
//
// Checks that the merged records of all ranks equal the record of a single rank.

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/bounce-recorder.h"
#include "ns3/global-value.h"
#include "ns3/headroom-peak-recorder.h"
#include "ns3/measured-network.h"
#include "ns3/node-list.h"
#include "ns3/pabo-flow-control.h"
#include "ns3/pause-storm.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/queue-length-recorder.h"
#include "ns3/queue-sampler.h"
#include "ns3/ranked-record.h"
#include "ns3/ranks.h"
#include "ns3/rate-recorder.h"
#include "ns3/record-archive.h"
#include "ns3/run-cost.h"
#include "ns3/throughput-recorder.h"
#include "ns3/watchdog-recorder.h"

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-ranked-record", UNIT);

constexpr uint32_t RANKS = 3;

/// @return a line of three switches with two hosts each; the last cable corrupts one frame in 500
Topology
MakeLine()
{
    Topology topology;
    for (uint32_t i = 0; i < RANKS; ++i)
    {
        const std::string number = std::to_string(i);
        topology.AddSwitch("s" + number);
        for (const char* letter : {"a", "b"})
        {
            topology.AddHost("h" + number + letter);
            topology.AddLink("h" + number + letter,
                             "s" + number,
                             DataRate("100Gbps"),
                             MicroSeconds(1));
        }
    }
    topology.AddLink("s0", "s1", DataRate("100Gbps"), MicroSeconds(1));
    topology.AddLink("s1", "s2", DataRate("100Gbps"), MicroSeconds(1), 0.002);
    return topology;
}

/// @return the switches of the line; their buffers are so small that hosts are paused or frames are
/// bounced
SwitchHelper
MakeSwitches(const std::string& scheme)
{
    SwitchHelper switches(*FindPart<SchemeInfo>(scheme));
    const QueueSizeValue few(QueueSize(QueueSizeUnit::PACKETS, 40));
    switches.SetBufferAttribute("Size", UintegerValue(2200000));
    switches.SetFlowControlAttributeIfPresent("NormalLimit", few);
    switches.SetFlowControlAttributeIfPresent("BounceLimit", few);
    if (scheme != "PABO")
    {
        switches.SetWatchdog("ns3::lossless::PfcWatchdog",
                             "DetectionTime",
                             StringValue("40us"),
                             "RestorationTime",
                             StringValue("30us"),
                             "PollInterval",
                             StringValue("10us"));
    }
    return switches;
}

/// A run of the line, in which each host sends to the next two hosts, and the records of a rank.
/// Except under PABO, one host of each rank sends PAUSEs long enough for a storm to be detected.
class MeasuredLine
{
  public:
    /// @param rank the rank that records, or no value for a single rank
    MeasuredLine(const std::string& scheme, std::optional<uint32_t> rank)
        : m_fabric(MakeLine(), MakeSwitches(scheme), ObjectFactory("ns3::lossless::RoceNic"))
    {
        const Topology& topology = m_fabric.GetTopology();
        for (uint32_t i = 0; i < topology.GetNodes().size(); ++i)
        {
            // "s1", "h1a" and "h1b" belong to rank 1.
            const auto owner = static_cast<uint32_t>(topology.GetNodes()[i].name[1] - '0');
            NodeList::GetNode(i)->SetAttribute("SystemId", UintegerValue(owner));
        }
        m_fabric.AssignStreams(1);
        if (rank)
        {
            m_rank = std::make_unique<AssumedRank>(*rank, RANKS);
        }
        Watch(scheme == "PABO");
        if (scheme != "PABO")
        {
            StartStorms();
        }
        m_fabric.StartFlows(MakeFlows());
        RunFor(MicroSeconds(400));
    }

    ~MeasuredLine()
    {
        Simulator::Destroy();
    }

    std::map<std::string, std::string> Save() const
    {
        std::map<std::string, std::string> saved;
        for (const auto& [name, part] : m_parts)
        {
            std::ostringstream os;
            part.record->Save(os);
            saved[name] = os.str();
        }
        return saved;
    }

    void Merge(const std::map<std::string, std::string>& saved, uint32_t rank)
    {
        for (const auto& [name, part] : m_parts)
        {
            std::istringstream is(saved.at(name));
            part.record->Merge(is, rank);
            NS_TEST_EXPECT_MSG_EQ(is.peek(), EOF, name << " has read all that was written");
        }
    }

    std::map<std::string, std::string> Tell() const
    {
        std::map<std::string, std::string> told;
        for (const auto& [name, part] : m_parts)
        {
            told[name] = part.tell();
        }
        return told;
    }

  private:
    struct Part
    {
        RankedRecord* record;              ///< recorder
        std::function<std::string()> tell; ///< function that returns the results
    };

    FlowList MakeFlows() const
    {
        FlowList flows;
        const uint32_t hosts = m_fabric.GetNHosts();
        for (uint64_t id = 0; id < 4 * hosts; ++id)
        {
            const auto source = static_cast<uint32_t>(id % hosts);
            const auto destination = static_cast<uint32_t>((source + 2 + id / hosts % 2) % hosts);
            flows.push_back({id, source, destination, 3, 150000, MicroSeconds(5 * (id / 12)), ""});
        }
        return flows;
    }

    void StartStorms()
    {
        for (uint32_t rank = 0; rank < RANKS; ++rank)
        {
            auto storm = CreateObjectWithAttributes<PauseStorm>("Interval",
                                                                StringValue("5us"),
                                                                "Quanta",
                                                                UintegerValue(2000));
            storm->SetStartTime(MicroSeconds(10 * (rank + 1)));
            storm->SetStopTime(MicroSeconds(150));
            storm->Install(m_fabric.GetHostDevice(2 * rank));
        }
    }

    void Add(const std::string& name, RankedRecord& record, std::function<ResultTable()> table)
    {
        m_parts[name] = {&record, [table = std::move(table)] { return ToCsv(table()); }};
    }

    /// Makes all recorders watch all nodes.
    void Watch(bool isPabo)
    {
        m_pauses.KeepEvents();
        m_sampler->SetAttribute("Period", StringValue("7us"));
        m_sampler->SetAttribute("MaxSamples", UintegerValue(200)); // fewer than a run would take
        for (uint32_t i = 0; i < m_fabric.GetNSwitches(); ++i)
        {
            WatchSwitch("s" + std::to_string(i), m_fabric.GetSwitch(i), isPabo);
        }
        for (const uint32_t host : {0, 2})
        {
            m_throughput.WatchFlow("from h" + std::to_string(host),
                                   m_fabric.GetSwitch(1),
                                   m_fabric.GetAddress(host),
                                   m_fabric.GetAddress(host + 2));
        }
        for (uint32_t host = 0; host < m_fabric.GetNHosts(); ++host)
        {
            WatchHost(host, isPabo);
        }
        AddParts(isPabo);
    }

    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node, bool isPabo)
    {
        m_network.WatchSwitch(name, node);
        m_pauses.WatchSwitch(name, node);
        m_drops.Watch(name, node);
        m_sampler->WatchBuffer(name, node);
        m_sampler->WatchEgress(name, node, {PortId{2}, Priority{3}});
        m_ports.WatchPort(name, node, PortId{2});
        m_means.WatchSwitch(name, node);
        if (isPabo)
        {
            m_bounces.WatchSwitch(name, node);
        }
        else
        {
            m_peaks.WatchSwitch(name, node);
            m_storms.WatchSwitch(name, node);
        }
    }

    void WatchHost(uint32_t host, bool isPabo)
    {
        m_network.WatchHost("h" + std::to_string(host), m_fabric.GetHost(host));
        m_network.WatchNic({"", m_fabric.GetNic(host), nullptr, nullptr});
        m_drops.Watch("h" + std::to_string(host), m_fabric.GetHost(host));
        m_flows.Watch(m_fabric.GetNic(host));
        if (isPabo)
        {
            m_bounces.WatchHost(m_fabric.GetHostDevice(host)->GetObject<PaboHost>());
        }
    }

    void AddParts(bool isPabo)
    {
        Add("queues", *m_sampler, [this] { return m_sampler->GetTable(); });
        Add("ports", m_ports, [this] { return m_ports.GetPortTable(); });
        Add("queue means", m_means, [this] { return m_means.GetTable(); });
        m_parts["hops"] = {&m_network,
                           [this] { return std::to_string(m_network.CountPacketHops()); }};
        m_parts["flows"] = {&m_flows, [this] { return ListFlows(); }};
        if (isPabo)
        {
            m_parts["bounces"] = {&m_bounces, [this] { return ListBounces(); }};
            return;
        }
        Add("drops", m_drops, [this] { return m_drops.GetTable(); });
        Add("throughput", m_throughput, [this] { return m_throughput.GetFlowTable(); });
        Add("pauses", m_pauses, [this] { return m_pauses.GetTable(); });
        Add("pause events", m_pauses, [this] { return m_pauses.GetEventTable(); });
        Add("headroom peaks", m_peaks, [this] { return m_peaks.GetTable(); });
        Add("storms", m_storms, [this] { return m_storms.GetTable(); });
    }

    std::string ListBounces() const
    {
        return std::to_string(m_bounces.GetReturned()) + " have come back to their source\n" +
               ToCsv(m_bounces.GetBounceTable()) + ToCsv(m_bounces.GetDeliveryTable()) +
               ToCsv(m_bounces.GetQueueTable());
    }

    std::string ListFlows() const
    {
        std::ostringstream text;
        text << m_flows.CountFinished() << " have arrived\n";
        for (const auto& [id, record] : m_flows.GetFlows())
        {
            text << id << " " << record.source << " " << record.flow.destination << " "
                 << record.flow.priority << " " << record.flow.bytes << " "
                 << record.flow.sourcePort << " " << record.start << " " << record.received << " "
                 << record.acknowledged << " " << record.retransmitted << " " << record.isReceived
                 << "\n";
        }
        return text.str();
    }

    Fabric m_fabric;
    std::unique_ptr<AssumedRank> m_rank;
    MeasuredNetwork m_network;
    PauseRecorder m_pauses;
    DropRecorder m_drops;
    FlowRecorder m_flows;
    Ptr<QueueSampler> m_sampler{CreateObject<QueueSampler>()};
    ThroughputRecorder m_ports{MicroSeconds(5)};
    ThroughputRecorder m_throughput{MicroSeconds(5)};
    QueueLengthRecorder m_means;
    HeadroomPeakRecorder m_peaks;
    WatchdogRecorder m_storms;
    BounceRecorder m_bounces;
    std::map<std::string, Part> m_parts;
};

using Texts = std::map<std::string, std::string>;

/// The process assumes each rank in turn and repeats the run, recording only the nodes of that
/// rank.
void
CheckScheme(const std::string& scheme)
{
    // The process executes the events of all nodes, regardless of the rank that it assumes.
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::DefaultSimulatorImpl"));
    const Texts whole = MeasuredLine(scheme, std::nullopt).Tell();
    std::vector<Texts> saved;
    for (uint32_t rank = 0; rank < RANKS; ++rank)
    {
        saved.push_back(MeasuredLine(scheme, rank).Save());
    }
    for (uint32_t rank = 0; rank < RANKS; ++rank)
    {
        MeasuredLine line(scheme, rank);
        for (const auto& [name, text] : line.Tell())
        {
            const bool isMissing = text != whole.at(name);
            // The recorder "throughput" watches only a switch of rank 1.
            const bool isOwner = name == "throughput" && rank == 1;
            NS_TEST_EXPECT_MSG_EQ(isMissing, !isOwner, name << " of rank " << rank << " alone");
        }
        for (uint32_t other = 0; other < RANKS; ++other)
        {
            if (other != rank)
            {
                line.Merge(saved[other], other);
            }
        }
        for (const auto& [name, text] : line.Tell())
        {
            NS_TEST_EXPECT_MSG_EQ(text, whole.at(name), name << " of all, at rank " << rank);
        }
    }
}

LOSSLESS_TESTS(g_suite)
{
    for (const std::string scheme : {"SIH", "PABO"})
    {
        g_suite.Add("recorders of three ranks, " + scheme, [scheme] {
            if (Ranks::HasMpi())
            {
                CheckScheme(scheme);
            }
        });
    }
}

std::string
SaveAs(const RankedRecord& record, uint32_t rank)
{
    const AssumedRank assumed(rank, 2);
    std::ostringstream os;
    record.Save(os);
    return os.str();
}

/// A switch of rank 0 sends only at the start, and a switch of rank 1 still sends when there are
/// too many windows.
LOSSLESS_TEST(g_suite, "windows of the ports of two ranks become equal")
{
    const Cable cable{DataRate("8Gbps"), MicroSeconds(1)};
    Star first(CreateObject<PfcSwitchNode>(), 3, cable);
    Star second(CreateObject<PfcSwitchNode>(), 3, cable);
    second.m_switch->SetAttribute("SystemId", UintegerValue(1));
    ThroughputRecorder whole(MicroSeconds(1));
    std::array<ThroughputRecorder, 2> parts{ThroughputRecorder(MicroSeconds(1)),
                                            ThroughputRecorder(MicroSeconds(1))};
    const auto watch = [&](ThroughputRecorder& recorder) {
        recorder.WatchPort("first", first.m_switch, PortId{2});
        recorder.WatchPort("second", second.m_switch, PortId{2});
    };
    watch(whole);
    for (uint32_t rank = 0; rank < parts.size(); ++rank)
    {
        const AssumedRank assumed(rank, 2);
        watch(parts[rank]);
    }
    first.GetHost(0).Send(2, 0, 126, 3);
    second.GetHost(0).Send(2, 0, 126, 2, MicroSeconds(ThroughputRecorder::MAX_WINDOWS));
    RunFor(MicroSeconds(ThroughputRecorder::MAX_WINDOWS + 10));
    const std::array<std::string, 2> saved{SaveAs(parts[0], 0), SaveAs(parts[1], 1)};
    for (uint32_t rank = 0; rank < parts.size() && Ranks::HasMpi(); ++rank)
    {
        NS_TEST_EXPECT_MSG_NE(ToCsv(parts[rank].GetPortTable()),
                              ToCsv(whole.GetPortTable()),
                              "rank " << rank << " alone");
        std::istringstream is(saved[1 - rank]);
        parts[rank].Merge(is, 1 - rank);
        NS_TEST_EXPECT_MSG_EQ(ToCsv(parts[rank].GetPortTable()),
                              ToCsv(whole.GetPortTable()),
                              "both, at rank " << rank);
    }
}

struct Sum : RankedRecord
{
    void Save(std::ostream& os) const override
    {
        os << number;
    }

    void Merge(std::istream& is, uint32_t /* rank */) override
    {
        is >> number;
    }

    int number{0};
};

LOSSLESS_TEST(g_suite, "a single rank has nobody to ask")
{
    Sum sum;
    sum.number = 3;
    RankedRecord::GatherAll();
    RankedRecord::GatherAll();
    NS_TEST_EXPECT_MSG_EQ(sum.number, 3, "as it was");
}

/// On another rank, 600 000 flows had traffic in each of the first two microseconds.
LOSSLESS_TEST(g_suite, "windows of flows become longer when ranks together have too many points")
{
    // The number of bytes, and the rate and window that a congestion control allows.
    using Point = std::tuple<uint64_t, std::optional<uint64_t>, std::optional<uint64_t>>;
    std::map<std::pair<uint64_t, uint64_t>, Point> points;
    for (uint64_t id = 0; id < 3 * RateRecorder::MAX_POINTS / 5; ++id)
    {
        points[{id, 0}] = {1000, 5000, std::nullopt};
        points[{id, 1}] = {3000, 5000, std::nullopt};
    }
    std::stringstream saved;
    SaveParts(saved, MicroSeconds(1), points);
    RateRecorder rates(MicroSeconds(1));
    RunFor(MicroSeconds(10));
    rates.Merge(saved, 1);
    // Without MPI, no records are exchanged.
    const Time window = MicroSeconds(Ranks::HasMpi() ? 2 : 1);
    NS_TEST_EXPECT_MSG_EQ(rates.GetWindow(), window, "as a single rank has them");
}

LOSSLESS_TEST(g_suite, "who owns a node")
{
    auto node = CreateObject<Node>(2);
    NS_TEST_EXPECT_MSG_EQ(Ranks::IsOwn(*node), true, "the only rank, whatever the system id is");
    NS_TEST_EXPECT_MSG_EQ(Ranks::IsFirst(), true, "which writes");
    {
        const AssumedRank second(1, 3);
        NS_TEST_EXPECT_MSG_EQ(Ranks::IsOwn(*node), false, "of the third of three");
        NS_TEST_EXPECT_MSG_EQ(Ranks::GetRankOf(*node), 2, "the same");
        NS_TEST_EXPECT_MSG_EQ(Ranks::IsFirst(), false, "which does not write");
    }
    NS_TEST_EXPECT_MSG_EQ(Ranks::GetSize(), 1, "as before");
}

} // namespace ns3::lossless::tests::THIS_FILE
