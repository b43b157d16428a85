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
 * A frame inside a switch: a small value which moves from ring buffer to ring buffer.
 */
struct SwitchItem
{
    Frame frame;             ///< the frame, its class included
    PortId ingress{0};       ///< port it came in by
    PortId egress{0};        ///< port it is to leave by
    uint32_t bufferBytes{0}; ///< what it occupies: its size on arrival, rounded up to cells

    /// @return the queue it is counted in on the ingress side
    QueueId GetIngressQueue() const
    {
        return {ingress, frame.priority};
    }

    /// @return the queue it waits in on the egress side
    QueueId GetEgressQueue() const
    {
        return {egress, frame.priority};
    }
};

/// Called with frames, one by one.
using ItemVisitor = std::function<void(const SwitchItem&)>;

} // namespace ns3::lossless

#endif /* LOSSLESS_SWITCH_ITEM_H */
