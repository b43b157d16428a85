// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CAPFC_BUFFER_POLICY_H
#define LOSSLESS_CAPFC_BUFFER_POLICY_H

#include "ns3/buffer-policy.h"

#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The two memories of CaPFC's switch (CaPFC, Sec. IV-A and Table II): each ingress queue and each
 * egress queue has its own, and a frame moves from one to the other. The size of the SharedBuffer
 * is ignored: the switch has as much memory as its queues.
 *
 * With "PoolBytes" above 0 the memory is shared (CaPFC, Sec. IV-C7): "DedicatedBytes" of
 * "IngressMax" and "EgressMax" belong to the queue, and the rest comes from one pool for both
 * sides. A queue may use "PoolPerQueue" of it, the queues of one side of a port together
 * "PoolPerPort", and those of all ingress or all egress ports "PoolOfIngress" and "PoolOfEgress"
 * (Sec. II-F; the paper's experiments state neither of the last two). In the ledger, the dedicated
 * part of an ingress queue is its private buffer; the rest is shared.
 *
 * A frame without room in its egress queue is lost or, with "WaitForEgress", blocks the packet
 * processor until there is room.
 *
 * The space above "IngressXoff" must take what arrives after a PAUSE (Sec. III), or the
 * configuration is refused: the defaults are for links of 1 Gb/s. With a pool, that holds for one
 * queue while the others are empty.
 */
class CapfcBufferPolicy : public BufferPolicy
{
  public:
    /// @return the type
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
        std::string attribute; ///< attribute that sets it
        uint64_t bytes{0};     ///< the limit
    };

    /// What a queue may hold while the others of the pool are empty.
    /// @param own limit without a pool
    /// @param side limit of all queues of its side; 0 bytes: none
    Limit FindLimit(const Limit& own, const Limit& side) const;

    bool HasPool() const
    {
        return m_poolBytes > 0;
    }

    /// How many bytes of a queue of this length are in the pool.
    uint64_t GetPooled(uint64_t length) const
    {
        return length > m_dedicatedBytes ? length - m_dedicatedBytes : 0;
    }

    /// Bytes of the pool used by all egress queues.
    uint64_t GetEgressPooled(const SharedBuffer& buffer) const;
    /// Bytes of the pool used by the egress queues of a port.
    uint64_t GetEgressPooled(const SharedBuffer& buffer, PortId port) const;

    struct PoolUse
    {
        uint64_t queue{0};   ///< by a queue
        uint64_t port{0};    ///< by its side of its port
        uint64_t ingress{0}; ///< by all ingress queues
        uint64_t egress{0};  ///< by all egress queues
    };

    /// Whether the pool's use, with the frame in question, is within all limits.
    bool IsWithinPool(const PoolUse& use) const;

    uint64_t m_ingressMax{0};     ///< of an ingress queue, bytes
    uint64_t m_ingressXoff{0};    ///< above it, the neighbour is stopped
    uint64_t m_ingressXon{0};     ///< at or below it, the neighbour resumes
    uint64_t m_egressMax{0};      ///< of an egress queue, bytes
    bool m_waits{false};          ///< frames wait for room there
    uint64_t m_poolBytes{0};      ///< pool for all queues; 0: none
    uint64_t m_dedicatedBytes{0}; ///< with a pool: each queue's own
    uint64_t m_poolPerQueue{0};   ///< limit of a queue
    uint64_t m_poolPerPort{0};    ///< limit of a side of a port
    uint64_t m_poolOfIngress{0};  ///< limit of all ingress queues; 0: the pool
    uint64_t m_poolOfEgress{0};   ///< limit of all egress queues; 0: the pool
    std::size_t m_ports{0};       ///< of the switch
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CAPFC_BUFFER_POLICY_H */
