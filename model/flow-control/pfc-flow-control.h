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
 * stopped queue waits for, and it may be empty itself.
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

    /**
     * Signature of the trace source "QueueState".
     * @param queue an ingress queue
     * @param paused whether its neighbour has just been told to stop, or to go on
     */
    typedef void (*QueueStateTracedCallback)(QueueId queue, bool paused);

    /**
     * Signature of the trace source "PortState".
     * @param port an ingress port
     * @param paused whether its neighbour has just been told to stop all classes, or to go on
     */
    typedef void (*PortStateTracedCallback)(PortId port, bool paused);

    /**
     * Signature of the trace source "FrameSent".
     * @param port the port by which a PFC frame leaves
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
    };

    void DoDispose() override;

    /// @param queue a lossless ingress queue @return what its neighbour should do now
    virtual Demand Assess(QueueId queue) const;

    /// @param occupancy bytes @param thresholds the levels; nothing: never stop
    /// @return the demand: PAUSE above XOFF or while headroom is in use, RESUME below XON
    static Demand Compare(uint64_t occupancy, const std::optional<Thresholds>& thresholds);

  private:
    /// @param port an ingress port @return what its neighbour should do now with all classes
    Demand AssessPort(PortId port) const;

    /// Tells a neighbour to stop or restart one class. @param queue the queue @param paused stop
    void SetQueuePaused(QueueId queue, bool paused);
    /// Tells a neighbour to stop or restart all classes. @param port the port @param paused stop
    void SetPortPaused(PortId port, bool paused);

    /// Sends a PFC frame. @param port the port @param classes classes to set
    /// @param quanta time for each of them
    void SendPfc(PortId port, PrioritySet classes, uint16_t quanta);
    /// Repeats what the neighbour of a port has been told. @param port the port
    void Refresh(PortId port);
    /// Waits for the next refresh of a port, or for none. @param port the port
    void ScheduleRefresh(PortId port);
    /// @param port a port @return the classes of it that are stopped
    PrioritySet GetPausedClasses(PortId port);
    /// Restarting anything stopped must be timely.
    void UpdateWatching();

    uint16_t m_pauseQuanta{0xffff};    ///< time of each PAUSE
    std::vector<QueueId> m_paused;     ///< queues whose neighbour is stopped
    std::vector<PortId> m_pausedPorts; ///< ports whose neighbour is stopped as a whole
    std::vector<EventId> m_refreshes;  ///< by port, grown on demand

    TracedCallback<QueueId, bool> m_queueStateTrace;           ///< a queue stops or restarts
    TracedCallback<PortId, bool> m_portStateTrace;             ///< a port stops or restarts
    TracedCallback<PortId, const PfcHeader&> m_frameSentTrace; ///< each PFC frame
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PFC_FLOW_CONTROL_H */
