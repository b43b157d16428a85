// SPDX-License-Identifier: GPL-2.0-only
#include "link-retry.h"

#include "lossless-channel.h"
#include "lossless-net-device.h"
#include "node-name.h"
#include "pause-gate.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/drop-reason.h"
#include "ns3/log.h"
#include "ns3/mac-control-header.h"
#include "ns3/make-type-id.h"
#include "ns3/network-order.h"
#include "ns3/node.h"
#include "ns3/ordered-set.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessLinkRetry");

NS_OBJECT_ENSURE_REGISTERED(LinkRetry);

namespace
{

const RegisterDropReason g_flush({"llr-flush", DropPlace::EGRESS});

/// The time allowed for an acknowledgement beyond the round trip of ordered sets, in units of the
/// transmission time of a full frame plus the spacing between acknowledgements.
constexpr uint32_t SLACK = 4;

/// The maximum number of ordered sets that wait at the same time: an acknowledgement, an LLR_INIT
/// and an echo.
constexpr uint32_t MOST_SETS = 3;

/// A mask for the bits of a frame number that are sent on the wire.
constexpr uint32_t NUMBER_MASK = (1U << 20) - 1;

/// The value that marks a frame without a number.
constexpr uint32_t UNNUMBERED = std::numeric_limits<uint32_t>::max();

/// @return the bits of a number that are sent on the wire
constexpr uint32_t
Wrap(uint64_t number)
{
    return static_cast<uint32_t>(number) & NUMBER_MASK;
}

/// @param number the lowest 20 bits of a frame number, as sent on the wire
/// @return the distance from `from` to the frame number; negative if that number precedes `from`
constexpr int64_t
Ahead(uint32_t number, uint64_t from)
{
    const uint32_t distance = Wrap(number - from);
    return distance <= NUMBER_MASK / 2 ? distance
                                       : static_cast<int64_t>(distance) - NUMBER_MASK - 1;
}

/// The opcodes of protected MAC control frames.
std::vector<uint16_t>&
GetRetriedOpcodes()
{
    static std::vector<uint16_t> opcodes;
    return opcodes;
}

} // namespace

RegisterRetriedOpcode::RegisterRetriedOpcode(uint16_t opcode)
{
    GetRetriedOpcodes().push_back(opcode);
}

TypeId
LinkRetry::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<LinkRetry, Object>("LinkRetry")
            .AddAttribute("MaxFrames",
                          "Maximum number of frames kept for a replay; new frames wait when it is "
                          "reached. 0: no limit.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&LinkRetry::m_maxFrames),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("MaxBytes",
                          "Maximum number of bytes of kept frames, at least a full frame; 0: what "
                          "the link sends in ReplayTime, so that new frames never wait for room.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&LinkRetry::m_maxBytes),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "ReplayTime",
                "Time without an acknowledgement after which all kept frames are sent again, at "
                "least a round trip; 0: the round trip of ordered sets plus four full frames and "
                "gaps between sets. Samples of SONiC have 5 to 5.5 us.",
                TimeValue(Time(0)),
                MakeTimeAccessor(&LinkRetry::m_replayTime),
                MakeTimeChecker(Time(0)))
            .AddAttribute("MaxReplays",
                          "Consecutive replays without an acknowledgement after which the kept "
                          "frames are given up (default 3: samples of SONiC).",
                          UintegerValue(3),
                          MakeUintegerAccessor(&LinkRetry::m_maxReplays),
                          MakeUintegerChecker<uint32_t>(1, 255))
            .AddAttribute(
                "ControlSpacing",
                "Minimum distance between ordered sets, in bytes on the wire (default 2048: SAI).",
                UintegerValue(2048),
                MakeUintegerAccessor(&LinkRetry::m_spacing),
                MakeUintegerChecker<uint32_t>(8, 16384))
            .AddAttribute("BlockInInit",
                          "Whether frames wait until LLR has begun (SAI's action BLOCK) instead of "
                          "being sent unprotected (BEST_EFFORT, the default).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&LinkRetry::m_blocks),
                          MakeBooleanChecker())
            .AddAttribute(
                "DataAgeTimeout",
                "Longest time for which a frame is kept, after which all kept frames are given up; "
                "0: no limit (default of SAI). Samples of SONiC have 20 to 24 us.",
                TimeValue(Time(0)),
                MakeTimeAccessor(&LinkRetry::m_dataAge),
                MakeTimeChecker(Time(0)))
            .AddAttribute("PcsLostTimeout",
                          "Longest time for which the link may be down before the kept frames are "
                          "given up; if it comes up earlier, all are sent again. 0: they are given "
                          "up at once. Samples of SONiC have 50 to 55 us. Only for ports that PFC "
                          "pauses: with other schemes, both ends restart when the link goes down.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&LinkRetry::m_pcsLost),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("FirstNumber",
                          "Number of the first frame; numbers wrap around after 20 bits.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&LinkRetry::m_first),
                          MakeUintegerChecker<uint64_t>(0, NUMBER_MASK));
    return tid;
}

void
LinkRetry::Install(Ptr<LosslessChannel> cable)
{
    NS_ABORT_MSG_IF(cable->GetNDevices() < 2, "LinkRetry: the cable needs both its ends first.");
    const auto first = DynamicCast<LosslessNetDevice>(cable->GetDevice(0));
    const auto second = DynamicCast<LosslessNetDevice>(cable->GetDevice(1));
    const auto a = CreateObject<LinkRetry>();
    const auto b = CreateObject<LinkRetry>();
    a->Attach(PeekPointer(first), PeekPointer(b));
    b->Attach(PeekPointer(second), PeekPointer(a));
    for (const auto& device : {first, second})
    {
        // A device that is not initialized yet reports the state of the link on initialization.
        if (device->IsInitialized())
        {
            device->GetRetry()->NotifyLinkChanged(device->IsLinkUp());
        }
    }
}

void
LinkRetry::Attach(LosslessNetDevice* device, LinkRetry* peer)
{
    const uint32_t frame = device->GetMtu() + ETHERNET_BYTES;
    NS_ABORT_MSG_IF(m_maxBytes > 0 && m_maxBytes < frame,
                    "LinkRetry: MaxBytes is " << m_maxBytes << " B; it must hold a full frame of "
                                              << frame << " B.");
    NS_ABORT_MSG_IF(device->GetNode()->IsInitialized() && device->Describe().switchSide,
                    "LinkRetry: switch " << GetNodeName(device->GetNode()->GetId())
                                         << " is initialized; install LinkRetry before, because "
                                            "headroom includes replays.");
    m_device = device;
    m_peer = peer;
    m_next = m_first;
    NS_ABORT_MSG_IF(m_replayTime.IsStrictlyPositive() && m_replayTime < GetRoundTrip(),
                    "LinkRetry: ReplayTime is " << m_replayTime.As(Time::NS)
                                                << "; here it must be at least "
                                                << GetRoundTrip().As(Time::NS)
                                                << ", a round trip, or frames are sent again "
                                                   "before their acknowledgement can be there.");
    device->SetRetry(this);
}

void
LinkRetry::DoDispose()
{
    for (EventId* event : {&m_timer, &m_age, &m_down, &m_set})
    {
        event->Cancel();
    }
    m_kept.clear();
    m_remains.clear();
    m_underWay.Clear();
    m_device = nullptr;
    if (m_peer)
    {
        m_peer->m_peer = nullptr;
        m_peer = nullptr;
    }
    Object::DoDispose();
}

void
LinkRetry::Tell(const Note& note)
{
    const Node& node = *m_peer->m_device->GetNode();
    if (Ranks::IsOwn(node))
    {
        m_peer->TakeNote(note);
        return;
    }
    char* place = Ranks::Post(Ranks::GetRankOf(node),
                              m_peer->GetNumber(),
                              static_cast<uint64_t>(note.due),
                              sizeof(note));
    std::memcpy(place, &note, sizeof(note));
}

void
LinkRetry::TakeMail(const char* bytes, std::size_t /* size */)
{
    Note note{};
    std::memcpy(&note, bytes, sizeof(note));
    TakeNote(note);
}

void
LinkRetry::TakeNote(const Note& note)
{
    if (note.isLabel)
    {
        m_underWay.Push(note.number); // notes arrive in the order of the frames
        return;
    }
    Simulator::ScheduleWithContext(m_device->GetNode()->GetId(),
                                   TimeStep(note.due) - Simulator::Now(),
                                   [retry = Ptr<LinkRetry>(this), note] {
                                       if (retry->m_device)
                                       {
                                           retry->TakeLastNote(note);
                                       }
                                   });
}

void
LinkRetry::TakeLastNote(const Note& note)
{
    m_lastNote = note;
    const auto isOf = [&note](const Remains& remains) { return remains.change == note.change; };
    const auto found = std::find_if(m_remains.begin(), m_remains.end(), isOf);
    if (found != m_remains.end())
    {
        Bury(*found, note);
        m_remains.erase(found);
    }
}

Time
LinkRetry::GetTimeOf(uint32_t bytes) const
{
    return m_device->GetDataRate().CalculateBytesTxTime(bytes);
}

Time
LinkRetry::GetSetTime() const
{
    return DynamicCast<LosslessChannel>(m_device->GetChannel())->GetLongestDelay() +
           GetTimeOf(ORDERED_SET_BYTES);
}

Time
LinkRetry::GetRoundTrip() const
{
    // At either end, the transmitter may first have to finish sending a full frame.
    return 2 * GetSetTime() + GetTimeOf(m_spacing + 2 * GetFullFrame());
}

uint32_t
LinkRetry::GetFullFrame() const
{
    return m_device->GetMtu() + ETHERNET_BYTES + m_device->GetOverheadBytes();
}

Time
LinkRetry::GetReplayTime() const
{
    if (m_replayTime.IsStrictlyPositive())
    {
        // If the link's rate has been reduced, the round trip can exceed m_replayTime.
        return Max(m_replayTime, GetRoundTrip());
    }
    return 2 * GetSetTime() + GetTimeOf(SLACK * (GetFullFrame() + m_spacing));
}

uint64_t
LinkRetry::GetMostKept() const
{
    const uint64_t most =
        m_maxBytes > 0 ? m_maxBytes
                       : static_cast<uint64_t>(m_device->GetDataRate() * GetReplayTime()) / 8;
    return std::max<uint64_t>(most, m_device->GetMtu() + ETHERNET_BYTES);
}

uint64_t
LinkRetry::GetReplayBytes() const
{
    return GetMostKept() + MOST_SETS * ORDERED_SET_BYTES;
}

void
LinkRetry::SendSet(Set kind, uint64_t first, uint64_t second)
{
    std::array<uint8_t, ORDERED_SET_BYTES> bytes{ORDERED_SET_CODE, static_cast<uint8_t>(kind)};
    WriteNumber<3>(&bytes[2], Wrap(first));
    WriteNumber<3>(&bytes[5], Wrap(second));
    m_device->SendControl(Create<Packet>(bytes.data(), bytes.size()));
}

bool
LinkRetry::IsSet(const Frame& frame)
{
    std::array<uint8_t, 2> bytes{};
    if (frame.kind != FrameKind::MAC_CONTROL || !IsOrderedSet(*frame.packet))
    {
        return false;
    }
    frame.packet->CopyData(bytes.data(), bytes.size());
    return bytes[0] == ORDERED_SET_CODE && bytes[1] >= static_cast<uint8_t>(Set::INIT) &&
           bytes[1] <= static_cast<uint8_t>(Set::NACK);
}

void
LinkRetry::TakeSet(const Frame& frame, bool isLost)
{
    if (isLost)
    {
        ++m_counts.setsLost;
        return;
    }
    std::array<uint8_t, ORDERED_SET_BYTES> bytes{};
    frame.packet->CopyData(bytes.data(), bytes.size());
    const auto first = static_cast<uint32_t>(ReadNumber<3>(&bytes[2]));
    const auto second = static_cast<uint32_t>(ReadNumber<3>(&bytes[5]));
    switch (Set(bytes[1]))
    {
    case Set::INIT:
        TakeInit(first);
        break;
    case Set::INIT_ECHO:
        TakeEcho(first, second);
        break;
    case Set::ACK:
        TakeState(first, false);
        break;
    case Set::NACK:
        TakeState(first, true);
    }
}

bool
LinkRetry::IsEligible(const Frame& frame)
{
    if (frame.kind != FrameKind::MAC_CONTROL)
    {
        return true;
    }
    const auto opcode = PeekMacControlOpcode(*frame.packet);
    const auto& retried = GetRetriedOpcodes();
    return opcode && std::find(retried.begin(), retried.end(), *opcode) != retried.end();
}

void
LinkRetry::NotifyLinkChanged(bool up)
{
    if (!Ranks::IsOwn(*m_device->GetNode()))
    {
        return;
    }
    ++m_change;
    m_timer.Cancel();
    m_set.Cancel();
    m_isMissing = false;
    if (up)
    {
        ComeUp();
    }
    else
    {
        GoDown();
    }
    m_initFirst.reset();
}

void
LinkRetry::GoDown()
{
    if (m_peer)
    {
        const Time delay = DynamicCast<LosslessChannel>(m_device->GetChannel())->GetLongestDelay();
        Tell({false,
              m_change,
              m_expected,
              (Simulator::Now() + delay).GetTimeStep(),
              m_initFirst.value_or(UNNUMBERED),
              m_initNext});
    }
    if (m_pcsLost.IsZero() || m_state == State::INIT)
    {
        AbandonKept(DropReason::LINK_DOWN);
    }
    else if (m_state != State::OFF && m_down.IsExpired())
    {
        m_down = Simulator::Schedule(m_pcsLost, &LinkRetry::NotifyAged, this);
    }
}

void
LinkRetry::ComeUp()
{
    NS_ABORT_MSG_IF(m_pcsLost.IsStrictlyPositive() && !DynamicCast<PauseGate>(m_device->GetGate()),
                    "LinkRetry: PcsLostTimeout must be 0 under this scheme, since both ends start "
                    "again when the link goes down; it is for ports that PFC pauses.");
    if (m_down.IsExpired())
    {
        SendInit();
        return;
    }
    m_down.Cancel();
    m_vain = 0;
    m_state = State::ADVANCE;
    if (!m_kept.empty())
    {
        StartReplay();
    }
}

void
LinkRetry::AbandonKept(DropReason reason)
{
    m_down.Cancel();
    m_state = State::OFF;
    const Remains remains{m_change, std::move(m_kept), reason};
    Clear();
    if (m_lastNote && m_lastNote->change == m_change)
    {
        Bury(remains, *m_lastNote);
    }
    else if (!remains.kept.empty())
    {
        m_remains.push_back(remains);
    }
}

void
LinkRetry::Bury(const Remains& remains, const Note& note)
{
    for (const Kept& kept : remains.kept)
    {
        const bool isBefore = note.first != UNNUMBERED && Ahead(note.first, kept.number) > 0;
        if (Ahead(isBefore ? note.before : note.number, kept.number) <= 0)
        {
            m_device->Drop(kept.frame, remains.reason);
        }
    }
}

void
LinkRetry::Clear()
{
    m_age.Cancel();
    m_kept.clear();
    m_keptBytes = 0;
    m_replayed = 0;
}

void
LinkRetry::SendInit()
{
    NS_LOG_DEBUG("node " << m_device->GetNode()->GetId() << " sends LLR_INIT " << m_next);
    m_state = State::INIT;
    m_age.Cancel();
    m_timer.Cancel(); // cancels the replay timer, which is still running if a NACK caused the FLUSH
    ++m_counts.txInit;
    SendSet(Set::INIT, m_next, 0);
    m_device->NotifyRetryReady(); // in INIT, new frames are sent unprotected or held back
    m_timer = Simulator::Schedule(GetRoundTrip(), &LinkRetry::SendInit, this);
}

void
LinkRetry::TakeInit(uint32_t first)
{
    ++m_counts.rxInit;
    if (m_initFirst != first)
    {
        m_initFirst = first;
        m_initNext = m_expected; // saved because a repeated LLR_INIT would find m_expected changed
        m_expected = first;
        m_isMissing = false;
    }
    ++m_counts.txInitEcho;
    SendSet(Set::INIT_ECHO, first, m_initNext);
}

void
LinkRetry::TakeEcho(uint32_t first, uint32_t next)
{
    ++m_counts.rxInitEcho;
    if (m_state == State::INIT && first == Wrap(m_next))
    {
        m_timer.Cancel();
        Bury({m_change, std::move(m_kept), g_flush}, {false, m_change, next, 0, UNNUMBERED, 0});
        Clear();
        m_vain = 0;
        m_state = State::ADVANCE;
        m_device->NotifyRetryReady();
    }
}

void
LinkRetry::NoteSent(const Frame& frame)
{
    if (!IsEligible(frame))
    {
        return;
    }
    uint32_t number = UNNUMBERED;
    if (m_isReplayed)
    {
        m_isReplayed = false;
        number = Wrap(m_kept[m_replayed - 1].number);
    }
    else if (m_state == State::ADVANCE)
    {
        number = Wrap(m_next);
        Keep(frame);
    }
    m_counts.txOk += number == UNNUMBERED ? 0 : 1;
    Tell({true, m_change, number, frame.arrival, UNNUMBERED, 0});
    if (m_state == State::ADVANCE && IsHolding())
    {
        m_device->NotifyRetryReady();
    }
    else if (m_state == State::REPLAY && m_replayed == m_kept.size())
    {
        EndReplay();
    }
}

void
LinkRetry::Keep(const Frame& frame)
{
    m_kept.push_back({m_next++, Simulator::Now(), frame});
    m_kept.back().frame.packet = frame.packet->Copy(); // later hops modify the original
    m_keptBytes += frame.size;
    if (m_kept.size() == 1)
    {
        RestartTimer();
    }
}

bool
LinkRetry::Defer(const Frame& frame)
{
    if (m_state != State::REPLAY || !IsEligible(frame))
    {
        return false;
    }
    Keep(frame);
    return true;
}

bool
LinkRetry::IsHolding() const
{
    if (m_state != State::ADVANCE)
    {
        return m_state == State::REPLAY || (m_state == State::INIT && m_blocks);
    }
    const uint64_t frame = m_device->GetMtu() + ETHERNET_BYTES;
    return m_keptBytes + frame > GetMostKept() || (m_maxFrames > 0 && m_kept.size() >= m_maxFrames);
}

std::optional<Frame>
LinkRetry::TakeReplay()
{
    if (m_state != State::REPLAY)
    {
        return std::nullopt;
    }
    Frame frame = m_kept[m_replayed++].frame;
    frame.packet = frame.packet->Copy();
    m_isReplayed = true;
    ++m_counts.replayedFrames;
    return frame;
}

void
LinkRetry::EndReplay()
{
    ++m_counts.txReplay;
    m_state = State::ADVANCE;
}

void
LinkRetry::TakeState(uint32_t next, bool isNack)
{
    ++(isNack ? m_counts.rxNack : m_counts.rxAck);
    if (m_state == State::INIT)
    {
        return;
    }
    const uint64_t first = m_kept.empty() ? m_next : m_kept.front().number;
    const int64_t ahead = Ahead(next, first);
    if (ahead < 0 || first + ahead > m_next)
    {
        ++m_counts.rxAckNackSeqError;
        return;
    }
    Free(first + ahead);
    if (isNack && !m_kept.empty())
    {
        StartReplay();
    }
}

void
LinkRetry::Free(uint64_t next)
{
    if (m_kept.empty() || m_kept.front().number >= next)
    {
        return;
    }
    const bool wasHolding = IsHolding();
    while (!m_kept.empty() && m_kept.front().number < next)
    {
        m_keptBytes -= m_kept.front().frame.size;
        m_kept.pop_front();
        m_replayed -= m_replayed > 0 ? 1 : 0;
    }
    m_vain = 0;
    if (m_state == State::REPLAY && m_replayed >= m_kept.size())
    {
        EndReplay();
    }
    RestartTimer();
    if (wasHolding)
    {
        m_device->NotifyRetryReady();
    }
}

void
LinkRetry::StartReplay()
{
    if (++m_vain > m_maxReplays)
    {
        Flush();
        return;
    }
    ++m_counts.replays;
    m_replayed = 0;
    m_state = State::REPLAY;
    RestartTimer();
    m_device->NotifyRetryReady();
}

void
LinkRetry::Flush()
{
    ++m_counts.flushes;
    SendInit();
}

void
LinkRetry::NotifyTimeout()
{
    ++m_counts.timeouts;
    StartReplay();
}

void
LinkRetry::NotifyAged()
{
    if (m_device->IsLinkUp())
    {
        Flush();
    }
    else
    {
        ++m_counts.flushes;
        AbandonKept(g_flush);
    }
}

void
LinkRetry::RestartTimer()
{
    m_timer.Cancel();
    m_age.Cancel();
    if (m_kept.empty())
    {
        return;
    }
    m_timer = Simulator::Schedule(GetReplayTime(), &LinkRetry::NotifyTimeout, this);
    if (m_dataAge.IsStrictlyPositive())
    {
        m_age = Simulator::Schedule(m_kept.front().since + m_dataAge - Simulator::Now(),
                                    &LinkRetry::NotifyAged,
                                    this);
    }
}

bool
LinkRetry::NoteArrival()
{
    m_current = m_underWay.Pop();
    return m_current != UNNUMBERED;
}

bool
LinkRetry::Accept(bool isCorrupt)
{
    const int64_t ahead = Ahead(m_current, m_expected);
    const bool wasRepeating = std::exchange(m_isRepeating, ahead < 0);
    ++(isCorrupt ? m_counts.rxBad : m_counts.rxOk);
    m_counts.rxReplay += (ahead < 0 && !wasRepeating) || (ahead == 0 && m_isMissing) ? 1 : 0;
    ++(ahead > 0   ? m_counts.rxMissingSeq
       : ahead < 0 ? m_counts.rxDuplicateSeq
       : isCorrupt ? m_counts.rxExpectedSeqBad
                   : m_counts.rxExpectedSeqGood);
    const bool isNext = !isCorrupt && ahead == 0;
    if (isNext)
    {
        m_expected = Wrap(m_expected + 1);
        m_isMissing = false;
        m_initFirst.reset();
    }
    else if ((isCorrupt || ahead > 0) && !m_isMissing)
    {
        m_isMissing = true;
        m_isNacked = false;
    }
    RequestState(); // needed even for a duplicate, whose acknowledgement may have been lost
    return isNext;
}

void
LinkRetry::RequestState()
{
    if (!m_set.IsExpired())
    {
        return;
    }
    const Time now = Simulator::Now();
    if (m_nextSet <= now)
    {
        SendState();
    }
    else
    {
        m_set = Simulator::Schedule(m_nextSet - now, &LinkRetry::SendState, this);
    }
}

void
LinkRetry::SendState()
{
    if (m_isMissing && m_isNacked)
    {
        return; // no further NACKs are sent until the missing frame arrives
    }
    m_nextSet = Simulator::Now() + GetTimeOf(m_spacing);
    ++(m_isMissing ? m_counts.txNack : m_counts.txAck);
    m_isNacked = m_isMissing;
    SendSet(m_isMissing ? Set::NACK : Set::ACK, m_expected, 0);
}

} // namespace ns3::lossless
