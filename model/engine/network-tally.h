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
 * Counts what happens at many nodes and concerns the network as a whole, as flows that arrive.
 *
 * While events are executed node by node, and on several ranks (see WheelSimulatorImpl, Ranks),
 * no node knows what has happened at the others. So an owner hears of it between windows. With
 * other simulators it hears at once.
 */
class NetworkTally
{
  public:
    /// What was noted since the owner heard last.
    struct Counts
    {
        uint64_t count{0};             ///< how often; on all ranks together
        uint64_t earliest{UINT64_MAX}; ///< least tick that was noted
        uint64_t latest{0};            ///< greatest one

        /// Adds what was noted elsewhere. @param other that
        void Add(const Counts& other);
    };

    /// Called as the owner hears, as a global event of now.
    using Hear = std::function<void(const Counts&)>;

    /// @param hear tells the owner
    explicit NetworkTally(Hear hear);
    ~NetworkTally();
    NetworkTally(const NetworkTally&) = delete;
    NetworkTally& operator=(const NetworkTally&) = delete;

    /// Something happens at a node. @param time a time that goes with it
    void Note(Time time);

    /// For the simulator. @return whether anything was noted on this rank that no owner has heard
    static bool IsAnyNoted()
    {
        return g_isAnyNoted;
    }

    /// For the simulator. @return what was noted on this rank, of all tallies there are
    static std::vector<Counts> TakeAll();
    /// For the simulator: tells the owners. @param all by tally, as TakeAll() has it
    static void TellAll(const std::vector<Counts>& all);

  private:
    static bool g_isAnyNoted; ///< see IsAnyNoted()

    Hear m_hear;     ///< tells the owner
    Counts m_counts; ///< not told yet
};

} // namespace ns3::lossless

#endif /* LOSSLESS_NETWORK_TALLY_H */
