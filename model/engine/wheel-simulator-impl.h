// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WHEEL_SIMULATOR_IMPL_H
#define LOSSLESS_WHEEL_SIMULATOR_IMPL_H

#include "event-wheel.h"
#include "lookahead.h"

#include "ns3/nstime.h"
#include "ns3/simulator-impl.h"
#include "ns3/simulator.h"

#include <cstddef>
#include <cstdint>
#include <list>
#include <thread>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A simulator that stores events in EventWheels. It omits virtual calls, thread checks and logging,
 * which ns-3's simulators perform for each event but a single-threaded simulation does not need.
 * Events are executed node by node, not strictly in time order.
 *
 * **Windows.** An event at a node affects another node only after a minimum delay; see Lookahead.
 * All events within a window of this length can therefore be executed node by node, so that a
 * node's data stay in the processor's caches for the node's whole turn. The program stops with a
 * message if an event schedules an event for another node within the window, if RequireTurn()
 * fails, or if a node cancels, removes or queries an event of another node. Nodes that affect each
 * other in any other way, such as through a callback at one node that makes another node send, need
 * JoinNodes() or a "LongestWindow" of 0. Before and after a run, all state can be accessed freely.
 *
 * **Order.** Global events, which have no node (Simulator::NO_CONTEXT), precede all other events at
 * the same time. They include those that main() schedules with Simulator::Schedule(). Global events
 * are executed between windows and can therefore examine the whole network. At a given node and
 * time, arrivals of frames come first, ordered by port. The node's own events follow in the order
 * in which they were scheduled, including those that they schedule for the same time. Results
 * therefore depend neither on the length of the windows nor on the order of the nodes, with one
 * exception: if several nodes schedule events for another node at the same time, these events are
 * executed in the order of the nodes' turns. In ns-3's simulators, simultaneous events are executed
 * in the order in which they were scheduled.
 *
 * At the start time of a run, when nodes are initialized, the events of all nodes are executed in
 * the order in which they were scheduled, and all state can be accessed freely.
 *
 * When a node calls Simulator::Stop(), the run ends after the minimum delay of all cables, at the
 * same time for all nodes. A call from an event without a node ends the run immediately.
 *
 * **Ranks.** Several processes can simulate one network; see Ranks. At the end of each window, they
 * exchange the messages between nodes of different ranks and agree on the next window. Results are
 * the same as with one process. Events without a node are executed by all ranks, so a node must not
 * schedule them; instead, it reports events that concern the whole network through a NetworkTally.
 * LongestWindow must not be 0, because events cannot be executed in strict time order across
 * processes.
 *
 * ns-3's global value "SimulatorImplementationType" selects this simulator. Programs of this module
 * use it unless the user selects another simulator or an event list ("SchedulerType"; this
 * simulator does not support other event lists). Devices that schedule events from their own
 * threads (emulation devices and tap bridges), real-time execution and ns-3's MPI support require
 * ns-3's simulators. An event scheduled by another thread stops the program.
 *
 * Events with an EventId have a UID, which is needed to cancel them. Neither the order of events
 * nor IsExpired() requires unique UIDs, so the UIDs can wrap around at 2^32.
 */
class WheelSimulatorImpl final : public SimulatorImpl
{
  public:
    /// The return type of Stop(time), which is EventId since ns-3.41 and void in earlier versions.
    using StopResult = decltype(std::declval<SimulatorImpl&>().Stop(std::declval<const Time&>()));

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    WheelSimulatorImpl();
    ~WheelSimulatorImpl() override;

    /// @return the current simulator, or null if it is not a WheelSimulatorImpl
    static WheelSimulatorImpl* Peek()
    {
        return g_running;
    }

    /// Schedules an event like Simulator::ScheduleWithContext(), but faster.
    /// @param context the node in whose context the event is executed
    /// @param delay the number of ticks from now; not negative
    /// @param event the event; the simulator takes over one reference
    void ScheduleTicks(uint32_t context, int64_t delay, EventImpl* event)
    {
        Insert({event, {m_now + static_cast<uint64_t>(delay), EventId::UID::INVALID, context}});
    }

    /// Like ScheduleTicks(), but schedules an event that cannot be cancelled. For such an event,
    /// Run() avoids calling EventImpl::Invoke(), which is expensive if ns-3 is built with logging.
    /// @param event a ReusableEvent
    void ScheduleReusable(uint32_t context, int64_t delay, EventImpl* event)
    {
        const auto address = reinterpret_cast<std::uintptr_t>(event);
        ScheduleTicks(context, delay, reinterpret_cast<EventImpl*>(address | REUSABLE));
    }

    /// Like ScheduleReusable(), but schedules the arrival of a frame.
    /// @param port the ingress port, which determines the order of arrivals at a node
    void ScheduleArrival(uint32_t context, int64_t delay, EventImpl* event, uint32_t port)
    {
        const auto address = reinterpret_cast<std::uintptr_t>(event);
        Insert({reinterpret_cast<EventImpl*>(address | REUSABLE | ARRIVAL),
                {m_now + static_cast<uint64_t>(delay), port, context}});
    }

    /// Joins two nodes that share state. From the next run on, these nodes take their turns
    /// together.
    void JoinNodes(uint32_t a, uint32_t b);

    /// Stops the program with a message if it is not the node's turn.
    /// @param node the node about to be accessed
    /// @param what the access, as a verb phrase before "node N" in the message: "changes a route
    /// of"
    void RequireTurn(uint32_t node, const char* what) const
    {
        if (m_end != 0 && m_lookahead.GetGroup(node) != m_group)
        {
            RefuseTurn(node, what);
        }
    }

    /// @return the minimum delay in the network, by which the effect of a node's call to Stop() is
    /// delayed
    Time GetLeastDelay() const
    {
        return TimeStep(m_lookahead.GetLeastDelay());
    }

    /// @return the minimum delay after which an event of one node can change another; 0 if the
    /// nodes take their turns together
    Time GetDelayBetween(uint32_t from, uint32_t to) const
    {
        return m_lookahead.GetGroup(from) == m_lookahead.GetGroup(to) ? Time(0) : GetLeastDelay();
    }

    /// Stops the run in the same way as a call to Stop() from a node's event.
    /// @param cause the time of the event that stops the run
    void StopFor(Time cause);

    /// Sets the next UID; used by tests.
    /// @param uid the UID of the next event with an EventId, at least EventId::UID::VALID
    void SetNextUid(uint32_t uid)
    {
        m_nextUid = uid;
    }

    /// @return the current time in ticks
    int64_t GetTicks() const
    {
        return static_cast<int64_t>(m_now);
    }

    void Destroy() override;
    bool IsFinished() const override;
    void Stop() override;
    StopResult Stop(const Time& delay) override;
    EventId Schedule(const Time& delay, EventImpl* event) override;
    void ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event) override;
    EventId ScheduleNow(EventImpl* event) override;
    EventId ScheduleDestroy(EventImpl* event) override;
    void Remove(const EventId& id) override;
    void Cancel(const EventId& id) override;
    bool IsExpired(const EventId& id) const override;
    void Run() override;
    Time Now() const override;
    Time GetDelayLeft(const EventId& id) const override;
    Time GetMaximumSimulationTime() const override;
    void SetScheduler(ObjectFactory schedulerFactory) override;
    uint32_t GetSystemId() const override;
    uint32_t GetContext() const override;
    uint64_t GetEventCount() const override;

  private:
    void DoDispose() override;

    using Events = std::vector<Scheduler::Event>;

    /// @return a UID for an EventId; after the largest UID, UIDs restart at the smallest
    uint32_t MakeUid();

    /// Inserts an event. Inlining saves about 20 instructions per packet and link.
    [[gnu::always_inline]] void Insert(const Scheduler::Event& event)
    {
        if (event.key.m_ts < m_end)
        {
            if (event.key.m_context != m_context)
            {
                RequireTurn(event.key.m_context, "schedules an event for");
            }
            m_turn.Insert(event);
        }
        else
        {
            if (m_hasRanks)
            {
                RequireReach(event.key.m_context);
            }
            const bool isGlobal =
                event.key.m_context == Simulator::NO_CONTEXT && event.key.m_ts != m_start;
            (isGlobal ? m_global : m_events).Insert(event);
        }
    }

    /// Like IsExpired(), returns whether an event has expired. Stops the program with a message if
    /// it is not the turn of the event's node, because within a window, the events of other nodes
    /// are executed out of time order. Two kinds of events need no such check: those due before the
    /// window have expired for all nodes, and those without a node are due after the window.
    /// @param what the operation on the event, for the error message
    bool IsOver(const EventId& id, const char* what) const;
    bool IsToCome(const Scheduler::Event& event) const;
    /// @return the event's position in m_batch, or the end if the event is not pending there
    Events::const_iterator FindInBatch(const Scheduler::Event& event) const;
    /// Removes a pending event from its list.
    void TakeOut(const Scheduler::Event& event);

    [[noreturn]] void RefuseTurn(uint32_t node, const char* what) const;

    /// Called before each window. Reports the nodes' tallies and, if there are several ranks,
    /// exchanges messages with the other ranks.
    /// @return the tick of the next node event on any rank
    uint64_t Agree();
    uint64_t AgreeWithRanks();
    /// Stops the program with a message if a node's event schedules an event without a node or for
    /// a node of another rank.
    void RequireReach(uint32_t context) const;
    /// Stops the program with a message if the ranks have built different networks.
    static void RequireSameNetwork();
    /// Finds the groups of this rank's nodes. Stops the program if a group has nodes of several
    /// ranks.
    void FindOwnGroups();
    /// Removes the events of other ranks' nodes from m_batch.
    void DropForeign();
    /// Executes the events of this rank's nodes at a tick.
    void RunEventsAt(uint64_t tick);

    /// Executes the events of a list's next tick.
    void RunTick(EventWheel& events);
    /// Sorts the events of m_batch into the order that the class description specifies.
    void SortBatch();
    void RunBatch();
    /// Executes an event that has been removed from its list.
    void Execute(const Scheduler::Event& due);
    /// Executes the events of a window, node by node.
    /// @param begin the first tick of the window
    /// @param end the first tick after the window
    void RunWindow(uint64_t begin, uint64_t end);
    /// Prefetches the data that the next turns of the window will need.
    /// @param turn the position of the current turn in m_touched
    void Prefetch(std::size_t turn) const;
    /// Executes a group's events within the window.
    /// @param begin the first tick of the window
    void RunTurn(uint32_t group, uint64_t begin);
    void RunUntilStopped();
    /// Updates the lookahead and the window if nodes or channels have been added.
    void UpdateLookahead();

    // The flags in the address of an event that is stored in a list.

    static constexpr std::uintptr_t REUSABLE = 1; ///< the event is a ReusableEvent
    static constexpr std::uintptr_t ARRIVAL = 2;  ///< the event is the arrival of a frame, and its
                                                  ///< UID is the port

    static WheelSimulatorImpl* g_running; ///< see Peek()

    uint64_t m_now{0};                         ///< the time of the current event
    uint64_t m_begin{0};                       ///< the first tick of the window
    uint64_t m_end{0};                         ///< the first tick after the window; 0 between
                                               ///< windows
    uint64_t m_start{0};                       ///< the start time of the run
    uint32_t m_context{Simulator::NO_CONTEXT}; ///< the context of the current event
    uint32_t m_group{0};                       ///< the group whose turn it is
    uint32_t m_nextUid{EventId::UID::VALID};   ///< the UID of the next event with an EventId
    bool m_isStopped{false};                   ///< whether the run has been stopped
    uint64_t m_stopTick{EventWheel::NEVER};    ///< the first tick at which no more events are
                                               ///< executed
    uint64_t m_count{0};                       ///< the number of executed events
    EventWheel m_turn;                         ///< the group's pending events in the window
    EventWheel m_events;                       ///< the pending events after the window
    EventWheel m_global;                       ///< the pending events that have no node
    Events m_batch;                            ///< the events of one tick, in order
    Events m_own;                              ///< the events of m_batch that are not arrivals
    std::size_t m_next{0};                     ///< the index of the next event in m_batch
    std::vector<Events> m_buckets;             ///< the events of the window, indexed by group
    std::vector<uint32_t> m_touched;           ///< the groups with events in the window
    Lookahead m_lookahead;                     ///< the lookahead of the network
    bool m_hasRanks{false};                    ///< whether there are other ranks
    std::vector<bool> m_isOwn{true};           ///< whether each group belongs to this rank
    uint64_t m_farTick{EventWheel::NEVER};     ///< the tick of the next node event on any rank; set
                                               ///< by AgreeWithRanks()
    uint64_t m_globalTick{EventWheel::NEVER};  ///< the tick of the next global event on any rank;
                                               ///< set by AgreeWithRanks()
    uint64_t m_window{0};                      ///< the length of the window; 0 for strict time
                                               ///< order
    std::vector<Lookahead::Pair> m_joined;     ///< the pairs of nodes passed to JoinNodes()
    Time m_longestWindow;                      ///< the upper bound on m_window
    std::list<EventId> m_destroyEvents;        ///< the events to be executed in Destroy()
    std::thread::id m_thread;                  ///< the thread that called Run() or, before that,
                                               ///< the constructor
};

/// @return Simulator::Now() in ticks (Time::GetTimeStep()), for the per-packet path
inline int64_t
NowInTicks()
{
    const WheelSimulatorImpl* simulator = WheelSimulatorImpl::Peek();
    return simulator ? simulator->GetTicks() : Simulator::Now().GetTimeStep();
}

/// @return the minimum delay after which a global event scheduled by a node's event can examine the
/// whole network; see WheelSimulatorImpl
inline Time
GetGlobalDelay()
{
    const WheelSimulatorImpl* simulator = WheelSimulatorImpl::Peek();
    return simulator ? simulator->GetLeastDelay() : Time(0);
}

/// @return the minimum delay after which an event of one node can change another; see
/// WheelSimulatorImpl
/// @param from the ID of the node whose event it is
/// @param to the ID of the other node
inline Time
GetDelayBetween(uint32_t from, uint32_t to)
{
    const WheelSimulatorImpl* simulator = WheelSimulatorImpl::Peek();
    return simulator ? simulator->GetDelayBetween(from, to) : Time(0);
}

/// Stops the run on behalf of the owner of a NetworkTally, in the same way as a call to
/// Simulator::Stop() from a node's event.
/// @param cause the time of the event that stops the run
inline void
StopRun(Time cause)
{
    if (WheelSimulatorImpl* simulator = WheelSimulatorImpl::Peek())
    {
        simulator->StopFor(cause);
    }
    else
    {
        Simulator::Stop();
    }
}

/// Stops the program with a message if it is not the node's turn; see WheelSimulatorImpl.
/// @param node the node about to be accessed
/// @param what the access, as a verb phrase; see WheelSimulatorImpl::RequireTurn()
inline void
RequireTurn(uint32_t node, const char* what)
{
    if (const WheelSimulatorImpl* simulator = WheelSimulatorImpl::Peek())
    {
        simulator->RequireTurn(node, what);
    }
}

} // namespace ns3::lossless

#endif /* LOSSLESS_WHEEL_SIMULATOR_IMPL_H */
