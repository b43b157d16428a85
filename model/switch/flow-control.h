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
 * The services of a switch for its flow control. The interface is small enough for a mock in tests.
 */
class SwitchServices
{
  public:
    virtual ~SwitchServices() = default;

    /// Requests a call to FlowControl::MakeControl() as soon as the wire of a port is free. It has
    /// no effect while the port's link is down.
    virtual void RequestControl(PortId port) = 0;
    /// Called when FlowControl::IsWatching() has changed.
    virtual void NotifyWatching() = 0;
    /// Marks a frame "congestion experienced" if possible, and counts the mark.
    /// @param item a frame that is not on the wire yet
    virtual void Mark(SwitchItem& item) = 0;
    /// @return the MAC address of a port
    virtual Mac48Address GetAddress(PortId port) const = 0;
    /// @return whether the link of a port is up
    virtual bool IsLinkUp(PortId port) const = 0;
    /// @return the current transmission rate of a port; see LosslessNetDevice::ChangeRate()
    virtual DataRate GetRate(PortId port) const = 0;
    /// @return the egress port of frames to a host; unset if there is none or if it depends on more
    /// than the address
    virtual std::optional<PortId> FindRoute(Ipv4Address address) const = 0;
};

/**
 * @ingroup lossless
 * A flow control scheme. It observes frames and sends signals to the neighbours. It also creates
 * the scheme's parts of the data path. There is one object per switch, because several schemes
 * coordinate ports.
 *
 * This base class implements what all schemes need: the set of stopped neighbours (for a class, a
 * port or a single flow), the control frames, and the traces of both. Recorders thus do not depend
 * on schemes. The base class makes no decisions. Baselines use it as "no flow control".
 * doc/schemes.rst describes the decisions of each scheme and its differences from plain PFC.
 */
class FlowControl : public Object
{
  public:
    /// A stopped neighbour.
    template <typename ID>
    struct Stop
    {
        ID id;      ///< the ingress queue (QueueId) or port (PortId)
        Time since; ///< the time of the decision
    };

    /// @return the type
    static TypeId GetTypeId();

    /// Called once, before the policy and then this object are configured. The arguments are not
    /// owned and outlive this object. Schemes that depend on the policy override this function.
    /// @param buffer the buffer accounting, which also records stops
    virtual void Attach(SwitchServices* services,
                        SharedBuffer* buffer,
                        BufferPolicy* policy,
                        const SwitchShape* shape);

    /// Called once, before all other methods except Attach(), IsLossless() and the methods for
    /// hosts.
    /// @param shape the complete description of the switch
    /// @return an error message with the relevant numbers if the configuration is impossible
    virtual std::optional<std::string> Configure(const SwitchShape& shape);

    /// @return whether the scheme prevents loss in the classes under flow control
    virtual bool IsLossless() const;

    // Parts of the data path that a scheme can replace. Parts of the switch are created after
    // Configure(). Parts of a host are created when its device is initialised, even if the switch
    // is not initialised.

    /// @return the scheme's gate of a port; null for the device's own PauseGate
    virtual Ptr<TransmitGate> CreateGate(PortId port, const LosslessNetDevice& device);

    /// @return the scheme's gate of a host attached to the switch; null for the host's own
    /// PauseGate
    virtual Ptr<TransmitGate> CreateHostGate(const LosslessNetDevice& device) const;

    /// @return whether PFC frames stop transmission through these gates (default: yes, as with a
    /// PauseGate)
    virtual bool ObeysPfc() const;

    /// Gives a host its part of the scheme, unless the host already has it.
    /// @param device the host's device
    virtual void PrepareHost(Ptr<LosslessNetDevice> device) const;

    /// @return the scheme's egress queue, or null to use the type given by the attribute
    /// SwitchNode::EgressQueue. If the scheme has its own queue, the user cannot choose the type.
    virtual Ptr<EgressQueue> CreateEgressQueue(QueueId queue);

    /// @return the default of SwitchNode::EgressQueue; without a type, it is FIFO
    virtual ObjectFactory GetUsualEgressQueue() const;

    // Observation of frames

    /// Called when a frame has arrived.
    /// @param item a frame that is counted at its ingress and has not been routed yet; without a
    /// PacketProcessor, it is routed at the same time
    virtual void OnArrival(const SwitchItem& item);

    /// Called when a routed frame is about to request admission at its egress. A scheme that
    /// redirects frames (PABO) changes the egress port here, and a scheme whose queues have their
    /// own limits refuses frames. The function can also change the frame. It is called only after
    /// SetRedirecting().
    /// @return the reason why the frame is lost; unset if it is not lost
    virtual std::optional<DropReason> Redirect(SwitchItem& item);

    /// @return whether Redirect() must be called
    bool IsRedirecting() const
    {
        return m_isRedirecting;
    }

    /// @return the classes whose frames are marked by the scheme instead of an EcnMarker
    virtual PrioritySet GetOwnMarks() const;

    /// Called when a frame joins its egress queue. @param item the frame, which is counted there
    virtual void OnEnqueue(const SwitchItem& item);

    /// Called when a frame starts to leave. It can still be marked. @param item the frame, which is
    /// still counted
    virtual void OnDequeue(SwitchItem& item);

    /// Called when the last bit of a frame has left.
    /// @param item the frame, which is no longer counted
    /// @param when the departure time; it can be in the past unless releases are watched (see
    /// Watch())
    virtual void OnRelease(const SwitchItem& item, Ticks when);

    /// Called when an arriving frame is lost immediately because it has no route, does not fit in
    /// the buffer, or is refused (SwitchNode::SetRefusing()). The frame was never counted, and
    /// OnArrival() was not called. This function is for schemes that count all received frames
    /// (credits).
    /// @param item the frame; its egress is undefined if it has no route
    virtual void OnRejection(const SwitchItem& item);

    /// Called when a frame is lost after a packet processor, before it has joined an egress queue.
    /// The base class treats it as released.
    /// @param item the frame, which is no longer counted; its egress is undefined if it has no
    /// route
    virtual void OnRefusal(const SwitchItem& item);

    /// Called when a frame in its egress queue is lost with its link or due to
    /// SwitchNode::Discard(). The base class treats it as released.
    /// @param item the frame, which is no longer counted
    virtual void OnDiscard(const SwitchItem& item);

    /// Called when the link of a port has come up again. The neighbour has lost its state.
    virtual void OnLinkUp(PortId port);

    // Signals to neighbours

    /// Called when the wire of a port is free after RequestControl(), and again after each frame
    /// until the function returns null. Reports the frame to the trace "ControlSent".
    /// @return the frame, or null if there is none to send
    Ptr<Packet> MakeControl(PortId port);

    /// @return whether OnRelease() must be called exactly when the last bit leaves. If not, the
    /// switch saves an event and releases the frame before its next action.
    bool IsWatching() const
    {
        return m_claims > 0;
    }

    /**
     * Returns whether this switch keeps the neighbour of an ingress queue from sending the class.
     * The deadlock detector assumes that this neighbour waits for frames of the queue to leave the
     * switch.
     *
     * The base class returns whether the neighbour has been stopped for the class, a flow of the
     * class, or the whole port. A scheme that holds neighbours in other ways (such as a neighbour
     * without credits) overrides this function and calls NoteHolding() for the recorders of pauses.
     * @param queue an ingress queue
     */
    virtual bool IsHolding(QueueId queue) const;

    /// Does the same as IsHolding() for all classes of a port together. The neighbour then waits
    /// for any frame that the port has received to leave. Override this function together with
    /// IsHolding().
    /// @param port an ingress port
    virtual bool IsHoldingPort(PortId port) const;

    /// Returns whether a stopped neighbour would remain stopped if only some of the frames remained
    /// in this switch. The deadlock detector uses the result to determine whether a deadlock can
    /// dissolve.
    /// @param rest the buffer accounting with only these frames
    /// @param queue an ingress queue whose neighbour is stopped
    /// @return whether the neighbour would certainly remain stopped (default: no)
    virtual bool StaysStopped(const SharedBuffer& rest, QueueId queue) const;

    /// Fixes the random streams of the scheme, if any, starting at `stream`.
    /// @return the number of streams used
    virtual int64_t AssignStreams(int64_t stream);

    /// Signature of the trace source "QueueState". @param queue the ingress queue
    typedef void (*QueueStateTracedCallback)(QueueId queue, bool stopped);

    /// Signature of the trace source "PortState". @param stopped whether all classes are stopped
    typedef void (*PortStateTracedCallback)(PortId port, bool stopped);

    /// Signature of the trace source "FlowState". @param flow the hash of the flow's key
    typedef void (*FlowStateTracedCallback)(QueueId queue, uint64_t flow, bool stopped);

    /// Signature of the trace source "TimedPause". @param length the length of the pause
    typedef void (*TimedPauseTracedCallback)(QueueId queue, Time length);

    /// Signature of the trace source "ControlSent". @param frame the frame, with its Ethernet
    /// header
    typedef void (*ControlSentTracedCallback)(PortId port, Ptr<const Packet> frame);

  protected:
    void DoDispose() override;

    /// @return the buffer accounting
    const SharedBuffer& Buffer() const
    {
        return *m_buffer;
    }

    /// @return the policy for admission and thresholds
    const BufferPolicy& Policy() const
    {
        return *m_policy;
    }

    /// @return the description of the switch
    const SwitchShape& Shape() const
    {
        return *m_shape;
    }

    /// @return other services of the switch
    SwitchServices& Services() const
    {
        return *m_services;
    }

    /// @return the ingress queues whose neighbours are stopped, in the order in which they were
    /// stopped
    const std::vector<Stop<QueueId>>& GetStoppedQueues() const
    {
        return m_stoppedQueues;
    }

    /// @return the ingress ports whose neighbours are stopped for all classes, in the order in
    /// which they were stopped
    const std::vector<Stop<PortId>>& GetStoppedPorts() const
    {
        return m_stoppedPorts;
    }

    /// Stops or resumes a neighbour for one class. Records and traces the change, watches releases
    /// while any neighbour is stopped, and requests a control frame.
    /// @param queue an ingress queue, which must not already be in this state
    void SetStopped(QueueId queue, bool stopped);
    /// Stops or resumes a neighbour for all classes of an ingress port, like SetStopped().
    void SetPortStopped(PortId port, bool stopped);
    /// Stops or resumes several flows of a class, like SetStopped(). The flows are recorded and
    /// traced in the given order before the control frame is requested, so that one frame can list
    /// them. The scheme maintains the set of stopped flows.
    /// @param queue an ingress queue
    /// @param flows the hashes of the flows' keys; the flows must not already be in this state; can
    /// be empty
    void SetFlowsStopped(QueueId queue, const std::vector<uint64_t>& flows, bool stopped);

    /// Stops a neighbour for one class for a given time, after which it resumes automatically.
    /// Traces the pause and requests a control frame. The scheme stores the pauses that have not
    /// been sent yet.
    /// @param queue an ingress queue
    void PauseFor(QueueId queue, Time length);

    /// Records the start or end of a hold that does not use SetStopped(); see IsHolding(). Reports
    /// the change to the trace "QueueState", from which pauses are recorded, and watches releases
    /// while any neighbour is held. This affects neither the buffer accounting nor the wire.
    /// @param queue an ingress queue, which must not already be in this state
    void NoteHolding(QueueId queue, bool holding);

    /// Sets whether Redirect() must be called.
    void SetRedirecting(bool isRedirecting);

    /// Starts or stops watching releases for one reason; see IsWatching(). Releases are watched
    /// while there is at least one reason. SetStopped() and the similar functions call this
    /// function themselves.
    /// @param claim whether this reason exists; initially false and changed only by this function
    /// @param on true to start watching
    void Watch(bool& claim, bool on);

  private:
    /// Makes a control frame with the part of the current state that has not been sent yet. The
    /// frame is made when it leaves rather than when it is requested. A scheme whose new messages
    /// replace older ones (PFC) thus sends the current state and no obsolete message before it. A
    /// scheme with cumulative messages (FAFC) sends all pending ones.
    /// @param port the port, whose wire is free
    /// @return the frame, or null if there is none to send
    virtual Ptr<Packet> DoMakeControl(PortId port);

    /// Watches releases while anything is stopped or held.
    void WatchHolding();

    bool m_isRedirecting{false};                ///< see IsRedirecting()
    SwitchServices* m_services{nullptr};        ///< not owned
    SharedBuffer* m_buffer{nullptr};            ///< not owned
    const BufferPolicy* m_policy{nullptr};      ///< not owned
    const SwitchShape* m_shape{nullptr};        ///< not owned
    std::vector<Stop<QueueId>> m_stoppedQueues; ///< see GetStoppedQueues()
    std::vector<Stop<PortId>> m_stoppedPorts;   ///< see GetStoppedPorts()
    std::vector<uint32_t> m_stoppedFlows;       ///< the number of stopped flows of each queue
    std::size_t m_allStoppedFlows{0};           ///< the sum of m_stoppedFlows
    std::size_t m_heldQueues{0};                ///< the number of held queues; see NoteHolding()
    bool m_isHolding{false};                    ///< whether anything is stopped or held; see
                                                ///< Watch()
    std::size_t m_claims{0};                    ///< the number of reasons to watch; see Watch()

    TracedCallback<QueueId, bool> m_queueStateTrace;              ///< a queue was stopped or
                                                                  ///< resumed
    TracedCallback<PortId, bool> m_portStateTrace;                ///< a port was stopped or resumed
    TracedCallback<QueueId, uint64_t, bool> m_flowStateTrace;     ///< a flow was stopped or resumed
    TracedCallback<QueueId, Time> m_timedPauseTrace;              ///< a queue was stopped for a
                                                                  ///< given time
    TracedCallback<PortId, Ptr<const Packet>> m_controlSentTrace; ///< a control frame was sent
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_CONTROL_H */
