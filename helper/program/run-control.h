// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_CONTROL_H
#define LOSSLESS_RUN_CONTROL_H

#include "ns3/nstime.h"
#include "ns3/short-text.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace ns3::lossless
{

/// The progress of a run.
struct RunProgress
{
    uint64_t simulatedNs{0}; ///< simulated time in ns
    uint64_t endNs{0};       ///< latest end of the simulation in ns, or 0 if unknown
    uint64_t arrived{0};     ///< number of completely received flows
    uint64_t flows{0};       ///< total number of flows
    uint64_t doneSteps{0};   ///< number of completed steps of a flow graph
    uint64_t steps{0};       ///< total number of steps, or 0 without a flow graph
    uint64_t wallNs{0};      ///< elapsed real time in ns

    /// @return a description such as "1.2 ms simulated, 10 of 22 flows, about 12.0 s left". For a
    /// flow graph, the description contains the numbers of steps instead of flows. The remaining
    /// time is omitted if the completed fraction is unknown.
    ShortText Describe() const;
};

/**
 * @ingroup lossless
 * Runs the simulation so that it can be observed and ended from outside the program.
 *
 * SIGHUP, SIGINT, SIGTERM and SIGXFSZ end the run after the current event, so that the results
 * obtained so far can be written. A second such signal ends the program immediately, as does the
 * first one outside Run() or before the first event.
 *
 * The progress is printed to standard error about once per second. On a terminal, each line
 * overwrites the previous one. Neither feature uses simulation events, so the results are the same
 * as with Simulator::Run().
 */
class RunControl
{
  public:
    /// A function that sets the flow counts of a RunProgress. It can interrupt any code, so it must
    /// not modify anything else or allocate memory.
    using CountFlows = std::function<void(RunProgress&)>;

    /// Runs the simulation.
    /// @param end the latest end of the simulation; 0 means no limit
    /// @param countFlows the function that counts flows; if empty, no progress is shown
    /// @return the number of the signal that ended the run, or 0
    static int Run(Time end, const CountFlows& countFlows);

    /// Runs only the beginning of the simulation.
    /// @param spent the processor time after which the simulation is stopped
    /// @param end the latest end of the simulation; 0 means no limit
    /// @return true if the simulation ended on its own within this time
    static bool Try(std::chrono::milliseconds spent, Time end);

    /// Reports on standard error if setting up the network takes a long time. On a terminal, the
    /// report is repeated every second. EndSetup() ends the reports. A program that does not run a
    /// simulation need not call EndSetup().
    /// @param after the processor time before the first report
    static void WatchSetup(std::chrono::milliseconds after = std::chrono::seconds(2));
    /// Ends the reports of WatchSetup().
    static void EndSetup();

    /// @return the name of a signal that ends a run
    static std::string GetName(int signal);
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_CONTROL_H */
