// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_PORT_H
#define LOSSLESS_SWITCH_PORT_H

#include "ns3/class-scheduler.h"
#include "ns3/ecn-marker.h"
#include "ns3/egress-queue.h"
#include "ns3/frame-endpoint.h"
#include "ns3/lossless-net-device.h"
#include "ns3/switch-item.h"

namespace ns3::lossless
{

class SwitchNode;

/**
 * @ingroup lossless
 * A port of a switch. It passes arriving frames to the node and contains the egress queues from
 * which the device takes frames.
 */
class SwitchPort : public FrameSource, public FrameSink
{
  public:
    /// @param node the switch that owns this object
    /// @param marker the marker, which marks frames of long queues
    SwitchPort(SwitchNode* node,
               PortId id,
               Ptr<LosslessNetDevice> device,
               const EgressQueues& queues,
               Ptr<ClassScheduler> scheduler,
               Ptr<EcnMarker> marker);

    /// Appends a frame to its egress queue.
    void Enqueue(SwitchItem&& item, Ticks now);

    /// @return the device
    const Ptr<LosslessNetDevice>& GetDevice() const
    {
        return m_device;
    }

    /// @return the marker
    EcnMarker& GetMarker() const
    {
        return *m_marker;
    }

    /// @return whether the link is up
    bool IsLinkUp() const
    {
        return m_isLinkUp;
    }

    /// @return the frame that was on the wire and has just left, without its bytes
    SwitchItem TakeDeparted();

    /// @return the state of a class's egress queue
    EgressState GetState(Priority priority) const;

    /// Calls the visitor with all frames of the port, including the frame on the wire.
    void ForEach(const ItemVisitor& visitor) const;

    /// Removes and returns all waiting frames of some classes. The frame on the wire remains.
    std::vector<SwitchItem> Flush(PrioritySet classes);

    bool Prepare(const Permit& permit) override;
    Frame Dequeue(const Permit& permit) override;
    Ptr<Packet> MakeControl() override;
    bool NotifyTransmitStart(Ticks lastBit, const Permit& permit) override;
    void NotifyTransmitEnd() override;
    void NotifyLinkChanged(bool up) override;
    void Receive(Frame&& frame) override;
    void Prefetch() const override;

  private:
    /// Writes the port's state into the departing frame if the frame requests telemetry.
    void Stamp();
    /// @return the classes with a frame that can be sent
    PrioritySet GetReady(const Permit& permit) const;

    // The members needed for each frame are contiguous. The queues and the frame on the wire
    // follow, so all of these occupy only a few cache lines.

    SwitchNode* m_node; ///< the switch that owns this object
    Ptr<LosslessNetDevice> m_device;
    Ptr<ClassScheduler> m_scheduler; ///< the scheduler, which selects a class
    Ptr<EcnMarker> m_marker;         ///< the marker, which marks the port's frames
    uint64_t m_waitingBytes{0};      ///< the number of bytes of the frames in all queues
    PortId m_id;
    PrioritySet m_backlogged{0}; ///< the classes whose queues are not empty
    bool m_isLinkUp;             ///< see IsLinkUp()
    uint8_t m_rateCode;          ///< the code of the link's rate in a TelemetryHop, or 0 if the
                                 ///< rate has no code
    EgressQueues m_queues;       ///< the queues by class
    SwitchItem m_departing;      ///< the frame on the wire, still in the buffer
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SWITCH_PORT_H */
