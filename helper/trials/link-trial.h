// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LINK_TRIAL_H
#define LOSSLESS_LINK_TRIAL_H

#include "headroom-link.h"

#include "ns3/switch-helper.h"

#include <functional>

/**
 * @file
 * Finds the memory with which one class of a link loses no frame and keeps the link fully utilized.
 * A sender transmits at line rate to a switch whose output is blocked until all traffic has stopped
 * and is then released. The minimum is found by repeated simulations. Of the link, the rate, length
 * and MTU matter.
 */

namespace ns3::lossless
{

/// Result of a run.
struct LinkOutcome
{
    bool isLossless{false}; ///< whether the switch lost no frame
    bool isFull{false};     ///< whether the output was never idle after its release
};

/// Memory that a class needs under PFC, in bytes.
struct PfcNeed
{
    uint64_t headroom{0};  ///< headroom with which the switch loses no frame
    uint64_t threshold{0}; ///< threshold (XOFF and XON) with which the link is fully utilized
};

/// Runs the traffic once, for searches other than those below.
/// @param experiment the experiment that runs the simulation
/// @param set a function that configures the switch
LinkOutcome RunLinkTrial(Experiment& experiment,
                         const HeadroomLink& link,
                         const std::function<void(SwitchHelper&)>& set);

/// @param experiment the experiment, with PFC and a StaticBufferPolicy
/// @return the memory that the class needs
PfcNeed FindPfcNeed(Experiment& experiment, const HeadroomLink& link);

/// @param experiment the experiment, with CBFC
/// @return the credits that the class needs, in bytes
uint64_t FindCreditNeed(Experiment& experiment, const HeadroomLink& link);

} // namespace ns3::lossless

#endif /* LOSSLESS_LINK_TRIAL_H */
