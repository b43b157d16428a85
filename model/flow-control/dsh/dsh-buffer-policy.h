// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DSH_BUFFER_POLICY_H
#define LOSSLESS_DSH_BUFFER_POLICY_H

#include "ns3/sih-buffer-policy.h"
#include "ns3/switch-node.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * DSH: headroom inside the shared buffer, and insurance headroom for each port (DSH, Sec. IV-B).
 *
 * Only one headroom per port is reserved. A queue is stopped at T - eta, to find headroom in the
 * shared buffer as long as others leave room; the whole port is stopped when its queues together
 * exceed Nq T, and only what arrives after that uses the insurance. A negative T - eta counts as
 * zero.
 */
class DshBufferPolicy : public SihBufferPolicy
{
  public:
    /// @return the type
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

    uint64_t m_portResumeOffset{0}; ///< delta_p
    bool m_insurance{true};         ///< reserve insurance headroom
};

/// @ingroup lossless
/// A DSH switch (Shan et al.), with dynamic and shared headroom: PFC at queue and port level, over
/// a buffer policy that keeps headroom inside the shared buffer.
class DshSwitchNode : public SwitchNode
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    DshSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DSH_BUFFER_POLICY_H */
