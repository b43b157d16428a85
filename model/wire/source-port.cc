// SPDX-License-Identifier: GPL-2.0-only
#include "source-port.h"

#include "unbuilt-packet.h"

#include "ns3/assert.h"

namespace ns3::lossless
{

void
SetSourcePort(Frame& frame, uint16_t port)
{
    if (frame.flow.sourcePort == port)
    {
        return;
    }
    UnbuiltPacket* packet = frame.packet.GetUnbuilt();
    NS_ASSERT(packet);
    packet->SetSourcePort(port);
    frame.flow.sourcePort = port;
    frame.flowHash = HashOf(frame.flow);
}

} // namespace ns3::lossless
