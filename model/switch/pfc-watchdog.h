// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PFC_WATCHDOG_H
#define LOSSLESS_PFC_WATCHDOG_H

#include "ns3/drop-reason.h"
#include "ns3/lossless-types.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/pause-gate.h"
#include "ns3/random-variable-stream.h"
#include "ns3/recurring-event.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

struct SwitchItem;
class SwitchNode;

/// What a PfcWatchdog does to an egress queue that a storm of PAUSEs stops.
enum class WatchdogAction : uint8_t
{
    DROP,    ///< drops what waits for it and what comes for it, and what its port receives of it
    FORWARD, ///< sends in spite of the PAUSEs
    ALERT,   ///< only tells
};

/// @param action what a watchdog does @return its name in options and results: "drop", ...
const char* ToString(WatchdogAction action);

/// @param name of an action, in any case @return the action; nothing if there is none of that name
std::optional<WatchdogAction> FindWatchdogAction(const std::string& name);

/// @param reason why a switch has lost a frame @return whether a PfcWatchdog has dropped it
bool IsWatchdogLoss(DropReason reason);

/// Beginning or end of a storm, as a PfcWatchdog sees it.
struct WatchdogEvent
{
    QueueId queue;         ///< egress queue
    WatchdogAction action; ///< what is done in the storm
    bool isStorm;          ///< it begins; else the queue is restored
};

/**
 * @ingroup lossless
 * A watchdog of PAUSEs in the manner of SONiC's, aggregated to a SwitchNode whose ports are paused
 * by PFC, beside any scheme.
 *
 * It looks at the egress queues of all classes under flow control every "PollInterval", at counters
 * as SONiC's scripts read them (sonic-swss, orchagent/pfc_detect_*.lua and pfc_restore.lua), and
 * sees a storm that goes on for "DetectionTime". By the "Criterion" it is a storm in an interval if
 *
 * - "PauseStatus", as on Broadcom's chips: the class is paused at both ends of the interval, PFC
 *   frames have stopped it and none has resumed it,
 * - "Standstill", as on NVIDIA's: bytes wait, no frame has left, PFC frames have stopped it, and
 *   the class was paused for more than 99 % of it (sonic-swss, pull request 3036).
 *
 * Each such interval is counted with its length, with the first criterion less than DetectionTime,
 * so that two must agree; one without begins anew. The queue is restored after intervals that last
 * for "RestorationTime", in each of which no PFC frame has stopped its class, or one has resumed
 * it; with the action "Alert", at the first interval without a storm.
 *
 * That differs from pfc_restore.lua, which waits until no PFC frame names the class at all. There a
 * RESUME counts as a storm, and a neighbour that stops and resumes as PFC wants it keeps its queue
 * stormed as long as it has traffic (sonic-swss, issue 4581), although neither is one when it is to
 * be detected: what is no storm for PauseStatus, by the count of resumes (ON2OFF), ends one here.
 * PAUSEs that run out by themselves do not.
 *
 * Thus a storm is detected between DetectionTime and two intervals more after it has begun, and
 * restored between RestorationTime and one interval more after its last PAUSE, if both times are
 * multiples of the interval; one interval earlier if a RESUME follows that PAUSE at once.
 *
 * States of a queue:
 *
 *     operational --- storms for DetectionTime --> stormed
 *     stormed ------- not stopped, or resumed, for RestorationTime --> operational
 *
 * With the action "Drop", what waits for the queue, what comes for it later, and what its port
 * receives in its class are dropped, and its PAUSEs are ignored; so the switch does not stop others
 * for it. With "Forward" its PAUSEs are ignored. The frames that it drops have reasons of their
 * own, see IsWatchdogLoss().
 *
 * It looks only while a class is paused or a storm lasts, at the instants at which it would look
 * all the time, so that it does not keep a simulation going.
 */
class PfcWatchdog : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    PfcWatchdog();
    ~PfcWatchdog() override;

    /// @return whether it can free a queue that a neighbour stops for ever
    bool IsFreeing() const
    {
        return m_action != WatchdogAction::ALERT;
    }

    /// @param queue an egress queue @return whether it is in a storm
    bool IsStormed(QueueId queue) const;

    /// @return storms so far, those that last included
    uint64_t CountStorms() const
    {
        return m_storms;
    }

    /**
     * Fixes the random phase of the looks.
     * @param stream first stream to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Signature of the trace source "Storm".
     * @param event what has begun or ended
     */
    typedef void (*StormTracedCallback)(const WatchdogEvent& event);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// By what it recognises a storm.
    enum class Criterion : uint8_t
    {
        PAUSE_STATUS,
        STANDSTILL,
    };

    /// What there is to count of a queue.
    struct Sample
    {
        PfcCounts pfc;        ///< of its class at its port
        bool isPaused{false}; ///< its class is
    };

    /// One that is watched.
    struct Queue
    {
        QueueId id;             ///< egress port and class
        Ptr<PauseGate> gate;    ///< of the port
        Sample last;            ///< at the last look
        Time left;              ///< until it is in a storm, or restored
        Time sent{Time::Min()}; ///< first bit of the latest frame, if that counts
        bool isStormed{false};  ///< see IsStormed()
    };

    /// @param name of an action; another one stops the program
    void SetAction(std::string name);
    /// @return name of the action
    std::string GetActionName() const;
    /// @param name of a criterion; another one stops the program
    void SetCriterion(std::string name);
    /// @return name of the criterion
    std::string GetCriterionName() const;

    /// Stops the program if times make no sense, or there is nothing to watch.
    void Check() const;
    /// Connects to a port. @param port the port
    void WatchPort(PortId port);
    /// A PFC frame has come. @param classes that it names
    void NotifyPfc(PrioritySet classes);
    /// A frame leaves. @param item the frame
    void NotifyDequeue(const SwitchItem& item);
    /// Looks at all queues.
    void Poll();
    /// @param queue a queue @param sample what it is like @return whether to look again
    bool Look(Queue& queue, const Sample& sample);
    /// @param queue a queue @param sample what it is like @return whether it was stormed in the
    /// interval that ends
    bool IsHit(const Queue& queue, const Sample& sample) const;
    /// @param queue a queue @param sample what it is like @return whether in the interval that ends
    /// PFC frames have stopped it, and none has resumed it
    static bool IsHeld(const Queue& queue, const Sample& sample);
    /// Counts an interval towards a storm. @param queue a queue @param isHit see IsHit()
    void CountHit(Queue& queue, bool isHit);
    /// Counts an interval towards the end of one. @param queue a queue @param isQuiet not IsHeld()
    void CountQuiet(Queue& queue, bool isQuiet);
    /// A storm begins or ends. @param queue a queue @param isStorm it begins
    void Turn(Queue& queue, bool isStorm);

    using PollEvent = RecurringEvent<PfcWatchdog, &PfcWatchdog::Poll>;

    WatchdogAction m_action{WatchdogAction::DROP};     ///< what it does in a storm
    Criterion m_criterion{Criterion::PAUSE_STATUS};    ///< by which a storm is recognised
    Time m_detectionTime;                              ///< that a storm must last
    Time m_restorationTime;                            ///< without being held
    Time m_pollInterval;                               ///< between looks
    bool m_isPhaseRandom{true};                        ///< the looks begin at a random time
    Ptr<UniformRandomVariable> m_random;               ///< draws the phase
    std::optional<Time> m_phase;                       ///< when the first look would be
    SwitchNode* m_node{nullptr};                       ///< which it is aggregated to
    Ptr<PollEvent> m_poll;                             ///< the next look
    Time m_lastPoll;                                   ///< the last one, or when it would have been
    std::vector<Queue> m_queues;                       ///< all that are watched
    uint64_t m_storms{0};                              ///< see CountStorms()
    TracedCallback<const WatchdogEvent&> m_stormTrace; ///< begun or ended
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PFC_WATCHDOG_H */
