// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_CONTROL_H
#define LOSSLESS_FLOW_CONTROL_H

#include "ns3/buffer-policy.h"
#include "ns3/data-rate.h"
#include "ns3/ipv4-address.h"
#include "ns3/mac48-address.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/shared-buffer.h"
#include "ns3/switch-item.h"
#include "ns3/traced-callback.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

class EgressQueue;
class LosslessNetDevice;
class TransmitGate;

/**
 * @ingroup lossless
 * What a switch does for its flow control; small enough to fake in a test.
 */
class SwitchServices
{
  public:
    virtual ~SwitchServices() = default;

    /// There is something to tell the neighbour behind a port: FlowControl::MakeControl() is called
    /// as soon as its wire is free. Void while its link is down. @param port the port
    virtual void RequestControl(PortId port) = 0;
    /// FlowControl::IsWatching() has changed.
    virtual void NotifyWatching() = 0;
    /// Marks a frame "congestion experienced", if it can be, and counts that. @param item a frame
    /// which is not on the wire yet
    virtual void Mark(SwitchItem& item) = 0;
    /// @param port a port @return its MAC address
    virtual Mac48Address GetAddress(PortId port) const = 0;
    /// @param port a port @return whether its link is up
    virtual bool IsLinkUp(PortId port) const = 0;
    /// @param port a port @return the rate at which it sends now, see
    /// LosslessNetDevice::ChangeRate()
    virtual DataRate GetRate(PortId port) const = 0;
    /// @param address of a host @return a port by which frames to it leave; nothing: there is none,
    /// or it depends on more than the address
    virtual std::optional<PortId> FindRoute(Ipv4Address address) const = 0;
};

/**
 * @ingroup lossless
 * A flow control scheme: it watches frames and speaks to the neighbours. One object per switch,
 * since several schemes look across ports. It also makes the parts of the data path that belong to
 * the scheme.
 *
 * This base class owns the dialogue for all schemes: whom the switch has stopped (a class, a port
 * or a single flow), the control frames, and the traces of both, so that recorders know no scheme.
 * It decides nothing, and so is the "no flow control" of the baselines. doc/schemes.rst says what
 * each scheme decides, and by which parts it differs from plain PFC.
 */
class FlowControl : public Object
{
  public:
    /// A neighbour that is stopped.
    template <typename ID>
    struct Stop
    {
        ID id;      ///< for a class (QueueId), or as a whole (PortId)
        Time since; ///< when that was decided
    };

    /// @return the type
    static TypeId GetTypeId();

    /**
     * Called once, before the policy and then this object are configured. Nothing is owned, and all
     * outlives this object's use. A scheme whose policy has to know it overrides this.
     * @param services the switch
     * @param buffer the ledger, in which stops are noted as well
     * @param policy admission and thresholds
     * @param shape ports, links and lossless classes of the switch
     */
    virtual void Attach(SwitchServices* services,
                        SharedBuffer* buffer,
                        BufferPolicy* policy,
                        const SwitchShape* shape);

    /**
     * Called once, before all other methods but Attach(), IsLossless() and those for hosts, with
     * the whole shape.
     * @param shape what the switch is like
     * @return a sentence with the numbers if the configuration is impossible
     */
    virtual std::optional<std::string> Configure(const SwitchShape& shape);

    /// @return whether the scheme keeps frames of the classes under it from being lost
    virtual bool IsLossless() const;

    // Parts of the data path that a scheme may have of its own; those of the switch are made after
    // Configure(), those of a host when its device is initialised, be the switch so or not.

    /// @param port a port @param device of it
    /// @return its upstream side of the scheme; null: the device's own PauseGate
    virtual Ptr<TransmitGate> CreateGate(PortId port, const LosslessNetDevice& device);

    /// @param device of a host behind the switch @return the same for it
    virtual Ptr<TransmitGate> CreateHostGate(const LosslessNetDevice& device) const;

    /// @return whether PFC frames stop what goes through such gates (default: as the device's own)
    virtual bool ObeysPfc() const;

    /// Gives a host its part in the scheme, unless it has it already. @param device of the host
    virtual void PrepareHost(Ptr<LosslessNetDevice> device) const;

    /// @param queue an egress queue @return its structure, which cannot be chosen then; null: what
    /// the attribute SwitchNode::EgressQueue makes
    virtual Ptr<EgressQueue> CreateEgressQueue(QueueId queue);

    /// @return what SwitchNode::EgressQueue makes unless it is set; no type: first in, first out
    virtual ObjectFactory GetUsualEgressQueue() const;

    // Watching frames

    /// A frame has arrived. @param item the frame, counted at its ingress and not yet routed, but
    /// for a switch without PacketProcessor, where that goes in one
    virtual void OnArrival(const SwitchItem& item);

    /**
     * A frame was routed and is about to ask for admission at its egress: may it leave by that
     * port? A scheme which sends frames elsewhere (PABO) changes its egress port here, and one
     * whose queues have limits of their own refuses frames. It may also change the frame. Called
     * only after SetRedirecting().
     * @param item the frame
     * @return why the frame is lost; nothing if it is not
     */
    virtual std::optional<DropReason> Redirect(SwitchItem& item);

    /// @return whether Redirect() has to be asked
    bool IsRedirecting() const
    {
        return m_isRedirecting;
    }

    /// @return the classes whose frames the scheme marks itself, so that no EcnMarker does
    virtual PrioritySet GetOwnMarks() const;

    /// A frame joins its egress queue. @param item the frame, counted there
    virtual void OnEnqueue(const SwitchItem& item);

    /// A frame starts to leave; it may still be marked. @param item the frame, still counted
    virtual void OnDequeue(SwitchItem& item);

    /// The last bit of a frame has left.
    /// @param item the frame, no longer counted
    /// @param when it left; before now if nothing is watched, see Watch()
    virtual void OnRelease(const SwitchItem& item, Ticks when);

    /**
     * A frame that has arrived is lost at once: without route, without room or refused
     * (SwitchNode::SetRefusing()). It was never counted, and OnArrival() not called. A scheme that
     * counts what the neighbour has sent (credits) takes note.
     * @param item the frame; where it has no route, its egress means nothing
     */
    virtual void OnRejection(const SwitchItem& item);

    /**
     * A frame that has arrived, and never joined an egress queue, is lost behind a packet
     * processor. The base class treats it as released.
     * @param item the frame, no longer counted; where it has no route, its egress means nothing
     */
    virtual void OnRefusal(const SwitchItem& item);

    /**
     * A frame in its egress queue, which has not begun to leave, is lost: with its link, or by
     * SwitchNode::Discard(). The base class treats it as released.
     * @param item the frame, no longer counted
     */
    virtual void OnDiscard(const SwitchItem& item);

    /// The link of a port has come up again: its neighbour has forgotten. @param port the port
    virtual void OnLinkUp(PortId port);

    // Speaking to neighbours

    /**
     * The wire of a port is free for a control frame that was asked for by RequestControl(). Traces
     * it as "ControlSent".
     * @param port the port
     * @return the frame; null: there is nothing to tell. Asked again after each frame.
     */
    Ptr<Packet> MakeControl(PortId port);

    /// @return whether OnRelease() is needed at the very moment at which the last bit leaves. If
    /// not, the switch saves an event and releases the frame before the next thing that happens.
    bool IsWatching() const
    {
        return !m_watchers.empty();
    }

    /**
     * Does something of this switch keep the neighbour of an ingress queue from sending the class?
     * The deadlock detector goes by it: where it is so, the neighbour waits for frames of the queue
     * to leave this switch.
     *
     * The base class knows of its own stops: of the class, of a flow of it, or of the port. A
     * scheme that holds by other means (a neighbour that has used up its credits) overrides it, and
     * calls NoteHolding() for those who record pauses.
     * @param queue an ingress queue
     * @return whether so
     */
    virtual bool IsHolding(QueueId queue) const;

    /**
     * The same of all classes of a port together: the neighbour waits for any frame that has come
     * in by the port. The base class knows of its own stops, and overriding goes with IsHolding().
     * @param port an ingress port
     * @return whether so
     */
    virtual bool IsHoldingPort(PortId port) const;

    /**
     * Tells the deadlock detector whether a deadlock can dissolve: would a neighbour that is
     * stopped stay so if nothing but some frames were left in this switch?
     * @param rest the ledger as it would be with these frames alone
     * @param queue an ingress queue whose neighbour is stopped
     * @return whether it certainly would (default: no)
     */
    virtual bool StaysStopped(const SharedBuffer& rest, QueueId queue) const;

    /**
     * Fixes the random numbers of the scheme, if it has any.
     * @param stream first stream to use
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);

    /**
     * Signature of the trace source "QueueState".
     * @param queue an ingress queue
     * @param stopped whether its neighbour is to stop from now on, or to go on
     */
    typedef void (*QueueStateTracedCallback)(QueueId queue, bool stopped);

    /**
     * Signature of the trace source "PortState".
     * @param port an ingress port
     * @param stopped whether its neighbour is to stop all classes from now on, or to go on
     */
    typedef void (*PortStateTracedCallback)(PortId port, bool stopped);

    /**
     * Signature of the trace source "FlowState".
     * @param queue an ingress queue
     * @param flow hash of the flow's key
     * @param stopped whether its neighbour is to stop that flow from now on, or to go on
     */
    typedef void (*FlowStateTracedCallback)(QueueId queue, uint64_t flow, bool stopped);

    /**
     * Signature of the trace source "TimedPause".
     * @param queue an ingress queue
     * @param length for how long its neighbour is to stop, and then to go on by itself
     */
    typedef void (*TimedPauseTracedCallback)(QueueId queue, Time length);

    /**
     * Signature of the trace source "ControlSent".
     * @param port the port by which a control frame starts to leave
     * @param frame the frame, from the Ethernet header on
     */
    typedef void (*ControlSentTracedCallback)(PortId port, Ptr<const Packet> frame);

  protected:
    void DoDispose() override;

    /// @return the ledger
    const SharedBuffer& Buffer() const
    {
        return *m_buffer;
    }

    /// @return admission and thresholds
    const BufferPolicy& Policy() const
    {
        return *m_policy;
    }

    /// @return the switch
    const SwitchShape& Shape() const
    {
        return *m_shape;
    }

    /// @return what else the switch does
    SwitchServices& Services() const
    {
        return *m_services;
    }

    /// @return the ingress queues whose neighbour is stopped, in the order of their stops
    const std::vector<Stop<QueueId>>& GetStoppedQueues() const
    {
        return m_stoppedQueues;
    }

    /// @return the ingress ports whose neighbour is stopped as a whole, in the order of their stops
    const std::vector<Stop<PortId>>& GetStoppedPorts() const
    {
        return m_stoppedPorts;
    }

    /// Stops a neighbour for one class, or lets it go on: notes that, traces it, watches releases
    /// while anything is stopped, and asks for the wire. @param queue any ingress queue, which was
    /// not in that state @param stopped whether it is stopped
    void SetStopped(QueueId queue, bool stopped);
    /// The same for all classes. @param port any ingress port @param stopped whether it is stopped
    void SetPortStopped(PortId port, bool stopped);
    /**
     * The same for single flows of a class, all at once: they are noted and traced in the order
     * given before the wire is asked for, so that one control frame can list them. The scheme keeps
     * which flows it has stopped.
     * @param queue any ingress queue
     * @param flows hashes of the flows' keys, none of which was in that state; none: nothing
     * happens
     * @param stopped whether they are stopped
     */
    void SetFlowsStopped(QueueId queue, const std::vector<uint64_t>& flows, bool stopped);

    /// Stops a neighbour for one class, for a time after which it goes on by itself: traces it and
    /// asks for the wire. The scheme keeps what it has not told yet. @param queue any ingress queue
    /// @param length of the pause
    void PauseFor(QueueId queue, Time length);

    /// A scheme that holds a neighbour without SetStopped(), see IsHolding(), begins or ends to do
    /// so: traces it as "QueueState", by which pauses are recorded, and watches releases while
    /// anything is held. Nothing is noted in the ledger or asked of the wire.
    /// @param queue an ingress queue, not in that state yet @param holding whether it is held
    void NoteHolding(QueueId queue, bool holding);

    /// @param isRedirecting whether Redirect() has to be asked from now on
    void SetRedirecting(bool isRedirecting);

    /**
     * Claims that releases matter at once, see IsWatching(), or gives the claim up. Each owner has
     * its own; stops, and what NoteHolding() has been told of, have one already.
     * @param owner who claims it: any address @param on whether it does
     */
    void Watch(const void* owner, bool on);

  private:
    /**
     * Makes a control frame of what holds now and was not told yet. It is made when it leaves and
     * not at the request, so that a scheme whose newer word replaces the older one (PFC) tells the
     * state of this instant, and nothing stale goes before it; a scheme whose words add up (FAFC)
     * tells each of them that it has not told yet.
     * @param port a port whose wire is free
     * @return the frame; null: there is nothing to tell
     */
    virtual Ptr<Packet> DoMakeControl(PortId port);

    bool m_isRedirecting{false};                ///< see IsRedirecting()
    SwitchServices* m_services{nullptr};        ///< not owned
    SharedBuffer* m_buffer{nullptr};            ///< not owned
    const BufferPolicy* m_policy{nullptr};      ///< not owned
    const SwitchShape* m_shape{nullptr};        ///< not owned
    std::vector<Stop<QueueId>> m_stoppedQueues; ///< see GetStoppedQueues()
    std::vector<Stop<PortId>> m_stoppedPorts;   ///< see GetStoppedPorts()
    std::vector<uint32_t> m_stoppedFlows;       ///< number of flows that are, by queue
    std::size_t m_allStoppedFlows{0};           ///< their sum
    std::size_t m_heldQueues{0};                ///< number of queues, see NoteHolding()
    std::vector<const void*> m_watchers;        ///< who claims that releases matter

    TracedCallback<QueueId, bool> m_queueStateTrace;              ///< a queue stops or restarts
    TracedCallback<PortId, bool> m_portStateTrace;                ///< a port stops or restarts
    TracedCallback<QueueId, uint64_t, bool> m_flowStateTrace;     ///< a flow stops or restarts
    TracedCallback<QueueId, Time> m_timedPauseTrace;              ///< a queue stops for a time
    TracedCallback<PortId, Ptr<const Packet>> m_controlSentTrace; ///< each control frame
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_CONTROL_H */
