// SPDX-License-Identifier: GPL-2.0-only
#include "run-cost.h"

#include "ns3/make-type-id.h"
#include "ns3/record-archive.h"
#include "ns3/simulator.h"

#include <cmath>
#include <ctime>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(RunCost);

const RegisterRecorder<RunCost> g_cost("cost", 3);

TypeId
RunCost::GetTypeId()
{
    static TypeId tid = MakeTypeId<RunCost, Recorder>("RunCost");
    return tid;
}

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

double
RunCost::GetWallSeconds() const
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_created).count();
}

ResultFacts
RunCost::GetFacts() const
{
    const auto inMilliseconds = [](double seconds) { return std::round(seconds * 1e3) / 1e3; };
    return {{"/wall_s", inMilliseconds(GetWallSeconds())},
            {"/cpu_s", inMilliseconds(GetCpuSeconds())},
            {"/events", GetEvents()}};
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
