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
 * ns-3's event loop around an EventWheel, without what networks in one thread do not need: virtual
 * calls of an event list, checks of threads and logs for each event; and not strictly in the order
 * of time, but node by node.
 *
 * **Windows.** What happens at a node is noticed by another one a delay later at the earliest, see
 * Lookahead. So all events of a window of that length can be executed node by node, and what a node
 * needs stays in the processor's caches for its whole turn. An event that a node schedules for
 * another one within the window ends the program with a sentence, and so do RequireTurn() and a
 * node that cancels, removes or asks about an event of another one which the window may execute;
 * state that nodes share otherwise (a callback at one node which makes another one send) needs
 * JoinNodes(), or "LongestWindow" 0. Before and after runs everything may reach everything.
 *
 * **Order.** Events without a node (Simulator::NO_CONTEXT, such as all that main() schedules with
 * Simulator::Schedule()) come before all others of their time, and are executed between windows, so
 * that they may look at the whole network. At one node and time arrivals of frames come first, by
 * port, then the node's own events in the order in which they were scheduled; what these schedule
 * for the same time comes after them in the same way. So results depend neither on the length of
 * the windows nor on the order of the nodes, but for events that several nodes schedule for another
 * one at one time, which come in the order of their turns. With ns-3's simulators ties are in the
 * order of scheduling.
 *
 * Only at the time at which a run begins, when nodes initialise, events are executed as scheduled,
 * whatever their node, and everything may reach everything.
 *
 * A node's Simulator::Stop() ends the run by the least delay of all cables later, at one time for
 * all nodes; one in an event without a node ends it at once.
 *
 * **Ranks.** Several processes may simulate one network, see Ranks. At the end of each window they
 * exchange what their nodes have sent to those of others, and agree on the next window. Results are
 * those of one process. Events without a node are executed by all ranks, so a node must not
 * schedule them: what nodes have to tell to all goes through a NetworkTally. There is no order
 * strictly by time then: LongestWindow must not be 0.
 *
 * Chosen by ns-3's global value "SimulatorImplementationType"; programs of this module do so,
 * unless they are told another one or an event list ("SchedulerType"), which this one does not
 * take. Devices that schedule events from threads of their own (emulation, tap bridges), real time
 * and MPI need ns-3's; an event that another thread schedules stops the program.
 *
 * Events that have an EventId have a uid, by which they are cancelled; the order of events and
 * IsExpired() do without, so that uids may start again after 2^32.
 */
class WheelSimulatorImpl final : public SimulatorImpl
{
  public:
    /// What Stop() of a time returns: an EventId from ns-3.41 on, nothing before.
    using StopResult = decltype(std::declval<SimulatorImpl&>().Stop(std::declval<const Time&>()));

    /// @return the type
    static TypeId GetTypeId();

    WheelSimulatorImpl();
    ~WheelSimulatorImpl() override;

    /// @return the one that runs; null: another kind does
    static WheelSimulatorImpl* Peek()
    {
        return g_running;
    }

    /**
     * As Simulator::ScheduleWithContext(), faster.
     * @param context node in whose context the event runs
     * @param delay ticks from now, not negative
     * @param event the event, one reference of which is handed over
     */
    void ScheduleTicks(uint32_t context, int64_t delay, EventImpl* event)
    {
        Insert({event, {m_now + static_cast<uint64_t>(delay), EventId::UID::INVALID, context}});
    }

    /// The same for an event that nobody can cancel: Run() does without EventImpl::Invoke(), which
    /// an ns-3 with logs makes expensive. @param context see there @param delay too
    /// @param event a ReusableEvent
    void ScheduleReusable(uint32_t context, int64_t delay, EventImpl* event)
    {
        const auto address = reinterpret_cast<std::uintptr_t>(event);
        ScheduleTicks(context, delay, reinterpret_cast<EventImpl*>(address | REUSABLE));
    }

    /// The same, for a frame that arrives. @param context see there @param delay too
    /// @param event a ReusableEvent @param port by which it arrives, the order at a node
    void ScheduleArrival(uint32_t context, int64_t delay, EventImpl* event, uint32_t port)
    {
        const auto address = reinterpret_cast<std::uintptr_t>(event);
        Insert({reinterpret_cast<EventImpl*>(address | REUSABLE | ARRIVAL),
                {m_now + static_cast<uint64_t>(delay), port, context}});
    }

    /// Two nodes that share state take turns together from the next run on. @param a node id
    /// @param b another
    void JoinNodes(uint32_t a, uint32_t b);

    /// Stops the program with a sentence if this is the turn of other nodes.
    /// @param node id of a node that is about to be changed @param what is done to it
    void RequireTurn(uint32_t node, const char* what) const
    {
        if (m_end != 0 && m_lookahead.GetGroup(node) != m_group)
        {
            RefuseTurn(node, what);
        }
    }

    /// @return the least delay of the network, by which Stop() of a node is late
    Time GetLeastDelay() const
    {
        return TimeStep(m_lookahead.GetLeastDelay());
    }

    /// As Stop() in a node's event. @param cause time of that event
    void StopFor(Time cause);

    /// For tests. @param uid of the next event that has an EventId, at least EventId::UID::VALID
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

    /// @return a uid for an EventId; after the last one, the first follows again
    uint32_t MakeUid();

    /// Inline at all costs, which are some 20 instructions per packet and link otherwise.
    /// @param event to come
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

    /**
     * As IsExpired(). Stops the program with a sentence if the event is one of a node whose turn
     * this is not: the window executes events of other nodes earlier or later than their times say.
     * What was due before the window is over, whoever asks; what has no node comes after it.
     * @param id of the event
     * @param what is done to it, for that sentence
     * @return whether it is no longer to come
     */
    bool IsOver(const EventId& id, const char* what) const;
    /// @param event an event @return whether it is to come
    bool IsToCome(const Scheduler::Event& event) const;
    /// @param event an event @return its place in m_batch, if it is there and to come
    Events::const_iterator FindInBatch(const Scheduler::Event& event) const;
    /// @param event an event that is to come, and then is in no list
    void TakeOut(const Scheduler::Event& event);

    /// See RequireTurn(). @param node which is about to be changed @param what is done to it
    [[noreturn]] void RefuseTurn(uint32_t node, const char* what) const;

    /// Before each window: hears what the nodes tell to all, and with several ranks what has come
    /// from the others. @return tick of the next event of a node, on whichever rank
    uint64_t Agree();
    /// The same with several ranks. @return what it returns
    uint64_t AgreeWithRanks();
    /// Stops the program with a sentence if the event under way is a node's and schedules one that
    /// another rank would have to execute. @param context of that
    void RequireReach(uint32_t context) const;
    /// Stops the program with a sentence if the ranks have built different networks.
    static void RequireSameNetwork();
    /// Finds the nodes of this rank. Those of a group that are not of one rank stop the program.
    void FindOwnGroups();
    /// Takes those of m_batch out that belong to nodes of other ranks.
    void DropForeign();
    /// Executes the events of nodes at a tick, if there are any on this rank. @param tick the tick
    void RunEventsAt(uint64_t tick);

    /// Executes the next tick of a list. @param events the list
    void RunTick(EventWheel& events);
    /// Puts the events that RunTick() has taken from its list in the order of WheelSimulatorImpl.
    void SortBatch();
    /// Executes them.
    void RunBatch();
    /// Executes an event. @param due the event, which is in no list any more
    void Execute(const Scheduler::Event& due);
    /// Executes the events of a window, node by node.
    /// @param begin of the window, in ticks @param end the first tick after it
    void RunWindow(uint64_t begin, uint64_t end);
    /// Brings what the next turns of the window will need into the processor's caches.
    /// @param turn the one that begins, its place in m_touched
    void PrefetchTurns(std::size_t turn) const;
    /// Executes those of a group. @param group of nodes @param begin of the window
    void RunTurn(uint32_t group, uint64_t begin);
    /// Executes events until the run is over.
    void RunUntilStopped();
    /// The nodes or channels may have changed.
    void UpdateLookahead();

    // Marks in the address of an event of a list.

    static constexpr std::uintptr_t REUSABLE = 1; ///< it is a ReusableEvent
    static constexpr std::uintptr_t ARRIVAL = 2;  ///< of a frame, by the port in place of the uid

    static WheelSimulatorImpl* g_running; ///< see Peek()

    uint64_t m_now{0};                         ///< time of the current event
    uint64_t m_begin{0};                       ///< first tick of the window, if there is one
    uint64_t m_end{0};                         ///< end of the window; 0: there is none
    uint64_t m_start{0};                       ///< time at which the run begins
    uint32_t m_context{Simulator::NO_CONTEXT}; ///< of the current event
    uint32_t m_group{0};                       ///< of nodes whose turn it is
    uint32_t m_nextUid{EventId::UID::VALID};   ///< of the next event that has an EventId
    bool m_isStopped{false};                   ///< no further event
    uint64_t m_stopTick{EventWheel::NEVER};    ///< no event from then on
    uint64_t m_count{0};                       ///< events so far
    EventWheel m_turn;                         ///< to come in the window, of the group
    EventWheel m_events;                       ///< to come after the window
    EventWheel m_global;                       ///< to come without a node
    Events m_batch;                            ///< of one tick, in their order
    Events m_own;                              ///< of them, those that are no arrivals
    std::size_t m_next{0};                     ///< place of the next event in m_batch
    std::vector<Events> m_buckets;             ///< of the window, by group
    std::vector<uint32_t> m_touched;           ///< groups with events in the window
    Lookahead m_lookahead;                     ///< of the network
    bool m_hasRanks{false};                    ///< there are other ranks
    std::vector<bool> m_isOwn{true};           ///< by group, whether it is of this rank
    uint64_t m_farTick{EventWheel::NEVER};     ///< next of events on other ranks, as of Agree()
    uint64_t m_globalTick{EventWheel::NEVER};  ///< next of global events on all ranks, likewise
    uint64_t m_window{0};                      ///< of it, what is used; 0: by time
    std::vector<Lookahead::Pair> m_joined;     ///< see JoinNodes()
    Time m_longestWindow;                      ///< most of the lookahead that is used
    std::list<EventId> m_destroyEvents;        ///< to be called by Destroy()
    std::thread::id m_thread;                  ///< that of Run(), or that made this object
};

/// @return Simulator::Now() in ticks (Time::GetTimeStep()), for the per-packet path
inline int64_t
NowInTicks()
{
    const WheelSimulatorImpl* simulator = WheelSimulatorImpl::Peek();
    return simulator ? simulator->GetTicks() : Simulator::Now().GetTimeStep();
}

/// @return how long a node's event has to wait at least until it may look at the whole network, by
/// a global event, see WheelSimulatorImpl
inline Time
GetGlobalDelay()
{
    const WheelSimulatorImpl* simulator = WheelSimulatorImpl::Peek();
    return simulator ? simulator->GetLeastDelay() : Time(0);
}

/// As Simulator::Stop() in a node's event, for what a NetworkTally tells. @param cause time of that
/// event
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

/// Stops the program with a sentence if this is the turn of other nodes, see WheelSimulatorImpl.
/// @param node id of a node that is about to be changed @param what is done to it
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
