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

/// The properties of a port and its link that a policy needs.
struct PortLink
{
    DataRate rate;                               ///< the rate of the link
    Time delay;                                  ///< the propagation delay, including the largest
                                                 ///< jitter
    uint32_t mtu{0};                             ///< the largest payload of a frame, in bytes
    std::optional<DataRate> sendRate{};          ///< the rate at which the switch itself sends;
                                                 ///< unset if it equals `rate`
    Time jitter{};                               ///< the part of the delay that is due to jitter
    uint32_t overheadBytes{WIRE_OVERHEAD_BYTES}; ///< the overhead of a frame on the wire, in bytes
    uint64_t replayBytes{0}; ///< the number of bytes that the neighbour may retransmit despite a
                             ///< PAUSE; see LinkRetry::GetReplayBytes()

    /// @return the rate at which the switch itself sends
    DataRate GetSendRate() const
    {
        return sendRate.value_or(rate);
    }
};

/**
 * Returns the headroom for one lossless class of a link. It is the number of bytes that can still
 * arrive after the decision to send a PAUSE (DSH, Eq. 1).
 *
 * The constant 3840 corresponds to 60 pause quanta, the neighbour's response time in Eq. 1. If the
 * default of TransmitGate::ResponseQuanta is above 60, it replaces the 60 quanta. If
 * TransmitGate::StandardResponse is true by default, the response time that IEEE 802.3 permits at
 * the link's speed is used instead.
 *
 * Eq. 1 counts C D bytes (rate times delay) on the cable when the PAUSE is sent. With link-layer
 * retry, the neighbour may also have to retransmit earlier frames that arrived corrupted or were
 * discarded. The larger of C D and `replayBytes` then replaces this term.
 * @return 2 (C D + MTU) + 3840, in bytes, without link-layer retry
 */
uint64_t GetHeadroomBytes(const PortLink& link);

/**
 * Returns the headroom that is sufficient for any sequence of frames. After the decision to send a
 * PAUSE, bytes can arrive during the transmission of a full frame and of the PAUSE on the reverse
 * path, the response time and both propagation delays. The last frame to arrive is a full frame.
 * The bytes on the wire amount to Eq. 1 of DSH plus two terms that Eq. 1 omits: the framing of the
 * two full frames (2 x 38 bytes on the wire) and the PAUSE itself (84 bytes). The amount is larger
 * if the reverse path is slower than the forward path. Because frames occupy whole cells, the
 * amount is multiplied by the largest ratio of cell bytes to wire bytes. This ratio occurs for the
 * smallest frame or for a frame that is one byte longer than a whole number of cells. Finally, one
 * full frame is added, because a frame that finds the shared buffer full uses headroom before it
 * triggers the PAUSE.
 *
 * One PAUSE is sufficient for up to seven classes that are stopped together. Eight classes need
 * two, because a frame for all eight classes stops the whole port (see PfcFlowControl).
 * @param cellBytes the allocation unit of the buffer
 * @param classes the number of lossless classes of the switch
 * @return the headroom in bytes
 */
uint64_t GetWorstCaseHeadroomBytes(const PortLink& link, uint32_t cellBytes, uint32_t classes = 1);

} // namespace ns3::lossless

#endif /* LOSSLESS_HEADROOM_H */
