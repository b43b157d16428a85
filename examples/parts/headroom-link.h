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

/// A link into a switch, and the parameters of its headroom.
struct HeadroomLink
{
    /// Propagation delay in a cable.
    static constexpr double NANOSECONDS_PER_METRE = 5;

    DataRate rate{"100Gbps"}; ///< of the link
    double metres{0};         ///< of the cable
    uint32_t mtu{1500};       ///< maximum payload of a frame, bytes
    uint32_t losslessMtu{0};  ///< as mtu, for frames to the switch that headroom is for; 0: mtu
    uint32_t cellBytes{1};    ///< allocation unit of the switch's memory
    uint32_t quanta{60};      ///< response time of the sender to a PAUSE, in units of 512 bit times

    /// @return propagation delay
    Time GetDelay() const;
    /// @return bytes of the largest frame, without FCS
    uint32_t GetLargestFrame() const;
    /// @return bytes of the largest frame to the switch, without FCS
    uint32_t GetLargestLossless() const;
    /// @return time from the start of a frame to that of the next one
    Time GetFrameTime(uint32_t bytes) const;
    /// @return headroom by Eq. 1 of DSH with this response time (Eq. 1 has 60 quanta), bytes
    uint64_t GetEquation1() const;
    /// @return headroom that always suffices, bytes
    uint64_t GetWorstCase() const;

  private:
    /// @return the link as an argument of the formulas
    PortLink GetPortLink() const;
};

/// Timing of the frames of a run.
struct HeadroomPhase
{
    uint32_t frameBytes{0};        ///< of the frames to the switch, without FCS
    Time reverseStart;             ///< start of the reverse traffic
    std::optional<Time> firstFull; ///< when a frame of maximum size is due that finds the memory
                                   ///< full
    std::optional<Time> lastFull;  ///< when a frame of maximum size is due that is the last one
};

/// Observations of a run.
struct HeadroomRun
{
    uint64_t peak{0};                ///< maximum headroom in use, bytes
    Time full;                       ///< end of a frame that found the memory full
    Time closed;                     ///< when the sender had stopped
    std::vector<Time> starts;        ///< of frames to the switch
    std::vector<Time> reverseStarts; ///< of reverse frames
};

/// Maximum headroom in use.
struct HeadroomWatermark
{
    uint64_t bytes{0};
    uint32_t frameBytes{0}; ///< of the frames between the first and the last one
};

/**
 * Provokes the worst case for the headroom of a link: a sender at line rate, a memory that is full
 * when the first frame takes headroom, reverse frames of maximum size behind which the PAUSE has to
 * wait, and a frame of maximum size that begins just before the PAUSE takes effect.
 *
 *     sender --- link --- switch --- receiver, so slow that nothing drains
 *                            |
 *                   source of the reverse traffic
 */
class HeadroomSearch
{
  public:
    /// @param link to examine
    HeadroomSearch(Experiment& experiment, const HeadroomLink& link);

    /// Tries frames of several sizes, and the PAUSE at several phases of the reverse traffic, of
    /// which the last is the worst: just after a frame has begun.
    /// @param phases number, in addition to the worst one
    /// @return the maximum found
    HeadroomWatermark Find(uint32_t phases);

  private:
    /// @param frameBytes of the frames to the switch
    /// @param phases see Find()
    void TrySize(uint32_t frameBytes, uint32_t phases);
    HeadroomRun Run(const HeadroomPhase& phase);
    /// @param frameBytes of the frames to the switch
    SwitchHelper MakeSwitches(uint32_t frameBytes) const;
    /// @param run gets starts
    void StartSender(const Fabric& fabric, const HeadroomPhase& phase, HeadroomRun& run) const;
    void StartReverse(const Fabric& fabric, const HeadroomPhase& phase) const;
    /// @param frameBytes of the frames to the switch
    /// @return number of frames that fill its shared memory
    uint64_t CountFilling(uint32_t frameBytes) const;
    /// @param run in which the last frame came too late or too early
    /// @return the largest size of smaller frames with which one more fits; 0: none
    uint32_t FitSize(const HeadroomRun& run) const;

    Experiment& m_experiment;
    HeadroomLink m_link;
    HeadroomWatermark m_most; ///< so far
};

} // namespace ns3::lossless

#endif /* HEADROOM_LINK_H */
