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

/// An egress queue or the packet processor of a watched switch.
struct DeadlockMember
{
    std::string node;             ///< the name of the switch
    std::string next;             ///< the name of the switch to which the port leads; empty for a
                                  ///< processor
    std::optional<QueueId> queue; ///< the egress port and class; unset for a processor
    std::optional<uint64_t> flow; ///< the hash of the stopped flow; unset for a processor or if the
                                  ///< whole class is stopped
};

/// The reason why egress queues wait for each other.
enum class DeadlockKind : uint8_t
{
    CYCLE,      ///< each member waits until frames that it has sent leave the next member
    STANDSTILL, ///< each member waits until the next switch has more free buffer
};

/// @return the name in deadlocks.csv: "cycle" or "standstill"
const char* ToString(DeadlockKind kind);

/// A set of egress queues that wait for each other.
struct DeadlockRecord
{
    DeadlockKind kind{DeadlockKind::CYCLE}; ///< the reason why the members wait
    Time onset;                             ///< the time at which the last member was stopped,
                                            ///< which closed the cycle
    Time confirmed;                         ///< the time at which the deadlock was reported
    std::optional<Time> dissolved; ///< the time at which a member could move again; unset if the
                                   ///< deadlock still exists
    bool isFinal{false};           ///< whether the deadlock can no longer dissolve
    std::vector<DeadlockMember> members; ///< the members; each waits for the next, and the last
                                         ///< waits for the first; a single member waits for an
                                         ///< empty switch

    /// Returns the members in the form "S0>L1 class 1 -> L1>S0 class 1 -> S0>L1 class 1". Each
    /// member is shown as its switch, the switch to which the port leads, and the class. The first
    /// of several members is repeated at the end. If individual flows of the class are stopped, the
    /// hash of one of these flows follows, as in "flow 17". A processor appears as "L1 processor".
    std::string GetCycle() const;
};

/// Adds deadlocks to the verdict. Reports the first deadlock that has not dissolved as a problem.
/// @param deadlocks the deadlocks in the order in which they were reported
void JudgeDeadlocks(const std::vector<DeadlockRecord>& deadlocks, RunVerdict& verdict);

} // namespace ns3::lossless

#endif /* LOSSLESS_DEADLOCK_RECORD_H */
