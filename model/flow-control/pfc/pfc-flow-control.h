// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PFC_FLOW_CONTROL_H
#define LOSSLESS_PFC_FLOW_CONTROL_H

#include "sih-buffer-policy.h"
#include "threshold-flow-control.h"

#include "ns3/switch-node.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Priority-based flow control (IEEE 802.1Qbb).
 *
 * When the neighbour of a lossless ingress queue must stop (see ThresholdFlowControl), a PAUSE for
 * the class is sent to it. Until a RESUME (a PAUSE with time zero) is sent, the PAUSE is refreshed
 * after half of its pause time, or earlier if a refresh could otherwise arrive too late. If the
 * policy has thresholds for ports (DSH), the same applies to the port, with frames that enable all
 * eight classes.
 *
 * When the wire is free, a frame with the changes since the last frame is sent. A PAUSE thus waits
 * for at most one frame, and no frame is sent for a queue that stops and restarts in the meantime.
 *
 * A scheme that restarts queues that PFC would keep stopped must override both StaysStopped() and
 * Assess().
 */
class PfcFlowControl : public ThresholdFlowControl
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    void OnLinkUp(PortId port) override;
    bool StaysStopped(const SharedBuffer& rest, QueueId queue) const override;

  protected:
    void DoDispose() override;
    Ptr<Packet> DoMakeControl(PortId port) override;

  private:
    /// The stopped units of a port. Bit p represents class p, and WHOLE_PORT represents all classes
    /// together.
    using StopSet = uint16_t;

    /// The bit of a StopSet for the whole port.
    static constexpr StopSet WHOLE_PORT = 1 << NUM_PRIORITIES;

    /// The state last sent to a neighbour.
    struct Told
    {
        StopSet stopped{0}; ///< the units that are stopped
        StopSet stale{0};   ///< the stopped units that must be refreshed
        EventId refresh;    ///< the pending refresh of all stopped units
    };

    std::string DescribeShortPause(std::size_t port, const PortLink& link, Time needed) const;
    /// Creates a PFC frame.
    /// @param classes the enabled classes
    /// @param paused the enabled classes to stop; the other enabled classes resume
    Ptr<Packet> MakePfc(PortId port, PrioritySet classes, PrioritySet paused) const;
    /// Refreshes all active PAUSEs of a port.
    void Refresh(PortId port);
    /// Schedules or cancels the next refresh of a port.
    void UpdateRefresh(PortId port);
    StopSet GetStopped(PortId port) const;

    uint16_t m_pauseQuanta{0xffff};   ///< the time of each PAUSE, in quanta
    std::vector<Time> m_refreshAfter; ///< the time after which PAUSEs are refreshed, indexed by
                                      ///< port
    std::vector<Told> m_told;         ///< the state sent to each neighbour, indexed by port
};

/// @ingroup lossless
/// A commodity switch: PFC combined with dynamic thresholds and static headroom (SIH).
class PfcSwitchNode : public SwitchOf<SihBufferPolicy, PfcFlowControl>
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PFC_FLOW_CONTROL_H */
