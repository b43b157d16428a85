// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_HINTS_H
#define LOSSLESS_RUN_HINTS_H

#include "measured-network.h"

#include "ns3/signal-recorder.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// What hints are based on.
struct RunSymptoms
{
    NicSignals signals;           ///< of all RoCE NICs together
    uint64_t lostFrames{0};       ///< lost anywhere, but MAC control frames
    uint64_t markedFrames{0};     ///< marked by switches
    uint64_t trimmedFrames{0};    ///< trimmed by switches
    uint64_t pauses{0};           ///< times that a neighbour was paused
    bool isAdaptive{false};       ///< switches spread the frames of a flow over paths
    std::string livesOnMarks;     ///< congestion control that needs marks; empty: none does
    bool hasMarker{true};         ///< a switch may mark frames
    bool isEcnCapable{true};      ///< packets may be marked
    std::string livesOnTelemetry; ///< congestion control that reads telemetry; empty: none does
    bool hasTelemetry{true};      ///< a switch writes telemetry
    uint64_t ackInterval{1};      ///< data packets that share an answer, at most
    std::string reliability;      ///< how loss is repaired, if not by go-back-N
    IdleHeadroom idle;            ///< of the switch that has most of it
};

/**
 * Explains what made a run slow, as far as counts prove it: packets sent again (from one in a
 * thousand on) though none was lost, or more than were lost; a congestion control that needs marks
 * and got none, since no switch marks, since packets do not allow it, or since pauses came first;
 * one without the telemetry that it reads, on paths with more switches than telemetry holds, or
 * with answers that many packets share; and headroom of classes without flows.
 * @return a sentence for each cause
 */
std::vector<std::string> ExplainSlowness(const RunSymptoms& symptoms);

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_HINTS_H */
