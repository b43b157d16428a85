// SPDX-License-Identifier: GPL-2.0-only
#ifndef ACCEPTANCE_STORMS_H
#define ACCEPTANCE_STORMS_H

#include "acceptance-checks.h"
#include "acceptance-network.h"

#include "ns3/lossless-experiment.h"

namespace ns3::lossless
{

/// Runs scenarios in which the receiver sends PAUSE frames for one class for a quarter of the time
/// and a PFC watchdog drops or forwards the stuck frames.
void RunWatchdog(Experiment& experiment,
                 const AcceptanceOptions& options,
                 AcceptanceChecks& checks);

/// Runs a scenario in which the receiver accepts frames at a quarter of its link's rate.
void RunSlowReceiver(Experiment& experiment,
                     const AcceptanceOptions& options,
                     AcceptanceChecks& checks);

} // namespace ns3::lossless

#endif /* ACCEPTANCE_STORMS_H */
