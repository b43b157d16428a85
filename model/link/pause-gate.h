// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PAUSE_GATE_H
#define LOSSLESS_PAUSE_GATE_H

#include "mac-control-header.h"
#include "transmit-gate.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <array>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The gate of IEEE 802.1Qbb: a pause timer for each class, and one for the whole port.
 *
 * A PFC frame which enables some of the classes sets their timers; a time of zero resumes. A
 * frame which enables all eight is a port-level PAUSE or RESUME (DSH, Sec. IV-B) and sets a
 * ninth timer: a class RESUME must not lift the pause of the port, nor the port's RESUME the
 * pause of a class. A class is open when neither its own timer nor the port's runs.
 *
 * A frame takes effect "ResponseQuanta" after its last bit has arrived. The default of 60 quanta
 * (3840 B times) is what the headroom formula of DSH, Eq. 1, grants the upstream device, hence the
 * slowest response that a buffer dimensioned by it must survive. Timers start when the frame
 * takes effect.
 */
class PauseGate : public TransmitGate
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    void ReceiveControl(const Frame& frame) override;
    void Reset() override;

    /// @param quanta a number of pause quanta @return that time at the rate of this link
    Time QuantaToTime(uint32_t quanta) const;

  protected:
    void DoDispose() override;

  private:
    /**
     * Sets the timers as the frame says, unless the link has been down since.
     * @param pfc body of the frame
     * @param generation value of m_generation when the frame arrived
     */
    void Apply(PfcHeader pfc, uint32_t generation);
    /// Sets one timer. @param end the timer @param quanta length; 0 ends it now
    void SetTimer(Time& end, uint16_t quanta) const;
    /// Recomputes the set of open classes and waits for the next timer to end.
    void Update();

    uint32_t m_responseQuanta{60};               ///< reaction time, in pause quanta
    std::array<Time, NUM_PRIORITIES> m_classEnd; ///< when each class may send again
    Time m_portEnd;                              ///< when the port may send again
    EventId m_expiry;                            ///< the next timer to end
    uint32_t m_generation{0};                    ///< counts the resets of the link
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSE_GATE_H */
