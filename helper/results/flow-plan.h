// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FLOW_PLAN_H
#define LOSSLESS_FLOW_PLAN_H

#include "ns3/flow-record.h"
#include "ns3/ipv4-address.h"
#include "ns3/lossless-topology.h"
#include "ns3/lossless-workload.h"
#include "ns3/nstime.h"
#include "ns3/queue-pair.h"
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

/**
 * @ingroup lossless
 * A flow as results show it.
 */
struct FlowRow
{
    uint64_t id{0};                        ///< id
    std::string source;                    ///< name of the sender, or its address
    std::string destination;               ///< name of the receiver, or its address
    std::size_t priority{0};               ///< class
    uint64_t bytes{0};                     ///< payload
    std::optional<Time> start;             ///< start; nothing: a step whose time has not come
    std::optional<Time> fct;               ///< completion time; nothing: unfinished
    std::optional<Time> ideal;             ///< ideal completion time, if known
    std::string group;                     ///< label
    std::optional<uint64_t> retransmitted; ///< data packets sent again; nothing: not started
    std::optional<FlowSignals>
        signals; ///< of its receiver; nothing: it has not started, or no RoCE

    /// @return fct / ideal; nothing: it is not known
    std::optional<double> GetSlowdown() const;
};

/// @param address an address @return its text, which stands for the name of a host that has none
std::string ToText(Ipv4Address address);

/// @param rows the flows @return flows.csv
ResultTable MakeFlowTable(const std::vector<FlowRow>& rows);

/**
 * @ingroup lossless
 * What flows are to be sent, by whom, and how long they would take on the idle network: what
 * results tell of a flow beside that which NICs have recorded.
 */
class FlowPlan
{
  public:
    /// The ideal completion time of a flow, see SetIdealFct().
    using IdealFct = std::function<Time(const FlowSpec&)>;

    /// Takes names, ideal completion times and, when rows are asked for, the flows of a fabric; a
    /// second one stops the program. @param fabric the network; it must outlive the last use of
    /// this object
    void SetFabric(const Fabric& fabric);

    /// @return the fabric; null: there is none
    const Fabric* GetFabric() const
    {
        return m_fabric;
    }

    /// Takes the place of the flows of a fabric. @param flows the flows @param topology names of
    /// the hosts
    void SetFlows(const FlowList& flows, const Topology& topology);
    /// @param ideal completion time on the idle network of each flow of the plan
    void SetIdealFct(IdealFct ideal);

    /// @return the flows
    const FlowList& GetFlows() const;
    /// @return number of flows; takes no memory
    std::size_t CountFlows() const;

    /// @param records of flows by id, of which the plan may know nothing
    /// @param signals of their receivers, by id
    /// @return these flows and those of the plan, by id
    std::vector<FlowRow> Join(const std::map<uint64_t, FlowRecord>& records,
                              const std::map<uint64_t, FlowSignals>& signals) const;

  private:
    /// Notes the names of the hosts. @param topology has them
    void NameHosts(const Topology& topology);
    /// @param spec a flow of the plan of which no NIC has told @return its row, without what
    /// Describe() fills in; of a graph nobody knows when the flow would have started
    FlowRow MakeUnstarted(const FlowSpec& spec) const;
    /// Fills in what the plan tells. @param spec a flow of it @param row the row of that flow
    void Describe(const FlowSpec& spec, FlowRow& row) const;

    const Fabric* m_fabric{nullptr};      ///< null: none
    FlowList m_flows;                     ///< flows given to SetFlows()
    std::vector<std::string> m_hostNames; ///< by host index
    IdealFct m_ideal;                     ///< may be empty
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FLOW_PLAN_H */
