// SPDX-License-Identifier: GPL-2.0-only
#include "deadlock-detector.h"

#include "deadlock-switch.h"
#include "wait-for-graph.h"

#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/make-type-id.h"
#include "ns3/ranks.h"
#include "ns3/record-archive.h"
#include "ns3/simulator.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessDeadlockDetector");

NS_OBJECT_ENSURE_REGISTERED(DeadlockDetector);

const RegisterRecorder<DeadlockDetector> g_deadlockDetector("deadlocks", 80);

/// A deadlock that has not dissolved.
struct DeadlockDetector::Standing
{
    std::vector<WaitForGraph::Vertex> cycle; ///< the members, in the order in which the record
                                             ///< lists them
    std::size_t report{0};                   ///< the report number of the deadlock, starting at 1

    /// @return whether a member has moved
    bool IsDissolved() const
    {
        return std::any_of(cycle.begin(), cycle.end(), [this](const auto& vertex) {
            return vertex.GetReport() != report;
        });
    }
};

TypeId
DeadlockDetector::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<DeadlockDetector, Recorder>("DeadlockDetector")
            .AddAttribute("ConfirmTime",
                          "A cycle of paused queues is a deadlock when no frame has left any "
                          "of them for this time; at least 1 us.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&DeadlockDetector::m_confirmTime),
                          MakeTimeChecker(MicroSeconds(1)))
            .AddAttribute("StopOnDeadlock",
                          "Whether the first deadlock that cannot dissolve ends the simulation.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&DeadlockDetector::m_stopOnDeadlock),
                          MakeBooleanChecker())
            .AddTraceSource("Deadlock",
                            "A deadlock is confirmed.",
                            MakeTraceSourceAccessor(&DeadlockDetector::m_deadlockTrace),
                            "ns3::lossless::DeadlockDetector::DeadlockTracedCallback");
    return tid;
}

DeadlockDetector::DeadlockDetector()
    : m_requests([this](const NetworkTally::Counts& counts) { PlanSearch(counts.earliest); }),
      m_search(Create<SearchEvent>(this))
{
}

DeadlockDetector::~DeadlockDetector()
{
    Forget();
}

void
DeadlockDetector::DoDispose()
{
    Forget();
    Object::DoDispose();
}

void
DeadlockDetector::Forget()
{
    m_start.Cancel();
    m_search->Detach();
    m_standing.clear();
    m_nodes.clear();
    m_switches.clear();
}

void
DeadlockDetector::WatchSwitch(const std::string& name, Ptr<SwitchNode> node)
{
    m_switches.push_back(std::make_unique<DeadlockSwitch>(name, node));
    m_nodes[PeekPointer(node)] = m_switches.back().get();
    if (m_start == EventId()) // IsExpired() would search all events scheduled for the current time
    {
        m_start = Simulator::ScheduleNow(&DeadlockDetector::Start, this);
    }
}

void
DeadlockDetector::Start()
{
    m_start = EventId(); // a switch that is watched later schedules another event
    for (const auto& view : m_switches)
    {
        view->Connect(m_nodes, [this] { ScheduleSearch(); });
    }
}

void
DeadlockDetector::ScheduleSearch()
{
    // The search must not start before all nodes have reached its time.
    m_requests.Note(Simulator::Now() + std::max(m_confirmTime / 4, GetGlobalDelay()));
}

void
DeadlockDetector::PlanSearch(uint64_t due)
{
    if (m_search->IsArmed())
    {
        if (m_searchDue <= due)
        {
            return;
        }
        m_search->Detach();
        m_search = Create<SearchEvent>(this);
    }
    m_search->Arm(Simulator::NO_CONTEXT, TimeStep(due) - Simulator::Now());
    m_searchDue = due;
}

void
DeadlockDetector::Search()
{
    // A sink connected to the trace "Deadlock" can dispose of or release this object.
    const Ptr<DeadlockDetector> self(this);
    TakeFacts();
    ShareFacts();
    Look();
    const std::size_t before = m_deadlocks.size();
    FindDeadlocks(DeadlockKind::CYCLE);
    FindDeadlocks(DeadlockKind::STANDSTILL);
    const bool isFinal = NoteFinal();
    const std::vector<DeadlockRecord> found(m_deadlocks.begin() +
                                                static_cast<std::ptrdiff_t>(before),
                                            m_deadlocks.end());
    if (IsSearchNeeded())
    {
        ScheduleSearch();
    }
    NS_LOG_DEBUG("a search has found "
                 << found.size() << " new deadlocks, and "
                 << (m_search->IsArmed() ? "another one follows" : "is the last for now"));
    for (const DeadlockRecord& record : found)
    {
        NS_LOG_WARN(ToString(record.kind)
                    << " since " << record.onset.As(Time::NS) << ": " << record.GetCycle());
        m_deadlockTrace(record);
    }
    if (isFinal && m_stopOnDeadlock)
    {
        Simulator::Stop();
    }
}

void
DeadlockDetector::Conclude()
{
    TakeFacts();
    Look();
}

void
DeadlockDetector::TakeFacts() const
{
    for (const auto& view : m_switches)
    {
        view->TakeFacts(GetSettled());
    }
}

void
DeadlockDetector::ShareFacts()
{
    if (!Ranks::AreSeveral())
    {
        return;
    }
    std::ostringstream own;
    SaveOwn(own, m_switches);
    const std::vector<std::string> all = Ranks::Gather(own.str());
    for (uint32_t rank = 0; rank < all.size(); ++rank)
    {
        std::istringstream facts(all[rank]);
        LoadForeign(facts, m_switches, rank);
    }
}

std::vector<Recorder::NamedTable>
DeadlockDetector::GetTables() const
{
    return {{"deadlocks", [this] { return GetTable(); }}};
}

void
DeadlockDetector::Judge(RunVerdict& verdict) const
{
    JudgeDeadlocks(m_deadlocks, verdict);
}

void
DeadlockDetector::Save(std::ostream& os) const
{
    TakeFacts();
    SaveOwn(os, m_switches);
}

void
DeadlockDetector::Merge(std::istream& is, uint32_t rank)
{
    LoadForeign(is, m_switches, rank);
}

void
DeadlockDetector::Look()
{
    for (const auto& view : m_switches)
    {
        view->Look([this](std::size_t report, Ticks when) { NoteMoved(report, TimeStep(when)); });
    }
    for (const auto& view : m_switches)
    {
        view->EndLook();
    }
    NoteDissolved();
}

void
DeadlockDetector::NoteMoved(std::size_t report, Time when)
{
    std::optional<Time>& dissolved = m_deadlocks[report - 1].dissolved;
    dissolved = std::min(dissolved.value_or(when), when);
}

void
DeadlockDetector::NoteDissolved()
{
    const auto isDissolved = [](const Standing& standing) { return standing.IsDissolved(); };
    for (const Standing& standing : m_standing)
    {
        if (standing.IsDissolved())
        {
            NS_LOG_DEBUG("a deadlock since " << GetRecord(standing).onset.As(Time::NS)
                                             << " has dissolved");
            std::optional<Time>& dissolved = GetRecord(standing).dissolved;
            dissolved = dissolved.value_or(Simulator::Now());
            for (const auto& view : m_switches)
            {
                view->ForgetReport(standing.report);
            }
            ScheduleSearch(); // the other members may be part of another deadlock
        }
    }
    m_standing.erase(std::remove_if(m_standing.begin(), m_standing.end(), isDissolved),
                     m_standing.end());
}

bool
DeadlockDetector::NoteFinal()
{
    const auto isOpen = [this](const Standing& standing) { return !GetRecord(standing).isFinal; };
    if (std::none_of(m_standing.begin(), m_standing.end(), isOpen))
    {
        return false;
    }
    WaitForGraph stuck(m_switches, GetSettled(), DeadlockKind::CYCLE);
    stuck.KeepStuck();
    bool isAny = false;
    for (const Standing& standing : m_standing)
    {
        const auto isStuck = [&stuck](const auto& vertex) {
            return stuck.Has(vertex) && !vertex.view->IsGuarded();
        };
        if (isOpen(standing) && std::all_of(standing.cycle.begin(), standing.cycle.end(), isStuck))
        {
            GetRecord(standing).isFinal = true;
            isAny = true;
        }
    }
    for (const WaitForGraph::Vertex& vertex : stuck.GetVertices())
    {
        const std::size_t report = vertex.GetReport();
        if (report > 0 && m_deadlocks[report - 1].isFinal)
        {
            vertex.view->SetFinal(vertex.part);
        }
    }
    return isAny;
}

DeadlockRecord&
DeadlockDetector::GetRecord(const Standing& standing)
{
    return m_deadlocks[standing.report - 1];
}

Ticks
DeadlockDetector::GetSettled() const
{
    return (Simulator::Now() - m_confirmTime).GetTimeStep();
}

void
DeadlockDetector::FindDeadlocks(DeadlockKind kind)
{
    const WaitForGraph graph(m_switches, GetSettled(), kind);
    const std::vector<WaitForGraph::Vertex>& vertices = graph.GetVertices();
    for (const std::vector<std::size_t>& knot : graph.GetKnots())
    {
        const auto known = std::find_if(knot.begin(), knot.end(), [&vertices](std::size_t i) {
            return vertices[i].GetReport() > 0;
        });
        const std::size_t report =
            known == knot.end() ? Add(kind, {graph.GetCycle(knot)}) : vertices[*known].GetReport();
        for (const std::size_t i : knot)
        {
            if (vertices[i].GetReport() == 0)
            {
                vertices[i].view->SetReport(vertices[i].part, report);
            }
        }
    }
}

std::size_t
DeadlockDetector::Add(DeadlockKind kind, Standing standing)
{
    DeadlockRecord& record = m_deadlocks.emplace_back();
    record.kind = kind;
    record.confirmed = Simulator::Now();
    for (const WaitForGraph::Vertex& member : standing.cycle)
    {
        record.onset = std::max(record.onset, TimeStep(member.view->GetStoppedSince(member.part)));
        record.members.push_back({member.view->GetName(),
                                  member.part ? member.GetNext()->GetName() : "",
                                  member.part,
                                  member.view->GetStoppedFlow(member.part)});
    }
    standing.report = m_deadlocks.size();
    m_standing.push_back(std::move(standing));
    return m_deadlocks.size();
}

ResultTable
DeadlockDetector::GetTable() const
{
    auto table = ResultTable::WithHeader("onset_ns,confirmed_ns,dissolved_ns,kind,cycle");
    for (const DeadlockRecord& record : m_deadlocks)
    {
        table.rows.push_back({record.onset,
                              record.confirmed,
                              record.dissolved,
                              ToString(record.kind),
                              record.GetCycle()});
    }
    return table;
}

bool
DeadlockDetector::IsSearchNeeded() const
{
    // Once all closed queues have settled, the graph just searched contains all of them. A cycle
    // that forms later contains a member that closes later, and that member's gate requests a
    // search. Unless another gate closes, the graph cannot gain edges or vertices, for these
    // reasons:
    // - A new edge from A, or a new pause of an ingress queue or port at the next switch, requires
    //   that a frame has since arrived there from A's port, because switches pause when a frame
    //   arrives. A is closed and has no frame on the wire. If a frame of another class of A's port
    //   causes a pause of the whole port, the pause also closes that class.
    // - An empty queue becomes a vertex only if it receives frames from another member, which
    //   requires an edge.
    // - A standstill begins when the switch that stops a queue has sent its last frame that can
    //   leave.
    const Ticks confirm = m_confirmTime.GetTimeStep();
    return std::any_of(m_switches.begin(), m_switches.end(), [confirm](const auto& view) {
        return view->MayChange(NowInTicks(), confirm);
    });
}

} // namespace ns3::lossless
