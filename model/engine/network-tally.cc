// SPDX-License-Identifier: GPL-2.0-only
#include "network-tally.h"

#include "wheel-simulator-impl.h"

#include <algorithm>
#include <utility>

namespace ns3::lossless
{

namespace
{

/// @return all tallies, in order of construction, which is the same on all ranks
std::vector<NetworkTally*>&
GetTallies()
{
    static std::vector<NetworkTally*> tallies;
    return tallies;
}

} // namespace

bool NetworkTally::g_isAnyNoted = false;

void
NetworkTally::Counts::Add(const Counts& other)
{
    count += other.count;
    earliest = std::min(earliest, other.earliest);
    latest = std::max(latest, other.latest);
}

NetworkTally::NetworkTally(Hear hear)
    : m_hear(std::move(hear))
{
    GetTallies().push_back(this);
}

NetworkTally::~NetworkTally()
{
    std::vector<NetworkTally*>& tallies = GetTallies();
    tallies.erase(std::find(tallies.begin(), tallies.end(), this));
}

void
NetworkTally::Note(Time time)
{
    const auto tick = static_cast<uint64_t>(time.GetTimeStep());
    m_counts.Add({1, tick, tick});
    if (WheelSimulatorImpl::Peek())
    {
        g_isAnyNoted = true;
    }
    else
    {
        m_hear(std::exchange(m_counts, {}));
    }
}

std::vector<NetworkTally::Counts>
NetworkTally::TakeAll()
{
    std::vector<Counts> all;
    for (NetworkTally* tally : GetTallies())
    {
        all.push_back(std::exchange(tally->m_counts, {}));
    }
    g_isAnyNoted = false;
    return all;
}

void
NetworkTally::TellAll(const std::vector<Counts>& all)
{
    // A copy is used because an owner can create or destroy tallies.
    const std::vector<NetworkTally*> tallies = GetTallies();
    for (std::size_t i = 0; i < tallies.size(); ++i)
    {
        const std::vector<NetworkTally*>& left = GetTallies();
        if (all[i].count > 0 && std::find(left.begin(), left.end(), tallies[i]) != left.end())
        {
            tallies[i]->m_hear(all[i]);
        }
    }
}

} // namespace ns3::lossless
