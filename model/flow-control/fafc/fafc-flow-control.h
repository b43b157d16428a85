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
 * FAFC: an egress queue that is going to be long has its contributors paused, each for a time of
 * its own, at the least loss for others (FAFC, Sec. II and III).
 *
 * The lengths and rates of what is queued between each pair of ports are estimated every period
 * (QueueEstimator), the delay of the shortest link, and rates over T. With each frame that starts
 * to leave, the length of its egress queue in 2 T is predicted, with the bytes that pauses under
 * way hold back or let come (PausesInFlight); T is the delay of the link by which something comes.
 * Above "EcnThreshold" the frame is marked; above "PauseThreshold" a linear program
 * (PauseTimeSolver) finds for how long to pause which ingress port, at most T. Its neighbour adds
 * the times up and goes on by itself. Plain PFC at the ingress stays as a safety, and is the only
 * one: no trigger bounds a queue.
 *
 * The timer runs from the first frame that is stored until nothing is left to estimate. It rests
 * while nothing comes or leaves and the estimates have become what they stay at, as in a deadlock;
 * then periods end again at the times at which they would have ended.
 */
class FafcFlowControl : public PfcFlowControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    FafcFlowControl();
    ~FafcFlowControl() override;

    /// @param port a port, after Configure() @return the gate by which it sends
    Ptr<FafcGate> GetGate(PortId port) const;

    /// @return the period of the estimates; valid after Configure()
    Time GetPeriod() const
    {
        return m_period;
    }

    /// @param queue an egress queue @return its length in 2 T, bytes
    double Predict(QueueId queue) const;

    /// @return how often the linear program was solved
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

    /// A pause that was decided.
    struct Pause
    {
        PortId ingress;   ///< port whose neighbour is to pause
        double length{0}; ///< how long, in T of its link
    };

    /// @param solver name of a solver, else the program stops
    void SetSolver(const std::string& solver);

    /// @return its name
    std::string GetSolver() const
    {
        return m_solverName;
    }

    /// @param priority a class @return what is known of it, from now on
    ClassState& StateOf(Priority priority);
    /// @param port a port @return T of its link
    Time GetHopDelay(PortId port) const;
    /// @param length of a pause, in T of its port @param port the port
    /// @return whether it is a nanosecond at least, the least that a frame can ask for
    bool IsTold(double length, PortId port) const;
    /// @param port a port @return at which it sends, bit/s
    double GetRate(PortId port) const;
    /// @param port a port @return its share of "ReferenceRate"
    double GetScale(PortId port) const;
    /// @param ingress port that may pause @param egress another port
    /// @return bytes up to which the latter does not count as congested for the former
    double GetUncongestedBytes(PortId ingress, PortId egress) const;

    /// A period is over. @param priority class
    void EndPeriod(Priority priority);
    /// Something is about to come or to leave: a period is open from now on. @param priority class
    void EndRest(Priority priority);
    /// A slot of the pauses of an ingress queue is over. @param queue it
    void EndSlot(QueueId queue);
    /// No slot follows the one of an ingress queue. @param state of its class
    static void CloseSlot(ClassState& state);
    /// The neighbour knows nothing of its pauses any more. @param queue ingress queue behind it
    void ForgetPauses(QueueId queue);
    /// Waits for the end of the slot that begins. @param queue ingress queue
    void AwaitSlotEnd(QueueId queue);
    /// @param queue an ingress queue @return what is left of the open slot of its pauses, in T of
    /// its link; 0: there is none
    double GetSlotLeft(QueueId queue) const;
    /// What pauses hold back, or let come, of an ingress queue is another amount: divides it over
    /// the egress queues. @param queue ingress queue
    void DivideBalance(QueueId queue);

    /// An egress queue is going to be too long: has its contributors paused. @param queue it
    void RelieveEgress(QueueId queue);
    /// Notes from whom less is to come soon. @param queue egress queue @param pauses for it
    void NoteSlowed(QueueId queue, const std::vector<Pause>& pauses);
    /// @param queue an egress queue @return whether a solution is due, and wanted
    bool MaySolve(QueueId queue) const;
    /// Writes the linear program into m_problem. @param queue an egress queue @return whether
    /// anything has to be held back, and can be
    bool PoseProblem(QueueId queue);
    /// Writes the rates to uncongested ports into the program. @param queue an egress queue
    void PoseLosses(QueueId queue);
    /// Carries a solution out. @param queue egress queue that it is for @param pauses the solution
    void Apply(QueueId queue, const std::vector<Pause>& pauses);

    double m_levelWeight{0};        ///< alpha
    double m_rateWeight{0};         ///< beta
    Time m_hopDelay;                ///< T of every link, as set; 0: its delay
    Time m_period;                  ///< of the estimates
    bool m_trendOfLevel{false};     ///< "TrendOfLevel"
    uint64_t m_pauseThreshold{0};   ///< th_p, bytes at the "ReferenceRate"
    uint64_t m_ecnThreshold{0};     ///< th_e, bytes at the "ReferenceRate"
    uint64_t m_uncongestedBytes{0}; ///< th_c, as set
    DataRate m_referenceRate;       ///< of thresholds; 0: any
    double m_decrease{0};           ///< f_dec
    uint32_t m_decreasePeriods{0};  ///< in which a second trigger is decreased
    Time m_solveDelay;              ///< from a trigger to its frames
    double m_solveInterval{0};      ///< between solutions of an egress queue, in periods
    bool m_shareTies{true};         ///< "ShareTies"
    bool m_slowsDown{true};         ///< "SlowDown"
    std::string m_solverName;       ///< "Solver"

    std::unique_ptr<PauseTimeSolver> m_solver;          ///< of the linear program
    PauseTimeProblem m_problem;                         ///< the program
    std::vector<double> m_rooms;                        ///< its units of time, in T of each port
    std::vector<double> m_times;                        ///< its solution, in these
    std::vector<Ptr<FafcGate>> m_gates;                 ///< by port
    std::vector<std::unique_ptr<ClassState>> m_classes; ///< by class; null: not seen yet
    uint64_t m_solutions{0};                            ///< see CountSolutions()
};

} // namespace ns3::lossless

#endif /* LOSSLESS_FAFC_FLOW_CONTROL_H */
