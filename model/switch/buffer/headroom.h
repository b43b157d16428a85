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
    DataRate rate;                               ///< rate of the link
    Time delay;                                  ///< of propagation, with the largest jitter
    uint32_t mtu{0};                             ///< largest payload of a frame, bytes
    std::optional<DataRate> sendRate{};          ///< of the switch itself; empty if the same
    Time jitter{};                               ///< by which the delay can be shorter
    uint32_t overheadBytes{WIRE_OVERHEAD_BYTES}; ///< added to a frame on the wire

    /// @return the rate at which the switch itself sends
    DataRate GetSendRate() const
    {
        return sendRate.value_or(rate);
    }
};

/**
 * Headroom for one lossless class behind one link: what can still arrive after the decision to send
 * a PAUSE (DSH, Eq. 1).
 *
 * The 3840 B are 60 pause quanta, the response time that Eq. 1 grants the neighbour. They increase
 * with the default of TransmitGate::ResponseQuanta; if TransmitGate::StandardResponse is true by
 * default, they are what IEEE 802.3 grants at the link's speed.
 * @return 2 (C D + MTU) + 3840, in bytes
 */
uint64_t GetHeadroomBytes(const PortLink& link);

/**
 * Headroom that suffices whatever arrives. What can arrive after the decision is sent during the
 * time of a full frame on the way back, the PAUSE, the response and both propagation delays, and
 * ends with a full frame: Eq. 1 of DSH, whose MTU omits the framing of the two frames (2 x 38 B on
 * the wire) and the PAUSE itself (84 B), and more if the way back is slower than the way in. If the
 * shared buffer can be full, the frame that finds it full takes headroom as well before it triggers
 * the PAUSE: one more full frame. All frames occupy whole cells, which exceed the bytes on the wire
 * by a factor that is largest for the smallest frame, or for one that is a byte longer than its
 * cells.
 *
 * One PAUSE suffices for up to seven classes that stop together. All eight take two, since a frame
 * for eight classes stops the port as a whole (PfcFlowControl).
 * @param cellBytes allocation unit of the buffer
 * @param classes number of lossless classes of the switch
 * @return bytes
 */
uint64_t GetWorstCaseHeadroomBytes(const PortLink& link, uint32_t cellBytes, uint32_t classes = 1);

} // namespace ns3::lossless

#endif /* LOSSLESS_HEADROOM_H */
