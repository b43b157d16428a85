// SPDX-License-Identifier: GPL-2.0-only
#ifndef ACCEPTANCE_STORMS_H
#define ACCEPTANCE_STORMS_H

#include "acceptance-checks.h"
#include "acceptance-network.h"

#include "ns3/lossless-experiment.h"

namespace ns3::lossless
{

/// The receiver sends PAUSE frames of a class for a quarter of the time, and a PFC watchdog drops
/// or forwards the frames that are stuck.
void RunWatchdog(Experiment& experiment,
                 const AcceptanceOptions& options,
                 AcceptanceChecks& checks);

/// The receiver accepts frames at a quarter of its link's rate.
void RunSlowReceiver(Experiment& experiment,
                     const AcceptanceOptions& options,
                     AcceptanceChecks& checks);

} // namespace ns3::lossless

#endif /* ACCEPTANCE_STORMS_H */
