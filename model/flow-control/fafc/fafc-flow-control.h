// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_FAFC_FLOW_CONTROL_H
#define LOSSLESS_FAFC_FLOW_CONTROL_H

#include "fafc-gate.h"
#include "pause-time-solver.h"
#include "pauses-in-flight.h"
#include "queue-estimator.h"

#include "ns3/pfc-flow-control.h"
#include "ns3/sih-buffer-policy.h"
#include "ns3/switch-node.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * FAFC: an egress queue that is about to become too long pauses its contributors. The pause times
 * are chosen to minimize the throughput loss of other queues (FAFC, Sec. II and III).
 *
 * The lengths and rates of the queues between each pair of ports are estimated once per period (see
 * QueueEstimator). The period is the delay of the shortest link. Rates are measured over T, the
 * delay of the ingress link. Whenever a frame starts to leave, the length that its egress queue
 * will have after 2 T is predicted. The prediction includes the bytes that pauses in flight hold
 * back or release (see PausesInFlight). If the predicted length is above "EcnThreshold", the frame
 * is marked. If it is above "PauseThreshold", a linear program (see PauseTimeSolver) determines how
 * long to pause each ingress port, up to T. The neighbour adds up these times and resumes without a
 * further message. Because these triggers do not limit the length of a queue, PFC at the ingress is
 * the only protection against loss.
 *
 * The timer of the estimates runs from the first stored frame until there is nothing left to
 * estimate. It is suspended while no frame arrives or leaves and the estimates are constant, as in
 * a deadlock. A suspension does not shift the times at which later periods end.
 */
class FafcFlowControl : public PfcFlowControl
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    FafcFlowControl();
    ~FafcFlowControl() override;

    /// Returns the gate of a port; valid after Configure().
    Ptr<FafcGate> GetGate(PortId port) const
    {
        return m_gates[Index(port)];
    }

    /// Returns the period of the estimates; valid after Configure().
    Time GetPeriod() const
    {
        return m_period;
    }

    /// Predicts the length, in bytes, that an egress queue will have after 2 T.
    double Predict(QueueId queue) const;

    /// Returns the number of solutions of the linear program that paused at least one port.
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

    /// A pause chosen by the solver.
    struct Pause
    {
        PortId ingress;   ///< the port whose neighbour must pause
        double length{0}; ///< the duration in units of the link's T
    };

    /// Sets the solver by name; an unknown name is a fatal error.
    void SetSolver(const std::string& solver);

    std::string GetSolver() const
    {
        return m_solverName;
    }

    /// Returns the state of a class. The state is created if necessary.
    ClassState& StateOf(Priority priority);
    Time GetHopDelay(PortId port) const;
    /// Returns whether a pause lasts at least one nanosecond, the resolution of the times in
    /// control frames.
    /// @param length the duration of the pause in units of the port's T
    bool IsTold(double length, PortId port) const;
    /// Returns the configured sending rate of a port, in bit/s.
    double GetRate(PortId port) const;
    /// Returns the configured sending rate of a port divided by "ReferenceRate", or 1 if
    /// "ReferenceRate" is 0.
    double GetScale(PortId port) const;
    /// Returns the queue length, in bytes, up to which an egress port is considered uncongested in
    /// decisions about pauses of the ingress port.
    double GetUncongestedBytes(PortId ingress, PortId egress) const;

    void EndPeriod(Priority priority);
    /// Opens a period unless one is open. Called when a frame arrives, leaves or is discarded.
    void EndRest(Priority priority);
    void EndSlot(QueueId queue);
    /// Closes the slot of an ingress queue. Called when no further slot follows.
    static void CloseSlot(ClassState& state);
    /// Clears the pauses of an ingress queue after its neighbour has discarded them.
    void ForgetPauses(QueueId queue);
    void AwaitSlotEnd(QueueId queue);
    /// Returns the remaining time of an ingress queue's open slot, in units of the link's T, or 0
    /// if no slot is open.
    double GetSlotLeft(QueueId queue) const;
    /// Divides the bytes that pauses hold back or release at an ingress queue among the egress
    /// queues.
    void DivideBalance(QueueId queue);

    /// Pauses the contributors of an egress queue that is about to become too long.
    void RelieveEgress(QueueId queue);
    /// Records the time of a solution for each port whose link delay is at most the largest delay
    /// of a paused link.
    void NoteSlowed(QueueId queue, const std::vector<Pause>& pauses);
    /// Returns whether to solve the linear program of an egress queue now.
    bool MaySolve(QueueId queue) const;
    /// Writes the linear program of an egress queue to m_problem.
    /// @return whether the program's need is above 0 and pauses can help to meet it
    bool PoseProblem(QueueId queue);
    /// Sets the losses in the linear program. They are the rates of traffic to uncongested ports.
    void PoseLosses(QueueId queue);
    /// Applies a solution for an egress queue.
    void Apply(QueueId queue, const std::vector<Pause>& pauses);

    double m_levelWeight{0};        ///< alpha, the weight of new lengths
    double m_rateWeight{0};         ///< beta, the weight of new rates
    Time m_hopDelay;                ///< T of every link; if 0, the delay of each link is used
    Time m_period;                  ///< the period of the estimates
    bool m_trendOfLevel{false};     ///< see "TrendOfLevel"
    uint64_t m_pauseThreshold{0};   ///< th_p, in bytes, for a port of the rate "ReferenceRate"
    uint64_t m_ecnThreshold{0};     ///< th_e, in bytes, for a port of the rate "ReferenceRate"
    uint64_t m_uncongestedBytes{0}; ///< th_c in bytes; if 0, see GetUncongestedBytes()
    DataRate m_referenceRate;       ///< the rate to which the thresholds refer; 0 if they apply at
                                    ///< any rate
    double m_decrease{0};           ///< f_dec
    uint32_t m_decreasePeriods{0};  ///< the number of intervals T within which the relief of a
                                    ///< repeated pause is reduced
    Time m_solveDelay;              ///< the time from a trigger to the pause frames
    double m_solveInterval{0}; ///< the minimum number of periods between solutions for an egress
                               ///< queue
    bool m_shareTies{true};    ///< see "ShareTies"
    bool m_slowsDown{true};    ///< see "SlowDown"
    std::string m_solverName;  ///< see "Solver"

    std::unique_ptr<PauseTimeSolver> m_solver; ///< the solver of the linear program
    PauseTimeProblem m_problem;                ///< the linear program
    std::vector<double> m_rooms;               ///< the program's unit of time for each port, as a
                                               ///< multiple of T of the port's link
    std::vector<double> m_times;               ///< the solution of the program, in units of m_rooms
    std::vector<Ptr<FafcGate>> m_gates;        ///< the gates, indexed by port
    std::vector<std::unique_ptr<ClassState>>
        m_classes;           ///< the state of each class, indexed by class; null before the first
                             ///< frame of the class
    uint64_t m_solutions{0}; ///< see CountSolutions()
};

/**
 * @ingroup lossless
 * A FAFC switch. It uses FafcFlowControl and, as a fallback, PFC with dynamic thresholds (FAFC,
 * Sec. II-E).
 *
 * In the paper, ingress ports are served fairly (Sec. IV), so FairEgressQueue is the default
 * EgressQueue.
 */
class FafcSwitchNode : public SwitchOf<SihBufferPolicy, FafcFlowControl>
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FAFC_FLOW_CONTROL_H */
