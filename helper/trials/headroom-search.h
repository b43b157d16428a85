// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HEADROOM_SEARCH_H
#define LOSSLESS_HEADROOM_SEARCH_H

#include "headroom-link.h"

namespace ns3::lossless
{

/// Maximum headroom in use over several runs.
struct HeadroomWatermark
{
    uint64_t bytes{0};      ///< maximum headroom in use
    uint32_t frameBytes{0}; ///< size of the frames between the first and the last one
};

/**
 * @ingroup lossless
 * Provokes the worst case for the headroom of a link. A sender transmits at line rate, and the
 * memory is full when the first frame takes headroom. The PAUSE must wait for a reverse frame of
 * maximum size, and the sender begins a frame of maximum size just before the PAUSE takes effect.
 *
 *     sender --- link --- switch --- receiver, too slow to drain the queue
 *                            |
 *                   source of the reverse traffic
 *
 * Several frame sizes and several phases of the reverse traffic are tried. The last phase is the
 * worst: a reverse frame begins just before the PAUSE. The buffer policy of the scheme must be a
 * HeadroomBufferPolicy with an Alpha, as of SIH or DSH, whose thresholds let the memory be full
 * before the first PAUSE.
 *
 * @param experiment the experiment that runs the simulations
 * @param phases the number of phases in addition to the worst one
 * @return the maximum that was found; too small if a signal has interrupted a run
 */
HeadroomWatermark FindHeadroomWatermark(Experiment& experiment,
                                        const HeadroomLink& link,
                                        uint32_t phases);

} // namespace ns3::lossless

#endif /* LOSSLESS_HEADROOM_SEARCH_H */
