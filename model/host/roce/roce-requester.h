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
/// The sending half of a RoceNic, InfiniBand's requester: the queue pairs of flows from here, which
/// of them sends next, and how they react to answers and timeouts. It uses the settings of the NIC.
class RoceRequester
{
  public:
    /// Makes the half of a NIC.
    explicit RoceRequester(RoceNic& nic);
    ~RoceRequester();

    RoceRequester(const RoceRequester&) = delete;
    RoceRequester& operator=(const RoceRequester&) = delete;

    /// Opens the sending end of a flow; returns false if the number of its queue pair is in use.
    bool TryOpen(const RoceConnection& connection);

    /// Whether a queue pair that takes turns may send.
    bool MaySend(const Permit& permit)
    {
        return m_arbiter.GetEligible(permit) != 0;
    }

    /// When none takes turns, releases queue pairs that are due and schedules the next.
    /// @return whether one of them may send now
    bool PrepareDue(const Permit& permit);
    /// Returns the next packet; something must be allowed to leave.
    Frame Send(const Permit& permit);

    /// See FrameSource.
    void NotifyGateChanged();
    /// See FrameSource.
    void NotifyPaused(const PauseNotice& notice);

    /// Handles an ACK or NAK.
    /// @param telemetry of the answer; null: none
    /// @param sack of the answer; null: none
    void ReceiveAnswer(const RoceHeader& answer,
                       const TelemetryHeader* telemetry,
                       const SackHeader* sack);
    /// Handles a congestion notification.
    void ReceiveCnp(const RoceHeader& cnp);

    /// See QueuePairTable.
    void PrefetchFor(const RoceHeader& answer, std::size_t step) const
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

    /// Classes in which a queue pair takes turns.
    PrioritySet GetRequesting() const
    {
        return m_arbiter.GetRequesting();
    }

    /// Forgets all flows and cancels their timeouts.
    void Clear();

  private:
    /// Gives a new flow its congestion control.
    /// @param flow its id
    /// @param settings to be completed
    void MakeCongestionControl(FlowSender& sender, uint64_t flow, SendSettings& settings) const;
    void MakePathSelection(FlowSender& sender, const RoceFlow& flow) const;
    Frame SendData(FlowSender& sender);
    /// Lets a queue pair with something to send do so now, or when its rate allows.
    void Admit(FlowSender& sender, Time now);
    /// Lets the queue pairs whose rate allows it take turns.
    void ReleaseDue();
    /// Closes an end whose packets are all acknowledged.
    void Finish(FlowSender& sender);
    FlowRecord Close(FlowSender& sender);
    void CheckTimeouts();
    /// Retransmits if it is time.
    /// @return when to check the flow next; Time::Max(): nothing is in flight
    Time CheckTimeout(FlowSender& sender, Time now);
    /// Handles a timeout of a flow: reports a long lack of progress, and gives up after too many.
    /// @return whether the flow continues
    bool TakeTimeout(FlowSender& sender, Time now);
    /// Reports a flow that has stalled for a long time.
    void TellStall(FlowSender& sender, Time now);
    Time GetShortestTimeout() const;

    using TimeoutEvent = RecurringEvent<RoceRequester, &RoceRequester::CheckTimeouts>;

    RoceNic& m_nic;
    QueuePairTable<FlowSender> m_senders; ///< flows from here, by number
    SendArbiter m_arbiter;                ///< of those that may send
    RateLimiter m_rateLimiter;            ///< of those ahead of their rate
    Ptr<TimeoutEvent> m_timeoutCheck;     ///< never later than the earliest timeout
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ROCE_REQUESTER_H */
