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
/// The owner of a gate at an end of a CBFC link: a switch port or a host.
class CbfcLinkEnd
{
  public:
    virtual ~CbfcLinkEnd() = default;

    /// The gate has a CC_Update to send, see CbfcGate::MakeCounters().
    virtual void RequestCounters() = 0;
    /// The neighbour's CC_Update has arrived.
    virtual void TakeCounters(const CcUpdateHeader& counters) = 0;
    /// Whether the link is up.
    virtual bool IsUp() const = 0;
};

/**
 * @ingroup lossless
 * The upstream side of CBFC: a frame of a lossless class leaves if its credits and those in use
 * stay within the receiver's limits. It sends a CC_Update every CounterPeriod while any are.
 *
 * A CF_Update takes effect after the response time of other gates ("ResponseQuanta",
 * "StandardResponse"), a CC_Update at once, since it is compared with the frames before it.
 */
class CbfcGate : public TransmitGate
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    CbfcGate();

    /// Sets up the gate; called once, before it is used.
    /// @param settings of the receiver at the other end
    /// @param link by which this end sends to it
    /// @param end owner of the gate; must outlive its use
    void Configure(const CbfcSettings& settings, const PortLink& link, CbfcLinkEnd* end);

    /// The wire is free: returns a CC_Update; null if none is due.
    /// @param source address of the port
    Ptr<Packet> MakeCounters(Mac48Address source);

    /// Returns the credits consumed, freed and in use.
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

    /// Returns false: credits belong to classes.
    bool StopsFlows() const override
    {
        return false;
    }

    void NotifySent(const Frame& frame, Priority priority) override;

  protected:
    void DoDispose() override;

  private:
    bool ActsAtOnce(const Frame& frame) const override;
    bool Apply(const Frame& frame) override;
    void DoReset() override;

    /// Reports the classes that may have to wait from now on.
    void TellWaiting();
    /// Schedules the next CC_Update, if there is anything to report.
    void AwaitCounters();
    void SendCounters();

    CbfcSettings m_settings;     ///< of the receiver
    CbfcSender m_sender;         ///< counters
    CbfcLinkEnd* m_end{nullptr}; ///< not owned
    PrioritySet m_waiting{0};    ///< classes last reported by TellWaiting()
    bool m_isDue{false};         ///< whether a CC_Update is
    EventId m_timer;             ///< pending: SendCounters()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CBFC_GATE_H */
