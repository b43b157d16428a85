// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_NETWORK_TALLY_H
#define LOSSLESS_NETWORK_TALLY_H

#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Counts events, such as the completion of flows, that occur at many nodes but concern the network
 * as a whole.
 *
 * When events are executed node by node, possibly on several ranks (see WheelSimulatorImpl and
 * Ranks), a node cannot access the state of other nodes. The owner of the tally is therefore called
 * between windows. With other simulators, the owner is called immediately.
 */
class NetworkTally
{
  public:
    /// The events recorded since the owner was last called.
    struct Counts
    {
        uint64_t count{0};             ///< the number of events
        uint64_t earliest{UINT64_MAX}; ///< the tick of the earliest event
        uint64_t latest{0};            ///< the tick of the latest event

        /// Adds the counts of another rank.
        void Add(const Counts& other);
    };

    /// A function that passes the counts to the owner of the tally.
    using Hear = std::function<void(const Counts&)>;

    /// @param hear the function that calls the owner
    explicit NetworkTally(Hear hear);
    ~NetworkTally();
    NetworkTally(const NetworkTally&) = delete;
    NetworkTally& operator=(const NetworkTally&) = delete;

    /// Records an event at a node.
    /// @param time the time of the event
    void Note(Time time);

    /// Called by the simulator.
    /// @return whether this rank has recorded an event that has not yet been reported to the owner
    static bool IsAnyNoted()
    {
        return g_isAnyNoted;
    }

    /// Resets all tallies on this rank. Called by the simulator.
    /// @return the counts of the tallies before the reset
    static std::vector<Counts> TakeAll();
    /// Calls the owners. Called by the simulator.
    /// @param all the counts of each tally, as returned by TakeAll()
    static void TellAll(const std::vector<Counts>& all);

  private:
    static bool g_isAnyNoted; ///< see IsAnyNoted()

    Hear m_hear;     ///< the function that calls the owner
    Counts m_counts; ///< the counts not yet reported
};

} // namespace ns3::lossless

#endif /* LOSSLESS_NETWORK_TALLY_H */
