// SPDX-License-Identifier: GPL-2.0-only
//
// Checks laws that hold in any network with any traffic: frames do not appear, disappear or
// overtake each other, the buffer accounting is always consistent, and the schemes keep their
// promises. This suite also checks the laws that the suites of individual parts register.

#include "lossless-test.h"
#include "random-network.h"

#include "ns3/ordered-set.h"
#include "ns3/packet-processor.h"

namespace ns3::lossless::tests::THIS_FILE
{

/// @return all combinations of schemes and policies, for the schemes that support several policies
std::vector<SwitchKind>
GetPairs()
{
    return GetSwitchKinds([](const SchemeInfo& scheme) { return scheme.takesOtherPolicies; });
}

/// @return all kinds of switches, plus the plain SwitchNode and SIH with neighbours that respond
/// late; a scheme that is only another name for a pair of GetPairs() is left out
std::vector<SwitchKind>
GetAllKinds()
{
    std::vector<SwitchKind> kinds =
        GetSwitchKinds([](const SchemeInfo& scheme) { return scheme.general.empty(); });
    SchemeInfo plain{"plain", "ns3::lossless::SwitchNode"};
    plain.promise = Promise::ALL_CLASSES;
    kinds.emplace_back(plain, plain.GetPolicies().front());
    const SchemeInfo sih = *FindPart<SchemeInfo>("SIH");
    kinds.emplace_back(sih, sih.GetPolicies().front());
    kinds.back().name = "SIH and slow";
    kinds.back().isStandard = true;
    return kinds;
}

/// A law that applies to all networks.
class GeneralLaw : public Law
{
  public:
    GeneralLaw(const SwitchKind& kind, Trouble trouble)
        : m_kind(kind),
          m_trouble(trouble)
    {
    }

    void Begin(RandomNetwork& network) override
    {
        m_network = &network;
    }

  protected:
    bool MayDrop() const
    {
        return m_kind.scheme.promise != Promise::ALL_CLASSES;
    }

    uint64_t CountDropped() const
    {
        uint64_t dropped = 0;
        m_network->ForEachSwitch([&dropped](SwitchNode& node) {
            const auto& counts = node.GetCounts().dropped;
            dropped = std::accumulate(counts.begin(), counts.end(), dropped);
        });
        return dropped;
    }

    const SwitchKind m_kind;           ///< scheme and policy of the switches
    Trouble m_trouble;                 ///< kind of disturbance in the networks
    RandomNetwork* m_network{nullptr}; ///< the current network
};

template <typename LAW>
RegisterLaw
MakeGeneral()
{
    return RegisterLaw([](const SwitchKind& kind, Trouble trouble) -> std::unique_ptr<Law> {
        return std::make_unique<LAW>(kind, trouble);
    });
}

/// All views of the buffer accounting agree, and the location of each frame is known.
class LedgerLaw : public GeneralLaw
{
  public:
    using GeneralLaw::GeneralLaw;

    std::string Check() override
    {
        std::string error;
        m_network->ForEachSwitch([this, &error](SwitchNode& node) {
            error = error.empty() ? CheckSwitch(node) : error;
        });
        return error;
    }

  private:
    struct Content
    {
        uint64_t ingress{0};   ///< number of bytes at the ingress
        uint64_t egress{0};    ///< number of bytes at the egress
        uint64_t shared{0};    ///< number of shared bytes at the ingress
        uint64_t headroom{0};  ///< number of headroom bytes at the ingress
        uint64_t processed{0}; ///< number of bytes in the processor, counted only at the ingress
        uint64_t frames{0};    ///< number of frames
    };

    static Content Sum(SwitchNode& node)
    {
        Content content;
        const SharedBuffer& buffer = *node.GetSharedBuffer();
        ForEachQueue(node, [&](QueueId queue) {
            content.ingress += buffer.GetIngress(queue).GetTotal();
            content.shared += buffer.GetIngress(queue).shared;
            content.headroom += buffer.GetIngress(queue).headroom;
            content.egress += buffer.GetEgress(queue).bytes;
            content.frames += buffer.GetEgress(queue).frames;
        });
        if (const Ptr<PacketProcessor> processor = node.GetProcessor())
        {
            processor->ForEach([&content](const SwitchItem& item) {
                content.processed += item.bufferBytes;
                ++content.frames;
            });
        }
        return content;
    }

    std::string CheckSwitch(SwitchNode& node) const
    {
        const Content in = Sum(node);
        const SharedBuffer& buffer = *node.GetSharedBuffer();
        const SwitchNode::Counts& counts = node.GetCounts();
        const uint64_t dropped =
            std::accumulate(counts.dropped.begin(), counts.dropped.end(), uint64_t{0});
        const bool isWhole =
            buffer.IsTwoSided()
                ? in.ingress == in.processed && in.ingress + in.egress == buffer.GetUsed()
                : in.ingress == in.egress + in.processed && in.ingress == buffer.GetUsed();
        std::ostringstream error;
        if (!isWhole || in.shared != buffer.GetSharedUsed() ||
            in.headroom != buffer.GetHeadroomUsed())
        {
            error << "ingress " << in.ingress << " egress " << in.egress << " used "
                  << buffer.GetUsed() << " shared " << in.shared << " of " << buffer.GetSharedUsed()
                  << " headroom " << in.headroom << " of " << buffer.GetHeadroomUsed();
        }
        else if (counts.received != counts.sent + dropped + in.frames)
        {
            error << "received " << counts.received << " sent " << counts.sent << " dropped "
                  << dropped << " stored " << in.frames;
        }
        else if (MayDrop() && m_kind.policy != UnlimitedBufferPolicy::GetTypeId().GetName() &&
                 buffer.GetUsed() > buffer.GetSize())
        {
            error << "used " << buffer.GetUsed() << " of " << buffer.GetSize();
        }
        return error.str();
    }
};

const auto g_ledgers = MakeGeneral<LedgerLaw>();

/// Every frame sent is either received in order or lost on the way, and no frame remains in the
/// network.
class FramesLaw : public GeneralLaw
{
  public:
    using GeneralLaw::GeneralLaw;

    void Begin(RandomNetwork& network) override
    {
        GeneralLaw::Begin(network);
        m_lost = 0;
        network.ForEachDevice([this](LosslessNetDevice& device) {
            // Counts frames that are lost on a cable, unless they are retransmitted.
            ListenTo(device, "Drop", [this](Ptr<const Packet> packet, DropReason /* reason */) {
                m_lost += IsLinkControl(*packet) || m_trouble == Trouble::RETRY ? 0 : 1;
            });
        });
    }

    std::string End() override
    {
        uint64_t sent = 0;
        uint64_t received = 0;
        std::ostringstream error;
        for (const auto& host : m_network->m_hosts)
        {
            const bool isInOrder = host->received.IsInOrder() || !m_kind.scheme.keepsOrder;
            sent += host->nextSequence;
            received += host->received.m_arrivals.size();
            error << (host->source.m_waiting.size() > 0 ? "a host is left with frames; " : "")
                  << (isInOrder ? "" : "a flow is out of order; ");
        }
        m_network->ForEachSwitch([&error](SwitchNode& node) {
            error << (node.GetSharedBuffer()->GetUsed() > 0 ? "a switch is left with frames; "
                                                            : "");
        });
        if (sent <= 1000 || sent != received + CountDropped() + m_lost)
        {
            error << sent << " frames sent, " << received << " received, " << CountDropped()
                  << " lost in switches, " << m_lost << " on cables";
        }
        return error.str();
    }

  private:
    uint64_t m_lost{0}; ///< number of lost frames
};

const auto g_frames = MakeGeneral<FramesLaw>();

/// Every pause is followed by a resume, and no flow-control frames are sent at the end.
class StopsLaw : public GeneralLaw
{
  public:
    using GeneralLaw::GeneralLaw;

    void Begin(RandomNetwork& network) override
    {
        GeneralLaw::Begin(network);
        m_latest = Time(0);
        network.ForEachSwitch([this](SwitchNode& node) {
            FlowControl& control = *node.GetFlowControl();
            const auto watch = [&control](const std::string& trace, const auto& callback) {
                control.TraceConnectWithoutContext(trace, callback);
            };
            watch("QueueState", MakeCallback(&StopsLaw::NotifyState<QueueId>, this));
            watch("PortState", MakeCallback(&StopsLaw::NotifyState<PortId>, this));
            watch("FlowState", MakeCallback(&StopsLaw::NotifyFlow, this));
            watch("ControlSent", MakeCallback(&StopsLaw::NotifyControl, this));
            m_isStopping = control.IsLossless() && !control.IsRedirecting();
        });
    }

    std::string End() override
    {
        std::ostringstream error;
        m_network->ForEachSwitch([&error](SwitchNode& node) {
            const SharedBuffer& buffer = *node.GetSharedBuffer();
            ForEachQueue(node, [&](QueueId queue) {
                const bool isStopped = node.GetFlowControl()->IsHolding(queue) ||
                                       buffer.GetIngressPort(queue.port).paused;
                error << (isStopped ? "a neighbour is left stopped; " : "");
            });
        });
        error << (m_latest > MilliSeconds(150) ? "flow control goes on for ever; " : "");
        return error.str();
    }

    std::string FindRare(uint64_t /* networks */) const override
    {
        // With a watchdog, the number of stops is not predictable.
        return m_trouble == Trouble::WATCHDOG || (m_stops > 100) == m_isStopping
                   ? ""
                   : std::to_string(m_stops) + " stops";
    }

  private:
    template <typename ID>
    void NotifyState(ID /* queue or port */, bool paused)
    {
        m_stops += paused ? 1 : 0;
    }

    void NotifyFlow(QueueId /* queue */, uint64_t /* flow */, bool paused)
    {
        m_stops += paused ? 1 : 0;
    }

    void NotifyControl(PortId /* port */, Ptr<const Packet> /* frame */)
    {
        m_latest = Simulator::Now();
    }

    uint64_t m_stops{0};      ///< number of decisions to pause a queue, a port or a flow
    bool m_isStopping{false}; ///< true if the scheme pauses neighbours
    Time m_latest;            ///< time at which the last flow-control frame left
};

const auto g_stops = MakeGeneral<StopsLaw>();

/// Checks that schemes are lossless as promised. If cables are cut or flow-control frames are
/// corrupted, lossless classes can drop frames, because a neighbour that has lost its PAUSE state
/// sends a second burst. Losses are also allowed if a law excuses them or if a watchdog has caused
/// frames to be sent despite a pause.
///
/// A watchdog drops only frames of its own classes, and these count like any other loss.
class LossLaw : public GeneralLaw
{
  public:
    using GeneralLaw::GeneralLaw;

    void Begin(RandomNetwork& network) override
    {
        GeneralLaw::Begin(network);
        m_taken = 0;
        m_strays = 0;
        network.ForEachSwitch([this](SwitchNode& node) {
            node.TraceConnectWithoutContext("Drop", MakeCallback(&LossLaw::NotifyDrop, this));
        });
    }

    std::string End() override
    {
        m_allTaken += m_taken;
        m_allDropped += CountDropped();
        if (m_network->m_facts.hasCuts || m_trouble == Trouble::ERRORS)
        {
            return "";
        }
        uint64_t lossless = 0;
        m_network->ForEachSwitch(
            [&lossless](SwitchNode& node) { lossless += node.GetCounts().losslessDropped; });
        std::ostringstream error;
        if (!m_network->m_facts.isIgnoring && m_kind.scheme.promise != Promise::NOTHING &&
            lossless != m_network->m_facts.excused)
        {
            error << lossless << " frames of lossless classes are lost, "
                  << m_network->m_facts.excused << " may be; ";
        }
        error << (MayDrop() || CountDropped() == m_taken ? "" : "frames are lost; ")
              << (m_strays > 0 ? "a watchdog took frames of other classes" : "");
        return error.str();
    }

    std::string FindRare(uint64_t /* networks */) const override
    {
        const bool hasWatchdog = m_trouble == Trouble::WATCHDOG;
        if ((m_allTaken > 100) != hasWatchdog)
        {
            return std::to_string(m_allTaken) + " frames taken by a watchdog";
        }
        return hasWatchdog || !MayDrop() || m_allDropped > 100
                   ? ""
                   : std::to_string(m_allDropped) + " frames lost";
    }

  private:
    void NotifyDrop(const SwitchItem& item, DropReason reason)
    {
        const bool isTaken = IsOfRandomWatchdog(reason);
        m_taken += isTaken ? 1 : 0;
        m_strays += isTaken && !Contains(m_network->m_facts.watched, item.frame.priority) ? 1 : 0;
    }

    uint64_t m_taken{0};      ///< number of frames dropped because of a watchdog
    uint64_t m_strays{0};     ///< number of dropped frames of classes that the watchdog does not
                              ///< monitor
    uint64_t m_allTaken{0};   ///< sum of m_taken over all networks
    uint64_t m_allDropped{0}; ///< number of frames dropped by switches in all networks
};

const auto g_losses = MakeGeneral<LossLaw>();

/// Runs networks and checks all laws; a second run of each network must produce the same result.
void
RunNetworks(const SwitchKind& kind, Trouble trouble, int64_t first, int64_t last)
{
    const Laws laws = MakeLaws(kind, trouble);
    for (int64_t seed = first; seed <= last; ++seed)
    {
        RandomNetwork network(kind, trouble, seed);
        const std::string record = network.Run(laws);
        NS_TEST_EXPECT_MSG_EQ(network.m_error, "", "seed " << seed);
        if (seed <= 3 && IsForAll(trouble))
        {
            const Laws again = MakeLaws(kind, trouble);
            const std::string second = RandomNetwork(kind, trouble, seed).Run(again);
            NS_TEST_EXPECT_MSG_EQ(FirstDifference(second, record), "", "again, seed " << seed);
        }
    }
    for (const auto& law : laws)
    {
        NS_TEST_EXPECT_MSG_EQ(law->FindRare(last - first + 1), "", "not often enough");
    }
}

/// For each kind, the quick tests use the seeds from 1 to this value, and the long tests continue
/// to LAST_SEED.
constexpr int64_t QUICK_SEEDS = 12;
constexpr int64_t QUICK_WATCHDOG_SEEDS = 4;
/// The counterpart of QUICK_SEEDS for disturbances that only some schemes can handle; it is divided
/// among the policies of a scheme.
constexpr int64_t QUICK_OWN_SEEDS = 16;
constexpr int64_t LAST_SEED = 212;

int64_t
GetQuickSeeds(const SwitchKind& kind, Trouble trouble)
{
    if (IsForAll(trouble))
    {
        return trouble == Trouble::WATCHDOG ? QUICK_WATCHDOG_SEEDS : QUICK_SEEDS;
    }
    return QUICK_OWN_SEEDS / kind.scheme.GetPolicies().size();
}

/// Test cases with random networks, for each kind of switch.
class KindsCase : public TestCase
{
  public:
    explicit KindsCase(bool isQuick)
        : TestCase(isQuick ? "random networks" : "many random networks"),
          m_isQuick(isQuick)
    {
    }

  private:
    void DoSetup() override
    {
        for (const SwitchKind& kind : GetAllKinds())
        {
            std::vector<Trouble> troubles{Trouble::SOME_CUTS, Trouble::WATCHDOG};
            const auto& own = FindRandomPart(kind.scheme.type).troubles;
            troubles.insert(troubles.end(), own.begin(), own.end());
            for (const Trouble trouble : troubles)
            {
                const int64_t quick = GetQuickSeeds(kind, trouble);
                const int64_t first = m_isQuick ? 1 : quick + 1;
                const int64_t last = m_isQuick ? quick : LAST_SEED;
                AddTestCase(new Case(kind.name + ", " + ToString(trouble) + ", seeds " +
                                         std::to_string(first) + " to " + std::to_string(last),
                                     [=] { RunNetworks(kind, trouble, first, last); }),
                            QUICK);
            }
        }
    }

    void DoRun() override
    {
    }

    bool m_isQuick; ///< see the constructor
};

Suite g_suite("lossless-conservation", SYSTEM);

LOSSLESS_TESTS(g_suite)
{
    g_suite.AddTestCase(new KindsCase(true), QUICK);
    g_suite.AddTestCase(new KindsCase(false), EXTENSIVE);
}

/// A line of switches with hosts at each switch and flows between the hosts.
struct Line
{
    SwitchHelper switches;         ///< switches of one kind
    double alpha{1.0 / 16};        ///< alpha of the policy, if it has one
    uint64_t buffer{16 << 20};     ///< number of bytes per switch
    std::string congestionControl; ///< TypeId name; empty for no congestion control
    std::vector<Cable> trunks;     ///< cables between the switches
    std::vector<uint32_t> hosts;   ///< number of hosts at each switch
    FlowList flows;                ///< flows between hosts, which are numbered switch by switch
};

/// @return the error, or an empty string if every flow has arrived
std::string
Simulate(const Line& line)
{
    Topology topology;
    for (std::size_t i = 0; i <= line.trunks.size(); ++i)
    {
        const uint32_t node = topology.AddSwitch("s" + std::to_string(i));
        if (i > 0)
        {
            const auto before = *topology.FindNode("s" + std::to_string(i - 1));
            topology.AddLink(before, node, line.trunks[i - 1].rate, line.trunks[i - 1].delay);
        }
        for (uint32_t j = 0; j < line.hosts[i]; ++j)
        {
            const uint32_t host =
                topology.AddHost("h" + std::to_string(i) + "." + std::to_string(j));
            topology.AddLink(node, host, DataRate("100Gbps"), MicroSeconds(2));
        }
    }
    SwitchHelper switches = line.switches;
    switches.SetPolicyAttributeIfPresent("Alpha", DoubleValue(line.alpha));
    // The headroom pool must not be oversubscribed.
    switches.SetPolicyAttributeIfPresent("OversubscribeRatio", DoubleValue(1));
    switches.SetBufferAttribute("Size", UintegerValue(line.buffer));
    ObjectFactory nics("ns3::lossless::RoceNic");
    if (!line.congestionControl.empty())
    {
        nics.Set("CongestionControl", ObjectFactoryValue(ObjectFactory(line.congestionControl)));
        switches.SetMarker("ns3::lossless::RedMarker");
    }
    Fabric fabric(topology, switches, nics);
    ResultsWriter results("");
    results.AddFabric(fabric);
    fabric.StartFlows(line.flows);
    fabric.StopWhenFlowsAreDone(MilliSeconds(100));
    Simulator::Run();
    const RunVerdict verdict = results.GetVerdict();
    Simulator::Destroy();
    std::string problems;
    for (const std::string& problem : verdict.problems)
    {
        problems += problem + " ";
    }
    return problems;
}

/// @return the flows of an incast: three hosts of a star send 1 MB in each of seven classes to the
/// fourth host
FlowList
MakeIncast()
{
    FlowList flows;
    for (uint32_t host = 0; host < 3; ++host)
    {
        for (uint8_t p = 0; p < 7; ++p)
        {
            const auto id = static_cast<uint32_t>(flows.size());
            flows.push_back({id, host, 3, p, 1000000, Time(0), ""});
        }
    }
    return flows;
}

/// Under DSH with large thresholds, the sum of the queues reaches the threshold of the port long
/// before any queue reaches its own threshold. A scheme that ignores the port's threshold would
/// lose the frames that exceed the insurance headroom.
LOSSLESS_TEST(g_suite, "Each pair of scheme and policy gets an incast in seven classes through")
{
    for (const SwitchKind& kind : GetPairs())
    {
        for (const double alpha : {4, 8})
        {
            Line line;
            line.switches = kind.MakeSwitchHelper();
            line.alpha = alpha;
            // Under the other policies, each queue has its own headroom. DSH has one headroom per
            // port, a seventh of the total, so a third of the buffer is enough.
            const bool isDsh = kind.policy == "ns3::lossless::DshBufferPolicy";
            line.buffer = isDsh ? 1000000 : 3000000;
            line.hosts = {4};
            line.flows = MakeIncast();
            NS_TEST_EXPECT_MSG_EQ(Simulate(line), "", kind.name << ", alpha " << alpha);
        }
    }
}

/// Without a cycle of links, no flow may wait forever, regardless of the thresholds.
///
/// All 15 hosts of each of two switches send 1 MB to one host on either side. If N of the hosts'
/// queues are congested, they keep the threshold of each switch at T = (a Bs + a N eta) / (1 + a
/// N), where a is the policy's alpha, Bs the shared buffer and eta the headroom for a host's link.
/// If the trunk's eta exceeds T, DSH pauses the trunk's empty queues at both ends, and each switch
/// is filled with frames that wait for the other switch to resume.
LOSSLESS_TEST(g_suite, "Every flow over a line of two switches ends")
{
    for (const auto& [trunk, classes] : {std::pair(Cable{DataRate("100Gbps"), MicroSeconds(20)}, 1),
                                         std::pair(Cable{DataRate("400Gbps"), MicroSeconds(2)}, 7),
                                         std::pair(Cable{DataRate("100Gbps"), MicroSeconds(6)}, 7)})
    {
        for (const std::string scheme : {"PFC", "DSH"})
        {
            for (const std::string control : {"", "ns3::lossless::Dcqcn"})
            {
                Line line;
                line.switches = SwitchHelper(*FindPart<SchemeInfo>(scheme));
                line.congestionControl = control;
                line.trunks = {trunk};
                line.hosts = {15, 15};
                line.flows = MakeFlows(30, {0, 15}, classes);
                NS_TEST_EXPECT_MSG_EQ(Simulate(line),
                                      "",
                                      scheme << " " << control << ", " << classes << " classes");
            }
        }
    }
}

/// @return a line with flows, in a configuration that both SIH and DSH accept
Line
DrawLine(int64_t seed)
{
    Dice dice(seed);
    Line line;
    const uint32_t switches = dice.Draw(2, 4);
    uint32_t hosts = 0;
    for (uint32_t i = 0; i < switches; ++i)
    {
        line.hosts.push_back(dice.Draw(2, 12));
        hosts += line.hosts.back();
        if (i > 0)
        {
            // At most 0.5 MB is in flight, which is less than DSH's lowest threshold.
            const bool isFast = dice.Draw(0, 1);
            line.trunks.push_back({DataRate(isFast ? "400Gbps" : "100Gbps"),
                                   NanoSeconds(dice.Draw(100, isFast ? 5000 : 20000))});
        }
    }
    line.alpha = dice.DrawPower(-5, 3);
    line.buffer = (24 << 20) + dice.Draw(0, 8 << 20);
    const auto classes = static_cast<uint8_t>(dice.Draw(1, 7));
    line.flows =
        MakeFlows(hosts, {dice.Draw(0, hosts / 2 - 1), dice.Draw(hosts / 2, hosts - 2)}, classes);
    return line;
}

LOSSLESS_TESTS(g_suite)
{
    for (const auto& [first, last] : {std::pair(1, 3), std::pair(4, 212)})
    {
        g_suite.Add(
            "Every flow over a random line of switches ends, seeds " + std::to_string(first) +
                " to " + std::to_string(last),
            [first = first, last = last] {
                const std::vector<SwitchKind> pairs = GetPairs();
                for (int64_t seed = first; seed <= last; ++seed)
                {
                    for (const std::size_t i :
                         {std::size_t{0}, std::size_t{1}, seed % pairs.size()})
                    {
                        Line line = DrawLine(seed);
                        line.switches = pairs[i].MakeSwitchHelper();
                        NS_TEST_EXPECT_MSG_EQ(Simulate(line),
                                              "",
                                              pairs[i].name << ", seed " << seed);
                    }
                }
            },
            first == 1 ? QUICK : EXTENSIVE);
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
