// SPDX-License-Identifier: GPL-2.0-only
#ifndef OFC_LINE_MEASURES_H
#define OFC_LINE_MEASURES_H

#include "ns3/lossless-fabric.h"
#include "ns3/nstime.h"
#include "ns3/ofc-flow-control.h"
#include "ns3/result-table.h"
#include "ns3/roce-nic.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/// Records the duration of each round.
class RoundRecorder
{
  public:
    /// @param fabric the network
    /// @param rounds the number of rounds
    /// @param roundTime the time from the start of one round to the next
    RoundRecorder(const Fabric& fabric, uint32_t rounds, Time roundTime)
        : m_roundTime(roundTime),
          m_ends(rounds)
    {
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            fabric.GetNic(host)->TraceConnectWithoutContext(
                "FlowReceived",
                MakeCallback(&RoundRecorder::NotifyReceived, this));
        }
    }

    /// @return rounds.csv: the number, start and length of each round
    ResultTable GetTable() const
    {
        ResultTable table{{"round", "start_ns", "length_ns"}, {}};
        for (std::size_t round = 0; round < m_ends.size(); ++round)
        {
            const Time start = static_cast<int64_t>(round) * m_roundTime;
            std::vector<ResultCell>& row = table.rows.emplace_back();
            row.emplace_back(round);
            row.emplace_back(start);
            ResultCell& length = row.emplace_back();
            // A round without an end was interrupted.
            if (m_ends[round].IsStrictlyPositive())
            {
                length = m_ends[round] - start;
            }
        }
        return table;
    }

    /// @return whether a round was still running when the next one began
    bool HasOverlap() const
    {
        for (std::size_t round = 0; round + 1 < m_ends.size(); ++round)
        {
            if (m_ends[round] > static_cast<int64_t>(round + 1) * m_roundTime)
            {
                return true;
            }
        }
        return false;
    }

  private:
    /// @param record a flow that has arrived completely
    void NotifyReceived(const FlowRecord& record)
    {
        const auto round =
            static_cast<std::size_t>(record.start.GetTimeStep() / m_roundTime.GetTimeStep());
        Time& end = m_ends[std::min(round, m_ends.size() - 1)]; // the last round is not limited
        end = std::max(end, Simulator::Now());
    }

    Time m_roundTime;         ///< time from the start of one round to the next
    std::vector<Time> m_ends; ///< time of the last arrival, by round
};

/// Samples the tables of OFC switches, if there are any, every microsecond.
class TableSampler
{
  public:
    explicit TableSampler(const Fabric& fabric)
        : m_fabric(fabric)
    {
        for (uint32_t i = 0; i < fabric.GetNSwitches(); ++i)
        {
            if (auto ofc = DynamicCast<OfcFlowControl>(fabric.GetSwitch(i)->GetFlowControl()))
            {
                m_controls.emplace_back(i, ofc);
            }
        }
        if (!m_controls.empty())
        {
            Simulator::ScheduleNow(&TableSampler::Sample, this);
        }
    }

    bool HasTables() const
    {
        return !m_controls.empty();
    }

    /// @return tables.csv: the mean number of entries, by port
    ResultTable GetTable() const
    {
        ResultTable table{{"node", "port", "in_port", "congested", "asked"}, {}};
        const Topology& topology = m_fabric.GetTopology();
        for (const auto& [key, sum] : m_sums)
        {
            const auto mean = [&](std::size_t entries) {
                return static_cast<double>(entries) / m_samples;
            };
            table.rows.push_back({topology.GetNodes()[topology.GetSwitches()[key.first]].name,
                                  key.second,
                                  mean(sum.inPort),
                                  mean(sum.congested),
                                  mean(sum.asked)});
        }
        return table;
    }

  private:
    void Sample()
    {
        ++m_samples;
        for (const auto& [index, ofc] : m_controls)
        {
            for (uint16_t port = 0; port < m_fabric.GetSwitch(index)->GetNDevices(); ++port)
            {
                const OfcFlowControl::TableSizes now = ofc->GetTableSizes(PortId{port});
                OfcFlowControl::TableSizes& sum = m_sums[{index, port}];
                sum.inPort += now.inPort;
                sum.congested += now.congested;
                sum.asked += now.asked;
            }
        }
        Simulator::Schedule(MicroSeconds(1), &TableSampler::Sample, this);
    }

    const Fabric& m_fabric;
    /// Flow controls with the indices of their switches.
    std::vector<std::pair<uint32_t, Ptr<OfcFlowControl>>> m_controls;
    /// Sums of the table sizes, by switch index and port.
    std::map<std::pair<uint32_t, uint16_t>, OfcFlowControl::TableSizes> m_sums;
    uint32_t m_samples{0}; ///< number of samples so far
};

} // namespace ns3::lossless

#endif /* OFC_LINE_MEASURES_H */
