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
/// All flows are in class 0.
struct FafcParameters
{
    DataRate rate{"25Gbps"};       ///< rate of the hosts' links
    Time delay{MicroSeconds(1)};   ///< delay of each link
    uint64_t trigger{350000};      ///< FAFC's pause threshold for predicted queue lengths, in bytes
    uint64_t xoff{50000};          ///< XOFF of static thresholds, in bytes; if 0, `trigger` is used
    uint64_t hysteresis{3000};     ///< XOFF minus XON, in bytes; from the HPCC simulator
    uint64_t ecnThreshold{200000}; ///< queue length above which frames are marked, in bytes
    uint32_t payload{1000};        ///< payload of a full packet, in bytes; from the HPCC simulator

    /// Adds the command-line options.
    void AddOptions(Experiment& experiment);
    /// Stops the program if the options are inconsistent.
    void Check(const Experiment& experiment) const;
    /// @return a helper for switches of the chosen scheme and congestion control
    SwitchHelper MakeSwitches(const Experiment& experiment) const;
    /// @return XOFF of ingress queues with static thresholds, in bytes
    uint64_t GetXoff() const;
};

} // namespace ns3::lossless

#endif /* FAFC_NETWORK_H */
