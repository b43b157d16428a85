// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_SERIES_PLAN_H
#define LOSSLESS_SERIES_PLAN_H

#include "flow-plan.h"
#include "place-pattern.h"

#include "ns3/lossless-types.h"
#include "ns3/nstime.h"
#include "ns3/port-throughput-recorder.h"
#include "ns3/queue-sampler.h"
#include "ns3/rate-recorder.h"
#include "ns3/result-table.h"
#include "ns3/switch-node.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Which queues and ports of a run are followed over time, by patterns of their names.
 *
 * Patterns are given before the switches are: each switch is compared with all of them.
 */
class SeriesPlan : public Recorder
{
  public:
    /// @param sampler gets the queues
    explicit SeriesPlan(Ptr<QueueSampler> sampler);

    /// Samples queues, of both sides, with more rows in all than the sampler has by default.
    /// @param patterns of queues, SWITCH:PORT:CLASS
    void AddQueues(const std::vector<PlacePattern>& patterns);
    /// Measures the rates of flows. @param patterns of their ids @param window of the rates
    void AddFlows(const std::vector<PlacePattern>& patterns, Time window);
    /// @param patterns of ports of switches and hosts, NODE:PORT @param window in which their
    /// frames are counted
    void AddPorts(const std::vector<PlacePattern>& patterns, Time window);

    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;
    void WatchHost(const std::string& name, Ptr<Node> node) override;
    void WatchNic(const WatchedNic& nic) override;
    std::vector<NamedTable> GetTables() const override;

    /// @param plan flows of which the program knows @return a sentence about the first pattern that
    /// has named nothing; nothing if each has
    std::optional<std::string> Check(const FlowPlan& plan) const;

    /// Nothing is followed before a time. @param start the time
    void SetStart(Time start);

    /// @return sentences about series whose points are farther apart than was asked for, since
    /// their number is bounded
    std::vector<std::string> DescribeThinning() const;

  private:
    /// A pattern, and whether it has named something.
    struct Wish
    {
        PlacePattern pattern; ///< what is wanted
        bool isMet{false};    ///< whether it is there
    };

    /// @return throughput of the ports, those of switches first
    ResultTable GetPortTable() const;
    /// @param id of a flow @return whether its rate is wanted
    bool WantsFlow(uint64_t id) const;
    /// @param wishes patterns @param place parts of a name @return whether one of them names it
    static bool Meet(std::vector<Wish>& wishes, const std::vector<std::string>& place);
    /// Lets there be more samples, unless the user has set another bound: that for buffers alone
    /// would leave few instants of many queues.
    void RaiseBound();
    /// Has rates measured. @param window of them, the time between samples
    void RequestRates(Time window);
    /// @param name of a switch @param node the switch @param port of it
    void AddPort(const std::string& name, Ptr<SwitchNode> node, PortId port);

    Ptr<QueueSampler> m_sampler;                          ///< never null
    std::unique_ptr<PortThroughputRecorder> m_throughput; ///< null: not wanted
    std::unique_ptr<RateRecorder> m_rates;                ///< of hosts; null: none are wanted
    Time m_window;                                        ///< of both, as asked for
    Time m_start;                                         ///< nothing is followed before
    std::vector<Wish> m_queues;                           ///< wanted
    std::vector<Wish> m_ports;                            ///< wanted
    std::vector<PlacePattern> m_flows;                    ///< wanted
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SERIES_PLAN_H */
