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
 * headroom is reserved, and the rest of the memory is shared (DSH, Sec. II-B).
 *
 * A frame of a lossless class first fills the private buffer of its ingress queue. The remainder is
 * stored in the shared buffer while the neighbour is allowed to send. The frame that raises the
 * queue above its threshold is still stored in the shared buffer and triggers the PAUSE. Frames
 * that arrive when the queue is above the threshold were already in flight and use the headroom.
 * If the triggering frame also used headroom, Eq. 1 would be short by one more frame than it is;
 * see GetWorstCaseHeadroomBytes().
 *
 * A frame of any other class also first fills the private buffer of its ingress queue, whose size
 * is "LossyPrivateBytes". The remainder is stored in the shared buffer if the egress queue,
 * including the frame, is not longer than "LossyAlpha" times the free part of the shared buffer
 * (dynamic threshold). Otherwise, the frame is dropped.
 *
 * This class implements headroom per ingress queue, as in StaticBufferPolicy and SihBufferPolicy.
 * DSH overrides GetPortReserve(), MayUseShared() and GetHeadroomLeft(); SHP the first and the last.
 */
class HeadroomBufferPolicy : public BufferPolicy
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// @return the headroom of each lossless queue of a port (in DSH, of the whole port)
    uint64_t GetPortHeadroom(PortId port) const
    {
        return m_headroom[Index(port)];
    }

    /// @return the number of bytes reserved as headroom for all queues of a port
    uint64_t GetReservedHeadroom(PortId port) const;

    /// @return the number of bytes reserved as headroom: the larger of the needs of the connected
    /// ports and the needs of "ReferencePorts" ports
    uint64_t GetReservedHeadroom() const;

    /// @return the largest value of GetPortHeadroom(), in bytes
    uint64_t GetLargestHeadroom() const;

    /// @return the size of the shared segment (Bs in DSH); valid after Configure()
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
    /// @param headroom the headroom, in bytes, of each lossless queue of a port (in DSH, of the
    /// whole port)
    /// @return the number of bytes to reserve for this port
    virtual uint64_t GetPortReserve(uint64_t headroom) const;

    /// @return whether a frame of a lossless class can use shared buffer instead of headroom
    virtual bool MayUseShared(const SharedBuffer& buffer, const SwitchItem& item) const;

    /// @return the number of bytes of headroom that a frame of a lossless class can still use
    virtual uint64_t GetHeadroomLeft(const SharedBuffer& buffer, const SwitchItem& item) const;

    /// Called at the end of Configure().
    /// @return an error message if the thresholds are impossible
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

    /// @return the number of bytes of a frame that fit in its ingress queue's private buffer
    uint32_t GetPrivateShare(const SharedBuffer& buffer, const SwitchItem& item) const;

    uint64_t m_sharedBytes{0};         ///< the size of the shared segment
    uint64_t m_privateBytes{3072};     ///< the size of the private buffer of each lossless ingress
                                       ///< queue, in bytes
    uint64_t m_lossyPrivateBytes{512}; ///< the size of the private buffer of each lossy ingress
                                       ///< queue, in bytes
    PrioritySet m_lossless{0};         ///< the lossless classes
    uint32_t m_nLossless{0};           ///< the number of lossless classes
    std::vector<uint64_t> m_headroom;  ///< the result of GetPortHeadroom() for each port

    double m_lossyAlpha{1};               ///< see "LossyAlpha"
    uint64_t m_headroomBytes{0};          ///< see "HeadroomBytes"
    bool m_isWorstCaseHeadroom{true};     ///< see "WorstCaseHeadroom"
    uint64_t m_headroomMargin{0};         ///< see "HeadroomMargin"
    uint32_t m_referencePorts{0};         ///< see "ReferencePorts"
    uint64_t m_referenceHeadroomBytes{0}; ///< see "ReferenceHeadroomBytes"
};

} // namespace ns3::lossless

#endif /* LOSSLESS_HEADROOM_BUFFER_POLICY_H */
