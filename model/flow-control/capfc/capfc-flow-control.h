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
 * Contribution-aware priority flow control (CaPFC, Sec. II): a long egress queue stops those
 * neighbours whose frames have filled it.
 *
 * From "Warn" bytes on, an egress queue counts the frames of each ingress port that join it. A
 * frame that makes it "Xoff" bytes long, or longer, stops the heavy contributors: the one with most
 * frames (Stop-Max), or the fewest which together have the share "Cut" of all frames
 * (Stop-Calibrate); of equal ones, the port of the lowest number. At "Warn" or below the counts
 * begin anew. Who was stopped by an egress queue stays so until that queue is at "Xon" or below; as
 * it sends nothing meanwhile, others overtake its count and are stopped one by one.
 *
 * Besides, an ingress queue stops its own neighbour by the policy's XOFF and XON, over all of its
 * bytes. So the decision for an ingress queue is I OR E of any egress queue (Sec. II-E). With
 * "None" for "Contributors" only I is left: PFC in the paper's switch.
 *
 * Where the algorithm is not complete in print: the frame that is tested is counted first; the
 * frame on the wire is in the queue; the counts are of frames, not bytes; frames that leave by the
 * port they came in by do not count (Sec. II-E).
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

    /// @param ingress a port @param egress an egress queue
    /// @return frames from there which the queue has counted since it was at "Warn"
    uint32_t GetCount(PortId ingress, QueueId egress) const;

  private:
    /// Who is stopped by a long egress queue.
    enum class Contributors : uint8_t
    {
        NONE,      ///< nobody
        MAX,       ///< who has most frames in it (Stop-Max)
        CALIBRATE, ///< who together have "Cut" of the frames (Stop-Calibrate)
    };

    /// @param name None, Max or Calibrate; anything else stops the program
    void SetContributors(const std::string& name);
    /// @return the same
    std::string GetContributors() const;

    Demand Assess(QueueId queue) const override;
    void Restart(std::optional<QueueId> released) override;

    /// @param shape what the switch is like @return a sentence if an egress queue cannot even take
    /// what one contributor sends until it stops
    std::optional<std::string> CheckEgressRoom(const SwitchShape& shape) const;

    /// @param queue an ingress queue, whose length or levels have changed
    void UpdateOwn(QueueId queue);
    /// @param queue an egress queue, which is too long: stops those who fill it
    void StopHeavy(QueueId queue);
    /// @param queue an egress queue, which has become shorter
    void Relax(QueueId queue);
    /// @param queue an egress queue @return the ports to stop
    std::vector<PortId> FindHeavy(QueueId queue) const;

    /// @param ingress a port @param egress an egress queue @return index in m_counts
    std::size_t GetPlace(PortId ingress, QueueId egress) const
    {
        return Index(egress) * m_ports + Index(ingress);
    }

    uint64_t m_warn{0}; ///< bytes of an egress queue from which it counts
    uint64_t m_xoff{0}; ///< from which it stops contributors
    uint64_t m_xon{0};  ///< at which it lets them go
    Contributors m_contributors{Contributors::MAX}; ///< whom it stops
    double m_cut{0};                                ///< share of all frames

    std::size_t m_ports{0};         ///< of the switch
    std::vector<uint32_t> m_counts; ///< frames, by GetPlace()
    std::vector<bool> m_isFull;     ///< by ingress queue: I of the paper
};

} // namespace ns3::lossless

#endif /* LOSSLESS_CAPFC_FLOW_CONTROL_H */
