// SPDX-License-Identifier: GPL-2.0-only
#include "fafc-network.h"

#include "ns3/core-module.h"

namespace ns3::lossless
{

void
FafcParameters::AddOptions(Experiment& experiment)
{
    experiment.AddValue("rate", "Rate of the hosts' links.", rate, Range::Above(0));
    experiment.AddValue("delay", "Propagation delay of every link.", delay, Range::Above(0));
    experiment.AddValue("response",
                        "Time of response to control frames, in quanta of 512 bit times.",
                        response);
    experiment.AddValue("buffer", "Packet memory of each switch, in bytes.", buffer, ByteRange{1});
    experiment.AddValue("alpha",
                        "Control parameter of dynamic thresholds, where the policy has them.",
                        alpha,
                        Range::Above(0));
    experiment.AddValue("trigger",
                        "FAFC: predicted length of an egress queue that triggers, in bytes.",
                        trigger,
                        ByteRange{1});
    experiment.AddValue("xoff",
                        "XOFF of ingress queues, where the policy has static ones, in bytes; 0: "
                        "that of --trigger.",
                        xoff,
                        ByteRange{});
    experiment.AddValue("hysteresis", "XOFF minus XON, in bytes.", hysteresis, ByteRange{});
    experiment.AddValue(
        "ecn",
        "Length from which frames are marked, if the congestion control uses ECN marks, in bytes.",
        ecnThreshold,
        ByteRange{1});
    experiment.OfferPayload(payload, 64);
    experiment.AddValue("window",
                        "Upper limit of a flow's window, whatever its congestion control allows, "
                        "in bytes; 0: no limit.",
                        window,
                        ByteRange{});
    experiment.SetsOnlyAttribute("buffer", "SharedBuffer::Size");
    experiment.SetsAttribute("response", "TransmitGate::ResponseQuanta");
    experiment.SetsOnlyAttribute("alpha", "SihBufferPolicy::Alpha");
    experiment.SetsOnlyAttribute("trigger", "FafcFlowControl::PauseThreshold");
    experiment.SetsOnlyAttribute("trigger", "StaticBufferPolicy::Xoff");
    experiment.SetsOnlyAttribute("xoff", "StaticBufferPolicy::Xoff");
    experiment.SetsOnlyAttribute("hysteresis", "StaticBufferPolicy::Xon");
    experiment.SetsOnlyAttribute("ecn", "FafcFlowControl::EcnThreshold");
    experiment.SetsOnlyAttribute("ecn", "StepMarker::Threshold");
    experiment.SetsAttribute("window", "RoceNic::Window");
}

void
FafcParameters::Apply(const Experiment& experiment) const
{
    experiment.Require(hysteresis < GetXoff(), "--hysteresis must be less than XOFF");
    Config::SetDefault("ns3::lossless::TransmitGate::ResponseQuanta", UintegerValue(response));
}

SwitchHelper
FafcParameters::MakeSwitches(const Experiment& experiment) const
{
    SwitchHelper switches = experiment.MakeSwitchHelper();
    switches.SetAttribute("LosslessClasses", UintegerValue(1));
    switches.SetBufferAttribute("Size", UintegerValue(buffer));
    switches.SetPolicyAttributeIfPresent("Alpha", DoubleValue(alpha));
    switches.SetPolicyAttributeIfPresent("Xoff", UintegerValue(GetXoff()));
    switches.SetPolicyAttributeIfPresent("Xon", UintegerValue(GetXoff() - hysteresis));
    switches.SetPolicyAttributeIfPresent("PrivateBytes", UintegerValue(0));
    switches.SetFlowControlAttributeIfPresent("PauseThreshold", UintegerValue(trigger));
    switches.SetFlowControlAttributeIfPresent("EcnThreshold", UintegerValue(ecnThreshold));
    if (experiment.NeedsMarker())
    {
        // The simulator that the paper builds on marks frames that leave, as FAFC itself does.
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

ObjectFactory
FafcParameters::MakeNics(const Experiment& experiment) const
{
    ObjectFactory nics = experiment.MakeNicFactory();
    nics.Set("PayloadBytes", UintegerValue(payload));
    nics.Set("Window", UintegerValue(window));
    return nics;
}

} // namespace ns3::lossless
