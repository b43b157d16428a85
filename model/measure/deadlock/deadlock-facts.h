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
 * What a search for deadlocks has to know of a switch, as values that can be sent to other ranks:
 * the rank of the switch takes them at each search (SwitchWatch), and all ranks search the same.
 */

namespace ns3::lossless
{

/// A frame that waits in an egress queue.
struct WaitingFrame
{
    Ticks arrival{0}; ///< at the switch
    uint64_t flow{0}; ///< hash of its flow

    /// @return the members, for record-archive.h
    auto Tie()
    {
        return std::tie(arrival, flow);
    }

    /// @return whether both are the same frame
    bool operator==(const WaitingFrame& other) const
    {
        return arrival == other.arrival && flow == other.flow;
    }
};

/// Facts of a port, with its egress and ingress queues. Those of the gate are meaningless if the
/// port does not lead to a watched switch.
struct PortFacts
{
    PrioritySet closed{0};  ///< classes that the gate has closed
    PrioritySet fresh{0};   ///< classes closed since the last search
    PrioritySet opened{0};  ///< classes opened since the last search
    PrioritySet blocked{0}; ///< open classes with frames none of which may leave
    PrioritySet moved{0};   ///< classes that single flows do not stop, or of which a frame has left
                            ///< since the last search
    PrioritySet filled{0};  ///< classes with frames in the egress queue
    PrioritySet held{0};    ///< classes for which the neighbour is stopped
    bool isPaused{false};   ///< the neighbour is stopped as a whole, for all classes
    std::array<Ticks, NUM_PRIORITIES> closedSince{};   ///< by class; void for those not closed
    std::array<Ticks, NUM_PRIORITIES> openedAt{};      ///< first time; void for those not opened
    std::array<uint64_t, NUM_PRIORITIES> awaited{};    ///< by class, bytes of its ingress queue;
                                                       ///< with isPaused, of all of the port
    bool stopsFlows{false};                            ///< the gate may stop single flows
    std::array<WaitingFrame, NUM_PRIORITIES> oldest{}; ///< by class, the frame that has waited
                                                       ///< longest; void without stopsFlows

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

/// Facts of a packet processor; void if there is none.
struct ProcessorFacts
{
    bool isStopped{false};   ///< a frame has no room in its egress queue
    bool isWorking{false};   ///< it forwards frames now, or will
    PortId ingress{0};       ///< of that frame; void if the processor is not stopped
    Ticks arrival{0};        ///< of that frame; likewise
    PortId egress{0};        ///< port of that queue; likewise
    Priority priority{0};    ///< class of that queue; likewise
    std::vector<bool> holds; ///< by ingress port, whether it holds frames from there; likewise

    /// @return the members, for record-archive.h
    auto Tie()
    {
        return std::tie(isStopped, isWorking, ingress, arrival, egress, priority, holds);
    }
};

/// Facts of a switch.
struct SwitchFacts
{
    std::vector<PortFacts> ports; ///< by port
    ProcessorFacts processor;     ///< between ingress and egress
    bool maySend{false};          ///< a stored frame may move
    std::vector<bool> pairs;      ///< by GetPair(), whether the egress queue holds frames from the
                                  ///< port; empty if nothing has been stopped for long

    /// @return index in `pairs`
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
