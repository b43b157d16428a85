// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SERIES_PLAN_H
#define LOSSLESS_SERIES_PLAN_H

#include "place-pattern.h"

#include "ns3/lossless-types.h"
#include "ns3/nstime.h"
#include "ns3/queue-sampler.h"
#include "ns3/rate-recorder.h"
#include "ns3/result-table.h"
#include "ns3/switch-node.h"
#include "ns3/throughput-recorder.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Follows queues, ports and flows over time that patterns of their names choose: queues.csv (by the
 * QueueSampler of the run), port-throughput.csv and flow-throughput.csv.
 *
 * Patterns are to be given before the network is: each of its parts is compared with all of them.
 */
class SeriesPlan : public Recorder
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    /// Samples queues of both sides, and raises the bound of the number of samples unless the user
    /// has set another one. @param patterns SWITCH:PORT:CLASS
    void AddQueues(const std::vector<PlacePattern>& patterns);
    /// Measures the rates of flows. @param patterns of their ids @param window of the rates
    void AddFlows(const std::vector<PlacePattern>& patterns, Time window);
    /// Measures what ports of switches and hosts send.
    /// @param patterns NODE:PORT @param window of the rates
    void AddPorts(const std::vector<PlacePattern>& patterns, Time window);
    /// Nothing is followed before this time.
    void SetStart(Time start);

    /// @return a sentence about the first pattern that nothing of the run matches
    std::optional<std::string> Check() const;

    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;
    void WatchHost(const std::string& name, Ptr<Node> node) override;
    void WatchNic(const WatchedNic& nic) override;
    std::vector<NamedTable> GetTables() const override;
    /// About series whose points are farther apart than was asked for, since their number is
    /// bounded.
    std::vector<std::string> GetRemarks() const override;

  private:
    /// A pattern, and whether something matches it.
    struct Wish
    {
        PlacePattern pattern;
        bool isMet{false};
    };

    Ptr<QueueSampler> GetSampler() const;
    /// @return throughput of the ports, those of switches first
    ResultTable GetPortTable() const;
    /// @return whether the rate of a flow is wanted
    bool WantsFlow(uint64_t id) const;
    /// @param place parts of a name @return whether a pattern matches it
    static bool Meet(std::vector<Wish>& wishes, const std::vector<std::string>& place);
    /// Raises the bound of samples, which is meant for buffers alone and would leave few instants
    /// of many queues.
    void RaiseBound();
    void RequestRates(Time window);
    void AddPort(const std::string& name, Ptr<SwitchNode> node, PortId port);

    std::unique_ptr<ThroughputRecorder> m_throughput; ///< of switches; null: not wanted
    std::unique_ptr<RateRecorder> m_rates;            ///< of hosts; null: not wanted
    Time m_window;                                    ///< of both, as asked for
    Time m_start;                                     ///< see SetStart()
    std::vector<Wish> m_queues;                       ///< see AddQueues()
    std::vector<Wish> m_ports;                        ///< see AddPorts()
    std::vector<PlacePattern> m_flows;                ///< see AddFlows()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SERIES_PLAN_H */
