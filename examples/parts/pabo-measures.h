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

/// Partition/aggregate traffic of the PABO paper (Sec. IV): a client asks several servers at once.
struct RequestTraffic
{
    uint32_t requests{4};          ///< requests of each connection
    uint64_t replyBytes{1 << 20};  ///< size of a reply
    Time thinkTime{Seconds(1)};    ///< from a reply to the next request
    Time start{MilliSeconds(100)}; ///< first requests; ARP and handshakes take some 20 ms
    uint32_t windowBytes{45535};   ///< advertised window of the client
    bool countUnordered{true};     ///< data out of order takes room in the receive buffer
    Time restartAfter{Time(0)};    ///< idle time after which slow start begins again; 0: never
    bool timestamps{false};        ///< in each segment, in place of some payload

    /// @param experiment to which the options are added
    void AddOptions(Experiment& experiment);
};

/// Parameters of the network in which both programs compare PABO with other schemes.
struct PaboParameters
{
    /// Largest number of frames that an option may have: twice as many can be counted.
    static constexpr uint32_t MOST_FRAMES = 1 << 30;

    uint32_t capacity{100};      ///< frames of each sub-queue of a switch
    double theta{0.95};          ///< threshold of PABO
    double lambda{50};           ///< decay constant of PABO
    bool backByRoute{false};     ///< frames of PABO go back by the route to their source
    Time delay{NanoSeconds(50)}; ///< of every link; the paper does not tell it

    /// @param experiment to which the options are added
    void AddOptions(Experiment& experiment);
    /// @param experiment which stops the program if the options make no sense
    void Check(const Experiment& experiment) const;

    /**
     * Makes the switches of the chosen scheme. With PABO they have two sub-queues; without, one
     * queue of twice the size, which has room for the frame on the wire besides.
     * @param experiment which knows the scheme
     * @return what makes the switches
     */
    SwitchHelper MakeSwitches(const Experiment& experiment) const;
};

/**
 * What the programs on PABO have in common: hosts that take part in it, its switches, TCP traffic,
 * and the tables of results (scripts/lossless/columns.csv).
 */
class PaboMeasures
{
  public:
    /**
     * Stops the program if its switches have thresholds, to which the capacity means nothing.
     * @param experiment the program, which has parsed its command line
     * @param fabric the network; must outlive this object
     * @param hostCapacity frames that may wait at a host to be sent again
     */
    PaboMeasures(Experiment& experiment, Fabric& fabric, uint32_t hostCapacity);

    /// Counts the journeys of the frames that arrive at a host. @param host its index
    void WatchReceiver(uint32_t host);

    /**
     * Adds connections over TCP; ns-3's stack must be installed. At most once.
     * @param pairs client and server of each connection, by host index
     * @param traffic what they do
     */
    void AddConnections(const std::vector<std::pair<uint32_t, uint32_t>>& pairs,
                        const RequestTraffic& traffic);

    /**
     * Samples the fill of a switch's sub-queues.
     * @param name of the switch @param port egress port @param period between samples
     * @param end no sample after
     */
    void Sample(const std::string& name, PortId port, Time period, Time end);

    /// Notes a number for summary.csv. @param name its name @param value the number
    void AddSummary(const std::string& name, double value);

    /// Adds all tables to the results.
    void AddTables();

  private:
    /// @return whether frames go back: hosts take part in it
    bool IsPabo() const;
    /// A reply that has arrived. @param client host index @param record the reply
    void NotifyReply(uint32_t client, const ReplyRecord& record);
    /// Ends the run with the last reply. @param counts replies that have arrived
    void CountReplies(const NetworkTally::Counts& counts);
    /// Takes samples until it is time to stop. @param period between samples @param end last one
    void TakeSamples(Time period, Time end);
    /// Notes what the recorders have found.
    void Summarize();

    /// @return summary.csv
    ResultTable GetSummaryTable() const;
    /// @return replies.csv
    ResultTable GetReplyTable() const;
    /// @return samples.csv
    ResultTable GetSampleTable() const;

    /// A sub-queue pair whose fill is sampled.
    struct Sampled
    {
        std::string name;          ///< of the switch
        QueueId queue;             ///< its egress queue
        Ptr<PaboFlowControl> pabo; ///< its flow control
    };

    /// A row of samples.csv.
    struct SampleRow
    {
        Time time;       ///< instant
        std::size_t who; ///< index of the queue
        double normal;   ///< fill of the normal sub-queue
        double bounced;  ///< fill of the bounce sub-queue
    };

    /// A row of replies.csv.
    struct ReplyRow
    {
        uint32_t client;    ///< host index
        ReplyRecord record; ///< the reply
    };

    Experiment& m_experiment;                              ///< the program
    Fabric& m_fabric;                                      ///< the network
    BounceRecorder m_bounces;                              ///< empty without PABO
    std::vector<Ptr<PaboHost>> m_hosts;                    ///< by host index; empty without PABO
    SegmentRecorder m_segments;                            ///< of the connections
    NetworkTally m_arrivals;                               ///< of replies
    uint64_t m_awaited{0};                                 ///< replies that have not arrived
    Time m_lastReply;                                      ///< arrival of the last of the others
    std::vector<ReplyRow> m_replies;                       ///< those that have, in any order
    std::vector<Sampled> m_sampled;                        ///< queues
    std::vector<SampleRow> m_samples;                      ///< by time
    std::vector<std::pair<std::string, double>> m_summary; ///< in the order of AddSummary()
};

} // namespace ns3::lossless

#endif /* PABO_MEASURES_H */
