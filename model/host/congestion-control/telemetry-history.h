// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_TELEMETRY_HISTORY_H
#define LOSSLESS_TELEMETRY_HISTORY_H

#include "ns3/nstime.h"
#include "ns3/telemetry-header.h"

#include <array>
#include <boost/container/static_vector.hpp>
#include <cstdint>

namespace ns3::lossless
{

/// The state of a link between the departures of two packets of the same flow.
struct LinkSample
{
    double rate{0};     ///< the rate of the link, in bit/s
    double interval{0}; ///< the time between the departures, in seconds
    /// The rate at which the link sent data during `interval`, including overhead, in bit/s.
    double sentRate{0};
    double queueBefore{0}; ///< the length of the queue when the first packet departed, in bits
    double queue{0};       ///< the length of the queue when the second packet departed, in bits
};

/// The samples for the links on a path, in order along the path.
using LinkSamples = boost::container::static_vector<LinkSample, TelemetryHeader::MAX_HOPS>;

/// @ingroup lossless
/// The latest telemetry of a flow, with which the next telemetry is compared.
class TelemetryHistory
{
  public:
    /// Takes the telemetry echoed by an acknowledgement and returns the state of the links since
    /// the previous acknowledgement. The result is empty if this state is unknown, that is, if
    /// there is no previous telemetry, the path has changed, the packets passed a switch out of
    /// order, or so much time or data has passed that a counter may have wrapped around.
    LinkSamples Take(const TelemetryHeader& next, Time now);

  private:
    std::array<TelemetryHop, TelemetryHeader::MAX_HOPS> m_hops; ///< the latest telemetry
    uint32_t m_count{0};                                        ///< the number of switches on the
                                                                ///< path
    uint16_t m_path{0};                                         ///< see TelemetryHeader::GetPath()
    Ticks m_at{0};                                              ///< the time at which the latest
                                                                ///< telemetry was taken
};

} // namespace ns3::lossless

#endif /* LOSSLESS_TELEMETRY_HISTORY_H */
