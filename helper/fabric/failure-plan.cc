// SPDX-License-Identifier: GPL-2.0-only
#include "failure-plan.h"

#include "lossless-fabric.h"

#include "ns3/abort.h"
#include "ns3/lossless-channel.h"
#include "ns3/lossless-csv-reader.h"
#include "ns3/option-text.h"
#include "ns3/quantity-text.h"
#include "ns3/simulator.h"
#include "ns3/text-lines.h"

#include <algorithm>
#include <fstream>

namespace ns3::lossless
{

namespace
{

/// The event names used in files, in the order of FailureKind.
const std::vector<std::string> KINDS = {"down", "up", "rate", "bit-errors", "dead", "alive"};

/// @return true if a BitErrorModel implements this kind of event
bool
NeedsModel(FailureKind kind)
{
    return kind == FailureKind::BIT_ERRORS || kind == FailureKind::DEAD ||
           kind == FailureKind::ALIVE;
}

/// Reads the value of the current record.
/// @param [in,out] event the event, whose kind is already set
void
ReadValue(const LosslessCsvReader& csv, FailureEvent& event)
{
    const std::string& value = csv.Get("value");
    if (event.kind == FailureKind::RATE)
    {
        const auto rate = ParseRate(value);
        csv.Require(rate && rate->GetBitRate() > 0, "value", "a rate above 0, as 25Gbps");
        event.rate = *rate;
    }
    else if (event.kind == FailureKind::BIT_ERRORS)
    {
        const auto share = ParseNumber(value);
        csv.Require(share && *share >= 0 && *share <= 1,
                    "value",
                    "a share of wrong bits from 0 to 1, as 1e-9");
        event.bitErrorRate = *share;
    }
    else
    {
        csv.Require(value.empty(), "value", "empty, but for rate and bit-errors");
    }
}

} // namespace

void
FailurePlan::Add(const FailureEvent& event)
{
    NS_ABORT_MSG_IF(event.at.IsStrictlyNegative(), "FailurePlan: an event is before time 0.");
    NS_ABORT_MSG_IF(event.kind == FailureKind::RATE && event.rate.GetBitRate() == 0,
                    "FailurePlan: a rate of 0 bit/s; cut the link instead.");
    NS_ABORT_MSG_IF(!(event.bitErrorRate >= 0 && event.bitErrorRate <= 1),
                    "FailurePlan: a bit error rate of " << event.bitErrorRate
                                                        << "; it must be from 0 to 1.");
    NS_ABORT_MSG_IF(event.from && !NeedsModel(event.kind),
                    "FailurePlan: a cable is cut or slowed down in both directions only.");
    m_events.push_back(event);
}

void
FailurePlan::AddNode(Time at, FailureKind kind, uint32_t node, const Topology& topology)
{
    NS_ABORT_MSG_IF(kind != FailureKind::DOWN && kind != FailureKind::UP,
                    "FailurePlan: a node goes down or comes up.");
    for (const Topology::PortInfo& port : topology.GetPorts(node))
    {
        // Links marked as failed in the topology never come up.
        if (!topology.GetLinks()[port.link].failed)
        {
            Add({at, kind, port.link, {}, DataRate(0), 0, node});
        }
    }
}

void
FailurePlan::SetBitErrorRate(double rate, const Topology& topology)
{
    for (uint32_t link = 0; link < topology.GetLinks().size(); ++link)
    {
        Add({Time(0), FailureKind::BIT_ERRORS, link, {}, DataRate(0), rate});
    }
}

void
FailurePlan::SetRerouteAfter(std::optional<Time> delay)
{
    m_rerouteAfter = delay;
}

std::optional<std::string>
FailurePlan::ReadCsv(const std::string& path, const Topology& topology)
{
    return CatchComplaint([&] {
        std::ifstream input = OpenText(path);
        LosslessCsvReader csv(input, path);
        csv.ReadHeader({"time", "event", "node_a", "node_b"}, {"value", "direction"});
        while (csv.Next())
        {
            const std::size_t first = m_events.size();
            ReadRecord(csv, topology);
            for (std::size_t i = first; i < m_events.size(); ++i)
            {
                m_events[i].place = path + ":" + std::to_string(csv.GetLine());
            }
        }
    });
}

void
FailurePlan::ReadRecord(const LosslessCsvReader& csv, const Topology& topology)
{
    const auto at = ParseDelay(csv.Get("time"));
    csv.Require(at.has_value(),
                "time",
                "a time of at least 0 with a unit, as 1ms, " + DescribeTicks());
    const auto found = std::find(KINDS.begin(), KINDS.end(), csv.Get("event"));
    csv.Require(found != KINDS.end(), "event", OneOf{KINDS}.Describe());
    FailureEvent event{*at, FailureKind(found - KINDS.begin()), 0};
    const auto a = topology.FindNode(csv.Get("node_a"));
    csv.Require(a.has_value(), "node_a", "a node of the network");
    const std::string other = csv.Get("node_b");
    const auto b = topology.FindNode(other);
    const bool isCut = event.kind == FailureKind::DOWN || event.kind == FailureKind::UP;
    const auto links = b ? topology.FindLinks(*a, *b) : std::vector<uint32_t>();
    csv.Require((isCut && other.empty()) || !links.empty(),
                "node_b",
                "a node with a link to node_a; or, of down and up, empty for all of its links");
    ReadValue(csv, event);
    const std::string& direction = csv.Get("direction");
    const bool isForward = direction == "forward" && NeedsModel(event.kind);
    csv.Require(direction.empty() || direction == "both" || isForward,
                "direction",
                "empty or both; or, of bit-errors, dead and alive, forward");
    event.from = isForward ? a : std::nullopt;
    if (other.empty())
    {
        AddNode(*at, event.kind, *a, topology);
    }
    for (const uint32_t link : links)
    {
        RequireFit(csv, event, topology.GetLinks()[link]);
        event.link = link;
        Add(event);
    }
}

void
FailurePlan::RequireFit(const LosslessCsvReader& csv,
                        const FailureEvent& event,
                        const Topology::LinkInfo& link)
{
    csv.Require(!link.failed, "node_b", "a node with a link that has not failed from the start");
    csv.Require(event.kind != FailureKind::RATE || event.rate <= link.rate,
                "value",
                "a rate of at most that of the link, " + FormatRate(link.rate));
}

std::optional<std::string>
FailurePlan::DescribeIdleEvent(const Topology& topology) const
{
    std::vector<FailureEvent> events = m_events;
    std::stable_sort(events.begin(), events.end(), [](const auto& a, const auto& b) {
        return a.at < b.at;
    });
    State state;
    for (const FailureEvent& event : events)
    {
        const Topology::LinkInfo& link = topology.GetLinks()[event.link];
        if (!state.Change(event, GetDirections(event, topology), link.rate))
        {
            return Describe(event, topology, "changes nothing, since it is so already");
        }
    }
    const FailureEvent* undone = FindUndone(events, topology);
    return undone ? std::optional(Describe(*undone,
                                           topology,
                                           "holds for no time, since another event of that time "
                                           "undoes it"))
                  : std::nullopt;
}

std::set<FailurePlan::Subject>
FailurePlan::GetSubjects(const FailureEvent& event, const Topology& topology)
{
    if (event.kind == FailureKind::DOWN || event.kind == FailureKind::UP)
    {
        return {{event.link, event.node, FailureKind::UP}};
    }
    if (event.kind == FailureKind::RATE)
    {
        return {{event.link, std::nullopt, FailureKind::RATE}};
    }
    const auto kind =
        event.kind == FailureKind::DEAD ? FailureKind::ALIVE : event.kind; // or BIT_ERRORS
    std::set<Subject> subjects;
    for (const auto& [link, isFromB] : GetDirections(event, topology))
    {
        subjects.emplace(link, isFromB ? 1 : 0, kind);
    }
    return subjects;
}

const FailureEvent*
FailurePlan::FindUndone(const std::vector<FailureEvent>& events, const Topology& topology)
{
    const FailureEvent* undone = nullptr;
    std::set<Subject> later; // subjects of the later events of the same time
    Time time(-1);
    for (auto event = events.rbegin(); event != events.rend(); ++event)
    {
        if (event->at != time)
        {
            later.clear();
            time = event->at;
        }
        const std::set<Subject> subjects = GetSubjects(*event, topology);
        const bool mayBe = event->kind != FailureKind::BIT_ERRORS || !event->at.IsZero();
        if (mayBe && std::includes(later.begin(), later.end(), subjects.begin(), subjects.end()))
        {
            undone = &*event;
        }
        later.insert(subjects.begin(), subjects.end());
    }
    return undone;
}

std::string
FailurePlan::Describe(const FailureEvent& event,
                      const Topology& topology,
                      const std::string& reason)
{
    const Topology::LinkInfo& link = topology.GetLinks()[event.link];
    return event.place + (event.place.empty() ? "\"" : ": \"") +
           KINDS[static_cast<std::size_t>(event.kind)] + "\" of the link " +
           topology.GetNodes()[link.nodeA].name + "-" + topology.GetNodes()[link.nodeB].name +
           " at " + FormatTime(event.at) + " " + reason;
}

bool
FailurePlan::State::Change(const FailureEvent& event,
                           const std::vector<Direction>& directions,
                           DataRate first)
{
    switch (event.kind)
    {
    case FailureKind::DOWN:
        return cuts.emplace(event.link, event.node).second;
    case FailureKind::UP:
        return cuts.erase({event.link, event.node}) > 0;
    case FailureKind::RATE: {
        const DataRate before = rates.try_emplace(event.link, first).first->second;
        rates[event.link] = event.rate;
        return event.rate != before;
    }
    case FailureKind::BIT_ERRORS:
        return true;
    default:
        break;
    }
    const bool isDead = event.kind == FailureKind::DEAD;
    const auto change = [&](const Direction& direction) {
        return isDead ? dead.insert(direction).second : dead.erase(direction) > 0;
    };
    return std::count_if(directions.begin(), directions.end(), change) > 0;
}

std::vector<FailurePlan::Direction>
FailurePlan::GetDirections(const FailureEvent& event, const Topology& topology)
{
    std::vector<Direction> directions;
    for (const bool isFromB : {false, true})
    {
        const Topology::LinkInfo& link = topology.GetLinks()[event.link];
        if (!event.from || *event.from == (isFromB ? link.nodeB : link.nodeA))
        {
            directions.emplace_back(event.link, isFromB);
        }
    }
    return directions;
}

void
FailurePlan::InstallModels(const Fabric& fabric)
{
    for (const FailureEvent& event : m_events)
    {
        for (const Direction& direction : GetDirections(event, fabric.GetTopology()))
        {
            if (!NeedsModel(event.kind) || m_models.count(direction) > 0)
            {
                continue;
            }
            // The first end of a cable is node A; see Fabric::CreateLinks().
            const auto receiver = DynamicCast<LosslessNetDevice>(
                fabric.GetCable(direction.first)->GetDevice(direction.second ? 0 : 1));
            const auto model = CreateObject<BitErrorModel>();
            model->SetBefore(receiver->GetErrorModel());
            receiver->SetErrorModel(model);
            m_models.emplace(direction, model);
        }
    }
}

void
FailurePlan::Install(const Fabric& fabric)
{
    const std::size_t links = fabric.GetTopology().GetLinks().size();
    for (const FailureEvent& event : m_events)
    {
        NS_ABORT_MSG_IF(event.link >= links,
                        "FailurePlan: there is no link " << event.link << "; there are " << links
                                                         << ".");
        // The headroom and the PAUSE refresh interval are based on the initial rate, so no later
        // rate may exceed it.
        const DataRate rate = fabric.GetTopology().GetLinks()[event.link].rate;
        NS_ABORT_MSG_IF(event.kind == FailureKind::RATE && event.rate > rate,
                        "FailurePlan: link " << event.link << " would have " << event.rate
                                             << "; it can have at most " << rate
                                             << ", as at the start.");
    }
    InstallModels(fabric);
    for (const FailureEvent& event : m_events)
    {
        if (event.at.IsZero() && NeedsModel(event.kind))
        {
            Happen(event, fabric); // so that the event takes effect before the first frame is sent
        }
        else
        {
            Simulator::Schedule(event.at, [this, event, &fabric] { Happen(event, fabric); });
        }
    }
}

void
FailurePlan::Happen(const FailureEvent& event, const Fabric& fabric)
{
    const Ptr<LosslessChannel> cable = fabric.GetCable(event.link);
    if (event.kind == FailureKind::DOWN || event.kind == FailureKind::UP)
    {
        if (NoteCut(event))
        {
            cable->SetUp(event.kind == FailureKind::UP);
            RerouteLater(fabric);
        }
        return;
    }
    if (event.kind == FailureKind::RATE)
    {
        for (std::size_t end = 0; end < cable->GetNDevices(); ++end)
        {
            DynamicCast<LosslessNetDevice>(cable->GetDevice(end))->ChangeRate(event.rate);
        }
        return;
    }
    for (const Direction& direction : GetDirections(event, fabric.GetTopology()))
    {
        BitErrorModel& model = *m_models.at(direction);
        if (event.kind == FailureKind::BIT_ERRORS)
        {
            model.SetBitErrorRate(event.bitErrorRate);
        }
        else
        {
            model.SetDead(event.kind == FailureKind::DEAD);
        }
    }
}

bool
FailurePlan::NoteCut(const FailureEvent& event)
{
    if (event.kind == FailureKind::DOWN)
    {
        auto& causes = m_down[event.link];
        causes.insert(event.node);
        return causes.size() == 1;
    }
    const auto causes = m_down.find(event.link);
    if (causes == m_down.end() || causes->second.erase(event.node) == 0 || !causes->second.empty())
    {
        return false;
    }
    m_down.erase(causes);
    return true;
}

void
FailurePlan::RerouteLater(const Fabric& fabric) const
{
    if (!m_rerouteAfter)
    {
        return;
    }
    std::set<uint32_t> down; // links that are currently down, which the new routes avoid
    for (const auto& [link, causes] : m_down)
    {
        down.insert(link);
    }
    Simulator::Schedule(*m_rerouteAfter, [down, &fabric] { fabric.Reroute(down); });
}

int64_t
FailurePlan::AssignStreams(int64_t stream)
{
    int64_t used = 0;
    for (const auto& [direction, model] : m_models)
    {
        used += model->AssignStreams(stream + used);
    }
    return used;
}

} // namespace ns3::lossless
