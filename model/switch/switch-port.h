// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_PORT_H
#define LOSSLESS_SWITCH_PORT_H

#include "class-scheduler.h"
#include "egress-queue.h"
#include "switch-item.h"

#include "ns3/frame-endpoint.h"
#include "ns3/lossless-net-device.h"

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
     */
    SwitchPort(SwitchNode* node,
               PortId id,
               Ptr<LosslessNetDevice> device,
               const EgressQueues& queues,
               Ptr<ClassScheduler> scheduler);

    /// @param item a frame to send by this port @param now the time
    void Enqueue(SwitchItem&& item, Ticks now);

    /// @return the device
    const Ptr<LosslessNetDevice>& GetDevice() const
    {
        return m_device;
    }

    /// @return the frame on the wire, which has just left
    SwitchItem TakeDeparted();

    /// @param priority a class @return what its egress queue can do now
    EgressState GetState(Priority priority);

    /// @param visitor is called with all frames here, the one on the wire included
    void ForEach(const ItemVisitor& visitor) const;

    /// Takes all waiting frames out. @return the frames; the one on the wire is not among them
    std::vector<SwitchItem> Flush();

    bool Prepare(const Permit& permit) override;
    Frame Dequeue(const Permit& permit) override;
    Ptr<Packet> MakeControl() override;
    bool NotifyTransmitStart(Ticks lastBit, const Permit& permit) override;
    void NotifyTransmitEnd() override;
    void NotifyLinkChanged(bool up) override;
    void Receive(Frame&& frame) override;

  private:
    /// Writes the state of the port into the frame that starts to leave, which asks for it.
    void Stamp();
    /// @param permit what may leave @return the classes which have a frame that may
    PrioritySet GetReady(const Permit& permit);

    SwitchNode* m_node;              ///< not owned
    PortId m_id;                     ///< this port
    uint32_t m_nodeId;               ///< of the switch
    Ptr<LosslessNetDevice> m_device; ///< its device
    EgressQueues m_queues;           ///< by class
    Ptr<ClassScheduler> m_scheduler; ///< chooses among the classes
    uint8_t m_rateCode;              ///< rate of the link in a TelemetryHop; 0: it has none
    PrioritySet m_selective{0};      ///< classes whose queue may hold frames back
    PrioritySet m_backlogged{0};     ///< classes whose queue is not empty
    SwitchItem m_departing;          ///< the frame on the wire, still in the buffer
    uint64_t m_waitingBytes{0};      ///< of the frames in all queues
    uint64_t m_sentBytes{0};         ///< of the frames sent so far, on the wire
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SWITCH_PORT_H */
