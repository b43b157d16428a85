// SPDX-License-Identifier: GPL-2.0-only
#include "capfc-parameters.h"

#include "ns3/core-module.h"

#include <array>
#include <cmath>

namespace ns3::lossless
{

namespace
{

constexpr uint8_t LONG_CLASS = 0;
constexpr uint8_t SHORT_CLASS = 1;
constexpr uint8_t QUERY_CLASS = 2;

/// A row of Table I.
struct Scenario
{
    double processorRate; ///< rate of a switch's processor, packets/s
    uint64_t shortBytes;  ///< size of a short flow
    uint64_t queryBytes;  ///< size of each answer to a query
    PrioritySet strict;   ///< classes with strict priority
};

constexpr std::array<Scenario, 6> SCENARIOS{{{1e6, 64000, 16000, SetOf(Priority{SHORT_CLASS})},
                                             {1e6, 16000, 16000, SetOf(Priority{SHORT_CLASS})},
                                             {1e6, 64000, 32000, SetOf(Priority{SHORT_CLASS})},
                                             {1e6, 64000, 16000, SetOf(Priority{QUERY_CLASS})},
                                             {1e6, 64000, 16000, 0},
                                             {0.5e6, 64000, 16000, SetOf(Priority{SHORT_CLASS})}}};

} // namespace

void
CapfcParameters::AddNetworkOptions(Experiment& experiment)
{
    experiment.AddValues({
        {"scenario", "Row of Table I.", scenario, Range{1, SCENARIOS.size()}},
        {"memory",
         "Memory of the switches, as in Table II or in Sec. IV-C7.",
         memory,
         OneOf{{"dedicated", "shared"}}},
        {"k", "Ports of a switch.", fatTree.k, FatTreeOptions::PORTS},
        {"delay", "Propagation delay of every link.", fatTree.delay, Range{0}},
        {"switch-delay", "SharedProcessor::Latency", Range{0}, TimeValue(MicroSeconds(25))},
        {"cut", "CapfcFlowControl::Cut", Range::Above(0, 1)},
        {"oversubscription",
         "Ratio of host to core capacity; that of edge and of aggregation switches is its square "
         "root.",
         oversubscription,
         Range{1, 100}},
        {"mark", "StepMarker::Threshold", ByteRange{}, UintegerValue(20000)},
    });
    experiment.SetsAttribute("scenario", "SharedProcessor::Rate");
    experiment.SetsAttribute("scenario", "DwrrScheduler::StrictClasses");
    experiment.SetsAttribute("memory", "CapfcFlowControl::Warn");
    experiment.SetsAttribute("memory", "CapfcFlowControl::Xoff");
    experiment.SetsAttribute("memory", "CapfcFlowControl::Xon");
}

void
CapfcParameters::AddTrafficOptions(Experiment& experiment)
{
    experiment.AddValues({
        {"arrivals", "Period in which flows start.", arrivals, Range::Above(0)},
        {"long-rate", "Total number of long flows per second; 0: none.", longRate, Range{0}},
        {"short-rate", "Total number of short flows per second; 0: none.", shortRate, Range{0}},
        {"query-rate", "Queries per second; 0: none.", queryRate, Range{0}},
        {"incast-senders", "Hosts that answer a query.", fanIn, Range{1}},
        {"long-bytes", "Payload of a long flow, in bytes.", longBytes, ByteRange{1}},
    });
}

void
CapfcParameters::Check(const Experiment& experiment) const
{
    experiment.RequireUse({"long-bytes"}, longRate > 0, "--long-rate above 0");
    experiment.RequireUse({"incast-senders"}, queryRate > 0, "--query-rate above 0");
    experiment.RequireFit(fatTree.Check(), "the fat-tree: ");
}

Topology
CapfcParameters::MakeTopology() const
{
    const auto divide = [this](double by) {
        return DataRate(static_cast<uint64_t>(std::llround(fatTree.hostRate.GetBitRate() / by)));
    };
    FatTreeOptions options = fatTree;
    options.fabricRate = divide(std::sqrt(oversubscription));
    options.coreRate = divide(oversubscription);
    return Topology::FatTree(options);
}

SwitchHelper
CapfcParameters::MakeSwitches(const Experiment& experiment) const
{
    SwitchHelper switches = experiment.MakeSwitchHelper();
    switches.SetAttribute("LosslessClasses",
                          UintegerValue(1U << LONG_CLASS | 1U << SHORT_CLASS | 1U << QUERY_CLASS));
    switches.SetProcessor("ns3::lossless::SharedProcessor",
                          "Rate",
                          DoubleValue(SCENARIOS[scenario - 1].processorRate));
    switches.SetScheduler("ns3::lossless::DwrrScheduler",
                          "StrictClasses",
                          UintegerValue(SCENARIOS[scenario - 1].strict | SetOf(CONTROL_PRIORITY)),
                          "Quantum",
                          UintegerValue(1500));
    switches.SetMarker("ns3::lossless::StepMarker");
    if (memory == "shared")
    {
        switches.SetPolicyAttributeIfPresent("PoolBytes", UintegerValue(350000));
        switches.SetPolicyAttributeIfPresent("IngressXoff", UintegerValue(30000));
        switches.SetPolicyAttributeIfPresent("IngressXon", UintegerValue(20000));
        switches.SetFlowControlAttributeIfPresent("Warn", UintegerValue(35000));
        switches.SetFlowControlAttributeIfPresent("Xoff", UintegerValue(50000));
        switches.SetFlowControlAttributeIfPresent("Xon", UintegerValue(35000));
    }
    return switches;
}

FlowList
CapfcParameters::MakeFlows(const Topology& topology) const
{
    const auto set =
        [this](auto& kind, const char* group, uint8_t priority, uint64_t bytes, double rate) {
            kind.origin = std::string("--") + group + "-rate";
            kind.group = group;
            kind.priorities = {priority};
            kind.sizes = FlowSizeTable::Fixed(bytes);
            kind.load = rate > 0 ? kind.load : 0;
            kind.rate = rate;
            kind.duration = arrivals;
        };
    PoissonOptions longFlows;
    set(longFlows, "long", LONG_CLASS, longBytes, longRate);
    PoissonOptions shortFlows;
    set(shortFlows, "short", SHORT_CLASS, SCENARIOS[scenario - 1].shortBytes, shortRate);
    FanInOptions queries;
    set(queries, "query", QUERY_CLASS, SCENARIOS[scenario - 1].queryBytes, queryRate);
    queries.origin += " and --incast-senders";
    queries.minSenders = queries.maxSenders = fanIn;
    return DrawFlows(topology, {longFlows, shortFlows, queries});
}

} // namespace ns3::lossless
