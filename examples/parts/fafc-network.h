// SPDX-License-Identifier: GPL-2.0-only
#ifndef FAFC_NETWORK_H
#define FAFC_NETWORK_H

#include "ns3/data-rate.h"
#include "ns3/lossless-experiment.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::lossless
{

/// Common parameters of the FAFC paper's networks (Sec. IV), with the paper's values where stated.
/// All flows are of class 0.
struct FafcParameters
{
    DataRate rate{"25Gbps"};       ///< of hosts' links
    Time delay{MicroSeconds(1)};   ///< of every link
    uint64_t trigger{350000};      ///< FAFC: predicted length of an egress queue, bytes
    uint64_t xoff{50000};          ///< of an ingress queue with static thresholds; 0: `trigger`
    uint64_t hysteresis{3000};     ///< between XOFF and XON, bytes: the HPCC simulator
    uint64_t ecnThreshold{200000}; ///< of marking, bytes
    uint32_t payload{1000};        ///< of a full packet, bytes: the HPCC simulator

    /// Adds the options.
    void AddOptions(Experiment& experiment);
    /// Stops the program if the options are inconsistent.
    void Check(const Experiment& experiment) const;
    /// @return helper for switches of the chosen scheme and congestion control
    SwitchHelper MakeSwitches(const Experiment& experiment) const;
    /// @return XOFF of ingress queues with static thresholds, bytes
    uint64_t GetXoff() const;
};

} // namespace ns3::lossless

#endif /* FAFC_NETWORK_H */
