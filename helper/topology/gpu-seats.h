// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GPU_SEATS_H
#define LOSSLESS_GPU_SEATS_H

#include "lossless-topology.h"

#include <cstdint>
#include <vector>

namespace ns3::lossless
{

/// The position of a GPU in a network of servers.
struct GpuSeat
{
    uint32_t server{0}; ///< node index of the server's first NVSwitch
    /// The rail, identified by the number of the first GPU in the server that is attached to one of
    /// this GPU's switches outside the server. The GPUs of a server are numbered from 0, in host
    /// order.
    uint32_t rail{0};
};

/// @return the seats by host index, or an empty list if any host has no link to an NVSwitch
std::vector<GpuSeat> FindGpuSeats(const Topology& topology);

} // namespace ns3::lossless

#endif /* LOSSLESS_GPU_SEATS_H */
