// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TELEMETRY_HISTORY_H
#define LOSSLESS_TELEMETRY_HISTORY_H

#include "ns3/nstime.h"
#include "ns3/telemetry-header.h"

#include <array>
#include <cstdint>

namespace ns3::lossless
{

/// What a link did between the departures of two packets of a flow.
struct LinkSample
{
    double rate{0};        ///< of the link, bit/s
    double interval{0};    ///< between these departures, s
    double sentRate{0};    ///< at which the link sent meanwhile, bit/s, including overhead
    double queueBefore{0}; ///< behind the first of the packets, bits
    double queue{0};       ///< behind the second, bits
};

/// Samples of the links of a path.
class LinkSamples
{
  public:
    /// Adds a sample, at most MAX_HOPS.
    void Add(const LinkSample& sample)
    {
        m_samples[m_size++] = sample;
    }

    /// Removes all samples.
    void Clear()
    {
        m_size = 0;
    }

    /// Whether there is no sample.
    bool IsEmpty() const
    {
        return m_size == 0;
    }

    /// Returns the first sample.
    const LinkSample* begin() const
    {
        return m_samples.data();
    }

    /// Returns the end.
    const LinkSample* end() const
    {
        return m_samples.data() + m_size;
    }

  private:
    std::array<LinkSample, TelemetryHeader::MAX_HOPS> m_samples; ///< in the order of the path
    std::size_t m_size{0};                                       ///< number of samples
};

/// @ingroup lossless
/// The latest telemetry of a flow, with which the next is compared.
class TelemetryHistory
{
  public:
    /// Takes the telemetry echoed by an acknowledgement; returns what the links did since the
    /// previous one. Empty if that is unknown: there was none before, the path has changed, the
    /// packets passed a switch in the wrong order, or so much time or data has passed that a
    /// counter may have wrapped around.
    LinkSamples Take(const TelemetryHeader& next, Time now);

  private:
    std::array<TelemetryHop, TelemetryHeader::MAX_HOPS> m_hops; ///< latest
    uint32_t m_count{0};                                        ///< switches on the path
    uint16_t m_path{0};                                         ///< see TelemetryHeader::GetPath()
    Ticks m_at{0};                                              ///< when it was taken
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TELEMETRY_HISTORY_H */
