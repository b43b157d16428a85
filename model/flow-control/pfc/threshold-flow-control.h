// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_THRESHOLD_FLOW_CONTROL_H
#define LOSSLESS_THRESHOLD_FLOW_CONTROL_H

#include "ns3/event-id.h"
#include "ns3/flow-control.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The base class of schemes that stop a neighbour based on the thresholds of the buffer policy. It
 * decides when a lossless ingress queue or a whole port stops and restarts. Subclasses define the
 * control frames.
 *
 * A queue is stopped if, after the arrival of a frame, its shared occupancy exceeds XOFF or one of
 * its frames is in headroom. The same applies to a port if the policy has thresholds for ports
 * (DSH). A queue can restart when a frame of any queue is released, because with dynamic
 * thresholds, a stopped queue may be waiting for buffer space that another queue frees. (Simulators
 * of the HPCC family behave like this class if "ResumeByOwnRelease" is set.) A queue restarts if
 * its occupancy is below XON and its headroom is empty.
 *
 * A queue or port with a shared occupancy of zero restarts even if XON is also zero. It has no
 * frames whose departure could bring it below XON, and without this rule, empty queues of two
 * switches could block each other forever. To prevent flapping, such a queue or port first waits
 * until all frames in flight at the time of the stop have had time to arrive. This waiting time is
 * the transmission time, at the rate of the link, of the number of bytes in Eq. 1 of DSH.
 *
 * With "WholeEgressQueues", the length of an ingress queue is the total length of all egress queues
 * of its class in which it has frames, including the frames from other ingress queues (OFC, Sec.
 * III-A). An ingress queue is therefore also assessed when one of its frames joins an egress queue.
 *
 * A policy without thresholds is rejected, because it would never stop a neighbour.
 *
 * Schemes that differ only in the decision override Assess().
 */
class ThresholdFlowControl : public FlowControl
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    bool IsLossless() const override;
    void OnArrival(const SwitchItem& item) override;
    void OnEnqueue(const SwitchItem& item) override;
    void OnRelease(const SwitchItem& item, Ticks when) override;
    void OnRefusal(const SwitchItem& item) override;

  protected:
    /// The action that an occupancy requires.
    enum class Demand : uint8_t
    {
        KEEP,   ///< no change
        PAUSE,  ///< the neighbour must stop
        RESUME, ///< the neighbour may resume
        EMPTY,  ///< the neighbour can resume when nothing is in flight
    };

    /// An ingress queue and its thresholds.
    struct QueueLevels
    {
        QueueId queue;     ///< the queue
        Thresholds levels; ///< the thresholds of the buffer policy
    };

    /// Constructor for subclasses.
    ThresholdFlowControl() = default;

    void DoDispose() override;

    /// Returns the lossless ingress queues that can be stopped, with their current thresholds. In
    /// Configure(), these are the thresholds of the empty switch, which are the highest possible.
    std::vector<QueueLevels> ListLevels() const;
    /// Describes an element of ListLevels() for an error message from Configure().
    static std::string Describe(const QueueLevels& one);
    /// Returns an error message unless a threshold of a scheme is below the XOFF of all queues of
    /// the given classes. For use in Configure().
    /// @param name the name of the threshold
    /// @param bytes the threshold in bytes
    std::optional<std::string> CheckBelowXoff(const std::string& name,
                                              uint64_t bytes,
                                              PrioritySet classes) const;

    /// Decrements the frame count of a key, and removes the key when the count reaches zero.
    template <typename MAP>
    static void RemoveOne(MAP& frames, const typename MAP::key_type& key)
    {
        const auto found = frames.find(key);
        if (--found->second == 0)
        {
            frames.erase(found);
        }
    }

    /// Returns true if "WholeEgressQueues" is set.
    bool CountsWholeEgressQueues() const
    {
        return m_wholeEgressQueues;
    }

    /// Returns the length of an ingress queue for comparison with its thresholds, in bytes.
    /// @param ingress the queue
    /// @param own the queue's own bytes, which are its length unless "WholeEgressQueues" is set
    uint64_t GetLength(QueueId ingress, uint64_t own) const;

    /// Returns the action that a lossless ingress queue currently requires of its neighbour.
    virtual Demand Assess(QueueId queue) const;
    /// Returns the action, for all classes, that a port currently requires of its neighbour.
    virtual Demand AssessPort(PortId port) const;

    /// Returns the action that corresponds to an occupancy in bytes. The action is PAUSE above XOFF
    /// or while headroom is in use, RESUME below XON, and EMPTY at zero if XON is zero. Without
    /// thresholds, it is always KEEP.
    static Demand Compare(uint64_t occupancy, const std::optional<Thresholds>& thresholds);

    /// Restarts the queues and ports that can resume after frames have left. Subclasses can also
    /// restart queues that they have stopped for other reasons.
    /// @param released the only queue to restart, together with its port ("ResumeByOwnRelease"); if
    /// unset, all can restart
    virtual void Restart(std::optional<QueueId> released);

    /// Stops or restarts the neighbour of an ingress queue if the result of Assess() has changed.
    /// There is no need to call this function for the queue of an arriving frame or for stopped
    /// queues, because these are always assessed.
    void Reassess(QueueId queue);

    /// Called when a reason to stop an ingress queue, other than the length of the queue itself,
    /// may no longer apply. The queue is assessed even with "ResumeByOwnRelease", because it may
    /// have no frames left.
    void NotifyLetGo(QueueId queue);

    /// Returns whether a demand immediately stops or resumes the neighbour of an ingress queue.
    /// Subclasses that override Assess() use this for log messages.
    bool IsTurn(QueueId queue, Demand demand) const
    {
        return demand == (Buffer().GetIngress(queue).paused ? Demand::RESUME : Demand::PAUSE);
    }

    /// Returns the classes of a port that are stopped individually.
    PrioritySet GetStoppedClasses(PortId port) const;

    /// Restarts the queues and ports that can resume after a frame has left or has been refused.
    void RestartAfter(const SwitchItem& item);

  private:
    /// Restarts the queues and ports that can resume when nothing is in flight from then on; with
    /// "ResumeByOwnRelease", only those without shared bytes.
    void RestartEmpty();
    /// Returns whether a stopped queue or port can restart now. If it only needs to wait,
    /// RestartEmpty() is scheduled.
    bool MayRestart(PortId port, Time since, Demand demand);
    /// Implements Restart() and RestartEmpty().
    /// @param released see Restart()
    /// @param onlyEmpty whether only queues and ports without shared bytes can restart
    void RestartAmong(std::optional<QueueId> released, bool onlyEmpty);

    /// Whether a queue can restart only when one of its own frames is released.
    bool m_resumeByOwnRelease{false};
    bool m_wholeEgressQueues{false}; ///< see GetLength()
    /// For each ingress queue, the number of its frames in each egress port's queue, if
    /// "WholeEgressQueues" is set.
    std::vector<std::map<PortId, uint32_t>> m_places;
    EventId m_restart; ///< the pending restart of an empty queue or port
    /// The time within which all frames in flight at a stop arrive, indexed by port.
    std::vector<Time> m_flight;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_THRESHOLD_FLOW_CONTROL_H */
