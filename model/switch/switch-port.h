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
 * One port of a switch: hands arriving frames to the node, and holds the egress queues which the
 * device is fed from.
 */
class SwitchPort : public FrameSource, public FrameSink
{
  public:
    /**
     * @param node the switch, which owns this object
     * @param id the port
     * @param device its device
     * @param queues its egress queues
     * @param scheduler chooses among them
     * @param marker marks frames that join one which is long
     */
    SwitchPort(SwitchNode* node,
               PortId id,
               Ptr<LosslessNetDevice> device,
               const EgressQueues& queues,
               Ptr<ClassScheduler> scheduler,
               Ptr<EcnMarker> marker);

    /// @param item a frame to send by this port @param now the time
    void Enqueue(SwitchItem&& item, Ticks now);

    /// @return the device
    const Ptr<LosslessNetDevice>& GetDevice() const
    {
        return m_device;
    }

    /// @return what marks frames
    EcnMarker& GetMarker() const
    {
        return *m_marker;
    }

    /// @return whether the link is up
    bool IsLinkUp() const
    {
        return m_isLinkUp;
    }

    /// @return the frame on the wire, which has just left, without its bytes
    SwitchItem TakeDeparted();

    /// @param priority a class @return what its egress queue can do now
    EgressState GetState(Priority priority) const;

    /// @param visitor is called with all frames here, the one on the wire included
    void ForEach(const ItemVisitor& visitor) const;

    /// Takes all waiting frames of some classes out.
    /// @param classes which @return the frames; the one on the wire is not among them
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
    /// Writes the state of the port into the frame that starts to leave, which asks for it.
    void Stamp();
    /// @param permit what may leave @return the classes which have a frame that may
    PrioritySet GetReady(const Permit& permit) const;

    // What each frame needs stands together, then the queues, and then the frame on the wire: few
    // cache lines.

    SwitchNode* m_node;              ///< not owned
    Ptr<LosslessNetDevice> m_device; ///< its device
    Ptr<ClassScheduler> m_scheduler; ///< chooses among the classes
    Ptr<EcnMarker> m_marker;         ///< marks frames
    uint64_t m_waitingBytes{0};      ///< of the frames in all queues
    PortId m_id;                     ///< this port
    PrioritySet m_backlogged{0};     ///< classes whose queue is not empty
    bool m_isLinkUp;                 ///< see IsLinkUp()
    uint8_t m_rateCode;              ///< rate of the link in a TelemetryHop; 0: it has none
    EgressQueues m_queues;           ///< by class
    SwitchItem m_departing;          ///< the frame on the wire, still in the buffer
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SWITCH_PORT_H */
