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
 * they have: it decides when a lossless ingress queue, or the port as a whole, stops and restarts.
 *
 * A queue is stopped by an arrival of its own, when its shared occupancy exceeds XOFF or a frame of
 * it is in headroom; so is a port where the policy has thresholds for ports (DSH). Restarting is
 * tried at every release of a frame, of any queue: with dynamic thresholds the free buffer which
 * another queue leaves may be what a stopped queue waits for ("ResumeByOwnRelease" is how the
 * simulators of the HPCC family do it instead). It takes an occupancy below XON and empty headroom.
 * A queue or port whose shared occupancy is zero restarts even if XON is zero, too: nothing of its
 * own will ever leave, and two empty queues of two switches could hold each other stopped for ever.
 * So that it does not flap, this waits until everything that was under way when it was stopped has
 * had time to arrive (the time of Eq. 1 of DSH at the rate of the link).
 *
 * A policy without thresholds is refused: under it no neighbour would ever be stopped.
 *
 * Schemes that differ in the decision only override Assess().
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
    /// What an occupancy asks for.
    enum class Demand : uint8_t
    {
        KEEP,   ///< neither
        PAUSE,  ///< the neighbour must stop
        RESUME, ///< the neighbour may go on
        EMPTY,  ///< it may go on when nothing is under way any more
    };

    /// An ingress queue and its levels.
    struct QueueLevels
    {
        QueueId queue;     ///< the queue
        Thresholds levels; ///< of the buffer policy
    };

    /// Only schemes are created.
    ThresholdFlowControl() = default;

    void DoDispose() override;

    /// @return the lossless ingress queues that are ever stopped, with their levels now; inside
    /// Configure() those of the empty switch, the highest there are
    std::vector<QueueLevels> ListLevels() const;
    /// @param one of ListLevels(), inside Configure() @return its levels, for a sentence
    static std::string Describe(const QueueLevels& one);
    /**
     * For Configure() of a scheme with a level of its own.
     * @param name of the level
     * @param bytes the level
     * @param classes whose queues it is for
     * @return a sentence if it is not below XOFF of all these queues
     */
    std::optional<std::string> CheckBelowXoff(const std::string& name,
                                              uint64_t bytes,
                                              PrioritySet classes) const;

    /// @param queue a lossless ingress queue @return what its neighbour should do now
    virtual Demand Assess(QueueId queue) const;
    /// @param port an ingress port @return what its neighbour should do now with all classes
    virtual Demand AssessPort(PortId port) const;

    /// @param occupancy bytes @param thresholds the levels; nothing: never stop
    /// @return the demand: PAUSE above XOFF or while headroom is in use, RESUME below XON, EMPTY at
    /// zero if XON is zero
    static Demand Compare(uint64_t occupancy, const std::optional<Thresholds>& thresholds);

    /**
     * Restarts what may go on, when frames have left. A scheme that stops something else restarts
     * that as well.
     * @param released only this queue and its port ("ResumeByOwnRelease"); nothing: all
     */
    virtual void Restart(std::optional<QueueId> released);

    /// Stops or restarts the neighbour of any ingress queue, if its demand has changed. The
    /// arriving frame's, and whatever is stopped, is looked at anyway. @param queue the queue
    void Reassess(QueueId queue);

    /// Something other than frames of its own holds an ingress queue no longer. It is looked at
    /// even under "ResumeByOwnRelease": none of its own may be left. @param queue the queue
    void NotifyLetGo(QueueId queue);

    /// For logs of who overrides Assess(). @param queue an ingress queue @param demand what it asks
    /// for @return whether that stops its neighbour, or lets it go on, at once
    bool IsTurn(QueueId queue, Demand demand) const
    {
        return demand == (Buffer().GetIngress(queue).paused ? Demand::RESUME : Demand::PAUSE);
    }

    /// @param port a port @return the classes which it has stopped one by one
    PrioritySet GetStoppedClasses(PortId port) const;

  private:
    /// Restarts what may go on, after a frame has left. @param item the frame
    void RestartAfter(const SwitchItem& item);
    /// @param port of something stopped @param since when it was @param demand what it asks for
    /// @return whether it restarts now; where only time is missing, Restart() is called later
    bool MayRestart(PortId port, Time since, Demand demand);

    bool m_resumeByOwnRelease{false}; ///< rather than at the release of any frame
    EventId m_restart;                ///< when something stopped and empty may restart
    std::vector<Time> m_flight;       ///< by port: what is under way at a stop has arrived then
};

} // namespace ns3::lossless

#endif /* LOSSLESS_THRESHOLD_FLOW_CONTROL_H */
