// SPDX-License-Identifier: GPL-2.0-only
#include "fafc-network.h"

#include "ns3/core-module.h"

namespace ns3::lossless
{

void
FafcParameters::AddOptions(Experiment& experiment)
{
    // The paper neither models the response time to PAUSEs nor states the buffer size and alpha.
    experiment.AddValues({
        {"rate", "Rate of the hosts' links.", rate, Range::Above(0)},
        {"delay", "Propagation delay of every link.", delay, Range::Above(0)},
        {"response", "TransmitGate::ResponseQuanta", Range(), UintegerValue(0)},
        {"buffer", "SharedBuffer::Size", ByteRange{1}, UintegerValue(32000000)},
        {"alpha", "SihBufferPolicy::Alpha", Range::Above(0), DoubleValue(1.0 / 8)},
        {"trigger",
         "FAFC: predicted length above which an egress queue triggers pauses, in bytes.",
         trigger,
         ByteRange{1}},
        {"xoff",
         "XOFF of ingress queues, if the policy has a static one, in bytes; 0: that of --trigger.",
         xoff,
         ByteRange{}},
        {"hysteresis", "XOFF minus XON, in bytes.", hysteresis, ByteRange{}},
        {"ecn",
         "Length above which frames are marked, if the congestion control uses ECN marks, in "
         "bytes.",
         ecnThreshold,
         ByteRange{1}},
    });
    experiment.OfferPayload(payload, 64);
    experiment.AddAttribute("window", "RoceNic::Window", ByteRange{});
    experiment.SetsOnlyAttribute("trigger", "FafcFlowControl::PauseThreshold");
    experiment.SetsOnlyAttribute("trigger", "StaticBufferPolicy::Xoff");
    experiment.SetsOnlyAttribute("xoff", "StaticBufferPolicy::Xoff");
    experiment.SetsOnlyAttribute("hysteresis", "StaticBufferPolicy::Xon");
    experiment.SetsOnlyAttribute("ecn", "FafcFlowControl::EcnThreshold");
    experiment.SetsOnlyAttribute("ecn", "StepMarker::Threshold");
}

void
FafcParameters::Check(const Experiment& experiment) const
{
    experiment.Require(hysteresis < GetXoff(), "--hysteresis must be less than XOFF");
}

SwitchHelper
FafcParameters::MakeSwitches(const Experiment& experiment) const
{
    SwitchHelper switches = experiment.MakeSwitchHelper();
    switches.SetAttribute("LosslessClasses", UintegerValue(1));
    switches.SetPolicyAttributeIfPresent("Xoff", UintegerValue(GetXoff()));
    switches.SetPolicyAttributeIfPresent("Xon", UintegerValue(GetXoff() - hysteresis));
    switches.SetPolicyAttributeIfPresent("PrivateBytes", UintegerValue(0));
    switches.SetFlowControlAttributeIfPresent("PauseThreshold", UintegerValue(trigger));
    switches.SetFlowControlAttributeIfPresent("EcnThreshold", UintegerValue(ecnThreshold));
    if (experiment.NeedsMarker())
    {
        // The simulator that the paper extends marks departing frames, as FAFC itself does.
        switches.SetMarker("ns3::lossless::StepMarker",
                           "Threshold",
                           UintegerValue(ecnThreshold),
                           "MarkOnDequeue",
                           BooleanValue(true));
    }
    return switches;
}

uint64_t
FafcParameters::GetXoff() const
{
    return xoff == 0 ? trigger : xoff;
}

} // namespace ns3::lossless
