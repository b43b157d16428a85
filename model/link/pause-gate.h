// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PAUSE_GATE_H
#define LOSSLESS_PAUSE_GATE_H

#include "transmit-gate.h"

#include "ns3/event-id.h"

#include <array>

namespace ns3::lossless
{

class PfcHeader;

/// PFC frames of the neighbour that name a class.
struct PfcFrameCounts
{
    uint64_t stops{0};   ///< with a time above 0
    uint64_t resumes{0}; ///< with a time of 0, which ended a pause
};

/// What the neighbour's PFC frames have done to a class, as switches count it by port. All of it
/// goes on where the class is ignored (TransmitGate::SetIgnoring()).
struct PfcCounts : public PfcFrameCounts
{
    Time paused; ///< for how long it was stopped so far
};

/**
 * @ingroup lossless
 * The gate of IEEE 802.1Qbb: a pause timer for each class, and one for the whole port.
 *
 * A PFC frame which enables some of the classes sets their timers; a time of zero resumes. A
 * frame which enables all eight with one time is a port-level PAUSE or RESUME (DSH, Sec. IV-B) and
 * sets a ninth timer: a class RESUME must not lift the pause of the port, nor the port's RESUME the
 * pause of a class. Either acts in the classes under flow control alone, and is counted and traced
 * for them. Timers start when the frame takes effect. A scheme on top derives from this class,
 * reads its own frames in Apply(), hands PFC's on, and holds classes in the layer SCHEME.
 */
class PauseGate : public TransmitGate
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @param priority a class @return what has happened to it so far
    PfcCounts GetCounts(Priority priority) const;

    /// @return the classes under flow control that PFC frames stop now, ignored ones included
    PrioritySet GetPaused() const;

  protected:
    void DoDispose() override;
    bool Apply(const Frame& frame) override;
    void DoReset() override;

  private:
    /// Sets the timers that a frame is about. @param pfc the frame
    /// @return the classes under flow control that it stops
    PrioritySet SetTimers(const PfcHeader& pfc);
    /// Sets a timer. @param end when it ends @param classes that it stops
    /// @param quanta length; 0 ends it now @return the classes that it stops; none: it has ended
    PrioritySet SetTimer(Ticks& end, PrioritySet classes, uint16_t quanta);
    /// Brings what is held up to date and waits for the next timer to end.
    void Renew();
    /// Counts a frame. @param stopped classes that it stops @param resumed those that it lets go
    void Count(PrioritySet stopped, PrioritySet resumed);
    /// Counts the time since the last change to the classes that were stopped in it.
    void CountPausedTime();
    /// @param priority a class @return for how long it was stopped so far
    Ticks GetPausedTime(Priority priority) const;

    // Ticks, for there are eighteen of them: before a run, ns-3 keeps a list of every Time.
    std::array<Ticks, NUM_PRIORITIES> m_classEnd{};      ///< when each class may send again
    Ticks m_portEnd{0};                                  ///< when the port may send again
    EventId m_expiry;                                    ///< the next timer to end
    std::array<PfcFrameCounts, NUM_PRIORITIES> m_frames; ///< by class
    std::array<Ticks, NUM_PRIORITIES> m_paused{};        ///< for how long, by class, to m_counted
    Ticks m_counted{0};                                  ///< see CountPausedTime()
    TracedCallback<PrioritySet> m_receivedTrace;         ///< a PFC frame took effect
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSE_GATE_H */
