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

/// A flow that has, or just had, frames in an egress queue.
struct BfcFlow
{
    uint32_t virtualFlow{0}; ///< see BfcHashing
    PortId ingress{0};       ///< by which its frames come
    std::size_t queue{0};    ///< physical queue that it has
    uint32_t frames{0};      ///< stored
    bool isPaused{false};    ///< its neighbour is to stop it
    Ticks left{0};           ///< when it ran empty, if it is
};

/// One of the physical queues of an egress queue. Which frames are in it, BfcEgressQueue knows.
struct BfcPhysicalQueue
{
    uint64_t bytes{0};           ///< stored, the frame on the wire included
    uint32_t frames{0};          ///< the same
    RingBuffer<BfcFlow*> paused; ///< its flows that are stopped, in the order in which they were
    Ticks resumeFrom{0};         ///< the next one goes on then at the earliest
    EventId resume;              ///< pending: at that time
};

/**
 * @ingroup lossless
 * The flows of one egress queue, and which physical queue each has.
 *
 * A flow is a virtual flow that comes by one ingress port. When the first frame of a flow comes it
 * gets a physical queue without frames, if there is one, and a random one otherwise. It keeps it
 * as long as frames of it are stored or it is stopped, and a time longer ("sticky"), so that the
 * next frame of a burst finds its way.
 *
 * The table has room for a number of flows. One that finds it full shares a further queue, the last
 * one, with all others of its kind, and is never stopped for itself; and as long as that queue has
 * frames, no new flow gets another one, since some of these frames could be its own.
 */
class BfcFlowTable
{
  public:
    /**
     * Called once.
     * @param queues number of physical queues, without the one for flows beyond the room
     * @param room flows that the table has room for
     * @param sticky how long a flow that has run empty keeps its queue
     * @param random chooses among queues
     */
    void Configure(uint32_t queues, uint32_t room, Ticks sticky, Ptr<UniformRandomVariable> random);

    /// A frame comes. @param virtualFlow of it @param ingress port of it @param bytes of it
    /// @param now the time @return its flow; null: there is no room for it
    BfcFlow* Add(uint32_t virtualFlow, PortId ingress, uint32_t bytes, Ticks now);

    /// A frame has left. @param virtualFlow of it @param ingress port of it @param bytes of it
    /// @param when it left @return the index of the physical queue in which it was
    std::size_t Remove(uint32_t virtualFlow, PortId ingress, uint32_t bytes, Ticks when);

    /// A flow that was stopped goes on. @param flow it @param now the time
    void Resume(BfcFlow& flow, Ticks now);

    /// @param virtualFlow of a stored frame @param ingress port of it @return the index of the
    /// physical queue in which it is
    std::size_t FindQueue(uint32_t virtualFlow, PortId ingress) const;

    /// @param index of a physical queue @return it
    BfcPhysicalQueue& GetQueue(std::size_t index)
    {
        return m_queues[index];
    }

    /// @return the physical queues, with the one for flows beyond the room; none before the first
    /// frame
    const std::vector<BfcPhysicalQueue>& GetQueues() const
    {
        return m_queues;
    }

    /// @param now the time @return flows that have a queue now
    std::size_t CountFlows(Ticks now);

    /// Forgets all flows and frames, and cancels what is pending.
    void Clear();

  private:
    /// A flow has run empty.
    struct Leaving
    {
        Ticks when{0};   ///< then
        uint64_t key{0}; ///< see GetKey()
    };

    /// @param virtualFlow of a flow @param ingress port of it @return its place in m_flows
    static uint64_t GetKey(uint32_t virtualFlow, PortId ingress)
    {
        return uint64_t{virtualFlow} << 16 | Index(ingress);
    }

    /// @return the physical queue for a new flow
    std::size_t ChooseQueue();
    /// If a flow has neither frames nor is stopped, its time begins to run. @param flow it
    /// @param when since when that is so
    void NoteIfIdle(BfcFlow& flow, Ticks when);
    /// Takes the queues back from flows whose time is over. @param now the time
    void Expire(Ticks now);

    uint32_t m_numQueues{0};                       ///< without the one beyond
    uint32_t m_room{0};                            ///< flows at most
    Ticks m_sticky{0};                             ///< see Configure()
    Ptr<UniformRandomVariable> m_random;           ///< chooses among queues
    std::unordered_map<uint64_t, BfcFlow> m_flows; ///< by GetKey()
    std::vector<BfcPhysicalQueue> m_queues;        ///< made with the first frame
    RingBuffer<Leaving> m_leaving;                 ///< in the order of their times
    std::size_t m_next{0};                         ///< where to look for an empty queue first
};

} // namespace ns3::lossless

#endif /* LOSSLESS_BFC_FLOW_TABLE_H */
