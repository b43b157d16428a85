// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_CAPFC_FLOW_CONTROL_H
#define LOSSLESS_CAPFC_FLOW_CONTROL_H

#include "ns3/contributor-flow-control.h"

#include <string>
#include <vector>

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * Contribution-aware priority flow control (CaPFC, Sec. II): a long egress queue stops the
 * neighbours whose frames fill it.
 *
 * When an egress queue has reached "Warn" bytes, it counts the frames that join it from each
 * ingress port. A frame that makes it at least "Xoff" bytes long stops the heavy contributors.
 * These are either the port with the most frames (Stop-Max) or the smallest set of ports that
 * together have the share "Cut" of all frames (Stop-Calibrate). Ties are resolved in favour of the
 * lowest port number. When the queue is back at "Warn" or below, the counts are reset. A neighbour
 * stopped by an egress queue stays stopped until the length is at most "Xon". As it sends nothing
 * in the meantime, other ports overtake its count and are stopped in turn.
 *
 * In addition, an ingress queue stops its own neighbour according to the XOFF and XON of the
 * policy, which apply to all bytes in the queue. The decision for an ingress queue is therefore I
 * OR E of any egress queue (Sec. II-E). If "Contributors" is "None", only I remains, which is PFC
 * in the paper's switch.
 *
 * The published algorithm leaves some details open. Here, a frame is counted before the test, the
 * frame on the wire is part of the queue, the counts are in frames rather than bytes, and frames
 * that leave by their ingress port are not counted (Sec. II-E).
 */
class CapfcFlowControl : public ContributorFlowControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    void OnArrival(const SwitchItem& item) override;
    void OnEnqueue(const SwitchItem& item) override;
    void OnRelease(const SwitchItem& item, Ticks when) override;

    /// Returns the number of frames from an ingress port that an egress queue has counted since it
    /// was last at "Warn".
    uint32_t GetCount(PortId ingress, QueueId egress) const;

  private:
    /// The neighbours that a long egress queue stops.
    enum class Contributors : uint8_t
    {
        NONE,      ///< no neighbour
        MAX,       ///< the neighbour with the most frames in the queue (Stop-Max)
        CALIBRATE, ///< the neighbours that together have "Cut" of the frames (Stop-Calibrate)
    };

    /// Sets the contributors to None, Max or Calibrate; any other name is a fatal error.
    void SetContributors(const std::string& name);
    std::string GetContributors() const;

    Demand Assess(QueueId queue) const override;
    void Restart(std::optional<QueueId> released) override;

    /// Returns an error message if a contributor can overflow an egress queue before it stops.
    std::optional<std::string> CheckEgressRoom(const SwitchShape& shape) const;

    /// Updates an ingress queue whose length or thresholds have changed.
    void UpdateOwn(QueueId queue);
    /// Stops the heavy contributors of an egress queue that is too long.
    void StopHeavy(QueueId queue);
    /// Handles a decrease of an egress queue's length.
    void Relax(QueueId queue);
    std::vector<PortId> FindHeavy(QueueId queue) const;

    std::size_t GetPlace(PortId ingress, QueueId egress) const
    {
        return Index(egress) * m_ports + Index(ingress);
    }

    uint64_t m_warn{0}; ///< egress queue length at which counting starts, bytes
    uint64_t m_xoff{0}; ///< egress queue length at which contributors are stopped, bytes
    uint64_t m_xon{0};  ///< egress queue length at which contributors resume, bytes
    Contributors m_contributors{Contributors::MAX}; ///< contributors to stop
    double m_cut{0};                                ///< share of all frames for Stop-Calibrate

    std::size_t m_ports{0};         ///< number of ports
    std::vector<uint32_t> m_counts; ///< frame counts, indexed by GetPlace()
    std::vector<bool> m_isFull;     ///< I in the paper, indexed by ingress queue
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CAPFC_FLOW_CONTROL_H */
