// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TRANSMIT_GATE_H
#define LOSSLESS_TRANSMIT_GATE_H

#include "pause-notice.h"

#include "ns3/data-rate.h"
#include "ns3/lossless-frame.h"
#include "ns3/lossless-types.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/simulator.h"
#include "ns3/traced-callback.h"

#include <array>
#include <list>

namespace ns3::lossless
{

/// The link properties that a gate needs.
struct LinkInfo
{
    DataRate rate;                               ///< the rate of the transmitter
    Time delay;                                  ///< the propagation delay plus the maximum jitter
    uint32_t overheadBytes{WIRE_OVERHEAD_BYTES}; ///< the overhead of a frame on the wire, in bytes
    uint32_t mtu{0};                             ///< the largest payload of a frame, in bytes
    PrioritySet lossless{ALL_PRIORITIES};        ///< the classes under flow control at both ends
    uint32_t node{Simulator::NO_CONTEXT};        ///< the ID of the transmitter's node
};

/**
 * Returns the response time to a PAUSE that IEEE 802.3 permits (31B.3.7) at a link speed. The
 * values are those of SONiC's headroom calculators (sonic-swss, buffer_headroom_mellanox.lua): 1,
 * 2, 67, 80, 118, 147, 394, 453 and 905 quanta at 0.1, 1, 10, 25, 40, 50, 100, 200 and 400 Gb/s.
 * Other sources state 60 quanta at 10 Gb/s.
 * @param rate the link speed. For a speed that is not listed, the value of the next higher speed is
 * used. For speeds above 400 Gb/s, the value of 400 Gb/s is used, as in SONiC for 800 Gb/s.
 * @return the response time, in pause quanta
 */
uint32_t GetStandardResponseQuanta(DataRate rate);

class TransmitGate;

/**
 * @ingroup lossless
 * The classes and frames that can be sent now.
 */
struct Permit
{
    PrioritySet classes{ALL_PRIORITIES};    ///< the open classes
    const TransmitGate* selective{nullptr}; ///< the gate that checks each frame; null if frames
                                            ///< are not checked individually

    /// @return whether a frame can be sent; the result depends only on the frame's flow, class and
    /// size
    bool Allows(const Frame& frame) const;
};

/**
 * @ingroup lossless
 * A device that transmits frames through a gate.
 */
class GateClient
{
  public:
    virtual ~GateClient() = default;

    /// Called when the gate has opened for a class, flow or frame.
    virtual void NotifyGateOpened() = 0;

    /// Called when the neighbour has paused classes or renewed a pause.
    virtual void NotifyPaused(const PauseNotice& notice) = 0;

    /// Called when the neighbour has sent a control frame that the gate does not support.
    virtual void NotifyUnknownControl(const Frame& frame) = 0;
};

/**
 * @ingroup lossless
 * The upstream side of a flow control scheme. It determines which frames a transmitter can send
 * now.
 *
 * Each device has one gate, which processes the control frames that arrive on the link and observes
 * the frames that are sent. A class is open if no layer holds it. Layers are independent reasons
 * for holding a class (the class itself, the whole port, or a scheme based on PFC), so that the end
 * of one hold does not end another. A scheme that stops individual flows of open classes makes the
 * gate selective and implements MaySend().
 *
 * Control frames affect only the classes under flow control (LinkInfo::lossless), just as a PAUSE
 * affects only classes with PFC enabled (IEEE 802.1Qbb). All other classes are open regardless of
 * the layers: their frames are not checked, and their pauses are not reported. A scheme need not
 * exclude them, because holding them has no effect. A scheme with per-class state of its own can
 * obtain the classes under flow control from Link().
 *
 * In every scheme, a control frame takes effect "ResponseQuanta" after the arrival of its last bit,
 * unless ActsAtOnce() makes an exception. The default of 60 quanta (3840 byte times) is the
 * response time of the upstream device in DSH's headroom formula (Eq. 1). Headroom from this
 * formula suffices for responses within 60 quanta. With "StandardResponse", the response time is
 * the one that IEEE 802.3 permits at the link's speed. Headroom computed by switches depends on the
 * defaults of these two attributes; see GetGrantedQuanta(). Control frames received before the link
 * goes down lose their effect. Control frames with a response time take effect in order of arrival.
 * If the rate of the link increases, pending control frames take effect no later than one that
 * arrived at that time would.
 */
class TransmitGate : public Object
{
  public:
    /// The reasons for holding a class.
    enum class Layer : uint8_t
    {
        CLASS,  ///< the class itself is stopped
        PORT,   ///< the whole port is stopped (DSH)
        SCHEME, ///< a scheme based on PFC paces or stops the class
    };

    /// The response time that Eq. 1 of DSH assumes at any speed, in pause quanta.
    static constexpr uint32_t EQ_1_RESPONSE_QUANTA = 60;

    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// Returns the response time that headroom computations assume for neighbours, whose gates are
    /// not yet known. It is the response time of a gate with the current attribute defaults
    /// (Config::SetDefault() or the command line). Unless the standard's response time is used, it
    /// is at least the response time of Eq. 1.
    /// @param rate the speed of a link
    /// @return the response time, in pause quanta
    static uint32_t GetGrantedQuanta(DataRate rate);

    /// @return the open classes
    PrioritySet GetOpen() const
    {
        return m_open;
    }

    /// @return the classes and frames that can be sent now
    Permit GetPermit() const
    {
        return {m_open, m_isSelective ? this : nullptr};
    }

    /**
     * Returns whether a frame can be sent now. Frame sources call this function only if the gate is
     * selective. They call it each time the wire is free, often repeatedly for the same frame. The
     * result may change only in NotifySent() or when the gate calls Wake(). A NIC's queue pair
     * calls this function before it builds the frame; the argument then has the right size but no
     * bytes.
     *
     * If the result depends on the size, it can differ between frames of one flow. A frame never
     * overtakes an earlier frame of its flow. In queues in which frames of different flows can
     * overtake each other, small frames can overtake large frames of other flows.
     * @param frame a frame of an open class; only its flow, class and size matter; see
     * GetWireBytes()
     */
    virtual bool MaySend(const Frame& /* frame */) const
    {
        return true;
    }

    /// @return whether MaySend() depends on the frame's flow (the default) and not only on its
    /// class and size. If so, the deadlock detector reports the stopped flow.
    virtual bool StopsFlows() const
    {
        return true;
    }

    /// Returns whether a frame can be sent, either because MaySend() allows it or because the
    /// neighbour cannot stop its class. Called only if the gate is selective.
    /// @param frame a frame of an open class
    bool LetsOut(const Frame& frame) const
    {
        return !Contains(m_heeded, frame.priority) || MaySend(frame);
    }

    /// Sets the classes that the neighbour cannot stop from now on. This function is intended for
    /// mechanisms outside the scheme, such as a PFC watchdog that sends frames despite PAUSE
    /// frames. Ignored classes are open to all frames, and their pauses are not reported. The gate
    /// continues to process control frames. When a class is no longer ignored, a pause that is
    /// still in force takes effect.
    /// @param classes all classes to ignore; initially none
    void SetIgnoring(PrioritySet classes);

    /// @return the classes set by SetIgnoring()
    PrioritySet GetIgnored() const
    {
        return m_ignored;
    }

    /// Called by the device before the first frame and whenever the link has changed.
    /// @param client the device; not owned; can be null
    void Attach(const LinkInfo& link, GateClient* client);

    /// Processes a received MAC control frame.
    /// @param frame a frame of the kind MAC_CONTROL
    void ReceiveControl(const Frame& frame);

    /// @return whether NotifySent() must be called for each sent frame
    bool IsPacing() const
    {
        return m_isPacing;
    }

    /// Called when the transmission of a frame starts if the gate is pacing.
    virtual void NotifySent(const Frame& /* frame */)
    {
    }

    /// Called when the link has gone down or come up. Discards the neighbour's earlier requests.
    void Reset();

    /// @return the duration of pause quanta at the rate of this link
    Time QuantaToTime(uint32_t quanta) const;

    /// @return the time from a control frame's arrival to its effect, at the current rate
    Time GetResponse() const;

    /// The signature of the trace sources "Opened" and "Closed".
    /// @param classes the changed classes
    typedef void (*ClassesTracedCallback)(PrioritySet classes);

    /// The signature of the trace source "Paused".
    /// @param length the duration of the pause, unless the neighbour changes it later
    typedef void (*PausedTracedCallback)(PrioritySet classes, Time length);

  protected:
    void DoDispose() override;

    /// @return the link
    const LinkInfo& Link() const
    {
        return m_link;
    }

    /// @return the classes held by a layer; after changing them, call Publish()
    PrioritySet& Held(Layer layer)
    {
        return m_held[static_cast<std::size_t>(layer)];
    }

    /// @return the size of a frame on this link's wire, including overhead, in bytes
    uint32_t GetWireBytes(const Frame& frame) const
    {
        return frame.size + m_link.overheadBytes;
    }

    /// Applies a change to the held classes. Fires the traces and, if a class has opened, notifies
    /// the client.
    void Publish();

    /// Sets whether individual frames of open classes may have to wait, in which case MaySend() is
    /// called. If waiting frames no longer need to wait, Wake() must follow. The deadlock detector
    /// examines a selective gate when the gate reports a pause; see TellPaused().
    void SetSelective(bool isSelective)
    {
        m_isSelective = isSelective;
    }

    /// Sets whether NotifySent() is called.
    void SetPacing(bool isPacing)
    {
        m_isPacing = isPacing;
    }

    /// Reports a pause to the client and the trace "Paused", except for ignored classes.
    void TellPaused(const PauseNotice& notice);

    /// Notifies the client that a frame that had to wait, such as a frame of a stopped flow in an
    /// open class, can now be sent.
    void Wake();

  private:
    /// Applies a control frame.
    /// @return false if the gate does not support the frame's opcode or cannot parse the frame
    virtual bool Apply(const Frame& frame) = 0;

    /// @return whether a control frame takes effect on arrival instead of after the response time
    virtual bool ActsAtOnce(const Frame& /* frame */) const
    {
        return false;
    }

    /// Called when the link has gone down or come up. Must clear all state of the subclass; the
    /// held classes have already been cleared. If the gate is selective, the client is notified
    /// afterwards.
    virtual void DoReset()
    {
    }

    /// Called when the set of ignored classes changes. Must release frames of newly ignored classes
    /// if they would otherwise wait for a RESUME.
    /// @param classes the newly ignored classes
    virtual void DoIgnore(PrioritySet /* classes */)
    {
    }

    /// @return the time from a control frame's arrival to its effect, in pause quanta
    uint32_t GetResponseQuanta() const;

    /// Called when the response time may have become shorter. Pending control frames must not take
    /// effect later than a frame that arrives now.
    void HastenPending();

    /// Applies the control frames that are due.
    void Deliver();

    /// Stops the program with a message if it is not this node's turn; see WheelSimulatorImpl.
    /// @param what the operation on the gate, for the error message
    void RequireTurn(const char* what) const;

    struct Pending
    {
        Ticks due; ///< the time at which the frame takes effect
        Frame frame;
    };

    PrioritySet m_open{ALL_PRIORITIES};              ///< the open classes
    bool m_isSelective{false};                       ///< see SetSelective()
    bool m_isPacing{false};                          ///< see SetPacing()
    std::array<PrioritySet, 3> m_held{};             ///< the classes held by each Layer
    LinkInfo m_link;                                 ///< see Link()
    GateClient* m_client{nullptr};                   ///< the device; not owned
    uint32_t m_responseQuanta{EQ_1_RESPONSE_QUANTA}; ///< the response time in pause quanta
    bool m_isStandardResponse{false};                ///< whether to use the response time of IEEE
                                                     ///< 802.3 instead of m_responseQuanta
    PrioritySet m_ignored{0};                        ///< see SetIgnoring()
    PrioritySet m_heeded{ALL_PRIORITIES};            ///< the lossless classes that are not ignored
    std::list<Pending> m_pending;                    ///< the pending control frames, in the order
                                                     ///< in which they take effect
    TracedCallback<PrioritySet> m_openedTrace;       ///< fired when classes have opened
    TracedCallback<PrioritySet> m_closedTrace;       ///< fired when classes have closed
    TracedCallback<PrioritySet, Time> m_pausedTrace; ///< fired when classes have been paused
};

inline bool
Permit::Allows(const Frame& frame) const
{
    return Contains(classes, frame.priority) && (!selective || selective->LetsOut(frame));
}

} // namespace ns3::lossless

#endif /* LOSSLESS_TRANSMIT_GATE_H */
