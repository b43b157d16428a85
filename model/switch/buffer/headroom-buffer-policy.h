// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HEADROOM_BUFFER_POLICY_H
#define LOSSLESS_HEADROOM_BUFFER_POLICY_H

#include "buffer-policy.h"

#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Base of the policies for lossless classes: private buffer per ingress queue, reserved headroom,
 * and the rest shared (DSH, Sec. II-B).
 *
 * A frame of a lossless class fills the private buffer of its ingress queue first. The remainder
 * goes to the shared buffer as long as the neighbour may send: the frame that lifts the queue above
 * its threshold still counts there and triggers the PAUSE. Frames that arrive above the threshold
 * were under way and take the headroom. In this reading a headroom of exactly Eq. 1 suffices in the
 * worst case; if the triggering frame took headroom as well, one more frame would be needed.
 *
 * A frame of another class also fills the private buffer of its ingress queue first,
 * "LossyPrivateBytes" large. The remainder goes to the shared buffer as long as its egress queue is
 * below "LossyAlpha" times the free part of it (dynamic threshold); otherwise the frame is dropped.
 *
 * This class implements headroom per ingress queue, for static thresholds and SIH; DSH overrides
 * the three virtual functions.
 */
class HeadroomBufferPolicy : public BufferPolicy
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Sets the headroom of one port, before the start, instead of "HeadroomBytes".
    /// @param bytes headroom of each of its lossless queues (DSH: of the port); may be 0
    void SetPortHeadroom(PortId port, uint64_t bytes);

    /// @return headroom of each lossless queue of a port (DSH: of the port)
    uint64_t GetPortHeadroom(PortId port) const
    {
        return m_headroom[Index(port)];
    }

    /// @return bytes reserved as headroom of a port, for all its queues together
    uint64_t GetReservedHeadroom(PortId port) const;

    /// @return bytes reserved as headroom of all ports: those connected, or "ReferencePorts" if
    /// these need more
    uint64_t GetReservedHeadroom() const;

    /// @return the largest GetPortHeadroom(), bytes
    uint64_t GetLargestHeadroom() const;

    /// @return size of the shared segment, Bs of DSH; valid after Configure()
    uint64_t GetSharedSize() const
    {
        return m_sharedBytes;
    }

    /// @return number of lossless classes
    uint32_t GetNLossless() const
    {
        return m_nLossless;
    }

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    Admission Admit(const SharedBuffer& buffer, const SwitchItem& item) const override;
    Admission AdmitEgress(const SharedBuffer& buffer, const SwitchItem& item) const override;

  private:
    /// @param headroom of each lossless queue of a port (DSH: of the port), bytes
    /// @return bytes to be reserved for such a port
    virtual uint64_t GetPortReserve(uint64_t headroom) const;

    /// @return whether a frame of a lossless class may take shared buffer rather than headroom
    virtual bool MayUseShared(const SharedBuffer& buffer, const SwitchItem& item) const;

    /// @return bytes of headroom that a frame of a lossless class may still take
    virtual uint64_t GetHeadroomLeft(const SharedBuffer& buffer, const SwitchItem& item) const;

    /// Called at the end of Configure(). @return an error message if the thresholds are impossible
    virtual std::optional<std::string> CheckThresholds() const = 0;

    /// @param item a frame of a lossless class
    /// @param segments its share of private buffer
    Admission AdmitLossless(const SharedBuffer& buffer,
                            const SwitchItem& item,
                            SegmentBytes segments) const;

    /// @param item a frame of a lossy class
    /// @param segments its share of private buffer
    Admission AdmitLossy(const SharedBuffer& buffer,
                         const SwitchItem& item,
                         SegmentBytes segments) const;

    /// @return bytes of a frame that its ingress queue's private buffer takes
    uint32_t GetPrivateShare(const SharedBuffer& buffer, const SwitchItem& item) const;

    uint64_t m_sharedBytes{0};         ///< size of the shared segment
    uint64_t m_privateBytes{3072};     ///< per lossless ingress queue
    uint64_t m_lossyPrivateBytes{512}; ///< per lossy ingress queue
    PrioritySet m_lossless{0};         ///< lossless classes
    uint32_t m_nLossless{0};           ///< their number
    std::vector<uint64_t> m_headroom;  ///< by port

    double m_lossyAlpha{1};                                  ///< dynamic threshold, lossy classes
    uint64_t m_headroomBytes{0};                             ///< of every port; 0: by Eq. 1
    bool m_isWorstCaseHeadroom{true};                        ///< instead of Eq. 1
    uint64_t m_headroomMargin{0};                            ///< on top of either
    std::vector<std::optional<uint64_t>> m_headroomOverride; ///< by port, see SetPortHeadroom()
    uint32_t m_referencePorts{0};                            ///< of the chip; 0: those connected
    uint64_t m_referenceHeadroomBytes{0}; ///< of each of them; 0: the largest of a port
};

} // namespace ns3::lossless

#endif /* LOSSLESS_HEADROOM_BUFFER_POLICY_H */
