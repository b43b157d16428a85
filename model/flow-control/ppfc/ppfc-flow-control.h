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
 * P-PFC, which OFC, FAFC and DSH describe in a sentence each: an egress queue that is about to
 * become long stops its contributors before their ingress queues are long.
 *
 * When a frame joins an egress queue that is longer than its threshold and would, at its present
 * growth, exceed "PredictionLevel" bytes in "PredictionTime", one ingress port is drawn, with its
 * share of the queue as probability, and its neighbour is stopped for the class. It resumes when
 * the egress queue is down to the threshold and its own ingress queue to XON. The threshold is the
 * mean length of the switch's egress queues of that class, at least XON. Plain PFC at the ingress
 * is the safety net. Parameters and their sources: doc/schemes.rst.
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

    /// Predicts the length of an egress queue in PredictionTime, bytes.
    double Predict(QueueId queue) const;
    /// Returns the threshold of an egress queue, bytes.
    double GetThreshold(QueueId queue) const;

  private:
    struct Sample
    {
        Time time;         ///< the instant
        uint64_t bytes{0}; ///< the length
    };

    struct Egress
    {
        std::vector<uint64_t> bytes; ///< of the frames in it, by ingress port
        Sample before;               ///< at least PredictionTime before `latest`
        Sample latest;               ///< usually at most PredictionTime old
    };

    Demand Assess(QueueId queue) const override;

    uint64_t GetXon(QueueId queue) const;
    void TakeSample(QueueId queue);
    /// Draws an ingress port by its share of an egress queue, which must not be empty.
    PortId DrawContributor(QueueId queue);
    /// Releases ports that no egress queue of the class needs to stop any longer.
    void Relax(Priority priority);

    Time m_horizon;               ///< PredictionTime
    uint64_t m_level{0};          ///< PredictionLevel, bytes
    std::vector<Egress> m_egress; ///< by egress queue
    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; ///< draws ports
};

/// @ingroup lossless
/// A P-PFC switch: PpfcFlowControl over static thresholds.
class PpfcSwitchNode : public SwitchNode
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    PpfcSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PPFC_FLOW_CONTROL_H */
