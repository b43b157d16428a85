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
 * With "PoolBytes" above 0 the memory is shared (CaPFC, Sec. IV-C7): of "IngressMax" and
 * "EgressMax", "DedicatedBytes" are a queue's own, and the rest comes out of one pool for both
 * sides, of which a queue may have "PoolPerQueue", the queues of one side of a port together
 * "PoolPerPort", and those of all ingress or all egress ports "PoolOfIngress" and "PoolOfEgress"
 * (Sec. II-F; its experiments tell none of the last two). In the ledger, the dedicated part of an
 * ingress queue is its private buffer, the rest is shared.
 *
 * A frame without room in its egress queue is lost, or with "WaitForEgress" stops the packet
 * processor until there is room.
 *
 * What an ingress queue has above "IngressXoff" must take what arrives after a PAUSE (Sec. III), or
 * the configuration is refused: the defaults are for links of 1 Gb/s. With a pool, that holds for
 * one queue while the others are empty.
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
    /// What a queue may hold at most.
    struct Limit
    {
        std::string attribute; ///< that sets it
        uint64_t bytes{0};     ///< the limit
    };

    /// @param own limit without a pool @param side limit of all queues of its side; 0 bytes: none
    /// @return what a queue may hold while all others of the pool are empty
    Limit FindLimit(const Limit& own, const Limit& side) const;

    /// @return whether the memory is shared
    bool HasPool() const
    {
        return m_poolBytes > 0;
    }

    /// @param length of a queue, bytes @return how many of them are in the pool
    uint64_t GetPooled(uint64_t length) const
    {
        return length > m_dedicatedBytes ? length - m_dedicatedBytes : 0;
    }

    /// @param buffer the ledger @return bytes of the pool that all egress queues have
    uint64_t GetEgressPooled(const SharedBuffer& buffer) const;
    /// @param buffer the ledger @param port a port @return bytes of the pool that its egress has
    uint64_t GetEgressPooled(const SharedBuffer& buffer, PortId port) const;

    /// Bytes of the pool that are in use.
    struct PoolUse
    {
        uint64_t queue{0};   ///< by a queue
        uint64_t port{0};    ///< by its side of its port
        uint64_t ingress{0}; ///< by all ingress queues
        uint64_t egress{0};  ///< by all egress queues
    };

    /// @param use of the pool, with the frame in question @return whether it is within all limits
    bool IsWithinPool(const PoolUse& use) const;

    uint64_t m_ingressMax{0};     ///< of an ingress queue, bytes
    uint64_t m_ingressXoff{0};    ///< above it its neighbour is stopped
    uint64_t m_ingressXon{0};     ///< at it or below, it restarts
    uint64_t m_egressMax{0};      ///< of an egress queue, bytes
    bool m_waits{false};          ///< a frame without room there waits
    uint64_t m_poolBytes{0};      ///< pool for all queues; 0: there is none
    uint64_t m_dedicatedBytes{0}; ///< with a pool: own of each queue
    uint64_t m_poolPerQueue{0};   ///< of the pool, for a queue
    uint64_t m_poolPerPort{0};    ///< of the pool, for a side of a port
    uint64_t m_poolOfIngress{0};  ///< of the pool, for all ingress queues; 0: all of it
    uint64_t m_poolOfEgress{0};   ///< the same of egress queues
    std::size_t m_ports{0};       ///< of the switch
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CAPFC_BUFFER_POLICY_H */
