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
 * A frame inside a switch: a small value that moves from ring buffer to ring buffer.
 */
struct SwitchItem
{
    Frame frame;             ///< with its class
    PortId ingress{0};       ///< port of arrival
    PortId egress{0};        ///< port by which it is to leave
    uint32_t bufferBytes{0}; ///< occupied buffer: its size on arrival, rounded up to cells

    /// @return its ingress queue
    QueueId GetIngressQueue() const
    {
        return {ingress, frame.priority};
    }

    /// @return its egress queue
    QueueId GetEgressQueue() const
    {
        return {egress, frame.priority};
    }
};

/// Called with one frame after the other.
using ItemVisitor = std::function<void(const SwitchItem&)>;

} // namespace ns3::lossless

#endif /* LOSSLESS_SWITCH_ITEM_H */
