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

/// How far a run is.
struct RunProgress
{
    uint64_t simulatedNs{0}; ///< simulated time, ns
    uint64_t endNs{0};       ///< time at which the simulation ends, if not before, ns; 0: unknown
    uint64_t arrived{0};     ///< flows received in full
    uint64_t flows{0};       ///< flows started, or to be started
    uint64_t doneSteps{0};   ///< steps of a flow graph that are done
    uint64_t steps{0};       ///< steps of the flow graph; 0: there is none
    uint64_t wallNs{0};      ///< real time that it has taken, ns

    /// @return as "1.2 ms simulated, 10 of 22 flows, about 12.0 s left", of which what is left is
    /// told where the share of the time or of the flows tells it; of a flow graph, steps
    ShortText Describe() const;
};

/**
 * @ingroup lossless
 * Runs the simulation so that it can be watched and ended from outside.
 *
 * SIGHUP, SIGINT, SIGTERM and SIGXFSZ end it behind the event that is just being executed, so that
 * what was measured until then can be written. A second such signal ends the program at once, and
 * so does the first one outside Run() or before its first event.
 *
 * The progress is a line on standard error about once a second; on a terminal each takes the place
 * of the one before. Neither needs an event or anything else of the simulation: the results are
 * those of Simulator::Run().
 */
class RunControl
{
  public:
    /// Tells the flows of a progress; called at any place of the program, so that it must only read
    /// what is there, and take no memory.
    using CountFlows = std::function<void(RunProgress&)>;

    /**
     * Runs the simulation.
     * @param end ends it after this time, if nothing else does before; 0: only something else does
     * @param countFlows tells the flows; empty: no progress is shown
     * @return number of the signal that has ended it; 0: none has
     */
    static int Run(Time end, const CountFlows& countFlows);

    /// Runs the beginning of the simulation, in place of the run. @param spent processor time after
    /// which it is ended @param end see Run() @return whether it ended by itself before
    static bool Try(std::chrono::milliseconds spent, Time end);

    /// Says on standard error that the network is being set up, once that has taken a while: on a
    /// terminal each second for how long, elsewhere once. Until EndSetup(), which a program that
    /// does not run need not call. @param after processor time until then
    static void WatchSetup(std::chrono::milliseconds after = std::chrono::seconds(2));
    /// The network is set up.
    static void EndSetup();

    /// @param signal one of those that end a run @return its name
    static std::string GetName(int signal);
};

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_CONTROL_H */
