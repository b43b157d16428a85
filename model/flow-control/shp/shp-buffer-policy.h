// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SHP_BUFFER_POLICY_H
#define LOSSLESS_SHP_BUFFER_POLICY_H

#include "ns3/pfc-flow-control.h"
#include "ns3/sih-buffer-policy.h"
#include "ns3/switch-node.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A shared headroom pool: the headroom of all lossless ingress queues is allocated from one pool,
 * as in SONiC switches. In SONiC, the field "xoff" of the buffer pool "ingress_lossless_pool" is
 * the pool size, and the buffer profiles contain the limits on the queues.
 *
 * The thresholds are the same as in SIH. A frame that cannot use the shared buffer, because its
 * queue is stopped and not below the threshold or because the buffer is full, uses headroom if it
 * fits within both the queue's own limit (its headroom in SIH) and the pool; otherwise, it is
 * dropped. The reserved memory is the size of the pool rather than the sum of the limits. The pool
 * is usually smaller, because operators expect only a few queues to be congested at the same time.
 * No frame is lost if the limits of the queues that are stopped at the same time fit into the pool.
 * With a pool as large as the sum of the limits, the policy is equivalent to SIH.
 *
 * If the pool size is computed from the limits, GetReservedHeadroom() returns the share of a port,
 * although the port can use more than its share. If the pool size is set explicitly, the function
 * returns 0.
 */
class ShpBufferPolicy : public SihBufferPolicy
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    std::optional<std::string> Configure(const SwitchShape& shape) override;

    /// Returns the size of the pool in bytes; valid after Configure().
    uint64_t GetPoolSize() const
    {
        return m_poolSize;
    }

  private:
    uint64_t GetPortReserve(uint64_t headroom) const override;
    uint64_t GetHeadroomLeft(const SharedBuffer& buffer, const SwitchItem& item) const override;

    uint64_t m_poolBytes{0};          ///< the size of the pool in bytes; if 0, it is derived from
                                      ///< the ratio
    double m_oversubscribeRatio{2.0}; ///< the sum of the limits divided by the pool size
    uint64_t m_poolSize{0};           ///< the resulting size of the pool, in bytes
};

/// @ingroup lossless
/// A switch with a shared headroom pool, as used by operators: PFC combined with a buffer policy
/// that allocates the headroom of all queues from one pool.
class ShpSwitchNode : public SwitchOf<ShpBufferPolicy, PfcFlowControl>
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SHP_BUFFER_POLICY_H */
