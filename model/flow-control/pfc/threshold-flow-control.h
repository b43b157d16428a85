// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_THRESHOLD_FLOW_CONTROL_H
#define LOSSLESS_THRESHOLD_FLOW_CONTROL_H

#include "ns3/event-id.h"
#include "ns3/flow-control.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Base of the schemes that stop a neighbour by the buffer policy's thresholds, with whatever frames
 * they use: it decides when a lossless ingress queue, or the port as a whole, stops and restarts.
 *
 * A queue is stopped by one of its own arrivals, when its shared occupancy exceeds XOFF or one of
 * its frames is in headroom; so is a port if the policy has thresholds for ports (DSH). Every
 * release of a frame, of any queue, may restart a queue: with dynamic thresholds a stopped queue
 * may be waiting for the buffer that another one frees (simulators of the HPCC family behave as
 * with "ResumeByOwnRelease"). A restart takes an occupancy below XON and empty headroom.
 *
 * A queue or port whose shared occupancy is zero restarts even if XON is zero, too: none of its own
 * frames will ever leave, and two empty queues of two switches could block each other for ever. To
 * prevent flapping, it first waits until everything in flight when it was stopped has had time to
 * arrive (the time of Eq. 1 of DSH at the rate of the link).
 *
 * A policy without thresholds is refused: it would never stop a neighbour.
 *
 * Schemes that differ only in the decision override Assess().
 */
class ThresholdFlowControl : public FlowControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    bool IsLossless() const override;
    void OnArrival(const SwitchItem& item) override;
    void OnEnqueue(const SwitchItem& item) override;
    void OnRelease(const SwitchItem& item, Ticks when) override;

  protected:
    /// What an occupancy demands.
    enum class Demand : uint8_t
    {
        KEEP,   ///< no change
        PAUSE,  ///< the neighbour must stop
        RESUME, ///< the neighbour may resume
        EMPTY,  ///< it may resume once nothing is in flight
    };

    /// An ingress queue and its levels.
    struct QueueLevels
    {
        QueueId queue;     ///< the queue
        Thresholds levels; ///< of the buffer policy
    };

    /// Only subclasses are instantiated.
    ThresholdFlowControl() = default;

    void DoDispose() override;

    /// Returns the lossless ingress queues that can be stopped, with their present levels; in
    /// Configure() those of the empty switch, the highest possible.
    std::vector<QueueLevels> ListLevels() const;
    /// Describes an element of ListLevels() in a message of Configure().
    static std::string Describe(const QueueLevels& one);
    /// For Configure() of a scheme with a level of its own: returns an error message unless the
    /// level is below XOFF of all queues of some classes.
    /// @param name of the level
    /// @param bytes the level
    std::optional<std::string> CheckBelowXoff(const std::string& name,
                                              uint64_t bytes,
                                              PrioritySet classes) const;

    /// Returns what the neighbour of a lossless ingress queue should do now.
    virtual Demand Assess(QueueId queue) const;
    /// Returns what the neighbour of a port should do now with all classes.
    virtual Demand AssessPort(PortId port) const;

    /// Returns the demand of an occupancy in bytes: PAUSE above XOFF or while headroom is in use,
    /// RESUME below XON, EMPTY at zero if XON is zero; never PAUSE without thresholds.
    static Demand Compare(uint64_t occupancy, const std::optional<Thresholds>& thresholds);

    /// Restarts what may resume after frames have left, and what else a scheme has stopped.
    /// @param released only this queue and its port ("ResumeByOwnRelease"); nothing: all
    virtual void Restart(std::optional<QueueId> released);

    /// Stops or restarts the neighbour of an ingress queue if its demand has changed. Not needed
    /// for the arriving frame's queue and stopped queues, which are assessed anyway.
    void Reassess(QueueId queue);

    /// An ingress queue is no longer held by something other than its own frames. It is assessed
    /// even under "ResumeByOwnRelease", since it may have none left.
    void NotifyLetGo(QueueId queue);

    /// Whether a demand stops or resumes the neighbour of an ingress queue at once; for logs of
    /// subclasses that override Assess().
    bool IsTurn(QueueId queue, Demand demand) const
    {
        return demand == (Buffer().GetIngress(queue).paused ? Demand::RESUME : Demand::PAUSE);
    }

    /// Returns the classes of a port that are stopped individually.
    PrioritySet GetStoppedClasses(PortId port) const;

  private:
    void RestartAfter(const SwitchItem& item);
    /// Whether something stopped restarts now; if it only has to wait, schedules Restart().
    bool MayRestart(PortId port, Time since, Demand demand);

    bool m_resumeByOwnRelease{false}; ///< not at the release of any frame
    EventId m_restart;                ///< pending: restart of something stopped and empty
    std::vector<Time> m_flight; ///< by port: time for everything in flight at a stop to arrive
};

} // namespace ns3::lossless

#endif /* LOSSLESS_THRESHOLD_FLOW_CONTROL_H */
