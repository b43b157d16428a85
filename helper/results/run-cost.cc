// SPDX-License-Identifier: GPL-2.0-only
#include "run-cost.h"

#include "ns3/record-archive.h"
#include "ns3/simulator.h"

#include <ctime>

namespace ns3::lossless
{

uint64_t
RunCost::GetEvents() const
{
    return Simulator::GetEventCount() + m_foreignEvents;
}

double
RunCost::GetCpuSeconds() const
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC + m_foreignCpuSeconds;
}

void
RunCost::Save(std::ostream& os) const
{
    SaveParts(os, GetEvents(), GetCpuSeconds());
}

void
RunCost::Merge(std::istream& is, uint32_t /* rank */)
{
    uint64_t events = 0;
    double cpuSeconds = 0;
    LoadParts(is, events, cpuSeconds);
    m_foreignEvents += events;
    m_foreignCpuSeconds += cpuSeconds;
}

} // namespace ns3::lossless
