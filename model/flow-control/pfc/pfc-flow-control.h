// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PFC_FLOW_CONTROL_H
#define LOSSLESS_PFC_FLOW_CONTROL_H

#include "ns3/event-id.h"
#include "ns3/flow-control.h"

#include <optional>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Priority-based flow control, IEEE 802.1Qbb.
 *
 * When the shared occupancy of a lossless ingress queue exceeds the policy's XOFF, or a frame of
 * it is in headroom, its neighbour is sent a PAUSE for the class, refreshed at half of its time
 * until a RESUME (a PAUSE of time zero) is sent, which is when the occupancy is below XON and the
 * headroom is empty. When the policy has thresholds for whole ports (DSH), the same happens for
 * the port, with frames that enable all eight classes.
 *
 * A queue is stopped by an arrival of its own. Restarting is tried at every release of a frame,
 * of any queue: with dynamic thresholds the free buffer which another queue leaves may be what a
 * stopped queue waits for ("ResumeByOwnRelease" is how the simulators of the HPCC family do it
 * instead). A queue or port whose shared occupancy is zero restarts even if XON is
 * zero, too: nothing of its own will ever leave, and two empty queues of two switches could hold
 * each other stopped for ever. So that it does not flap, this waits until everything that was under
 * way when it was stopped has had time to arrive (the time of Eq. 1 of DSH at the rate of the
 * link).
 *
 * What a neighbour is told is the difference between what it was told last and what holds when the
 * wire is free. So a PAUSE waits for at most one frame, and a queue which stops and restarts
 * meanwhile costs the wire nothing.
 *
 * Schemes that differ in the decision only override Assess().
 */
class PfcFlowControl : public FlowControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    bool IsLossless() const override;
    void OnArrival(const SwitchItem& item) override;
    void OnEnqueue(const SwitchItem& item) override;
    void OnRelease(const SwitchItem& item, Ticks when) override;
    void OnLinkUp(PortId port) override;

  protected:
    /// What an occupancy asks for.
    enum class Demand : uint8_t
    {
        KEEP,   ///< neither
        PAUSE,  ///< the neighbour must stop
        RESUME, ///< the neighbour may go on
        EMPTY,  ///< it may go on when nothing is under way any more
    };

    void DoDispose() override;
    Ptr<Packet> DoMakeControl(PortId port) override;

    /// @param queue a lossless ingress queue @return what its neighbour should do now
    virtual Demand Assess(QueueId queue) const;
    /// @param port an ingress port @return what its neighbour should do now with all classes
    virtual Demand AssessPort(PortId port) const;

    /// @param occupancy bytes @param thresholds the levels; nothing: never stop
    /// @return the demand: PAUSE above XOFF or while headroom is in use, RESUME below XON, EMPTY at
    /// zero if XON is zero
    static Demand Compare(uint64_t occupancy, const std::optional<Thresholds>& thresholds);

    /// Stops or restarts the neighbour of any ingress queue, if its demand has changed. The
    /// arriving frame's, and whatever is stopped, is looked at anyway. @param queue the queue
    void Reassess(QueueId queue);

  private:
    /// What can be stopped of a port: bit p is class p, WHOLE_PORT all classes at once.
    using StopSet = uint16_t;

    /// The bit of a StopSet for the port as a whole.
    static constexpr StopSet WHOLE_PORT = 1 << NUM_PRIORITIES;

    /// What a neighbour was told last.
    struct Told
    {
        StopSet stopped{0}; ///< to stop these
        StopSet stale{0};   ///< of them, those to be told again
        EventId refresh;    ///< when that is due for all of them
    };

    /// Restarts what may go on, after a frame has left. @param item the frame
    void RestartAfter(const SwitchItem& item);
    /// Restarts what may go on. @param released only this queue and its port; nothing: all
    void Restart(std::optional<QueueId> released = std::nullopt);
    /// @param port of something stopped @param since when it was @param demand what it asks for
    /// @return whether it restarts now; where only time is missing, Restart() is called later
    bool MayRestart(PortId port, Time since, Demand demand);

    /// @param port a port @param classes classes to set @param paused of them, those to stop
    /// @return the frame that says so
    Ptr<Packet> MakePfc(PortId port, PrioritySet classes, PrioritySet paused) const;
    /// Tells the neighbour of a port again what is still to stop. @param port the port
    void Refresh(PortId port);
    /// Waits for the next refresh of a port, or for none. @param port the port
    void UpdateRefresh(PortId port);
    /// @param port a port @return what of it is stopped
    StopSet GetStopped(PortId port) const;

    uint16_t m_pauseQuanta{0xffff};   ///< time of each PAUSE
    bool m_resumeByOwnRelease{false}; ///< rather than at the release of any frame
    EventId m_restart;                ///< when something stopped and empty may restart
    std::vector<Time> m_flight;       ///< by port: what is under way at a stop has arrived then
    std::vector<Told> m_told;         ///< by port
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PFC_FLOW_CONTROL_H */
