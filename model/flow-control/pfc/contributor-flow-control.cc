// SPDX-License-Identifier: GPL-2.0-only
#include "contributor-flow-control.h"

#include <algorithm>

namespace ns3::lossless
{

std::optional<std::string>
ContributorFlowControl::Configure(const SwitchShape& shape)
{
    m_stopped.resize(shape.ports.size() * NUM_PRIORITIES);
    m_stoppers.resize(shape.ports.size() * NUM_PRIORITIES);
    return PfcFlowControl::Configure(shape);
}

bool
ContributorFlowControl::StopContributor(QueueId egress, PortId port)
{
    std::vector<PortId>& stopped = m_stopped[Index(egress)];
    if (std::find(stopped.begin(), stopped.end(), port) != stopped.end())
    {
        return false;
    }
    const QueueId ingress{port, egress.priority};
    stopped.push_back(port);
    ++m_stoppers[Index(ingress)];
    Reassess(ingress);
    return true;
}

bool
ContributorFlowControl::HasStopped(QueueId egress) const
{
    return !m_stopped[Index(egress)].empty();
}

void
ContributorFlowControl::LetGo(QueueId egress, const std::function<bool(PortId)>& mayGo)
{
    std::vector<PortId>& stopped = m_stopped[Index(egress)];
    const auto gone = std::stable_partition(stopped.begin(), stopped.end(), std::not_fn(mayGo));
    const std::vector<PortId> goOn(gone, stopped.end());
    stopped.erase(gone, stopped.end());
    for (const PortId port : goOn)
    {
        const QueueId ingress{port, egress.priority};
        --m_stoppers[Index(ingress)];
        NotifyLetGo(ingress);
    }
}

bool
ContributorFlowControl::IsStoppedByEgress(QueueId ingress) const
{
    return m_stoppers[Index(ingress)] > 0;
}

} // namespace ns3::lossless
