// SPDX-License-Identifier: GPL-2.0-only
#include "mrc-path.h"

#include "path-selection-info.h"

#include "ns3/make-type-id.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(MrcPath);

const RegisterPathSelection<MrcPath> g_mrcPath("MRC", 60, [](PathSelectionInfo& part) {
    part.what = "all paths in turn except congested and failed ones (OCP)";
});

TypeId
MrcPath::GetTypeId()
{
    static TypeId tid = MakeTypeId<MrcPath, ObliviousPath>("MrcPath").AddAttribute(
        "ProbeInterval",
        "Time after which a packet probes an entropy value assumed to be bad (default 1 ms: this "
        "module; a hundred round trips in a datacenter).",
        TimeValue(MilliSeconds(1)),
        MakeTimeAccessor(&MrcPath::m_probeInterval),
        MakeTimeChecker(Time(0)));
    return tid;
}

void
MrcPath::DoStart()
{
    m_states.assign(GetEntropyValues(), Value());
    ObliviousPath::DoStart();
}

uint32_t
MrcPath::DoChoose(Time now)
{
    // SKIP changes to GOOD at the first turn, so a value is usually found at the second turn.
    for (uint32_t turns = 2 * GetEntropyValues(); turns > 0; --turns)
    {
        const uint32_t value = ObliviousPath::DoChoose(now);
        if (MayUse(m_states[value], now))
        {
            return value;
        }
    }
    return Draw(GetEntropyValues());
}

bool
MrcPath::MayUse(Value& value, Time now) const
{
    switch (value.state)
    {
    case State::GOOD:
        return true;
    case State::SKIP:
        value.state = State::GOOD;
        return false;
    case State::ASSUMED_BAD:
        break;
    }
    if (now < value.nextProbe)
    {
        return false;
    }
    value.nextProbe = now + m_probeInterval;
    return true;
}

void
MrcPath::DoNotify(uint32_t value, PathOutcome outcome, Time now)
{
    Value& entry = m_states[value];
    switch (outcome)
    {
    case PathOutcome::ARRIVED:
        // A packet without a mark does not cancel the mark of another packet.
        entry.state = entry.state == State::ASSUMED_BAD ? State::GOOD : entry.state;
        break;
    case PathOutcome::MARKED:
    case PathOutcome::TRIMMED:
        entry.state = State::SKIP;
        break;
    case PathOutcome::LOST:
        entry = {State::ASSUMED_BAD, now + m_probeInterval};
        break;
    }
}

} // namespace ns3::lossless
