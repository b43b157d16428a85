// SPDX-License-Identifier: GPL-2.0-only
#include "host-pfc.h"

#include "ns3/abort.h"
#include "ns3/mac-control-header.h"

namespace ns3::lossless
{

void
SendPfc(const Ptr<LosslessNetDevice>& device, PrioritySet classes, uint16_t quanta)
{
    PfcHeader pfc;
    pfc.SetQuanta(classes, quanta);
    device->SendControl(MakePfcFrame(device->GetMacAddress(), pfc));
}

void
RequirePausedNeighbour(const LosslessNetDevice& device, const std::string& sender)
{
    const auto& partner = device.GetPartner();
    const bool isSwitch = partner && partner->switchSide;
    NS_ABORT_MSG_IF(isSwitch && (!partner->switchSide->ObeysPfc() || device.GetLossless() == 0),
                    sender << " needs a neighbour that PFC pauses; choose a scheme with PFC "
                              "(--scheme=PFC), and a class under flow control.");
}

} // namespace ns3::lossless
