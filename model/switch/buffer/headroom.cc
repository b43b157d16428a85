// SPDX-License-Identifier: GPL-2.0-only
#include "headroom.h"

#include "shared-buffer.h"

#include "ns3/mac-control-header.h"
#include "ns3/transmit-gate.h"

#include <algorithm>
#include <cmath>

namespace ns3::lossless
{

uint64_t
GetHeadroomBytes(const PortLink& link)
{
    const double bandwidthDelay =
        static_cast<double>(link.rate.GetBitRate()) / 8 * link.delay.GetSeconds();
    // A millionth of a byte is subtracted, so that rounding errors in the product do not add a
    // whole byte.
    const auto inFlight = static_cast<uint64_t>(std::ceil(bandwidthDelay - 1e-6));
    const uint64_t responseBits = TransmitGate::GetGrantedQuanta(link.rate) * PAUSE_QUANTUM_BITS;
    return std::max(inFlight, link.replayBytes) + inFlight + 2 * link.mtu + responseBits / 8;
}

uint64_t
GetWorstCaseHeadroomBytes(const PortLink& link, uint32_t cellBytes, uint32_t classes)
{
    const auto inCells = [cellBytes](uint64_t bytes) { return RoundUpToCells(bytes, cellBytes); };
    const auto perWireByte = [&](uint64_t frame) {
        return static_cast<double>(inCells(frame)) /
               static_cast<double>(frame + link.overheadBytes);
    };
    const double factor = std::max({1.0,
                                    perWireByte(MIN_ETHERNET_FRAME_BYTES),
                                    perWireByte(inCells(MIN_ETHERNET_FRAME_BYTES) + 1)});
    const uint64_t framingBytes = ETHERNET_BYTES + link.overheadBytes;
    const uint64_t pauses = classes < NUM_PRIORITIES ? 1 : 2;
    const uint64_t pauseBytes = pauses * (PFC_FRAME_BYTES + link.overheadBytes);
    const double slowness = static_cast<double>(link.rate.GetBitRate()) /
                            static_cast<double>(link.GetSendRate().GetBitRate());
    const double wire =
        static_cast<double>(GetHeadroomBytes(link) + 2 * framingBytes + pauseBytes) +
        std::max(0.0, slowness - 1) * static_cast<double>(link.mtu + framingBytes + pauseBytes);
    return static_cast<uint64_t>(std::ceil(factor * wire)) + inCells(link.mtu + ETHERNET_BYTES);
}

} // namespace ns3::lossless
