// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_RUN_JSON_H
#define LOSSLESS_RUN_JSON_H

#include "graph-results.h"
#include "run-statistics.h"
#include "run-verdict.h"

#include "ns3/attribute-survey.h"
#include "ns3/drop-recorder.h"
#include "ns3/pause-propagation.h"
#include "ns3/pause-recorder.h"
#include "ns3/result-table.h"
#include "ns3/signal-recorder.h"

#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <variant>
#include <vector>

namespace ns3::lossless
{

/// Value of "schema" in run.json, by which a result folder is known.
inline constexpr const char* RUN_SCHEMA = "lossless-run";

/// How a run is made.
struct RunDescription
{
    std::vector<std::string> commandLine; ///< program and arguments
    std::string scheme;                   ///< label of the flow control scheme
    std::map<std::string, std::variant<std::string, double>> parameters; ///< by name
    std::string spec{}; ///< the command line as run-spec.h has it; empty: there is none
};

/// What run.json tells of a run, besides what ns-3 itself knows, seed, run and time, and the ranks.
struct RunFacts
{
    RunDescription description;      ///< how it is made
    std::string congestionControl;   ///< names of the NICs' congestion controls
    std::vector<std::string> files;  ///< names of those that the result has
    double wallSeconds{0};           ///< real time that it took
    double cpuSeconds{0};            ///< processor time, of all ranks
    uint64_t events{0};              ///< executed, on all ranks
    uint64_t packetHops{0};          ///< transmissions of frames
    uint64_t retransmitted{0};       ///< data packets sent again
    NicSignals signals;              ///< of all RoCE NICs together
    uint64_t markedFrames{0};        ///< frames that switches have marked
    uint64_t trimmedFrames{0};       ///< frames that switches have trimmed
    std::vector<std::string> hints;  ///< sentences on what made it slow
    std::optional<GraphFacts> graph; ///< nothing: there was no flow graph
    /// What recorders tell, by their names and then by those of the facts.
    std::map<std::string, std::map<std::string, ResultCell>> measures;
    RunVerdict verdict;                        ///< what came of it
    MeasureWindow window;                      ///< of the statistics, as it was asked for
    RunStatistics statistics;                  ///< of that window
    std::vector<DropRecord> drops;             ///< what was lost
    std::vector<PauseDepthRecord> depths;      ///< how far pauses have spread, smallest depth first
    uint64_t pausedHosts{0};                   ///< NICs that were ever stopped
    uint64_t victimFlows{0};                   ///< flows that pauses have stopped without cause
    std::vector<ControlFrameRecord> pfcFrames; ///< PFC frames, by port
    std::vector<AttributeDifference> attributes; ///< what differs from the defaults
};

/// Writes run.json. @param os where to @param facts of a run whose simulation is still there
void WriteRunJson(std::ostream& os, const RunFacts& facts);

} // namespace ns3::lossless

#endif /* LOSSLESS_RUN_JSON_H */
