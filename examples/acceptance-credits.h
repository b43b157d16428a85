// SPDX-License-Identifier: GPL-2.0-only
#ifndef ACCEPTANCE_CREDITS_H
#define ACCEPTANCE_CREDITS_H

#include "acceptance-checks.h"
#include "acceptance-network.h"

#include "ns3/lossless-experiment.h"

namespace ns3::lossless
{

/// @param experiment knows the scheme @return whether its links have credits
bool HasCredits(const Experiment& experiment);

/// N:1 in one class, beside a flow of another class that shares a link with it; and one sender gets
/// no update for a while. @param experiment knows the scheme, and runs @param options of the
/// network @param [out] checks gets what came of it
void RunCredits(Experiment& experiment, const AcceptanceOptions& options, AcceptanceChecks& checks);

} // namespace ns3::lossless

#endif /* ACCEPTANCE_CREDITS_H */
