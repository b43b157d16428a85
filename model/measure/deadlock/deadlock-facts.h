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
 * The facts about a switch that a search for deadlocks needs, as values that can be sent to other
 * ranks. Before each search, the switch's rank determines them (see SwitchWatch). All ranks then
 * search with the same facts.
 */

namespace ns3::lossless
{

/// A frame that waits in an egress queue.
struct WaitingFrame
{
    Ticks arrival{0}; ///< the time at which the frame arrived at the switch
    uint64_t flow{0}; ///< the hash of its flow

    /// @return the members, for record-archive.h
    auto Tie()
    {
        return std::tie(arrival, flow);
    }

    /// @return whether both objects stand for the same frame
    bool operator==(const WaitingFrame& other) const
    {
        return arrival == other.arrival && flow == other.flow;
    }
};

/// The facts about a port and its egress and ingress queues. Facts about the port's gate are valid
/// only if the port leads to a watched switch.
struct PortFacts
{
    PrioritySet closed{0};  ///< the classes that the gate has closed
    PrioritySet fresh{0};   ///< the classes closed since the last search
    PrioritySet opened{0};  ///< the classes opened since the last search
    PrioritySet blocked{0}; ///< the open classes that have frames but cannot send any of them
    PrioritySet moved{0};   ///< the classes without stopped single flows, and those from which a
                            ///< frame has left since the last search
    PrioritySet filled{0};  ///< the classes with frames in the egress queue
    PrioritySet held{0};    ///< the classes for which the neighbour is stopped
    bool isPaused{false};   ///< whether the neighbour is stopped for all classes together
    std::array<Ticks, NUM_PRIORITIES> closedSince{};   ///< by class, the time at which it closed;
                                                       ///< unused if not closed
    std::array<Ticks, NUM_PRIORITIES> openedAt{};      ///< by class, the first time at which it
                                                       ///< opened since the last search; unused if
                                                       ///< not opened
    std::array<uint64_t, NUM_PRIORITIES> awaited{};    ///< by class, the number of bytes in its
                                                       ///< ingress queue or, if isPaused, in all
                                                       ///< ingress queues of the port
    bool stopsFlows{false};                            ///< whether the gate can stop single flows
    std::array<WaitingFrame, NUM_PRIORITIES> oldest{}; ///< by class, the frame that has waited
                                                       ///< longest; unused without stopsFlows

    /// @return the members, for record-archive.h
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

/// The facts about a packet processor. They are unused if there is none.
struct ProcessorFacts
{
    bool isStopped{false};   ///< whether a frame has no room in its egress queue
    bool isWorking{false};   ///< whether it forwards frames now or later
    PortId ingress{0};       ///< the ingress port of the frame that has no room; used only if
                             ///< isStopped
    Ticks arrival{0};        ///< the arrival time of that frame; used only if isStopped
    PortId egress{0};        ///< the port of its egress queue; used only if isStopped
    Priority priority{0};    ///< the class of its egress queue; used only if isStopped
    std::vector<bool> holds; ///< by ingress port, whether the processor stores frames from it; used
                             ///< only if isStopped

    /// @return the members, for record-archive.h
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
    std::vector<bool> pairs;      ///< indexed by GetPair(), whether the egress queue stores frames
                                  ///< from the ingress port; empty if no queue has been stopped for
                                  ///< long

    /// @return the index in `pairs` of an ingress port and an egress queue
    std::size_t GetPair(PortId ingress, QueueId egress) const
    {
        return Index(ingress) * ports.size() * NUM_PRIORITIES + Index(egress);
    }

    /// @return the members, for record-archive.h
    auto Tie()
    {
        return std::tie(ports, processor, maySend, pairs);
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_DEADLOCK_FACTS_H */
