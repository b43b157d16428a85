// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ADAPTIVE_FORWARDING_H
#define LOSSLESS_ADAPTIVE_FORWARDING_H

#include "lossless-forwarding.h"

#include "ns3/random-variable-stream.h"

#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Adaptive load balancing per frame (DeTail, Zats et al., SIGCOMM 2012, Sec. 5.3; CaPFC, Sec.
 * IV-A). Each port on a shortest path is graded by the length of its egress queue for the frame's
 * class. There are three grades: fewer than "FewBytes" bytes, up to "ManyBytes" bytes, and more.
 * The frame takes a random port among those with the best grade. Ports whose links are down are
 * excluded.
 *
 * Frames of one flow can take several paths and overtake each other.
 */
class AdaptiveForwarding : public EcmpForwarding
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    AdaptiveForwarding();

    void Configure(uint32_t nodeId, const std::vector<DataRate>& rates) override;
    std::optional<PortId> Route(const SwitchItem& item, const SharedBuffer& buffer) override;
    std::optional<PortId> Find(const SwitchItem& item) const override;
    bool KeepsPath() const override;
    void NotifyLinkChanged(PortId port, bool up) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    /// @return the grade of an egress queue; 0 is the best grade
    uint32_t GetGrade(QueueId queue, const SharedBuffer& buffer) const;

    uint32_t m_few{0};                   ///< the number of bytes below which a queue has grade 0
    uint32_t m_many{0};                  ///< the number of bytes up to which a queue has grade 1
    Ptr<UniformRandomVariable> m_random; ///< the random variable that selects among ports of equal
                                         ///< grade
    std::vector<bool> m_isUp;            ///< whether each port's link is up
    std::vector<PortId> m_best;          ///< the best ports for the current frame
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ADAPTIVE_FORWARDING_H */
