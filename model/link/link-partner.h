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
 * The interface through which the devices at the other ends of a switch's cables access the switch.
 * It gives hosts their part of the switch's scheme and gives other switches access to the scheme
 * itself. The switch can belong to another rank (see Ranks) and need not be initialized, because
 * these functions depend only on settings.
 */
class SwitchSide
{
  public:
    virtual ~SwitchSide() = default;

    /// @return the FlowControl; a neighbour with the same scheme reads its settings
    virtual const Object& GetScheme() const = 0;

    /// Creates the gate with which a host takes part in the scheme.
    /// @param device the device of the host, which is being initialized
    /// @return the gate, or null if the host keeps its existing gate
    virtual Ptr<TransmitGate> CreateHostGate(Ptr<LosslessNetDevice> device) const = 0;

    /// Gives a host its part of the scheme unless the host already has it.
    /// @param device the host's device
    virtual void PrepareHost(Ptr<LosslessNetDevice> device) const = 0;

    /// @return whether PFC frames pause the switch's ports
    virtual bool ObeysPfc() const = 0;

    /// @return the classes under flow control at the switch and its attached hosts
    virtual PrioritySet GetLossless() const = 0;
};

/**
 * @ingroup lossless
 * The properties of a cable and of the device at its other end. The two ends exchange these
 * properties when both are attached and whenever the properties change.
 */
struct LinkPartner
{
    DataRate rate;           ///< the rate at which the partner sends
    DataRate firstRate;      ///< see LosslessNetDevice::GetFirstRate()
    uint16_t mtu{0};         ///< the partner's largest payload per frame, in bytes
    Time delay;              ///< the propagation delay
    Time jitter;             ///< the maximum random delay added to the propagation delay
    uint64_t replayBytes{0}; ///< see LinkRetry::GetReplayBytes(); 0 without retry
    Mac48Address address;    ///< the partner's MAC address
    bool isHost{true};       ///< whether the partner is a host
    std::string node{};      ///< the name of the partner's node, or "node" and its ID
    const SwitchSide* switchSide{nullptr}; ///< the partner's switch; null for a host
};

} // namespace ns3::lossless

#endif /* LOSSLESS_LINK_PARTNER_H */
