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
 * The text files of the HPCC simulator (Li et al., SIGCOMM 2019) and its forks: networks and flows
 * to run here, and flow completion times in the columns that their scripts read.
 *
 * The files are lines of words between blanks. Empty lines and lines that start with # are skipped.
 * What follows the announced number of links or flows is not read, as the simulators do not: the
 * files that come with them end in an explanation of their columns, and some have more lines than
 * they announce.
 */

namespace ns3::lossless
{

class Fabric;

/// Name of the format, for options.
inline constexpr const char* HPCC_FORMAT = "hpcc";

/**
 * The network of a file.
 */
struct HpccTopology
{
    Topology topology;                 ///< it
    std::optional<std::string> note{}; ///< a sentence about lines that were not read

    /// Stops the program with the sentence of Topology::Validate(), and the note, if there is one.
    /// @param origin what the sentence begins with
    void AbortIfInvalid(const std::string& origin) const;
};

/**
 * Reads a topology file; a malformed one aborts with file, line and what is allowed.
 *
 * The first line is `nodes switches links`; four numbers are `nodes switches tors links`, and the
 * first `tors` switches are top-of-rack switches (layer "tor"); SimAI's six are `nodes
 * gpus_per_server nvswitches switches links gpu_type`, where the NVSwitches, whose ids come first,
 * are switches as well (layer "nvswitch"). The second line holds the ids of
 * the switches, out of 0 to nodes - 1; it is left out if there are none. A line
 * `src dst rate delay error_rate` follows for each link, with the units of Topology::FromCsv; a
 * rate of 1000000 or more without a unit is one in bit/s.
 *
 * A node's index is its id. Hosts are named h and the id, switches s and the id; host indices
 * count the hosts in the order of their ids. Ports are numbered from 0 in the order of the links;
 * the simulators count from 1.
 *
 * The network as a whole is not judged here: call Topology::Validate for that.
 *
 * @param path the file
 * @return the network
 */
HpccTopology ReadHpccTopology(const std::string& path);

/**
 * Reads a topology file, as ReadHpccTopology does, and returns the complaint.
 * @param input the text
 * @param fileName name used in the complaint
 * @param [out] topology the network, untouched in case of a complaint
 * @param [out] note a sentence about lines that were not read; may be null
 * @return one sentence with file and line, or nothing
 */
std::optional<std::string> ParseHpccTopology(std::istream& input,
                                             const std::string& fileName,
                                             Topology& topology,
                                             std::optional<std::string>* note = nullptr);

/**
 * The flows of a file.
 */
struct HpccFlows
{
    FlowList flows;                         ///< ids count from 0 in the order of the file
    std::vector<uint16_t> destinationPorts; ///< by id; our RoCE packets do not carry them
    std::optional<std::string> note{};      ///< sentences about what was not read as it stands
    uint64_t empty{0};                      ///< flows of 0 bytes, see EMPTY_FLOW_BYTES
};

/**
 * Reads a flow file; a malformed one aborts with file, line and what is allowed.
 *
 * The first line is the number of flows. A line `src dst priority dport size_bytes start_seconds`
 * follows for each, or one without the port, which is 0 then. The ends are ids of hosts in the
 * topology file; the priority group is our class. Starts are rounded to nanoseconds.
 *
 * @param path the file
 * @param topology a network of ReadHpccTopology
 * @return the flows, sorted by start, in the group "fork"
 */
HpccFlows ReadHpccFlows(const std::string& path, const Topology& topology);

/**
 * Reads a flow file, as ReadHpccFlows does, and returns the complaint.
 * @param input the text
 * @param fileName name used in the complaint
 * @param topology a network of ReadHpccTopology
 * @param [out] flows the flows, untouched in case of a complaint
 * @return one sentence with file and line, or nothing
 */
std::optional<std::string> ParseHpccFlows(std::istream& input,
                                          const std::string& fileName,
                                          const Topology& topology,
                                          HpccFlows& flows);

/// Gets the address that the simulators give a node. @param id the node @return 11.0.0.1 + 2^16 (id
/// / 256) + 2^8 (id mod 256)
uint32_t GetHpccAddress(uint32_t id);

/**
 * Writes the completed flows as `sip dip sport dport size start_ns fct_ns standalone_fct_ns`,
 * without a header, in the order of completion.
 *
 * The columns mean what they mean in the simulators, so that their scripts may read them: a flow
 * completes when its sender hears that the last byte has arrived, and so it is one way of an
 * acknowledgement longer than the completion time of flows.csv. standalone_fct_ns is the same on
 * the idle network: Fabric::GetIdealFct, and the way of an acknowledgement back. Rounding to
 * nanoseconds may make fct_ns less than that, by 1 ns per link of either way. Addresses are
 * those of the simulators, in eight hexadecimal digits; the source port is the one that our
 * packets carry.
 *
 * @param output where to write
 * @param flows the flows as read
 * @param fabric the network, built from the topology of ReadHpccTopology
 * @param records what became of the flows, by id: FlowRecorder::GetFlows()
 */
void WriteHpccFct(std::ostream& output,
                  const HpccFlows& flows,
                  const Fabric& fabric,
                  const std::map<uint64_t, FlowRecord>& records);

} // namespace ns3::lossless

#endif // LOSSLESS_HPCC_FORMAT_H
