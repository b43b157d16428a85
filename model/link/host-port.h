// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_HOST_PORT_H
#define LOSSLESS_HOST_PORT_H

#include "class-queues.h"
#include "frame-endpoint.h"

#include "ns3/ipv4-address.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/nstime.h"
#include "ns3/recurring-event.h"

#include <string>
#include <vector>

namespace ns3::lossless
{

class LosslessNetDevice;

/**
 * @ingroup lossless
 * Takes the arriving frames of one kind of traffic at a host, before ns-3's stack sees them.
 */
class FrameReceiver
{
  public:
    virtual ~FrameReceiver() = default;

    /// @param frame an arrived frame @return whether it was for this receiver, and is consumed
    virtual bool TryReceive(const Frame& frame) = 0;

    /// See FrameSink. @param frames under way to here
    virtual void PrefetchFor(const RingBuffer<Frame>& /* frames */) const
    {
    }
};

/**
 * @ingroup lossless
 * What stands behind the device of a host: ns-3's network stack, and any number of further
 * sources (a RoCE NIC, raw generators), which send one frame each in turn.
 *
 * Packets of the stack wait in one short queue per traffic class. When the device has a
 * NetDeviceQueueInterface (ns-3's address helpers see to it through the traffic control helper),
 * a class whose queue is full stops its transmission queue there: while it is paused, packets
 * stay in the stack's queue discipline and none is lost between stack and wire. Packets of a flow
 * that is stopped alone leave the discipline, wait beside the queue and do not count there, for
 * the others to pass; how many there can be is up to the flow's window.
 */
class HostPort : public FrameSource, public FrameSink
{
  public:
    /// Bytes that one class of the stack may hold before it is stopped: two full frames.
    static constexpr uint32_t STACK_QUEUE_BYTES = 2 * 1514;

    /// @param device the device, which owns this object
    explicit HostPort(LosslessNetDevice* device);
    ~HostPort() override;

    /// @param source a further source; not owned, must outlive the device's traffic
    void AddSource(FrameSource* source);
    /// @param source a source that goes before all others; not owned, as above
    void SetUrgentSource(FrameSource* source);
    /// Keeps all sources but the urgent one from sending. @param duration for this much longer
    void HoldNewFrames(Time duration);
    /// @param receiver asked before the stack about each arriving frame; not owned
    void AddReceiver(FrameReceiver* receiver);
    /// @param receiver asked before all others; not owned
    void AddFirstReceiver(FrameReceiver* receiver);

    /// @param address by which the host is known at this port, beside those of ns-3's stack
    void AddAddress(Ipv4Address address);
    /// @param address an address @return whether the host has it
    bool HasAddress(Ipv4Address address) const;

    /// @param interface stopped when a class is full; null: none (then packets are refused)
    void ConnectStack(Ptr<NetDeviceQueueInterface> interface);
    /// @param frame a frame of the stack @return false if its class holds too much already
    bool SendFromStack(Frame frame);

    bool Prepare(const Permit& permit) override;
    Frame Dequeue(const Permit& permit) override;
    void Receive(Frame&& frame) override;
    void Prefetch() const override;
    void PrefetchFor(const RingBuffer<Frame>& frames) const override;
    void NotifyGateChanged() override;
    void NotifyPaused(const PauseNotice& notice) override;

  private:
    /// The packets of ns-3's stack.
    class StackQueue : public FrameSource
    {
      public:
        bool Prepare(const Permit& permit) override;
        Frame Dequeue(const Permit& permit) override;

        /// @param frame a frame to append
        void Enqueue(Frame frame);
        /// @param priority a class @return its bytes waiting
        uint32_t GetBytes(Priority priority) const;
        /// @param interface stopped when a class is full; may be null
        void Connect(Ptr<NetDeviceQueueInterface> interface);

      private:
        /// @param priority a class @return its transmission queue; null without an interface
        Ptr<NetDeviceQueue> GetTxQueue(Priority priority) const;

        /// @param priority a class @return whether it is stopped though it has room
        bool CanWake(Priority priority) const;
        /// Lets the stack go on with a class if it can. @param priority the class
        void WakeIfRoom(Priority priority);

        ClassQueues m_queues;                     ///< the packets
        Ptr<NetDeviceQueueInterface> m_interface; ///< may be null
    };

    /// The time of HoldNewFrames() is over, unless it was prolonged.
    void EndHold();

    using HoldEndEvent = RecurringEvent<HostPort, &HostPort::EndHold>;

    LosslessNetDevice* m_device;             ///< not owned
    FrameSource* m_urgent{nullptr};          ///< served before all others; may be null
    Ticks m_heldUntil{0};                    ///< until then the others do not send
    Ptr<HoldEndEvent> m_holdEnd;             ///< pending in that time
    bool m_isHeld{false};                    ///< in that time
    StackQueue m_stack;                      ///< ns-3's stack
    std::vector<FrameSource*> m_sources;     ///< the stack's queue first
    std::vector<FrameReceiver*> m_receivers; ///< asked in this order
    std::vector<Ipv4Address> m_addresses;    ///< see AddAddress()
    std::size_t m_turn{0};                   ///< source to be asked first
};

/**
 * Checks that sources and receivers may be put on a device; a device which is on no node, or a port
 * of a switch, stops the program.
 * @param device a device
 * @param user who is to be put there, for the message
 * @return where to put them
 */
HostPort& GetPortOfHost(Ptr<LosslessNetDevice> device, const std::string& user);

} // namespace ns3::lossless

#endif /* LOSSLESS_HOST_PORT_H */
