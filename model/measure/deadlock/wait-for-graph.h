// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WAIT_FOR_GRAPH_H
#define LOSSLESS_WAIT_FOR_GRAPH_H

#include "deadlock-record.h"
#include "deadlock-switch.h"

#include "ns3/lossless-types.h"

#include <boost/graph/adjacency_list.hpp>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Which stalled egress queues and processors wait for which, see DeadlockDetector. The graph is
 * made of the facts that all ranks know, and is the same on all of them.
 */
class WaitForGraph
{
  public:
    /// A stalled egress queue or processor.
    struct Vertex
    {
        DeadlockSwitch* view;      ///< its switch
        DeadlockSwitch::Part part; ///< the queue; nothing: the processor

        /// @return the switch that it waits for
        DeadlockSwitch* GetNext() const
        {
            return part ? view->GetNext(part->port) : view;
        }

        /// @return number of the report of its deadlock; 0: it is in none
        std::size_t GetReport() const
        {
            return view->GetReport(part);
        }
    };

    /// Gives, by vertex, whether the flow control of the next switch would keep it stopped if only
    /// frames in queues of the graph were left there; void for processors.
    using AskStays = std::function<std::vector<bool>(const WaitForGraph& graph)>;

    /// @param switches all watched ones
    /// @param stalled queues that have stalled later are left out
    /// @param kind what a queue waits for
    WaitForGraph(const std::vector<std::unique_ptr<DeadlockSwitch>>& switches,
                 Ticks stalled,
                 DeadlockKind kind);

    /// @return the sets of vertices that all wait for each other
    std::vector<std::vector<std::size_t>> GetKnots() const;

    /// @return a shortest cycle through the first member of a knot, which it begins with
    std::vector<std::size_t> GetCycle(const std::vector<std::size_t>& knot) const;

    /// Removes the vertices that may still move under any circumstances; edges are not used.
    void KeepStuck(const AskStays& ask);

    /// @return AskStays for the switches of this rank; false for vertices that wait for others
    std::vector<bool> AskOwnSwitches() const;

    /// @return whether a queue or processor is in the graph
    bool Has(const Vertex& vertex) const;

    /// @return all queues and processors
    const std::vector<Vertex>& GetVertices() const
    {
        return m_vertices;
    }

    /// @return one of GetVertices()
    const Vertex& GetVertex(std::size_t index) const
    {
        return m_vertices[index];
    }

  private:
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

    /// Adds the queues of a port.
    void AddVertices(DeadlockSwitch* view, PortId id, Ticks stalled);
    /// Removes the queues that may still move, since a queue that they wait for may.
    void KeepStandstill();
    /// Removes vertices. @param mayMove by vertex, whether it is to go
    /// @return whether any was removed
    bool TakeOut(const std::vector<bool>& mayMove);
    /// @return whether all that the next switch holds is in the graph
    bool IsNextStill(const Vertex& vertex) const;
    /// @param stays whether the flow control of the next switch keeps it stopped
    /// @return whether a vertex may move although the others do not
    bool MayMove(const Vertex& vertex, bool stays) const;
    /// @return the ledger of a switch when all frames outside the graph have left
    Ptr<SharedBuffer> MakeRest(const DeadlockSwitch& view) const;
    /// Adds what the vertices wait for.
    void AddEdges();
    /// @param to a vertex of the switch that `from` waits for
    bool IsWaiting(const Vertex& from, const Vertex& to) const;
    /// @param to an egress queue of the next switch @return whether it holds frames of `from`
    static bool IsFeeding(const Vertex& from, QueueId to);

    DeadlockKind m_kind;            ///< what a queue waits for
    std::vector<Vertex> m_vertices; ///< in the order of switches, ports and classes
    std::map<const DeadlockSwitch*, std::vector<std::size_t>> m_ofSwitch; ///< of m_vertices
    Graph m_graph; ///< by index of m_vertices
};

} // namespace ns3::lossless

#endif /* LOSSLESS_WAIT_FOR_GRAPH_H */
