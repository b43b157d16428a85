// SPDX-License-Identifier: GPL-2.0-only
#include "host-forwarding.h"

#include "ns3/forwarding-hosts.h"

namespace ns3::lossless
{

void
HostForwarding::AddOption(Experiment& experiment)
{
    experiment.AddValue("host-forwards",
                        "Whether hosts with several links also forward frames of other hosts; a "
                        "switch takes over their links.",
                        m_isOn);
}

void
HostForwarding::ApplyTo(const Experiment& experiment, Topology& topology) const
{
    if (m_isOn)
    {
        experiment.RequireFit(LetHostsForward(topology), "--host-forwards has no effect, since ");
    }
}

} // namespace ns3::lossless
