// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_WAIT_FOR_GRAPH_H
#define LOSSLESS_WAIT_FOR_GRAPH_H

#include "deadlock-record.h"
#include "deadlock-switch.h"

#include "ns3/lossless-types.h"

#include <boost/graph/adjacency_list.hpp>
#include <cstddef>
#include <map>
#include <memory>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * The wait-for graph of stalled egress queues and processors; see DeadlockDetector. Because the
 * graph is built from facts that are available on all ranks, it is the same on all ranks.
 */
class WaitForGraph
{
  public:
    /// A stalled egress queue or processor.
    struct Vertex
    {
        DeadlockSwitch* view;      ///< the state of the vertex's switch
        DeadlockSwitch::Part part; ///< the queue; unset for the processor

        /// @return the switch for which the vertex waits
        DeadlockSwitch* GetNext() const
        {
            return part ? view->GetNext(part->port) : view;
        }

        /// @return the report number of the vertex's deadlock, or 0 if the vertex is not in a
        /// deadlock
        std::size_t GetReport() const
        {
            return view->GetReport(part);
        }
    };

    /// @param switches all watched switches
    /// @param stalled queues that stalled after this time are not included
    /// @param kind the kind of deadlock, which determines what a queue waits for
    WaitForGraph(const std::vector<std::unique_ptr<DeadlockSwitch>>& switches,
                 Ticks stalled,
                 DeadlockKind kind);

    /// @return the maximal sets of vertices that all wait for each other, directly or indirectly;
    /// in a standstill, also each vertex that waits for an empty switch, as a set of its own
    std::vector<std::vector<std::size_t>> GetKnots() const;

    /// @return a shortest cycle through the first member of a knot, starting with this member
    std::vector<Vertex> GetCycle(const std::vector<std::size_t>& knot) const;

    /// Keeps only the vertices that certainly remain stuck. Edges are ignored. Called on all ranks.
    void KeepStuck();

    /// @return whether a queue or processor is in the graph
    bool Has(const Vertex& vertex) const;

    /// @return all queues and processors in the graph
    const std::vector<Vertex>& GetVertices() const
    {
        return m_vertices;
    }

  private:
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

    /// Adds the queues of a port.
    void AddVertices(DeadlockSwitch* view, PortId id, Ticks stalled);
    /// Removes the queues that can still move because a queue for which they wait can move.
    void KeepStandstill();
    /// Removes vertices.
    /// @param mayMove for each vertex, whether to remove it
    /// @return whether any vertex was removed
    bool TakeOut(const std::vector<bool>& mayMove);
    /// @return for each vertex, whether the flow control of the next switch would keep the vertex
    /// stopped if only the frames in queues of the graph remained at that switch; not meaningful
    /// for a processor
    std::vector<bool> AskSwitches() const;
    /// @return whether all parts of the next switch that store frames are in the graph
    bool IsNextStill(const Vertex& vertex) const;
    /// @param stays whether the flow control of the next switch keeps the vertex stopped
    /// @return whether a vertex can move even if the others do not
    bool MayMove(const Vertex& vertex, bool stays) const;
    /// @return the buffer accounting of a switch after all frames outside the graph have left
    Ptr<SharedBuffer> MakeRest(const DeadlockSwitch& view) const;
    /// Adds the edges from each vertex to the vertices for which it waits.
    void AddEdges();
    /// @param to a vertex of the switch for which `from` waits
    bool IsWaiting(const Vertex& from, const Vertex& to) const;
    /// @param to an egress queue of the next switch
    /// @return whether `to` stores frames that `from` has sent
    static bool IsFeeding(const Vertex& from, QueueId to);

    DeadlockKind m_kind;            ///< the kind of deadlock, which determines what a queue waits
                                    ///< for
    std::vector<Vertex> m_vertices; ///< the vertices, sorted by switch, port and class
    std::map<const DeadlockSwitch*, std::vector<std::size_t>> m_ofSwitch; ///< the indices in
                                                                          ///< m_vertices of each
                                                                          ///< switch's vertices
    Graph m_graph; ///< the graph, whose vertices are indices in m_vertices
};

} // namespace ns3::lossless

#endif /* LOSSLESS_WAIT_FOR_GRAPH_H */
