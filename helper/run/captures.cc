// SPDX-License-Identifier: GPL-2.0-only
#include "captures.h"

#include "ns3/lossless-helper.h"
#include "ns3/names.h"
#include "ns3/net-device-container.h"
#include "ns3/place-pattern.h"

#include <filesystem>
#include <set>

namespace ns3::lossless
{

namespace
{

/// @param pattern the ports, as NODE:PORT
/// @return the devices of the matching ports
std::set<Ptr<NetDevice>>
FindDevices(const Topology& topology, const PlacePattern& pattern)
{
    std::set<Ptr<NetDevice>> found;
    for (const Topology::NodeInfo& info : topology.GetNodes())
    {
        const auto node = Names::Find<Node>(info.name);
        for (uint32_t port = 0; node && port < node->GetNDevices(); ++port)
        {
            const auto device = DynamicCast<LosslessNetDevice>(node->GetDevice(port));
            if (device && pattern.Matches({info.name, std::to_string(port)}))
            {
                found.insert(device);
            }
        }
    }
    return found;
}

} // namespace

void
Captures::AddOptions(Experiment& experiment)
{
    experiment.AddValue(
        "pcap",
        "Ports whose frames are captured for Wireshark: NODE:PORT, such as leaf0:3, or leaf0:* for "
        "all ports of a node; several, separated by commas.",
        m_ports);
    experiment.AddValue("pcap-prefix",
                        "Prefix of capture files, which are PREFIX-NODE-PORT.pcap; if it ends with "
                        "a slash, a folder that exists.",
                        m_prefix);
}

void
Captures::Install(const Experiment& experiment, const Fabric& fabric) const
{
    experiment.RequireUse({"pcap-prefix"}, !m_ports.empty(), "--pcap");
    if (m_ports.empty())
    {
        return;
    }
    experiment.Require(!m_prefix.empty(),
                       "--pcap-prefix is empty; it must be how the names of files begin");
    const auto folder = std::filesystem::path(m_prefix).parent_path();
    experiment.Require(folder.empty() || std::filesystem::is_directory(folder),
                       "--pcap-prefix is \"" + m_prefix + "\"; there is no folder " +
                           folder.string());
    std::set<Ptr<NetDevice>> devices;
    for (const PlacePattern& pattern : PlacePattern::ReadList(m_ports))
    {
        const auto found = FindDevices(fabric.GetTopology(), pattern);
        experiment.Require(!found.empty(),
                           "--pcap: \"" + pattern.GetText() +
                               "\" matches no port; write NODE:PORT, as leaf0:* (topology.csv "
                               "names the nodes)");
        devices.insert(found.begin(), found.end());
    }
    if (experiment.IsDryRun())
    {
        return;
    }
    for (const Ptr<NetDevice>& device : devices)
    {
        // The file is created in an event, so that a rejected run leaves no file behind.
        Simulator::ScheduleNow([device, prefix = m_prefix] {
            LosslessHelper().EnablePcap(prefix, NetDeviceContainer(device));
        });
    }
}

} // namespace ns3::lossless
