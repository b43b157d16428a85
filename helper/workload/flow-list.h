// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_LIST_H
#define LOSSLESS_FLOW_LIST_H

#include "ns3/flow-record.h"
#include "ns3/lossless-topology.h"
#include "ns3/lossless-types.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// A flow: a number of bytes sent from one host to another.
struct FlowSpec
{
    uint64_t id{0};          ///< ID, which must be unique
    uint32_t source{0};      ///< host index of the sender
    uint32_t destination{0}; ///< host index of the receiver
    uint8_t priority{0};     ///< traffic class, 0 to 7
    uint64_t bytes{0};       ///< payload, from 1 to MAX_FLOW_BYTES
    Time start;              ///< earliest start
    std::string group;       ///< label for results; may be empty
};

/// The maximum size of a flow, a petabyte. ns-3 can represent the duration of such a flow even on a
/// slow link.
inline constexpr uint64_t MAX_FLOW_BYTES = 1000000000000000;

/// The number of bytes that are sent for a flow of 0 bytes in a file. A message without payload
/// still requires a frame, which has the same length as a frame with one byte of payload.
inline constexpr uint64_t EMPTY_FLOW_BYTES = 1;

/// Flows sorted by start.
using FlowList = std::vector<FlowSpec>;

/// @return the classes of the flows
PrioritySet GetClasses(const FlowList& flows);

/// Checks a flow, except for its ID.
/// @return an error message about the first problem, or nothing
std::optional<std::string> CheckFlow(const FlowSpec& flow, const Topology& topology);

/// @return the reason why a CSV file cannot contain this flow label, or nothing
std::optional<std::string> CheckGroup(const std::string& group);

/// Rejects hosts that do not exist or have no path between them, flows from a host to itself,
/// priorities above 7, sizes of 0 bytes or above the maximum, starts that are negative or after
/// GetLatestStart(), IDs used twice and groups that a CSV file cannot contain.
/// @return an error message about the first problem, or nothing
std::optional<std::string> CheckFlows(const FlowList& flows, const Topology& topology);

/// Sorts flows by start. Flows with the same start keep their order.
void SortByStart(FlowList& flows);

/**
 * Merges lists into one list, which is sorted by start and numbered from 0.
 *
 * Flows with the same start are in the order of the lists and keep their order within each list.
 * The numbers therefore depend only on the lists.
 */
FlowList MergeFlows(const std::vector<FlowList>& lists);

/// Creates a list of explicit flows.
/// @param flows the flows in any order; their IDs are ignored; aborts if a flow is invalid
/// @return the flows, sorted by start and numbered from 0
FlowList FixedFlows(const FlowList& flows, const Topology& topology);

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_LIST_H */
