// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GPU_PODS_TOPOLOGY_H
#define LOSSLESS_GPU_PODS_TOPOLOGY_H

#include "topology-part.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * A network of GPU servers. Each GPU is a host with ports to the NVSwitches of its server and to
 * the top-of-rack switches (ToRs) of its rail.
 *
 * GPU g of a server is on rail g modulo "Rails". A pod has one ToR per rail, or several if each NIC
 * has several ports ("TorsPerRail"). A ToR has links to the GPUs of its rail in all servers of the
 * pod. Spines connect all ToRs. Without spines, the network is rail-only. GPUs in different servers
 * then have a path only if they are on the same rail of the same pod, because hosts do not forward.
 *
 * Hosts are numbered server by server. Flows take the shortest path, which uses NVLink within a
 * server, a ToR within a rail of a pod, and a spine otherwise. "NvlinkRate" is the total NVLink
 * rate of a GPU, and "HostRate" is the total rate of its NIC's ports.
 */
class GpuPodsTopology : public RegularTopology
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    std::optional<std::string> Check() const override;
    Topology Make() const override;

  private:
    /// @return the number of GPUs in all servers
    uint32_t CountGpus() const;
    /// @return the number of pods. The last pod may have fewer servers than the others.
    uint32_t CountPods() const;
    uint32_t GetServersPerPod() const;
    uint32_t GetRails() const;
    /// Adds the NVSwitches and their links to the GPUs.
    void AddServers(Topology& topology) const;
    /// Adds the ToRs, the spines and their links.
    void AddNetwork(Topology& topology) const;

    uint32_t m_servers{0};       ///< total number of servers
    uint32_t m_serversPerPod{0}; ///< number of servers per pod, or 0 to put all servers in one pod
    uint32_t m_gpusPerServer{0};
    uint32_t m_nvSwitches{0};  ///< number of NVSwitches per server
    DataRate m_nvlinkRate;     ///< total rate of a GPU's links to all NVSwitches
    Time m_nvlinkDelay;        ///< delay of each link to an NVSwitch
    uint32_t m_rails{0};       ///< number of rails per pod, or 0 for one rail per GPU of a server
    uint32_t m_torsPerRail{0}; ///< number of ToRs per rail in each pod
    uint32_t m_spines{0};
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GPU_PODS_TOPOLOGY_H */
