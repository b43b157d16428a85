// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ROCE_OPTIONS_H
#define LOSSLESS_ROCE_OPTIONS_H

#include "place-header.h"
#include "sack-header.h"
#include "telemetry-header.h"

#include <cstdint>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The optional headers of a RoCE packet. Each has a bit of the six that the BTH reserves beside
 * BECN, see RoceHeader::Has(); those present lie behind the BTH, or behind the AETH of an answer,
 * in the order of their bits.
 */
struct RoceOptions
{
    TelemetryHeader telemetry; ///< see RoceOption::TELEMETRY
    SackHeader sack;           ///< see RoceOption::SACK
    PlaceHeader place;         ///< see RoceOption::PLACE
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ROCE_OPTIONS_H */
