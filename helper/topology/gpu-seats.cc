// SPDX-License-Identifier: GPL-2.0-only
#include "gpu-seats.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3::lossless
{

std::vector<GpuSeat>
FindGpuSeats(const Topology& topology)
{
    std::vector<GpuSeat> seats;
    std::map<uint32_t, uint32_t> taken; // number of GPUs seen so far, by server
    std::map<std::pair<uint32_t, uint32_t>, uint32_t>
        firstAtSwitch; // number of the first GPU, by server and switch
    for (const uint32_t host : topology.GetHosts())
    {
        const auto& ports = topology.GetPorts(host);
        const auto isWithin = [&topology](const Topology::PortInfo& port) {
            return topology.GetNodes()[port.peer].layer == NVSWITCH_LAYER;
        };
        const auto within = std::find_if(ports.begin(), ports.end(), isWithin);
        if (within == ports.end())
        {
            return {};
        }
        GpuSeat seat;
        seat.server = within->peer;
        const uint32_t number = taken[seat.server]++;
        seat.rail = number;
        for (const Topology::PortInfo& port : ports)
        {
            if (!isWithin(port))
            {
                const std::pair key(seat.server, port.peer);
                seat.rail = std::min(seat.rail, firstAtSwitch.emplace(key, number).first->second);
            }
        }
        seats.push_back(seat);
    }
    return seats;
}

} // namespace ns3::lossless
