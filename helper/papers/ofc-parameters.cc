// SPDX-License-Identifier: GPL-2.0-only
#include "ofc-parameters.h"

#include "ns3/core-module.h"
#include "ns3/flow-recorder.h"
#include "ns3/roce-nic.h"
#include "ns3/static-buffer-policy.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lossless
{

namespace
{

/// Number of bytes that a full frame occupies on the wire.
constexpr uint32_t WIRE_BYTES = 1500;

uint32_t
GetFullPayload()
{
    return WIRE_BYTES - WIRE_OVERHEAD_BYTES - RoceNic::GetFrameBytes(0);
}

/// @return the number of hosts at the first switch of a line, and thus the index of the first host
/// at the last switch
uint32_t
CountSenders(const OfcLine& line)
{
    return std::max(2 * line.longFlows, line.rack);
}

/// First and last leaf of the paths f1 to f4.
constexpr std::array<std::pair<uint32_t, uint32_t>, 4> PATHS{{{0, 3}, {1, 2}, {3, 0}, {2, 1}}};

} // namespace

void
OfcParameters::AddOptions(Experiment& experiment)
{
    experiment.AddValues({
        {"rate", "Rate of every link.", rate, Range::Above(0)},
        {"delay", "Propagation delay of every link.", delay, Range{0}},
        {"response", "TransmitGate::ResponseQuanta", Range(), UintegerValue(0)}, // not in the paper
        {"xoff", "XOFF of ingress queues, in bytes.", xoff, ByteRange{1}},
        {"xon", "XON of ingress queues, in bytes.", xon, ByteRange{1}},
        {"congestion-xoff", "OfcFlowControl::CongestionXoff", ByteRange{}},
        {"whole-egress-queues", "ThresholdFlowControl::WholeEgressQueues", Range()},
    });
    experiment.SetsOnlyAttribute("xoff", "StaticBufferPolicy::Xoff");
    experiment.SetsOnlyAttribute("xon", "StaticBufferPolicy::Xon");
}

SwitchHelper
OfcParameters::MakeSwitches(const Experiment& experiment, PrioritySet classes) const
{
    SwitchHelper switches = experiment.MakeSwitchHelper();
    experiment.Require(xon <= xoff || !switches.HasPolicy<StaticBufferPolicy>(),
                       "--xon must be at most --xoff");
    switches.SetAttribute("LosslessClasses", UintegerValue(classes));
    switches.SetPolicyAttributeIfPresent("Xoff", UintegerValue(xoff));
    switches.SetPolicyAttributeIfPresent("Xon", UintegerValue(xon));
    switches.SetPolicyAttributeIfPresent("PrivateBytes", UintegerValue(0));
    return switches;
}

ObjectFactory
OfcParameters::MakeNics() const
{
    ObjectFactory nics("ns3::lossless::RoceNic");
    nics.Set("PayloadBytes", UintegerValue(GetFullPayload()));
    return nics;
}

uint64_t
OfcParameters::GetPayload(uint64_t wireBytes)
{
    return std::max<uint64_t>(1, wireBytes * GetFullPayload() / WIRE_BYTES);
}

Topology
OfcLine::MakeTopology() const
{
    LineOptions line;
    line.hostsPerSwitch.assign(switches, 0);
    line.hostsPerSwitch.front() = CountSenders(*this);
    line.hostsPerSwitch.back() = std::max(bursts + longFlows + 1, rack);
    return Topology::Line(WithLinks(line, rate, delay));
}

FlowList
OfcLine::MakeFlows() const
{
    const uint32_t burstSender = CountSenders(*this);
    const uint32_t receiver = burstSender + bursts;
    const uint32_t hotReceiver = receiver + longFlows; // of all congested flows
    WorkloadRandom random;
    random.AssignStreams(WORKLOAD_STREAM);
    FlowList flows;
    const auto add = [&](uint32_t from, uint32_t to, uint64_t wireBytes, Time start) {
        const uint8_t priority = from < burstSender ? 0 : burstClass;
        const char* group = to == hotReceiver ? "congested" : "uncongested";
        const uint64_t bytes = GetPayload(wireBytes);
        flows.push_back({flows.size(), from, to, priority, bytes, start, group});
    };
    for (uint32_t round = 0; round < rounds; ++round)
    {
        const Time start = round * roundTime;
        for (uint32_t i = 0; i < longFlows; ++i)
        {
            add(i, receiver + i, longBytes, start);
            add(longFlows + i, hotReceiver, longBytes, start);
        }
        for (uint32_t i = burstSender; i < receiver; ++i)
        {
            add(i, hotReceiver, burstBytes, start + random.DrawJitter(burstWindow));
        }
    }
    SortByStart(flows);
    return flows;
}

ResultTable
OfcLine::MakeRoundTable(Experiment& experiment) const
{
    std::vector<Time> ends(rounds);
    for (const auto& [id, flow] : experiment.GetResults().Get<FlowRecorder>()->GetFlows())
    {
        const uint64_t round = flow.start.GetTimeStep() / roundTime.GetTimeStep();
        Time& end = ends[std::min<uint64_t>(round, rounds - 1)]; // the last round is open-ended
        end = Max(end, flow.received);
    }
    auto table = ResultTable::WithHeader("round,start_ns,length_ns");
    for (uint32_t round = 0; round < rounds; ++round)
    {
        const Time start = round * roundTime;
        experiment.Require(experiment.IsInterrupted() || round + 1 == rounds ||
                               ends[round] <= start + roundTime,
                           "--round-time is too short: a round had not ended when the next one "
                           "began");
        const auto length =
            ends[round].IsZero() ? std::nullopt : std::optional(ends[round] - start);
        table.rows.push_back({round, start, length});
    }
    return table;
}

Topology
OfcCircle::MakeTopology() const
{
    const LeafSpineOptions leafSpine{4, 2, hostsPerLeaf};
    Topology topology = Topology::LeafSpine(WithLinks(leafSpine, rate, delay));
    topology.FailLink("spine0", "leaf3");
    topology.FailLink("spine1", "leaf0");
    return topology;
}

void
OfcCircle::PinPaths(const Fabric& fabric) const
{
    for (uint32_t i = 0; i < hostsPerLeaf; ++i)
    {
        fabric.PinRoute("spine0", 3 * hostsPerLeaf + i, "leaf1");
        fabric.PinRoute("leaf1", 2 * hostsPerLeaf + i, "spine1");
        fabric.PinRoute("spine1", 0 * hostsPerLeaf + i, "leaf2");
        fabric.PinRoute("leaf2", 1 * hostsPerLeaf + i, "spine0");
    }
}

FlowList
OfcCircle::MakeFlows(int64_t stream) const
{
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(stream);
    // Cumulative weights up to 1, drawn uniformly from all combinations.
    std::array<double, PATHS.size()> weights{};
    std::generate(weights.begin(), weights.end() - 1, [&] { return random->GetValue(0, 1); });
    weights.back() = 1;
    std::sort(weights.begin(), weights.end());
    std::array<uint32_t, PATHS.size()> counts{};
    FlowList list;
    for (uint32_t i = 0; i < flows; ++i)
    {
        const auto chosen =
            std::upper_bound(weights.begin(), weights.end() - 1, random->GetValue(0, 1));
        const auto index = static_cast<std::size_t>(chosen - weights.begin());
        const uint32_t turn = counts[index]++ % hostsPerLeaf;
        list.push_back({i,
                        PATHS[index].first * hostsPerLeaf + turn,
                        PATHS[index].second * hostsPerLeaf + turn,
                        static_cast<uint8_t>(i % classes),
                        GetPayload(bytes),
                        window * random->GetValue(0, 1),
                        "f" + std::to_string(index + 1)});
    }
    SortByStart(list);
    return list;
}

} // namespace ns3::lossless
