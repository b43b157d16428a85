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
 * neighbours whose frames have filled it.
 *
 * From "Warn" bytes on, an egress queue counts the frames that join it by ingress port. A frame
 * that makes it "Xoff" bytes long, or longer, stops the heavy contributors: the port with most
 * frames (Stop-Max), or the fewest ports that together have the share "Cut" of all frames
 * (Stop-Calibrate); ties go to the lowest port number. At "Warn" or below, the counts are reset. A
 * neighbour stopped by an egress queue stays stopped until that queue is at "Xon" or below; as it
 * sends nothing meanwhile, others overtake its count and are stopped in turn.
 *
 * In addition, an ingress queue stops its own neighbour by the policy's XOFF and XON, over all of
 * its bytes. So the decision for an ingress queue is I OR E of any egress queue (Sec. II-E). With
 * "None" for "Contributors" only I remains: PFC in the paper's switch.
 *
 * Where the published algorithm is incomplete: a frame is counted before it is tested; the frame on
 * the wire is in the queue; counts are of frames, not bytes; frames that leave by the port they
 * came in by do not count (Sec. II-E).
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

    /// Frames from an ingress port that an egress queue has counted since it was at "Warn".
    uint32_t GetCount(PortId ingress, QueueId egress) const;

  private:
    /// Which neighbours a long egress queue stops.
    enum class Contributors : uint8_t
    {
        NONE,      ///< none
        MAX,       ///< the one with most frames in it (Stop-Max)
        CALIBRATE, ///< those that together have "Cut" of the frames (Stop-Calibrate)
    };

    /// Sets the contributors to None, Max or Calibrate; any other name is a fatal error.
    void SetContributors(const std::string& name);
    std::string GetContributors() const;

    Demand Assess(QueueId queue) const override;
    void Restart(std::optional<QueueId> released) override;

    /// Returns an error message if a contributor can overflow an egress queue before it stops.
    std::optional<std::string> CheckEgressRoom(const SwitchShape& shape) const;

    /// Updates an ingress queue whose length or levels have changed.
    void UpdateOwn(QueueId queue);
    /// Stops the contributors of an egress queue that is too long.
    void StopHeavy(QueueId queue);
    /// Handles an egress queue that has become shorter.
    void Relax(QueueId queue);
    std::vector<PortId> FindHeavy(QueueId queue) const;

    std::size_t GetPlace(PortId ingress, QueueId egress) const
    {
        return Index(egress) * m_ports + Index(ingress);
    }

    uint64_t m_warn{0}; ///< length of an egress queue from which it counts, bytes
    uint64_t m_xoff{0}; ///< length from which it stops contributors, bytes
    uint64_t m_xon{0};  ///< length at which it releases them, bytes
    Contributors m_contributors{Contributors::MAX}; ///< which ones it stops
    double m_cut{0};                                ///< share of all frames

    std::size_t m_ports{0};         ///< of the switch
    std::vector<uint32_t> m_counts; ///< frames, by GetPlace()
    std::vector<bool> m_isFull;     ///< by ingress queue: I of the paper
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CAPFC_FLOW_CONTROL_H */
