// SPDX-License-Identifier: GPL-2.0-only
#ifndef OFC_NETWORK_H
#define OFC_NETWORK_H

#include "ns3/data-rate.h"
#include "ns3/lossless-experiment.h"
#include "ns3/lossless-fabric.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"

#include <cstdint>

namespace ns3::lossless
{

/// Common parameters of the OFC paper's networks (Sec. IV-A), with the paper's values.
struct OfcParameters
{
    DataRate rate{"40Gbps"};     ///< rate of each link
    Time delay{NanoSeconds(20)}; ///< delay of each link
    uint64_t xoff{75000};        ///< XOFF of ingress queues, in bytes
    uint64_t xon{45000};         ///< XON of ingress queues, in bytes

    /// Adds the command-line options.
    void AddOptions(Experiment& experiment);
    /// Stops the program if the options are inconsistent.
    void Check(const Experiment& experiment) const;
    /// @param experiment the experiment with the chosen scheme
    /// @param classes the classes of the flows
    /// @return a helper for switches of the chosen scheme
    SwitchHelper MakeSwitches(const Experiment& experiment, PrioritySet classes) const;
    /// @return a factory for NICs whose full packets occupy 1500 bytes on the wire
    ObjectFactory MakeNics() const;

    /// @return the payload of a flow that occupies this number of bytes on the wire
    static uint64_t GetPayload(uint64_t wireBytes);
};

} // namespace ns3::lossless

#endif /* OFC_NETWORK_H */
