// SPDX-License-Identifier: GPL-2.0-only
#include "selective-repeat.h"

#include "ns3/count-attribute.h"
#include "ns3/make-type-id.h"
#include "ns3/part-registry.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lossless
{

NS_OBJECT_ENSURE_REGISTERED(SelectiveReliability);
NS_OBJECT_ENSURE_REGISTERED(SelectiveRepeat);
NS_OBJECT_ENSURE_REGISTERED(Unordered);

const RegisterPart<SelectiveRepeat, ReliabilityInfo> g_selectiveRepeat(
    "SelectiveRepeat",
    20,
    [](ReliabilityInfo& part) {
        part.what = "only lost packets are sent again (IRN, Mittal et al.)";
    });

const RegisterPart<Unordered, ReliabilityInfo> g_unordered(
    "Unordered",
    30,
    [](ReliabilityInfo& part) {
        part.what = "packets are placed in any order of arrival (Ultra Ethernet, MRC)";
    });

SelectiveSender::SelectiveSender(const SelectiveSettings& settings)
    : m_settings(settings)
{
}

void
SelectiveSender::DoOpen(bool isTimed)
{
    for (PacketSet* set : {&m_sacked, &m_trimmed, &m_mended})
    {
        set->Clear(0);
    }
    m_cursor = 0;
    m_lostBefore = 0;
    m_recoveryEnd = 0;
    m_underWay = 0;
    m_isAwaiting = false;
    m_isTimed = isTimed;
}

void
SelectiveSender::Depart(const Time& now)
{
    const uint64_t packet = m_next;
    if (packet == m_oldest)
    {
        m_waitingSince = now;
    }
    m_isAwaiting = true;
    ++m_underWay;
    if (packet == m_highest)
    {
        ++m_highest;
        if (m_isTimed)
        {
            m_departures.Note(m_oldest, packet, now);
        }
    }
    else
    {
        if (m_isTimed)
        {
            m_departures.Doubt(packet);
        }
        if (m_trimmed.Remove(packet))
        {
            m_mended.Insert(packet);
        }
        else
        {
            m_cursor = packet + 1;
        }
    }
    ChooseNext();
}

AnswerEffect
SelectiveSender::HandleAnswer(const PacketAnswer& answer, const Time& now)
{
    AnswerEffect effect;
    if (answer.arrived > static_cast<int64_t>(m_highest))
    {
        return effect; // the answer refers to packets that were never sent
    }
    if (m_isTimed)
    {
        effect.roundTrip = GetRoundTrip(answer, now);
    }
    if (answer.arrived > static_cast<int64_t>(m_oldest))
    {
        Advance(static_cast<uint64_t>(answer.arrived));
        m_waitingSince = now;
    }
    if (answer.bitmap != 0)
    {
        TakeBitmap(answer);
        effect.newLost = LoseOvertaken();
    }
    if (answer.kind == PacketAnswer::Kind::TRIMMED)
    {
        effect.isTrimmed = LoseTrimmed(answer.trigger);
    }
    if ((effect.newLost > 0 || effect.isTrimmed) && m_oldest >= m_recoveryEnd)
    {
        effect.isFirstLoss = true;
        m_recoveryEnd = m_highest;
    }
    ChooseNext();
    return effect;
}

std::optional<Time>
SelectiveSender::GetRoundTrip(const PacketAnswer& answer, const Time& now) const
{
    const auto packet = static_cast<uint64_t>(answer.trigger);
    const bool isNews = answer.trigger >= static_cast<int64_t>(m_oldest) && packet < m_highest &&
                        !m_sacked.Contains(packet) && answer.kind != PacketAnswer::Kind::TRIMMED;
    const std::optional<Time> departure = isNews ? m_departures.Get(packet) : std::nullopt;
    return departure ? std::optional<Time>(now - *departure) : std::nullopt;
}

void
SelectiveSender::Advance(uint64_t arrived)
{
    if (m_sacked.IsEmpty() && !HasLost())
    {
        m_underWay -= arrived - m_oldest; // subtracted together, because all of them count equally
    }
    else
    {
        for (uint64_t packet = m_oldest; packet < arrived; ++packet)
        {
            if (!m_sacked.Contains(packet))
            {
                Arrive(packet);
            }
        }
    }
    m_oldest = arrived;
    for (PacketSet* set : {&m_sacked, &m_trimmed, &m_mended})
    {
        set->ForgetBefore(arrived);
    }
}

void
SelectiveSender::TakeBitmap(const PacketAnswer& answer)
{
    for (uint64_t bits = answer.bitmap; bits != 0; bits &= bits - 1)
    {
        const int64_t packet = answer.base + __builtin_ctzll(bits);
        if (packet < static_cast<int64_t>(m_oldest) || packet >= static_cast<int64_t>(m_highest))
        {
            continue; // the answer was overtaken or is invalid
        }
        const auto arrived = static_cast<uint64_t>(packet);
        if (!m_sacked.Contains(arrived))
        {
            Arrive(arrived);
            m_sacked.Insert(arrived);
        }
    }
}

void
SelectiveSender::Arrive(uint64_t packet)
{
    m_underWay -= IsLost(packet) ? 0 : 1;
    m_trimmed.Remove(packet);
}

bool
SelectiveSender::IsLost(uint64_t packet) const
{
    return m_trimmed.Contains(packet) ||
           (packet >= m_cursor && packet < m_lostBefore && !m_mended.Contains(packet));
}

uint64_t
SelectiveSender::LoseOvertaken()
{
    const uint64_t end = m_sacked.GetEnd();
    if (m_settings.reorderDegree == 0 || end <= m_lostBefore + m_settings.reorderDegree)
    {
        return 0;
    }
    uint64_t lost = 0;
    const uint64_t first = std::max({m_lostBefore, m_cursor, m_oldest});
    const uint64_t behind = end - m_settings.reorderDegree;
    for (uint64_t packet = m_sacked.GetFirstMissing(first); packet < behind;
         packet = m_sacked.GetFirstMissing(packet + 1))
    {
        if (!m_trimmed.Contains(packet) && !m_mended.Contains(packet))
        {
            --m_underWay;
            ++lost;
        }
    }
    m_lostBefore = behind;
    return lost;
}

bool
SelectiveSender::LoseTrimmed(int64_t packet)
{
    if (packet < static_cast<int64_t>(m_oldest) || packet >= static_cast<int64_t>(m_highest))
    {
        return false;
    }
    const auto cut = static_cast<uint64_t>(packet);
    if (m_sacked.Contains(cut) || IsLost(cut))
    {
        return false;
    }
    --m_underWay;
    m_trimmed.Insert(cut);
    return true;
}

void
SelectiveSender::ChooseNext()
{
    m_next = m_highest;
    m_cursor = std::max(m_cursor, m_oldest);
    if (!m_trimmed.IsEmpty())
    {
        m_next = m_trimmed.GetFirst();
    }
    else if (m_cursor < m_lostBefore)
    {
        do
        {
            m_cursor = m_sacked.GetFirstMissing(m_cursor);
        } while (m_cursor < m_lostBefore && m_mended.Contains(m_cursor) && ++m_cursor);
        m_next = m_cursor < m_lostBefore ? m_cursor : m_highest;
    }
    m_inFlight = m_settings.isWindowOfSpan ? m_next - m_oldest : m_underWay;
}

void
SelectiveSender::HandleTimeout()
{
    m_trimmed.Clear(m_oldest);
    m_mended.Clear(m_oldest);
    m_cursor = m_oldest;
    m_lostBefore = m_highest;
    m_recoveryEnd = m_highest;
    m_underWay = 0;
    m_isAwaiting = false;
    ChooseNext();
}

std::optional<Time>
SelectiveSender::GetDue() const
{
    const uint64_t underWay = m_highest - m_oldest;
    if (!m_isAwaiting || underWay == 0)
    {
        return std::nullopt;
    }
    const bool isLow = underWay <= m_settings.fewPackets;
    return m_waitingSince + (isLow ? m_settings.rtoLow : m_settings.rtoHigh);
}

Time
SelectiveSender::GetWaitingSince() const
{
    return m_waitingSince;
}

uint64_t
SelectiveSender::GetArrived() const
{
    return m_oldest + m_sacked.GetSize();
}

uint64_t
SelectiveSender::GetUnderWay() const
{
    return m_underWay;
}

SelectiveReceiver::SelectiveReceiver(ArrivalVerdict::Reply replyBeyondGap)
    : m_replyBeyondGap(replyBeyondGap)
{
}

void
SelectiveReceiver::DoOpen()
{
    m_kept.Clear(0);
    m_expected = 0;
    m_total = UINT64_MAX;
}

ArrivalVerdict
SelectiveReceiver::Accept(int32_t ahead, bool isLast)
{
    using Arrival = ArrivalVerdict::Arrival;
    using Reply = ArrivalVerdict::Reply;
    const uint64_t packet = m_expected + static_cast<uint64_t>(static_cast<int64_t>(ahead));
    if (ahead < 0 || m_kept.Contains(packet))
    {
        return {Arrival::DUPLICATE, Reply::ACK, !m_kept.IsEmpty()};
    }
    if (isLast)
    {
        m_total = packet + 1;
    }
    if (ahead > 0)
    {
        m_kept.Insert(packet);
        return {Arrival::KEPT, m_replyBeyondGap, true};
    }
    const uint64_t next = m_kept.GetFirstMissing(packet + 1);
    const auto advance = static_cast<uint32_t>(next - packet);
    m_expected = next;
    m_isComplete = next == m_total;
    m_kept.ForgetBefore(next);
    // If a gap has been filled, the answer reports which later packets have arrived, because
    // packets before them may still be missing.
    const bool hasSack = advance > 1 || !m_kept.IsEmpty();
    // If packets can take any path, late packets do not trigger additional answers. Late packets
    // took slow paths, about which the sender would otherwise receive more reports than about other
    // paths.
    const bool isUrgent = m_replyBeyondGap == Reply::NAK ? hasSack : m_isComplete;
    return {Arrival::IN_ORDER, isUrgent ? Reply::ACK : Reply::WHEN_DUE, hasSack, advance};
}

ArrivalVerdict
SelectiveReceiver::AcceptTrimmed(int32_t ahead)
{
    const uint64_t packet = m_expected + static_cast<uint64_t>(static_cast<int64_t>(ahead));
    if (ahead < 0 || m_kept.Contains(packet))
    {
        return {ArrivalVerdict::Arrival::DUPLICATE, ArrivalVerdict::Reply::ACK, !m_kept.IsEmpty()};
    }
    return {ArrivalVerdict::Arrival::CUT, ArrivalVerdict::Reply::TRIMMED, true};
}

uint64_t
SelectiveReceiver::GetBitmap(uint32_t ahead) const
{
    return m_kept.GetBits(m_expected + ahead);
}

bool
SelectiveReceiver::HasGap() const
{
    return !m_kept.IsEmpty();
}

TypeId
SelectiveReliability::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<SelectiveReliability, Reliability>("SelectiveReliability")
            .AddAttribute("RtoLow",
                          "Time without progress after which all packets that have not arrived are "
                          "sent again, while at most FewPackets are in flight (default: IRN's).",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&SelectiveReliability::m_rtoLow),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("RtoHigh",
                          "The same while more packets are in flight (default: IRN's).",
                          TimeValue(MicroSeconds(320)),
                          MakeTimeAccessor(&SelectiveReliability::m_rtoHigh),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("FewPackets",
                          "Packets in flight up to which RtoLow is the timeout (default: IRN's N).",
                          UintegerValue(3),
                          MakeUintegerAccessor(&SelectiveReliability::m_fewPackets),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("BdpCap",
                          "Payload that a queue pair may have unacknowledged, in bytes; IRN limits "
                          "it to the bandwidth-delay product of the network's longest path. 0: no "
                          "limit. One packet may always be in flight.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&SelectiveReliability::m_bdpCap),
                          MakeCountChecker());
    return tid;
}

SelectiveReliability::SelectiveReliability(bool isWindowOfSpan)
    : m_isWindowOfSpan(isWindowOfSpan)
{
}

std::unique_ptr<SendReliability>
SelectiveReliability::MakeSender(Time /* timeout */) const
{
    return std::make_unique<SelectiveSender>(
        SelectiveSettings{m_rtoLow, m_rtoHigh, m_fewPackets, m_reorderDegree, m_isWindowOfSpan});
}

Time
SelectiveReliability::GetShortestTimeout(Time /* timeout */) const
{
    return std::min(m_rtoLow, m_rtoHigh);
}

Time
SelectiveReliability::GetLongestTimeout(Time /* timeout */) const
{
    return std::max(m_rtoLow, m_rtoHigh);
}

uint64_t
SelectiveReliability::GetWindow() const
{
    return m_bdpCap;
}

TypeId
SelectiveRepeat::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<SelectiveRepeat, SelectiveReliability>("SelectiveRepeat")
            .AddAttribute("ReorderDegree",
                          "A packet counts as lost once a packet this many positions later has "
                          "arrived; 0: never (default: IRN's, any later packet).",
                          UintegerValue(1),
                          MakeUintegerAccessor(&SelectiveRepeat::m_reorderDegree),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

SelectiveRepeat::SelectiveRepeat()
    : SelectiveReliability(true)
{
}

ReliabilityTraits
SelectiveRepeat::GetTraits() const
{
    ReliabilityTraits traits;
    traits.needsOrder = m_reorderDegree == 1;
    return traits;
}

std::unique_ptr<ReceiveReliability>
SelectiveRepeat::MakeReceiver() const
{
    return std::make_unique<SelectiveReceiver>(ArrivalVerdict::Reply::NAK);
}

TypeId
Unordered::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<Unordered, SelectiveReliability>("Unordered")
            .AddAttribute(
                "ReorderDegree",
                "A packet counts as lost once a packet this many positions later has arrived; 0: "
                "never, so that only timeouts and trimmed packets indicate losses.",
                UintegerValue(64),
                MakeUintegerAccessor(&Unordered::m_reorderDegree),
                MakeUintegerChecker<uint32_t>());
    return tid;
}

Unordered::Unordered()
    : SelectiveReliability(false)
{
}

ReliabilityTraits
Unordered::GetTraits() const
{
    ReliabilityTraits traits;
    traits.isPlacing = true;
    return traits;
}

std::unique_ptr<ReceiveReliability>
Unordered::MakeReceiver() const
{
    return std::make_unique<SelectiveReceiver>(ArrivalVerdict::Reply::WHEN_DUE);
}

} // namespace ns3::lossless
