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

/// A link into a switch, and what its headroom depends on.
struct HeadroomLink
{
    /// Propagation in a cable.
    static constexpr double NANOSECONDS_PER_METRE = 5;

    DataRate rate{"100Gbps"}; ///< of the link
    double metres{0};         ///< of its cable
    uint32_t mtu{1500};       ///< largest payload of a frame, bytes
    uint32_t losslessMtu{0};  ///< the same of frames to the switch that headroom is for; 0: mtu
    uint32_t cellBytes{1};    ///< allocation unit of the switch's memory
    uint32_t quanta{60};      ///< time in which the sender responds to a PAUSE, of 512 bit times

    /// @return its propagation delay
    Time GetDelay() const;
    /// @return bytes of the largest frame, without FCS
    uint32_t GetLargestFrame() const;
    /// @return bytes of the largest frame to the switch, without FCS
    uint32_t GetLargestLossless() const;
    /// @param bytes of a frame @return time from its start to that of the next one
    Time GetFrameTime(uint32_t bytes) const;
    /// @return headroom by Eq. 1 of DSH with this response time (Eq. 1 has 60 quanta), bytes
    uint64_t GetEquation1() const;
    /// @return headroom that is enough whatever arrives, bytes
    uint64_t GetWorstCase() const;

  private:
    /// @return the link as the formulas want it
    PortLink GetPortLink() const;
};

/// How the frames of a run follow each other.
struct HeadroomPhase
{
    uint32_t frameBytes{0};        ///< of the frames to the switch, without FCS
    Time reverseStart;             ///< when traffic the other way begins
    std::optional<Time> firstFull; ///< one of the largest frames is due, to find the memory full
    std::optional<Time> lastFull;  ///< one of the largest frames is due, to be the last one
};

/// What was seen in a run.
struct HeadroomRun
{
    uint64_t peak{0};                ///< most headroom in use, bytes
    Time full;                       ///< when a frame had come that found the memory full
    Time closed;                     ///< when the sender had stopped
    std::vector<Time> starts;        ///< of frames to the switch
    std::vector<Time> reverseStarts; ///< of frames the other way
};

/// The most headroom that was found to be used.
struct HeadroomWatermark
{
    uint64_t bytes{0};      ///< of headroom
    uint32_t frameBytes{0}; ///< of the frames between the first and the last one
};

/**
 * Provokes the worst case for the headroom of a link: a sender at line rate, a memory that is
 * full when the first frame takes headroom, largest frames the other way behind which the PAUSE
 * has to wait, and a largest frame that begins just before the PAUSE has its effect.
 *
 *     sender --- link --- switch --- receiver, so slow that nothing drains
 *                            |
 *                   source of the traffic the other way
 */
class HeadroomSearch
{
  public:
    /// @param experiment which runs @param link which is examined
    HeadroomSearch(Experiment& experiment, const HeadroomLink& link);

    /**
     * Tries frames of several sizes, and the PAUSE made at several phases of the traffic the other
     * way, of which the last is the worst: just after a frame has begun.
     * @param phases how many, besides the worst one
     * @return the most that was found
     */
    HeadroomWatermark Find(uint32_t phases);

  private:
    /// @param frameBytes of the frames to the switch @param phases see Find()
    void TrySize(uint32_t frameBytes, uint32_t phases);
    /// @param phase how frames follow each other @return what was seen
    HeadroomRun Run(const HeadroomPhase& phase);
    /// @param frameBytes of the frames to the switch @return what the switch is like
    SwitchHelper MakeSwitches(uint32_t frameBytes) const;
    /// @param fabric the network @param phase how frames follow each other @param run gets starts
    void StartSender(const Fabric& fabric, const HeadroomPhase& phase, HeadroomRun& run) const;
    /// @param fabric the network @param phase how frames follow each other
    void StartReverse(const Fabric& fabric, const HeadroomPhase& phase) const;
    /// @param frameBytes of the frames to the switch @return those that fill its shared memory
    uint64_t CountFilling(uint32_t frameBytes) const;
    /// @param run in which the last frame came too late or too early
    /// @return size of smaller frames which would be the largest that bring in one more; 0: none
    uint32_t FitSize(const HeadroomRun& run) const;

    Experiment& m_experiment; ///< runs
    HeadroomLink m_link;      ///< is examined
    HeadroomWatermark m_most; ///< so far
};

} // namespace ns3::lossless

#endif /* HEADROOM_LINK_H */
