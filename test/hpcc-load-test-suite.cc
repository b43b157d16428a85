// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-test.h"
#include "test-network.h"

// Tests the prerequisites of HPCC's comparison of congestion controls under load (Fig. 11): windows
// for rate-based algorithms, and slowdowns relative to an undisturbed flow.

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-hpcc-load", UNIT);

/// The window is the rate times 13 us, or 162.5 kB at 100 Gb/s.
LOSSLESS_TEST(g_suite, "Windows of algorithms that keep a rate")
{
    for (const std::string name : {"Dcqcn", "Timely"})
    {
        const std::string type = "ns3::lossless::" + name;
        auto free = ParseFactory(type).Create<CongestionControl>();
        free->Start(DataRate("100Gbps"), 1000);
        NS_TEST_EXPECT_MSG_EQ(free->GetWindow(), 0, name << ": none by default");
        auto limited = ParseFactory(type + "[WindowRtt=13us]").Create<CongestionControl>();
        limited->Start(DataRate("100Gbps"), 1000);
        NS_TEST_EXPECT_MSG_EQ(limited->GetWindow(), 162500, name << ": 100 Gb/s x 13 us");
        limited->NotifyPaused({SetOf(Priority{3}), MicroSeconds(1), 0.5}, Time(0));
        NS_TEST_EXPECT_MSG_EQ(limited->GetWindow(), 81250, name << ": 50 Gb/s x 13 us");
        limited->NotifyPaused({SetOf(Priority{3}), MicroSeconds(1), 0}, Time(0));
        NS_TEST_EXPECT_MSG_EQ(limited->GetWindow(), 162, name << ": 100 Mb/s x 13 us = 162.5");
    }
    auto dcqcn = ParseFactory("ns3::lossless::Dcqcn[WindowRtt=13us]").Create<CongestionControl>();
    dcqcn->Start(DataRate("100Gbps"), 1000);
    dcqcn->NotifyCnp(Time(0));
    NS_TEST_EXPECT_MSG_EQ(dcqcn->GetWindow(), 81250, "a notification halves it with the rate");
    auto tiny = ParseFactory("ns3::lossless::Timely[WindowRtt=1ns]").Create<CongestionControl>();
    tiny->Start(DataRate("100Mbps"), 1000);
    NS_TEST_EXPECT_MSG_EQ(tiny->GetWindow(), 1, "0 would stand for any window");
}

/// Simulates flows from h0, one at a time and 10 ms apart.
std::vector<double>
SimulateAlone(const Topology& topology, const ObjectFactory& nic, FlowList flows)
{
    Fabric fabric(topology, SwitchHelper(), nic);
    fabric.SetBaseRtt(0, fabric.GetNHosts() - 1);
    FlowRecorder recorder;
    WatchHosts(recorder, fabric);
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        flows[i].id = i;
        flows[i].start = MilliSeconds(10 * static_cast<int64_t>(i));
    }
    fabric.StartFlows(flows);
    fabric.StopWhenFlowsAreDone(Seconds(1));
    Simulator::Run();
    std::vector<double> slowdowns;
    for (const FlowSpec& flow : flows)
    {
        const Time time = recorder.GetFlows().at(flow.id).GetCompletionTime();
        slowdowns.push_back(time.GetSeconds() / fabric.GetIdealFct(flow).GetSeconds());
    }
    Simulator::Destroy();
    return slowdowns;
}

FlowSpec
MakeFlow(uint32_t destination, uint64_t bytes)
{
    return {0, 0, destination, 3, bytes, Time(0), ""};
}

ObjectFactory
MakeNic(const std::string& control)
{
    ObjectFactory nic("ns3::lossless::RoceNic");
    nic.Set("CongestionControl", StringValue(control));
    return nic;
}

/// The window of a rate-based algorithm has the same effect on a flow as a NIC window of the same
/// size.
LOSSLESS_TEST(g_suite, "A queue pair keeps within the window of a rate")
{
    const Topology pair = Topology::Star({2, DataRate("100Gbps"), MicroSeconds(2)});
    const FlowList flow{MakeFlow(1, 1000000)};
    ObjectFactory fixed("ns3::lossless::RoceNic");
    fixed.Set("Window", UintegerValue(50000));
    const double expected = SimulateAlone(pair, fixed, flow).front();
    // The flow consists of 20 windows, each of which takes a round trip of 8.2 us. Without a
    // window, it would take 90.6 us.
    NS_TEST_EXPECT_MSG_GT(expected, 1.75, "about half of the link");
    for (const std::string name : {"Dcqcn", "Timely"})
    {
        const auto nic = MakeNic("ns3::lossless::" + name + "[WindowRtt=4us]"); // window of 50 kB
        NS_TEST_EXPECT_MSG_EQ_TOL(SimulateAlone(pair, nic, flow).front(), expected, 1e-6, name);
    }
}

/// A single flow has a slowdown of 1, regardless of its path and size. Under HPCC, flows of more
/// than one round trip (50 kB within the rack) take 1 / 0.95 times as long, because HPCC aims for
/// 95 % of the link rate. Because the rate is temporarily lower, they can take up to 1 % longer
/// than that.
LOSSLESS_TEST(g_suite, "A flow alone has a slowdown of 1")
{
    // The network of Fig. 11 with half the ports per switch. It has 64 hosts at 100 Gb/s.
    FatTreeOptions options{4, 4};
    options.fabricRate = DataRate("400Gbps");
    options.delay = MicroSeconds(1);
    const Topology tree = Topology::FatTree(options);
    FlowList flows;
    // The destinations are in the same rack, in the same pod and in another pod.
    for (const uint32_t destination : {1, 8, 63})
    {
        for (const uint64_t bytes : {1, 1000, 100000, 2000000})
        {
            flows.push_back(MakeFlow(destination, bytes));
        }
    }
    const std::map<std::string, double> worst = {
        {"NoCongestionControl", 1},
        {"Dcqcn", 1},
        {"Dcqcn[WindowRtt=13us]", 1},
        {"Timely", 1},
        {"Dctcp", 1},
        {"Hpcc", 1.01 / 0.95},
    };
    for (const auto& [control, limit] : worst)
    {
        const auto slowdowns = SimulateAlone(tree, MakeNic("ns3::lossless::" + control), flows);
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            const std::string what = control + ", flow " + std::to_string(i);
            // The times, all of at least 2.1 us, are rounded to nanoseconds at each hop.
            NS_TEST_EXPECT_MSG_GT(slowdowns[i], 1 - 1e-3, what);
            const double most = flows[i].bytes > 50000 ? limit : 1;
            NS_TEST_EXPECT_MSG_LT(slowdowns[i], most + 1e-3, what);
        }
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
