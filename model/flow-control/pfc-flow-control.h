// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PFC_FLOW_CONTROL_H
#define LOSSLESS_PFC_FLOW_CONTROL_H

#include "flow-control.h"

#include "ns3/event-id.h"
#include "ns3/mac-control-header.h"
#include "ns3/traced-callback.h"

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
 * stopped queue waits for. A queue or port whose shared occupancy is zero restarts even if XON is
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
    void OnEnqueue(const SwitchItem& item) override;
    void OnRelease(const SwitchItem& item) override;
    void OnLinkUp(PortId port) override;
    Ptr<Packet> MakeControl(PortId port) override;

    /**
     * Signature of the trace source "QueueState".
     * @param queue an ingress queue
     * @param paused whether its neighbour is to stop from now on, or to go on
     */
    typedef void (*QueueStateTracedCallback)(QueueId queue, bool paused);

    /**
     * Signature of the trace source "PortState".
     * @param port an ingress port
     * @param paused whether its neighbour is to stop all classes from now on, or to go on
     */
    typedef void (*PortStateTracedCallback)(PortId port, bool paused);

    /**
     * Signature of the trace source "FrameSent".
     * @param port the port by which a PFC frame starts to leave
     * @param pfc its content
     */
    typedef void (*FrameSentTracedCallback)(PortId port, const PfcHeader& pfc);

  protected:
    /// What an occupancy asks for.
    enum class Demand : uint8_t
    {
        KEEP,   ///< neither
        PAUSE,  ///< the neighbour must stop
        RESUME, ///< the neighbour may go on
        EMPTY,  ///< it may go on when nothing is under way any more
    };

    /// A neighbour that is stopped.
    template <typename ID>
    struct Stop
    {
        ID id;      ///< for a class (QueueId), or as a whole (PortId)
        Time since; ///< when that was decided
    };

    void DoDispose() override;

    /// @param queue a lossless ingress queue @return what its neighbour should do now
    virtual Demand Assess(QueueId queue) const;

    /// @param occupancy bytes @param thresholds the levels; nothing: never stop
    /// @return the demand: PAUSE above XOFF or while headroom is in use, RESUME below XON, EMPTY at
    /// zero if XON is zero
    static Demand Compare(uint64_t occupancy, const std::optional<Thresholds>& thresholds);

  private:
    /// @param port an ingress port @return what its neighbour should do now with all classes
    Demand AssessPort(PortId port) const;

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

    /// Restarts all that may go on.
    void Restart();
    /// @param port of something stopped @param since when it was @param demand what it asks for
    /// @return whether it restarts now; where only time is missing, Restart() is called later
    bool MayRestart(PortId port, Time since, Demand demand);

    /// Stops or restarts the neighbour for one class. @param queue the queue @param paused stop
    void SetQueuePaused(QueueId queue, bool paused);
    /// Stops or restarts the neighbour for all classes. @param port the port @param paused stop
    void SetPortPaused(PortId port, bool paused);

    /// @param port a port @param classes classes to set @param paused of them, those to stop
    /// @return the frame that says so
    Ptr<Packet> MakePfc(PortId port, PrioritySet classes, PrioritySet paused) const;
    /// Tells the neighbour of a port again what is still to stop. @param port the port
    void Refresh(PortId port);
    /// Waits for the next refresh of a port, or for none. @param port the port
    void UpdateRefresh(PortId port);
    /// @param port a port @return what of it is stopped
    StopSet GetStopped(PortId port) const;
    /// Restarting anything stopped must be timely.
    void UpdateWatching();

    uint16_t m_pauseQuanta{0xffff};          ///< time of each PAUSE
    std::vector<Stop<QueueId>> m_paused;     ///< queues whose neighbour is stopped
    std::vector<Stop<PortId>> m_pausedPorts; ///< ports whose neighbour is stopped as a whole
    EventId m_restart;                       ///< when an empty one of them may restart
    std::vector<Time> m_flight; ///< by port: from a decision to the last frame sent in spite of it
    std::vector<Told> m_told;   ///< by port

    TracedCallback<QueueId, bool> m_queueStateTrace;           ///< a queue stops or restarts
    TracedCallback<PortId, bool> m_portStateTrace;             ///< a port stops or restarts
    TracedCallback<PortId, const PfcHeader&> m_frameSentTrace; ///< each PFC frame
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PFC_FLOW_CONTROL_H */
