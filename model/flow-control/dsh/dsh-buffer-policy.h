// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DSH_BUFFER_POLICY_H
#define LOSSLESS_DSH_BUFFER_POLICY_H

#include "ns3/pfc-flow-control.h"
#include "ns3/sih-buffer-policy.h"
#include "ns3/switch-node.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The buffer policy of DSH, with headroom in the shared buffer and insurance headroom for each port
 * (DSH, Sec. IV-B).
 *
 * Only the insurance headroom is reserved. A queue is stopped at T - eta (the dynamic threshold
 * minus the headroom of a queue) or, if this is negative, at zero, so that the shared buffer
 * provides headroom for the queue if other queues leave room. The whole port is stopped when its
 * queues together exceed Nq T, where Nq is the number of lossless classes. Only frames that arrive
 * after this stop use the insurance headroom.
 */
class DshBufferPolicy : public SihBufferPolicy
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    std::optional<Thresholds> GetThresholds(const SharedBuffer& buffer,
                                            QueueId queue) const override;
    std::optional<Thresholds> GetPortThresholds(const SharedBuffer& buffer,
                                                PortId port) const override;

  private:
    uint64_t GetPortReserve(uint64_t headroom) const override;
    bool MayUseShared(const SharedBuffer& buffer, const SwitchItem& item) const override;
    uint64_t GetHeadroomLeft(const SharedBuffer& buffer, const SwitchItem& item) const override;
    std::optional<std::string> CheckThresholds() const override;

    uint64_t m_portResumeOffset{0}; ///< delta_p, the resume offset of a port
    bool m_insurance{true};         ///< whether to reserve insurance headroom
};

/// @ingroup lossless
/// A DSH switch (Shan et al.) with dynamic and shared headroom: PFC for queues and ports, combined
/// with a buffer policy that allocates headroom in the shared buffer.
class DshSwitchNode : public SwitchOf<DshBufferPolicy, PfcFlowControl>
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DSH_BUFFER_POLICY_H */
