// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOSSLESS_HPCC_FORMAT_H
#define LOSSLESS_HPCC_FORMAT_H

#include "ns3/flow-record.h"
#include "ns3/lossless-topology.h"
#include "ns3/lossless-workload.h"
#include "ns3/topology-format.h"

#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

/**
 * @file
 * The text files of the HPCC simulator (Li et al., SIGCOMM 2019) and its forks. The input files
 * describe networks and flows. The output file contains flow completion times, in the columns that
 * the scripts of these simulators expect.
 *
 * The files contain lines of words separated by spaces. Empty lines and lines that start with # are
 * skipped. As in the simulators, lines beyond the announced number of links or flows are ignored.
 * The files shipped with the simulators end with an explanation of their columns, and some have
 * more lines than announced.
 */

namespace ns3::lossless
{

class Fabric;

/// The name of the format in options.
inline constexpr const char* HPCC_FORMAT = "hpcc";

/**
 * Reads a topology file. Aborts if the file is malformed; the message contains the file name, the
 * line number and the allowed values.
 *
 * The first line is `nodes switches links`. If it has four numbers, it is `nodes switches tors
 * links`, and the first `tors` switches are top-of-rack switches (layer "tor"). If it has six
 * words, it is SimAI's `nodes gpus_per_server nvswitches switches links gpu_type` or, if the last
 * word is a number, Reverie's `nodes switches tors links host_rate fabric_rate`. NVSwitches are
 * listed before all other switches and form the layer "nvswitch". The IDs of the switches, from 0
 * to nodes - 1, follow on one or more lines, which are omitted if there are no switches. One line
 * `src dst rate delay error_rate` follows for each link, with the same units as in
 * Topology::FromCsv(). A rate of 1000000 or more without a unit is in bit/s.
 *
 * The index of a node is its ID. The name of a host is "h" followed by its ID, and the name of a
 * switch is "s" followed by its ID. Host indices follow the order of the IDs. Ports are numbered in
 * the order of the links, starting at 0, whereas the simulators start at 1.
 *
 * The network as a whole is not validated; see Topology::Validate().
 */
FileTopology ReadHpccTopology(const std::string& path);

/// Reads a topology file as ReadHpccTopology() does, but reports errors by an exception.
/// @throws FileComplaint with the file name and line number
FileTopology ParseHpccTopology(std::istream& input, const std::string& fileName);

/// Flows read from a file.
struct HpccFlows
{
    FlowList flows;                         ///< flows, with IDs from 0 in file order
    std::vector<uint16_t> destinationPorts; ///< destination port of each flow, by ID; RoCE packets
                                            ///< do not carry it
    std::optional<std::string> note{};      ///< messages about ignored or changed input
    uint64_t empty{0};                      ///< number of flows with 0 bytes; see EMPTY_FLOW_BYTES
};

/**
 * Reads a flow file. Aborts if the file is malformed; the message contains the file name, the line
 * number and the allowed values.
 *
 * The first line is the number of flows. One line `src dst priority dport size_bytes start_seconds`
 * follows for each flow. The port may be omitted and is then 0. The source and destination are IDs
 * of hosts in the topology file, and the priority is the traffic class. Start times are rounded to
 * nanoseconds.
 *
 * @param topology a network read by ReadHpccTopology()
 * @return the flows, sorted by start time, in the group "fork"
 */
HpccFlows ReadHpccFlows(const std::string& path, const Topology& topology);

/// Reads a flow file as ReadHpccFlows() does, but reports errors by an exception.
/// @throws FileComplaint with the file name and line number
HpccFlows ParseHpccFlows(std::istream& input,
                         const std::string& fileName,
                         const Topology& topology);

/// @param id the node ID
/// @return the node's address in the simulators, 11.0.0.1 + 2^16 (id / 256) + 2^8 (id mod 256)
uint32_t GetHpccAddress(uint32_t id);

/**
 * Writes the completed flows as lines `sip dip sport dport size start_ns fct_ns standalone_fct_ns`,
 * without a header, in the order of completion.
 *
 * The columns have the same meaning as in the simulators, so the simulators' scripts can read them.
 * A flow completes when its sender receives the last acknowledgement, so fct_ns exceeds the
 * completion time in flows.csv by the transit time of an acknowledgement. standalone_fct_ns is the
 * corresponding time on the idle network, which is Fabric::GetIdealFct() plus the transit time of
 * an acknowledgement. Because of rounding to nanoseconds, fct_ns can be smaller than
 * standalone_fct_ns by up to 1 ns per link and direction. Addresses are in the simulators' format,
 * with eight hexadecimal digits. The source port is that of the packets in this module.
 *
 * @param flows the flows as returned by ReadHpccFlows()
 * @param fabric the network, built from a topology read by ReadHpccTopology()
 * @param records the results of the flows, by ID; see FlowRecorder::GetFlows()
 */
void WriteHpccFct(std::ostream& output,
                  const HpccFlows& flows,
                  const Fabric& fabric,
                  const std::map<uint64_t, FlowRecord>& records);

} // namespace ns3::lossless

#endif // LOSSLESS_HPCC_FORMAT_H
