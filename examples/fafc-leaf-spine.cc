// SPDX-License-Identifier: GPL-2.0-only
//
// Flow completion times and incasts in a data center (FAFC, Sec. IV-C, Figs. 6 to 9).
//
// In a leaf-spine network, flows between random pairs of hosts arrive at random times, with sizes
// from a workload. In addition, many hosts send to one host simultaneously at fixed intervals. All
// flows are in one class.
//
//   fafc-leaf-spine --scheme=FAFC --congestion-control=HPCC
//   fafc-leaf-spine --scheme=PFC --buffer-policy=Static --trigger=250000
//   fafc-leaf-spine --sizes=grpc --congestion-control=DCTCP --arrivals=2ms
//
// --trigger sets the pause threshold of FAFC and, without --xoff, the XOFF threshold of PFC, as in
// the paper. flows.csv contains the completion times by group; occupancy.csv contains the lengths
// of the queues to receivers of an incast while it lasts. The run ends when all flows have arrived.

#include "parts/fafc-network.h"

#include "ns3/core-module.h"
#include "ns3/lossless-fabric.h"

#include <map>
#include <vector>

using namespace ns3;
using namespace ns3::lossless;

namespace
{

/// Parameters, with the paper's values where stated.
struct Options
{
    FafcParameters network;
    LeafSpineOptions leafSpine;
    DataRate fabricRate{"100Gbps"}; ///< rate of links between leaf and spine
    double load{0.3}; ///< load of the background flows, the payload as a share of the capacity of
                      ///< the hosts' links
    std::string sizes{"hadoop"};        ///< flow-size table of the background flows
    uint32_t fanIn{60};                 ///< number of senders of an incast; 0 for no incasts
    uint64_t fanInBytes{500000};        ///< number of bytes per sender of an incast
    double fanInLoad{0.02};             ///< load of the incasts
    Time arrivals{MilliSeconds(20)};    ///< latest start of a flow; not stated in the paper
    Time samplePeriod{MicroSeconds(5)}; ///< sampling period of occupancy.csv
};

void
AddOptions(Experiment& experiment, Options& o)
{
    o.network.xoff = 0;
    o.leafSpine.leaves = 12;
    o.leafSpine.spines = 6;
    o.leafSpine.hostsPerLeaf = 24;
    o.network.AddOptions(experiment);
    experiment.AddValue("fabric-rate",
                        "Rate of the links between switches.",
                        o.fabricRate,
                        Range::Above(0));
    experiment.AddValue("leaves", "Leaf switches.", o.leafSpine.leaves);
    experiment.AddValue("spines", "Spine switches.", o.leafSpine.spines);
    experiment.AddValue("hosts-per-leaf", "Hosts at each leaf.", o.leafSpine.hostsPerLeaf);
    experiment.AddValue("load",
                        "Load of the background: its payload by what the hosts' links carry.",
                        o.load,
                        Range::Above(0, 2));
    experiment.AddValue("sizes", "Flow-size table of the background.", o.sizes);
    experiment.AddValue("incast-senders", "Senders of an incast; 0: there are none.", o.fanIn);
    experiment.AddValue("incast-bytes",
                        "Payload that each of them sends, in bytes.",
                        o.fanInBytes,
                        ByteRange{1});
    experiment.AddValue("incast-load", "Load of incasts.", o.fanInLoad, Range::Above(0, 2));
    experiment.AddValue("arrivals", "Time in which flows start.", o.arrivals, Range::Above(0));
    experiment.AddValue("sample-period",
                        "Time between samples of occupancy.csv.",
                        o.samplePeriod,
                        Range::Above(0));
}

/// @return the time between incasts; 0 if there are none
Time
GetPeriod(const Options& o)
{
    const uint64_t hosts = uint64_t{o.leafSpine.leaves} * o.leafSpine.hostsPerLeaf;
    const double capacity = static_cast<double>(hosts * o.network.rate.GetBitRate()) / 8;
    return Seconds(o.fanIn * static_cast<double>(o.fanInBytes) / (o.fanInLoad * capacity));
}

void
CheckOptions(const Experiment& experiment, const Options& o)
{
    const auto misfit = o.leafSpine.Check();
    experiment.Require(!misfit, misfit.value_or(""));
    experiment.RequireUse({"incast-bytes", "incast-load"}, o.fanIn > 0, "--incast-senders above 0");
    const uint32_t hosts = o.leafSpine.leaves * o.leafSpine.hostsPerLeaf;
    experiment.Require(o.fanIn < hosts,
                       "--incast-senders must be below the number of hosts, " +
                           std::to_string(hosts));
    const auto unknown = FlowSizeTable::CheckName(o.sizes);
    experiment.Require(!unknown, "--sizes: " + unknown.value_or(""));
    experiment.Require(o.fanIn == 0 || GetPeriod(o).IsStrictlyPositive(),
                       "--incast-senders times --incast-bytes are so few that for --incast-load "
                       "there would be an incast more often than each nanosecond");
}

Topology
MakeTopology(const Options& o)
{
    LeafSpineOptions leafSpine = o.leafSpine;
    leafSpine.hostRate = o.network.rate;
    leafSpine.fabricRate = o.fabricRate;
    leafSpine.delay = o.network.delay;
    return Topology::LeafSpine(leafSpine);
}

FlowList
MakeBackground(const Topology& topology, const Options& o)
{
    PoissonOptions background;
    background.load = o.load;
    background.duration = o.arrivals;
    background.sizes = FlowSizeTable::Get(o.sizes);
    PoissonWorkload workload(topology, background);
    workload.AssignStreams(WORKLOAD_STREAM);
    return workload.Generate();
}

/// @return the incasts in order of time
FlowList
MakeIncasts(const Topology& topology, const Options& o)
{
    if (o.fanIn == 0)
    {
        return {};
    }
    const Time period = GetPeriod(o);
    FanInOptions fanIn;
    for (Time start = period / 2; start < o.arrivals; start += period)
    {
        fanIn.times.push_back(start);
    }
    if (fanIn.times.empty())
    {
        return {};
    }
    fanIn.minSenders = fanIn.maxSenders = o.fanIn;
    fanIn.sizes = FlowSizeTable::Fixed(o.fanInBytes);
    fanIn.group = "incast";
    FanInWorkload workload(topology, fanIn);
    workload.AssignStreams(WORKLOAD_STREAM + 100);
    return workload.Generate();
}

/// Samples the egress queues to the receivers of an incast while it lasts.
class OccupancySampler
{
  public:
    OccupancySampler(const Fabric& fabric, const Options& o)
        : m_fabric(fabric),
          m_rack(o.leafSpine.hostsPerLeaf),
          m_period(o.samplePeriod)
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

    /// @return occupancy.csv: the number of samples by queue length, in steps of 1000 B
    ResultTable GetTable() const
    {
        ResultTable table{{"bytes", "samples"}, {}};
        for (const auto& [step, samples] : m_counts)
        {
            std::vector<ResultCell>& row = table.rows.emplace_back();
            row.emplace_back(step * STEP);
            row.emplace_back(samples);
        }
        return table;
    }

  private:
    static constexpr uint64_t STEP = 1000; ///< bytes

    /// Handles the start of an incast flow.
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

    /// Takes a sample and schedules the next one.
    void Sample()
    {
        for (const auto& [receiver, flows] : m_unfinished)
        {
            // The first ports of a leaf lead to its hosts, in order.
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
    EventId m_next;                            ///< next sample
    std::map<uint64_t, uint32_t> m_receivers;  ///< receiver of each incast flow, by flow ID
    std::map<uint32_t, uint32_t> m_unfinished; ///< number of unfinished incast flows, by receiver
    std::map<uint64_t, uint64_t> m_counts;     ///< number of samples, by length in steps
};

} // namespace

int
main(int argc, char* argv[])
{
    Experiment experiment(__FILE__,
                          "Flow completion times beside incasts in a data center (FAFC, Figs. 6 "
                          "to 9).",
                          "FAFC");
    experiment.OfferCongestionControl("HPCC");
    Options options;
    AddOptions(experiment, options);
    experiment.Parse(argc, argv);
    CheckOptions(experiment, options);
    options.network.Check(experiment);

    Fabric fabric(MakeTopology(options),
                  options.network.MakeSwitches(experiment),
                  options.network.MakeNics(experiment));
    fabric.AssignStreams(1);
    fabric.SetBaseRtt(0, fabric.GetNHosts() - 1);
    experiment.GetResults().AddFabric(fabric);
    fabric.StartFlows(MergeFlows({MakeBackground(fabric.GetTopology(), options),
                                  MakeIncasts(fabric.GetTopology(), options)}));
    OccupancySampler occupancy(fabric, options);
    experiment.GetResults().AddTable("occupancy", [&] { return occupancy.GetTable(); });
    fabric.StopWhenFlowsAreDone(Seconds(1));

    experiment.Run();
    return experiment.Finish();
}
