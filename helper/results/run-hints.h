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

/// The headroom that a switch reserves for lossless classes without flows.
struct IdleHeadroom
{
    PrioritySet used{0};     ///< classes with flows
    PrioritySet classes{0};  ///< lossless classes without flows; 0 if there are none
    uint64_t bytes{0};       ///< headroom of the classes without flows
    uint64_t bufferBytes{0}; ///< packet buffer of the switch
};

/// An ECN marker with default thresholds intended for a rate that no switch port has.
struct MisfitMarker
{
    std::string marker;   ///< the marker's class, e.g. "RedMarker"; empty if its thresholds fit
    DataRate meantRate;   ///< the rate for which the thresholds are intended
    DataRate fastestRate; ///< the rate of the fastest switch port
};

/// The symptoms from which hints are derived.
struct RunSymptoms
{
    NicSignals signals;           ///< total signals of all RoCE NICs
    uint64_t lostFrames{0};       ///< number of lost frames in the classes of the RoCE flows and
                                  ///< their acknowledgements, except MAC control frames
    uint64_t markedFrames{0};     ///< number of frames that switches have marked
    uint64_t trimmedFrames{0};    ///< number of frames that switches have trimmed
    uint64_t pauses{0};           ///< number of times that a neighbour was paused
    bool isAdaptive{false};       ///< true if switches spread a flow over several paths
    std::string livesOnMarks;     ///< name of a congestion control that needs marks, if there is
                                  ///< one
    bool hasMarker{true};         ///< true if any switch can mark frames
    MisfitMarker misfit;          ///< marker with thresholds intended for a rate that no switch
                                  ///< port has
    std::string withoutCnps;      ///< name of a congestion control that handles CNPs but does not
                                  ///< request them, if there is one
    bool isEcnCapable{true};      ///< true if any NIC sends ECN-capable packets
    std::string livesOnTelemetry; ///< name of a congestion control that needs telemetry, if there
                                  ///< is one
    bool hasTelemetry{true};      ///< true if any switch writes telemetry
    uint64_t ackInterval{1};      ///< maximum number of data packets per acknowledgement
    std::string reliability;      ///< name of the loss recovery, if it is not go-back-N
    bool isInControlClass{false}; ///< true if flows share the class of acknowledgements and CNPs
    IdleHeadroom idle;            ///< largest idle headroom of all switches
    std::string idleShares; ///< name of a scheduler with shares of classes (`Quanta`) in a run
                            ///< whose flows have one class, if there is one
    std::string deadEnd;    ///< name of a switch with a single link, if there is one
};

/// @return the symptoms that the parts of a network show, without those that depend on flows
RunSymptoms FindSymptoms(const MeasuredNetwork& network);

/**
 * Explains why a run was slow if the counts show the cause. The possible causes are:
 * - retransmissions (at least one per thousand data packets), with or without losses;
 * - a congestion control algorithm that needs marks but received none or few (fewer than one per
 *   hundred pauses), because no switch marks frames, because packets are not ECN-capable, or
 *   because pauses came first;
 * - marking thresholds intended for a rate that no switch port has;
 * - a congestion control algorithm that handles CNPs but does not request them;
 * - a congestion control algorithm that needs telemetry but does not receive enough, because no
 *   switch writes it, because a path has more switches than the telemetry header can hold, or
 *   because many packets share an acknowledgement;
 * - flows in the class of acknowledgements and CNPs;
 * - shares of classes where all flows have one class;
 * - headroom of classes without flows (more than a twentieth of the packet buffer).
 *
 * It also names a switch with a single link, which may be a host with a mistyped name.
 *
 * @param symptoms the symptoms of the run
 * @return a sentence for each cause
 */
std::vector<std::string> ExplainSlowness(const RunSymptoms& symptoms);

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_HINTS_H */
