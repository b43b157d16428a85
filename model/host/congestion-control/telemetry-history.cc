// SPDX-License-Identifier: GPL-2.0-only
#include "telemetry-history.h"

#include <utility>

namespace ns3::lossless
{

namespace
{

/// The limit on differences of the time field, in ns. It is half the field's range, so that an
/// overtaken packet is not mistaken for a much later one.
constexpr uint32_t MAX_NANOSECONDS = 1U << (TelemetryHop::TIME_BITS - 1);

/// The range of the byte counter, in bits.
constexpr double SENT_RANGE = 8.0 * TelemetryHop::SENT_UNIT * (1U << TelemetryHop::SENT_BITS);

/// Computes the state of a link between two packets. Returns whether this is possible.
bool
Compare(const TelemetryHop& before, const TelemetryHop& after, LinkSample& sample)
{
    const uint32_t nanoseconds = after.GetTimeSince(before);
    sample.rate = static_cast<double>(after.GetRate());
    sample.interval = nanoseconds / 1e9;
    sample.sentRate = 8.0 * static_cast<double>(after.GetSentSince(before)) / sample.interval;
    sample.queueBefore = 8.0 * static_cast<double>(before.GetQueueBytes());
    sample.queue = 8.0 * static_cast<double>(after.GetQueueBytes());
    return nanoseconds > 0 && nanoseconds < MAX_NANOSECONDS &&
           sample.rate * sample.interval < SENT_RANGE;
}

} // namespace

LinkSamples
TelemetryHistory::Take(const TelemetryHeader& next, Time now)
{
    static const Ticks longest = NanoSeconds(MAX_NANOSECONDS).GetTimeStep();
    bool isComparable =
        m_count == next.GetHops() && m_path == next.GetPath() && now.GetTimeStep() - m_at < longest;
    m_count = next.GetHops();
    m_path = next.GetPath();
    m_at = now.GetTimeStep();
    LinkSamples samples;
    for (uint32_t i = 0; i < next.GetRecorded(); ++i)
    {
        const TelemetryHop before = std::exchange(m_hops[i], next.GetHop(i));
        LinkSample sample;
        isComparable = isComparable && Compare(before, m_hops[i], sample);
        samples.push_back(sample);
    }
    if (!isComparable)
    {
        samples.clear();
    }
    return samples;
}

} // namespace ns3::lossless
