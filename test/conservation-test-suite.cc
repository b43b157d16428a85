// SPDX-License-Identifier: GPL-2.0-only
//
// What must hold for any network and any traffic: no frame appears, vanishes or overtakes, the
// ledgers agree with themselves at any time, and the schemes keep their promise. The laws that
// parts have registered beside these are tested here as well.

#include "lossless-test.h"
#include "random-network.h"
#include "test-network.h"

#include "ns3/flow-control.h"
#include "ns3/ordered-set.h"
#include "ns3/packet-processor.h"
#include "ns3/results-writer.h"
#include "ns3/unlimited-buffer-policy.h"

#include <numeric>

namespace ns3::lossless::tests::THIS_FILE
{

/// @return each scheme that goes with several policies over each of them
std::vector<SwitchKind>
GetPairs()
{
    return GetSwitchKinds([](const SchemeInfo& scheme) { return scheme.takesOtherPolicies; });
}

/// @return all kinds, except for schemes that are one of the pairs, and two more
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

/// A law of all networks.
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

    const SwitchKind m_kind;           ///< of the switches
    Trouble m_trouble;                 ///< in the networks
    RandomNetwork* m_network{nullptr}; ///< the one at hand
};

/// Registers a law of all networks.
template <typename LAW>
RegisterLaw
MakeGeneral()
{
    return RegisterLaw([](const SwitchKind& kind, Trouble trouble) -> std::unique_ptr<Law> {
        return std::make_unique<LAW>(kind, trouble);
    });
}

/// The views of all ledgers agree, and tell where each frame is.
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
    /// What is in a switch.
    struct Content
    {
        uint64_t ingress{0};   ///< bytes at the ingress
        uint64_t egress{0};    ///< bytes at the egress
        uint64_t shared{0};    ///< of the bytes at the ingress
        uint64_t headroom{0};  ///< the same
        uint64_t processed{0}; ///< bytes in the packet processor, which only the ingress counts
        uint64_t frames{0};    ///< all of them
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

    /// @return what contradicts itself in it; empty: nothing
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
        else if (MayDrop() && HasLimit() && buffer.GetUsed() > buffer.GetSize())
        {
            error << "used " << buffer.GetUsed() << " of " << buffer.GetSize();
        }
        return error.str();
    }

    bool HasLimit() const
    {
        return m_kind.policy != UnlimitedBufferPolicy::GetTypeId().GetName();
    }
};

const auto g_ledgers = MakeGeneral<LedgerLaw>();

/// Every frame that was sent is received, in order, or was lost on the way, and none is left.
class FramesLaw : public GeneralLaw
{
  public:
    using GeneralLaw::GeneralLaw;

    void Begin(RandomNetwork& network) override
    {
        GeneralLaw::Begin(network);
        m_lost = 0;
        network.ForEachDevice([this](LosslessNetDevice& device) {
            device.TraceConnectWithoutContext("Drop", MakeCallback(&FramesLaw::NotifyDrop, this));
        });
    }

    std::string End() override
    {
        uint64_t sent = 0;
        uint64_t received = 0;
        std::ostringstream error;
        for (const auto& host : m_network->GetHosts())
        {
            const bool isInOrder = host->received.IsInOrder() || !m_kind.scheme.keepsOrder;
            sent += host->nextSequence;
            received += host->received.GetArrivals().size();
            error << (host->source.GetBacklog() > 0 ? "a host is left with frames; " : "")
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
    /// A frame is lost on a cable: for good, unless it is sent again.
    void NotifyDrop(Ptr<const Packet> packet, DropReason /* reason */)
    {
        m_lost += IsLinkControl(*packet) || m_trouble == Trouble::RETRY ? 0 : 1;
    }

    uint64_t m_lost{0}; ///< frames
};

const auto g_frames = MakeGeneral<FramesLaw>();

/// Who is stopped is let go, and flow control is silent in the end.
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
        // A watchdog disturbs what is expected.
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

    uint64_t m_stops{0};      ///< decisions to stop a queue, a port or a flow
    bool m_isStopping{false}; ///< the scheme stops neighbours
    Time m_latest;            ///< when the latest frame of flow control left
};

const auto g_stops = MakeGeneral<StopsLaw>();

/// Schemes keep their promise. Where cables are cut or frames of flow control are corrupt, lossless
/// classes may lose frames: a neighbour that has forgotten its PAUSE sends a second burst. So they
/// may where a law excuses it, and where a watchdog had frames sent in spite of pauses.
///
/// What a watchdog has dropped is of its classes, and counts like any other loss.
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
        if (m_network->GetFacts().hasCuts || m_trouble == Trouble::ERRORS)
        {
            return "";
        }
        uint64_t lossless = 0;
        m_network->ForEachSwitch(
            [&lossless](SwitchNode& node) { lossless += node.GetCounts().losslessDropped; });
        std::ostringstream error;
        if (!m_network->GetFacts().isIgnoring && m_kind.scheme.promise != Promise::NOTHING &&
            lossless != m_network->GetFacts().excused)
        {
            error << lossless << " frames of lossless classes are lost, "
                  << m_network->GetFacts().excused << " may be; ";
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
    /// A switch has lost a frame.
    void NotifyDrop(const SwitchItem& item, DropReason reason)
    {
        const bool isTaken = IsOfRandomWatchdog(reason);
        m_taken += isTaken ? 1 : 0;
        m_strays +=
            isTaken && !Contains(m_network->GetFacts().watched, item.frame.priority) ? 1 : 0;
    }

    uint64_t m_taken{0};      ///< frames that a watchdog had dropped
    uint64_t m_strays{0};     ///< of classes that it did not look after
    uint64_t m_allTaken{0};   ///< in all networks
    uint64_t m_allDropped{0}; ///< by switches, the same
};

const auto g_losses = MakeGeneral<LossLaw>();

/// Runs networks, with all laws; a second run is the same.
void
RunNetworks(const SwitchKind& kind, Trouble trouble, int64_t first, int64_t last)
{
    const Laws laws = MakeLaws(kind, trouble);
    for (int64_t seed = first; seed <= last; ++seed)
    {
        RandomNetwork network(kind, trouble, seed);
        const std::string record = network.Run(laws);
        NS_TEST_EXPECT_MSG_EQ(network.GetError(), "", "seed " << seed);
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

/// Seeds of the quick tests are 1 to this, for each kind; the long ones go on to LAST_SEED.
constexpr int64_t QUICK_SEEDS = 12;
constexpr int64_t QUICK_WATCHDOG_SEEDS = 4;
/// The same with what not all schemes can bear, over all policies of a scheme.
constexpr int64_t QUICK_OWN_SEEDS = 16;
/// See QUICK_SEEDS.
constexpr int64_t LAST_SEED = 212;

/// @return up to which seed the quick tests go
int64_t
GetQuickSeeds(const SwitchKind& kind, Trouble trouble)
{
    if (IsForAll(trouble))
    {
        return trouble == Trouble::WATCHDOG ? QUICK_WATCHDOG_SEEDS : QUICK_SEEDS;
    }
    return QUICK_OWN_SEEDS / kind.scheme.GetPolicies().size();
}

/// Cases of networks for each kind. Not made before they run, when all schemes are registered,
/// those of other suites as well.
class KindsCase : public TestCase
{
  public:
    /// @param isQuick with the seeds of the quick tests, or else with the others
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

/// A line of switches with hosts at each, and flows between them.
struct Line
{
    SwitchHelper switches;         ///< of one kind
    double alpha{1.0 / 16};        ///< of the policy, if it has it
    uint64_t buffer{16 << 20};     ///< bytes of each switch
    std::string congestionControl; ///< TypeId; empty: none
    std::vector<Cable> trunks;     ///< between the switches
    std::vector<uint32_t> hosts;   ///< at each switch
    FlowList flows;                ///< by host, switch by switch
};

/// @return what went wrong; empty: every flow has arrived
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
    switches.SetPolicyAttributeIfPresent("OversubscribeRatio", DoubleValue(1)); // for all queues
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
/// fourth
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

/// Under DSH with large thresholds the queues together reach the port's level long before each
/// reaches its own, so that a scheme which overlooks that loses what exceeds the insurance.
LOSSLESS_TEST(g_suite, "Each pair of scheme and policy gets an incast in seven classes through")
{
    for (const SwitchKind& kind : GetPairs())
    {
        for (const double alpha : {4, 8})
        {
            Line line;
            line.switches = kind.MakeSwitchHelper();
            line.alpha = alpha;
            // Headroom of a queue each; DSH has one of a port, and a seventh of it is enough.
            const bool isDsh = kind.policy == "ns3::lossless::DshBufferPolicy";
            line.buffer = isDsh ? 1000000 : 3000000;
            line.hosts = {4};
            line.flows = MakeIncast();
            NS_TEST_EXPECT_MSG_EQ(Simulate(line), "", kind.name << ", alpha " << alpha);
        }
    }
}

/// Without a cycle of links no flow may wait for ever, whatever the thresholds are.
///
/// Two switches with 15 hosts each, all of which send 1 MB to one host of either side. The hosts'
/// queues hold each switch's threshold at T = (a Bs + a N eta) / (1 + a N), with their own eta and
/// N of them congested. Where the trunk's eta is more than that, DSH stops its empty queues at
/// either end, and what fills the one switch is what waits for the other's to restart.
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

/// @return a line with flows, which SIH and DSH both accept
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
            // Up to 0.5 MB under way, which is less than DSH's lowest threshold.
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
