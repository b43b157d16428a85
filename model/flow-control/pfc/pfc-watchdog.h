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

/// Action of a PfcWatchdog on an egress queue stopped by a storm of PAUSEs.
enum class WatchdogAction : uint8_t
{
    DROP,    ///< drops the waiting and later frames of the queue, and what its port receives in the
             ///< class
    FORWARD, ///< sends in spite of the PAUSEs
    ALERT,   ///< only reports
};

/// @return name in options and results: "drop", ...
const char* ToString(WatchdogAction action);

/// @param name in any case
/// @return the action, if there is one of this name
std::optional<WatchdogAction> FindWatchdogAction(const std::string& name);

/// @return whether the loss is a PfcWatchdog's
bool IsWatchdogLoss(DropReason reason);

/// Start or end of a storm.
struct WatchdogEvent
{
    QueueId queue;         ///< egress queue
    WatchdogAction action; ///< of the watchdog
    bool isStorm;          ///< started, not restored
};

/**
 * @ingroup lossless
 * A PFC watchdog modelled on SONiC's, aggregated to a SwitchNode whose ports PFC can pause, with
 * any scheme.
 *
 * Every "PollInterval" it polls the egress queues of all classes under flow control, reading the
 * counters that SONiC's scripts read (sonic-swss, orchagent/pfc_detect_*.lua and pfc_restore.lua),
 * and detects a storm that lasts for "DetectionTime". By "Criterion", an interval is part of a
 * storm if
 *
 * - "PauseStatus", as on Broadcom's chips: the class is paused at both ends of the interval, PFC
 *   frames have stopped it and none has resumed it,
 * - "Standstill", as on NVIDIA's: bytes wait, no frame has left, PFC frames have stopped it, and
 *   the class was paused for more than 99 % of it (sonic-swss, pull request 3036).
 *
 * Each such interval counts with its length, with the first criterion less than DetectionTime, so
 * that two are needed; any other interval restarts the count. The queue is restored after
 * "RestorationTime" of intervals in each of which no PFC frame has stopped its class, or one has
 * resumed it; with the action "Alert", after the first interval without a storm.
 *
 * This differs from pfc_restore.lua, which waits until no PFC frame names the class at all. There a
 * RESUME counts as a storm, and a neighbour that stops and resumes as PFC intends keeps its queue
 * stormed as long as it has traffic (sonic-swss, issue 4581), although detection considers neither
 * a storm. Here, what PauseStatus does not consider a storm, by the count of resumes (ON2OFF), ends
 * one. PAUSEs that merely expire do not.
 *
 * A storm is thus detected between DetectionTime and two intervals more after its start, and
 * restored between RestorationTime and one interval more after its last PAUSE, if both times are
 * multiples of the interval; one interval earlier if a RESUME follows that PAUSE at once.
 *
 * States of a queue:
 *
 *     operational --- storms for DetectionTime --> stormed
 *     stormed ------- not stopped, or resumed, for RestorationTime --> operational
 *
 * The action "Drop" drops the frames waiting for the queue, later frames for it, and what its port
 * receives in its class, and ignores its PAUSEs; the switch thus does not stop others because of
 * it. "Forward" only ignores its PAUSEs. Dropped frames have their own reasons, see
 * IsWatchdogLoss().
 *
 * It polls only while a class is paused or a storm lasts, at the same instants as if it always did,
 * so that it does not keep a simulation running.
 */
class PfcWatchdog : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    PfcWatchdog();
    ~PfcWatchdog() override;

    /// @return whether it can release a queue that a neighbour stops for ever
    bool IsFreeing() const
    {
        return m_action != WatchdogAction::ALERT;
    }

    /// @return whether an egress queue is in a storm
    bool IsStormed(QueueId queue) const;

    /// @return storms so far, including present ones
    uint64_t CountStorms() const
    {
        return m_storms;
    }

    /// Fixes the random phase of the polls, starting at `stream`. @return number of streams used
    int64_t AssignStreams(int64_t stream);

    /// Signature of the trace source "Storm".
    typedef void (*StormTracedCallback)(const WatchdogEvent& event);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    enum class Criterion : uint8_t
    {
        PAUSE_STATUS,
        STANDSTILL,
    };

    struct Sample
    {
        PfcCounts pfc; ///< of its class at its port
        bool isPaused{false};
    };

    struct Queue
    {
        QueueId id;             ///< egress port and class
        Ptr<PauseGate> gate;    ///< of the port
        Sample last;            ///< at the last poll
        Time left;              ///< until it is in a storm, or restored
        Time sent{Time::Min()}; ///< first bit of the latest frame, if needed
        bool isStormed{false};  ///< see IsStormed()
    };

    /// @param name of an action; another one stops the program
    void SetAction(std::string name);
    std::string GetActionName() const;
    /// @param name of a criterion; another one stops the program
    void SetCriterion(std::string name);
    std::string GetCriterionName() const;

    /// Stops the program if times are inconsistent or there is nothing to watch.
    void Check() const;
    void WatchPort(PortId port);
    /// A PFC frame has arrived. @param classes enabled in it
    void NotifyPfc(PrioritySet classes);
    void NotifyDequeue(const SwitchItem& item);
    void Poll();
    /// Evaluates a sample of a queue. @return whether another poll is needed
    bool Look(Queue& queue, const Sample& sample);
    /// @return whether the queue was stormed in the interval that ends
    bool IsHit(const Queue& queue, const Sample& sample) const;
    /// @return whether PFC frames have stopped the queue in the interval that ends, and none has
    /// resumed it
    static bool IsHeld(const Queue& queue, const Sample& sample);
    /// Counts an interval towards the start of a storm. @param isHit see IsHit()
    void CountHit(Queue& queue, bool isHit);
    /// Counts an interval towards the end of a storm. @param isQuiet not IsHeld()
    void CountQuiet(Queue& queue, bool isQuiet);
    void Turn(Queue& queue, bool isStorm);

    using PollEvent = RecurringEvent<PfcWatchdog, &PfcWatchdog::Poll>;

    WatchdogAction m_action{WatchdogAction::DROP};
    Criterion m_criterion{Criterion::PAUSE_STATUS};
    Time m_detectionTime;                ///< minimum duration of a storm
    Time m_restorationTime;              ///< without being held
    Time m_pollInterval;                 ///< attribute
    Time m_interval;                     ///< same, but never 0
    bool m_isPhaseRandom{true};          ///< polls start at a random time
    Ptr<UniformRandomVariable> m_random; ///< draws the phase
    std::optional<Time> m_phase;         ///< time of the first possible poll
    SwitchNode* m_node{nullptr};         ///< aggregated to this object
    Ptr<PollEvent> m_poll;               ///< next poll
    Time m_lastPoll;                     ///< last poll, or when it would have been due
    std::vector<Queue> m_queues;         ///< all that are watched
    uint64_t m_storms{0};                ///< see CountStorms()
    TracedCallback<const WatchdogEvent&> m_stormTrace; ///< start or end of a storm
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PFC_WATCHDOG_H */
