// SPDX-License-Identifier: GPL-2.0-only
#include "star-run.h"

#include "ns3/congestion-control.h"
#include "ns3/listen-to.h"
#include "ns3/lossless-net-device.h"
#include "ns3/object-factory.h"
#include "ns3/roce-nic.h"
#include "ns3/shared-buffer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <numeric>

namespace ns3::lossless::tests
{

uint64_t
StarOutcome::GetMaxQueue() const
{
    return *std::max_element(queue.begin(), queue.end());
}

uint64_t
StarOutcome::GetMinQueue() const
{
    return *std::min_element(queue.begin(), queue.end());
}

double
StarOutcome::GetMeanQueue() const
{
    return std::accumulate(queue.begin(), queue.end(), 0.0) / static_cast<double>(queue.size());
}

StarRunner::StarRunner(const StarRun& run)
    : m_run(run)
{
}

StarOutcome
StarRunner::Run()
{
    StarOptions options{m_run.senders + 1, DataRate(m_run.rate), m_run.delay};
    SwitchHelper switches;
    switches.SetAttribute("Marker", StringValue(m_run.marker));
    ObjectFactory nics("ns3::lossless::RoceNic");
    nics.Set("CongestionControl", StringValue(m_run.control));
    Fabric fabric(Topology::Star(options), switches, nics);
    m_fabric = &fabric;
    fabric.AssignStreams(1);
    if (m_run.knowsBaseRtt)
    {
        fabric.SetBaseRtt(0, m_run.senders);
        m_outcome.baseRtt = GetBaseRtt();
    }
    fabric.StartFlows(MakeFlows());
    ListenTo(*fabric.GetHostDevice(0), "PhyTxBegin", [this](Ptr<const Packet> /* packet */) {
        m_outcome.departure.push_back(Simulator::Now().GetNanoSeconds());
    });
    Simulator::Schedule(m_run.from, &StarRunner::Begin, this);
    Simulator::Stop(m_run.until);
    Simulator::Run();
    Finish();
    Simulator::Destroy();
    return m_outcome;
}

FlowList
StarRunner::MakeFlows() const
{
    FlowList flows;
    for (uint32_t i = 0; i < m_run.senders; ++i)
    {
        const uint64_t bytes = 1000000000000; // effectively infinite
        const Time start = i + 1 == m_run.senders ? m_run.lastStart : Time(0);
        flows.push_back({i, i, m_run.senders, 1, bytes, start, ""});
    }
    return flows;
}

uint64_t
StarRunner::GetSent(uint32_t host) const
{
    return m_fabric->GetNic(host)->GetCounts().dataSent;
}

Time
StarRunner::GetBaseRtt() const
{
    ObjectFactoryValue control;
    m_fabric->GetNic(0)->GetAttribute("CongestionControl", control);
    TimeValue baseRtt;
    control.Get().Create<CongestionControl>()->GetAttribute("BaseRtt", baseRtt);
    return baseRtt.Get();
}

void
StarRunner::Begin()
{
    for (uint32_t i = 0; i < m_run.senders; ++i)
    {
        m_outcome.packets.push_back(GetSent(i));
    }
    Look();
}

void
StarRunner::Look()
{
    const QueueId queue{PortId(static_cast<uint16_t>(m_run.senders)), Priority{1}};
    m_outcome.queue.push_back(m_fabric->GetSwitch(0)->GetSharedBuffer()->GetEgress(queue).bytes);
    Simulator::Schedule(MicroSeconds(1), &StarRunner::Look, this);
}

void
StarRunner::Finish()
{
    double sum = 0;
    double squares = 0;
    for (uint32_t i = 0; i < m_run.senders; ++i)
    {
        m_outcome.packets[i] = GetSent(i) - m_outcome.packets[i];
        const auto packets = static_cast<double>(m_outcome.packets[i]);
        sum += packets;
        squares += packets * packets;
    }
    const Ptr<RoceNic> nic = m_fabric->GetNic(0);
    const double packetSeconds = m_fabric->GetHostDevice(0)->GetSlotSeconds(
        RoceNic::GetFrameBytes(nic->GetPayloadBytes(), nic->GetOptionBytes()));
    const double capacity = (m_run.until - m_run.from).GetSeconds() / packetSeconds;
    m_outcome.jain = sum * sum / (m_run.senders * squares);
    m_outcome.utilisation = sum / capacity;
    m_outcome.lastShare = static_cast<double>(m_outcome.packets.back()) * m_run.senders / capacity;
}

} // namespace ns3::lossless::tests
