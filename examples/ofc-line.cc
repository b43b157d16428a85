// SPDX-License-Identifier: GPL-2.0-only
//
// Long flows cross a line of switches, and half of them meet bursts at the last switch (OFC, Sec.
// IV: Fig. 2, 4 and 5, Tables I and II).
//
// Half of the flows from s0 to the last switch go to one host, to which hosts at the last switch
// also send bursts. The other flows go to one host each and meet no congestion; they are delayed
// only if the second-to-last switch is stopped because of the congested flows. --rounds repeats
// this traffic.
//
//   ofc-line --scheme=OFC
//   ofc-line --scheme=PFC --buffer-policy=Static
//   ofc-line --switches=2 --rack=32 --long-flows=2 --bursts=8 --burst-window=30us --rounds=100
//
// Hosts are numbered in this order: senders of uncongested flows (from h0), senders of congested
// flows, senders of bursts, receivers of uncongested flows, and the receiver of all other flows.
// flows.csv contains the completion times by group, queue-means.csv the mean lengths of egress
// queues over the whole run, rounds.csv the busy part of the run, and tables.csv the mean numbers
// of entries in OFC's tables. The run ends when all flows have arrived.

#include "parts/ofc-network.h"

#include "ns3/core-module.h"
#include "ns3/lossless-fabric.h"
#include "ns3/ofc-flow-control.h"
#include "ns3/queue-length-recorder.h"
#include "ns3/roce-nic.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Class of long flows, which is the less important one for G-PFC.
constexpr uint8_t LONG_CLASS = 0;

/// Parameters, with the paper's values where stated.
struct Options
{
    OfcParameters network;
    /// Size of a long flow on the wire; calibrated, not stated in the paper.
    uint64_t longBytes{4150000};
    /// Size of a burst on the wire; calibrated, not stated in the paper.
    uint64_t burstBytes{320000};
    uint32_t switches{3};             ///< number of switches in the line
    uint32_t rack{0};                 ///< minimum number of hosts at the first and the last switch
    uint32_t longFlows{1};            ///< number of congested flows, and of uncongested flows
    uint32_t bursts{6};               ///< number of hosts that send a burst
    uint32_t rounds{1};               ///< number of repetitions
    Time roundTime{MilliSeconds(10)}; ///< time from one round to the next
    /// Class of bursts, which differs from that of the long flows for G-PFC.
    uint8_t burstClass{LONG_CLASS};
    Time burstWindow; ///< interval in which bursts start; possibly 30 us in the paper
};

void
AddOptions(Experiment& experiment, Options& o)
{
    o.network.AddOptions(experiment);
    experiment.AddValue("long-bytes",
                        "Each long flow on the wire, in bytes.",
                        o.longBytes,
                        ByteRange{1});
    experiment.AddValue("burst-bytes",
                        "Each burst on the wire, in bytes.",
                        o.burstBytes,
                        ByteRange{1});
    experiment.AddValue("switches", "Switches in the line.", o.switches, Range{2, 64});
    experiment.AddValue("rack",
                        "Minimum number of hosts at the first and the last switch.",
                        o.rack);
    experiment.AddValue("long-flows",
                        "Congested long flows; there are as many uncongested ones.",
                        o.longFlows,
                        Range{1, 64});
    experiment.AddValue("bursts", "Hosts that send a burst.", o.bursts, Range{0, 64});
    experiment.AddValue("rounds", "Times that all flows are sent.", o.rounds, Range{1, 100000});
    experiment.AddValue("round-time",
                        "From one round to the next; must exceed the length of a round.",
                        o.roundTime,
                        Range::Above(0));
    experiment.AddValue("burst-class",
                        "Class of the bursts; long flows have 0.",
                        o.burstClass,
                        Range{0, 6});
    experiment.AddValue("burst-window",
                        "Time in which bursts start, at random.",
                        o.burstWindow,
                        Range{0});
}

/// Number of the first host of each role.
struct Roles
{
    explicit Roles(const Options& o)
        : congestedSender(o.longFlows),
          burstSender(std::max(2 * o.longFlows, o.rack)),
          receiver(burstSender + o.bursts),
          hotReceiver(receiver + o.longFlows),
          hosts(std::max(hotReceiver + 1, burstSender + o.rack))
    {
    }

    uint32_t congestedSender; ///< first congested sender, after the uncongested ones
    uint32_t burstSender;     ///< first host at the last switch
    uint32_t receiver;        ///< first receiver of uncongested flows
    uint32_t hotReceiver;     ///< receiver of all other flows
    uint32_t hosts;           ///< total number of hosts
};

Topology
MakeTopology(const Options& o)
{
    const Roles roles(o);
    LineOptions line;
    line.hostsPerSwitch.assign(o.switches, 0);
    line.hostsPerSwitch.front() = roles.burstSender;
    line.hostsPerSwitch.back() = roles.hosts - roles.burstSender;
    line.hostRate = line.fabricRate = o.network.rate;
    line.delay = o.network.delay;
    return Topology::Line(line);
}

FlowList
MakeFlows(const Options& o)
{
    const Roles roles(o);
    const uint64_t longBytes = OfcParameters::GetPayload(o.longBytes);
    const uint64_t burstBytes = OfcParameters::GetPayload(o.burstBytes);
    WorkloadRandom random;
    random.AssignStreams(WORKLOAD_STREAM);
    FlowList flows;
    for (uint32_t round = 0; round < o.rounds; ++round)
    {
        const Time start = round * o.roundTime;
        const auto add = [&](uint32_t from, uint32_t to, uint64_t bytes, Time wait) {
            const bool isLong = from < roles.burstSender;
            flows.push_back({flows.size(),
                             from,
                             to,
                             isLong ? LONG_CLASS : o.burstClass,
                             bytes,
                             start + wait,
                             to == roles.hotReceiver ? "congested" : "uncongested"});
        };
        for (uint32_t i = 0; i < o.longFlows; ++i)
        {
            add(i, roles.receiver + i, longBytes, Time(0));
            add(roles.congestedSender + i, roles.hotReceiver, longBytes, Time(0));
        }
        for (uint32_t i = 0; i < o.bursts; ++i)
        {
            add(roles.burstSender + i,
                roles.hotReceiver,
                burstBytes,
                random.DrawJitter(o.burstWindow));
        }
    }
    SortByStart(flows);
    return flows;
}

/// Records the duration of each round.
class RoundRecorder
{
  public:
    RoundRecorder(const Fabric& fabric, const Options& o)
        : m_roundTime(o.roundTime),
          m_ends(o.rounds)
    {
        for (uint32_t host = 0; host < fabric.GetNHosts(); ++host)
        {
            fabric.GetNic(host)->TraceConnectWithoutContext(
                "FlowReceived",
                MakeCallback(&RoundRecorder::NotifyReceived, this));
        }
    }

    /// @return rounds.csv: the number, start and duration of each round
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
            // Otherwise, the run was interrupted before this round ended.
            if (m_ends[round].IsStrictlyPositive())
            {
                length = m_ends[round] - start;
            }
        }
        return table;
    }

    /// @return whether any round was still running when the next one began
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
    /// Handles the arrival of a flow.
    /// @param record the flow, at its receiver
    void NotifyReceived(const FlowRecord& record)
    {
        const auto round =
            static_cast<std::size_t>(record.start.GetTimeStep() / m_roundTime.GetTimeStep());
        Time& end = m_ends[std::min(round, m_ends.size() - 1)]; // the last round has no end time
        end = std::max(end, Simulator::Now());
    }

    Time m_roundTime;         ///< time between the starts of rounds
    std::vector<Time> m_ends; ///< time of the last arrival, by round
};

/// Samples the tables of OFC switches, if there are any.
class TableSampler
{
  public:
    /// Samples every microsecond.
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
    /// Takes a sample and schedules the next one.
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
    std::vector<std::pair<uint32_t, Ptr<OfcFlowControl>>>
        m_controls; ///< flow control of each switch
    std::map<std::pair<uint32_t, uint16_t>, OfcFlowControl::TableSizes>
        m_sums;            ///< sum of the samples, by port
    uint32_t m_samples{0}; ///< number of samples so far
};

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(__FILE__,
                          "Flows that share a line of switches with congested ones (OFC, Fig. 2, 4 "
                          "and 5, Tables I and II).",
                          "OFC");
    Options options;
    AddOptions(experiment, options);
    experiment.Parse(argc, argv);
    options.network.Check(experiment);
    experiment.RequireUse({"burst-class", "burst-bytes", "burst-window"},
                          options.bursts > 0,
                          "--bursts above 0");
    experiment.RequireUse({"round-time"}, options.rounds > 1, "--rounds above 1");
    experiment.Require(options.rounds == 1 || options.burstWindow < options.roundTime,
                       "--burst-window must be less than --round-time");

    const PrioritySet classes = SetOf(Priority{LONG_CLASS}) | SetOf(Priority{options.burstClass});
    Fabric fabric(MakeTopology(options),
                  options.network.MakeSwitches(experiment, classes),
                  options.network.MakeNics());
    fabric.AssignStreams(1);
    experiment.GetResults().AddRecorder(CreateObject<QueueLengthRecorder>(), "queue-means");
    experiment.GetResults().AddFabric(fabric);
    TableSampler tables(fabric);
    if (tables.HasTables())
    {
        experiment.GetResults().AddTable("tables", [&] { return tables.GetTable(); });
    }
    RoundRecorder rounds(fabric, options);
    experiment.GetResults().AddTable("rounds", [&] { return rounds.GetTable(); });
    fabric.StartFlows(MakeFlows(options));
    fabric.StopWhenFlowsAreDone(Seconds(1));

    experiment.Run();
    experiment.Require(experiment.IsInterrupted() || !rounds.HasOverlap(),
                       "--round-time is too short: a round had not ended when the next one began");
    return experiment.Finish();
}
