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
    if (effect.newLost > 0 || effect.isTrimmed)
    {
        TellLosses(sack, effect, now);
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
    signals.inFlight = queuePair.GetUnderWayBytes();
    signals.isMarked = answer.GetBecn();
    signals.isTrimmed = IsTrimmed(answer.GetSyndrome());
    signals.roundTrip = effect.roundTrip;
    signals.telemetry = telemetry;
    control->NotifyAck(signals, now);
}

void
FlowSender::TellLosses(const SackHeader* sack, const AnswerEffect& effect, Time now)
{
    LossSignals loss;
    loss.inFlight = queuePair.GetUnderWayBytes();
    loss.sent = queuePair.GetSentBytes();
    loss.isFirst = effect.isFirstLoss;
    if (effect.newLost > 0)
    {
        loss.bytes = effect.newLost * queuePair.GetFullPayload();
        control->NotifyLoss(loss, now);
        loss.isFirst = false;
    }
    if (effect.isTrimmed)
    {
        loss.bytes = queuePair.GetPayload(sack->trigger);
        control->NotifyTrimmed(loss, now);
    }
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
    const uint64_t lost = queuePair.GetUnderWayBytes();
    queuePair.HandleTimeout();
    if (control)
    {
        control->NotifyLoss({lost, 0, queuePair.GetSentBytes()}, now);
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
    const uint64_t window = control->GetWindow();
    if (trace)
    {
        trace->window.Note(window);
    }
    return maxWindow == 0 || window == 0 ? std::max(maxWindow, window)
                                         : std::min(maxWindow, window);
}

} // namespace ns3::lossless
