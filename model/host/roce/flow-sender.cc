// SPDX-License-Identifier: GPL-2.0-only
#include "flow-sender.h"

#include <algorithm>
#include <sstream>

namespace ns3::lossless
{

void
FlowSender::HandleAnswer(const RoceHeader& answer,
                         const TelemetryHeader* telemetry,
                         const SackHeader* sack,
                         uint64_t maxWindow,
                         Time now)
{
    if (!control)
    {
        queuePair.HandleAnswer(answer, sack, now);
        return;
    }
    const uint64_t before = queuePair.GetAcknowledgedBytes();
    const AnswerEffect effect = queuePair.HandleAnswer(answer, sack, now);
    TellAnswer(answer, telemetry, effect, before, now);
    if (IsTrimmed(answer.GetSyndrome()) && effect.newLost > 0)
    {
        const uint32_t bytes = queuePair.GetFullPayload();
        control->NotifyTrimmed({bytes, queuePair.GetInFlightBytes() + bytes}, now);
    }
    else if (effect.isLoss)
    {
        control->NotifyLoss(now);
    }
    queuePair.SetWindow(GetWindow(maxWindow));
}

void
FlowSender::TellAnswer(const RoceHeader& answer,
                       const TelemetryHeader* telemetry,
                       const AnswerEffect& effect,
                       uint64_t before,
                       Time now)
{
    AckSignals signals;
    signals.acknowledged = queuePair.GetAcknowledgedBytes();
    signals.newBytes = signals.acknowledged - before;
    signals.sent = queuePair.GetSentBytes();
    signals.inFlight = queuePair.GetInFlightBytes();
    signals.isMarked = answer.GetBecn();
    signals.roundTrip = effect.roundTrip;
    signals.telemetry = telemetry;
    control->NotifyAck(signals, now);
}

void
FlowSender::TellPaths(const RoceHeader& answer, const SackHeader* sack, Time now)
{
    const AethSyndrome syndrome = answer.GetSyndrome();
    if (sack && IsTrimmed(syndrome))
    {
        const bool isLastHop = syndrome == AethSyndrome::NAK_TRIMMED_LAST_HOP;
        paths->NotifyTrimmed(answer.GetSourcePort(),
                             sack->trigger,
                             isLastHop,
                             answer.GetBecn(),
                             now);
    }
    else
    {
        paths->NotifyAck(answer.GetSourcePort(), answer.GetBecn(), now);
    }
}

void
FlowSender::HandleTimeout(uint64_t maxWindow, Time now)
{
    queuePair.HandleTimeout(now);
    if (control)
    {
        control->NotifyLoss(now);
        queuePair.SetWindow(GetWindow(maxWindow));
    }
}

void
FlowSender::NoteLoss(Time since)
{
    const uint64_t arrived = queuePair.GetReliability().GetArrived();
    if (!stall.since || arrived != stall.arrived)
    {
        stall = {0, false, arrived, since};
    }
}

void
FlowSender::NoteTimeout()
{
    NoteLoss(queuePair.GetReliability().GetWaitingSince());
    ++stall.timeouts;
}

std::string
FlowSender::DescribeState() const
{
    const SendReliability& end = queuePair.GetReliability();
    std::ostringstream text;
    text << end.GetArrived() << " of " << end.GetTotal() << " packets have arrived, "
         << end.GetHighest() << " were sent, " << stall.timeouts
         << (stall.timeouts == 1 ? " timeout" : " timeouts in a row") << "; it waits for ";
    switch (place)
    {
    case Place::ARBITER:
        text << "its turn, or for its class to be let go";
        break;
    case Place::RATE_LIMITER:
        text << "its rate";
        break;
    default:
        text << "an answer";
        break;
    }
    return text.str();
}

void
FlowSender::HandlePause(const PauseNotice& notice, uint64_t maxWindow, Time now)
{
    control->NotifyPaused(notice, now);
    queuePair.SetWindow(GetWindow(maxWindow));
}

uint64_t
FlowSender::GetWindow(uint64_t maxWindow) const
{
    const uint64_t window = control ? control->GetWindow() : 0;
    return maxWindow == 0 || window == 0 ? std::max(maxWindow, window)
                                         : std::min(maxWindow, window);
}

} // namespace ns3::lossless
