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
 * ns-3's event loop around an EventWheel, without the virtual calls, thread checks and logs per
 * event that a single-threaded network does not need. Events are executed node by node, not
 * strictly in time order.
 *
 * **Windows.** An event at a node affects another node only after a minimum delay, see Lookahead.
 * All events of a window of that length can therefore be executed node by node, and a node's data
 * stay in the processor's caches for its whole turn. The program stops with a message if, within
 * the window, an event schedules one for another node, RequireTurn() fails, or a node cancels,
 * removes or queries an event of another node. Any other state that nodes share (such as a callback
 * at one node that makes another one send) needs JoinNodes(), or "LongestWindow" 0. Before and
 * after runs, everything may access everything.
 *
 * **Order.** Events without a node (Simulator::NO_CONTEXT, such as all that main() schedules with
 * Simulator::Schedule()) precede all others of their time and are executed between windows, so they
 * may examine the whole network. At one node and time, arrivals of frames come first, by port, then
 * the node's own events in order of scheduling; events that these schedule for the same time follow
 * in the same way. Results thus depend neither on the length of the windows nor on the order of the
 * nodes, except for events that several nodes schedule for another one at the same time: these
 * follow the order of turns. In ns-3's simulators, ties are in order of scheduling.
 *
 * Only at the start time of a run, when nodes initialise, events of all nodes are executed in order
 * of scheduling, and everything may access everything.
 *
 * A node's Simulator::Stop() ends the run later by the minimum delay of all cables, at the same
 * time for all nodes; one in an event without a node ends it at once.
 *
 * **Ranks.** Several processes may simulate one network, see Ranks. At the end of each window they
 * exchange what their nodes have sent to other ranks' nodes, and agree on the next window. Results
 * are those of one process. Events without a node are executed by all ranks, so a node must not
 * schedule them; it reports to the whole network through a NetworkTally. As there is no strict time
 * order, LongestWindow must not be 0.
 *
 * Selected by ns-3's global value "SimulatorImplementationType". Programs of this module do so
 * unless the user selects another simulator or an event list ("SchedulerType"), which this one does
 * not support. Devices that schedule events from their own threads (emulation, tap bridges), real
 * time and MPI need ns-3's simulators; an event scheduled by another thread stops the program.
 *
 * Events with an EventId have a uid for cancellation. Neither the order of events nor IsExpired()
 * uses it, so uids may wrap after 2^32.
 */
class WheelSimulatorImpl final : public SimulatorImpl
{
  public:
    /// Return type of Stop(time): EventId since ns-3.41, void before.
    using StopResult = decltype(std::declval<SimulatorImpl&>().Stop(std::declval<const Time&>()));

    /// @return the type
    static TypeId GetTypeId();

    WheelSimulatorImpl();
    ~WheelSimulatorImpl() override;

    /// @return the running simulator; null if it is of another kind
    static WheelSimulatorImpl* Peek()
    {
        return g_running;
    }

    /// As Simulator::ScheduleWithContext(), but faster.
    /// @param context node in whose context the event runs
    /// @param delay ticks from now, not negative
    /// @param event takes over one reference
    void ScheduleTicks(uint32_t context, int64_t delay, EventImpl* event)
    {
        Insert({event, {m_now + static_cast<uint64_t>(delay), EventId::UID::INVALID, context}});
    }

    /// As ScheduleTicks(), for an event that cannot be cancelled: Run() avoids EventImpl::Invoke(),
    /// which is expensive in an ns-3 with logs.
    /// @param event a ReusableEvent
    void ScheduleReusable(uint32_t context, int64_t delay, EventImpl* event)
    {
        const auto address = reinterpret_cast<std::uintptr_t>(event);
        ScheduleTicks(context, delay, reinterpret_cast<EventImpl*>(address | REUSABLE));
    }

    /// As ScheduleReusable(), for the arrival of a frame.
    /// @param port ingress port, the order at a node
    void ScheduleArrival(uint32_t context, int64_t delay, EventImpl* event, uint32_t port)
    {
        const auto address = reinterpret_cast<std::uintptr_t>(event);
        Insert({reinterpret_cast<EventImpl*>(address | REUSABLE | ARRIVAL),
                {m_now + static_cast<uint64_t>(delay), port, context}});
    }

    /// Makes two nodes that share state take turns together, from the next run on.
    void JoinNodes(uint32_t a, uint32_t b);

    /// Stops the program with a message if it is the turn of other nodes.
    /// @param node about to be changed
    /// @param what is done to it
    void RequireTurn(uint32_t node, const char* what) const
    {
        if (m_end != 0 && m_lookahead.GetGroup(node) != m_group)
        {
            RefuseTurn(node, what);
        }
    }

    /// @return the minimum delay of the network, by which a node's Stop() is late
    Time GetLeastDelay() const
    {
        return TimeStep(m_lookahead.GetLeastDelay());
    }

    /// As Stop() in a node's event. @param cause time of that event
    void StopFor(Time cause);

    /// For tests. @param uid of the next event with an EventId, at least EventId::UID::VALID
    void SetNextUid(uint32_t uid)
    {
        m_nextUid = uid;
    }

    /// @return Now(), in ticks
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

    /// @return a uid for an EventId; the first one follows the last one
    uint32_t MakeUid();

    /// Always inline: saves some 20 instructions per packet and link.
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

    /// As IsExpired(). Stops the program with a message if it is not the turn of the event's node:
    /// the window executes events of other nodes out of time order. Events due before the window
    /// are over for all nodes; those without a node come after it.
    /// @param what is done to the event, for the message
    bool IsOver(const EventId& id, const char* what) const;
    bool IsToCome(const Scheduler::Event& event) const;
    /// @return place of the event in m_batch, if it is there and still to come
    Events::const_iterator FindInBatch(const Scheduler::Event& event) const;
    /// Removes a pending event from its list.
    void TakeOut(const Scheduler::Event& event);

    [[noreturn]] void RefuseTurn(uint32_t node, const char* what) const;

    /// Called before each window: reports what nodes have tallied and, with several ranks, receives
    /// what the others have sent.
    /// @return tick of the next event of a node on any rank
    uint64_t Agree();
    uint64_t AgreeWithRanks();
    /// Stops the program with a message if a node's event schedules one in a context that another
    /// rank executes.
    void RequireReach(uint32_t context) const;
    /// Stops the program with a message if the ranks have built different networks.
    static void RequireSameNetwork();
    /// Finds the nodes of this rank. A group with nodes of several ranks stops the program.
    void FindOwnGroups();
    /// Removes the events of other ranks' nodes from m_batch.
    void DropForeign();
    /// Executes the events of this rank's nodes at a tick.
    void RunEventsAt(uint64_t tick);

    /// Executes the next tick of a list.
    void RunTick(EventWheel& events);
    /// Sorts the events of m_batch in the order of WheelSimulatorImpl.
    void SortBatch();
    void RunBatch();
    /// Executes an event that has been removed from its list.
    void Execute(const Scheduler::Event& due);
    /// Executes the events of a window, node by node.
    /// @param begin first tick
    /// @param end first tick after it
    void RunWindow(uint64_t begin, uint64_t end);
    /// Prefetches what the next turns of the window will need.
    /// @param turn current one, as place in m_touched
    void PrefetchTurns(std::size_t turn) const;
    /// Executes the window's events of a group. @param begin first tick of the window
    void RunTurn(uint32_t group, uint64_t begin);
    void RunUntilStopped();
    /// Called when nodes or channels may have changed.
    void UpdateLookahead();

    // Marks in the address of a listed event.

    static constexpr std::uintptr_t REUSABLE = 1; ///< a ReusableEvent
    static constexpr std::uintptr_t ARRIVAL = 2;  ///< of a frame, with the port in place of the uid

    static WheelSimulatorImpl* g_running; ///< see Peek()

    uint64_t m_now{0};                         ///< time of the current event
    uint64_t m_begin{0};                       ///< first tick of the window
    uint64_t m_end{0};                         ///< first tick after the window; 0 outside windows
    uint64_t m_start{0};                       ///< time at which the run has begun
    uint32_t m_context{Simulator::NO_CONTEXT}; ///< of the current event
    uint32_t m_group{0};                       ///< whose turn it is
    uint32_t m_nextUid{EventId::UID::VALID};   ///< of the next event with an EventId
    bool m_isStopped{false};                   ///< execute no further event
    uint64_t m_stopTick{EventWheel::NEVER};    ///< execute no event from this tick on
    uint64_t m_count{0};                       ///< events executed
    EventWheel m_turn;                         ///< pending in the window, of the group
    EventWheel m_events;                       ///< pending after the window
    EventWheel m_global;                       ///< pending without a node
    Events m_batch;                            ///< of one tick, in order
    Events m_own;                              ///< the non-arrivals among them
    std::size_t m_next{0};                     ///< next event in m_batch
    std::vector<Events> m_buckets;             ///< of the window, by group
    std::vector<uint32_t> m_touched;           ///< groups with events in the window
    Lookahead m_lookahead;                     ///< of the network
    bool m_hasRanks{false};                    ///< there are other ranks
    std::vector<bool> m_isOwn{true};           ///< by group: belongs to this rank
    uint64_t m_farTick{EventWheel::NEVER};     ///< next event on other ranks, as of Agree()
    uint64_t m_globalTick{EventWheel::NEVER};  ///< next global event on all ranks, as of Agree()
    uint64_t m_window{0};                      ///< length in use; 0: strictly by time
    std::vector<Lookahead::Pair> m_joined;     ///< see JoinNodes()
    Time m_longestWindow;                      ///< upper bound of m_window
    std::list<EventId> m_destroyEvents;        ///< for Destroy()
    std::thread::id m_thread;                  ///< that of Run(), or of the constructor
};

/// @return Simulator::Now() in ticks (Time::GetTimeStep()), for the per-packet path
inline int64_t
NowInTicks()
{
    const WheelSimulatorImpl* simulator = WheelSimulatorImpl::Peek();
    return simulator ? simulator->GetTicks() : Simulator::Now().GetTimeStep();
}

/// @return minimum delay after which a node's event may examine the whole network in a global
/// event, see WheelSimulatorImpl
inline Time
GetGlobalDelay()
{
    const WheelSimulatorImpl* simulator = WheelSimulatorImpl::Peek();
    return simulator ? simulator->GetLeastDelay() : Time(0);
}

/// As Simulator::Stop() in a node's event, for the owner of a NetworkTally.
/// @param cause time of that event
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

/// Stops the program with a message if it is the turn of other nodes, see WheelSimulatorImpl.
/// @param node about to be changed
/// @param what is done to it
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
