// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_DEADLOCK_FACTS_H
#define LOSSLESS_DEADLOCK_FACTS_H

#include "ns3/lossless-types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

/**
 * @file
 * @ingroup lossless
 * The facts about a switch that a search for deadlocks needs, stored as values that can be sent to
 * other ranks. They are determined before each search by the rank of the switch (see SwitchWatch).
 * All ranks then use the same facts for the search.
 */

namespace ns3::lossless
{

/// A frame that waits in an egress queue.
struct WaitingFrame
{
    Ticks arrival{0}; ///< the time at which the frame arrived at the switch
    uint64_t flow{0}; ///< see FlowControl::GetFlowOf()

    /// @return references to all members; see record-archive.h
    auto Tie()
    {
        return std::tie(arrival, flow);
    }

    /// @return whether both objects represent the same frame
    bool operator==(const WaitingFrame& other) const
    {
        return arrival == other.arrival && flow == other.flow;
    }
};

/// The facts about a port and its egress and ingress queues. Facts about the port's gate are valid
/// only if the port leads to a watched switch.
struct PortFacts
{
    PrioritySet closed{0};  ///< the classes for which the gate is closed
    PrioritySet fresh{0};   ///< the classes that have closed since the last search
    PrioritySet opened{0};  ///< the classes that have opened since the last search
    PrioritySet blocked{0}; ///< the open classes that have frames but cannot send any of them
    PrioritySet moved{0};   ///< the classes from which a frame has left since the last search; all
                            ///< classes if the gate is not selective
    PrioritySet filled{0};  ///< the classes with frames in the egress queue
    PrioritySet held{0};    ///< the classes for which the neighbour is stopped
    bool isPaused{false};   ///< whether the neighbour is stopped for all classes together
    std::array<Ticks, NUM_PRIORITIES> closedSince{};   ///< the time at which each class last
                                                       ///< closed; meaningless for a class that is
                                                       ///< not closed
    std::array<Ticks, NUM_PRIORITIES> openedAt{};      ///< the time at which each class first
                                                       ///< opened since the last search;
                                                       ///< meaningless for other classes
    std::array<uint64_t, NUM_PRIORITIES> awaited{};    ///< for each class, the number of bytes in
                                                       ///< its ingress queue or, if isPaused, in
                                                       ///< all ingress queues of the port
    bool stopsFlows{false};                            ///< whether the gate can stop individual
                                                       ///< flows
    std::array<WaitingFrame, NUM_PRIORITIES> oldest{}; ///< for each class, the frame that has
                                                       ///< waited longest; unused unless stopsFlows
                                                       ///< is true

    /// @return references to all members; see record-archive.h
    auto Tie()
    {
        return std::tie(closed,
                        fresh,
                        opened,
                        blocked,
                        moved,
                        filled,
                        held,
                        isPaused,
                        closedSince,
                        openedAt,
                        awaited,
                        stopsFlows,
                        oldest);
    }
};

/// The facts about a packet processor; unused if the switch has no processor.
struct ProcessorFacts
{
    bool isStopped{false};   ///< whether a frame has no room in its egress queue
    bool isWorking{false};   ///< whether the processor will forward frames, now or later
    PortId ingress{0};       ///< the ingress port of the frame that has no room; used only if
                             ///< isStopped
    Ticks arrival{0};        ///< the arrival time of the frame that has no room; used only if
                             ///< isStopped
    PortId egress{0};        ///< the port of the full egress queue; used only if isStopped
    Priority priority{0};    ///< the class of the full egress queue; used only if isStopped
    std::vector<bool> holds; ///< for each ingress port, whether the processor stores frames from
                             ///< it; used only if isStopped

    /// @return references to all members; see record-archive.h
    auto Tie()
    {
        return std::tie(isStopped, isWorking, ingress, arrival, egress, priority, holds);
    }
};

/// The facts about a switch.
struct SwitchFacts
{
    std::vector<PortFacts> ports; ///< the facts about each port
    ProcessorFacts processor;     ///< the facts about the packet processor
    bool maySend{false};          ///< whether a stored frame can move
    std::vector<bool> pairs;      ///< for each pair of an ingress port and an egress queue, whether
                                  ///< the queue stores frames from the port, indexed by GetPair();
                                  ///< empty if the search does not need the pairs

    /// @return the index in `pairs` of an ingress port and an egress queue
    std::size_t GetPair(PortId ingress, QueueId egress) const
    {
        return Index(ingress) * ports.size() * NUM_PRIORITIES + Index(egress);
    }

    /// @return references to all members; see record-archive.h
    auto Tie()
    {
        return std::tie(ports, processor, maySend, pairs);
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DEADLOCK_FACTS_H */
