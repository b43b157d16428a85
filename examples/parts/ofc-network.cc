// SPDX-License-Identifier: GPL-2.0-only
#include "ofc-network.h"

#include "ns3/core-module.h"
#include "ns3/roce-nic.h"

#include <algorithm>

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

void
OfcParameters::Check(const Experiment& experiment) const
{
    experiment.Require(xon <= xoff, "--xon must be at most --xoff");
}

SwitchHelper
OfcParameters::MakeSwitches(const Experiment& experiment, PrioritySet classes) const
{
    SwitchHelper switches = experiment.MakeSwitchHelper();
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

} // namespace ns3::lossless
