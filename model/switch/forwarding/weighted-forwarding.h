// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WEIGHTED_FORWARDING_H
#define LOSSLESS_WEIGHTED_FORWARDING_H

#include "lossless-forwarding.h"

#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Weighted-cost multi-path (WCMP, Zhou et al., EuroSys 2014), by the ports of one switch: a port
 * takes flows in proportion to the rate of its link; one without a link takes none. All frames of a
 * flow take one path as long as links do not change.
 *
 * WCMP's weights are those of whole paths, computed centrally; here a switch knows only its own
 * links.
 */
class WeightedForwarding : public EcmpForwarding
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    void SetPortRates(const std::vector<DataRate>& rates) override;
    std::optional<PortId> Route(const SwitchItem& item, const SharedBuffer& buffer) override;
    std::optional<PortId> Find(const SwitchItem& item) const override;
    void NotifyLinkChanged(PortId port, bool up) override;

  private:
    std::vector<uint64_t> m_rates;   ///< by port, Mbit/s, at least 1
    std::vector<uint64_t> m_weights; ///< m_rates, but 0 without a link
};

} // namespace ns3::lossless

#endif /* LOSSLESS_WEIGHTED_FORWARDING_H */
