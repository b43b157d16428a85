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
 * ingress), the PacketProcessor if there is one, Route, admission at the egress, Store; then, at
 * the port, Dequeue, and Depart. Without a processor a frame passes all stages up to Store at once,
 * and is counted only when both sides have admitted it.
 *
 * This class knows no scheme. Differences are in the parts: a BufferPolicy admits frames and sets
 * thresholds on the SharedBuffer, a FlowControl reacts, a Forwarding finds the port, a
 * ClassScheduler, EgressQueues and an optional EcnMarker serve each egress port. The subclasses
 * (PfcSwitchNode, DshSwitchNode, ...) only choose parts.
 *
 * Identity, at the end of any run: received = sent + dropped + stored, in frames, and the ledger
 * counts exactly the stored ones. In bytes, the right side also includes what has been trimmed off.
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
        uint64_t received{0};                             ///< arrived, except control frames
        uint64_t sent{0};                                 ///< departed with their last bit
        std::array<uint64_t, MAX_DROP_REASONS> dropped{}; ///< lost, by reason
        std::array<uint64_t, MAX_DROP_REASONS> bytes{};   ///< their bytes
        uint64_t losslessDropped{0}; ///< due to a lack of buffer, in lossless classes
        uint64_t marked{0};          ///< marked "congestion experienced"
        /// Trimmed, by the reason why they could not be stored; may be lost later.
        std::array<uint64_t, MAX_DROP_REASONS> trimmed{};
        uint64_t trimmedBytes{0}; ///< bytes cut off
    };

    /// @return the type
    static TypeId GetTypeId();

    /// A switch without flow control and with unlimited buffer.
    SwitchNode();
    ~SwitchNode() override;

    // Parts. Replacing one, or adding a port, after the switch is initialised stops the program.

    /// @param policy admission and thresholds
    void SetBufferPolicy(Ptr<BufferPolicy> policy);
    /// @return admission and thresholds
    Ptr<BufferPolicy> GetBufferPolicy() const;
    /// @param flowControl the scheme
    void SetFlowControl(Ptr<FlowControl> flowControl);
    /// @return the scheme
    Ptr<FlowControl> GetFlowControl() const;

    /// @param processor between ingress and egress; null: frames are forwarded on arrival
    void SetProcessor(Ptr<PacketProcessor> processor);
    /// @return stage between ingress and egress; may be null
    Ptr<PacketProcessor> GetProcessor() const;
    /// @param forwarding finds the egress port
    void SetForwarding(Ptr<Forwarding> forwarding);
    /// @return finds the egress port
    Ptr<Forwarding> GetForwarding() const;
    /// Passes the ports' properties to the forwarding, as initialisation does. For switches of
    /// another rank, which are not initialised here, to find the paths of their flows.
    void ConfigureForwarding();
    /// @param trimmer trims frames that cannot be stored; null: they are dropped. Not with a
    /// processor.
    void SetTrimmer(Ptr<PacketTrimmer> trimmer);
    /// @return the trimmer; may be null
    Ptr<PacketTrimmer> GetTrimmer() const;
    /// Maps a code point to a class. Neighbours must agree on the classes: a PAUSE names the class
    /// of the switch and stops the class of that number at the sender. Hosts use DSCP / 8.
    /// @param priority class of its frames (initially dscp / 8)
    void MapDscp(uint8_t dscp, Priority priority);

    // State

    /// @return the ledger, up to date (inside a callback of the flow control, up to that event).
    /// Departed frames are released late, but not later than any access.
    Ptr<SharedBuffer> GetSharedBuffer();
    /// Calls the visitor with all frames that are counted at an egress queue.
    void ForEachQueued(const ItemVisitor& visitor) const;
    /// @return state of an egress queue
    EgressState GetState(QueueId queue) const;
    /// @return frames counted so far; valid after the simulation
    const Counts& GetCounts();
    /// @return device of a port
    Ptr<LosslessNetDevice> GetPortDevice(PortId port) const;
    /// @return ports, links and lossless classes; empty before the simulation starts
    const SwitchShape& GetShape() const;

    /// Fixes the random streams of the scheme, the forwarding and the markers; initialises the
    /// switch, unless another rank executes its events.
    /// @param stream first stream to use
    /// @return number of streams used
    int64_t AssignStreams(int64_t stream);

    // For mechanisms outside the scheme, such as a PFC watchdog (see also
    // TransmitGate::SetIgnoring())

    /// Drops all frames that wait in an egress queue. Each is reported to the scheme
    /// (FlowControl::OnDiscard()), traced and counted like one that is lost with its link, so that
    /// a pause caused by it ends. The one on the wire leaves; so does one that is about to join the
    /// queue, in a callback of that. May be called at any time in the switch's turn, except by an
    /// egress queue or a gate that is asked what may leave.
    /// @param queue an egress queue
    void Discard(QueueId queue, DropReason reason);

    /// Drops frames from now on, before they are stored: those that arrive for an egress queue, or
    /// those of a class that arrive by a port. Stored frames stay. The drop action of SONiC's PFC
    /// watchdog is Discard() and this on both sides of the queue, while its gate ignores the class.
    /// @param side whether `queue` is an ingress or an egress queue
    /// @param reason of the loss; nothing: frames are accepted again
    void SetRefusing(DropPlace side, QueueId queue, std::optional<DropReason> reason);

    // Called by the ports

    /// @param ingress port of arrival
    void ReceiveFrame(PortId ingress, Frame&& frame);
    /// @return a control frame to send by a port whose wire is free; null if there is none
    Ptr<Packet> MakeControl(PortId port);
    /// @param item starts to leave
    void NotifyDequeue(SwitchItem& item);
    /// @param lastBit when the last bit of the port's frame on the wire leaves
    void NotifyDeparture(PortId port, Ticks lastBit);
    /// Lets all frames depart whose last bit has left.
    void ReleaseDeparted(Ticks now);
    /// The link of a port went down or came up.
    void NotifyLinkChanged(PortId port, bool up);

    /// @return whether frames that request telemetry get it
    bool IsTelemetryOn() const
    {
        return m_isTelemetryOn;
    }

    /// @return whether the end of each transmission is needed at once
    bool IsWatchingReleases() const
    {
        return m_departures.IsWatching();
    }

    /// Signature of the trace sources "Enqueue", "Dequeue" and "Mark".
    typedef void (*ItemTracedCallback)(const SwitchItem& item);

    /// Signature of the trace source "Drop". @param item no longer in the buffer
    typedef void (*DropTracedCallback)(const SwitchItem& item, DropReason reason);

    /// Signature of the trace source "Trim".
    /// @param item trimmed, not in the buffer yet
    /// @param bytes cut off
    typedef void (*TrimTracedCallback)(const SwitchItem& item, DropReason reason, uint32_t bytes);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

    /// For subclasses: a switch of these parts.
    /// @param processor between ingress and egress; may be null
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

    /// Stops the program if it is too late to replace a part. @param part its name
    void AbortIfInitialized(const char* part) const;
    /// A port was added. Stops the program if it is too late.
    void NotifyDeviceAdded(Ptr<NetDevice> device);
    /// Determines what the parts must know of the switch. A port without a partner stops the
    /// program.
    void SurveyPorts();
    void CreatePorts();
    SwitchPort CreatePort(PortId port);
    /// @param factory of egress queues; without a type: the scheme's default
    void SetQueueFactory(ObjectFactory factory);
    /// @return the factory of egress queues; without a type: FIFO
    ObjectFactory GetQueueFactory() const;
    /// @return the structure of an egress queue, the scheme's or the chosen one
    Ptr<EgressQueue> CreateEgressQueue(QueueId queue) const;
    /// Configures the parts. Stops the program if that is impossible.
    void ConfigureParts();

    // The stages

    SwitchItem Classify(PortId ingress, Frame&& frame);
    /// Passes a frame from the ingress to its egress queue at once.
    void PassDirectly(SwitchItem&& item);
    /// PassDirectly() for a frame that has its route.
    void PassRouted(SwitchItem&& item);
    void Overflow(SwitchItem&& item, DropReason reason);
    /// Trims a frame that cannot be stored, if possible. @return whether it was trimmed
    bool Trim(SwitchItem& item, DropReason reason);
    /// Passes a frame from the ingress to the processor.
    void Arrive(SwitchItem&& item);
    std::optional<DropReason> Route(SwitchItem& item);
    /// Puts a frame into its egress queue. @param item counted there
    void Store(SwitchItem&& item, Ticks now);
    /// The last bit of a frame has left. @param lastBit when it left
    void Depart(PortId port, Ticks lastBit);

    /// @param side whether `queue` is an ingress or an egress queue
    /// @return why frames of the queue are refused; nothing if they are not
    std::optional<DropReason> FindRefusal(DropPlace side, QueueId queue) const;
    /// Drops an arriving frame before it is counted.
    void TurnAway(const SwitchItem& item, DropReason reason);
    /// Drops a frame that the processor has forwarded.
    void DropArrived(const SwitchItem& item, DropReason reason);
    /// Marks a frame if its egress queue is long and its marker marks at that moment.
    /// @param item counted
    void MarkIfCongested(SwitchItem& item, MarkMoment moment);
    /// MarkIfCongested() for a queue so long that its marker may mark, which is rare.
    /// @param item can be marked
    /// @param length of the queue
    void AskMarker(SwitchItem& item, MarkMoment moment, uint64_t length);
    /// Drops all frames of some classes that wait for a port.
    void DropWaiting(PortId port, PrioritySet classes, DropReason reason);
    void Drop(const SwitchItem& item, DropReason reason);
    void ResumeProcessor();
    /// Releases frames that have left until now, for callers outside the data path.
    void CatchUp();
    /// @return whether the end of each transmission must be awaited: the flow control watches, or
    /// the processor is stopped
    bool MustWatch() const;
    /// Sets whether the end of each transmission is awaited.
    void SetWatching(bool isWatching);

    // Members that each frame needs are contiguous.

    std::vector<SwitchPort> m_ports;     ///< by port
    Ptr<SharedBuffer> m_buffer;          ///< the ledger
    Ptr<BufferPolicy> m_policy;          ///< admission and thresholds
    Ptr<FlowControl> m_flowControl;      ///< the scheme
    Ptr<PacketProcessor> m_processor;    ///< between ingress and egress; may be null
    Ptr<Forwarding> m_forwarding;        ///< finds the egress port
    Departures m_departures;             ///< frames on the wires
    bool m_isClaimed{false};             ///< the flow control watches releases
    bool m_isTelemetryOn{true};          ///< frames that request telemetry get it
    bool m_isWatched{false};             ///< a trace of frames is connected
    bool m_isRefusing{false};            ///< m_refusals is not empty
    bool m_isDequeueWatched{false};      ///< m_isWatched, or a marker marks leaving frames
    PrioritySet m_lossless{0};           ///< classes under flow control
    const SwitchItem* m_inHand{nullptr}; ///< counted, but in no queue yet
    Counts m_counts;

    std::array<Priority, NUM_DSCP> m_classOfDscp; ///< class of each code point

    // Other members.

    Ptr<PacketTrimmer> m_trimmer; ///< of frames that cannot be stored; may be null
    ObjectFactory m_queueFactory; ///< for each egress queue; without a type: the scheme's default
    ObjectFactory m_schedulerFactory; ///< for each port
    ObjectFactory m_markerFactory;    ///< for each port
    SwitchShape m_shape;              ///< known to the parts

    /// By side and Index(QueueId), see SetRefusing().
    std::map<std::pair<DropPlace, std::size_t>, DropReason> m_refusals;

    WatchedCallback<const SwitchItem&> m_enqueueTrace{this};             ///< stored
    WatchedCallback<const SwitchItem&> m_dequeueTrace{this};             ///< starts to leave
    TracedCallback<const SwitchItem&> m_markTrace;                       ///< marked
    TracedCallback<const SwitchItem&, DropReason> m_dropTrace;           ///< lost
    TracedCallback<const SwitchItem&, DropReason, uint32_t> m_trimTrace; ///< trimmed
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SWITCH_NODE_H */
