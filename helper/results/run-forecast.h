// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_FORECAST_H
#define LOSSLESS_RUN_FORECAST_H

#include "run-summary.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * What a run will cost, told before it.
 *
 * How much it has to do follows from its flows: each data packet and each acknowledgement crosses
 * the links of its path once, unless packets are lost. How fast this machine does that with this
 * network is tried: the run's first half second of processor time is run, and packets that were
 * sent again in it do not count as done. What grows with the flows that are still to come is added.
 */
class RunForecast
{
  public:
    /// @param run which is set up, and must outlive this object @param end of the run; 0: none
    RunForecast(const MeasuredRun& run, Time end);

    /// Runs the beginning, or the whole run if it is that short; once, in place of the run.
    void Try();

    /// @return sentences on the network, the flows, the processor time and the memory; valid after
    /// Try()
    std::string Describe() const;

  private:
    /// What the run is and takes, or a part of it.
    struct Work
    {
        uint64_t hops{0};     ///< transmissions of frames
        uint64_t flows{0};    ///< flows that have arrived
        double cpuSeconds{0}; ///< processor time of this process
    };

    /// @return what was done until now
    Work Measure() const;
    /// @return sentence on the flows
    std::string DescribeFlows() const;
    /// @return sentence on processor time and memory
    std::string DescribeCost() const;

    const MeasuredRun& m_run; ///< the run
    Time m_end;               ///< of it; 0: none
    uint64_t m_hops;          ///< expected of all flows
    Work m_before{};          ///< the trial
    Work m_after{};           ///< the trial
    bool m_isOver{false};     ///< whether the trial was the run
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_FORECAST_H */
