// SPDX-License-Identifier: GPL-2.0-only
#ifndef LOSSLESS_GPFC_FLOW_CONTROL_H
#define LOSSLESS_GPFC_FLOW_CONTROL_H

#include "ns3/pfc-flow-control.h"
#include "ns3/switch-node.h"

namespace ns3::lossless
{

/**
 * @ingroup lossless
 * G-PFC, as OFC compares with it (OFC, Sec. IV): less important classes are stopped earlier.
 *
 * The occupancy is that of all lossless classes of an ingress port together. From "LowXoff" on the
 * classes in "LowClasses" are stopped, above the policy's XOFF all; below its XON all resume. A
 * policy's thresholds for ports (DSH) stop the port as under PFC. OFC describes G-PFC in a
 * sentence; level and classes are ours (doc/schemes.rst).
 */
class GpfcFlowControl : public PfcFlowControl
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    std::optional<std::string> Configure(const SwitchShape& shape) override;
    void OnArrival(const SwitchItem& item) override;
    void OnRelease(const SwitchItem& item, Ticks when) override;

  private:
    Demand Assess(QueueId queue) const override;

    /// Calls a function with each lossless queue of an ingress port.
    /// @tparam FUNCTION takes a QueueId
    template <typename FUNCTION>
    void ForEachQueue(PortId port, FUNCTION&& function) const;

    uint64_t GetOccupancy(PortId port) const;

    PrioritySet m_lowClasses{0}; ///< stopped first
    uint64_t m_lowXoff{0};       ///< occupancy from which they are, bytes
};

/// @ingroup lossless
/// A G-PFC switch: GpfcFlowControl over static thresholds.
class GpfcSwitchNode : public SwitchNode
{
  public:
    /// @return the type
    static TypeId GetTypeId();

    GpfcSwitchNode();
};

} // namespace ns3::lossless

#endif /* LOSSLESS_GPFC_FLOW_CONTROL_H */
