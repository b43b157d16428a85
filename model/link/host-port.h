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
 * Takes a host's received frames of one kind of traffic before ns-3's stack sees them.
 */
class FrameReceiver
{
  public:
    virtual ~FrameReceiver() = default;

    /// @return whether the frame was for this receiver and is consumed
    virtual bool TryReceive(const Frame& frame) = 0;

    /// See FrameSink.
    virtual void PrefetchFor(const RingBuffer<Frame>& /* frames */) const
    {
    }
};

/**
 * @ingroup lossless
 * Host side of a device: ns-3's network stack and any number of further sources (a RoCE NIC, raw
 * generators), which send one frame each in round-robin order.
 *
 * Packets of the stack wait in one short queue per traffic class. If the device has a
 * NetDeviceQueueInterface (ns-3's address helpers install one through the traffic control helper),
 * a class with a full queue stops its transmission queue there: while it is paused, packets stay in
 * the stack's queue discipline and none is lost between stack and wire. Packets of an individually
 * stopped flow leave the discipline and wait next to the queue without counting, so that others can
 * pass; the flow's window limits their number.
 */
class HostPort : public FrameSource, public FrameSink
{
  public:
    /// Bytes of one class at which the stack is stopped: two full frames.
    static constexpr uint32_t STACK_QUEUE_BYTES = 2 * 1514;

    /// @param device owns this object
    explicit HostPort(LosslessNetDevice* device);
    ~HostPort() override;

    /// @param source not owned, must outlive the device's traffic
    void AddSource(FrameSource* source);
    /// @param source is served before all others; not owned, as above
    void SetUrgentSource(FrameSource* source);
    /// Keeps all sources except the urgent one from sending. @param duration from now on
    void HoldNewFrames(Time duration);
    /// @param receiver offered each arriving frame before the stack; not owned
    void AddReceiver(FrameReceiver* receiver);
    /// @param receiver offered each arriving frame before all others; not owned
    void AddFirstReceiver(FrameReceiver* receiver);

    /// Adds an address of the host at this port, in addition to those of ns-3's stack.
    void AddAddress(Ipv4Address address);
    /// @return whether this is an address of the host
    bool HasAddress(Ipv4Address address) const;

    /// @param interface stopped when a class is full; if null, packets are then refused
    void ConnectStack(Ptr<NetDeviceQueueInterface> interface);
    /// @return false if the frame's class is full
    bool SendFromStack(Frame frame);

    bool Prepare(const Permit& permit) override;
    Frame Dequeue(const Permit& permit) override;
    void Receive(Frame&& frame) override;
    void Prefetch() const override;
    void PrefetchFor(const RingBuffer<Frame>& frames) const override;
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
        /// @return waiting bytes of a class
        uint32_t GetBytes(Priority priority) const;
        /// @param interface stopped when a class is full; may be null
        void Connect(Ptr<NetDeviceQueueInterface> interface);

      private:
        /// @return the transmission queue of a class; null without an interface
        Ptr<NetDeviceQueue> GetTxQueue(Priority priority) const;

        /// @return whether a class is stopped though it has room
        bool CanWake(Priority priority) const;
        void WakeIfRoom(Priority priority);

        ClassQueues m_queues;                     ///< the packets
        Ptr<NetDeviceQueueInterface> m_interface; ///< may be null
    };

    /// The time of HoldNewFrames() is over, unless it was extended.
    void EndHold();

    using HoldEndEvent = RecurringEvent<HostPort, &HostPort::EndHold>;

    LosslessNetDevice* m_device;             ///< not owned
    FrameSource* m_urgent{nullptr};          ///< served before all others; may be null
    Ticks m_heldUntil{0};                    ///< end of HoldNewFrames()
    Ptr<HoldEndEvent> m_holdEnd;             ///< pending until then
    bool m_isHeld{false};                    ///< pending m_holdEnd
    StackQueue m_stack;                      ///< ns-3's stack
    std::vector<FrameSource*> m_sources;     ///< the stack's queue first
    std::vector<FrameReceiver*> m_receivers; ///< in order of precedence
    std::vector<Ipv4Address> m_addresses;    ///< see AddAddress()
    std::size_t m_turn{0};                   ///< next source of the round robin
};

/// Returns the port for sources and receivers on a device. A device without a node, or a port of a
/// switch, stops the program.
/// @param user what is to be installed, for the message
HostPort& GetPortOfHost(Ptr<LosslessNetDevice> device, const std::string& user);

} // namespace ns3::lossless

#endif /* LOSSLESS_HOST_PORT_H */
