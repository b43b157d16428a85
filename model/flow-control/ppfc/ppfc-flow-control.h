// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_PPFC_FLOW_CONTROL_H
#define LOSSLESS_PPFC_FLOW_CONTROL_H

#include "ns3/contributor-flow-control.h"
#include "ns3/random-variable-stream.h"
#include "ns3/static-buffer-policy.h"
#include "ns3/switch-node.h"

#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * P-PFC, in which an egress queue that is about to become long stops its contributors before their
 * ingress queues are long. The papers on OFC, FAFC and DSH each describe P-PFC in only one
 * sentence.
 *
 * A frame triggers P-PFC when it joins an egress queue that is longer than its threshold and that,
 * at its current growth rate, would exceed "PredictionLevel" bytes within "PredictionTime". An
 * ingress port is then drawn with a probability equal to its share of the queue, and its neighbour
 * is stopped for the class. The neighbour resumes when the egress queue has dropped to the
 * threshold and the neighbour's ingress queue to XON. The threshold is the mean length of the
 * egress queues of the class, but at least XON. PFC at the ingress prevents loss. doc/schemes.rst
 * lists the parameters and their sources.
 */
class PpfcFlowControl : public ContributorFlowControl
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    void OnEnqueue(const SwitchItem& item) override;
    void OnRelease(const SwitchItem& item, Ticks when) override;
    void OnRefusal(const SwitchItem& item) override;
    int64_t AssignStreams(int64_t stream) override;

    /// Predicts the length, in bytes, that an egress queue will have after PredictionTime.
    double Predict(QueueId queue) const;
    /// Returns the threshold of an egress queue, in bytes.
    double GetThreshold(QueueId queue) const;

  private:
    struct Sample
    {
        Time time;         ///< the time of the sample
        uint64_t bytes{0}; ///< the queue length in bytes
    };

    struct Egress
    {
        std::vector<uint64_t> bytes; ///< the number of queued bytes from each ingress port
        Sample before;               ///< a sample at least PredictionTime older than `latest`
        Sample latest;               ///< a sample that is usually at most PredictionTime old
    };

    Demand Assess(QueueId queue) const override;

    uint64_t GetXon(QueueId queue) const;
    void TakeSample(QueueId queue);
    /// Draws an ingress port with a probability equal to its share of an egress queue. The queue
    /// must not be empty.
    PortId DrawContributor(QueueId queue);
    /// Releases the ports that egress queues of a class no longer need to stop.
    void Relax(Priority priority);

    Time m_horizon;               ///< PredictionTime
    uint64_t m_level{0};          ///< PredictionLevel, in bytes
    std::vector<Egress> m_egress; ///< the state of each egress queue, indexed by QueueId
    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; ///< the random
                                                                                ///< variable that
                                                                                ///< draws ports
};

/// @ingroup lossless
/// A P-PFC switch, which combines PpfcFlowControl with static thresholds.
class PpfcSwitchNode : public SwitchOf<StaticBufferPolicy, PpfcFlowControl>
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_PPFC_FLOW_CONTROL_H */
