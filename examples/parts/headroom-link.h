// SPDX-License-Identifier: GPL-2.0-only
#ifndef HEADROOM_LINK_H
#define HEADROOM_LINK_H

#include "ns3/data-rate.h"
#include "ns3/lossless-experiment.h"
#include "ns3/lossless-fabric.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::lossless
{

/// A link to a switch, with the parameters that determine its headroom.
struct HeadroomLink
{
    /// Propagation delay per metre of cable.
    static constexpr double NANOSECONDS_PER_METRE = 5;

    DataRate rate{"100Gbps"}; ///< rate of the link
    double metres{0};         ///< length of the cable
    uint32_t mtu{1500};       ///< maximum payload of a frame, in bytes
    uint32_t losslessMtu{0};  ///< maximum payload of frames to the switch, in bytes; if 0, mtu is
                              ///< used
    uint32_t cellBytes{1};    ///< allocation unit of the switch's memory, in bytes
    uint32_t quanta{60};      ///< response time of the sender to a PAUSE, in units of 512 bit times

    /// @return the propagation delay
    Time GetDelay() const;
    /// @return the size of the largest frame, in bytes without FCS
    uint32_t GetLargestFrame() const;
    /// @return the size of the largest frame to the switch, in bytes without FCS
    uint32_t GetLargestLossless() const;
    /// @return the time from the start of a frame to the start of the next one
    Time GetFrameTime(uint32_t bytes) const;
    /// @return the headroom of Eq. 1 of DSH, in bytes, with this link's response time instead of 60
    /// quanta
    uint64_t GetEquation1() const;
    /// @return the headroom that always suffices, in bytes
    uint64_t GetWorstCase() const;

  private:
    /// @return the link as an argument for the headroom formulas
    PortLink GetPortLink() const;
};

/// Sizes and times of the frames of a run.
struct HeadroomPhase
{
    uint32_t frameBytes{0};        ///< size of the frames to the switch, without FCS
    Time reverseStart;             ///< start of the reverse traffic
    std::optional<Time> firstFull; ///< due time of a maximum-size frame that finds the memory full
    std::optional<Time> lastFull;  ///< due time of a maximum-size frame that arrives last
};

/// Observations of a run.
struct HeadroomRun
{
    uint64_t peak{0};                ///< maximum headroom in use, in bytes
    Time full;                       ///< arrival time of the frame that found the memory full
    Time closed;                     ///< time at which the sender stopped
    std::vector<Time> starts;        ///< start times of frames to the switch
    std::vector<Time> reverseStarts; ///< start times of reverse frames
};

/// Maximum headroom in use over several runs.
struct HeadroomWatermark
{
    uint64_t bytes{0};
    uint32_t frameBytes{0}; ///< size of the frames between the first and the last one
};

/**
 * Provokes the worst case for the headroom of a link. A sender transmits at line rate, and the
 * memory is full when the first frame takes headroom. The PAUSE must wait for a reverse frame of
 * maximum size, and the sender begins a frame of maximum size just before the PAUSE takes effect.
 *
 *     sender --- link --- switch --- receiver, too slow to drain the queue
 *                            |
 *                   source of the reverse traffic
 */
class HeadroomSearch
{
  public:
    /// @param experiment the experiment that runs the simulations
    /// @param link the link to examine
    HeadroomSearch(Experiment& experiment, const HeadroomLink& link);

    /// Tries several frame sizes and several phases of the reverse traffic. The last phase is the
    /// worst: a reverse frame begins just before the PAUSE.
    /// @param phases the number of phases in addition to the worst one
    /// @return the maximum that was found
    HeadroomWatermark Find(uint32_t phases);

  private:
    /// @param frameBytes the size of the frames to the switch
    /// @param phases see Find()
    void TrySize(uint32_t frameBytes, uint32_t phases);
    HeadroomRun Run(const HeadroomPhase& phase);
    /// @param frameBytes the size of the frames to the switch
    SwitchHelper MakeSwitches(uint32_t frameBytes) const;
    /// @param run receives the start times of frames
    void StartSender(const Fabric& fabric, const HeadroomPhase& phase, HeadroomRun& run) const;
    void StartReverse(const Fabric& fabric, const HeadroomPhase& phase) const;
    /// @param frameBytes the size of the frames to the switch
    /// @return the number of frames that fill the switch's shared memory
    uint64_t CountFilling(uint32_t frameBytes) const;
    /// @param run a run in which the last frame did not start at the worst time
    /// @return the largest frame size with which one more frame fits; 0 if there is none
    uint32_t FitSize(const HeadroomRun& run) const;

    Experiment& m_experiment;
    HeadroomLink m_link;
    HeadroomWatermark m_most; ///< maximum so far
};

} // namespace ns3::lossless

#endif /* HEADROOM_LINK_H */
