// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_NODE_H
#define LOSSLESS_SWITCH_NODE_H

#include "buffer-policy.h"
#include "ecn-marker.h"
#include "flow-control.h"
#include "lossless-forwarding.h"
#include "shared-buffer.h"
#include "switch-item.h"
#include "switch-port.h"

#include "ns3/drop-reason.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/recurring-event.h"
#include "ns3/ring-buffer.h"
#include "ns3/traced-callback.h"

#include <array>
#include <memory>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A shared-memory switch: receive, classify, route, admit, store, send.
 *
 * Nothing here knows a scheme. What differs is in the parts: a BufferPolicy admits frames and
 * sets thresholds over the SharedBuffer, a FlowControl reacts, a Forwarding finds the port, a
 * ClassScheduler and an optional EcnMarker serve each egress port. The subclasses
 * (PfcSwitchNode, DshSwitchNode, ...) only choose parts.
 *
 * Identity, at the end of any run: received = sent + dropped + stored, in frames, and the ledger
 * counts exactly the stored ones.
 */
class SwitchNode : public Node, private SwitchServices
{
  public:
    /// Number of DSCP values.
    static constexpr std::size_t NUM_DSCP = 64;

    /// Frames counted since the start.
    struct Counts
    {
        uint64_t received{0};                             ///< arrived, control frames excluded
        uint64_t sent{0};                                 ///< departed, to the last bit
        std::array<uint64_t, NUM_DROP_REASONS> dropped{}; ///< lost, by reason
        std::array<uint64_t, NUM_DROP_REASONS> bytes{};   ///< bytes of them
        uint64_t losslessDropped{0};                      ///< for want of buffer, lossless classes
        uint64_t marked{0};                               ///< marked "congestion experienced"
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
    /// @param forwarding finds the egress port
    void SetForwarding(Ptr<Forwarding> forwarding);
    /// @return finds the egress port
    Ptr<Forwarding> GetForwarding() const;
    /**
     * Classifies frames. Neighbours have to agree on the classes: a PAUSE names the class of the
     * switch, and stops the class of that number at the sender. Hosts use DSCP / 8.
     * @param dscp a code point
     * @param priority the class of frames that carry it (initially dscp / 8)
     */
    void MapDscp(uint8_t dscp, Priority priority);

    // State

    /// @return the ledger, up to date (inside a callback of the flow control, up to that event)
    Ptr<SharedBuffer> GetSharedBuffer();
    /// @return frames counted so far; remains readable after the simulation
    const Counts& GetCounts();
    /// @param port a port @return its device
    Ptr<LosslessNetDevice> GetPortDevice(PortId port) const;
    /// @return ports, links and lossless classes; empty before the simulation starts
    const SwitchShape& GetShape() const;

    /**
     * Fixes the random numbers of the scheme and the markers; initialises the switch.
     * @param stream first stream to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    // Called by the ports

    /// @param ingress port of arrival @param frame a frame
    void ReceiveFrame(PortId ingress, Frame&& frame);
    /// @param port a port whose wire is free @return a control frame to send; null: there is none
    Ptr<Packet> MakeControl(PortId port);
    /// @param item a frame that starts to leave
    void NotifyDequeue(SwitchItem& item);
    /// @param port a port @param lastBit when the last bit of its frame on the wire leaves
    void NotifyDeparture(PortId port, Ticks lastBit);
    /// Releases the buffer of all frames whose last bit has left. @param now the time
    void ReleaseDeparted(Ticks now);
    /// @param port a port @param up new state of its link
    void NotifyLinkChanged(PortId port, bool up);

    /// @return whether frames that ask for telemetry get it
    bool IsTelemetryOn() const
    {
        return m_isTelemetryOn;
    }

    /// @return whether the end of each transmission matters at once
    bool IsWatchingReleases() const;

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

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// The frame on the wire of a port, which is released when its last bit has left.
    struct Departure
    {
        Ticks lastBit; ///< when
        PortId port;   ///< where

        /// @param other another one @return whether it comes before this one
        bool operator>(const Departure& other) const
        {
            return lastBit > other.lastBit;
        }
    };

    /// An admitted frame inside the processing pipeline.
    struct Processing
    {
        SwitchItem item; ///< the frame
        Ticks ready;     ///< when it may leave
    };

    // Services for the flow control
    void RequestControl(PortId port) override;
    void NotifyWatching() override;
    void Mark(SwitchItem& item) override;
    Mac48Address GetAddress(PortId port) const override;
    bool IsLinkUp(PortId port) const override;

    /// A part is about to be replaced. Stops the program if it is too late. @param part its name
    void AbortIfInitialized(const char* part) const;
    /// A port was added. Stops the program if it is too late. @param device its device
    void NotifyDeviceAdded(Ptr<NetDevice> device);
    /// Finds out what the parts have to know of the switch. Stops the program if a port has no
    /// peer.
    void SurveyPorts();
    /// Makes the ports.
    void CreatePorts();
    /// Gives a device the upstream side of the scheme, if that has one of its own.
    /// @param device of a port, or of the host behind it @param port the port; nothing: the host
    void SetGate(Ptr<LosslessNetDevice> device, std::optional<PortId> port);
    /// @param port a port @return its egress queues, scheduler and marker put together
    std::unique_ptr<SwitchPort> CreatePort(PortId port);
    /// Tells the parts about the switch. Stops the program if the configuration is impossible.
    void ConfigureParts();
    /// Counts and queues a frame just arrived. @param item the frame @param segments its buffer
    void Store(SwitchItem&& item, const SegmentBytes& segments);
    /// Marks a frame if its egress queue is long. @param item the frame, counted already
    void MarkIfCongested(SwitchItem& item);
    /// The link of a stored frame went down. @param item the frame
    void DropStored(const SwitchItem& item);
    /// @param item a lost frame @param reason why
    void Drop(const SwitchItem& item, DropReason reason);
    /// The first frame leaves the processing pipeline.
    void FinishProcessing();
    /// Releases what has left until now, for a caller from outside the data path.
    void CatchUp();
    /// From now on, the end of each transmission is awaited if the flow control watches, else not.
    void UpdateWatching();

    using ProcessingEvent = RecurringEvent<SwitchNode, &SwitchNode::FinishProcessing>;

    Ptr<SharedBuffer> m_buffer;       ///< the ledger
    Ptr<BufferPolicy> m_policy;       ///< admission and thresholds
    Ptr<FlowControl> m_flowControl;   ///< the scheme
    Ptr<Forwarding> m_forwarding;     ///< finds the egress port
    ObjectFactory m_schedulerFactory; ///< for each port
    ObjectFactory m_markerFactory;    ///< for each port
    PrioritySet m_lossless{0};        ///< classes under flow control
    Time m_processingDelay;           ///< latency of the pipeline
    bool m_isTelemetryOn{true};       ///< frames that ask for telemetry get it
    SwitchShape m_shape;              ///< what the parts know of the switch
    bool m_watching{false};           ///< the end of each transmission is awaited
    bool m_releasing{false};          ///< inside ReleaseDeparted(), which callbacks may call again

    std::array<Priority, NUM_DSCP> m_classOfDscp;     ///< class of each code point
    std::vector<std::unique_ptr<SwitchPort>> m_ports; ///< by port
    std::vector<Ptr<EcnMarker>> m_markers;            ///< by port
    std::vector<Departure> m_departures;              ///< heap, earliest first
    RingBuffer<Processing> m_processing;              ///< in the order of arrival
    Ptr<ProcessingEvent> m_processed;                 ///< for the first of them

    Counts m_counts;                                           ///< frames counted
    TracedCallback<const SwitchItem&> m_enqueueTrace;          ///< stored
    TracedCallback<const SwitchItem&> m_dequeueTrace;          ///< starts to leave
    TracedCallback<const SwitchItem&> m_markTrace;             ///< marked
    TracedCallback<const SwitchItem&, DropReason> m_dropTrace; ///< lost
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SWITCH_NODE_H */
