// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_PLAN_H
#define LOSSLESS_FLOW_PLAN_H

#include "flow-groups.h"
#include "flow-row.h"

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

/// @return the address as a string, for use in place of the name of an unnamed host
std::string ToText(Ipv4Address address);

/// Sets the flow counts of the verdict. Adds a problem if any flow is unfinished.
void JudgeFlows(const std::vector<FlowRow>& flows, RunVerdict& verdict);

/**
 * @ingroup lossless
 * The planned flows of a run, with their sources, destinations, and completion times on the idle
 * network. The plan and the records of the NICs provide the data for flows.csv and, together with
 * the pause records, for victims.csv.
 */
class FlowPlan : public Recorder
{
  public:
    /// A function that returns the completion time of a flow on the idle network.
    using IdealFct = std::function<Time(const FlowSpec&)>;

    /// @return the TypeId
    static TypeId GetTypeId();

    /// Takes the host names and ideal completion times from a fabric. The fabric's flows are read
    /// only when they are needed. Aborts if a fabric has already been set.
    /// @param fabric the network, which must outlive the last use of this object
    void SetFabric(const Fabric& fabric);

    /// @return the fabric, or null if there is none
    const Fabric* GetFabric() const
    {
        return m_fabric;
    }

    /// Sets the planned flows, which replace those of a fabric. A flow in the list that never
    /// starts counts as unfinished.
    /// @param flows the flows, with the IDs passed to the NICs
    /// @param topology the network, from which the host names are taken
    void SetFlows(const FlowList& flows, const Topology& topology);
    /// Replaces the ideal completion times of a fabric.
    /// @param ideal a function that returns the time; null if the times are not known
    void SetIdealFct(IdealFct ideal);

    /// @return the flows passed to SetFlows() or, if there are none, the flows of the fabric
    const FlowList& GetFlows() const;
    /// Returns the number of flows without allocating memory.
    std::size_t CountFlows() const;
    /// Visits all planned flows; see Fabric::VisitFlows().
    void VisitFlows(const std::function<void(const FlowSpec&)>& visit) const;
    /// Sets the total and completed counts of flows and steps without allocating memory.
    void CountProgress(RunProgress& progress) const;

    /// @param records the flow records, by ID; they may include flows that are not in the plan
    /// @param signals the counts at the receivers, by flow ID
    /// @return the recorded and the planned flows, sorted by ID
    std::vector<FlowRow> Join(const std::map<uint64_t, FlowRecord>& records,
                              const std::map<uint64_t, FlowSignals>& signals) const;
    /// @return all flows of the run at the time of the last Conclude(); empty if the results do not
    /// contain individual flows (see FlowGroups)
    const std::vector<FlowRow>& GetRows() const;
    /// @return the number of flows that have arrived completely
    uint64_t CountFinished() const;
    /// @return the number of retransmitted data packets
    uint64_t CountRetransmissions() const;
    /// Sets how much detail about flows the results contain. Call this before a fabric or a NIC is
    /// added.
    void SetDetail(FlowDetail detail);

    void Conclude() override;
    std::vector<NamedTable> GetTables() const override;
    ResultFacts GetFacts() const override;
    void Judge(RunVerdict& verdict) const override;

  private:
    /// @return the table for flows.csv
    ResultTable GetTable() const;
    /// @return the flows that were paused although they did not contribute to the congestion. The
    /// list is computed once after each Conclude().
    const std::vector<VictimRecord>& GetVictims() const;
    void NameHosts(const Topology& topology);
    /// @return the row of a planned flow that no NIC has reported, without the values that
    /// Describe() sets
    FlowRow MakeUnstarted(const FlowSpec& spec) const;
    /// Sets the values of a row that are known from the plan.
    void Describe(const FlowSpec& spec, FlowRow& row) const;

    /// @return the recorder of sums over the flows
    Ptr<FlowGroups> GetGroups() const;

    const Fabric* m_fabric{nullptr};      ///< network, or null if there is none
    FlowList m_flows;                     ///< flows passed to SetFlows()
    std::vector<std::string> m_hostNames; ///< by host index
    IdealFct m_ideal;                     ///< may be empty
    std::vector<FlowRow> m_rows;          ///< see GetRows()

    mutable std::optional<std::vector<VictimRecord>> m_victims; ///< not set until computed
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_PLAN_H */
