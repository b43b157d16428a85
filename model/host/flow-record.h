// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_RECORD_H
#define LOSSLESS_FLOW_RECORD_H

#include "ns3/ipv4-address.h"
#include "ns3/lossless-types.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <tuple>

namespace ns3::lossless
{

/// Flows are handed over to their hosts, some at a time, up to this many microseconds before they
/// start, since each handover stops the whole network; from then on they are the hosts' own.
inline constexpr uint64_t HAND_OVER_US = 50;

/// Latest start of a flow: half of the longest Time, so a completion time can be added.
inline Time
GetLatestStart()
{
    return Time::Max() / 2;
}

/// A message from one RoCE NIC to another, over its own queue pair.
struct RoceFlow
{
    uint64_t id{0};          ///< number given by the user; see RoceConnection::NumberOf()
    Ipv4Address destination; ///< receiving NIC; filled in by RoceNic::Agree()
    Priority priority{0};    ///< traffic class of its data packets
    uint64_t bytes{0};       ///< payload, at least 1
    /// UDP source port, by which switches spread flows over equal paths; 0: 49152 + id mod 16384
    uint16_t sourcePort{0};

    /// Members sent to other ranks, see record-archive.h.
    auto Tie()
    {
        return std::tie(id, destination, priority, bytes, sourcePort);
    }
};

/// The state of a flow in progress or completed. Each end has its own record and leaves empty what
/// only the other end knows; FlowRecorder joins both.
struct FlowRecord
{
    RoceFlow flow;             ///< with all members filled in
    Ipv4Address source;        ///< sending NIC
    Time start;                ///< when it started
    Time received;             ///< at the receiver: when its last byte had arrived in order
    Time acknowledged;         ///< at the sender: when all bytes were acknowledged
    uint64_t retransmitted{0}; ///< at the sender: data packets sent more than once so far
    bool isReceived{false};    ///< at the receiver: its last byte has arrived

    /// Flow completion time; meaningful once the flow is received.
    Time GetCompletionTime() const
    {
        return received - start;
    }

    /// Members sent to other ranks, see record-archive.h.
    auto Tie()
    {
        return std::tie(flow, source, start, received, acknowledged, retransmitted, isReceived);
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_RECORD_H */
