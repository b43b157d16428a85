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
    std::string node; ///< name of the switch
    std::string next; ///< name of the switch that its port leads to; empty for a processor
    std::optional<QueueId> queue; ///< egress port and class; nothing: the processor
    std::optional<uint64_t> flow; ///< hash of the stopped flow; nothing: the class is stopped, or
                                  ///< the processor
};

/// Why egress queues wait for each other.
enum class DeadlockKind : uint8_t
{
    CYCLE,      ///< each waits until frames of its own leave the next one
    STANDSTILL, ///< each waits until the next switch has more free buffer: held by thresholds
};

/// @return the name in deadlocks.csv: "cycle" or "standstill"
const char* ToString(DeadlockKind kind);

/// Egress queues that wait for each other.
struct DeadlockRecord
{
    DeadlockKind kind{DeadlockKind::CYCLE}; ///< why they wait
    Time onset;                    ///< when the last member was stopped, which closed the cycle
    Time confirmed;                ///< when it was reported
    std::optional<Time> dissolved; ///< when a member could move again; nothing: not yet
    bool isFinal{false};           ///< nothing that may still move can dissolve it
    std::vector<DeadlockMember> members; ///< each waits for the next, the last for the first; a
                                         ///< single one waits for an empty switch

    /// @return the members as "S0>L1 class 1 -> L1>S0 class 1 -> S0>L1 class 1": the switch, the
    /// one its port leads to, and the class, with the first member repeated. Where single flows of
    /// the class are stopped, "flow 17" follows with the hash of one; a processor is "L1
    /// processor".
    std::string GetCycle() const;
};

/// Adds deadlocks to the verdict, and the first undissolved one as a problem.
/// @param deadlocks in the order in which they were reported
void JudgeDeadlocks(const std::vector<DeadlockRecord>& deadlocks, RunVerdict& verdict);

} // namespace ns3::lossless

#endif /* LOSSLESS_DEADLOCK_RECORD_H */
