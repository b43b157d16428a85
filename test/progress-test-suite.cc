// SPDX-License-Identifier: GPL-2.0-only
//
// Checks that each flow finishes within a given time under every lossless scheme and congestion
// control, even if a burst has reduced its rate.

#include "lossless-test.h"
#include "test-network.h"

#include "ns3/congestion-control-info.h"

namespace ns3::lossless::tests::THIS_FILE
{

Suite g_suite("lossless-progress", SYSTEM);

/// The quick tests use the seeds from 1 to this value, and the long tests continue to LAST_SEED.
constexpr int64_t QUICK_SEEDS = 2;
constexpr int64_t LAST_SEED = 30;

/// The size of a long flow, which takes 160 ms at the minimum rate of most congestion controls,
/// 100 Mb/s.
constexpr uint64_t LONG_BYTES = 2000000;
constexpr uint64_t SHORT_BYTES = 250000;
/// The time within which all flows must finish. A single long flow takes 0.17 ms, and DCQCN needs
/// several periods of 300 us to recover.
constexpr int64_t MOST_MILLISECONDS = 60;

SwitchHelper
MakeSwitches(const SchemeInfo& scheme, const CongestionControlInfo& control)
{
    SwitchHelper switches(scheme);
    if (!control.marker.empty())
    {
        switches.SetMarker(control.marker);
    }
    return switches;
}

/// Runs random flows with incasts over a leaf-spine network.
void
CheckProgress(const SchemeInfo& scheme, const CongestionControlInfo& control, int64_t seed)
{
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(seed);
    LeafSpineOptions options{2, random->GetInteger(2, 4), random->GetInteger(5, 7)};
    options.delay = NanoSeconds(random->GetInteger(200, 2000));
    const Topology topology = Topology::LeafSpine(options);
    ObjectFactory nics("ns3::lossless::RoceNic");
    nics.Set("CongestionControl", ObjectFactoryValue(ObjectFactory(control.type)));
    Fabric fabric(topology, MakeSwitches(scheme, control), nics);
    fabric.AssignStreams(1000 * seed);

    FanInOptions incast;
    incast.times = {MicroSeconds(20), MicroSeconds(random->GetInteger(50, 300))};
    incast.minSenders = 5;
    incast.maxSenders = 9;
    incast.sizes = FlowSizeTable::Fixed(SHORT_BYTES);
    incast.priorities = {3};
    PermutationOptions permutation;
    permutation.sizes = FlowSizeTable::Fixed(LONG_BYTES);
    permutation.jitter = MicroSeconds(100);
    permutation.priorities = {3};

    FlowRecorder recorder;
    WatchHosts(recorder, fabric);
    fabric.StartFlows(MergeFlows({DrawFlows(topology, {incast}, 1000 * seed + 500),
                                  DrawPermutation(topology, permutation, 1000 * seed + 600)}));
    fabric.StopWhenFlowsAreDone(MilliSeconds(MOST_MILLISECONDS));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(recorder.CountFinished(),
                          fabric.GetFlows().size(),
                          scheme.name << " with " << control.name << ", seed " << seed
                                      << ": flows done after " << MOST_MILLISECONDS << " ms");
}

LOSSLESS_TESTS(g_suite)
{
    for (const SchemeInfo& scheme : GetModuleSchemes())
    {
        if (scheme.promise == Promise::NOTHING || scheme.mayLock)
        {
            continue;
        }
        for (const CongestionControlInfo& control : GetParts<CongestionControlInfo>())
        {
            const std::string name = "each flow arrives: " + scheme.name + ", " + control.name;
            const auto check = [scheme, control](int64_t first, int64_t last) {
                for (int64_t seed = first; seed <= last; ++seed)
                {
                    CheckProgress(scheme, control, seed);
                    Simulator::Destroy();
                }
            };
            AddSeeds(g_suite, name, QUICK_SEEDS, LAST_SEED, check);
        }
    }
}

} // namespace ns3::lossless::tests::THIS_FILE
