// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PPFC_FLOW_CONTROL_H
#define LOSSLESS_PPFC_FLOW_CONTROL_H

#include "ns3/contributor-flow-control.h"
#include "ns3/random-variable-stream.h"
#include "ns3/switch-node.h"

#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * P-PFC, as OFC, FAFC and DSH describe it in a sentence each: an egress queue that is about to be
 * long stops those who fill it, before their ingress queues are long.
 *
 * When a frame joins an egress queue longer than its threshold, and which by its present growth is
 * going to have more than "PredictionLevel" bytes in "PredictionTime", one ingress port is drawn,
 * with a probability that is its share of the queue, and its neighbour is stopped for the class. It
 * goes on when the egress queue has come down to the threshold and its own ingress queue to XON.
 * The threshold is the mean length of the switch's egress queues of that class, XON at least. Plain
 * PFC at the ingress stays as a safety. Parameters and their sources: doc/schemes.rst.
 */
class PpfcFlowControl : public ContributorFlowControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    void OnEnqueue(const SwitchItem& item) override;
    void OnRelease(const SwitchItem& item, Ticks when) override;
    void OnRefusal(const SwitchItem& item) override;
    int64_t AssignStreams(int64_t stream) override;

    /// @param queue an egress queue @return its length in PredictionTime, bytes
    double Predict(QueueId queue) const;
    /// @param queue an egress queue @return its threshold, bytes
    double GetThreshold(QueueId queue) const;

  private:
    /// Length of an egress queue at an instant.
    struct Sample
    {
        Time time;         ///< the instant
        uint64_t bytes{0}; ///< the length
    };

    /// What is known of an egress queue.
    struct Egress
    {
        std::vector<uint64_t> bytes; ///< of the frames in it, by ingress port
        Sample before;               ///< at least PredictionTime before `latest`
        Sample latest;               ///< at most PredictionTime old, mostly
    };

    Demand Assess(QueueId queue) const override;

    /// @param queue an ingress queue @return XON of the policy, bytes
    uint64_t GetXon(QueueId queue) const;
    /// Notes the length of an egress queue. @param queue the queue
    void TakeSample(QueueId queue);
    /// @param queue an egress queue, not empty @return an ingress port, by its share of the queue
    PortId DrawContributor(QueueId queue);
    /// Lets ports go which no egress queue has a reason to stop any more. @param priority class
    void Relax(Priority priority);

    Time m_horizon;               ///< PredictionTime
    uint64_t m_level{0};          ///< PredictionLevel, bytes
    std::vector<Egress> m_egress; ///< by egress queue
    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; ///< who is stopped
};

/**
 * @ingroup lossless
 * The switch of P-PFC: PpfcFlowControl over static thresholds.
 */
class PpfcSwitchNode : public SwitchNode
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    PpfcSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PPFC_FLOW_CONTROL_H */
