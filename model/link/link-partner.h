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
 * and to another switch the scheme itself. It may be of another rank, see Ranks, and need not be
 * initialised yet: what it offers depends on settings, not on the run.
 */
class SwitchSide
{
  public:
    virtual ~SwitchSide() = default;

    /// @return its FlowControl, in which a neighbour of the same scheme finds its settings
    virtual const Object& GetScheme() const = 0;

    /// @param device of the host, which is being initialised
    /// @return its upstream side of the scheme; null: the gate that it has
    virtual Ptr<TransmitGate> CreateHostGate(Ptr<LosslessNetDevice> device) const = 0;

    /// Gives a host its part in the scheme, unless it has it already.
    /// @param device of the host
    virtual void PrepareHost(Ptr<LosslessNetDevice> device) const = 0;

    /// @return whether PFC frames stop what its ports send
    virtual bool ObeysPfc() const = 0;

    /// @return the classes under flow control, of the switch and of the hosts behind it
    virtual PrioritySet GetLossless() const = 0;
};

/**
 * @ingroup lossless
 * What a device knows of the other end of its cable, and of the cable. Ends tell each other when
 * the cable is complete, and again when something changes.
 */
struct LinkPartner
{
    DataRate rate;                         ///< at which it sends
    uint16_t mtu{0};                       ///< its largest payload of a frame, bytes
    Time delay;                            ///< of propagation
    Time jitter;                           ///< the largest random delay beyond it
    Mac48Address address;                  ///< its MAC address
    bool isHost{true};                     ///< not a port of a switch
    std::string node{};                    ///< name of its node, or "node" and the id
    const SwitchSide* switchSide{nullptr}; ///< of a switch; null: it is none
};

} // namespace ns3::lossless

#endif /* LOSSLESS_LINK_PARTNER_H */
