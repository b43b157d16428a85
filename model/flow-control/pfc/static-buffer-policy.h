// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_STATIC_BUFFER_POLICY_H
#define LOSSLESS_STATIC_BUFFER_POLICY_H

#include "ns3/headroom-buffer-policy.h"

namespace ns3::lossless
{

/// @ingroup lossless
/// A policy with fixed XOFF and XON thresholds for each lossless ingress queue and with headroom
/// above XOFF.
class StaticBufferPolicy : public HeadroomBufferPolicy
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    std::optional<Thresholds> GetThresholds(const SharedBuffer& buffer,
                                            QueueId queue) const override;

  private:
    std::optional<std::string> CheckThresholds() const override;

    uint64_t m_xoff{0}; ///< the shared occupancy, in bytes, above which a queue is stopped
    uint64_t m_xon{0};  ///< the shared occupancy, in bytes, below which a queue restarts
};

} // namespace ns3::lossless

#endif /* LOSSLESS_STATIC_BUFFER_POLICY_H */
