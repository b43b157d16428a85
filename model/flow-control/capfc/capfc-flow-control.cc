// SPDX-License-Identifier: GPL-2.0-only
#include "capfc-flow-control.h"

#include "ns3/abort.h"
#include "ns3/attribute-condition.h"
#include "ns3/count-attribute.h"
#include "ns3/double.h"
#include "ns3/fixed-accessor.h"
#include "ns3/log.h"
#include "ns3/make-type-id.h"
#include "ns3/named-choices.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessCapfcFlowControl");

NS_OBJECT_ENSURE_REGISTERED(CapfcFlowControl);

namespace
{

const RegisterCondition<CapfcFlowControl> g_cut({"Cut"}, "Contributors", Where::IS, "Calibrate");
const RegisterCondition<CapfcFlowControl> g_levels({"Warn", "Xoff", "Xon"},
                                                   "Contributors",
                                                   Where::IS_NOT,
                                                   "None");

/// The names of the CapfcFlowControl::Contributors values, in the order of these values.
const std::array<std::string, 3> NAMES{"None", "Max", "Calibrate"};

} // namespace

TypeId
CapfcFlowControl::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<CapfcFlowControl, PfcFlowControl>("CapfcFlowControl")
            .AddAttribute("Contributors",
                          "Contributors that a long egress queue stops: None, Max (Stop-Max) or "
                          "Calibrate (Stop-Calibrate).",
                          StringValue("Max"),
                          Fixed(MakeStringAccessor(&CapfcFlowControl::SetContributors,
                                                   &CapfcFlowControl::GetContributors)),
                          MakeStringChecker())
            .AddAttribute("Warn",
                          "Length in bytes from which an egress queue counts frames (default 20 "
                          "kB: CaPFC, Table II).",
                          UintegerValue(20000),
                          Fixed(MakeUintegerAccessor(&CapfcFlowControl::m_warn)),
                          MakeCountChecker())
            .AddAttribute("Xoff",
                          "Length in bytes from which an egress queue stops contributors (default "
                          "25 kB: CaPFC, Table II).",
                          UintegerValue(25000),
                          Fixed(MakeUintegerAccessor(&CapfcFlowControl::m_xoff)),
                          MakeCountChecker(1))
            .AddAttribute("Xon",
                          "Length in bytes at which an egress queue lets contributors resume "
                          "(default 20 kB: CaPFC, Table II).",
                          UintegerValue(20000),
                          Fixed(MakeUintegerAccessor(&CapfcFlowControl::m_xon)),
                          MakeCountChecker())
            .AddAttribute("Cut",
                          "With Calibrate: minimum share of all counted frames that the stopped "
                          "contributors account for together (default 80 %: CaPFC, Table II).",
                          DoubleValue(0.8),
                          Fixed(MakeDoubleAccessor(&CapfcFlowControl::m_cut)),
                          MakeDoubleChecker<double>(0, 1));
    return tid;
}

void
CapfcFlowControl::SetContributors(const std::string& name)
{
    const auto found = FindIndex(NAMES, name);
    NS_ABORT_MSG_IF(!found,
                    "CapfcFlowControl: Contributors is \"" << name
                                                           << "\"; it must be None, Max or "
                                                              "Calibrate.");
    m_contributors = static_cast<Contributors>(*found);
}

std::string
CapfcFlowControl::GetContributors() const
{
    return NAMES[static_cast<std::size_t>(m_contributors)];
}

std::optional<std::string>
CapfcFlowControl::Configure(const SwitchShape& shape)
{
    if (m_xon > m_warn || m_warn >= m_xoff)
    {
        std::ostringstream message;
        message << "Xon, Warn and Xoff of egress queues are " << m_xon << ", " << m_warn << " and "
                << m_xoff << " B; Xon must be at most Warn, and Warn below Xoff";
        return message.str();
    }
    if (const auto error = CheckEgressRoom(shape))
    {
        return error;
    }
    m_ports = shape.ports.size();
    m_counts.resize(m_ports * m_ports * NUM_PRIORITIES);
    m_isFull.resize(m_ports * NUM_PRIORITIES);
    return ContributorFlowControl::Configure(shape);
}

std::optional<std::string>
CapfcFlowControl::CheckEgressRoom(const SwitchShape& shape) const
{
    const auto room = Policy().GetEgressRoom();
    for (std::size_t port = 0; port < shape.ports.size() && room; ++port)
    {
        const uint64_t needed = GetHeadroomBytes(shape.ports[port]);
        if (m_contributors != Contributors::NONE && m_xoff + needed > *room)
        {
            std::ostringstream message;
            message << "an egress queue has room for " << *room << " B, Xoff of egress queues is "
                    << m_xoff << " B, and of a single contributor behind port " << port << " "
                    << needed << " B can arrive after a PAUSE; set the limit of egress queues of "
                    << Policy().GetInstanceTypeId().GetName()
                    << " higher, or CapfcFlowControl::Xoff lower";
            return message.str();
        }
    }
    return std::nullopt;
}

void
CapfcFlowControl::OnArrival(const SwitchItem& item)
{
    UpdateOwn(item.GetIngressQueue());
    PfcFlowControl::OnArrival(item);
}

void
CapfcFlowControl::OnEnqueue(const SwitchItem& item)
{
    const QueueId queue = item.GetEgressQueue();
    if (m_contributors != Contributors::NONE && item.ingress != item.egress &&
        Contains(Shape().lossless, queue.priority))
    {
        const uint64_t length = Buffer().GetEgress(queue).bytes;
        m_counts[GetPlace(item.ingress, queue)] += length >= m_warn ? 1 : 0;
        if (length >= m_xoff)
        {
            StopHeavy(queue);
        }
    }
    PfcFlowControl::OnEnqueue(item);
}

void
CapfcFlowControl::OnRelease(const SwitchItem& item, Ticks when)
{
    Relax(item.GetEgressQueue());
    PfcFlowControl::OnRelease(item, when);
}

void
CapfcFlowControl::Restart(std::optional<QueueId> released)
{
    // With dynamic thresholds, a change in one queue affects all others, so all stopped queues are
    // updated.
    for (const auto& [queue, since] : GetStoppedQueues())
    {
        UpdateOwn(queue);
    }
    ContributorFlowControl::Restart(released);
}

void
CapfcFlowControl::UpdateOwn(QueueId queue)
{
    const auto levels = Policy().GetThresholds(Buffer(), queue);
    const uint64_t length = GetLength(queue, Buffer().GetIngress(queue).GetTotal());
    if (levels && (levels->headroomInUse || length > levels->xoff))
    {
        m_isFull[Index(queue)] = true;
    }
    else if (!levels || length <= levels->xon)
    {
        m_isFull[Index(queue)] = false;
    }
}

void
CapfcFlowControl::StopHeavy(QueueId queue)
{
    for (const PortId port : FindHeavy(queue))
    {
        if (StopContributor(queue, port))
        {
            NS_LOG_DEBUG("egress port " << Index(queue.port) << " class " << Index(queue.priority)
                                        << " stops port " << Index(port) << ": "
                                        << Buffer().GetEgress(queue).bytes << " B, Xoff " << m_xoff
                                        << " B, " << GetCount(port, queue) << " frames of it");
        }
    }
}

void
CapfcFlowControl::Relax(QueueId queue)
{
    const uint64_t length = Buffer().GetEgress(queue).bytes;
    if (length > m_warn)
    {
        return;
    }
    const auto first = m_counts.begin() + static_cast<std::ptrdiff_t>(GetPlace(PortId{0}, queue));
    std::fill_n(first, m_ports, 0);
    if (length <= m_xon && HasStopped(queue))
    {
        NS_LOG_DEBUG("egress port " << Index(queue.port) << " class " << Index(queue.priority)
                                    << " lets all ports go: " << length << " B, Xon " << m_xon
                                    << " B");
        LetGo(queue, [](PortId /* port */) { return true; });
    }
}

std::vector<PortId>
CapfcFlowControl::FindHeavy(QueueId queue) const
{
    std::vector<PortId> ports;
    uint64_t all = 0;
    for (uint16_t i = 0; i < m_ports; ++i)
    {
        const uint32_t count = GetCount(PortId{i}, queue);
        all += count;
        if (count > 0)
        {
            ports.push_back(PortId{i});
        }
    }
    // Among ports with equal counts, the one with the lowest number remains first.
    std::stable_sort(ports.begin(), ports.end(), [this, queue](PortId a, PortId b) {
        return GetCount(a, queue) > GetCount(b, queue);
    });
    std::size_t heavy = std::min<std::size_t>(ports.size(), 1);
    if (m_contributors == Contributors::CALIBRATE && heavy > 0)
    {
        uint64_t sum = GetCount(ports[0], queue);
        while (heavy < ports.size() && static_cast<double>(sum) < m_cut * static_cast<double>(all))
        {
            sum += GetCount(ports[heavy++], queue);
        }
    }
    ports.resize(heavy);
    return ports;
}

ThresholdFlowControl::Demand
CapfcFlowControl::Assess(QueueId queue) const
{
    return m_isFull[Index(queue)] || IsStoppedByEgress(queue) ? Demand::PAUSE : Demand::RESUME;
}

uint32_t
CapfcFlowControl::GetCount(PortId ingress, QueueId egress) const
{
    return m_counts[GetPlace(ingress, egress)];
}

} // namespace ns3::lossless
