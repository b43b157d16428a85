// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_FORECAST_H
#define LOSSLESS_RUN_FORECAST_H

#include "results-writer.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * What a run will cost, estimated before it.
 *
 * The work follows from the flows: each data packet and each acknowledgement crosses the links of
 * its path once, unless packets are lost. The speed of this machine with this network is tried: the
 * run's first half second of processor time is run, and packets that were sent again in it do not
 * count as done. What grows with the flows still to come is added.
 */
class RunForecast
{
  public:
    /// @param run complete, to be simulated next; it must outlive this object
    /// @param end of the run; 0: none
    RunForecast(const ResultsWriter& run, Time end);

    /// Runs the beginning, or the whole run if it is that short; once, in place of the run.
    void Try();

    /// @return sentences on the network, the flows, the processor time and the memory; valid after
    /// Try()
    std::string Describe() const;

  private:
    /// What was done until some time.
    struct Work
    {
        uint64_t hops{0};     ///< transmissions of frames
        uint64_t flows{0};    ///< flows that have arrived
        double cpuSeconds{0}; ///< processor time of this process
    };

    Work Measure() const;
    std::string DescribeFlows() const;
    std::string DescribeCost() const;

    const ResultsWriter& m_run;
    Time m_end;           ///< of the run; 0: none
    uint64_t m_hops;      ///< expected of all flows
    Work m_before{};      ///< the trial
    Work m_after{};       ///< after the trial
    bool m_isOver{false}; ///< the trial was the whole run
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_FORECAST_H */
