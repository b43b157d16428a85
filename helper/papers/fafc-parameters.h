// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FAFC_PARAMETERS_H
#define LOSSLESS_FAFC_PARAMETERS_H

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
    /// Creates a helper for switches of the chosen scheme and congestion control. Stops the program
    /// if the options are inconsistent.
    SwitchHelper MakeSwitches(const Experiment& experiment) const;
};

/// The traffic of the FAFC paper's dumbbell (Sec. IV-A and IV-B), for any network of at least four
/// hosts. The last two hosts receive: the first host sends a long flow to the second-to-last, and
/// the second host one to the last, to which all other hosts send a burst each. With messages, the
/// first and the second-to-last host exchange these instead, and the second host sends a burst,
/// too.
struct FafcIncast
{
    uint64_t longBytes{60000000};     ///< payload of each long flow, in bytes
    uint64_t burstBytes{1750000};     ///< bytes of each burst; calibrated (doc/notebook/fafc.rst)
    Time burstStart{MilliSeconds(1)}; ///< start of bursts and first message; not in the paper
    Time burstJitter{0};              ///< maximum random delay of each burst
    uint32_t messages{0};             ///< number of messages
    uint64_t messageBytes{65536};     ///< payload of each message, in bytes

    /// Adds the command-line options.
    void AddOptions(Experiment& experiment);
    /// @param hosts the number of hosts
    /// @return the flows, sorted by start, with the labels "large", "message" and "incast";
    /// messages come first and have alternating directions
    FlowList MakeFlows(uint32_t hosts) const;
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FAFC_PARAMETERS_H */
