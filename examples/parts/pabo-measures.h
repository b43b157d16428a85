// SPDX-License-Identifier: GPL-2.0-only
#ifndef PABO_MEASURES_H
#define PABO_MEASURES_H

#include "ns3/bounce-recorder.h"
#include "ns3/lossless-experiment.h"
#include "ns3/lossless-fabric.h"
#include "ns3/network-tally.h"
#include "ns3/request-reply.h"
#include "ns3/result-table.h"
#include "ns3/segment-recorder.h"
#include "ns3/tcp-settings.h"

#include <map>
#include <string>
#include <vector>

namespace ns3::lossless
{

/// Partition/aggregate traffic of the PABO paper (Sec. IV): a client queries several servers at
/// once.
struct RequestTraffic
{
    uint32_t requests{4};          ///< per connection
    uint64_t replyBytes{1 << 20};  ///< of a reply
    Time start{MilliSeconds(100)}; ///< first requests; ARP and handshakes take some 20 ms
    uint32_t windowBytes{45535};   ///< advertised by the client
    Time restartAfter{Time(0)};    ///< idle time before a new slow start; 0: never
    bool timestamps{false};        ///< in each segment, instead of some payload

    /// Adds the options.
    void AddOptions(Experiment& experiment);
};

/// Network parameters of both programs that compare PABO with other schemes.
struct PaboParameters
{
    /// Maximum number of frames in an option, so that twice as many can be counted.
    static constexpr uint32_t MOST_FRAMES = 1 << 30;

    uint32_t capacity{100};      ///< frames per sub-queue of a switch
    double theta{0.95};          ///< threshold of PABO
    bool backByRoute{false};     ///< PABO returns frames by the route to their source
    Time delay{NanoSeconds(50)}; ///< of every link; not stated in the paper

    /// Adds the options.
    void AddOptions(Experiment& experiment);
    /// Stops the program if the options are inconsistent.
    void Check(const Experiment& experiment) const;

    /// Makes the switches of the chosen scheme. With PABO they have two sub-queues; otherwise one
    /// queue of twice the size, with additional room for the frame on the wire.
    SwitchHelper MakeSwitches(const Experiment& experiment) const;
};

/// Common part of the programs on PABO: its hosts and switches, TCP traffic, and the tables of
/// results (scripts/lossless/columns.csv).
class PaboMeasures
{
  public:
    /// Stops the program if its switches have thresholds, to which the capacity does not apply.
    /// @param experiment has parsed the options
    /// @param fabric must outlive this object
    /// @param hostCapacity frames that may wait at a host to be sent again
    PaboMeasures(Experiment& experiment, Fabric& fabric, uint32_t hostCapacity);

    /// Counts the journeys of the frames that arrive at a host.
    void WatchReceiver(uint32_t host);

    /// Adds connections over TCP; ns-3's stack must be installed. At most once.
    /// @param pairs client and server of each connection, by host index
    void AddConnections(const std::vector<std::pair<uint32_t, uint32_t>>& pairs,
                        const RequestTraffic& traffic);

    /// Samples the fill of a switch's sub-queues.
    /// @param name of the switch
    /// @param port egress port
    /// @param end no sample after
    void Sample(const std::string& name, PortId port, Time period, Time end);

    /// Adds a number to summary.csv.
    void AddSummary(const std::string& name, double value);

    /// Adds all tables to the results.
    void AddTables();

  private:
    /// @return whether frames go back, also through hosts
    bool IsPabo() const;
    void NotifyReply(uint32_t client, const ReplyRecord& record);
    /// Ends the run with the last reply.
    void CountReplies(const NetworkTally::Counts& counts);
    /// Takes periodic samples. @param end last sample
    void TakeSamples(Time period, Time end);
    /// Adds the recorders' results to the summary.
    void Summarize();

    /// @return summary.csv
    ResultTable GetSummaryTable() const;
    /// @return replies.csv
    ResultTable GetReplyTable() const;
    /// @return samples.csv
    ResultTable GetSampleTable() const;

    /// A pair of sub-queues whose fill is sampled.
    struct Sampled
    {
        std::string name; ///< of the switch
        QueueId queue;    ///< egress queue
        Ptr<PaboFlowControl> pabo;
    };

    /// A row of samples.csv.
    struct SampleRow
    {
        Time time;
        std::size_t who; ///< index of the queue
        double normal;   ///< fill of the normal sub-queue
        double bounced;  ///< fill of the bounce sub-queue
    };

    /// A row of replies.csv.
    struct ReplyRow
    {
        uint32_t client;
        ReplyRecord record;
    };

    Experiment& m_experiment;
    Fabric& m_fabric;
    BounceRecorder m_bounces;           ///< empty without PABO
    std::vector<Ptr<PaboHost>> m_hosts; ///< by host index; empty without PABO
    SegmentRecorder m_segments;
    NetworkTally m_arrivals;         ///< of replies
    uint64_t m_awaited{0};           ///< replies that have not arrived
    Time m_lastReply;                ///< latest arrival
    std::vector<ReplyRow> m_replies; ///< arrived, in any order
    std::vector<Sampled> m_sampled;
    std::vector<SampleRow> m_samples; ///< by time
    std::vector<std::pair<std::string, double>> m_summary;
};

} // namespace ns3::lossless

#endif /* PABO_MEASURES_H */
