// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HEADROOM_BUFFER_POLICY_H
#define LOSSLESS_HEADROOM_BUFFER_POLICY_H

#include "buffer-policy.h"

#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Base of the policies for lossless classes: private buffer per ingress queue, headroom which is
 * set aside, and the rest shared (DSH, Sec. II-B).
 *
 * A frame of a lossless class fills the private buffer of its ingress queue first. What does not
 * fit there goes to the shared buffer as long as the neighbour may send: the frame which lifts
 * the queue above its threshold still counts there and triggers the PAUSE. What arrives after
 * that, above the threshold, is what was under way, and takes the headroom. With that reading a
 * headroom of exactly Eq. 1 suffices in the worst case; were the triggering frame charged to the
 * headroom as well, one more frame would be needed.
 *
 * A frame of another class fills the private buffer of its ingress queue first, too, which is
 * "LossyPrivateBytes" large. What does not fit there goes to the shared buffer as long as its
 * egress queue stays below "LossyAlpha" times the free part of it (dynamic threshold); if it does
 * not, the frame is dropped.
 *
 * This class answers for headroom per ingress queue, as static thresholds and SIH have it; DSH
 * overrides the three questions.
 */
class HeadroomBufferPolicy : public BufferPolicy
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /**
     * Sets the headroom of one port, before the start, in place of "HeadroomBytes".
     * @param port the port
     * @param bytes headroom of each of its lossless queues (DSH: of the port); 0 is possible here
     */
    void SetPortHeadroom(PortId port, uint64_t bytes);

    /// @param port a port @return headroom of each of its lossless queues (DSH: of the port)
    uint64_t GetPortHeadroom(PortId port) const
    {
        return m_headroom[Index(port)];
    }

    /// @param port a port @return bytes set aside as its headroom, all its queues together
    uint64_t GetReservedHeadroom(PortId port) const;

    /// @return bytes set aside as headroom, all ports together: those connected, or as many as
    /// "ReferencePorts" if these need more
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
    /// @return bytes that are set aside for such a port
    virtual uint64_t GetPortReserve(uint64_t headroom) const;

    /**
     * @param buffer the ledger @param item a frame of a lossless class
     * @return whether it may take shared buffer rather than headroom
     */
    virtual bool MayUseShared(const SharedBuffer& buffer, const SwitchItem& item) const;

    /**
     * @param buffer the ledger @param item a frame of a lossless class
     * @return bytes of headroom that it may still take
     */
    virtual uint64_t GetHeadroomLeft(const SharedBuffer& buffer, const SwitchItem& item) const;

    /// Called at the end of Configure(). @return a sentence if the thresholds are impossible
    virtual std::optional<std::string> CheckThresholds() const = 0;

    /**
     * @param buffer the ledger @param item a frame of a lossless class
     * @param segments what it takes of private buffer
     * @return its admission
     */
    Admission AdmitLossless(const SharedBuffer& buffer,
                            const SwitchItem& item,
                            SegmentBytes segments) const;

    /**
     * @param buffer the ledger @param item a frame of a lossy class
     * @param segments what it takes of private buffer
     * @return its admission
     */
    Admission AdmitLossy(const SharedBuffer& buffer,
                         const SwitchItem& item,
                         SegmentBytes segments) const;

    /// @param buffer the ledger @param item a frame
    /// @return what its ingress queue's private buffer takes of it
    uint32_t GetPrivateShare(const SharedBuffer& buffer, const SwitchItem& item) const;

    uint64_t m_sharedBytes{0};         ///< size of the shared segment
    uint64_t m_privateBytes{3072};     ///< per lossless ingress queue
    uint64_t m_lossyPrivateBytes{512}; ///< per lossy ingress queue
    PrioritySet m_lossless{0};         ///< lossless classes
    uint32_t m_nLossless{0};           ///< their number
    std::vector<uint64_t> m_headroom;  ///< by port

    double m_lossyAlpha{1};                                  ///< dynamic threshold, lossy classes
    uint64_t m_headroomBytes{0};                             ///< of every port; 0: by Eq. 1
    bool m_isWorstCaseHeadroom{true};                        ///< rather than Eq. 1
    uint64_t m_headroomMargin{0};                            ///< beyond either
    std::vector<std::optional<uint64_t>> m_headroomOverride; ///< by port, see SetPortHeadroom()
    uint32_t m_referencePorts{0};                            ///< of the chip; 0: those connected
    uint64_t m_referenceHeadroomBytes{0}; ///< of each of them; 0: the largest of a port
};

} // namespace ns3::lossless

#endif /* LOSSLESS_HEADROOM_BUFFER_POLICY_H */
