// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PABO_RECORDER_H
#define LOSSLESS_PABO_RECORDER_H

#include "ns3/bounce-recorder.h"
#include "ns3/raw-source.h"
#include "ns3/recorder.h"
#include "ns3/request-reply.h"
#include "ns3/segment-recorder.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lossless
{

/// The measures of the PABO paper (Sec. III to VI), for PABO and the schemes with which it is
/// compared: how far frames are sent back, how full sub-queues are, and how late and how far out of
/// place TCP segments arrive. Provides replies.csv, displacements.csv, summary.csv, samples.csv
/// and, with PABO, bounces.csv, delivered.csv and utilization.csv (scripts/lossless/columns.csv).
///
/// Install the traffic, of RequestClients or RawSources, before the network is added to the
/// results. Supports runs on one rank.
class PaboRecorder : public Recorder
{
  public:
    /// Periodically samples the fill levels of the two sub-queues of egress queues of class 0. Call
    /// this before the network is added to the results.
    /// @param ports the egress ports, by name of the switch; switches without PABO are not sampled
    /// @param period the time between samples; 0 for none
    /// @param end the time after which no samples are taken
    void SampleQueues(const std::map<std::string, PortId>& ports, Time period, Time end);

    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;
    void WatchHost(const std::string& name, Ptr<Node> node) override;
    std::vector<NamedTable> GetTables() const override;

  private:
    /// @param host the host index of a client, whose replies are recorded
    void WatchClient(uint32_t host, RequestClient& client);
    /// Takes a sample every period.
    /// @param end the time after which no samples are taken
    void TakeSamples(Time period, Time end);

    /// @return summary.csv
    ResultTable GetSummary() const;
    /// @return replies.csv
    ResultTable GetReplyTable() const;

    BounceRecorder m_bounces; ///< empty without PABO
    SegmentRecorder m_segments;
    std::map<std::string, Ptr<PaboFlowControl>> m_switches; ///< by name; empty without PABO
    uint32_t m_hosts{0};                                    ///< number of hosts so far
    std::vector<Ptr<PaboHost>> m_senders;  ///< PABO's part of each host; empty without PABO
    std::vector<Ptr<RawSource>> m_sources; ///< all sources of raw frames
    std::vector<Ptr<RawSink>> m_sinks;     ///< all receivers of raw frames
    uint64_t m_awaited{0};                 ///< number of replies that have not arrived
    /// Replies that have arrived, by time and by host index of the client.
    std::multimap<std::pair<Time, uint32_t>, ReplyRecord> m_replies;
    std::map<std::string, PortId> m_ports; ///< see SampleQueues()
    ResultTable m_samples = ResultTable::WithHeader("time_ns,node,normal,bounce"); ///< samples.csv
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PABO_RECORDER_H */
