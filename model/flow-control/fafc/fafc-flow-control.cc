// SPDX-License-Identifier: GPL-2.0-only
#include "fafc-flow-control.h"

#include "fafc-header.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/count-attribute.h"
#include "ns3/double.h"
#include "ns3/factory-attribute.h"
#include "ns3/fair-egress-queue.h"
#include "ns3/fixed-accessor.h"
#include "ns3/log.h"
#include "ns3/mac-control-header.h"
#include "ns3/make-type-id.h"
#include "ns3/scheme-registry.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessFafcFlowControl");

NS_OBJECT_ENSURE_REGISTERED(FafcFlowControl);
LOSSLESS_PLAIN_CLASS(FafcSwitchNode, SwitchNode);

const RegisterScheme<FafcSwitchNode> g_fafc("FAFC", 120, [](SchemeInfo& scheme) {
    scheme.what = "neighbours that fill an egress queue about to grow long are paused, for times "
                  "that delay other traffic least";
    scheme.policy = "SIH";
    scheme.takesOtherPolicies = true;
});

struct FafcFlowControl::ClassState
{
    struct Ingress
    {
        PausesInFlight pauses;        ///< the pauses of the neighbour; times are in units of the
                                      ///< link's T
        std::vector<uint32_t> untold; ///< the durations, in ns, of the pauses that have not been
                                      ///< sent yet
        Time slotEnd;                 ///< the end of the open slot
        EventId end;                  ///< the pending event at slotEnd
    };

    /// The effect of pauses on an egress queue.
    struct Change
    {
        double balance{0}; ///< pausOf, the number of additional bytes that arrive in the open slot
        double pending{0}; ///< the number of bytes that pauses will hold back in the next slot
    };

    struct Egress
    {
        Change change;         ///< the effect of the pauses of all ingress ports
        uint64_t ecnOffset{0}; ///< ECNof, the number of bytes that arrived while the next switch
                               ///< paused the port
        std::optional<Time> trigger; ///< the time at which a solution was last triggered
        EventId solution;            ///< the pending event that applies the solution
        /// For each ingress port, the time of the latest solution that paused any port with a link
        /// of at least the same delay.
        std::vector<std::optional<Time>> slowed;
    };

    ClassState(std::size_t ports, QueueEstimator queues)
        : estimator(std::move(queues)),
          ingress(ports),
          egress(ports, Egress{{}, 0, {}, {}, std::vector<std::optional<Time>>(ports)}),
          changes(ports, std::vector<Change>(ports))
    {
    }

    QueueEstimator estimator;                 ///< the estimator of queue lengths and rates
    std::vector<Ingress> ingress;             ///< the ingress queues, indexed by port
    std::vector<Egress> egress;               ///< the egress queues, indexed by port
    std::vector<std::vector<Change>> changes; ///< the effects of pauses, indexed by ingress port
                                              ///< and then by egress port
    std::size_t openSlots{0};                 ///< the number of ingress ports with an open slot
    EventId period;                           ///< the pending event at the end of the open period
    Time periodEnd;                           ///< the end of the latest period
    bool isTicking{false}; ///< whether a period is open, in which case the estimates can change
};

TypeId
FafcFlowControl::GetTypeId()
{
    static TypeId tid =
        MakeTypeId<FafcFlowControl, PfcFlowControl>("FafcFlowControl")
            .AddAttribute("HopDelay",
                          "T of every link: the period of the estimates and the longest pause of "
                          "one frame; 0: the delay of each link, and for the estimates that of the "
                          "shortest link of the switch (default: Sec. III-A).",
                          TimeValue(Time(0)),
                          Fixed(MakeTimeAccessor(&FafcFlowControl::m_hopDelay)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("PauseThreshold",
                          "Predicted length above which an egress queue has its contributors "
                          "paused, in bytes (default 350 kB: the paper, Sec. IV).",
                          UintegerValue(350000),
                          Fixed(MakeUintegerAccessor(&FafcFlowControl::m_pauseThreshold)),
                          MakeCountChecker(1))
            .AddAttribute("EcnThreshold",
                          "Predicted length above which departing frames are marked \"congestion "
                          "experienced\", in bytes (default 200 kB: the paper, Sec. IV; the switch "
                          "needs no Marker as well).",
                          UintegerValue(200000),
                          Fixed(MakeUintegerAccessor(&FafcFlowControl::m_ecnThreshold)),
                          MakeCountChecker(1))
            .AddAttribute("ReferenceRate",
                          "Port rate for which both thresholds are given; at other rates, they are "
                          "scaled in proportion. 0: they are never scaled (default: the paper "
                          "states no other value for its 100 Gb/s links).",
                          DataRateValue(DataRate(0)),
                          Fixed(MakeDataRateAccessor(&FafcFlowControl::m_referenceRate)),
                          MakeDataRateChecker())
            .AddAttribute("UncongestedBytes",
                          "Level th_c up to which an egress queue counts as uncongested, so that "
                          "pausing its traffic is a loss, in bytes; 0: what its port sends in T of "
                          "the paused link (default; not stated in the paper).",
                          UintegerValue(0),
                          Fixed(MakeUintegerAccessor(&FafcFlowControl::m_uncongestedBytes)),
                          MakeCountChecker(0))
            .AddAttribute("LevelWeight",
                          "Weight alpha of a new observation in the smoothed length of a queue, "
                          "above 0 (default 0.8: the paper).",
                          DoubleValue(0.8),
                          Fixed(MakeDoubleAccessor(&FafcFlowControl::m_levelWeight)),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("RateWeight",
                          "Weight beta of a new observation in the rates of a queue, above 0 "
                          "(default 0.8: the paper).",
                          DoubleValue(0.8),
                          Fixed(MakeDoubleAccessor(&FafcFlowControl::m_rateWeight)),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("TrendOfLevel",
                          "Whether the growth of a queue is that of its smoothed length (Eq. 3) "
                          "instead of its raw length (default: the paper, Algorithm 1).",
                          BooleanValue(false),
                          Fixed(MakeBooleanAccessor(&FafcFlowControl::m_trendOfLevel)),
                          MakeBooleanChecker())
            .AddAttribute("DecreaseFactor",
                          "Factor f_dec applied to arrival rates when an egress queue triggers "
                          "again soon, above 0 (default 0.5; not stated in the paper).",
                          DoubleValue(0.5),
                          Fixed(MakeDoubleAccessor(&FafcFlowControl::m_decrease)),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("DecreasePeriods",
                          "Meaning of \"soon\", in T of the link by which they arrive, after a "
                          "pause of a link at least as long (default 4: the paper).",
                          UintegerValue(4),
                          Fixed(MakeUintegerAccessor(&FafcFlowControl::m_decreasePeriods)),
                          MakeCountChecker(0))
            .AddAttribute(
                "Solver",
                "Solver of the linear program: " + ListPauseTimeSolvers() + ".",
                StringValue("Greedy"),
                Fixed(MakeStringAccessor(&FafcFlowControl::SetSolver, &FafcFlowControl::GetSolver)),
                MakeStringChecker())
            .AddAttribute(
                "ShareTies",
                "Whether ports whose pauses cost the same hold back traffic in proportion to their "
                "arrivals; false: ports with the most bytes in the egress queue go first.",
                BooleanValue(true),
                Fixed(MakeBooleanAccessor(&FafcFlowControl::m_shareTies)),
                MakeBooleanChecker())
            .AddAttribute("SlowDown",
                          "Whether each pause of length t multiplies the rates of flows of hosts "
                          "attached to the switch by 1 - t / T (the paper, Algorithm 3).",
                          BooleanValue(true),
                          Fixed(MakeBooleanAccessor(&FafcFlowControl::m_slowsDown)),
                          MakeBooleanChecker())
            .AddAttribute("SolveDelay",
                          "Time from a trigger to the pause frames, in which the same egress queue "
                          "triggers no other solution (default 0; 30.6 us for the control plane of "
                          "the paper's testbed, Sec. IV-B).",
                          TimeValue(Time(0)),
                          Fixed(MakeTimeAccessor(&FafcFlowControl::m_solveDelay)),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "SolveInterval",
                "Minimum time between two solutions for an egress queue, in periods of the "
                "estimates (default 0: with each departing frame, as in the paper's algorithm).",
                DoubleValue(0),
                Fixed(MakeDoubleAccessor(&FafcFlowControl::m_solveInterval)),
                MakeDoubleChecker<double>(0));
    return tid;
}

FafcFlowControl::FafcFlowControl() = default;

FafcFlowControl::~FafcFlowControl() = default;

void
FafcFlowControl::DoDispose()
{
    for (const auto& state : m_classes)
    {
        if (!state)
        {
            continue;
        }
        state->period.Cancel();
        for (std::size_t port = 0; port < state->ingress.size(); ++port)
        {
            state->ingress[port].end.Cancel();
            state->egress[port].solution.Cancel();
        }
    }
    m_classes.clear();
    m_gates.clear();
    PfcFlowControl::DoDispose();
}

void
FafcFlowControl::SetSolver(const std::string& solver)
{
    NS_ABORT_MSG_IF(!MakePauseTimeSolver(solver, TieRule::SHARED),
                    "FafcFlowControl::Solver is \"" << solver << "\"; it must be one of "
                                                    << ListPauseTimeSolvers() << ".");
    m_solverName = solver;
}

ObjectFactory
FafcFlowControl::GetUsualEgressQueue() const
{
    return MakeFactory<FairEgressQueue>(); // the paper shares ports fairly (Sec. IV)
}

Ptr<TransmitGate>
FafcFlowControl::CreateGate(PortId port, const LosslessNetDevice& /* device */)
{
    return GetGate(port);
}

Ptr<TransmitGate>
FafcFlowControl::CreateHostGate(const LosslessNetDevice& /* device */) const
{
    auto gate = CreateObject<FafcGate>();
    if (m_slowsDown)
    {
        gate->SlowFlowsDown(m_hopDelay);
    }
    return gate;
}

std::optional<std::string>
FafcFlowControl::Configure(const SwitchShape& shape)
{
    m_period = Time::Max();
    Time longest;
    for (uint16_t port = 0; port < shape.ports.size(); ++port)
    {
        m_period = std::min(m_period, GetHopDelay(PortId{port}));
        longest = std::max(longest, GetHopDelay(PortId{port}));
        m_gates.push_back(CreateObject<FafcGate>());
    }
    if (m_period.IsZero())
    {
        return "FafcFlowControl::HopDelay is 0, and so is the delay of the shortest link; FAFC "
               "estimates over the delay of a hop, which must be above 0";
    }
    if (longest > NanoSeconds(std::numeric_limits<uint32_t>::max()))
    {
        return "FafcFlowControl::HopDelay, or the delay of a link, is " +
               std::to_string(longest.GetSeconds()) +
               " s; it must be at most 4.29 s, the longest pause of a frame";
    }
    m_solver =
        MakePauseTimeSolver(m_solverName, m_shareTies ? TieRule::SHARED : TieRule::LONGEST_FIRST);
    m_classes.resize(NUM_PRIORITIES);
    return PfcFlowControl::Configure(shape);
}

FafcFlowControl::ClassState&
FafcFlowControl::StateOf(Priority priority)
{
    std::unique_ptr<ClassState>& state = m_classes[Index(priority)];
    if (!state)
    {
        std::vector<double> delays;
        for (uint16_t port = 0; port < Shape().ports.size(); ++port)
        {
            delays.push_back(GetHopDelay(PortId{port}).GetSeconds() / m_period.GetSeconds());
        }
        const auto trend =
            m_trendOfLevel ? QueueEstimator::Trend::LEVEL : QueueEstimator::Trend::LENGTH;
        QueueEstimator estimator(delays, m_levelWeight, m_rateWeight, trend);
        state = std::make_unique<ClassState>(Shape().ports.size(), std::move(estimator));
    }
    return *state;
}

PrioritySet
FafcFlowControl::GetOwnMarks() const
{
    return Shape().lossless;
}

Time
FafcFlowControl::GetHopDelay(PortId port) const
{
    return m_hopDelay.IsZero() ? Shape().ports[Index(port)].delay : m_hopDelay;
}

bool
FafcFlowControl::IsTold(double length, PortId port) const
{
    return (length * GetHopDelay(port)).GetNanoSeconds() > 0;
}

double
FafcFlowControl::GetRate(PortId port) const
{
    return static_cast<double>(Shape().ports[Index(port)].GetSendRate().GetBitRate());
}

double
FafcFlowControl::GetScale(PortId port) const
{
    const auto reference = static_cast<double>(m_referenceRate.GetBitRate());
    return reference == 0 ? 1 : GetRate(port) / reference;
}

double
FafcFlowControl::GetUncongestedBytes(PortId ingress, PortId egress) const
{
    return m_uncongestedBytes > 0 ? static_cast<double>(m_uncongestedBytes)
                                  : GetHopDelay(ingress).GetSeconds() * GetRate(egress) / 8;
}

void
FafcFlowControl::OnEnqueue(const SwitchItem& item)
{
    const Priority priority = item.frame.priority;
    if (Contains(Shape().lossless, priority))
    {
        ClassState& state = StateOf(priority);
        EndRest(priority);
        state.estimator.Enqueue(item.ingress, item.egress, item.bufferBytes);
        if (!Contains(m_gates[Index(item.egress)]->GetOpen(), priority))
        {
            state.egress[Index(item.egress)].ecnOffset += item.bufferBytes;
        }
    }
    PfcFlowControl::OnEnqueue(item);
}

void
FafcFlowControl::OnDequeue(SwitchItem& item)
{
    const QueueId queue = item.GetEgressQueue();
    if (Contains(Shape().lossless, queue.priority))
    {
        ClassState& state = StateOf(queue.priority);
        ClassState::Egress& egress = state.egress[Index(queue.port)];
        EndRest(queue.priority);
        state.estimator.Dequeue(item.ingress, item.egress, item.bufferBytes);
        const double length = Predict(queue);
        const double scale = GetScale(queue.port);
        if (length >
            scale * static_cast<double>(m_ecnThreshold) + static_cast<double>(egress.ecnOffset))
        {
            Services().Mark(item);
        }
        if (length > scale * static_cast<double>(m_pauseThreshold))
        {
            RelieveEgress(queue);
        }
        // Bytes that have left no longer count, so the offset cannot exceed the queue length.
        egress.ecnOffset = std::min(egress.ecnOffset, state.estimator.GetEgress(queue.port).bytes);
    }
    PfcFlowControl::OnDequeue(item);
}

void
FafcFlowControl::OnDiscard(const SwitchItem& item)
{
    if (Contains(Shape().lossless, item.frame.priority))
    {
        EndRest(item.frame.priority);
        StateOf(item.frame.priority).estimator.Dequeue(item.ingress, item.egress, item.bufferBytes);
    }
    PfcFlowControl::OnDiscard(item);
}

void
FafcFlowControl::OnLinkUp(PortId port)
{
    for (uint8_t p = 0; p < m_classes.size(); ++p)
    {
        if (m_classes[p])
        {
            ForgetPauses({port, Priority{p}});
        }
    }
    PfcFlowControl::OnLinkUp(port);
}

void
FafcFlowControl::ForgetPauses(QueueId queue)
{
    ClassState& state = StateOf(queue.priority);
    ClassState::Ingress& side = state.ingress[Index(queue.port)];
    side.untold.clear();
    side.pauses = {};
    if (!side.end.IsExpired())
    {
        side.end.Cancel();
        DivideBalance(queue);
        CloseSlot(state);
    }
}

double
FafcFlowControl::Predict(QueueId queue) const
{
    const auto& state = m_classes[Index(queue.priority)];
    if (!state)
    {
        return 0;
    }
    const QueueEstimator::Estimate& estimate = state->estimator.GetEgress(queue.port);
    return estimate.level + 2 * estimate.growth + state->egress[Index(queue.port)].change.balance;
}

void
FafcFlowControl::EndPeriod(Priority priority)
{
    ClassState& state = StateOf(priority);
    state.periodEnd = Simulator::Now();
    state.isTicking = state.estimator.Update();
    if (state.isTicking)
    {
        state.period = Simulator::Schedule(m_period, &FafcFlowControl::EndPeriod, this, priority);
    }
}

void
FafcFlowControl::EndRest(Priority priority)
{
    ClassState& state = StateOf(priority);
    if (state.isTicking)
    {
        return;
    }
    state.isTicking = true;
    Time left = m_period;
    const Time rest = Simulator::Now() - state.periodEnd;
    if (!state.estimator.IsEmpty() && !rest.IsZero())
    {
        // A suspension does not shift the times at which periods end. If a period ends at the
        // current time, its end is handled after the current event.
        const Time over = TimeStep(rest.GetTimeStep() % m_period.GetTimeStep());
        left = over.IsZero() ? Time(0) : m_period - over;
    }
    state.period = Simulator::Schedule(left, &FafcFlowControl::EndPeriod, this, priority);
}

void
FafcFlowControl::RelieveEgress(QueueId queue)
{
    if (!MaySolve(queue) || !PoseProblem(queue))
    {
        return;
    }
    m_solver->Solve(m_problem, m_times);
    std::vector<Pause> pauses;
    for (uint16_t port = 0; port < m_times.size(); ++port)
    {
        const double length = m_times[port] * m_rooms[port];
        if (IsTold(length, PortId{port}))
        {
            NS_LOG_DEBUG("egress port "
                         << Index(queue.port) << " class " << Index(queue.priority)
                         << " pauses port " << port << " for "
                         << (length * GetHopDelay(PortId{port})).As(Time::NS) << ": predicted "
                         << Predict(queue) << " B, PauseThreshold "
                         << GetScale(queue.port) * static_cast<double>(m_pauseThreshold) << " B");
            pauses.push_back({PortId{port}, length});
        }
    }
    if (pauses.empty())
    {
        return; // the excess is smaller than the effect of the shortest pause
    }
    ++m_solutions;
    ClassState::Egress& egress = StateOf(queue.priority).egress[Index(queue.port)];
    egress.trigger = Simulator::Now();
    NoteSlowed(queue, pauses);
    if (m_solveDelay.IsZero())
    {
        Apply(queue, pauses);
    }
    else
    {
        egress.solution =
            Simulator::Schedule(m_solveDelay, &FafcFlowControl::Apply, this, queue, pauses);
    }
}

void
FafcFlowControl::NoteSlowed(QueueId queue, const std::vector<Pause>& pauses)
{
    Time longest;
    for (const Pause& pause : pauses)
    {
        longest = std::max(longest, GetHopDelay(pause.ingress));
    }
    auto& slowed = StateOf(queue.priority).egress[Index(queue.port)].slowed;
    for (uint16_t i = 0; i < slowed.size(); ++i)
    {
        if (GetHopDelay(PortId{i}) <= longest)
        {
            slowed[i] = Simulator::Now();
        }
    }
}

bool
FafcFlowControl::MaySolve(QueueId queue) const
{
    const ClassState& state = *m_classes[Index(queue.priority)];
    const ClassState::Egress& egress = state.egress[Index(queue.port)];
    const Time rest = Seconds(m_solveInterval * m_period.GetSeconds());
    return state.estimator.GetEgress(queue.port).growth > 0 && egress.solution.IsExpired() &&
           (!egress.trigger || Simulator::Now() - *egress.trigger >= rest);
}

bool
FafcFlowControl::PoseProblem(QueueId queue)
{
    const ClassState& state = StateOf(queue.priority);
    const ClassState::Egress& egress = state.egress[Index(queue.port)];
    // Bytes that pauses will hold back after the open slot also count (Sec. III-D). Otherwise, a
    // port that is paused for a whole slot would be paused repeatedly.
    m_problem.need = state.estimator.GetEgress(queue.port).growth + egress.change.balance -
                     egress.change.pending;
    m_problem.longest = 1; // times are in units of the longest possible pause of each port
    if (m_problem.need <= 0)
    {
        return false;
    }
    const std::size_t ports = Shape().ports.size();
    m_problem.relief.resize(ports);
    m_problem.length.resize(ports);
    m_rooms.resize(ports);
    for (uint16_t i = 0; i < ports; ++i)
    {
        const QueueId ingress{PortId{i}, queue.priority};
        const Time soon = static_cast<int64_t>(m_decreasePeriods) * GetHopDelay(ingress.port);
        const std::optional<Time>& slowed = egress.slowed[i];
        const bool isAgain = slowed && Simulator::Now() - *slowed <= soon;
        const QueueEstimator::Estimate& estimate = state.estimator.Get(PortId{i}, queue.port);
        const double room = state.ingress[i].pauses.GetRoom(GetSlotLeft(ingress));
        m_rooms[i] = IsTold(room, ingress.port) ? room : 0;
        m_problem.relief[i] = (isAgain ? m_decrease : 1) * estimate.arrivals * m_rooms[i];
        m_problem.length[i] = static_cast<double>(estimate.bytes);
    }
    PoseLosses(queue);
    return std::any_of(m_problem.relief.begin(), m_problem.relief.end(), [](double relief) {
        return relief > 0;
    });
}

void
FafcFlowControl::PoseLosses(QueueId queue)
{
    const QueueEstimator& estimator = StateOf(queue.priority).estimator;
    const std::size_t ports = Shape().ports.size();
    m_problem.loss.assign(ports, 0);
    for (uint16_t k = 0; k < ports; ++k)
    {
        const PortId egress{k};
        const QueueEstimator::Estimate& sum = estimator.GetEgress(egress);
        if (egress == queue.port || sum.arrivals == 0)
        {
            continue;
        }
        for (uint16_t i = 0; i < ports; ++i)
        {
            if (sum.level > GetUncongestedBytes(PortId{i}, egress))
            {
                continue; // the queue does not run empty during the longest pause
            }
            // The rate at which the arrivals leave is r^o = r^i - r, the arrival rate minus the
            // growth rate.
            const QueueEstimator::Estimate& pair = estimator.Get(PortId{i}, egress);
            m_problem.loss[i] += m_rooms[i] * std::max(0.0, pair.arrivals - pair.growth);
        }
    }
}

void
FafcFlowControl::Apply(QueueId queue, const std::vector<Pause>& pauses)
{
    ClassState& state = StateOf(queue.priority);
    for (const Pause& pause : pauses)
    {
        const QueueId ingress{pause.ingress, queue.priority};
        ClassState::Ingress& side = state.ingress[Index(pause.ingress)];
        const double arrivals = state.estimator.GetIngress(pause.ingress).arrivals;
        const double left = GetSlotLeft(ingress);
        // Another egress queue may have paused the port while the solver was running.
        const double share = std::min(pause.length, side.pauses.GetRoom(left));
        const Time hopDelay = GetHopDelay(pause.ingress);
        const Time length = share * hopDelay;
        if (length < NanoSeconds(1) || arrivals <= 0 || !Services().IsLinkUp(pause.ingress))
        {
            continue; // the pause is too short, no frames arrive, or the neighbour cannot be
                      // reached
        }
        side.untold.push_back(static_cast<uint32_t>(length.GetNanoSeconds()));
        PauseFor(ingress, NanoSeconds(length.GetNanoSeconds()));
        if (side.pauses.Add(arrivals, length.GetSeconds() / hopDelay.GetSeconds(), left))
        {
            ++state.openSlots;
            AwaitSlotEnd(ingress);
        }
        DivideBalance(ingress);
    }
}

void
FafcFlowControl::AwaitSlotEnd(QueueId queue)
{
    ClassState::Ingress& side = StateOf(queue.priority).ingress[Index(queue.port)];
    const Time slot = GetHopDelay(queue.port);
    side.slotEnd = Simulator::Now() + slot;
    side.end = Simulator::Schedule(slot, &FafcFlowControl::EndSlot, this, queue);
}

double
FafcFlowControl::GetSlotLeft(QueueId queue) const
{
    const Time left =
        m_classes[Index(queue.priority)]->ingress[Index(queue.port)].slotEnd - Simulator::Now();
    return std::max(left, Time(0)).GetSeconds() / GetHopDelay(queue.port).GetSeconds();
}

void
FafcFlowControl::EndSlot(QueueId queue)
{
    ClassState& state = StateOf(queue.priority);
    const bool goesOn = state.ingress[Index(queue.port)].pauses.EndSlot();
    DivideBalance(queue);
    if (goesOn)
    {
        AwaitSlotEnd(queue);
    }
    else
    {
        CloseSlot(state);
    }
}

void
FafcFlowControl::CloseSlot(ClassState& state)
{
    if (--state.openSlots == 0)
    {
        for (ClassState::Egress& egress : state.egress)
        {
            egress.change = {}; // eliminates rounding errors
        }
    }
}

void
FafcFlowControl::DivideBalance(QueueId queue)
{
    ClassState& state = StateOf(queue.priority);
    const PausesInFlight& pauses = state.ingress[Index(queue.port)].pauses;
    std::vector<ClassState::Change>& changes = state.changes[Index(queue.port)];
    // The level can be negative, because the trend of a queue that has just become empty is
    // negative.
    const auto getLevel = [&](uint16_t egress) {
        return std::max(0.0, state.estimator.Get(queue.port, PortId{egress}).level);
    };
    double all = 0;
    for (uint16_t e = 0; e < changes.size(); ++e)
    {
        all += getLevel(e);
    }
    for (uint16_t e = 0; e < changes.size(); ++e)
    {
        const double share = all > 0 ? getLevel(e) / all : 0;
        const ClassState::Change change{share * pauses.GetBalance(), share * pauses.GetPending()};
        state.egress[e].change.balance += change.balance - changes[e].balance;
        state.egress[e].change.pending += change.pending - changes[e].pending;
        changes[e] = change;
    }
}

Ptr<Packet>
FafcFlowControl::DoMakeControl(PortId port)
{
    if (Ptr<Packet> pfc = PfcFlowControl::DoMakeControl(port))
    {
        return pfc;
    }
    // Each frame contains at most one pause per class. A host slows down at each pause (Algorithm
    // 3), and the product of these slowdowns differs from a single slowdown for the sum of the
    // pauses.
    FafcHeader body;
    for (uint8_t p = 0; p < m_classes.size(); ++p)
    {
        if (m_classes[p] && !m_classes[p]->ingress[Index(port)].untold.empty())
        {
            std::vector<uint32_t>& untold = m_classes[p]->ingress[Index(port)].untold;
            body.times[p] = untold.front();
            body.classes |= SetOf(Priority{p});
            untold.erase(untold.begin());
        }
    }
    return body.classes == 0 ? nullptr : MakeMacControlFrame(Services().GetAddress(port), body);
}

} // namespace ns3::lossless
