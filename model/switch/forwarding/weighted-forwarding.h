// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WEIGHTED_FORWARDING_H
#define LOSSLESS_WEIGHTED_FORWARDING_H

#include "lossless-forwarding.h"

#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Weighted-cost multi-path (WCMP, Zhou et al., EuroSys 2014), with weights that each switch
 * determines itself. Flows are distributed over the ports in proportion to the rates of their
 * links. A port whose link is down receives no flows. All frames of a flow take the same path as
 * long as no link changes.
 *
 * WCMP's weights depend on whole paths and are computed centrally. In this model, a switch
 * considers only its own links.
 */
class WeightedForwarding : public EcmpForwarding
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    void Configure(uint32_t nodeId, const std::vector<DataRate>& rates) override;
    std::optional<PortId> Route(const SwitchItem& item, const SharedBuffer& buffer) override;
    std::optional<PortId> Find(const SwitchItem& item) const override;
    void NotifyLinkChanged(PortId port, bool up) override;

  private:
    std::vector<uint64_t> m_rates;   ///< the rate of each port in Mbit/s, at least 1
    std::vector<uint64_t> m_weights; ///< a copy of m_rates, with 0 for ports whose link is down
};

} // namespace ns3::lossless

#endif /* LOSSLESS_WEIGHTED_FORWARDING_H */
