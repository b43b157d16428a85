// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SHP_BUFFER_POLICY_H
#define LOSSLESS_SHP_BUFFER_POLICY_H

#include "ns3/sih-buffer-policy.h"
#include "ns3/switch-node.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Shared headroom pool: the headroom of all lossless ingress queues comes from one pool, as in
 * switches with SONiC (its buffer pool "ingress_lossless_pool" has the pool's size in the field
 * "xoff", its buffer profiles the limits of the queues).
 *
 * Thresholds are those of SIH. What arrives above them takes headroom if both the queue's own
 * limit, which is its headroom under SIH, and the pool have room; otherwise it is lost. The pool is
 * reserved instead of the sum of the limits, and is usually smaller: an operator expects few queues
 * to be congested together. The switch loses nothing as long as the limits of the queues stopped at
 * the same time fit into the pool. With a pool as large as the sum of the limits it is SIH.
 *
 * GetReservedHeadroom() of a port is its share of a pool computed from the limits, of which it may
 * use more; for a pool of given size it is 0.
 */
class ShpBufferPolicy : public SihBufferPolicy
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    std::optional<std::string> Configure(const SwitchShape& shape) override;

    /// Size of the pool, bytes; valid after Configure().
    uint64_t GetPoolSize() const
    {
        return m_poolSize;
    }

  private:
    uint64_t GetPortReserve(uint64_t headroom) const override;
    uint64_t GetHeadroomLeft(const SharedBuffer& buffer, const SwitchItem& item) const override;

    uint64_t m_poolBytes{0};          ///< size of the pool; 0: from the ratio
    double m_oversubscribeRatio{2.0}; ///< sum of the limits / size of the pool
    uint64_t m_poolSize{0};           ///< resulting size
};

/// @ingroup lossless
/// A switch with a shared headroom pool, as operators use it: PFC over a buffer policy whose
/// headroom comes from one pool for all queues.
class ShpSwitchNode : public SwitchNode
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    ShpSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SHP_BUFFER_POLICY_H */
