// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PAUSE_GATE_H
#define LOSSLESS_PAUSE_GATE_H

#include "transmit-gate.h"

#include "ns3/event-id.h"

#include <array>

namespace ns3::lossless
{

class PfcHeader;

/// The neighbour's PFC frames that enable a class.
struct PfcFrameCounts
{
    uint64_t stops{0};   ///< with a non-zero time
    uint64_t resumes{0}; ///< with a time of 0, ending a pause
};

/// Effect of the neighbour's PFC frames on a class, as switches count it per port. Counting
/// continues while the class is ignored (TransmitGate::SetIgnoring()).
struct PfcCounts : public PfcFrameCounts
{
    Time paused; ///< total time stopped
};

/**
 * @ingroup lossless
 * The gate of IEEE 802.1Qbb: a pause timer for each class, and one for the whole port.
 *
 * A PFC frame sets the timers of the classes that it enables; a time of zero resumes. A frame that
 * enables all eight with the same time is a port-level PAUSE or RESUME (DSH, Sec. IV-B) and sets a
 * ninth timer: a class RESUME must not lift the pause of the port, nor the port's RESUME that of a
 * class. Both act only in the classes under flow control, and are counted and traced for these.
 * Timers start when the frame takes effect. The gate of a scheme on top derives from this class,
 * reads its own frames in Apply(), passes PFC's on, and holds classes in the layer SCHEME.
 */
class PauseGate : public TransmitGate
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @return counts of a class so far
    PfcCounts GetCounts(Priority priority) const;

    /// @return the classes under flow control that PFC frames stop now, including ignored ones
    PrioritySet GetPaused() const;

  protected:
    void DoDispose() override;
    bool Apply(const Frame& frame) override;
    void DoReset() override;

  private:
    /// Sets the timers that a frame addresses. @return the classes under flow control that it stops
    PrioritySet SetTimers(const PfcHeader& pfc);
    /// Sets a timer.
    /// @param end of the timer
    /// @param quanta length; 0 ends it now
    /// @return the classes stopped; none if it has ended
    PrioritySet SetTimer(Ticks& end, PrioritySet classes, uint16_t quanta);
    /// Updates the held classes and waits for the next timer to end.
    void Renew();
    void Count(PrioritySet stopped, PrioritySet resumed);
    /// Adds the time since the last change to the stopped classes.
    void CountPausedTime();
    /// @return total time for which a class was stopped
    Ticks GetPausedTime(Priority priority) const;

    // Ticks, as there are eighteen of them: before a run, ns-3 keeps a list of every Time.
    std::array<Ticks, NUM_PRIORITIES> m_classEnd{};      ///< when each class may send again
    Ticks m_portEnd{0};                                  ///< when the port may send again
    EventId m_expiry;                                    ///< of the next timer
    std::array<PfcFrameCounts, NUM_PRIORITIES> m_frames; ///< by class
    std::array<Ticks, NUM_PRIORITIES> m_paused{};        ///< time by class, up to m_counted
    Ticks m_counted{0};                                  ///< see CountPausedTime()
    TracedCallback<PrioritySet> m_receivedTrace;         ///< a PFC frame has taken effect
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSE_GATE_H */
