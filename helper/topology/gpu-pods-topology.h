// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GPU_PODS_TOPOLOGY_H
#define LOSSLESS_GPU_PODS_TOPOLOGY_H

#include "topology-part.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Servers of GPUs, each of which is a host with ports to the NVSwitches of its server and to the
 * top-of-rack switches (ToRs) of its rail.
 *
 * GPU g of a server is on rail g modulo "Rails". A pod has one ToR for each rail, or two if a NIC
 * has two ports ("TorsPerRail"), to which the GPUs of this rail in all servers of the pod are
 * joined. Spines join all ToRs; without spines the network is rail-only: GPUs of different rails
 * and servers have no path, since hosts do not forward.
 *
 * Hosts are numbered server by server. Flows take the shortest path: within a server NVLink, within
 * a rail and pod the ToR, else the spines. The rate of a GPU's NVLinks together is "NvlinkRate",
 * that of the ports of its NIC "HostRate".
 */
class GpuPodsTopology : public RegularTopology
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    std::optional<std::string> Check() const override;
    Topology Make() const override;

  private:
    /// @return GPUs of all servers
    uint32_t CountGpus() const;
    /// @return pods, the last of which may have fewer servers
    uint32_t CountPods() const;
    /// @return servers of a pod
    uint32_t GetServersPerPod() const;
    /// @return rails of a pod
    uint32_t GetRails() const;
    /// @param topology gets the NVSwitches, and their links to the GPUs
    void AddServers(Topology& topology) const;
    /// @param topology gets the ToRs and spines, and their links
    void AddNetwork(Topology& topology) const;

    uint32_t m_servers{0};       ///< in all
    uint32_t m_serversPerPod{0}; ///< 0: all
    uint32_t m_gpusPerServer{0}; ///< in each
    uint32_t m_nvSwitches{0};    ///< of each server
    DataRate m_nvlinkRate;       ///< of a GPU, all NVSwitches together
    Time m_nvlinkDelay;          ///< of each link to an NVSwitch
    uint32_t m_rails{0};         ///< of a pod; 0: as many as GPUs of a server
    uint32_t m_torsPerRail{0};   ///< in each pod
    uint32_t m_spines{0};        ///< above all ToRs
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GPU_PODS_TOPOLOGY_H */
