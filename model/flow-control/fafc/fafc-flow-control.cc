// SPDX-License-Identifier: GPL-2.0-only
#include "fafc-flow-control.h"

#include "fafc-header.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/count-attribute.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/mac-control-header.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace ns3::lossless
{

NS_LOG_COMPONENT_DEFINE("LosslessFafcFlowControl");

NS_OBJECT_ENSURE_REGISTERED(FafcFlowControl);

/// What is known of a class.
struct FafcFlowControl::ClassState
{
    /// Of an ingress queue.
    struct Ingress
    {
        PausesInFlight pauses; ///< of its neighbour
        Time slotEnd;          ///< of the slot that is open
        EventId end;           ///< the same
    };

    /// Of an egress queue.
    struct Egress
    {
        double balance{0};           ///< pausOf: bytes by which pauses change what comes, this slot
        uint64_t ecnOffset{0};       ///< ECNof: bytes that came while the next switch paused it
        std::optional<Time> trigger; ///< latest solution
        EventId solution;            ///< found, and to be carried out
    };

    /// @param ports number of ports @param levelWeight alpha @param rateWeight beta
    ClassState(std::size_t ports, double levelWeight, double rateWeight)
        : estimator(ports, levelWeight, rateWeight),
          ingress(ports),
          egress(ports),
          balance(ports, std::vector<double>(ports))
    {
    }

    QueueEstimator estimator;                 ///< lengths and rates
    std::vector<Ingress> ingress;             ///< by port
    std::vector<Egress> egress;               ///< by port
    std::vector<std::vector<double>> balance; ///< pausOf, by ingress port and egress port
    std::size_t openSlots{0};                 ///< ingress ports whose pauses have one
    EventId period;                           ///< its end
};

TypeId
FafcFlowControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lossless::FafcFlowControl")
            .SetParent<PfcFlowControl>()
            .SetGroupName("Lossless")
            .AddConstructor<FafcFlowControl>()
            .AddAttribute("HopDelay",
                          "Period T of the estimates, and longest pause of one frame: the delay of "
                          "a link, which the paper takes as equal for all; 0: of the shortest link "
                          "of the switch (Sec. III-A).",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&FafcFlowControl::m_hopAttribute),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("PauseThreshold",
                          "Predicted length above which an egress queue has its contributors "
                          "paused, in bytes (default 350 kB: the paper, Sec. IV).",
                          UintegerValue(350000),
                          MakeUintegerAccessor(&FafcFlowControl::m_pauseThreshold),
                          MakeCountChecker(1))
            .AddAttribute("EcnThreshold",
                          "Predicted length above which frames that leave are marked \"congestion "
                          "experienced\", in bytes (default 200 kB: the paper, Sec. IV; the switch "
                          "needs no Marker besides).",
                          UintegerValue(200000),
                          MakeUintegerAccessor(&FafcFlowControl::m_ecnThreshold),
                          MakeCountChecker(1))
            .AddAttribute("ReferenceRate",
                          "Rate of a port for which both thresholds are meant, a port of another "
                          "one has them in proportion; 0: any port has them as they are (default: "
                          "the paper tells no other value for its 100 Gb/s links).",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&FafcFlowControl::m_referenceRate),
                          MakeDataRateChecker())
            .AddAttribute("UncongestedBytes",
                          "Level th_c up to which an egress queue counts as uncongested, so that "
                          "a pause of its traffic is a loss, in bytes; 0: what its port sends in T "
                          "(default; not told).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&FafcFlowControl::m_uncongestedBytes),
                          MakeCountChecker(0))
            .AddAttribute("LevelWeight",
                          "Weight alpha of a new observation in the length of a queue, above 0 "
                          "(default 0.8: the paper).",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&FafcFlowControl::m_levelWeight),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("RateWeight",
                          "Weight beta of a new observation in its rates, above 0 (default 0.8: "
                          "the paper).",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&FafcFlowControl::m_rateWeight),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("DecreaseFactor",
                          "Factor f_dec of arrival rates when an egress queue triggers again soon, "
                          "above 0 (default 0.5; not told).",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&FafcFlowControl::m_decrease),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("DecreasePeriods",
                          "What \"soon\" is, in periods T (default 4: the paper).",
                          UintegerValue(4),
                          MakeUintegerAccessor(&FafcFlowControl::m_decreasePeriods),
                          MakeCountChecker(0))
            .AddAttribute(
                "Solver",
                "Solver of the linear program: " + ListPauseTimeSolvers() + ".",
                StringValue("Greedy"),
                MakeStringAccessor(&FafcFlowControl::SetSolver, &FafcFlowControl::GetSolver),
                MakeStringChecker())
            .AddAttribute("ShareTies",
                          "Ports whose pause costs the same share what is to be held back in "
                          "proportion to what they bring; else, those that have most bytes in the "
                          "egress queue go first.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&FafcFlowControl::m_shareTies),
                          MakeBooleanChecker())
            .AddAttribute("SlowDown",
                          "Whether flows of hosts behind the switch keep only 1 - t / T of their "
                          "rates with each pause of t (the paper, Algorithm 3).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&FafcFlowControl::m_slowsDown),
                          MakeBooleanChecker())
            .AddAttribute("SolveDelay",
                          "Time from a trigger to the frames, in which the same egress queue "
                          "triggers no other solution (default 0; 30.6 us for the control plane of "
                          "the paper's testbed, Sec. IV-B).",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&FafcFlowControl::m_solveDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("SolveInterval",
                          "Least time between two solutions of an egress queue, in periods T "
                          "(default 0: with each frame that leaves, as the paper's algorithm).",
                          DoubleValue(0),
                          MakeDoubleAccessor(&FafcFlowControl::m_solveInterval),
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

std::string
FafcFlowControl::GetSolver() const
{
    return m_solverName;
}

Ptr<FafcGate>
FafcFlowControl::GetGate(PortId port)
{
    m_gates.resize(std::max(m_gates.size(), Index(port) + std::size_t{1}));
    Ptr<FafcGate>& gate = m_gates[Index(port)];
    if (!gate)
    {
        gate = CreateObject<FafcGate>();
    }
    return gate;
}

Time
FafcFlowControl::GetHopDelay() const
{
    return m_hopDelay;
}

Ptr<FafcGate>
FafcFlowControl::MakeHostGate() const
{
    auto gate = CreateObject<FafcGate>();
    gate->SetHopDelay(m_slowsDown ? m_hopDelay : Time(0));
    return gate;
}

uint64_t
FafcFlowControl::CountSolutions() const
{
    return m_solutions;
}

std::optional<std::string>
FafcFlowControl::Configure(const SwitchShape& shape)
{
    m_hopDelay = m_hopAttribute;
    if (m_hopDelay.IsZero() && !shape.ports.empty())
    {
        m_hopDelay =
            std::min_element(shape.ports.begin(),
                             shape.ports.end(),
                             [](const PortLink& a, const PortLink& b) { return a.delay < b.delay; })
                ->delay;
    }
    if (m_hopDelay.IsZero())
    {
        return "FafcFlowControl::HopDelay is 0, and so is the delay of the shortest link; FAFC "
               "estimates over the delay of a hop, which must be above 0";
    }
    m_solver =
        MakePauseTimeSolver(m_solverName, m_shareTies ? TieRule::SHARED : TieRule::LONGEST_FIRST);
    for (uint16_t port = 0; port < shape.ports.size(); ++port)
    {
        GetGate(PortId{port});
    }
    m_classes.resize(NUM_PRIORITIES);
    m_untold.resize(shape.ports.size() * NUM_PRIORITIES);
    return PfcFlowControl::Configure(shape);
}

FafcFlowControl::ClassState&
FafcFlowControl::StateOf(Priority priority)
{
    std::unique_ptr<ClassState>& state = m_classes[Index(priority)];
    if (!state)
    {
        state = std::make_unique<ClassState>(Shape().ports.size(), m_levelWeight, m_rateWeight);
    }
    return *state;
}

double
FafcFlowControl::GetRate(PortId port) const
{
    const PortLink& link = Shape().ports[Index(port)];
    return static_cast<double>(link.sendRate.value_or(link.rate).GetBitRate());
}

double
FafcFlowControl::GetScale(PortId port) const
{
    const auto reference = static_cast<double>(m_referenceRate.GetBitRate());
    return reference == 0 ? 1 : GetRate(port) / reference;
}

double
FafcFlowControl::GetUncongestedBytes(PortId port) const
{
    return m_uncongestedBytes > 0 ? static_cast<double>(m_uncongestedBytes)
                                  : m_hopDelay.GetSeconds() * GetRate(port) / 8;
}

void
FafcFlowControl::OnEnqueue(const SwitchItem& item)
{
    const Priority priority = item.frame.priority;
    if (Contains(Shape().lossless, priority))
    {
        ClassState& state = StateOf(priority);
        if (!state.period.IsRunning())
        {
            state.period =
                Simulator::Schedule(m_hopDelay, &FafcFlowControl::EndPeriod, this, priority);
        }
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
        // Whatever was queued during a pause has left when the queue has been as short once.
        egress.ecnOffset = std::min(egress.ecnOffset, state.estimator.GetEgress(queue.port).bytes);
    }
    PfcFlowControl::OnDequeue(item);
}

void
FafcFlowControl::OnDiscard(const SwitchItem& item)
{
    if (Contains(Shape().lossless, item.frame.priority))
    {
        StateOf(item.frame.priority).estimator.Dequeue(item.ingress, item.egress, item.bufferBytes);
    }
    PfcFlowControl::OnDiscard(item);
}

void
FafcFlowControl::OnLinkUp(PortId port)
{
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        m_untold[Index(QueueId{port, Priority{p}})] = 0;
    }
    PfcFlowControl::OnLinkUp(port);
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
    return estimate.level + 2 * estimate.growth + state->egress[Index(queue.port)].balance;
}

void
FafcFlowControl::EndPeriod(Priority priority)
{
    ClassState& state = StateOf(priority);
    if (state.estimator.Update())
    {
        state.period = Simulator::Schedule(m_hopDelay, &FafcFlowControl::EndPeriod, this, priority);
    }
}

void
FafcFlowControl::RelieveEgress(QueueId queue)
{
    if (!MaySolve(queue) || !PoseProblem(queue))
    {
        return;
    }
    m_solver->Solve(m_problem, m_times);
    ++m_solutions;
    ClassState::Egress& egress = StateOf(queue.priority).egress[Index(queue.port)];
    egress.trigger = Simulator::Now();
    std::vector<Pause> pauses;
    for (uint16_t port = 0; port < m_times.size(); ++port)
    {
        if (m_times[port] > 0)
        {
            pauses.push_back({PortId{port}, m_times[port]});
        }
    }
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

bool
FafcFlowControl::MaySolve(QueueId queue) const
{
    const ClassState& state = *m_classes[Index(queue.priority)];
    const ClassState::Egress& egress = state.egress[Index(queue.port)];
    const Time rest = Seconds(m_solveInterval * m_hopDelay.GetSeconds());
    return state.estimator.GetEgress(queue.port).growth > 0 && !egress.solution.IsRunning() &&
           (!egress.trigger || Simulator::Now() - *egress.trigger >= rest);
}

bool
FafcFlowControl::PoseProblem(QueueId queue)
{
    const ClassState& state = StateOf(queue.priority);
    const ClassState::Egress& egress = state.egress[Index(queue.port)];
    m_problem.need = state.estimator.GetEgress(queue.port).growth + egress.balance;
    m_problem.longest = 1; // times in periods, rates in bytes a period
    if (m_problem.need <= 0)
    {
        return false;
    }
    const bool isAgain = egress.trigger && Simulator::Now() - *egress.trigger <=
                                               static_cast<int64_t>(m_decreasePeriods) * m_hopDelay;
    const double factor = isAgain ? m_decrease : 1;
    const std::size_t ports = Shape().ports.size();
    m_problem.relief.resize(ports);
    m_problem.length.resize(ports);
    for (uint16_t i = 0; i < ports; ++i)
    {
        const QueueEstimator::Estimate& estimate = state.estimator.Get(PortId{i}, queue.port);
        m_problem.relief[i] = factor * estimate.arrivals;
        m_problem.length[i] = static_cast<double>(estimate.bytes);
    }
    PoseLosses(queue);
    return true;
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
        const bool isUncongested = sum.level <= GetUncongestedBytes(egress);
        if (egress == queue.port || !isUncongested || sum.arrivals == 0)
        {
            continue;
        }
        for (uint16_t i = 0; i < ports; ++i)
        {
            // r^o = r^i - r: what is sent on of what comes in
            const QueueEstimator::Estimate& pair = estimator.Get(PortId{i}, egress);
            m_problem.loss[i] += std::max(0.0, pair.arrivals - pair.growth);
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
        const double arrivals = state.estimator.GetIngress(pause.ingress).arrivals;
        const Time length = pause.length * m_hopDelay;
        if (length < NanoSeconds(1) || arrivals <= 0 || !Services().IsLinkUp(pause.ingress))
        {
            continue; // nothing comes any more, or there is nobody to tell
        }
        m_untold[Index(ingress)] += length.GetNanoSeconds();
        PauseFor(ingress, NanoSeconds(length.GetNanoSeconds()));
        ClassState::Ingress& side = state.ingress[Index(pause.ingress)];
        const Time left = std::max(Time(0), side.slotEnd - Simulator::Now());
        if (side.pauses.Add(arrivals, pause.length, left.GetSeconds() / m_hopDelay.GetSeconds()))
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
    side.slotEnd = Simulator::Now() + m_hopDelay;
    side.end = Simulator::Schedule(m_hopDelay, &FafcFlowControl::EndSlot, this, queue);
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
    else if (--state.openSlots == 0)
    {
        for (ClassState::Egress& egress : state.egress)
        {
            egress.balance = 0; // to the last bit, which sums and differences may have left
        }
    }
}

void
FafcFlowControl::DivideBalance(QueueId queue)
{
    ClassState& state = StateOf(queue.priority);
    const double balance = state.ingress[Index(queue.port)].pauses.GetBalance();
    std::vector<double>& shares = state.balance[Index(queue.port)];
    // The trend of a queue that has just run empty leads below zero.
    const auto getLevel = [&](uint16_t egress) {
        return std::max(0.0, state.estimator.Get(queue.port, PortId{egress}).level);
    };
    double all = 0;
    for (uint16_t e = 0; e < shares.size(); ++e)
    {
        all += getLevel(e);
    }
    for (uint16_t e = 0; e < shares.size(); ++e)
    {
        const double share = all > 0 ? balance * getLevel(e) / all : 0;
        state.egress[e].balance += share - shares[e];
        shares[e] = share;
    }
}

Ptr<Packet>
FafcFlowControl::DoMakeControl(PortId port)
{
    if (Ptr<Packet> pfc = PfcFlowControl::DoMakeControl(port))
    {
        return pfc;
    }
    FafcHeader body;
    for (uint8_t p = 0; p < NUM_PRIORITIES; ++p)
    {
        uint64_t& untold = m_untold[Index(QueueId{port, Priority{p}})];
        const uint64_t told = std::min<uint64_t>(untold, std::numeric_limits<uint32_t>::max());
        body.times[p] = static_cast<uint32_t>(told);
        body.classes |= told > 0 ? SetOf(Priority{p}) : 0;
        untold -= told;
    }
    return body.classes == 0 ? nullptr : MakeMacControlFrame(Services().GetAddress(port), body);
}

} // namespace ns3::lossless
