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
ContributorFlowControl::StaysStopped(const SharedBuffer& /* rest */, QueueId /* queue */) const
{
    return false;
}

void
ContributorFlowControl::StopContributor(QueueId egress, PortId port)
{
    const QueueId ingress{port, egress.priority};
    m_stopped[Index(egress)].push_back(port);
    ++m_stoppers[Index(ingress)];
    Reassess(ingress);
}

bool
ContributorFlowControl::HasStopped(QueueId egress) const
{
    return !m_stopped[Index(egress)].empty();
}

bool
ContributorFlowControl::HasStopped(QueueId egress, PortId port) const
{
    const std::vector<PortId>& stopped = m_stopped[Index(egress)];
    return std::find(stopped.begin(), stopped.end(), port) != stopped.end();
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
