// SPDX-License-Identifier: GPL-2.0-only
#ifndef DSH_NETWORK_H
#define DSH_NETWORK_H

#include "ns3/data-rate.h"
#include "ns3/lossless-experiment.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3::lossless
{

/// Common parameters of the DSH paper's networks (Sec. V-A), with the paper's values.
struct DshParameters
{
    /// Number of ports of the switch chip (a Tomahawk) in all experiments. The memory reserved for
    /// headroom does not depend on how many of these ports are connected.
    static constexpr uint32_t CHIP_PORTS = 32;

    uint32_t queues{7};            ///< number of lossless classes
    uint32_t referencePorts{0};    ///< number of ports with headroom; 0 means the connected ports
    bool worstCaseHeadroom{false}; ///< see HeadroomBufferPolicy; the paper uses only Eq. 1
    DataRate rate{"100Gbps"};      ///< rate of the hosts' links
    Time delay{MicroSeconds(2)};   ///< delay of each link
    uint32_t payload{1000};        ///< payload of a full packet, in bytes; not stated in the paper

    /// Adds the command-line options.
    void AddOptions(Experiment& experiment);
    /// @return a helper for switches of the chosen scheme
    SwitchHelper MakeSwitches(const Experiment& experiment) const;
    /// @return the lossless classes, beginning with `first`
    std::vector<uint8_t> GetClasses(uint8_t first = 0) const;
    /// @return the number of bytes on the wire per byte of payload of a full packet
    double GetOverheadFactor() const;

  private:
    /// @return the headroom, in bytes, of an ingress queue (under DSH, of a port) on a host's link
    uint64_t GetHostHeadroom() const;
};

} // namespace ns3::lossless

#endif /* DSH_NETWORK_H */
