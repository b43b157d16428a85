// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/lossless-forwarding.h"
#include "ns3/random-variable-stream.h"

#include <unordered_map>

// A complete custom forwarding class in one file; it selects paths for flowlets. See
// doc/path-selection.rst.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-toy-flowlet", UNIT);

// [begin forwarding]
/// Flows use random paths and draw a new one after each idle gap (LetFlow, NSDI 2017).
class FlowletForwarding : public EcmpForwarding
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lossless::tests::FlowletForwarding")
                                .SetParent<EcmpForwarding>()
                                .AddConstructor<FlowletForwarding>()
                                .AddAttribute("Gap",
                                              "Pause of a flow after which it may change its path.",
                                              TimeValue(MicroSeconds(50)),
                                              MakeTimeAccessor(&FlowletForwarding::m_gap),
                                              MakeTimeChecker(Time(0)));
        return tid;
    }

    std::optional<PortId> Route(const SwitchItem& item, const SharedBuffer& /* buffer */) override
    {
        const Ports ports = GetPorts(item.frame.flow.destination);
        if (ports.count < 2)
        {
            return Find(item);
        }
        const auto [place, isNew] = m_flowlets.try_emplace(item.frame.flowHash);
        Flowlet& flowlet = place->second;
        const Time now = Simulator::Now();
        if (isNew || now - flowlet.latest > m_gap)
        {
            flowlet.choice = m_random->GetInteger(0, 0xffff);
        }
        flowlet.latest = now;
        return ports.first[flowlet.choice % ports.count]; // the number of ports may have changed
    }

    std::optional<PortId> Find(const SwitchItem& item) const override
    {
        const Ports ports = GetPorts(item.frame.flow.destination);
        return ports.count == 1 ? std::make_optional(*ports.first) : std::nullopt;
    }

    bool KeepsPath() const override
    {
        return false;
    }

    int64_t AssignStreams(int64_t stream) override
    {
        m_random->SetStream(stream);
        return 1;
    }

  private:
    struct Flowlet
    {
        Time latest;        ///< arrival time of the latest frame
        uint32_t choice{0}; ///< number that selects one of the ports
    };

    Time m_gap;                                       ///< see "Gap"
    std::unordered_map<uint64_t, Flowlet> m_flowlets; ///< flowlets, indexed by the hash of the
                                                      ///< five-tuple
    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; ///< draws choices
};

NS_OBJECT_ENSURE_REGISTERED(FlowletForwarding);

const RegisterPart<FlowletForwarding, ForwardingInfo> g_flowlet("Flowlet");

// [end forwarding]

SwitchItem
MakeItem(uint16_t flow)
{
    SwitchItem item;
    item.frame.flow.destination = GetHostAddress(0).Get();
    item.frame.flow.sourcePort = flow;
    item.frame.flowHash = HashOf(item.frame.flow);
    return item;
}

LOSSLESS_TEST(g_suite, "A flow keeps its path until it pauses for longer than the gap")
{
    const auto forwarding = CreateObject<FlowletForwarding>();
    forwarding->Configure(0, std::vector<DataRate>(4));
    forwarding->AssignStreams(1);
    forwarding->SetRoute(GetHostAddress(0), {PortId{1}, PortId{2}, PortId{3}});
    const auto buffer = CreateObject<SharedBuffer>();
    std::vector<PortId> ports; // ports of three flows that take turns
    for (uint32_t i = 0; i < 300; ++i)
    {
        Simulator::Schedule(MicroSeconds(i), [&ports, &forwarding, &buffer, i] {
            ports.push_back(*forwarding->Route(MakeItem(i % 3), *buffer));
        });
    }
    // A frame that arrives exactly one gap later still belongs to the same flowlet.
    Simulator::Schedule(MicroSeconds(297 + 50), [&ports, &forwarding, &buffer] {
        ports.push_back(*forwarding->Route(MakeItem(0), *buffer));
    });
    Simulator::Run();
    for (std::size_t i = 3; i < ports.size(); ++i)
    {
        NS_TEST_ASSERT_MSG_EQ((ports[i] == ports[i % 3]), true, "frame " << i);
    }
    NS_TEST_EXPECT_MSG_EQ(ports.size(), 301, "all");
}

LOSSLESS_TEST(g_suite, "Switches with a forwarding from outside the module carry flows")
{
    LeafSpineOptions options{2, 4, 2};
    SwitchHelper switches;
    switches.SetForwarding("ns3::lossless::tests::FlowletForwarding");
    switches.SetForwardingAttribute("Gap", TimeValue(NanoSeconds(1)));
    Fabric fabric(Topology::LeafSpine(options), switches);
    ResultsWriter results("");
    results.AddFabric(fabric);
    fabric.StartFlows({{0, 0, 2, 3, 1000000, Time(0), ""}});
    RunFor(MilliSeconds(20));
    NS_TEST_EXPECT_MSG_EQ(results.Get<FlowRecorder>()->GetFlows().at(0).isReceived,
                          true,
                          "it arrives");
}

} // namespace ns3::lossless::tests::THIS_FILE
