// SPDX-License-Identifier: GPL-2.0-only
#include "transmit-gate.h"

#include "ns3/attribute-condition.h"
#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/mac-control-header.h"
#include "ns3/make-type-id.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/wheel-simulator-impl.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <iterator>
#include <string>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessTransmitGate");

NS_OBJECT_ENSURE_REGISTERED(TransmitGate);

namespace
{

const RegisterCondition<TransmitGate> g_response({"ResponseQuanta"},
                                                 "StandardResponse",
                                                 Where::IS,
                                                 "false");

/// @param name the name of an attribute of TransmitGate
/// @return the default value of the attribute for new gates
template <typename VALUE>
auto
GetDefault(const std::string& name)
{
    TypeId::AttributeInformation info;
    TransmitGate::GetTypeId().LookupAttributeByName(name, &info);
    return DynamicCast<const VALUE>(info.initialValue)->Get();
}

} // namespace

uint32_t
GetStandardResponseQuanta(DataRate rate)
{
    struct Row
    {
        uint64_t megabits; ///< the speed of the link
        uint32_t quanta;   ///< the response time
    };

    constexpr std::array<Row, 9> ROWS{{{100, 1},
                                       {1000, 2},
                                       {10000, 67},
                                       {25000, 80},
                                       {40000, 118},
                                       {50000, 147},
                                       {100000, 394},
                                       {200000, 453},
                                       {400000, 905}}};
    const auto row = std::find_if(ROWS.begin(), ROWS.end(), [rate](const Row& candidate) {
        return rate.GetBitRate() <= candidate.megabits * 1000000;
    });
    return row == ROWS.end() ? ROWS.back().quanta : row->quanta;
}

TypeId
TransmitGate::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<TransmitGate, Object>("TransmitGate")
            .AddAttribute(
                "ResponseQuanta",
                "Time between the arrival of a control frame and its effect, in pause quanta (512 "
                "bit times). The headroom formula of DSH, Eq. 1, allows 60 quanta = 3840 B times; "
                "0 reacts at once. Headroom follows a default above 60.",
                UintegerValue(EQ_1_RESPONSE_QUANTA),
                MakeUintegerAccessor(&TransmitGate::m_responseQuanta),
                MakeUintegerChecker<uint32_t>(0, 65535))
            .AddAttribute("StandardResponse",
                          "Whether this time is the one that IEEE 802.3 (31B.3.7) grants at the "
                          "speed of the link: 67, 80, 118, 147, 394, 453 and 905 quanta at 10, 25, "
                          "40, 50, 100, 200 and 400 Gb/s, between them that of the next higher "
                          "speed. Headroom follows the default. False: ResponseQuanta.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TransmitGate::m_isStandardResponse),
                          MakeBooleanChecker())
            .AddTraceSource("Closed",
                            "Traffic classes were stopped by the neighbour.",
                            MakeTraceSourceAccessor(&TransmitGate::m_closedTrace),
                            "ns3::lossless::TransmitGate::ClassesTracedCallback")
            .AddTraceSource("Opened",
                            "Traffic classes may send again.",
                            MakeTraceSourceAccessor(&TransmitGate::m_openedTrace),
                            "ns3::lossless::TransmitGate::ClassesTracedCallback")
            .AddTraceSource("Paused",
                            "The neighbour has stopped traffic classes or refreshed the stop; with "
                            "its duration.",
                            MakeTraceSourceAccessor(&TransmitGate::m_pausedTrace),
                            "ns3::lossless::TransmitGate::PausedTracedCallback");
    return tid;
}

uint32_t
TransmitGate::GetGrantedQuanta(DataRate rate)
{
    return GetDefault<BooleanValue>("StandardResponse")
               ? GetStandardResponseQuanta(rate)
               : std::max<uint32_t>(EQ_1_RESPONSE_QUANTA,
                                    GetDefault<UintegerValue>("ResponseQuanta"));
}

uint32_t
TransmitGate::GetResponseQuanta() const
{
    return m_isStandardResponse ? GetStandardResponseQuanta(m_link.rate) : m_responseQuanta;
}

void
TransmitGate::Attach(const LinkInfo& link, GateClient* client)
{
    m_link = link;
    m_client = client;
    m_heeded = link.lossless & ~m_ignored;
    HastenPending();
    Publish();
}

void
TransmitGate::DoDispose()
{
    m_pending.clear();
    m_client = nullptr;
    Object::DoDispose();
}

Time
TransmitGate::QuantaToTime(uint32_t quanta) const
{
    return m_link.rate.CalculateBitsTxTime(quanta * PAUSE_QUANTUM_BITS);
}

Time
TransmitGate::GetResponse() const
{
    return QuantaToTime(GetResponseQuanta());
}

void
TransmitGate::ReceiveControl(const Frame& frame)
{
    RequireTurn("has a control frame heeded by");
    const bool isAtOnce = ActsAtOnce(frame);
    if (!isAtOnce)
    {
        HastenPending();
    }
    const Time response = isAtOnce ? Time(0) : GetResponse();
    NS_LOG_DEBUG("gate " << this << " takes a control frame, to act in " << response.As(Time::NS));
    const Ticks due = NowInTicks() + response.GetTimeStep();
    auto place = m_pending.end();
    while (place != m_pending.begin() && std::prev(place)->due > due)
    {
        --place;
    }
    m_pending.insert(place, {due, frame});
    Simulator::Schedule(response, &TransmitGate::Deliver, Ptr<TransmitGate>(this));
}

void
TransmitGate::HastenPending()
{
    if (m_pending.empty())
    {
        return;
    }
    const Time response = GetResponse();
    const Ticks latest = NowInTicks() + response.GetTimeStep();
    if (m_pending.back().due <= latest)
    {
        return;
    }
    for (Pending& pending : m_pending)
    {
        pending.due = std::min(pending.due, latest);
    }
    // The event is scheduled in the node's context even if an event of another node changes the
    // rate.
    Simulator::ScheduleWithContext(m_link.node,
                                   response,
                                   &TransmitGate::Deliver,
                                   Ptr<TransmitGate>(this));
}

void
TransmitGate::RequireTurn(const char* what) const
{
    if (m_client)
    {
        lossless::RequireTurn(m_link.node, what);
    }
}

void
TransmitGate::Deliver()
{
    const Ticks now = NowInTicks();
    while (!m_pending.empty() && m_pending.front().due <= now)
    {
        const Frame frame = std::move(m_pending.front().frame);
        m_pending.pop_front();
        if (!Apply(frame) && m_client)
        {
            m_client->NotifyUnknownControl(frame);
        }
    }
}

void
TransmitGate::Reset()
{
    RequireTurn("resets a gate of");
    m_pending.clear();
    m_held.fill(0);
    const bool wasSelective = m_isSelective;
    DoReset();
    Publish();
    if (wasSelective)
    {
        Wake();
    }
}

void
TransmitGate::Publish()
{
    const auto open = static_cast<PrioritySet>(~((m_held[0] | m_held[1] | m_held[2]) & m_heeded));
    const PrioritySet opened = open & ~m_open;
    const PrioritySet closed = m_open & ~open;
    m_open = open;
    if (closed)
    {
        NS_LOG_DEBUG("gate " << this << " closes, of classes 7 to 0, "
                             << std::bitset<NUM_PRIORITIES>(closed));
        m_closedTrace(closed);
    }
    if (opened)
    {
        NS_LOG_DEBUG("gate " << this << " opens, of classes 7 to 0, "
                             << std::bitset<NUM_PRIORITIES>(opened));
        m_openedTrace(opened);
        Wake();
    }
}

void
TransmitGate::SetIgnoring(PrioritySet classes)
{
    NS_LOG_DEBUG("gate " << this << " ignores, of classes 7 to 0, "
                         << std::bitset<NUM_PRIORITIES>(classes));
    RequireTurn("has PAUSEs ignored by");
    const PrioritySet fresh = classes & ~m_ignored;
    m_ignored = classes;
    m_heeded = m_link.lossless & ~m_ignored;
    DoIgnore(fresh);
    Publish();
    if (m_isSelective)
    {
        Wake(); // individual frames of open classes can be sent again
    }
}

void
TransmitGate::TellPaused(const PauseNotice& notice)
{
    PauseNotice heeded = notice;
    heeded.classes &= m_heeded;
    if (heeded.classes == 0)
    {
        return;
    }
    m_pausedTrace(heeded.classes, heeded.length);
    if (m_client)
    {
        m_client->NotifyPaused(heeded);
    }
}

void
TransmitGate::Wake()
{
    if (m_client)
    {
        m_client->NotifyGateOpened();
    }
}

} // namespace ns3::lossless
