// SPDX-License-Identifier: GPL-2.0-only
#include "class-scheduler.h"

#include "ns3/abort.h"
#include "ns3/attribute-condition.h"
#include "ns3/make-type-id.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace ns3::lossless
{

LOSSLESS_PLAIN_CLASS(ClassScheduler, Object);
NS_OBJECT_ENSURE_REGISTERED(DwrrScheduler);

namespace
{

const RegisterCondition<DwrrScheduler> g_quantum({"Quantum"}, "Quanta", Where::IS, "");

constexpr uint32_t MAX_QUANTUM = 1 << 30;

/// @return the quantum, or 0 if the string is not a valid number
uint32_t
ParseQuantum(const std::string& text)
{
    uint32_t quantum = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, quantum);
    const bool isQuantum = error == std::errc() && rest == end && quantum <= MAX_QUANTUM;
    return isQuantum ? quantum : 0;
}

/// @param list the numbers, separated by commas
/// @return the quanta, with 0 in place of each invalid number
std::vector<uint32_t>
ParseQuanta(const std::string& list)
{
    std::vector<uint32_t> quanta;
    for (std::size_t begin = 0; begin <= list.size();)
    {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        quanta.push_back(ParseQuantum(list.substr(begin, end - begin)));
        begin = end + 1;
    }
    return quanta;
}

} // namespace

std::optional<std::string>
ClassScheduler::SetShare(Priority /* priority */, double /* share */)
{
    return GetInstanceTypeId().GetName() + " gives no class a share of the port";
}

TypeId
DwrrScheduler::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<DwrrScheduler, ClassScheduler>("DwrrScheduler")
            .AddAttribute("StrictClasses",
                          "Classes with strict priority, bit p for class p; the others share the "
                          "rest round robin (default: class 7; 255 is strict priority only).",
                          UintegerValue(SetOf(CONTROL_PRIORITY)),
                          MakeUintegerAccessor(&DwrrScheduler::m_strict),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("Quantum",
                          "Bytes that each class may send per round (default 1600: DSH, Sec. V-A).",
                          UintegerValue(1600),
                          MakeUintegerAccessor(&DwrrScheduler::m_quantum),
                          MakeUintegerChecker<uint32_t>(1, MAX_QUANTUM))
            .AddAttribute(
                "Quanta",
                "Bytes that each class may send per round, in place of Quantum: eight numbers "
                "separated by commas, class 0 first. Empty: Quantum for all classes.",
                StringValue(""),
                MakeStringAccessor(&DwrrScheduler::SetQuanta, &DwrrScheduler::GetQuanta),
                MakeStringChecker());
    return tid;
}

std::optional<std::string>
DwrrScheduler::SetShare(Priority priority, double share)
{
    if (Contains(m_strict, priority))
    {
        return "StrictClasses of DwrrScheduler has class " + std::to_string(Index(priority)) +
               ", which therefore has no share but all";
    }
    if (!m_quanta.empty())
    {
        return "Quanta of DwrrScheduler gives all classes their shares; leave it empty";
    }
    const double quantum = std::round(m_quantum * share / (1 - share));
    m_quanta.assign(NUM_PRIORITIES, m_quantum);
    m_quanta[Index(priority)] = std::max<uint32_t>(1, static_cast<uint32_t>(quantum));
    return std::nullopt;
}

void
DwrrScheduler::SetQuanta(const std::string& list)
{
    m_quanta = list.empty() ? std::vector<uint32_t>() : ParseQuanta(list);
    const bool isValid = std::count(m_quanta.begin(), m_quanta.end(), 0) == 0 &&
                         (m_quanta.empty() || m_quanta.size() == NUM_PRIORITIES);
    NS_ABORT_MSG_IF(!isValid,
                    "DwrrScheduler: Quanta is \""
                        << list << "\"; it must be empty, or a quantum for each of the "
                        << NUM_PRIORITIES << " classes, 1 to " << MAX_QUANTUM
                        << " bytes, separated by commas.");
}

std::string
DwrrScheduler::GetQuanta() const
{
    std::string list;
    for (const uint32_t quantum : m_quanta)
    {
        list += (list.empty() ? "" : ",") + std::to_string(quantum);
    }
    return list;
}

Priority
DwrrScheduler::Select(PrioritySet ready, const EgressQueues& queues)
{
    if (const PrioritySet strict = ready & m_strict)
    {
        return MostImportant(strict);
    }
    // The current class continues while its credit covers its first frame. The turn then moves to
    // the next ready class. This class is granted its quantum unless a pause cut its last turn
    // short and the remaining credit still covers the first frame. A full round increases the
    // credit of every ready class, so the loop terminates.
    while (true)
    {
        if (Contains(ready, Priority{m_current}))
        {
            const uint32_t size = queues[m_current]->Peek()->frame.size;
            if (size <= m_deficit[m_current])
            {
                m_deficit[m_current] -= size;
                return Priority{m_current};
            }
        }
        const PrioritySet above = ready & ~((SetOf(Priority{m_current}) << 1) - 1);
        m_current = __builtin_ctz(above != 0 ? above : ready);
        if (m_deficit[m_current] < queues[m_current]->Peek()->frame.size)
        {
            m_deficit[m_current] += GetQuantum(m_current);
        }
    }
}

void
DwrrScheduler::NotifyEmpty(Priority priority)
{
    m_deficit[Index(priority)] = 0;
}

} // namespace ns3::lossless
