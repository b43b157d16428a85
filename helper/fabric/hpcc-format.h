// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOSSLESS_HPCC_FORMAT_H
#define LOSSLESS_HPCC_FORMAT_H

#include "ns3/flow-record.h"
#include "ns3/lossless-topology.h"
#include "ns3/lossless-workload.h"

#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

/**
 * @file
 * Text files of the HPCC simulator (Li et al., SIGCOMM 2019) and its forks: networks and
 * flows as input, and flow completion times in the columns that their scripts read.
 *
 * The files are lines of words separated by blanks. Empty lines and lines that start with # are
 * skipped. As in the simulators, what follows the announced number of links or flows is not read:
 * the files that come with them end in an explanation of their columns, and some have more lines
 * than announced.
 */

namespace ns3::lossless
{

class Fabric;

/// Name of the format in options.
inline constexpr const char* HPCC_FORMAT = "hpcc";

/// The network of a file.
struct HpccTopology
{
    Topology topology;                 ///< nodes and links
    std::optional<std::string> note{}; ///< a sentence about lines that were ignored

    /// Stops the program if Topology::Validate() complains, with its message and the note, if any.
    /// @param origin start of the message
    void AbortIfInvalid(const std::string& origin) const;
};

/**
 * Reads a topology file; a malformed one aborts with file, line and what is allowed.
 *
 * The first line is `nodes switches links`; four numbers are `nodes switches tors links`, and the
 * first `tors` switches are top-of-rack switches (layer "tor"); SimAI's six are `nodes
 * gpus_per_server nvswitches switches links gpu_type`, where the NVSwitches, whose ids come first,
 * are switches as well (layer "nvswitch"). The second line holds the ids of the switches, from 0 to
 * nodes - 1; without switches it is omitted. A line `src dst rate delay error_rate` follows for
 * each link, with the units of Topology::FromCsv; a rate of 1000000 or more without a unit is in
 * bit/s.
 *
 * A node's index is its id. Names are "h" plus id for hosts and "s" plus id for switches; host
 * indices number the hosts by id. Ports are numbered from 0 in the order of the links; the
 * simulators count from 1.
 *
 * The network as a whole is not checked, see Topology::Validate().
 */
HpccTopology ReadHpccTopology(const std::string& path);

/// As ReadHpccTopology(), but returns the error.
/// @param [out] topology unchanged after an error
/// @param [out] note a sentence about lines that were ignored; may be null
/// @return one sentence with file and line, or nothing
std::optional<std::string> ParseHpccTopology(std::istream& input,
                                             const std::string& fileName,
                                             Topology& topology,
                                             std::optional<std::string>* note = nullptr);

/// Flows of a file.
struct HpccFlows
{
    FlowList flows;                         ///< ids count from 0 in the order of the file
    std::vector<uint16_t> destinationPorts; ///< by id; not carried by our RoCE packets
    std::optional<std::string> note{};      ///< sentences about what was ignored or changed
    uint64_t empty{0};                      ///< flows of 0 bytes, see EMPTY_FLOW_BYTES
};

/**
 * Reads a flow file; a malformed one aborts with file, line and what is allowed.
 *
 * The first line is the number of flows. A line `src dst priority dport size_bytes start_seconds`
 * follows for each, or one without the port, which is then 0. Source and destination are ids of
 * hosts in the topology file; the priority group is our class. Starts are rounded to nanoseconds.
 *
 * @param topology a network of ReadHpccTopology()
 * @return the flows, sorted by start, in the group "fork"
 */
HpccFlows ReadHpccFlows(const std::string& path, const Topology& topology);

/// As ReadHpccFlows(), but returns the error.
/// @param topology a network of ReadHpccTopology()
/// @param [out] flows unchanged after an error
/// @return one sentence with file and line, or nothing
std::optional<std::string> ParseHpccFlows(std::istream& input,
                                          const std::string& fileName,
                                          const Topology& topology,
                                          HpccFlows& flows);

/// @param id of a node
/// @return its address in the simulators: 11.0.0.1 + 2^16 (id / 256) + 2^8 (id mod 256)
uint32_t GetHpccAddress(uint32_t id);

/**
 * Writes the completed flows as `sip dip sport dport size start_ns fct_ns standalone_fct_ns`,
 * without a header, in the order of completion.
 *
 * The columns have the meaning that they have in the simulators, for the sake of their scripts: a
 * flow completes when its sender learns that the last byte has arrived, so fct_ns exceeds the
 * completion time of flows.csv by the transit time of an acknowledgement. standalone_fct_ns is the
 * same on the idle network: Fabric::GetIdealFct() plus the return of an acknowledgement. Rounding
 * to nanoseconds may make fct_ns smaller than that, by 1 ns per link and direction. Addresses are
 * those of the simulators, in eight hexadecimal digits; the source port is the one in our packets.
 *
 * @param flows as read
 * @param fabric the network, built from the topology of ReadHpccTopology()
 * @param records results of the flows, by id: FlowRecorder::GetFlows()
 */
void WriteHpccFct(std::ostream& output,
                  const HpccFlows& flows,
                  const Fabric& fabric,
                  const std::map<uint64_t, FlowRecord>& records);

} // namespace ns3::lossless

#endif // LOSSLESS_HPCC_FORMAT_H
