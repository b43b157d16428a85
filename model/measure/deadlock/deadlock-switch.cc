// SPDX-License-Identifier: GPL-2.0-only
#include "deadlock-switch.h"

#include "ns3/lossless-channel.h"
#include "ns3/lossless-net-device.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/ranks.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>

namespace ns3::lossless
{

namespace
{

/// @param device a device with a cable
/// @return the time from the departure of the first bit of the device's longest frame until the
/// frame has arrived at the other end, including the gap
Ticks
GetFlight(const LosslessNetDevice& device)
{
    const auto channel = DynamicCast<LosslessChannel>(device.GetChannel());
    const uint32_t longest = device.GetMtu() + ETHERNET_BYTES;
    return (Seconds(device.GetSlotSeconds(longest)) + channel->GetLongestDelay()).GetTimeStep();
}

} // namespace

DeadlockSwitch::DeadlockSwitch(const std::string& name, Ptr<SwitchNode> node)
    : m_rank(Ranks::GetRankOf(*node)),
      m_name(name),
      m_node(node)
{
}

bool
DeadlockSwitch::IsGuarded() const
{
    const auto watchdog = m_node->GetObject<PfcWatchdog>();
    return watchdog && watchdog->IsFreeing();
}

void
DeadlockSwitch::Connect(const std::map<const Node*, DeadlockSwitch*>& switches,
                        const std::function<void()>& request)
{
    if (!m_watch && Ranks::IsOwn(*m_node))
    {
        m_watch = std::make_unique<SwitchWatch>(*this, m_node, request);
    }
    m_ports.resize(m_node->GetNDevices());
    m_facts.ports.resize(m_ports.size());
    for (uint16_t i = 0; i < m_ports.size(); ++i)
    {
        Ptr<LosslessNetDevice> device = m_node->GetPortDevice(PortId{i});
        const auto next = switches.find(PeekPointer(device->GetPeer()->GetNode()));
        if (next != switches.end())
        {
            m_ports[i].next = next->second;
            m_ports[i].nextPort = PortId{static_cast<uint16_t>(device->GetPeer()->GetIfIndex())};
            m_ports[i].flight = GetFlight(*device);
        }
    }
    if (m_watch)
    {
        m_watch->ConnectGates();
    }
}

void
DeadlockSwitch::TakeFacts(Ticks settled)
{
    if (m_watch)
    {
        m_watch->TakeFacts(settled, m_facts);
    }
}

void
DeadlockSwitch::Look(const NoteMoved& noteMoved)
{
    for (std::size_t i = 0; i < m_ports.size(); ++i)
    {
        if (m_ports[i].next)
        {
            LookAt(m_ports[i], m_facts.ports[i], noteMoved);
        }
    }
    LookAtProcessor();
}

void
DeadlockSwitch::LookAt(Port& port, const PortFacts& facts, const NoteMoved& noteMoved) const
{
    const Ticks now = NowInTicks();
    const PortFacts& next = port.next->m_facts.ports[Index(port.nextPort)];
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        const Priority priority{p};
        if (Contains(port.reported & ~port.locked & facts.opened, priority))
        {
            noteMoved(port.report[p], facts.openedAt[p]);
        }
        if (Contains(facts.blocked & (~port.blocked | facts.moved), priority))
        {
            port.blockedSince[p] = now;
        }
        if (Contains(facts.closed | facts.blocked, priority))
        {
            const bool isSame =
                next.awaited[p] == port.awaited[p] && !Contains(facts.fresh, priority);
            port.sameSince[p] = isSame ? port.sameSince[p] : now;
            port.awaited[p] = next.awaited[p];
        }
    }
    port.ForgetReports(port.FindFreed(facts));
    port.blocked = facts.blocked;
}

PrioritySet
DeadlockSwitch::Port::FindFreed(const PortFacts& facts) const
{
    PrioritySet freed = facts.opened | (blocked & facts.moved) | ~(facts.closed | facts.blocked);
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        // If a flow is locked, other flows of the class do not matter.
        const PrioritySet one = SetOf(Priority{p}) & locked;
        freed = facts.oldest[p] == first[p] ? freed & ~one : freed | one;
    }
    return freed;
}

void
DeadlockSwitch::LookAtProcessor()
{
    const ProcessorFacts& facts = m_facts.processor;
    const auto stopped = facts.isStopped
                             ? std::make_optional(std::make_pair(facts.ingress, facts.arrival))
                             : std::nullopt;
    if (!stopped || stopped != m_stopped)
    {
        m_stoppedSince = NowInTicks();
        m_processorReport = 0;
    }
    m_stopped = stopped;
}

void
DeadlockSwitch::EndLook()
{
    if (m_watch)
    {
        m_watch->NoteLook();
    }
    // The next search must detect only changes that occur from now on.
    for (PortFacts& port : m_facts.ports)
    {
        port.fresh = 0;
        port.opened = 0;
    }
}

bool
DeadlockSwitch::IsHeld(QueueId queue) const
{
    const Port& port = m_ports[Index(queue.port)];
    return Contains(port.next->m_facts.ports[Index(port.nextPort)].held, queue.priority);
}

DeadlockSwitch::Part
DeadlockSwitch::GetAwaited() const
{
    const ProcessorFacts& facts = m_facts.processor;
    return facts.isStopped ? Part(QueueId{facts.egress, facts.priority}) : std::nullopt;
}

std::size_t
DeadlockSwitch::CountHolders() const
{
    std::size_t holders = m_facts.processor.isStopped || m_facts.processor.isWorking ? 1 : 0;
    for (const PortFacts& port : m_facts.ports)
    {
        holders += static_cast<std::size_t>(__builtin_popcount(port.filled));
    }
    return holders;
}

Ticks
DeadlockSwitch::GetStoppedSince(const Part& part) const
{
    if (!part)
    {
        return m_stoppedSince;
    }
    const PortFacts& facts = m_facts.ports[Index(part->port)];
    const std::size_t p = Index(part->priority);
    return Contains(facts.closed, part->priority) ? facts.closedSince[p]
                                                  : m_ports[Index(part->port)].blockedSince[p];
}

Ticks
DeadlockSwitch::GetStalledSince(const Part& part) const
{
    const Ticks stopped = GetStoppedSince(part);
    return part ? std::max(stopped, m_ports[Index(part->port)].sameSince[Index(part->priority)])
                : stopped;
}

bool
DeadlockSwitch::MayChange(Ticks now, Ticks confirm) const
{
    for (uint16_t i = 0; i < m_ports.size(); ++i)
    {
        if (m_ports[i].next && MayChange(PortId{i}, now, confirm))
        {
            return true;
        }
    }
    return false;
}

bool
DeadlockSwitch::MayChange(PortId id, Ticks now, Ticks confirm) const
{
    const Port& port = m_ports[Index(id)];
    const Ticks settled = now - std::max(confirm, port.flight);
    const auto rest = static_cast<PrioritySet>(GetStopped(id) & ~port.final);
    const bool hasJustStopped = port.next->m_stopped && port.next->m_stoppedSince > settled;
    if (rest != 0 && (port.next->m_facts.maySend || hasJustStopped))
    {
        return true;
    }
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (Contains(rest, Priority{p}) && GetStalledSince(QueueId{id, Priority{p}}) > settled)
        {
            return true;
        }
    }
    return false;
}

std::optional<uint64_t>
DeadlockSwitch::GetStoppedFlow(const Part& part) const
{
    if (!part)
    {
        return std::nullopt;
    }
    const PortFacts& facts = m_facts.ports[Index(part->port)];
    return facts.stopsFlows && !Contains(facts.closed, part->priority)
               ? std::optional(facts.oldest[Index(part->priority)].flow)
               : std::nullopt;
}

std::size_t
DeadlockSwitch::GetReport(const Part& part) const
{
    if (!part)
    {
        return m_processorReport;
    }
    const Port& port = m_ports[Index(part->port)];
    return Contains(port.reported, part->priority) ? port.report[Index(part->priority)] : 0;
}

void
DeadlockSwitch::SetReport(const Part& part, std::size_t report)
{
    if (part)
    {
        Port& port = m_ports[Index(part->port)];
        port.reported |= SetOf(part->priority);
        port.locked |= GetStoppedFlow(part) ? SetOf(part->priority) : 0;
        port.first[Index(part->priority)] =
            m_facts.ports[Index(part->port)].oldest[Index(part->priority)];
        port.report[Index(part->priority)] = report;
    }
    else
    {
        m_processorReport = report;
    }
}

void
DeadlockSwitch::SetFinal(const Part& part)
{
    if (part)
    {
        m_ports[Index(part->port)].final |= SetOf(part->priority);
    }
}

void
DeadlockSwitch::ForgetReport(std::size_t report)
{
    for (Port& port : m_ports)
    {
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            port.ForgetReports(port.report[p] == report ? SetOf(Priority{p}) : 0);
        }
    }
    m_processorReport = m_processorReport == report ? 0 : m_processorReport;
}

} // namespace ns3::lossless
