// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_NET_DEVICE_H
#define LOSSLESS_NET_DEVICE_H

#include "frame-endpoint.h"
#include "link-partner.h"
#include "lossless-wire.h"
#include "transmit-gate.h"

#include "ns3/data-rate.h"
#include "ns3/drop-reason.h"
#include "ns3/error-model.h"
#include "ns3/event-id.h"
#include "ns3/lossless-frame.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/recurring-event.h"
#include "ns3/ring-buffer.h"
#include "ns3/traced-callback.h"
#include "ns3/watched-callback.h"

#include <memory>
#include <optional>

namespace ns3::lossless
{

class HostPort;
class LinkRetry;
class LosslessChannel;

/**
 * @ingroup lossless
 * A full-duplex Ethernet port with priority flow control.
 *
 * To ns-3's Internet stack, it is an ordinary NetDevice. On a host, a HostPort provides frames from
 * the stack, a RoCE NIC and raw generators in turn. On a switch, the SwitchNode sets its own source
 * and sink.
 *
 * MAC control frames are sent before all data and wait only for the frame on the wire. A data frame
 * is sent only when the TransmitGate permits it. A frame of n bytes occupies the wire for
 * (n + "OverheadBytes") x 8 bit times, of which the last "GapBytes" x 8 follow the frame's last
 * bit. A remaining fraction of a tick is carried over to the next frame of a busy period, so the
 * long-term rate is exact at any time resolution. The device schedules an event for the end of a
 * transmission only if necessary.
 */
class LosslessNetDevice : public NetDevice, private GateClient, private Watched
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    LosslessNetDevice();
    ~LosslessNetDevice() override;

    // Functions that connect and configure the device

    /// @param channel the cable; a device can be attached to only one cable
    void Attach(Ptr<LosslessChannel> channel);
    /// Makes the device part of a switch. The source and sink replace the HostPort. If both are
    /// null, a new source and sink must be set before the device is initialized.
    void SetEndpoint(FrameSource* source, FrameSink* sink);
    /// Makes the device a port of a switch.
    /// @param switchSide the switch's interface to the other end; not owned; must outlive the
    /// partner's device
    void SetSwitchSide(const SwitchSide* switchSide);
    /// @param gate the object that reacts to flow control; it replaces the default PauseGate
    void SetGate(Ptr<TransmitGate> gate);

    /// Returns the gate, which reacts to flow control and is a PauseGate unless the switch's scheme
    /// has its own gate. A switch port receives the scheme's gate when the switch is initialized,
    /// and an attached host receives it when the host's device is initialized. To connect to the
    /// traces of such a gate before the simulation starts, first call Initialize() of the switch or
    /// the device.
    Ptr<TransmitGate> GetGate() const
    {
        return m_gate;
    }

    /// @return the sources and receivers of a host, or null after SetEndpoint()
    HostPort* GetHostPort() const
    {
        return m_hostPort.get();
    }

    /// @return the other end of the cable, if there is one
    const std::optional<LinkPartner>& GetPartner() const
    {
        return m_partner;
    }

    /// @return the classes under flow control at the device's own switch or, if the device is not
    /// on a switch, at the switch at the other end; all classes if there is no switch
    PrioritySet GetLossless() const;
    /// Returns the device at the other end of the cable, for observers of the whole network.
    /// @return the device, or null if no device is attached
    Ptr<LosslessNetDevice> GetPeer() const;

    // Transmission

    /// Transmits the next frame if the transmitter is free. Call this function when a frame may
    /// have become ready.
    void Kick();
    /// @copydoc Kick()
    void Kick(Ticks now);
    /// Sends a MAC control frame before all data but after any waiting MAC control frames. This
    /// function has no effect while the link is down.
    void SendControl(Ptr<Packet> packet);
    /// Makes the device call FrameSource::MakeControl() when the wire is free, before all data. The
    /// frame thus reports the state at that time, and no obsolete frame takes up time on the wire.
    /// This function has no effect while the link is down.
    void RequestControl();
    /// Requests FrameSource::NotifyTransmitEnd() at the end of the current transmission.
    void AwaitTransmitEnd(Ticks now);

    /// @return the rate of the link
    DataRate GetDataRate() const
    {
        return m_rate;
    }

    /// @return the rate of the link before any call to ChangeRate()
    DataRate GetFirstRate() const;

    /// Changes the rate of the link, for example after the loss of some lanes. Call this function
    /// at both ends. The frame on the wire is not affected. The thresholds, markers and telemetry
    /// of a switch continue to use the first rate.
    /// @param rate the new rate, which must be positive and at most GetFirstRate()
    void ChangeRate(DataRate rate);

    /// @param model the model that determines which frames arrive corrupt from now on; can be null
    void SetErrorModel(Ptr<ErrorModel> model);

    /// @return the error model; null if there is none
    Ptr<ErrorModel> GetErrorModel() const
    {
        return m_errorModel;
    }

    /// Makes the link retransmit corrupt frames. Call this function before the first frame is sent.
    /// @param retry the LinkRetry of this end; the other end must have one, too
    void SetRetry(Ptr<LinkRetry> retry);

    /// @return the LinkRetry of this end; null if there is none
    Ptr<LinkRetry> GetRetry() const;
    /// Called by the LinkRetry when it has frames to retransmit or accepts new frames again.
    void NotifyRetryReady();

    /// @param bytes the size of a frame without overhead
    /// @return the time from the frame's first bit on the wire to its last bit
    Time GetWireTime(uint32_t bytes) const;
    /// @param bytes the size of a frame without overhead
    /// @return the time from the frame's first bit until the wire is free for the next frame,
    /// including the gap, in seconds
    double GetSlotSeconds(uint32_t bytes) const;
    /// @return the part of GetSlotSeconds() that follows the last bit; see "GapBytes"
    double GetGapSeconds() const;

    /// @return the overhead of a frame on the wire, in bytes
    uint32_t GetOverheadBytes() const
    {
        return m_overheadBytes;
    }

    /// @return the total size on the wire, in bytes, of all data frames whose transmission has
    /// started, excluding retransmissions by a LinkRetry
    uint64_t GetSentBytes() const
    {
        return m_sentBytes;
    }

    // Functions called by the channel

    /// @return the sending half of the cable
    WireSender& GetWire()
    {
        return m_wire;
    }

    /// @return the receiving half of the cable
    const Ptr<WireReceiver>& GetWireReceiver() const
    {
        return m_inbound;
    }

    /// Receives a frame.
    /// @param frame the frame, whose last bit has arrived
    void Receive(Frame&& frame);
    /// @param frame a frame that was on the cable to this device when the cable was cut
    void NotifyLostOnLink(const Frame& frame);
    /// Called when the cable has been attached, cut or restored.
    void NotifyLinkChanged();
    /// @return the properties of this end that the other end needs, except those of the cable
    LinkPartner Describe() const;
    /// Called when the other end has been attached or has changed.
    /// @param partner the other end
    void NotifyPartner(const LinkPartner& partner);

    // Functions called by the HostPort

    /// Passes a frame to ns-3's stack without its Ethernet header.
    void DeliverToStack(const Frame& frame);
    /// Reports a lost frame to the trace "Drop".
    void Drop(const Frame& frame, DropReason reason);

    /// @return the address of this device; GetAddress() returns it as an ns3::Address
    Mac48Address GetMacAddress() const
    {
        return m_address;
    }

    // Functions inherited from NetDevice

    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    Ptr<Channel> GetChannel() const override;
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address multicastGroup) const override;
    Address GetMulticast(Ipv6Address addr) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(NetDevice::ReceiveCallback cb) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback cb) override;
    bool SupportsSendFrom() const override;

    /// The signature of the trace source "Drop".
    typedef void (*DropTracedCallback)(Ptr<const Packet> packet, DropReason reason);

    /// Prefetches the data needed to send a frame.
    void Prefetch() const
    {
        constexpr std::size_t LINES = 3; // the size of the members that each frame needs; see below
        PrefetchLines(&m_source, LINES * CACHE_LINE_BYTES);
    }

  protected:
    void DoInitialize() override;
    void DoDispose() override;
    void NotifyNewAggregate() override;

  private:
    void NotifyGateOpened() override;
    void NotifyPaused(const PauseNotice& notice) override;
    void NotifyUnknownControl(const Frame& frame) override;
    void NotifyWatched() override;

    /// Configures the receiving half of the cable.
    void UpdateReception();
    /// @param rate the rate of the link; setting it after the device has been initialized stops the
    /// program
    void SetDataRate(DataRate rate);
    void SetMacAddress(Mac48Address address);
    /// Sends the current description to the other end of the cable.
    void Announce();
    /// Gives the host its part of a switch's scheme if this device is on a host attached to a
    /// switch.
    void PrepareAsHost();
    /// Installs the gate of a switch's scheme if this device is on a host attached to a switch.
    void TakeHostGate();
    /// Passes the properties of the link to the gate.
    void AttachGate();
    void TransmitEnd();
    /// Transmits a waiting MAC control frame if the transmitter is free.
    void KickControl();
    /// Returns whether a transmission can start. If the wire is busy, schedules the end of the
    /// transmission.
    bool IsFree(Ticks now);
    /// Starts to transmit a MAC control frame or, if there is none, lets a LinkRetry use the wire;
    /// see TransmitRetry().
    /// @return whether the wire is in use or reserved
    bool TransmitControl(Ticks now);
    /// Starts to transmit the next frame of the source, if any.
    void TransmitData(Ticks now);
    /// Lets the LinkRetry retransmit a frame or hold back new frames. There must be a LinkRetry.
    /// @return whether the wire is in use or reserved
    bool TransmitRetry(Ticks now);
    /// Computes the transmission time of a bit.
    void MeasureBits();
    /// @return the MAC control frame to send next, or null if the source has no such frame after
    /// all
    Ptr<Packet> TakeControl();

    /// @return whether there may be a frame to be sent before data
    bool HasControl() const
    {
        return m_isControlRequested || m_isControlWaiting;
    }

    /// @return the classes and frames that can be sent now; none while the link settles
    Permit GetPermit() const
    {
        return m_isSettling ? Permit{0, nullptr} : m_gate->GetPermit();
    }

    /// After the link has come up, neither end sends data until the partner's control frames, which
    /// both send at once, can have taken effect. Otherwise, a switch whose headroom is in use would
    /// receive another headroom's worth of frames before its PAUSE takes effect.
    /// @return the time for which no data is sent after the link has come up
    Time GetSettlingTime() const;
    void EndSettling();

    /// Puts a frame on the wire.
    /// @param gap the time for which the wire remains busy after the last bit
    /// @return the departure time of the last bit
    Ticks TransmitStart(Frame&& frame, Ticks gap, Ticks now);
    /// Fires the per-frame traces.
    /// @param trace the trace of sent or received frames
    void Show(const Frame& frame, const TracedCallback<Ptr<const Packet>>& trace);
    /// @return the time for which a frame occupies the wire, in whole ticks; the remaining fraction
    /// is carried over to the next call
    Ticks AdvanceWire(uint32_t bytes);
    void Measure(uint32_t bytes);

    using TransmitEndEvent = RecurringEvent<LosslessNetDevice, &LosslessNetDevice::TransmitEnd>;

    // The members needed for each frame are contiguous. Those that determine whether a frame can be
    // sent come first, followed by those needed to send it.

    FrameSource* m_source{nullptr};      ///< the source of frames; not owned
    WireSender m_wire;                   ///< the sending half of the cable
    Ticks m_busyUntil{0};                ///< the end of the latest transmission
    Ptr<TransmitEndEvent> m_transmitEnd; ///< the event at the end of a transmission, if needed
    Ptr<TransmitGate> m_gate;            ///< the gate, which determines which frames can be sent
    uint64_t m_carry{0};                 ///< the fraction of a tick carried over, in units of
                                         ///< 1 / m_carryLimit ticks
    uint32_t m_nodeId{0};                ///< the context of events
    bool m_canTransmit{false};           ///< whether the device is initialized and its cable is up
    bool m_starting{false};           ///< whether a frame is being moved from its queue to the wire
    bool m_isControlWaiting{false};   ///< whether m_control is not empty
    bool m_isControlRequested{false}; ///< whether the source or the LinkRetry may have frames to
                                      ///< be sent before data
    bool m_isWatched{false};          ///< whether a per-frame trace is connected
    bool m_isEndAwaited{false};       ///< whether m_transmitEnd is pending
    bool m_isSettling{false};         ///< see GetSettlingTime()

    uint64_t m_carryLimit{1};    ///< the number of units per tick; a bit takes an integer number of
                                 ///< units
    uint32_t m_measuredBytes{0}; ///< the frame size for which m_measuredTicks is valid; 0 if there
                                 ///< is none
    uint32_t m_overheadBytes{WIRE_OVERHEAD_BYTES}; ///< the size of preamble, FCS and gap of each
                                                   ///< frame, in bytes
    Ticks m_measuredTicks{0};                      ///< the time that a frame of m_measuredBytes
                                                   ///< bytes takes on the wire, in whole ticks
    uint64_t m_measuredRest{0};                    ///< the fraction of a tick beyond
                                                   ///< m_measuredTicks, in units of
                                                   ///< 1 / m_carryLimit ticks
    Ticks m_gap{0};                                ///< the duration of "GapBytes" on the wire
    uint64_t m_sentBytes{0};                       ///< see GetSentBytes()
    uint64_t m_wholeTicksPerBit{0};                ///< the time of a bit, in whole ticks
    uint64_t m_restTicksPerBit{0};                 ///< the fraction of a tick beyond
                                                   ///< m_wholeTicksPerBit, in units of
                                                   ///< 1 / m_carryLimit ticks

    // Other members

    Ptr<WireReceiver> m_inbound;       ///< the receiving half of the cable
    FrameSink* m_sink{nullptr};        ///< the destination of frames; not owned
    Ptr<LinkRetry> m_retry;            ///< the LinkRetry; can be null
    Ptr<ErrorModel> m_errorModel;      ///< the error model of arriving frames; can be null
    RingBuffer<Ptr<Packet>> m_control; ///< the waiting MAC control frames
    Ptr<Node> m_node;
    uint32_t m_ifIndex{0}; ///< the index among the node's devices
    Mac48Address m_address;
    uint16_t m_mtu{1500}; ///< the largest payload of a frame, in bytes
    DataRate m_rate;
    std::optional<DataRate> m_firstRate; ///< see GetFirstRate(); empty if the rate is unchanged
    uint32_t m_gapBytes{0};              ///< the part of m_overheadBytes that follows the last bit
    Ptr<LosslessChannel> m_channel;
    std::unique_ptr<HostPort> m_hostPort;    ///< the source and sink of a host
    const SwitchSide* m_switchSide{nullptr}; ///< the switch of a port; not owned
    std::optional<LinkPartner> m_partner;    ///< see GetPartner()
    EventId m_settled;                       ///< the end of the link's settling

    NetDevice::ReceiveCallback m_receiveCallback;                     ///< called for frames to this
                                                                      ///< device, multicasts and
                                                                      ///< broadcasts
    NetDevice::PromiscReceiveCallback m_promiscuousCallback;          ///< called for all frames
    TracedCallback<> m_linkChange;                                    ///< fired when the link has
                                                                      ///< gone down or come up
    TracedCallback<Ptr<const Packet>> m_macTxTrace;                   ///< fired when a frame is
                                                                      ///< accepted from the stack
    TracedCallback<Ptr<const Packet>> m_macTxDropTrace;               ///< fired when a frame from
                                                                      ///< the stack is refused
    TracedCallback<Ptr<const Packet>> m_macRxTrace;                   ///< fired when a frame is
                                                                      ///< passed to the stack
    WatchedCallback<Ptr<const Packet>> m_phyTxBeginTrace{this};       ///< fired when the first bit
                                                                      ///< of a frame is sent
    WatchedCallback<Ptr<const Packet>> m_phyRxEndTrace{this};         ///< fired when the last bit
                                                                      ///< of a frame is received
    TracedCallback<Ptr<const Packet>> m_phyRxDropTrace;               ///< fired when a frame is
                                                                      ///< lost on arrival
    WatchedCallback<Ptr<const Packet>> m_snifferTrace{this};          ///< fired for all frames
    WatchedCallback<Ptr<const Packet>> m_promiscuousSniffTrace{this}; ///< fired for all frames
    TracedCallback<Ptr<const Packet>, DropReason> m_dropTrace; ///< fired for all losses, with the
                                                               ///< reason
};

} // namespace ns3::lossless

#endif /* LOSSLESS_NET_DEVICE_H */
