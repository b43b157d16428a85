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
    PortId ingress{0};       ///< port by which its frames arrive
    std::size_t queue{0};    ///< its physical queue
    uint32_t frames{0};      ///< stored
    bool isPaused{false};    ///< the neighbour must stop it
    Ticks left{0};           ///< when it became empty, if it is
};

/// A physical queue of an egress queue. BfcEgressQueue knows which frames are in it.
struct BfcPhysicalQueue
{
    uint64_t bytes{0};           ///< stored, including the frame on the wire
    uint32_t frames{0};          ///< stored, likewise
    RingBuffer<BfcFlow*> paused; ///< its stopped flows, oldest stop first
    Ticks resumeFrom{0};         ///< earliest time at which the next one resumes
    EventId resume;              ///< pending, at that time
};

/**
 * @ingroup lossless
 * The flows of one egress queue, and the physical queue of each.
 *
 * A flow is a virtual flow from one ingress port. On its first frame it gets an empty physical
 * queue if there is one, otherwise a random one. It keeps the queue while frames of it are stored
 * or it is stopped, and for some time after that ("sticky"), so the next frame of a burst joins it.
 *
 * The table has room for a limited number of flows. Flows that find it full share an additional
 * last queue and are never stopped individually. While that queue holds frames, new flows join it
 * too, since some of these frames could be their own.
 */
class BfcFlowTable
{
  public:
    /// Sets up the table; called once.
    /// @param queues number of physical queues, without the additional one
    /// @param room flows that the table has room for
    /// @param sticky how long a flow without frames keeps its queue
    /// @param random chooses among queues
    void Configure(uint32_t queues, uint32_t room, Ticks sticky, Ptr<UniformRandomVariable> random);

    /// Counts a frame that arrives.
    /// @param bytes of the frame
    /// @return its flow; null if the table has no room for it
    BfcFlow* Add(uint32_t virtualFlow, PortId ingress, uint32_t bytes, Ticks now);

    /// Counts a frame that has left.
    /// @param bytes of the frame
    /// @return the index of its physical queue
    std::size_t Remove(uint32_t virtualFlow, PortId ingress, uint32_t bytes, Ticks when);

    /// Marks a stopped flow as resumed.
    void Resume(BfcFlow& flow, Ticks now);

    /// Returns the index of the physical queue of a stored frame.
    std::size_t FindQueue(uint32_t virtualFlow, PortId ingress) const;

    /// Returns a physical queue by its index.
    BfcPhysicalQueue& GetQueue(std::size_t index)
    {
        return m_queues[index];
    }

    /// Returns the physical queues with the additional one; none before the first frame.
    const std::vector<BfcPhysicalQueue>& GetQueues() const
    {
        return m_queues;
    }

    /// Counts the flows that have a queue now.
    std::size_t CountFlows(Ticks now);

    /// Forgets all flows and frames, and cancels pending events.
    void Clear();

  private:
    /// A flow has become empty.
    struct Leaving
    {
        Ticks when{0};   ///< time at which it did
        uint64_t key{0}; ///< see GetKey()
    };

    static uint64_t GetKey(uint32_t virtualFlow, PortId ingress)
    {
        return uint64_t{virtualFlow} << 16 | Index(ingress);
    }

    std::size_t ChooseQueue();
    /// Starts the sticky time of a flow that has no frames and is not stopped.
    /// @param when since when that has been so
    void NoteIfIdle(BfcFlow& flow, Ticks when);
    /// Takes back the queues of flows whose sticky time is over.
    void Expire(Ticks now);

    uint32_t m_numQueues{0};                       ///< without the additional one
    uint32_t m_room{0};                            ///< maximum number of flows
    Ticks m_sticky{0};                             ///< see Configure()
    Ptr<UniformRandomVariable> m_random;           ///< chooses among queues
    std::unordered_map<uint64_t, BfcFlow> m_flows; ///< by GetKey()
    std::vector<BfcPhysicalQueue> m_queues;        ///< made with the first frame
    RingBuffer<Leaving> m_leaving;                 ///< in order of time
    std::size_t m_next{0};                         ///< where to look for an empty queue first
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BFC_FLOW_TABLE_H */
