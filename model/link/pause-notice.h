// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PAUSE_NOTICE_H
#define LOSSLESS_PAUSE_NOTICE_H

#include "ns3/lossless-types.h"
#include "ns3/nstime.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Notice that the neighbour has stopped something, or has renewed a stop. A gate creates it
 * (TransmitGate::TellPaused()); it passes the device and its sources to the congestion control of
 * each affected flow.
 */
struct PauseNotice
{
    PrioritySet classes{0}; ///< stopped classes
    Time length{0};         ///< unless the neighbour sends something else meanwhile
    double share{1};        ///< of its rate that each flow of a host may keep (FAFC), 0 to 1
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSE_NOTICE_H */
