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

/// What all networks of the OFC paper have in common (Sec. IV-A), with the paper's values.
struct OfcParameters
{
    DataRate rate{"40Gbps"};     ///< of every link
    Time delay{NanoSeconds(20)}; ///< of every link
    uint32_t response{0};        ///< to a control frame, pause quanta; the paper has none
    uint64_t xoff{75000};        ///< of ingress queues, bytes
    uint64_t xon{45000};         ///< of ingress queues, bytes
    uint64_t congestionXoff{0};  ///< OFC: where single flows are stopped, bytes; 0: 68/75 of XOFF

    /// @param experiment to which the options are added
    void AddOptions(Experiment& experiment);
    /// Sets the time of response. @param experiment which stops the program if the options make no
    /// sense
    void Apply(const Experiment& experiment) const;
    /// @param experiment which knows the scheme @param classes of the flows @return what the
    /// switches are like
    SwitchHelper MakeSwitches(const Experiment& experiment, PrioritySet classes) const;
    /// @return what makes the NICs, whose full packets take 1500 B on the wire
    ObjectFactory MakeNics() const;

    /// @param wireBytes of a flow on the wire @return its payload
    static uint64_t GetPayload(uint64_t wireBytes);
};

} // namespace ns3::lossless

#endif /* OFC_NETWORK_H */
