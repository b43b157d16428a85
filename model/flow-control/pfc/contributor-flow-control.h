// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CONTRIBUTOR_FLOW_CONTROL_H
#define LOSSLESS_CONTRIBUTOR_FLOW_CONTROL_H

#include "pfc-flow-control.h"

#include <functional>
#include <vector>

namespace ns3::lossless
{

/// @ingroup lossless
/// Base of the schemes under which a long egress queue stops its contributors, in addition to what
/// PFC stops (CaPFC, P-PFC): it records which egress queue has stopped which ingress ports. A
/// subclass overrides Assess() to pause what IsStoppedByEgress().
class ContributorFlowControl : public PfcFlowControl
{
  public:
    std::optional<std::string> Configure(const SwitchShape& shape) override;

    /// Returns false, for unknown: levels of egress queues decide as well.
    bool StaysStopped(const SharedBuffer& rest, QueueId queue) const override;

  protected:
    /// Lets an egress queue stop the neighbour of a port for its class.
    /// @return whether the queue had not yet stopped it
    bool StopContributor(QueueId egress, PortId port);
    /// Whether an egress queue has stopped any port.
    bool HasStopped(QueueId egress) const;
    /// Releases ports that an egress queue no longer needs to stop.
    /// @param mayGo asked about each port that it has stopped
    void LetGo(QueueId egress, const std::function<bool(PortId)>& mayGo);
    /// Whether an egress queue has stopped an ingress queue.
    bool IsStoppedByEgress(QueueId ingress) const;

  private:
    std::vector<std::vector<PortId>> m_stopped; ///< ingress ports, by egress queue
    std::vector<uint16_t> m_stoppers; ///< number of egress queues that stop it, by ingress queue
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CONTRIBUTOR_FLOW_CONTROL_H */
