// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FAFC_FLOW_CONTROL_H
#define LOSSLESS_FAFC_FLOW_CONTROL_H

#include "fafc-gate.h"
#include "pause-time-solver.h"
#include "pauses-in-flight.h"
#include "queue-estimator.h"

#include "ns3/pfc-flow-control.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * FAFC: an egress queue that is about to become too long pauses its contributors, each for its own
 * time, at the least loss for others (FAFC, Sec. II and III).
 *
 * The lengths and rates of the queues between each pair of ports are estimated once a period, the
 * delay of the shortest link (QueueEstimator); rates are taken over T, the delay of the ingress
 * link. Whenever a frame starts to leave, the length of its egress queue in 2 T is predicted,
 * including the bytes that pauses in flight hold back or release (PausesInFlight). Above
 * "EcnThreshold" the frame is marked; above "PauseThreshold" a linear program (PauseTimeSolver)
 * finds how long to pause each ingress port, at most T. The neighbour adds the times up and resumes
 * by itself. Plain PFC at the ingress is the only safety net: no trigger bounds a queue.
 *
 * The timer runs from the first stored frame until nothing is left to estimate. It rests while
 * nothing arrives or leaves and the estimates are constant, as in a deadlock; afterwards periods
 * end when they would have ended without the rest.
 */
class FafcFlowControl : public PfcFlowControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    FafcFlowControl();
    ~FafcFlowControl() override;

    /// Returns the gate of a port; valid after Configure().
    Ptr<FafcGate> GetGate(PortId port) const;

    /// Returns the period of the estimates; valid after Configure().
    Time GetPeriod() const
    {
        return m_period;
    }

    /// Predicts the length of an egress queue in 2 T, bytes.
    double Predict(QueueId queue) const;

    /// Counts the solutions of the linear program.
    uint64_t CountSolutions() const
    {
        return m_solutions;
    }

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    Ptr<TransmitGate> CreateGate(PortId port, const LosslessNetDevice& device) override;
    Ptr<TransmitGate> CreateHostGate(const LosslessNetDevice& device) const override;
    ObjectFactory GetUsualEgressQueue() const override;
    PrioritySet GetOwnMarks() const override;
    void OnEnqueue(const SwitchItem& item) override;
    void OnDequeue(SwitchItem& item) override;
    void OnDiscard(const SwitchItem& item) override;
    void OnLinkUp(PortId port) override;

  protected:
    void DoDispose() override;
    Ptr<Packet> DoMakeControl(PortId port) override;

  private:
    struct ClassState;

    /// A pause that has been decided.
    struct Pause
    {
        PortId ingress;   ///< port whose neighbour must pause
        double length{0}; ///< in T of its link
    };

    /// Sets the solver by name; an unknown name is a fatal error.
    void SetSolver(const std::string& solver);

    std::string GetSolver() const
    {
        return m_solverName;
    }

    /// Returns the state of a class; creates it if necessary.
    ClassState& StateOf(Priority priority);
    Time GetHopDelay(PortId port) const;
    /// Whether a pause is at least a nanosecond, the resolution of a frame.
    /// @param length in T of the port
    bool IsTold(double length, PortId port) const;
    /// Sending rate of a port, bit/s.
    double GetRate(PortId port) const;
    /// Sending rate of a port as a share of "ReferenceRate".
    double GetScale(PortId port) const;
    /// Bytes up to which an egress port is uncongested for an ingress port that may pause.
    double GetUncongestedBytes(PortId ingress, PortId egress) const;

    void EndPeriod(Priority priority);
    /// A frame is about to arrive or leave: opens a period.
    void EndRest(Priority priority);
    void EndSlot(QueueId queue);
    /// Closes the slot of an ingress queue that no other slot follows.
    static void CloseSlot(ClassState& state);
    /// Forgets the pauses of an ingress queue, whose neighbour has forgotten them.
    void ForgetPauses(QueueId queue);
    void AwaitSlotEnd(QueueId queue);
    /// Remaining time of an ingress queue's open slot, in T of its link; 0: none open.
    double GetSlotLeft(QueueId queue) const;
    /// Divides what pauses hold back or release at an ingress queue over the egress queues.
    void DivideBalance(QueueId queue);

    /// Pauses the contributors of an egress queue that is about to become too long.
    void RelieveEgress(QueueId queue);
    /// Notes which ports will soon bring less to an egress queue.
    void NoteSlowed(QueueId queue, const std::vector<Pause>& pauses);
    /// Whether a solution for an egress queue is due and needed.
    bool MaySolve(QueueId queue) const;
    /// Writes the linear program of an egress queue into m_problem.
    /// @return whether something must and can be held back
    bool PoseProblem(QueueId queue);
    /// Writes the rates to uncongested ports into the program.
    void PoseLosses(QueueId queue);
    /// Carries out a solution for an egress queue.
    void Apply(QueueId queue, const std::vector<Pause>& pauses);

    double m_levelWeight{0};        ///< alpha
    double m_rateWeight{0};         ///< beta
    Time m_hopDelay;                ///< T of every link; 0: each link's delay
    Time m_period;                  ///< of the estimates
    bool m_trendOfLevel{false};     ///< "TrendOfLevel"
    uint64_t m_pauseThreshold{0};   ///< th_p, bytes at "ReferenceRate"
    uint64_t m_ecnThreshold{0};     ///< th_e, bytes at "ReferenceRate"
    uint64_t m_uncongestedBytes{0}; ///< th_c, bytes; 0: see GetUncongestedBytes()
    DataRate m_referenceRate;       ///< of thresholds; 0: any
    double m_decrease{0};           ///< f_dec
    uint32_t m_decreasePeriods{0};  ///< in which a repeated trigger is decreased
    Time m_solveDelay;              ///< from a trigger to its frames
    double m_solveInterval{0};      ///< between solutions of an egress queue, in periods
    bool m_shareTies{true};         ///< "ShareTies"
    bool m_slowsDown{true};         ///< "SlowDown"
    std::string m_solverName;       ///< "Solver"

    std::unique_ptr<PauseTimeSolver> m_solver;          ///< of the linear program
    PauseTimeProblem m_problem;                         ///< the program
    std::vector<double> m_rooms;                        ///< its units of time, in T of each port
    std::vector<double> m_times;                        ///< its solution, in the same units
    std::vector<Ptr<FafcGate>> m_gates;                 ///< by port
    std::vector<std::unique_ptr<ClassState>> m_classes; ///< by class; null: no frame seen yet
    uint64_t m_solutions{0};                            ///< see CountSolutions()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FAFC_FLOW_CONTROL_H */
