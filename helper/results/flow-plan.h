// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_PLAN_H
#define LOSSLESS_FLOW_PLAN_H

#include "flow-groups.h"

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
 * A flow as results show it.
 */
struct FlowRow
{
    uint64_t id{0};                        ///< as in the plan, or of a flow outside it
    std::string source;                    ///< name of the sender, or its address
    std::string destination;               ///< name of the receiver, or its address
    std::size_t priority{0};               ///< class
    uint64_t bytes{0};                     ///< payload
    std::optional<Time> start;             ///< nothing: a step whose time has not come
    std::optional<Time> fct;               ///< completion time; nothing: unfinished
    std::optional<Time> ideal;             ///< ideal completion time, if known
    std::string group;                     ///< label
    std::optional<uint64_t> retransmitted; ///< data packets sent again; nothing: not started
    std::optional<FlowSignals> signals;    ///< of the receiver; nothing: not started, or not RoCE

    /// @return fct / ideal; nothing: it is not known
    std::optional<double> GetSlowdown() const;
};

/// @return an address as text, which stands for the name of a host that has none
std::string ToText(Ipv4Address address);

/// Adds the flows to the verdict, and a problem if some are unfinished.
void JudgeFlows(const std::vector<FlowRow>& flows, RunVerdict& verdict);

/**
 * @ingroup lossless
 * The flows that a run is to send, by whom, and how long they would take on the idle network. With
 * what NICs have recorded these make flows.csv, and with pauses victims.csv.
 */
class FlowPlan : public Recorder
{
  public:
    /// Gives the completion time of a flow on the idle network.
    using IdealFct = std::function<Time(const FlowSpec&)>;

    /// @return the type
    static TypeId GetTypeId();

    /// Takes names, ideal completion times and, when rows are asked for, the flows of a fabric; a
    /// second one ends the program.
    /// @param fabric must outlive the last use of this object
    void SetFabric(const Fabric& fabric);

    /// @return the fabric; null: there is none
    const Fabric* GetFabric() const
    {
        return m_fabric;
    }

    /// Names the hosts and the group of each flow, in place of a fabric's flows. A flow that is in
    /// the list and never starts is unfinished.
    /// @param flows with the ids that the NICs are given
    /// @param topology names the hosts
    void SetFlows(const FlowList& flows, const Topology& topology);
    /// Replaces the ideal completion times of a fabric. @param ideal null: they are not known
    void SetIdealFct(IdealFct ideal);

    /// @return the flows of SetFlows(), or else of the fabric
    const FlowList& GetFlows() const;
    /// As GetFlows().size(), but allocates no memory.
    std::size_t CountFlows() const;
    /// Visits the same flows, see Fabric::VisitFlows().
    void VisitFlows(const std::function<void(const FlowSpec&)>& visit) const;
    /// Sets how many flows and steps there are, and how many are done; allocates no memory.
    void CountProgress(RunProgress& progress) const;

    /// @param records of flows by id; the plan may know nothing of them
    /// @param signals of the receivers, by id
    /// @return these flows and those of the plan, by id
    std::vector<FlowRow> Join(const std::map<uint64_t, FlowRecord>& records,
                              const std::map<uint64_t, FlowSignals>& signals) const;
    /// @return all flows of the run, as of the last Conclude()
    /// Without any if single flows are not wanted, see FlowGroups.
    const std::vector<FlowRow>& GetRows() const;
    /// @return number of flows that have arrived in full
    uint64_t CountFinished() const;
    /// @return number of data packets sent again
    uint64_t CountRetransmissions() const;
    /// Sets what results hold of single flows. To be called before a fabric or a NIC is added.
    void SetDetail(FlowDetail detail);

    void Conclude() override;
    std::vector<NamedTable> GetTables() const override;
    ResultFacts GetFacts() const override;
    void Judge(RunVerdict& verdict) const override;

  private:
    /// @return flows.csv
    ResultTable GetTable() const;
    /// @return flows stopped by pauses that they have no part in, found once after each Conclude()
    const std::vector<VictimRecord>& GetVictims() const;
    /// @return topology.csv
    ResultTable GetTopologyTable() const;
    void NameHosts(const Topology& topology);
    /// @return the row of a planned flow that no NIC has reported, without what Describe() fills in
    FlowRow MakeUnstarted(const FlowSpec& spec) const;
    /// Fills in what the plan knows of a flow.
    void Describe(const FlowSpec& spec, FlowRow& row) const;

    /// @return sums of the flows
    Ptr<FlowGroups> GetGroups() const;

    const Fabric* m_fabric{nullptr};      ///< null: none
    FlowList m_flows;                     ///< flows given to SetFlows()
    std::vector<std::string> m_hostNames; ///< by host index
    IdealFct m_ideal;                     ///< may be empty
    std::vector<FlowRow> m_rows;          ///< see GetRows()

    mutable std::optional<std::vector<VictimRecord>> m_victims; ///< nothing: not asked for yet
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_PLAN_H */
