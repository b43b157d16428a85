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
 * IV-A): of the shortest paths to the destination, the frame takes a random one among those whose
 * egress queue of its class is least filled, in three grades: less than "FewBytes", up to
 * "ManyBytes", more. Ports without a link are excluded.
 *
 * Frames of one flow take several paths and overtake each other.
 */
class AdaptiveForwarding : public EcmpForwarding
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    AdaptiveForwarding();

    void Configure(uint32_t nodeId, std::size_t ports) override;
    std::optional<PortId> Route(const SwitchItem& item, const SharedBuffer& buffer) override;
    std::optional<PortId> Find(const SwitchItem& item) const override;
    bool KeepsPath() const override;
    void NotifyLinkChanged(PortId port, bool up) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    /// @return grade of an egress queue; 0 is best
    uint32_t GetGrade(QueueId queue, const SharedBuffer& buffer) const;

    uint32_t m_few{0};                   ///< bytes below which a queue has grade 0
    uint32_t m_many{0};                  ///< bytes up to which it has grade 1
    Ptr<UniformRandomVariable> m_random; ///< draws among ports of equal grade
    std::vector<bool> m_isUp;            ///< by port
    std::vector<PortId> m_best;          ///< for the present frame
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ADAPTIVE_FORWARDING_H */
