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
 * A receiver of one kind of host traffic. Frames that it consumes are not passed to ns-3's network
 * stack.
 */
class FrameReceiver
{
  public:
    virtual ~FrameReceiver() = default;

    /// @return true if the frame was for this receiver and has been consumed
    virtual bool TryReceive(const Frame& frame) = 0;

    /// Prefetches data; see FrameSink::Prefetch().
    virtual void Prefetch(const RingBuffer<Frame>& /* frames */) const
    {
    }
};

/**
 * @ingroup lossless
 * The host side of a device. It serves ns-3's network stack and any number of additional sources (a
 * RoCE NIC and raw generators) in round-robin order, one frame at a time.
 *
 * Packets of the stack wait in one short queue per traffic class. If the device has a
 * NetDeviceQueueInterface (which ns-3's address helpers install with the traffic control helper), a
 * full queue stops the transmission queue of its class. While the class is paused, packets
 * therefore stay in the stack's queue discipline, and no packet is lost between the stack and the
 * wire. Packets of an individually stopped flow leave the discipline and are set aside, so that
 * other packets can pass. Packets set aside do not count towards the length of the queue; their
 * number is limited by the flow's window.
 */
class HostPort : public FrameSource, public FrameSink
{
  public:
    /// The number of waiting bytes of a class above which the stack is stopped: two full frames at
    /// the default MTU.
    static constexpr uint32_t STACK_QUEUE_BYTES = 2 * 1514;

    /// @param device the device that owns this object
    explicit HostPort(LosslessNetDevice* device);
    ~HostPort() override;

    /// @param source the source to add; not owned; must exist as long as the device sends frames
    void AddSource(FrameSource* source)
    {
        m_sources.push_back(source);
    }

    /// @param source the source to be served before all others; not owned; must exist as long as
    /// the device sends frames
    void SetUrgentSource(FrameSource* source);
    /// Holds back all sources except the urgent one.
    /// @param duration the duration of the hold, starting now or at the end of the current hold
    void HoldNewFrames(Time duration);

    /// @param receiver the receiver, which is offered each arriving frame before the stack; not
    /// owned
    void AddReceiver(FrameReceiver* receiver)
    {
        m_receivers.push_back(receiver);
    }

    /// @param receiver the receiver, which is offered each arriving frame before all others; not
    /// owned
    void AddFirstReceiver(FrameReceiver* receiver);

    /// Adds an address of the host, in addition to the addresses of ns-3's stack.
    void AddAddress(Ipv4Address address)
    {
        m_addresses.push_back(address);
    }

    /// @return whether the address belongs to the host
    bool HasAddress(Ipv4Address address) const;

    /// Connects the stack. Before this call, packets are refused if the queue of their class is
    /// full. Afterwards, the interface's transmission queue for this class is stopped instead.
    /// @param interface the stack's interface; null has no effect
    void ConnectStack(Ptr<NetDeviceQueueInterface> interface);
    /// @return false if the queue of the frame's class is full
    bool SendFromStack(Frame frame);

    bool Prepare(const Permit& permit) override;
    Frame Dequeue(const Permit& permit) override;
    void Receive(Frame&& frame) override;
    void Prefetch() const override;
    void Prefetch(const RingBuffer<Frame>& frames) const override;
    void NotifyGateChanged() override;
    void NotifyPaused(const PauseNotice& notice) override;

  private:
    class StackQueue : public FrameSource
    {
      public:
        bool Prepare(const Permit& permit) override;
        Frame Dequeue(const Permit& permit) override;

        /// Appends a frame.
        void Enqueue(Frame frame);
        /// @return the number of waiting bytes of a class, excluding frames set aside
        uint32_t GetBytes(Priority priority) const;
        /// @param interface the interface whose transmission queue is stopped when the queue of a
        /// class is full; null has no effect
        void Connect(Ptr<NetDeviceQueueInterface> interface);

      private:
        /// @return the transmission queue of a class, or null if there is no interface
        Ptr<NetDeviceQueue> GetTxQueue(Priority priority) const;

        /// @return whether the transmission queue of a class is stopped although frames would be
        /// accepted
        bool CanWake(Priority priority) const;
        void WakeIfRoom(Priority priority);

        ClassQueues m_queues;                     ///< the waiting packets
        Ptr<NetDeviceQueueInterface> m_interface; ///< the stack's interface; can be null
    };

    /// Ends the hold started by HoldNewFrames() unless it has been extended.
    void EndHold();

    using HoldEndEvent = RecurringEvent<HostPort, &HostPort::EndHold>;

    LosslessNetDevice* m_device;             ///< the device that owns this object
    FrameSource* m_urgent{nullptr};          ///< the source served before all others; can be null
    Ticks m_heldUntil{0};                    ///< the end of the hold; see HoldNewFrames()
    Ptr<HoldEndEvent> m_holdEnd;             ///< the event at the end of the hold
    bool m_isHeld{false};                    ///< whether m_holdEnd is pending
    StackQueue m_stack;                      ///< the queue of ns-3's stack
    std::vector<FrameSource*> m_sources;     ///< the sources, with the stack's queue first
    std::vector<FrameReceiver*> m_receivers; ///< the receivers in order of precedence
    std::vector<Ipv4Address> m_addresses;    ///< see AddAddress()
    std::size_t m_turn{0};                   ///< the next source in round-robin order
};

/// Returns the HostPort of a host's device. Stops the program if the device is null, has no node or
/// is a port of a switch.
/// @param user the name of the object to be installed, for the error message
HostPort& GetPortOfHost(Ptr<LosslessNetDevice> device, const std::string& user);

} // namespace ns3::lossless

#endif /* LOSSLESS_HOST_PORT_H */
