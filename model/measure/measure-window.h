// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_MEASURE_WINDOW_H
#define LOSSLESS_MEASURE_WINDOW_H

#include "ns3/nstime.h"

#include <algorithm>
#include <optional>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The time that statistics are made of, without a warm-up and a tail.
 */
struct MeasureWindow
{
    Time from;                 ///< begin
    std::optional<Time> until; ///< end, which is not part of it; nothing: that of the run

    /// @param time any @return whether it is in the window
    bool Has(Time time) const
    {
        return time >= from && (!until || time < *until);
    }

    /// @param time any @return it, or the end of the window if that is earlier
    Time Clip(Time time) const
    {
        return until ? std::min(time, *until) : time;
    }

    /// @param begin of a span @param end of it @return how much of it is in the window
    Time Overlap(Time begin, Time end) const
    {
        return std::max(Clip(end) - std::max(begin, from), Time(0));
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_MEASURE_WINDOW_H */
