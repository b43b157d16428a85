// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CONTRIBUTOR_FLOW_CONTROL_H
#define LOSSLESS_CONTRIBUTOR_FLOW_CONTROL_H

#include "pfc-flow-control.h"

#include <functional>
#include <vector>

namespace ns3::lossless
{

/// @ingroup lossless
/// The base class of schemes in which a long egress queue stops its contributors, in addition to
/// PFC (CaPFC, P-PFC). It records which egress queue has stopped which ingress ports. Subclasses
/// override Assess() to pause the queues for which IsStoppedByEgress() returns true.
class ContributorFlowControl : public PfcFlowControl
{
  public:
    std::optional<std::string> Configure(const SwitchShape& shape) override;

    /// Returns false (meaning unknown), because the lengths of egress queues also affect the
    /// decision.
    bool StaysStopped(const SharedBuffer& /* rest */, QueueId /* queue */) const override
    {
        return false;
    }

  protected:
    /// Stops the neighbour of a port for the class of an egress queue, on behalf of this queue.
    /// @param port the ingress port
    /// @return whether the queue had not stopped the port before
    bool StopContributor(QueueId egress, PortId port);
    /// Returns whether an egress queue has stopped at least one port.
    bool HasStopped(QueueId egress) const;
    /// Releases ports that an egress queue no longer needs to stop.
    /// @param mayGo a function that returns whether a stopped port can be released
    void LetGo(QueueId egress, const std::function<bool(PortId)>& mayGo);
    /// Returns whether any egress queue has stopped the neighbour of an ingress queue.
    bool IsStoppedByEgress(QueueId ingress) const;

  private:
    std::vector<std::vector<PortId>> m_stopped; ///< for each egress queue, the ingress ports that
                                                ///< it has stopped
    std::vector<uint16_t> m_stoppers; ///< for each ingress queue, the number of egress queues that
                                      ///< stop it
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CONTRIBUTOR_FLOW_CONTROL_H */
