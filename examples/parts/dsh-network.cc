// SPDX-License-Identifier: GPL-2.0-only
#include "dsh-network.h"

#include "ns3/core-module.h"
#include "ns3/lossless-net-device.h"
#include "ns3/roce-nic.h"

#include <numeric>

namespace ns3::lossless
{

void
DshParameters::AddOptions(Experiment& experiment)
{
    experiment.AddValue("buffer", "Packet memory of each switch, in bytes.", buffer, ByteRange{1});
    experiment.AddValue("queues",
                        "Lossless classes per port, from class 0 on.",
                        queues,
                        Range{3, 7});
    experiment.AddValue("alpha", "Control parameter of the dynamic threshold.", alpha);
    experiment.AddValue("private",
                        "Private buffer of each lossless ingress queue, in bytes.",
                        privateBytes,
                        ByteRange{});
    experiment.AddValue("lossy-private",
                        "Private buffer of each ingress queue of a lossy class, in bytes.",
                        lossyPrivateBytes,
                        ByteRange{});
    experiment.AddValue("reference-ports",
                        "Headroom and private buffers are set aside for at least so many ports "
                        "with a host's link, whatever is connected; 0: for those connected.",
                        referencePorts,
                        Range{0, 1024});
    experiment.AddValue("resume-by-own-release",
                        "A RESUME is tried only when a frame of the same ingress queue leaves, as "
                        "in the simulators of the HPCC family.",
                        resumeByOwnRelease);
    experiment.AddValue("worst-case-headroom",
                        "Headroom for the worst case instead of the paper's Eq. 1.",
                        worstCaseHeadroom);
    experiment.AddValue("rate", "Rate of the hosts' links.", rate, Range::Above(0));
    experiment.AddValue("delay", "Propagation delay of every link.", delay, Range{0});
    experiment.OfferPayload(payload, 64);
    experiment.SetsAttribute("buffer", "SharedBuffer::Size");
    experiment.SetsAttribute("queues", "SwitchNode::LosslessClasses");
    experiment.SetsOnlyAttribute("alpha", "SihBufferPolicy::Alpha");
    experiment.SetsOnlyAttribute("private", "HeadroomBufferPolicy::PrivateBytes");
    experiment.SetsOnlyAttribute("lossy-private", "HeadroomBufferPolicy::LossyPrivateBytes");
    experiment.SetsOnlyAttribute("worst-case-headroom", "HeadroomBufferPolicy::WorstCaseHeadroom");
    experiment.SetsOnlyAttribute("reference-ports", "HeadroomBufferPolicy::ReferencePorts");
    experiment.SetsOnlyAttribute("resume-by-own-release",
                                 "ThresholdFlowControl::ResumeByOwnRelease");
}

SwitchHelper
DshParameters::MakeSwitches(const Experiment& experiment) const
{
    SwitchHelper switches = experiment.MakeSwitchHelper();
    switches.SetAttribute("LosslessClasses", UintegerValue((1U << queues) - 1));
    switches.SetBufferAttribute("Size", UintegerValue(buffer));
    switches.SetPolicyAttributeIfPresent("Alpha", DoubleValue(alpha));
    switches.SetPolicyAttributeIfPresent("PrivateBytes", UintegerValue(privateBytes));
    switches.SetPolicyAttributeIfPresent("LossyPrivateBytes", UintegerValue(lossyPrivateBytes));
    switches.SetPolicyAttributeIfPresent("WorstCaseHeadroom", BooleanValue(worstCaseHeadroom));
    switches.SetPolicyAttributeIfPresent("ReferencePorts", UintegerValue(referencePorts));
    switches.SetPolicyAttributeIfPresent("ReferenceHeadroomBytes",
                                         UintegerValue(GetHostHeadroom()));
    switches.SetFlowControlAttributeIfPresent("ResumeByOwnRelease",
                                              BooleanValue(resumeByOwnRelease));
    return switches;
}

uint64_t
DshParameters::GetHostHeadroom() const
{
    const PortLink link{rate, delay, CreateObject<LosslessNetDevice>()->GetMtu()};
    return worstCaseHeadroom ? GetWorstCaseHeadroomBytes(link, 1, queues) : GetHeadroomBytes(link);
}

ObjectFactory
DshParameters::MakeNics(const Experiment& experiment) const
{
    ObjectFactory nics = experiment.MakeNicFactory();
    nics.Set("PayloadBytes", UintegerValue(payload));
    return nics;
}

std::vector<uint8_t>
DshParameters::GetClasses(uint8_t first) const
{
    std::vector<uint8_t> classes(queues - first);
    std::iota(classes.begin(), classes.end(), first);
    return classes;
}

double
DshParameters::GetOverheadFactor() const
{
    return RoceNic::GetOverheadFactor(payload);
}

} // namespace ns3::lossless
