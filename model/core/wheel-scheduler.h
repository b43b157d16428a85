// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WHEEL_SCHEDULER_H
#define LOSSLESS_WHEEL_SCHEDULER_H

#include "ns3/scheduler.h"

#include <array>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * An event list for networks in which nearly all events lie a few microseconds ahead: a frame's
 * last bit leaves or arrives.
 *
 * Events less than 8192 ticks ahead (8.2 us in ns-3's default resolution) stand in a wheel with a
 * slot for each tick, as linked lists in one pool; a bitmap finds the next slot that is not empty.
 * Events further ahead stand in a binary heap, and are taken from there when their time comes:
 * nothing is ever moved. Insertion and removal near the present take constant time, where a heap
 * takes a logarithm. With a resolution of picoseconds nearly everything goes to the heap.
 *
 * The order is that of every ns-3 scheduler: by time, then by the order of insertion.
 */
class WheelScheduler : public Scheduler
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    WheelScheduler();
    ~WheelScheduler() override;

    void Insert(const Event& ev) override;
    bool IsEmpty() const override;
    Event PeekNext() const override;
    Event RemoveNext() override;
    void Remove(const Event& ev) override;

  private:
    static constexpr uint32_t SLOTS = 8192;       ///< slots of the wheel, a power of two
    static constexpr uint32_t WORDS = SLOTS / 64; ///< words of the bitmap
    static constexpr uint32_t NONE = 0xffffffff;  ///< no node

    /// An event of the wheel.
    struct Node
    {
        Event event;   ///< the event
        uint32_t next; ///< next node of its slot, or of the free list
    };

    /// The events of one tick, in the order of insertion.
    struct Slot
    {
        uint32_t first{NONE}; ///< NONE: the slot is empty
        uint32_t last{NONE};  ///< valid if the slot is not empty
    };

    /// @return the first slot from the present on that is not empty; one is not
    uint32_t FindSlot() const;
    /// @param from word to begin with @return the first word from there on that is not zero
    uint32_t FindWord(uint32_t from) const;
    /// @return whether the next event stands in the wheel; there is one somewhere
    bool IsNextInWheel() const;
    /// @param ev an event to append to its slot
    void InsertInWheel(const Event& ev);
    /// @param slot a slot @param before node before the one to take out; NONE: the first
    /// @return its event
    Event TakeFromWheel(uint32_t slot, uint32_t before);

    uint64_t m_present{0};                        ///< time of the last event removed
    uint32_t m_wheelSize{0};                      ///< events in the wheel
    uint32_t m_free{NONE};                        ///< free list
    std::array<Slot, SLOTS> m_slots;              ///< by time modulo SLOTS
    std::array<uint64_t, WORDS> m_bitmap{};       ///< bit s: slot s is not empty
    std::array<uint64_t, WORDS / 64> m_summary{}; ///< bit w: word w of the bitmap is not zero
    std::vector<Node> m_nodes;                    ///< pool
    std::vector<Event> m_heap;                    ///< events further ahead when inserted
};

} // namespace ns3::lossless

#endif /* LOSSLESS_WHEEL_SCHEDULER_H */
