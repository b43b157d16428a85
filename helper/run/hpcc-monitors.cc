// SPDX-License-Identifier: GPL-2.0-only
#include "hpcc-monitors.h"

#include "ns3/listen-to.h"
#include "ns3/lossless-net-device.h"
#include "ns3/ranks.h"
#include "ns3/shared-buffer.h"
#include "ns3/short-text.h"
#include "ns3/simulator.h"
#include "ns3/switch-node.h"
#include "ns3/transmit-gate.h"

#include <algorithm>
#include <iostream>
#include <sstream>

namespace ns3::lossless
{

namespace
{

const std::string PFC_OPTION = "pfc-file";
const std::string QLEN_OPTION = "qlen-file";

} // namespace

void
HpccMonitors::AddOptions(Experiment& experiment)
{
    m_experiment = &experiment;
    experiment.AddOutput(PFC_OPTION, "File for stopped classes in the forks' format (pfc.txt)");
    experiment.AddOutput(QLEN_OPTION,
                         "File for queue lengths in the forks' format (qlen.txt)",
                         {"qlen-from", "qlen-until", "qlen-interval"});
    experiment.AddValue("qlen-from", "Time of the first sample of --qlen-file.", m_from, Range{0});
    experiment.AddValue("qlen-until", "Time of the last sample of --qlen-file.", m_until, Range{0});
    experiment.AddValue("qlen-interval",
                        "Time between samples of --qlen-file.",
                        m_interval,
                        Range::Above(0));
}

void
HpccMonitors::Check() const
{
    const bool wantsLengths = !m_experiment->GetOutput(QLEN_OPTION).empty();
    const bool isWanted = wantsLengths || !m_experiment->GetOutput(PFC_OPTION).empty();
    m_experiment->Require(!isWanted || !Ranks::AreSeveral(),
                          "--" + PFC_OPTION + " and --" + QLEN_OPTION + " are for one rank");
    m_experiment->Require(m_from <= m_until, "--qlen-from must be at most --qlen-until");
}

void
HpccMonitors::Install(Fabric& fabric)
{
    m_fabric = &fabric;
    const Topology& topology = fabric.GetTopology();
    if (!m_experiment->GetOutput(PFC_OPTION).empty())
    {
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            Watch(*fabric.GetSwitch(i), topology.GetSwitches()[i], true);
        }
        for (uint32_t i = 0; i < fabric.GetNHosts(); ++i)
        {
            Watch(*fabric.GetHost(i), topology.GetHosts()[i], false);
        }
    }
    if (!m_experiment->GetOutput(QLEN_OPTION).empty())
    {
        m_histograms.resize(fabric.GetNSwitches());
        Simulator::Schedule(m_from, &HpccMonitors::Sample, this);
    }
}

void
HpccMonitors::Watch(const Node& node, uint32_t id, bool isSwitch)
{
    for (uint32_t port = 0; port < node.GetNDevices(); ++port)
    {
        const auto note = [this, id, isSwitch, port](PrioritySet classes, bool stops) {
            for (PrioritySet rest = classes; rest != 0; rest &= rest - 1)
            {
                m_changes.push_back({Simulator::Now(), id, isSwitch, port, stops});
            }
        };
        const Ptr<TransmitGate> gate =
            DynamicCast<LosslessNetDevice>(node.GetDevice(port))->GetGate();
        ListenTo(*gate, "Closed", [note](PrioritySet classes) { note(classes, true); });
        ListenTo(*gate, "Opened", [note](PrioritySet classes) { note(classes, false); });
    }
}

void
HpccMonitors::Sample()
{
    constexpr uint64_t KILOBYTE = 1000;
    m_sampled = Simulator::Now();
    for (std::size_t i = 0; i < m_histograms.size(); ++i)
    {
        const Ptr<SwitchNode> node = m_fabric->GetSwitch(i);
        const Ptr<SharedBuffer> buffer = node->GetSharedBuffer();
        m_histograms[i].resize(node->GetNDevices());
        for (uint16_t port = 0; port < node->GetNDevices(); ++port)
        {
            uint64_t bytes = 0;
            for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
            {
                bytes += buffer->GetEgress({PortId{port}, Priority{p}}).bytes;
            }
            Histogram& counts = m_histograms[i][port];
            counts.resize(std::max<std::size_t>(counts.size(), bytes / KILOBYTE + 1));
            ++counts[bytes / KILOBYTE];
        }
    }
    if (IsBlockTime())
    {
        m_blocks += DescribeQueues();
    }
    if (m_sampled < m_until)
    {
        Simulator::Schedule(m_interval, &HpccMonitors::Sample, this);
    }
}

std::string
HpccMonitors::DescribeQueues() const
{
    std::ostringstream text;
    text << "time: " << m_sampled.GetNanoSeconds() << '\n';
    for (std::size_t i = 0; i < m_histograms.size(); ++i)
    {
        for (std::size_t port = 0; port < m_histograms[i].size(); ++port)
        {
            text << m_fabric->GetTopology().GetSwitches()[i] << ' ' << port + 1;
            for (const uint64_t count : m_histograms[i][port])
            {
                text << ' ' << count;
            }
            text << '\n';
        }
    }
    return text.str();
}

void
HpccMonitors::Write(Experiment& experiment) const
{
    if (experiment.IsInterrupted()) // the files would not show that they are incomplete
    {
        return;
    }
    experiment.WriteOutput(PFC_OPTION, [this](std::ostream& os) {
        // Only those of each node are in order of time, because windows execute node after node.
        std::vector<Change> changes = m_changes;
        std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
            return a.time < b.time;
        });
        for (const Change& change : changes)
        {
            os << change.time.GetNanoSeconds() << ' ' << change.node << ' ' << change.isSwitch
               << ' ' << change.port + 1 << ' ' << change.stops << '\n';
        }
    });
    const std::string lengths = experiment.GetOutput(QLEN_OPTION);
    if (!lengths.empty() && Simulator::Now() < m_from)
    {
        std::cerr << lengths << " has no sample, since the run has ended before --qlen-from, "
                  << FormatTime(m_from) << "." << std::endl;
    }
    experiment.WriteOutput(QLEN_OPTION, [this](std::ostream& os) {
        os << m_blocks << (IsBlockTime() || m_histograms.empty() ? "" : DescribeQueues());
    });
}

} // namespace ns3::lossless
