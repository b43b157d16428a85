// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_OCCUPANCY_RECORDER_H
#define LOSSLESS_OCCUPANCY_RECORDER_H

#include "ns3/listen-to.h"
#include "ns3/lossless-fabric.h"
#include "ns3/nstime.h"
#include "ns3/recorder.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// Samples the lengths of the egress queues to the receivers of some flows of class 0, such as
/// those of incasts, while these flows are under way (FAFC, Sec. IV-C). Provides occupancy.csv: the
/// number of samples by length, in steps of 1000 bytes. Supports runs on one rank.
class OccupancyRecorder : public Recorder
{
  public:
    /// @param fabric the network, to which the flows have been passed; it must outlive the run, and
    /// the first port of each receiver must lead to a switch
    /// @param group the label of the flows
    /// @param period the time between samples, above 0
    OccupancyRecorder(const Fabric& fabric, const std::string& group, Time period)
        : m_fabric(fabric),
          m_period(period)
    {
        fabric.VisitFlows([this, &group](const FlowSpec& flow) {
            if (flow.group == group)
            {
                m_receivers[flow.id] = flow.destination;
                Simulator::Schedule(flow.start, &OccupancyRecorder::Begin, this, flow.destination);
            }
        });
        fabric.VisitNics([me = Ptr<OccupancyRecorder>(this)](RoceNic& nic) {
            ListenTo(nic, "FlowReceived", [me](const FlowRecord& record) {
                const auto receiver = me->m_receivers.find(record.flow.id);
                if (receiver != me->m_receivers.end() && --me->m_underWay[receiver->second] == 0)
                {
                    me->m_underWay.erase(receiver->second);
                }
            });
        });
    }

    std::vector<NamedTable> GetTables() const override
    {
        return {{"occupancy", [this] {
                     auto table = ResultTable::WithHeader("bytes,samples");
                     for (const auto& [step, samples] : m_counts)
                     {
                         table.rows.push_back({step * STEP, samples});
                     }
                     return table;
                 }}};
    }

  private:
    static constexpr uint64_t STEP = 1000; ///< resolution of queue lengths, in bytes

    void Begin(uint32_t receiver)
    {
        if (m_next.IsExpired())
        {
            m_next = Simulator::ScheduleNow(&OccupancyRecorder::Sample, this);
        }
        ++m_underWay[receiver];
    }

    /// Samples all queues to which flows are under way, and schedules the next sample.
    void Sample()
    {
        for (const auto& [receiver, flows] : m_underWay)
        {
            const auto port = m_fabric.GetHostDevice(receiver)->GetPeer();
            const auto node = DynamicCast<SwitchNode>(port->GetNode());
            const QueueId queue{PortId{static_cast<uint16_t>(port->GetIfIndex())}, Priority{0}};
            ++m_counts[node->GetSharedBuffer()->GetEgress(queue).bytes / STEP];
        }
        if (!m_underWay.empty())
        {
            m_next = Simulator::Schedule(m_period, &OccupancyRecorder::Sample, this);
        }
    }

    const Fabric& m_fabric;
    Time m_period;                            ///< time between samples
    EventId m_next;                           ///< event of the next sample
    std::map<uint64_t, uint32_t> m_receivers; ///< host index of the receiver, by flow ID
    std::map<uint32_t, uint32_t> m_underWay;  ///< number of flows under way, by receiver
    std::map<uint64_t, uint64_t> m_counts;    ///< number of samples, by queue length / STEP
};

} // namespace ns3::lossless

#endif /* LOSSLESS_OCCUPANCY_RECORDER_H */
