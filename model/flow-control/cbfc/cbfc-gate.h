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

/**
 * @ingroup lossless
 * The end of a link with CBFC to which a gate belongs: a port of a switch, or a host.
 */
class CbfcLinkEnd
{
  public:
    virtual ~CbfcLinkEnd() = default;

    /// The gate has a CC_Update to send, see CbfcGate::MakeCounters().
    virtual void RequestCounters() = 0;
    /// The neighbour's CC_Update has arrived. @param counters what it says
    virtual void TakeCounters(const CcUpdateHeader& counters) = 0;
    /// @return whether the link is up
    virtual bool IsUp() const = 0;
};

/**
 * @ingroup lossless
 * The upstream side of CBFC: a frame of a lossless class leaves if its credits and those in use
 * stay within the limits that the receiver has set. As long as credits are in use it also sends a
 * CC_Update every CounterPeriod.
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

    /**
     * Called once, before the gate is used.
     * @param settings of the receiver behind the link
     * @param link by which this end sends to it
     * @param end to which the gate belongs; not owned, lives as long as the gate is used
     */
    void Configure(const CbfcSettings& settings, const PortLink& link, CbfcLinkEnd* end);

    /// The wire is free. @param source address of the port @return a CC_Update; null: none is due
    Ptr<Packet> MakeCounters(Mac48Address source);

    /// @return what is consumed, freed and in use
    const CbfcSender& GetSender() const
    {
        return m_sender;
    }

    /// @return the settings of the receiver
    const CbfcSettings& GetSettings() const
    {
        return m_settings;
    }

    bool MaySend(const Frame& frame) const override;

    /// @return false: credits are of classes
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

    /// Tells of the classes that may have to wait from now on.
    void TellWaiting();
    /// Waits for the next CC_Update, if there is something to tell.
    void AwaitCounters();
    /// It is time for a CC_Update.
    void SendCounters();

    CbfcSettings m_settings;     ///< of the receiver
    CbfcSender m_sender;         ///< counters
    CbfcLinkEnd* m_end{nullptr}; ///< not owned
    PrioritySet m_waiting{0};    ///< classes of which TellWaiting() has told
    bool m_isDue{false};         ///< a CC_Update
    EventId m_timer;             ///< pending: SendCounters()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CBFC_GATE_H */
