// SPDX-License-Identifier: GPL-2.0-only
#ifndef OCCUPANCY_SAMPLER_H
#define OCCUPANCY_SAMPLER_H

#include "ns3/lossless-fabric.h"
#include "ns3/nstime.h"
#include "ns3/result-table.h"
#include "ns3/roce-nic.h"
#include "ns3/shared-buffer.h"
#include "ns3/simulator.h"
#include "ns3/switch-node.h"

#include <map>
#include <string>

namespace ns3::lossless
{

/// Samples the egress queue to the receiver of each incast while the incast lasts.
class OccupancySampler
{
  public:
    /// @param fabric the network, whose flows have been set
    /// @param rack the number of hosts per leaf
    /// @param period the time between samples
    OccupancySampler(const Fabric& fabric, uint32_t rack, Time period)
        : m_fabric(fabric),
          m_rack(rack),
          m_period(period)
    {
        for (const FlowSpec& flow : fabric.GetFlows())
        {
            if (flow.group == "incast")
            {
                m_receivers[flow.id] = flow.destination;
                Simulator::Schedule(flow.start, &OccupancySampler::Begin, this, flow.destination);
            }
        }
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            fabric.GetNic(host)->TraceConnectWithoutContext(
                "FlowReceived",
                MakeCallback(&OccupancySampler::NotifyReceived, this));
        }
    }

    /// @return occupancy.csv: the number of samples by queue length, in steps of 1000 bytes
    ResultTable GetTable() const
    {
        auto table = ResultTable::WithHeader("bytes,samples");
        for (const auto& [step, samples] : m_counts)
        {
            std::vector<ResultCell>& row = table.rows.emplace_back();
            row.emplace_back(step * STEP);
            row.emplace_back(samples);
        }
        return table;
    }

  private:
    static constexpr uint64_t STEP = 1000; ///< resolution of queue lengths, in bytes

    void Begin(uint32_t receiver)
    {
        if (m_next.IsExpired())
        {
            m_next = Simulator::ScheduleNow(&OccupancySampler::Sample, this);
        }
        ++m_unfinished[receiver];
    }

    void NotifyReceived(const FlowRecord& record)
    {
        const auto receiver = m_receivers.find(record.flow.id);
        if (receiver != m_receivers.end() && --m_unfinished[receiver->second] == 0)
        {
            m_unfinished.erase(receiver->second);
        }
    }

    void Sample()
    {
        for (const auto& [receiver, flows] : m_unfinished)
        {
            // The first ports of a leaf are those of its hosts, in order.
            const QueueId queue{PortId{static_cast<uint16_t>(receiver % m_rack)}, Priority{0}};
            const auto leaf = m_fabric.GetSwitch("leaf" + std::to_string(receiver / m_rack));
            ++m_counts[leaf->GetSharedBuffer()->GetEgress(queue).bytes / STEP];
        }
        if (!m_unfinished.empty())
        {
            m_next = Simulator::Schedule(m_period, &OccupancySampler::Sample, this);
        }
    }

    const Fabric& m_fabric;
    uint32_t m_rack;                           ///< number of hosts per leaf
    Time m_period;                             ///< time between samples
    EventId m_next;                            ///< event of the next sample
    std::map<uint64_t, uint32_t> m_receivers;  ///< receivers of the incasts' flows, by flow ID
    std::map<uint32_t, uint32_t> m_unfinished; ///< number of unfinished incast flows, by receiver
    std::map<uint64_t, uint64_t> m_counts;     ///< number of samples, keyed by queue length / STEP
};

} // namespace ns3::lossless

#endif /* OCCUPANCY_SAMPLER_H */
