// SPDX-License-Identifier: GPL-2.0-only
#include "roce-requester.h"

#include "roce-nic.h"

#include "ns3/log.h"
#include "ns3/lossless-net-device.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/source-port.h"
#include "ns3/telemetry-header.h"
#include "ns3/unbuilt-packet.h"

#include <algorithm>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessRoceRequester");

RoceRequester::RoceRequester(RoceNic& nic)
    : m_nic(nic),
      m_rateLimiter(MakeCallback(&RoceNic::Kick, &nic)),
      m_timeoutCheck(Create<TimeoutEvent>(this))
{
}

RoceRequester::~RoceRequester()
{
    m_timeoutCheck->Detach();
}

void
RoceRequester::Clear()
{
    m_timeoutCheck->Detach();
    m_senders.Clear();
    m_arbiter.Clear();
    m_rateLimiter.Clear();
}

bool
RoceRequester::TryOpen(const RoceConnection& connection)
{
    FlowSender* sender = m_senders.Open(connection.number);
    if (!sender)
    {
        return false;
    }
    sender->number = connection.number;
    SendSettings settings{m_nic.m_payloadBytes, m_nic.GetMaxWindow(), connection.initialPsn};
    settings.isCoalesced = connection.isCoalesced;
    settings.isPlacing = m_nic.m_traits.isPlacing;
    MakeCongestionControl(*sender, connection.flow.id, settings);
    MakePathSelection(*sender, connection.flow);
    sender->queuePair.SetReliability(m_nic.m_reliability->MakeSender(m_nic.m_retransmitTimeout));
    sender->queuePair.Open(connection.MakeRecord(),
                           connection.GetDataPath(m_nic.m_ecnCapable),
                           settings);
    m_nic.m_flowStarted(sender->queuePair.GetRecord());
    m_arbiter.Request(*sender);
    return true;
}

void
RoceRequester::MakeCongestionControl(FlowSender& sender,
                                     uint64_t flow,
                                     SendSettings& settings) const
{
    if (m_nic.m_controlFactory.GetTypeId() == NoCongestionControl::GetTypeId())
    {
        return;
    }
    sender.control = m_nic.m_controlFactory.Create<CongestionControl>();
    if (!m_nic.m_flowRate.IsEmpty() || !m_nic.m_flowWindow.IsEmpty())
    {
        sender.trace = std::make_unique<FlowSender::ControlTrace>(FlowSender::ControlTrace{
            {[this, flow](DataRate rate) { m_nic.m_flowRate(flow, rate); }},
            {[this, flow](uint64_t bytes) { m_nic.m_flowWindow(flow, bytes); }}});
    }
    // The congestion control starts with the link's initial rate, because a link that is slow now
    // may recover. As long as the link is slow, the wire paces the packets.
    sender.control->Start(m_nic.m_device->GetFirstRate(), m_nic.m_payloadBytes);
    sender.due = static_cast<double>(NowInTicks());
    settings.isTimed = sender.control->GetFeedback().roundTrips;
    settings.hasTelemetry = m_nic.m_feedback.telemetry;
    settings.window = sender.GetWindow(m_nic.GetMaxWindow());
}

void
RoceRequester::MakePathSelection(FlowSender& sender, const RoceFlow& flow) const
{
    if (m_nic.m_pathFactory.GetTypeId() != FlowPath::GetTypeId())
    {
        sender.paths = m_nic.m_pathFactory.Create<PathSelection>();
        sender.paths->Start(flow.id, flow.sourcePort);
    }
}

bool
RoceRequester::PrepareDue(const Permit& permit)
{
    if (m_rateLimiter.IsEmpty())
    {
        return false;
    }
    ReleaseDue();
    if (!m_rateLimiter.IsEmpty())
    {
        m_rateLimiter.AwaitDue();
    }
    return MaySend(permit);
}

Frame
RoceRequester::Send(const Permit& permit)
{
    if (!m_rateLimiter.IsEmpty())
    {
        ReleaseDue();
    }
    return SendData(m_arbiter.Grant(m_arbiter.GetEligible(permit)));
}

Frame
RoceRequester::SendData(FlowSender& sender)
{
    const bool isAgain = sender.queuePair.IsRetransmitting();
    NS_LOG_LOGIC("flow " << sender.queuePair.GetRecord().flow.id << " sends a packet"
                         << (isAgain ? " again" : ""));
    const Time now = Simulator::Now();
    Frame frame = sender.queuePair.Send(now);
    ++m_nic.m_counts.dataSent;
    if (sender.paths)
    {
        const uint32_t psn = frame.packet.GetUnbuilt()->GetHeader().GetPsn();
        SetSourcePort(frame, sender.paths->Choose(psn, now));
    }
    if (isAgain)
    {
        ++m_nic.m_counts.retransmitted;
        m_nic.m_flowRetransmitted(sender.queuePair.GetRecord());
    }
    if (sender.control)
    {
        sender.control->NotifySent(frame.size, now);
        const uint32_t wireBytes = frame.size + m_nic.m_device->GetOverheadBytes();
        RateLimiter::Charge(sender, wireBytes, m_nic.m_device->GetDataRate(), now);
    }
    if (sender.queuePair.MaySend())
    {
        Admit(sender, now);
    }
    if (!m_timeoutCheck->IsArmed())
    {
        m_timeoutCheck->Arm(m_nic.m_device->GetNode()->GetId(), GetShortestTimeout());
    }
    return frame;
}

void
RoceRequester::Admit(FlowSender& sender, Time now)
{
    const bool isHeld = sender.control && m_rateLimiter.TryHold(sender, now);
    if (!isHeld)
    {
        m_arbiter.Request(sender);
    }
}

void
RoceRequester::ReleaseDue()
{
    const Time now = Simulator::Now();
    while (FlowSender* sender = m_rateLimiter.Release(now))
    {
        if (sender->queuePair.MaySend())
        {
            m_arbiter.Request(*sender);
        }
    }
}

void
RoceRequester::NotifyGateChanged()
{
    m_arbiter.Unpark();
}

void
RoceRequester::NotifyPaused(const PauseNotice& notice)
{
    m_senders.ForEach([&](FlowSender& sender) {
        if (sender.control && Contains(notice.classes, sender.queuePair.GetPriority()))
        {
            sender.HandlePause(notice, m_nic.GetMaxWindow(), Simulator::Now());
            if (sender.place == FlowSender::Place::ARBITER && !sender.queuePair.MaySend())
            {
                m_arbiter.Withdraw(sender);
            }
        }
    });
}

void
RoceRequester::ReceiveAnswer(const RoceHeader& answer,
                             const TelemetryHeader* telemetry,
                             const SackHeader* sack)
{
    FlowSender* sender = m_senders.Find(answer.GetDestinationQp());
    if (!sender)
    {
        ++m_nic.m_counts.stale;
        return;
    }
    SendQueuePair& queuePair = sender->queuePair;
    NS_LOG_LOGIC("flow " << queuePair.GetRecord().flow.id << " takes " << answer);
    const Time now = Simulator::Now();
    if (sender->paths)
    {
        sender->TellPaths(answer, sack, now);
    }
    sender->HandleAnswer(answer, telemetry, sack, m_nic.GetMaxWindow(), now);
    if (telemetry)
    {
        m_nic.m_counts.pathSwitches =
            std::max<uint64_t>(m_nic.m_counts.pathSwitches, telemetry->GetHops());
    }
    if (IsTrimmed(answer.GetSyndrome()))
    {
        sender->NoteLoss(now); // a packet that is trimmed every time never times out
        TellStall(*sender, now);
    }
    const bool maySend = queuePair.MaySend();
    if (sender->place == FlowSender::Place::ARBITER && !maySend)
    {
        m_arbiter.Withdraw(*sender); // answers to first transmissions may arrive after it has gone
                                     // back
    }
    if (queuePair.IsFinished())
    {
        Finish(*sender);
    }
    else if (maySend && sender->place == FlowSender::Place::NOWHERE)
    {
        Admit(*sender, now);
        m_nic.m_device->Kick();
    }
}

void
RoceRequester::ReceiveCnp(const RoceHeader& cnp)
{
    FlowSender* sender = m_senders.Find(cnp.GetDestinationQp());
    if (!sender)
    {
        ++m_nic.m_counts.stale;
        return;
    }
    NS_LOG_DEBUG("flow " << sender->queuePair.GetRecord().flow.id << " takes a CNP");
    ++m_nic.m_counts.cnpsReceived;
    if (sender->control)
    {
        sender->control->NotifyCnp(Simulator::Now());
    }
}

void
RoceRequester::Finish(FlowSender& sender)
{
    FlowRecord record = Close(sender);
    record.acknowledged = Simulator::Now();
    m_nic.m_flowAcknowledged(record);
}

FlowRecord
RoceRequester::Close(FlowSender& sender)
{
    FlowRecord record = sender.queuePair.GetRecord();
    if (sender.place == FlowSender::Place::RATE_LIMITER)
    {
        m_rateLimiter.Remove(sender);
    }
    m_senders.Close(sender.number);
    return record;
}

Time
RoceRequester::GetShortestTimeout() const
{
    return m_nic.m_reliability->GetShortestTimeout(m_nic.m_retransmitTimeout);
}

void
RoceRequester::CheckTimeouts()
{
    const Time now = Simulator::Now();
    Time next = Time::Max();
    m_senders.ForEach([this, now, &next](FlowSender& sender) {
        next = std::min(next, CheckTimeout(sender, now));
    });
    if (next != Time::Max())
    {
        // The timeout of a flow can become shorter when few of its packets remain in flight.
        m_timeoutCheck->Arm(m_nic.m_device->GetNode()->GetId(),
                            std::min(next - now, GetShortestTimeout()));
    }
    m_nic.m_device->Kick();
}

Time
RoceRequester::CheckTimeout(FlowSender& sender, Time now)
{
    const std::optional<Time> due = sender.queuePair.GetDue();
    if (!due)
    {
        return Time::Max();
    }
    if (*due > now)
    {
        return *due;
    }
    NS_LOG_DEBUG("flow " << sender.queuePair.GetRecord().flow.id
                         << " has a timeout and sends again");
    ++m_nic.m_counts.timeouts;
    if (!TakeTimeout(sender, now))
    {
        return Time::Max();
    }
    sender.HandleTimeout(m_nic.GetMaxWindow(), now);
    if (sender.place == FlowSender::Place::NOWHERE)
    {
        Admit(sender, now);
    }
    return Time::Max();
}

void
RoceRequester::TellStall(FlowSender& sender, Time now)
{
    FlowSender::Stall& stall = sender.stall;
    const bool isLong =
        m_nic.m_stallTime.IsStrictlyPositive() && now - *stall.since >= m_nic.m_stallTime;
    if (isLong && !stall.isTold)
    {
        stall.isTold = true;
        m_nic.m_flowStalled(sender.queuePair.GetRecord(), *stall.since, sender.DescribeState());
    }
}

bool
RoceRequester::TakeTimeout(FlowSender& sender, Time now)
{
    sender.NoteTimeout();
    TellStall(sender, now);
    if (m_nic.m_retryLimit == 0 || sender.stall.timeouts <= m_nic.m_retryLimit)
    {
        return true;
    }
    if (sender.place == FlowSender::Place::ARBITER)
    {
        m_arbiter.Withdraw(sender);
    }
    m_nic.m_flowGivenUp(Close(sender));
    return false;
}

} // namespace ns3::lossless
