// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_ROCE_REQUESTER_H
#define LOSSLESS_ROCE_REQUESTER_H

#include "flow-sender.h"
#include "queue-pair-table.h"
#include "rate-limiter.h"
#include "send-arbiter.h"

#include "ns3/congestion-control.h"
#include "ns3/frame-endpoint.h"
#include "ns3/nstime.h"
#include "ns3/recurring-event.h"

namespace ns3::lossless
{

class RoceNic;

/// @ingroup lossless
/// The sending half of a RoceNic, which InfiniBand calls the requester. It manages the queue pairs
/// of the flows that the NIC sends, decides which of them sends next, and handles answers and
/// timeouts. It uses the settings of the NIC.
class RoceRequester
{
  public:
    /// Creates the sending half of a NIC.
    explicit RoceRequester(RoceNic& nic);
    ~RoceRequester();

    RoceRequester(const RoceRequester&) = delete;
    RoceRequester& operator=(const RoceRequester&) = delete;

    /// Opens the sending end of a flow. Returns false if the number of its queue pair is in use.
    bool TryOpen(const RoceConnection& connection);

    /// Returns whether any queue pair in the arbiter can send.
    bool MaySend(const Permit& permit)
    {
        return m_arbiter.GetEligible(permit) != 0;
    }

    /// Releases the queue pairs that are due and schedules the next release. Called only if
    /// MaySend() returns false.
    /// @return whether a released queue pair can send now
    bool PrepareDue(const Permit& permit);
    /// Returns the next packet. Must be called only if a packet can be sent.
    Frame Send(const Permit& permit);

    /// Handles a notification; see FrameSource.
    void NotifyGateChanged();
    /// Handles a notification; see FrameSource.
    void NotifyPaused(const PauseNotice& notice);

    /// Handles an ACK or NAK.
    /// @param telemetry the telemetry of the answer, or null
    /// @param sack the SACK header of the answer, or null
    void ReceiveAnswer(const RoceHeader& answer,
                       const TelemetryHeader* telemetry,
                       const SackHeader* sack);
    /// Handles a congestion notification.
    void ReceiveCnp(const RoceHeader& cnp);

    /// Prefetches an open end; see QueuePairTable.
    void Prefetch(const RoceHeader& answer, std::size_t step) const
    {
        m_senders.Prefetch(answer.GetDestinationQp(), step);
    }

    /// Returns the queue pairs.
    QueuePairTable<FlowSender>& GetQueuePairs()
    {
        return m_senders;
    }

    /// Returns the queue pairs.
    const QueuePairTable<FlowSender>& GetQueuePairs() const
    {
        return m_senders;
    }

    /// Returns the classes with queue pairs that wait for their turn; see SendArbiter.
    PrioritySet GetRequesting() const
    {
        return m_arbiter.GetRequesting();
    }

    /// Removes all flows and cancels their timeouts.
    void Clear();

  private:
    /// Creates the congestion control of a new flow.
    /// @param flow the ID of the flow
    /// @param settings the settings to which the requirements of the algorithm are added
    void MakeCongestionControl(FlowSender& sender, uint64_t flow, SendSettings& settings) const;
    void MakePathSelection(FlowSender& sender, const RoceFlow& flow) const;
    Frame SendData(FlowSender& sender);
    /// Passes a queue pair with pending data to the arbiter, now or as soon as its rate allows a
    /// packet.
    void Admit(FlowSender& sender, Time now);
    /// Passes the queue pairs whose rate now allows a packet to the arbiter.
    void ReleaseDue();
    /// Closes an end whose packets have all been acknowledged.
    void Finish(FlowSender& sender);
    FlowRecord Close(FlowSender& sender);
    void CheckTimeouts();
    /// Retransmits packets if the timeout has expired.
    /// @return the time at which to check the flow next; Time::Max() if no timeout is pending
    Time CheckTimeout(FlowSender& sender, Time now);
    /// Handles a timeout of a flow. Reports the flow if it has made no progress for a long time and
    /// aborts it after too many timeouts.
    /// @return whether the flow continues
    bool TakeTimeout(FlowSender& sender, Time now);
    /// Reports a flow once if it has made no progress for a long time.
    void TellStall(FlowSender& sender, Time now);
    Time GetShortestTimeout() const;

    using TimeoutEvent = RecurringEvent<RoceRequester, &RoceRequester::CheckTimeouts>;

    RoceNic& m_nic;
    QueuePairTable<FlowSender> m_senders; ///< the flows being sent, keyed by queue pair number
    SendArbiter m_arbiter;                ///< the queue pairs that can send
    RateLimiter m_rateLimiter;            ///< the queue pairs that are ahead of their rate
    Ptr<TimeoutEvent> m_timeoutCheck;     ///< the pending event, which is never later than the
                                          ///< earliest timeout
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ROCE_REQUESTER_H */
