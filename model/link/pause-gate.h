// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PAUSE_GATE_H
#define LOSSLESS_PAUSE_GATE_H

#include "transmit-gate.h"

#include "ns3/event-id.h"

#include <array>

namespace ns3::lossless
{

class PfcHeader;

/// The numbers of received PFC frames that enabled a class.
struct PfcFrameCounts
{
    uint64_t stops{0};   ///< the number of frames with a non-zero time
    uint64_t resumes{0}; ///< the number of frames with a time of zero that ended a pause
};

/// The effect of received PFC frames on a class, expressed in the counters that switches provide
/// for each port and class. Counting continues while the class is ignored; see
/// TransmitGate::SetIgnoring().
struct PfcCounts : public PfcFrameCounts
{
    Time paused; ///< the total time for which the class was paused
};

/**
 * @ingroup lossless
 * The gate of IEEE 802.1Qbb, with a pause timer for each class and one for the whole port.
 *
 * A PFC frame sets the timers of the classes that it enables; a time of zero resumes a class. A
 * frame that enables all eight classes with the same time is a port-level PAUSE or RESUME (DSH,
 * Sec. IV-B) and sets a ninth timer. A class RESUME must not end the pause of the port, and a port
 * RESUME must not end the pause of a class. Both kinds of frame affect only the classes under flow
 * control and are counted and traced only for these classes. Timers start when the frame takes
 * effect. The gate of a scheme based on PFC derives from this class. Such a gate processes the
 * scheme's frames in Apply(), passes PFC frames on to this class, and holds classes in the layer
 * SCHEME.
 */
class PauseGate : public TransmitGate
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    /// @return the counts of a class
    PfcCounts GetCounts(Priority priority) const;

    /// @return the classes under flow control that are now paused by PFC frames, including ignored
    /// ones
    PrioritySet GetPaused() const;

  protected:
    void DoDispose() override;
    bool Apply(const Frame& frame) override;
    void DoReset() override;

  private:
    /// Sets the timers of the classes that a frame enables.
    /// @return the classes under flow control that the frame pauses
    PrioritySet SetTimers(const PfcHeader& pfc);
    /// Sets a timer.
    /// @param end the expiry time of the timer
    /// @param quanta the duration of the pause; 0 ends it immediately
    /// @return the paused classes; none if `quanta` is 0
    PrioritySet SetTimer(Ticks& end, PrioritySet classes, uint16_t quanta);
    /// Updates the set of held classes and schedules the expiry of the next timer.
    void Renew();
    void Count(PrioritySet stopped, PrioritySet resumed);
    /// Updates the total pause time of each class.
    void CountPausedTime();
    /// @return the total time for which a class was paused
    Ticks GetPausedTime(Priority priority) const;

    // The times are stored as Ticks because each gate has eighteen of them, and ns-3 keeps a list
    // of all Time objects until a run begins.
    std::array<Ticks, NUM_PRIORITIES> m_classEnd{};      ///< the end of each class's pause
    Ticks m_portEnd{0};                                  ///< the end of the port's pause
    EventId m_expiry;                                    ///< the expiry of the next timer
    std::array<PfcFrameCounts, NUM_PRIORITIES> m_frames; ///< the frame counts of each class
    std::array<Ticks, NUM_PRIORITIES> m_paused{};        ///< the total pause time of each class up
                                                         ///< to m_counted
    Ticks m_counted{0};                                  ///< the time of the latest call to
                                                         ///< CountPausedTime()
    TracedCallback<PrioritySet> m_receivedTrace;         ///< fired when a PFC frame takes effect
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSE_GATE_H */
