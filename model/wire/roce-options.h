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
 * The optional headers of a RoCE packet; see RoceOption.
 */
struct RoceOptions
{
    TelemetryHeader telemetry; ///< see RoceOption::TELEMETRY
    SackHeader sack;           ///< see RoceOption::SACK
    PlaceHeader place;         ///< see RoceOption::PLACE
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ROCE_OPTIONS_H */
