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

/**
 * @ingroup lossless
 * The sending half of a RoceNic, which InfiniBand calls the requester: the queue pairs of flows
 * from here, which of them sends next, and what it does upon answers and without them. Its settings
 * are those of the NIC.
 */
class RoceRequester
{
  public:
    /// @param nic whose half it is
    explicit RoceRequester(RoceNic& nic);
    ~RoceRequester();

    RoceRequester(const RoceRequester&) = delete;
    RoceRequester& operator=(const RoceRequester&) = delete;

    /// Opens the sending end of a flow. @param connection what was agreed on
    /// @return whether it could: the number of its queue pair is not in use
    bool TryOpen(const RoceConnection& connection);

    /// @param permit what may leave @return whether a queue pair that takes turns may send
    bool MaySend(const Permit& permit)
    {
        return m_arbiter.GetEligible(permit) != 0;
    }

    /// Nobody takes turns: looks at those ahead of their rate, and waits for the first of them.
    /// @param permit what may leave @return whether one of them may send now
    bool PrepareDue(const Permit& permit);
    /// @param permit what may leave, with which something may @return the next packet
    Frame Send(const Permit& permit);

    /// See FrameSource.
    void NotifyGateChanged();
    /// See FrameSource. @param notice of the pause
    void NotifyPaused(const PauseNotice& notice);

    /// @param answer header of an ACK or NAK @param telemetry behind it; null: none
    /// @param sack behind it; null: none
    void ReceiveAnswer(const RoceHeader& answer,
                       const TelemetryHeader* telemetry,
                       const SackHeader* sack);
    /// @param cnp header of a congestion notification
    void ReceiveCnp(const RoceHeader& cnp);

    /// See QueuePairTable. @param answer header of an answer to be received
    /// @param step of its prefetching
    void PrefetchFor(const RoceHeader& answer, std::size_t step) const
    {
        m_senders.Prefetch(answer.GetDestinationQp(), step);
    }

    /// @return the queue pairs
    QueuePairTable<FlowSender>& GetQueuePairs()
    {
        return m_senders;
    }

    /// @return the same
    const QueuePairTable<FlowSender>& GetQueuePairs() const
    {
        return m_senders;
    }

    /// @return classes in which somebody takes turns
    PrioritySet GetRequesting() const
    {
        return m_arbiter.GetRequesting();
    }

    /// Forgets all flows; no timeout happens any more.
    void Clear();

  private:
    /// Gives a new flow its congestion control. @param sender the flow @param settings how it
    /// sends, to be completed
    void MakeCongestionControl(FlowSender& sender, SendSettings& settings) const;
    /// Gives a new flow its choice of paths. @param sender the flow @param flow what it is
    void MakePathSelection(FlowSender& sender, const RoceFlow& flow) const;
    /// @param sender may send a packet @return the packet
    Frame SendData(FlowSender& sender);
    /// The queue pair has something to send: now, or when its rate lets it. @param sender it
    /// @param now the time
    void Admit(FlowSender& sender, Time now);
    /// Lets the queue pairs take turns whose rate lets them send now.
    void ReleaseDue();
    /// Everything is acknowledged. @param sender the end, which is closed
    void Finish(FlowSender& sender);
    /// Nothing more is sent. @param sender the end, which is closed @return its flow
    FlowRecord Close(FlowSender& sender);
    /// Sends again where no answer has come for too long.
    void CheckTimeouts();
    /// Sends again if it is time. @param sender a flow @param now the time
    /// @return when to look at it next; Time::Max(): nothing is under way
    Time CheckTimeout(FlowSender& sender, Time now);
    /// A timeout of a flow is over: tells if it has had no progress for long, and gives it up after
    /// too many. @param sender the flow @param now the time @return whether it goes on
    bool TakeTimeout(FlowSender& sender, Time now);
    /// Tells that a flow stands still, if it does so for long. @param sender of it @param now the
    /// time
    void TellStall(FlowSender& sender, Time now);
    /// @return the shortest time after which a queue pair can be due
    Time GetShortestTimeout() const;

    using TimeoutEvent = RecurringEvent<RoceRequester, &RoceRequester::CheckTimeouts>;

    RoceNic& m_nic;                       ///< whose half it is
    QueuePairTable<FlowSender> m_senders; ///< flows from here, by number
    SendArbiter m_arbiter;                ///< of those that may send
    RateLimiter m_rateLimiter;            ///< of those ahead of their rate
    Ptr<TimeoutEvent> m_timeoutCheck;     ///< not later than any timeout
};

} // namespace ns3::lossless

#endif /* LOSSLESS_ROCE_REQUESTER_H */
