// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CONTRIBUTOR_FLOW_CONTROL_H
#define LOSSLESS_CONTRIBUTOR_FLOW_CONTROL_H

#include "pfc-flow-control.h"

#include <functional>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Base of the schemes under which a long egress queue stops those who fill it, beside what PFC
 * stops (CaPFC, P-PFC): it keeps which egress queue has stopped which ingress ports. A subclass
 * says in Assess() that what IsStoppedByEgress() has to pause.
 */
class ContributorFlowControl : public PfcFlowControl
{
  public:
    std::optional<std::string> Configure(const SwitchShape& shape) override;

    /// Levels of egress queues decide as well. @param rest see FlowControl @param queue there, too
    /// @return false: not known
    bool StaysStopped(const SharedBuffer& rest, QueueId queue) const override;

  protected:
    /// An egress queue stops the neighbour of a port for its class, unless it has done so.
    /// @param egress the queue @param port the port @return whether that is news
    bool StopContributor(QueueId egress, PortId port);
    /// @param egress an egress queue @return whether it has stopped anybody
    bool HasStopped(QueueId egress) const;
    /// An egress queue has no reason any more to keep some ports stopped.
    /// @param egress the queue @param mayGo asked about each port that it has stopped
    void LetGo(QueueId egress, const std::function<bool(PortId)>& mayGo);
    /// @param ingress an ingress queue @return whether an egress queue has stopped it
    bool IsStoppedByEgress(QueueId ingress) const;

  private:
    std::vector<std::vector<PortId>> m_stopped; ///< ingress ports, by egress queue
    std::vector<uint16_t> m_stoppers;           ///< egress queues that stop it, by ingress queue
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CONTRIBUTOR_FLOW_CONTROL_H */
