// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_COST_H
#define LOSSLESS_RUN_COST_H

#include "ns3/recorder.h"

#include <chrono>
#include <cstdint>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The cost of a run. Events and processor time are summed over all ranks.
 */
class RunCost : public Recorder
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return the number of executed events; events without a node are counted on each rank
    uint64_t GetEvents() const;
    /// @return the processor time in seconds
    double GetCpuSeconds() const;
    /// @return the real time since this object was created, in seconds
    double GetWallSeconds() const;

    ResultFacts GetFacts() const override;
    void Save(std::ostream& os) const override;
    void Merge(std::istream& is, uint32_t rank) override;

  private:
    uint64_t m_foreignEvents{0};   ///< number of events on other ranks
    double m_foreignCpuSeconds{0}; ///< processor time of the other ranks until the end of the run

    std::chrono::steady_clock::time_point m_created{std::chrono::steady_clock::now()};
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_COST_H */
