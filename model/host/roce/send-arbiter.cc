// SPDX-License-Identifier: GPL-2.0-only
#include "send-arbiter.h"

#include "ns3/assert.h"

#include <utility>

namespace ns3::lossless
{

void
SendArbiter::Request(FlowSender& sender)
{
    NS_ASSERT(sender.place == FlowSender::Place::NOWHERE);
    const Priority priority = sender.queuePair.GetPriority();
    sender.place = FlowSender::Place::ARBITER;
    Of(priority).waiting.Push({&sender, m_nextTicket++});
    m_requesting |= SetOf(priority);
}

void
SendArbiter::Withdraw(FlowSender& sender)
{
    NS_ASSERT(sender.place == FlowSender::Place::ARBITER);
    const Priority priority = sender.queuePair.GetPriority();
    sender.place = FlowSender::Place::NOWHERE;
    Remove(Of(priority).waiting, sender);
    Remove(Of(priority).parked, sender);
    UpdateRequesting(priority);
}

FlowSender&
SendArbiter::Grant(PrioritySet eligible)
{
    const Priority priority = FindOldest(eligible);
    Round& waiting = Of(priority).waiting;
    FlowSender& sender = *waiting.Pop().sender;
    Prefetch(waiting);
    sender.place = FlowSender::Place::NOWHERE;
    UpdateRequesting(priority);
    return sender;
}

void
SendArbiter::Prefetch(const Round& waiting)
{
    // Only one step is taken per packet, because a pointer can be followed only after it has been
    // loaded.
    if (waiting.GetSize() > 1)
    {
        PrefetchLines(waiting.Peek(1).sender, sizeof(FlowSender));
        waiting.Peek(0).sender->queuePair.Prefetch();
    }
}

void
SendArbiter::Unpark()
{
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        auto& [waiting, parked] = m_rounds[p];
        if (parked.IsEmpty())
        {
            continue;
        }
        while (!waiting.IsEmpty())
        {
            parked.Push(waiting.Pop());
        }
        std::swap(waiting, parked);
        m_requesting |= SetOf(Priority{p});
    }
}

void
SendArbiter::Clear()
{
    for (auto& [waiting, parked] : m_rounds)
    {
        waiting.Clear();
        parked.Clear();
    }
    m_requesting = 0;
}

void
SendArbiter::ParkStopped(const Permit& permit)
{
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (Contains(m_requesting & permit.classes, Priority{p}))
        {
            ParkFront(Priority{p}, permit);
        }
    }
}

void
SendArbiter::ParkFront(Priority priority, const Permit& permit)
{
    auto& [waiting, parked] = Of(priority);
    while (!waiting.IsEmpty() && !permit.Allows(waiting.Front().sender->queuePair.DescribeNext()))
    {
        parked.Push(waiting.Pop());
    }
    UpdateRequesting(priority);
}

Priority
SendArbiter::FindOldest(PrioritySet eligible) const
{
    NS_ASSERT(eligible != 0);
    uint64_t oldest = UINT64_MAX;
    Priority found{0};
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (Contains(eligible, Priority{p}) && m_rounds[p].waiting.Front().ticket < oldest)
        {
            oldest = m_rounds[p].waiting.Front().ticket;
            found = Priority{p};
        }
    }
    return found;
}

void
SendArbiter::UpdateRequesting(Priority priority)
{
    if (Of(priority).waiting.IsEmpty())
    {
        m_requesting &= ~SetOf(priority);
    }
}

void
SendArbiter::Remove(Round& round, const FlowSender& sender)
{
    for (std::size_t left = round.GetSize(); left > 0; --left)
    {
        const Turn turn = round.Pop();
        if (turn.sender != &sender)
        {
            round.Push(turn);
        }
    }
}

} // namespace ns3::lossless
