// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HEADROOM_H
#define LOSSLESS_HEADROOM_H

#include "ns3/data-rate.h"
#include "ns3/lossless-types.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>

namespace ns3::lossless
{

/// What a policy must know of a port: the link by which its neighbour sends.
struct PortLink
{
    DataRate rate;                      ///< rate of the link
    Time delay;                         ///< its propagation delay, the largest jitter included
    uint32_t mtu{0};                    ///< largest payload of a frame on it, bytes
    std::optional<DataRate> sendRate{}; ///< of the switch itself on it; nothing: the same rate
    Time jitter{};                      ///< how much shorter than that the delay can be
    uint32_t overheadBytes{WIRE_OVERHEAD_BYTES}; ///< by which frames are longer on the wire

    /// @return the rate at which the switch itself sends
    DataRate GetSendRate() const
    {
        return sendRate.value_or(rate);
    }
};

/**
 * Headroom for one lossless class behind one link: what can still arrive after a PAUSE was
 * decided (DSH, Eq. 1).
 *
 * The 3840 B are 60 pause quanta, the response that Eq. 1 grants the neighbour. They are more if
 * TransmitGate::ResponseQuanta has a larger default, and what IEEE 802.3 grants at the speed of the
 * link if TransmitGate::StandardResponse is true by default.
 * @param link the link
 * @return 2 (C D + MTU) + 3840, in bytes
 */
uint64_t GetHeadroomBytes(const PortLink& link);

/**
 * Headroom which is enough whatever arrives. What can arrive after the decision was sent in the
 * time that a full frame on the way back, the PAUSE, the response and both ways take, and ends with
 * a full frame: Eq. 1 of DSH, whose MTU leaves out the framing of the two frames (2 x 38 B on the
 * wire) and the PAUSE itself (84 B); and more yet where the way back is slower than the way in.
 * Where the shared buffer can be full, the frame that finds it so takes headroom as well before it
 * triggers the PAUSE: one more full frame. All of it occupies
 * whole cells, which are larger than the wire's bytes by a factor that is greatest for the smallest
 * frame, or for one that is a byte longer than its cells.
 *
 * One PAUSE is enough for up to seven classes that stop together. All eight take two, since a frame
 * for eight classes stops the port as a whole (PfcFlowControl).
 * @param link the link
 * @param cellBytes allocation unit of the buffer
 * @param classes number of lossless classes of the switch
 * @return bytes
 */
uint64_t GetWorstCaseHeadroomBytes(const PortLink& link, uint32_t cellBytes, uint32_t classes = 1);

} // namespace ns3::lossless

#endif /* LOSSLESS_HEADROOM_H */
