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

/**
 * One flow: so many bytes from one host to another.
 */
struct FlowSpec
{
    uint64_t id{0};          ///< unique number
    uint32_t source{0};      ///< host index of the sender
    uint32_t destination{0}; ///< host index of the receiver
    uint8_t priority{0};     ///< traffic class, 0 to 7
    uint64_t bytes{0};       ///< payload, from 1 to MAX_FLOW_BYTES
    Time start;              ///< when the sender may begin
    std::string group;       ///< label under which results are gathered, may be empty
};

/// Largest flow, a petabyte: the time that it takes on a slow link is one that ns-3 can still
/// count.
inline constexpr uint64_t MAX_FLOW_BYTES = 1000000000000000;

/// What a flow of 0 bytes is sent as, in whatever file it is: a message without payload is a frame
/// as well, and as short.
inline constexpr uint64_t EMPTY_FLOW_BYTES = 1;

/// Flows sorted by start.
using FlowList = std::vector<FlowSpec>;

/// @param flows some flows @return their classes
PrioritySet GetClasses(const FlowList& flows);

/**
 * Says what is wrong with one flow, apart from its id.
 * @param flow the flow
 * @param topology the network
 * @return one sentence about the first problem, or nothing
 */
std::optional<std::string> CheckFlow(const FlowSpec& flow, const Topology& topology);

/// Says why a label cannot stand in a CSV file. @param group label of flows @return one sentence,
/// or nothing
std::optional<std::string> CheckGroup(const std::string& group);

/**
 * Says what is wrong with a list of flows.
 *
 * Found are: hosts that do not exist, a flow to its own source, a priority above 7, no bytes or
 * too many, a negative start or one after GetLatestStart, an id used twice and a group that a CSV
 * file cannot hold.
 *
 * @param flows the flows
 * @param topology the network
 * @return one sentence about the first problem, or nothing
 */
std::optional<std::string> CheckFlows(const FlowList& flows, const Topology& topology);

/// Sorts flows by start; those of the same start keep their order. @param [in,out] flows the flows
void SortByStart(FlowList& flows);

/**
 * Joins lists into one that is sorted by start and numbered from 0.
 *
 * Flows of the same start keep the order of the lists and their order within the list, so that the
 * numbers depend on nothing but the lists.
 *
 * @param lists the lists
 * @return the joined list
 */
FlowList MergeFlows(const std::vector<FlowList>& lists);

/**
 * Makes a list of flows that are written out by hand; wrong flows abort.
 * @param flows the flows in any order; their ids are not used
 * @param topology the network
 * @return the flows sorted by start and numbered from 0
 */
FlowList FixedFlows(const FlowList& flows, const Topology& topology);

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_LIST_H */
