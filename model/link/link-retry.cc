// SPDX-License-Identifier: GPL-2.0-only
#include "link-retry.h"

#include "bit-error-model.h"
#include "lossless-channel.h"
#include "lossless-net-device.h"

#include "ns3/abort.h"
#include "ns3/drop-reason.h"
#include "ns3/log.h"
#include "ns3/make-type-id.h"
#include "ns3/node.h"
#include "ns3/ranks.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessLinkRetry");

NS_OBJECT_ENSURE_REGISTERED(LinkRetry);

namespace
{

const RegisterDropReason g_flush({"llr-flush", DropPlace::EGRESS});

/// Bytes of a control ordered set.
constexpr uint32_t SET_BYTES = 8;

/// Full frames and gaps between ordered sets that an acknowledgement may take beyond a round trip.
constexpr uint32_t SLACK = 4;

} // namespace

TypeId
LinkRetry::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<LinkRetry, Object>("LinkRetry")
            .AddAttribute("MaxFrames",
                          "Most frames that are kept for a replay, which new ones wait for; 0: "
                          "any number.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&LinkRetry::m_maxFrames),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("MaxBytes",
                          "Most bytes of frames that are kept, at least those of a full one; 0: "
                          "what the link sends in ReplayTime, so that it is never short of them.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&LinkRetry::m_maxBytes),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ReplayTime",
                          "Time without an acknowledgement after which all that is kept is sent "
                          "again; 0: a round trip, and four full frames and gaps between ordered "
                          "sets. Samples of SONiC have 5 to 5.5 us.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&LinkRetry::m_replayTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MaxReplays",
                          "Replays in a row that get nothing acknowledged, after which what is "
                          "kept is given up (default: 3, as in samples of SONiC).",
                          UintegerValue(3),
                          MakeUintegerAccessor(&LinkRetry::m_maxReplays),
                          MakeUintegerChecker<uint32_t>(1, 255))
            .AddAttribute("ControlSpacing",
                          "Least distance between ordered sets, in bytes of the wire (default of "
                          "SAI: 2048).",
                          UintegerValue(2048),
                          MakeUintegerAccessor(&LinkRetry::m_spacing),
                          MakeUintegerChecker<uint32_t>(8, 16384));
    return tid;
}

void
LinkRetry::Install(Ptr<LosslessChannel> cable)
{
    NS_ABORT_MSG_IF(Ranks::AreSeveral(), "LinkRetry: it works on one rank only.");
    NS_ABORT_MSG_IF(cable->GetNDevices() < 2, "LinkRetry: the cable needs both its ends first.");
    const auto first = DynamicCast<LosslessNetDevice>(cable->GetDevice(0));
    const auto second = DynamicCast<LosslessNetDevice>(cable->GetDevice(1));
    const auto a = CreateObject<LinkRetry>();
    const auto b = CreateObject<LinkRetry>();
    a->Attach(PeekPointer(first), PeekPointer(b));
    b->Attach(PeekPointer(second), PeekPointer(a));
    for (const auto& device : {first, second})
    {
        if (device->IsInitialized()) // else it tells when it is
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
    m_device = device;
    m_peer = peer;
    device->SetRetry(this);
}

void
LinkRetry::DoDispose()
{
    m_timer.Cancel();
    m_set.Cancel();
    m_kept.clear();
    m_underWay.Clear();
    m_device = nullptr;
    if (m_peer)
    {
        m_peer->m_peer = nullptr;
        m_peer = nullptr;
    }
    Object::DoDispose();
}

Time
LinkRetry::GetSetTime() const
{
    return DynamicCast<LosslessChannel>(m_device->GetChannel())->GetLongestDelay() +
           m_device->GetDataRate().CalculateBytesTxTime(SET_BYTES);
}

Time
LinkRetry::GetReplayTime() const
{
    if (m_replayTime.IsStrictlyPositive())
    {
        return m_replayTime;
    }
    const uint32_t frame = m_device->GetMtu() + ETHERNET_BYTES + m_device->GetOverheadBytes();
    return 2 * GetSetTime() +
           m_device->GetDataRate().CalculateBytesTxTime(SLACK * (frame + m_spacing));
}

template <typename METHOD, typename... ARGS>
void
LinkRetry::SendSet(METHOD method, ARGS... args)
{
    const auto errors = DynamicCast<BitErrorModel>(m_peer->m_device->GetErrorModel());
    if (m_state == State::OFF || (errors && errors->Hits(SET_BYTES)))
    {
        return;
    }
    Simulator::ScheduleWithContext(
        m_peer->m_device->GetNode()->GetId(),
        GetSetTime(),
        [peer = Ptr<LinkRetry>(m_peer), generation = m_generation, method, args...] {
            if (peer->m_peer && peer->m_generation == generation)
            {
                (PeekPointer(peer)->*method)(args...);
            }
        });
}

void
LinkRetry::NotifyLinkChanged(bool up)
{
    ++m_generation;
    m_timer.Cancel();
    m_set.Cancel();
    m_isMissing = false;
    m_state = up ? State::INIT : State::OFF;
    if (!up && m_peer)
    {
        GiveUp(m_peer->m_expected, DropReason::LINK_DOWN);
    }
    if (up)
    {
        SendInit();
    }
}

void
LinkRetry::SendInit()
{
    NS_LOG_DEBUG("node " << m_device->GetNode()->GetId() << " sends LLR_INIT " << m_next);
    m_state = State::INIT;
    m_timer.Cancel(); // of the replay, where a NACK has led here
    SendSet(&LinkRetry::TakeInit, m_next);
    const Time spacing = m_device->GetDataRate().CalculateBytesTxTime(m_spacing);
    m_timer = Simulator::Schedule(2 * GetSetTime() + spacing, &LinkRetry::SendInit, this);
}

void
LinkRetry::TakeInit(uint64_t first)
{
    if (m_initFirst != first)
    {
        m_initFirst = first;
        m_initNext = m_expected; // which a second LLR_INIT finds changed
        m_expected = first;
        m_isMissing = false;
    }
    SendSet(&LinkRetry::TakeEcho, first, m_initNext);
}

void
LinkRetry::TakeEcho(uint64_t first, uint64_t next)
{
    if (m_state == State::INIT && first == m_next)
    {
        m_timer.Cancel();
        GiveUp(next, g_flush);
        m_vain = 0;
        m_state = State::ADVANCE;
    }
}

void
LinkRetry::GiveUp(uint64_t next, DropReason reason)
{
    for (const Kept& kept : m_kept)
    {
        if (kept.number >= next)
        {
            m_device->NotifyGivenUp(kept.frame, reason);
        }
    }
    m_kept.clear();
    m_keptBytes = 0;
    m_replayed = 0;
}

void
LinkRetry::NoteSent(const Frame& frame)
{
    if (frame.kind == FrameKind::MAC_CONTROL)
    {
        return;
    }
    if (m_isReplayed)
    {
        m_isReplayed = false;
        m_peer->m_underWay.Push(Label(m_kept[m_replayed - 1].number));
        return;
    }
    if (m_state != State::ADVANCE)
    {
        m_peer->m_underWay.Push(Label());
        return;
    }
    m_peer->m_underWay.Push(Label(m_next));
    m_kept.push_back({m_next++, frame});
    m_kept.back().frame.packet = frame.packet->Copy(); // later hops write to the other one
    m_keptBytes += frame.size;
    if (m_kept.size() == 1)
    {
        RestartTimer();
    }
    if (IsHolding())
    {
        m_device->NotifyRetryReady();
    }
}

bool
LinkRetry::IsHolding() const
{
    if (m_state != State::ADVANCE)
    {
        return m_state == State::REPLAY;
    }
    const uint64_t most =
        m_maxBytes > 0 ? m_maxBytes
                       : static_cast<uint64_t>(m_device->GetDataRate() * GetReplayTime()) / 8;
    const uint64_t frame = m_device->GetMtu() + ETHERNET_BYTES;
    return m_keptBytes + frame > std::max(most, frame) ||
           (m_maxFrames > 0 && m_kept.size() >= m_maxFrames);
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
    if (m_replayed == m_kept.size())
    {
        m_state = State::ADVANCE;
    }
    return frame;
}

void
LinkRetry::TakeAck(uint64_t next)
{
    Free(next);
}

void
LinkRetry::TakeNack(uint64_t next)
{
    Free(next);
    if (!m_kept.empty() && m_state != State::INIT)
    {
        StartReplay();
    }
}

void
LinkRetry::Free(uint64_t next)
{
    if (m_kept.empty() || m_kept.front().number >= next || m_state == State::INIT)
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
        m_state = State::ADVANCE;
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
        ++m_counts.flushes;
        SendInit();
        m_device->NotifyRetryReady(); // new frames leave unprotected
        return;
    }
    ++m_counts.replays;
    m_replayed = 0;
    m_state = State::REPLAY;
    RestartTimer();
    m_device->NotifyRetryReady();
}

void
LinkRetry::NotifyTimeout()
{
    ++m_counts.timeouts;
    StartReplay();
}

void
LinkRetry::RestartTimer()
{
    m_timer.Cancel();
    if (!m_kept.empty())
    {
        m_timer = Simulator::Schedule(GetReplayTime(), &LinkRetry::NotifyTimeout, this);
    }
}

bool
LinkRetry::NoteArrival()
{
    const Label label = m_underWay.Pop();
    m_current = label.value_or(0);
    return label.has_value();
}

bool
LinkRetry::Accept(bool isCorrupt)
{
    const bool isNext = !isCorrupt && m_current == m_expected;
    if (isNext)
    {
        ++m_expected;
        m_isMissing = false;
        RequestState();
        return true;
    }
    ++m_counts.discarded;
    if ((isCorrupt || m_current > m_expected) && !m_isMissing)
    {
        m_isMissing = true;
        m_isNacked = false;
    }
    RequestState(); // of a duplicate the acknowledgement was lost
    return false;
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
        return; // nothing more is said until the missing frame comes
    }
    m_nextSet = Simulator::Now() + m_device->GetDataRate().CalculateBytesTxTime(m_spacing);
    ++(m_isMissing ? m_counts.nacksSent : m_counts.acksSent);
    m_isNacked = m_isMissing;
    SendSet(m_isMissing ? &LinkRetry::TakeNack : &LinkRetry::TakeAck, m_expected);
}

} // namespace ns3::lossless
