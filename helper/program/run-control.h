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

/// Progress of a run.
struct RunProgress
{
    uint64_t simulatedNs{0}; ///< simulated time, ns
    uint64_t endNs{0};       ///< latest end of the simulation, ns; 0: unknown
    uint64_t arrived{0};     ///< flows received in full
    uint64_t flows{0};       ///< flows to be started in all
    uint64_t doneSteps{0};   ///< steps of a flow graph done
    uint64_t steps{0};       ///< steps of the flow graph; 0: no graph
    uint64_t wallNs{0};      ///< real time used, ns

    /// @return text such as "1.2 ms simulated, 10 of 22 flows, about 12.0 s left"; steps for a flow
    /// graph; the time left only if the share of the time or of the flows is known
    ShortText Describe() const;
};

/**
 * @ingroup lossless
 * Runs the simulation so that it can be observed and ended from outside.
 *
 * SIGHUP, SIGINT, SIGTERM and SIGXFSZ end it after the present event, so that results so far can be
 * written. A second such signal ends the program at once, and so does the first one outside Run()
 * or before its first event.
 *
 * The progress is a line on standard error about once a second, overwritten on a terminal. Neither
 * uses an event or anything else of the simulation: the results are those of Simulator::Run().
 */
class RunControl
{
  public:
    /// Fills in the flows of a progress. It may interrupt any code, so it must only read, and
    /// allocate no memory.
    using CountFlows = std::function<void(RunProgress&)>;

    /// Runs the simulation.
    /// @param end latest end of the simulation; 0: none
    /// @param countFlows empty: no progress is shown
    /// @return number of the signal that has ended it; 0: none
    static int Run(Time end, const CountFlows& countFlows);

    /// Runs only the beginning of the simulation.
    /// @param spent processor time after which it is ended
    /// @param end see Run()
    /// @return whether it ended by itself before
    static bool Try(std::chrono::milliseconds spent, Time end);

    /// Reports on standard error that the network is being set up, once that takes long: every
    /// second on a terminal, otherwise once. Ends with EndSetup(), which a program that does not
    /// run need not call. @param after processor time before the first report
    static void WatchSetup(std::chrono::milliseconds after = std::chrono::seconds(2));
    /// Set-up is complete.
    static void EndSetup();

    /// @return name of a signal that ends a run
    static std::string GetName(int signal);
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_CONTROL_H */
