// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SWITCH_ITEM_H
#define LOSSLESS_SWITCH_ITEM_H

#include "ns3/lossless-frame.h"
#include "ns3/lossless-types.h"

#include <functional>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A frame inside a switch: a small value that moves from one ring buffer to another.
 */
struct SwitchItem
{
    Frame frame;             ///< the frame and its class
    PortId ingress{0};       ///< the port of arrival
    PortId egress{0};        ///< the port of departure
    uint32_t bufferBytes{0}; ///< the size of the frame when it is admitted, rounded up to cells

    /// @return the frame's ingress queue
    QueueId GetIngressQueue() const
    {
        return {ingress, frame.priority};
    }

    /// @return the frame's egress queue
    QueueId GetEgressQueue() const
    {
        return {egress, frame.priority};
    }
};

/// A function that is called for each frame in turn.
using ItemVisitor = std::function<void(const SwitchItem&)>;

} // namespace ns3::lossless

#endif /* LOSSLESS_SWITCH_ITEM_H */
