// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TRANSMIT_GATE_H
#define LOSSLESS_TRANSMIT_GATE_H

#include "frame.h"
#include "lossless-types.h"

#include "ns3/callback.h"
#include "ns3/data-rate.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The upstream side of a flow control: which traffic classes may a transmitter send now?
 *
 * Each device has one. It is told of the control frames that arrive on the link and of the frames
 * that leave, and keeps the set of open classes. A scheme with a finer question than "which
 * class?" (per flow, as OFC) brings its own EgressQueue as well and lets the two share their
 * state; the device still asks only for the class.
 */
class TransmitGate : public Object
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// @return the classes that may send now
    PrioritySet GetOpen() const
    {
        return m_open;
    }

    /**
     * Called once by the device before the first frame.
     * @param rate rate of the link, in which pause times are counted
     * @param opened called when a class that was closed has opened
     */
    void Attach(DataRate rate, Callback<void> opened);

    /**
     * A MAC control frame has arrived from the neighbour.
     * @param frame the frame, of kind MAC_CONTROL
     */
    virtual void ReceiveControl(const Frame& frame) = 0;

    /**
     * A frame starts to leave (GFC paces by this).
     * @param frame the frame
     * @param priority its class
     */
    virtual void NotifySent(const Frame& frame, Priority priority);

    /// The link went down or came up: the neighbour's earlier wishes are void.
    virtual void Reset() = 0;

    /**
     * Signature of the trace sources "Opened" and "Closed".
     * @param classes the classes that opened or closed
     */
    typedef void (*ClassesTracedCallback)(PrioritySet classes);

  protected:
    void DoDispose() override;

    /// @return rate of the link
    DataRate GetRate() const
    {
        return m_rate;
    }

    /**
     * Changes the set of open classes; fires the traces and tells the device.
     * @param open the classes that may send from now on
     */
    void SetOpen(PrioritySet open);

    /// Tells the device that a frame may leave which could not before (a flow, say, of a class
    /// that was open all the time).
    void WakeTransmitter();

  private:
    PrioritySet m_open{ALL_PRIORITIES};        ///< classes that may send
    DataRate m_rate;                           ///< rate of the link
    Callback<void> m_notifyOpened;             ///< the device's
    TracedCallback<PrioritySet> m_openedTrace; ///< classes which opened
    TracedCallback<PrioritySet> m_closedTrace; ///< classes which closed
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TRANSMIT_GATE_H */
