// SPDX-License-Identifier: GPL-2.0-only
#include "bdp-cap.h"

#include "ns3/lossless-fabric.h"
#include "ns3/lossless-net-device.h"
#include "ns3/object-factory.h"
#include "ns3/roce-nic.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace ns3::lossless
{

namespace
{

/// Sets the cap for all flows that a NIC will send.
/// @param nic a NIC that has a SelectiveReliability
/// @param roundTrip the round-trip time in seconds
void
CapFlows(RoceNic& nic, double roundTrip)
{
    const uint32_t payload = nic.GetPayloadBytes();
    const uint32_t frame = RoceNic::GetFrameBytes(payload, nic.GetOptionBytes());
    const double packetTime = nic.GetObject<LosslessNetDevice>()->GetSlotSeconds(frame);
    const auto packets = static_cast<uint64_t>(std::ceil(roundTrip / packetTime));
    ObjectFactoryValue reliability;
    nic.GetAttribute("Reliability", reliability);
    ObjectFactory factory = reliability.Get();
    factory.Set("BdpCap", UintegerValue(packets * payload));
    nic.SetAttribute("Reliability", ObjectFactoryValue(factory));
}

} // namespace

void
SetBdpCap(const Fabric& fabric, uint32_t source, uint32_t destination)
{
    const uint64_t payload = fabric.GetNic(source)->GetPayloadBytes();
    const FlowSpec packet{0, source, destination, 0, payload, Time(0), ""};
    const Time roundTrip = fabric.GetIdealFct(packet) + fabric.GetIdealAcknowledgementTime(packet);
    fabric.VisitNics([&](RoceNic& nic) { CapFlows(nic, roundTrip.GetSeconds()); });
}

} // namespace ns3::lossless
