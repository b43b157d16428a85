// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_GROUPS_H
#define LOSSLESS_FLOW_GROUPS_H

#include "quantile-sketch.h"

#include "ns3/flow-record.h"
#include "ns3/measure-window.h"
#include "ns3/queue-pair.h"
#include "ns3/recorder.h"
#include "ns3/result-table.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::lossless
{

class Fabric;

/// How much of each flow results hold.
enum class FlowDetail : uint8_t
{
    ALL,    ///< flows.csv, steps.csv and victims.csv
    GROUPS, ///< flow-groups.csv
    NONE,   ///< none of them
};

/// Sums over flows that have arrived.
struct FlowSums
{
    uint64_t flows{0};         ///< how many
    uint64_t bytes{0};         ///< payload
    int64_t fct{0};            ///< sum of completion times, in ticks
    QuantileSketch fctNs;      ///< completion times
    double slowdown{0};        ///< sum of slowdowns
    QuantileSketch slowdowns;  ///< slowdowns, of those whose ideal time is known
    uint64_t retransmitted{0}; ///< data packets sent again, also of flows that have not arrived
    FlowSignals signals;       ///< of the receivers

    /// Adds those of other flows.
    void Add(const FlowSums& other);
};

/**
 * @ingroup lossless
 * Results of flows as sums by label and class, in place of FlowRecorder and rows of FlowPlan:
 * counts and means exactly, quantiles within QuantileSketch::ERROR. Memory does not grow with the
 * flows.
 *
 * It is off until Start(), and for one rank.
 */
class FlowGroups : public Recorder
{
  public:
    /// Label and class.
    using Key = std::pair<std::string, Priority>;

    /// @return the type
    static TypeId GetTypeId();

    FlowGroups();

    /// Turns it on. To be called before NICs are watched. @param detail GROUPS or NONE
    void Start(FlowDetail detail);

    /// @return whether it is on
    bool IsOn() const
    {
        return m_detail != FlowDetail::ALL;
    }

    /// Sets the network, which has the flows. @param fabric must outlive the run
    void SetFabric(const Fabric& fabric);
    /// Sets the time of GetMeasured().
    void SetWindow(const MeasureWindow& window);

    /// @return flows that have arrived
    uint64_t CountFinished() const
    {
        return m_log->finished;
    }

    /// @return data packets sent again
    uint64_t CountRetransmissions() const;
    /// @return flows of the window, and of those that have not arrived if it has no end
    uint64_t CountMeasured() const;
    /// @return sums over the flows of the window that have arrived
    FlowSums GetMeasured() const;
    /// @return classes of all flows
    PrioritySet GetClasses() const;

    void WatchNic(const WatchedNic& nic) override;
    std::vector<NamedTable> GetTables() const override;

  private:
    /// Sums; the NICs keep it alive.
    struct Log : public SimpleRefCount<Log>
    {
        /// An ideal completion time.
        struct Ideal
        {
            uint32_t source{0};
            uint32_t destination{0};
            uint64_t bytes{0}; ///< 0: none
            int64_t ticks{0};
        };

        static constexpr std::size_t IDEALS = 4096; ///< kept: flows between the same two repeat

        void NotifyStarted(const FlowRecord& record);
        void NotifyReceived(const FlowRecord& record);
        void NotifySignals(uint64_t flow, const FlowSignals& signals);

        /// @return sums of a flow's group
        FlowSums& Find(uint64_t id, Priority priority);
        /// @return label of a flow
        const std::string& FindLabel(uint64_t id);
        int64_t GetIdeal(const FlowRecord& record);
        /// Adds a flow that has arrived. @param ideal in ticks
        static void Add(const FlowRecord& record, int64_t ideal, FlowSums& sums);

        const Fabric* fabric{nullptr};
        std::map<Key, FlowSums> sums;
        const std::string* lastLabel{nullptr};                   ///< of the latest group
        Priority lastPriority{0};                                ///< likewise
        FlowSums* last{nullptr};                                 ///< its sums; null: none yet
        uint64_t latest{0};                                      ///< the flow that has just arrived
        std::unordered_map<uint64_t, const std::string*> labels; ///< by id, of a list of flows
        std::unordered_map<uint32_t, uint32_t> hosts;            ///< by address
        std::vector<Ideal> ideals;
        MeasureWindow window;
        FlowSums measured; ///< of the window, if it is not the whole run
        uint64_t started{0};
        uint64_t startedMeasured{0}; ///< in the window
        uint64_t finished{0};
    };

    /// @return planned flows by group
    std::map<Key, uint64_t> CountPlanned() const;
    /// @return flow-groups.csv
    ResultTable GetTable() const;
    bool HasWindow() const;

    FlowDetail m_detail{FlowDetail::ALL}; ///< see Start()
    Ptr<Log> m_log;                       ///< never null
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_GROUPS_H */
