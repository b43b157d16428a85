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
 * An ordinary NetDevice: ns-3's Internet stack runs over it unchanged. On a host, a HostPort feeds
 * it (the stack, a RoCE NIC and raw generators in turn); on a switch, the SwitchNode puts its own
 * source and sink in place.
 *
 * Transmission: MAC control frames go before all data and wait for the frame on the wire only; a
 * data frame leaves when its class is open at the TransmitGate. A frame of n bytes occupies the
 * wire for (n + "OverheadBytes") x 8 bit times, the last "GapBytes" of them after its last bit,
 * with the fraction of a tick carried over to the next frame of a busy period, so that the rate is
 * exact in the long run whatever the time resolution is. The device schedules an event for the end
 * of a transmission only when something waits for it.
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
    /// The device is no host's any more. @param source where frames come from instead of the
    /// HostPort @param sink where they go; both null: set again before the device is initialised
    void SetEndpoint(FrameSource* source, FrameSink* sink);
    /// The device is a port of a switch. @param switchSide what it offers to the
    /// other end; not owned, must outlive the device's partner
    void SetSwitchSide(const SwitchSide* switchSide);
    /// @param gate the reaction to flow control, instead of a PauseGate
    void SetGate(Ptr<TransmitGate> gate);
    /**
     * @return the reaction to flow control: a PauseGate, unless the switch's scheme has one of its
     * own. A port of a switch gets that when the switch is initialised, the host behind it when the
     * host's device is. To connect to the traces of such a one before the simulation starts, call
     * Initialize() of the switch or of the device first.
     */
    Ptr<TransmitGate> GetGate() const;
    /// @return the sources and receivers of a host; null once SetEndpoint() was called
    HostPort* GetHostPort() const;
    /// @return what is known of the other end of the cable; nothing while there is none
    const std::optional<LinkPartner>& GetPartner() const;
    /// @return the classes under flow control here: of the switch that the device belongs to, else
    /// of that at the other end of the cable; without a switch all
    PrioritySet GetLossless() const;
    /// For those who look at the whole network. @return the device at the other end of the cable;
    /// null if there is none
    Ptr<LosslessNetDevice> GetPeer() const;

    // Transmission

    /// Something may have become ready to send: transmits it if the transmitter is free.
    void Kick();
    /// The same for a caller that knows the time. @param now the time
    void Kick(Ticks now);
    /// @param packet a MAC control frame, sent before all data and behind those that wait; void
    /// while the link is down
    void SendControl(Ptr<Packet> packet);
    /**
     * The source has something to tell the neighbour: it is asked for MAC control frames by
     * FrameSource::MakeControl() when the wire is free, before all data. What is true then is sent,
     * and what has become void meanwhile costs the wire nothing. Void while the link is down.
     */
    void RequestControl();
    /// Asks for FrameSource::NotifyTransmitEnd() at the end of the transmission under way.
    /// @param now the time
    void AwaitTransmitEnd(Ticks now);
    /// @return rate of the link
    DataRate GetDataRate() const;
    /// @return rate of the link before any ChangeRate()
    DataRate GetFirstRate() const;

    /**
     * The link goes on at another rate, as after the loss of some of its lanes; the frame on the
     * wire is not affected. Thresholds, markers and telemetry of a switch stay those of the rate
     * that it was initialised with. To be called at both ends.
     * @param rate the new rate, positive
     */
    void ChangeRate(DataRate rate);

    /// @param model decides which arriving frames are corrupt, from now on; null: none
    void SetErrorModel(Ptr<ErrorModel> model);
    /// @return what decides that; may be null
    Ptr<ErrorModel> GetErrorModel() const;

    /// Has frames that arrive corrupt sent again by the link. Called before the first frame.
    /// @param retry of this end; the other end needs one, too
    void SetRetry(Ptr<LinkRetry> retry);
    /// @return what sends frames again; null: nothing does
    Ptr<LinkRetry> GetRetry() const;
    /// For the LinkRetry: it has frames to send again, or may take new ones again.
    void NotifyRetryReady();

    /// @param bytes size of a frame without overhead @return time from its first bit on the wire to
    /// its last one
    Time GetWireTime(uint32_t bytes) const;
    /// @param bytes the same @return seconds from its first bit until the wire is free for the next
    /// frame: with the gap
    double GetSlotSeconds(uint32_t bytes) const;
    /// @return seconds at the end of each such slot, behind the last bit, see "GapBytes"
    double GetGapSeconds() const;

    /// @return bytes by which a frame is longer on the wire
    uint32_t GetOverheadBytes() const
    {
        return m_overheadBytes;
    }

    /// @return bytes on the wire of all data frames so far that have started to leave, without
    /// those that a LinkRetry sends again
    uint64_t GetSentBytes() const
    {
        return m_sentBytes;
    }

    // Called by the channel

    /// @return the half of the cable by which this end sends
    WireSender& GetWire();
    /// @return the half of the cable by which this end receives
    const Ptr<WireReceiver>& GetWireReceiver() const;
    /// @param frame a frame whose last bit has arrived
    void Receive(Frame&& frame);
    /// @param frame a frame that was under way to this device when the cable was cut
    void NotifyLostOnLink(const Frame& frame);
    /// The cable was cut or mended.
    void NotifyLinkChanged();
    /// @return what the other end is to know of this one, without what it has to know of the cable
    LinkPartner Describe() const;
    /// @param partner the other end, which has been attached or has changed
    void NotifyPartner(const LinkPartner& partner);

    // Called by the HostPort

    /// @param frame an arrived frame, handed to ns-3's stack without its Ethernet header
    void DeliverToStack(const Frame& frame);
    /// Counts a lost frame. @param frame the frame @param reason why it is lost
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

    /**
     * Signature of the trace source "Drop".
     * @param packet the lost frame
     * @param reason why
     */
    typedef void (*DropTracedCallback)(Ptr<const Packet> packet, DropReason reason);

    /// Brings what a frame that leaves will need into the processor's caches.
    void Prefetch() const
    {
        constexpr std::size_t LINES = 3; // to the end of what each frame needs, see below
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

    /// Tells the receiving half of the cable what to do with frames.
    void UpdateReception();
    /// @param bytes see "OverheadBytes"
    void SetOverheadBytes(uint32_t bytes);
    /// @param rate of the link; stops the program once the device is initialised
    void SetDataRate(DataRate rate);
    /// @param address see "Address"
    void SetMacAddress(Mac48Address address);
    /// @return see "Address"
    Mac48Address GetMacAddress() const;
    /// Tells the other end of the cable what has changed here.
    void Announce();
    /// If this is a host behind a switch: takes the host's part in its scheme.
    void PrepareAsHost();
    /// The same for the gate.
    void TakeHostGate();
    /// Tells the gate about the link.
    void AttachGate();
    /// The transmission under way has ended: goes on.
    void TransmitEnd();
    /// There is a MAC control frame to send, perhaps: transmits it if the transmitter is free.
    void KickControl();
    /// @param now the time @return whether a frame may start; if the wire is busy, its end is
    /// awaited
    bool IsFree(Ticks now);
    /// Starts with a MAC control frame. @param now the time @return whether there was one
    bool TransmitControl(Ticks now);
    /// Starts with a frame of the source, if it has one. @param now the time
    void TransmitData(Ticks now);
    /// Has the LinkRetry, if there is one, send a frame again, or hold new ones back.
    /// @param now the time @return whether the wire, or the right to it, is taken
    bool TransmitRetry(Ticks now);
    /// Fixes how long a bit takes.
    void MeasureBits();
    /// @return the MAC control frame to send now; null: the source has none after all
    Ptr<Packet> TakeControl();

    /// @return whether there is a MAC control frame to send, or the source may have one
    bool HasControl() const
    {
        return m_isControlRequested || m_isControlWaiting;
    }

    /// @return what may be sent now
    Permit GetPermit() const
    {
        return m_gate->GetPermit();
    }

    /// Puts a frame on the wire. @param frame the frame @param gap time that the wire stays taken
    /// behind its last bit @param now the time @return when its last bit will have left
    Ticks TransmitStart(Frame&& frame, Ticks gap, Ticks now);
    /// Shows a frame to who looks at all of them. @param frame the frame @param trace the trace
    /// of those that leave, or of those that arrive
    void Show(const Frame& frame, const TracedCallback<Ptr<const Packet>>& trace);
    /// @param bytes size of a frame @return its time on the wire, carrying the rest of a tick
    Ticks AdvanceWire(uint32_t bytes);
    /// Computes how long a frame takes. @param bytes its size
    void Measure(uint32_t bytes);

    using TransmitEndEvent = RecurringEvent<LosslessNetDevice, &LosslessNetDevice::TransmitEnd>;

    // What each frame needs stands together: first what tells whether a frame may leave, then what
    // the frame that does needs.

    FrameSource* m_source{nullptr};      ///< where frames come from; not owned
    WireSender m_wire;                   ///< where they are sent
    Ticks m_busyUntil{0};                ///< end of the latest transmission
    Ptr<TransmitEndEvent> m_transmitEnd; ///< pending when something waits for the wire
    Ptr<TransmitGate> m_gate;            ///< which classes may send
    uint64_t m_carry{0};                 ///< rest of a tick, in parts of it, below m_carryLimit
    uint32_t m_nodeId{0};                ///< id of the node, the context of events
    bool m_canTransmit{false};           ///< initialised, with a cable that is whole
    bool m_starting{false};              ///< a frame is between its queue and the wire
    bool m_isControlWaiting{false};      ///< m_control is not empty
    bool m_isControlRequested{false};    ///< the source may have more of them
    bool m_isWatched{false};             ///< somebody has connected to a trace of all frames
    bool m_isEndAwaited{false};          ///< m_transmitEnd is pending

    uint64_t m_carryLimit{1};    ///< parts of a tick, of which bits take whole numbers
    uint32_t m_measuredBytes{0}; ///< size of the latest frame; 0: there was none
    uint32_t m_overheadBytes{WIRE_OVERHEAD_BYTES}; ///< preamble, FCS and gap of each frame
    Ticks m_measuredTicks{0};       ///< whole ticks that a frame of this size takes on the wire
    uint64_t m_measuredRest{0};     ///< the rest, in parts of a tick
    Ticks m_gap{0};                 ///< time of "GapBytes"
    uint64_t m_sentBytes{0};        ///< see GetSentBytes()
    uint64_t m_wholeTicksPerBit{0}; ///< whole ticks that a bit takes
    uint64_t m_restTicksPerBit{0};  ///< the rest, in parts of a tick

    // The rest.

    Ptr<WireReceiver> m_inbound;             ///< where frames arrive
    FrameSink* m_sink{nullptr};              ///< where frames go; not owned
    Ptr<LinkRetry> m_retry;                  ///< sends frames again; may be null
    Ptr<ErrorModel> m_errorModel;            ///< corrupts arriving frames; may be null
    RingBuffer<Ptr<Packet>> m_control;       ///< MAC control frames that wait
    Ptr<Node> m_node;                        ///< node of the device
    uint32_t m_ifIndex{0};                   ///< index among the node's devices
    Mac48Address m_address;                  ///< MAC address
    uint16_t m_mtu{1500};                    ///< largest payload of a frame, bytes
    DataRate m_rate;                         ///< rate of the link
    std::optional<DataRate> m_firstRate;     ///< see GetFirstRate(); nothing: the rate is that one
    uint32_t m_gapBytes{0};                  ///< of m_overheadBytes, those after the last bit
    Ptr<LosslessChannel> m_channel;          ///< the cable
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
