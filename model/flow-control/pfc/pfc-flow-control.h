// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PFC_FLOW_CONTROL_H
#define LOSSLESS_PFC_FLOW_CONTROL_H

#include "threshold-flow-control.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Priority-based flow control, IEEE 802.1Qbb.
 *
 * When a lossless ingress queue is to stop (ThresholdFlowControl), its neighbour is sent a PAUSE
 * for the class, refreshed at half of its time, or before that where a refresh may need longer to
 * get through, until a RESUME (a PAUSE of time zero) is sent. When the policy has thresholds for
 * whole ports (DSH), the same happens for the port, with frames that enable all eight classes.
 *
 * What a neighbour is told is the difference between what it was told last and what holds when the
 * wire is free. So a PAUSE waits for at most one frame, and a queue which stops and restarts
 * meanwhile costs the wire nothing.
 *
 * A scheme that restarts what PFC would keep stopped overrides StaysStopped() beside Assess().
 */
class PfcFlowControl : public ThresholdFlowControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    void OnLinkUp(PortId port) override;
    bool StaysStopped(const SharedBuffer& rest, QueueId queue) const override;

  protected:
    void DoDispose() override;
    Ptr<Packet> DoMakeControl(PortId port) override;

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

    /// @param port a port @param link its link @param needed what a PAUSE must last there
    /// @return that it lasts less
    std::string DescribeShortPause(std::size_t port, const PortLink& link, Time needed) const;
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
    std::vector<Time> m_refreshAfter; ///< by port: what is stopped is told again then
    std::vector<Told> m_told;         ///< by port
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PFC_FLOW_CONTROL_H */
