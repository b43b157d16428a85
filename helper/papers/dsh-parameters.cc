// SPDX-License-Identifier: GPL-2.0-only
#include "dsh-parameters.h"

#include "ns3/core-module.h"
#include "ns3/lossless-net-device.h"
#include "ns3/roce-nic.h"

#include <cmath>
#include <numeric>

namespace ns3::lossless
{

void
DshParameters::AddOptions(Experiment& experiment)
{
    experiment.AddValues({
        {"buffer", "SharedBuffer::Size", ByteRange{1}},
        {"queues", "Lossless classes per port, from class 0 on.", queues, Range{3, 7}},
        {"alpha", "SihBufferPolicy::Alpha"},
        {"private", "HeadroomBufferPolicy::PrivateBytes", ByteRange{}},
        // The paper's switches reserve nothing for lossy classes.
        {"lossy-private", "HeadroomBufferPolicy::LossyPrivateBytes", ByteRange{}, UintegerValue(0)},
        {"reference-ports",
         "HeadroomBufferPolicy::ReferencePorts",
         Range{0, 1024},
         UintegerValue(referencePorts)},
        {"resume-by-own-release", "ThresholdFlowControl::ResumeByOwnRelease"},
        {"worst-case-headroom",
         "Headroom for the worst case instead of the paper's Eq. 1.",
         worstCaseHeadroom},
        {"rate", "Rate of the hosts' links.", rate, Range::Above(0)},
        {"delay", "Propagation delay of every link.", delay, Range{0}},
    });
    experiment.OfferPayload(payload, 64);
    experiment.SetsAttribute("queues", "SwitchNode::LosslessClasses");
    experiment.SetsOnlyAttribute("worst-case-headroom", "HeadroomBufferPolicy::WorstCaseHeadroom");
}

SwitchHelper
DshParameters::MakeSwitches(const Experiment& experiment) const
{
    SwitchHelper switches = experiment.MakeSwitchHelper();
    switches.SetAttribute("LosslessClasses", UintegerValue((1U << queues) - 1));
    switches.SetPolicyAttributeIfPresent("WorstCaseHeadroom", BooleanValue(worstCaseHeadroom));
    switches.SetPolicyAttributeIfPresent("ReferenceHeadroomBytes",
                                         UintegerValue(GetHostHeadroom()));
    return switches;
}

uint64_t
DshParameters::GetHostHeadroom() const
{
    const PortLink link{rate, delay, CreateObject<LosslessNetDevice>()->GetMtu()};
    return worstCaseHeadroom ? GetWorstCaseHeadroomBytes(link, 1, queues) : GetHeadroomBytes(link);
}

std::vector<uint8_t>
DshParameters::GetClasses(uint8_t first) const
{
    std::vector<uint8_t> classes(queues - first);
    std::iota(classes.begin(), classes.end(), first);
    return classes;
}

void
DshBurst::AddOptions(Experiment& experiment)
{
    experiment.AddValues({
        {"ports", "Ports of the switch.", ports, Range{5, 1024}},
        {"burst-share",
         "Size of the burst of all senders together, in per cent of the buffer.",
         share,
         Range::Above(0, 1000)},
        {"incast-senders",
         "Ports that send the burst, after those of the background.",
         senders,
         Range{1}},
        {"background", "Let the background's ports send continuously.", background},
        {"background-senders",
         "Ports of the background, from port 0 on.",
         backgroundSenders,
         Range{0}},
        {"load",
         "Rate of each sender divided by that of an egress port that its flow has to itself; 0: "
         "all bursts go to one port, and the background to another.",
         load,
         Range{0, 1000}},
        {"burst-start", "Start of the burst.", start, Range{0}},
    });
    experiment.SetsAttribute("payload", "RawSource::FrameBytes");
}

void
DshBurst::Check(const Experiment& experiment) const
{
    const uint64_t all = uint64_t{backgroundSenders} + senders;
    experiment.Require(ports >= (load > 0 ? 2 * all : all + 2),
                       "--ports must be at least 2 more than --background-senders and "
                       "--incast-senders; with --load, twice as many as these");
}

Topology
DshBurst::MakeTopology(const DshParameters& network) const
{
    const double ratio = load > 0 ? load : 1;
    const DataRate slow(static_cast<uint64_t>(std::llround(network.rate.GetBitRate() / ratio)));
    Topology topology;
    const uint32_t node = topology.AddSwitch("s0");
    for (uint32_t port = 0; port < ports; ++port)
    {
        const DataRate rate = port < backgroundSenders + senders ? network.rate : slow;
        topology.AddLink(topology.AddHost("h" + std::to_string(port)), node, rate, network.delay);
    }
    return topology;
}

uint32_t
DshBurst::GetReceiver(uint32_t sender) const
{
    const uint32_t common = sender < backgroundSenders ? ports - 1 : ports - 2;
    return load > 0 ? backgroundSenders + senders + sender : common;
}

void
DshTraffic::Check(const Experiment& experiment) const
{
    experiment.Require(backgroundLoad <= load, "--background-load must be at most --load");
    experiment.RequireUse({"incast-senders", "incast-bytes"},
                          backgroundLoad < load,
                          "a --load above --background-load");
}

FlowList
DshTraffic::MakeFlows(const Topology& topology, const DshParameters& network) const
{
    FanInOptions events;
    events.origin = "--load and --incast-senders";
    events.load = load - backgroundLoad;
    events.minSenders = events.maxSenders = fanIn;
    events.sizes = FlowSizeTable::Fixed(fanInBytes);
    events.otherRacks = true;
    PoissonOptions background;
    background.origin = "--background-load";
    background.load = backgroundLoad;
    background.sizes = FlowSizeTable::Get(sizes);
    background.priorities = classes == "apart" ? network.GetClasses(1) : events.priorities;
    background.duration = events.duration = arrivals;
    background.overheadFactor = events.overheadFactor = RoceNic::GetOverheadFactor(network.payload);
    return DrawFlows(topology, {background, events});
}

} // namespace ns3::lossless
