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

/// Properties of the link that a gate must know.
struct LinkInfo
{
    DataRate rate;                               ///< of the transmitter
    Time delay;                                  ///< of propagation
    uint32_t overheadBytes{WIRE_OVERHEAD_BYTES}; ///< added to a frame on the wire
    uint32_t mtu{0};                             ///< largest payload of a frame, bytes
    PrioritySet lossless{ALL_PRIORITIES};        ///< classes under flow control, of both ends
    uint32_t node{Simulator::NO_CONTEXT};        ///< id of the transmitter's node
};

/**
 * Response time to a PAUSE that IEEE 802.3 permits (31B.3.7), by link speed. The values are those
 * of SONiC's headroom calculators (sonic-swss, buffer_headroom_mellanox.lua): 1, 2, 67, 80, 118,
 * 147, 394, 453 and 905 quanta at 0.1, 1, 10, 25, 40, 50, 100, 200 and 400 Gb/s; other sources have
 * 60 quanta at 10 Gb/s.
 * @param rate one not in the table has the quanta of the next higher row; above 400 Gb/s those of
 * 400 Gb/s, as in SONiC for 800 Gb/s
 * @return pause quanta
 */
uint32_t GetStandardResponseQuanta(DataRate rate);

class TransmitGate;

/**
 * @ingroup lossless
 * What may be sent now.
 */
struct Permit
{
    PrioritySet classes{ALL_PRIORITIES};    ///< open classes
    const TransmitGate* selective{nullptr}; ///< decides on each frame; null: all may leave

    /// @return whether a frame may leave; only its flow, class and size count
    bool Allows(const Frame& frame) const;
};

/**
 * @ingroup lossless
 * Transmits through a gate.
 */
class GateClient
{
  public:
    virtual ~GateClient() = default;

    /// A frame may leave that could not before.
    virtual void NotifyGateOpened() = 0;

    /// The neighbour has stopped something.
    virtual void NotifyPaused(const PauseNotice& notice) = 0;

    /// The neighbour has sent a control frame that the gate does not know.
    virtual void NotifyUnknownControl(const Frame& frame) = 0;
};

/**
 * @ingroup lossless
 * The upstream side of a flow control: decides which frames a transmitter may send now.
 *
 * Each device has one. It sees the control frames that arrive on the link and the frames that
 * leave. A class is open if no layer holds it. Layers are independent reasons (a class, the port as
 * a whole, a scheme on top), so the end of one does not lift another. A scheme that stops single
 * flows of open classes makes the gate selective and implements MaySend().
 *
 * Control frames act only in the classes under flow control (LinkInfo::lossless), as a PAUSE does
 * only in those with PFC enabled (IEEE 802.1Qbb). All other classes are open whatever the layers
 * hold, and neither their frames nor pauses are checked or reported. A scheme need not check: what
 * it holds beyond them has no effect. A scheme with state of its own per class reads Link().
 *
 * A control frame takes effect "ResponseQuanta" after its last bit has arrived, in every scheme.
 * The default of 60 quanta (3840 B times) is what DSH's headroom formula, Eq. 1, grants the
 * upstream device, i.e. the slowest response that a buffer dimensioned by it must survive. With
 * "StandardResponse" it is what IEEE 802.3 grants at the link's speed. Headroom computed by
 * switches follows the defaults of these two attributes, see GetGrantedQuanta(). Frames from before
 * a loss of the link have no effect. Frames take effect in order of arrival: if the rate of the
 * link rises meanwhile, pending ones wait no longer than one that arrives then.
 */
class TransmitGate : public Object
{
  public:
    /// Reason for which a class is held.
    enum class Layer : uint8_t
    {
        CLASS,  ///< the class was stopped
        PORT,   ///< the whole port was stopped (DSH)
        SCHEME, ///< paced or stopped by a scheme on top
    };

    /// Response that Eq. 1 of DSH grants at any speed, in pause quanta.
    static constexpr uint32_t EQ_1_RESPONSE_QUANTA = 60;

    /// @return the type
    static TypeId GetTypeId();

    /// Response granted to neighbours in headroom computations before their gates are known: that
    /// of a gate with the present default attributes (Config::SetDefault() or the command line),
    /// but at least that of Eq. 1 unless it is the standard's.
    /// @param rate speed of a link
    /// @return pause quanta
    static uint32_t GetGrantedQuanta(DataRate rate);

    /// @return the classes that may send now
    PrioritySet GetOpen() const
    {
        return m_open;
    }

    /// @return what may be sent now
    Permit GetPermit() const
    {
        return {m_open, m_isSelective ? this : nullptr};
    }

    /**
     * Whether a frame may leave now. Called by holders of frames only if the gate is selective:
     * each time the wire is free, often repeatedly for the same frame. The answer changes only when
     * the gate announces it (NotifySent(), Wake()). A NIC's queue pair asks before it builds the
     * frame, with the right size but without the bytes.
     *
     * An answer by size distinguishes frames of one flow. None overtakes an earlier one of its
     * flow, but where others may pass, small frames pass large ones.
     * @param frame of an open class; only its flow, class and size count, see GetWireBytes()
     */
    virtual bool MaySend(const Frame& frame) const;

    /// @return whether MaySend() depends on the frame's flow (the default), so that the deadlock
    /// detector reports the stopped flow, or only on its class and size
    virtual bool StopsFlows() const
    {
        return true;
    }

    /// @param frame of an open class
    /// @return whether it may leave: MaySend(), or the neighbour cannot stop its class. Called only
    /// if the gate is selective.
    bool LetsOut(const Frame& frame) const
    {
        return !Contains(m_heeded, frame.priority) || MaySend(frame);
    }

    /// Sets the classes that the neighbour cannot stop from now on, for mechanisms outside
    /// the scheme, such as a PFC watchdog that sends frames in spite of PAUSEs. They are open to
    /// all frames, and their pauses are not reported. The gate continues to read control frames;
    /// whatever is still in force when a class is no longer ignored takes effect then.
    /// @param classes all ignored classes; none initially
    void SetIgnoring(PrioritySet classes);

    /// @return the classes of SetIgnoring()
    PrioritySet GetIgnored() const
    {
        return m_ignored;
    }

    /// Called by the device before the first frame, and whenever the link has changed.
    /// @param client the device; not owned; may be null
    void Attach(const LinkInfo& link, GateClient* client);

    /// A MAC control frame has arrived from the neighbour. @param frame of kind MAC_CONTROL
    void ReceiveControl(const Frame& frame);

    /// @return whether NotifySent() must be called for each leaving frame
    bool IsPacing() const
    {
        return m_isPacing;
    }

    /// A frame starts to leave. Called only after SetPacing().
    virtual void NotifySent(const Frame& frame, Priority priority);

    /// The link went down or came up: cancels the neighbour's earlier requests.
    void Reset();

    /// @return time of pause quanta at the rate of this link
    Time QuantaToTime(uint32_t quanta) const;

    /// Signature of the trace sources "Opened" and "Closed". @param classes that opened or closed
    typedef void (*ClassesTracedCallback)(PrioritySet classes);

    /// Signature of the trace source "Paused". @param length unless the neighbour changes it later
    typedef void (*PausedTracedCallback)(PrioritySet classes, Time length);

  protected:
    void DoDispose() override;

    /// @return the link
    const LinkInfo& Link() const
    {
        return m_link;
    }

    /// @return the classes held by a layer; to be changed before Publish()
    PrioritySet& Held(Layer layer)
    {
        return m_held[static_cast<std::size_t>(layer)];
    }

    /// @return bytes of a frame on this link's wire, with overhead
    uint32_t GetWireBytes(const Frame& frame) const
    {
        return frame.size + m_link.overheadBytes;
    }

    /// Held classes have changed: fires the traces and, if a class has opened, notifies the client.
    void Publish();

    /// Sets whether single frames of open classes may have to wait, so that MaySend() is called. If
    /// waiting frames no longer need to, Wake() must follow. The deadlock detector examines such a
    /// gate when it reports a pause, see TellPaused().
    void SetSelective(bool isSelective);

    /// Sets whether NotifySent() is called.
    void SetPacing(bool isPacing);

    /// Reports a pause to the sender and the trace "Paused", except for ignored classes.
    void TellPaused(const PauseNotice& notice);

    /// Notifies the client that a frame may leave that could not before, such as one of a flow in
    /// an open class.
    void Wake();

  private:
    /// A control frame takes effect.
    /// @return false if the gate does not know its opcode or cannot read it
    virtual bool Apply(const Frame& frame) = 0;
    /// @return whether a control frame takes effect on arrival, not after the response time
    virtual bool ActsAtOnce(const Frame& frame) const;

    /// The link was lost: clears state other than Held(), which is cleared anyway. If the gate is
    /// selective, the client is woken afterwards.
    virtual void DoReset();

    /// Further classes are ignored from now on. To frames that are held until a RESUME, this acts
    /// as one.
    virtual void DoIgnore(PrioritySet classes);

    /// @return time from a control frame's arrival to its effect, in pause quanta
    uint32_t GetResponseQuanta() const;

    /// @return the same as time at the present rate of the link
    Time GetResponse() const;

    /// The response may have become shorter: pending control frames must not take effect later than
    /// one that arrives now.
    void HastenPending();

    /// Applies the control frames that are due.
    void Deliver();

    /// Stops the program with a message if it is the turn of other nodes, see WheelSimulatorImpl.
    /// @param what is done to the gate
    void RequireTurn(const char* what) const;

    struct Pending
    {
        Ticks due; ///< when it takes effect
        Frame frame;
    };

    PrioritySet m_open{ALL_PRIORITIES};              ///< classes that may send
    bool m_isSelective{false};                       ///< see SetSelective()
    bool m_isPacing{false};                          ///< see SetPacing()
    std::array<PrioritySet, 3> m_held{};             ///< by Layer
    LinkInfo m_link;                                 ///< see Link()
    GateClient* m_client{nullptr};                   ///< not owned
    uint32_t m_responseQuanta{EQ_1_RESPONSE_QUANTA}; ///< response time, in pause quanta
    bool m_isStandardResponse{false};                ///< that of IEEE 802.3 instead
    PrioritySet m_ignored{0};                        ///< see SetIgnoring()
    PrioritySet m_heeded{ALL_PRIORITIES};            ///< lossless and not ignored
    std::list<Pending> m_pending;                    ///< in order of effect
    TracedCallback<PrioritySet> m_openedTrace;       ///< classes that opened
    TracedCallback<PrioritySet> m_closedTrace;       ///< classes that closed
    TracedCallback<PrioritySet, Time> m_pausedTrace; ///< what was stopped
};

inline bool
Permit::Allows(const Frame& frame) const
{
    return Contains(classes, frame.priority) && (!selective || selective->LetsOut(frame));
}

} // namespace ns3::lossless

#endif /* LOSSLESS_TRANSMIT_GATE_H */
