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
 * The services that a switch provides to its flow control. The interface is small enough to be
 * mocked in tests.
 */
class SwitchServices
{
  public:
    virtual ~SwitchServices() = default;

    /// Requests a call to FlowControl::MakeControl() as soon as the wire of a port is free. The
    /// request has no effect while the port's link is down.
    virtual void RequestControl(PortId port) = 0;
    /// Called when FlowControl::IsWatching() has changed.
    virtual void NotifyWatching() = 0;
    /// Marks a frame as "congestion experienced", if possible, and counts the mark.
    /// @param item a frame that is not on the wire yet
    virtual void Mark(SwitchItem& item) = 0;
    /// @return the MAC address of a port
    virtual Mac48Address GetAddress(PortId port) const = 0;
    /// @return whether the link of a port is up
    virtual bool IsLinkUp(PortId port) const = 0;
    /// @return the current transmission rate of a port; see LosslessNetDevice::ChangeRate()
    virtual DataRate GetRate(PortId port) const = 0;
    /// @return the egress port of frames to a host; unset if there is no such port or if the port
    /// depends on more than the address
    virtual std::optional<PortId> FindRoute(Ipv4Address address) const = 0;
};

/**
 * @ingroup lossless
 * A flow control scheme. It observes frames, sends signals to the neighbours, and creates the
 * scheme's parts of the data path. There is one object per switch because some schemes coordinate
 * ports.
 *
 * This base class implements the parts that all schemes need: the set of stopped neighbours (for a
 * class, a port or a single flow), the control frames, and the traces of both. As a result,
 * recorders do not depend on schemes. The base class makes no decisions; baselines use it as "no
 * flow control". doc/schemes.rst describes the decisions of each scheme and its differences from
 * plain PFC.
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

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Called once, before the policy is configured. Configure() is called after that. The
    /// arguments are not owned and outlive this object. Schemes that depend on the policy override
    /// this function.
    /// @param buffer the buffer accounting, which also records stops
    virtual void Attach(SwitchServices* services,
                        SharedBuffer* buffer,
                        BufferPolicy* policy,
                        const SwitchShape* shape);

    /// Called once, before all other methods except Attach(), IsLossless() and the methods for
    /// hosts.
    /// @param shape the complete description of the switch
    /// @return an error message with the relevant numbers if the configuration is impossible
    virtual std::optional<std::string> Configure(const SwitchShape& /* shape */)
    {
        return std::nullopt;
    }

    /// @return whether the scheme prevents loss in the classes under flow control
    virtual bool IsLossless() const
    {
        return false;
    }

    // The parts of the data path that a scheme can replace. Parts of the switch are created after
    // Configure(). Parts of a host are created when the host's device is initialized, even if the
    // switch is not initialized.

    /// @return the scheme's gate for a port; null to use the device's own PauseGate
    virtual Ptr<TransmitGate> CreateGate(PortId port, const LosslessNetDevice& device);

    /// @return the scheme's gate for a host attached to the switch; null to use the host's own
    /// PauseGate
    virtual Ptr<TransmitGate> CreateHostGate(const LosslessNetDevice& device) const;

    /// @return whether PFC frames stop transmission through these gates; true by default, as with a
    /// PauseGate
    virtual bool ObeysPfc() const
    {
        return true;
    }

    /// Installs the part of the scheme that runs on a host, unless it is already installed.
    /// @param device the host's device
    virtual void PrepareHost(Ptr<LosslessNetDevice> device) const;

    /// @return the scheme's egress queue, or null to use the type given by the attribute
    /// SwitchNode::EgressQueue. If the scheme has its own queue, the user cannot choose the type.
    virtual Ptr<EgressQueue> CreateEgressQueue(QueueId queue);

    /// @return the default for SwitchNode::EgressQueue; if the factory has no type, the default is
    /// FIFO
    virtual ObjectFactory GetUsualEgressQueue() const
    {
        return {};
    }

    // Functions that observe frames

    /// Called when a frame has arrived.
    /// @param item a frame that is counted at its ingress; with a PacketProcessor, it has not been
    /// routed yet
    virtual void OnArrival(const SwitchItem& /* item */)
    {
    }

    /// Called when a frame has been routed, before its admission at the egress. In this function, a
    /// scheme that redirects frames (PABO) changes the egress port, and a scheme whose queues have
    /// their own limits refuses frames. The function can also change the frame. It is called only
    /// if requested by SetRedirecting().
    /// @return the reason why the frame is lost; unset if it is not lost
    virtual std::optional<DropReason> Redirect(SwitchItem& /* item */)
    {
        return std::nullopt;
    }

    /// @return whether Redirect() must be called
    bool IsRedirecting() const
    {
        return m_isRedirecting;
    }

    /// @return the classes whose frames are marked by the scheme rather than by an EcnMarker
    virtual PrioritySet GetOwnMarks() const
    {
        return 0;
    }

    /// Called when a frame joins its egress queue.
    /// @param item the frame, which is already counted there
    virtual void OnEnqueue(const SwitchItem& /* item */)
    {
    }

    /// Called when a frame starts to leave. The frame can still be marked.
    /// @param item the frame, which is still counted
    virtual void OnDequeue(SwitchItem& /* item */)
    {
    }

    /// Called when the last bit of a frame has left.
    /// @param item the frame, which is no longer counted
    /// @param when the departure time; it can be in the past unless releases are watched (see
    /// Watch())
    virtual void OnRelease(const SwitchItem& /* item */, Ticks /* when */)
    {
    }

    /// Called when an arriving frame is lost immediately because it has no route, does not fit in
    /// the buffer, or is refused (SwitchNode::SetRefusing()). The frame was never counted, and
    /// OnArrival() was not called. This function is intended for credit-based schemes, which count
    /// all received frames.
    /// @param item the frame; its egress is undefined if it has no route
    virtual void OnRejection(const SwitchItem& /* item */)
    {
    }

    /// Called when a frame that has left a packet processor is lost before it joins an egress
    /// queue. The base class treats the frame as released.
    /// @param item the frame, which is no longer counted; its egress is undefined if it has no
    /// route
    virtual void OnRefusal(const SwitchItem& item);

    /// Called when a frame in its egress queue is lost because the link has gone down or because of
    /// SwitchNode::Discard(). The base class treats the frame as released.
    /// @param item the frame, which is no longer counted
    virtual void OnDiscard(const SwitchItem& item);

    /// Called when the link of a port has come up again. The failure has reset the state of the
    /// neighbour.
    virtual void OnLinkUp(PortId /* port */)
    {
    }

    // Functions for signals to neighbours

    /// Called when the wire of a port is free after RequestControl(), and again after each frame
    /// until the function returns null. Reports the frame to the trace "ControlSent".
    /// @return the frame, or null if there is nothing to send
    Ptr<Packet> MakeControl(PortId port);

    /// @return whether OnRelease() must be called exactly when the last bit of a frame leaves.
    /// Otherwise, the switch saves an event and releases the frame just before its next action.
    bool IsWatching() const
    {
        return m_claims > 0;
    }

    /**
     * Returns whether this switch prevents the neighbour of an ingress queue from sending frames of
     * the queue's class. The deadlock detector assumes that this neighbour waits for frames of the
     * queue to leave the switch.
     *
     * The base class returns whether the neighbour has been stopped for the class, a flow of the
     * class, or the whole port. A scheme that holds neighbours in other ways (for example, by
     * withholding credits) overrides this function and calls NoteHolding() for the recorders of
     * pauses.
     * @param queue an ingress queue
     */
    virtual bool IsHolding(QueueId queue) const;

    /// Returns whether this switch prevents the neighbour of an ingress port from sending frames of
    /// any class. Such a neighbour waits for any frame received by the port to leave the switch.
    /// Override this function together with IsHolding().
    /// @param port an ingress port
    virtual bool IsHoldingPort(PortId port) const;

    /// Returns the number by which SetFlowsStopped() and the trace source "FlowState" identify the
    /// flow of a frame: the hash of the flow's key. A scheme that combines flows overrides this
    /// function.
    virtual uint64_t GetFlowOf(const Frame& frame) const;

    /// Returns whether a stopped neighbour would remain stopped if only some of the frames remained
    /// in this switch. The deadlock detector uses the result to determine whether a deadlock can
    /// dissolve.
    /// @param rest the buffer accounting with only these frames
    /// @param queue an ingress queue whose neighbour is stopped
    /// @return true only if the neighbour would certainly remain stopped; false by default
    virtual bool StaysStopped(const SharedBuffer& /* rest */, QueueId /* queue */) const
    {
        return false;
    }

    /// Assigns fixed random streams, starting at `stream`, to the scheme if it uses any.
    /// @return the number of streams used
    virtual int64_t AssignStreams(int64_t /* stream */)
    {
        return 0;
    }

    /// The signature of the trace source "QueueState".
    /// @param queue the ingress queue
    typedef void (*QueueStateTracedCallback)(QueueId queue, bool stopped);

    /// The signature of the trace source "PortState".
    /// @param stopped whether all classes are stopped
    typedef void (*PortStateTracedCallback)(PortId port, bool stopped);

    /// The signature of the trace source "FlowState".
    /// @param flow see GetFlowOf()
    typedef void (*FlowStateTracedCallback)(QueueId queue, uint64_t flow, bool stopped);

    /// The signature of the trace source "TimedPause".
    /// @param length the duration of the pause
    typedef void (*TimedPauseTracedCallback)(QueueId queue, Time length);

    /// The signature of the trace source "ControlSent".
    /// @param frame the frame, with its Ethernet header
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

    /// @return the services that the switch provides to the scheme
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
    /// @param queue an ingress queue, which must not already be in the given state
    void SetStopped(QueueId queue, bool stopped);
    /// Stops or resumes a neighbour for all classes of an ingress port in the same way as
    /// SetStopped() for one class.
    void SetPortStopped(PortId port, bool stopped);
    /// Stops or resumes several flows of a class in the same way as SetStopped() for the whole
    /// class. The flows are recorded and traced in the given order before the control frame is
    /// requested, so that one frame can list them. The scheme maintains the set of stopped flows.
    /// @param queue an ingress queue
    /// @param flows the flows, identified by GetFlowOf(); they must not already be in the given
    /// state; can be empty
    void SetFlowsStopped(QueueId queue, const std::vector<uint64_t>& flows, bool stopped);

    /// Stops one class of a neighbour for a given time, after which transmission resumes
    /// automatically. Traces the pause and requests a control frame. The scheme stores the pauses
    /// that have not been sent yet.
    /// @param queue an ingress queue
    void PauseFor(QueueId queue, Time length);

    /// Records the start or end of a hold that does not use SetStopped(); see IsHolding(). Reports
    /// the change to the trace "QueueState", from which pauses are recorded, and watches releases
    /// while any neighbour is held. The call neither changes the buffer accounting nor requests a
    /// control frame.
    /// @param queue an ingress queue, which must not already be in the given state
    void NoteHolding(QueueId queue, bool holding);

    /// Sets whether Redirect() must be called.
    void SetRedirecting(bool isRedirecting)
    {
        m_isRedirecting = isRedirecting;
    }

    /// Starts or stops watching releases for one reason; see IsWatching(). Releases are watched
    /// while at least one reason exists. SetStopped() and similar functions call this function
    /// automatically.
    /// @param claim whether this reason exists; initially false and changed only by this function
    /// @param on true to start watching
    void Watch(bool& claim, bool on);

  private:
    /// Creates a control frame with the part of the current state that has not been sent yet. The
    /// frame is created when it leaves rather than when it is requested. A scheme whose new
    /// messages replace older ones (PFC) thus sends only the current state and no obsolete
    /// messages. A scheme with cumulative messages (FAFC) sends all pending messages.
    /// @param port the port, whose wire is free
    /// @return the frame, or null if there is nothing to send
    virtual Ptr<Packet> DoMakeControl(PortId /* port */)
    {
        return nullptr;
    }

    /// Watches releases while any neighbour is stopped or held.
    void WatchHolding();

    bool m_isRedirecting{false};                ///< whether Redirect() must be called
    SwitchServices* m_services{nullptr};        ///< the services of the switch; not owned
    SharedBuffer* m_buffer{nullptr};            ///< the buffer accounting; not owned
    const BufferPolicy* m_policy{nullptr};      ///< the buffer policy; not owned
    const SwitchShape* m_shape{nullptr};        ///< the description of the switch; not owned
    std::vector<Stop<QueueId>> m_stoppedQueues; ///< see GetStoppedQueues()
    std::vector<Stop<PortId>> m_stoppedPorts;   ///< see GetStoppedPorts()
    std::vector<uint32_t> m_stoppedFlows;       ///< the number of stopped flows of each queue
    std::size_t m_allStoppedFlows{0};           ///< the sum of m_stoppedFlows
    std::size_t m_heldQueues{0};                ///< the number of held queues; see NoteHolding()
    bool m_isHolding{false};                    ///< whether a neighbour is stopped or held; see
                                                ///< Watch()
    std::size_t m_claims{0};                    ///< the number of reasons for watching releases;
                                                ///< see Watch()

    TracedCallback<QueueId, bool> m_queueStateTrace;              ///< fired when a queue is stopped
                                                                  ///< or resumed
    TracedCallback<PortId, bool> m_portStateTrace;                ///< fired when a port is stopped
                                                                  ///< or resumed
    TracedCallback<QueueId, uint64_t, bool> m_flowStateTrace;     ///< fired when a flow is stopped
                                                                  ///< or resumed
    TracedCallback<QueueId, Time> m_timedPauseTrace;              ///< fired when a queue is stopped
                                                                  ///< for a given time
    TracedCallback<PortId, Ptr<const Packet>> m_controlSentTrace; ///< fired when a control frame is
                                                                  ///< sent
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_CONTROL_H */
