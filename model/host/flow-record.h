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

/// Maximum time before its start at which a flow is handed over to its hosts, in microseconds. Each
/// handover stops the whole network, so several flows are handed over together. After that, the
/// hosts manage the flows themselves.
inline constexpr uint64_t HAND_OVER_US = 50;

/// Returns the latest possible start of a flow, half of the longest Time, so that a completion time
/// can be added.
inline Time
GetLatestStart()
{
    return Time::Max() / 2;
}

/// A message from one RoCE NIC to another over its own queue pair.
struct RoceFlow
{
    uint64_t id{0};          ///< number specified by the user; see RoceConnection::NumberOf()
    Ipv4Address destination; ///< receiving NIC; filled in by RoceNic::Agree()
    Priority priority{0};    ///< traffic class of its data packets
    uint64_t bytes{0};       ///< payload in bytes, at least 1
    /// UDP source port, which switches use for ECMP; 0: 49152 + id mod 16384
    uint16_t sourcePort{0};

    /// Returns the members sent to other ranks; see record-archive.h.
    auto Tie()
    {
        return std::tie(id, destination, priority, bytes, sourcePort);
    }
};

/// The state of a flow in progress or completed. Each end has its own record, in which the fields
/// that only the other end knows are empty. FlowRecorder merges both records.
struct FlowRecord
{
    RoceFlow flow;             ///< the flow, with all members set
    Ipv4Address source;        ///< sending NIC
    Time start;                ///< start time
    Time received;             ///< time at which the receiver had all bytes in order
    Time acknowledged;         ///< time at which the sender had all acknowledgements
    uint64_t retransmitted{0}; ///< data packets retransmitted by the sender so far
    bool isReceived{false};    ///< whether the receiver has the last byte

    /// Returns the flow completion time; valid once the flow has been received.
    Time GetCompletionTime() const
    {
        return received - start;
    }

    /// Returns the members sent to other ranks; see record-archive.h.
    auto Tie()
    {
        return std::tie(flow, source, start, received, acknowledged, retransmitted, isReceived);
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_RECORD_H */
