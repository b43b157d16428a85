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
 * The period that statistics cover. It can exclude the warm-up and the tail of a run.
 */
struct MeasureWindow
{
    Time from;                 ///< the start
    std::optional<Time> until; ///< the end, which is excluded; unset if the window ends with the
                               ///< run

    /// @return whether the window excludes a part of the run
    bool IsPart() const
    {
        return !from.IsZero() || until;
    }

    /// @return whether a time is in the window
    bool Has(Time time) const
    {
        return time >= from && (!until || time < *until);
    }

    /// @return the time or the end of the window, whichever is earlier
    Time Clip(Time time) const
    {
        return until ? std::min(time, *until) : time;
    }

    /// @return the length of the part of a time span that is in the window
    Time Overlap(Time begin, Time end) const
    {
        return std::max(Clip(end) - std::max(begin, from), Time(0));
    }
};

} // namespace ns3::lossless

#endif /* LOSSLESS_MEASURE_WINDOW_H */
