// SPDX-License-Identifier: GPL-2.0-only
#include "gpu-pods-topology.h"

#include "topology-checks.h"

#include "ns3/attribute-condition.h"
#include "ns3/make-type-id.h"
#include "ns3/uinteger.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(GpuPodsTopology);

const RegisterTopology<GpuPodsTopology> g_gpuPods("gpu-pods", 50, [](TopologyInfo& part) {
    part.what = "GPU servers with NVSwitches, joined by rails";
    part.options = {{"servers", "GpuPodsTopology::Servers"},
                    {"servers-per-pod", "GpuPodsTopology::ServersPerPod"},
                    {"gpus-per-server", "GpuPodsTopology::GpusPerServer"},
                    {"nvswitches", "GpuPodsTopology::NvSwitches"},
                    {"nvlink-rate", "GpuPodsTopology::NvlinkRate"},
                    {"rails", "GpuPodsTopology::Rails"},
                    {"tors-per-rail", "GpuPodsTopology::TorsPerRail"},
                    {"rail-spines", "GpuPodsTopology::Spines"}};
});

const RegisterCondition<GpuPodsTopology> g_nvlink({"NvlinkRate", "NvlinkDelay"},
                                                  "NvSwitches",
                                                  Where::IS_NOT,
                                                  "0");
const RegisterCondition<RegularTopology> g_spineRate({"FabricRate"},
                                                     "ns3::lossless::GpuPodsTopology::Spines",
                                                     Where::IS_NOT,
                                                     "0");

/// The maximum number of NVSwitches per server, and also of spines.
constexpr uint32_t MOST_SPINES = 1024;

TypeId
GpuPodsTopology::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<GpuPodsTopology, RegularTopology>("GpuPodsTopology")
            .AddAttribute("Servers",
                          "GPU pods: total number of servers.",
                          UintegerValue(4),
                          MakeUintegerAccessor(&GpuPodsTopology::m_servers),
                          MakeNodeCountChecker())
            .AddAttribute("ServersPerPod",
                          "GPU pods: servers whose GPUs share top-of-rack switches; 0: all.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&GpuPodsTopology::m_serversPerPod),
                          MakeNodeCountChecker(0))
            .AddAttribute("GpusPerServer",
                          "GPU pods: GPUs per server, each a host.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&GpuPodsTopology::m_gpusPerServer),
                          MakeNodeCountChecker())
            .AddAttribute(
                "NvSwitches",
                "GPU pods: NVSwitches per server, each joined to all of its GPUs; 0: none.",
                UintegerValue(1),
                MakeUintegerAccessor(&GpuPodsTopology::m_nvSwitches),
                MakeUintegerChecker<uint32_t>(0, MOST_SPINES))
            .AddAttribute("NvlinkRate",
                          "GPU pods: rate of a GPU to all NVSwitches of its server together "
                          "(default 450 GB/s: an H100).",
                          DataRateValue(DataRate("3600Gbps")),
                          MakeDataRateAccessor(&GpuPodsTopology::m_nvlinkRate),
                          MakeDataRateChecker())
            .AddAttribute("NvlinkDelay",
                          "Propagation delay of a link to an NVSwitch (default 25 ns: SimAI).",
                          TimeValue(NanoSeconds(25)),
                          MakeTimeAccessor(&GpuPodsTopology::m_nvlinkDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "Rails",
                "GPU pods: rails over which the GPUs of a server are spread; 0: one for each GPU.",
                UintegerValue(0),
                MakeUintegerAccessor(&GpuPodsTopology::m_rails),
                MakeNodeCountChecker(0))
            .AddAttribute(
                "TorsPerRail",
                "GPU pods: top-of-rack switches per rail; a GPU's NIC has a port to each of them.",
                UintegerValue(1),
                MakeUintegerAccessor(&GpuPodsTopology::m_torsPerRail),
                MakeNodeCountChecker())
            .AddAttribute("Spines",
                          "GPU pods: spine switches, each joined to all top-of-rack switches; 0: "
                          "the rails are not joined.",
                          UintegerValue(4),
                          MakeUintegerAccessor(&GpuPodsTopology::m_spines),
                          MakeUintegerChecker<uint32_t>(0, MOST_SPINES));
    return tid;
}

uint32_t
GpuPodsTopology::CountGpus() const
{
    return m_servers * m_gpusPerServer;
}

uint32_t
GpuPodsTopology::GetServersPerPod() const
{
    return m_serversPerPod > 0 ? m_serversPerPod : m_servers;
}

uint32_t
GpuPodsTopology::CountPods() const
{
    return (m_servers + GetServersPerPod() - 1) / GetServersPerPod();
}

uint32_t
GpuPodsTopology::GetRails() const
{
    return m_rails > 0 ? m_rails : m_gpusPerServer;
}

std::optional<std::string>
GpuPodsTopology::Check() const
{
    auto error = FirstComplaint({CheckCount("GPUs", uint64_t{m_servers} * m_gpusPerServer),
                                 CheckRate("NvlinkRate", m_nvlinkRate)});
    if (error)
    {
        return error;
    }
    if (m_serversPerPod > m_servers)
    {
        return "servers per pod are " + std::to_string(m_serversPerPod) +
               "; there must be at most as many as servers, " + std::to_string(m_servers);
    }
    if (m_nvlinkRate.GetBitRate() < m_nvSwitches || GetHostRate().GetBitRate() < m_torsPerRail)
    {
        return "the rate of a GPU's NVLinks, or of its NIC, leaves less than 1 bit/s for each";
    }
    if (GetRails() > m_gpusPerServer)
    {
        return "rails are " + std::to_string(m_rails) + "; there must be at most as many as GPUs " +
               "of a server, " + std::to_string(m_gpusPerServer);
    }
    const uint64_t tors = uint64_t{CountPods()} * GetRails() * m_torsPerRail;
    return CheckCount("top-of-rack switches", tors);
}

Topology
GpuPodsTopology::Make() const
{
    Topology topology;
    for (uint32_t gpu = 0; gpu < CountGpus(); ++gpu)
    {
        topology.AddHost("h" + std::to_string(gpu));
    }
    AddServers(topology);
    AddNetwork(topology);
    return topology;
}

void
GpuPodsTopology::AddServers(Topology& topology) const
{
    const DataRate rate(m_nvlinkRate.GetBitRate() / std::max(m_nvSwitches, 1U));
    for (uint32_t i = 0; i < m_servers * m_nvSwitches; ++i)
    {
        const uint32_t nvSwitch =
            topology.AddSwitch("nvswitch" + std::to_string(i), NVSWITCH_LAYER);
        const uint32_t first = i / m_nvSwitches * m_gpusPerServer;
        for (uint32_t gpu = first; gpu < first + m_gpusPerServer; ++gpu)
        {
            topology.AddLink(gpu, nvSwitch, rate, m_nvlinkDelay);
        }
    }
}

void
GpuPodsTopology::AddNetwork(Topology& topology) const
{
    const uint32_t rails = GetRails();
    std::vector<uint32_t> tors;
    for (uint32_t i = 0; i < CountPods() * rails * m_torsPerRail; ++i)
    {
        tors.push_back(topology.AddSwitch("tor" + std::to_string(i), "tor"));
    }
    const DataRate portRate(GetHostRate().GetBitRate() / m_torsPerRail);
    for (uint32_t gpu = 0; gpu < CountGpus(); ++gpu)
    {
        const uint32_t pod = gpu / m_gpusPerServer / GetServersPerPod();
        const uint32_t rail = gpu % m_gpusPerServer % rails;
        for (uint32_t i = 0; i < m_torsPerRail; ++i)
        {
            const uint32_t tor = tors[(pod * rails + rail) * m_torsPerRail + i];
            topology.AddLink(gpu, tor, portRate, GetDelay());
        }
    }
    for (uint32_t i = 0; i < m_spines; ++i)
    {
        const uint32_t spine = topology.AddSwitch("spine" + std::to_string(i), "spine");
        for (const uint32_t tor : tors)
        {
            topology.AddLink(tor, spine, GetFabricRate(), GetDelay());
        }
    }
}

} // namespace ns3::lossless
