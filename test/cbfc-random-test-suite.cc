// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-test.h"
#include "random-tree.h"

#include "ns3/bit-error-model.h"
#include "ns3/boolean.h"
#include "ns3/cbfc-buffer-policy.h"
#include "ns3/cbfc-flow-control.h"
#include "ns3/cbfc-gate.h"
#include "ns3/cbfc-host.h"
#include "ns3/config.h"
#include "ns3/link-retry.h"
#include "ns3/lossless-channel.h"
#include "ns3/lossless-fabric.h"
#include "ns3/mac-control-header.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup lossless
 * CBFC attacked: random networks, cables, frames and settings. On each link and channel, at random
 * times, the credits that the sender has in use are those of the frames on the wire, of the frames
 * that the receiver stores, and of those freed that it does not know of yet; together with the free
 * ones they are what was granted. Where the link sends frames again, those that it keeps and that
 * have not come are as good as on the wire. Where frames are lost, it takes both ends some time to
 * agree on that; until then the sender has more in use. While a cable is cut, the ends do not know
 * of each other.
 */

namespace ns3::lossless::tests
{

namespace THIS_FILE
{

Suite g_suite("lossless-cbfc-random", UNIT);

/// What kind of run it is.
enum class Trouble
{
    NONE,   ///< cables lose nothing
    ERRORS, ///< frames and messages are corrupt now and then
    FLAPS,  ///< cables are cut and mended
    RETRY,  ///< bits are wrong, also of acknowledgements, but links send frames again
};

/// One direction of a link.
struct Direction
{
    Ptr<LosslessNetDevice> from;       ///< who sends
    Ptr<LosslessNetDevice> to;         ///< who receives
    std::map<uint8_t, int64_t> onWire; ///< credits of frames that have begun to leave and have not
                                       ///< come, by channel
    std::set<uint64_t> begun;          ///< uids of frames that have begun to leave
};

/// One random network with random settings and traffic.
class CbfcRun : private RandomTree
{
  public:
    /// @param seed of everything random @param trouble what cables do
    CbfcRun(int64_t seed, Trouble trouble)
        : RandomTree(seed),
          m_trouble(trouble)
    {
    }

    /// Runs it. @return what was wrong; empty: nothing
    std::string Run();

    /// @return looks at single channels with credits in use
    uint64_t CountLooks() const
    {
        return m_looks;
    }

    /// @return of these, at channels whose ends were compared
    uint64_t CountComparisons() const
    {
        return m_comparisons;
    }

  private:
    SwitchHelper DrawSwitches();
    /// Corrupts frames, or cuts cables.
    void DrawTrouble();
    /// @param device gets a retry of its link, and errors of bits that arrive there
    void DrawBitErrors(LosslessNetDevice& device);
    /// Gives each switch the memory that it needs for its credits, and little more.
    void FitBuffers();
    /// Notes both directions of all links, and follows their frames.
    void FindDirections();
    /// A frame begins to leave, or has arrived. @param index of the direction @param sign 1 or -1
    /// @param packet the frame
    void Follow(std::size_t index, int sign, Ptr<const Packet> packet);

    /// Compares the ends of all links.
    void Check();
    /// @param direction of a link @return what does not fit; empty: all does
    std::string CheckDirection(const Direction& direction);
    /// @param device one end @return the receiver there
    static const CbfcReceiver& GetReceiver(const LosslessNetDevice& device);
    /// At the end: nothing is lost, stored, waited for or in use.
    void CheckEnd();

    Trouble m_trouble;
    uint32_t m_cell{1};
    std::vector<Direction> m_directions;
    uint64_t m_looks{0};
    uint64_t m_comparisons{0};
    std::string m_error;
};

SwitchHelper
CbfcRun::DrawSwitches()
{
    SwitchHelper helper("ns3::lossless::CbfcSwitchNode");
    const auto set = [&helper](const std::string& name, const std::string& value) {
        helper.SetFlowControlAttribute(name, StringValue(value));
    };
    const std::string credit = DrawOf({"32", "64", "100", "128", "208", "256", "1000"});
    set("CreditBytes", credit);
    const int32_t overhead = static_cast<int32_t>(Draw(0, 143)) - 16;
    set("PacketOverhead", std::to_string(overhead));
    set("Threshold", DrawOf({"None", "Static", "Dynamic"}));
    set("UpdateSpacing", DrawOf({"800", "1600", "6400", "16000"}));
    set("RefreshSpacing", DrawOf({"16384", "262144", "1048576"}));
    set("CounterPeriod", DrawOf({"5us", "50us", "256us"}));
    set("Channels", DrawOf({"0,1,2,3,4,5,6,7", "7,6,5,4,3,2,1,0", "9,31,31,30,9,5,6,7"}));
    if (Draw(0, 1) == 1) // hardly more than the largest frame
    {
        const uint32_t largest = (m_mtu + 18 + overhead) / std::stoul(credit) + 1;
        set("ChannelCredits", std::to_string(largest + Draw(0, 3 * largest)));
    }
    helper.SetAttribute("LosslessClasses", UintegerValue(0x0e));
    m_cell = std::stoul(DrawOf({"1", "80", "208"}));
    helper.SetBufferAttribute("CellBytes", UintegerValue(m_cell));
    return helper;
}

void
CbfcRun::FitBuffers()
{
    for (uint32_t i = 0; i < m_fabric->GetNSwitches(); ++i)
    {
        Ptr<SwitchNode> node = m_fabric->GetSwitch(i);
        SwitchShape shape = MakeShape(*node);
        shape.cellBytes = m_cell;
        auto policy = DynamicCast<CbfcBufferPolicy>(node->GetBufferPolicy());
        const auto error = policy->Configure(shape);
        NS_ABORT_MSG_IF(error, *error);
        node->GetSharedBuffer()->SetAttribute(
            "Size",
            UintegerValue(policy->GetGrantedBytes() + 10000 + Draw(0, 20000))); // and a lossy frame
    }
}

void
CbfcRun::DrawTrouble()
{
    for (const Direction& direction : m_directions)
    {
        if (m_trouble == Trouble::RETRY)
        {
            DrawBitErrors(*direction.to);
        }
        else if (m_trouble == Trouble::ERRORS)
        {
            DrawErrors(*direction.to);
        }
        else if (m_trouble == Trouble::FLAPS)
        {
            DrawFlap(*direction.to);
        }
    }
}

void
CbfcRun::DrawBitErrors(LosslessNetDevice& device)
{
    if (!device.GetRetry())
    {
        LinkRetry::Install(DynamicCast<LosslessChannel>(device.GetChannel()));
    }
    auto errors = CreateObject<BitErrorModel>();
    errors->SetBitErrorRate(std::pow(10, m_random->GetValue(-7, -5)));
    errors->AssignStreams(Draw(0, 100000));
    device.SetErrorModel(errors);
}

void
CbfcRun::FindDirections()
{
    for (uint32_t i = 0; i < m_fabric->GetNSwitches(); ++i)
    {
        Ptr<SwitchNode> node = m_fabric->GetSwitch(i);
        WatchControl(*node);
        for (uint16_t port = 0; port < node->GetNDevices(); ++port)
        {
            const Ptr<LosslessNetDevice> device = node->GetPortDevice(PortId{port});
            m_directions.push_back({device, device->GetPeer(), {}, {}});
            if (device->GetPeer()->GetHostPort())
            {
                m_directions.push_back({device->GetPeer(), device, {}, {}});
            }
        }
    }
    for (std::size_t i = 0; i < m_directions.size(); ++i)
    {
        m_directions[i].from->TraceConnectWithoutContext(
            "PhyTxBegin",
            MakeCallback(&CbfcRun::Follow, this).Bind(i, 1));
        m_directions[i].to->TraceConnectWithoutContext(
            "PhyRxEnd",
            MakeCallback(&CbfcRun::Follow, this).Bind(i, -1));
    }
}

void
CbfcRun::Follow(std::size_t index, int sign, Ptr<const Packet> packet)
{
    m_latest = Simulator::Now();
    Direction& direction = m_directions[index];
    const auto& gate = *DynamicCast<CbfcGate>(direction.from->GetGate());
    const Frame frame = ParseFrame(packet->Copy());
    // A frame that the link sends again has taken its credits before, and comes once all the same.
    const bool isAgain = sign > 0 && !direction.begun.insert(packet->GetUid()).second;
    if (frame.kind != FrameKind::MAC_CONTROL && !isAgain &&
        Contains(gate.GetSettings().lossless, frame.priority))
    {
        direction.onWire[gate.GetSettings().GetChannel(frame.priority)] +=
            sign * static_cast<int64_t>(gate.GetSettings().GetCredits(frame.size));
    }
}

const CbfcReceiver&
CbfcRun::GetReceiver(const LosslessNetDevice& device)
{
    if (const auto host = device.GetObject<CbfcHost>())
    {
        return host->GetReceiver();
    }
    const auto node = DynamicCast<SwitchNode>(device.GetNode());
    return DynamicCast<CbfcFlowControl>(node->GetFlowControl())
        ->GetReceiver(PortId{static_cast<uint16_t>(device.GetIfIndex())});
}

std::string
CbfcRun::CheckDirection(const Direction& direction)
{
    const CbfcGate& gate = *DynamicCast<CbfcGate>(direction.from->GetGate());
    const CbfcPool& pool = gate.GetSender().GetPool();
    const CbfcReceiver& receiver = GetReceiver(*direction.to);
    const bool isCompared = m_trouble != Trouble::FLAPS; // whose ends begin anew, one by one
    const bool isComplete = m_trouble == Trouble::NONE || m_trouble == Trouble::RETRY;
    std::ostringstream error;
    for (const auto& [channel, onWire] : direction.onWire)
    {
        const uint64_t inUse = pool.GetUsed(channel);
        const uint64_t stored = receiver.GetStored(channel);
        const uint64_t known = stored + receiver.GetUntold(channel) + (isComplete ? onWire : 0);
        // The rest are updates under way, and losses that the receiver has not been told of.
        const bool isConserved = !isCompared || (onWire >= 0 && inUse >= known);
        m_looks += inUse > 0 ? 1 : 0;
        m_comparisons += isCompared && inUse > 0 ? 1 : 0;
        if (!isConserved || pool.GetAllUsed() > pool.GetLimits().total)
        {
            error << Simulator::Now().GetNanoSeconds() << " ns, node "
                  << direction.from->GetNode()->GetId() << " to "
                  << direction.to->GetNode()->GetId() << ", channel " << +channel << ": in use "
                  << inUse << " of all " << pool.GetAllUsed() << ", on the wire " << onWire
                  << ", stored " << stored << ", not told " << receiver.GetUntold(channel);
        }
    }
    return error.str();
}

void
CbfcRun::Check()
{
    for (std::size_t i = 0; i < m_directions.size() && m_error.empty(); ++i)
    {
        m_error = CheckDirection(m_directions[i]);
    }
}

void
CbfcRun::CheckEnd()
{
    std::ostringstream error;
    for (const Direction& direction : m_directions)
    {
        const CbfcGate& gate = *DynamicCast<CbfcGate>(direction.from->GetGate());
        for (uint8_t channel = 0; channel < NUM_CHANNELS; ++channel)
        {
            const uint32_t stored = GetReceiver(*direction.to).GetStored(channel);
            if (gate.GetSender().GetPool().GetUsed(channel) > 0 || stored > 0)
            {
                error << "channel " << +channel << " is left with credits in use; ";
            }
        }
    }
    uint64_t dropped = 0;
    int64_t missing = 0;
    for (uint32_t i = 0; i < m_fabric->GetNSwitches(); ++i)
    {
        const SwitchNode::Counts& counts = m_fabric->GetSwitch(i)->GetCounts();
        dropped += counts.losslessDropped;
        missing -= std::accumulate(counts.dropped.begin(), counts.dropped.end(), uint64_t{0});
    }
    for (const auto& host : m_hosts)
    {
        missing += host->nextSequence;
        missing -= host->received.GetArrivals().size();
    }
    error << (missing != 0 && (m_trouble == Trouble::NONE || m_trouble == Trouble::RETRY)
                  ? "frames are missing, or came twice; "
                  : "");
    error << (dropped > 0 && m_trouble != Trouble::FLAPS ? "lossless frames are lost; " : "");
    m_error += error.str() + DescribeEnd();
}

std::string
CbfcRun::Run()
{
    m_mtu = Draw(0, 2) == 0 ? 9000 : 1500;
    Config::SetDefault("ns3::lossless::LinkRetry::BlockInInit", BooleanValue(true));
    Config::SetDefault("ns3::lossless::LinkRetry::MaxReplays", UintegerValue(255));
    m_fabric = std::make_unique<Fabric>(DrawTopology(), DrawSwitches());
    FindDirections();
    for (const Direction& direction : m_directions)
    {
        direction.from->SetMtu(m_mtu);
    }
    FitBuffers();
    DrawTraffic();
    DrawTrouble();
    RunWith(NanoSeconds(150000), [this] { Check(); });
    CheckEnd();
    m_fabric.reset();
    Simulator::Destroy();
    return m_error;
}

LOSSLESS_TESTS(g_suite)
{
    for (const auto& [trouble, name] :
         {std::pair(Trouble::NONE, "cables that lose nothing"),
          std::pair(Trouble::ERRORS, "corrupt frames and messages"),
          std::pair(Trouble::FLAPS, "cables that are cut and mended"),
          std::pair(Trouble::RETRY, "bit errors, and links that send again")})
    {
        g_suite.Add(std::string("random networks with ") + name, [trouble = trouble] {
            uint64_t looks = 0;
            uint64_t comparisons = 0;
            for (int64_t seed = 1; seed <= 16; ++seed)
            {
                CbfcRun run(seed, trouble);
                const std::string error = run.Run();
                NS_TEST_EXPECT_MSG_EQ(error, "", "seed " << seed);
                looks += run.CountLooks();
                comparisons += run.CountComparisons();
            }
            NS_TEST_EXPECT_MSG_GT(looks, 5000, "channels with credits in use were looked at");
            NS_TEST_EXPECT_MSG_EQ(comparisons,
                                  (trouble == Trouble::FLAPS ? 0 : looks),
                                  "of these, compared at both ends");
        });
    }
}

} // namespace THIS_FILE

} // namespace ns3::lossless::tests
