// SPDX-License-Identifier: GPL-2.0-only
#include "host-pfc.h"

#include "ns3/abort.h"
#include "ns3/mac-control-header.h"
#include "ns3/pause-gate.h"

namespace ns3::lossless
{

void
SendPfc(const Ptr<LosslessNetDevice>& device, PrioritySet classes, uint16_t quanta)
{
    PfcHeader pfc;
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (Contains(classes, Priority{p}))
        {
            pfc.SetQuanta(Priority{p}, quanta);
        }
    }
    device->SendControl(MakePfcFrame(Mac48Address::ConvertFrom(device->GetAddress()), pfc));
}

void
RequirePausedNeighbour(const LosslessNetDevice& device, const std::string& sender)
{
    const Ptr<LosslessNetDevice> neighbour = device.GetPeer();
    NS_ABORT_MSG_IF(neighbour && (!DynamicCast<PauseGate>(neighbour->GetGate()) ||
                                  neighbour->GetLossless() == 0),
                    sender << " needs a neighbour that PFC pauses; choose a scheme with PFC.");
}

} // namespace ns3::lossless
