// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_BFC_FLOW_TABLE_H
#define LOSSLESS_BFC_FLOW_TABLE_H

#include "ns3/event-id.h"
#include "ns3/lossless-types.h"
#include "ns3/random-variable-stream.h"
#include "ns3/ring-buffer.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3::lossless
{

/// A flow that has, or recently had, frames in an egress queue.
struct BfcFlow
{
    uint32_t virtualFlow{0}; ///< see BfcHashing
    PortId ingress{0};       ///< the ingress port of the flow's frames
    std::size_t queue{0};    ///< the index of the flow's physical queue
    uint32_t frames{0};      ///< the number of stored frames
    bool isPaused{false};    ///< whether the neighbour must stop the flow
    Ticks left{0};           ///< the latest time at which the flow became idle, that is, without
                             ///< frames and not stopped
};

/// A physical queue within an egress queue. BfcEgressQueue stores the frames themselves.
struct BfcPhysicalQueue
{
    uint64_t bytes{0};           ///< the number of bytes stored, including the frame on the wire
    uint32_t frames{0};          ///< the number of frames stored, including the frame on the wire
    RingBuffer<BfcFlow*> paused; ///< the stopped flows, in the order in which they were stopped
    Ticks resumeFrom{0};         ///< the earliest time at which the next flow resumes
    EventId resume;              ///< the pending event at resumeFrom
};

/**
 * @ingroup lossless
 * The flows of one egress queue and their physical queues.
 *
 * Here, a flow is a virtual flow that arrives at one ingress port. The flow's first frame is
 * assigned to an empty physical queue or, if there is no such queue, to a random one. The flow
 * keeps the queue while it has stored frames or is stopped, and for some time afterwards, so that
 * the next frame of a burst joins the same queue as the previous one.
 *
 * The table has a limited size. Flows that do not fit share an additional queue, the last one, and
 * are never stopped individually. While this queue holds frames, new flows also join it, because
 * some of these frames could belong to a flow that only appears to be new.
 */
class BfcFlowTable
{
  public:
    /// Sets up the table. Called once.
    /// @param queues the number of physical queues, excluding the additional one
    /// @param room the maximum number of flows in the table
    /// @param sticky the time for which a flow without frames keeps its queue
    /// @param random the random variable that selects queues
    void Configure(uint32_t queues, uint32_t room, Ticks sticky, Ptr<UniformRandomVariable> random);

    /// Counts an arriving frame.
    /// @param bytes the frame size
    /// @return the flow, or null if it has no entry in the table
    BfcFlow* Add(uint32_t virtualFlow, PortId ingress, uint32_t bytes, Ticks now);

    /// Counts a frame that has left.
    /// @param bytes the frame size
    /// @param when the time at which the frame left
    /// @return the index of the physical queue
    std::size_t Remove(uint32_t virtualFlow, PortId ingress, uint32_t bytes, Ticks when);

    /// Marks a stopped flow as resumed.
    void Resume(BfcFlow& flow, Ticks now);

    /// Returns the index of a stored frame's physical queue.
    std::size_t FindQueue(uint32_t virtualFlow, PortId ingress) const;

    /// Returns a physical queue.
    BfcPhysicalQueue& GetQueue(std::size_t index)
    {
        return m_queues[index];
    }

    /// Returns all physical queues, including the additional one. The vector is empty before the
    /// first frame arrives.
    const std::vector<BfcPhysicalQueue>& GetQueues() const
    {
        return m_queues;
    }

    /// Returns the number of flows that currently have a queue.
    std::size_t CountFlows(Ticks now);

    /// Removes all flows and frames, and cancels pending events.
    void Clear();

  private:
    /// A flow that has become idle.
    struct Leaving
    {
        Ticks when{0};   ///< the time at which the flow became idle
        uint64_t key{0}; ///< see GetKey()
    };

    static uint64_t GetKey(uint32_t virtualFlow, PortId ingress)
    {
        return uint64_t{virtualFlow} << 16 | Index(ingress);
    }

    std::size_t ChooseQueue();
    /// Starts the sticky time of a flow if it is idle, that is, without frames and not stopped.
    /// @param when the time at which the flow became idle
    void NoteIfIdle(BfcFlow& flow, Ticks when);
    /// Frees the queues of flows whose sticky time has expired.
    void Expire(Ticks now);

    uint32_t m_numQueues{0};                       ///< the number of queues, excluding the
                                                   ///< additional one
    uint32_t m_room{0};                            ///< the maximum number of flows
    Ticks m_sticky{0};                             ///< see Configure()
    Ptr<UniformRandomVariable> m_random;           ///< the random variable that selects queues
    std::unordered_map<uint64_t, BfcFlow> m_flows; ///< the flows, keyed by GetKey()
    std::vector<BfcPhysicalQueue> m_queues;        ///< the physical queues, which are created when
                                                   ///< the first frame arrives
    RingBuffer<Leaving> m_leaving;                 ///< the flows in the order in which they became
                                                   ///< idle; some may be active again
    std::size_t m_next{0}; ///< the queue at which the search for an empty queue starts
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BFC_FLOW_TABLE_H */
