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
 * GPU g of a server is on rail g modulo "Rails". A pod has one ToR per rail, or two if a NIC has
 * two ports ("TorsPerRail"), connected to the GPUs of this rail in all servers of the pod. Spines
 * connect all ToRs; without spines the network is rail-only: GPUs of different rails and servers
 * have no path, because hosts do not forward.
 *
 * Hosts are numbered server by server. Flows take the shortest path: NVLink within a server, the
 * ToR within a rail and pod, otherwise the spines. The total NVLink rate of a GPU is "NvlinkRate",
 * the rate of its NIC's ports "HostRate".
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
    /// @return number of pods, the last of which may have fewer servers
    uint32_t CountPods() const;
    uint32_t GetServersPerPod() const;
    uint32_t GetRails() const;
    /// Adds the NVSwitches, and their links to the GPUs.
    void AddServers(Topology& topology) const;
    /// Adds the ToRs and spines, and their links.
    void AddNetwork(Topology& topology) const;

    uint32_t m_servers{0};       ///< total
    uint32_t m_serversPerPod{0}; ///< 0: all
    uint32_t m_gpusPerServer{0};
    uint32_t m_nvSwitches{0};  ///< per server
    DataRate m_nvlinkRate;     ///< per GPU, all NVSwitches together
    Time m_nvlinkDelay;        ///< of each link to an NVSwitch
    uint32_t m_rails{0};       ///< per pod; 0: one for each GPU of a server
    uint32_t m_torsPerRail{0}; ///< per pod
    uint32_t m_spines{0};
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GPU_PODS_TOPOLOGY_H */
