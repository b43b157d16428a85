// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_LINK_PARTNER_H
#define LOSSLESS_LINK_PARTNER_H

#include "ns3/data-rate.h"
#include "ns3/lossless-types.h"
#include "ns3/mac48-address.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <string>

namespace ns3::lossless
{

class LosslessNetDevice;
class TransmitGate;

/**
 * @ingroup lossless
 * What a switch offers to the other ends of its cables: the parts of its scheme that hosts need,
 * and the scheme itself for another switch. The switch may be of another rank, see Ranks, and not
 * yet initialised: the offer depends on settings, not on the run.
 */
class SwitchSide
{
  public:
    virtual ~SwitchSide() = default;

    /// @return its FlowControl, from which a neighbour of the same scheme reads settings
    virtual const Object& GetScheme() const = 0;

    /// @param device of the host, which is being initialised
    /// @return the host's upstream side of the scheme; null if it keeps its gate
    virtual Ptr<TransmitGate> CreateHostGate(Ptr<LosslessNetDevice> device) const = 0;

    /// Gives a host its part of the scheme, unless it has it already. @param device of the host
    virtual void PrepareHost(Ptr<LosslessNetDevice> device) const = 0;

    /// @return whether PFC frames stop what its ports send
    virtual bool ObeysPfc() const = 0;

    /// @return the classes under flow control, at the switch and the hosts attached to it
    virtual PrioritySet GetLossless() const = 0;
};

/**
 * @ingroup lossless
 * What a device knows of its cable and the other end. The ends exchange it when the cable is
 * complete, and again after changes.
 */
struct LinkPartner
{
    DataRate rate;                         ///< at which the partner sends
    uint16_t mtu{0};                       ///< largest payload of its frames, bytes
    Time delay;                            ///< propagation delay
    Time jitter;                           ///< largest random delay on top
    Mac48Address address;                  ///< its MAC address
    bool isHost{true};                     ///< not a port of a switch
    std::string node{};                    ///< name of its node, or "node" and the id
    const SwitchSide* switchSide{nullptr}; ///< null for a host
};

} // namespace ns3::lossless

#endif /* LOSSLESS_LINK_PARTNER_H */
