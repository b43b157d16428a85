// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CBFC_GATE_H
#define LOSSLESS_CBFC_GATE_H

#include "cbfc-messages.h"
#include "cbfc-sender.h"
#include "cbfc-settings.h"

#include "ns3/event-id.h"
#include "ns3/mac48-address.h"
#include "ns3/transmit-gate.h"

namespace ns3::lossless
{

/// @ingroup lossless
/// The owner of a gate at one end of a CBFC link: a switch port or a host.
class CbfcLinkEnd
{
  public:
    virtual ~CbfcLinkEnd() = default;

    /// Requests the wire for the gate's CC_Update; see CbfcGate::MakeCounters().
    virtual void RequestCounters() = 0;
    /// Handles a CC_Update from the neighbour.
    virtual void TakeCounters(const CcUpdateHeader& counters) = 0;
    /// Returns whether the link is up.
    virtual bool IsUp() const = 0;
};

/**
 * @ingroup lossless
 * The upstream side of CBFC. A frame of a lossless class can leave if its credits, added to the
 * credits in use, remain within the receiver's limits. While credits are in use, the gate sends a
 * CC_Update every CounterPeriod.
 *
 * A CF_Update takes effect after the response time, as at other gates ("ResponseQuanta",
 * "StandardResponse"). A CC_Update takes effect immediately, because it is compared with the frames
 * that arrived before it.
 */
class CbfcGate : public TransmitGate
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    CbfcGate();

    /// Sets up the gate. Called once, before the gate is used.
    /// @param settings the settings of the receiver at the other end
    /// @param link the link direction in which this end sends
    /// @param end the owner of the gate, which must exist while the gate is used
    void Configure(const CbfcSettings& settings, const PortLink& link, CbfcLinkEnd* end);

    /// Returns the next CC_Update, or null if none is due. Called when the wire is free.
    /// @param source the address of the port
    Ptr<Packet> MakeCounters(Mac48Address source);

    /// Returns the counters of credits consumed, freed and in use.
    const CbfcSender& GetSender() const
    {
        return m_sender;
    }

    /// Returns the settings of the receiver.
    const CbfcSettings& GetSettings() const
    {
        return m_settings;
    }

    bool MaySend(const Frame& frame) const override;

    /// Returns false, because credits apply to entire classes.
    bool StopsFlows() const override
    {
        return false;
    }

    void NotifySent(const Frame& frame) override;

  protected:
    void DoDispose() override;

  private:
    bool ActsAtOnce(const Frame& frame) const override;
    bool Apply(const Frame& frame) override;
    void DoReset() override;

    /// Reports the classes that may have to wait now but were free to send at the previous call.
    void TellWaiting();
    /// Schedules the next CC_Update if credits are in use.
    void AwaitCounters();
    void SendCounters();

    CbfcSettings m_settings;     ///< the settings of the receiver
    CbfcSender m_sender;         ///< the counters of credits
    CbfcLinkEnd* m_end{nullptr}; ///< the owner of the gate
    PrioritySet m_waiting{0};    ///< the waiting classes found by the previous TellWaiting()
    bool m_isDue{false};         ///< whether a CC_Update is due
    EventId m_timer;             ///< the pending event that calls SendCounters()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CBFC_GATE_H */
