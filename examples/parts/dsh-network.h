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
    /// Ports of the switch in all experiments, a Tomahawk: what it reserves does not depend on how
    /// many are connected.
    static constexpr uint32_t CHIP_PORTS = 32;

    uint32_t queues{7};            ///< lossless classes
    uint32_t referencePorts{0};    ///< of the chip, with hosts' links; 0: those connected
    bool worstCaseHeadroom{false}; ///< see HeadroomBufferPolicy; the paper has only Eq. 1
    DataRate rate{"100Gbps"};      ///< of the hosts' links
    Time delay{MicroSeconds(2)};   ///< of every link
    uint32_t payload{1000};        ///< of a full packet, bytes; not stated in the paper

    /// Adds the options.
    void AddOptions(Experiment& experiment);
    /// @return helper for switches of the chosen scheme
    SwitchHelper MakeSwitches(const Experiment& experiment) const;
    /// @return the lossless classes from `first` on
    std::vector<uint8_t> GetClasses(uint8_t first = 0) const;
    /// @return bytes on the wire per byte of payload, for a full packet
    double GetOverheadFactor() const;

  private:
    /// @return headroom of a queue behind a host's link (DSH: of the port), bytes
    uint64_t GetHostHeadroom() const;
};

} // namespace ns3::lossless

#endif /* DSH_NETWORK_H */
