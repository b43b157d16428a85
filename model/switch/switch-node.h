// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_NODE_H
#define LOSSLESS_SWITCH_NODE_H

#include "departures.h"
#include "flow-control.h"
#include "packet-processor.h"
#include "packet-trimmer.h"
#include "switch-port.h"

#include "ns3/abort.h"
#include "ns3/buffer-policy.h"
#include "ns3/drop-reason.h"
#include "ns3/lossless-forwarding.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/shared-buffer.h"
#include "ns3/switch-item.h"
#include "ns3/traced-callback.h"
#include "ns3/watched-callback.h"

#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A switch. The stages of a frame are methods of the same names: Classify, Arrive (admission at the
 * ingress), the PacketProcessor if there is one, Route, admission at the egress, Store; then, on
 * the port's side, Dequeue, and Depart. Without a processor a frame passes all stages up to Store
 * at once, and is counted only when both sides have admitted it.
 *
 * Nothing here knows a scheme. What differs is in the parts: a BufferPolicy admits frames and
 * sets thresholds over the SharedBuffer, a FlowControl reacts, a Forwarding finds the port, a
 * ClassScheduler, EgressQueues and an optional EcnMarker serve each egress port. The subclasses
 * (PfcSwitchNode, DshSwitchNode, ...) only choose parts.
 *
 * Identity, at the end of any run: received = sent + dropped + stored, in frames, and the ledger
 * counts exactly the stored ones. In bytes, what has been trimmed off is added to the right side.
 */
class SwitchNode : public Node,
                   private SwitchSide,
                   private SwitchServices,
                   private ProcessorClient,
                   private Watched
{
  public:
    /// Number of DSCP values.
    static constexpr std::size_t NUM_DSCP = 64;

    /// Frames counted since the start.
    struct Counts
    {
        uint64_t received{0};                             ///< arrived, control frames excluded
        uint64_t sent{0};                                 ///< departed, to the last bit
        std::array<uint64_t, MAX_DROP_REASONS> dropped{}; ///< lost, by reason
        std::array<uint64_t, MAX_DROP_REASONS> bytes{};   ///< bytes of them
        uint64_t losslessDropped{0};                      ///< for want of buffer, lossless classes
        uint64_t marked{0};                               ///< marked "congestion experienced"
        /// Trimmed, by the reason why they could not be stored; they may be lost nevertheless.
        std::array<uint64_t, MAX_DROP_REASONS> trimmed{};
        uint64_t trimmedBytes{0}; ///< bytes cut off them
    };

    /// @return the type
    static TypeId GetTypeId();

    /// A switch without flow control and with unlimited buffer.
    SwitchNode();
    ~SwitchNode() override;

    // Parts. Changing one, or adding a port, once the switch is initialised stops the program.

    /// @param policy admission and thresholds
    void SetBufferPolicy(Ptr<BufferPolicy> policy);
    /// @return admission and thresholds
    Ptr<BufferPolicy> GetBufferPolicy() const;
    /// @param flowControl the scheme
    void SetFlowControl(Ptr<FlowControl> flowControl);
    /// @return the scheme
    Ptr<FlowControl> GetFlowControl() const;

    /// @param processor between ingress and egress; null: frames are forwarded as they arrive
    void SetProcessor(Ptr<PacketProcessor> processor);
    /// @return between ingress and egress; may be null
    Ptr<PacketProcessor> GetProcessor() const;
    /// @param forwarding finds the egress port
    void SetForwarding(Ptr<Forwarding> forwarding);
    /// @return finds the egress port
    Ptr<Forwarding> GetForwarding() const;
    /// Tells it what it has to know of the ports, as the initialization does. For the switches of
    /// another rank, which are not initialized here, to see which way their flows take.
    void ConfigureForwarding();
    /// @param trimmer cuts the payload off frames that cannot be stored; null: they are dropped.
    /// Not with a processor.
    void SetTrimmer(Ptr<PacketTrimmer> trimmer);
    /// @return what trims frames; may be null
    Ptr<PacketTrimmer> GetTrimmer() const;
    /**
     * Classifies frames. Neighbours have to agree on the classes: a PAUSE names the class of the
     * switch, and stops the class of that number at the sender. Hosts use DSCP / 8.
     * @param dscp a code point
     * @param priority the class of frames that carry it (initially dscp / 8)
     */
    void MapDscp(uint8_t dscp, Priority priority);

    // State

    /// @return the ledger, up to date (inside a callback of the flow control, up to that event).
    /// Frames that have left are counted off late, but not later than anyone looks.
    Ptr<SharedBuffer> GetSharedBuffer();
    /// @param visitor is called with all frames that are counted at an egress queue
    void ForEachQueued(const ItemVisitor& visitor) const;
    /// @param queue an egress queue @return what it can do now
    EgressState GetState(QueueId queue) const;
    /// @return frames counted so far; remains readable after the simulation
    const Counts& GetCounts();
    /// @param port a port @return its device
    Ptr<LosslessNetDevice> GetPortDevice(PortId port) const;
    /// @return ports, links and lossless classes; empty before the simulation starts
    const SwitchShape& GetShape() const;

    /**
     * Fixes the random numbers of the scheme, the forwarding and the markers; initialises the
     * switch, unless another rank executes its events.
     * @param stream first stream to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    // For what acts beside the scheme, such as a watchdog of PAUSEs (see also
    // TransmitGate::SetIgnoring())

    /**
     * Drops all frames that wait in an egress queue. Each is told to the scheme
     * (FlowControl::OnDiscard()), traced and counted like one that is lost with its link, so that
     * a pause which it was the reason for ends. The one on the wire leaves; so does one that is
     * about to join the queue, in a callback of that. May be called at any time of the switch's
     * turn, but not by an egress queue or a gate that is asked what may leave.
     * @param queue an egress queue
     * @param reason why
     */
    void Discard(QueueId queue, DropReason reason);

    /**
     * Drops frames from now on, before they are stored: those that arrive for an egress queue, or
     * those of a class that arrive by a port. What is stored already stays. The drop action of
     * SONiC's PFC watchdog is Discard() with both sides of the queue, and its gate ignoring the
     * class.
     * @param side whether `queue` is an ingress or an egress queue
     * @param queue whose frames
     * @param reason why; nothing: they are taken again
     */
    void SetRefusing(DropPlace side, QueueId queue, std::optional<DropReason> reason);

    // Called by the ports

    /// @param ingress port of arrival @param frame a frame
    void ReceiveFrame(PortId ingress, Frame&& frame);
    /// @param port a port whose wire is free @return a control frame to send; null: there is none
    Ptr<Packet> MakeControl(PortId port);
    /// @param item a frame that starts to leave
    void NotifyDequeue(SwitchItem& item);
    /// @param port a port @param lastBit when the last bit of its frame on the wire leaves
    void NotifyDeparture(PortId port, Ticks lastBit);
    /// Lets all frames depart whose last bit has left. @param now the time
    void ReleaseDeparted(Ticks now);
    /// @param port a port @param up new state of its link
    void NotifyLinkChanged(PortId port, bool up);

    /// @return whether frames that ask for telemetry get it
    bool IsTelemetryOn() const
    {
        return m_isTelemetryOn;
    }

    /// @return whether the end of each transmission matters at once
    bool IsWatchingReleases() const
    {
        return m_departures.IsWatching();
    }

    /**
     * Signature of the trace sources "Enqueue", "Dequeue" and "Mark".
     * @param item the frame
     */
    typedef void (*ItemTracedCallback)(const SwitchItem& item);

    /**
     * Signature of the trace source "Drop".
     * @param item the frame, not in the buffer any more
     * @param reason why it is lost
     */
    typedef void (*DropTracedCallback)(const SwitchItem& item, DropReason reason);

    /**
     * Signature of the trace source "Trim".
     * @param item the frame, trimmed, not in the buffer yet
     * @param reason why it could not be stored
     * @param bytes that were cut off
     */
    typedef void (*TrimTracedCallback)(const SwitchItem& item, DropReason reason, uint32_t bytes);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

    /// For subclasses: a switch of these parts. @param policy admission and thresholds
    /// @param flowControl the scheme @param processor between ingress and egress; may be null
    explicit SwitchNode(Ptr<BufferPolicy> policy,
                        Ptr<FlowControl> flowControl = CreateObject<FlowControl>(),
                        Ptr<PacketProcessor> processor = nullptr);

  private:
    // For the other ends of the cables
    const Object& GetScheme() const override;
    Ptr<TransmitGate> CreateHostGate(Ptr<LosslessNetDevice> device) const override;
    void PrepareHost(Ptr<LosslessNetDevice> device) const override;
    bool ObeysPfc() const override;
    PrioritySet GetLossless() const override;

    // Services for the flow control and the processor
    void RequestControl(PortId port) override;
    void NotifyWatching() override;
    void Mark(SwitchItem& item) override;
    Mac48Address GetAddress(PortId port) const override;
    std::optional<PortId> FindRoute(Ipv4Address address) const override;
    bool IsLinkUp(PortId port) const override;
    AdmissionOutcome Forward(SwitchItem& item, bool isRouted) override;
    DataRate GetRate(PortId port) const override;
    void NotifyWatched() override;

    /// A part is about to be replaced. Stops the program if it is too late. @param part its name
    void AbortIfInitialized(const char* part) const;
    /// A port was added. Stops the program if it is too late. @param device its device
    void NotifyDeviceAdded(Ptr<NetDevice> device);
    /// Finds out what the parts have to know of the switch. Stops the program if a port has no
    /// partner.
    void SurveyPorts();
    /// Makes the ports.
    void CreatePorts();
    /// @param port a port @return its egress queues, scheduler and marker put together
    SwitchPort CreatePort(PortId port);
    /// @param factory of egress queues; no type: the scheme's usual one
    void SetQueueFactory(ObjectFactory factory);
    /// @return the factory of egress queues; no type: they are first in, first out
    ObjectFactory GetQueueFactory() const;
    /// @param queue an egress queue @return its structure, the scheme's or the one that was chosen
    Ptr<EgressQueue> CreateEgressQueue(QueueId queue) const;
    /// Tells the parts about the switch. Stops the program if the configuration is impossible.
    void ConfigureParts();

    // The stages

    /// @param ingress port of arrival @param frame a frame @return the same, with its class
    SwitchItem Classify(PortId ingress, Frame&& frame);
    /// A frame goes from the ingress to its egress queue at once. @param item the frame
    void PassDirectly(SwitchItem&& item);
    /// The same of a frame that has its route. @param item the frame
    void PassRouted(SwitchItem&& item);
    /// A frame cannot be stored: it is trimmed, or lost. @param item the frame @param reason why
    void Overflow(SwitchItem&& item, DropReason reason);
    /// @param item a frame that cannot be stored; trimmed if that can be @param reason why
    /// @return whether it was
    bool Trim(SwitchItem& item, DropReason reason);
    /// A frame goes from the ingress to the processor. @param item the frame
    void Arrive(SwitchItem&& item);
    /// Finds the egress port. @param item the frame @return why it is lost; nothing if it is not
    std::optional<DropReason> Route(SwitchItem& item);
    /// A frame joins its egress queue. @param item the frame, counted there @param now the time
    void Store(SwitchItem&& item, Ticks now);
    /// The last bit of a frame has left. @param port by that port @param lastBit when
    void Depart(PortId port, Ticks lastBit);

    /// @param side whether `queue` is an ingress or an egress queue @param queue of a frame
    /// @return why it is refused; nothing if it is not
    std::optional<DropReason> FindRefusal(DropPlace side, QueueId queue) const;
    /// A frame that has arrived is lost before it is counted. @param item it @param reason why
    void TurnAway(const SwitchItem& item, DropReason reason);
    /// A frame that the processor has forwarded is lost. @param item it @param reason why
    void DropArrived(const SwitchItem& item, DropReason reason);
    /// Marks a frame if its egress queue is long, and its marker marks at that moment.
    /// @param item the frame, counted @param moment whether it joins the queue or leaves
    void MarkIfCongested(SwitchItem& item, MarkMoment moment);
    /// The same where the queue is so long that its marker may mark, which is rare.
    /// @param item the frame, which can be marked @param moment as above @param length of the queue
    void AskMarker(SwitchItem& item, MarkMoment moment, uint64_t length);
    /// Drops all frames that wait for a port. @param port the port @param classes of them
    /// @param reason why
    void DropWaiting(PortId port, PrioritySet classes, DropReason reason);
    /// @param item a lost frame @param reason why
    void Drop(const SwitchItem& item, DropReason reason);
    /// Lets the processor go on if it is stopped.
    void ResumeProcessor();
    /// Releases what has left until now, for a caller from outside the data path.
    void CatchUp();
    /// @return whether the end of each transmission is to be awaited: the flow control watches, or
    /// the processor is stopped
    bool MustWatch() const;
    /// @param isWatching whether the end of each transmission is awaited from now on
    void SetWatching(bool isWatching);

    // What each frame needs stands together.

    std::vector<SwitchPort> m_ports;     ///< by port
    Ptr<SharedBuffer> m_buffer;          ///< the ledger
    Ptr<BufferPolicy> m_policy;          ///< admission and thresholds
    Ptr<FlowControl> m_flowControl;      ///< the scheme
    Ptr<PacketProcessor> m_processor;    ///< between ingress and egress; may be null
    Ptr<Forwarding> m_forwarding;        ///< finds the egress port
    Departures m_departures;             ///< frames on the wires
    bool m_isClaimed{false};             ///< the flow control watches releases
    bool m_isTelemetryOn{true};          ///< frames that ask for telemetry get it
    bool m_isWatched{false};             ///< somebody has connected to a trace of frames
    bool m_isRefusing{false};            ///< m_refusals is not empty
    bool m_isDequeueWatched{false};      ///< m_isWatched, or a marker marks what leaves
    PrioritySet m_lossless{0};           ///< classes under flow control
    const SwitchItem* m_inHand{nullptr}; ///< counted, and in no queue yet
    Counts m_counts;                     ///< frames counted

    std::array<Priority, NUM_DSCP> m_classOfDscp; ///< class of each code point

    // The rest.

    Ptr<PacketTrimmer> m_trimmer;     ///< of frames that cannot be stored; may be null
    ObjectFactory m_queueFactory;     ///< for each egress queue; no type: the scheme's usual one
    ObjectFactory m_schedulerFactory; ///< for each port
    ObjectFactory m_markerFactory;    ///< for each port
    SwitchShape m_shape;              ///< what the parts know of the switch

    /// See SetRefusing(): by side and Index(QueueId).
    std::map<std::pair<DropPlace, std::size_t>, DropReason> m_refusals;

    WatchedCallback<const SwitchItem&> m_enqueueTrace{this};             ///< stored
    WatchedCallback<const SwitchItem&> m_dequeueTrace{this};             ///< starts to leave
    TracedCallback<const SwitchItem&> m_markTrace;                       ///< marked
    TracedCallback<const SwitchItem&, DropReason> m_dropTrace;           ///< lost
    TracedCallback<const SwitchItem&, DropReason, uint32_t> m_trimTrace; ///< trimmed
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SWITCH_NODE_H */
