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
 * Once an egress queue has reached "Warn" bytes, the frames that join it from each ingress port are
 * counted. When a frame makes the queue at least "Xoff" bytes long, the heavy contributors are
 * stopped. These are either the port with the most frames (Stop-Max) or the smallest set of ports
 * that together account for at least the share "Cut" of all counted frames (Stop-Calibrate). Ties
 * are resolved in favour of the lowest port number. When the queue length has fallen to "Warn" or
 * less, the counts are reset. A neighbour that an egress queue has stopped remains stopped until
 * the length of this queue is at most "Xon". Because the neighbour sends nothing in the meantime,
 * the counts of other ports eventually exceed that of its port, and their neighbours are stopped in
 * turn.
 *
 * In addition, an ingress queue stops its own neighbour according to the policy's XOFF and XON.
 * These thresholds apply to all bytes in the queue. An ingress queue therefore stops its neighbour
 * if its own condition (I in the paper) or the condition of any egress queue (E) holds (I OR E,
 * Sec. II-E). If "Contributors" is "None", only I remains, which corresponds to PFC in the paper's
 * switch.
 *
 * The published algorithm leaves some details open. In this class, frames rather than bytes are
 * counted. A frame is counted before the test, unless it leaves through its ingress port (Sec.
 * II-E). The frame on the wire is part of the queue.
 */
class CapfcFlowControl : public ContributorFlowControl
{
  public:
    /// @return the TypeId of this class
    static TypeId GetTypeId();

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    void OnArrival(const SwitchItem& item) override;
    void OnEnqueue(const SwitchItem& item) override;
    void OnRelease(const SwitchItem& item, Ticks when) override;

    /// Returns the number of frames from an ingress port that have been counted for an egress queue
    /// since the length of this queue was last "Warn" or less.
    uint32_t GetCount(PortId ingress, QueueId egress) const;

  private:
    /// The neighbours that a long egress queue stops.
    enum class Contributors : uint8_t
    {
        NONE,      ///< no neighbour
        MAX,       ///< the neighbour with the most counted frames (Stop-Max)
        CALIBRATE, ///< the neighbours that together account for "Cut" of the counted frames
                   ///< (Stop-Calibrate)
    };

    /// Sets the contributors to None, Max or Calibrate; any other name is a fatal error.
    void SetContributors(const std::string& name);
    std::string GetContributors() const;

    Demand Assess(QueueId queue) const override;
    void Restart(std::optional<QueueId> released) override;

    /// Returns an error message if the frames that a contributor sends before it stops could
    /// overflow an egress queue.
    std::optional<std::string> CheckEgressRoom(const SwitchShape& shape) const;

    /// Updates condition I of an ingress queue whose length or thresholds have changed.
    void UpdateOwn(QueueId queue);
    /// Stops the heavy contributors of an egress queue that is too long.
    void StopHeavy(QueueId queue);
    /// Handles a decrease in the length of an egress queue.
    void Relax(QueueId queue);
    std::vector<PortId> FindHeavy(QueueId queue) const;

    std::size_t GetPlace(PortId ingress, QueueId egress) const
    {
        return Index(egress) * m_ports + Index(ingress);
    }

    uint64_t m_warn{0}; ///< the egress queue length, in bytes, at which counting starts
    uint64_t m_xoff{0}; ///< the egress queue length, in bytes, at which contributors are stopped
    uint64_t m_xon{0};  ///< the egress queue length, in bytes, at which contributors resume
    Contributors m_contributors{Contributors::MAX}; ///< the contributors to stop
    double m_cut{0}; ///< the share of the counted frames for Stop-Calibrate

    std::size_t m_ports{0};         ///< the number of ports
    std::vector<uint32_t> m_counts; ///< the frame counts, indexed by GetPlace()
    std::vector<bool> m_isFull;     ///< condition I of the paper, indexed by ingress queue
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CAPFC_FLOW_CONTROL_H */
