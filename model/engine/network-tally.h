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
 * Counts events at many nodes that concern the network as a whole, such as completed flows.
 *
 * While events are executed node by node, and on several ranks (see WheelSimulatorImpl, Ranks), no
 * node knows what has happened at the others. The owner is therefore called between windows; with
 * other simulators, at once.
 */
class NetworkTally
{
  public:
    /// What was noted since the owner was last called.
    struct Counts
    {
        uint64_t count{0};             ///< on all ranks together
        uint64_t earliest{UINT64_MAX}; ///< smallest tick noted
        uint64_t latest{0};            ///< largest tick noted

        /// Adds what was noted elsewhere.
        void Add(const Counts& other);
    };

    /// Called as a global event of the present time.
    using Hear = std::function<void(const Counts&)>;

    /// @param hear calls the owner
    explicit NetworkTally(Hear hear);
    ~NetworkTally();
    NetworkTally(const NetworkTally&) = delete;
    NetworkTally& operator=(const NetworkTally&) = delete;

    /// Notes an event at a node. @param time to be noted with it
    void Note(Time time);

    /// For the simulator.
    /// @return whether this rank has noted anything not yet reported to its owner
    static bool IsAnyNoted()
    {
        return g_isAnyNoted;
    }

    /// For the simulator. @return what this rank has noted, of all tallies
    static std::vector<Counts> TakeAll();
    /// For the simulator: calls the owners. @param all by tally, as from TakeAll()
    static void TellAll(const std::vector<Counts>& all);

  private:
    static bool g_isAnyNoted; ///< see IsAnyNoted()

    Hear m_hear;     ///< calls the owner
    Counts m_counts; ///< not yet reported
};

} // namespace ns3::lossless

#endif /* LOSSLESS_NETWORK_TALLY_H */
