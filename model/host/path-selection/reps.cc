// SPDX-License-Identifier: GPL-2.0-only
#include "reps.h"

#include "path-selection-info.h"

#include "ns3/make-type-id.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(RepsPath);

const RegisterPathSelection<RepsPath> g_repsPath("REPS", 50, [](PathSelectionInfo& part) {
    part.what = "paths that have worked are used again (Bonato et al.)";
});

TypeId
RepsPath::GetTypeId()
{
    static TypeId tid = MakeTypeId<RepsPath, PathSelection>("RepsPath")
                            .AddAttribute("FreezeTime",
                                          "Time after a loss during which only entropy values that "
                                          "have worked are used (default 10 ms: uet-htsim).",
                                          TimeValue(MilliSeconds(10)),
                                          MakeTimeAccessor(&RepsPath::m_freezeTime),
                                          MakeTimeChecker(Time(0)));
    return tid;
}

void
RepsPath::DoStart()
{
    Clear();
    m_exploring = 0;
    m_isFrozen = false;
}

void
RepsPath::Clear()
{
    m_entries.fill(Entry());
    m_oldest = 0;
    m_turn = 0;
}

uint32_t
RepsPath::DoChoose(Time now)
{
    Thaw(now);
    Entry* entry = nullptr;
    if (m_exploring > 0)
    {
        --m_exploring;
    }
    else
    {
        entry = m_isFrozen ? FindFrozen() : FindFresh();
    }
    if (!entry)
    {
        return Draw(GetEntropyValues());
    }
    entry->isFresh = false;
    return entry->value;
}

RepsPath::Entry*
RepsPath::FindFresh()
{
    for (uint32_t i = 0; i < CACHED; ++i)
    {
        Entry& entry = m_entries[(m_oldest + i) % CACHED];
        if (entry.isFresh)
        {
            return &entry;
        }
    }
    return nullptr;
}

RepsPath::Entry*
RepsPath::FindFrozen()
{
    for (uint32_t i = 0; i < CACHED; ++i)
    {
        Entry& entry = m_entries[m_turn];
        m_turn = (m_turn + 1) % CACHED;
        if (entry.isKept)
        {
            return &entry;
        }
    }
    return nullptr;
}

void
RepsPath::DoNotify(uint32_t value, PathOutcome outcome, Time now)
{
    Thaw(now);
    if (outcome == PathOutcome::ARRIVED)
    {
        m_entries[m_oldest] = {value, true, true};
        m_oldest = (m_oldest + 1) % CACHED;
    }
    else if (outcome == PathOutcome::LOST && !m_isFrozen && m_exploring == 0)
    {
        m_isFrozen = true;
        m_frozenUntil = now + m_freezeTime;
    }
}

void
RepsPath::Thaw(Time now)
{
    if (m_isFrozen && now > m_frozenUntil)
    {
        m_isFrozen = false;
        m_exploring = EXPLORED;
        Clear();
    }
}

} // namespace ns3::lossless
