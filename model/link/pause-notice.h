// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PAUSE_NOTICE_H
#define LOSSLESS_PAUSE_NOTICE_H

#include "ns3/lossless-types.h"
#include "ns3/nstime.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A notice that the neighbour has paused classes or renewed a pause. A gate issues the notice
 * (TransmitGate::TellPaused()), and the device and its sources pass it to the congestion control of
 * each affected flow.
 */
struct PauseNotice
{
    PrioritySet classes{0}; ///< the paused classes
    Time length{0};         ///< the duration of the pause, unless the neighbour changes it later
    double share{1};        ///< the fraction of its rate that a flow of a host keeps, 0 to 1 (FAFC)
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSE_NOTICE_H */
