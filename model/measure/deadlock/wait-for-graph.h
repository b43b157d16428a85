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
 * Which stalled egress queues and processors wait for which, see DeadlockDetector. It is made of
 * what searches know of the switches, so that it is the same on all ranks.
 */
class WaitForGraph
{
  public:
    /// A stalled egress queue or processor.
    struct Vertex
    {
        DeadlockSwitch* view;      ///< its switch
        DeadlockSwitch::Part part; ///< the queue; nothing: the processor

        /// @return the switch which it waits for
        DeadlockSwitch* GetNext() const
        {
            return part ? view->GetNext(part->port) : view;
        }

        /// @return number of the report of the deadlock that it is in; 0: of none
        std::size_t GetReport() const
        {
            return view->GetReport(part);
        }
    };

    /// @param graph a graph @return by vertex, whether the flow control of the next switch would
    /// keep it stopped if only frames in queues of the graph were left there; of processors: void
    using AskStays = std::function<std::vector<bool>(const WaitForGraph& graph)>;

    /// @param switches all watched ones @param stalled takes queues that were stalled then already
    /// @param kind what a queue waits for
    WaitForGraph(const std::vector<std::unique_ptr<DeadlockSwitch>>& switches,
                 Ticks stalled,
                 DeadlockKind kind);

    /// @return the sets of queues which all wait for each other
    std::vector<std::vector<std::size_t>> GetKnots() const;

    /// @param knot such a set @return a shortest cycle through its first member, from there on
    std::vector<std::size_t> GetCycle(const std::vector<std::size_t>& knot) const;

    /// Takes the queues out which may yet move, whatever that takes; edges are not looked at.
    /// @param ask answers for the switches
    void KeepStuck(const AskStays& ask);

    /// For AskStays, which looks at the switches of this rank.
    /// @return by vertex, what is asked; of vertices that wait for foreign switches: no
    std::vector<bool> AskOwnSwitches() const;

    /// @param vertex a queue or processor @return whether it is one of these
    bool Has(const Vertex& vertex) const;

    /// @return all queues and processors
    const std::vector<Vertex>& GetVertices() const
    {
        return m_vertices;
    }

    /// @param index of a vertex @return the queue
    const Vertex& GetVertex(std::size_t index) const
    {
        return m_vertices[index];
    }

  private:
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

    /// Adds the queues of a port. @param view its switch @param id the port
    /// @param stalled see the constructor
    void AddVertices(DeadlockSwitch* view, PortId id, Ticks stalled);
    /// Takes the queues out which may yet move, since a queue they wait for may.
    void KeepStandstill();
    /// Takes queues out. @param mayMove by vertex, whether it is one of them
    /// @return whether there are any
    bool TakeOut(const std::vector<bool>& mayMove);
    /// @param vertex a queue @return whether all that the next switch holds is of these
    bool IsNextStill(const Vertex& vertex) const;
    /// @param vertex a queue or processor @param stays whether the flow control of the next switch
    /// keeps it stopped @return whether it may move although these do not
    bool MayMove(const Vertex& vertex, bool stays) const;
    /// @param view a switch @return its ledger when all that these do not hold has left
    Ptr<SharedBuffer> MakeRest(const DeadlockSwitch& view) const;
    /// Numbers the queues, and adds what they wait for.
    void AddEdges();
    /// @param from a vertex @param to a vertex of the switch which the former waits for
    /// @return whether the former waits for the latter
    bool IsWaiting(const Vertex& from, const Vertex& to) const;
    /// @param from a queue @param to an egress queue of the next switch
    /// @return whether frames that came from the former are in the latter
    static bool IsFeeding(const Vertex& from, QueueId to);

    DeadlockKind m_kind;            ///< what a queue waits for
    std::vector<Vertex> m_vertices; ///< in the order of switches, ports and classes
    std::map<const DeadlockSwitch*, std::vector<std::size_t>> m_ofSwitch; ///< of m_vertices
    Graph m_graph;                                                        ///< of the numbers
};

} // namespace ns3::lossless

#endif /* LOSSLESS_WAIT_FOR_GRAPH_H */
