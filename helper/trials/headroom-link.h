// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HEADROOM_LINK_H
#define LOSSLESS_HEADROOM_LINK_H

#include "ns3/data-rate.h"
#include "ns3/headroom.h"
#include "ns3/lossless-experiment.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3::lossless
{

/// A link to a switch, with the parameters that determine its headroom.
struct HeadroomLink
{
    DataRate rate{"100Gbps"}; ///< rate of the link
    double metres{0};         ///< length of the cable, of 5 ns a metre
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

/// The links that a search examines: one for each length of the cable, or random ones.
struct HeadroomOptions
{
    HeadroomLink link;                      ///< the link, without the cable length
    std::vector<double> metres{5, 40, 300}; ///< cable lengths
    uint32_t phases{8};                     ///< see FindHeadroomWatermark()
    uint32_t random{0};                     ///< number of random links, or 0 for the given one

    /// Adds the command-line options. Call this before Experiment::Parse().
    void AddOptions(Experiment& experiment);
    /// Stops the program if the options are inconsistent. Warns if hardware that conforms to IEEE
    /// 802.3 may respond to a PAUSE later than the given link.
    void Check(Experiment& experiment) const;
    /// @return the links. About half of the random ones have a smaller MTU in the lossless class.
    std::vector<HeadroomLink> GetLinks() const;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_HEADROOM_LINK_H */
