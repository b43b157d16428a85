// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_FORECAST_H
#define LOSSLESS_RUN_FORECAST_H

#include "results-writer.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Estimates the cost of a run before it is executed.
 *
 * The work is computed from the flows, assuming that there are no losses, so that each data packet
 * and each acknowledgement crosses every link of its path once. The speed is measured by executing
 * the beginning of the run for half a second of processor time, after a warm-up of the same length.
 * Packets that are retransmitted during this time do not count as work. The estimate also includes
 * the time to write the rows of all flows and the memory for flows that have not arrived yet.
 */
class RunForecast
{
  public:
    /// Declares that the program simulates several runs in succession. Only the first run is tried,
    /// and each of the others is assumed to cost as much as the first.
    /// @param runs the number of runs, or nothing if it depends on the results of earlier runs
    static void ExpectRuns(std::optional<uint64_t> runs);

    /// @param run the next run to be simulated, completely set up; it must outlive this object
    /// @param end the end of the run, or 0 if it is not fixed
    RunForecast(const ResultsWriter& run, Time end);

    /// Executes the beginning of the run, or all of it if it is short. Call this once, instead of
    /// the run itself.
    void Try();

    /// @return sentences about the network, the flows, the processor time and the memory; valid
    /// after Try()
    std::string Describe() const;

  private:
    /// The work completed by a certain time.
    struct Work
    {
        uint64_t hops{0};     ///< number of frame transmissions
        uint64_t flows{0};    ///< number of received flows
        double cpuSeconds{0}; ///< processor time of this process
    };

    Work Measure() const;
    /// @param growth the work of the run divided by that of the trial
    /// @return the memory that the largest time series occupies while its file is written
    double EstimateTables(double growth) const;
    std::string DescribeFlows() const;
    std::string DescribeCost() const;
    /// @param seconds the processor time of the run, in seconds
    /// @param bytes the memory of the run, in bytes
    /// @param basis the words that introduce the estimate, such as "about "
    static std::string DescribeCost(double seconds, double bytes, const std::string& basis);

    const ResultsWriter& m_run;
    Time m_end; ///< end of the run, or 0 if it is not fixed
    /// Expected number of hops of all flows; 0 if it is not known, as with NICs other than RoCE's.
    uint64_t m_hops;
    Work m_before{};      ///< work before the measured part of the trial
    Work m_after{};       ///< work at the end of the trial
    bool m_isOver{false}; ///< true if the trial covered the entire run
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_FORECAST_H */
