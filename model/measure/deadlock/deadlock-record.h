// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DEADLOCK_RECORD_H
#define LOSSLESS_DEADLOCK_RECORD_H

#include "ns3/lossless-types.h"
#include "ns3/nstime.h"

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
    std::string next; ///< name of the switch that its port leads to; of a processor: empty
    std::optional<QueueId> queue; ///< egress port and class; nothing: the processor
    std::optional<uint64_t> flow; ///< hash of the flow that is stopped; nothing: the class is, or
                                  ///< the processor
};

/// Why egress queues wait for each other.
enum class DeadlockKind : uint8_t
{
    CYCLE,      ///< each waits until frames of its own leave the next one
    STANDSTILL, ///< each waits until the next switch has more buffer free: held by thresholds
};

/// @param kind why queues wait @return its name in deadlocks.csv: "cycle" or "standstill"
const char* ToString(DeadlockKind kind);

/// Egress queues that wait for each other.
struct DeadlockRecord
{
    DeadlockKind kind{DeadlockKind::CYCLE}; ///< why they wait
    Time onset;     ///< when the last member was stopped: from then on the cycle is closed
    Time confirmed; ///< when it was reported
    std::optional<Time> dissolved;       ///< when a member could move again; nothing: it stands
    bool isFinal{false};                 ///< nothing that may still move can dissolve it
    std::vector<DeadlockMember> members; ///< each waits for the next, the last for the first; a
                                         ///< single one waits for a switch that is empty

    /// @return the members as "S0>L1 class 1 -> L1>S0 class 1 -> S0>L1 class 1", which are the
    /// switch, the one its port leads to, and the class, and the first of them again. Where single
    /// flows of the class are stopped, "flow 17" behind it names one by its hash; a processor is
    /// "L1 processor"
    std::string GetCycle() const;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DEADLOCK_RECORD_H */
