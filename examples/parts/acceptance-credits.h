// SPDX-License-Identifier: GPL-2.0-only
#ifndef ACCEPTANCE_CREDITS_H
#define ACCEPTANCE_CREDITS_H

#include "acceptance-checks.h"
#include "acceptance-network.h"

#include "ns3/lossless-experiment.h"

namespace ns3::lossless
{

/// @return whether links use credits under the chosen scheme
bool HasCredits(const Experiment& experiment);

/// Runs N:1 traffic in one class, with a flow of another class over the same link. For part of the
/// run, one sender receives no credit updates.
void RunCredits(Experiment& experiment, const AcceptanceOptions& options, AcceptanceChecks& checks);

} // namespace ns3::lossless

#endif /* ACCEPTANCE_CREDITS_H */
