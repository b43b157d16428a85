// SPDX-License-Identifier: GPL-2.0-only
#include "class-scheduler.h"

#include "ns3/abort.h"
#include "ns3/uinteger.h"

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(ClassScheduler);
NS_OBJECT_ENSURE_REGISTERED(DwrrScheduler);

TypeId
ClassScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lossless::ClassScheduler").SetParent<Object>().SetGroupName("Lossless");
    return tid;
}

void
ClassScheduler::NotifyEmpty(Priority /* priority */)
{
}

TypeId
DwrrScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lossless::DwrrScheduler")
            .SetParent<ClassScheduler>()
            .SetGroupName("Lossless")
            .AddConstructor<DwrrScheduler>()
            .AddAttribute("StrictClasses",
                          "Classes with strict priority, bit p for class p; the others share what "
                          "is left round robin (default: class 7; 255 is strict priority only).",
                          UintegerValue(SetOf(CONTROL_PRIORITY)),
                          MakeUintegerAccessor(&DwrrScheduler::m_strict),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute(
                "Quantum",
                "Bytes that each class may send per round (default 1600: DSH, Sec. V-A).",
                UintegerValue(1600),
                MakeUintegerAccessor(&DwrrScheduler::SetAllQuanta, &DwrrScheduler::GetFirstQuantum),
                MakeUintegerChecker<uint32_t>(1, 1 << 30));
    return tid;
}

DwrrScheduler::DwrrScheduler() = default;

void
DwrrScheduler::SetQuantum(Priority priority, uint32_t bytes)
{
    NS_ABORT_MSG_IF(bytes == 0,
                    "DwrrScheduler: the quantum of class " << Index(priority)
                                                           << " is 0; it must be at least 1 byte.");
    m_quanta[Index(priority)] = bytes;
}

void
DwrrScheduler::SetAllQuanta(uint32_t bytes)
{
    m_quanta.fill(bytes);
}

uint32_t
DwrrScheduler::GetFirstQuantum() const
{
    return m_quanta[0];
}

Priority
DwrrScheduler::Select(PrioritySet ready, const EgressQueues& queues)
{
    if (const PrioritySet strict = ready & m_strict)
    {
        return MostImportant(strict);
    }
    // The class whose turn it is goes on while its credit covers its head; the turn then moves to
    // the next ready class, which is granted its quantum, unless a pause has cut its last turn
    // short and credit for its head is left. A full round makes every ready class able to send
    // more, so this ends.
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
        do
        {
            m_current = (m_current + 1) % NUM_PRIORITIES;
        } while (!Contains(ready, Priority{m_current}));
        if (m_deficit[m_current] < queues[m_current]->Peek()->frame.size)
        {
            m_deficit[m_current] += m_quanta[m_current];
        }
    }
}

void
DwrrScheduler::NotifyEmpty(Priority priority)
{
    m_deficit[Index(priority)] = 0;
}

} // namespace ns3::lossless
