// SPDX-License-Identifier: GPL-2.0-only
#include "switch-watch.h"

#include "deadlock-switch.h"

#include "ns3/flow-control.h"
#include "ns3/lossless-net-device.h"
#include "ns3/packet-processor.h"
#include "ns3/pointer.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>
#include <utility>

namespace ns3::lossless
{

void
SwitchWatch::GateWatch::Connect(SwitchWatch* owner, PortId port, Ptr<TransmitGate> gate)
{
    m_owner = owner;
    m_port = port;
    m_gate = gate;
    m_gate->TraceConnectWithoutContext("Closed", MakeCallback(&GateWatch::NotifyClosed, this));
    m_gate->TraceConnectWithoutContext("Opened", MakeCallback(&GateWatch::NotifyOpened, this));
    m_gate->TraceConnectWithoutContext("Paused", MakeCallback(&GateWatch::NotifyPaused, this));
    const auto closed = static_cast<PrioritySet>(~m_gate->GetOpen());
    if (closed != 0)
    {
        NotifyClosed(closed);
    }
}

void
SwitchWatch::GateWatch::Disconnect()
{
    if (m_gate)
    {
        m_gate->TraceDisconnectWithoutContext("Closed",
                                              MakeCallback(&GateWatch::NotifyClosed, this));
        m_gate->TraceDisconnectWithoutContext("Opened",
                                              MakeCallback(&GateWatch::NotifyOpened, this));
        m_gate->TraceDisconnectWithoutContext("Paused",
                                              MakeCallback(&GateWatch::NotifyPaused, this));
    }
}

void
SwitchWatch::GateWatch::NotifyClosed(PrioritySet closed)
{
    const Ticks now = NowInTicks();
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        m_closedSince[p] = Contains(closed, Priority{p}) ? now : m_closedSince[p];
    }
    m_closed |= closed;
    m_fresh |= closed;
    m_owner->m_request();
}

void
SwitchWatch::GateWatch::NotifyOpened(PrioritySet opened)
{
    const Ticks now = NowInTicks();
    const auto first = static_cast<PrioritySet>(opened & ~m_opened);
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        m_openedAt[p] = Contains(first, Priority{p}) ? now : m_openedAt[p];
    }
    m_closed &= ~opened;
    m_opened |= opened;
    if ((first & m_owner->m_view.GetReported(m_port)) != 0)
    {
        m_owner->m_request(); // the other members may be in another deadlock
    }
}

void
SwitchWatch::GateWatch::NotifyPaused(PrioritySet classes, Time /* length */)
{
    if ((classes & ~m_closed) != 0)
    {
        m_owner->m_request();
    }
}

void
SwitchWatch::GateWatch::TakeFacts(PortFacts& facts) const
{
    facts.closed = m_closed;
    facts.fresh = m_fresh;
    facts.opened = m_opened;
    facts.closedSince = m_closedSince;
    facts.openedAt = m_openedAt;
}

void
SwitchWatch::GateWatch::NoteLook()
{
    m_fresh = 0;
    m_opened = 0;
}

SwitchWatch::SwitchWatch(DeadlockSwitch& view, Ptr<SwitchNode> node, std::function<void()> request)
    : m_view(view),
      m_node(node),
      m_request(std::move(request))
{
    m_node->Initialize();
    PointerValue ledger;
    m_node->GetAttribute("SharedBuffer", ledger);
    m_ledger = ledger.Get<SharedBuffer>();
    m_flowControl = m_node->GetFlowControl();
    m_processor = m_node->GetProcessor();
    m_gates.resize(m_node->GetNDevices());
}

SwitchWatch::~SwitchWatch()
{
    for (GateWatch& gate : m_gates)
    {
        gate.Disconnect();
    }
}

void
SwitchWatch::ConnectGates()
{
    for (uint16_t i = 0; i < m_gates.size(); ++i)
    {
        if (!m_gates[i].IsConnected() && m_view.GetNext(PortId{i}))
        {
            m_gates[i].Connect(this, PortId{i}, m_node->GetPortDevice(PortId{i})->GetGate());
        }
    }
}

void
SwitchWatch::TakeFacts(Ticks settled, SwitchFacts& facts) const
{
    for (uint16_t i = 0; i < m_gates.size(); ++i)
    {
        m_gates[i].TakeFacts(facts.ports[i]);
        TakeQueues(PortId{i}, facts.ports[i]);
    }
    TakeFlows(facts.ports);
    if (StopsFlows())
    {
        TakeOldest(facts.ports);
    }
    TakeProcessor(facts.processor);
    facts.maySend = MaySend(facts);
    facts.pairs = MayBeFed(settled, facts.ports) ? FindPairs(facts) : std::vector<bool>();
}

void
SwitchWatch::TakeQueues(PortId port, PortFacts& facts) const
{
    facts.isPaused = m_flowControl->IsHoldingPort(port);
    facts.filled = 0;
    facts.held = 0;
    uint64_t all = 0;
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        const QueueId queue{port, Priority{p}};
        const PrioritySet one = SetOf(Priority{p});
        facts.filled |= m_ledger->GetEgress(queue).frames > 0 ? one : 0;
        facts.held |= m_flowControl->IsHolding(queue) ? one : 0;
        facts.awaited[p] = m_ledger->GetIngress(queue).GetTotal();
        all += facts.awaited[p];
    }
    if (facts.isPaused)
    {
        facts.awaited.fill(all);
    }
}

void
SwitchWatch::TakeFlows(std::vector<PortFacts>& facts) const
{
    // If a frame has left, fewer of the frames that were waiting at the last search remain,
    // regardless of later arrivals.
    const std::vector<uint32_t> left =
        IsSelective() && !m_waiting.empty() ? CountOlder(m_lookedAt) : m_waiting;
    for (uint16_t i = 0; i < m_gates.size(); ++i)
    {
        PortFacts& port = facts[i];
        port.blocked = 0;
        port.moved = m_gates[i].IsSelective() ? 0 : ALL_PRIORITIES;
        for (uint8_t p = 0; p < NUM_PRIORITIES && m_gates[i].IsSelective(); ++p)
        {
            const QueueId queue{PortId{i}, Priority{p}};
            const PrioritySet one = SetOf(Priority{p});
            const bool isBlocked = !Contains(port.closed, Priority{p}) &&
                                   m_node->GetState(queue) == EgressState::BLOCKED;
            port.blocked |= isBlocked ? one : 0;
            port.moved |= !left.empty() && left[Index(queue)] != m_waiting[Index(queue)] ? one : 0;
        }
    }
}

void
SwitchWatch::TakeOldest(std::vector<PortFacts>& facts) const
{
    std::vector<const SwitchItem*> oldest(m_gates.size() * NUM_PRIORITIES);
    // If several frames arrived at the same time, the first one in the queue counts.
    m_node->ForEachQueued([&oldest](const SwitchItem& item) {
        const SwitchItem*& first = oldest[Index(item.GetEgressQueue())];
        first = !first || item.frame.arrival < first->frame.arrival ? &item : first;
    });
    const auto describe = [this](const SwitchItem* item) {
        return item ? WaitingFrame{item->frame.arrival, m_flowControl->GetFlowOf(item->frame)}
                    : WaitingFrame();
    };
    for (uint16_t i = 0; i < m_gates.size(); ++i)
    {
        facts[i].stopsFlows = m_gates[i].StopsFlows();
        for (uint8_t p = 0; p < NUM_PRIORITIES && facts[i].stopsFlows; ++p)
        {
            facts[i].oldest[p] = describe(oldest[Index(QueueId{PortId{i}, Priority{p}})]);
        }
    }
}

void
SwitchWatch::TakeProcessor(ProcessorFacts& facts) const
{
    if (!m_processor)
    {
        return;
    }
    facts.holds.assign(m_gates.size(), false);
    m_processor->ForEach(
        [&facts](const SwitchItem& item) { facts.holds[Index(item.ingress)] = true; });
    const SwitchItem* item = m_processor->GetStopped();
    const bool isEmpty =
        std::none_of(facts.holds.begin(), facts.holds.end(), [](bool holds) { return holds; });
    facts.isStopped = item != nullptr;
    facts.isWorking = !item && !isEmpty;
    if (item)
    {
        facts.ingress = item->ingress;
        facts.arrival = item->frame.arrival;
        facts.egress = item->GetEgressQueue().port;
        facts.priority = item->GetEgressQueue().priority;
    }
}

bool
SwitchWatch::MaySend(const SwitchFacts& facts) const
{
    for (uint16_t i = 0; i < facts.ports.size(); ++i)
    {
        for (PrioritySet rest = facts.ports[i].filled; rest != 0; rest &= rest - 1)
        {
            const Priority priority{static_cast<uint8_t>(__builtin_ctz(rest))};
            if (m_node->GetState({PortId{i}, priority}) != EgressState::BLOCKED)
            {
                return true;
            }
        }
    }
    return facts.processor.isWorking;
}

bool
SwitchWatch::MayBeFed(Ticks settled, const std::vector<PortFacts>& facts)
{
    const auto isStopped = [settled](const PortFacts& port) {
        PrioritySet classes = port.blocked;
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            classes |= port.closedSince[p] <= settled ? port.closed & SetOf(Priority{p}) : 0;
        }
        return (classes & port.filled) != 0;
    };
    const auto isHolding = [](const PortFacts& port) { return port.held != 0; };
    return std::any_of(facts.begin(), facts.end(), isHolding) &&
           std::any_of(facts.begin(), facts.end(), isStopped);
}

std::vector<bool>
SwitchWatch::FindPairs(const SwitchFacts& facts) const
{
    std::vector<bool> pairs(facts.ports.size() * facts.ports.size() * NUM_PRIORITIES);
    m_node->ForEachQueued([&facts, &pairs](const SwitchItem& item) {
        pairs[facts.GetPair(item.ingress, item.GetEgressQueue())] = true;
    });
    return pairs;
}

void
SwitchWatch::NoteLook()
{
    for (GateWatch& gate : m_gates)
    {
        gate.NoteLook();
    }
    m_lookedAt = NowInTicks();
    m_waiting = IsSelective() ? CountOlder(m_lookedAt) : std::vector<uint32_t>();
}

std::vector<uint32_t>
SwitchWatch::CountOlder(Ticks limit) const
{
    std::vector<uint32_t> frames(m_gates.size() * NUM_PRIORITIES);
    m_node->ForEachQueued([&frames, limit](const SwitchItem& item) {
        frames[Index(item.GetEgressQueue())] += item.frame.arrival < limit ? 1 : 0;
    });
    return frames;
}

bool
SwitchWatch::IsSelective() const
{
    return std::any_of(m_gates.begin(), m_gates.end(), [](const GateWatch& gate) {
        return gate.IsSelective();
    });
}

bool
SwitchWatch::StopsFlows() const
{
    return std::any_of(m_gates.begin(), m_gates.end(), [](const GateWatch& gate) {
        return gate.StopsFlows();
    });
}

Ptr<SharedBuffer>
SwitchWatch::MakeRest(const std::vector<bool>& stays) const
{
    auto rest = CreateObject<SharedBuffer>();
    rest->Resize(m_gates.size());
    if (m_ledger->IsTwoSided())
    {
        return rest; // the ingress side does not count frames in egress queues
    }
    std::vector<uint32_t> bytes(stays.size());
    m_node->ForEachQueued([&stays, &bytes](const SwitchItem& item) {
        bytes[Index(item.GetIngressQueue())] +=
            stays[Index(item.GetEgressQueue())] ? item.bufferBytes : 0;
    });
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
        SwitchItem item;
        item.ingress = PortId{static_cast<uint16_t>(i / NUM_PRIORITIES)};
        item.frame.priority = Priority{static_cast<uint8_t>(i % NUM_PRIORITIES)};
        item.bufferBytes = bytes[i];
        // Departing frames release headroom first, then shared buffer, and then private buffer.
        const SharedBuffer::IngressQueue& now = m_ledger->GetIngress(item.GetIngressQueue());
        SegmentBytes segments;
        segments.reserved = static_cast<uint32_t>(std::min<uint64_t>(bytes[i], now.reserved));
        segments.shared =
            static_cast<uint32_t>(std::min<uint64_t>(bytes[i] - segments.reserved, now.shared));
        segments.headroom = bytes[i] - segments.reserved - segments.shared;
        rest->Arrive(item, segments);
    }
    return rest;
}

bool
SwitchWatch::StaysStopped(const SharedBuffer& rest, QueueId queue) const
{
    return m_flowControl->StaysStopped(rest, queue);
}

} // namespace ns3::lossless
