// SPDX-License-Identifier: GPL-2.0-only
#ifndef ACCEPTANCE_STORMS_H
#define ACCEPTANCE_STORMS_H

#include "acceptance-checks.h"
#include "acceptance-network.h"

#include "ns3/lossless-experiment.h"

namespace ns3::lossless
{

/// The receiver sends PAUSEs of a class for a quarter of the time, and a PFC watchdog drops, or
/// forwards. @param experiment knows the scheme, and runs @param options of the network
/// @param [out] checks gets what came of it
void RunWatchdog(Experiment& experiment,
                 const AcceptanceOptions& options,
                 AcceptanceChecks& checks);

/// The receiver takes frames at a quarter of its link's rate. @param experiment knows the scheme,
/// and runs @param options of the network @param [out] checks gets what came of it
void RunSlowReceiver(Experiment& experiment,
                     const AcceptanceOptions& options,
                     AcceptanceChecks& checks);

} // namespace ns3::lossless

#endif /* ACCEPTANCE_STORMS_H */
