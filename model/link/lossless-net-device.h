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
 * To ns-3's Internet stack it is an ordinary NetDevice. On a host, a HostPort feeds it (the stack,
 * a RoCE NIC and raw generators in turn); on a switch, the SwitchNode sets its own source and sink.
 *
 * Transmission: MAC control frames precede all data and wait only for the frame on the wire; a data
 * frame leaves when its class is open at the TransmitGate. A frame of n bytes occupies the wire for
 * (n + "OverheadBytes") x 8 bit times, the last "GapBytes" of them after its last bit. The fraction
 * of a tick is carried over to the next frame of a busy period, so the long-term rate is exact at
 * any time resolution. The device schedules an event for the end of a transmission only if
 * something waits for it.
 */
class LosslessNetDevice : public NetDevice, private GateClient, private Watched
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    LosslessNetDevice();
    ~LosslessNetDevice() override;

    // Wiring

    /// @param channel the cable; once per device
    void Attach(Ptr<LosslessChannel> channel);
    /// The device now belongs to a switch. The source and sink replace the HostPort; if both are
    /// null, they must be set again before the device is initialised.
    void SetEndpoint(FrameSource* source, FrameSink* sink);
    /// The device is a port of a switch.
    /// @param switchSide offered to the other end; not owned, must outlive the partner's device
    void SetSwitchSide(const SwitchSide* switchSide);
    /// @param gate the reaction to flow control, instead of a PauseGate
    void SetGate(Ptr<TransmitGate> gate);
    /// @return the reaction to flow control: a PauseGate, unless the switch's scheme has its own. A
    /// switch port gets the scheme's gate when the switch is initialised, the attached host when
    /// the host's device is. To connect to such a gate's traces before the simulation starts, first
    /// call Initialize() of the switch or the device.
    Ptr<TransmitGate> GetGate() const;
    /// @return the sources and receivers of a host; null after SetEndpoint()
    HostPort* GetHostPort() const;
    /// @return the other end of the cable, if there is one
    const std::optional<LinkPartner>& GetPartner() const;
    /// @return the classes under flow control: of the device's switch, otherwise of the switch at
    /// the other end; all without a switch
    PrioritySet GetLossless() const;
    /// For observers of the whole network.
    /// @return the device at the other end of the cable; null if there is none
    Ptr<LosslessNetDevice> GetPeer() const;

    // Transmission

    /// Transmits the next frame if the transmitter is free. To be called when one may have become
    /// ready.
    void Kick();
    /// @copydoc Kick()
    void Kick(Ticks now);
    /// Sends a MAC control frame before all data and behind those waiting. No effect while the link
    /// is down.
    void SendControl(Ptr<Packet> packet);
    /// Makes the device call FrameSource::MakeControl() when the wire is free, before all data. The
    /// frame thus reports the state at that instant, and an obsolete one costs no wire time. No
    /// effect while the link is down.
    void RequestControl();
    /// Requests FrameSource::NotifyTransmitEnd() at the end of the current transmission.
    void AwaitTransmitEnd(Ticks now);
    /// @return rate of the link
    DataRate GetDataRate() const;
    /// @return rate of the link before any ChangeRate()
    DataRate GetFirstRate() const;

    /// Changes the rate of the link, as after the loss of some lanes; the frame on the wire is not
    /// affected. Thresholds, markers and telemetry of a switch keep the rate of its initialisation.
    /// To be called at both ends.
    /// @param rate positive
    void ChangeRate(DataRate rate);

    /// @param model decides which arriving frames are corrupt, from now on; may be null
    void SetErrorModel(Ptr<ErrorModel> model);
    /// @return the error model; may be null
    Ptr<ErrorModel> GetErrorModel() const;

    /// Makes the link retransmit corrupt frames. To be called before the first frame.
    /// @param retry of this end; the other end needs one, too
    void SetRetry(Ptr<LinkRetry> retry);
    /// @return the link layer retry; may be null
    Ptr<LinkRetry> GetRetry() const;
    /// For the LinkRetry: it has frames to retransmit, or accepts new ones again.
    void NotifyRetryReady();

    /// @param bytes size of a frame without overhead
    /// @return time from its first bit on the wire to its last one
    Time GetWireTime(uint32_t bytes) const;
    /// @param bytes size of a frame without overhead
    /// @return seconds from its first bit until the wire is free for the next frame: with the gap
    double GetSlotSeconds(uint32_t bytes) const;
    /// @return seconds of each such slot behind the last bit, see "GapBytes"
    double GetGapSeconds() const;

    /// @return overhead of a frame on the wire
    uint32_t GetOverheadBytes() const
    {
        return m_overheadBytes;
    }

    /// @return bytes on the wire of all data frames whose transmission has started, without
    /// retransmissions of a LinkRetry
    uint64_t GetSentBytes() const
    {
        return m_sentBytes;
    }

    // Called by the channel

    /// @return the sending half of the cable
    WireSender& GetWire();
    /// @return the receiving half of the cable
    const Ptr<WireReceiver>& GetWireReceiver() const;
    /// @param frame its last bit has arrived
    void Receive(Frame&& frame);
    /// @param frame was under way to this device when the cable was cut
    void NotifyLostOnLink(const Frame& frame);
    /// The cable was cut or restored.
    void NotifyLinkChanged();
    /// @return what the other end must know of this one, without the properties of the cable
    LinkPartner Describe() const;
    /// @param partner the other end, attached or changed
    void NotifyPartner(const LinkPartner& partner);

    // Called by the HostPort

    /// Passes a frame to ns-3's stack without its Ethernet header.
    void DeliverToStack(const Frame& frame);
    /// Counts a lost frame.
    void Drop(const Frame& frame, DropReason reason);

    // Inherited from NetDevice

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

    /// Signature of the trace source "Drop".
    typedef void (*DropTracedCallback)(Ptr<const Packet> packet, DropReason reason);

    /// Prefetches what a leaving frame will need.
    void Prefetch() const
    {
        constexpr std::size_t LINES = 3; // up to the end of what each frame needs, see below
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
    void SetOverheadBytes(uint32_t bytes);
    /// @param rate of the link; stops the program once the device is initialised
    void SetDataRate(DataRate rate);
    void SetMacAddress(Mac48Address address);
    Mac48Address GetMacAddress() const;
    /// Sends the present description to the other end of the cable.
    void Announce();
    /// If this is a host at a switch: takes the host's part in its scheme.
    void PrepareAsHost();
    /// If this is a host at a switch: takes the gate of its scheme.
    void TakeHostGate();
    /// Passes the link's properties to the gate.
    void AttachGate();
    void TransmitEnd();
    /// Transmits a MAC control frame, if there is one and the transmitter is free.
    void KickControl();
    /// @return whether a frame may start; if the wire is busy, its end is awaited
    bool IsFree(Ticks now);
    /// Starts with a MAC control frame. @return whether there was one
    bool TransmitControl(Ticks now);
    /// Starts with a frame of the source, if it has one.
    void TransmitData(Ticks now);
    /// Lets the LinkRetry, if any, retransmit a frame or hold new ones.
    /// @return whether the wire, or the right to it, is taken
    bool TransmitRetry(Ticks now);
    /// Computes the time of a bit.
    void MeasureBits();
    /// @return the MAC control frame to send now; null if the source has none after all
    Ptr<Packet> TakeControl();

    /// @return whether a MAC control frame waits, or the source may have one
    bool HasControl() const
    {
        return m_isControlRequested || m_isControlWaiting;
    }

    Permit GetPermit() const
    {
        return m_gate->GetPermit();
    }

    /// Puts a frame on the wire.
    /// @param gap time for which the wire stays busy after the last bit
    /// @return when the last bit will have left
    Ticks TransmitStart(Frame&& frame, Ticks gap, Ticks now);
    /// Fires the per-frame traces. @param trace of leaving or of arriving frames
    void Show(const Frame& frame, const TracedCallback<Ptr<const Packet>>& trace);
    /// @return the frame's time on the wire, carrying the fraction of a tick
    Ticks AdvanceWire(uint32_t bytes);
    void Measure(uint32_t bytes);

    using TransmitEndEvent = RecurringEvent<LosslessNetDevice, &LosslessNetDevice::TransmitEnd>;

    // Members that each frame needs are contiguous: first those that decide whether a frame may
    // leave, then those that the leaving frame needs.

    FrameSource* m_source{nullptr};      ///< where frames come from; not owned
    WireSender m_wire;                   ///< where they are sent
    Ticks m_busyUntil{0};                ///< end of the latest transmission
    Ptr<TransmitEndEvent> m_transmitEnd; ///< pending if something waits for the wire
    Ptr<TransmitGate> m_gate;            ///< which classes may send
    uint64_t m_carry{0};                 ///< fraction of a tick, in units of 1 / m_carryLimit
    uint32_t m_nodeId{0};                ///< context of events
    bool m_canTransmit{false};           ///< initialised, with an intact cable
    bool m_starting{false};              ///< a frame is between its queue and the wire
    bool m_isControlWaiting{false};      ///< m_control is not empty
    bool m_isControlRequested{false};    ///< the source may have control frames
    bool m_isWatched{false};             ///< a per-frame trace is connected
    bool m_isEndAwaited{false};          ///< m_transmitEnd is pending

    uint64_t m_carryLimit{1};    ///< units per tick, of which a bit takes a whole number
    uint32_t m_measuredBytes{0}; ///< size of the latest frame; 0 before the first
    uint32_t m_overheadBytes{WIRE_OVERHEAD_BYTES}; ///< preamble, FCS and gap of each frame
    Ticks m_measuredTicks{0};                      ///< whole ticks of such a frame on the wire
    uint64_t m_measuredRest{0};                    ///< remaining units
    Ticks m_gap{0};                                ///< time of "GapBytes"
    uint64_t m_sentBytes{0};                       ///< see GetSentBytes()
    uint64_t m_wholeTicksPerBit{0};                ///< whole ticks per bit
    uint64_t m_restTicksPerBit{0};                 ///< remaining units

    // Other members.

    Ptr<WireReceiver> m_inbound;       ///< where frames arrive
    FrameSink* m_sink{nullptr};        ///< where frames go; not owned
    Ptr<LinkRetry> m_retry;            ///< link layer retry; may be null
    Ptr<ErrorModel> m_errorModel;      ///< corrupts arriving frames; may be null
    RingBuffer<Ptr<Packet>> m_control; ///< waiting MAC control frames
    Ptr<Node> m_node;
    uint32_t m_ifIndex{0}; ///< index among the node's devices
    Mac48Address m_address;
    uint16_t m_mtu{1500}; ///< largest payload of a frame, bytes
    DataRate m_rate;
    std::optional<DataRate> m_firstRate; ///< see GetFirstRate(); empty if unchanged
    uint32_t m_gapBytes{0};              ///< of m_overheadBytes, after the last bit
    Ptr<LosslessChannel> m_channel;
    std::unique_ptr<HostPort> m_hostPort;    ///< source and sink of a host
    const SwitchSide* m_switchSide{nullptr}; ///< of a switch's port; not owned
    std::optional<LinkPartner> m_partner;    ///< see GetPartner()

    NetDevice::ReceiveCallback m_receiveCallback;                     ///< to the stack
    NetDevice::PromiscReceiveCallback m_promiscuousCallback;          ///< to the stack, all frames
    TracedCallback<> m_linkChange;                                    ///< link up or down
    TracedCallback<Ptr<const Packet>> m_macTxTrace;                   ///< from the stack
    TracedCallback<Ptr<const Packet>> m_macTxDropTrace;               ///< from the stack, refused
    TracedCallback<Ptr<const Packet>> m_macRxTrace;                   ///< to the stack
    WatchedCallback<Ptr<const Packet>> m_phyTxBeginTrace{this};       ///< first bit sent
    WatchedCallback<Ptr<const Packet>> m_phyRxEndTrace{this};         ///< last bit received
    TracedCallback<Ptr<const Packet>> m_phyRxDropTrace;               ///< lost on arrival
    WatchedCallback<Ptr<const Packet>> m_snifferTrace{this};          ///< all frames
    WatchedCallback<Ptr<const Packet>> m_promiscuousSniffTrace{this}; ///< all frames
    TracedCallback<Ptr<const Packet>, DropReason> m_dropTrace; ///< all losses, with the reason
};

} // namespace ns3::lossless

#endif /* LOSSLESS_NET_DEVICE_H */
