// SPDX-License-Identifier: GPL-2.0-only
#include "pfc-watchdog.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/lossless-net-device.h"
#include "ns3/make-type-id.h"
#include "ns3/named-choices.h"
#include "ns3/node-name.h"
#include "ns3/short-text.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/switch-node.h"

#include <algorithm>
#include <array>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessPfcWatchdog");

NS_OBJECT_ENSURE_REGISTERED(PfcWatchdog);

namespace
{

const RegisterDropReason g_egress({"watchdog-egress", DropPlace::EGRESS});
const RegisterDropReason g_ingress({"watchdog-ingress"});

/// A class must be paused for more than this fraction of an interval to be considered at a
/// standstill.
constexpr double STANDSTILL_SHARE = 0.99;

constexpr std::array<const char*, 3> ACTION_NAMES = {"drop", "forward", "alert"};
constexpr std::array<const char*, 2> CRITERION_NAMES = {"PauseStatus", "Standstill"};

} // namespace

const char*
ToString(WatchdogAction action)
{
    return ACTION_NAMES[static_cast<std::size_t>(action)];
}

std::optional<WatchdogAction>
FindWatchdogAction(const std::string& name)
{
    const auto value = FindIndex(ACTION_NAMES, name);
    return value ? std::make_optional(WatchdogAction{*value}) : std::nullopt;
}

bool
IsWatchdogLoss(DropReason reason)
{
    return reason == g_egress || reason == g_ingress;
}

TypeId
PfcWatchdog::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<PfcWatchdog, Object>("PfcWatchdog")
            .AddAttribute("Action",
                          "What is done to an egress queue in a storm: drop (frames that wait in "
                          "it, arrive for it, or enter its port in its class), forward (despite "
                          "the PAUSEs) or alert (nothing).",
                          StringValue("drop"),
                          MakeStringAccessor(&PfcWatchdog::SetAction, &PfcWatchdog::GetActionName),
                          MakeStringChecker())
            .AddAttribute(
                "Criterion",
                "Definition of a storm in an interval: PauseStatus (paused at both ends, and not "
                "resumed by a frame, as on Broadcom's chips) or Standstill (bytes wait, none has "
                "left, and paused for 99 % of it, as on NVIDIA's).",
                StringValue("PauseStatus"),
                MakeStringAccessor(&PfcWatchdog::SetCriterion, &PfcWatchdog::GetCriterionName),
                MakeStringChecker())
            .AddAttribute(
                "DetectionTime",
                "Duration of a storm before action is taken (default 400 ms: SONiC's test plan).",
                TimeValue(MilliSeconds(400)),
                MakeTimeAccessor(&PfcWatchdog::m_detectionTime),
                MakeTimeChecker(NanoSeconds(2)))
            .AddAttribute("RestorationTime",
                          "Time without a PAUSE, or since the first RESUME in a storm, before a "
                          "queue is restored (default 2 s: SONiC's test plan).",
                          TimeValue(Seconds(2)),
                          MakeTimeAccessor(&PfcWatchdog::m_restorationTime),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("PollInterval",
                          "Polling interval, at most the two other times; 0: 200 ms or, if "
                          "shorter, the shorter of these.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&PfcWatchdog::m_pollInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("RandomPhase",
                          "Whether each switch polls with a random phase; false: all switches poll "
                          "at multiples of the interval.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&PfcWatchdog::m_isPhaseRandom),
                          MakeBooleanChecker())
            .AddTraceSource("Storm",
                            "A storm has begun or ended, before anything is done about it.",
                            MakeTraceSourceAccessor(&PfcWatchdog::m_stormTrace),
                            "ns3::lossless::PfcWatchdog::StormTracedCallback");
    return tid;
}

PfcWatchdog::PfcWatchdog()
    : m_random(CreateObject<UniformRandomVariable>()),
      m_poll(Create<PollEvent>(this))
{
}

PfcWatchdog::~PfcWatchdog()
{
    m_poll->Detach();
}

void
PfcWatchdog::SetAction(std::string name)
{
    const auto action = FindWatchdogAction(name);
    NS_ABORT_MSG_IF(!action,
                    "PfcWatchdog: Action is \"" << name
                                                << "\"; it must be drop, forward or alert.");
    m_action = *action;
}

std::string
PfcWatchdog::GetActionName() const
{
    return ToString(m_action);
}

void
PfcWatchdog::SetCriterion(std::string name)
{
    const auto criterion = FindIndex(CRITERION_NAMES, name);
    NS_ABORT_MSG_IF(!criterion,
                    "PfcWatchdog: Criterion is \"" << name
                                                   << "\"; it must be PauseStatus or Standstill.");
    m_criterion = Criterion{*criterion};
}

std::string
PfcWatchdog::GetCriterionName() const
{
    return CRITERION_NAMES[static_cast<std::size_t>(m_criterion)];
}

int64_t
PfcWatchdog::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

void
PfcWatchdog::DoInitialize()
{
    Object::DoInitialize();
    if (m_node)
    {
        return; // a nested call by m_node->Initialize(), below; the outer call does the rest
    }
    const auto node = GetObject<SwitchNode>();
    NS_ABORT_MSG_IF(!node, "PfcWatchdog: it must be aggregated to a SwitchNode.");
    m_node = PeekPointer(node);
    m_node->Initialize(); // this creates the gates
    const Time longest = Min(m_detectionTime, m_restorationTime);
    m_interval = m_pollInterval.IsZero() ? Min(MilliSeconds(200), longest) : m_pollInterval;
    Check();
    for (uint16_t i = 0; i < m_node->GetShape().ports.size(); ++i)
    {
        WatchPort(PortId{i});
    }
    if (m_criterion == Criterion::STANDSTILL)
    {
        m_node->TraceConnectWithoutContext("Dequeue",
                                           MakeCallback(&PfcWatchdog::NotifyDequeue, this));
    }
}

void
PfcWatchdog::Check() const
{
    const std::string name = "switch " + GetNodeName(m_node->GetId()) + ": PfcWatchdog: ";
    NS_ABORT_MSG_IF(m_pollInterval > std::min(m_detectionTime, m_restorationTime),
                    name << "PollInterval (--watchdog-poll) is " << FormatTime(m_pollInterval)
                         << "; it must not be above DetectionTime (--watchdog-detect), "
                         << FormatTime(m_detectionTime)
                         << ", or RestorationTime (--watchdog-restore), "
                         << FormatTime(m_restorationTime) << ".");
    NS_ABORT_MSG_IF(m_node->GetShape().lossless == 0,
                    name << "the scheme has no class under flow control to watch.");
}

void
PfcWatchdog::WatchPort(PortId port)
{
    const auto gate = DynamicCast<PauseGate>(m_node->GetPortDevice(port)->GetGate());
    NS_ABORT_MSG_IF(!gate,
                    "switch " << GetNodeName(m_node->GetId())
                              << ": PfcWatchdog: its ports are not paused by PFC, which a watchdog "
                                 "of PFC needs; choose a scheme with PFC.");
    gate->TraceConnectWithoutContext("PfcReceived", MakeCallback(&PfcWatchdog::NotifyPfc, this));
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        if (Contains(m_node->GetShape().lossless, Priority{p}))
        {
            Queue& queue = m_queues.emplace_back();
            queue.id = {port, Priority{p}};
            queue.gate = gate;
            queue.left = m_detectionTime;
        }
    }
}

void
PfcWatchdog::DoDispose()
{
    m_poll->Detach();
    m_queues.clear();
    m_node = nullptr;
    Object::DoDispose();
}

Time
PfcWatchdog::GetLongestRefresh() const
{
    Time longest;
    for (const Queue& queue : m_queues)
    {
        longest = Max(longest, queue.gate->QuantaToTime(0xffff) / 2);
    }
    return longest;
}

void
PfcWatchdog::NotifyPfc(PrioritySet /* classes */)
{
    if (!m_node || m_poll->IsArmed())
    {
        return;
    }
    if (!m_phase)
    {
        m_phase = m_isPhaseRandom ? m_interval * m_random->GetValue() : Time(0);
    }
    // The counters have not changed since the time of the last regular poll.
    const Time now = Simulator::Now();
    const int64_t interval = m_interval.GetTimeStep();
    const int64_t past = (now - *m_phase).GetTimeStep() % interval;
    m_lastPoll = now - TimeStep(past < 0 ? past + interval : past);
    m_poll->Arm(m_node->GetId(), m_lastPoll + m_interval - now);
}

void
PfcWatchdog::NotifyDequeue(const SwitchItem& item)
{
    for (Queue& queue : m_queues)
    {
        if (queue.id == item.GetEgressQueue())
        {
            queue.sent = Simulator::Now();
        }
    }
}

void
PfcWatchdog::Poll()
{
    bool isBusy = false;
    for (Queue& queue : m_queues)
    {
        const Sample sample{queue.gate->GetCounts(queue.id.priority),
                            Contains(queue.gate->GetPaused(), queue.id.priority)};
        isBusy = Look(queue, sample) || isBusy;
        queue.last = sample;
    }
    m_lastPoll = Simulator::Now();
    if (isBusy)
    {
        m_poll->Arm(m_node->GetId(), m_interval);
    }
}

bool
PfcWatchdog::Look(Queue& queue, const Sample& sample)
{
    if (queue.isStormed && IsFreeing())
    {
        queue.hasResumed |= sample.pfc.resumes != queue.last.pfc.resumes;
        CountQuiet(queue, queue.hasResumed || !IsHeld(queue, sample));
    }
    else
    {
        CountHit(queue, IsHit(queue, sample));
    }
    return queue.isStormed || sample.isPaused || queue.left != m_detectionTime;
}

bool
PfcWatchdog::IsHeld(const Queue& queue, const Sample& sample)
{
    return sample.pfc.stops != queue.last.pfc.stops && sample.pfc.resumes == queue.last.pfc.resumes;
}

bool
PfcWatchdog::IsHit(const Queue& queue, const Sample& sample) const
{
    if (m_criterion == Criterion::PAUSE_STATUS)
    {
        return IsHeld(queue, sample) && queue.last.isPaused && sample.isPaused;
    }
    const PfcCounts& last = queue.last.pfc;
    const Time paused = sample.pfc.paused - last.paused;
    return sample.pfc.stops != last.stops &&
           m_node->GetSharedBuffer()->GetEgress(queue.id).bytes > 0 && queue.sent <= m_lastPoll &&
           paused.GetSeconds() > STANDSTILL_SHARE * m_interval.GetSeconds();
}

void
PfcWatchdog::CountHit(Queue& queue, bool isHit)
{
    // A single poll must not detect a storm (pfc_detect_broadcom.lua).
    const Time charge = m_criterion == Criterion::PAUSE_STATUS
                            ? Min(m_interval, m_detectionTime - TimeStep(1))
                            : m_interval;
    if (!isHit)
    {
        queue.left = m_detectionTime;
        if (queue.isStormed)
        {
            Turn(queue, false);
        }
    }
    else if (queue.left > charge)
    {
        queue.left -= charge;
    }
    else if (!queue.isStormed)
    {
        Turn(queue, true);
    }
}

void
PfcWatchdog::CountQuiet(Queue& queue, bool isQuiet)
{
    if (!isQuiet)
    {
        queue.left = m_restorationTime;
    }
    else if (queue.left > m_interval)
    {
        queue.left -= m_interval;
    }
    else
    {
        Turn(queue, false);
    }
}

void
PfcWatchdog::Turn(Queue& queue, bool isStorm)
{
    NS_LOG_DEBUG("switch " << m_node->GetId() << " port " << Index(queue.id.port) << " class "
                           << Index(queue.id.priority) << (isStorm ? ": storm" : ": restored"));
    queue.isStormed = isStorm;
    queue.hasResumed = false;
    queue.left = isStorm ? m_restorationTime : m_detectionTime;
    m_storms += isStorm ? 1 : 0;
    m_stormTrace({queue.id, m_action, isStorm});
    if (m_action == WatchdogAction::DROP)
    {
        const auto set = [&](DropPlace side, DropReason reason) {
            m_node->SetRefusing(side,
                                queue.id,
                                isStorm ? std::make_optional(reason) : std::nullopt);
        };
        set(DropPlace::EGRESS, g_egress);
        set(DropPlace::INGRESS, g_ingress);
        if (isStorm)
        {
            m_node->Discard(queue.id, g_egress);
        }
    }
    if (IsFreeing()) // done after the drop; an open gate would otherwise send the first frame
    {
        const PrioritySet own = SetOf(queue.id.priority);
        const PrioritySet others = queue.gate->GetIgnored() & ~own;
        queue.gate->SetIgnoring(isStorm ? others | own : others);
    }
}

} // namespace ns3::lossless
