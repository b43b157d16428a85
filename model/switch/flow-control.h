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
 * Services of a switch for its flow control; small enough to fake in a test.
 */
class SwitchServices
{
  public:
    virtual ~SwitchServices() = default;

    /// Requests FlowControl::MakeControl() as soon as the wire of a port is free. No effect while
    /// its link is down.
    virtual void RequestControl(PortId port) = 0;
    /// FlowControl::IsWatching() has changed.
    virtual void NotifyWatching() = 0;
    /// Marks a frame "congestion experienced" if possible, and counts that.
    /// @param item not on the wire yet
    virtual void Mark(SwitchItem& item) = 0;
    /// @return MAC address of a port
    virtual Mac48Address GetAddress(PortId port) const = 0;
    /// @return whether the link of a port is up
    virtual bool IsLinkUp(PortId port) const = 0;
    /// @return the present sending rate of a port, see LosslessNetDevice::ChangeRate()
    virtual DataRate GetRate(PortId port) const = 0;
    /// @return the port by which frames to a host leave; nothing if there is none, or if it depends
    /// on more than the address
    virtual std::optional<PortId> FindRoute(Ipv4Address address) const = 0;
};

/**
 * @ingroup lossless
 * A flow control scheme: it observes frames and signals to the neighbours. One object per switch,
 * since several schemes coordinate ports. It also creates the scheme's own parts of the data path.
 *
 * This base class implements the dialogue for all schemes: which neighbours are stopped (for a
 * class, a port or a single flow), the control frames, and the traces of both, so recorders need
 * not know schemes. It makes no decisions and thus serves as the baselines' "no flow control".
 * doc/schemes.rst describes the decisions of each scheme, and the parts in which it differs from
 * plain PFC.
 */
class FlowControl : public Object
{
  public:
    /// A stopped neighbour.
    template <typename ID>
    struct Stop
    {
        ID id;      ///< for a class (QueueId) or as a whole (PortId)
        Time since; ///< time of the decision
    };

    /// @return the type
    static TypeId GetTypeId();

    /// Called once, before the policy and then this object are configured. The arguments are not
    /// owned and outlive this object's use. Overridden by schemes that depend on the policy.
    /// @param buffer the ledger, in which stops are also recorded
    virtual void Attach(SwitchServices* services,
                        SharedBuffer* buffer,
                        BufferPolicy* policy,
                        const SwitchShape* shape);

    /// Called once, before all other methods except Attach(), IsLossless() and those for hosts.
    /// @param shape complete
    /// @return an error message with the numbers if the configuration is impossible
    virtual std::optional<std::string> Configure(const SwitchShape& shape);

    /// @return whether the scheme prevents loss in the classes under flow control
    virtual bool IsLossless() const;

    // Parts of the data path that a scheme may replace. Those of the switch are created after
    // Configure(), those of a host when its device is initialised, whether or not the switch is.

    /// @return the scheme's gate of a port; null: the device's own PauseGate
    virtual Ptr<TransmitGate> CreateGate(PortId port, const LosslessNetDevice& device);

    /// @return the scheme's gate of a host attached to the switch; null: its own PauseGate
    virtual Ptr<TransmitGate> CreateHostGate(const LosslessNetDevice& device) const;

    /// @return whether PFC frames stop what passes such gates (default: as the device's own)
    virtual bool ObeysPfc() const;

    /// Gives a host its part of the scheme, unless it has it already. @param device of the host
    virtual void PrepareHost(Ptr<LosslessNetDevice> device) const;

    /// @return the scheme's structure of an egress queue, which then cannot be chosen; null: that
    /// of the attribute SwitchNode::EgressQueue
    virtual Ptr<EgressQueue> CreateEgressQueue(QueueId queue);

    /// @return default of SwitchNode::EgressQueue; without a type: FIFO
    virtual ObjectFactory GetUsualEgressQueue() const;

    // Watching frames

    /// A frame has arrived.
    /// @param item counted at its ingress and not yet routed, except in a switch without a
    /// PacketProcessor, where both happen at once
    virtual void OnArrival(const SwitchItem& item);

    /// A routed frame is about to request admission at its egress. A scheme that redirects frames
    /// (PABO) changes the egress port here; one whose queues have their own limits refuses frames.
    /// It may also change the frame. Called only after SetRedirecting().
    /// @return why the frame is lost; nothing if it is not
    virtual std::optional<DropReason> Redirect(SwitchItem& item);

    /// @return whether Redirect() must be called
    bool IsRedirecting() const
    {
        return m_isRedirecting;
    }

    /// @return the classes whose frames the scheme marks itself, instead of an EcnMarker
    virtual PrioritySet GetOwnMarks() const;

    /// A frame joins its egress queue. @param item counted there
    virtual void OnEnqueue(const SwitchItem& item);

    /// A frame starts to leave; it may still be marked. @param item still counted
    virtual void OnDequeue(SwitchItem& item);

    /// The last bit of a frame has left.
    /// @param item no longer counted
    /// @param when it left; before now if nothing is watched, see Watch()
    virtual void OnRelease(const SwitchItem& item, Ticks when);

    /// An arriving frame is lost at once: without a route, without room or refused
    /// (SwitchNode::SetRefusing()). It was never counted, and OnArrival() was not called. For
    /// schemes that count what the neighbour has sent (credits).
    /// @param item its egress is undefined if it has no route
    virtual void OnRejection(const SwitchItem& item);

    /// A frame that has arrived, but not joined an egress queue, is lost behind a packet processor.
    /// The base class treats it as released.
    /// @param item no longer counted; its egress is undefined if it has no route
    virtual void OnRefusal(const SwitchItem& item);

    /// A frame that waits in its egress queue is lost with its link or by SwitchNode::Discard().
    /// The base class treats it as released.
    /// @param item no longer counted
    virtual void OnDiscard(const SwitchItem& item);

    /// The link of a port has come up again: the neighbour has lost its state.
    virtual void OnLinkUp(PortId port);

    // Speaking to neighbours

    /// Called when the wire of a port is free after RequestControl(), and again after each frame
    /// until null is returned. Traces the frame as "ControlSent".
    /// @return the frame; null if there is nothing to send
    Ptr<Packet> MakeControl(PortId port);

    /// @return whether OnRelease() is needed at the exact time at which the last bit leaves. If
    /// not, the switch saves an event and releases the frame before its next action.
    bool IsWatching() const
    {
        return m_claims > 0;
    }

    /**
     * Whether this switch keeps the neighbour of an ingress queue from sending the class. For the
     * deadlock detector, such a neighbour waits for frames of the queue to leave this switch.
     *
     * The base class knows its own stops: of the class, a flow of it, or the port. A scheme that
     * holds by other means (a neighbour without credits) overrides this, and calls NoteHolding()
     * for recorders of pauses.
     * @param queue an ingress queue
     */
    virtual bool IsHolding(QueueId queue) const;

    /// As IsHolding(), for all classes of a port together: the neighbour waits for any frame
    /// received by the port to leave. To be overridden together with IsHolding().
    /// @param port an ingress port
    virtual bool IsHoldingPort(PortId port) const;

    /// For the deadlock detector, to decide whether a deadlock can dissolve: would a stopped
    /// neighbour remain stopped if only some of the frames were left in this switch?
    /// @param rest the ledger with these frames only
    /// @param queue an ingress queue whose neighbour is stopped
    /// @return whether it certainly would (default: no)
    virtual bool StaysStopped(const SharedBuffer& rest, QueueId queue) const;

    /// Fixes the random streams of the scheme, if it has any, starting at `stream`.
    /// @return number of streams used
    virtual int64_t AssignStreams(int64_t stream);

    /// Signature of the trace source "QueueState". @param queue at the ingress
    typedef void (*QueueStateTracedCallback)(QueueId queue, bool stopped);

    /// Signature of the trace source "PortState". @param stopped for all classes
    typedef void (*PortStateTracedCallback)(PortId port, bool stopped);

    /// Signature of the trace source "FlowState". @param flow hash of its key
    typedef void (*FlowStateTracedCallback)(QueueId queue, uint64_t flow, bool stopped);

    /// Signature of the trace source "TimedPause". @param length until it ends by itself
    typedef void (*TimedPauseTracedCallback)(QueueId queue, Time length);

    /// Signature of the trace source "ControlSent". @param frame from the Ethernet header on
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

    /// @return other services of the switch
    SwitchServices& Services() const
    {
        return *m_services;
    }

    /// @return the ingress queues whose neighbour is stopped, in order of their stops
    const std::vector<Stop<QueueId>>& GetStoppedQueues() const
    {
        return m_stoppedQueues;
    }

    /// @return the ingress ports whose neighbour is stopped as a whole, in order of their stops
    const std::vector<Stop<PortId>>& GetStoppedPorts() const
    {
        return m_stoppedPorts;
    }

    /// Stops or resumes a neighbour for one class: records and traces it, watches releases while
    /// anything is stopped, and requests the wire.
    /// @param queue an ingress queue, which must not be in that state
    void SetStopped(QueueId queue, bool stopped);
    /// As SetStopped(), for all classes of an ingress port.
    void SetPortStopped(PortId port, bool stopped);
    /// As SetStopped(), for several flows of a class: they are recorded and traced in the given
    /// order before the wire is requested, so that one control frame can list them. The scheme
    /// keeps the set of stopped flows.
    /// @param queue an ingress queue
    /// @param flows hashes of the flows' keys, none of which is in that state; may be empty
    void SetFlowsStopped(QueueId queue, const std::vector<uint64_t>& flows, bool stopped);

    /// Stops a neighbour for one class for a time, after which it resumes by itself: traces it and
    /// requests the wire. The scheme keeps what it has not sent yet.
    /// @param queue an ingress queue
    void PauseFor(QueueId queue, Time length);

    /// For a scheme that holds a neighbour without SetStopped(), see IsHolding(): traces start and
    /// end as "QueueState", by which pauses are recorded, and watches releases while anything is
    /// held. Has no effect on the ledger or the wire.
    /// @param queue an ingress queue, which must not be in that state
    void NoteHolding(QueueId queue, bool holding);

    /// Sets whether Redirect() must be called.
    void SetRedirecting(bool isRedirecting);

    /// Claims that releases matter at once, see IsWatching(), or withdraws the claim. Stops and
    /// NoteHolding() include a claim.
    /// @param claim whether the claim exists; initially false and changed only here
    void Watch(bool& claim, bool on);

  private:
    /// Makes a control frame from the present state as far as it has not been sent. Because it is
    /// made when it leaves, not on request, a scheme whose newer message replaces the older one
    /// (PFC) sends the state of this instant and nothing obsolete before it; a scheme with
    /// cumulative messages (FAFC) sends all that are pending.
    /// @param port whose wire is free
    /// @return the frame; null if there is nothing to send
    virtual Ptr<Packet> DoMakeControl(PortId port);

    /// Claims to watch while anything is stopped or held.
    void WatchHolding();

    bool m_isRedirecting{false};                ///< see IsRedirecting()
    SwitchServices* m_services{nullptr};        ///< not owned
    SharedBuffer* m_buffer{nullptr};            ///< not owned
    const BufferPolicy* m_policy{nullptr};      ///< not owned
    const SwitchShape* m_shape{nullptr};        ///< not owned
    std::vector<Stop<QueueId>> m_stoppedQueues; ///< see GetStoppedQueues()
    std::vector<Stop<PortId>> m_stoppedPorts;   ///< see GetStoppedPorts()
    std::vector<uint32_t> m_stoppedFlows;       ///< number of stopped flows by queue
    std::size_t m_allStoppedFlows{0};           ///< their sum
    std::size_t m_heldQueues{0};                ///< number of held queues, see NoteHolding()
    bool m_isHolding{false};                    ///< claim of stops and NoteHolding()
    std::size_t m_claims{0};                    ///< number of claims, see Watch()

    TracedCallback<QueueId, bool> m_queueStateTrace;              ///< a queue stops or resumes
    TracedCallback<PortId, bool> m_portStateTrace;                ///< a port stops or resumes
    TracedCallback<QueueId, uint64_t, bool> m_flowStateTrace;     ///< a flow stops or resumes
    TracedCallback<QueueId, Time> m_timedPauseTrace;              ///< a queue stops for a time
    TracedCallback<PortId, Ptr<const Packet>> m_controlSentTrace; ///< each control frame
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_CONTROL_H */
