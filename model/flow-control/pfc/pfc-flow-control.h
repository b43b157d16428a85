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
 * When a lossless ingress queue must stop (ThresholdFlowControl), its neighbour is sent a PAUSE for
 * the class. It is refreshed at half of its time, or earlier where a refresh may take longer to
 * arrive, until a RESUME (a PAUSE of time zero) is sent. If the policy has thresholds for whole
 * ports (DSH), the same happens for the port, with frames that enable all eight classes.
 *
 * A frame carries what has changed since the last one when the wire is free. So a PAUSE waits for
 * at most one frame, and a queue that stops and restarts meanwhile sends nothing.
 *
 * A scheme that restarts what PFC would keep stopped overrides both StaysStopped() and Assess().
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
    /// What can be stopped at a port: bit p is class p, WHOLE_PORT all classes at once.
    using StopSet = uint16_t;

    /// The bit of a StopSet for the port as a whole.
    static constexpr StopSet WHOLE_PORT = 1 << NUM_PRIORITIES;

    /// What a neighbour was last sent.
    struct Told
    {
        StopSet stopped{0}; ///< must stop
        StopSet stale{0};   ///< of these, those to be refreshed
        EventId refresh;    ///< pending: refresh of all of them
    };

    std::string DescribeShortPause(std::size_t port, const PortLink& link, Time needed) const;
    /// Makes a PFC frame.
    /// @param classes enabled classes
    /// @param paused those of them to stop; the others resume
    Ptr<Packet> MakePfc(PortId port, PrioritySet classes, PrioritySet paused) const;
    /// Refreshes all PAUSEs of a port that still hold.
    void Refresh(PortId port);
    /// Schedules or cancels the next refresh of a port.
    void UpdateRefresh(PortId port);
    StopSet GetStopped(PortId port) const;

    uint16_t m_pauseQuanta{0xffff};   ///< time of each PAUSE
    std::vector<Time> m_refreshAfter; ///< by port: time after which PAUSEs are refreshed
    std::vector<Told> m_told;         ///< by port
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PFC_FLOW_CONTROL_H */
