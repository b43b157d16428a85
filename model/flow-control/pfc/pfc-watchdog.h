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

/// The action of a PfcWatchdog on an egress queue that a storm of PAUSEs has stopped.
enum class WatchdogAction : uint8_t
{
    DROP,    ///< drops the frames in the queue, subsequent frames for the queue, and the frames
             ///< that its port receives in the class
    FORWARD, ///< sends frames despite the PAUSEs
    ALERT,   ///< only reports the storm
};

/// @return the name in options and results, such as "drop"
const char* ToString(WatchdogAction action);

/// @param name the name, in upper or lower case
/// @return the action; unset if no action has this name
std::optional<WatchdogAction> FindWatchdogAction(const std::string& name);

/// @return whether a PfcWatchdog caused the loss
bool IsWatchdogLoss(DropReason reason);

/// The start or end of a storm.
struct WatchdogEvent
{
    QueueId queue;         ///< the egress queue
    WatchdogAction action; ///< the watchdog's action
    bool isStorm;          ///< true if a storm has started, false if the queue has been restored
};

/**
 * @ingroup lossless
 * A PFC watchdog modelled on the one in SONiC. It is aggregated to a SwitchNode and works with any
 * scheme in which PFC can pause the ports.
 *
 * Every "PollInterval", the watchdog polls the egress queues of all classes under flow control. It
 * reads the same counters as SONiC's scripts (sonic-swss, orchagent/pfc_detect_*.lua and
 * pfc_restore.lua). It detects a storm that lasts for "DetectionTime". Depending on "Criterion", an
 * interval is part of a storm if
 *
 * - "PauseStatus", as on Broadcom chips: the class is paused at both ends of the interval, PFC
 *   frames have stopped it, and none has resumed it,
 * - "Standstill", as on NVIDIA chips: bytes are waiting, no frame has left, PFC frames have stopped
 *   the class, and it was paused for more than 99 % of the interval (sonic-swss, pull request
 *   3036).
 *
 * A storm is detected when the lengths of these intervals add up to DetectionTime. With the first
 * criterion, a single interval counts for less than DetectionTime, so at least two intervals are
 * needed. Any other interval restarts the count. The queue is restored after intervals with a total
 * length of "RestorationTime". An interval counts if no PFC frame stops the class during the
 * interval or if a PFC frame has resumed the class since the storm was detected, because a
 * neighbour that still sends a RESUME is not broken. With the action "alert", the queue is restored
 * after the first interval without a storm.
 *
 * The rule for restoring a queue differs from that of pfc_restore.lua, which waits until no PFC
 * frame includes the class. With that script, a RESUME prolongs a storm. A queue remains in a storm
 * while a neighbour stops and resumes it normally (sonic-swss, issue 4581), although the detection
 * scripts do not consider this a storm. In this class, a RESUME (counted as ON2OFF in SONiC) ends
 * the storm after RestorationTime, whereas a PAUSE that merely expires does not.
 *
 * If both times are multiples of the interval, a storm is detected at most two intervals after
 * DetectionTime has elapsed since its start, and the queue is restored at most one interval after
 * RestorationTime has elapsed since the last PAUSE. The queue is restored one interval earlier if a
 * RESUME immediately follows the last PAUSE.
 *
 * States of a queue:
 *
 *     operational --- storms for DetectionTime --> stormed
 *     stormed ------- RestorationTime without a stop, or since a resume --> operational
 *
 * With the action "drop", the watchdog drops the frames in the queue, subsequent frames for the
 * queue, and the frames that its port receives in the class. It also ignores PAUSEs for the queue,
 * so the switch does not stop other neighbours because of the storm. With the action "forward", it
 * only ignores the PAUSEs. Dropped frames have their own drop reasons; see IsWatchdogLoss().
 *
 * The watchdog polls only while a class is paused or a storm lasts, but at the same times as if it
 * polled continuously. It therefore does not keep a simulation running.
 */
class PfcWatchdog : public Object
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    PfcWatchdog();
    ~PfcWatchdog() override;

    /// @return whether the watchdog can release a queue that a neighbour has stopped forever
    bool IsFreeing() const
    {
        return m_action != WatchdogAction::ALERT;
    }

    /// @return the number of storms so far, including ongoing ones
    uint64_t CountStorms() const
    {
        return m_storms;
    }

    /// @return the time that a storm lasts before it is detected
    Time GetDetectionTime() const
    {
        return m_detectionTime;
    }

    /// @return the time between two polls; 0 before initialization
    Time GetInterval() const
    {
        return m_interval;
    }

    /// @return the longest time between two PAUSEs of a storm at any port, assuming that PAUSEs
    /// have the maximum pause time and are refreshed after half of it; 0 before initialization
    Time GetLongestRefresh() const;

    /// Assigns the random stream for the phase of the polls.
    /// @param stream the first stream index
    /// @return the number of streams used
    int64_t AssignStreams(int64_t stream);

    /// The signature of the trace source "Storm".
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
        PfcCounts pfc; ///< the PFC counters of the class at the port
        bool isPaused{false};
    };

    struct Queue
    {
        QueueId id;             ///< the egress port and class
        Ptr<PauseGate> gate;    ///< the gate of the port
        Sample last;            ///< the sample from the last poll
        Time left;              ///< the time until a storm is detected or the queue is restored
        Time sent{Time::Min()}; ///< the time at which the first bit of the latest frame was sent;
                                ///< recorded only for STANDSTILL
        bool isStormed{false};  ///< whether the queue is in a storm
        bool hasResumed{false}; ///< whether the neighbour has sent a RESUME during the storm
    };

    /// @param name the name of an action; any other name is a fatal error
    void SetAction(std::string name);
    std::string GetActionName() const;
    /// @param name the name of a criterion; any other name is a fatal error
    void SetCriterion(std::string name);
    std::string GetCriterionName() const;

    /// Exits with an error if the times are inconsistent or if there is nothing to watch.
    void Check() const;
    void WatchPort(PortId port);
    /// Handles a PFC frame.
    /// @param classes the classes enabled in the frame
    void NotifyPfc(PrioritySet classes);
    void NotifyDequeue(const SwitchItem& item);
    void Poll();
    /// Evaluates a sample of a queue.
    /// @return whether another poll is needed
    bool Look(Queue& queue, const Sample& sample);
    /// @return whether the interval that ends now is part of a storm
    bool IsHit(const Queue& queue, const Sample& sample) const;
    /// @return whether PFC frames have stopped the queue in the interval that ends now and none has
    /// resumed it
    static bool IsHeld(const Queue& queue, const Sample& sample);
    /// Counts an interval towards the start of a storm.
    /// @param isHit see IsHit()
    void CountHit(Queue& queue, bool isHit);
    /// Counts an interval towards the end of a storm.
    /// @param isQuiet whether the interval counts
    void CountQuiet(Queue& queue, bool isQuiet);
    void Turn(Queue& queue, bool isStorm);

    using PollEvent = RecurringEvent<PfcWatchdog, &PfcWatchdog::Poll>;

    WatchdogAction m_action{WatchdogAction::DROP};
    Criterion m_criterion{Criterion::PAUSE_STATUS};
    Time m_detectionTime;       ///< the minimum duration of a storm
    Time m_restorationTime;     ///< the minimum duration without a storm before the queue is
                                ///< restored
    Time m_pollInterval;        ///< the polling interval as set by the user
    Time m_interval;            ///< the polling interval to use, never 0
    bool m_isPhaseRandom{true}; ///< whether polls start at a random time
    Ptr<UniformRandomVariable> m_random; ///< the random variable of the phase
    std::optional<Time> m_phase;         ///< the time of the first possible poll
    SwitchNode* m_node{nullptr};         ///< the node to which this object is aggregated
    Ptr<PollEvent> m_poll;               ///< the event for the next poll
    Time m_lastPoll;             ///< the time of the last poll, or of the last poll that was
                                 ///< skipped
    std::vector<Queue> m_queues; ///< all watched queues
    uint64_t m_storms{0};        ///< see CountStorms()
    TracedCallback<const WatchdogEvent&> m_stormTrace; ///< fired at the start and end of a storm
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PFC_WATCHDOG_H */
