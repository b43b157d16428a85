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
 * Records time series of the queues, ports and flows whose names match patterns. The files are
 * queues.csv (with the QueueSampler of the run), port-throughput.csv and flow-throughput.csv.
 *
 * Patterns must be added before the network, because each part of the network is matched when it is
 * added.
 */
class SeriesPlan : public Recorder
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Samples the matching ingress and egress queues. Raises the maximum number of samples unless
    /// the user has set it.
    /// @param patterns the patterns SWITCH:PORT:CLASS
    void AddQueues(const std::vector<PlacePattern>& patterns);
    /// Measures the rates of the matching flows.
    /// @param patterns the patterns of flow IDs
    /// @param window the averaging window
    void AddFlows(const std::vector<PlacePattern>& patterns, Time window);
    /// Measures the throughput of the matching switch and host ports.
    /// @param patterns the patterns NODE:PORT
    /// @param window the averaging window
    void AddPorts(const std::vector<PlacePattern>& patterns, Time window);
    /// Sets the time at which recording starts.
    void SetStart(Time start);

    /// @return a message about the first pattern without a match, if any
    std::optional<std::string> Check() const;

    void WatchSwitch(const std::string& name, Ptr<SwitchNode> node) override;
    void WatchHost(const std::string& name, Ptr<Node> node) override;
    void WatchNic(const WatchedNic& nic) override;
    std::vector<NamedTable> GetTables() const override;
    /// Returns a remark about each kind of series whose interval is longer than requested because
    /// the number of points is limited.
    std::vector<std::string> GetRemarks() const override;

  private:
    /// A pattern and a flag that indicates whether it has matched.
    struct Wish
    {
        PlacePattern pattern;
        bool isMet{false};
    };

    Ptr<QueueSampler> GetSampler() const;
    /// @return the throughput of the ports; switch ports come first
    ResultTable GetPortTable() const;
    /// @return true if a pattern matches the flow ID
    bool WantsFlow(uint64_t id) const;
    /// @param place the parts of a name
    /// @return true if any pattern matches; the matching patterns are marked as met
    static bool Meet(std::vector<Wish>& wishes, const std::vector<std::string>& place);
    /// Raises the maximum number of samples unless it has been changed. The default is intended for
    /// buffers only. With many queues, it would allow only a few samples of each.
    void RaiseBound();
    void RequestRates(Time window);
    void AddPort(const std::string& name, Ptr<SwitchNode> node, PortId port);

    std::unique_ptr<ThroughputRecorder> m_throughput; ///< records the throughput of switch ports;
                                                      ///< null if not requested
    std::unique_ptr<RateRecorder> m_rates;            ///< records the rates of hosts and flows;
                                                      ///< null if not requested
    Time m_window;                                    ///< averaging window as requested
    Time m_start;                                     ///< see SetStart()
    std::vector<Wish> m_queues;                       ///< see AddQueues()
    std::vector<Wish> m_ports;                        ///< see AddPorts()
    std::vector<PlacePattern> m_flows;                ///< see AddFlows()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_SERIES_PLAN_H */
