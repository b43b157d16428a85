// SPDX-License-Identifier: GPL-2.0-only
#include "random-tree.h"

#include "ns3/error-model.h"
#include "ns3/lossless-channel.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace ns3::lossless::tests
{

RandomTree::RandomTree(int64_t seed)
    : m_random(CreateObject<UniformRandomVariable>())
{
    m_random->SetStream(seed);
}

uint32_t
RandomTree::Draw(uint32_t least, uint32_t most)
{
    return m_random->GetInteger(least, most);
}

std::string
RandomTree::DrawOf(const std::vector<std::string>& text)
{
    return text[Draw(0, text.size() - 1)];
}

Topology
RandomTree::DrawTopology()
{
    Topology tree;
    std::vector<uint32_t> switches;
    const std::vector<std::string> rates{"10Gbps", "25Gbps", "100Gbps", "400Gbps"};
    const auto link = [&](uint32_t a, uint32_t b) {
        tree.AddLink(a,
                     b,
                     DataRate(DrawOf(rates)),
                     NanoSeconds(Draw(5, Draw(0, 4) ? 2000 : 30000)));
    };
    for (uint32_t i = Draw(1, 4); i > 0; --i)
    {
        const uint32_t node = tree.AddSwitch("s" + std::to_string(i));
        if (!switches.empty())
        {
            link(switches[Draw(0, switches.size() - 1)], node);
        }
        switches.push_back(node);
    }
    for (uint32_t i = Draw(3, 7); i > 0; --i)
    {
        link(tree.AddHost("h" + std::to_string(i)), switches[Draw(0, switches.size() - 1)]);
    }
    return tree;
}

SwitchShape
RandomTree::MakeShape(const SwitchNode& node) const
{
    SwitchShape shape;
    shape.bufferBytes = uint64_t{1} << 40;
    shape.lossless = 0x0e;
    for (uint16_t port = 0; port < node.GetNDevices(); ++port)
    {
        const Ptr<LosslessNetDevice> device = node.GetPortDevice(PortId{port});
        const Time delay = DynamicCast<LosslessChannel>(device->GetChannel())->GetDelay();
        shape.ports.push_back({device->GetDataRate(), delay, m_mtu});
    }
    return shape;
}

void
RandomTree::DrawTraffic()
{
    for (uint32_t i = 0; i < m_fabric->GetNHosts(); ++i)
    {
        m_hosts.push_back(std::make_unique<TestHost>(m_fabric->GetHostDevice(i), i));
    }
    for (const auto& host : m_hosts)
    {
        std::vector<uint32_t> times(15);
        std::generate(times.begin(), times.end(), [this] { return Draw(0, 60000); });
        std::sort(times.begin(), times.end());
        for (const uint32_t time : times)
        {
            uint32_t destination = Draw(0, 1) ? 0 : Draw(0, m_hosts.size() - 1);
            if (GetHostAddress(destination) == host->address)
            {
                destination = (destination + 1) % m_hosts.size();
            }
            const std::array<uint32_t, 3> bytes{60, m_mtu + 14, Draw(60, m_mtu + 14)};
            host->Send(destination,
                       Draw(0, 5) ? Draw(8, 31) : Draw(0, 63),
                       bytes[Draw(0, 2)],
                       Draw(1, 60),
                       NanoSeconds(time));
        }
    }
}

void
RandomTree::DrawErrors(LosslessNetDevice& device)
{
    auto errors = CreateObject<RateErrorModel>();
    errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
    errors->SetRate(m_random->GetValue(0, 0.05));
    errors->AssignStreams(Draw(0, 100000));
    device.SetAttribute("ReceiveErrorModel", PointerValue(errors));
}

void
RandomTree::DrawFlap(LosslessNetDevice& device)
{
    if (Draw(0, 2) > 0)
    {
        return;
    }
    auto channel = DynamicCast<LosslessChannel>(device.GetChannel());
    const Time down = NanoSeconds(Draw(1000, 90000));
    Simulator::Schedule(down, &LosslessChannel::SetUp, channel, false);
    Simulator::Schedule(down + NanoSeconds(Draw(1, 30000)), &LosslessChannel::SetUp, channel, true);
}

void
RandomTree::WatchControl(const SwitchNode& node)
{
    node.GetFlowControl()->TraceConnectWithoutContext(
        "ControlSent",
        MakeCallback(&RandomTree::NotifyControl, this));
}

void
RandomTree::NotifyControl(PortId /* port */, Ptr<const Packet> /* frame */)
{
    m_latest = Simulator::Now();
}

std::string
RandomTree::DescribeEnd() const
{
    std::ostringstream error;
    for (const auto& host : m_hosts)
    {
        error << (host->source.GetBacklog() > 0 ? "a host is left with frames; " : "")
              << (host->received.IsInOrder() ? "" : "order; ");
    }
    error << (m_latest > MilliSeconds(400) ? "flow control goes on for ever; " : "");
    return error.str();
}

} // namespace ns3::lossless::tests
