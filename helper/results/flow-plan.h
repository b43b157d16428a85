// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_PLAN_H
#define LOSSLESS_FLOW_PLAN_H

#include "ns3/flow-record.h"
#include "ns3/ipv4-address.h"
#include "ns3/lossless-topology.h"
#include "ns3/lossless-workload.h"
#include "ns3/nstime.h"
#include "ns3/pause-propagation.h"
#include "ns3/queue-pair.h"
#include "ns3/recorder.h"
#include "ns3/result-table.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::lossless
{

class Fabric;
struct RunProgress;

/**
 * @ingroup lossless
 * A flow as shown in the results.
 */
struct FlowRow
{
    uint64_t id{0};                        ///< flow ID
    std::string source;                    ///< name or address of the sender
    std::string destination;               ///< name or address of the receiver
    std::size_t priority{0};               ///< traffic class
    uint64_t bytes{0};                     ///< payload
    std::optional<Time> start;             ///< start time; not set for a step that is not yet due
    std::optional<Time> fct;               ///< flow completion time; not set if unfinished
    std::optional<Time> ideal;             ///< ideal completion time, if known
    std::string group;                     ///< label
    std::optional<uint64_t> retransmitted; ///< retransmitted packets; not set if not started
    std::optional<FlowSignals> signals;    ///< receiver counts; not set if not started or not RoCE

    /// @return fct / ideal, or nothing if it is not known
    std::optional<double> GetSlowdown() const;
};

/// @return the address as a string, which replaces the name of an unnamed host
std::string ToText(Ipv4Address address);

/// Adds the flows to the verdict. Also adds a problem if flows are unfinished.
void JudgeFlows(const std::vector<FlowRow>& flows, RunVerdict& verdict);

/**
 * @ingroup lossless
 * The planned flows of a run: their sources and destinations, and their completion times on the
 * idle network. The plan and the NIC records are combined into flows.csv, and together with the
 * pause records into victims.csv.
 */
class FlowPlan : public Recorder
{
  public:
    /// Returns the completion time of a flow on the idle network.
    using IdealFct = std::function<Time(const FlowSpec&)>;

    /// @return the object TypeId
    static TypeId GetTypeId();

    /// Takes the host names and ideal completion times from a fabric. The flows of the fabric are
    /// read when rows are requested. Aborts if there already is a fabric.
    /// @param fabric the network, which must outlive the last use of this object
    void SetFabric(const Fabric& fabric);

    /// @return the fabric, or null if there is none
    const Fabric* GetFabric() const
    {
        return m_fabric;
    }

    /// Sets the hosts and the group of each flow, replacing the flows of a fabric. A flow in the
    /// list that never starts is unfinished.
    /// @param flows the flows, with the IDs passed to the NICs
    /// @param topology the network, which has the host names
    void SetFlows(const FlowList& flows, const Topology& topology);
    /// Replaces the ideal completion times of a fabric.
    /// @param ideal the function; null if the times are not known
    void SetIdealFct(IdealFct ideal);

    /// @return the flows passed to SetFlows(), or the flows of the fabric if there are none
    const FlowList& GetFlows() const;
    /// Returns the number of flows. Allocates no memory.
    std::size_t CountFlows() const;
    /// Sets the total and completed numbers of flows and steps. Allocates no memory.
    void CountProgress(RunProgress& progress) const;

    /// @param records the flow records by ID; may contain flows outside the plan
    /// @param signals the receiver counts by flow ID
    /// @return these flows and the planned flows, sorted by ID
    std::vector<FlowRow> Join(const std::map<uint64_t, FlowRecord>& records,
                              const std::map<uint64_t, FlowSignals>& signals) const;
    /// @return all flows of the run at the time of the last Conclude()
    const std::vector<FlowRow>& GetRows() const;

    void Conclude() override;
    std::vector<NamedTable> GetTables() const override;
    ResultFacts GetFacts() const override;
    void Judge(RunVerdict& verdict) const override;

  private:
    /// @return the table for flows.csv
    ResultTable GetTable() const;
    /// @return the flows that were stopped by pauses although they did not contribute to the
    /// congestion; computed once after each Conclude()
    const std::vector<VictimRecord>& GetVictims() const;
    /// @return the table for topology.csv
    ResultTable GetTopologyTable() const;
    void NameHosts(const Topology& topology);
    /// @return the row of a planned flow that was not reported by a NIC, without the values set by
    /// Describe()
    FlowRow MakeUnstarted(const FlowSpec& spec) const;
    /// Sets the values of a row that are known from the plan.
    void Describe(const FlowSpec& spec, FlowRow& row) const;

    const Fabric* m_fabric{nullptr};      ///< null if there is none
    FlowList m_flows;                     ///< flows passed to SetFlows()
    std::vector<std::string> m_hostNames; ///< names by host index
    IdealFct m_ideal;                     ///< may be empty
    std::vector<FlowRow> m_rows;          ///< see GetRows()

    mutable std::optional<std::vector<VictimRecord>> m_victims; ///< not set until computed
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_PLAN_H */
