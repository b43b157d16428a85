// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_ROW_H
#define LOSSLESS_FLOW_ROW_H

#include "ns3/flow-record.h"
#include "ns3/nstime.h"
#include "ns3/queue-pair.h"
#include "ns3/result-table.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A flow as it appears in the results.
 */
struct FlowRow
{
    uint64_t id{0};                        ///< flow ID
    std::string source;                    ///< name or address of the sender
    std::string destination;               ///< name or address of the receiver
    std::size_t priority{0};               ///< traffic class
    uint64_t bytes{0};                     ///< payload in bytes
    std::optional<Time> start;             ///< start time; not set if the flow belongs to a graph
                                           ///< and has not started
    std::optional<Time> fct;               ///< flow completion time; not set if the flow is
                                           ///< unfinished
    std::optional<Time> ideal;             ///< ideal completion time, if known
    std::string group;                     ///< label of the flow's group
    std::optional<uint64_t> retransmitted; ///< number of retransmitted packets; not set if the flow
                                           ///< has not started
    std::optional<FlowSignals> signals;    ///< counts at the receiver; not set if the flow has not
                                           ///< started or does not use RoCE

    FlowRow() = default;
    /// Creates a row with the values that a NIC has recorded. The row has no host names, because
    /// looking them up takes longer than setting all other values.
    FlowRow(uint64_t id, const FlowRecord& record);

    /// @return fct / ideal, or nothing if either is unknown
    std::optional<double> GetSlowdown() const;
    /// @return a table with the columns of flows.csv and no rows
    static ResultTable MakeTable();
    /// @return the row of flows.csv, with one value for each column
    ResultTable::Row ToLine() const;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_ROW_H */
