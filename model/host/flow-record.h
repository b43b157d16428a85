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

/// The maximum time, in microseconds, by which the handover of a flow to its hosts precedes the
/// start of the flow. Each handover interrupts the execution of all nodes, so several flows are
/// handed over together. Afterwards, the hosts manage the flows themselves.
inline constexpr uint64_t HAND_OVER_US = 50;

/// Returns the latest possible start of a flow. It is half the longest Time, so that adding a
/// completion time does not overflow.
inline Time
GetLatestStart()
{
    return Time::Max() / 2;
}

/// A message from one RoCE NIC to another, sent over a queue pair of its own.
struct RoceFlow
{
    uint64_t id{0};          ///< the ID that the user has specified; see
                             ///< RoceConnection::NumberOf()
    Ipv4Address destination; ///< the address of the receiving NIC; filled in by RoceNic::Agree()
    Priority priority{0};    ///< the traffic class of the flow's data packets
    uint64_t bytes{0};       ///< the payload in bytes, at least 1
    /// The UDP source port, which switches use for ECMP; 0 to use 49152 + id mod 16384.
    uint16_t sourcePort{0};

    /// Returns references to the members sent to other ranks; see record-archive.h.
    auto Tie()
    {
        return std::tie(id, destination, priority, bytes, sourcePort);
    }
};

/// The state of a flow that is in progress or completed. Each end has its own record, in which the
/// fields known only to the other end are empty. FlowRecorder merges the two records.
struct FlowRecord
{
    RoceFlow flow;             ///< the flow, with all members set
    Ipv4Address source;        ///< the address of the sending NIC
    Time start;                ///< the start time
    Time received;             ///< the time at which the receiver had received all bytes in order
    Time acknowledged;         ///< the time at which the sender had received all acknowledgements
    uint64_t retransmitted{0}; ///< the number of data packets that the sender has retransmitted so
                               ///< far
    bool isReceived{false};    ///< whether the receiver has received all bytes

    /// Returns the flow completion time; valid once the flow has been received.
    Time GetCompletionTime() const
    {
        return received - start;
    }

    /// Returns references to the members sent to other ranks; see record-archive.h.
    auto Tie()
    {
        return std::tie(flow, source, start, received, acknowledged, retransmitted, isReceived);
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_RECORD_H */
