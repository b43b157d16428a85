// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_GROUPS_H
#define LOSSLESS_FLOW_GROUPS_H

#include "flow-lookup.h"
#include "quantile-sketch.h"

#include "ns3/flow-record.h"
#include "ns3/measure-window.h"
#include "ns3/queue-pair.h"
#include "ns3/recorder.h"
#include "ns3/result-table.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::lossless
{

class Fabric;

/// The level of detail at which flows are recorded in the results.
enum class FlowDetail : uint8_t
{
    ALL,    ///< details of individual flows, in flows.csv, steps.csv and victims.csv
    GROUPS, ///< sums by group, in flow-groups.csv
    STREAM, ///< sums by group, and flows.csv, which is written during the run; see FlowStream
    NONE,   ///< no tables of flows; only the sums in run.json
};

/// Sums over the flows that have arrived completely.
struct FlowSums
{
    uint64_t flows{0};        ///< number of flows
    uint64_t bytes{0};        ///< total payload, in bytes
    int64_t fct{0};           ///< sum of completion times, in nanoseconds
    QuantileSketch fctNs;     ///< completion times, in nanoseconds
    double slowdown{0};       ///< sum of slowdowns
    QuantileSketch slowdowns; ///< slowdowns of the flows whose ideal time is known
    /// The number of retransmitted data packets, including those of flows that have not arrived
    /// completely.
    uint64_t retransmitted{0};
    FlowSignals signals; ///< signals of the receivers

    /// Adds the sums of other flows.
    void Add(const FlowSums& other);
};

/**
 * Records sums over flows, by label and class. Replaces FlowRecorder and the rows of FlowPlan.
 * Counts and means are exact, and quantiles have a relative error of at most QuantileSketch::ERROR.
 * The memory required for the sums does not grow with the number of flows.
 *
 * Nothing is recorded until Start() is called. This class works only on a single rank.
 */
class FlowGroups : public Recorder
{
  public:
    /// A label and a class.
    using Key = std::pair<std::string, Priority>;

    /// @return the type
    static TypeId GetTypeId();

    /// Starts recording. Call this before NICs are watched.
    /// @param detail any value except ALL
    void Start(FlowDetail detail);

    /// @return true if Start() was called
    bool IsOn() const
    {
        return m_detail != FlowDetail::ALL;
    }

    /// Sets the network that carries the flows.
    /// @param fabric the network, which must outlive the run
    void SetFabric(const Fabric& fabric)
    {
        m_lookup.SetFabric(fabric);
    }

    /// Sets the time window of GetMeasured() and CountMeasured().
    void SetWindow(const MeasureWindow& window)
    {
        m_window = window;
    }

    /// @return the object that looks up the labels, hosts and ideal completion times of the flows
    FlowLookup& GetLookup()
    {
        return m_lookup;
    }

    /// @return the number of flows that have arrived completely
    uint64_t CountFinished() const
    {
        return m_finished;
    }

    /// @return the number of retransmitted data packets
    uint64_t CountRetransmissions() const;
    /// @return the number of flows that start in the window; if the window has no end, flows that
    /// have not started are included
    uint64_t CountMeasured() const;
    /// @return the sums over the flows that started in the window and have arrived completely
    FlowSums GetMeasured() const;
    /// @return the classes of all flows
    PrioritySet GetClasses() const;

    void WatchNic(const WatchedNic& nic) override;
    std::vector<NamedTable> GetTables() const override;
    ResultFacts GetFacts() const override;

  private:
    void NotifyReceived(const FlowRecord& record);

    /// @return the sums of a flow's group
    FlowSums& Find(uint64_t id, Priority priority);
    /// @return the number of planned flows of each group
    std::map<Key, uint64_t> CountPlanned() const;
    /// @return the table for flow-groups.csv
    ResultTable GetTable() const;

    FlowDetail m_detail{FlowDetail::ALL}; ///< detail passed to Start()
    FlowLookup m_lookup;
    std::map<Key, FlowSums> m_sums;
    const std::string* m_lastLabel{nullptr}; ///< label of the group used last
    Priority m_lastPriority{0};              ///< class of the group used last
    FlowSums* m_last{nullptr}; ///< sums of the group used last, or null if there is none yet
    uint64_t m_latest{0};      ///< ID of the flow that arrived last
    MeasureWindow m_window;
    FlowSums m_measured; ///< sums over the window; unused if the window is the whole run
    uint64_t m_started{0};
    uint64_t m_startedMeasured{0}; ///< number of flows that have started in the window
    uint64_t m_finished{0};
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_GROUPS_H */
