// SPDX-License-Identifier: GPL-2.0-only
#include "rank-plan.h"

#include "ns3/abort.h"

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <iomanip>
#include <map>
#include <numeric>
#include <optional>
#include <sstream>

namespace ns3::lossless
{

namespace
{

/// Nodes that must be on the same rank.
struct NodeUnit
{
    std::vector<uint32_t> nodes;
    double work{0};               ///< total rate of the nodes' ports
    bool isRack{false};           ///< true if the unit includes a host
    std::optional<uint32_t> rank; ///< rank of the unit, once assigned
};

/// Assigns the nodes of a topology to ranks.
class Dealer
{
  public:
    Dealer(const Topology& topology, uint32_t ranks)
        : m_topology(topology)
    {
        MakeUnits();
        const uint32_t racks = CountRacks();
        NS_ABORT_MSG_IF(racks < ranks,
                        "there are " << ranks << " ranks, and " << racks
                                     << (racks == 1 ? " rack" : " racks")
                                     << " of hosts to distribute, where cables without delay join "
                                        "racks; start at most that many ranks.");
        m_work.resize(ranks);
    }

    std::vector<uint32_t> Deal()
    {
        DealRacks();
        while (DealNeighbours())
        {
        }
        std::vector<uint32_t> ranks(m_unitOf.size());
        std::transform(m_unitOf.begin(), m_unitOf.end(), ranks.begin(), [this](std::size_t unit) {
            return *m_units[unit].rank;
        });
        return ranks;
    }

    uint32_t CountRacks() const
    {
        return static_cast<uint32_t>(
            std::count_if(m_units.begin(), m_units.end(), [](const NodeUnit& unit) {
                return unit.isRack;
            }));
    }

    /// @return the fraction of the work on each rank, after Deal()
    std::vector<double> GetShares() const
    {
        const double all = std::accumulate(m_work.begin(), m_work.end(), 0.0);
        std::vector<double> shares;
        for (const double work : m_work)
        {
            shares.push_back(work / all);
        }
        return shares;
    }

  private:
    void MakeUnits();
    /// Assigns racks in order, balancing the work.
    void DealRacks();
    /// Assigns the units that have a link to an assigned unit or, if there are none, all other
    /// units.
    /// @return true if unassigned units remain
    bool DealNeighbours();
    /// @return the total rate of the unit's links to each rank
    std::map<uint32_t, double> GetAttraction(const NodeUnit& unit) const;

    /// @param unit the unit, which is not yet assigned
    /// @param rates the result of GetAttraction()
    /// @return the rank with free capacity that has the highest link rate to the unit, or the least
    /// loaded rank if no such rank has a link to the unit
    uint32_t Choose(const NodeUnit& unit, const std::map<uint32_t, double>& rates) const;

    void Give(NodeUnit& unit, uint32_t rank)
    {
        unit.rank = rank;
        m_work[rank] += unit.work;
    }

    const Topology& m_topology;
    std::vector<double> m_work;        ///< work that has been assigned to each rank so far
    double m_allWork{0};               ///< work of all units
    std::vector<NodeUnit> m_units;     ///< units in the order of their first nodes
    std::vector<std::size_t> m_unitOf; ///< index in m_units of each node's unit
};

void
Dealer::MakeUnits()
{
    const auto count = static_cast<uint32_t>(m_topology.GetNodes().size());
    std::vector<bool> isHost(count);
    for (const uint32_t host : m_topology.GetHosts())
    {
        isHost[host] = true;
    }
    boost::disjoint_sets_with_storage<> sets(count);
    std::vector<bool> isPlaced(count); // true once a link has placed the node
    for (const Topology::LinkInfo& link : m_topology.GetLinks())
    {
        const auto isFirst = [&](uint32_t node) { return isHost[node] && !isPlaced[node]; };
        if (link.delay.IsZero() || isFirst(link.nodeA) || isFirst(link.nodeB))
        {
            sets.union_set(link.nodeA, link.nodeB);
            isPlaced[link.nodeA] = true;
            isPlaced[link.nodeB] = true;
        }
    }
    std::map<std::size_t, std::size_t> places; // index in m_units, by representative of the set
    for (uint32_t node = 0; node < count; ++node)
    {
        const auto [place, isNew] = places.try_emplace(sets.find_set(node), m_units.size());
        if (isNew)
        {
            m_units.emplace_back();
        }
        m_unitOf.push_back(place->second);
        NodeUnit& unit = m_units[place->second];
        unit.nodes.push_back(node);
        unit.isRack = unit.isRack || isHost[node];
        for (const Topology::PortInfo& port : m_topology.GetPorts(node))
        {
            const Topology::LinkInfo& link = m_topology.GetLinks()[port.link];
            const double rate = link.failed ? 0 : static_cast<double>(link.rate.GetBitRate());
            unit.work += rate;
            m_allWork += rate;
        }
    }
}

void
Dealer::DealRacks()
{
    std::vector<NodeUnit*> racks;
    double all = 0;
    for (NodeUnit& unit : m_units)
    {
        if (unit.isRack)
        {
            racks.push_back(&unit);
            all += unit.work;
        }
    }
    const auto ranks = static_cast<uint32_t>(m_work.size());
    double before = 0;
    uint32_t rank = 0;
    for (std::size_t i = 0; i < racks.size(); ++i)
    {
        // The position of a rack's midpoint in the total work determines the rank of the rack, but
        // every rank gets at least one rack.
        const auto due = static_cast<uint32_t>((before + racks[i]->work / 2) / all * ranks);
        const auto left = static_cast<uint32_t>(racks.size() - i);
        const uint32_t next = rank + (i > 0 ? 1 : 0);
        // True if the next rank must start here, so that every remaining rank gets one rack.
        const bool isForced = ranks - rank > left;
        rank = i > 0 && (due > rank || isForced) ? std::min(next, ranks - 1) : rank;
        Give(*racks[i], rank);
        before += racks[i]->work;
    }
}

std::map<uint32_t, double>
Dealer::GetAttraction(const NodeUnit& unit) const
{
    std::map<uint32_t, double> rates;
    for (const uint32_t node : unit.nodes)
    {
        for (const Topology::PortInfo& port : m_topology.GetPorts(node))
        {
            const Topology::LinkInfo& link = m_topology.GetLinks()[port.link];
            const NodeUnit& other = m_units[m_unitOf[port.peer]];
            if (other.rank && !link.failed)
            {
                rates[*other.rank] += static_cast<double>(link.rate.GetBitRate());
            }
        }
    }
    return rates;
}

uint32_t
Dealer::Choose(const NodeUnit& unit, const std::map<uint32_t, double>& rates) const
{
    constexpr double SLACK = 1.02; // tolerated ratio of a rank's work to the average
    const double most = SLACK * m_allWork / static_cast<double>(m_work.size());
    const auto rate = [&](uint32_t rank) {
        const auto found = rates.find(rank);
        return m_work[rank] + unit.work > most || found == rates.end() ? 0 : found->second;
    };
    uint32_t best = 0;
    for (uint32_t rank = 1; rank < m_work.size(); ++rank)
    {
        const bool isBetter =
            std::pair(rate(rank), -m_work[rank]) > std::pair(rate(best), -m_work[best]);
        best = isBetter ? rank : best;
    }
    return best;
}

bool
Dealer::DealNeighbours()
{
    std::vector<std::pair<NodeUnit*, std::map<uint32_t, double>>> next;
    std::vector<NodeUnit*> lonely;
    for (NodeUnit& unit : m_units)
    {
        if (!unit.rank)
        {
            std::map<uint32_t, double> rates = GetAttraction(unit);
            if (rates.empty())
            {
                lonely.push_back(&unit);
            }
            else
            {
                next.emplace_back(&unit, std::move(rates));
            }
        }
    }
    for (const auto& [unit, rates] : next)
    {
        Give(*unit, Choose(*unit, rates));
    }
    if (next.empty())
    {
        for (NodeUnit* unit : lonely) // units that are not connected to any host
        {
            Give(*unit, 0);
        }
    }
    return !next.empty() && !lonely.empty();
}

} // namespace

RankPlan
PlanRanks(const Topology& topology, uint32_t ranks)
{
    Dealer dealer(topology, ranks);
    RankPlan plan;
    plan.ranks = dealer.Deal();
    plan.shares = dealer.GetShares();
    for (const Topology::LinkInfo& link : topology.GetLinks())
    {
        plan.links += link.failed ? 0 : 1;
        if (plan.ranks[link.nodeA] != plan.ranks[link.nodeB])
        {
            plan.cutLinks += link.failed ? 0 : 1;
            plan.lookahead = plan.lookahead.IsZero() ? link.delay : Min(plan.lookahead, link.delay);
        }
    }
    return plan;
}

uint32_t
CountRacks(const Topology& topology)
{
    return Dealer(topology, 1).CountRacks();
}

double
RankPlan::GetBalance() const
{
    return 1 / *std::max_element(shares.begin(), shares.end());
}

std::string
RankPlan::Describe() const
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(1);
    for (uint32_t rank = 0; rank < shares.size(); ++rank)
    {
        text << "rank " << rank << ": " << std::count(ranks.begin(), ranks.end(), rank)
             << " nodes, " << 100 * shares[rank] << " % of the work\n";
    }
    text << cutLinks << " of " << links << " links are cut; lookahead "
         << lookahead.GetNanoSeconds() << " ns; at most " << std::setprecision(2) << GetBalance()
         << " times as fast as one rank\n";
    return text.str();
}

} // namespace ns3::lossless
