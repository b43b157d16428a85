// SPDX-License-Identifier: GPL-2.0-only
#include "pabo-counters.h"

#include <algorithm>
#include <limits>

namespace ns3::lossless
{

namespace
{

template <typename T>
void
Increase(T& counter)
{
    counter += counter < std::numeric_limits<T>::max() ? 1 : 0;
}

} // namespace

PaboCounters
PaboCounters::Of(const Frame& frame)
{
    return frame.schemeData.Get<PaboCounters>();
}

void
PaboCounters::WriteTo(Frame& frame) const
{
    frame.schemeData.Set(*this);
}

void
PaboCounters::CountHop()
{
    Increase(hops);
}

void
PaboCounters::CountBounce()
{
    Increase(bounces);
    Increase(distance);
    maxDistance = std::max(maxDistance, distance);
}

void
PaboCounters::CountForward()
{
    distance -= distance > 0 ? 1 : 0;
}

} // namespace ns3::lossless
