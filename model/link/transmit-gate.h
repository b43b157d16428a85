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

/// What a gate must know of the link by which it lets frames out.
struct LinkInfo
{
    DataRate rate;                               ///< of the transmitter
    Time delay;                                  ///< of propagation
    uint32_t overheadBytes{WIRE_OVERHEAD_BYTES}; ///< by which a frame is longer on the wire
    uint32_t mtu{0};                             ///< largest payload of a frame, bytes
    PrioritySet lossless{ALL_PRIORITIES};        ///< classes under flow control, of both ends
    uint32_t node{Simulator::NO_CONTEXT};        ///< id of that of the transmitter
};

/**
 * How long IEEE 802.3 lets a device take until it obeys a PAUSE (31B.3.7), by the speed of its
 * link. The values are those that SONiC's calculators of headroom have (sonic-swss,
 * buffer_headroom_mellanox.lua): 1, 2, 67, 80, 118, 147, 394, 453 and 905 quanta at 0.1, 1, 10, 25,
 * 40, 50, 100, 200 and 400 Gb/s; at 10 Gb/s, 60 quanta are found elsewhere.
 * @param rate speed of the link; one that is not in the table has the quanta of the next higher
 * row, and above 400 Gb/s those of 400 Gb/s, as SONiC has them for 800 Gb/s
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
    PrioritySet classes{ALL_PRIORITIES};    ///< the classes that are open
    const TransmitGate* selective{nullptr}; ///< asked about each frame of them; null: all may leave

    /// @param frame a frame; only its flow, class and size count @return whether it may leave
    bool Allows(const Frame& frame) const;
};

/**
 * @ingroup lossless
 * Who transmits through a gate.
 */
class GateClient
{
  public:
    virtual ~GateClient() = default;

    /// A frame may leave that could not before.
    virtual void NotifyGateOpened() = 0;

    /// The neighbour has stopped something. @param notice what, and for how long
    virtual void NotifyPaused(const PauseNotice& notice) = 0;

    /// The neighbour has sent a control frame that the gate does not know. @param frame the frame
    virtual void NotifyUnknownControl(const Frame& frame) = 0;
};

/**
 * @ingroup lossless
 * The upstream side of a flow control: which frames may a transmitter send now?
 *
 * Each device has one. It is told of the control frames that arrive on the link and of the frames
 * that leave. A class is open if no layer holds it; layers are reasons which do not know each other
 * (a class, the port as a whole, a scheme on top), so that the end of one does not lift another. A
 * scheme that stops single flows of open classes makes the gate selective and answers MaySend().
 *
 * Control frames act in the classes under flow control alone (LinkInfo::lossless), as a PAUSE does
 * in those for which PFC is enabled (IEEE 802.1Qbb): the others are open whatever layers hold,
 * no frame of them is asked for, and nobody is told of pauses. A scheme need not look: what it
 * holds beyond them has no effect. One that keeps what it was told of a class in other ways reads
 * Link().
 *
 * A control frame takes effect "ResponseQuanta" after its last bit has arrived, in every scheme.
 * The default of 60 quanta (3840 B times) is what the headroom formula of DSH, Eq. 1, grants the
 * upstream device, hence the slowest response that a buffer dimensioned by it must survive. With
 * "StandardResponse" it is what IEEE 802.3 grants at the speed of the link instead. Headroom that
 * switches compute follows the defaults of these two attributes, see GetGrantedQuanta(). A frame of
 * before the link was lost has no effect. Frames take effect in the order in which they arrived: if
 * the rate of the link rises meanwhile, those that wait do so no longer than one that comes then.
 */
class TransmitGate : public Object
{
  public:
    /// Why a class is held.
    enum class Layer : uint8_t
    {
        CLASS,  ///< it was stopped itself
        PORT,   ///< the port was stopped as a whole (DSH)
        SCHEME, ///< a scheme on top paces or stops it
    };

    /// The response that Eq. 1 of DSH grants at any speed, in pause quanta.
    static constexpr uint32_t EQ_1_RESPONSE_QUANTA = 60;

    /// @return the type
    static TypeId GetTypeId();

    /**
     * What a switch grants its neighbours when it computes headroom, before it knows their gates:
     * the response of a gate with the attributes that gates have by default now
     * (Config::SetDefault() or the command line). It is never less than Eq. 1 grants, unless it is
     * the standard's.
     * @param rate speed of a link
     * @return pause quanta
     */
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
     * May a frame leave now? Asked by whoever holds frames, only if the gate is selective: each
     * time the wire is free, and often more than once for a frame that leaves. The answer changes
     * only where the gate says so (NotifySent(), Wake()). A queue pair of a NIC asks before it
     * makes the frame, of which the size is right already, and the bytes are missing.
     *
     * An answer by size makes frames of one flow unlike. None leaves before an earlier one of its
     * flow for that, but where others may pass, small frames pass large ones.
     * @param frame a frame of an open class; only its flow, class and size count, see
     * GetWireBytes()
     * @return whether it may leave
     */
    virtual bool MaySend(const Frame& frame) const;

    /// @return whether MaySend() depends on the flow of a frame, as by default, so that the
    /// deadlock detector tells which flow is stopped; else on its class and size alone
    virtual bool StopsFlows() const
    {
        return true;
    }

    /// @param frame a frame of an open class @return whether it may leave: MaySend(), or the
    /// neighbour cannot stop its class; asked only if the gate is selective
    bool LetsOut(const Frame& frame) const
    {
        return !Contains(m_heeded, frame.priority) || MaySend(frame);
    }

    /**
     * For what acts beside the scheme, such as a watchdog of PAUSEs that has frames leave in spite
     * of them: classes for which the neighbour can stop nothing from now on. They are open to all
     * frames, and nobody is told of pauses. The gate goes on reading control frames; what still
     * holds when a class is ignored no longer, takes effect then.
     * @param classes all that are ignored from now on; none: everything is heeded, as initially
     */
    void SetIgnoring(PrioritySet classes);

    /// @return the classes that are ignored, see SetIgnoring()
    PrioritySet GetIgnored() const
    {
        return m_ignored;
    }

    /**
     * Called by the device before the first frame, and whenever the link has changed.
     * @param link what the gate must know
     * @param client the device; not owned; null: nobody is told
     */
    void Attach(const LinkInfo& link, GateClient* client);

    /**
     * A MAC control frame has arrived from the neighbour.
     * @param frame the frame, of kind MAC_CONTROL
     */
    void ReceiveControl(const Frame& frame);

    /// @return whether NotifySent() has to be told of the frames that leave
    bool IsPacing() const
    {
        return m_isPacing;
    }

    /**
     * A frame starts to leave. Called only after SetPacing().
     * @param frame the frame
     * @param priority its class
     */
    virtual void NotifySent(const Frame& frame, Priority priority);

    /// The link went down or came up: the neighbour's earlier wishes are void.
    void Reset();

    /// @param quanta a number of pause quanta @return that time at the rate of this link
    Time QuantaToTime(uint32_t quanta) const;

    /**
     * Signature of the trace sources "Opened" and "Closed".
     * @param classes the classes that opened or closed
     */
    typedef void (*ClassesTracedCallback)(PrioritySet classes);

    /**
     * Signature of the trace source "Paused".
     * @param classes what the neighbour has stopped
     * @param length for how long, unless it tells otherwise meanwhile
     */
    typedef void (*PausedTracedCallback)(PrioritySet classes, Time length);

  protected:
    void DoDispose() override;

    /// @return the link
    const LinkInfo& Link() const
    {
        return m_link;
    }

    /// @param layer a reason @return the classes which it holds; to be changed before Publish()
    PrioritySet& Held(Layer layer)
    {
        return m_held[static_cast<std::size_t>(layer)];
    }

    /// @param frame a frame @return bytes that it takes on the wire of this link, overhead included
    uint32_t GetWireBytes(const Frame& frame) const
    {
        return frame.size + m_link.overheadBytes;
    }

    /// What is held has changed: fires the traces, and tells the client if a class has opened.
    void Publish();

    /// @param isSelective whether single frames of open classes may have to wait from now on, so
    /// that MaySend() is asked; if frames have waited that need not any more, Wake() follows. The
    /// deadlock detector looks where such a gate tells of a pause, see TellPaused()
    void SetSelective(bool isSelective);

    /// @param isPacing whether NotifySent() is called from now on
    void SetPacing(bool isPacing);

    /// Tells of a pause who sends, and who follows the trace "Paused", but for ignored classes.
    /// @param notice what is stopped, and for how long
    void TellPaused(const PauseNotice& notice);

    /// Tells the client that a frame may leave which could not before (a flow, say, of a class that
    /// was open all the time).
    void Wake();

  private:
    /**
     * A control frame takes effect.
     * @param frame the frame
     * @return false if the gate does not know its opcode or cannot read it
     */
    virtual bool Apply(const Frame& frame) = 0;
    /// @param frame a control frame @return whether it takes effect as it arrives, and not only
    /// after the response time
    virtual bool ActsAtOnce(const Frame& frame) const;

    /// The link was lost: forgets what is kept beside Held(), which is cleared anyway. If the gate
    /// is selective, the client is woken afterwards.
    virtual void DoReset();

    /// Classes are ignored from now on that were not. Where frames wait for a RESUME before they
    /// are looked at again, this stands for one. @param classes which
    virtual void DoIgnore(PrioritySet classes);

    /// @return time between the arrival of a control frame and its effect, pause quanta
    uint32_t GetResponseQuanta() const;

    /// @return the same as a time at the present rate of the link
    Time GetResponse() const;

    /// The response has become shorter, perhaps: control frames that wait do so no longer than one
    /// that comes now, which would overtake them.
    void HastenPending();

    /// Control frames that are due take effect.
    void Deliver();

    /// Stops the program with a sentence if this is the turn of other nodes, see
    /// WheelSimulatorImpl. @param what is done to the gate
    void RequireTurn(const char* what) const;

    /// A control frame that has arrived.
    struct Pending
    {
        Ticks due;   ///< when it takes effect
        Frame frame; ///< what it says
    };

    PrioritySet m_open{ALL_PRIORITIES};              ///< classes that may send
    bool m_isSelective{false};                       ///< see SetSelective()
    bool m_isPacing{false};                          ///< see SetPacing()
    std::array<PrioritySet, 3> m_held{};             ///< by Layer
    LinkInfo m_link;                                 ///< see Link()
    GateClient* m_client{nullptr};                   ///< not owned
    uint32_t m_responseQuanta{EQ_1_RESPONSE_QUANTA}; ///< reaction time, in pause quanta
    bool m_isStandardResponse{false};                ///< it is that of IEEE 802.3 instead
    PrioritySet m_ignored{0};                        ///< see SetIgnoring()
    PrioritySet m_heeded{ALL_PRIORITIES};            ///< lossless ones that are not ignored
    std::list<Pending> m_pending;                    ///< to take effect, in this order
    TracedCallback<PrioritySet> m_openedTrace;       ///< classes which opened
    TracedCallback<PrioritySet> m_closedTrace;       ///< classes which closed
    TracedCallback<PrioritySet, Time> m_pausedTrace; ///< what was stopped
};

inline bool
Permit::Allows(const Frame& frame) const
{
    return Contains(classes, frame.priority) && (!selective || selective->LetsOut(frame));
}

} // namespace ns3::lossless

#endif /* LOSSLESS_TRANSMIT_GATE_H */
