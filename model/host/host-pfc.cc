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
    // The scheme of the switch has made this end's gate as well.
    const bool isPaused = DynamicCast<PauseGate>(device.GetGate()) && device.GetLossless() != 0;
    NS_ABORT_MSG_IF(device.GetPartner() && !isPaused,
                    sender << " needs a neighbour that PFC pauses; choose a scheme with PFC.");
}

} // namespace ns3::lossless
