// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CAPFC_BUFFER_POLICY_H
#define LOSSLESS_CAPFC_BUFFER_POLICY_H

#include "ns3/buffer-policy.h"

#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A policy for the two memories of the CaPFC switch (CaPFC, Sec. IV-A and Table II). Each ingress
 * queue and each egress queue has its own memory, and a frame moves from the memory of its ingress
 * queue to that of its egress queue. The size of the SharedBuffer is ignored, because the memory of
 * the switch is the sum of the queues' memories.
 *
 * If "PoolBytes" is above 0, memory is shared (CaPFC, Sec. IV-C7). Each queue then owns
 * "DedicatedBytes" bytes and takes further bytes from a pool that both sides share; "IngressMax"
 * and "EgressMax" have no effect. The use of the pool is limited to "PoolPerQueue" for each queue,
 * "PoolPerPort" for the queues of one side of a port, and "PoolOfIngress" or "PoolOfEgress" for all
 * ingress or egress queues (Sec. II-F). The paper does not state the last two limits for its
 * experiments. In the buffer accounting, the dedicated part of an ingress queue is private, and the
 * rest is shared.
 *
 * A frame that does not fit into its egress queue is lost or, if "WaitForEgress" is set, blocks the
 * packet processor until there is room.
 *
 * The space above "IngressXoff" must hold the frames that arrive after a PAUSE (Sec. III);
 * otherwise, the configuration is rejected. The defaults are for links of 1 Gb/s. With a pool, the
 * space above "IngressXoff" is checked for one queue at a time, with all other queues empty.
 */
class CapfcBufferPolicy : public BufferPolicy
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    Admission Admit(const SharedBuffer& buffer, const SwitchItem& item) const override;
    Admission AdmitEgress(const SharedBuffer& buffer, const SwitchItem& item) const override;
    std::optional<uint64_t> GetEgressRoom() const override;
    bool IsTwoSided() const override;
    std::optional<Thresholds> GetThresholds(const SharedBuffer& buffer,
                                            QueueId queue) const override;

  private:
    struct Limit
    {
        std::string attribute; ///< the attribute that sets the limit
        uint64_t bytes{0};     ///< the limit in bytes
    };

    /// Returns the limit on a queue while the other queues that share the pool are empty.
    /// @param own the limit that applies without a pool
    /// @param side the limit on all queues of the same side together; 0 bytes means no limit
    Limit FindLimit(const Limit& own, const Limit& side) const;

    bool HasPool() const
    {
        return m_poolBytes > 0;
    }

    /// Returns how many bytes of a queue of the given length are in the pool.
    uint64_t GetPooled(uint64_t length) const
    {
        return length > m_dedicatedBytes ? length - m_dedicatedBytes : 0;
    }

    /// Returns the number of pool bytes that all egress queues together use.
    uint64_t GetEgressPooled(const SharedBuffer& buffer) const;
    /// Returns the number of pool bytes that the egress queues of a port use.
    uint64_t GetEgressPooled(const SharedBuffer& buffer, PortId port) const;

    struct PoolUse
    {
        uint64_t queue{0};   ///< the number of bytes used by one queue
        uint64_t port{0};    ///< the number of bytes used by one side of the queue's port
        uint64_t ingress{0}; ///< the number of bytes used by all ingress queues
        uint64_t egress{0};  ///< the number of bytes used by all egress queues
    };

    /// Returns whether the use of the pool, including the frame in question, is within all limits.
    bool IsWithinPool(const PoolUse& use) const;

    uint64_t m_ingressMax{0};     ///< the size of an ingress queue, in bytes
    uint64_t m_ingressXoff{0};    ///< the length, in bytes, above which the neighbour is stopped
    uint64_t m_ingressXon{0};     ///< the length, in bytes, at or below which the neighbour resumes
    uint64_t m_egressMax{0};      ///< the size of an egress queue, in bytes
    bool m_waits{false};          ///< whether frames wait for room in the egress queue
    uint64_t m_poolBytes{0};      ///< the size of the pool for all queues, in bytes; 0 means no
                                  ///< pool
    uint64_t m_dedicatedBytes{0}; ///< the number of dedicated bytes of each queue if there is a
                                  ///< pool
    uint64_t m_poolPerQueue{0};   ///< the limit on a queue's use of the pool
    uint64_t m_poolPerPort{0};    ///< the limit on the use of the pool by one side of a port
    uint64_t m_poolOfIngress{0};  ///< the limit on the use of the pool by all ingress queues; 0
                                  ///< means no separate limit
    uint64_t m_poolOfEgress{0};   ///< the limit on the use of the pool by all egress queues; 0
                                  ///< means no separate limit
    std::size_t m_ports{0};       ///< the number of ports
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CAPFC_BUFFER_POLICY_H */
