// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PABO_COUNTERS_H
#define LOSSLESS_PABO_COUNTERS_H

#include "ns3/lossless-frame.h"

#include <cstdint>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The counters that PABO writes into each frame (PABO, Sec. II-F and III).
 *
 * Switches and hosts store the counters in Frame::schemeData. They take no space on the wire, as in
 * the paper's simulations.
 */
struct PaboCounters
{
    // The counters saturate at the maximum values of their types.

    /// The number of times that switches have sent the frame back (n_p, bouncedHop).
    uint16_t bounces{0};
    /// The current distance, in hops, of the frame from the switch that first sent it back
    /// (bouncedDistance).
    uint8_t distance{0};
    uint8_t maxDistance{0}; ///< the largest value of `distance` so far (maxBouncedDistance)
    uint16_t hops{0};       ///< the number of switches passed, plus the number of retransmissions
                            ///< by the source (totalHop)

    /// Returns the counters of a frame. They are zero if the frame has not passed a PABO switch.
    static PaboCounters Of(const Frame& frame);
    /// Writes the counters into a frame.
    void WriteTo(Frame& frame) const;

    /// Counts the forwarding of a frame by a switch or its retransmission by the source.
    void CountHop();
    /// Counts a hop back.
    void CountBounce();
    /// Counts a hop towards the destination.
    void CountForward();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PABO_COUNTERS_H */
