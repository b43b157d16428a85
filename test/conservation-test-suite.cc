// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @ingroup lossless
 * What must hold for any network and any traffic: no frame appears, vanishes or overtakes, the
 * ledgers agree with themselves at any time, and the schemes keep their promise.
 */

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/boolean.h"
#include "ns3/buffer-policy.h"
#include "ns3/capfc-buffer-policy.h"
#include "ns3/cbfc-buffer-policy.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/dsh-buffer-policy.h"
#include "ns3/lossless-channel.h"
#include "ns3/lossless-fabric.h"
#include "ns3/named-choices.h"
#include "ns3/ordered-set.h"
#include "ns3/pointer.h"
#include "ns3/queue-size.h"
#include "ns3/random-variable-stream.h"
#include "ns3/results-writer.h"
#include "ns3/shp-buffer-policy.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/unlimited-buffer-policy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::lossless::tests
{

namespace THIS_FILE
{

/// A scheme over a buffer policy, and what can be expected of it.
struct Kind
{
    std::string name;        ///< for messages
    SchemeInfo scheme;       ///< what it promises
    std::string policy;      ///< TypeId of the policy
    bool hasHeadroom{false}; ///< the policy is a HeadroomBufferPolicy
    bool hasPool{false};     ///< headroom comes from a pool, which may be too small
    bool hasLimit{true};     ///< the policy keeps to the size of the memory
    bool isStandard{false};  ///< neighbours take as long as IEEE 802.3 lets them

    /// @param scheme a scheme @param policy one of its buffer policies
    Kind(const SchemeInfo& scheme, const SwitchPartChoice& policy)
        : name(scheme.name + " over " + policy.name),
          scheme(scheme),
          policy(policy.type),
          hasHeadroom(
              TypeId::LookupByName(policy.type).IsChildOf(HeadroomBufferPolicy::GetTypeId())),
          hasPool(policy.type == ShpBufferPolicy::GetTypeId().GetName()),
          hasLimit(policy.type != UnlimitedBufferPolicy::GetTypeId().GetName())
    {
    }

    /// @return a helper for its switches
    SwitchHelper MakeSwitchHelper() const
    {
        SwitchHelper switches(scheme);
        if (scheme.takesOtherPolicies)
        {
            switches.SetBufferPolicy(policy);
        }
        return switches;
    }
};

/// @param choice which schemes @return the schemes over each buffer policy that they take
std::vector<Kind>
GetKinds(const std::function<bool(const SchemeInfo&)>& choice)
{
    std::vector<Kind> kinds;
    for (const SchemeInfo& scheme : GetSchemes())
    {
        for (const SwitchPartChoice& policy : scheme.GetPolicies())
        {
            if (choice(scheme))
            {
                kinds.emplace_back(scheme, policy);
            }
        }
    }
    return kinds;
}

/// @return each scheme that goes with several policies over each of them
std::vector<Kind>
GetPairs()
{
    return GetKinds([](const SchemeInfo& scheme) { return scheme.takesOtherPolicies; });
}

/// @return all kinds, but for schemes that may lock or are one of the pairs, and two more
std::vector<Kind>
GetAllKinds()
{
    std::vector<Kind> kinds = GetKinds(
        [](const SchemeInfo& scheme) { return scheme.general.empty() && !scheme.mayLock; });
    SchemeInfo plain{"plain", "ns3::lossless::SwitchNode"};
    plain.promise = Promise::ALL_CLASSES;
    kinds.emplace_back(plain, plain.GetPolicies().front());
    const SchemeInfo sih = *FindScheme("SIH");
    kinds.emplace_back(sih, sih.GetPolicies().front());
    kinds.back().name = "SIH and slow";
    kinds.back().isStandard = true;
    return kinds;
}

/// Classes under flow control; the others may be dropped.
constexpr PrioritySet LOSSLESS = 0x0e;

/// Seeds of the quick tests are 1 to this; the long ones go on to LAST_SEED.
constexpr int64_t QUICK_SEEDS = 12;
/// See QUICK_SEEDS.
constexpr int64_t LAST_SEED = 212;

/// TypeId of the policy whose thresholds do not move.
const std::string STATIC = "ns3::lossless::StaticBufferPolicy";

/// Level of GFC and G-PFC, bytes, which the threshold of an empty switch must exceed.
constexpr int LEVEL = 8000;

/// What a run leaves behind.
struct Outcome
{
    uint64_t sent{0};       ///< frames that hosts sent
    uint64_t received{0};   ///< frames that hosts received
    uint64_t dropped{0};    ///< frames that switches and cables lost
    uint64_t lossless{0};   ///< of them in lossless classes
    uint64_t excused{0};    ///< of these, where a pool was too small for the congested queues
    uint64_t pauses{0};     ///< decisions to stop a queue, a port or a flow
    bool isStopping{false}; ///< the scheme stops neighbours
    uint64_t stored{0};     ///< bytes in the switches at the end
    uint64_t stopped{0};    ///< queues and ports that are stopped at the end
    bool hasFlaps{false};   ///< links went down and up
    bool isIgnoring{false}; ///< a watchdog had frames sent in spite of pauses
    uint64_t taken{0};      ///< frames that a watchdog had dropped
    uint64_t strays{0};     ///< of these, of classes that it did not look after
    bool isInOrder{true};   ///< within each flow
    std::string record;     ///< every arrival and every counter
    std::string error;      ///< of an identity that did not hold at some time; empty: all held
};

// Why a toy watchdog has frames dropped.
const RegisterDropReason g_discarded({"toy-discarded", DropPlace::EGRESS});
const RegisterDropReason g_refusedArrival({"toy-refused-arrival"});
const RegisterDropReason g_refusedEgress({"toy-refused-egress", DropPlace::EGRESS});

/// One random network with random traffic.
class RandomRun
{
  public:
    /// @param kind of the switches @param seed of everything random @param hasWatchdog whether
    /// one acts beside the scheme
    RandomRun(const Kind& kind, int64_t seed, bool hasWatchdog = false)
        : m_kind(kind),
          m_isFair(seed % 3 == 0),
          m_countsWholeQueues(seed % 2 == 0),
          m_egressXoff(seed % 13 * 5000),
          m_hasWatchdog(hasWatchdog),
          m_random(CreateObject<UniformRandomVariable>())
    {
        m_random->SetStream(seed);
    }

    /// @return the outcome
    Outcome Run();

  private:
    template <typename ID>
    void NotifyState(ID /* queue or port */, bool paused)
    {
        m_outcome.pauses += paused ? 1 : 0;
    }

    void NotifyFlowState(QueueId /* queue */, uint64_t /* flow */, bool paused)
    {
        m_outcome.pauses += paused ? 1 : 0;
    }

    /// @param least smallest @param most largest @return a random number between them
    uint32_t Draw(uint32_t least, uint32_t most)
    {
        return m_random->GetInteger(least, most);
    }

    /// @return a random rate
    DataRate DrawRate()
    {
        constexpr std::array<uint64_t, 5> gigabits{10, 25, 40, 100, 400};
        return DataRate(gigabits[Draw(0, gigabits.size() - 1)] * 1000000000);
    }

    /// @return a random propagation delay: 10 m to 600 m, and now and then 4 km
    Time DrawDelay()
    {
        return NanoSeconds(Draw(0, 9) == 0 ? 20000 : Draw(50, 3000));
    }

    /// @return a star, a random tree or a leaf-spine network
    Topology DrawTopology();
    /// @return one switch and hosts at unequal links, as many as 63 of them
    Topology DrawStar();
    /// @return switches and hosts at unequal links
    Topology DrawTree();
    /// @return switches with random settings
    SwitchHelper DrawSwitches();
    /// Gives a switch little more buffer than the least that it accepts, or just that of CaPFC.
    /// @param node the switch
    void DrawBuffer(SwitchNode& node);
    /// @param node a switch of which all links are there @return what its parts will be told
    static SwitchShape GetShape(const SwitchNode& node);
    /// @param flowControl of a switch @return whether it refuses a threshold that is not above
    /// LEVEL
    static bool HasLevel(const FlowControl& flowControl);
    /// Draws the headroom pool of a switch: all that its queues may take, down to a 32nd. An eighth
    /// is enough under G-PFC in most runs, since all classes of a port stop together.
    /// @param helper of the switches
    void DrawPool(SwitchHelper& helper);
    /// Cuts and mends links at random times.
    void DrawFlaps();

    /// Acts beside the scheme at random times, as a watchdog that sees storms everywhere.
    void DrawWatchdog();
    /// Acts once, and takes it back later. @param priority class that it concerns
    void DrawAct(Priority priority);

    /// A frame was lost. @param classes that the watchdog looks after @param item the frame
    /// @param reason why it is lost
    void NotifyTaken(PrioritySet classes, const SwitchItem& item, DropReason reason)
    {
        const bool isTaken = reason == DropReason(g_discarded) ||
                             reason == DropReason(g_refusedArrival) ||
                             reason == DropReason(g_refusedEgress);
        m_outcome.taken += isTaken ? 1 : 0;
        m_outcome.strays += isTaken && !Contains(classes, item.frame.priority) ? 1 : 0;
    }

    /// A switch with a pool lost a frame, which it may only if the pool does not cover the queues
    /// that are congested together. @param index of the switch @param item the frame
    void NotifySwitchDrop(uint32_t index, const SwitchItem& item, DropReason reason);

    /// A frame is lost on a cable that was cut. @param packet the frame
    void NotifyDeviceDrop(Ptr<const Packet> packet, DropReason /* reason */)
    {
        m_outcome.dropped += IsLinkControl(*packet) ? 0 : 1;
    }

    /// @param function called with each device of the network
    void ForEachDevice(const std::function<void(LosslessNetDevice&)>& function) const;
    /// Makes the hosts send bursts of frames. @param host a host @param hosts number of hosts
    void DrawTraffic(TestHost& host, uint32_t hosts);
    /// Compares the views of all ledgers; called at random times, and at the end.
    void CheckLedgers();
    /// @param node a switch @return what contradicts itself in it; empty: nothing
    std::string CheckLedger(SwitchNode& node) const;
    /// Writes down what the hosts have counted.
    void RecordHosts();
    /// Writes down what a switch has counted. @param node the switch
    void RecordSwitch(SwitchNode& node);

    /// @return whether frames may be lost at all
    bool MayDrop() const
    {
        return m_kind.scheme.promise != Promise::ALL_CLASSES;
    }

    const Kind& m_kind;
    bool m_isFair; ///< egress queues, unless the switch has its own; not drawn: draws stay the same
    bool m_countsWholeQueues; ///< at the egress, by OFC; not drawn either
    int m_egressXoff;         ///< of CaPFC-Both, bytes; not drawn either
    bool m_hasWatchdog;       ///< one acts beside the scheme
    Ptr<UniformRandomVariable> m_random;
    uint32_t m_mtu{1500};
    double m_alpha{1};
    std::unique_ptr<Fabric> m_fabric;
    std::vector<std::unique_ptr<TestHost>> m_hosts;
    Outcome m_outcome;
};

Topology
RandomRun::DrawTopology()
{
    switch (Draw(0, 2))
    {
    case 0:
        return DrawStar();
    case 1:
        return DrawTree();
    default:
        LeafSpineOptions options;
        options.leaves = Draw(2, 3);
        options.spines = Draw(1, 3);
        options.hostsPerLeaf = Draw(1, 4);
        options.delay = DrawDelay();
        return Topology::LeafSpine(options);
    }
}

Topology
RandomRun::DrawStar()
{
    Topology star;
    const uint32_t node = star.AddSwitch("s0");
    for (uint32_t i = Draw(0, 3) == 0 ? Draw(9, 63) : Draw(2, 8); i > 0; --i)
    {
        star.AddLink(star.AddHost("h" + std::to_string(i)), node, DrawRate(), DrawDelay());
    }
    return star;
}

Topology
RandomRun::DrawTree()
{
    Topology tree;
    std::vector<uint32_t> switches;
    for (uint32_t i = Draw(2, 5); i > 0; --i)
    {
        const uint32_t node = tree.AddSwitch("s" + std::to_string(i));
        if (!switches.empty())
        {
            tree.AddLink(switches[Draw(0, switches.size() - 1)], node, DrawRate(), DrawDelay());
        }
        switches.push_back(node);
    }
    for (uint32_t i = Draw(3, 9); i > 0; --i)
    {
        tree.AddLink(tree.AddHost("h" + std::to_string(i)),
                     switches[Draw(0, switches.size() - 1)],
                     DrawRate(),
                     DrawDelay());
    }
    return tree;
}

SwitchHelper
RandomRun::DrawSwitches()
{
    SwitchHelper helper = m_kind.MakeSwitchHelper();
    if (m_isFair && !m_kind.scheme.hasOwnQueues)
    {
        helper.SetEgressQueue("ns3::lossless::FairEgressQueue");
    }
    if (m_kind.policy == STATIC)
    {
        helper.SetPolicyAttribute("Xoff", UintegerValue(30000));
        helper.SetPolicyAttribute("Xon", UintegerValue(Draw(1, 30000)));
    }
    else if (m_kind.hasHeadroom)
    {
        m_alpha = std::pow(2, m_random->GetValue(-7, 3));
        helper.SetPolicyAttribute("Alpha", DoubleValue(m_alpha));
    }
    helper.SetPolicyAttributeIfPresent("QueueLimit", QueueSizeValue(QueueSize("30p")));
    // Levels of schemes, below the XOFF of 30 kB, but for that of a second queue.
    for (const auto& [name, bytes] : {std::pair("PredictionLevel", 5000),
                                      std::pair("EgressXoff", m_egressXoff),
                                      std::pair("FirstStage", LEVEL),
                                      std::pair("LowXoff", LEVEL),
                                      std::pair("PauseThreshold", 6000),
                                      std::pair("EcnThreshold", 3000)})
    {
        helper.SetFlowControlAttributeIfPresent(name, UintegerValue(bytes));
    }
    helper.SetFlowControlAttributeIfPresent("CongestionShare", DoubleValue(0.2));
    helper.SetFlowControlAttributeIfPresent("ResumeShare", DoubleValue(0.1));
    helper.SetFlowControlAttributeIfPresent("WholeEgressQueues", BooleanValue(m_countsWholeQueues));
    if (m_kind.hasHeadroom)
    {
        helper.SetPolicyAttribute("LossyAlpha", DoubleValue(0.2));
    }
    helper.SetAttribute("LosslessClasses", UintegerValue(LOSSLESS));
    if (m_kind.hasPool)
    {
        DrawPool(helper);
    }
    if (Draw(0, 1) == 1)
    {
        helper.SetProcessor("ns3::lossless::SharedProcessor",
                            "Latency",
                            TimeValue(NanoSeconds(300)));
    }
    constexpr std::array<uint32_t, 4> cells{1, 1, 80, 208};
    helper.SetBufferAttribute("CellBytes", UintegerValue(cells[Draw(0, cells.size() - 1)]));
    return helper;
}

void
RandomRun::DrawPool(SwitchHelper& helper)
{
    helper.SetPolicyAttribute("OversubscribeRatio",
                              DoubleValue(std::pow(2, m_random->GetValue(0, 5))));
}

void
RandomRun::NotifySwitchDrop(uint32_t index, const SwitchItem& item, DropReason reason)
{
    if (reason != DropReason::HEADROOM_FULL)
    {
        return;
    }
    // The queue of the frame needs headroom now, the stopped ones may have some in use.
    SwitchNode& node = *m_fabric->GetSwitch(index);
    const auto policy = DynamicCast<ShpBufferPolicy>(node.GetBufferPolicy());
    uint64_t limits = 0;
    for (uint16_t port = 0; port < node.GetNDevices(); ++port)
    {
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            const QueueId queue{PortId{port}, Priority{p}};
            const bool isCongested = node.GetSharedBuffer()->GetIngress(queue).paused ||
                                     Index(queue) == Index(item.GetIngressQueue());
            limits += isCongested ? policy->GetPortHeadroom(queue.port) : 0;
        }
    }
    m_outcome.excused += limits > policy->GetPoolSize() ? 1 : 0;
}

SwitchShape
RandomRun::GetShape(const SwitchNode& node)
{
    SwitchShape shape;
    UintegerValue cell;
    PointerValue buffer;
    node.GetAttribute("SharedBuffer", buffer);
    buffer.Get<SharedBuffer>()->GetAttribute("CellBytes", cell);
    shape.cellBytes = cell.Get();
    shape.lossless = LOSSLESS;
    for (uint16_t i = 0; i < node.GetNDevices(); ++i)
    {
        const Ptr<LosslessNetDevice> device = node.GetPortDevice(PortId{i});
        const Time delay = DynamicCast<LosslessChannel>(device->GetChannel())->GetDelay();
        shape.ports.push_back({device->GetDataRate(), delay, device->GetMtu()});
    }
    return shape;
}

bool
RandomRun::HasLevel(const FlowControl& flowControl)
{
    const TypeId type = flowControl.GetInstanceTypeId();
    TypeId::AttributeInformation info;
    return type.LookupAttributeByName("FirstStage", &info) ||
           type.LookupAttributeByName("LowXoff", &info);
}

void
RandomRun::DrawBuffer(SwitchNode& node)
{
    SwitchShape shape = GetShape(node);
    if (auto policy = DynamicCast<CapfcBufferPolicy>(node.GetBufferPolicy()))
    {
        uint64_t room = 0;
        for (const PortLink& link : shape.ports)
        {
            room = std::max(room, GetWorstCaseHeadroomBytes(link, shape.cellBytes));
        }
        policy->SetAttribute("IngressMax", UintegerValue(50000 + room)); // XOFF of either side
        policy->SetAttribute("EgressMax", UintegerValue(25000 + room));
        // Each queue has its own memory, whatever the size of the whole is.
        const uint64_t size = shape.ports.size() * NUM_PRIORITIES * (75000 + 2 * room);
        node.GetSharedBuffer()->SetAttribute("Size", UintegerValue(size));
    }
    if (auto policy = DynamicCast<CbfcBufferPolicy>(node.GetBufferPolicy()))
    {
        shape.bufferBytes = uint64_t{1} << 40; // the policy then tells what it grants
        const auto error = policy->Configure(shape);
        NS_ABORT_MSG_IF(error, *error);
        node.GetSharedBuffer()->SetAttribute(
            "Size",
            UintegerValue(policy->GetGrantedBytes() + Draw(10000, 60000)));
    }
    if (!m_kind.hasHeadroom)
    {
        return;
    }
    // Configured for a huge memory, the policy tells what it sets aside of any.
    shape.bufferBytes = uint64_t{1} << 40;
    auto policy = DynamicCast<HeadroomBufferPolicy>(node.GetBufferPolicy());
    policy->Configure(shape);
    const uint64_t reserved = shape.bufferBytes - policy->GetSharedSize();
    // The least that is shared: a threshold above zero, which DSH wants above eta.
    const bool isDsh = DynamicCast<DshBufferPolicy>(policy) != nullptr;
    const uint64_t above = HasLevel(*node.GetFlowControl()) ? LEVEL : 0;
    const uint64_t threshold = (isDsh ? policy->GetLargestHeadroom() : 0) + above + 2;
    const auto least = m_kind.policy == STATIC
                           ? 30000
                           : static_cast<uint64_t>(static_cast<double>(threshold) / m_alpha) + 1;
    // Frames which do not fit into an empty memory would be lost whatever its rules are.
    const uint64_t spare = Draw(0, 1) ? Draw(0, 30000) : Draw(0, 300000);
    node.GetSharedBuffer()->SetAttribute("Size", UintegerValue(reserved + least + spare));
}

void
RandomRun::DrawFlaps()
{
    m_outcome.hasFlaps = Draw(0, 3) == 0;
    for (uint32_t i = m_outcome.hasFlaps ? Draw(1, 4) : 0; i > 0; --i)
    {
        Ptr<SwitchNode> node = m_fabric->GetSwitch(Draw(0, m_fabric->GetNSwitches() - 1));
        const PortId port{static_cast<uint16_t>(Draw(0, node->GetNDevices() - 1))};
        auto channel = DynamicCast<LosslessChannel>(node->GetPortDevice(port)->GetChannel());
        const Time down = NanoSeconds(Draw(1000, 200000));
        Simulator::Schedule(down, &LosslessChannel::SetUp, channel, false);
        Simulator::Schedule(down + NanoSeconds(Draw(1, 20000)),
                            &LosslessChannel::SetUp,
                            channel,
                            true);
    }
}

void
RandomRun::DrawWatchdog()
{
    m_outcome.isIgnoring = Draw(0, 1) == 1;
    const std::array<Priority, 2> classes{Priority{static_cast<uint8_t>(Draw(1, 3))},
                                          Priority{static_cast<uint8_t>(Draw(0, 7))}};
    for (uint32_t i = 0; i < m_fabric->GetNSwitches(); ++i)
    {
        const PrioritySet both = SetOf(classes[0]) | SetOf(classes[1]);
        m_fabric->GetSwitch(i)->TraceConnectWithoutContext(
            "Drop",
            MakeCallback(&RandomRun::NotifyTaken, this).Bind(both));
    }
    for (uint32_t i = Draw(20, 60); i > 0; --i)
    {
        DrawAct(classes[Draw(0, 1)]);
    }
}

void
RandomRun::DrawAct(Priority priority)
{
    Ptr<SwitchNode> node = m_fabric->GetSwitch(Draw(0, m_fabric->GetNSwitches() - 1));
    const PortId port{static_cast<uint16_t>(Draw(0, node->GetNDevices() - 1))};
    const QueueId queue{port, priority};
    const Time start = NanoSeconds(Draw(0, 200000));
    const Time end = start + NanoSeconds(Draw(1, 50000));
    const auto refuse = [&](DropPlace side, DropReason reason) {
        Simulator::Schedule(start, &SwitchNode::SetRefusing, node, side, queue, reason);
        Simulator::Schedule(end, &SwitchNode::SetRefusing, node, side, queue, std::nullopt);
    };
    switch (Draw(0, m_outcome.isIgnoring ? 3 : 2))
    {
    case 0:
        Simulator::Schedule(start, &SwitchNode::Discard, node, queue, DropReason(g_discarded));
        break;
    case 1:
        refuse(DropPlace::INGRESS, g_refusedArrival);
        break;
    case 2:
        refuse(DropPlace::EGRESS, g_refusedEgress);
        break;
    default:
        // Of this end of the cable, or of the other one, which may be a host.
        Ptr<LosslessNetDevice> device = node->GetPortDevice(port);
        device = Draw(0, 1) ? device : device->GetPeer();
        Simulator::Schedule(start, [device, priority] {
            device->GetGate()->SetIgnoring(device->GetGate()->GetIgnored() | SetOf(priority));
        });
        Simulator::Schedule(end, [device, priority] {
            device->GetGate()->SetIgnoring(device->GetGate()->GetIgnored() & ~SetOf(priority));
        });
    }
}

void
RandomRun::ForEachDevice(const std::function<void(LosslessNetDevice&)>& function) const
{
    for (uint32_t i = 0; i < m_fabric->GetNSwitches(); ++i)
    {
        Ptr<SwitchNode> node = m_fabric->GetSwitch(i);
        for (uint16_t port = 0; port < node->GetNDevices(); ++port)
        {
            function(*node->GetPortDevice(PortId{port}));
        }
    }
    for (uint32_t i = 0; i < m_fabric->GetNHosts(); ++i)
    {
        function(*m_fabric->GetHostDevice(i));
    }
}

void
RandomRun::DrawTraffic(TestHost& host, uint32_t hosts)
{
    std::vector<uint32_t> times(25);
    std::generate(times.begin(), times.end(), [this]() { return Draw(0, 100000); });
    std::sort(times.begin(), times.end());
    for (const uint32_t time : times)
    {
        // Half of all bursts go to one host.
        uint32_t destination = Draw(0, 1) ? 0 : Draw(0, hosts - 1);
        if (GetHostAddress(destination) == host.address)
        {
            destination = (destination + 1) % hosts;
        }
        const uint8_t dscp = Draw(0, 1) ? Draw(8, 31) : Draw(0, 63);
        // The shortest and the longest frames are the worst for headroom.
        const std::array<uint32_t, 3> bytes{60, m_mtu + 14, Draw(60, m_mtu + 14)};
        host.Send(destination, dscp, bytes[Draw(0, 2)], Draw(1, 60), NanoSeconds(time));
    }
}

std::string
RandomRun::CheckLedger(SwitchNode& node) const
{
    const SharedBuffer& buffer = *node.GetSharedBuffer();
    const SwitchNode::Counts& counts = node.GetCounts();
    uint64_t ingress = 0;
    uint64_t egress = 0;
    uint64_t shared = 0;
    uint64_t headroom = 0;
    uint64_t frames = 0;
    for (uint16_t port = 0; port < node.GetNDevices(); ++port)
    {
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            const QueueId queue{PortId{port}, Priority{p}};
            ingress += buffer.GetIngress(queue).GetTotal();
            shared += buffer.GetIngress(queue).shared;
            headroom += buffer.GetIngress(queue).headroom;
            egress += buffer.GetEgress(queue).bytes;
            frames += buffer.GetEgress(queue).frames;
        }
    }
    uint64_t processed = 0; // in the packet processor, which only the ingress counts
    if (Ptr<PacketProcessor> processor = node.GetProcessor())
    {
        processor->ForEach([&](const SwitchItem& item) {
            processed += item.bufferBytes;
            ++frames;
        });
    }
    const uint64_t dropped =
        std::accumulate(counts.dropped.begin(), counts.dropped.end(), uint64_t{0});
    std::ostringstream error;
    const bool isWhole = buffer.IsTwoSided()
                             ? ingress == processed && ingress + egress == buffer.GetUsed()
                             : ingress == egress + processed && ingress == buffer.GetUsed();
    if (!isWhole || shared != buffer.GetSharedUsed() || headroom != buffer.GetHeadroomUsed())
    {
        error << "ingress " << ingress << " egress " << egress << " used " << buffer.GetUsed()
              << " shared " << shared << " of " << buffer.GetSharedUsed() << " headroom "
              << headroom << " of " << buffer.GetHeadroomUsed();
    }
    else if (counts.received != counts.sent + dropped + frames)
    {
        error << "received " << counts.received << " sent " << counts.sent << " dropped " << dropped
              << " stored " << frames;
    }
    else if (MayDrop() && m_kind.hasLimit && buffer.GetUsed() > buffer.GetSize())
    {
        error << "used " << buffer.GetUsed() << " of " << buffer.GetSize();
    }
    return error.str();
}

void
RandomRun::CheckLedgers()
{
    for (uint32_t i = 0; i < m_fabric->GetNSwitches() && m_outcome.error.empty(); ++i)
    {
        m_outcome.error = CheckLedger(*m_fabric->GetSwitch(i));
    }
}

void
RandomRun::RecordHosts()
{
    std::ostringstream record;
    for (const auto& host : m_hosts)
    {
        m_outcome.sent += host->nextSequence;
        m_outcome.received += host->received.GetArrivals().size();
        m_outcome.isInOrder = m_outcome.isInOrder && host->received.IsInOrder();
        for (const Arrival& arrival : host->received.GetArrivals())
        {
            record << arrival.time.GetNanoSeconds() << " " << arrival.source << " "
                   << arrival.sequence << "\n";
        }
    }
    m_outcome.record += record.str();
}

void
RandomRun::RecordSwitch(SwitchNode& node)
{
    const SwitchNode::Counts& counts = node.GetCounts();
    m_outcome.dropped += std::accumulate(counts.dropped.begin(), counts.dropped.end(), uint64_t{0});
    m_outcome.lossless += counts.losslessDropped;
    m_outcome.stored += node.GetSharedBuffer()->GetUsed();
    for (uint16_t port = 0; port < node.GetNDevices(); ++port)
    {
        m_outcome.stopped += node.GetSharedBuffer()->GetIngressPort(PortId{port}).paused;
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            const QueueId queue{PortId{port}, Priority{p}};
            m_outcome.stopped += node.GetFlowControl()->IsHolding(queue);
        }
    }
    m_outcome.record += "sent " + std::to_string(counts.sent) + "\n";
}

Outcome
RandomRun::Run()
{
    Config::SetDefault("ns3::lossless::TransmitGate::StandardResponse",
                       BooleanValue(m_kind.isStandard));
    m_fabric = std::make_unique<Fabric>(DrawTopology(), DrawSwitches());
    m_mtu = Draw(0, 2) == 0 ? 9000 : 1500;
    ForEachDevice([this](LosslessNetDevice& device) {
        device.SetMtu(m_mtu);
        device.TraceConnectWithoutContext("Drop", MakeCallback(&RandomRun::NotifyDeviceDrop, this));
    });
    for (uint32_t i = 0; i < m_fabric->GetNSwitches(); ++i)
    {
        Ptr<SwitchNode> node = m_fabric->GetSwitch(i);
        DrawBuffer(*node);
        node->GetFlowControl()->TraceConnectWithoutContext(
            "QueueState",
            MakeCallback(&RandomRun::NotifyState<QueueId>, this));
        node->GetFlowControl()->TraceConnectWithoutContext(
            "PortState",
            MakeCallback(&RandomRun::NotifyState<PortId>, this));
        node->GetFlowControl()->TraceConnectWithoutContext(
            "FlowState",
            MakeCallback(&RandomRun::NotifyFlowState, this));
        m_outcome.isStopping =
            node->GetFlowControl()->IsLossless() && !node->GetFlowControl()->IsRedirecting();
        if (m_kind.hasPool)
        {
            node->TraceConnectWithoutContext(
                "Drop",
                MakeCallback(&RandomRun::NotifySwitchDrop, this).Bind(i));
        }
    }
    for (uint32_t i = 0; i < m_fabric->GetNHosts(); ++i)
    {
        m_hosts.push_back(std::make_unique<TestHost>(m_fabric->GetHostDevice(i), i));
    }
    for (const auto& host : m_hosts)
    {
        DrawTraffic(*host, m_hosts.size());
    }
    for (uint32_t i = 0; i < 100; ++i)
    {
        Simulator::Schedule(NanoSeconds(Draw(0, 400000)), &RandomRun::CheckLedgers, this);
    }
    DrawFlaps();
    if (m_hasWatchdog)
    {
        DrawWatchdog();
    }
    m_fabric->AssignStreams(1000);
    Simulator::Stop(MilliSeconds(200)); // a standstill would be refreshed for ever
    Simulator::Run();
    CheckLedgers();
    RecordHosts();
    for (uint32_t i = 0; i < m_fabric->GetNSwitches(); ++i)
    {
        RecordSwitch(*m_fabric->GetSwitch(i));
    }
    m_fabric.reset();
    Simulator::Destroy();
    Config::Reset();
    return m_outcome;
}

/**
 * For one kind of switch: every frame that was sent is received or was dropped, none is left in a
 * switch, nobody is left stopped, flows keep their order, and a second run is the same.
 *
 * Traffic and buffers are such that flow control works hard and drop-tail queues overflow: a test
 * in which nothing happens would hold whatever the code does. Where links go down and up, lossless
 * classes may lose frames: a neighbour that has forgotten its PAUSE sends a second burst. So they
 * may where the headroom pool is smaller than the headroom of the queues that are congested at that
 * moment, and where a watchdog had frames sent in spite of pauses.
 *
 * What a watchdog has dropped is of its classes, and counts like any other loss.
 */
class ConservationCase : public TestCase
{
  public:
    /// @param kind of the switches @param first seed @param last seed @param hasWatchdog whether
    /// one acts beside the scheme
    ConservationCase(const Kind& kind, int64_t first, int64_t last, bool hasWatchdog)
        : TestCase("random networks of " + kind.name + " switches" +
                   (hasWatchdog ? " with a watchdog" : "") + ", seeds " + std::to_string(first) +
                   " to " + std::to_string(last)),
          m_kind(kind),
          m_first(first),
          m_last(last),
          m_hasWatchdog(hasWatchdog)
    {
    }

  private:
    void DoRun() override
    {
        uint64_t pauses = 0;
        uint64_t dropped = 0;
        uint64_t covered = 0; // runs without loss
        uint64_t excused = 0;
        bool isStopping = false;
        uint64_t taken = 0;
        for (int64_t seed = m_first; seed <= m_last; ++seed)
        {
            const Outcome outcome = RandomRun(m_kind, seed, m_hasWatchdog).Run();
            taken += outcome.taken;
            Check(outcome, "seed " + std::to_string(seed));
            pauses += outcome.pauses;
            isStopping = outcome.isStopping;
            dropped += outcome.dropped;
            covered += outcome.lossless == 0 ? 1 : 0;
            excused += outcome.excused;
            if (seed <= 3)
            {
                const Outcome again = RandomRun(m_kind, seed, m_hasWatchdog).Run();
                NS_TEST_ASSERT_MSG_EQ((again.record == outcome.record),
                                      true,
                                      "a second run with seed " << seed << " differs");
            }
        }
        NS_TEST_ASSERT_MSG_EQ((taken > 100), m_hasWatchdog, taken << " frames taken by a watchdog");
        if (m_hasWatchdog)
        {
            return; // it disturbs what is expected below
        }
        NS_TEST_ASSERT_MSG_EQ((pauses > 100), isStopping, pauses << " stops");
        if (m_kind.scheme.promise != Promise::ALL_CLASSES)
        {
            NS_TEST_ASSERT_MSG_GT(dropped, 100, "drops");
        }
        if (m_kind.hasPool)
        {
            NS_TEST_ASSERT_MSG_GT(covered, 0, "runs in which the pool was enough");
            NS_TEST_ASSERT_MSG_GT(excused, 0, "frames lost where it was not");
        }
    }

    void Check(const Outcome& outcome, const std::string& what)
    {
        const SchemeInfo& scheme = m_kind.scheme;
        NS_TEST_ASSERT_MSG_EQ(outcome.error, "", what);
        NS_TEST_ASSERT_MSG_GT(outcome.sent, 1000, what << ": frames sent");
        NS_TEST_ASSERT_MSG_EQ(outcome.sent, outcome.received + outcome.dropped, what);
        NS_TEST_ASSERT_MSG_EQ(outcome.stored, 0, what << ": bytes left in switches");
        NS_TEST_ASSERT_MSG_EQ(outcome.stopped, 0, what << ": queues and ports left stopped");
        NS_TEST_ASSERT_MSG_EQ((outcome.isInOrder || !scheme.keepsOrder),
                              true,
                              what << ": order within flows");
        NS_TEST_ASSERT_MSG_EQ(outcome.strays, 0, what << ": other classes taken by a watchdog");
        if (!outcome.hasFlaps && !outcome.isIgnoring && scheme.promise != Promise::NOTHING)
        {
            NS_TEST_ASSERT_MSG_EQ(outcome.lossless,
                                  outcome.excused,
                                  what << ": lost in lossless classes");
        }
        if (!outcome.hasFlaps && scheme.promise == Promise::ALL_CLASSES)
        {
            NS_TEST_ASSERT_MSG_EQ(outcome.dropped, outcome.taken, what << ": drops");
        }
    }

    const Kind m_kind;
    int64_t m_first;
    int64_t m_last;
    bool m_hasWatchdog;
};

/// One ConservationCase for each kind. Not made before it runs, when all schemes are registered,
/// those of other suites as well.
class AllKindsCase : public TestCase
{
  public:
    /// @param first seed @param last seed @param hasWatchdog whether one acts beside the scheme
    AllKindsCase(int64_t first, int64_t last, bool hasWatchdog = false)
        : TestCase("random networks, seeds " + std::to_string(first) + " to " +
                   std::to_string(last) + (hasWatchdog ? ", with a watchdog" : "")),
          m_first(first),
          m_last(last),
          m_hasWatchdog(hasWatchdog)
    {
    }

  private:
    void DoSetup() override
    {
        for (const Kind& kind : GetAllKinds())
        {
            AddTestCase(new ConservationCase(kind, m_first, m_last, m_hasWatchdog), tests::QUICK);
        }
    }

    void DoRun() override
    {
    }

    int64_t m_first;
    int64_t m_last;
    bool m_hasWatchdog;
};

/// A line of switches with hosts at each, and flows between them.
struct Line
{
    SwitchHelper switches;         ///< of one kind
    double alpha{1.0 / 16};        ///< of the policy, if it has it
    uint64_t buffer{16 << 20};     ///< bytes of each switch
    std::string congestionControl; ///< TypeId; empty: none
    std::vector<Cable> trunks;     ///< between the switches
    std::vector<uint32_t> hosts;   ///< at each switch
    uint8_t classes{1};            ///< that the flows take in turn
    FlowList flows;                ///< by host, switch by switch
};

/// @param line the network and its flows @return what went wrong; empty: every flow has arrived
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

/**
 * An incast over little buffer: all allowed pairs of scheme and policy lose nothing and end. Under
 * DSH with large thresholds the queues together reach the port's level long before each reaches its
 * own, so that a scheme which overlooks that loses what exceeds the insurance.
 */
class IncastCase : public TestCase
{
  public:
    IncastCase()
        : TestCase("Each pair of scheme and policy gets an incast in seven classes through")
    {
    }

  private:
    void DoRun() override
    {
        for (const Kind& kind : GetPairs())
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
};

/**
 * Without a cycle of links no flow may wait for ever, whatever the thresholds are.
 *
 * Two switches with 15 hosts each, all of which send 1 MB to one host of either side. The hosts'
 * queues hold each switch's threshold at T = (a Bs + a N eta) / (1 + a N), with their own eta and N
 * of them congested. Where the trunk's eta is more than that, DSH stops its empty queues at either
 * end, and what fills the one switch is what waits for the other's to restart.
 */
class DumbbellProgressCase : public TestCase
{
  public:
    /// @param trunk cable between the switches @param classes of the flows
    DumbbellProgressCase(const Cable& trunk, uint8_t classes)
        : TestCase("every flow over a line of two switches ends, " + std::to_string(classes) +
                   " classes, trunk of " + std::to_string(trunk.delay.GetNanoSeconds()) + " ns"),
          m_trunk(trunk),
          m_classes(classes)
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string scheme : {"PFC", "DSH"})
        {
            for (const std::string control : {"", "ns3::lossless::Dcqcn"})
            {
                Line line;
                line.switches = SwitchHelper(*FindScheme(scheme));
                line.congestionControl = control;
                line.trunks = {m_trunk};
                line.hosts = {15, 15};
                line.flows = MakeFlows(30, {0, 15}, m_classes);
                NS_TEST_EXPECT_MSG_EQ(Simulate(line), "", scheme << " " << control);
            }
        }
    }

    Cable m_trunk;
    uint8_t m_classes;
};

/// The same for random lines with random flows, lossless and to the end.
class RandomProgressCase : public TestCase
{
  public:
    /// @param first seed @param last seed
    RandomProgressCase(int64_t first, int64_t last)
        : TestCase("every flow over a random line of switches ends, seeds " +
                   std::to_string(first) + " to " + std::to_string(last)),
          m_first(first),
          m_last(last)
    {
    }

  private:
    void DoRun() override
    {
        for (int64_t seed = m_first; seed <= m_last; ++seed)
        {
            const std::vector<Kind> pairs = GetPairs();
            for (std::size_t i :
                 {std::size_t{0}, std::size_t{1}, static_cast<std::size_t>(seed) % pairs.size()})
            {
                Line line = DrawLine(seed);
                line.switches = pairs[i].MakeSwitchHelper();
                NS_TEST_EXPECT_MSG_EQ(Simulate(line), "", pairs[i].name << ", seed " << seed);
            }
        }
    }

    /// @param seed of everything random @return a line, which SIH and DSH both accept
    static Line DrawLine(int64_t seed)
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(seed);
        const auto draw = [random](uint32_t least, uint32_t most) {
            return random->GetInteger(least, most);
        };
        Line line;
        const uint32_t switches = draw(2, 4);
        uint32_t hosts = 0;
        for (uint32_t i = 0; i < switches; ++i)
        {
            line.hosts.push_back(draw(2, 12));
            hosts += line.hosts.back();
            if (i > 0)
            {
                // Up to 0.5 MB under way, which is less than the least of DSH's thresholds.
                const bool isFast = draw(0, 1);
                line.trunks.push_back({DataRate(isFast ? "400Gbps" : "100Gbps"),
                                       NanoSeconds(draw(100, isFast ? 5000 : 20000))});
            }
        }
        line.alpha = std::pow(2, random->GetValue(-5, 3));
        line.buffer = (24 << 20) + draw(0, 8 << 20);
        line.classes = draw(1, 7);
        line.flows =
            MakeFlows(hosts, {draw(0, hosts / 2 - 1), draw(hosts / 2, hosts - 2)}, line.classes);
        return line;
    }

    int64_t m_first;
    int64_t m_last;
};

class ConservationTestSuite : public TestSuite
{
  public:
    ConservationTestSuite()
        : TestSuite("lossless-conservation", tests::SYSTEM)
    {
        AddTestCase(new AllKindsCase(1, QUICK_SEEDS), tests::QUICK);
        AddTestCase(new AllKindsCase(QUICK_SEEDS + 1, LAST_SEED), tests::EXTENSIVE);
        AddTestCase(new AllKindsCase(1, QUICK_SEEDS / 3, true), tests::QUICK);
        AddTestCase(new AllKindsCase(QUICK_SEEDS / 3 + 1, LAST_SEED, true), tests::EXTENSIVE);
        AddTestCase(new IncastCase, tests::QUICK);
        AddTestCase(new DumbbellProgressCase({DataRate("100Gbps"), MicroSeconds(20)}, 1),
                    tests::QUICK);
        AddTestCase(new DumbbellProgressCase({DataRate("400Gbps"), MicroSeconds(2)}, 7),
                    tests::QUICK);
        AddTestCase(new DumbbellProgressCase({DataRate("100Gbps"), MicroSeconds(6)}, 7),
                    tests::QUICK);
        AddTestCase(new RandomProgressCase(1, QUICK_SEEDS / 4), tests::QUICK);
        AddTestCase(new RandomProgressCase(QUICK_SEEDS / 4 + 1, LAST_SEED), tests::EXTENSIVE);
    }
};

ConservationTestSuite g_conservationTestSuite;

} // namespace THIS_FILE

} // namespace ns3::lossless::tests
