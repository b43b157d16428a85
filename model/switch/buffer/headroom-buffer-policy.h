// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HEADROOM_BUFFER_POLICY_H
#define LOSSLESS_HEADROOM_BUFFER_POLICY_H

#include "buffer-policy.h"

#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The base class of the policies for lossless classes. Each ingress queue has a private buffer,
 * headroom is reserved, and the rest is shared (DSH, Sec. II-B).
 *
 * A frame of a lossless class fills the private buffer of its ingress queue first. The remainder
 * goes to the shared buffer as long as the neighbor is allowed to send. The frame that raises the
 * queue above its threshold still counts there and triggers the PAUSE. Frames that arrive above the
 * threshold were already on their way and use the headroom. With this interpretation, a headroom of
 * exactly Eq. 1 is sufficient in the worst case. If the triggering frame used headroom as well,
 * room for one more frame would be needed.
 *
 * A frame of another class also fills the private buffer of its ingress queue first, which has
 * "LossyPrivateBytes". The remainder goes to the shared buffer as long as its egress queue is
 * shorter than "LossyAlpha" times the free part of the shared buffer (dynamic threshold);
 * otherwise, the frame is dropped.
 *
 * This class implements headroom per ingress queue, for static thresholds and SIH. DSH overrides
 * the three virtual functions.
 */
class HeadroomBufferPolicy : public BufferPolicy
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Sets the headroom of one port in place of "HeadroomBytes". Call it before the start.
    /// @param bytes the headroom of each lossless queue of the port (DSH: of the port); can be 0
    void SetPortHeadroom(PortId port, uint64_t bytes);

    /// @return the headroom of each lossless queue of a port (DSH: of the port)
    uint64_t GetPortHeadroom(PortId port) const
    {
        return m_headroom[Index(port)];
    }

    /// @return the bytes reserved as headroom of a port for all its queues
    uint64_t GetReservedHeadroom(PortId port) const;

    /// @return the bytes reserved as headroom of all ports, which are the connected ports, or
    /// "ReferencePorts" if these need more
    uint64_t GetReservedHeadroom() const;

    /// @return the largest GetPortHeadroom() in bytes
    uint64_t GetLargestHeadroom() const;

    /// @return the size of the shared segment, which is Bs of DSH; valid after Configure()
    uint64_t GetSharedSize() const
    {
        return m_sharedBytes;
    }

    /// @return the number of lossless classes
    uint32_t GetNLossless() const
    {
        return m_nLossless;
    }

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    Admission Admit(const SharedBuffer& buffer, const SwitchItem& item) const override;
    Admission AdmitEgress(const SharedBuffer& buffer, const SwitchItem& item) const override;

  private:
    /// @param headroom the headroom in bytes of each lossless queue of a port (DSH: of the port)
    /// @return the bytes to reserve for this port
    virtual uint64_t GetPortReserve(uint64_t headroom) const;

    /// @return whether a frame of a lossless class can use shared buffer instead of headroom
    virtual bool MayUseShared(const SharedBuffer& buffer, const SwitchItem& item) const;

    /// @return the bytes of headroom that a frame of a lossless class can still use
    virtual uint64_t GetHeadroomLeft(const SharedBuffer& buffer, const SwitchItem& item) const;

    /// Called at the end of Configure(). @return an error message if the thresholds are impossible
    virtual std::optional<std::string> CheckThresholds() const = 0;

    /// @param item a frame of a lossless class
    /// @param segments the frame's bytes in the private buffer
    Admission AdmitLossless(const SharedBuffer& buffer,
                            const SwitchItem& item,
                            SegmentBytes segments) const;

    /// @param item a frame of a lossy class
    /// @param segments the frame's bytes in the private buffer
    Admission AdmitLossy(const SharedBuffer& buffer,
                         const SwitchItem& item,
                         SegmentBytes segments) const;

    /// @return the bytes of a frame that fit in its ingress queue's private buffer
    uint32_t GetPrivateShare(const SharedBuffer& buffer, const SwitchItem& item) const;

    uint64_t m_sharedBytes{0};         ///< the size of the shared segment
    uint64_t m_privateBytes{3072};     ///< the private buffer per lossless ingress queue
    uint64_t m_lossyPrivateBytes{512}; ///< the private buffer per lossy ingress queue
    PrioritySet m_lossless{0};         ///< lossless classes
    uint32_t m_nLossless{0};           ///< the number of lossless classes
    std::vector<uint64_t> m_headroom;  ///< the headroom by port

    double m_lossyAlpha{1};                                  ///< for lossy classes
    uint64_t m_headroomBytes{0};                             ///< of every port; 0: computed
    bool m_isWorstCaseHeadroom{true};                        ///< instead of Eq. 1
    uint64_t m_headroomMargin{0};                            ///< added to the result
    std::vector<std::optional<uint64_t>> m_headroomOverride; ///< set by SetPortHeadroom(), by port
    uint32_t m_referencePorts{0};                            ///< of the chip; 0: as connected
    uint64_t m_referenceHeadroomBytes{0}; ///< their headroom; 0 for the largest headroom of a port
};

} // namespace ns3::lossless

#endif /* LOSSLESS_HEADROOM_BUFFER_POLICY_H */
