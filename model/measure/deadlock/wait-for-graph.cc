// SPDX-License-Identifier: GPL-2.0-only
#include "wait-for-graph.h"

#include "ns3/ranks.h"

#include <algorithm>
#include <boost/graph/strong_components.hpp>
#include <iterator>
#include <queue>
#include <utility>

namespace ns3::lossless
{

WaitForGraph::WaitForGraph(const std::vector<std::unique_ptr<DeadlockSwitch>>& switches,
                           Ticks stalled,
                           DeadlockKind kind)
    : m_kind(kind)
{
    for (const auto& view : switches)
    {
        for (uint16_t i = 0; i < view->GetNPorts(); ++i)
        {
            if (view->GetStopped(PortId{i}) != 0)
            {
                AddVertices(view.get(), PortId{i}, stalled);
            }
        }
        if (view->GetAwaited() && view->GetStoppedSince(std::nullopt) <= stalled)
        {
            m_vertices.push_back({view.get(), std::nullopt});
        }
    }
    if (kind == DeadlockKind::STANDSTILL)
    {
        KeepStandstill();
    }
    AddEdges();
}

void
WaitForGraph::AddVertices(DeadlockSwitch* view, PortId id, Ticks stalled)
{
    const PrioritySet classes = view->GetStopped(id) & view->GetFacts().ports[Index(id)].filled;
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        const QueueId queue{id, Priority{p}};
        if (Contains(classes, queue.priority) && view->GetStalledSince(queue) <= stalled &&
            view->IsHeld(queue))
        {
            m_vertices.push_back({view, queue});
        }
    }
}

void
WaitForGraph::KeepStandstill()
{
    std::vector<bool> mayMove;
    do
    {
        mayMove.clear();
        for (const Vertex& vertex : m_vertices)
        {
            mayMove.push_back(!IsNextStill(vertex));
        }
    } while (TakeOut(mayMove));
}

void
WaitForGraph::KeepStuck()
{
    std::vector<bool> mayMove;
    do
    {
        mayMove = AskSwitches();
        for (std::size_t i = 0; i < m_vertices.size(); ++i)
        {
            mayMove[i] = MayMove(m_vertices[i], mayMove[i]);
        }
    } while (TakeOut(mayMove));
}

bool
WaitForGraph::TakeOut(const std::vector<bool>& mayMove)
{
    std::vector<Vertex> kept;
    for (std::size_t i = 0; i < m_vertices.size(); ++i)
    {
        if (!mayMove[i])
        {
            kept.push_back(m_vertices[i]);
        }
    }
    const bool isAny = kept.size() < m_vertices.size();
    m_vertices = std::move(kept);
    return isAny;
}

bool
WaitForGraph::IsNextStill(const Vertex& vertex) const
{
    const DeadlockSwitch* next = vertex.GetNext();
    const auto isOfNext = [next](const Vertex& other) { return other.view == next; };
    const auto still = std::count_if(m_vertices.begin(), m_vertices.end(), isOfNext);
    return static_cast<std::size_t>(still) >= next->CountHolders();
}

bool
WaitForGraph::MayMove(const Vertex& vertex, bool stays) const
{
    if (!vertex.part)
    {
        return !Has({vertex.view, vertex.view->GetAwaited()});
    }
    return !stays && !IsNextStill(vertex);
}

std::vector<bool>
WaitForGraph::AskSwitches() const
{
    std::vector<bool> stays(m_vertices.size());
    std::map<const DeadlockSwitch*, Ptr<SharedBuffer>> rests;
    for (std::size_t i = 0; i < m_vertices.size(); ++i)
    {
        const auto& [view, part] = m_vertices[i];
        const DeadlockSwitch* next = m_vertices[i].GetNext();
        if (part && next->GetWatch())
        {
            Ptr<SharedBuffer>& rest = rests[next];
            rest = rest ? rest : MakeRest(*next);
            const QueueId waitsFor{view->GetNextPort(part->port), part->priority};
            stays[i] = next->GetWatch()->StaysStopped(*rest, waitsFor);
        }
    }
    for (const std::string& answers : Ranks::Gather(std::string(stays.begin(), stays.end())))
    {
        for (std::size_t i = 0; i < stays.size(); ++i)
        {
            stays[i] = stays[i] || answers[i] != 0;
        }
    }
    return stays;
}

Ptr<SharedBuffer>
WaitForGraph::MakeRest(const DeadlockSwitch& view) const
{
    std::vector<bool> stays(view.GetNPorts() * NUM_PRIORITIES);
    for (const Vertex& vertex : m_vertices)
    {
        if (vertex.view == &view && vertex.part)
        {
            stays[Index(*vertex.part)] = true;
        }
    }
    return view.GetWatch()->MakeRest(stays);
}

bool
WaitForGraph::Has(const Vertex& vertex) const
{
    return std::any_of(m_vertices.begin(), m_vertices.end(), [&vertex](const Vertex& other) {
        return other.view == vertex.view && other.part == vertex.part;
    });
}

void
WaitForGraph::AddEdges()
{
    for (std::size_t vertex = 0; vertex < m_vertices.size(); ++vertex)
    {
        m_ofSwitch[m_vertices[vertex].view].push_back(vertex);
        boost::add_vertex(m_graph);
    }
    for (std::size_t from = 0; from < m_vertices.size(); ++from)
    {
        for (const std::size_t to : m_ofSwitch[m_vertices[from].GetNext()])
        {
            if (to != from && IsWaiting(m_vertices[from], m_vertices[to]))
            {
                boost::add_edge(from, to, m_graph);
            }
        }
    }
}

bool
WaitForGraph::IsWaiting(const Vertex& from, const Vertex& to) const
{
    if (m_kind == DeadlockKind::STANDSTILL)
    {
        return true;
    }
    if (!from.part)
    {
        return to.part && *to.part == *from.view->GetAwaited();
    }
    return to.part ? IsFeeding(from, *to.part)
                   : to.view->GetFacts()
                         .processor.holds[Index(from.view->GetNextPort(from.part->port))];
}

bool
WaitForGraph::IsFeeding(const Vertex& from, QueueId to)
{
    const PortId port = from.view->GetNextPort(from.part->port);
    const SwitchFacts& next = from.GetNext()->GetFacts();
    return (to.priority == from.part->priority || next.ports[Index(port)].isPaused) &&
           next.pairs.at(next.GetPair(port, to));
}

std::vector<std::vector<std::size_t>>
WaitForGraph::GetKnots() const
{
    std::vector<std::size_t> component(m_vertices.size());
    const std::size_t count = boost::strong_components(
        m_graph,
        boost::make_iterator_property_map(component.begin(),
                                          boost::get(boost::vertex_index, m_graph)));
    std::vector<std::vector<std::size_t>> knots(count);
    for (std::size_t vertex = 0; vertex < m_vertices.size(); ++vertex)
    {
        knots[component[vertex]].push_back(vertex);
    }
    // No queue waits for itself, because the next switch is always a different one. In a
    // standstill, a queue that waits for no other queue is stopped by an empty switch.
    const auto isNone = [this](const std::vector<std::size_t>& knot) {
        return knot.size() < 2 &&
               (m_kind == DeadlockKind::CYCLE || boost::out_degree(knot.front(), m_graph) > 0);
    };
    knots.erase(std::remove_if(knots.begin(), knots.end(), isNone), knots.end());
    std::sort(knots.begin(), knots.end());
    return knots;
}

std::vector<WaitForGraph::Vertex>
WaitForGraph::GetCycle(const std::vector<std::size_t>& knot) const
{
    const std::size_t first = knot.front();
    if (knot.size() == 1)
    {
        return {m_vertices[first]};
    }
    std::map<std::size_t, std::size_t> before; // the predecessor of each vertex on a shortest path
    std::queue<std::size_t> next;
    for (next.push(first); before.count(first) == 0; next.pop())
    {
        const auto [begin, end] = boost::adjacent_vertices(next.front(), m_graph);
        for (auto to = begin; to != end; ++to)
        {
            // A path that leaves the knot does not return to it.
            if (before.emplace(*to, next.front()).second)
            {
                next.push(*to);
            }
        }
    }
    std::vector<Vertex> cycle{m_vertices[first]};
    for (std::size_t at = before[first]; at != first; at = before[at])
    {
        cycle.push_back(m_vertices[at]);
    }
    std::reverse(cycle.begin() + 1, cycle.end());
    return cycle;
}

} // namespace ns3::lossless
