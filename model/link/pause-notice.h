// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PAUSE_NOTICE_H
#define LOSSLESS_PAUSE_NOTICE_H

#include "ns3/lossless-types.h"
#include "ns3/nstime.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * That the neighbour has stopped something, or has told so again. A gate makes it
 * (TransmitGate::TellPaused()), and it goes by way of the device and its sources to the congestion
 * control of each flow of the classes.
 */
struct PauseNotice
{
    PrioritySet classes{0}; ///< what is stopped
    Time length{0};         ///< for how long, unless the neighbour tells otherwise meanwhile
    double share{1};        ///< of its rate that each flow of a host is to keep (FAFC), 0 to 1
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PAUSE_NOTICE_H */
