// SPDX-License-Identifier: GPL-2.0-only
#include "spraying.h"

#include "path-selection-info.h"

#include "ns3/make-type-id.h"

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(RandomPath, PathSelection);
LOSSLESS_PLAIN_CLASS(ObliviousPath, PathSelection);
NS_OBJECT_ENSURE_REGISTERED(FlowletPath);

const RegisterPathSelection<FlowletPath> g_flowletPath("Flowlet", 20, [](PathSelectionInfo& part) {
    part.what = "a random path after each gap";
    part.isReordering = false;
});

const RegisterPathSelection<RandomPath> g_randomPath("Random", 30, [](PathSelectionInfo& part) {
    part.what = "a random path for each packet";
});

const RegisterPathSelection<ObliviousPath> g_obliviousPath("Oblivious",
                                                           40,
                                                           [](PathSelectionInfo& part) {
                                                               part.what =
                                                                   "all paths in turn (uet-htsim)";
                                                           });

void
EntropyRounds::Start(uint32_t values, uint32_t mask)
{
    m_values = values;
    m_size = 1;
    while (m_size < values)
    {
        m_size *= 2;
    }
    SetMask(mask);
}

void
EntropyRounds::SetMask(uint32_t mask)
{
    m_mask = mask & (m_size - 1);
    m_count = 0;
    SkipVoid(); // cannot end the round, because every round has at least one value
}

bool
EntropyRounds::Advance()
{
    ++m_count;
    return SkipVoid();
}

bool
EntropyRounds::SkipVoid()
{
    while (m_count < m_size && GetCurrent() >= m_values)
    {
        ++m_count;
    }
    return m_count == m_size;
}

uint32_t
RandomPath::DoChoose(Time /* now */)
{
    return Draw(GetEntropyValues());
}

void
ObliviousPath::DoStart()
{
    m_rounds.Start(GetEntropyValues(), Draw(MAX_ENTROPY_VALUES));
}

uint32_t
ObliviousPath::DoChoose(Time /* now */)
{
    const uint32_t value = m_rounds.GetCurrent();
    if (m_rounds.Advance())
    {
        m_rounds.SetMask(Draw(MAX_ENTROPY_VALUES));
    }
    return value;
}

TypeId
FlowletPath::GetTypeId()
{
    static TypeId tid = MakeTypeId<FlowletPath, PathSelection>("FlowletPath")
                            .AddAttribute("Gap",
                                          "Minimum time between two packets for a new flowlet to "
                                          "begin (default 50 us: this module).",
                                          TimeValue(MicroSeconds(50)),
                                          MakeTimeAccessor(&FlowletPath::m_gap),
                                          MakeTimeChecker(NanoSeconds(1)));
    return tid;
}

void
FlowletPath::DoStart()
{
    m_value = Draw(GetEntropyValues());
    m_latest = Time::Max();
}

uint32_t
FlowletPath::DoChoose(Time now)
{
    if (m_latest != Time::Max() && now - m_latest >= m_gap)
    {
        m_value = Draw(GetEntropyValues());
    }
    m_latest = now;
    return m_value;
}

} // namespace ns3::lossless
