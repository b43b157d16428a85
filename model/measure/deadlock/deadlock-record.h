// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DEADLOCK_RECORD_H
#define LOSSLESS_DEADLOCK_RECORD_H

#include "ns3/lossless-types.h"
#include "ns3/nstime.h"
#include "ns3/run-verdict.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// An egress queue of a watched switch, or its packet processor.
struct DeadlockMember
{
    std::string node;             ///< the name of the switch
    std::string next;             ///< the name of the switch at its port; empty for a processor
    std::optional<QueueId> queue; ///< the egress port and class; nothing for the processor
    std::optional<uint64_t> flow; ///< the hash of the stopped flow; nothing if the class is stopped
                                  ///< or for the processor
};

/// The reason for which egress queues wait for each other.
enum class DeadlockKind : uint8_t
{
    CYCLE,      ///< each member waits until its own frames leave the next member
    STANDSTILL, ///< each member waits until the next switch has more free buffer
};

/// @return the name in deadlocks.csv: "cycle" or "standstill"
const char* ToString(DeadlockKind kind);

/// A set of egress queues that wait for each other.
struct DeadlockRecord
{
    DeadlockKind kind{DeadlockKind::CYCLE}; ///< the reason for which they wait
    Time onset;                             ///< the stop of the last member, which closed the cycle
    Time confirmed;                         ///< the time at which it was reported
    std::optional<Time> dissolved; ///< the time at which a member was able to move again, if it was
    bool isFinal{false};           ///< whether it can no longer dissolve
    std::vector<DeadlockMember> members; ///< each member waits for the next one, and the last for
                                         ///< the first; a single member waits for an empty switch

    /// Returns the members as "S0>L1 class 1 -> L1>S0 class 1 -> S0>L1 class 1", with the switch,
    /// the switch at its port, and the class. The first member is repeated at the end. If single
    /// flows of the class are stopped, "flow 17" follows, with the hash of one of them. A processor
    /// appears as "L1 processor".
    std::string GetCycle() const;
};

/// Adds deadlocks to the verdict, and reports the first undissolved deadlock as a problem.
/// @param deadlocks the deadlocks in the order in which they were reported
void JudgeDeadlocks(const std::vector<DeadlockRecord>& deadlocks, RunVerdict& verdict);

} // namespace ns3::lossless

#endif /* LOSSLESS_DEADLOCK_RECORD_H */
