// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_COST_H
#define LOSSLESS_RUN_COST_H

#include "ns3/ranked-record.h"

#include <cstdint>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * What a run has cost all ranks together.
 */
class RunCost : public RankedRecord
{
  public:
    /// @return events executed; those without a node count on each rank
    uint64_t GetEvents() const;
    /// @return processor time, seconds
    double GetCpuSeconds() const;

    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    uint64_t m_foreignEvents{0};   ///< of other ranks
    double m_foreignCpuSeconds{0}; ///< likewise, until the end of the run
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_COST_H */
