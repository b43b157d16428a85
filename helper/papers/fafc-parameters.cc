// SPDX-License-Identifier: GPL-2.0-only
#include "fafc-parameters.h"

#include "ns3/core-module.h"
#include "ns3/static-buffer-policy.h"

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
         "Length above which frames are marked, in bytes: by FAFC always, by other schemes if the "
         "congestion control uses marks; one that does not, as None, changes no rate by them.",
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

SwitchHelper
FafcParameters::MakeSwitches(const Experiment& experiment) const
{
    const uint64_t chosenXoff = xoff == 0 ? trigger : xoff;
    SwitchHelper switches = experiment.MakeSwitchHelper();
    experiment.Require(hysteresis < chosenXoff || !switches.HasPolicy<StaticBufferPolicy>(),
                       std::string("--hysteresis must be less than --") +
                           (xoff == 0 ? "trigger" : "xoff"));
    switches.SetAttribute("LosslessClasses", UintegerValue(1));
    switches.SetPolicyAttributeIfPresent("Xoff", UintegerValue(chosenXoff));
    switches.SetPolicyAttributeIfPresent("Xon", UintegerValue(chosenXoff - hysteresis));
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

void
FafcIncast::AddOptions(Experiment& experiment)
{
    experiment.AddValues({
        {"long-bytes", "Payload of each long flow, in bytes.", longBytes, ByteRange{1}},
        {"burst-bytes", "Payload of each burst, in bytes.", burstBytes, ByteRange{1}},
        {"burst-start", "Start of the bursts.", burstStart, Range{0}},
        {"burst-jitter", "Maximum random delay of each burst.", burstJitter, Range{0}},
        {"messages",
         "Messages back and forth between the first host and a receiver, in place of long flows; "
         "each starts when the previous one has arrived.",
         messages,
         Range{0, 1000000}},
        {"message-bytes", "Payload of each message, in bytes.", messageBytes, ByteRange{1}},
    });
}

FlowList
FafcIncast::MakeFlows(uint32_t hosts) const
{
    const uint32_t receiver = hosts - 2;
    const uint32_t hotReceiver = hosts - 1;
    FlowList flows;
    const auto add = [&](uint32_t from, uint32_t to, uint64_t bytes, Time at, const char* group) {
        flows.push_back({flows.size(), from, to, 0, bytes, at, group});
    };
    if (messages == 0)
    {
        add(0, receiver, longBytes, Time(0), "large");
        add(1, hotReceiver, longBytes, Time(0), "large");
    }
    for (uint32_t i = 0; i < messages; ++i)
    {
        const bool isBack = i % 2 == 1;
        add(isBack ? receiver : 0, isBack ? 0 : receiver, messageBytes, burstStart, "message");
    }
    WorkloadRandom random;
    random.AssignStreams(WORKLOAD_STREAM);
    for (uint32_t host = messages == 0 ? 2 : 1; host < receiver; ++host)
    {
        add(host, hotReceiver, burstBytes, burstStart + random.DrawJitter(burstJitter), "incast");
    }
    SortByStart(flows);
    return flows;
}

} // namespace ns3::lossless
