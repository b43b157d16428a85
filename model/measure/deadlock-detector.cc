// SPDX-License-Identifier: GPL-2.0-only
#include "deadlock-detector.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/ethernet-header.h"
#include "ns3/log.h"
#include "ns3/lossless-channel.h"
#include "ns3/lossless-net-device.h"
#include "ns3/packet-processor.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/transmit-gate.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>
#include <array>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <queue>
#include <sstream>
#include <utility>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessDeadlockDetector");

NS_OBJECT_ENSURE_REGISTERED(DeadlockDetector);

const char*
ToString(DeadlockKind kind)
{
    return kind == DeadlockKind::CYCLE ? "cycle" : "standstill";
}

std::string
DeadlockRecord::GetCycle() const
{
    std::ostringstream text;
    const std::size_t shown = members.size() > 1 ? members.size() + 1 : members.size();
    for (std::size_t i = 0; i < shown; ++i)
    {
        const DeadlockMember& member = members[i % members.size()];
        text << (i > 0 ? " -> " : "") << member.node;
        if (member.queue)
        {
            text << ">" << member.next << " class " << Index(member.queue->priority);
        }
        else
        {
            text << " processor";
        }
    }
    return text.str();
}

namespace
{

/// @param device a device with a cable @return what its longest frame takes to the other end
Ticks
GetFlight(const LosslessNetDevice& device)
{
    const auto channel = DynamicCast<LosslessChannel>(device.GetChannel());
    const uint32_t longest = device.GetMtu() + EthernetHeader().GetSerializedSize();
    return (Seconds(device.GetWireSeconds(longest)) + channel->GetLongestDelay()).GetTimeStep();
}

} // namespace

/// The egress side of a port of a watched switch.
class DeadlockDetector::PortView
{
  public:
    /// @param closed classes which were paused
    void NotifyClosed(PrioritySet closed)
    {
        const Ticks now = NowInTicks();
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            m_closedSince[p] = Contains(closed, Priority{p}) ? now : m_closedSince[p];
        }
        m_closed |= closed;
        m_unseen |= closed;
        m_detector->ScheduleSearch();
    }

    /// @param opened classes which may send again
    void NotifyOpened(PrioritySet opened)
    {
        m_closed &= ~opened;
        for (PrioritySet rest = m_reported & opened; rest != 0; rest &= rest - 1)
        {
            m_detector->NoteMoved(m_report[__builtin_ctz(rest)]);
        }
        ForgetReports(opened);
    }

    /// Classes are in no deadlock that was reported, any more. @param classes they
    void ForgetReports(PrioritySet classes)
    {
        m_reported &= ~classes;
        m_final &= ~classes;
    }

    /// @param report number of a report @return the classes that are in it
    PrioritySet FindReported(std::size_t report) const
    {
        PrioritySet classes = 0;
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            const bool isIn = Contains(m_reported, Priority{p}) && m_report[p] == report;
            classes |= isIn ? SetOf(Priority{p}) : 0;
        }
        return classes;
    }

    /// The neighbour has stopped something, perhaps flows of classes that stay open.
    void NotifyPaused(PrioritySet classes, Time /* length */)
    {
        if ((classes & ~m_closed) != 0)
        {
            m_detector->ScheduleSearch();
        }
    }

    /// @return classes of which nothing may leave
    PrioritySet GetStopped() const
    {
        return m_closed | m_blocked;
    }

    /// Looks whether the ingress queues behind this port have changed since the last time.
    /// @param moved of the port, classes of which a frame has left since then, as far as flows of
    /// open classes are stopped here
    void Sample(PrioritySet moved);

    /// @param priority a class @return whether the next switch has it paused
    bool IsHeld(Priority priority) const;

    /// @param priority a class which is stopped
    /// @return since when neither its queue nor the ingress queue behind it has moved
    Ticks GetStalledSince(Priority priority) const
    {
        return std::max(m_closedSince[Index(priority)], m_sameSince[Index(priority)]);
    }

    /// @param confirm ConfirmTime
    /// @return whether a class which is stopped, and in no deadlock that is final, has moved in
    /// that time, or may have frames on the wire yet, or the next switch has something to send
    bool MayChange(Ticks confirm) const;

    DeadlockDetector* m_detector{nullptr}; ///< owns the owner of this object
    Ptr<SwitchNode> m_node;                ///< switch of the port
    PortId m_port{0};                      ///< the port
    Ptr<TransmitGate> m_gate;              ///< null: the port does not lead to a watched switch
    SwitchView* m_next{nullptr};           ///< the switch it leads to; not owned
    PortId m_nextPort{0};                  ///< by which port frames enter it
    Ticks m_flight{0};                     ///< from the first bit of a frame to its arrival there
    PrioritySet m_closed{0};               ///< classes which may not send
    PrioritySet m_unseen{0};               ///< of them, those not looked at since they were closed
    PrioritySet m_blocked{0};  ///< others of which no frame could when they were looked at last
    PrioritySet m_reported{0}; ///< of both, those in a deadlock that was reported
    PrioritySet m_final{0};    ///< of these, those in one that is final
    std::array<std::size_t, NUM_PRIORITIES> m_report{}; ///< by class; void for those not reported
    std::array<Ticks, NUM_PRIORITIES> m_closedSince{};  ///< by class; void for those not stopped

  private:
    /// Looks whether open classes hold frames of which none may leave. @param moved see Sample()
    void SampleOpen(PrioritySet moved);
    /// @param priority a class @return bytes whose departure may let the next switch resume it
    uint64_t GetAwaited(Priority priority) const;

    std::array<uint64_t, NUM_PRIORITIES> m_awaited{}; ///< as GetAwaited() said last
    std::array<Ticks, NUM_PRIORITIES> m_sameSince{};  ///< when that was seen for the first time
};

/// The packet processor of a watched switch.
class DeadlockDetector::ProcessorView
{
  public:
    /// @param processor it, or null
    void SetProcessor(Ptr<PacketProcessor> processor)
    {
        m_processor = processor;
    }

    /// @return the egress queue for which it waits; nothing: it is not stopped
    std::optional<QueueId> GetAwaited() const
    {
        const SwitchItem* item = GetStopped();
        return item ? std::make_optional(item->GetEgressQueue()) : std::nullopt;
    }

    /// @param port an ingress port @return whether frames from there wait in it
    bool Holds(PortId port) const
    {
        bool holds = false;
        if (m_processor)
        {
            m_processor->ForEach(
                [&holds, port](const SwitchItem& item) { holds |= item.ingress == port; });
        }
        return holds;
    }

    /// @return whether it forwards frames now, or will
    bool IsWorking() const
    {
        bool holds = false;
        if (m_processor && !m_processor->GetStopped())
        {
            m_processor->ForEach([&holds](const SwitchItem& /* item */) { holds = true; });
        }
        return holds;
    }

    /// @param earliest a time @return whether it was seen to stop then or later, and still is
    bool IsStoppedSince(Ticks earliest) const
    {
        return m_stopped && m_stoppedSince >= earliest;
    }

    /// Looks whether it is stopped as it was the last time, by the same frame.
    void Sample()
    {
        const SwitchItem* item = GetStopped();
        const auto stopped =
            item ? std::make_optional(std::make_pair(item->ingress, item->frame.arrival))
                 : std::nullopt;
        if (!stopped || stopped != m_stopped)
        {
            m_stoppedSince = NowInTicks();
            ForgetReport();
        }
        m_stopped = stopped;
    }

    /// It is in no deadlock that was reported, any more.
    void ForgetReport()
    {
        m_report = 0;
    }

    std::size_t m_report{0}; ///< of the deadlock in which it is; 0: in none that was reported
    Ticks m_stoppedSince{0}; ///< meaningful while it is stopped

  private:
    /// @return the frame that has no room; null: it is not stopped
    const SwitchItem* GetStopped() const
    {
        return m_processor ? m_processor->GetStopped() : nullptr;
    }

    Ptr<PacketProcessor> m_processor; ///< null: there is none
    /// The frame by which it was stopped when it was looked at last: port and instant of arrival.
    std::optional<std::pair<PortId, Ticks>> m_stopped;
};

/// A watched switch.
class DeadlockDetector::SwitchView
{
  public:
    /// @param name of the switch @param node the switch
    SwitchView(const std::string& name, Ptr<SwitchNode> node)
        : m_name(name),
          m_node(node)
    {
    }

    /// Initialises the switch, unless that was done before.
    void Prepare();
    /// Looks at the gates to other switches, unless it does so already.
    /// @param detector to be told of gates that close @param views all watched switches
    void ConnectGates(DeadlockDetector* detector,
                      const std::vector<std::unique_ptr<SwitchView>>& views);
    /// Does not look at them any more.
    void Disconnect();

    /// Looks at all ports and the processor.
    void Sample();
    /// @return whether a frame that is stored in it may move
    bool MaySend() const;
    /// @return its egress queues that hold frames
    std::vector<QueueId> GetFilled() const;
    /// @return how many of its queues, and its processor, hold frames that wait
    std::size_t CountHolders() const;
    /// @return by GetPair(), whether frames from the port are stored in the egress queue
    std::vector<bool> FindPairs() const;
    /// All that is in a deadlock is in none any more. @param report number of its report
    void ForgetReport(std::size_t report);
    /// @param stays by Index(QueueId), whether the frames of an egress queue stay
    /// @return the ledger as it will be when all others have left, with ingress queues only
    Ptr<SharedBuffer> MakeRest(const std::vector<bool>& stays) const;

    /// @param ingress an ingress port @param egress an egress queue @return index in FindPairs()
    std::size_t GetPair(PortId ingress, QueueId egress) const
    {
        return Index(ingress) * m_ports.size() * NUM_PRIORITIES + Index(egress);
    }

    /// @return the ledger as it is; asking the switch for it would bring it up to date
    const SharedBuffer& GetLedger() const
    {
        return *m_ledger;
    }

    std::string m_name;            ///< of the switch
    Ptr<SwitchNode> m_node;        ///< the switch
    std::vector<PortView> m_ports; ///< by port; empty before Prepare()
    ProcessorView m_processor;     ///< between ingress and egress

  private:
    /// Looks, where a gate stops single flows, which queues have sent since the last time.
    /// @return by port, their classes
    std::vector<PrioritySet> FindMoved();
    /// @param limit an instant @return by Index(QueueId), frames that arrived before it and wait
    std::vector<uint32_t> CountOlder(Ticks limit) const;

    Ptr<SharedBuffer> m_ledger;      ///< of the switch
    Ticks m_lookedAt{0};             ///< when FindMoved() looked last
    std::vector<uint32_t> m_waiting; ///< CountOlder() of then; empty: it did not count
};

void
DeadlockDetector::PortView::Sample(PrioritySet moved)
{
    const Ticks now = NowInTicks();
    SampleOpen(moved);
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (!Contains(GetStopped(), Priority{p}))
        {
            continue;
        }
        const uint64_t awaited = GetAwaited(Priority{p});
        const bool isSame = awaited == m_awaited[p] && !Contains(m_unseen, Priority{p});
        m_sameSince[p] = isSame ? m_sameSince[p] : now;
        m_awaited[p] = awaited;
    }
    m_unseen = 0;
}

void
DeadlockDetector::PortView::SampleOpen(PrioritySet moved)
{
    if (!m_gate || !m_gate->GetPermit().selective)
    {
        ForgetReports(m_blocked);
        m_blocked = 0;
        return;
    }
    ForgetReports(m_blocked & moved);
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        const PrioritySet one = SetOf(Priority{p});
        const bool isBlocked = !Contains(m_closed, Priority{p}) &&
                               m_node->GetState({m_port, Priority{p}}) == EgressState::BLOCKED;
        if (isBlocked && (!Contains(m_blocked, Priority{p}) || Contains(moved, Priority{p})))
        {
            m_closedSince[p] = NowInTicks();
        }
        m_blocked = isBlocked ? m_blocked | one : m_blocked & ~one;
    }
    ForgetReports(static_cast<PrioritySet>(~GetStopped()));
}

bool
DeadlockDetector::PortView::IsHeld(Priority priority) const
{
    return m_next->m_node->GetFlowControl()->IsHolding({m_nextPort, priority});
}

uint64_t
DeadlockDetector::PortView::GetAwaited(Priority priority) const
{
    const SharedBuffer& ledger = m_next->GetLedger();
    uint64_t bytes = 0;
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (Priority{p} == priority || ledger.GetIngressPort(m_nextPort).paused)
        {
            bytes += ledger.GetIngress({m_nextPort, Priority{p}}).GetTotal();
        }
    }
    return bytes;
}

bool
DeadlockDetector::PortView::MayChange(Ticks confirm) const
{
    const Ticks settled = NowInTicks() - std::max(confirm, m_flight);
    const auto rest = static_cast<PrioritySet>(GetStopped() & ~m_final);
    if (rest != 0 && (m_next->MaySend() || m_next->m_processor.IsStoppedSince(settled + 1)))
    {
        return true;
    }
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (Contains(rest, Priority{p}) && GetStalledSince(Priority{p}) > settled)
        {
            return true;
        }
    }
    return false;
}

void
DeadlockDetector::SwitchView::Prepare()
{
    if (!m_ports.empty())
    {
        return;
    }
    m_node->Initialize();
    PointerValue ledger;
    m_node->GetAttribute("SharedBuffer", ledger);
    m_ledger = ledger.Get<SharedBuffer>();
    m_ports.resize(m_node->GetNDevices());
    m_processor.SetProcessor(m_node->GetProcessor());
}

void
DeadlockDetector::SwitchView::ConnectGates(DeadlockDetector* detector,
                                           const std::vector<std::unique_ptr<SwitchView>>& views)
{
    for (std::size_t i = 0; i < m_ports.size(); ++i)
    {
        PortView& port = m_ports[i];
        Ptr<LosslessNetDevice> device = m_node->GetPortDevice(PortId{static_cast<uint16_t>(i)});
        Ptr<LosslessNetDevice> peer = device->GetPeer();
        const auto next = std::find_if(views.begin(), views.end(), [&](const auto& view) {
            return view->m_node == peer->GetNode();
        });
        if (port.m_gate || next == views.end())
        {
            continue;
        }
        port.m_detector = detector;
        port.m_node = m_node;
        port.m_port = PortId{static_cast<uint16_t>(i)};
        port.m_gate = device->GetGate();
        port.m_next = next->get();
        port.m_nextPort = PortId{static_cast<uint16_t>(peer->GetIfIndex())};
        port.m_flight = GetFlight(*device);
        port.m_gate->TraceConnectWithoutContext("Closed",
                                                MakeCallback(&PortView::NotifyClosed, &port));
        port.m_gate->TraceConnectWithoutContext("Opened",
                                                MakeCallback(&PortView::NotifyOpened, &port));
        port.m_gate->TraceConnectWithoutContext("Paused",
                                                MakeCallback(&PortView::NotifyPaused, &port));
        const auto closed = static_cast<PrioritySet>(~port.m_gate->GetOpen());
        if (closed != 0)
        {
            port.NotifyClosed(closed);
        }
    }
}

void
DeadlockDetector::SwitchView::Sample()
{
    const std::vector<PrioritySet> moved = FindMoved();
    for (std::size_t i = 0; i < m_ports.size(); ++i)
    {
        m_ports[i].Sample(moved[i]);
    }
    m_processor.Sample();
}

std::vector<PrioritySet>
DeadlockDetector::SwitchView::FindMoved()
{
    std::vector<PrioritySet> moved(m_ports.size());
    const bool isSelective = std::any_of(m_ports.begin(), m_ports.end(), [](const PortView& port) {
        return port.m_gate && port.m_gate->GetPermit().selective;
    });
    if (!isSelective)
    {
        m_waiting.clear();
        return moved;
    }
    // Of the frames that waited then, fewer wait now where any has left, whatever has come since.
    const std::vector<uint32_t> left = CountOlder(m_lookedAt);
    for (std::size_t i = 0; i < m_waiting.size(); ++i)
    {
        const Priority priority{static_cast<uint8_t>(i % NUM_PRIORITIES)};
        moved[i / NUM_PRIORITIES] |= left[i] == m_waiting[i] ? 0 : SetOf(priority);
    }
    m_lookedAt = NowInTicks();
    m_waiting = CountOlder(m_lookedAt);
    return moved;
}

std::vector<uint32_t>
DeadlockDetector::SwitchView::CountOlder(Ticks limit) const
{
    std::vector<uint32_t> frames(m_ports.size() * NUM_PRIORITIES);
    m_node->ForEachQueued([&frames, limit](const SwitchItem& item) {
        frames[Index(item.GetEgressQueue())] += item.frame.arrival < limit ? 1 : 0;
    });
    return frames;
}

bool
DeadlockDetector::SwitchView::MaySend() const
{
    const std::vector<QueueId> filled = GetFilled();
    return m_processor.IsWorking() ||
           std::any_of(filled.begin(), filled.end(), [this](const QueueId& queue) {
               return m_node->GetState(queue) != EgressState::BLOCKED;
           });
}

std::size_t
DeadlockDetector::SwitchView::CountHolders() const
{
    return GetFilled().size() + (m_processor.GetAwaited() || m_processor.IsWorking() ? 1 : 0);
}

std::vector<bool>
DeadlockDetector::SwitchView::FindPairs() const
{
    std::vector<bool> pairs(m_ports.size() * m_ports.size() * NUM_PRIORITIES);
    m_node->ForEachQueued([this, &pairs](const SwitchItem& item) {
        pairs[GetPair(item.ingress, item.GetEgressQueue())] = true;
    });
    return pairs;
}

void
DeadlockDetector::SwitchView::ForgetReport(std::size_t report)
{
    for (PortView& port : m_ports)
    {
        port.ForgetReports(port.FindReported(report));
    }
    if (m_processor.m_report == report)
    {
        m_processor.ForgetReport();
    }
}

Ptr<SharedBuffer>
DeadlockDetector::SwitchView::MakeRest(const std::vector<bool>& stays) const
{
    auto rest = CreateObject<SharedBuffer>();
    rest->Resize(m_ports.size());
    if (GetLedger().IsTwoSided())
    {
        return rest; // the ingress side does not count what is in egress queues
    }
    std::vector<uint32_t> bytes(stays.size());
    m_node->ForEachQueued([&stays, &bytes](const SwitchItem& item) {
        bytes[Index(item.GetIngressQueue())] +=
            stays[Index(item.GetEgressQueue())] ? item.bufferBytes : 0;
    });
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
        SwitchItem item;
        item.ingress = PortId{static_cast<uint16_t>(i / NUM_PRIORITIES)};
        item.frame.priority = Priority{static_cast<uint8_t>(i % NUM_PRIORITIES)};
        item.bufferBytes = bytes[i];
        // What leaves takes headroom along first, then shared, then private buffer.
        const SharedBuffer::IngressQueue& now = GetLedger().GetIngress(item.GetIngressQueue());
        SegmentBytes segments;
        segments.reserved = static_cast<uint32_t>(std::min<uint64_t>(bytes[i], now.reserved));
        segments.shared =
            static_cast<uint32_t>(std::min<uint64_t>(bytes[i] - segments.reserved, now.shared));
        segments.headroom = bytes[i] - segments.reserved - segments.shared;
        rest->Arrive(item, segments);
    }
    return rest;
}

std::vector<QueueId>
DeadlockDetector::SwitchView::GetFilled() const
{
    std::vector<QueueId> filled;
    for (std::size_t i = 0; i < m_ports.size(); ++i)
    {
        for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
        {
            const QueueId queue{PortId{static_cast<uint16_t>(i)}, Priority{p}};
            if (GetLedger().GetEgress(queue).frames > 0)
            {
                filled.push_back(queue);
            }
        }
    }
    return filled;
}

void
DeadlockDetector::SwitchView::Disconnect()
{
    for (PortView& port : m_ports)
    {
        if (port.m_gate)
        {
            port.m_gate->TraceDisconnectWithoutContext(
                "Closed",
                MakeCallback(&PortView::NotifyClosed, &port));
            port.m_gate->TraceDisconnectWithoutContext(
                "Opened",
                MakeCallback(&PortView::NotifyOpened, &port));
            port.m_gate->TraceDisconnectWithoutContext(
                "Paused",
                MakeCallback(&PortView::NotifyPaused, &port));
        }
    }
}

/// Which stalled egress queues and processors wait for which.
class DeadlockDetector::WaitForGraph
{
  public:
    /// A stalled egress queue or processor.
    struct Vertex
    {
        SwitchView* view;             ///< its switch
        std::optional<QueueId> queue; ///< the queue; nothing: the processor

        /// @return the port of the queue
        PortView& GetPort() const
        {
            return view->m_ports[Index(queue->port)];
        }

        /// @return the switch which it waits for
        SwitchView* GetNext() const
        {
            return queue ? GetPort().m_next : view;
        }

        /// @return number of the report of the deadlock that it is in; 0: of none
        std::size_t GetReport() const
        {
            if (!queue)
            {
                return view->m_processor.m_report;
            }
            const PortView& port = GetPort();
            return Contains(port.m_reported, queue->priority)
                       ? port.m_report[Index(queue->priority)]
                       : 0;
        }

        /// It is in a deadlock that is reported. @param report number of the report
        void SetReport(std::size_t report) const
        {
            if (queue)
            {
                GetPort().m_reported |= SetOf(queue->priority);
                GetPort().m_report[Index(queue->priority)] = report;
            }
            else
            {
                view->m_processor.m_report = report;
            }
        }

        /// It is in a deadlock that is final: no search is needed for it.
        void SetFinal() const
        {
            if (queue)
            {
                GetPort().m_final |= SetOf(queue->priority);
            }
        }

        /// @return since when it is stopped
        Ticks GetStoppedSince() const
        {
            return queue ? GetPort().m_closedSince[Index(queue->priority)]
                         : view->m_processor.m_stoppedSince;
        }
    };

    /// @param views all watched switches @param stalled takes queues that were stalled then already
    /// @param kind what a queue waits for
    WaitForGraph(const std::vector<std::unique_ptr<SwitchView>>& views,
                 Ticks stalled,
                 DeadlockKind kind);

    /// @return the sets of queues which all wait for each other
    std::vector<std::vector<std::size_t>> GetKnots() const;

    /// @param knot such a set @return a shortest cycle through its first member, from there on
    std::vector<std::size_t> GetCycle(const std::vector<std::size_t>& knot) const;

    /// Takes the queues out which may yet move, whatever that takes; edges are not looked at.
    void KeepStuck();

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
    /// What is left of ledgers, see MakeRest().
    using Rests = std::map<const SwitchView*, Ptr<SharedBuffer>>;

    /// Adds the queues of a port. @param view its switch @param id the port
    /// @param stalled see the constructor
    void AddVertices(SwitchView* view, PortId id, Ticks stalled);
    /// Takes the queues out which may yet move, since a queue they wait for may.
    void KeepStandstill();
    /// Takes queues out. @param mayMove which of them, none being out @return whether there are any
    bool TakeOut(const std::function<bool(const Vertex&)>& mayMove);
    /// @param vertex a queue @return whether all that the next switch holds is of these
    bool IsNextStill(const Vertex& vertex) const;
    /// @param vertex a queue or processor @param rests takes what these leave of the switches
    /// @return whether it may move although these do not
    bool MayMove(const Vertex& vertex, Rests& rests) const;
    /// @param view a switch @return its ledger when all that these do not hold has left
    Ptr<SharedBuffer> MakeRest(const SwitchView& view) const;
    /// Numbers the queues, and adds what they wait for.
    void AddEdges();
    /// @param from a vertex @param to a vertex of the switch which the former waits for
    /// @return whether the former waits for the latter
    bool IsWaiting(const Vertex& from, const Vertex& to);
    /// @param from a queue @param to an egress queue of the next switch
    /// @return whether frames that came from the former are in the latter
    bool IsFeeding(const Vertex& from, QueueId to);

    DeadlockKind m_kind;            ///< what a queue waits for
    std::vector<Vertex> m_vertices; ///< in the order of switches, ports and classes
    std::map<const SwitchView*, std::vector<std::size_t>> m_ofSwitch; ///< numbers of m_vertices
    std::map<const SwitchView*, std::vector<bool>> m_pairs;           ///< see FindPairs()
    Graph m_graph;                                                    ///< of the numbers
};

DeadlockDetector::WaitForGraph::WaitForGraph(const std::vector<std::unique_ptr<SwitchView>>& views,
                                             Ticks stalled,
                                             DeadlockKind kind)
    : m_kind(kind)
{
    for (const auto& view : views)
    {
        for (std::size_t i = 0; i < view->m_ports.size(); ++i)
        {
            if (view->m_ports[i].GetStopped() != 0)
            {
                AddVertices(view.get(), PortId{static_cast<uint16_t>(i)}, stalled);
            }
        }
        if (view->m_processor.GetAwaited() && view->m_processor.m_stoppedSince <= stalled)
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
DeadlockDetector::WaitForGraph::AddVertices(SwitchView* view, PortId id, Ticks stalled)
{
    const PortView& port = view->m_ports[Index(id)];
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        const QueueId queue{id, Priority{p}};
        if (Contains(port.GetStopped(), queue.priority) &&
            port.GetStalledSince(queue.priority) <= stalled && port.IsHeld(queue.priority) &&
            view->GetLedger().GetEgress(queue).frames > 0)
        {
            m_vertices.push_back({view, queue});
        }
    }
}

void
DeadlockDetector::WaitForGraph::KeepStandstill()
{
    while (TakeOut([this](const Vertex& vertex) { return !IsNextStill(vertex); }))
    {
    }
}

void
DeadlockDetector::WaitForGraph::KeepStuck()
{
    Rests rests;
    while (TakeOut([this, &rests](const Vertex& vertex) { return MayMove(vertex, rests); }))
    {
        rests.clear();
    }
}

bool
DeadlockDetector::WaitForGraph::TakeOut(const std::function<bool(const Vertex&)>& mayMove)
{
    std::vector<Vertex> kept;
    std::copy_if(m_vertices.begin(),
                 m_vertices.end(),
                 std::back_inserter(kept),
                 [&mayMove](const Vertex& vertex) { return !mayMove(vertex); });
    const bool isAny = kept.size() < m_vertices.size();
    m_vertices = std::move(kept);
    return isAny;
}

bool
DeadlockDetector::WaitForGraph::IsNextStill(const Vertex& vertex) const
{
    const SwitchView* next = vertex.GetNext();
    const auto isOfNext = [next](const Vertex& other) { return other.view == next; };
    const auto still = std::count_if(m_vertices.begin(), m_vertices.end(), isOfNext);
    return static_cast<std::size_t>(still) >= next->CountHolders();
}

bool
DeadlockDetector::WaitForGraph::MayMove(const Vertex& vertex, Rests& rests) const
{
    SwitchView* next = vertex.GetNext();
    if (!vertex.queue)
    {
        return !Has({next, next->m_processor.GetAwaited()});
    }
    if (IsNextStill(vertex))
    {
        return false;
    }
    const auto [rest, isNew] = rests.try_emplace(next);
    if (isNew)
    {
        rest->second = MakeRest(*next);
    }
    const QueueId waitsFor{vertex.GetPort().m_nextPort, vertex.queue->priority};
    return !next->m_node->GetFlowControl()->StaysStopped(*rest->second, waitsFor);
}

Ptr<SharedBuffer>
DeadlockDetector::WaitForGraph::MakeRest(const SwitchView& view) const
{
    std::vector<bool> stays(view.m_ports.size() * NUM_PRIORITIES);
    for (const Vertex& vertex : m_vertices)
    {
        if (vertex.view == &view && vertex.queue)
        {
            stays[Index(*vertex.queue)] = true;
        }
    }
    return view.MakeRest(stays);
}

bool
DeadlockDetector::WaitForGraph::Has(const Vertex& vertex) const
{
    return std::any_of(m_vertices.begin(), m_vertices.end(), [&vertex](const Vertex& other) {
        return other.view == vertex.view && other.queue == vertex.queue;
    });
}

void
DeadlockDetector::WaitForGraph::AddEdges()
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
DeadlockDetector::WaitForGraph::IsWaiting(const Vertex& from, const Vertex& to)
{
    if (m_kind == DeadlockKind::STANDSTILL)
    {
        return true;
    }
    if (!from.queue)
    {
        return to.queue && *to.queue == *from.view->m_processor.GetAwaited();
    }
    return to.queue ? IsFeeding(from, *to.queue)
                    : to.view->m_processor.Holds(from.GetPort().m_nextPort);
}

bool
DeadlockDetector::WaitForGraph::IsFeeding(const Vertex& from, QueueId to)
{
    const PortView& port = from.GetPort();
    const SwitchView& next = *port.m_next;
    if (to.priority != from.queue->priority &&
        !next.GetLedger().GetIngressPort(port.m_nextPort).paused)
    {
        return false;
    }
    const auto [pairs, isNew] = m_pairs.try_emplace(&next);
    if (isNew)
    {
        pairs->second = next.FindPairs();
    }
    return pairs->second[next.GetPair(port.m_nextPort, to)];
}

std::vector<std::vector<std::size_t>>
DeadlockDetector::WaitForGraph::GetKnots() const
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
    // No queue waits for itself: the next switch is another one. In a standstill, who waits for
    // nobody is held by a switch that is empty.
    const auto isNone = [this](const std::vector<std::size_t>& knot) {
        return knot.size() < 2 &&
               (m_kind == DeadlockKind::CYCLE || boost::out_degree(knot.front(), m_graph) > 0);
    };
    knots.erase(std::remove_if(knots.begin(), knots.end(), isNone), knots.end());
    std::sort(knots.begin(), knots.end());
    return knots;
}

std::vector<std::size_t>
DeadlockDetector::WaitForGraph::GetCycle(const std::vector<std::size_t>& knot) const
{
    const std::size_t first = knot.front();
    if (knot.size() == 1)
    {
        return {first};
    }
    std::map<std::size_t, std::size_t> before; // by vertex, on the way from the first one
    std::queue<std::size_t> next;
    for (next.push(first); before.count(first) == 0; next.pop())
    {
        const auto [begin, end] = boost::adjacent_vertices(next.front(), m_graph);
        for (auto to = begin; to != end; ++to)
        {
            // Whoever leaves the knot does not come back to it.
            if (before.emplace(*to, next.front()).second)
            {
                next.push(*to);
            }
        }
    }
    std::vector<std::size_t> cycle{first};
    for (std::size_t at = before[first]; at != first; at = before[at])
    {
        cycle.push_back(at);
    }
    std::reverse(cycle.begin() + 1, cycle.end());
    return cycle;
}

/// A deadlock that has not dissolved.
struct DeadlockDetector::Standing
{
    std::size_t report{0};                   ///< its number, from 1 on: of its record
    std::vector<WaitForGraph::Vertex> cycle; ///< as the record shows it

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
        TypeId("ns3::lossless::DeadlockDetector")
            .SetParent<Object>()
            .SetGroupName("Lossless")
            .AddConstructor<DeadlockDetector>()
            .AddAttribute("ConfirmTime",
                          "A cycle of paused queues is a deadlock when no frame has left any "
                          "of them for this time; at least 1 us.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&DeadlockDetector::m_confirmTime),
                          MakeTimeChecker(MicroSeconds(1)))
            .AddAttribute("StopOnDeadlock",
                          "The first deadlock that cannot dissolve ends the simulation.",
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
    for (const auto& view : m_switches)
    {
        view->Disconnect();
    }
    m_standing.clear();
    m_switches.clear();
}

void
DeadlockDetector::Watch(const std::string& name, Ptr<SwitchNode> node)
{
    m_switches.push_back(std::make_unique<SwitchView>(name, node));
    if (m_start.IsExpired())
    {
        m_start = Simulator::ScheduleNow(&DeadlockDetector::Start, this);
    }
}

const std::vector<DeadlockRecord>&
DeadlockDetector::GetDeadlocks() const
{
    return m_deadlocks;
}

void
DeadlockDetector::Start()
{
    for (const auto& view : m_switches)
    {
        view->Prepare();
    }
    for (const auto& view : m_switches)
    {
        view->ConnectGates(this, m_switches);
    }
}

void
DeadlockDetector::ScheduleSearch()
{
    // Not before all nodes have come so far.
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
    // Who hears of a deadlock may dispose of this object, or let go of it.
    const Ptr<DeadlockDetector> self(this);
    Update();
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
DeadlockDetector::Update()
{
    for (const auto& view : m_switches)
    {
        view->Sample();
    }
    NoteDissolved();
}

void
DeadlockDetector::NoteMoved(std::size_t report)
{
    std::optional<Time>& dissolved = m_deadlocks[report - 1].dissolved;
    dissolved = std::min(dissolved.value_or(Simulator::Now()), Simulator::Now());
    ScheduleSearch(); // the other members may be in another one
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
            ScheduleSearch(); // the other members may be in another one
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
        const auto isStuck = [&stuck](const auto& vertex) { return stuck.Has(vertex); };
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
            vertex.SetFinal();
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
    for (const std::vector<std::size_t>& knot : graph.GetKnots())
    {
        const auto known = std::find_if(knot.begin(), knot.end(), [&graph](std::size_t vertex) {
            return graph.GetVertex(vertex).GetReport() > 0;
        });
        const std::size_t report = known == knot.end() ? Add(kind, graph, graph.GetCycle(knot))
                                                       : graph.GetVertex(*known).GetReport();
        for (const std::size_t vertex : knot)
        {
            if (graph.GetVertex(vertex).GetReport() == 0)
            {
                graph.GetVertex(vertex).SetReport(report);
            }
        }
    }
}

std::size_t
DeadlockDetector::Add(DeadlockKind kind,
                      const WaitForGraph& graph,
                      const std::vector<std::size_t>& cycle)
{
    m_deadlocks.push_back(Describe(graph, cycle));
    m_deadlocks.back().kind = kind;
    Standing& standing = m_standing.emplace_back();
    standing.report = m_deadlocks.size();
    for (const std::size_t vertex : cycle)
    {
        standing.cycle.push_back(graph.GetVertex(vertex));
    }
    return standing.report;
}

DeadlockRecord
DeadlockDetector::Describe(const WaitForGraph& graph, const std::vector<std::size_t>& cycle)
{
    DeadlockRecord record;
    record.confirmed = Simulator::Now();
    for (const std::size_t vertex : cycle)
    {
        const WaitForGraph::Vertex& member = graph.GetVertex(vertex);
        record.onset = std::max(record.onset, TimeStep(member.GetStoppedSince()));
        record.members.push_back({member.view->m_name,
                                  member.queue ? member.GetPort().m_next->m_name : "",
                                  member.queue});
    }
    return record;
}

ResultTable
DeadlockDetector::GetTable() const
{
    ResultTable table{{"onset_ns", "confirmed_ns", "dissolved_ns", "kind", "cycle"}, {}};
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
    // When all closed queues have settled, the graph just searched had them all. A cycle that comes
    // later has a member that closes later, of which its port hears. For without a gate that
    // closes nothing is added to what is closed now:
    // - A new edge from A takes a frame that has come from A's port to the next switch since, and
    //   so does the pause of an ingress queue, or port, there that was not paused: switches pause
    //   when a frame arrives. A is closed and has none on the wire. If a frame of another class of
    //   its port leads to a pause of the port as a whole, this closes that class.
    // - A member that was empty has been stored into by the one before it: an edge, see above.
    // - A standstill comes when the switch that holds a queue has sent the last that it may send.
    const Ticks confirm = m_confirmTime.GetTimeStep();
    return std::any_of(m_switches.begin(), m_switches.end(), [confirm](const auto& view) {
        return std::any_of(view->m_ports.begin(),
                           view->m_ports.end(),
                           [confirm](const PortView& port) { return port.MayChange(confirm); });
    });
}

} // namespace ns3::lossless
