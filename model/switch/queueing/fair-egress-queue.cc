// SPDX-License-Identifier: GPL-2.0-only
#include "fair-egress-queue.h"

#include "ns3/make-type-id.h"
#include "ns3/part-registry.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(FairEgressQueue);

const RegisterPart<FairEgressQueue, EgressQueueInfo> g_fairQueue("Fair", 20);

TypeId
FairEgressQueue::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<FairEgressQueue, EgressQueue>("FairEgressQueue")
            .AddAttribute("Quantum",
                          "Bytes that each ingress port may send per round (default 1600, as for "
                          "DwrrScheduler); values below the largest frame cost processor time.",
                          UintegerValue(1600),
                          MakeUintegerAccessor(&FairEgressQueue::m_quantum),
                          MakeUintegerChecker<uint32_t>(64, 1 << 30));
    return tid;
}

void
FairEgressQueue::Enqueue(SwitchItem&& item)
{
    const PortId ingress = item.ingress;
    Append(Index(ingress), std::move(item));
}

void
FairEgressQueue::Append(std::size_t port, SwitchItem&& item)
{
    if (port >= m_ingress.size())
    {
        m_ingress.resize(port + 1);
    }
    Ingress& ingress = m_ingress[port];
    const bool isNew = ingress.items.IsEmpty();
    ingress.items.Push(std::move(item));
    if (isNew)
    {
        const bool isAlone = IsEmpty();
        Link(port);
        if (isAlone)
        {
            Take(FindTurn(nullptr));
        }
    }
}

const SwitchItem*
FairEgressQueue::PeekAt(std::size_t port) const
{
    return port < m_ingress.size() && !m_ingress[port].items.IsEmpty()
               ? &m_ingress[port].items.Front()
               : nullptr;
}

const SwitchItem*
FairEgressQueue::Peek()
{
    const std::size_t port = m_chosen.port == NONE ? m_turn : m_chosen.port;
    return port == NONE ? nullptr : &m_ingress[port].items.Front();
}

bool
FairEgressQueue::Prepare(const Permit& permit)
{
    m_chosen = Turn();
    if (IsEmpty())
    {
        return false;
    }
    if (permit.Allows(m_ingress[m_turn].items.Front().frame))
    {
        return true;
    }
    m_chosen = FindTurn(&permit);
    return m_chosen.port != NONE;
}

SwitchItem
FairEgressQueue::Dequeue()
{
    if (m_chosen.port != NONE)
    {
        Take(std::exchange(m_chosen, Turn()));
    }
    const std::size_t port = m_turn;
    Ingress& ingress = m_ingress[port];
    SwitchItem item = ingress.items.Pop();
    ingress.credit -= item.frame.size;
    if (ingress.items.IsEmpty())
    {
        ingress.credit = 0;
        Unlink(port);
    }
    else if (ingress.credit >= ingress.items.Front().frame.size)
    {
        return item;
    }
    if (!IsEmpty())
    {
        Take(FindTurn(nullptr));
    }
    return item;
}

void
FairEgressQueue::Link(std::size_t port)
{
    Ingress& ingress = m_ingress[port];
    if (IsEmpty())
    {
        m_turn = port;
        ingress.previous = port;
    }
    ingress.next = m_turn;
    ingress.previous = std::exchange(m_ingress[m_turn].previous, port);
    m_ingress[ingress.previous].next = port;
    ingress.mayLeave = false;
}

void
FairEgressQueue::Unlink(std::size_t port)
{
    const Ingress& ingress = m_ingress[port];
    m_ingress[ingress.next].previous = ingress.previous;
    m_ingress[ingress.previous].next = ingress.next;
    m_turn = ingress.previous == port ? NONE : ingress.previous;
}

FairEgressQueue::Turn
FairEgressQueue::FindTurn(const Permit* permit)
{
    Turn best;
    std::size_t port = m_turn;
    do
    {
        port = m_ingress[port].next;
        Ingress& ingress = m_ingress[port];
        const Frame& frame = ingress.items.Front().frame;
        ingress.mayLeave = !permit || permit->Allows(frame);
        if (ingress.mayLeave)
        {
            const uint64_t missing = frame.size - std::min<uint64_t>(frame.size, ingress.credit);
            const uint64_t rounds = std::max<uint64_t>(1, (missing + m_quantum - 1) / m_quantum);
            if (best.port == NONE || rounds < best.rounds)
            {
                best = {port, rounds};
            }
        }
    } while (port != m_turn && best.rounds != 1);
    return best;
}

void
FairEgressQueue::Take(const Turn& turn)
{
    uint64_t rounds = turn.rounds;
    std::size_t port = m_turn;
    do
    {
        port = m_ingress[port].next;
        Ingress& ingress = m_ingress[port];
        if (ingress.mayLeave && ingress.credit < ingress.items.Front().frame.size)
        {
            ingress.credit += rounds * m_quantum;
        }
        rounds -= port == turn.port ? 1 : 0; // ports after this one have had one round fewer
    } while (port != m_turn && rounds > 0);
    m_turn = turn.port;
}

bool
FairEgressQueue::IsEmpty() const
{
    return m_turn == NONE;
}

void
FairEgressQueue::ForEach(const ItemVisitor& visitor) const
{
    for (const Ingress& ingress : m_ingress)
    {
        ingress.items.ForEach(visitor);
    }
}

std::vector<SwitchItem>
FairEgressQueue::TakeAll()
{
    std::vector<SwitchItem> all;
    for (Ingress& ingress : m_ingress)
    {
        while (!ingress.items.IsEmpty())
        {
            all.push_back(ingress.items.Pop());
        }
    }
    m_ingress.clear();
    m_turn = NONE;
    m_chosen = Turn();
    return all;
}

} // namespace ns3::lossless
