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

/// Partition/aggregate traffic of the PABO paper (Sec. IV): a client queries several servers
/// simultaneously.
struct RequestTraffic
{
    uint32_t requests{4};          ///< number of requests per connection
    uint64_t replyBytes{1 << 20};  ///< size of a reply
    Time start{MilliSeconds(100)}; ///< time of the first request; ARP and handshakes take about 20
                                   ///< ms
    uint32_t windowBytes{45535};   ///< window advertised by the client
    Time restartAfter{Time(0)};    ///< idle time after which TCP slow-starts again; 0 means never
    bool timestamps{false};        ///< whether timestamps replace some payload of each segment

    /// Adds the command-line options.
    void AddOptions(Experiment& experiment);
    /// Stops the program if options were given without this traffic; see Experiment::RequireUse().
    static void RequireUse(const Experiment& experiment, bool isUsed, const std::string& purpose);
};

/// Network parameters of the two programs that compare PABO with other schemes.
struct PaboParameters
{
    /// Maximum value of options that count frames, chosen so that twice this value does not
    /// overflow.
    static constexpr uint32_t MOST_FRAMES = 1 << 30;

    uint32_t capacity{100};      ///< frames per sub-queue of a switch; 0 means the program's value
    double theta{0.95};          ///< PABO's threshold
    Time delay{NanoSeconds(50)}; ///< delay of each link; not stated in the paper

    /// Adds the command-line options.
    void AddOptions(Experiment& experiment);
    /// Creates a helper for switches of the chosen scheme. With PABO, each egress queue consists of
    /// two sub-queues. Otherwise, it is a single queue of twice the size, plus room for the frame
    /// on the wire. Also sets the gap between frames to that of Ethernet for all devices.
    SwitchHelper MakeSwitches(const Experiment& experiment) const;
};

/// Common part of the PABO programs: the hosts and switches, the TCP traffic, and the result tables
/// (scripts/lossless/columns.csv).
class PaboMeasures
{
  public:
    /// Stops the program if its switches have thresholds, to which the capacity does not apply.
    /// @param experiment the experiment, whose options have been parsed
    /// @param fabric the network, which must outlive this object
    /// @param hostCapacity the maximum number of frames that wait at a host to be sent again
    PaboMeasures(Experiment& experiment, Fabric& fabric, uint32_t hostCapacity);

    /// Records PABO's counters of the frames that arrive at a host.
    void WatchReceiver(uint32_t host);

    /// Adds TCP connections. May be called at most once, after ns-3's Internet stack has been
    /// installed.
    /// @param pairs the host indices of the client and the server of each connection
    /// @param traffic the traffic of each connection
    void AddConnections(const std::vector<std::pair<uint32_t, uint32_t>>& pairs,
                        const RequestTraffic& traffic);

    /// Periodically samples the fill levels of the two sub-queues of an egress queue.
    /// @param name the name of the switch
    /// @param port the egress port
    /// @param period the time between samples
    /// @param end the time after which no samples are taken
    void Sample(const std::string& name, PortId port, Time period, Time end);

    /// Adds a number to summary.csv.
    void AddSummary(const std::string& name, double value);

    /// Adds all tables to the results.
    void AddTables();

  private:
    /// @return whether the scheme is PABO, so that switches send frames back
    bool IsPabo() const;
    void NotifyReply(uint32_t client, const ReplyRecord& record);
    /// Ends the run when the last reply has arrived.
    void CountReplies(const NetworkTally::Counts& counts);
    /// Takes a sample every period.
    /// @param end the time after which no samples are taken
    void TakeSamples(Time period, Time end);
    /// Adds the recorders' results to the summary.
    void Summarize();

    /// @return replies.csv
    ResultTable GetReplyTable() const;

    /// A pair of sub-queues whose fill level is sampled.
    struct Sampled
    {
        std::string name; ///< name of the switch
        QueueId queue;    ///< egress queue
        Ptr<PaboFlowControl> pabo;
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
    std::vector<Ptr<PaboHost>> m_hosts; ///< PABO's part of each host; empty without PABO
    SegmentRecorder m_segments;
    NetworkTally m_arrivals;         ///< tally of the replies that have arrived
    uint64_t m_awaited{0};           ///< number of replies that have not arrived
    Time m_lastReply;                ///< time of the latest arrival
    std::vector<ReplyRow> m_replies; ///< replies that have arrived, in any order
    std::vector<Sampled> m_sampled;
    ResultTable m_samples = ResultTable::WithHeader("time_ns,node,normal,bounce"); ///< samples.csv
    ResultTable m_summary = ResultTable::WithHeader("name,value");                 ///< summary.csv
};

} // namespace ns3::lossless

#endif /* PABO_MEASURES_H */
