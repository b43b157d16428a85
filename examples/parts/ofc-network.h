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
    DataRate rate{"40Gbps"};     ///< of every link
    Time delay{NanoSeconds(20)}; ///< of every link
    uint64_t xoff{75000};        ///< of ingress queues, bytes
    uint64_t xon{45000};         ///< of ingress queues, bytes

    /// Adds the options.
    void AddOptions(Experiment& experiment);
    /// Stops the program if the options are inconsistent.
    void Check(const Experiment& experiment) const;
    /// @param classes of the flows
    /// @return helper for switches of the chosen scheme
    SwitchHelper MakeSwitches(const Experiment& experiment, PrioritySet classes) const;
    /// @return factory of NICs whose full packets take 1500 B on the wire
    ObjectFactory MakeNics() const;

    /// @return payload of a flow, from its bytes on the wire
    static uint64_t GetPayload(uint64_t wireBytes);
};

} // namespace ns3::lossless

#endif /* OFC_NETWORK_H */
