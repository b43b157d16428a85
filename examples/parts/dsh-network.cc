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
    experiment.AddValues({
        {"buffer", "SharedBuffer::Size", ByteRange{1}},
        {"queues", "Lossless classes per port, from class 0 on.", queues, Range{3, 7}},
        {"alpha", "SihBufferPolicy::Alpha"},
        {"private", "HeadroomBufferPolicy::PrivateBytes", ByteRange{}},
        {"lossy-private", // the paper's switches do not reserve it
         "HeadroomBufferPolicy::LossyPrivateBytes",
         ByteRange{},
         UintegerValue(0)},
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

double
DshParameters::GetOverheadFactor() const
{
    return RoceNic::GetOverheadFactor(payload);
}

} // namespace ns3::lossless
