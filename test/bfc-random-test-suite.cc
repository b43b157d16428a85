// SPDX-License-Identifier: GPL-2.0-only
#include "lossless-test.h"
#include "random-tree.h"

#include "ns3/bfc-flow-control.h"
#include "ns3/double.h"
#include "ns3/headroom-buffer-policy.h"
#include "ns3/lossless-fabric.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <map>
#include <sstream>
#include <string>

/**
 * @file
 * @ingroup lossless
 * BFC attacked: random networks, cables, frames and settings, with filters so small that most of
 * what they stop is innocent, and tables that most flows find full. At random times, the tables
 * count what the ledger counts, and the filters have the flows that the tables have stopped. In the
 * end nothing is lost, stored or stopped, no flow is out of order, and all counts are zero. (Where
 * cables fail, a PAUSE underneath may be lost, and frames with it.)
 */

namespace ns3::lossless::tests
{

namespace THIS_FILE
{

Suite g_suite("lossless-bfc-random", UNIT);

/// What kind of run it is.
enum class Trouble
{
    NONE,   ///< cables lose nothing
    ERRORS, ///< frames and filters are corrupt now and then
    FLAPS,  ///< cables are cut and mended
};

/// One random network with random settings and traffic.
class BfcRun : private RandomTree
{
  public:
    /// @param seed of everything random @param trouble what cables do
    BfcRun(int64_t seed, Trouble trouble)
        : RandomTree(seed),
          m_trouble(trouble)
    {
    }

    /// Runs it. @return what was wrong; empty: nothing
    std::string Run();

    /// @return stopped flows that were seen at random times
    uint64_t CountStopped() const
    {
        return m_stopped;
    }

  private:
    SwitchHelper DrawSwitches();
    /// Gives a switch the memory that its policy needs, and a little more. @param node the switch
    void FitBuffer(SwitchNode& node);
    /// Corrupts frames, or cuts cables. @param device one end of a cable
    void DrawTrouble(LosslessNetDevice& device);

    /// Looks at all switches.
    void Check();
    /// @param node a switch @return what does not fit; empty: all does
    std::string CheckSwitch(SwitchNode& node);
    /// At the end: nothing is lost, stored or stopped.
    void CheckEnd();

    Trouble m_trouble;
    uint64_t m_stopped{0};
    std::string m_error;
};

SwitchHelper
BfcRun::DrawSwitches()
{
    SwitchHelper helper("ns3::lossless::BfcSwitchNode");
    const auto set = [&helper](const std::string& name, const std::string& value) {
        helper.SetFlowControlAttribute(name, StringValue(value));
    };
    set("PhysicalQueues", DrawOf({"1", "2", "5", "32"}));
    set("VirtualFlows", DrawOf({"1", "4", "256", "16384"}));
    set("FilterBytes", DrawOf({"1", "16", "128"}));
    set("FilterHashes", DrawOf({"1", "4"}));
    set("TableEntries", DrawOf({"0", "1", "3", "16384", "16384"}));
    set("HopRtt", DrawOf({"0s", "0s", "1us", "20us"}));
    set("FilterPeriod", DrawOf({"0s", "0s", "500ns", "10us"}));
    set("ResumesPerHopRtt", DrawOf({"1", "2", "10"}));
    set("StickyHopRtts", DrawOf({"0", "2"}));
    helper.SetBufferPolicy("ns3::lossless::" + DrawOf({"Sih", "Dsh", "Static"}) + "BufferPolicy");
    helper.SetAttribute("LosslessClasses", UintegerValue(0x0e));
    helper.SetPolicyAttributeIfPresent("Alpha", DoubleValue(1));
    return helper;
}

void
BfcRun::FitBuffer(SwitchNode& node)
{
    const SwitchShape shape = MakeShape(node);
    auto policy = DynamicCast<HeadroomBufferPolicy>(node.GetBufferPolicy());
    policy->Configure(shape);
    const uint64_t reserved = shape.bufferBytes - policy->GetSharedSize();
    const uint64_t shared = 2 * policy->GetLargestHeadroom() + Draw(100000, 1000000);
    node.GetSharedBuffer()->SetAttribute("Size", UintegerValue(reserved + shared));
}

void
BfcRun::DrawTrouble(LosslessNetDevice& device)
{
    if (m_trouble == Trouble::ERRORS)
    {
        DrawErrors(device);
    }
    else if (m_trouble == Trouble::FLAPS)
    {
        DrawFlap(device);
    }
}

std::string
BfcRun::CheckSwitch(SwitchNode& node)
{
    const auto bfc = DynamicCast<BfcFlowControl>(node.GetFlowControl());
    const Ptr<SharedBuffer> buffer = node.GetSharedBuffer();
    std::map<PortId, std::size_t> stopped;
    std::ostringstream error;
    for (uint32_t i = 0; i < node.GetNDevices() * NUM_PRIORITIES; ++i)
    {
        const QueueId queue{PortId{static_cast<uint16_t>(i / NUM_PRIORITIES)},
                            Priority{static_cast<uint8_t>(i % NUM_PRIORITIES)}};
        BfcFlowTable& table = bfc->GetQueue(queue)->Table();
        uint64_t frames = 0;
        for (std::size_t j = 0; j < table.GetQueues().size(); ++j)
        {
            frames += table.GetQueue(j).frames;
            table.GetQueue(j).paused.ForEach(
                [&](const BfcFlow* flow) { ++stopped[flow->ingress]; });
        }
        if (frames != buffer->GetEgress(queue).frames)
        {
            error << "table and ledger differ; ";
        }
    }
    for (uint16_t port = 0; port < node.GetNDevices(); ++port)
    {
        const std::size_t inFilter = bfc->GetStoppedFlows(PortId{port}).GetSize();
        error << (inFilter != stopped[PortId{port}] ? "filter and tables differ; " : "");
        m_stopped += inFilter;
    }
    return error.str();
}

void
BfcRun::Check()
{
    for (uint32_t i = 0; i < m_fabric->GetNSwitches() && m_error.empty(); ++i)
    {
        m_error = CheckSwitch(*m_fabric->GetSwitch(i));
    }
}

void
BfcRun::CheckEnd()
{
    Check();
    std::ostringstream error;
    for (uint32_t i = 0; i < m_fabric->GetNSwitches(); ++i)
    {
        SwitchNode& node = *m_fabric->GetSwitch(i);
        const auto bfc = DynamicCast<BfcFlowControl>(node.GetFlowControl());
        const bool isLossy = node.GetCounts().losslessDropped > 0;
        error << (isLossy && m_trouble == Trouble::NONE ? "lossless frames are lost; " : "")
              << (node.GetSharedBuffer()->GetUsed() > 0 ? "frames are left in a switch; " : "");
        for (uint32_t j = 0; j < node.GetNDevices() * NUM_PRIORITIES; ++j)
        {
            const QueueId queue{PortId{static_cast<uint16_t>(j / NUM_PRIORITIES)},
                                Priority{static_cast<uint8_t>(j % NUM_PRIORITIES)}};
            const Ticks now = Simulator::Now().GetTimeStep();
            const BfcFilter filter = bfc->GetStoppedFlows(queue.port).TakeSnapshot();
            error << (bfc->IsHolding(queue) ? "a neighbour is stopped; " : "")
                  << (filter.IsEmpty() ? "" : "a filter is not empty; ")
                  << (bfc->GetQueue(queue)->Table().CountFlows(now) > 0 ? "a flow is left; " : "");
        }
    }
    m_error += error.str() + DescribeEnd();
}

std::string
BfcRun::Run()
{
    m_mtu = Draw(0, 2) == 0 ? 9000 : 1500;
    m_fabric = std::make_unique<Fabric>(DrawTopology(), DrawSwitches());
    for (uint32_t i = 0; i < m_fabric->GetNSwitches(); ++i)
    {
        Ptr<SwitchNode> node = m_fabric->GetSwitch(i);
        for (uint16_t port = 0; port < node->GetNDevices(); ++port)
        {
            const Ptr<LosslessNetDevice> device = node->GetPortDevice(PortId{port});
            device->SetMtu(m_mtu);
            DrawTrouble(*device);
            if (device->GetPeer()->GetHostPort())
            {
                device->GetPeer()->SetMtu(m_mtu);
                DrawTrouble(*device->GetPeer());
            }
        }
        FitBuffer(*node);
        WatchControl(*node);
    }
    DrawTraffic();
    RunWith(NanoSeconds(400000), [this] { Check(); });
    CheckEnd();
    m_fabric.reset();
    Simulator::Destroy();
    return m_error;
}

/// Stopped flows that are seen in a random network at least, on average of many.
constexpr uint64_t LEAST_STOPPED = 90;

/// Runs a network. @param trouble what cables do @param seed of it @return see CountStopped()
uint64_t
Attack(Trouble trouble, int64_t seed)
{
    BfcRun run(seed, trouble);
    const std::string error = run.Run();
    NS_TEST_EXPECT_MSG_EQ(error, "", "seed " << seed);
    return run.CountStopped();
}

/// Runs a number of seeds. @param trouble what cables do @param first seed @param last seed
void
AttackAll(Trouble trouble, int64_t first, int64_t last)
{
    uint64_t stopped = 0;
    for (int64_t seed = first; seed <= last; ++seed)
    {
        stopped += Attack(trouble, seed);
    }
    const auto seeds = static_cast<uint64_t>(last - first + 1);
    NS_TEST_EXPECT_MSG_GT(stopped, LEAST_STOPPED * seeds, "flows were stopped");
}

/// Filters of 500 ns behind frames of 9000 B: one was late, and never taken back.
LOSSLESS_TEST(g_suite, "two random networks that once stood still")
{
    for (const int64_t seed : {133, 394})
    {
        NS_TEST_EXPECT_MSG_GT(Attack(Trouble::NONE, seed), 0, "flows were stopped, seed " << seed);
    }
}

LOSSLESS_TESTS(g_suite)
{
    for (const auto& [trouble, name] :
         {std::pair(Trouble::NONE, "cables that lose nothing"),
          std::pair(Trouble::ERRORS, "corrupt frames and filters"),
          std::pair(Trouble::FLAPS, "cables that are cut and mended")})
    {
        g_suite.Add(std::string("random networks with ") + name,
                    [trouble = trouble] { AttackAll(trouble, 1, 16); });
        g_suite.Add(
            std::string("300 random networks with ") + name,
            [trouble = trouble] { AttackAll(trouble, 101, 400); },
            EXTENSIVE);
    }
}

} // namespace THIS_FILE

} // namespace ns3::lossless::tests
