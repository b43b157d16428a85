// SPDX-License-Identifier: GPL-2.0-only
#ifndef DSH_NETWORK_H
#define DSH_NETWORK_H

#include "ns3/data-rate.h"
#include "ns3/lossless-experiment.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <vector>

namespace ns3::lossless
{

/// What all networks of the DSH paper have in common (Sec. V-A), with the paper's values.
struct DshParameters
{
    /// Of the switch of all experiments, a Tomahawk: what it sets aside does not depend on how many
    /// are connected.
    static constexpr uint32_t CHIP_PORTS = 32;

    uint32_t queues{7};            ///< lossless classes
    uint32_t referencePorts{0};    ///< of the chip, with hosts' links; 0: those connected
    bool worstCaseHeadroom{false}; ///< see HeadroomBufferPolicy; the paper has Eq. 1 alone
    DataRate rate{"100Gbps"};      ///< of the hosts' links
    Time delay{MicroSeconds(2)};   ///< of every link
    uint32_t payload{1000};        ///< of a full packet, bytes; the paper does not tell it

    /// @param experiment to which the options are added
    void AddOptions(Experiment& experiment);
    /// @param experiment which knows the scheme @return what the switches are like
    SwitchHelper MakeSwitches(const Experiment& experiment) const;
    /// @param experiment which knows the congestion control @return what makes the NICs
    ObjectFactory MakeNics(const Experiment& experiment) const;
    /// @param first a class @return the lossless classes from that one on
    std::vector<uint8_t> GetClasses(uint8_t first = 0) const;
    /// @return bytes on the wire for each byte of payload, of a full packet
    double GetOverheadFactor() const;

  private:
    /// @return headroom of a queue behind a host's link (DSH: of the port), bytes
    uint64_t GetHostHeadroom() const;
};

} // namespace ns3::lossless

#endif /* DSH_NETWORK_H */
