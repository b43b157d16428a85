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
 * A switch that is composed of exchangeable parts. A frame passes through the following stages,
 * most of which are methods of the same name: Classify, Arrive (admission at the ingress), the
 * optional PacketProcessor, Route, admission at the egress, and Store, followed by Dequeue and
 * Depart at the port. Without a processor, a frame passes all stages up to Store immediately and is
 * counted only when both ingress and egress have admitted it.
 *
 * This class does not depend on the scheme; schemes differ only in their parts. A BufferPolicy
 * admits frames and sets thresholds for the SharedBuffer, a FlowControl sends signals to
 * neighbours, and a Forwarding selects the egress port. A ClassScheduler, EgressQueues and an
 * optional EcnMarker serve each egress port. The subclasses (PfcSwitchNode, DshSwitchNode, ...)
 * only select the parts.
 *
 * At the end of any run, the number of received frames equals the sum of sent, dropped and stored
 * frames, and the buffer accounting counts exactly the stored frames. In bytes, the sum also
 * includes the trimmed bytes.
 */
class SwitchNode : public Node, private SwitchSide, private SwitchServices, private Watched
{
  public:
    /// The number of DSCP values.
    static constexpr std::size_t NUM_DSCP = 64;

    /// The counts since the start of the simulation.
    struct Counts
    {
        uint64_t received{0}; ///< the number of frames received, except control
                              ///< frames
        uint64_t sent{0};     ///< the number of frames whose last bit has left
        std::array<uint64_t, MAX_DROP_REASONS> dropped{}; ///< the number of lost frames, by reason
        std::array<uint64_t, MAX_DROP_REASONS> bytes{};   ///< the number of lost bytes, by reason
        uint64_t losslessDropped{0}; ///< the number of frames of lossless classes lost due to a
                                     ///< lack of buffer space
        uint64_t marked{0};          ///< the number of frames marked as "congestion experienced"
        /// The number of trimmed frames, by the reason why they could not be stored. They can still
        /// be lost later.
        std::array<uint64_t, MAX_DROP_REASONS> trimmed{};
        uint64_t trimmedBytes{0}; ///< the number of bytes removed by trimming
    };

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Creates a switch without flow control and with an unlimited buffer.
    SwitchNode();
    ~SwitchNode() override;

    // Parts of the switch. Replacing a part or adding a port after initialization stops the
    // program.

    /// @param policy the policy for admission and thresholds
    void SetBufferPolicy(Ptr<BufferPolicy> policy);

    /// @return the policy for admission and thresholds
    Ptr<BufferPolicy> GetBufferPolicy() const
    {
        return m_policy;
    }

    /// @param flowControl the scheme
    void SetFlowControl(Ptr<FlowControl> flowControl);

    /// @return the scheme
    Ptr<FlowControl> GetFlowControl() const
    {
        return m_flowControl;
    }

    /// @param processor the stage between ingress and egress; if null, frames are forwarded on
    /// arrival
    void SetProcessor(Ptr<PacketProcessor> processor);

    /// @return the stage between ingress and egress; null if there is none
    Ptr<PacketProcessor> GetProcessor() const
    {
        return m_processor;
    }

    /// @param forwarding the part that selects the egress port of each frame
    void SetForwarding(Ptr<Forwarding> forwarding);

    /// @return the part that selects the egress port of each frame
    Ptr<Forwarding> GetForwarding() const
    {
        return m_forwarding;
    }

    /// Passes the properties of the ports to the Forwarding, as initialization does. This function
    /// makes it possible to find paths through switches of another rank, which are not initialized
    /// on this rank.
    void ConfigureForwarding();
    /// @param trimmer the object that trims frames that cannot be stored; if null, such frames are
    /// dropped. A switch with a processor cannot have a trimmer.
    void SetTrimmer(Ptr<PacketTrimmer> trimmer);

    /// @return the trimmer; null if there is none
    Ptr<PacketTrimmer> GetTrimmer() const
    {
        return m_trimmer;
    }

    /// Maps a DSCP to a class. Neighbours must use the same mapping, because a PAUSE contains the
    /// number of the switch's class and stops the sender's class with the same number. Hosts use
    /// DSCP / 8.
    /// @param priority the class of frames with this DSCP (initially dscp / 8)
    void MapDscp(uint8_t dscp, Priority priority);

    // State of the switch

    /// Releases all departed frames and returns the buffer accounting, which is then up to date.
    /// Within a callback of the flow control, it reflects the reported event but no later events.
    Ptr<SharedBuffer> GetSharedBuffer();
    /// Calls the visitor with all frames that are counted at an egress queue. While the frames of a
    /// queue are being discarded, those that are still counted are not visited.
    void ForEachQueued(const ItemVisitor& visitor) const;
    /// @return the state of an egress queue
    EgressState GetState(QueueId queue) const;
    /// @return the counts up to the current time
    const Counts& GetCounts();
    /// @return the device of a port
    Ptr<LosslessNetDevice> GetPortDevice(PortId port) const;

    /// @return the ports, links and lossless classes; empty before initialization
    const SwitchShape& GetShape() const
    {
        return m_shape;
    }

    /// Assigns fixed random streams to the scheme, the Forwarding and the markers. Initializes the
    /// switch unless another rank executes its events.
    /// @param stream the first stream to use
    /// @return the number of streams used
    int64_t AssignStreams(int64_t stream);

    // Functions for mechanisms outside the scheme, such as a PFC watchdog; see also
    // TransmitGate::SetIgnoring()

    /// Drops all frames that wait in an egress queue. Each frame is reported to the scheme
    /// (FlowControl::OnDiscard()), traced and counted like a frame that is lost when a link goes
    /// down, so any pause caused by the frame ends. The frame on the wire is not dropped. If this
    /// function is called in a callback for a frame that is about to join the queue, this frame is
    /// not dropped either. The function can be called in any event of the switch, but not by an
    /// egress queue or gate while it determines which frames can leave.
    /// @param queue an egress queue
    void Discard(QueueId queue, DropReason reason);

    /// Sets whether frames bound for an egress queue, or frames of a class that arrive at an
    /// ingress port, are dropped from now on before they are stored. Stored frames are not dropped.
    /// The drop action of SONiC's PFC watchdog consists of Discard() and this function on both
    /// sides of the queue, while the port's gate ignores pauses of the class.
    /// @param side whether `queue` is an ingress or an egress queue
    /// @param reason the reason for the loss; unset to accept frames again
    void SetRefusing(DropPlace side, QueueId queue, std::optional<DropReason> reason);

    // Functions called by the ports

    /// @param ingress the port of arrival
    void ReceiveFrame(PortId ingress, Frame&& frame);
    /// @return a control frame for a port whose wire is free, or null if there is nothing to send
    Ptr<Packet> MakeControl(PortId port);
    /// @param item a frame that starts to leave
    void NotifyDequeue(SwitchItem& item);
    /// @param lastBit the departure time of the last bit of the port's frame on the wire
    void NotifyDeparture(PortId port, Ticks lastBit);
    /// Processes the departure of all frames whose last bit has left.
    void ReleaseDeparted(Ticks now);
    /// Called when the link of a port has gone down or come up.
    void NotifyLinkChanged(PortId port, bool up);

    /// @return whether the switch adds telemetry to frames that request it
    bool IsTelemetryOn() const
    {
        return m_isTelemetryOn;
    }

    /// @return whether an event must mark the exact end of each transmission
    bool IsWatchingReleases() const
    {
        return m_departures.IsWatching();
    }

    /// The signature of the trace sources "Enqueue", "Dequeue", "Discard" and "Mark".
    typedef void (*ItemTracedCallback)(const SwitchItem& item);

    /// The signature of the trace source "Drop".
    /// @param item the frame, which is no longer in the buffer
    typedef void (*DropTracedCallback)(const SwitchItem& item, DropReason reason);

    /// The signature of the trace source "Trim".
    /// @param item the trimmed frame, which is not in the buffer yet
    /// @param bytes the number of bytes removed
    typedef void (*TrimTracedCallback)(const SwitchItem& item, DropReason reason, uint32_t bytes);

  protected:
    void DoInitialize() override;
    void DoDispose() override;

    /// Creates a switch with the given parts. This constructor is for subclasses.
    /// @param processor the stage between ingress and egress; can be null
    explicit SwitchNode(Ptr<BufferPolicy> policy,
                        Ptr<FlowControl> flowControl = CreateObject<FlowControl>(),
                        Ptr<PacketProcessor> processor = nullptr);

  private:
    // Functions for the devices at the other ends of the cables
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
    AdmissionOutcome Forward(SwitchItem& item, bool isRouted);
    DataRate GetRate(PortId port) const override;
    void NotifyWatched() override;

    /// Stops the program if it is too late to replace a part.
    /// @param part the name of the part
    void AbortIfInitialized(const char* part) const;
    /// Stops the program if another switch has already initialized one of this switch's parts.
    void RequireOwnParts() const;
    /// Called when a port has been added. Stops the program if the switch has been initialized.
    void NotifyDeviceAdded(Ptr<NetDevice> device);
    /// Determines those properties of the switch that the parts need. A port without a partner
    /// stops the program.
    void SurveyPorts();
    void CreatePorts();
    SwitchPort CreatePort(PortId port);
    /// @param factory a factory for egress queues; if the factory has no type, the scheme's default
    /// is used
    void SetQueueFactory(ObjectFactory factory);
    /// @return the factory for egress queues; if the factory has no type, FIFO queues are used
    ObjectFactory GetQueueFactory() const;
    /// @return an egress queue of the scheme or of the chosen type
    Ptr<EgressQueue> CreateEgressQueue(QueueId queue) const;
    /// Configures the parts. Stops the program if the configuration is impossible.
    void ConfigureParts();

    // Stages of a frame

    SwitchItem Classify(PortId ingress, Frame&& frame);
    /// Passes a frame directly from the ingress to its egress queue.
    void PassDirectly(SwitchItem&& item);
    /// Passes a routed frame directly to its egress queue.
    void PassRouted(SwitchItem&& item);
    void Overflow(SwitchItem&& item, DropReason reason);
    /// Trims a frame that cannot be stored, if possible.
    /// @return whether the frame was trimmed
    bool Trim(SwitchItem& item, DropReason reason);
    /// Passes a frame from the ingress to the processor.
    void Arrive(SwitchItem&& item);
    std::optional<DropReason> Route(SwitchItem& item);
    /// Puts a frame into its egress queue.
    /// @param item a frame counted there
    void Store(SwitchItem&& item, Ticks now);
    /// Called when the last bit of a frame has left.
    /// @param lastBit the departure time
    void Depart(PortId port, Ticks lastBit);

    /// @param side whether `queue` is an ingress or an egress queue
    /// @return the reason why the queue's frames are refused; unset if they are accepted
    std::optional<DropReason> FindRefusal(DropPlace side, QueueId queue) const;
    /// Drops an arriving frame before it is counted.
    void TurnAway(const SwitchItem& item, DropReason reason);
    /// Drops a frame that the processor has forwarded.
    void DropArrived(const SwitchItem& item, DropReason reason);
    /// Marks a frame if its egress queue is long and the port's marker marks frames at the given
    /// moment.
    /// @param item a frame that is counted
    void MarkIfCongested(SwitchItem& item, MarkMoment moment);
    /// Handles the rare case of MarkIfCongested() in which the queue is so long that the marker may
    /// mark the frame.
    /// @param item a frame that can be marked
    /// @param length the length of the queue
    void AskMarker(SwitchItem& item, MarkMoment moment, uint64_t length);
    /// Drops all waiting frames of some classes at a port.
    void DropWaiting(PortId port, PrioritySet classes, DropReason reason);
    void Drop(const SwitchItem& item, DropReason reason);
    void ResumeProcessor();
    /// Releases the frames that have left. This function is for callers outside the data path.
    void CatchUp();
    /// @return whether each transmission needs an event at its end; true if the flow control
    /// watches releases or the processor is stopped
    bool MustWatch() const;
    /// Sets whether the end of each transmission has an event.
    void SetWatching(bool isWatching);

    // The members needed for each frame are contiguous.

    std::vector<SwitchPort> m_ports;     ///< the ports
    Ptr<SharedBuffer> m_buffer;          ///< the buffer accounting
    Ptr<BufferPolicy> m_policy;          ///< the policy for admission and thresholds
    Ptr<FlowControl> m_flowControl;      ///< the scheme
    Ptr<PacketProcessor> m_processor;    ///< the stage between ingress and egress; can be null
    Ptr<Forwarding> m_forwarding;        ///< the part that selects the egress port
    Departures m_departures;             ///< the frames on the wires
    bool m_isClaimed{false};             ///< whether the flow control watches releases
    bool m_isTelemetryOn{true};          ///< whether telemetry is added to frames that request it
    bool m_isWatched{false};             ///< whether the trace "Enqueue" or "Dequeue" is connected
    bool m_isRefusing{false};            ///< whether m_refusals is not empty
    bool m_isDequeueWatched{false};      ///< whether a trace or marker must be notified of frames
                                         ///< that start to leave
    PrioritySet m_lossless{0};           ///< the classes under flow control
    const SwitchItem* m_inHand{nullptr}; ///< a frame that is counted but is not in a queue yet;
                                         ///< null if there is none
    Counts m_counts;

    std::array<Priority, NUM_DSCP> m_classOfDscp; ///< the class of each DSCP

    // Other members

    Ptr<PacketTrimmer> m_trimmer;     ///< the trimmer; can be null
    ObjectFactory m_queueFactory;     ///< the factory of egress queues; if it has no type, the
                                      ///< scheme's default is used
    ObjectFactory m_schedulerFactory; ///< the factory of the ports' schedulers
    ObjectFactory m_markerFactory;    ///< the factory of the ports' markers
    SwitchShape m_shape;              ///< the description of the switch that is passed to the parts

    /// The reasons for refusing frames, by side and Index(QueueId); see SetRefusing().
    std::map<std::pair<DropPlace, std::size_t>, DropReason> m_refusals;

    WatchedCallback<const SwitchItem&> m_enqueueTrace{this};   ///< fired when a frame is stored
    WatchedCallback<const SwitchItem&> m_dequeueTrace{this};   ///< fired when a frame
                                                               ///< starts to leave
    TracedCallback<const SwitchItem&> m_discardTrace;          ///< fired when a frame in a queue is
                                                               ///< lost
    TracedCallback<const SwitchItem&> m_markTrace;             ///< fired when a frame is marked
    TracedCallback<const SwitchItem&, DropReason> m_dropTrace; ///< fired when a frame is lost
    TracedCallback<const SwitchItem&, DropReason, uint32_t> m_trimTrace; ///< fired when a frame is
                                                                         ///< trimmed
};

/// @ingroup lossless
/// A switch with the given parts; the base of the schemes' switches.
template <typename POLICY, typename FLOW_CONTROL = FlowControl>
class SwitchOf : public SwitchNode
{
  protected:
    SwitchOf()
        : SwitchNode(CreateObject<POLICY>(), CreateObject<FLOW_CONTROL>())
    {
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SWITCH_NODE_H */
