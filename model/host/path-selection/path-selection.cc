// SPDX-License-Identifier: GPL-2.0-only
#include "path-selection.h"

#include "path-selection-info.h"

#include "ns3/assert.h"
#include "ns3/attribute-condition.h"
#include "ns3/lossless-frame.h"
#include "ns3/make-type-id.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(PathSelection);
LOSSLESS_PLAIN_CLASS(FlowPath, PathSelection);

const RegisterPathSelection<FlowPath> g_flowPath("Flow", 10, [](PathSelectionInfo& part) {
    part.what = "one path for each flow";
    part.isReordering = false;
});

namespace
{

const RegisterCondition<PathSelection> g_values({"EntropyValues"},
                                                "ns3::lossless::RoceNic::PathSelection",
                                                Where::IS_NOT,
                                                "ns3::lossless::FlowPath");

/// Returns the dynamic port that is `value` steps after a port.
uint16_t
Advance(uint16_t port, uint32_t value)
{
    return static_cast<uint16_t>(FIRST_DYNAMIC_PORT + (port + value) % DYNAMIC_PORTS);
}

} // namespace

TypeId
PathSelection::GetTypeId()
{
    static TypeId tid = MakeTypeId<PathSelection, Object>("PathSelection")
                            .AddAttribute("EntropyValues",
                                          "Number of entropy values over which a flow's packets "
                                          "are spread (default 64: uet-htsim; MRC has 128 to 256). "
                                          "Switches hash them, so two may take the same path.",
                                          UintegerValue(64),
                                          MakeUintegerAccessor(&PathSelection::m_values),
                                          MakeUintegerChecker<uint32_t>(1, MAX_ENTROPY_VALUES));
    return tid;
}

void
PathSelection::Start(uint64_t flow, uint16_t sourcePort)
{
    m_firstPort = Advance(sourcePort, 0);
    m_state =
        MixBits(MixBits(MixBits(RngSeedManager::GetSeed()) + RngSeedManager::GetRun()) + flow);
    m_sent.assign(WantsLosses() ? 1 : 0, Sent());
    DoStart();
}

uint16_t
PathSelection::Choose(uint32_t psn, Time now)
{
    if (m_sent.empty())
    {
        return Advance(m_firstPort, DoChoose(now));
    }
    const uint32_t place = psn % REMEMBERED;
    if (place >= m_sent.size())
    {
        m_sent.resize(std::min(REMEMBERED, 2 * place + 1));
    }
    Sent& sent = m_sent[place];
    if (sent.psn == psn)
    {
        DoNotify(sent.value, PathOutcome::LOST, now);
    }
    sent = {psn, DoChoose(now)};
    return Advance(m_firstPort, sent.value);
}

void
PathSelection::NotifyAck(uint16_t port, bool isMarked, Time now)
{
    Notify(port, isMarked ? PathOutcome::MARKED : PathOutcome::ARRIVED, now);
}

void
PathSelection::NotifyTrimmed(uint16_t port, uint32_t psn, bool isLastHop, bool isMarked, Time now)
{
    const uint32_t place = psn % REMEMBERED;
    if (place < m_sent.size() && m_sent[place].psn == psn)
    {
        m_sent[place].psn = NOBODY;
    }
    const PathOutcome before = isMarked ? PathOutcome::MARKED : PathOutcome::ARRIVED;
    Notify(port, isLastHop ? before : PathOutcome::TRIMMED, now);
}

void
PathSelection::Notify(uint16_t port, PathOutcome outcome, Time now)
{
    const uint32_t value = (port - m_firstPort) % MAX_ENTROPY_VALUES;
    if (value < m_values)
    {
        DoNotify(value, outcome, now);
    }
}

uint32_t
PathSelection::Draw(uint32_t count)
{
    NS_ASSERT(count > 0);
    m_state += GOLDEN_RATIO;
    // The product scales the upper 32 bits to a number below `count`.
    return static_cast<uint32_t>((MixBits(m_state) >> 32) * count >> 32);
}

} // namespace ns3::lossless
