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

/// The properties that a policy needs of a port and its link.
struct PortLink
{
    DataRate rate;                               ///< the rate of the link
    Time delay;                                  ///< the propagation delay with the largest jitter
    uint32_t mtu{0};                             ///< the largest payload of a frame, in bytes
    std::optional<DataRate> sendRate{};          ///< the switch's own rate; empty if the same
    Time jitter{};                               ///< the part of the delay due to jitter
    uint32_t overheadBytes{WIRE_OVERHEAD_BYTES}; ///< bytes that a frame adds on the wire

    /// @return the rate at which the switch itself sends
    DataRate GetSendRate() const
    {
        return sendRate.value_or(rate);
    }
};

/**
 * Returns the headroom for one lossless class of a link, which is the number of bytes that can
 * still arrive after the decision to send a PAUSE (DSH, Eq. 1).
 *
 * The 3840 bytes are 60 pause quanta, the neighbor's response time in Eq. 1. They increase with the
 * default of TransmitGate::ResponseQuanta. If TransmitGate::StandardResponse is true by default,
 * they correspond to the response time that IEEE 802.3 permits at the link's speed.
 * @return 2 (C D + MTU) + 3840, in bytes
 */
uint64_t GetHeadroomBytes(const PortLink& link);

/**
 * Returns the headroom that is sufficient for any sequence of frames. After the decision, bytes can
 * arrive for the duration of a full frame on the reverse path, the PAUSE, the response time and
 * both propagation delays, and the last frame is a full frame. This is Eq. 1 of DSH plus the
 * framing of the two frames (2 x 38 bytes on the wire) and the PAUSE itself (84 bytes), which Eq. 1
 * omits, and more if the reverse path is slower than the forward path. If the shared buffer can be
 * full, the frame that finds it full also uses headroom before it triggers the PAUSE, which adds
 * one full frame. All frames occupy whole cells. The ratio of these cells to the bytes on the wire
 * is largest for the smallest frame or for a frame that exceeds its last full cell by one byte.
 *
 * One PAUSE is sufficient for up to seven classes that stop together. Eight classes need two,
 * because a frame for eight classes stops the whole port (PfcFlowControl).
 * @param cellBytes the allocation unit of the buffer
 * @param classes the number of lossless classes of the switch
 * @return the headroom in bytes
 */
uint64_t GetWorstCaseHeadroomBytes(const PortLink& link, uint32_t cellBytes, uint32_t classes = 1);

} // namespace ns3::lossless

#endif /* LOSSLESS_HEADROOM_H */
